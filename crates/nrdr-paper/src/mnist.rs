//! The digits that several parts are made of.

use std::path::Path;

use nrdr::Points;
use nrdr_cli::shared::Failure;
use nrdr_io::{ReadOptions, Table, read};

/// The training images and what they show, as MNIST calls them.
const IMAGES: &str = "train-images-idx3-ubyte";
const LABELS: &str = "train-labels-idx1-ubyte";

/// Images, grey values from 0 to 1, and the digits that they show.
pub(super) struct Digits {
    pub(super) images: Points,
    pub(super) labels: Vec<f64>,
}

/// The first images in a folder of data.
pub(super) fn images(data: Option<&Path>, count: usize) -> Result<Points, Failure> {
    let table = table(data, IMAGES)?;
    let columns = table.names.len();
    let count = count.min(table.rows);
    let values = table.values.into_iter().take(count * columns).map(|grey| grey / 255.0);
    Ok(Points::new(values.collect(), columns)?)
}

/// All images in a folder of data, with their labels.
pub(super) fn digits(data: Option<&Path>) -> Result<Digits, Failure> {
    let images = images(data, usize::MAX)?;
    let labels = table(data, LABELS)?.values;
    if labels.len() != images.rows() {
        return Err(Failure::Usage(format!(
            "{IMAGES} holds {} images and {LABELS} {} labels: fetch both with scripts/get-data DIR",
            images.rows(),
            labels.len()
        )));
    }
    Ok(Digits { images, labels })
}

fn table(data: Option<&Path>, name: &str) -> Result<Table, Failure> {
    let way_out = "fetch it with scripts/get-data DIR and give --data DIR";
    let Some(folder) = data else {
        return Err(Failure::Usage(format!("this part is made of MNIST: {way_out}")));
    };
    let file = folder.join(name);
    if !file.exists() {
        return Err(Failure::Usage(format!("{} is not there: {way_out}", file.display())));
    }
    Ok(read(&file, &ReadOptions::default())?)
}
