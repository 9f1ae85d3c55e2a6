//! Arrow IPC and Feather: messages, each a head and a body with the columns of some rows. Written here, and not with the
//! crates of Arrow, as all that is needed is columns of numbers and of texts.

use std::collections::HashMap;
use std::io::{Read, Seek};

use super::advice::{ReadOption, advice};
use super::arrow_messages::{Batch, Message, Source};
use super::arrow_schema::{Content, fields_of};
use super::cells::Cells;
use super::columns::{Role, TextBuilder, argument, complete, roles};
use super::error::{Fault, fault, quoted};
use super::limit::zeros;
use super::{ReadOptions, Table};

/// Reads the columns of a file or a stream. The index that pandas adds is not a column of the table.
pub(super) fn read(
    file: impl Read + Seek,
    length: u64,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let (mut source, messages) = Source::open(file, length, options)?;
    let head = |message: &Message| message.kind == Message::SCHEMA;
    let Some(schema) = messages.iter().find(|message| head(message)) else {
        return Err(Fault::damaged("no schema"));
    };
    let fields = fields_of(schema.table()?)?;
    let mut batches = Vec::new();
    let mut dictionaries: HashMap<i64, Vec<String>> = HashMap::new();
    for message in &messages {
        match message.kind {
            Message::ROWS => batches.push(Batch::of(message.table()?, message.body)?),
            Message::DICTIONARY => source.dictionary(message, &fields, &mut dictionaries)?,
            _ => {}
        }
    }
    let rows = batches.iter().try_fold(0usize, |rows, batch| rows.checked_add(batch.rows));
    let rows = rows.ok_or_else(|| Fault::damaged("endless rows"))?;
    let all_names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    let roles = roles(&all_names, options)?;
    let is_read = |(j, role): (usize, &Role)| {
        let is_index = fields[j].name.starts_with("__index_level_") && *role == Role::Data;
        (*role != Role::Skip && !is_index).then_some((j, *role))
    };
    let read: Vec<(usize, Role)> = roles.iter().enumerate().filter_map(is_read).collect();
    for &(j, _) in &read {
        if let Content::Other(what) = fields[j].content {
            let what = format!("column {} holds {what}", quoted(&fields[j].name));
            let way_out = advice("leave it out with ");
            let column = argument(&fields[j].name, j);
            return Err(fault(what, way_out.set(ReadOption::Drop, column)));
        }
    }
    let is_number =
        |&&(j, role): &&(usize, Role)| role != Role::Aside && !fields[j].content.is_text();
    let width = read.iter().filter(is_number).count();
    source.budget.array(rows.saturating_mul(read.len()), read.len())?;
    let mut table = Table { rows, values: zeros(rows * width)?, ..Table::default() };
    for &(j, role) in &read {
        let field = &fields[j];
        let place = is_number(&&(j, role)).then_some(table.names.len());
        let mut text = TextBuilder::new(&field.name, j, role, &Cells::default());
        let mut start = 0;
        for batch in &batches {
            let column = source.column(batch, &fields, j)?;
            match place {
                Some(place) => column.numbers(&mut |row, value| {
                    table.values[(start + row) * width + place] = value;
                })?,
                None => column
                    .texts(&dictionaries, &mut |found| source.budget.take(text.push(found)))?,
            }
            start += batch.rows;
        }
        if place.is_some() {
            table.names.push(field.name.clone());
            table.numbers.push(j + 1);
        } else {
            table.text.push(text.finish());
        }
    }
    complete(table, options)
}
