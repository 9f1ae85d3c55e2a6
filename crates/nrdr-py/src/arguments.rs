//! The method, the strategy and the options, from dictionaries.

use std::path::PathBuf;

use nrdr::parameter::{Parameter, Slot, Value};
use nrdr::{
    Dims, Method, Metric, Options, Policy, Search, SolverKind, SolverOptions, Strategy, method,
    size,
};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;

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

    /// A whole number. The library takes none below 1, and refuses zero itself.
    fn count(&self, name: &str) -> PyResult<usize> {
        whole(name, &self.item(name)?, "a whole number")
    }

    /// A whole number; `None` for the word "auto".
    fn count_or_auto(&self, name: &str) -> PyResult<Option<usize>> {
        let value = self.item(name)?;
        if is_auto(&value) {
            return Ok(None);
        }
        whole(name, &value, "a whole number or \"auto\"").map(Some)
    }

    /// A whole number, or nothing.
    fn count_or_none(&self, name: &str) -> PyResult<Option<usize>> {
        if self.item(name)?.is_none() { Ok(None) } else { self.count(name).map(Some) }
    }

    /// A parameter that the library declares, from what Python has under its name.
    fn give(&self, parameter: &mut Parameter<'_>) -> PyResult<()> {
        let item = self.item(parameter.name)?;
        let Some(value) = value_of(&item) else {
            return Err(wrong(parameter.name, &item, &parameter.expected()));
        };
        match parameter.set(&value) {
            Ok(()) => Ok(()),
            Err(nrdr::Error::Kind { expected, .. }) => Err(wrong(parameter.name, &item, &expected)),
            Err(nrdr::Error::Parameter { expected, .. }) => {
                Err(out_of_range(parameter.name, &item, &expected))
            }
            Err(error) => Err(Failure::Library(error).into()),
        }
    }

    fn give_all(&self, parameters: Vec<Parameter<'_>>) -> PyResult<()> {
        parameters.into_iter().try_for_each(|mut parameter| self.give(&mut parameter))
    }

    /// A word that one of the library's types knows.
    fn word<T: Slot + Default>(&self, name: &'static str) -> PyResult<T> {
        let mut value = T::default();
        self.give(&mut Parameter::new(name, &mut value, ""))?;
        Ok(value)
    }

    /// The method of this name with its parameters.
    pub(crate) fn method(&self, name: &str) -> PyResult<Box<dyn Method>> {
        let mut method = method::by_name(name).map_err(Failure::Library)?;
        self.give_all(method.parameters())?;
        Ok(method)
    }

    /// How to embed. Threads are not part of it: the pool around the work has them.
    pub(crate) fn options(&self) -> PyResult<Options> {
        let dims = self.count_or_auto("n_components")?;
        Ok(Options {
            dims: dims.map_or(Dims::AUTO, Dims::Exactly),
            neighbors: self.count("n_neighbors")?,
            metric: self.metric()?,
            search: self.word::<Search>("search")?,
            recall: self.float("recall")?,
            components: self.word::<Policy>("components")?,
            strategy: self.strategy()?,
            solver: SolverOptions {
                kind: self.word::<SolverKind>("eigen_solver")?,
                tolerance: self.float("tol")?,
                max_iterations: self.count("max_iter")?,
                ..Default::default()
            },
            seed: self.item("seed")?.extract()?,
            memory: self.memory()?,
            ..Default::default()
        })
    }

    /// The core's metric; the Euclidean one where the method has none.
    fn metric(&self) -> PyResult<Metric> {
        let Some(item) = self.0.get_item("metric")? else { return Ok(Metric::default()) };
        let name: String = item.extract().map_err(|_| wrong("metric", &item, "a word"))?;
        Ok(name.parse().map_err(Failure::Library)?)
    }

    fn strategy(&self) -> PyResult<Strategy> {
        let item = self.item("strategy")?;
        let name: Option<String> = item.extract().ok();
        let known = name.as_deref().and_then(|name| Strategy::by_name(name).ok());
        let known = known.ok_or_else(|| {
            let names: Vec<&str> = Strategy::all().iter().map(Strategy::name).collect();
            out_of_range("strategy", &item, &names.join(", "))
        })?;
        self.with_parameters(&known)
    }

    /// The strategies of these names.
    pub(crate) fn strategies_named(&self, names: &[String]) -> PyResult<Vec<Strategy>> {
        let named = |name: &String| {
            let known = Strategy::by_name(name).map_err(Failure::Library)?;
            self.with_parameters(&known)
        };
        names.iter().map(named).collect()
    }

    fn with_parameters(&self, strategy: &Strategy) -> PyResult<Strategy> {
        let mut failed = Ok(());
        let with = strategy.with(|parameters| {
            failed = self.give_all(parameters);
            Ok(())
        });
        failed?;
        Ok(with.map_err(Failure::Library)?)
    }

    /// Bytes that a run may take: a number, or a text such as "8G".
    fn memory(&self) -> PyResult<Option<u64>> {
        let (value, expected) =
            (self.item("memory")?, "a number of bytes or a size such as \"8G\"");
        if value.is_none() {
            return Ok(None);
        }
        if let Ok(text) = value.extract::<String>() {
            let bytes = size::parse(&text);
            return bytes.map(Some).ok_or_else(|| out_of_range("memory", &value, expected));
        }
        let bytes: f64 = value.extract().map_err(|_| wrong("memory", &value, expected))?;
        if !(bytes >= size::LEAST as f64 && bytes < 1e18) {
            return Err(out_of_range("memory", &value, "at least 1000000 bytes"));
        }
        Ok(Some(bytes as u64))
    }

    /// The file that keeps what is finished, if there is to be one.
    pub(crate) fn checkpoint(&self) -> PyResult<Option<PathBuf>> {
        self.item("checkpoint")?.extract()
    }

    /// Number of threads; `None` means all cores.
    pub(crate) fn threads(&self) -> PyResult<Option<usize>> {
        self.count_or_none("n_threads")
    }
}

/// What Python has, if it is something that a parameter can be.
fn value_of(item: &Bound<'_, PyAny>) -> Option<Value> {
    if item.is_none() {
        return Some(Value::NOTHING);
    }
    if let Ok(word) = item.extract::<String>() {
        return Some(Value::Word(word));
    }
    if let Ok(number) = item.extract::<i64>() {
        let count = u64::try_from(number).map(Value::Count);
        return Some(count.unwrap_or(Value::Number(number as f64)));
    }
    if let Ok(number) = item.extract::<f64>() {
        return Some(Value::Number(number));
    }
    let array: PyReadonlyArray1<'_, f64> = item.extract().ok()?;
    Some(Value::Vector(array.as_array().iter().copied().collect()))
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
