//! The method and the options, from dictionaries.

use nrdr::{
    Alpha, DiffusionMaps, End, HessianLle, Isomap, Kernel, KernelPca, LaplacianEigenmaps, Length,
    Lle, Ltsa, Method, Options, Policy, Precomputed, Regression, SelectionOptions, SmootherOptions,
    SolverKind, SolverOptions, Strategy, Weights,
};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The most coordinates, when their number is to be found out.
const MOST_DIMS: usize = 10;

/// Parameters by their names.
pub(crate) struct Parameters<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Parameters<'_, 'py> {
    fn item(&self, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.0.get_item(name)?.ok_or_else(|| PyTypeError::new_err(format!("{name} is missing")))
    }

    /// A number; one that is no number is named.
    fn float(&self, name: &str) -> PyResult<f64> {
        let value = self.item(name)?;
        value.extract().map_err(|_| wrong(name, &value, "a number"))
    }

    /// A number, or nothing.
    fn float_or_none(&self, name: &str) -> PyResult<Option<f64>> {
        match self.item(name)?.is_none() {
            true => Ok(None),
            false => self.float(name).map(Some),
        }
    }

    /// A number; `None` for the word "auto".
    fn float_or_auto(&self, name: &str) -> PyResult<Option<f64>> {
        let value = self.item(name)?;
        match is_auto(&value) {
            true => Ok(None),
            false => {
                value.extract().map(Some).map_err(|_| wrong(name, &value, "a number or \"auto\""))
            }
        }
    }

    /// A whole number. The library takes none below 1, and refuses zero itself.
    fn count(&self, name: &str) -> PyResult<usize> {
        whole(name, &self.item(name)?, "a whole number")
    }

    /// A whole number; `None` for the word "auto".
    fn count_or_auto(&self, name: &str) -> PyResult<Option<usize>> {
        let value = self.item(name)?;
        match is_auto(&value) {
            true => Ok(None),
            false => whole(name, &value, "a whole number or \"auto\"").map(Some),
        }
    }

    /// A whole number, or nothing.
    fn count_or_none(&self, name: &str) -> PyResult<Option<usize>> {
        match self.item(name)?.is_none() {
            true => Ok(None),
            false => self.count(name).map(Some),
        }
    }

