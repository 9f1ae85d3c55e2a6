//! What the quality of an embedding means, in sentences.

use nrdr::quality::Preservation;
use nrdr::{Quality, Strategy, Vocabulary};

use crate::shares::{Share, list};

/// What differs by less is the same.
pub(crate) const SAME: f64 = 0.003;
/// A coordinate lives on few points if 1 % of them hold more of its variance.
const SPIKE: f64 = 1.0 / 3.0;
/// Of fewer points 1 % is not even one.
const ENOUGH: usize = 100;

/// A measure, of ours and of the original.
type Pair = (&'static str, f64, f64);

/// Sentences on whether neighbours stayed neighbours, whether they tell the labels, and which coordinates live on few
/// points; beside the original, if that is given.
pub fn told(ours: &Quality, original: Option<&Quality>, words: &dyn Vocabulary) -> String {
    let Preservation { trustworthiness, continuity, queries, .. } = ours.preservation;
    let mut sentences = Vec::new();
    match original {
        None => {
            sentences.push(format!(
                "Neighbourhoods are kept with a trustworthiness of {trustworthiness:.3} and a continuity of {continuity:.3} (1 is best)."
            ));
            if let Some(accuracy) = ours.accuracy {
                sentences
                    .push(format!("10 neighbours tell {:.1} % of the labels.", 100.0 * accuracy));
            }
        }
        Some(original) => {
            let way_out = words.setting("strategy", &[Strategy::orthogonal().name()]);
            // Not where it tells fewer of the labels.
            let is_better =
                ours.accuracy.zip(original.accuracy).is_some_and(|(a, b)| a - b >= SAME);
            let way_out = way_out.filter(|_| !is_better).map(|setting| format!(": try {setting}"));
            let way_out = way_out.unwrap_or_default();
            let theirs = original.preservation;
            let trust = ("trustworthiness", trustworthiness, theirs.trustworthiness);
            let pairs = [trust, ("continuity", continuity, theirs.continuity)];
            sentences.push(of_neighbors(&pairs, &way_out));
            if let (Some(ours), Some(theirs)) = (ours.accuracy, original.accuracy) {
                // It is said once.
                let said = sentences.iter().any(|sentence| sentence.contains(&way_out));
                sentences.push(of_labels(ours, theirs, if said { "" } else { &way_out }));
            }
        }
    }
    if queries >= ENOUGH {
        sentences.extend(of_spikes(&ours.spikes));
    }
    sentences.join(" ")
}

fn of_neighbors(pairs: &[Pair], way_out: &str) -> String {
    let better: Vec<&Pair> =
        pairs.iter().filter(|(_, ours, theirs)| ours - theirs >= SAME).collect();
    let worse: Vec<&Pair> =
        pairs.iter().filter(|(_, ours, theirs)| theirs - ours >= SAME).collect();
    let ours_first = |pairs: &[&Pair]| {
        let one = |(name, ours, theirs): &&Pair| format!("{name} {ours:.3} against {theirs:.3}");
        pairs.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    match (better.as_slice(), worse.as_slice()) {
        ([], []) => {
            let all: Vec<&Pair> = pairs.iter().collect();
            format!("Neighbourhoods are kept as well as in the original ({}).", ours_first(&all))
        }
        (better, []) => {
            format!("Neighbourhoods are kept better than in the original ({}).", ours_first(better))
        }
        ([], worse) => {
            let turned: Vec<Pair> =
                worse.iter().map(|(name, ours, theirs)| (*name, *theirs, *ours)).collect();
            let turned: Vec<&Pair> = turned.iter().collect();
            format!("The original keeps neighbourhoods better ({}){way_out}.", ours_first(&turned))
        }
        (better, worse) => format!(
            "Beside the original, neighbourhoods are kept better in one respect ({}) and worse in another ({}).",
            ours_first(better),
            ours_first(worse),
        ),
    }
}

fn of_labels(ours: f64, theirs: f64, way_out: &str) -> String {
    let percent =
        |ours: f64, theirs: f64| format!("{:.1} % against {:.1} %", 100.0 * ours, 100.0 * theirs);
    if theirs - ours >= SAME {
        let shares = percent(theirs, ours);
        format!("In the original 10 neighbours tell more of the labels ({shares}){way_out}.")
    } else {
        let many = if ours - theirs >= SAME { "more" } else { "as many" };
        let than = if ours - theirs >= SAME { "than" } else { "as" };
        let shares = percent(ours, theirs);
        format!("10 neighbours tell {many} of the labels {than} in the original ({shares}).")
    }
}

fn of_spikes(spikes: &[f64]) -> Option<String> {
    let numbered = spikes.iter().enumerate().filter(|(_, share)| **share > SPIKE);
    let shares: Vec<Share> = numbered.map(|(i, share)| (i + 1, 100.0 * share)).collect();
    let they = match shares.len() {
        0 => return None,
        1 => "it lives",
        _ => "they live",
    };
    Some(format!(
        "1 % of the points hold more than a third of the variance of {}: {they} on few points.",
        list(shares)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nrdr::Plain;

    fn quality(trustworthiness: f64, continuity: f64) -> Quality {
        let preservation =
            Preservation { trustworthiness, continuity, neighborhoods: 0.5, queries: 500 };
        Quality { preservation, accuracy: None, spikes: vec![0.05, 0.05] }
    }

    fn beside(ours: (f64, f64), original: (f64, f64)) -> String {
        told(&quality(ours.0, ours.1), Some(&quality(original.0, original.1)), &Plain)
    }

    #[test]
    fn the_better_one_is_named() {
        assert_eq!(
            beside((0.936, 0.951), (0.927, 0.950)),
            "Neighbourhoods are kept better than in the original (trustworthiness 0.936 against 0.927)."
        );
        assert_eq!(
            beside((0.930, 0.951), (0.951, 0.960)),
            "The original keeps neighbourhoods better (trustworthiness 0.951 against 0.930, continuity 0.960 against \
             0.951): try strategy = orthogonal."
        );
        assert_eq!(
            beside((0.936, 0.940), (0.927, 0.950)),
            "Beside the original, neighbourhoods are kept better in one respect (trustworthiness 0.936 against 0.927) \
             and worse in another (continuity 0.940 against 0.950)."
        );
    }

    #[test]
    fn small_differences_are_none() {
        assert_eq!(
            beside((0.9360, 0.951), (0.9332, 0.9538)),
            "Neighbourhoods are kept as well as in the original (trustworthiness 0.936 against 0.933, continuity 0.951 \
             against 0.954)."
        );
    }

    #[test]
    fn labels_have_a_sentence_and_the_way_out_is_said_once() {
        let labelled =
            |trust, accuracy| Quality { accuracy: Some(accuracy), ..quality(trust, 0.9) };
        let of = |ours: (f64, f64), theirs: (f64, f64)| {
            told(&labelled(ours.0, ours.1), Some(&labelled(theirs.0, theirs.1)), &Plain)
        };
        assert!(of((0.9, 0.95), (0.9, 0.91)).ends_with(
            "10 neighbours tell more of the labels than in the original (95.0 % against 91.0 %)."
        ));
        assert!(of((0.9, 0.95), (0.9, 0.95)).contains("tell as many of the labels as in"));
        let worse = "In the original 10 neighbours tell more of the labels (95.0 % against 91.0 %)";
        let only = of((0.9, 0.91), (0.9, 0.95));
        assert!(only.ends_with(&format!("{worse}: try strategy = orthogonal.")), "{only}");
        let both = of((0.8, 0.91), (0.9, 0.95));
        assert!(
            both.ends_with(&format!("{worse}.")) && both.matches(": try").count() == 1,
            "{both}"
        );
        let torn = of((0.8, 0.95), (0.9, 0.91));
        assert!(torn.starts_with("The original keeps") && !torn.contains(": try"), "{torn}");
        let alone = told(&labelled(0.9, 0.95), None, &Plain);
        assert_eq!(
            alone,
            "Neighbourhoods are kept with a trustworthiness of 0.900 and a continuity of 0.900 (1 is best). \
             10 neighbours tell 95.0 % of the labels."
        );
    }

    #[test]
    fn coordinates_on_few_points_are_named() {
        let spiked = |spikes: &[f64]| Quality { spikes: spikes.to_vec(), ..quality(0.9, 0.9) };
        let one = told(&spiked(&[0.1, 0.62]), None, &Plain);
        assert!(one.ends_with("of coordinate 2 (62 %): it lives on few points."), "{one}");
        let two = told(&spiked(&[0.4, 0.62]), None, &Plain);
        assert!(two.ends_with("of coordinates 1 (40 %) and 2 (62 %): they live on few points."));
        let mut few = spiked(&[0.1, 0.62]);
        few.preservation.queries = 99;
        assert!(!told(&few, None, &Plain).contains("few points"));
    }
}
