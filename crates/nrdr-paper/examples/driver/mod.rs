//! What drivers of measurements share: points from a file, and strategies by their names.
#![allow(dead_code)]

pub(crate) mod clock;

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};

use nrdr::parameter::Value;
use nrdr::{Points, Strategy};

/// Points of little-endian f64, row after row. They are read value by value, so that they are in memory once.
pub(crate) fn read(file: &str, columns: usize) -> Result<Points, Box<dyn Error>> {
    let file = File::open(file)?;
    let mut values = Vec::with_capacity(usize::try_from(file.metadata()?.len())? / 8);
    let mut reader = BufReader::new(file);
    let mut bytes = [0; 8];
    loop {
        match reader.read_exact(&mut bytes) {
            Ok(()) => values.push(f64::from_le_bytes(bytes)),
            Err(end) if end.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Points::new(values, columns)?)
}

/// The strategy of a name with parameters as `name=value`.
pub(crate) fn strategy(name: &str, settings: &[&str]) -> Result<Strategy, Box<dyn Error>> {
    let mut strategy = Strategy::by_name(name)?;
    for setting in settings {
        let (wanted, value) = setting.split_once('=').ok_or("parameters are NAME=VALUE")?;
        let mut found = false;
        strategy = strategy.with(|parameters| {
            let mut named = parameters.into_iter().filter(|parameter| parameter.name == wanted);
            named.try_for_each(|mut parameter| {
                found = true;
                parameter.set(&Value::of_text(value))
            })
        })?;
        if !found {
            return Err(format!("{name} has no parameter {wanted}").into());
        }
    }
    Ok(strategy)
}
