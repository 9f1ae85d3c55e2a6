//! Which order points are worked on in: that of a tree, where one pays.

use nrdr::graph::share::MOST_COLUMNS;
use nrdr::team::Team;
use nrdr::{Metric, Search};

use crate::failure::Result;
use crate::neighbors::pays::pays;
use crate::partition::{Partition, as_given, by_tree};
use crate::shared::{Own, Rows};

/// The working order of points, given in shares that follow each other in the order of the input, as the metric sees them. By
/// the way of searching `k` neighbours that one machine would take.
pub fn partition(
    team: &dyn Team,
    own: Own,
    metric: Metric,
    search: Search,
    k: usize,
) -> Result<Partition> {
    let rows = Rows::of_counts(team, own.rows());
    let may_pay = match search {
        Search::KdTree => true,
        Search::Auto | Search::Exact => own.columns <= MOST_COLUMNS,
        Search::Blocked | Search::Approximate => false,
    };
    if may_pay {
        let made = by_tree(team, &own, &rows, metric)?;
        if search == Search::KdTree || pays(team, &made, k) {
            return Ok(made);
        }
    }
    Ok(as_given(team, own, rows))
}
