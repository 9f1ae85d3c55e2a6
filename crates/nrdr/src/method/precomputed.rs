//! A symmetric matrix or operator of the user's own, with its end, scale and trivial direction.

use super::{Data, Method, Needs};
use crate::error::Result;
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;

/// A kernel, affinity or energy that the user brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Precomputed {
    /// Which eigenvalues are wanted: the largest of a kernel, the smallest of an energy.
    pub end: End,
    /// The entries s in f = s . g; `None` means ones.
    pub scale: Option<Vec<f64>>,
    /// The direction without information; `None` means that there is none.
    pub trivial: Option<Vec<f64>>,
    /// No eigenvalue lies beyond this one at the wanted end. Lets a sparse matrix be factorised,
    /// which narrow gaps between eigenvalues need.
    pub bound: Option<f64>,
}

impl Default for Precomputed {
    fn default() -> Self {
        Precomputed { end: End::Largest, scale: None, trivial: None, bound: None }
    }
}

impl Method for Precomputed {
    fn name(&self) -> &'static str {
        "precomputed"
    }

    fn about(&self) -> &'static str {
        "A matrix or operator of one's own"
    }

    fn needs(&self) -> Needs {
        Needs::Matrix
    }

    fn problem(
        &self,
        data: Data<'_>,
        _dims: Option<usize>,
        _progress: &Progress<'_>,
    ) -> Result<Problem> {
        let matrix = data.matrix(self)?.clone();
        Ok(Problem {
            matrix,
            end: self.end,
            scale: self.scale.clone(),
            trivial: self.trivial.clone(),
            bound: self.bound,
            length: Length::One,
            chosen: Vec::new(),
        })
    }
}
