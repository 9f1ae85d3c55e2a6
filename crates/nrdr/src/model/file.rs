//! Models as bytes, and back.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::container::{Array, Container, bad, may_begin, no_model};
use super::{Extended, LEFT_OUT, Model};
use crate::error::Result;
use crate::extend::{Arrays, Training, check_part, damaged};
use crate::method::of_named;
use crate::metric::Metric;
use crate::parameter::Named;
use crate::points::Points;
use crate::smoother::Predictor;

/// The version that this program writes, that which it writes where the metric is Euclidean and which knows no other, and the
/// earliest that it reads: that has no `places`.
const VERSION: u64 = 4;
const EUCLIDEAN: u64 = 3;
const EARLIEST: u64 = 2;
const FORMAT: &str = "nrdr model";

/// Everything that is no array.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u64,
    method: Named,
    strategy: Named,
    neighbors: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metric: Option<String>,
    columns: usize,
    notes: BTreeMap<String, String>,
}

/// Only what every version has.
#[derive(Deserialize)]
struct Version {
    format: String,
    version: u64,
}

impl Model {
    /// The model as a file holds it: safetensors with a version and a checksum; `docs/new-points.md` describes it.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let metric = Some(self.metric).filter(|metric| *metric != Metric::Euclidean);
        let head = Head {
            format: FORMAT.to_string(),
            version: if metric.is_some() { VERSION } else { EUCLIDEAN },
            metric: metric.map(|metric| metric.to_string()),
            method: self.method.clone(),
            strategy: self.strategy.clone(),
            neighbors: self.neighbors,
            columns: self.columns(),
            notes: self.notes.clone(),
        };
        let text = serde_json::to_string(&head).map_err(|error| bad(error.to_string()))?;
        let mut container = Container { text, arrays: BTreeMap::new() };
        let mut put = |name: &str, array: Array<'static>| {
            container.arrays.insert(name.to_string(), array);
        };
        let dims = self.dims();
        let of = |value: fn(&Extended) -> f64| {
            let values: Vec<f64> = self.coordinates.iter().map(value).collect();
            Array::of_f64(&values, &[dims])
        };
        put("coordinates", Array::of_f64(self.values.values(), &[self.rows(), dims]));
        put("eigenvalues", of(|c| c.eigenvalue));
        put("constants", of(|c| c.constant));
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            if let Some(source) = &coordinate.source {
                put(&format!("source.{}", i + 1), Array::of_f64(source, &[source.len()]));
            }
            let Some(Predictor { centres, coefficients, bandwidth }) = &coordinate.predictor else {
                continue;
            };
            let shape = [coefficients.len(), centres.rows()];
            let name = format!("predictor.{}", i + 1);
            put(&format!("{name}.centres"), Array::of_points(centres));
            put(&format!("{name}.coefficients"), Array::of_f64(&coefficients.concat(), &shape));
            put(&format!("{name}.bandwidth"), Array::of_f64(&[*bandwidth], &[1]));
        }
        match &self.training {
            Training::Points(points) => put("training", Array::of_points(points)),
            Training::Distances { rows, .. } => put("rows", Array::of_u32(rows)),
            Training::Row => {}
        }
        if let Some(places) = &self.places {
            put("places", Array::of_u32(places));
        }
        let mut arrays = Arrays::default();
        self.extension.save(&mut arrays);
        for (name, values) in &arrays.numbers {
            put(name, Array::of_f64(values, &[values.len()]));
        }
        for (name, values) in &arrays.indices {
            put(name, Array::of_u32(values));
        }
        for (name, table) in &self.tables {
            put(&format!("table.{name}"), Array::of_points(table));
        }
        container.to_bytes()
    }

    /// The model of bytes that [`Model::to_bytes`] made. Whatever else they are gives an error, not more.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model> {
        Self::from_container(Container::from_bytes(bytes, check_version)?)
    }

    /// The same whatever their checksum is: a test that changes bytes comes as far as if it had repaired that.
    #[doc(hidden)]
    pub fn from_bytes_of_any_checksum(bytes: &[u8]) -> Result<Model> {
        Self::from_container(Container::with_checksum(bytes, check_version)?.0)
    }

    fn from_container(mut container: Container<'_>) -> Result<Model> {
        let head: Head = serde_json::from_str(&container.text).map_err(damaged)?;
        let model = read(head, &mut container)?;
        model.check()?;
        Ok(model)
    }

    /// Whether a file whose first nine bytes are these may be a model.
    pub fn may_begin(bytes: &[u8]) -> bool {
        may_begin(bytes)
    }

    /// Refuses parts that do not fit each other.
    fn check(&self) -> Result<()> {
        let (n, dims) = (self.rows(), self.dims());
        let is = check_part;
        is(self.values.columns() == dims && dims > 0, "the numbers of coordinates differ")?;
        is(self.neighbors >= 1, "no neighbours")?;
        match &self.training {
            Training::Points(points) => {
                is(points.rows() == n, "the numbers of points differ")?;
                is(self.metric.check(points).is_ok(), "points that its metric does not know")?;
            }
            _ if self.metric != Metric::Euclidean => is(false, "a metric without points")?,
            Training::Distances { rows, input } => {
                let inside = rows.iter().all(|&row| (row as usize) < *input);
                is(rows.len() == n && inside, "rows that there are not")?;
                let whole = self.places.as_ref().is_none_or(|places| places.len() == *input);
                is(whole, "the numbers of rows differ")?;
            }
            Training::Row => {}
        }
        is(self.places.as_ref().is_none_or(|places| is_order(places, n)), "an order that is none")?;
        let positive = |v: f64| v > 0.0 && v.is_finite();
        let width = self.extension.width();
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            let Extended { eigenvalue, constant, predictor, source } = coordinate;
            is(eigenvalue.is_finite() && constant.is_finite(), "a coordinate that is not finite")?;
            let size = source.as_ref().map_or(width.unwrap_or(n), Vec::len);
            is(size == width.unwrap_or(n), "a source of another size")?;
            is(source.is_some() || width.is_none(), "a coordinate without weights")?;
            let finite = source.iter().flatten().all(|v| v.is_finite());
            is(finite, "a coordinate that is not finite")?;
            if let Some(Predictor { centres, coefficients, bandwidth }) = predictor {
                let terms = coefficients.len();
                let right = centres.columns() == i && (terms == 1 || terms == i + 1);
                is(right && positive(*bandwidth), "a smoother of another size")?;
                let finite = coefficients.iter().flatten().all(|c| c.is_finite());
                let sizes = coefficients.iter().all(|c| c.len() == centres.rows());
                is(finite && sizes, "a smoother that is not finite")?;
            }
        }
        Ok(())
    }
}

