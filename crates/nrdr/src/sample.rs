//! A random choice among rows.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

/// At most `most` of the numbers below `n`, ascending: all of them, or a random choice.
pub(crate) fn sample(n: usize, most: usize, seed: u64) -> Vec<usize> {
    if n <= most {
        return (0..n).collect();
    }
    let mut chosen = index::sample(&mut ChaCha8Rng::seed_from_u64(seed), n, most).into_vec();
    chosen.sort_unstable();
    chosen
}
