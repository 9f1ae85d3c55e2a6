//! The methods in shares: for engines that keep some of the rows on each of several machines, and come to the matrix that
//! one machine comes to.

use super::alignment::Local;
use super::lle::Weigher;
use super::near_null::Affine;
use super::tangent::{self, settle, tangent_warnings};
use super::{HessianLle, Lle, Ltsa, Method, hlle, ltsa, near_null, typed, walk};
use crate::error::Result;
use crate::linalg::SparseMatrix;
use crate::points::Points;
use crate::progress::Progress;
use crate::warning::Warning;

/// The weight of an edge, exp(-length^2 / epsilon), but not less than the least.
pub fn weight(squared_length: f64, epsilon: f64) -> f64 {
    walk::weight(squared_length, epsilon)
}

/// A method whose matrix is a sum over neighbourhoods, sum_n S_n C_n S_n', where S_n picks the rows of neighbourhood n and
/// C_n = a I + b B_n B_n' for a thin matrix B_n.
#[derive(Clone, Debug)]
pub struct Alignment {
    kind: Kind,
    /// Dimension of the tangent spaces.
    dimension: usize,
    /// The same, if it was estimated, before it was cut.
    estimated: Option<usize>,
}

#[derive(Clone, Debug)]
enum Kind {
    Ltsa(Ltsa),
    Hessian(HessianLle),
    Lle(Lle),
}

impl Alignment {
    /// What a method is, if it is of that form.
    pub fn of(method: &dyn Method) -> Result<Option<Self>> {
        let ltsa = typed(method)?.map(Kind::Ltsa);
        let hessian = typed(method)?.map(Kind::Hessian);
        let lle = typed(method)?.map(Kind::Lle);
        let kind = ltsa.or(hessian).or(lle);
        Ok(kind.map(|kind| Alignment { kind, dimension: 0, estimated: None }))
    }

    /// Whether a neighbourhood has its point as its first member; otherwise it has the neighbours, and the point as its last
    /// member only if it is nobody's neighbour.
    pub fn is_of_the_point(&self) -> bool {
        matches!(self.kind, Kind::Lle(_))
    }

    /// Whether the dimension of the neighbourhoods is to be estimated, by [`dimension`].
    pub fn is_to_estimate(&self) -> bool {
        match &self.kind {
            Kind::Ltsa(method) => method.local_dimension.is_none(),
            Kind::Hessian(method) => method.local_dimension.is_none(),
            Kind::Lle(_) => false,
        }
    }

    /// Settles the dimension, of which neighbourhoods of at least so many neighbours look like an estimated one.
    pub fn settle(&mut self, neighbors: usize, estimate: Option<usize>) -> Result<()> {
        let estimate = || Ok(estimate.unwrap_or(1));
        (self.dimension, self.estimated) = match &self.kind {
            Kind::Ltsa(method) => {
                settle(method, method.local_dimension, neighbors, estimate, ltsa::needed_neighbors)?
            }
            Kind::Hessian(method) => {
                settle(method, method.local_dimension, neighbors, estimate, hlle::needed_neighbors)?
            }
            Kind::Lle(_) => (0, None),
        };
        Ok(())
    }

    /// The parameter that was chosen, if one was.
    pub fn chosen(&self) -> Option<(&'static str, f64)> {
        tangent::chosen(self.dimension, self.estimated)
    }

    /// What is to be said about the dimension among so many columns.
    pub fn warnings(&self, columns: usize) -> Vec<Warning> {
        match &self.kind {
            Kind::Lle(_) => Vec::new(),
            _ => tangent_warnings(self.dimension, self.estimated, columns),
        }
    }

    /// Whether affine functions of the points are nearly annihilated: [`affine_functions`].
    pub fn annihilates_affine_functions(&self) -> bool {
        !matches!(self.kind, Kind::Lle(_))
    }

    /// Columns of each B_n.
    pub fn width(&self) -> usize {
        match &self.kind {
            Kind::Ltsa(_) => ltsa::columns(self.dimension),
            Kind::Hessian(_) => hlle::columns(self.dimension),
            Kind::Lle(_) => 1,
        }
    }

    /// The rows of the B_n of neighbourhoods, member after member. The members of neighbourhood n are those from `offsets[n]`
    /// on.
    pub fn factors(
        &self,
        points: &Points,
        offsets: Vec<usize>,
        members: Vec<u32>,
        progress: &Progress<'_>,
    ) -> Result<Vec<f64>> {
        let (width, d) = (self.width(), self.dimension);
        let local = match &self.kind {
            Kind::Ltsa(_) => {
                let fill = |_, members: &[u32], (): &mut (), rows: &mut [f64]| {
                    ltsa::fill(points, members, d, rows)
                };
                Local::compute(offsets, members, width, progress, || (), fill)?
            }
            Kind::Hessian(_) => {
                let fill = |_, members: &[u32], (): &mut (), rows: &mut [f64]| {
                    hlle::fill(points, members, d, rows)
                };
                Local::compute(offsets, members, width, progress, || (), fill)?
            }
            Kind::Lle(method) => {
                let fill = |_, members: &[u32], weigher: &mut Weigher, row: &mut [f64]| {
                    weigher.weigh(points, members, method.regularization, row)
                };
                Local::compute(offsets, members, width, progress, Weigher::new, fill)?
            }
        };
        Ok(local.into_factors())
    }

