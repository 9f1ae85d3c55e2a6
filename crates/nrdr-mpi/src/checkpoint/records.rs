//! The library's records, kept by rows.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError};

use nrdr::Error;
use nrdr::checkpoint::{Record, Store};
use nrdr::team::{Team, current};
use nrdr_cli::shared::Failure;

use super::{Checkpoint, List, OwnRecord, Values};
use crate::together::gathered;

/// The library's records: a list that has a value for each row at all members is theirs, any other one the same at all.
impl Store for Checkpoint {
    fn get(&self, name: &str) -> nrdr::Result<Option<Record<'static>>> {
        let (team, starts) = self.asked()?;
        let found = Checkpoint::get(self, team.as_ref(), name, &starts).map_err(unusable)?;
        Ok(found.map(|OwnRecord { text, lists }| {
            let mut record = Record { text: text.into(), ..Record::default() };
            for list in lists {
                match list {
                    List::Same(values) | List::Rows(_, values) | List::Uneven(_, values) => {
                        match values {
                            Values::Numbers(values) => record.numbers.push(Cow::from(values)),
                            Values::Whole(values) => {
                                let values = values.into_iter().map(|value| value as u32);
                                record.indices.push(values.collect());
                            }
                        }
                    }
                }
            }
            record
        }))
    }

    fn put(&self, name: &str, record: &Record<'_>) -> nrdr::Result<()> {
        let (team, starts) = self.asked()?;
        let team = team.as_ref();
        let numbers = record.numbers.iter().map(|list| Values::Numbers(list.to_vec()));
        let whole = |list: &Cow<'_, [u32]>| list.iter().map(|&value| u64::from(value)).collect();
        let values: Vec<Values> =
            numbers.chain(record.indices.iter().map(|list| Values::Whole(whole(list)))).collect();
        let own = starts[team.rank() + 1] - starts[team.rank()];
        let fits: Vec<bool> = values.iter().map(|list| list.len() as u64 == own).collect();
        let all = gathered(team, Ok(fits)).map_err(unusable)?;
        let is_rows = |at: usize| all.iter().all(|fits| fits.get(at) == Some(&true));
        let lists = values.into_iter().enumerate().map(|(at, values)| {
            if is_rows(at) { List::Rows(1, values) } else { List::Same(values) }
        });
        let text = record.text.to_string();
        let record = OwnRecord { text, lists: lists.collect() };
        Checkpoint::put(self, team, name, &starts, &record).map_err(unusable)
    }
}

impl Checkpoint {
    /// Who asks for a record of the library, and for which rows.
    fn asked(&self) -> nrdr::Result<(Arc<dyn Team>, Vec<u64>)> {
        let starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match current().filter(|team| starts.len() == team.size() + 1) {
            Some(team) => Ok((team, starts)),
            None => {
                let reason = "nobody told which rows it keeps: spread them first".to_string();
                Err(Error::Checkpoint { reason })
            }
        }
    }
}

fn unusable(failure: Failure) -> Error {
    Error::Checkpoint { reason: failure.into_message() }
}
