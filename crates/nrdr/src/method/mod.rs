//! The methods: each turns points, a graph or a matrix into a [`Problem`].

mod alignment;
mod kernel_factor;
mod kernel_low_rank;
mod kernel_numbers;
mod landmarks;
mod near_null;
pub mod share;
mod tangent;
mod walk;

use std::fmt::{self, Debug};

use crate::error::{Error, Inextensible, Result};
use crate::extend::{Arrays, Extend, Training};
use crate::graph::Neighborhoods;
pub use crate::graph::{EdgeKind, Graph};
use crate::linalg::Matrix;
use crate::memory;
use crate::parameter::{Named, Parameter, Value};
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;

/// The files of the methods, and the list that all else reads.
macro_rules! methods {
    ($($file:ident: $method:ident),+ $(,)?) => {
        $(mod $file;)+
        $(use $file::$method;)+

        /// The methods, each by its name.
        pub mod each {
            $(pub use super::$file::$method;)+
        }

        /// All methods with their default parameters.
        pub fn all() -> Vec<Box<dyn Method>> {
            vec![$(Box::new($method::default())),+]
        }
    };
}

methods! {
    lem: LaplacianEigenmaps,
    dfm: DiffusionMaps,
    lle: Lle,
    mlle: ModifiedLle,
    hlle: HessianLle,
    ltsa: Ltsa,
    isomap: Isomap,
    kpca: KernelPca,
    precomputed: Precomputed,
}

pub use kpca::Kernel;
pub use lem::Weights;
use lle::Barycentric;

/// What a method is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The undirected neighbour graph: from points, distances, or a graph.
    Graph,
    /// Points with the list of each one's neighbours.
    Neighborhoods,
    /// Points alone.
    Points,
    /// A matrix that the user brings.
    Matrix,
}

impl Needs {
    /// Whether there is a graph of neighbours.
    pub fn has_graph(self) -> bool {
        matches!(self, Needs::Graph | Needs::Neighborhoods)
    }

    /// In words, for an error message.
    pub fn describe(self) -> &'static str {
        match self {
            Needs::Graph => "points, distances or a graph",
            Needs::Neighborhoods | Needs::Points => "points",
            Needs::Matrix => "a matrix",
        }
    }
}

/// What the earlier stages have prepared for a method.
#[derive(Clone, Copy)]
pub enum Data<'a> {
    /// For [`Needs::Graph`].
    Graph(&'a Graph),
    /// For [`Needs::Neighborhoods`].
    Neighborhoods(&'a Points, &'a Neighborhoods),
    /// For [`Needs::Points`].
    Points(&'a Points),
    /// For [`Needs::Matrix`].
    Matrix(&'a Matrix),
}

impl<'a> Data<'a> {
    fn describe(self) -> &'static str {
        match self {
            Data::Graph(_) => "a graph",
            Data::Neighborhoods(..) | Data::Points(_) => "points",
            Data::Matrix(_) => "a matrix",
        }
    }

    fn mismatch<T>(self, method: &dyn Method) -> Result<T> {
        Err(Error::WrongInput {
            method: method.name(),
            needed: method.needs().describe(),
            given: self.describe(),
        })
    }

    /// The graph, or an error that names the method.
    pub fn graph(self, method: &dyn Method) -> Result<&'a Graph> {
        match self {
            Data::Graph(graph) => Ok(graph),
            other => other.mismatch(method),
        }
    }

    /// The points with their neighbours, or an error that names the method.
    pub fn neighborhoods(self, method: &dyn Method) -> Result<(&'a Points, &'a Neighborhoods)> {
        match self {
            Data::Neighborhoods(points, lists) => Ok((points, lists)),
            other => other.mismatch(method),
        }
    }

    /// The points, or an error that names the method.
    pub fn points(self, method: &dyn Method) -> Result<&'a Points> {
        match self {
            Data::Points(points) => Ok(points),
            other => other.mismatch(method),
        }
    }

    /// The matrix, or an error that names the method.
    pub fn matrix(self, method: &dyn Method) -> Result<&'a Matrix> {
        match self {
            Data::Matrix(matrix) => Ok(matrix),
            other => other.mismatch(method),
        }
    }
}

/// What a method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Short name, as on the command line.
    pub name: &'static str,
    /// Full name.
    pub title: &'static str,
    /// Who it is by, and when; empty for none.
    pub paper: &'static str,
    /// The class in Python.
    pub class: &'static str,
    /// What it is built from.
    pub needs: Needs,
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.paper {
            "" => f.write_str(self.title),
            paper => write!(f, "{} ({paper})", self.title),
        }
    }
}

/// How the coordinates of new points follow from those of the training points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// By the formula of the eigenproblem, which the strategy's constraint is part of.
    Formula,
    /// As weighted means, whatever the coordinates are.
    Interpolation,
}

/// What an extension is made from, once the coordinates are found.
#[derive(Clone, Copy)]
pub struct Fit<'f> {
    /// What the problem was built from.
    pub data: Data<'f>,
    /// The problem.
    pub problem: &'f Problem,
    /// What new points are compared with.
    pub training: &'f Training,
}

/// Methods can be copied without knowing which they are: every one that is `Clone`.
pub trait Boxed {
    /// A copy.
    fn boxed(&self) -> Box<dyn Method>;
}

impl<M: Method + Clone + 'static> Boxed for M {
    fn boxed(&self) -> Box<dyn Method> {
        Box::new(self.clone())
    }
}

