//! Who works on which points.
//!
//! Members read the points in the order of the input. Where neighbours are searched in a kd-tree, the working order is that
//! of one machine: of the tree over all points. Its first levels are made by all members together, down to several pieces
//! a member; a member then has some pieces that follow each other, and orders the points of each by itself. As the order is
//! the same for any number of members, so is all that depends on it. Where no tree pays, the order is that of the input, as it
//! is on one machine.

use nrdr::graph::share::{Subtree, arrange, levels};
use nrdr::team::Team;
use nrdr::{Metric, Points};

use crate::by_itself::alone;
use crate::failure::{Result, agree};
use crate::pieces::Pieces;
use crate::select::{Key, ordered, select};
use crate::shared::{Own, Rows};
use crate::wire::{exchange, reduce};

/// Pieces of each member, at least, where there are enough points.
const PIECES: usize = 8;

/// Own points in the working order.
pub struct Partition {
    /// Who has which rows of the working order.
    pub rows: Rows,
    /// The row of the input that each own row is.
    pub inputs: Vec<u64>,
    /// The points, as the metric sees them.
    pub points: Own,
    /// The pieces, where the order is that of a tree.
    pub pieces: Option<Pieces>,
}

/// The order of the input.
pub(crate) fn as_given(team: &dyn Team, own: Own, rows: Rows) -> Partition {
    let inputs = rows.of(team.rank()).collect();
    Partition { rows, inputs, points: own, pieces: None }
}

