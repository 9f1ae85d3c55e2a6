//! The three questions of whoever opens a page: is it less redundant, are neighbourhoods kept, what do I see.

use serde::Serialize;

use crate::facts::Facts;
use crate::found::{ALIKE, MUCH, SOME, predictable, title};
use crate::kept::SAME;
use crate::meaning::in_words;
use crate::shares::{Share, list};

/// A question, its answer in a word or two, and what that rests on. Figures are percent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: &'static str,
    /// The answer.
    pub answer: String,
    /// In a sentence.
    pub text: String,
    /// Figures of the embeddings, to be drawn as bars.
    pub bars: Vec<Bars>,
    /// Lines that say more.
    pub lines: Vec<String>,
}

/// A figure of each embedding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bars {
    /// What it is.
    pub name: String,
    /// Of each embedding that has it: its number, from 0, its title and the figure in percent.
    pub values: Vec<(usize, String, f64)>,
}

/// Neighbourhoods of this trustworthiness are kept, and mostly kept.
const KEPT: f64 = 0.9;
const MOSTLY_KEPT: f64 = 0.8;

/// The answers of one of several embeddings, `ours`, beside the others, of which the first is the original.
pub fn answers(shown: &[&Facts], ours: usize) -> Vec<Answer> {
    match shown.get(ours) {
        None => Vec::new(),
        Some(facts) => {
            vec![redundancy(shown, facts), neighborhoods(shown, facts), seen(facts)]
        }
    }
}

/// What stands above the page: what was found in one short sentence.
pub fn headline(shown: &[&Facts], ours: usize) -> String {
    let Some(ours) = shown.get(ours) else { return String::new() };
    let dims = dims_of(ours);
    let Some(share) = mean_share(ours) else {
        return match dims {
            1 => "One coordinate, with nothing to repeat.".to_string(),
            _ => format!("{dims} coordinates, too few points to measure redundancy."),
        };
    };
    let original = if shown.len() > 1 { mean_share(shown[0]) } else { None };
    let beside =
        original.map(|before| format!(", in the original {before:.0} %")).unwrap_or_default();
    let which = match dims {
        2 => "Coordinate 2 is".to_string(),
        3 => "Coordinates 2 and 3 are".to_string(),
        _ => format!("Coordinates 2 to {dims} are"),
    };
    let mean = if dims == 2 { "" } else { " on average" };
    let shares = shares(ours).into_iter().enumerate().map(|(i, share)| (i + 2, share));
    let (predicted, new): (Vec<Share>, Vec<Share>) = shares.partition(|(_, share)| *share > MUCH);
    if new.is_empty() {
        return format!("{which} mostly predictable: {share:.0} %{mean}{beside}.");
    }
    if predicted.is_empty() {
        let how = if share > SOME { "partly new" } else { "new" };
        return format!("{which} {how}: {share:.0} % predictable{mean}{beside}.");
    }
    let are = |some: &[Share]| if some.len() > 1 { "are" } else { "is" };
    let (are_new, are_not) = (are(&new), are(&predicted));
    let beside = original.map(|before| format!("; in the original {before:.0} % on average"));
    format!(
        "{} {are_new} new, {} {are_not} predictable{}.",
        capitalized(&list(new)),
        list(predicted),
        beside.unwrap_or_default(),
    )
}

fn dims_of(facts: &Facts) -> usize {
    facts.dims.max(facts.redundancy.as_ref().map_or(1, |found| found.errors.len()))
}

/// What the earlier ones predict of each coordinate after the first, in percent of its variance.
fn shares(facts: &Facts) -> Vec<f64> {
    let errors = facts.redundancy.iter().flat_map(|found| found.errors.iter().skip(1));
    errors.map(|error| predictable(*error)).collect()
}

