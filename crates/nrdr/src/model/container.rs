//! The container of a model file: safetensors, with a checksum.
//!
//! One entry of its metadata, `nrdr`, is a JSON text with everything that is no array. The array `checksum` is the SHA-256
//! of that text and of all other arrays in the order of their names: of each part its length in bytes as a 64-bit number
//! and then its bytes; the parts of an array are its name, its type, its shape as 64-bit numbers, and its values.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::extend::{Arrays, damaged};
use crate::points::Points;

/// The entry of the metadata.
const ENTRY: &str = "nrdr";
/// The array of the checksum.
const CHECKSUM: &str = "checksum";
/// Bytes of the head of the container, at most: names of arrays and the JSON text.
const LONGEST_HEAD: u64 = 64 << 20;

/// Something is wrong with the bytes of a model.
pub(super) fn bad(reason: impl Into<String>) -> Error {
    Error::BadModel { reason: reason.into() }
}

/// Something else.
pub(super) fn no_model() -> Error {
    bad("it is no model of nrdr: give a file that holds one")
}

/// An array: its values in little-endian bytes.
#[derive(Clone)]
pub(super) struct Array<'a> {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Cow<'a, [u8]>,
}

impl<'a> Array<'a> {
    pub(super) fn of_u32(values: &[u32]) -> Self {
        let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Array { dtype: Dtype::U32, shape: vec![values.len()], bytes }
    }

    pub(super) fn of_f64(values: &[f64], shape: &[usize]) -> Self {
        let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Array { dtype: Dtype::F64, shape: shape.to_vec(), bytes }
    }

    /// Points in the shortest type that loses nothing: whole numbers below 256, single or double precision.
    pub(super) fn of_points(points: &Points) -> Self {
        let values = points.values();
        let shape = vec![points.rows(), points.columns()];
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        if values.iter().all(|&v| same(f64::from(v as u8), v)) {
            let bytes = values.iter().map(|&v| v as u8).collect();
            return Array { dtype: Dtype::U8, shape, bytes };
        }
        if values.iter().all(|&v| same(f64::from(v as f32), v)) {
            let bytes = values.iter().flat_map(|&v| (v as f32).to_le_bytes()).collect();
            return Array { dtype: Dtype::F32, shape, bytes };
        }
        Array::of_f64(values, &shape)
    }

    /// The name of the type.
    pub(super) fn kind(&self) -> String {
        self.dtype.to_string()
    }

    pub(super) fn to_f64(&self) -> Result<Vec<f64>> {
        match self.dtype {
            Dtype::F64 => {
                Ok(self.bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect())
            }
            Dtype::F32 => {
                let values = self.bytes.as_chunks().0.iter();
                Ok(values.map(|b| f64::from(f32::from_le_bytes(*b))).collect())
            }
            Dtype::U8 => Ok(self.bytes.iter().map(|b| f64::from(*b)).collect()),
            other => Err(damaged(format!("an array of type {other}"))),
        }
    }

    pub(super) fn to_u32(&self) -> Result<Vec<u32>> {
        match self.dtype {
            Dtype::U32 => {
                Ok(self.bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect())
            }
            other => Err(damaged(format!("an array of type {other}"))),
        }
    }

    /// Rows of equal length.
    pub(super) fn to_points(&self) -> Result<Points> {
        let [rows, columns] = self.shape[..] else {
            return Err(damaged("a table that is none"));
        };
        if rows == 0 || columns == 0 {
            return Err(damaged("a table without values"));
        }
        Points::new(self.to_f64()?, columns).map_err(damaged)
    }
}

/// Arrays by their names, and the JSON text.
pub(super) struct Container<'a> {
    pub(super) text: String,
    pub(super) arrays: BTreeMap<String, Array<'a>>,
}

impl<'a> Container<'a> {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let checksum =
            Array { dtype: Dtype::U8, shape: vec![32], bytes: Cow::Owned(self.checksum()) };
        let all = self.arrays.iter().map(|(name, array)| (name.as_str(), array));
        let all = all.chain([(CHECKSUM, &checksum)]);
        let views: Vec<(&str, TensorView<'_>)> = all
            .map(|(name, array)| {
                let view = TensorView::new(array.dtype, array.shape.clone(), &array.bytes);
                view.map(|view| (name, view)).map_err(|error| bad(error.to_string()))
            })
            .collect::<Result<_>>()?;
        let entry = HashMap::from([(ENTRY.to_string(), self.text.clone())]);
        safetensors::serialize(views, Some(entry)).map_err(|error| bad(error.to_string()))
    }