    /// One of several words.
    fn word<T: Clone>(&self, name: &str, words: &[(&str, T)]) -> PyResult<T> {
        let value = self.item(name)?;
        let given: Option<String> = value.extract().ok();
        let known = words.iter().find(|(word, _)| Some(*word) == given.as_deref());
        known.map(|(_, meaning)| meaning.clone()).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            out_of_range(name, &value, &words.join(", "))
        })
    }

    /// A number for each point, or nothing.
    fn vector(&self, name: &str) -> PyResult<Option<Vec<f64>>> {
        let value = self.item(name)?;
        let array: Option<PyReadonlyArray1<'_, f64>> =
            value.extract().map_err(|_| wrong(name, &value, "an array of float64"))?;
        Ok(array.map(|array| array.as_array().iter().copied().collect()))
    }

    /// The method of this name with its parameters.
    pub(crate) fn method(&self, name: &str) -> PyResult<Box<dyn Method>> {
        Ok(match name {
            "lem" => Box::new(LaplacianEigenmaps { weights: self.weights()? }),
            "dfm" => Box::new(DiffusionMaps {
                epsilon: self.float_or_none("epsilon")?,
                density: self.float("density")?,
                time: self.float("time")?,
            }),
            "lle" => Box::new(Lle { regularization: self.float("reg")? }),
            "hlle" => Box::new(HessianLle { local_dimension: self.count_or_none("local_dim")? }),
            "ltsa" => Box::new(Ltsa { local_dimension: self.count_or_none("local_dim")? }),
            "isomap" => Box::new(Isomap::default()),
            "kpca" => {
                Box::new(KernelPca { kernel: self.kernel()?, gamma: self.float_or_none("gamma")? })
            }
            "precomputed" => Box::new(Precomputed {
                end: self.word("end", &[("largest", End::Largest), ("smallest", End::Smallest)])?,
                scale: self.vector("scale")?,
                trivial: self.vector("trivial")?,
                bound: self.float_or_none("bound")?,
                length: self
                    .word("length", &[("one", Length::One), ("root", Length::SquareRoot)])?,
            }),
            other => return Err(PyValueError::new_err(format!("there is no method {other}"))),
        })
    }

    fn weights(&self) -> PyResult<Weights> {
        let sigma = self.float_or_none("sigma")?;
        let weights = [("binary", Weights::Binary), ("heat", Weights::Heat { sigma })];
        match (self.word("weights", &weights)?, sigma) {
            (Weights::Binary, Some(_)) => Err(PyValueError::new_err(
                "sigma has no meaning for binary weights: add weights=\"heat\"",
            )),
            (weights, _) => Ok(weights),
        }
    }

    fn kernel(&self) -> PyResult<Kernel> {
        let constant = self.float("coef0")?;
        let degree = u32::try_from(self.count("degree")?).unwrap_or(u32::MAX);
        let kernels = [
            ("rbf", Kernel::Rbf),
            ("poly", Kernel::Polynomial { degree, constant }),
            ("cosine", Kernel::Cosine),
            ("sigmoid", Kernel::Sigmoid { constant }),
            ("linear", Kernel::Linear),
        ];
        self.word("kernel", &kernels)
    }

    /// How to embed. Threads are not part of it: the pool around the work has them.
    pub(crate) fn options(&self) -> PyResult<Options> {
        let dims = self.count_or_auto("n_components")?;
        let policies =
            [("connect", Policy::Connect), ("largest", Policy::Largest), ("error", Policy::Error)];
        let solvers = [
            ("auto", SolverKind::Auto),
            ("dense", SolverKind::Dense),
            ("lanczos", SolverKind::Lanczos),
            ("shift-invert", SolverKind::ShiftInvert),
        ];
        Ok(Options {
            dims: dims.unwrap_or(MOST_DIMS),
            auto_dims: dims.is_none(),
            neighbors: self.count("n_neighbors")?,
            components: self.word("components", &policies)?,
            strategy: self.strategy()?,
            solver: SolverOptions {
                kind: self.word("eigen_solver", &solvers)?,
                tolerance: self.float("tol")?,
                max_iterations: self.count("max_iter")?,
            },
            seed: self.item("seed")?.extract()?,
            ..Default::default()
        })
    }

    fn strategy(&self) -> PyResult<Strategy> {
        let strategies = self.strategies()?.map(|strategy| (strategy.name(), strategy));
        self.word("strategy", &strategies)
    }

    /// The strategies of these names.
    pub(crate) fn strategies_named(&self, names: &[String]) -> PyResult<Vec<Strategy>> {
        let all = self.strategies()?;
        let named = |name: &String| {
            let known = all.iter().find(|strategy| strategy.name() == name).cloned();
            known.ok_or_else(|| PyValueError::new_err(format!("there is no strategy {name}")))
        };
        names.iter().map(named).collect()
    }

    /// All strategies with their options.
    fn strategies(&self) -> PyResult<[Strategy; 5]> {
        let regressions =
            [("nw", Regression::NadarayaWatson), ("local-linear", Regression::LocallyLinear)];
        let smoother = SmootherOptions {
            alpha: self.float_or_auto("alpha")?.map_or(Alpha::Auto, Alpha::Fixed),
            regression: self.word("smoother", &regressions)?,
            ..Default::default()
        };
        let candidates = self.count_or_none("candidates")?;
        Ok([
            Strategy::Unpredictable(smoother.clone()),
            Strategy::Orthogonal,
            Strategy::Selection(SelectionOptions { candidates, ..Default::default() }),
            Strategy::Regression(smoother),
            Strategy::Advection,
        ])
    }

    /// Number of threads; `None` means all cores.
    pub(crate) fn threads(&self) -> PyResult<Option<usize>> {
        self.count_or_none("n_threads")
    }
}

fn is_auto(value: &Bound<'_, PyAny>) -> bool {
    value.extract::<String>().is_ok_and(|word| word == "auto")
}

fn whole(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyResult<usize> {
    let number: i64 = value.extract().map_err(|_| wrong(name, value, expected))?;
    usize::try_from(number).map_err(|_| out_of_range(name, value, "at least 1"))
}

fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    PyTypeError::new_err(format!("{name} = {} must be {expected}", shown(value)))
}

fn out_of_range(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    PyValueError::new_err(format!(
        "{name} = {} is out of range: it must be {expected}",
        shown(value)
    ))
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "?".to_string(), |text| text.to_string())
}
