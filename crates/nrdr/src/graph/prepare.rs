//! From points to a neighbour graph in one piece.

use std::borrow::Cow;

use rayon::prelude::*;

use super::kept::KeptSearch;
use super::{Components, EdgeKind, Graph, Neighborhoods, Policy, Symmetry};
use crate::checkpoint::Kept;
use crate::error::{Error, Result};
use crate::graph::components::{Link, add_links, bridged, links_between_points};
use crate::graph::neighbors::{How, searched};
use crate::graph::symmetric::symmetric;
use crate::linalg::{SparseMatrix, largest_entry};
use crate::points::Points;
use crate::progress::Watch;
use crate::stage::Stage;
use crate::warning::Warning;

/// How a graph is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphOptions {
    pub(crate) neighbors: usize,
    pub(crate) how: How,
    pub(crate) symmetry: Symmetry,
    pub(crate) components: Policy,
}

/// Which rows of the input are embedded, and what became of the components of its graph.
pub(crate) struct EmbeddedRows {
    /// Number of rows of the input.
    pub(crate) input: usize,
    /// The rows that are embedded, in the order in which they are worked on; `None` means all, as
    /// they come.
    pub(crate) embedded: Option<Vec<u32>>,
    /// Sizes of the components, if there is a graph.
    pub(crate) components: Vec<usize>,
    pub(crate) warning: Option<Warning>,
    /// The share of neighbours that are true, if they are approximate.
    pub(crate) recall: Option<f64>,
}

impl EmbeddedRows {
    pub(crate) fn all(input: usize) -> Self {
        EmbeddedRows { input, embedded: None, components: Vec::new(), warning: None, recall: None }
    }

    /// Number of rows that are embedded.
    pub(crate) fn len(&self) -> usize {
        self.embedded.as_ref().map_or(self.input, Vec::len)
    }

    /// Renames the rows to what they were before they were put in order.
    fn before(mut self, order: &[u32]) -> Self {
        self.embedded = Some(match self.embedded {
            Some(rows) => rows.iter().map(|&i| order[i as usize]).collect(),
            None => order.to_vec(),
        });
        self
    }
}

/// Neighbour lists and graph of the points that are embedded.
pub(crate) struct NeighborGraph {
    pub(crate) lists: Neighborhoods,
    pub(crate) graph: SparseMatrix,
    pub(crate) rows: EmbeddedRows,
}

/// Neighbours of points, symmetric and connected, with the points that are left in their order, as the metric sees them.
pub(crate) fn prepare_points<'p>(
    points: &'p Points,
    options: &GraphOptions,
    kept: Kept<'_>,
    watch: &Watch<'_>,
) -> Result<(Cow<'p, Points>, NeighborGraph)> {
    let metric = options.how.metric;
    let seen = metric.seen(points)?;
    let searched = watch.stage(Stage::Neighbors, |progress| {
        let GraphOptions { neighbors, how, .. } = *options;
        let fits = |searched: &KeptSearch| searched.fits(points.rows());
        kept.or_made("neighbours", fits, || {
            searched(&seen, neighbors, how, progress).map(KeptSearch::new)
        })
    })?;
    let recall = searched.recall;
    let (lists, mut points, order) = match seen {
        Cow::Borrowed(points) => searched.arranged(points),
        Cow::Owned(seen) => {
            let (lists, points, order) = searched.arranged(&seen);
            (lists, Cow::Owned(points.into_owned()), order)
        }
    };
    watch.stage(Stage::Graph, |progress| {
        let join =
            |components: &Components| links_between_points(&points, metric, components, progress);
        let mut prepared = connect(lists, join, options)?;
        prepared.rows.recall = recall;
        if let Some(kept) = &prepared.rows.embedded {
            points = Cow::Owned(points.select(kept));
        }
        if let Some(order) = &order {
            prepared.rows = prepared.rows.before(order);
        }
        Ok((points, prepared))
    })
}

