//! How good an embedding is, on a sample of its points.

use serde::{Deserialize, Serialize};

use super::preservation::{ByPoint, Preservation, preservations_by_point};
use super::quality::{NEIGHBORS, check_size, factor, labels_told, unit_variance};
use crate::error::{Error, Result};
use crate::linalg::reduce::{self, Share};
use crate::metric::Metric;
use crate::points::Points;
use crate::sample::sample;

/// Points that are looked at, at most.
const POINTS: usize = 2000;
/// Values of the points that are looked at, at most: of wide ones there are fewer.
const VALUES: usize = 800_000;
/// But not fewer than these.
const FEWEST: usize = 200;
/// Neighbourhoods need as many points.
const NEEDED: usize = 3;

/// How good an embedding of points is, measured on a sample of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Whether neighbours stay neighbours, at k = 10; coordinates are scaled to unit variance.
    #[serde(flatten)]
    pub preservation: Preservation,
    /// The share of labels that 10 neighbours tell, if there are labels.
    pub accuracy: Option<f64>,
    /// For each coordinate, the share of its variance that the 1 % of all points hold which are farthest from its mean.
    pub spikes: Vec<f64>,
}

/// What measures of an embedding are means of: a value for each point that was looked at. Those of embeddings of the same
/// points can be compared point by point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// Those of the trustworthiness.
    pub trustworthiness: Vec<f64>,
    /// Those of the continuity.
    pub continuity: Vec<f64>,
    /// The shares of neighbours that are kept.
    pub neighborhoods: Vec<f64>,
    /// 1 where neighbours tell the label, 0 where they do not; empty without labels.
    pub labels: Vec<f64>,
    /// Those of the R2 of each true parameter.
    pub parameters: Vec<Vec<f64>>,
}

/// Measures an embedding of points, a row for each, on a sample of at most 2000 of them; see [`Sample`].
///
/// ```
/// use nrdr::{Points, quality::quality};
///
/// let row = |i: u32| [(0.7 * f64::from(i)).sin(), (1.9 * f64::from(i)).cos()];
/// let points = Points::from_rows((0..400).map(row))?;
/// let found = quality(&points, &points, None, 0)?;
/// assert!(found.preservation.trustworthiness > 0.99 && found.spikes[0] < 0.05);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn quality(
    points: &Points,
    embedding: &Points,
    labels: Option<&[u32]>,
    seed: u64,
) -> Result<Quality> {
    check_size("the embedding", embedding.rows(), points)?;
    let all: Vec<u32> = (0..points.rows() as u32).collect();
    Sample::new(points, &all, seed).quality(embedding, labels)
}

/// Points on which embeddings of them and of others are measured.
///
/// A random choice of 2000; of points of more than 400 columns as many as have 800 000 values together, and at
/// least 200. Both the points that are asked for their neighbours and these neighbours are from the sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    rows: Vec<u32>,
    points: Points,
    metric: Metric,
}

impl Sample {
    /// A choice among those points, by their ascending numbers, that are embedded.
    pub fn new(points: &Points, embedded: &[u32], seed: u64) -> Self {
        let most = sample_size(points.columns());
        let rows = sample(embedded.len(), most, seed);
        let chosen: Vec<u32> = rows.iter().map(|&i| embedded[i]).collect();
        Sample {
            rows: rows.into_iter().map(|i| i as u32).collect(),
            points: points.select(&chosen),
            metric: Metric::Euclidean,
        }
    }

    /// The same, with neighbours among the points by another metric.
    pub fn by(self, metric: Metric) -> Self {
        Sample { metric, ..self }
    }

    /// One that was kept: the rows of the embedding, and their points.
    pub fn from_parts(rows: Vec<u32>, points: Points) -> Result<Self> {
        check_size("the sample", rows.len(), &points)?;
        Ok(Sample { rows, points, metric: Metric::Euclidean })
    }

