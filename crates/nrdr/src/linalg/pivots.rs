//! Which columns of a positive matrix a low-rank factor is made from.

use std::cmp::Ordering;

use faer::Mat;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::reduce::{self, Share};

/// A pivot is left for later when those chosen with it explain all but this share of it.
const SHARE: f64 = 0.1;

/// The heaviest point and others, about `block` in all, drawn evenly along the cumulative weight of all rows, by their
/// numbers among all.
pub(crate) fn draw(
    weights: &[f64],
    share: &Share,
    block: usize,
    random: &mut ChaCha8Rng,
) -> Vec<u32> {
    let heaviest =
        (0..weights.len()).max_by(|&i, &j| weights[i].total_cmp(&weights[j]).then(j.cmp(&i)));
    let most = heaviest.map_or(f64::NEG_INFINITY, |i| weights[i]);
    let known = reduce::each(&[weights.iter().sum(), most]);
    let (member, first) = (share.member(), share.first());
    // Of equals the first.
    let heavier = |best: usize, other: usize| match known[other][1].total_cmp(&known[best][1]) {
        Ordering::Greater => other,
        _ => best,
    };
    let owner = (0..known.len()).reduce(heavier);
    let heaviest = heaviest.filter(|_| owner == Some(member));
    let mut drawn: Vec<u32> = heaviest.map(|i| (first + i) as u32).into_iter().collect();
    let total: f64 = known.iter().map(|known| known[0]).sum();
    let step = total / (block - 1) as f64;
    let mut next = step * random.random::<f64>();
    // What the rows before these weigh.
    let mut sum = known[..member].iter().fold(0.0, |sum, known| sum + known[0]);
    while sum > next {
        next += step;
    }
    for (i, weight) in weights.iter().enumerate() {
        sum += weight;
        if sum > next {
            drawn.push((first + i) as u32);
            while sum > next {
                next += step;
            }
        }
    }
    drawn.sort_unstable();
    drawn.dedup();
    reduce::gather(drawn)
}

/// Of the rows of a positive matrix those that keep a share of their length beside the others.
pub(crate) fn thin_out(mut rest: Mat<f64>) -> Vec<usize> {
    let size = rest.nrows();
    let original: Vec<f64> = (0..size).map(|p| rest[(p, p)].max(f64::MIN_POSITIVE)).collect();
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        let share = |p: usize| rest[(p, p)] / original[p];
        let next = (0..size).filter(|p| !chosen.contains(p));
        let Some(next) = next.max_by(|&p, &q| share(p).total_cmp(&share(q))) else { break };
        if !chosen.is_empty() && share(next) < SHARE {
            break;
        }
        let root = rest[(next, next)].max(f64::MIN_POSITIVE).sqrt();
        let column: Vec<f64> = (0..size).map(|p| rest[(p, next)] / root).collect();
        for q in 0..size {
            for p in 0..size {
                rest[(p, q)] -= column[p] * column[q];
            }
        }
        chosen.push(next);
    }
    chosen
}