    /// The matrix of neighbourhoods, as many as there are rows; one that no row that matters is a member of may be empty.
    pub fn assemble(
        &self,
        offsets: Vec<usize>,
        members: Vec<u32>,
        factors: Vec<f64>,
        progress: &Progress<'_>,
    ) -> Result<SparseMatrix> {
        let (identity, sign) = match &self.kind {
            Kind::Ltsa(_) => (1.0, -1.0),
            Kind::Hessian(_) | Kind::Lle(_) => (0.0, 1.0),
        };
        let local = Local::of_factors(offsets, members, self.width(), factors);
        local.assemble(identity, sign, progress)
    }
}

/// Of so many neighbourhoods each such one is looked at for the dimension, from the first one on.
pub fn sampled_neighborhoods(neighborhoods: usize) -> usize {
    tangent::every(neighborhoods)
}

/// The share of the variance of a neighbourhood along each principal direction, so many of them: as there are columns, or
/// neighbours in the smallest neighbourhood.
pub fn variance_shares(points: &Points, members: &[u32], width: usize) -> Result<Vec<f64>> {
    tangent::shares(points, members, width)
}

/// What dimension neighbourhoods of these shares look like, of points of so many columns.
pub fn dimension(shares: &[Vec<f64>], columns: usize) -> usize {
    tangent::dimension_of(shares, columns)
}

/// Of so many points each such one is a sample for [`affine_functions`], from the first one on.
pub fn sampled_points(points: usize) -> usize {
    near_null::every(points)
}

/// The values at some points of affine functions of all of them, of which there are the means of the columns and a sample.
pub fn affine_functions(points: &Points, means: &[f64], sample: &Points) -> Result<Vec<Vec<f64>>> {
    Affine::new(points.columns(), || means.to_vec(), || sample.clone())?.of(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::SwissRoll;
    use crate::graph::{Search, neighbors};
    use crate::linalg::Matrix;
    use crate::method::{Data, DiffusionMaps, Isomap};
    use crate::progress::Watch;
    use crate::stage::Stage;

    #[test]
    fn a_method_has_its_type_and_its_parameters() {
        let method = DiffusionMaps { epsilon: Some(0.3), density: 0.25, time: 3.0 };
        assert_eq!(typed(&method), Ok(Some(method.clone())));
        assert_eq!(typed::<Isomap>(&method), Ok(None));
        assert!(Alignment::of(&method).unwrap().is_none());
    }

    #[test]
    fn the_parts_make_the_problem_of_the_whole() {
        let points = SwissRoll { n: 200, ..Default::default() }.generate(2).unwrap().points;
        let watch = Watch::new(None);
        let search = |p: &Progress<'_>| neighbors(&points, 9, Search::Exact, p);
        let lists = watch.stage(Stage::Neighbors, search).unwrap();
        let methods: [Box<dyn Method>; 4] = [
            Box::new(Ltsa::default()),
            Box::new(Ltsa { local_dimension: Some(3) }),
            Box::new(HessianLle::default()),
            Box::new(Lle::default()),
        ];
        for method in methods {
            let data = Data::Neighborhoods(&points, &lists);
            let whole = watch.stage(Stage::Matrix, |p| method.problem(data, p)).unwrap();
            let mut alignment = Alignment::of(method.as_ref()).unwrap().unwrap();
            let estimate = alignment.is_to_estimate().then(|| {
                let sampled = (0..200).step_by(sampled_neighborhoods(200));
                let shares = |i: usize| variance_shares(&points, lists.of(i), 3).unwrap();
                dimension(&sampled.map(shares).collect::<Vec<_>>(), 3)
            });
            alignment.settle(9, estimate).unwrap();
            let (offsets, members) = match alignment.is_of_the_point() {
                true => super::super::lle::with_themselves(&lists),
                false => super::super::alignment::members(&lists),
            };
            let matrix = watch.stage(Stage::Matrix, |p| {
                let factors = alignment.factors(&points, offsets.clone(), members.clone(), p)?;
                alignment.assemble(offsets, members, factors, p)
            });
            let Matrix::Sparse(wanted) = &whole.matrix else { panic!("a sparse matrix") };
            assert_eq!(&matrix.unwrap(), wanted.as_ref(), "{}", method.name());
            assert_eq!(alignment.chosen().into_iter().collect::<Vec<_>>(), whole.chosen);
            assert_eq!(alignment.warnings(3), whole.warnings);
            if alignment.annihilates_affine_functions() {
                let functions = affine_functions(&points, &points.means(), &points).unwrap();
                assert_eq!(functions, whole.near_null);
            }
        }
    }
}