/// The mean of these, if there are some.
fn mean_share(facts: &Facts) -> Option<f64> {
    let shares = shares(facts);
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

fn name_of(facts: &Facts) -> String {
    title(if facts.strategy.is_empty() { "embedding" } else { &facts.strategy }).to_string()
}

/// A figure of each embedding that has it.
fn bars(name: &str, shown: &[&Facts], of: impl Fn(&Facts) -> Option<f64>) -> Bars {
    let one = |(at, facts): (usize, &&Facts)| of(facts).map(|value| (at, name_of(facts), value));
    Bars { name: name.to_string(), values: shown.iter().enumerate().filter_map(one).collect() }
}

/// The first of several with the largest figure, if it is larger than that of the first one by a margin.
fn leader(bars: &Bars, margin: f64) -> Option<&str> {
    let first = bars.values.first()?;
    let best = bars.values.iter().rev().max_by(|a, b| a.2.total_cmp(&b.2))?;
    (best.2 - first.2 >= margin).then_some(best.1.as_str())
}

/// Coordinates that have bars of their own.
const COORDINATES: usize = 5;

fn redundancy(shown: &[&Facts], ours: &Facts) -> Answer {
    let all = shares(ours);
    let question =
        if shown.len() > 1 { "Is it less redundant?" } else { "Do coordinates repeat each other?" };
    let figures = if shown.len() > 2 {
        vec![bars("predictable, mean of the later coordinates", shown, mean_share)]
    } else {
        let of = |i: usize| {
            let name = format!("coordinate {} predictable", i + 2);
            bars(&name, shown, |facts| shares(facts).get(i).copied())
        };
        (0..all.len().min(COORDINATES)).map(of).collect()
    };
    let say = |answer: &str, text: String| Answer {
        question,
        answer: answer.to_string(),
        text,
        bars: figures.clone(),
        lines: Vec::new(),
    };
    let Some(now) = mean_share(ours) else {
        return if dims_of(ours) < 2 {
            say("There is one", "A single coordinate has none before it to repeat.".to_string())
        } else {
            say("Not measured", "There are too few different points.".to_string())
        };
    };
    let told = match all.len() {
        1 => format!("{now:.0} % of coordinate 2 can be predicted from coordinate 1"),
        2 => format!(
            "On average {now:.0} % of coordinates 2 and 3 can be predicted from the earlier ones"
        ),
        many => format!(
            "On average {now:.0} % of coordinates 2 to {} can be predicted from the earlier ones",
            many + 1
        ),
    };
    let before = if shown.len() > 1 { mean_share(shown[0]) } else { None };
    match before {
        _ if shown.len() > 2 => {
            let least = figures[0].values.iter().min_by(|a, b| a.2.total_cmp(&b.2));
            let name = least.map_or("", |least| least.1.as_str());
            say(&format!("Least: {name}"), format!("{}: {told}.", name_of(ours)))
        }
        None if now > MUCH => say("Yes", format!("{told}.")),
        None if now > SOME => say("In part", format!("{told}.")),
        None => say("No", format!("{told}.")),
        Some(before) if now <= SOME && before <= SOME => {
            let both = format!("{told}, in the original {before:.0} %: there was little to mend.");
            say("Both are new", both)
        }
        Some(before) if before - now >= ALIKE => {
            let still = if now > MUCH { ", which is still much" } else { "" };
            say("Yes", format!("{told}{still}; in the original {before:.0} %."))
        }
        Some(before) if now - before >= ALIKE => say(
            "No",
            format!("{told}, in the original only {before:.0} %: the original is better."),
        ),
        Some(before) => say("No difference", format!("{told}, in the original {before:.0} %.")),
    }
}

fn neighborhoods(shown: &[&Facts], ours: &Facts) -> Answer {
    let preserved = |facts: &Facts| facts.quality.as_ref().map(|quality| quality.preservation);
    let trust = bars("seen neighbours are real", shown, |facts| {
        preserved(facts).map(|found| 100.0 * found.trustworthiness)
    });
    let continuity = bars("real neighbours are seen", shown, |facts| {
        preserved(facts).map(|found| 100.0 * found.continuity)
    });
    let labels = bars("labels that neighbours tell", shown, |facts| {
        facts.quality.as_ref().and_then(|quality| quality.accuracy).map(|share| 100.0 * share)
    });
    let bars: Vec<Bars> =
        [trust, continuity, labels].into_iter().filter(|bars| !bars.values.is_empty()).collect();
    let say = |answer: &str, text: String| Answer {
        question: "Are neighbourhoods kept?",
        answer: answer.to_string(),
        text,
        bars: bars.clone(),
        lines: Vec::new(),
    };
    let Some(now) = preserved(ours) else {
        return say("Not measured", "The points that were embedded are not at hand.".to_string());
    };
    let trust = now.trustworthiness;
    let told = format!("{:.1} % trustworthy", 100.0 * trust);
    let how = if trust >= KEPT {
        "Yes"
    } else if trust >= MOSTLY_KEPT {
        "Mostly"
    } else {
        "Only in part"
    };
    let before = if shown.len() > 1 { preserved(shown[0]) } else { None };
    match before {
        _ if shown.len() > 2 => match leader(&bars[0], 100.0 * SAME) {
            Some(name) => {
                say(&format!("Best: {name}"), "By trustworthiness; bars have the rest.".to_string())
            }
            None => say("Best: original", "No other keeps them better.".to_string()),
        },
        None => {
            say(how, format!("{told}: points near each other in the picture are so in the data."))
        }
        Some(before) => {
            let better = trust - before.trustworthiness >= SAME;
            let worse = before.trustworthiness - trust >= SAME;
            let wider = now.continuity - before.continuity >= SAME;
            let narrower = before.continuity - now.continuity >= SAME;
            let beside = format!("{told}, the original {:.1} %", 100.0 * before.trustworthiness);
            match (better || wider, worse || narrower) {
                (true, false) => say(&format!("{how}, better"), format!("{beside}.")),
                (false, true) => say(
                    &format!("{how}, less well"),
                    format!("{beside}: the original keeps them better."),
                ),
                (true, true) => {
                    let text = format!("{beside}: better in one respect, worse in another.");
                    say(&format!("{how}, alike"), text)
                }
                (false, false) => say(&format!("{how}, as well"), format!("{beside}.")),
            }
        }
    }
}

fn seen(ours: &Facts) -> Answer {
    const LINES: usize = 3;
    let told = ours.meaning.iter().enumerate().filter_map(|(i, meaning)| in_words(i, meaning));
    let mut lines: Vec<String> = told.collect();
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if more > 0 {
        lines.push(format!("and {more} more below"));
    }
    let first = ours.meaning.iter().find_map(|meaning| {
        let column = meaning.columns.first().map(|column| (column.alone, column.name.clone()));
        let class = meaning.classes.first().map(|class| (class.alone, class.label.clone()));
        [column, class].into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0))
    });
    let (answer, text) = match first {
        Some((_, name)) => (
            name,
            "What each coordinate tells that the earlier ones do not, in percent of its variance:"
                .to_string(),
        ),
        None if ours.meaning.is_empty() => (
            "Look and see".to_string(),
            "Neighbouring dots are similar rows; colours and pictures tell more.".to_string(),
        ),
        None => (
            "No single column".to_string(),
            "No column of the data is told by a coordinate: each mixes many.".to_string(),
        ),
    };
    Answer { question: "What do I see?", answer, text, bars: Vec::new(), lines }
}

