//! Eigenpairs in a checkpoint.

use std::borrow::Cow;

use super::Pair;
use crate::checkpoint::{Keep, Record};

/// The numbers of a pair beside its vector.
pub(crate) const NUMBERS: usize = 5;

impl Pair {
    /// All but the vector. No tolerance is NaN.
    pub(crate) fn numbers(&self) -> [f64; NUMBERS] {
        let Pair { value, residual, angle, iterations, missed, .. } = *self;
        [value, residual, angle, iterations as f64, missed.unwrap_or(f64::NAN)]
    }

    /// The pair of these numbers.
    pub(crate) fn of_numbers(numbers: [f64; NUMBERS], vector: Vec<f64>) -> Self {
        let [value, residual, angle, iterations, missed] = numbers;
        let missed = Some(missed).filter(|missed| !missed.is_nan());
        Pair { value, vector, residual, angle, iterations: iterations as usize, missed }
    }
}

impl Keep for Pair {
    fn record(&self) -> Record<'_> {
        let numbers = vec![self.numbers().to_vec().into(), Cow::from(&self.vector)];
        Record { numbers, ..Default::default() }
    }

    fn by_row(&self) -> Vec<usize> {
        vec![1]
    }

    fn of_record(record: Record<'static>) -> Option<Self> {
        let [numbers, vector] = <[_; 2]>::try_from(record.numbers).ok()?;
        let numbers = <[f64; NUMBERS]>::try_from(numbers.as_ref()).ok()?;
        Some(Pair::of_numbers(numbers, vector.into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_comes_back_bit_for_bit() {
        let vector = vec![0.1, -0.0, f64::MIN_POSITIVE / 8.0];
        for missed in [None, Some(1e-8)] {
            let numbers = [0.1 + 0.2, 1e-300, 0.0, 5000.0, missed.unwrap_or(f64::NAN)];
            let pair = Pair::of_numbers(numbers, vector.clone());
            let record = pair.record();
            let owned = |list: &Cow<'_, [f64]>| Cow::Owned(list.to_vec());
            let numbers = record.numbers.iter().map(owned).collect();
            let back = Pair::of_record(Record { numbers, ..Default::default() }).unwrap();
            let bits = |pair: &Pair| {
                [&pair.numbers()[..], &pair.vector]
                    .concat()
                    .into_iter()
                    .map(f64::to_bits)
                    .collect::<Vec<u64>>()
            };
            assert_eq!((bits(&back), back.missed), (bits(&pair), missed));
        }
        assert!(Pair::of_record(Record::of_text("none")).is_none());
    }
}
