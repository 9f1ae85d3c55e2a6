//! Vertex separators by a multilevel method: the graph is made coarser and coarser, separated where it is small, and the
//! separator is improved at each level on the way back (Fiduccia-Mattheyses moves, as in METIS).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::graph::{Graph, NONE, Side};

/// Graphs of this size are not made coarser.
const COARSE: usize = 120;
/// Where the first separators start.
const STARTS: usize = 5;
/// Passes over a separator at most.
const PASSES: usize = 8;
/// Moves without a gain before a pass ends.
const HOPELESS: usize = 120;
/// The larger side may have this share of the weight.
const SHARE: f64 = 0.6;

/// The side of each vertex of a connected graph: no edge joins the left with the right.
pub(super) fn separate(graph: &Graph) -> Vec<Side> {
    if graph.size() > COARSE {
        let (coarse, part_of) = graph.coarsen();
        if coarse.size() < graph.size() - graph.size() / 10 {
            let coarse = separate(&coarse);
            let sides = part_of.iter().map(|&at| coarse[at as usize]).collect();
            let mut cut = Cut::new(graph, sides);
            cut.refine();
            return cut.sides;
        }
    }
    let n = graph.size();
    let mut best: Option<Cut<'_>> = None;
    for start in 0..STARTS {
        let mut cut = Cut::new(graph, vec![Side::Right; n]);
        cut.grow((start * (n - 1) / (STARTS - 1).max(1)) as u32);
        cut.refine();
        if best.as_ref().is_none_or(|best| cut.cost() < best.cost()) {
            best = Some(cut);
        }
    }
    best.map_or_else(|| vec![Side::Left; n], |cut| cut.sides)
}

/// The same by a search that starts at one end of the graph: each of its levels separates what is before it from the rest.
/// Cheaper, and as good on a strip, where the levels run across.
pub(super) fn across(graph: &Graph, end: u32) -> Vec<Side> {
    let n = graph.size();
    let mut level = vec![NONE; n];
    let order = graph.search(end, &mut level);
    let mut sizes = vec![0usize; level[order[n - 1] as usize] as usize + 1];
    level.iter().for_each(|&level| sizes[level as usize] += 1);
    let (mut best, mut best_cost, mut before) = (0, f64::INFINITY, 0);
    for (level, &size) in sizes.iter().enumerate() {
        let share = before as f64 / (n - size).max(1) as f64;
        before += size;
        // Few vertices against the product of the halves: a lopsided cut leaves most of the work undone.
        let cost = size as f64 / (share * (1.0 - share)).max(1e-3).powi(3);
        if cost < best_cost {
            (best, best_cost) = (level as u32, cost);
        }
    }
    let side = |level: &u32| match level.cmp(&best) {
        Ordering::Less => Side::Left,
        Ordering::Equal => Side::Separator,
        Ordering::Greater => Side::Right,
    };
    let mut cut = Cut::new(graph, level.iter().map(side).collect());
    cut.refine();
    cut.sides
}

/// A separator that is being improved.
struct Cut<'g> {
    graph: &'g Graph,
    sides: Vec<Side>,
    /// Weights of the left, the right and the separator.
    weights: [u32; 3],
    /// Weights of the neighbours of a vertex of the separator on the left and on the right.
    beside: Vec<[u32; 2]>,
    /// The pass in which a vertex was moved last.
    moved: Vec<u8>,
    /// The sides that vertices had before, in the order of the changes.
    log: Vec<(u32, Side)>,
}

/// Moves to one side by what they take off the separator; those that are out of date are recognised when it is their turn.
type Queue = BinaryHeap<(i64, u32)>;

impl<'g> Cut<'g> {
    fn new(graph: &'g Graph, sides: Vec<Side>) -> Self {
        let mut weights = [0; 3];
        for (&side, weight) in sides.iter().zip(&graph.weights) {
            weights[side as usize] += weight;
        }
        let n = graph.size();
        Cut { graph, sides, weights, beside: vec![[0; 2]; n], moved: vec![0; n], log: Vec::new() }
    }

    /// Weight of the separator, and then the difference of the sides; a side without a vertex is no separation.
    fn cost(&self) -> (bool, u32, u32) {
        let [left, right, separator] = self.weights;
        (left.min(right) == 0, separator, left.abs_diff(right))
    }

    /// The weight by which the separator shrinks when a vertex moves to a side.
    fn gain(&self, i: u32, to: Side) -> i64 {
        let pulled = self.beside[i as usize][1 - to as usize];
        i64::from(self.graph.weights[i as usize]) - i64::from(pulled)
    }

    fn set(&mut self, i: u32, side: Side) {
        let weight = self.graph.weights[i as usize];
        let old = std::mem::replace(&mut self.sides[i as usize], side);
        self.weights[old as usize] -= weight;
        self.weights[side as usize] += weight;
        self.log.push((i, old));
    }

