//! What would fit where a run does not: the nearest settings, with their numbers.

use super::Prepared;
use super::foreseen::Foreseen;
use crate::error::Instead;
use crate::input::Input;
use crate::method::{self, Needs};
use crate::strategy::Strategy;

/// The share of the memory that what is proposed may take: estimates are off by up to so much.
const MARGIN: f64 = 0.7;
/// Methods that are tried in place of another.
const METHODS: [&str; 3] = ["lem", "lle", "ltsa"];
/// Neighbours that a graph needs at least to be one.
const FEWEST: usize = 4;

/// What fits, nearest first.
pub(super) fn instead(
    prepared: &Prepared<'_>,
    foreseen: &Foreseen<'_>,
    strategy: &Strategy,
) -> Vec<Instead> {
    let Some(memory) = foreseen.memory() else { return Vec::new() };
    let memory = (MARGIN * memory as f64) as u64;
    let n = prepared.input.size();
    let mut found = Vec::new();
    found.extend(fewer_neighbors(prepared, strategy, memory));
    let original = Strategy::orthogonal();
    let peak = foreseen.peak(&original, n);
    if peak <= memory && !strategy.is_original() {
        found.push(Instead::Strategy { to: original.name(), peak });
    }
    found.extend(other_method(prepared, strategy, memory));
    // As many points as fit.
    let (mut fitting, mut beyond) = (0, n);
    while beyond - fitting > 1 {
        let middle = fitting.midpoint(beyond);
        let fits = foreseen.peak(strategy, middle) <= memory;
        (fitting, beyond) = if fits { (middle, beyond) } else { (fitting, middle) };
    }
    if fitting > prepared.options.neighbors {
        // Few digits: it is an estimate.
        let unit = 10_usize.pow(fitting.ilog10().saturating_sub(1));
        let to = fitting / unit * unit;
        found.push(Instead::Points { to, peak: foreseen.peak(strategy, to) });
    }
    found.push(Instead::Memory { to: (foreseen.peak(strategy, n) as f64 / MARGIN) as u64 });
    found
}

/// The most neighbours that fit.
fn fewer_neighbors(prepared: &Prepared<'_>, strategy: &Strategy, memory: u64) -> Option<Instead> {
    let (mut fitting, mut beyond) = (None, prepared.options.neighbors);
    let mut least = FEWEST;
    if prepared.method().needs() == Needs::Points {
        return None;
    }
    // Looking costs as much as looking at the run itself, so few numbers are tried.
    while beyond > least {
        let middle = least.midpoint(beyond - 1).max(least);
        let is_allowed = prepared.method().check_all(prepared.input.size(), middle).is_ok();
        let foreseen = Foreseen::new(prepared, prepared.method(), middle).ok();
        let foreseen = foreseen.filter(|_| is_allowed);
        let peak = foreseen.map(|foreseen| foreseen.peak(strategy, prepared.input.size()));
        match peak.filter(|peak| *peak <= memory) {
            Some(peak) => {
                fitting = Some(Instead::Neighbors { to: middle, peak });
                least = middle + 1;
            }
            None if is_allowed => beyond = middle,
            None => least = middle + 1,
        }
    }
    fitting
}

/// A method that fits.
fn other_method(prepared: &Prepared<'_>, strategy: &Strategy, memory: u64) -> Option<Instead> {
    let Prepared { input: input @ Input::Points(_), options, .. } = *prepared else { return None };
    METHODS.into_iter().filter(|name| *name != prepared.method().name()).find_map(|name| {
        let method = method::by_name(name).ok()?;
        method.check_all(input.size(), options.neighbors).ok()?;
        let foreseen = Foreseen::new(prepared, method.as_ref(), options.neighbors).ok()?;
        let peak = foreseen.peak(strategy, input.size());
        (peak <= memory).then_some(Instead::Method { to: name, peak })
    })
}
