//! What `nrdr embed` prints of coordinates and of their quality.

use std::io::Write;

use nrdr::Quality;
use nrdr::number::rounded;

use crate::failure::Failure;
use crate::found::{Found, predictable, title};

/// A line for each coordinate.
pub fn tell_coordinates(
    ours: &Found,
    original: Option<&Found>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(
        out,
        "coordinate    eigenvalue  residual  alpha  rank  predictable from the earlier ones, % of its variance"
    )?;
    let share = |found: &Found, i: usize| match (i, found.errors().get(i)) {
        (0, _) | (_, None) => "-".to_string(),
        (_, Some(error)) => format!("{:.0} %", predictable(*error)),
    };
    for (i, c) in ours.embedding.coordinates.iter().enumerate() {
        let smoothing = c.smoothing.as_ref();
        let alpha = smoothing.map_or("-".to_string(), |s| rounded(s.alpha, 3));
        let rank = smoothing.map_or("-".to_string(), |s| s.rank.to_string());
        let theirs = original.filter(|_| i > 0).map(|original| share(original, i));
        let theirs = theirs.map(|share| format!(" (original: {share})")).unwrap_or_default();
        writeln!(
            out,
            "{:>10} {:>13.6e} {:>9.0e} {alpha:>6} {rank:>5}  {}{theirs}",
            i + 1,
            c.eigenvalue,
            c.residual,
            share(ours, i),
        )?;
    }
    Ok(())
}

/// A text with each of its sentences in a line.
pub fn in_lines(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(". ") {
        let (sentence, after) = rest.split_at(at + 1);
        lines.push_str(sentence);
        // A sentence begins with a capital letter, or with a number.
        let begins = |c: char| c.is_uppercase() || c.is_ascii_digit();
        lines.push(if after[1..].starts_with(begins) { '\n' } else { ' ' });
        rest = &after[1..];
    }
    lines + rest
}

/// A line for each embedding that was measured.
pub fn tell_quality<'f>(
    found: impl Iterator<Item = &'f Found> + Clone,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let titles = found.clone().map(|found| title(found.embedding.strategy).chars().count());
    let width = titles.fold(14, usize::max);
    let mut has_head = false;
    for Found { embedding, quality, .. } in found {
        let Some(Quality { preservation, accuracy, .. }) = quality else { continue };
        if !has_head {
            let labels = if accuracy.is_some() { "  labels" } else { "" };
            writeln!(out, "\n{:<width$} trustworthy  continuous  kept{labels}", "neighbours")?;
            has_head = true;
        }
        let labels = accuracy.map(|share| format!(" {share:>7.3}")).unwrap_or_default();
        writeln!(
            out,
            "{:<width$} {:>11.3} {:>11.3} {:>5.2}{labels}",
            title(embedding.strategy),
            preservation.trustworthiness,
            preservation.continuity,
            preservation.neighborhoods,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sentence_has_a_line_and_numbers_stay_whole() {
        let text = "It is 0.5 (n.d. is none). 10 of them are 1. The end. of e.g. this.";
        let lines = "It is 0.5 (n.d. is none).\n10 of them are 1.\nThe end. of e.g. this.";
        assert_eq!(in_lines(text), lines);
        assert_eq!(in_lines("One."), "One.");
        assert_eq!(in_lines("Ends so. "), "Ends so. ");
    }
}