/// The order of the tree.
pub(crate) fn by_tree(
    team: &dyn Team,
    own: &Own,
    rows: &Rows,
    metric: Metric,
) -> Result<Partition> {
    let (size, total) = (team.size(), rows.total());
    let depth = levels(total as usize);
    let enough = if size > 1 { (PIECES * size).next_power_of_two().trailing_zeros() } else { 0 };
    let level = depth.min(enough);
    let first = rows.of(team.rank()).start;
    let top = Top::new(team, own, first, total, level);
    let pieces = 1 << level;
    let of_member: Vec<usize> = (0..=size).map(|r| (r * pieces).div_ceil(size)).collect();
    let come = top.send(team, own, first, &of_member);
    let Top { starts, boxes, .. } = top;
    let (mut trees, mut inputs, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mine = of_member[team.rank()]..of_member[team.rank() + 1];
    let mut done = Ok(());
    for piece in mine {
        let (numbers, of_piece) = come.of(piece);
        let ordered = alone(|| in_order(of_piece, own.columns, &numbers, depth - level));
        match ordered {
            Ok((points, of_points)) => {
                values.extend_from_slice(points.values());
                let numbers = of_points.iter().map(|&input| told(input)).collect();
                trees.push(Subtree::new(metric, points, numbers, depth - level));
                inputs.extend(of_points);
            }
            Err(error) => done = Err(error.into()),
        }
    }
    agree(team, done)?;
    let points = agree(team, Own::new(values, own.columns).map_err(Into::into))?;
    let first_piece = of_member[team.rank()];
    let smallest = smallest(team, level, first_piece, &trees, &inputs, &starts);
    let rows = Rows { starts: of_member.iter().map(|&piece| starts[piece]).collect() };
    let (columns, member) = (own.columns, team.rank());
    let pieces =
        Pieces { metric, level, starts, of_member, boxes, smallest, member, trees, columns };
    Ok(Partition { rows, inputs, points, pieces: Some(pieces) })
}

/// The number of an input row in the own trees: its order is what counts, which beyond four billion rows it loses where
/// only costs are estimated.
fn told(input: u64) -> u32 {
    input.min(u64::from(u32::MAX - 1)) as u32
}

/// The points of a piece, in the order of their input rows, put into that of a tree; with their input rows.
fn in_order(
    values: Vec<f64>,
    columns: usize,
    inputs: &[u64],
    levels: u32,
) -> nrdr::Result<(Points, Vec<u64>)> {
    let points = Points::new(values, columns)?;
    let mut order: Vec<u32> = (0..inputs.len() as u32).collect();
    arrange(&points, &mut order, levels);
    let inputs = order.iter().map(|&i| inputs[i as usize]).collect();
    Ok((points.select(&order), inputs))
}

/// The smallest input row below each node down to the pieces.
fn smallest(
    team: &dyn Team,
    level: u32,
    first_piece: usize,
    trees: &[Subtree],
    inputs: &[u64],
    starts: &[u64],
) -> Vec<u64> {
    let pieces = 1usize << level;
    let mut smallest = vec![u64::MAX; 2 * pieces - 1];
    let first = starts[first_piece];
    for at in first_piece..first_piece + trees.len() {
        let of = (starts[at] - first) as usize..(starts[at + 1] - first) as usize;
        let least = inputs[of].iter().copied().min();
        smallest[pieces - 1 + at] = least.unwrap_or(u64::MAX);
    }
    reduce(team, &mut smallest[pieces - 1..], u64::min);
    for node in (0..pieces - 1).rev() {
        smallest[node] = smallest[2 * node + 1].min(smallest[2 * node + 2]);
    }
    smallest
}

/// Points that have come to their owner: piece, input row and values of each, as words.
struct Come {
    words: Vec<u64>,
    width: usize,
    /// By piece and input row.
    order: Vec<usize>,
}

impl Come {
    fn new(words: Vec<u64>, columns: usize) -> Self {
        let width = columns + 2;
        let mut order: Vec<usize> = (0..words.len() / width).collect();
        order.sort_unstable_by_key(|&i| (words[i * width], words[i * width + 1]));
        Come { words, width, order }
    }

    /// The input rows and the values of the points of a piece.
    fn of(&self, piece: usize) -> (Vec<u64>, Vec<f64>) {
        let words = |i: usize| &self.words[i * self.width..][..self.width];
        let from = self.order.partition_point(|&i| words(i)[0] < piece as u64);
        let to = self.order.partition_point(|&i| words(i)[0] <= piece as u64);
        let of = &self.order[from..to];
        let values = of.iter().flat_map(|&i| &words(i)[2..]).map(|&bits| f64::from_bits(bits));
        (of.iter().map(|&i| words(i)[1]).collect(), values.collect())
    }
}

/// The levels of the tree that all members make together.
struct Top {
    /// Own points, those of a piece together.
    order: Vec<u32>,
    /// Where those of each piece begin, with one more entry.
    ends: Vec<usize>,
    /// Where each piece begins in the working order, with one more entry.
    starts: Vec<u64>,
    boxes: Vec<f64>,
}

impl Top {
    fn new(team: &dyn Team, own: &Own, first: u64, total: u64, level: u32) -> Self {
        let mut order: Vec<u32> = (0..own.rows() as u32).collect();
        let mut ends = vec![0, own.rows()];
        let mut starts = vec![0, total];
        let mut boxes = Vec::new();
        for at in 0..=level {
            let corners = boxes_of(team, own, &order, &ends);
            if at < level {
                let axes: Vec<usize> = corners.chunks_exact(2 * own.columns).map(widest).collect();
                (ends, starts) = cut(team, own, first, &mut order, (&ends, &starts), &axes);
            }
            boxes.extend(corners);
        }
        Top { order, ends, starts, boxes }
    }

    /// Sends each point to who has its piece: those that have come here.
    fn send(&self, team: &dyn Team, own: &Own, first: u64, of_member: &[usize]) -> Come {
        let mut to: Vec<Vec<u64>> = Vec::with_capacity(team.size());
        for member in 0..team.size() {
            let mut words = Vec::new();
            for piece in of_member[member]..of_member[member + 1] {
                for &i in &self.order[self.ends[piece]..self.ends[piece + 1]] {
                    words.extend([piece as u64, first + u64::from(i)]);
                    words.extend(own.row(i as usize).iter().map(|v| v.to_bits()));
                }
            }
            to.push(words);
        }
        Come::new(exchange(team, to).concat(), own.columns)
    }
}

/// The boxes of nodes that have these own points.
fn boxes_of(team: &dyn Team, own: &Own, order: &[u32], ends: &[usize]) -> Vec<f64> {
    let columns = own.columns;
    let nodes = ends.len() - 1;
    // Of upper corners the negative is kept, so that all are least numbers.
    let mut corners = vec![f64::INFINITY; nodes * 2 * columns];
    for (node, corners) in corners.chunks_exact_mut(2 * columns).enumerate() {
        let (lower, upper) = corners.split_at_mut(columns);
        for &i in &order[ends[node]..ends[node + 1]] {
            for ((low, high), &value) in lower.iter_mut().zip(&mut *upper).zip(own.row(i as usize))
            {
                *low = low.min(value);
                *high = high.min(-value);
            }
        }
    }
    reduce(team, &mut corners, f64::min);
    for corners in corners.chunks_exact_mut(2 * columns) {
        corners[columns..].iter_mut().for_each(|high| *high = -*high);
    }
    corners
}

/// The widest side of a box, of equal ones the last.
fn widest(corners: &[f64]) -> usize {
    let columns = corners.len() / 2;
    let width = |axis: usize| corners[columns + axis] - corners[axis];
    (0..columns).max_by(|&a, &b| width(a).total_cmp(&width(b))).unwrap_or(0)
}

/// Cuts every node at the middle of its points along an axis: where the own points of the next level end, and where it begins
/// among all.
fn cut(
    team: &dyn Team,
    own: &Own,
    first: u64,
    order: &mut [u32],
    (ends, starts): (&[usize], &[u64]),
    axes: &[usize],
) -> (Vec<usize>, Vec<u64>) {
    let mut keys: Vec<Vec<Key>> = Vec::with_capacity(axes.len());
    for (node, &axis) in axes.iter().enumerate() {
        let key = |i: u32| [ordered(own.row(i as usize)[axis]), first + u64::from(i)];
        let of_node = &mut order[ends[node]..ends[node + 1]];
        of_node.sort_unstable_by_key(|&i| key(i));
        keys.push(of_node.iter().map(|&i| key(i)).collect());
    }
    let halves: Vec<u64> = starts.windows(2).map(|w| (w[1] - w[0]) / 2).collect();
    let lists: Vec<&[Key]> = keys.iter().map(Vec::as_slice).collect();
    let middles = select(team, &lists, &halves);
    let (mut next_ends, mut next_starts) = (vec![0], vec![0]);
    for (node, (keys, middle)) in keys.iter().zip(&middles).enumerate() {
        let left = keys.partition_point(|key| key < middle);
        next_ends.extend([ends[node] + left, ends[node + 1]]);
        next_starts.extend([starts[node] + halves[node], starts[node + 1]]);
    }
    (next_ends, next_starts)
}
