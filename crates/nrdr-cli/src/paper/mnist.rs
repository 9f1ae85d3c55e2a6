//! The digits that several parts are made of.

use std::path::Path;

use nrdr::Points;

use crate::failure::Failure;
use crate::io::{ReadOptions, read};

/// The training images, as MNIST calls them.
const IMAGES: &str = "train-images-idx3-ubyte";

/// The first images in a folder of data, grey values from 0 to 1.
pub(super) fn images(data: Option<&Path>, count: usize) -> Result<Points, Failure> {
    let way_out = "fetch it with scripts/get-data DIR and give --data DIR";
    let Some(folder) = data else {
        return Err(Failure::Usage(format!("this part is made of MNIST: {way_out}")));
    };
    let file = folder.join(IMAGES);
    if !file.exists() {
        return Err(Failure::Usage(format!("{} is not there: {way_out}", file.display())));
    }
    let table = read(&file, &ReadOptions::default())?;
    let columns = table.names.len();
    let count = count.min(table.rows);
    let values = table.values.into_iter().take(count * columns).map(|grey| grey / 255.0);
    Ok(Points::new(values.collect(), columns)?)
}
