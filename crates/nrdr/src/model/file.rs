//! Models as bytes, and back.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::container::{Array, Container, bad, damaged, may_begin, no_model};
use super::{Extended, Model, Rule, Training, Walk};
use crate::error::Result;
use crate::linalg::SparseMatrix;
use crate::method::{Kernel, KernelPca};
use crate::points::Points;
use crate::smoother::Predictor;

/// What this program writes, and the last version it reads.
const VERSION: u64 = 1;
const FORMAT: &str = "nrdr model";

/// Everything that is no array.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u64,
    method: String,
    strategy: String,
    neighbors: usize,
    columns: usize,
    rule: RuleHead,
    notes: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RuleHead {
    Walk { epsilon: Option<f64>, density: Option<f64>, heaviest: f64, least_share: f64 },
    Barycentric { regularization: f64 },
    Kernel { kernel: KernelHead, gamma: f64 },
    Geodesic {},
    Row {},
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KernelHead {
    Rbf {},
    Polynomial { degree: u32, constant: f64 },
    Cosine {},
    Sigmoid { constant: f64 },
    Linear {},
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
        let head = Head {
            format: FORMAT.to_string(),
            version: VERSION,
            method: self.method.clone(),
            strategy: self.strategy.clone(),
            neighbors: self.neighbors,
            columns: self.columns(),
            rule: rule_head(&self.rule),
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
        match &self.rule {
            Rule::Walk(Walk { density: Some((_, factors)), .. }) => {
                put("factors", Array::of_f64(factors, &[factors.len()]));
            }
            Rule::Geodesic { graph } => {
                let ends: Vec<u32> = graph.offsets[1..].iter().map(|&end| end as u32).collect();
                if graph.columns.len() > u32::MAX as usize {
                    return Err(bad("its graph is too large for a file: choose fewer neighbors"));
                }
                put("graph.ends", Array::of_u32(&ends));
                put("graph.columns", Array::of_u32(&graph.columns));
                put("graph.lengths", Array::of_f64(&graph.values, &[graph.values.len()]));
            }
            _ => {}
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
        let is = |right: bool, what: &str| if right { Ok(()) } else { Err(damaged(what)) };
        is(self.values.columns() == dims && dims > 0, "the numbers of coordinates differ")?;
        is(self.neighbors >= 1, "no neighbours")?;
        match &self.training {
            Training::Points(points) => is(points.rows() == n, "the numbers of points differ")?,
            Training::Distances { rows, input } => {
                let inside = rows.iter().all(|&row| (row as usize) < *input);
                is(rows.len() == n && inside, "rows that there are not")?;
            }
            Training::Row => {}
        }
        let positive = |v: f64| v > 0.0 && v.is_finite();
        let points = matches!(self.training, Training::Points(_));
        match &self.rule {
            Rule::Walk(walk) => {
                is(walk.epsilon.is_none_or(positive), "an epsilon that is not positive")?;
                let share = walk.least_share;
                is(positive(walk.heaviest) && share > 0.0 && share <= 1.0, "weights of the walk")?;
                if let Some((power, factors)) = &walk.density {
                    let right = (0.0..=1.0).contains(power) && factors.iter().all(|&f| positive(f));
                    is(factors.len() == n && right, "its densities")?;
                }
                is(!matches!(self.training, Training::Row), "no training points")?;
            }
            Rule::Barycentric { regularization } => {
                is(positive(*regularization) && points, "no training points")?;
            }
            Rule::Kernel(kernel) => {
                kernel.check_parameters().map_err(damaged)?;
                is(points, "no training points")?;
            }
            Rule::Geodesic { graph } => {
                is(graph.offsets.len() == n + 1, "its graph has another size")?;
                is(!matches!(self.training, Training::Row), "no training points")?;
            }
            Rule::Row => is(matches!(self.training, Training::Row), "training points")?,
        }
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            let Extended { eigenvalue, constant, predictor } = coordinate;
            is(eigenvalue.is_finite() && constant.is_finite(), "a coordinate that is not finite")?;
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

fn check_version(text: &str) -> Result<()> {
    let Version { format, version } = serde_json::from_str(text).map_err(damaged)?;
    if format != FORMAT {
        return Err(no_model());
    }
    if version > VERSION {
        return Err(bad(format!(
            "it has version {version} and this program knows up to {VERSION}: take a newer nrdr"
        )));
    }
    Ok(())
}

fn rule_head(rule: &Rule) -> RuleHead {
    match rule {
        Rule::Walk(Walk { epsilon, density, heaviest, least_share }) => RuleHead::Walk {
            epsilon: *epsilon,
            density: density.as_ref().map(|(power, _)| *power),
            heaviest: *heaviest,
            least_share: *least_share,
        },
        Rule::Barycentric { regularization } => {
            RuleHead::Barycentric { regularization: *regularization }
        }
        Rule::Kernel(KernelPca { kernel, gamma }) => RuleHead::Kernel {
            kernel: match *kernel {
                Kernel::Rbf => KernelHead::Rbf {},
                Kernel::Polynomial { degree, constant } => {
                    KernelHead::Polynomial { degree, constant }
                }
                Kernel::Cosine => KernelHead::Cosine {},
                Kernel::Sigmoid { constant } => KernelHead::Sigmoid { constant },
                Kernel::Linear => KernelHead::Linear {},
            },
            gamma: gamma.unwrap_or(1.0),
        },
        Rule::Geodesic { .. } => RuleHead::Geodesic {},
        Rule::Row => RuleHead::Row {},
    }
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
    let rule = match head.rule {
        RuleHead::Walk { epsilon, density, heaviest, least_share } => {
            let factors = density.map(|power| Ok((power, container.take("factors")?.to_f64()?)));
            Rule::Walk(Walk { epsilon, density: factors.transpose()?, heaviest, least_share })
        }
        RuleHead::Barycentric { regularization } => Rule::Barycentric { regularization },
        RuleHead::Kernel { kernel, gamma } => {
            let kernel = match kernel {
                KernelHead::Rbf {} => Kernel::Rbf,
                KernelHead::Polynomial { degree, constant } => {
                    Kernel::Polynomial { degree, constant }
                }
                KernelHead::Cosine {} => Kernel::Cosine,
                KernelHead::Sigmoid { constant } => Kernel::Sigmoid { constant },
                KernelHead::Linear {} => Kernel::Linear,
            };
            Rule::Kernel(KernelPca { kernel, gamma: Some(gamma) })
        }
        RuleHead::Geodesic {} => Rule::Geodesic { graph: read_graph(container)? },
        RuleHead::Row {} => Rule::Row,
    };
    let eigenvalues = container.take("eigenvalues")?.to_f64()?;
    let constants = container.take("constants")?.to_f64()?;
    if eigenvalues.len() != constants.len() {
        return Err(damaged("the numbers of coordinates differ"));
    }
    let mut coordinates = Vec::new();
    for (i, (&eigenvalue, &constant)) in eigenvalues.iter().zip(&constants).enumerate() {
        let predictor = read_predictor(container, &format!("predictor.{}", i + 1))?;
        coordinates.push(Extended { eigenvalue, constant, predictor });
    }
    let mut tables = BTreeMap::new();
    while let Some((name, array)) = container.arrays.pop_first() {
        let table = name.strip_prefix("table.");
        let table = table.ok_or_else(|| damaged(format!("an unknown array {name}")))?;
        tables.insert(table.to_string(), array.to_points()?);
    }
    let model = Model {
        method: head.method,
        strategy: head.strategy,
        neighbors: head.neighbors,
        training,
        rule,
        values,
        coordinates,
        notes: head.notes,
        tables,
        search: OnceLock::new(),
    };
    match model.columns() == head.columns {
        true => Ok(model),
        false => Err(damaged("the numbers of columns differ")),
    }
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

fn read_graph(container: &mut Container<'_>) -> Result<SparseMatrix> {
    let ends = container.take("graph.ends")?.to_u32()?;
    let columns = container.take("graph.columns")?.to_u32()?;
    let values = container.take("graph.lengths")?.to_f64()?;
    let offsets: Vec<usize> =
        std::iter::once(0).chain(ends.iter().map(|&end| end as usize)).collect();
    let ordered = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    let inside = columns.iter().all(|&column| (column as usize) < ends.len());
    let lengths = values.iter().all(|length| *length >= 0.0 && length.is_finite());
    let sizes = offsets.last() == Some(&columns.len()) && columns.len() == values.len();
    match ordered && inside && lengths && sizes {
        true => Ok(SparseMatrix { offsets, columns, values }),
        false => Err(damaged("its graph is none")),
    }
}
