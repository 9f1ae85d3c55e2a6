//! Lists of coordinates with a share of each.

/// Of more coordinates than this only the numbers are listed, not their shares.
const MOST_SHARES: usize = 6;

/// A coordinate, counted from 1, and a share of its variance in percent.
pub(crate) type Share = (usize, f64);

/// "coordinates 3 (71 %) and 5 (60 %)"; of many, "coordinates 3 to 9 and 12".
pub(crate) fn list(mut shares: Vec<Share>) -> String {
    shares.sort_by_key(|share| share.0);
    let plural = if shares.len() > 1 { "s" } else { "" };
    let items: Vec<String> = if shares.len() <= MOST_SHARES {
        shares.iter().map(|(i, share)| format!("{i} ({share:.0} %)")).collect()
    } else {
        let runs = shares.chunk_by(|a, b| a.0 + 1 == b.0);
        runs.map(|run| match run {
            [only] => only.0.to_string(),
            _ => format!("{} to {}", run[0].0, run[run.len() - 1].0),
        })
        .collect()
    };
    let text = match items.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => items.concat(),
    };
    format!("coordinate{plural} {text}")
}
