//! The compiled half of the Python package: `nrdr._nrdr`, on which `python/nrdr` builds.
//!
//! Arrays come in, arrays and JSON go out. What users see, from names to defaults, is in Python.

#![forbid(unsafe_code)]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod arguments;
mod catalog;
mod compare;
mod datasets;
mod failure;
mod file;
mod fit;
mod input;
mod known;
mod model;
mod neighbors;
mod page;
mod plan;
mod quality;
mod redundancy;
mod work;

#[pyo3::pymodule]
mod _nrdr {
    use numpy::{PyArray1, PyArrayMethods};
    use pyo3::prelude::*;

    /// Looks up what NumPy offers: a lookup later might be interrupted, and then panic.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.py().import("numpy")?;
        let _ = PyArray1::<f64>::zeros(module.py(), [0], false).try_readonly();
        Ok(())
    }

    #[pymodule_export]
    use crate::catalog::catalog;
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::datasets::{cube, s_curve, strip, swiss_roll, torus};
    #[pymodule_export]
    use crate::file::{check_output, printable, write};
    #[pymodule_export]
    use crate::fit::fit;
    #[pymodule_export]
    use crate::known::explain;
    #[pymodule_export]
    use crate::model::{Model, inextensible};
    #[pymodule_export]
    use crate::neighbors::neighbors;
    #[pymodule_export]
    use crate::page::page;
    #[pymodule_export]
    use crate::plan::plan;
    #[pymodule_export]
    use crate::quality::{kept, qualities};
    #[pymodule_export]
    use crate::redundancy::{redundancy, verdict};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
