//! Which run something is of: all that the result depends on, item by item, so that it can be told what differs. The
//! number of processes, threads and memory are not among it.

use nrdr::parameter::Named;
use nrdr::{Difference, Dims, Error, Method, Options};
use nrdr_cli::shared::{Failure, Typed};
use serde_json::Value;

use crate::parts::Parts;

/// Names with their values.
pub type Items = Vec<(String, String)>;

/// What is known of a run before its rows are read.
pub fn of_options(
    parts: &Parts,
    method: &dyn Method,
    options: &Options,
    standardized: bool,
) -> Result<Items, Failure> {
    let Options { dims, neighbors, metric, search, recall, symmetry, components, .. } = options;
    let Options { strategy, solver, seed, .. } = options;
    let mut items = Items::new();
    let mut add = |name: &str, value: String| items.push((name.to_string(), value));
    add("the version of nrdr", env!("CARGO_PKG_VERSION").to_string());
    let (rows, columns) = (parts.rows(), parts.names.join(","));
    add("the input", format!("{rows} rows in {} part(s)", parts.list.len()));
    add("the parts", parts.list.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(","));
    add("the columns", columns);
    add("standardize", if standardized { "yes" } else { "no" }.to_string());
    add("method", method.name().to_string());
    add_all(&method.named()?, &mut add);
    add("neighbors", neighbors.to_string());
    add("metric", metric.to_string());
    add("search", format!("{search:?}").to_lowercase());
    add("recall", recall.to_string());
    add("symmetry", format!("{symmetry:?}").to_lowercase());
    add("components", format!("{components:?}").to_lowercase());
    add("strategy", strategy.name().to_string());
    add_all(&strategy.named()?, &mut add);
    match dims {
        Dims::Exactly(dims) => add("dims", dims.to_string()),
        Dims::Auto { most } => add("dims", format!("auto up to {most}")),
    }
    add("seed", seed.to_string());
    add("solver", format!("{:?}", solver.kind).to_lowercase());
    add("tolerance", solver.tolerance.to_string());
    Ok(items)
}

fn add_all(named: &Named, add: &mut impl FnMut(&str, String)) {
    for (name, value) in &named.parameters {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        add(name, text);
    }
}

/// What rows that were read tell: the sum of all members' hashes.
pub fn of_rows(all: &[[u64; 2]]) -> (String, String) {
    let sum = |at: usize| all.iter().fold(0u64, |sum, one| sum.wrapping_add(one[at]));
    ("the sum of the rows".to_string(), format!("{:016x}{:016x}", sum(0), sum(1)))
}

/// What differs among the items that both have.
pub fn differences(kept: &Items, now: &Items) -> Vec<Difference> {
    let differs = |(name, now): &(String, String)| {
        let (_, kept) = kept.iter().find(|(other, kept)| other == name && kept != now)?;
        Some(Difference { name: name.clone(), kept: kept.clone(), now: now.clone() })
    };
    now.iter().filter_map(differs).collect()
}

/// What two runs differ in, in words: what is kept, and what is now.
pub fn told(differences: &[Difference]) -> (String, String) {
    use nrdr::Vocabulary;
    let join = |value: fn(&Difference) -> &String| {
        let one = |difference: &Difference| {
            format!("{} {}", Typed.named(&difference.name), value(difference))
        };
        differences.iter().map(one).collect::<Vec<String>>().join(", ")
    };
    (join(|difference| &difference.kept), join(|difference| &difference.now))
}

/// Refuses what another run has kept.
pub fn check_same_checkpoint(kept: &Items, now: &Items) -> Result<(), nrdr::Error> {
    match differences(kept, now) {
        same if same.is_empty() => Ok(()),
        differences => Err(Error::OtherRun { differences }),
    }
}
