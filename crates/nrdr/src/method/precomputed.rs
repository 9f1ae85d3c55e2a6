//! A symmetric matrix or operator of the user's own, with its end, scale and trivial direction.

use super::{Data, Extension, Method, Needs};
use crate::error::{Error, Result};
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
    /// The traditional length of a coordinate: the square root of the eigenvalue for a kernel whose coordinates are to
    /// reproduce distances, which eigenvalues that are not positive cannot.
    pub length: Length,
}

impl Default for Precomputed {
    fn default() -> Self {
        Precomputed {
            end: End::Largest,
            scale: None,
            trivial: None,
            bound: None,
            length: Length::One,
        }
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
            length: self.length,
            chosen: Vec::new(),
        })
    }

    fn extension(&self, _: &[(&'static str, f64)]) -> Result<Extension> {
        let cannot = |what: &str, way_out| {
            Err(Error::CannotExtend { what: format!("a precomputed matrix with {what}"), way_out })
        };
        let constant = |t: &Vec<f64>| t.windows(2).all(|pair| pair[0] == pair[1]);
        if self.end == End::Smallest {
            // The formula needs the diagonal entry that a new point would have.
            return cannot("its smallest eigenvalues", "give a kernel, whose largest count");
        }
        if self.scale.is_some() {
            return cannot("a scale", "new points have none: choose dfm or lem, or leave it out");
        }
        if self.trivial.as_ref().is_some_and(|t| !constant(t)) {
            return cannot(
                "a trivial direction that varies",
                "new points have no entry of it: choose a constant one",
            );
        }
        Ok(Extension::Row)
    }
}
