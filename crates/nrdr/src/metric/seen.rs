//! Points as a metric sees them: where its distances are Euclidean, and what it refuses.

use std::borrow::Cow;
use std::f64::consts::FRAC_PI_2;

use super::Metric;
use crate::error::{Error, Result};
use crate::points::Points;

/// Columns of a place on the sphere.
const PLACE: usize = 2;
/// Rounding of a latitude that is a pole.
const POLE: f64 = 1e-9;
/// Places on a unit sphere that differ by less are the same.
const ONE_PLACE: f64 = 1e-14;

impl Metric {
    /// Refuses points that the metric does not know the distances of.
    pub(crate) fn check(self, points: &Points) -> Result<()> {
        self.check_itself()?;
        let columns = points.columns();
        self.check_columns(columns)?;
        if !self.is_of_seen() {
            return Ok(());
        }
        let mut place = vec![0.0; self.columns(columns)];
        (0..points.rows()).try_for_each(|i| self.see_row(points.row(i), i, &mut place))
    }

    fn check_columns(self, columns: usize) -> Result<()> {
        if self == Metric::Haversine && columns != PLACE {
            return Err(Error::NoPlaces { columns });
        }
        Ok(())
    }

    /// How many columns points of so many have as the metric sees them.
    pub(crate) fn columns(self, columns: usize) -> usize {
        if self == Metric::Haversine { 3 } else { columns }
    }

    /// The points as the metric sees them.
    pub(crate) fn seen<'p>(self, points: &'p Points) -> Result<Cow<'p, Points>> {
        match self.see(points.values(), points.columns(), 0)? {
            Cow::Borrowed(_) => Ok(Cow::Borrowed(points)),
            Cow::Owned(values) => {
                Points::new(values, self.columns(points.columns())).map(Cow::Owned)
            }
        }
    }

    /// The same of rows one after another; the first of them has this number.
    pub(crate) fn see<'r>(
        self,
        rows: &'r [f64],
        columns: usize,
        first: usize,
    ) -> Result<Cow<'r, [f64]>> {
        if !self.is_of_seen() {
            return Ok(Cow::Borrowed(rows));
        }
        self.check_columns(columns)?;
        let width = self.columns(columns);
        let mut seen = vec![0.0; rows.len() / columns * width];
        let all = rows.chunks_exact(columns).zip(seen.chunks_exact_mut(width));
        for (i, (row, place)) in all.enumerate() {
            self.see_row(row, first + i, place)?;
        }
        Ok(Cow::Owned(seen))
    }

    /// Writes the place of a row.
    fn see_row(self, row: &[f64], number: usize, place: &mut [f64]) -> Result<()> {
        let blind = Error::NoDirection { metric: self.to_string(), row: number };
        match self {
            Metric::Haversine => {
                let (latitude, longitude) = (row[0], row[1]);
                if latitude.abs() > FRAC_PI_2 + POLE {
                    return Err(Error::NoLatitude { row: number, value: latitude });
                }
                let radius = latitude.cos();
                place[0] = radius * longitude.cos();
                place[1] = radius * longitude.sin();
                place[2] = latitude.sin();
                return Ok(());
            }
            Metric::Correlation => {
                // From the first value, which leaves most digits where all are large.
                let mean = row.iter().map(|v| v - row[0]).sum::<f64>() / row.len() as f64;
                place.iter_mut().zip(row).for_each(|(to, v)| *to = (v - row[0]) - mean);
                if row.iter().all(|v| *v == row[0]) {
                    return Err(blind);
                }
            }
            _ => place.copy_from_slice(row),
        }
        // Squares of tiny numbers would vanish.
        let largest = place.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        if largest == 0.0 {
            return Err(blind);
        }
        place.iter_mut().for_each(|v| *v /= largest);
        let length = place.iter().map(|v| v * v).sum::<f64>().sqrt();
        place.iter_mut().for_each(|v| *v /= length);
        Ok(())
    }

    /// Whether all points are at one place as the metric sees them, which is not so of the points themselves.
    pub(crate) fn is_one_place(self, points: &Points) -> Result<bool> {
        if !self.is_of_seen() {
            return Ok(false);
        }
        let width = self.columns(points.columns());
        let (mut first, mut other) = (vec![0.0; width], vec![0.0; width]);
        self.see_row(points.row(0), 0, &mut first)?;
        for i in 1..points.rows() {
            self.see_row(points.row(i), i, &mut other)?;
            if first.iter().zip(&other).any(|(a, b)| (a - b).abs() > ONE_PLACE) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_distance_is_refused_by_its_row() {
        let points = |rows: &[[f64; 2]]| Points::from_rows(rows).unwrap();
        let zero = points(&[[1.0, 2.0], [0.0, 0.0]]);
        let metric = "cosine".to_string();
        assert_eq!(Metric::Cosine.check(&zero), Err(Error::NoDirection { metric, row: 1 }));
        let level = points(&[[1.0, 2.0], [0.1, 0.1]]);
        let metric = "correlation".to_string();
        assert_eq!(Metric::Correlation.check(&level), Err(Error::NoDirection { metric, row: 1 }));
        let degrees = points(&[[1.5, 2.0], [48.2, 16.4]]);
        let beyond = Err(Error::NoLatitude { row: 1, value: 48.2 });
        assert_eq!(Metric::Haversine.check(&degrees), beyond);
        let wide = Points::new(vec![0.1; 6], 3).unwrap();
        assert_eq!(Metric::Haversine.check(&wide), Err(Error::NoPlaces { columns: 3 }));
        assert_eq!(Metric::Cosine.check(&points(&[[1e-170, 0.0], [1e140, -1e140]])), Ok(()));
        assert_eq!(Metric::Haversine.check(&points(&[[-FRAC_PI_2, 9.0], [0.0, -4.0]])), Ok(()));
        // New points are counted on.
        let metric = "cosine".to_string();
        let new = Metric::Cosine.see(&[1.0, 1.0, 0.0, 0.0], 2, 40);
        assert_eq!(new, Err(Error::NoDirection { metric, row: 41 }));
    }

    #[test]
    fn directions_that_are_one_are_seen() {
        let one = Points::from_rows([[1.0, 3.0], [2.0, 6.0], [0.1, 0.3]]).unwrap();
        assert_eq!(Metric::Cosine.is_one_place(&one), Ok(true));
        assert_eq!(Metric::Manhattan.is_one_place(&one), Ok(false));
        let two = Points::from_rows([[1.0, 3.0], [2.0, 6.01]]).unwrap();
        assert_eq!(Metric::Cosine.is_one_place(&two), Ok(false));
    }
}
