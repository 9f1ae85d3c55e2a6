//! The library's records, kept by rows.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError};

use nrdr::Error;
use nrdr::checkpoint::{Record, Store};
use nrdr::team::{Team, current};
use nrdr_cli::shared::Failure;

use super::{Checkpoint, List, OwnRecord, Values};

/// The library's records: their text tells which lists have a value for each row, all others are the same at all members.
impl Store for Checkpoint {
    fn is_by_row(&self) -> bool {
        true
    }

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
        let by_row = record.by_row().unwrap_or_default();
        let numbers = numbers.enumerate().map(|(at, values)| {
            if by_row.contains(&at) { List::Rows(1, values) } else { List::Same(values) }
        });
        let whole = record.indices.iter().map(|list| List::Same(Values::Whole(whole(list))));
        let text = record.text.to_string();
        let record = OwnRecord { text, lists: numbers.chain(whole).collect() };
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
