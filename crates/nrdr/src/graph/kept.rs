//! Neighbours in a checkpoint.

use std::borrow::Cow;

use super::Neighborhoods;
use super::neighbors::Searched;
use crate::checkpoint::{Keep, Record};
use crate::points::Points;

/// What a search found.
pub(super) struct KeptSearch {
    pub(super) lists: Neighborhoods,
    /// The original index of each point, where the search has put them into another order,
    pub(super) order: Option<Vec<u32>>,
    /// and the points in that order, unless the search was not here.
    points: Option<Points>,
    /// The share of true neighbours, if they are approximate.
    pub(super) recall: Option<f64>,
}

impl KeptSearch {
    pub(super) fn new(searched: Searched) -> Self {
        let Searched { lists, reordered, recall } = searched;
        let (points, order) = reordered.unzip();
        KeptSearch { lists, order, points, recall }
    }

    /// Whether these can be the neighbours of so many points.
    pub(super) fn fits(&self, points: usize) -> bool {
        let Neighborhoods { offsets, indices, distances } = &self.lists;
        let inside = |list: &[u32]| list.iter().all(|&i| (i as usize) < points);
        let is_order = |order: &Vec<u32>| order.len() == points && inside(order);
        let whole = offsets.last() == Some(&indices.len()) && distances.len() == indices.len();
        offsets.len() == points + 1
            && whole
            && inside(indices)
            && self.order.as_ref().is_none_or(is_order)
    }

    /// The lists, the points in the order in which they are worked on, and that order, if it is not that of the input.
    pub(super) fn arranged(
        self,
        points: &Points,
    ) -> (Neighborhoods, Cow<'_, Points>, Option<Vec<u32>>) {
        let KeptSearch { lists, order, points: reordered, .. } = self;
        let arranged = match &order {
            Some(order) => Cow::Owned(reordered.unwrap_or_else(|| points.select(order))),
            None => Cow::Borrowed(points),
        };
        (lists, arranged, order)
    }
}

impl Keep for KeptSearch {
    fn record(&self) -> Record<'_> {
        let Neighborhoods { offsets, indices, distances } = &self.lists;
        let lengths: Vec<u32> = offsets.windows(2).map(|w| (w[1] - w[0]) as u32).collect();
        let order = self.order.as_deref().map(Cow::from);
        let lists = [lengths.into(), Cow::from(indices)];
        Record {
            numbers: vec![distances.into(), self.recall.into_iter().collect()],
            indices: lists.into_iter().chain(order).collect(),
            ..Default::default()
        }
    }

    fn of_record(record: Record<'static>) -> Option<Self> {
        let [distances, recall] = <[_; 2]>::try_from(record.numbers).ok()?;
        let mut lists = record.indices.into_iter().map(Cow::into_owned);
        let (lengths, indices, order) = (lists.next()?, lists.next()?, lists.next());
        let mut offsets = vec![0];
        let mut end = 0;
        offsets.extend(lengths.iter().map(|&length| {
            end += length as usize;
            end
        }));
        let lists = Neighborhoods { offsets, indices, distances: distances.into_owned() };
        Some(KeptSearch { lists, order, points: None, recall: recall.first().copied() })
    }
}
