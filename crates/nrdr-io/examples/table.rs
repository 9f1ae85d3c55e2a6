//! Prints a table as it was read, as JSON: `table FILE [error|drop|keep] [auto|yes|no] [NA,NA,..] [SKIP]`. A test compares
//! that with what another reader makes of the same file.

use std::path::Path;
use std::process::ExitCode;

use nrdr_io::{Header, Missing, ReadOptions, read};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |i: usize| arguments.get(i).map_or("", String::as_str);
    let options = ReadOptions {
        missing: match argument(1) {
            "drop" => Missing::Drop,
            "keep" => Missing::Keep,
            _ => Missing::Error,
        },
        header: match argument(2) {
            "yes" => Header::Yes,
            "no" => Header::No,
            _ => Header::Auto,
        },
        na: argument(3).split(',').filter(|na| !na.is_empty()).map(str::to_string).collect(),
        skip: argument(4).parse().unwrap_or(0),
        ..ReadOptions::default()
    };
    let table = match read(Path::new(argument(0)), &options) {
        Ok(table) => table,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    // JSON has no NaN: missing values are null, infinite ones texts.
    let number = |value: &f64| match value {
        value if value.is_nan() => Value::Null,
        value if value.is_infinite() => json!(value.to_string()),
        value => json!(value),
    };
    let text = |column: &nrdr_io::TextColumn| {
        let cells = column.codes.iter().map(|&code| column.distinct[code as usize].as_str());
        json!({"name": column.name, "cells": cells.collect::<Vec<_>>()})
    };
    println!(
        "{}",
        json!({
            "names": table.names,
            "rows": table.rows,
            "dropped": table.dropped,
            "values": table.values.iter().map(number).collect::<Vec<_>>(),
            "text": table.text.iter().map(text).collect::<Vec<_>>(),
            "notes": table.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    );
    ExitCode::SUCCESS
}
