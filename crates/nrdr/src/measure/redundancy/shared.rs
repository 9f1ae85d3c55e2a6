//! The distinct rows of all processes in their order, each process with a range of them.

use super::{compare, distinct_rows};
use crate::linalg::reduce;
use crate::points::Points;

/// How many rows each process proposes as borders between the ranges.
const PROPOSED: usize = 64;

/// The rows that come to this process: those of all processes, sorted, without copies, are cut into as many ranges.
pub(super) fn distinct_share(own: &Points) -> Points {
    let dims = own.columns();
    let order = distinct_rows(own);
    let row = |at: usize| own.row(order[at] as usize);
    let step = order.len().div_ceil(PROPOSED).max(1);
    let proposed: Vec<f64> = (0..order.len()).step_by(step).flat_map(row).copied().collect();
    let proposed = reduce::each(&proposed);
    let members = proposed.len();
    let mut proposed: Vec<&[f64]> = proposed.iter().flat_map(|all| all.chunks_exact(dims)).collect();
    proposed.sort_unstable_by(|a, b| compare(a, b));
    let border = |member: usize| proposed.get(member * proposed.len() / members).copied();
    let borders: Vec<&[f64]> = (1..members).filter_map(border).collect();
    let mut to = vec![Vec::new(); members];
    for at in 0..order.len() {
        // Equal rows come to the same process.
        let member = borders.partition_point(|border| compare(border, row(at)).is_le());
        to[member].extend_from_slice(row(at));
    }
    let come = Points::share(reduce::exchange(to).concat(), dims);
    come.select(&distinct_rows(&come))
}