/// A way to turn data into an eigenproblem.
pub trait Method: Boxed + Debug + Send + Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// Its parameters, each with the field that holds it.
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        Vec::new()
    }

    /// Refuses what the ranges of the parameters do not: more points than the method can take, neighbourhoods that are
    /// too small. Called before any work is done.
    fn check(&self, points: usize, neighbors: usize) -> Result<()> {
        let _ = (points, neighbors);
        Ok(())
    }

    /// Bytes that its matrix takes at most while it is made, beside points, neighbours and graph; an estimate.
    fn memory(&self, points: usize, neighbors: usize) -> f64 {
        memory::sparse(points, memory::edges_of(neighbors))
    }

    /// Bytes that it takes beside a sparse matrix of so many entries in a row while it makes it; an estimate.
    fn aside(&self, points: usize, neighbors: usize, entries: f64) -> f64 {
        let _ = (points, neighbors, entries);
        0.0
    }

    /// The realisation that fits: this method with the parameters left open set so that its matrix takes no more than so many
    /// bytes (`None`: nobody knows how many there are). What has but one realisation stays as it is.
    fn within(&self, points: usize, neighbors: usize, bytes: Option<u64>) -> Box<dyn Method> {
        let _ = (points, neighbors, bytes);
        self.boxed()
    }

    /// The eigenproblem whose first solutions are the coordinates. What is refused before does not come here.
    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem>;

    /// For methods that reproduce neighbourhoods: coordinates of new points are barycentric means of their neighbours', by
    /// weights with this regularisation. Then there is no more to say about new points.
    fn barycentric(&self) -> Option<f64> {
        None
    }

    /// How coordinates are extended to new points, or why they cannot be.
    fn extends(&self) -> Result<Extension> {
        self.barycentric()
            .map(|_| Extension::Interpolation)
            .ok_or(Error::CannotExtend { what: Inextensible::Method(self.name()) })
    }

    /// What is kept for new points. Parameters that were chosen ([`Problem::chosen`]) have their values here.
    fn extension(&self, fit: &Fit<'_>) -> Result<Box<dyn Extend>> {
        self.load(&mut Arrays::default(), fit.training, fit.problem.size())
    }

    /// The same from a file: what [`Extend::save`] put there.
    fn load(
        &self,
        arrays: &mut Arrays,
        training: &Training,
        rows: usize,
    ) -> Result<Box<dyn Extend>> {
        let _ = (arrays, rows);
        match self.barycentric() {
            Some(regularization) => Barycentric::load(regularization, training),
            None => Err(Error::CannotExtend { what: Inextensible::Method(self.name()) }),
        }
    }

    /// Its short name.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// What it is built from.
    fn needs(&self) -> Needs {
        self.about().needs
    }
}

impl dyn Method + '_ {
    /// Refuses parameters out of range and what [`Method::check`] does.
    pub fn check_all(&self, points: usize, neighbors: usize) -> Result<()> {
        self.boxed().parameters().iter().try_for_each(Parameter::check)?;
        self.check(points, neighbors)
    }

    /// The same method with the values of parameters that were chosen.
    pub(crate) fn resolved(&self, chosen: &[(&'static str, f64)]) -> Result<Box<dyn Method>> {
        let mut method = self.boxed();
        for mut parameter in method.parameters() {
            if let Some((_, value)) = chosen.iter().find(|(name, _)| *name == parameter.name) {
                let fits = parameter.set(&Value::Number(*value));
                fits.or_else(|_| parameter.set(&Value::Count(*value as u64)))?;
            }
        }
        Ok(method)
    }

    /// Its name and the values of its parameters.
    pub fn named(&self) -> Result<Named> {
        Named::new(self.name(), &self.boxed().parameters())
    }
}

/// A method with its type, if that is what it is: for engines that make its problem in shares.
pub fn typed<M: Method + Default>(method: &dyn Method) -> Result<Option<M>> {
    let mut typed = M::default();
    if typed.name() != method.name() {
        return Ok(None);
    }
    let mut method = method.boxed();
    for (mut to, from) in typed.parameters().into_iter().zip(method.parameters()) {
        to.set(&from.get())?;
    }
    Ok(Some(typed))
}

/// The method of a short name, with its default parameters.
pub fn by_name(name: &str) -> Result<Box<dyn Method>> {
    let mut all = all();
    match all.iter().position(|method| method.name() == name) {
        Some(at) => Ok(all.swap_remove(at)),
        None => {
            let known = all.iter().map(|method| method.name()).collect();
            Err(Error::Unknown { what: "method", name: name.to_string(), known })
        }
    }
}

/// The method of a name with the parameters that were kept with it.
pub fn of_named(named: &Named) -> Result<Box<dyn Method>> {
    let mut method = by_name(&named.name)?;
    named.give(method.parameters())?;
    Ok(method)
}

/// The largest N for which a method makes a dense N x N matrix by itself (8 bytes an entry).
const MOST_DENSE: usize = 25_000;
/// Bytes that a run takes for each point beside its matrix, roughly.
const BESIDE: f64 = 2000.0;

/// Whether a matrix of all pairs fits so many bytes beside what else a run takes.
fn dense_fits(points: usize, bytes: Option<u64>) -> bool {
    let needed = memory::dense(points) + BESIDE * points as f64;
    points <= MOST_DENSE && bytes.is_none_or(|bytes| needed <= bytes as f64)
}