    /// Weighs the neighbours of a vertex that has come into the separator.
    fn weigh(&mut self, i: u32) {
        let mut beside = [0; 2];
        for j in self.graph.neighbors(i) {
            match self.sides[j as usize] {
                Side::Separator => (),
                side => beside[side as usize] += self.graph.weights[j as usize],
            }
        }
        self.beside[i as usize] = beside;
    }

    /// Moves a vertex out of the separator and its neighbours on the other side into it. Calls `better` for the vertices
    /// whose gains grow or are new.
    fn shift(&mut self, i: u32, to: Side, mut better: impl FnMut(&Self, u32)) {
        let from = if to == Side::Left { Side::Right } else { Side::Left };
        let graph = self.graph;
        self.set(i, to);
        for j in graph.neighbors(i) {
            if self.sides[j as usize] == Side::Separator {
                self.beside[j as usize][to as usize] += graph.weights[i as usize];
            } else if self.sides[j as usize] == from {
                for k in graph.neighbors(j) {
                    if self.sides[k as usize] == Side::Separator {
                        self.beside[k as usize][from as usize] -= graph.weights[j as usize];
                        better(self, k);
                    }
                }
                self.set(j, Side::Separator);
                self.weigh(j);
                better(self, j);
            }
        }
    }

    /// From one vertex, lets the left grow to half of the weight.
    fn grow(&mut self, start: u32) {
        self.set(start, Side::Separator);
        self.weigh(start);
        let mut queue = Queue::from([(self.gain(start, Side::Left), start)]);
        while self.weights[0] < self.weights[1] {
            let Some((gain, i)) = queue.pop() else { break };
            if self.sides[i as usize] == Side::Separator && gain == self.gain(i, Side::Left) {
                self.shift(i, Side::Left, |cut, j| queue.push((cut.gain(j, Side::Left), j)));
            }
        }
        self.log.clear();
    }

    /// Improves the separator until passes gain nothing.
    fn refine(&mut self) {
        let members = 0..self.graph.size() as u32;
        let mut members: Vec<u32> =
            members.filter(|&i| self.sides[i as usize] == Side::Separator).collect();
        for pass in 1..=PASSES as u8 {
            let before = self.cost();
            for &i in &members {
                self.weigh(i);
            }
            let changed = self.pass(&members, pass);
            if self.cost() >= before {
                break;
            }
            members.extend(changed);
            members.retain(|&i| self.sides[i as usize] == Side::Separator);
            members.sort_unstable();
            members.dedup();
        }
    }

    /// Moves each vertex once at most, the best first, and takes back what came after the best separator. Returns the
    /// vertices that were touched.
    fn pass(&mut self, members: &[u32], pass: u8) -> Vec<u32> {
        let total: u32 = self.weights.iter().sum();
        let most = (SHARE * f64::from(total)) as u32;
        let queue = |cut: &Self, to| members.iter().map(|&i| (cut.gain(i, to), i)).collect();
        let mut queues: [Queue; 2] = [queue(self, Side::Left), queue(self, Side::Right)];
        let (mut best, mut best_at) = (self.cost(), 0);
        let mut idle = 0;
        while idle < HOPELESS {
            let Some((i, to)) = self.next_move(&mut queues, most, pass) else { break };
            self.moved[i as usize] = pass;
            self.shift(i, to, |cut, j| {
                if cut.moved[j as usize] != pass {
                    queues[0].push((cut.gain(j, Side::Left), j));
                    queues[1].push((cut.gain(j, Side::Right), j));
                }
            });
            idle += 1;
            if self.cost() < best {
                (best, best_at, idle) = (self.cost(), self.log.len(), 0);
            }
        }
        let touched = self.log.iter().map(|&(i, _)| i).collect();
        while self.log.len() > best_at {
            if let Some((i, side)) = self.log.pop() {
                self.set(i, side);
                self.log.pop();
            }
        }
        self.log.clear();
        touched
    }

    /// The move that takes most off the separator and leaves the sides balanced.
    fn next_move(&self, queues: &mut [Queue; 2], most: u32, pass: u8) -> Option<(u32, Side)> {
        let mut candidates = [None; 2];
        for (to, queue) in [Side::Left, Side::Right].into_iter().zip(queues.iter_mut()) {
            while let Some(&(gain, i)) = queue.peek() {
                let fits = self.weights[to as usize] + self.graph.weights[i as usize] <= most;
                let is_open = self.sides[i as usize] == Side::Separator
                    && self.moved[i as usize] != pass
                    && fits;
                if is_open && gain == self.gain(i, to) {
                    candidates[to as usize] = Some((gain, i, to));
                    break;
                }
                queue.pop();
                if is_open && gain > self.gain(i, to) {
                    queue.push((self.gain(i, to), i));
                }
            }
        }
        let [left, right] = candidates;
        let (_, i, to) = match (left, right) {
            (Some(l), Some(r)) if l.0 != r.0 => {
                if l.0 > r.0 {
                    l
                } else {
                    r
                }
            }
            (Some(l), Some(r)) => {
                if self.weights[0] <= self.weights[1] {
                    l
                } else {
                    r
                }
            }
            (l, r) => l.or(r)?,
        };
        Some((i, to))
    }
}
