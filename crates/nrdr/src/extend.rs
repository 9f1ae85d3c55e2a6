//! How new points are tied to training points: what a method leaves behind for that, and how it is kept in a file.
//!
//! A coordinate satisfies A g = lambda g + Q Q'A g at the training points. At a new point x the method says what
//! s(x) (A g)(x) is: a sum over training points j of b_j f_j, with weights b that only x and the training points tell.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

use crate::error::{Error, Result};
use crate::points::Points;

/// What new points are compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Training {
    /// The points themselves.
    Points(Points),
    /// A new point comes as its distances from all rows of the input, of which these were embedded.
    Distances {
        /// The rows that were embedded.
        rows: Vec<u32>,
        /// How many rows the input had.
        input: usize,
    },
    /// A new point comes as its row of the matrix.
    Row,
}

impl Training {
    /// The points, or the error of a model that lacks them.
    pub fn points(&self) -> Result<&Points> {
        match self {
            Training::Points(points) => Ok(points),
            _ => Err(damaged("no training points")),
        }
    }
}

/// Which training points are looked up for a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Its nearest neighbours.
    Near,
    /// None, unless one is at the same place.
    Equal,
}

/// A new point that is at the place of no training point.
pub struct New<'n> {
    /// Its number, counted from 0.
    pub row: usize,
    /// Its values.
    pub point: &'n [f64],
    /// Its nearest training points with their squared distances, nearest first, where these are looked up.
    pub near: &'n [(f64, u32)],
}

/// What the weights of a new point are over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tied {
    /// A weight for each of the nearest training points.
    Near {
        /// In this share of its steps a random walk leaves the new point; 1 without a walk.
        share: f64,
        /// s^2 of the new point.
        mass: f64,
    },
    /// A weight for each training point.
    All,
    /// Numbers of its own, as many as [`Extend::width`] says; what each of them weighs, each coordinate tells.
    Numbers,
}

/// Weighs the training points for one new point after another; has the memory that takes.
pub trait Weigh {
    /// Writes the weights b of a new point.
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied>;
}

/// What a method keeps so that new points can have coordinates.
pub trait Extend: Debug + Send + Sync {
    /// Which training points are looked up.
    fn lookup(&self) -> Lookup {
        Lookup::Near
    }

    /// Whether a coordinate is the weighted mean of the training points' itself, instead of what the eigenproblem's
    /// formula makes of it.
    fn interpolates(&self) -> bool {
        false
    }

    /// Something that weighs, for one thread.
    fn weigher<'e>(&'e self, training: &'e Training) -> Box<dyn Weigh + 'e>;

    /// How many numbers a new point is given by, where that is not a weight for each training point.
    fn width(&self) -> Option<usize> {
        None
    }

    /// The first training point's row of the matrix before it was centred, if it was; or the numbers it is given by.
    fn first_row(&self, training: &Training) -> Option<Vec<f64>> {
        let _ = training;
        None
    }

    /// Puts what is no parameter of the method into a file.
    fn save(&self, arrays: &mut Arrays) {
        let _ = arrays;
    }
}

/// Numbers by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrays {
    /// Of double precision.
    pub(crate) numbers: BTreeMap<String, Vec<f64>>,
    /// Whole ones.
    pub(crate) indices: BTreeMap<String, Vec<u32>>,
}

impl Arrays {
    /// Keeps numbers.
    pub fn put(&mut self, name: &str, values: &[f64]) {
        self.numbers.insert(name.to_string(), values.to_vec());
    }

    /// Keeps whole numbers.
    pub fn put_indices(&mut self, name: &str, values: &[u32]) {
        self.indices.insert(name.to_string(), values.to_vec());
    }

    /// Numbers, taken out.
    pub fn take(&mut self, name: &str) -> Result<Vec<f64>> {
        self.numbers.remove(name).ok_or_else(|| damaged(format!("no array {name}")))
    }

    /// Whole numbers, taken out.
    pub fn take_indices(&mut self, name: &str) -> Result<Vec<u32>> {
        self.indices.remove(name).ok_or_else(|| damaged(format!("no array {name}")))
    }
}

/// The error of a model whose bytes differ from those written.
pub fn damaged(what: impl Display) -> Error {
    let reason = format!("it is damaged ({what}): make it again, or copy it again");
    Error::BadModel { reason }
}

/// Refuses a model where something is not right.
pub fn check_part(right: bool, what: &str) -> Result<()> {
    if right { Ok(()) } else { Err(damaged(what)) }
}
