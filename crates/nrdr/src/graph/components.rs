//! Connected components of a graph, and what to do when there are several.

use super::EdgeKind;
use super::kd_tree::KdTree;
use super::neighbors::Neighborhoods;
use crate::error::Result;
use crate::linalg::{SparseMatrix, SymmetricMatrix};
use crate::metric::Metric;
use crate::metric::norm::by_norm;
use crate::parameter::{Word, Words};
use crate::points::Points;
use crate::progress::Progress;

/// What to do with a graph that falls apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Join the components by the shortest edges between them and say so in a warning.
    #[default]
    Connect,
    /// Embed the largest component; the rows of the other points are NaN.
    Largest,
    /// Refuse.
    Error,
}

impl Words for Policy {
    const WORDS: &'static [Word] = &[
        Word::new("connect", "Join the components by their shortest edges"),
        Word::new("largest", "Embed the largest component; other rows stay empty"),
        Word::new("error", "Stop with an error"),
    ];
    const VALUES: &'static [Self] = &[Policy::Connect, Policy::Largest, Policy::Error];
}

/// Which component each point belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Components {
    /// Component of each point; components are numbered by size, the largest is 0.
    pub labels: Vec<u32>,
    /// Number of points of each component.
    pub sizes: Vec<usize>,
}

impl Components {
    /// The components of an undirected graph.
    pub(crate) fn of(graph: &SparseMatrix) -> Self {
        const NONE: u32 = u32::MAX;
        let n = graph.size();
        let mut labels = vec![NONE; n];
        let mut sizes = Vec::new();
        let mut stack = Vec::new();
        for start in 0..n {
            if labels[start] != NONE {
                continue;
            }
            let label = sizes.len() as u32;
            labels[start] = label;
            stack.push(start);
            let mut size = 0;
            while let Some(i) = stack.pop() {
                size += 1;
                for &j in graph.columns(i) {
                    if labels[j as usize] == NONE {
                        labels[j as usize] = label;
                        stack.push(j as usize);
                    }
                }
            }
            sizes.push(size);
        }
        Components { labels, sizes }.largest_first()
    }

    /// Renumbers by size; equal sizes keep the order of their first points.
    fn largest_first(mut self) -> Self {
        let mut order: Vec<usize> = (0..self.sizes.len()).collect();
        order.sort_by_key(|&c| std::cmp::Reverse(self.sizes[c]));
        let mut rank = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old] = new as u32;
        }
        self.labels.iter_mut().for_each(|c| *c = rank[*c as usize]);
        self.sizes = order.iter().map(|&c| self.sizes[c]).collect();
        self
    }

    /// How many components there are.
    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The points of the largest component, ascending.
    pub(crate) fn largest(&self) -> Vec<u32> {
        let labels = self.labels.iter().zip(0..);
        labels.filter(|&(&c, _)| c == 0).map(|(_, i)| i).collect()
    }
}

/// An edge (distance, point, point).
pub(crate) type Link = (f64, u32, u32);

/// The shortest edges that join all components: the minimum spanning tree between them. Points are as the metric sees them.
pub(crate) fn links_between_points(
    points: &Points,
    metric: Metric,
    components: &Components,
    progress: &Progress<'_>,
) -> Result<Vec<Link>> {
    let mut links = by_norm!(metric, norm => {
        let tree = KdTree::by(norm, points);
        spanning_links(components, |labels, groups, skip| {
            tree.shortest_links(labels, groups, skip, progress)
        })
    })?;
    links.iter_mut().for_each(|link| link.0 = metric.length(link.0, points.columns()));
    Ok(links)
}

/// The same when all distances are given.
pub(crate) fn links_between_rows(
    distances: &SymmetricMatrix,
    components: &Components,
    progress: &Progress<'_>,
) -> Result<Vec<Link>> {
    spanning_links(components, |labels, groups, skip| {
        let mut best = vec![(f64::INFINITY, u32::MAX, u32::MAX); groups];
        for (i, &group) in labels.iter().enumerate() {
            if group as usize == skip {
                continue;
            }
            progress.check()?;
            for (j, (&other, &d)) in labels.iter().zip(distances.row(i)).enumerate() {
                let link = (d, i as u32, j as u32);
                if other != group && link < best[group as usize] {
                    best[group as usize] = link;
                }
            }
        }
        best.remove(skip);
        Ok(best)
    })
}

