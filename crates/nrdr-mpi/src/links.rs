//! The shortest edges that join the components of a graph, and lists with them: those of one machine.
//!
//! Boruvka's algorithm: every group but the largest takes its shortest link outwards, groups that are now joined become
//! one, and so on until one is left. A link is (what the norm tells, row inside, row outside), and the smallest counts.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use nrdr::Metric;
use nrdr::graph::share::{Subtree, arrange, length, levels, to_box};
use nrdr::team::Team;
use rayon::prelude::*;

use crate::components::{SharedComponents, join, root};
use crate::failure::Result;
use crate::neighbors::SharedLists;
use crate::shared::{Own, Rows};
use crate::wire::{exchange, gather};

/// Components of a member that have a box of their own.
const MOST_BOXES: usize = 16;
/// In place of the number of one of them.
const ALL: u32 = u32::MAX;

/// An edge between groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) measure: f64,
    /// A row of the group, and its component.
    pub(crate) inside: (u64, u32),
    /// A row outside, and its component.
    pub(crate) outside: (u64, u32),
}

impl Link {
    fn compare(&self, other: &Link) -> Ordering {
        let rows = |link: &Link| (link.inside.0, link.outside.0);
        self.measure.total_cmp(&other.measure).then(rows(self).cmp(&rows(other)))
    }

    fn words(self) -> [u64; 5] {
        let (inside, outside) = (self.inside, self.outside);
        [self.measure.to_bits(), inside.0, inside.1.into(), outside.0, outside.1.into()]
    }

    fn of_words(words: [u64; 5]) -> Self {
        let [measure, inside, of_inside, outside, of_outside] = words;
        Link {
            measure: f64::from_bits(measure),
            inside: (inside, of_inside as u32),
            outside: (outside, of_outside as u32),
        }
    }
}

/// The shortest links of groups, by their numbers.
type Shortest = BTreeMap<u32, Link>;

/// Offers a group a link.
fn offer(shortest: &mut Shortest, group: u32, link: Link) {
    let best = shortest.entry(group).or_insert(link);
    if link.compare(best).is_lt() {
        *best = link;
    }
}

/// The shortest edges that join all components: the minimum spanning tree between them, with lengths in place of what
/// the norm tells. Points are as the metric sees them, in the order of the rows.
pub(crate) fn links(
    team: &dyn Team,
    rows: &Rows,
    points: &Own,
    metric: Metric,
    components: &SharedComponents,
    check: &dyn Fn() -> Result<()>,
) -> Result<Vec<Link>> {
    let search = Search::new(team, rows, points, metric, components);
    // The group of each component, and the sizes of the groups.
    let mut groups: Vec<u32> = (0..components.count() as u32).collect();
    let mut sizes = components.sizes.clone();
    let mut links = Vec::new();
    while sizes.len() > 1 {
        check()?;
        let skip = (0..sizes.len()).max_by_key(|&group| sizes[group]).unwrap_or(0) as u32;
        let mut found: Vec<Link> = search.shortest(team, &groups, skip).into_values().collect();
        found.sort_by(Link::compare);
        let mut parent: Vec<u32> = (0..sizes.len() as u32).collect();
        for link in found {
            if join(&mut parent, groups[link.inside.1 as usize], groups[link.outside.1 as usize]) {
                links.push(link);
            }
        }
        let mut numbers = vec![u32::MAX; sizes.len()];
        let mut joined: Vec<usize> = Vec::new();
        for group in 0..sizes.len() {
            let top = root(&mut parent, group as u32) as usize;
            if numbers[top] == u32::MAX {
                numbers[top] = joined.len() as u32;
                joined.push(0);
            }
            numbers[group] = numbers[top];
            joined[numbers[top] as usize] += sizes[group];
        }
        groups.iter_mut().for_each(|group| *group = numbers[*group as usize]);
        sizes = joined;
    }
    let columns = points.columns;
    links.iter_mut().for_each(|link| link.measure = length(metric, link.measure, columns));
    Ok(links)
}

