//! How one coordinate follows another.

mod candidates;
mod forbidden;
mod kept;
mod originals;
mod task;

use std::fmt::{self, Debug};
use std::sync::Arc;

pub use originals::Originals;
pub(crate) use task::coordinate_of;
use task::{Forbidden, pair_of};
pub use task::{Laplacian, Movable, Outcome, Paid, Selected, Smoothing, Step, Task};

use crate::error::{Error, Hint, Result};
use crate::parameter::{Named, Parameter};
use crate::progress::Progress;

/// The files of the strategies, and the list that all else reads.
macro_rules! strategies {
    ($($file:ident: $rule:ident),+ $(,)?) => {
        $(mod $file;)+
        $(use $file::$rule;)+

        /// The strategies, each by its name.
        pub mod each {
            $(pub use super::$file::$rule;)+
        }

        /// All strategies with their default parameters.
        pub fn all() -> Vec<Strategy> {
            vec![$(Strategy::new($rule::default())),+]
        }
    };
}

strategies! {
    orthogonal: Orthogonal,
    priced: Priced,
    unpredictable: Unpredictable,
    selection: Selection,
    independent: Independent,
    regression: SequentialRegression,
    advection: Advection,
}

/// What a strategy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// How it is called where people read.
    pub title: &'static str,
    /// What a coordinate owes to the earlier ones.
    pub help: &'static str,
    /// Who it is by, and when; empty for none.
    pub paper: &'static str,
}

/// Rules can be copied without knowing which they are: every one that is `Clone`.
pub trait BoxedRule {
    /// A copy.
    fn boxed(&self) -> Box<dyn Rule>;
}

impl<R: Rule + Clone + 'static> BoxedRule for R {
    fn boxed(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

/// What a coordinate owes to the earlier ones: a strategy is written by implementing this.
pub trait Rule: BoxedRule + Debug + Send + Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// Its parameters, each with the field that holds it.
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        Vec::new()
    }

    /// Refuses what the ranges of the parameters do not. Called before any work is done.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Whether it looks along the graph of neighbours, which some methods do without.
    fn needs_graph(&self) -> bool {
        false
    }

    /// Bytes that it takes for so many points, beside problem, solver and coordinates; an estimate.
    fn memory(&self, points: usize) -> f64 {
        let _ = points;
        0.0
    }

    /// How many of the original method's eigenvectors it asks for at a time, for so many coordinates of so many points: usually, and
    /// at most.
    fn eigenvectors(&self, dims: usize, points: usize) -> (usize, usize) {
        let _ = points;
        (dims, dims)
    }

    /// Refuses what is not done where several processes share the points.
    fn check_shared(&self) -> Result<()> {
        let what = format!("strategy {}", self.about().name);
        let way_out = &[Hint::Set("strategy", &["orthogonal", "unpredictable", "priced", "selection"])];
        Err(Error::OneMachine { what, way_out })
    }

    /// Refuses what has no extension to new points by the eigenproblem's formula with this method.
    fn check_extension(&self, method: &'static str) -> Result<()> {
        let _ = method;
        Ok(())
    }

    /// The coordinates of a task.
    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome>;
}

/// How one coordinate follows another: a [`Rule`] with its parameters. Clones share it.
#[derive(Clone)]
pub struct Strategy(Arc<dyn Rule>);

impl Strategy {
    /// The strategy of a rule.
    pub fn new(rule: impl Rule + 'static) -> Self {
        Strategy(Arc::new(rule))
    }

    /// All of this crate, with their default parameters.
    pub fn all() -> Vec<Strategy> {
        all()
    }

    /// The strategy of a name, with its default parameters.
    pub fn by_name(name: &str) -> Result<Self> {
        let mut all = all();
        match all.iter().position(|strategy| strategy.name() == name) {
            Some(at) => Ok(all.swap_remove(at)),
            None => {
                let known = all.iter().map(Strategy::name).collect();
                Err(Error::Unknown { what: "strategy", name: name.to_string(), known })
            }
        }
    }

    /// The rule itself.
    pub fn rule(&self) -> &dyn Rule {
        self.0.as_ref()
    }

    /// What it is.
    pub fn about(&self) -> &'static About {
        self.0.about()
    }

    /// Its name, as on the command line.
    pub fn name(&self) -> &'static str {
        self.about().name
    }

    /// Whether it is the original methods' own.
    pub fn is_original(&self) -> bool {
        self.name() == orthogonal::NAME
    }

    /// The same strategy with parameters changed.
    pub fn with(&self, change: impl FnOnce(Vec<Parameter<'_>>) -> Result<()>) -> Result<Self> {
        let mut rule = self.0.boxed();
        change(rule.parameters())?;
        Ok(Strategy(Arc::from(rule)))
    }

    /// Its name and the values of its parameters.
    pub fn named(&self) -> Result<Named> {
        Named::new(self.name(), &self.0.boxed().parameters())
    }

    /// Refuses parameters out of range.
    pub fn check(&self) -> Result<()> {
        self.0.boxed().parameters().iter().try_for_each(Parameter::check)?;
        self.0.check()
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::new(Priced::default())
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
