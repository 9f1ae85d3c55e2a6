//! Original eigenpairs and coordinates in a checkpoint.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::originals::Found;
use super::unpredictable::Next;
use super::{Forbidden, Smoothing};
use crate::checkpoint::{Keep, Record};
use crate::eigen::Pair;
use crate::eigen::kept::NUMBERS;
use crate::points::Points;
use crate::smoother::Predictor;

impl Keep for Found {
    fn record(&self) -> Record<'_> {
        let mut head = vec![self.time.as_secs_f64()];
        head.extend(self.pairs.iter().flat_map(Pair::numbers));
        let vectors = self.pairs.iter().map(|pair| Cow::from(&pair.vector));
        let numbers = std::iter::once(head.into()).chain(vectors).collect();
        Record { numbers, ..Default::default() }
    }

    fn by_row(&self) -> Vec<usize> {
        (1..=self.pairs.len()).collect()
    }

    fn of_record(record: Record<'static>) -> Option<Self> {
        let mut lists = record.numbers.into_iter().map(Cow::into_owned);
        let head = lists.next()?;
        let (time, numbers) = head.split_first()?;
        let (numbers, rest) = numbers.as_chunks::<NUMBERS>();
        let vectors: Vec<Vec<f64>> = lists.collect();
        if !rest.is_empty() || numbers.len() != vectors.len() {
            return None;
        }
        let pairs = numbers.iter().zip(vectors);
        let pairs = pairs.map(|(numbers, vector)| Pair::of_numbers(*numbers, vector)).collect();
        Some(Found { pairs: Arc::new(pairs), time: duration(*time)? })
    }
}

/// Numbers of a coordinate beside those of its pair.
const BESIDE: usize = 5;
/// Numbers of what it must not be, for the extension to new points.
const FORBIDDEN: usize = 4;

impl Keep for Next {
    fn record(&self) -> Record<'_> {
        let Next { pair, smoothing, forbidden, time } = self;
        let Smoothing { alpha, tried, rank, size, singular_values, predictable, paid: _ } =
            smoothing;
        let beside: [f64; BESIDE] =
            [time.as_secs_f64(), *alpha, *rank as f64, *size as f64, *predictable];
        let tried: Vec<f64> = tried.iter().flat_map(|(alpha, error)| [*alpha, *error]).collect();
        let mut numbers: Vec<Cow<'_, [f64]>> = vec![
            pair.numbers().to_vec().into(),
            Cow::from(&pair.vector),
            beside.to_vec().into(),
            tried.into(),
            singular_values.into(),
        ];
        if let Some(Forbidden { constant, predictor }) = forbidden {
            let (bandwidth, columns, terms) = predictor.as_ref().map_or((0.0, 0, 0), |predictor| {
                let Predictor { centres, coefficients, bandwidth } = predictor;
                (*bandwidth, centres.columns(), coefficients.len())
            });
            let head: [f64; FORBIDDEN] = [*constant, bandwidth, columns as f64, terms as f64];
            numbers.push(head.to_vec().into());
            if let Some(predictor) = predictor {
                numbers.push(predictor.centres.values().into());
                numbers.extend(predictor.coefficients.iter().map(Cow::from));
            }
        }
        Record { numbers, ..Default::default() }
    }

    fn by_row(&self) -> Vec<usize> {
        vec![1]
    }

    fn of_record(record: Record<'static>) -> Option<Self> {
        let mut lists = record.numbers.into_iter().map(Cow::into_owned);
        let numbers = <[f64; NUMBERS]>::try_from(lists.next()?).ok()?;
        let pair = Pair::of_numbers(numbers, lists.next()?);
        let [time, alpha, rank, size, predictable] =
            <[f64; BESIDE]>::try_from(lists.next()?).ok()?;
        let tried = lists.next()?;
        let (tried, rest) = tried.as_chunks::<2>();
        let smoothing = Smoothing {
            alpha,
            tried: tried.iter().map(|[alpha, error]| (*alpha, *error)).collect(),
            rank: rank as usize,
            size: size as usize,
            singular_values: lists.next()?,
            predictable,
            paid: None,
        };
        let forbidden = match lists.next() {
            None => None,
            Some(head) => Some(forbidden(head, lists)?),
        };
        rest.is_empty().then_some(Next { pair, smoothing, forbidden, time: duration(time)? })
    }
}

fn forbidden(head: Vec<f64>, mut lists: impl Iterator<Item = Vec<f64>>) -> Option<Forbidden> {
    let [constant, bandwidth, columns, terms] = <[f64; FORBIDDEN]>::try_from(head).ok()?;
    if terms == 0.0 {
        return Some(Forbidden { constant, predictor: None });
    }
    let centres = Points::new(lists.next()?, columns as usize).ok()?;
    let coefficients: Vec<Vec<f64>> = lists.collect();
    let lengths = coefficients.iter().all(|list| list.len() == centres.rows());
    let whole = lengths && coefficients.len() == terms as usize;
    let predictor = whole.then_some(Predictor { centres, coefficients, bandwidth })?;
    Some(Forbidden { constant, predictor: Some(predictor) })
}

fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}
