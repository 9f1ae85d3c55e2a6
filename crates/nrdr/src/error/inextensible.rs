//! What has no extension to new points, and what has.

use super::{Hint, Vocabulary};

/// What has no extension to new points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inextensible {
    /// This method has none.
    Method(&'static str),
    /// This strategy has none with this method.
    Strategy(&'static str, &'static str),
    /// A given graph: nobody knows the neighbours of new points.
    Graph,
    /// A smoother by nearest neighbours.
    SparseSmoother,
    /// The smallest eigenvalues of a given matrix: the diagonal entry of a new point is unknown.
    SmallestEnd,
    /// A given matrix with a scale, which new points do not have.
    Scale,
    /// A given matrix with a trivial direction that varies, of which new points have no entry.
    Trivial,
}

impl Inextensible {
    pub(super) fn told(self, words: &dyn Vocabulary) -> String {
        match self {
            Inextensible::Method(name) => format!("an embedding by {}", words.method(name)),
            Inextensible::Strategy(strategy, method) => {
                format!("strategy {strategy} with {}", words.method(method))
            }
            Inextensible::Graph => "an embedding of a graph".to_string(),
            Inextensible::SparseSmoother => "a sparse smoother".to_string(),
            Inextensible::SmallestEnd => {
                "a precomputed matrix with its smallest eigenvalues".to_string()
            }
            Inextensible::Scale => "a precomputed matrix with a scale".to_string(),
            Inextensible::Trivial => {
                "a precomputed matrix with a trivial direction that varies".to_string()
            }
        }
    }

    pub(super) fn hints(self) -> Vec<Hint> {
        use Hint::{Another, Methods, Say, Set};
        match self {
            Inextensible::Method(_) => {
                vec![Say("embed all points together"), Another("method")]
            }
            Inextensible::Strategy(..) => vec![
                Set("strategy", &["priced", "unpredictable", "orthogonal", "selection"]),
                Methods(&["lle", "mlle", "hlle", "ltsa"]),
            ],
            Inextensible::Graph => {
                vec![Say("nobody knows the neighbours of new points, so give points or distances")]
            }
            Inextensible::SparseSmoother => vec![Say("choose the low-rank or the dense one")],
            Inextensible::SmallestEnd => vec![Say("give a kernel, whose largest count")],
            Inextensible::Scale => vec![Say("leave it out"), Methods(&["dfm", "lem"])],
            Inextensible::Trivial => vec![Say("choose a constant one")],
        }
    }
}
