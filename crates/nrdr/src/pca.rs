//! Principal components, to shorten points of many columns before they are embedded.

use faer::Mat;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, product};
use crate::linalg::vector::{dot, sign};
use crate::points::Points;

/// The smaller of points and columns may be this large.
const MOST: usize = 10_000;
/// Components this much shorter than the first are rounding errors of it.
const NOISE: f64 = 1e-7;

/// The first `count` principal components of the points, largest first; each has its entry of largest magnitude
/// positive.
///
/// ```
/// use nrdr::{Points, pca};
///
/// let row = |i: u32| [f64::from(i), 2.0 * f64::from(i), 0.1 * f64::from(i % 2)];
/// let points = Points::from_rows((0..50).map(row))?;
/// let shorter = pca(&points, 1)?;
/// // Along (1, 2, 0) the points lie 5^1/2 apart.
/// let step = shorter.row(1)[0] - shorter.row(0)[0];
/// assert!((step.abs() - 5.0_f64.sqrt()).abs() < 1e-2);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn pca(points: &Points, count: usize) -> Result<Points> {
    Pca::fit(points, count).map(|(components, _)| components)
}

/// Principal directions, for further points.
#[derive(Clone, Debug, PartialEq)]
pub struct Pca {
    /// What is subtracted from a point.
    pub means: Vec<f64>,
    /// The directions, a row each.
    pub directions: Points,
}

impl Pca {
    /// The first principal components of the points, as [`pca`] gives them, and the directions they belong to.
    pub fn fit(points: &Points, count: usize) -> Result<(Points, Pca)> {
        fit(points, count)
    }

    /// The components of further points.
    pub fn project(&self, points: &Points) -> Result<Points> {
        let (columns, count) = (self.means.len(), self.directions.rows());
        if points.columns() != columns {
            return Err(Error::WrongColumns { got: points.columns(), expected: columns });
        }
        let mut values = vec![0.0; points.rows() * count];
        values.par_chunks_mut(count).enumerate().for_each(|(i, row)| {
            let pairs = points.row(i).iter().zip(&self.means);
            let centred: Vec<f64> = pairs.map(|(value, mean)| value - mean).collect();
            for (j, value) in row.iter_mut().enumerate() {
                *value = dot(&centred, self.directions.row(j));
            }
        });
        Points::new(values, count)
    }
}

fn fit(points: &Points, count: usize) -> Result<(Points, Pca)> {
    let (n, columns) = (points.rows(), points.columns());
    let available = n.min(columns);
    if count == 0 || count > available {
        return Err(Error::Parameter {
            name: "number of principal components",
            value: count.to_string(),
            expected: "at least 1, and at most the number of columns and of points".to_string(),
        });
    }
    if available > MOST {
        return Err(Error::parameter(
            "smaller of points and columns",
            available,
            "at most 10000 for principal components",
        ));
    }
    let means = points.means();
    let centred = Mat::from_fn(n, columns, |i, j| points.row(i)[j] - means[j]);
    let directions = if columns <= n {
        let (_, vectors) = eigen_descending(inner(centred.as_ref(), centred.as_ref()).as_ref())?;
        vectors.as_ref().subcols(0, count).to_owned()
    } else {
        let turned = centred.transpose().to_owned();
        let (values, vectors) = eigen_descending(inner(turned.as_ref(), turned.as_ref()).as_ref())?;
        let length = |j: usize| values[j].max(0.0).sqrt();
        let directions = product(turned.as_ref(), vectors.as_ref().subcols(0, count));
        let inverse =
            |j: usize| if length(j) > NOISE * length(0) { length(j).recip() } else { 0.0 };
        Mat::from_fn(columns, count, |i, j| directions[(i, j)] * inverse(j))
    };
    let values = directions.col_iter().flat_map(|direction| direction.iter().copied());
    let mut pca = Pca { means, directions: Points::new(values.collect(), columns)? };
    // To the last bit what further points get, so that these are known again among them.
    let mut components = pca.project(points)?;
    let signs: Vec<f64> = (0..count).map(|j| sign(&components.column(j))).collect();
    components.scale_columns(&signs);
    let rows = (0..count).flat_map(|j| pca.directions.row(j).iter().map(move |v| (j, v)));
    pca.directions = Points::new(rows.map(|(j, v)| signs[j] * v).collect(), columns)?;
    Ok((components, pca))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::Cube;

    #[test]
    fn wide_and_tall_tables_agree() {
        let tall = Cube { n: 6, sides: vec![3.0, 2.0, 1.0, 1.5], noise: 0.0 };
        let tall = tall.generate(1).unwrap().points;
        // Columns of zeros change nothing but which of the two ways is taken.
        let pad = |i: usize| [tall.row(i), &[0.0; 5]].concat();
        let wide = Points::from_rows((0..6).map(pad)).unwrap();
        let (a, b) = (pca(&tall, 3).unwrap(), pca(&wide, 3).unwrap());
        a.values().iter().zip(b.values()).for_each(|(x, y)| assert!((x - y).abs() < 1e-10));
    }

    #[test]
    fn directions_give_the_components_again() {
        let points = Cube::default().generate(4).unwrap().points;
        let few: Vec<u32> = (0..2).collect();
        for points in [points.select(&few), points] {
            let (components, pca) = Pca::fit(&points, 2).unwrap();
            let again = pca.project(&points).unwrap();
            let pairs = components.values().iter().zip(again.values());
            pairs.for_each(|(x, y)| assert_eq!(x, y));
        }
    }

    #[test]
    fn all_components_keep_all_distances() {
        let points = Cube::default().generate(2).unwrap().points;
        let turned = pca(&points, 3).unwrap();
        let distance = |p: &Points, i: usize, j: usize| {
            p.row(i).iter().zip(p.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
        };
        for i in 1..50 {
            assert!((distance(&points, 0, i) - distance(&turned, 0, i)).abs() < 1e-10);
        }
    }

    #[test]
    fn a_number_that_does_not_exist_is_refused() {
        let points = Cube { n: 5, ..Default::default() }.generate(3).unwrap().points;
        for count in [0, 4] {
            let refused = pca(&points, count).unwrap_err().to_string();
            assert!(refused.contains("principal components"), "{refused}");
        }
    }
}
