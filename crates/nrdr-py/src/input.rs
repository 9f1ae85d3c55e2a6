//! What is embedded, from arrays: one copy of the values, whatever their type and order.
//!
//! The copy is made while the interpreter is held. Work goes on without it, when any Python thread may write to the
//! array, also through a view of it that no flag keeps from writing: values that are only borrowed would change under the
//! work. Of the copy no other is made, since what new points need shares it.

use nrdr::{EdgeKind, Graph, Input, Matrix, Points, SparseMatrix, SymmetricMatrix};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::failure::{Failure, of_columns};

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
    Dense {
        values: Vec<f64>,
        columns: usize,
    },
    /// Rows one after another.
    Sparse {
        offsets: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<f64>,
    },
}

impl Values {
    /// From an array, or from the parts (data, indices, indptr) of a sparse matrix in rows.
    pub(crate) fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(parts) = data.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>)>()
        {
            return sparse(parts);
        }
        let (values, columns) = dense(data)?;
        Ok(Values::Dense { values, columns })
    }

    /// What the values are: `points`, whose columns have these names or none, `distances`, `affinities` or a `matrix`. Of
    /// sparse distances so many neighbours of each point are used.
    pub(crate) fn take_as(
        self,
        kind: &str,
        names: &[String],
        neighbors: usize,
    ) -> Result<Given, Failure> {
        Ok(match (kind, self) {
            ("points", Values::Dense { values, columns }) => {
                let points = Points::new(values, columns);
                Given::Points(points.map_err(|error| of_columns(error, names))?)
            }
            ("points", Values::Sparse { .. }) => {
                return Err(Failure::Usage("points cannot be sparse: give an array".to_string()));
            }
            ("distances", Values::Dense { values, .. }) => {
                Given::Distances(SymmetricMatrix::new(values)?)
            }
            ("distances", Values::Sparse { offsets, columns, values }) => {
                Given::Graph(Graph::from_neighbors(offsets, columns, values, neighbors)?)
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
            Values::Sparse { offsets, columns, values } => {
                SparseMatrix::from_rows(offsets, columns, values)?
            }
            Values::Dense { values, .. } => {
                SparseMatrix::from_dense(&SymmetricMatrix::new(values)?)
            }
        })
    }
}

fn sparse(
    (values, columns, offsets): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>),
) -> PyResult<Values> {
    let values = match values.cast::<PyArray1<f64>>() {
        Ok(values) => each(values, Some)?,
        Err(_) => each(values.cast::<PyArray1<f32>>()?, |value| Some(f64::from(value)))?,
    };
    Ok(Values::Sparse { offsets: indices(&offsets)?, columns: indices(&columns)?, values })
}

/// Indices of the two types that scipy has for them.
fn indices<T: TryFrom<i64>>(array: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let index = |value: i64| T::try_from(value).ok();
    match array.cast::<PyArray1<i32>>() {
        Ok(array) => each(array, |value| index(value.into())),
        Err(_) => each(array.cast::<PyArray1<i64>>()?, index),
    }
}

/// Each value of an array as another.
fn each<T: Element + Copy, V>(
    array: &Bound<'_, PyArray1<T>>,
    value: impl Fn(T) -> Option<V>,
) -> PyResult<Vec<V>> {
    let array = array.try_readonly().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let values: Option<Vec<V>> = array.as_array().iter().map(|&entry| value(entry)).collect();
    values.ok_or_else(|| PyValueError::new_err("the sparse matrix is broken: an index is negative"))
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
