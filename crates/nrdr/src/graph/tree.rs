//! Random projection trees: points cut in halves by random planes, again and again, so that near ones stay together.
//!
//! S. Dasgupta, Y. Freund, "Random projection trees and low dimensional manifolds", STOC 2008.

use faer::Mat;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::linalg::vector::{single_dot, vectorized};

/// The leaves of a tree over the columns, none of more than `size` points.
pub(super) fn leaves(columns: &Mat<f32>, size: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> = (0..columns.ncols() as u32).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    cut(columns, &mut order, size, random.random())
}

fn cut(columns: &Mat<f32>, order: &mut [u32], size: usize, seed: u64) -> Vec<Vec<u32>> {
    let n = order.len();
    if n <= size {
        return vec![order.to_vec()];
    }
    // Across the line between two of the points.
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut point = || columns.col_as_slice(order[random.random_range(0..n)] as usize);
    let direction: Vec<f32> = point().iter().zip(point()).map(|(a, b)| a - b).collect();
    let mut keys: Vec<(f32, u32)> = vectorized(|| {
        let key = |&i: &u32| (single_dot(&direction, columns.col_as_slice(i as usize)), i);
        order.iter().map(key).collect()
    });
    keys.select_nth_unstable_by(n / 2, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.iter_mut().zip(&keys).for_each(|(place, key)| *place = key.1);
    let (seeds, (left, right)) = ([random.random(), random.random()], order.split_at_mut(n / 2));
    let (mut left, right) =
        rayon::join(|| cut(columns, left, size, seeds[0]), || cut(columns, right, size, seeds[1]));
    left.extend(right);
    left
}