/// Makes the neighbour lists a graph in one piece; `join` finds edges between components.
pub(crate) fn connect(
    lists: Neighborhoods,
    join: impl Fn(&Components) -> Result<Vec<Link>>,
    options: &GraphOptions,
) -> Result<NeighborGraph> {
    let graph = symmetric(&lists, options.symmetry);
    let components = Components::of(&graph);
    let mut rows = EmbeddedRows::all(graph.size());
    rows.components = components.sizes.clone();
    if components.count() == 1 {
        return Ok(NeighborGraph { lists, graph, rows });
    }
    let sizes = components.sizes.clone();
    match options.components {
        Policy::Error => Err(Error::Unconnected { sizes }),
        Policy::Largest => {
            let kept = components.largest();
            let (lists, graph) = (lists.select(&kept), graph.select(&kept));
            rows.embedded = Some(kept);
            rows.warning = Some(Warning::LeftOut { sizes });
            Ok(NeighborGraph { lists, graph, rows })
        }
        Policy::Connect => {
            let links = join(&components)?;
            let lists = add_links(&lists, &links);
            let graph = symmetric(&lists, options.symmetry);
            let longest = links.iter().map(|link| link.0).fold(0.0, f64::max);
            rows.warning = Some(Warning::Connected { sizes, longest });
            Ok(NeighborGraph { lists, graph, rows })
        }
    }
}

/// Largest weights that are taken as they are.
const ORDINARY: std::ops::Range<f64> = 1e-50..1e50;

/// The part of a given graph that is embedded. A length of a point from itself says nothing, and an
/// affinity of zero joins nothing: they are left out.
pub(crate) fn select_component<'g>(
    graph: &'g Graph,
    options: &GraphOptions,
) -> Result<(Cow<'g, Graph>, EmbeddedRows)> {
    let (edges, kind) = (&graph.edges, graph.kind);
    let unit = match kind {
        EdgeKind::Length => 1.0,
        // Only ratios matter, and squares of extreme weights would be no numbers.
        EdgeKind::Affinity => Some(largest_entry(&edges.values))
            .filter(|&largest| largest > 0.0 && !ORDINARY.contains(&largest))
            .unwrap_or(1.0),
    };
    let counts = |i: usize, j: usize, value: f64| match kind {
        EdgeKind::Length => i != j,
        EdgeKind::Affinity => value / unit != 0.0,
    };
    let all = |i: usize| edges.row(i).all(|(j, value)| counts(i, j, value));
    let graph = if unit == 1.0 && (0..edges.size()).into_par_iter().all(all) {
        Cow::Borrowed(graph)
    } else {
        let edges = edges.filter(counts).map(|_, _, value| value / unit);
        Cow::Owned(Graph { edges, kind })
    };
    let components = Components::of(&graph.edges);
    let mut rows = EmbeddedRows::all(graph.edges.size());
    rows.components = components.sizes.clone();
    if components.count() == 1 {
        return Ok((graph, rows));
    }
    let sizes = components.sizes.clone();
    match options.components {
        Policy::Error => Err(Error::Unconnected { sizes }),
        Policy::Connect => {
            let (edges, value) = bridged(&graph.edges, kind, &components)
                .ok_or_else(|| Error::CannotConnect { sizes: sizes.clone() })?;
            let added = match kind {
                EdgeKind::Length => "the longest length",
                EdgeKind::Affinity => "the weakest affinity",
            };
            rows.warning = Some(Warning::Bridged { sizes, edges: added, value: value * unit });
            Ok((Cow::Owned(Graph { edges, kind }), rows))
        }
        Policy::Largest => {
            let kept = components.largest();
            let selected = Graph { edges: graph.edges.select(&kept), kind };
            rows.embedded = Some(kept);
            rows.warning = Some(Warning::LeftOut { sizes });
            Ok((Cow::Owned(selected), rows))
        }
    }
}
