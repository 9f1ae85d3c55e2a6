//! Sparse arrays as `scipy.sparse.save_npz` writes them: several arrays of an NPZ.

use std::io::{Read, Seek};

use super::dense::{Dense, index};
use super::error::{Fault, fault, quoted};
use super::labels::Labels;
use super::limit::Budget;
use super::npz::Arrays;
use super::{ReadOptions, Table};

pub(super) fn is_sparse<F: Read + Seek>(arrays: &Arrays<F>) -> bool {
    ["format", "shape", "data"].iter().all(|name| arrays.has(name))
}

/// Reads it with its zeros.
pub(super) fn read<F: Read + Seek>(
    arrays: &mut Arrays<F>,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let format = match arrays.get("format", options)?.1 {
        Labels::Texts(texts) => texts.into_iter().next().unwrap_or_default(),
        Labels::Numbers(_) => String::new(),
    };
    let shape = numbers(arrays, "shape", options)?.1;
    let [rows, columns] = *shape.as_slice() else {
        return Err(fault(
            format!("holds a sparse array of {} dimensions", shape.len()),
            "reshape it to two",
        ));
    };
    let shape = (index(rows)?, index(columns)?);
    let known = ["csr", "csc", "coo", "bsr"];
    if !known.contains(&format.as_str()) {
        let what = format!("holds a sparse array of the format {}", quoted(&format));
        return Err(fault(what, "save it with .tocsr()"));
    }
    let (sizes, values) = numbers(arrays, "data", options)?;
    let mut dense = Dense::nameless(shape, options, Budget::dense(arrays.length, options))?;
    if format == "coo" {
        let (_, rows) = numbers(arrays, "row", options)?;
        let (_, columns) = numbers(arrays, "col", options)?;
        if rows.len() != values.len() || columns.len() != values.len() {
            return Err(Fault::damaged("arrays of different lengths"));
        }
        for ((row, column), value) in rows.iter().zip(&columns).zip(values) {
            dense.add(index(*row)?, index(*column)?, value)?;
        }
        return dense.finish(Vec::new(), options);
    }
    let (_, bounds) = numbers(arrays, "indptr", options)?;
    let (_, others) = numbers(arrays, "indices", options)?;
    if format == "bsr" {
        blocks(&mut dense, &sizes, &bounds, &others, &values)?;
    } else {
        let lines = if format == "csr" { shape.0 } else { shape.1 };
        if bounds.len() != lines.saturating_add(1) {
            return Err(Fault::damaged(format!("{} bounds of {lines} lines", bounds.len())));
        }
        dense.compressed(&bounds, &others, &values, format == "csr")?;
    }
    dense.finish(Vec::new(), options)
}

/// Adds the blocks of rows of blocks.
fn blocks(
    dense: &mut Dense,
    sizes: &[usize],
    bounds: &[f64],
    others: &[f64],
    values: &[f64],
) -> Result<(), Fault> {
    let [_, height, width] = *sizes else {
        return Err(Fault::damaged("no blocks"));
    };
    for (line, bound) in bounds.windows(2).enumerate() {
        let (start, end) = (index(bound[0])?, index(bound[1])?);
        let damaged = || Fault::damaged("bounds out of order");
        let inside = others.get(start..end).ok_or_else(damaged)?;
        let blocks = values.chunks_exact(height * width).skip(start).take(end - start);
        if blocks.len() < inside.len() {
            return Err(damaged());
        }
        for (column, block) in inside.iter().zip(blocks) {
            let column = index(*column)?;
            for (i, &value) in block.iter().enumerate() {
                let (row, column) = (line * height + i / width, column.saturating_mul(width));
                dense.add(row, column.saturating_add(i % width), value)?;
            }
        }
    }
    Ok(())
}

fn numbers<F: Read + Seek>(
    arrays: &mut Arrays<F>,
    name: &str,
    options: &ReadOptions,
) -> Result<(Vec<usize>, Vec<f64>), Fault> {
    match arrays.get(name, options)? {
        (sizes, Labels::Numbers(numbers)) => Ok((sizes, numbers)),
        (_, Labels::Texts(_)) => Err(Fault::damaged(format!("{name} is not numbers"))),
    }
}