/// A given graph in one piece, where nothing tells how far its components are from each other: the point of each that has
/// most edges (of affinities the largest sum) is joined to that of the largest component, by an edge no stronger than any
/// there is, which is returned, too. None if there are no edges.
pub(crate) fn bridged(
    edges: &SparseMatrix,
    kind: EdgeKind,
    components: &Components,
) -> Option<(SparseMatrix, f64)> {
    let values = edges.values.iter().copied();
    let value = match kind {
        EdgeKind::Length => values.reduce(f64::max),
        EdgeKind::Affinity => values.filter(|&value| value > 0.0).reduce(f64::min),
    }?;
    let mut best = vec![(f64::NEG_INFINITY, 0); components.count()];
    for (i, &label) in components.labels.iter().enumerate() {
        let strength = |(_, value): (usize, f64)| match kind {
            EdgeKind::Length => 1.0,
            EdgeKind::Affinity => value,
        };
        let strength: f64 = edges.row(i).map(strength).sum();
        if strength > best[label as usize].0 {
            best[label as usize] = (strength, i);
        }
    }
    let hub = best[0].1;
    let row = |i: usize| edges.row(i).map(move |(j, value)| (i, j, value));
    let mut entries: Vec<(usize, usize, f64)> = (0..edges.size()).flat_map(row).collect();
    entries.extend(best[1..].iter().flat_map(|&(_, i)| [(hub, i, value), (i, hub, value)]));
    SparseMatrix::new(edges.size(), &entries).ok().map(|joined| (joined, value))
}

/// Boruvka's algorithm: every group but the largest takes its shortest link outwards, groups that
/// are now joined become one, and so on until one is left.
fn spanning_links(
    components: &Components,
    shortest: impl Fn(&[u32], usize, usize) -> Result<Vec<Link>>,
) -> Result<Vec<Link>> {
    let mut labels = components.labels.clone();
    let mut sizes = components.sizes.clone();
    let mut links = Vec::new();
    while sizes.len() > 1 {
        let groups = sizes.len();
        let skip = (0..groups).max_by_key(|&g| sizes[g]).unwrap_or(0);
        let mut found = shortest(&labels, groups, skip)?;
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut parent: Vec<u32> = (0..groups as u32).collect();
        for link in found {
            let a = root(&mut parent, labels[link.1 as usize]);
            let b = root(&mut parent, labels[link.2 as usize]);
            if a != b {
                parent[a.max(b) as usize] = a.min(b);
                links.push(link);
            }
        }
        let mut new_label = vec![u32::MAX; groups];
        let mut new_sizes = Vec::new();
        for group in 0..groups {
            let top = root(&mut parent, group as u32) as usize;
            if new_label[top] == u32::MAX {
                new_label[top] = new_sizes.len() as u32;
                new_sizes.push(0);
            }
            new_label[group] = new_label[top];
            new_sizes[new_label[top] as usize] += sizes[group];
        }
        labels.iter_mut().for_each(|c| *c = new_label[*c as usize]);
        sizes = new_sizes;
    }
    Ok(links)
}

/// The representative of a group, with the path to it shortened.
fn root(parent: &mut [u32], mut group: u32) -> u32 {
    while parent[group as usize] != group {
        let above = parent[parent[group as usize] as usize];
        parent[group as usize] = above;
        group = above;
    }
    group
}

/// Puts both ends of each link into each other's list, in the order of their distance.
pub(crate) fn add_links(lists: &Neighborhoods, links: &[Link]) -> Neighborhoods {
    let mut extra: Vec<Link> = links.iter().flat_map(|&(d, i, j)| [(d, i, j), (d, j, i)]).collect();
    extra.sort_by_key(|link| link.1);
    let mut extra = extra.into_iter().peekable();
    let mut offsets = vec![0];
    let (mut indices, mut distances) = (Vec::new(), Vec::new());
    for i in 0..lists.len() {
        let own = lists.distances(i).iter().zip(lists.of(i));
        let mut list: Vec<(f64, u32)> = own.map(|(&d, &j)| (d, j)).collect();
        while let Some((d, _, j)) = extra.next_if(|link| link.1 as usize == i) {
            if !list.iter().any(|&(_, other)| other == j) {
                list.push((d, j));
            }
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (d, j) in list {
            indices.push(j);
            distances.push(d);
        }
        offsets.push(indices.len());
    }
    Neighborhoods { offsets, indices, distances }
}
