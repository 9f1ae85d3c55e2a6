//! Points that are easy and points that are not, and shares of them.
#![allow(dead_code, unreachable_pub)]

use nrdr::Points;
use nrdr::datasets::SwissRoll;
use nrdr::team::Team;
use nrdr_mpi::shared::Own;

/// Numbers of members that are tried.
pub const SIZES: [usize; 5] = [1, 2, 3, 4, 7];

/// Numbers between 0 and 1 that look random.
pub fn uniform(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Points evenly in a cube.
pub fn cube(n: usize, columns: usize, seed: u64) -> Points {
    let mut random = uniform(seed);
    Points::new((0..n * columns).map(|_| random()).collect(), columns).unwrap()
}

pub fn roll(n: usize) -> Points {
    SwissRoll { n, height: 10.0, ..Default::default() }.generate(3).unwrap().points
}

/// All points of a lattice, many of which have equal distances, in an order that is not that of the lattice.
pub fn lattice(side: usize, columns: usize) -> Points {
    let n = side.pow(columns as u32);
    let row = |i: usize| {
        let at = i * 7919 % n;
        (0..columns).map(move |c| (at / side.pow(c as u32) % side) as f64)
    };
    Points::new((0..n).flat_map(row).collect(), columns).unwrap()
}

/// Clusters of unequal sizes that no edges of few neighbours join.
pub fn clusters(n: usize, count: usize) -> Points {
    let mut random = uniform(5);
    let row = |i: usize| {
        let cluster = (i * i + i / 3) % (count * count) / count;
        let turn = cluster as f64 * 2.1;
        [
            random() + 9.0 * turn.cos() * cluster as f64,
            random() + 9.0 * turn.sin(),
            random() * 0.1 + cluster as f64,
        ]
    };
    Points::from_rows((0..n).map(row)).unwrap()
}

/// Points of which many are copies of others.
pub fn copies(n: usize, columns: usize) -> Points {
    let distinct = cube(n / 3, columns, 11);
    let row =
        |i: usize| distinct.row(if i.is_multiple_of(2) { i % (n / 3) } else { i % 5 }).to_vec();
    Points::from_rows((0..n).map(row)).unwrap()
}

/// Where the share of a member begins: shares are uneven, and some are empty.
pub fn start(n: usize, size: usize, member: usize) -> usize {
    match member {
        0 => 0,
        member if member == size => n,
        // The second of many has nothing.
        1 if size > 3 => n / size,
        2 if size > 3 => n / size,
        member => (n * member / size + member * 3).min(n),
    }
}

/// The share of a member.
pub fn share(points: &Points, team: &dyn Team) -> Own {
    let (n, size, columns) = (points.rows(), team.size(), points.columns());
    let (from, to) = (start(n, size, team.rank()), start(n, size, team.rank() + 1));
    Own::new(points.values()[from * columns..to * columns].to_vec(), columns).unwrap()
}
