//! What each coordinate means: the columns it tells most of, and the classes it sets apart.

use nrdr::{Embedding, Error, Points, quality::explain_each};
use serde::{Deserialize, Serialize};

use crate::label::Label;

/// Of each coordinate so many columns, and classes of each label, are told at most.
const MOST: usize = 6;
/// Of less than this share of its variance a coordinate tells nothing worth saying.
const LITTLE: f64 = 0.1;
/// So many of the most frequent classes of a label are looked at.
const CLASSES: usize = 60;

/// What is known of the points, to be told by coordinates.
#[derive(Clone, Default)]
pub struct Known<'k> {
    /// The columns as they were given and their names, if single ones mean something.
    pub columns: Option<(&'k Points, &'k [String])>,
    /// True parameters and their names.
    pub truth: Option<(&'k [String], &'k Points)>,
    /// Further numbers.
    pub numbers: Vec<(&'k str, &'k [f64])>,
    /// Classes.
    pub labels: Vec<Label<'k>>,
}

/// What a coordinate means.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meaning {
    /// The columns it tells most of, by what it tells alone or beyond the earlier ones.
    pub columns: Vec<ColumnTold>,
    /// The classes it sets apart most.
    pub classes: Vec<ClassTold>,
}

/// How much of a column a coordinate tells: leave-one-out R2 by the 10 nearest neighbours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnTold {
    /// The column.
    pub name: String,
    /// By the coordinate alone.
    pub alone: f64,
    /// What it adds to the earlier ones.
    pub beyond: f64,
    /// Spearman's rank correlation: positive where the column rises along the coordinate.
    pub correlation: f64,
}

/// How much of whether a point is of a class a coordinate tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassTold {
    /// The label that the class is one of.
    pub label: String,
    /// The class.
    pub class: String,
    /// By the coordinate alone.
    pub alone: f64,
    /// What it adds to the earlier ones.
    pub beyond: f64,
    /// The mean place of its points along the coordinate: from 0, the lowest, to 1, the highest.
    pub place: f64,
}

/// What each coordinate of an embedding means; nothing where there are too few points.
pub fn meanings(embedding: &Embedding, known: &Known<'_>, seed: u64) -> nrdr::Result<Vec<Meaning>> {
    let points = embedding.to_points()?;
    meanings_of(&points, &embedding.embedded(), known, seed)
}

/// The same of a table of coordinates, of which row i is that of point `rows[i]`.
pub fn meanings_of(
    coordinates: &Points,
    rows: &[u32],
    known: &Known<'_>,
    seed: u64,
) -> nrdr::Result<Vec<Meaning>> {
    let numbers = Numbers::new(known);
    if numbers.count() == 0 {
        return Ok(Vec::new());
    }
    let value = |row: usize, j: usize| numbers.value(rows[row] as usize, j);
    let found = match explain_each(coordinates, numbers.count(), &value, seed) {
        Err(Error::TooFewPoints { .. }) => return Ok(Vec::new()),
        found => found?,
    };
    let of_coordinate = |i: usize| {
        let (alone, beyond) = (&found.alone[i], &found.beyond[i]);
        let most = |j: &usize| alone[*j].max(beyond[*j]);
        let best = |among: std::ops::Range<usize>| {
            let mut best: Vec<usize> = among.filter(|j| most(j) >= LITTLE).collect();
            best.sort_by(|a, b| most(b).total_cmp(&most(a)).then(a.cmp(b)));
            best.truncate(MOST);
            best
        };
        let columns = best(0..numbers.columns()).into_iter().map(|j| ColumnTold {
            name: numbers.name(j),
            alone: alone[j],
            beyond: beyond[j],
            correlation: found.correlation[i][j],
        });
        let classes = numbers.classes.chunk_by(|a, b| a.0 == b.0).flat_map(|of_label| {
            let first = numbers.columns() + of_label[0].2;
            best(first..first + of_label.len())
        });
        let places = places(&coordinates.column(i));
        let classes = classes.map(|j| {
            let (label, code, _) = numbers.classes[j - numbers.columns()];
            let label = &known.labels[label];
            let members = || (0..rows.len()).filter(|&at| label.codes[rows[at] as usize] == code);
            ClassTold {
                label: label.name.to_string(),
                class: label.distinct[code as usize].clone(),
                alone: alone[j],
                beyond: beyond[j],
                place: members().map(|at| places[at]).sum::<f64>()
                    / members().count().max(1) as f64,
            }
        });
        Meaning { columns: columns.collect(), classes: classes.collect() }
    };
    Ok((0..coordinates.columns()).map(of_coordinate).collect())
}