    /// The rows of the embedding, which has none for points that are not embedded.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Their points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Measures an embedding. It has a row for each embedded point, as the labels have.
    pub fn quality(&self, embedding: &Points, labels: Option<&[u32]>) -> Result<Quality> {
        Ok(self.qualities(&[embedding], labels)?.swap_remove(0))
    }

    /// Measures several embeddings, each with a row for each embedded point: neighbours among the points are looked for
    /// once.
    pub fn qualities(
        &self,
        embeddings: &[&Points],
        labels: Option<&[u32]>,
    ) -> Result<Vec<Quality>> {
        let measured = self.measured(embeddings, labels)?;
        Ok(measured.into_iter().map(|(quality, _)| quality).collect())
    }

    /// The same with what the measures are means of.
    pub(crate) fn measured(
        &self,
        embeddings: &[&Points],
        labels: Option<&[u32]>,
    ) -> Result<Vec<(Quality, Terms)>> {
        self.check_needed()?;
        let shown: Vec<Points> =
            embeddings.iter().map(|embedding| self.shown(embedding)).collect::<Result<_>>()?;
        for embedding in embeddings {
            labels.map_or(Ok(()), |labels| check_size("labels", labels.len(), embedding))?;
        }
        let spikes = |embedding: &&Points| {
            (0..embedding.columns()).map(|c| spike(&embedding.column(c))).collect()
        };
        let labels: Option<Vec<u32>> =
            labels.map(|labels| self.rows.iter().map(|&i| labels[i as usize]).collect());
        self.of_shown(&shown, embeddings.iter().map(spikes).collect(), labels.as_deref())
    }

    fn check_needed(&self) -> Result<()> {
        let points = self.rows.len();
        if points < NEEDED {
            return Err(Error::TooFewPoints { points, needed: NEEDED });
        }
        Ok(())
    }

    /// The same from the sample's coordinates, scaled to unit variance, its labels, and the spikes of all coordinates.
    fn of_shown(
        &self,
        shown: &[Points],
        spikes: Vec<Vec<f64>>,
        labels: Option<&[u32]>,
    ) -> Result<Vec<(Quality, Terms)>> {
        let k = NEIGHBORS.min(self.rows.len() / 2);
        let shown_ones: Vec<&Points> = shown.iter().collect();
        let preserved = preservations_by_point(self.metric, &self.points, &shown_ones, k, 0)?;
        let all = shown.iter().zip(spikes).zip(preserved);
        type One<'p> = ((&'p Points, Vec<f64>), (Preservation, ByPoint));
        let one = |((shown, spikes), (preservation, by_point)): One<'_>| {
            let told = labels.map(|labels| labels_told(shown, labels));
            let told: Option<Vec<f64>> =
                told.transpose()?.map(|told| told.into_iter().map(f64::from).collect());
            let quality = Quality {
                preservation,
                accuracy: told.as_ref().map(|told| told.iter().sum::<f64>() / told.len() as f64),
                spikes,
            };
            let [trustworthiness, continuity, neighborhoods] = by_point;
            let labels = told.unwrap_or_default();
            let parameters = Vec::new();
            Ok((quality, Terms { trustworthiness, continuity, neighborhoods, labels, parameters }))
        };
        all.map(one).collect()
    }

    /// The rows of the sample, coordinates scaled to unit variance.
    fn shown(&self, embedding: &Points) -> Result<Points> {
        if let Some(&got) = self.rows.iter().max().filter(|&&row| row as usize >= embedding.rows())
        {
            let (got, expected) = (embedding.rows(), got as usize + 1);
            return Err(Error::Size { what: "the embedding", got, expected });
        }
        Ok(unit_variance(embedding)?.select(&self.rows))
    }
}

