//! The order in which people list names: numbers by their size, 2 before 10.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// Which of the texts comes first, second, and so on: all by their size if all are numbers, otherwise letter by letter,
/// whatever their case, with runs of digits as numbers. Empty texts stand for nothing and are left out.
pub fn in_order<S: AsRef<str>>(texts: &[S]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.len()).filter(|&i| !text(texts, i).is_empty()).collect();
    let numbers: Option<Vec<f64>> = texts
        .iter()
        .map(|text| text.as_ref())
        .map(|text| if text.is_empty() { Some(0.0) } else { text.parse().ok() })
        .collect();
    match numbers {
        Some(numbers) => order.sort_by(|&i, &j| numbers[i].total_cmp(&numbers[j]).then(i.cmp(&j))),
        None => order.sort_by(|&i, &j| compare(text(texts, i), text(texts, j)).then(i.cmp(&j))),
    }
    order
}

fn text<S: AsRef<str>>(texts: &[S], i: usize) -> &str {
    texts[i].as_ref()
}

fn compare(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return a.cmp(b),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(c), Some(d)) if c.is_ascii_digit() && d.is_ascii_digit() => {
                let (m, n) = (digits(&mut left), digits(&mut right));
                // Of numbers without leading zeros the longer one is larger.
                m.len().cmp(&n.len()).then(m.cmp(&n))
            }
            (Some(_), Some(_)) => {
                let next = |letters: &mut Peekable<Chars<'_>>| {
                    letters.next().map(|c| c.to_lowercase().collect::<String>())
                };
                next(&mut left).cmp(&next(&mut right))
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The run of digits that comes next, without leading zeros.
fn digits(letters: &mut Peekable<Chars<'_>>) -> String {
    let mut run = String::new();
    while let Some(digit) = letters.next_if(char::is_ascii_digit) {
        if !run.is_empty() || digit != '0' {
            run.push(digit);
        }
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(texts: &[&str]) -> String {
        let order = in_order(texts).into_iter().map(|i| texts[i]);
        order.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_come_by_their_size() {
        assert_eq!(ordered(&["10", "9", "-1", "2.5", "1e1"]), "-1 2.5 9 10 1e1");
        assert_eq!(ordered(&["class 10", "class 9", "Class 1"]), "Class 1 class 9 class 10");
        assert_eq!(ordered(&["x007b", "x7a", "x8", "x"]), "x x7a x007b x8");
        let long = "1".repeat(400);
        assert_eq!(
            ordered(&[&format!("n{long}0"), &format!("n{long}")]),
            format!("n{long} n{long}0")
        );
    }

    #[test]
    fn case_does_not_count_and_nothing_is_left_out() {
        assert_eq!(ordered(&["b", "", "A", "a", "C"]), "A a b C");
        assert_eq!(in_order(&["2", "", "1"]), [2, 0]);
        assert_eq!(in_order::<&str>(&[]), [] as [usize; 0]);
    }
}