/// Where each value stands in their order, from 0 to 1.
fn places(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut places = vec![0.0; values.len()];
    let last = values.len().saturating_sub(1).max(1) as f64;
    order.iter().enumerate().for_each(|(at, &i)| places[i] = at as f64 / last);
    places
}

/// Numbers that coordinates may tell: columns first, then whether a point is of a class.
struct Numbers<'n, 'k> {
    known: &'n Known<'k>,
    /// The label, the code, and the number among classes.
    classes: Vec<(usize, u32, usize)>,
}

impl<'n, 'k> Numbers<'n, 'k> {
    fn new(known: &'n Known<'k>) -> Self {
        let mut classes = Vec::new();
        for (l, label) in known.labels.iter().enumerate() {
            let mut counts = vec![0_usize; label.distinct.len()];
            label.codes.iter().for_each(|&code| counts[code as usize] += 1);
            let named = (0..counts.len()).filter(|&code| !label.distinct[code].is_empty());
            let mut codes: Vec<usize> = named.collect();
            codes.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
            codes.truncate(CLASSES);
            for code in codes {
                classes.push((l, code as u32, classes.len()));
            }
        }
        Numbers { known, classes }
    }

    /// How many stand beside the points, are true parameters, and were given.
    fn parts(&self) -> [usize; 3] {
        let Known { columns, truth, numbers, .. } = self.known;
        let truth = truth.map_or(0, |(_, table)| table.columns());
        [numbers.len(), truth, columns.map_or(0, |(table, _)| table.columns())]
    }

    fn columns(&self) -> usize {
        self.parts().iter().sum()
    }

    fn count(&self) -> usize {
        self.columns() + self.classes.len()
    }

    fn name(&self, j: usize) -> String {
        let [beside, truth, _] = self.parts();
        let known = self.known;
        let name = |names: &[String], c: usize| {
            names.get(c).cloned().unwrap_or_else(|| format!("column {}", c + 1))
        };
        if j < beside {
            known.numbers[j].0.to_string()
        } else if j < beside + truth {
            known
                .truth
                .map_or_else(String::new, |(names, _)| format!("true {}", name(names, j - beside)))
        } else {
            known.columns.map_or_else(String::new, |(_, names)| name(names, j - beside - truth))
        }
    }

    fn value(&self, row: usize, j: usize) -> f64 {
        let [beside, truth, given] = self.parts();
        let known = self.known;
        let of_table = |table: Option<&Points>, c: usize| table.map_or(f64::NAN, |t| t.row(row)[c]);
        if j < beside {
            known.numbers[j].1[row]
        } else if j < beside + truth {
            of_table(known.truth.map(|(_, table)| table), j - beside)
        } else if j < beside + truth + given {
            of_table(known.columns.map(|(table, _)| table), j - beside - truth)
        } else {
            let (label, code, _) = self.classes[j - beside - truth - given];
            f64::from(known.labels[label].codes[row] == code)
        }
    }
}

