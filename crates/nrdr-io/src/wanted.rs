//! The columns that a model wants, found in a table.

use super::ReadOptions;
use super::advice::{ReadOption, advice};
use super::columns::{Index, Role, invented};
use super::error::{Fault, fault, quoted};

/// Says what each column is read for, by their names and by whether a column looks like numbers.
pub(super) type Choose<'c> =
    &'c mut dyn FnMut(&[String], &dyn Fn(usize) -> bool) -> Result<Vec<Role>, Fault>;

/// Columns of a table, one for each that is wanted.
pub(super) struct Places(Vec<usize>);

impl Places {
    /// Finds columns by their names or, where the table or the model has none, by their places. Columns that the
    /// options name take the place of others in the order of the options.
    pub(super) fn find(
        wanted: &[String],
        names: &[String],
        is_number: &dyn Fn(usize) -> bool,
        options: &ReadOptions,
    ) -> Result<Self, Fault> {
        let mut offered = offered(names, options)?;
        let places = Index::new(names, wanted.iter());
        let mut times = vec![0u32; names.len()];
        offered.iter().for_each(|&j| times[j] += 1);
        // A column may be offered twice, and two may have one name.
        let count = |name: &str| places.named(name).iter().map(|&j| times[j]).sum::<u32>();
        let only = |name: &String| {
            let place = places.named(name).iter().copied().find(|&j| times[j] > 0);
            place.filter(|_| count(name) == 1)
        };
        let named: Option<Vec<usize>> = wanted.iter().map(only).collect();
        let nameless = (invented(wanted), invented(names));
        // Where neither has names, one column more is not one that can be passed over.
        let same_count = offered.len() == wanted.len();
        if let Some(named) = named
            && (same_count || nameless != (true, true))
        {
            return Ok(Places(named));
        }
        let chosen = options.columns.is_some();
        let absent = wanted.iter().find(|name| only(name).is_none()).map(|name| {
            let found = if count(name) > 1 { "several columns" } else { "no column" };
            format!("has {found} {}", quoted(name))
        });
        offered.retain(|&j| chosen || is_number(j));
        let (got, expected) = (offered.len(), wanted.len());
        if got != expected {
            let absent = absent.map_or_else(String::new, |absent| format!("; it {absent}"));
            return Err(fault(
                format!("has {got} column(s) of numbers, but {expected} are wanted{absent}"),
                advice("choose the same ones with ")
                    .option(ReadOption::Columns)
                    .text(" or ")
                    .option(ReadOption::Drop),
            ));
        }
        match absent {
            Some(absent) if !chosen && nameless == (false, false) => Err(fault(
                format!("{absent}, which is wanted"),
                advice("name the columns as they are wanted, or give all in the same order with ")
                    .option(ReadOption::Columns),
            )),
            _ => Ok(Places(offered)),
        }
    }

    /// Names of the columns that are neither wanted nor left out by the options.
    pub(super) fn left_out(
        &self,
        names: &[String],
        options: &ReadOptions,
    ) -> Result<Vec<String>, Fault> {
        if options.columns.is_some() {
            return Ok(Vec::new());
        }
        let mut used = vec![false; names.len()];
        self.0.iter().for_each(|&j| used[j] = true);
        let offered = offered(names, options)?.into_iter();
        Ok(offered.filter(|&j| !used[j]).map(|j| names[j].clone()).collect())
    }

    /// What each of `count` columns is read for.
    pub(super) fn roles(&self, count: usize) -> Vec<Role> {
        let mut roles = vec![Role::Skip; count];
        self.0.iter().for_each(|&j| roles[j] = Role::Number);
        roles
    }

    /// For each wanted column its place among those that are read.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut read = self.0.clone();
        read.sort_unstable();
        read.dedup();
        self.0.iter().map(|j| read.partition_point(|other| other < j)).collect()
    }
}

/// The columns that the options leave, in their order.
fn offered(names: &[String], options: &ReadOptions) -> Result<Vec<usize>, Fault> {
    let given = options.columns.iter().flatten().chain(&options.drop);
    let index = Index::new(names, given);
    let mut offered: Vec<usize> = match &options.columns {
        None => (0..names.len()).collect(),
        Some(columns) => {
            let found: Result<Vec<_>, Fault> = columns.iter().map(|c| index.find(c)).collect();
            found?.concat()
        }
    };
    let mut dropped = vec![false; names.len()];
    for column in &options.drop {
        index.find(column)?.iter().for_each(|&j| dropped[j] = true);
    }
    offered.retain(|&j| !dropped[j]);
    Ok(offered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(wanted: &str, names: &str, columns: Option<&str>) -> Result<Vec<usize>, String> {
        let split = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        let options = ReadOptions { columns: columns.map(split), ..Default::default() };
        let is_number = |j: usize| !split(names)[j].starts_with("text");
        Places::find(&split(wanted), &split(names), &is_number, &options)
            .map(|places| places.0)
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn names_come_before_places() {
        for (wanted, names, columns, expected) in [
            ("a b", "b c a", None, vec![2, 0]),
            ("x1 x2", "x2 x1", None, vec![1, 0]),
            ("x2 x3", "x1 x2 x3 x4", None, vec![1, 2]),
            ("a b", "b c a", Some("b a"), vec![2, 0]),
            // One of the two has no names.
            ("x1 x2", "a text b", None, vec![0, 2]),
            ("a b", "x1 x2", None, vec![0, 1]),
            // The order of the options.
            ("a b c", "z a b", Some("a b z"), vec![1, 2, 0]),
            ("a b", "x1 x2 x3", Some("3 1"), vec![2, 0]),
        ] {
            assert_eq!(found(wanted, names, columns), Ok(expected), "{wanted} in {names}");
        }
    }

    #[test]
    fn what_is_not_there_is_told() {
        for (wanted, names, told) in [
            ("x1 x2", "x1 x2 x3", "has 3 column(s) of numbers, but 2 are wanted: "),
            ("p0 p1", "p0 p1 p2", "has 3 column(s) of numbers, but 2 are wanted: "),
            ("a b", "a c d", "but 2 are wanted; it has no column \"b\": "),
            ("a b", "a c", "has no column \"b\", which is wanted: "),
            ("a b", "a b b", "but 2 are wanted; it has several columns \"b\": "),
        ] {
            let refused = found(wanted, names, None).unwrap_err();
            assert!(refused.contains(told), "{refused}");
        }
    }

    #[test]
    fn order_is_among_those_that_are_read() {
        assert_eq!(Places(vec![7, 0, 3, 0]).order(), [2, 0, 1, 0]);
    }
}