/// Measures an embedding that processes share, each with its own rows, on a sample of all of them: the rows are in the order
/// in which one process would have them, and so is the sample.
pub(crate) fn shared_quality(
    points: Rows<'_>,
    coordinates: &[&[f64]],
    labels: Option<&[u32]>,
    metric: Metric,
    seed: u64,
) -> Result<Quality> {
    let rows = coordinates.first().map_or(0, |first| first.len());
    let sizes = [
        ("the points", points.values.len(), rows * points.columns),
        ("labels", labels.map_or(rows, <[u32]>::len), rows),
    ];
    let wrong = sizes.into_iter().find(|(_, got, expected)| got != expected);
    reduce::agree(
        wrong.map_or(Ok(()), |(what, got, expected)| Err(Error::Size { what, got, expected })),
    )?;
    let (share, dims, columns) = (Share::new(rows), coordinates.len(), points.columns);
    let chosen = sample(share.total(), sample_size(columns), seed);
    let width = columns + dims + 1;
    let there = share.at(chosen.iter().copied(), width, |place, numbers| {
        numbers.extend_from_slice(&points.values[place * columns..][..columns]);
        numbers.extend(coordinates.iter().map(|values| values[place]));
        numbers.push(labels.map_or(0.0, |labels| f64::from(labels[place])));
    });
    let spread: Vec<(f64, f64)> = coordinates.iter().map(|c| spread(c, share.total())).collect();
    let chunks = || there.chunks_exact(width);
    let scaled = |row: &[f64]| {
        let row = row[columns..].iter().zip(&spread);
        row.map(|(value, (_, variance))| value * factor(*variance)).collect::<Vec<f64>>()
    };
    let spikes = coordinates.iter().zip(&spread);
    let spikes = spikes.map(|(values, spread)| shared_spike(values, *spread, &share)).collect();
    let labels: Option<Vec<u32>> =
        labels.map(|_| chunks().map(|row| row[width - 1] as u32).collect());
    reduce::agree(reduce::alone(|| {
        let given = Points::from_rows(chunks().map(|row| &row[..columns]))?;
        let sample = Sample { rows: (0..chosen.len() as u32).collect(), points: given, metric };
        sample.check_needed()?;
        let shown = Points::from_rows(chunks().map(scaled))?;
        Ok(sample.of_shown(&[shown], vec![spikes], labels.as_deref())?.swap_remove(0).0)
    }))
}

/// Points that a process has, row after row.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'r> {
    /// Their values,
    pub values: &'r [f64],
    /// so many of each.
    pub columns: usize,
}

/// Mean and variance of the values of all processes.
fn spread(values: &[f64], count: usize) -> (f64, f64) {
    let mean = reduce::sum(values.iter().sum()) / count as f64;
    let squares = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, reduce::sum(squares) / count as f64)
}

/// [`spike`] of the values of all processes.
fn shared_spike(values: &[f64], (mean, variance): (f64, f64), share: &Share) -> f64 {
    let few = share.total().div_ceil(100);
    let squares: Vec<f64> = values.iter().map(|v| (v - mean).powi(2)).collect();
    let beyond = |bound: u64| squares.iter().filter(move |v| v.to_bits() > bound);
    // Numbers that are not negative compare as their bits do: the least one that no more than `few` are beyond.
    let (mut low, mut high) = (0, f64::INFINITY.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        if reduce::count(beyond(middle).count()) <= few { high = middle } else { low = middle + 1 }
    }
    let top = reduce::sum(beyond(low).sum());
    let equal = few - reduce::count(beyond(low).count());
    let top = top + equal as f64 * f64::from_bits(low);
    let total = variance * share.total() as f64;
    if total > 0.0 { top / total } else { 0.0 }
}

/// How many points of so many columns are looked at, at most.
fn sample_size(columns: usize) -> usize {
    (VALUES / columns).clamp(FEWEST, POINTS)
}

