//! What part of the numbers an axis or a scale of colours shows, and where it has marks.

use nrdr::number::rounded;

/// The share of the points that may lie outside at either end.
const FEW: f64 = 0.01;
/// These are outside only if without them the rest has more room by this factor.
const WORTH: f64 = 3.0;
/// How far what is shown goes on beyond the rest, as a share of its range.
const BEYOND: f64 = 0.5;
/// Marks of an axis, about.
const MARKS: f64 = 5.0;

/// The range of numbers that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Axis {
    /// All of them, or all but a few that are so far away that the others could not be told apart.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(&least), Some(&most)) = (sorted.first(), sorted.last()) else {
            return Axis { least: 0.0, most: 1.0 };
        };
        let few = ((FEW * sorted.len() as f64) as usize).max(1);
        if sorted.len() > 4 * few {
            let (low, high) = (sorted[few], sorted[sorted.len() - 1 - few]);
            let range = high - low;
            if range > 0.0 && most - least > WORTH * range {
                let (low, high) = (low - BEYOND * range, high + BEYOND * range);
                return Axis { least: least.max(low), most: most.min(high) };
            }
        }
        Axis { least, most }
    }

    /// With a little room at the ends, and around a single number.
    pub(super) fn padded(self) -> Self {
        let range = self.most - self.least;
        let room = match range {
            0.0 => 0.5 * self.least.abs().max(1e-300),
            _ => 0.04 * range,
        };
        Axis { least: (self.least - room).max(f64::MIN), most: (self.most + room).min(f64::MAX) }
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// Where a number is, from 0 to 1; what is outside is at the end.
    pub(super) fn place(&self, value: f64) -> f64 {
        // By halves: the whole range may be more than there are numbers.
        let range = 0.5 * self.most - 0.5 * self.least;
        if range > 0.0 { ((0.5 * value - 0.5 * self.least) / range).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Round numbers in it.
    pub(super) fn marks(&self) -> Vec<(f64, String)> {
        let range = self.most - self.least;
        let rough = range / MARKS;
        if !(rough > 0.0 && rough.is_finite()) {
            return vec![(self.least, rounded(self.least, 3))];
        }
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|of| of * power);
        let step = step.clone().find(|step| *step >= 0.999 * rough).unwrap_or(10.0 * power);
        // What is one but for rounding is one.
        let (first, last) = ((self.least / step - 1e-9).ceil(), (self.most / step + 1e-9).floor());
        // Numbers so close to each other that they have no round ones between them.
        if !(last - first < 20.0) || step < 1e-13 * self.least.abs().max(self.most.abs()) {
            return vec![(self.least, rounded(self.least, 3))];
        }
        let count = (last - first).max(0.0) as usize;
        let at = |i: usize| (first + i as f64) * step;
        // As many digits as tell two marks apart.
        let digits = (self.least.abs().max(self.most.abs()) / step).log10().ceil().max(0.0) + 1.0;
        (0..=count).map(|i| (at(i), rounded(at(i), (digits as usize).max(2)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize) -> Vec<f64> {
        (0..n).map(|i| (0.7 * i as f64).sin()).collect()
    }

    #[test]
    fn one_outlier_does_not_press_the_others_together() {
        for n in [50, 1000] {
            let mut values = wave(n);
            let all = Axis::of(values.iter().copied());
            assert!(all.least < -0.98 && all.most > 0.98 && all.most <= 1.0);
            values[7] = 1e6;
            let axis = Axis::of(values.iter().copied());
            assert!(axis.most < 2.1 && axis.least < -0.97 && !axis.holds(1e6), "{n} {axis:?}");
        }
    }

    #[test]
    fn what_many_points_make_up_is_shown() {
        let mut values = wave(1000);
        values[..30].iter_mut().for_each(|value| *value = 50.0);
        assert!(Axis::of(values.iter().copied()).holds(50.0));
        // A tail that is not much longer than the rest.
        let mut values = wave(1000);
        values[3] = 4.0;
        assert!(Axis::of(values.iter().copied()).holds(4.0));
    }

    #[test]
    fn marks_are_round_and_inside() {
        for (least, most, told) in [
            (0.0, 1.0, "0 0.2 0.4 0.6 0.8 1"),
            (-0.052, 0.061, "-0.05 0 0.05"),
            (-3.1e-9, 4.2e-9, "-2e-9 0 2e-9 4e-9"),
            (1000.0, 1000.4, "1000 1000.1 1000.2 1000.3 1000.4"),
            (0.0, 3e200, "0 1e200 2e200 3e200"),
            (5.0, 5.0, "5"),
        ] {
            let marks = Axis { least, most }.marks();
            let names: Vec<String> = marks.iter().map(|(_, name)| name.clone()).collect();
            assert_eq!(names.join(" "), told);
            let room = 1e-8 * (most - least);
            assert!(marks.iter().all(|(at, _)| *at >= least - room && *at <= most + room));
        }
        let full = Axis { least: -f64::MAX, most: f64::MAX };
        assert!(!full.marks().is_empty() && full.padded().place(0.0) == 0.5);
        assert_eq!(Axis::of([f64::NAN].into_iter()), Axis { least: 0.0, most: 1.0 });
    }
}