/// In a few words what coordinate `i`, counted from 0, tells that the earlier ones do not: shares of variance.
pub fn in_words(i: usize, meaning: &Meaning) -> Option<String> {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    // Of equals the first.
    let column = meaning.columns.iter().rev().max_by(|a, b| a.beyond.total_cmp(&b.beyond));
    let column = column.filter(|column| column.beyond >= LITTLE);
    let best = meaning.classes.iter().map(|class| class.beyond).fold(0.0, f64::max);
    let apart: Vec<&ClassTold> =
        meaning.classes.iter().filter(|c| c.beyond >= LITTLE.max(0.7 * best)).take(3).collect();
    let classes = || {
        let names: Vec<&str> = apart.iter().map(|class| class.class.as_str()).collect();
        let names = match names.as_slice() {
            [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
            _ => names.concat(),
        };
        format!("sets {names} apart ({})", percent(best))
    };
    let told = match column {
        Some(column) if column.beyond >= best => {
            format!("tells {} ({})", column.name, percent(column.beyond))
        }
        _ if !apart.is_empty() => classes(),
        _ => return None,
    };
    Some(format!("Coordinate {} {told}", i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> (Points, Points) {
        let at = |i: u32| (f64::from(i / 20), f64::from(i % 20));
        let row = |i: u32| [at(i).0, at(i).1];
        let coordinates = Points::from_rows((0..400).map(row)).unwrap();
        let given = |i: u32| [5.0 - at(i).1, 3.0, at(i).0 * at(i).0, f64::from(i * 7919 % 401 % 7)];
        (coordinates, Points::from_rows((0..400).map(given)).unwrap())
    }

    fn strings(of: &[&str]) -> Vec<String> {
        of.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn columns_and_classes_come_with_what_is_told_of_them() {
        let (coordinates, given) = grid();
        let names = strings(&["height", "constant", "square", "noise"]);
        let distinct = strings(&["low", "", "high"]);
        let codes: Vec<u32> = (0..400).map(|i| if i % 20 < 10 { 0 } else { 2 }).collect();
        let truth: Vec<f64> = (0..400).map(|i| f64::from(i / 20)).collect();
        let known = Known {
            columns: Some((&given, &names)),
            numbers: vec![("along", &truth)],
            labels: vec![Label { name: "side", distinct: &distinct, codes: &codes }],
            truth: None,
        };
        let rows: Vec<u32> = (0..400).collect();
        let found = meanings_of(&coordinates, &rows, &known, 0).unwrap();
        let told = |i: usize| -> Vec<&str> {
            found[i].columns.iter().map(|column| column.name.as_str()).collect()
        };
        assert_eq!((told(0), told(1)), (vec!["along", "square"], vec!["height"]));
        assert!(found[1].columns[0].correlation < -0.99 && found[1].columns[0].beyond > 0.9);
        assert_eq!(found[0].classes, []);
        let classes = &found[1].classes;
        assert_eq!([&classes[0].class, &classes[1].class], ["low", "high"]);
        assert!((classes[0].place - 0.25).abs() < 0.01 && (classes[1].place - 0.75).abs() < 0.01);
        assert_eq!(in_words(0, &found[0]).unwrap(), "Coordinate 1 tells along (100 %)");
        let second = in_words(1, &found[1]).unwrap();
        assert_eq!(second, "Coordinate 2 tells height (100 %)");
    }

    #[test]
    fn classes_are_named_where_they_are_told_best() {
        let class = |class: &str, beyond: f64| ClassTold {
            label: "kind".to_string(),
            class: class.to_string(),
            alone: beyond,
            beyond,
            place: 0.5,
        };
        let meaning = Meaning {
            columns: Vec::new(),
            classes: vec![class("a", 0.9), class("b", 0.8), class("c", 0.2)],
        };
        let told = "Coordinate 3 sets a and b apart (90 %)";
        assert_eq!(in_words(2, &meaning).unwrap(), told);
        assert_eq!(in_words(0, &Meaning::default()), None);
    }

    #[test]
    fn of_few_points_or_nothing_known_nothing_is_said() {
        let (coordinates, given) = grid();
        let names = strings(&["a", "b", "c", "d"]);
        let known = Known { columns: Some((&given, &names)), ..Known::default() };
        let few = coordinates.select(&[1, 2, 3]);
        assert_eq!(meanings_of(&few, &[1, 2, 3], &known, 0).unwrap(), []);
        let rows: Vec<u32> = (0..400).collect();
        assert_eq!(meanings_of(&coordinates, &rows, &Known::default(), 0).unwrap(), []);
    }
}
