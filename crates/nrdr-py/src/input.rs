//! What is embedded, from arrays: one copy of the values, whatever their type and order.

use nrdr::{EdgeKind, Graph, Input, Matrix, Points, SparseMatrix, SymmetricMatrix};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::failure::Failure;

/// What is embedded, as the library takes it.
pub(crate) enum Given {
    Points(Points),
    Distances(SymmetricMatrix),
    Graph(Graph),
    Matrix(Matrix),
}

impl Given {
    pub(crate) fn input(&self) -> Input<'_> {
        match self {
            Given::Points(points) => points.into(),
            Given::Distances(distances) => distances.into(),
            Given::Graph(graph) => graph.into(),
            Given::Matrix(matrix) => matrix.into(),
        }
    }

    /// Number of points.
    pub(crate) fn size(&self) -> usize {
        match self {
            Given::Points(points) => points.rows(),
            Given::Distances(distances) => distances.size(),
            Given::Graph(graph) => graph.edges.size(),
            Given::Matrix(matrix) => matrix.size(),
        }
    }
}

/// Values that Python brought, not yet looked at.
pub(crate) enum Values {
    Dense { values: Vec<f64>, columns: usize },
    Sparse { size: usize, entries: Vec<(usize, usize, f64)> },
}

impl Values {
    /// From an array, or from the parts (data, indices, indptr) of a sparse matrix in rows.
    pub(crate) fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        type Parts<'py> =
            (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>);
        if let Ok((values, columns, offsets)) = data.extract::<Parts<'_>>() {
            return sparse(&values, &columns, &offsets);
        }
        let (values, columns) = dense(data)?;
        Ok(Values::Dense { values, columns })
    }

    /// What the values are: `points`, `distances`, `affinities` or a `matrix`.
    pub(crate) fn take_as(self, kind: &str) -> Result<Given, Failure> {
        Ok(match (kind, self) {
            ("points", Values::Dense { values, columns }) => {
                Given::Points(Points::new(values, columns)?)
            }
            ("points", Values::Sparse { .. }) => {
                return Err(Failure::Usage("points cannot be sparse: give an array".to_string()));
            }
            ("distances", Values::Dense { values, .. }) => {
                Given::Distances(SymmetricMatrix::new(values)?)
            }
            ("distances", Values::Sparse { size, entries }) => {
                let edges = SparseMatrix::new(size, &both_ways(entries))?;
                Given::Graph(Graph { edges, kind: EdgeKind::Length })
            }
            ("affinities", values) => {
                let edges = values.sparse_matrix()?;
                Given::Graph(Graph { edges, kind: EdgeKind::Affinity })
            }
            (_, Values::Dense { values, .. }) => {
                Given::Matrix(SymmetricMatrix::new(values)?.into())
            }
            (_, values) => Given::Matrix(values.sparse_matrix()?.into()),
        })
    }

    fn sparse_matrix(self) -> Result<SparseMatrix, Failure> {
        Ok(match self {
            Values::Sparse { size, entries } => SparseMatrix::new(size, &entries)?,
            Values::Dense { values, columns } => {
                let full = SymmetricMatrix::new(values)?;
                let entry = |(at, value): (usize, &f64)| (at / columns, at % columns, *value);
                let entries = full.values().iter().enumerate().map(entry);
                let entries: Vec<_> = entries.filter(|entry| entry.2 != 0.0).collect();
                SparseMatrix::new(full.size(), &entries)?
            }
        })
    }
}

/// Edges of a neighbour graph, of which each may be named from one end only, named from both.
fn both_ways(entries: Vec<(usize, usize, f64)>) -> Vec<(usize, usize, f64)> {
    let mut all: Vec<(usize, usize, f64)> = entries
        .into_iter()
        .filter(|(i, j, _)| i != j)
        .flat_map(|(i, j, value)| [(i, j, value), (j, i, value)])
        .collect();
    all.sort_by_key(|&(i, j, _)| (i, j));
    all.dedup_by_key(|&mut (i, j, _)| (i, j));
    all
}

fn sparse(
    values: &PyReadonlyArray1<'_, f64>,
    columns: &PyReadonlyArray1<'_, i64>,
    offsets: &PyReadonlyArray1<'_, i64>,
) -> PyResult<Values> {
    let (values, columns, offsets) = (values.as_array(), columns.as_array(), offsets.as_array());
    let broken = || PyValueError::new_err("the sparse matrix is broken: its parts do not fit");
    let size = offsets.len().checked_sub(1).ok_or_else(broken)?;
    let mut entries = Vec::with_capacity(values.len());
    for row in 0..size {
        let ends = (usize::try_from(offsets[row]), usize::try_from(offsets[row + 1]));
        let (Ok(start), Ok(end)) = ends else { return Err(broken()) };
        for at in start..end {
            let (Some(&column), Some(&value)) = (columns.get(at), values.get(at)) else {
                return Err(broken());
            };
            entries.push((row, usize::try_from(column).map_err(|_| broken())?, value));
        }
    }
    Ok(Values::Sparse { size, entries })
}

/// The values of an array row after row, and its number of columns.
pub(crate) fn dense(data: &Bound<'_, PyAny>) -> PyResult<(Vec<f64>, usize)> {
    if let Ok(array) = data.cast::<PyArray2<f64>>() {
        return rows(array);
    }
    match data.cast::<PyArray2<f32>>() {
        Ok(array) => rows(array),
        Err(_) => {
            Err(PyTypeError::new_err("expected an array of float64 or float32, rows by columns"))
        }
    }
}

fn rows<T: Element + Copy + Into<f64>>(
    array: &Bound<'_, PyArray2<T>>,
) -> PyResult<(Vec<f64>, usize)> {
    let array = array.try_readonly().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let view = array.as_array();
    let values = match view.as_slice() {
        Some(values) => values.iter().map(|&value| value.into()).collect(),
        None => view.iter().map(|&value| value.into()).collect(),
    };
    Ok((values, view.ncols()))
}

/// A table as an array.
pub(crate) fn array<'py>(py: Python<'py>, points: &Points) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, points.values()).reshape([points.rows(), points.columns()])
}