/// Own points in a tree, and where others have theirs.
struct Search<'s> {
    rows: &'s Rows,
    points: &'s Own,
    metric: Metric,
    components: &'s SharedComponents,
    /// The own points by their places, unless there are none.
    tree: Option<Subtree>,
    /// Lower and upper corner of the box of each component of each member.
    boxes: Vec<Vec<(u32, Vec<f64>)>>,
}

impl<'s> Search<'s> {
    fn new(
        team: &dyn Team,
        rows: &'s Rows,
        points: &'s Own,
        metric: Metric,
        components: &'s SharedComponents,
    ) -> Self {
        let columns = points.columns;
        let tree = points.points.as_ref().map(|points| {
            let mut order: Vec<u32> = (0..points.rows() as u32).collect();
            arrange(points, &mut order, levels(points.rows()));
            Subtree::new(metric, points.select(&order), order, levels(points.rows()))
        });
        let mut own: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (i, &label) in components.labels.iter().enumerate() {
            let row = points.row(i);
            let corners = own.entry(label).or_insert_with(|| [row, row].concat());
            let (lower, upper) = corners.split_at_mut(columns);
            lower.iter_mut().zip(row).for_each(|(low, value)| *low = low.min(*value));
            upper.iter_mut().zip(row).for_each(|(high, value)| *high = high.max(*value));
        }
        if own.len() > MOST_BOXES {
            // One box of all: looking at each would take longer than asking.
            let mut all = vec![f64::INFINITY; columns];
            all.resize(2 * columns, f64::NEG_INFINITY);
            for corners in own.values() {
                let (lower, upper) = all.split_at_mut(columns);
                lower.iter_mut().zip(&corners[..columns]).for_each(|(a, b)| *a = a.min(*b));
                upper.iter_mut().zip(&corners[columns..]).for_each(|(a, b)| *a = a.max(*b));
            }
            own = BTreeMap::from([(ALL, all)]);
        }
        let mine: Vec<f64> = own
            .into_iter()
            .flat_map(|(label, corners)| std::iter::once(f64::from(label)).chain(corners))
            .collect();
        let of_member = |words: Vec<f64>| {
            let boxes = words.chunks_exact(2 * columns + 1);
            boxes.map(|words| (words[0] as u32, words[1..].to_vec())).collect()
        };
        let boxes = gather(team, &mine).into_iter().map(of_member).collect();
        Search { rows, points, metric, components, tree, boxes }
    }

    /// The shortest link of each group but one.
    fn shortest(&self, team: &dyn Team, groups: &[u32], skip: u32) -> Shortest {
        let of_row: Vec<u32> =
            self.components.labels.iter().map(|&label| groups[label as usize]).collect();
        let owners = self.tree.as_ref().map(|tree| tree.owners(&of_row)).unwrap_or_default();
        let first = self.rows.of(team.rank()).start;
        // The nearest own point outside of a group.
        let near = |point: &[f64], group: u32, limit: f64| {
            let tree = self.tree.as_ref()?;
            let (measure, at) = tree.nearest_outside(point, group, &of_row, &owners, limit)?;
            Some((measure, (first + u64::from(at), self.components.labels[at as usize])))
        };
        let asking: Vec<usize> = (0..of_row.len()).filter(|&i| of_row[i] != skip).collect();
        let link = |i: usize, (measure, outside): (f64, (u64, u32))| {
            let inside = (first + i as u64, self.components.labels[i]);
            Link { measure, inside, outside }
        };
        let own: Vec<Option<Link>> = asking
            .par_iter()
            .map(|&i| {
                near(self.points.row(i), of_row[i], f64::INFINITY).map(|found| link(i, found))
            })
            .collect();
        let mut shortest = Shortest::new();
        for link in own.into_iter().flatten() {
            offer(&mut shortest, groups[link.inside.1 as usize], link);
        }
        let mut shortest = share(team, groups, &shortest);
        // One point of each group asks first, the nearest to others' boxes: most of the others are then too far.
        let mut nearest: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
        for &i in &asking {
            let far = self.distances(team, i, &of_row, groups).map(|(_, far)| far);
            let far = far.fold(f64::INFINITY, f64::min);
            let best = nearest.entry(of_row[i]).or_insert((far, i));
            if far < best.0 {
                *best = (far, i);
            }
        }
        let one: Vec<usize> = nearest.into_values().map(|(_, i)| i).collect();
        for asking in [one, asking] {
            let mut to: Vec<Vec<f64>> = vec![Vec::new(); team.size()];
            let mut asked: Vec<Vec<usize>> = vec![Vec::new(); team.size()];
            for &i in &asking {
                let limit = shortest.get(&of_row[i]).map_or(f64::INFINITY, |link| link.measure);
                for (member, far) in self.distances(team, i, &of_row, groups) {
                    if far <= limit && asked[member].last() != Some(&i) {
                        asked[member].push(i);
                        to[member].extend([limit, f64::from(of_row[i])]);
                        to[member].extend(self.points.row(i));
                    }
                }
            }
            let answer = |words: Vec<f64>| {
                let questions = words.par_chunks_exact(self.points.columns + 2);
                let answer = |words: &[f64]| match near(&words[2..], words[1] as u32, words[0]) {
                    Some((measure, (row, label))) => [measure.to_bits(), row, label.into()],
                    None => [f64::NAN.to_bits(), 0, 0],
                };
                questions.map(answer).collect::<Vec<[u64; 3]>>()
            };
            let answers = exchange(team, exchange(team, to).into_iter().map(answer).collect());
            for (asked, answers) in asked.iter().zip(answers) {
                for (&i, [measure, row, label]) in asked.iter().zip(answers) {
                    let measure = f64::from_bits(measure);
                    if !measure.is_nan() {
                        let link = link(i, (measure, (row, label as u32)));
                        offer(&mut shortest, of_row[i], link);
                    }
                }
            }
            shortest = share(team, groups, &shortest);
        }
        shortest
    }

