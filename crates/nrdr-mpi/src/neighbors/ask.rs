//! Questions for neighbours, and their answers.

use nrdr::team::Team;

use super::Neighbor;
use crate::wire::exchange;

/// A question: a point, and how far neighbours may be.
#[derive(Clone, Copy)]
pub(super) struct Question<'p> {
    pub(super) point: &'p [f64],
    pub(super) limit: f64,
}

/// Asks each member some questions about its points, which are answered by `near`, many at a time: for each the nearest, at
/// most so many as are wanted. The answers to each member's questions, in their order.
pub(super) fn ask(
    team: &dyn Team,
    columns: usize,
    questions: &[Vec<Question<'_>>],
    near: impl Fn(&[Question<'_>]) -> Vec<Vec<Neighbor>>,
) -> Vec<Vec<Vec<Neighbor>>> {
    let words = |questions: &Vec<Question<'_>>| {
        let words = |q: &Question<'_>| [&[q.limit], q.point].concat();
        questions.iter().flat_map(words).collect()
    };
    let asked = exchange(team, questions.iter().map(words).collect());
    let answer = |asked: Vec<f64>| {
        let question = |words: &'_ [f64]| words[0];
        let limits: Vec<f64> = asked.chunks_exact(columns + 1).map(question).collect();
        let questions: Vec<Question<'_>> = asked
            .chunks_exact(columns + 1)
            .zip(limits)
            .map(|(words, limit)| Question { point: &words[1..], limit })
            .collect();
        let mut words = Vec::new();
        for found in near(&questions) {
            words.push(found.len() as u64);
            words.extend(found.iter().flat_map(|n| [n.measure.to_bits(), n.input, n.row]));
        }
        words
    };
    let answers = exchange(team, asked.into_iter().map(answer).collect());
    answers.into_iter().map(|words| lists(&words)).collect()
}

/// The lists in an answer.
fn lists(words: &[u64]) -> Vec<Vec<Neighbor>> {
    let mut lists = Vec::new();
    let mut rest = words;
    while let [count, tail @ ..] = rest {
        let (found, tail) = tail.split_at(3 * *count as usize);
        let neighbor = |words: &[u64]| Neighbor {
            measure: f64::from_bits(words[0]),
            input: words[1],
            row: words[2],
        };
        lists.push(found.chunks_exact(3).map(neighbor).collect());
        rest = tail;
    }
    lists
}