    /// Reads a container whose bytes are as they were written; `check` looks at the text before, so that another version
    /// may have another checksum.
    pub(super) fn from_bytes(
        bytes: &'a [u8],
        check: impl FnOnce(&str) -> Result<()>,
    ) -> Result<Self> {
        let (container, checksum) = Self::with_checksum(bytes, check)?;
        if container.checksum() == checksum.bytes.as_ref() {
            Ok(container)
        } else {
            Err(damaged("its checksum is wrong"))
        }
    }

    /// Reads a container and the checksum that it claims to have.
    pub(super) fn with_checksum(
        bytes: &'a [u8],
        check: impl FnOnce(&str) -> Result<()>,
    ) -> Result<(Self, Array<'a>)> {
        check_head(bytes)?;
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let entry = metadata.metadata().as_ref().and_then(|entries| entries.get(ENTRY));
        let text = entry.ok_or_else(no_model)?;
        check(text)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let mut arrays: BTreeMap<String, Array<'a>> = tensors
            .tensors()
            .into_iter()
            .map(|(name, view)| {
                let bytes = Cow::Borrowed(view.data());
                (name, Array { dtype: view.dtype(), shape: view.shape().to_vec(), bytes })
            })
            .collect();
        let checksum = arrays.remove(CHECKSUM).ok_or_else(|| damaged("no checksum"))?;
        Ok((Container { text: text.clone(), arrays }, checksum))
    }

    /// All arrays that are left, taken out.
    pub(super) fn rest(&mut self) -> Result<Arrays> {
        let mut rest = Arrays::default();
        for (name, array) in std::mem::take(&mut self.arrays) {
            if array.dtype == Dtype::U32 {
                rest.put_indices(&name, &array.to_u32()?);
            } else {
                rest.put(&name, &array.to_f64()?);
            }
        }
        Ok(rest)
    }

    /// The array of a name, taken out.
    pub(super) fn take(&mut self, name: &str) -> Result<Array<'a>> {
        self.arrays.remove(name).ok_or_else(|| damaged(format!("no array {name}")))
    }

    fn checksum(&self) -> Vec<u8> {
        let mut sum = Sha256::new();
        let mut add = |bytes: &[u8]| {
            sum.update((bytes.len() as u64).to_le_bytes());
            sum.update(bytes);
        };
        add(self.text.as_bytes());
        for (name, array) in &self.arrays {
            add(name.as_bytes());
            add(array.kind().as_bytes());
            let sizes = array.shape.iter().flat_map(|size| (*size as u64).to_le_bytes());
            add(&sizes.collect::<Vec<u8>>());
            add(&array.bytes);
        }
        sum.finalize().to_vec()
    }
}

/// Where an array is.
#[derive(Deserialize)]
struct Entry {
    data_offsets: Option<[u64; 2]>,
}

/// Whether a container may begin like this: eight bytes that are the length of a head, and its brace.
pub(super) fn may_begin(bytes: &[u8]) -> bool {
    let length = bytes.first_chunk().map(|length| u64::from_le_bytes(*length));
    length.is_some_and(|length| length <= LONGEST_HEAD) && bytes.get(8) == Some(&b'{')
}

/// Refuses a head that is too long or places arrays outside the file, which the library does not expect.
fn check_head(bytes: &[u8]) -> Result<()> {
    let length = bytes.first_chunk().filter(|_| may_begin(bytes));
    let length = length.ok_or_else(no_model)?;
    let end = 8 + u64::from_le_bytes(*length) as usize;
    let head = bytes.get(8..end).ok_or_else(|| damaged("it ends too early"))?;
    let head: HashMap<String, Entry> = serde_json::from_slice(head).map_err(damaged)?;
    for (name, entry) in head.iter().filter(|(name, _)| *name != "__metadata__") {
        let inside = |ends: [u64; 2]| ends.iter().all(|end| *end <= bytes.len() as u64);
        if !entry.data_offsets.is_some_and(inside) {
            return Err(damaged(format!("array {name} is not inside the file")));
        }
    }
    Ok(())
}