    /// What the norm tells at least of an own point and those of other groups at each other member.
    fn distances(
        &self,
        team: &dyn Team,
        i: usize,
        of_row: &[u32],
        groups: &[u32],
    ) -> impl Iterator<Item = (usize, f64)> {
        let (point, own, columns) = (self.points.row(i), of_row[i], self.points.columns);
        let others = self.boxes.iter().enumerate().filter(move |(r, _)| *r != team.rank());
        others.flat_map(move |(member, boxes)| {
            let outside = boxes
                .iter()
                .filter(move |(label, _)| *label == ALL || groups[*label as usize] != own);
            outside.map(move |(_, corners)| {
                let (lower, upper) = corners.split_at(columns);
                (member, to_box(self.metric, point, lower, upper))
            })
        })
    }
}

/// The shortest links of all members.
fn share(team: &dyn Team, groups: &[u32], own: &Shortest) -> Shortest {
    let words: Vec<[u64; 5]> = own.values().map(|link| link.words()).collect();
    let mut shortest = Shortest::new();
    for words in gather(team, &words).into_iter().flatten() {
        let link = Link::of_words(words);
        offer(&mut shortest, groups[link.inside.1 as usize], link);
    }
    shortest
}

/// Puts both ends of each link into each other's list, in the order of their distance.
pub(crate) fn add_links(first: u64, lists: &SharedLists, links: &[Link]) -> SharedLists {
    let mut extra: BTreeMap<u64, Vec<(f64, u64)>> = BTreeMap::new();
    for link in links {
        let (a, b) = (link.inside.0, link.outside.0);
        extra.entry(a).or_default().push((link.measure, b));
        extra.entry(b).or_default().push((link.measure, a));
    }
    let mut offsets = vec![0];
    let (mut indices, mut distances) = (Vec::new(), Vec::new());
    for i in 0..lists.len() {
        let own = lists.distances(i).iter().zip(lists.of(i));
        let mut list: Vec<(f64, u64)> = own.map(|(&d, &j)| (d, j)).collect();
        for &(d, j) in extra.get(&(first + i as u64)).into_iter().flatten() {
            if !list.iter().any(|&(_, other)| other == j) {
                list.push((d, j));
            }
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        indices.extend(list.iter().map(|entry| entry.1));
        distances.extend(list.iter().map(|entry| entry.0));
        offsets.push(indices.len());
    }
    SharedLists { offsets, indices, distances }
}
