//! What pictures look like along each coordinate: some of them in its order, and the means of its ends.

use nrdr::Points;
use serde_json::{Value, json};

use super::PageError;
use super::atlas::{Shades, sheet};
use super::source::{Images, Shown};

/// Pictures along a coordinate.
const ALONG: usize = 11;
/// Coordinates of an embedding that have a strip, and pixels of all pictures, at most.
const COORDINATES: usize = 12;
const PIXELS: usize = 4_000_000;
/// The share of the points whose mean stands for an end, and how many these are at least and at most.
const END: f64 = 0.05;
const FEWEST: usize = 5;
const MOST: usize = 500;

/// One sheet for all embeddings. For each of them and each coordinate: the rows of its pictures, the low end first, and the number
/// of its first picture on the sheet, which is the mean of the low end; the mean of the high end stands last.
pub(super) fn of(
    points: &Points,
    shown: &[Shown<'_>],
    rows: &[u32],
    shape: Images,
    row_of: &dyn Fn(u32) -> u32,
) -> Result<Value, PageError> {
    let strips: Vec<Vec<Strip>> = shown
        .iter()
        .map(|one| {
            one.coordinates.iter().take(COORDINATES).map(|values| Strip::of(values)).collect()
        })
        .collect();
    let pictures: Vec<&Vec<u32>> =
        strips.iter().flatten().flat_map(|strip| &strip.pictures).collect();
    let side = shape.width.min(32) * shape.height.min(32);
    if pictures.is_empty() || pictures.len() * side > PIXELS {
        return Ok(Value::Null);
    }
    let mean = |at: usize| {
        let members = pictures[at];
        let mut sum = vec![0.0; points.columns()];
        for &row in members {
            sum.iter_mut().zip(points.row(row as usize)).for_each(|(sum, value)| *sum += value);
        }
        sum.iter_mut().for_each(|sum| *sum /= members.len() as f64);
        sum
    };
    let Some(sheet) = sheet(shape, Shades::of(points, rows), pictures.len(), &mean)? else {
        return Ok(Value::Null);
    };
    let mut first = 0;
    let mut told = |strip: &Strip| {
        let rows: Vec<u32> = strip.along().into_iter().map(row_of).collect();
        let told = json!({"first": first, "rows": rows, "end": strip.end()});
        first += strip.pictures.len();
        told
    };
    let coordinates: Vec<Vec<Value>> =
        strips.iter().map(|strips| strips.iter().map(&mut told).collect()).collect();
    Ok(json!({"sheet": sheet.data, "coordinates": coordinates}))
}

/// The pictures of a coordinate, each the mean of these rows.
struct Strip {
    pictures: Vec<Vec<u32>>,
}

impl Strip {
    fn of(values: &[f64]) -> Self {
        let mut order: Vec<u32> =
            (0..values.len() as u32).filter(|&i| !values[i as usize].is_nan()).collect();
        order.sort_by(|&i, &j| values[i as usize].total_cmp(&values[j as usize]).then(i.cmp(&j)));
        if order.is_empty() {
            return Strip { pictures: Vec::new() };
        }
        let wanted = (END * order.len() as f64).round() as usize;
        let end = wanted.clamp(FEWEST, MOST).min(order.len());
        let along = ALONG.min(order.len());
        let last = order.len() - 1;
        let single = |k: usize| vec![order[k * last / (along - 1).max(1)]];
        let low = std::iter::once(order[..end].to_vec());
        let high = std::iter::once(order[order.len() - end..].to_vec());
        Strip { pictures: low.chain((0..along).map(single)).chain(high).collect() }
    }

    /// The rows that are shown as they are.
    fn along(&self) -> Vec<u32> {
        let inner = self.pictures.len().saturating_sub(1).max(1);
        self.pictures.iter().take(inner).skip(1).map(|rows| rows[0]).collect()
    }

    /// How many points an end is the mean of.
    fn end(&self) -> usize {
        self.pictures.first().map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_go_from_the_low_end_to_the_high_one() {
        let values: Vec<f64> = (0..101).map(|i| f64::from(100 - i)).chain([f64::NAN]).collect();
        let strip = Strip::of(&values);
        assert_eq!((strip.pictures.len(), strip.end()), (13, 5));
        assert_eq!(strip.along(), [100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0]);
        assert_eq!(strip.pictures[0], [100, 99, 98, 97, 96]);
        assert_eq!(strip.pictures[12], [4, 3, 2, 1, 0]);
        let short = Strip::of(&[2.0, 1.0]);
        assert_eq!((short.along(), short.end()), (vec![1, 0], 2));
        assert_eq!(Strip::of(&[1.0]).along(), [0]);
        assert_eq!(Strip::of(&[]).along(), [] as [u32; 0]);
    }
}
