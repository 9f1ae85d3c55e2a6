//! Which strategies `nrdr compare` finds best, and what in.

use std::io::Write;

use nrdr::{Best, Compared, Measure, Strategy};
use serde::Serialize;

use crate::failure::Failure;
use nrdr_write::printable;

/// The best strategy by a measure, and those that are as good within the sampling error.
#[derive(Serialize)]
pub(crate) struct BestBy {
    measure: String,
    strategy: &'static str,
    ties: Vec<&'static str>,
}

/// Which strategies are best, and what in; `parameters` are the names of the true ones.
pub(crate) fn bests(
    strategies: &[Strategy],
    results: &[nrdr::Result<Compared>],
    parameters: &[String],
) -> Vec<BestBy> {
    let there = strategies.iter().zip(results);
    let there =
        there.filter_map(|(strategy, result)| Some((strategy.name(), result.as_ref().ok()?)));
    let (names, compared): (Vec<&'static str>, Vec<&Compared>) = there.unzip();
    let of = |Best { measure, best, ties }: Best| BestBy {
        measure: match measure {
            Measure::Predictability => "predictability".to_string(),
            Measure::Trustworthiness => "trustworthiness".to_string(),
            Measure::Continuity => "continuity".to_string(),
            Measure::Neighborhoods => "neighborhoods".to_string(),
            Measure::Labels => "labels".to_string(),
            Measure::Parameter(which) => {
                format!("R2({})", parameters.get(which).map_or("", String::as_str))
            }
            other => format!("{other:?}").to_lowercase(),
        },
        strategy: names[best],
        ties: ties.into_iter().map(|tie| names[tie]).collect(),
    };
    // One alone is no comparison.
    if compared.len() < 2 {
        Vec::new()
    } else {
        nrdr::best(&compared).into_iter().map(of).collect()
    }
}

/// A line for each measure; `count` strategies were measured.
pub(crate) fn tell_bests(
    bests: &[BestBy],
    count: usize,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if bests.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = bests.iter().map(|best| printable(&best.measure)).collect();
    let width = names.iter().map(|name| name.chars().count()).fold(14, usize::max);
    writeln!(out, "{:<width$}  best", "by")?;
    for (BestBy { strategy, ties, .. }, name) in bests.iter().zip(&names) {
        let tied = match ties.as_slice() {
            [] => String::new(),
            all if all.len() + 1 == count => " (a tie of all)".to_string(),
            [most @ .., last] if !most.is_empty() => {
                format!(" (a tie with {} and {last})", most.join(", "))
            }
            [one, ..] => format!(" (a tie with {one})"),
        };
        writeln!(out, "{name:<width$}  {strategy}{tied}")?;
    }
    writeln!(out, "\na tie: not told apart by twice the standard error of the difference\n")?;
    Ok(())
}