/// Whether each of so many training points is the place of one row.
fn is_order(places: &[u32], points: usize) -> bool {
    let mut places: Vec<u32> = places.iter().copied().filter(|&place| place != LEFT_OUT).collect();
    places.sort_unstable();
    places.into_iter().eq(0..points as u32)
}

fn check_version(text: &str) -> Result<()> {
    let Version { format, version } = serde_json::from_str(text).map_err(damaged)?;
    if format != FORMAT {
        return Err(no_model());
    }
    if !(EARLIEST..=VERSION).contains(&version) {
        let way_out = if version > VERSION { "take a newer nrdr" } else { "make it again" };
        return Err(bad(format!(
            "it has version {version} and this program reads versions {EARLIEST} to {VERSION}: {way_out}"
        )));
    }
    Ok(())
}

fn read(head: Head, container: &mut Container<'_>) -> Result<Model> {
    let values = container.take("coordinates")?.to_points()?;
    let training = if container.arrays.contains_key("training") {
        Training::Points(container.take("training")?.to_points()?)
    } else if container.arrays.contains_key("rows") {
        Training::Distances { rows: container.take("rows")?.to_u32()?, input: head.columns }
    } else {
        Training::Row
    };
    let eigenvalues = container.take("eigenvalues")?.to_f64()?;
    let constants = container.take("constants")?.to_f64()?;
    if eigenvalues.len() != constants.len() {
        return Err(damaged("the numbers of coordinates differ"));
    }
    // Parts of earlier coordinates, which the strategy `priced` does not use any more.
    if container.arrays.keys().any(|name| name.starts_with("linear.")) {
        return Err(bad("an earlier form of its strategy made it: make it again".to_string()));
    }
    let mut coordinates = Vec::new();
    for (i, (&eigenvalue, &constant)) in eigenvalues.iter().zip(&constants).enumerate() {
        let predictor = read_predictor(container, &format!("predictor.{}", i + 1))?;
        let source = read_numbers(container, &format!("source.{}", i + 1))?;
        coordinates.push(Extended { eigenvalue, constant, predictor, source });
    }
    let places = match head.version {
        EARLIEST => None,
        _ => Some(container.take("places")?.to_u32()?),
    };
    let mut tables = BTreeMap::new();
    let names: Vec<String> = container.arrays.keys().cloned().collect();
    for (name, table) in names.iter().filter_map(|name| Some((name, name.strip_prefix("table.")?)))
    {
        tables.insert(table.to_string(), container.take(name)?.to_points()?);
    }
    let method = of_named(&head.method).map_err(damaged)?;
    let mut rest = container.rest()?;
    let extension = Arc::from(method.load(&mut rest, &training, values.rows())?);
    if let Some(name) = rest.numbers.keys().chain(rest.indices.keys()).next() {
        return Err(damaged(format!("an unknown array {name}")));
    }
    let metric = head.metric.map_or(Ok(Metric::Euclidean), |metric| metric.parse());
    let metric: Metric = metric.map_err(damaged)?;
    let model = Model {
        method: head.method,
        strategy: head.strategy,
        neighbors: head.neighbors,
        metric,
        training,
        seen: OnceLock::new(),
        extension,
        values,
        coordinates,
        places,
        notes: head.notes,
        tables,
        index: OnceLock::new(),
    };
    check_part(model.columns() == head.columns, "the numbers of columns differ")?;
    Ok(model)
}

/// The numbers of an array, if there is one.
fn read_numbers(container: &mut Container<'_>, name: &str) -> Result<Option<Vec<f64>>> {
    if !container.arrays.contains_key(name) {
        return Ok(None);
    }
    container.take(name)?.to_f64().map(Some)
}

fn read_predictor(container: &mut Container<'_>, name: &str) -> Result<Option<Predictor>> {
    if !container.arrays.contains_key(&format!("{name}.centres")) {
        return Ok(None);
    }
    let centres = container.take(&format!("{name}.centres"))?.to_points()?;
    let coefficients: Points = container.take(&format!("{name}.coefficients"))?.to_points()?;
    let bandwidth = container.take(&format!("{name}.bandwidth"))?.to_f64()?;
    let [bandwidth] = bandwidth[..] else { return Err(damaged("a bandwidth that is none")) };
    let coefficients = (0..coefficients.rows()).map(|c| coefficients.row(c).to_vec()).collect();
    Ok(Some(Predictor { centres, coefficients, bandwidth }))
}