/// The share of the variance held by the 1 % of the points, at least one, that are farthest from the mean; 0 of a constant.
fn spike(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mut squares: Vec<f64> = values.iter().map(|v| (v - mean).powi(2)).collect();
    let total: f64 = squares.iter().sum();
    let few = values.len().div_ceil(100);
    squares.select_nth_unstable_by(few - 1, |a, b| b.total_cmp(a));
    let top: f64 = squares[..few].iter().sum();
    if total > 0.0 { top / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::preservation::preservation;
    use super::super::quality::label_accuracy;
    use super::super::quality::tests::grid;
    use super::*;

    /// Coordinates on other scales are the same coordinates; labels are those of the neighbours.
    #[test]
    fn quality_is_that_of_coordinates_of_unit_variance() {
        let points = grid(&[|x, _| x, |_, y| 1.1 * y]);
        let bent = grid(&[|x, y| (0.4 * x).sin() + 0.01 * y, |x, y| 1e3 * y * (0.3 * x).cos()]);
        let labels: Vec<u32> = (0..400).map(|i| u32::from(i / 20 > 9)).collect();
        let found = quality(&points, &bent, Some(&labels), 0).unwrap();
        let scaled = unit_variance(&bent).unwrap();
        assert_eq!(found.preservation, preservation(&points, &scaled, 10, 0).unwrap());
        assert_ne!(found.preservation, preservation(&points, &bent, 10, 0).unwrap());
        assert_eq!(found.accuracy, Some(label_accuracy(&bent, &labels).unwrap()));
        assert_eq!(quality(&points, &bent, None, 0).unwrap().accuracy, None);
        let short = quality(&points, &bent, Some(&labels[1..]), 0).unwrap_err();
        assert_eq!(short, Error::Size { what: "labels", got: 399, expected: 400 });
        assert!(quality(&points, &scaled.select(&[1, 2]), None, 0).is_err());
    }

    #[test]
    fn many_points_and_wide_ones_are_sampled() {
        let row = |i: usize| [(0.37 * i as f64).sin(), (0.11 * i as f64).cos()];
        let many = Points::from_rows((0..3000).map(row)).unwrap();
        let all: Vec<u32> = (0..3000).collect();
        let some = Sample::new(&many, &all, 1);
        assert_eq!((some.rows().len(), some.points().rows()), (2000, 2000));
        assert_ne!(some, Sample::new(&many, &all, 2));
        let found = quality(&many, &many, None, 1).unwrap();
        // The columns have nearly the same variance.
        assert!(found.preservation.queries == 2000 && found.preservation.neighborhoods > 0.99);
        // Only those that are embedded, which are numbered anew.
        let embedded: Vec<u32> = (1000..3000).collect();
        let part = Sample::new(&many, &embedded, 1);
        assert_eq!((part.rows()[5], part.points().row(5)), (5, many.row(1005)));
        for (columns, rows) in [(2000, 250), (16_000, 200)] {
            let wide = Points::new(vec![1.0; 250 * columns], columns).unwrap();
            assert_eq!(Sample::new(&wide, &all[..250], 0).rows().len(), rows, "{columns}");
        }
        let kept = Sample::from_parts(part.rows().to_vec(), part.points().clone()).unwrap();
        assert_eq!(kept, part);
        assert!(Sample::from_parts(vec![1], many.clone()).is_err());
        assert!(part.quality(&many.select(&[1, 2, 3]), None).is_err());
    }

    /// Of 200 points two are the top 1 %; ones and zeros have their variance in all points.
    #[test]
    fn a_spike_holds_the_variance_of_its_coordinate() {
        let with = |first: f64, second: f64| {
            let rest = (0..198).map(|i| f64::from(i % 2));
            spike(&[first, second].into_iter().chain(rest).collect::<Vec<f64>>())
        };
        assert!((with(0.0, 1.0) - 0.01).abs() < 1e-12);
        assert!(with(100.0, 0.0) > 0.99 && with(10.0, -10.0) > 0.7);
        assert_eq!((spike(&[2.0; 5]), spike(&[0.0, 0.0, 3.0])), (0.0, 2.0 / 3.0));
    }

    #[test]
    fn two_points_have_no_neighbourhoods() {
        let points = Points::new(vec![0.0, 1.0], 1).unwrap();
        let found = quality(&points, &points, None, 0);
        assert_eq!(found, Err(Error::TooFewPoints { points: 2, needed: 3 }));
        let three = Points::new(vec![0.0, 1.0, 3.0], 1).unwrap();
        assert_eq!(quality(&three, &three, None, 0).unwrap().preservation.neighborhoods, 1.0);
    }
}