/// Words at the beginning of a sentence.
fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::{ColumnTold, Meaning};
    use nrdr::quality::Preservation;
    use nrdr::{Quality, Redundancy};

    /// Coordinates of which the earlier ones predict these shares, and so trustworthy.
    fn facts(strategy: &str, shares: &[f64], trust: f64) -> Facts {
        let errors: Vec<f64> = shares.iter().map(|share| (1.0 - share / 100.0).sqrt()).collect();
        let preservation = Preservation {
            trustworthiness: trust,
            continuity: 0.9,
            neighborhoods: 0.5,
            queries: 500,
        };
        Facts {
            strategy: strategy.to_string(),
            dims: shares.len(),
            redundancy: (shares.len() > 1).then(|| Redundancy {
                standard_errors: vec![0.0; shares.len()],
                bandwidths: vec![None; shares.len()],
                pairwise: Vec::new(),
                pairwise_bandwidths: Vec::new(),
                points: 500,
                errors,
            }),
            quality: Some(Quality {
                preservation,
                accuracy: None,
                spikes: vec![0.0; shares.len()],
            }),
            ..Facts::default()
        }
    }

    fn told(ours: (&[f64], f64), original: (&[f64], f64)) -> [String; 3] {
        let (ours, original) =
            (facts("priced", ours.0, ours.1), facts("orthogonal", original.0, original.1));
        let shown = [&original, &ours];
        let found = answers(&shown, 1);
        [headline(&shown, 1), found[0].answer.clone(), found[1].answer.clone()]
    }

    #[test]
    fn what_is_better_is_said_and_what_is_worse_as_plainly() {
        assert_eq!(
            told((&[0.0, 3.0], 0.95), (&[0.0, 94.0], 0.93)),
            ["Coordinate 2 is new: 3 % predictable, in the original 94 %.", "Yes", "Yes, better"]
        );
        assert_eq!(
            told((&[0.0, 3.0, 22.0], 0.85), (&[0.0, 94.0, 10.0], 0.85)),
            [
                "Coordinates 2 and 3 are new: 12 % predictable on average, in the original 52 %.",
                "Yes",
                "Mostly, as well"
            ]
        );
        assert_eq!(
            told((&[0.0, 60.0], 0.7), (&[0.0, 30.0], 0.8)),
            [
                "Coordinate 2 is mostly predictable: 60 %, in the original 30 %.",
                "No",
                "Only in part, less well"
            ]
        );
        assert_eq!(told((&[0.0, 37.0], 0.9), (&[0.0, 38.0], 0.9))[1], "No difference");
        assert_eq!(told((&[0.0, 7.0], 0.9), (&[0.0, 20.0], 0.9))[1], "Both are new");
    }

    #[test]
    fn what_is_new_and_what_is_not_are_told_apart() {
        let of = |shares: &[f64]| headline(&[&facts("priced", shares, 0.9)], 0);
        assert_eq!(
            of(&[0.0, 7.0, 99.9]),
            "Coordinate 2 (7 %) is new, coordinate 3 (100 %) is predictable."
        );
        assert_eq!(
            of(&[0.0, 40.0, 60.0, 30.0]),
            "Coordinates 2 (40 %) and 4 (30 %) are new, coordinate 3 (60 %) is predictable."
        );
        assert_eq!(
            of(&[0.0, 40.0, 30.0]),
            "Coordinates 2 and 3 are partly new: 35 % predictable on average."
        );
    }

    #[test]
    fn one_embedding_or_one_coordinate_is_answered_as_well() {
        let alone = facts("orthogonal", &[0.0, 94.0], 0.95);
        let found = answers(&[&alone], 0);
        assert_eq!(
            [found[0].question, &found[0].answer],
            ["Do coordinates repeat each other?", "Yes"]
        );
        assert_eq!(headline(&[&alone], 0), "Coordinate 2 is mostly predictable: 94 %.");
        let one = facts("priced", &[0.0], 0.95);
        assert_eq!(answers(&[&one], 0)[0].answer, "There is one");
        assert_eq!(headline(&[&one], 0), "One coordinate, with nothing to repeat.");
        let bare = Facts { dims: 3, ..Facts::default() };
        let found = answers(&[&bare], 0);
        assert_eq!([&found[0].answer, &found[1].answer], ["Not measured", "Not measured"]);
        assert_eq!(answers(&[], 0), []);
    }

    #[test]
    fn of_several_the_best_is_named() {
        let all = [
            facts("orthogonal", &[0.0, 94.0], 0.95),
            facts("priced", &[0.0, 5.0], 0.951),
            facts("selection", &[0.0, 2.0], 0.9),
        ];
        let found = answers(&all.iter().collect::<Vec<_>>(), 1);
        assert_eq!(found[0].answer, format!("Least: {}", title("selection")));
        // A difference of a thousandth is none.
        assert_eq!(found[1].answer, "Best: original");
        assert_eq!(found[0].bars[0].values.len(), 3);
    }

    #[test]
    fn columns_that_are_told_are_named() {
        let mut ours = facts("priced", &[0.0, 5.0], 0.95);
        let column = |name: &str, beyond: f64| ColumnTold {
            name: name.to_string(),
            alone: beyond,
            beyond,
            correlation: 0.9,
        };
        ours.meaning = vec![
            Meaning { columns: vec![column("length", 0.97)], classes: Vec::new() },
            Meaning { columns: vec![column("width", 0.4)], classes: Vec::new() },
        ];
        let seen = &answers(&[&ours], 0)[2];
        assert_eq!(seen.answer, "length");
        let lines = ["Coordinate 1 tells length (97 %)", "Coordinate 2 tells width (40 %)"];
        assert_eq!(seen.lines, lines);
        ours.meaning = vec![Meaning::default(); 2];
        assert_eq!(answers(&[&ours], 0)[2].answer, "No single column");
    }
}
