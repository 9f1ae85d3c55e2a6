//! A symmetric matrix or operator of the user's own, with its end, scale and trivial direction.

use super::{About, Data, Extension, Method, Needs};
use crate::error::{Error, Inextensible, Result};
use crate::extend::{Arrays, Extend, Lookup, New, Tied, Training, Weigh, check_part};
use crate::parameter::{Parameter, Word, Words};
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;

const ABOUT: About = About {
    name: "precomputed",
    title: "A matrix or operator of one's own",
    paper: "",
    class: "Precomputed",
    needs: Needs::Matrix,
};

impl Words for End {
    const WORDS: &'static [Word] = &[
        Word::new("largest", "of a kernel: the method maximises"),
        Word::new("smallest", "of an energy: the method minimises"),
    ];
    const VALUES: &'static [Self] = &[End::Largest, End::Smallest];
}

impl Words for Length {
    const WORDS: &'static [Word] = &[
        Word::new("one", "whatever the eigenvalue"),
        Word::new("root", "the square root of the eigenvalue"),
    ];
    const VALUES: &'static [Self] = &[Length::One, Length::SquareRoot];
}

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
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::new("end", &mut self.end, "which eigenvalues are wanted"),
            Parameter::new("scale", &mut self.scale, "the entries s in f = s . g").without("ones"),
            Parameter::new("trivial", &mut self.trivial, "the direction without information")
                .without("none"),
            Parameter::new("bound", &mut self.bound, "no eigenvalue lies beyond it")
                .without("unknown"),
            Parameter::new("length", &mut self.length, "the length of a coordinate"),
        ]
    }

    fn problem(&self, data: Data<'_>, _progress: &Progress<'_>) -> Result<Problem> {
        let matrix = data.matrix(self)?.clone();
        Ok(Problem {
            matrix,
            end: self.end,
            scale: self.scale.clone(),
            trivial: self.trivial.clone(),
            bound: self.bound,
            near_null: Vec::new(),
            length: self.length,
            chosen: Vec::new(),
            warnings: Vec::new(),
        })
    }

    fn extends(&self) -> Result<Extension> {
        let constant = |t: &Vec<f64>| t.windows(2).all(|pair| pair[0] == pair[1]);
        let what = if self.end == End::Smallest {
            Inextensible::SmallestEnd
        } else if self.scale.is_some() {
            Inextensible::Scale
        } else if self.trivial.as_ref().is_some_and(|t| !constant(t)) {
            Inextensible::Trivial
        } else {
            return Ok(Extension::Formula);
        };
        Err(Error::CannotExtend { what })
    }

    fn load(&self, _: &mut Arrays, training: &Training, _: usize) -> Result<Box<dyn Extend>> {
        check_part(matches!(training, Training::Row), "training points")?;
        Ok(Box::new(Row {}))
    }
}

/// The extension: the new point comes as its row of the matrix, an entry for each training point.
#[derive(Clone, Debug)]
struct Row {}

impl Extend for Row {
    fn lookup(&self) -> Lookup {
        Lookup::Equal
    }

    fn weigher<'e>(&'e self, _: &'e Training) -> Box<dyn Weigh + 'e> {
        Box::new(Row {})
    }
}

impl Weigh for Row {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        weights.clear();
        weights.extend_from_slice(new.point);
        Ok(Tied::All)
    }
}
