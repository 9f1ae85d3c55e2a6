//! Which columns of a positive matrix a low-rank factor is made from.

use faer::Mat;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::reduce;

/// A pivot is left for later when those chosen with it explain all but this share of it.
const SHARE: f64 = 0.1;

/// The heaviest point and others, about `block` in all, drawn evenly along the cumulative weight.
pub(crate) fn draw(weights: &[f64], block: usize, random: &mut ChaCha8Rng) -> Vec<u32> {
    let total = reduce::sum(weights.iter().sum());
    let heaviest =
        (0..weights.len()).max_by(|&i, &j| weights[i].total_cmp(&weights[j]).then(j.cmp(&i)));
    let mut drawn: Vec<u32> = heaviest.map(|i| i as u32).into_iter().collect();
    let step = total / (block - 1) as f64;
    let mut next = step * random.random::<f64>();
    let mut sum = 0.0;
    for (i, weight) in weights.iter().enumerate() {
        sum += weight;
        if sum > next {
            drawn.push(i as u32);
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
