//! Blocks of points that find each other's nearest neighbours.
//!
//! All lower bounds between two blocks are one product of short vectors in single precision. Few pairs have a bound
//! that lets them be among the k nearest of either end; these are asked for a better bound, and what is left for the
//! true distance. A pair is looked at once for both its ends.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};

use super::projected::Projected;
use crate::linalg::vector::{squared_difference, squared_distance, vectorized, wide};
use crate::points::Points;

/// A neighbour: squared distance and index, compared in this order.
pub(super) type Found = (f64, u32);

/// Farther than every point.
pub(super) const NOTHING: Found = (f64::INFINITY, u32::MAX);

/// What bounds the distances of all points from below.
pub(super) struct Bounds<'p> {
    pub(super) points: &'p Points,
    /// Short vectors, a column a point.
    pub(super) head: Mat<f32>,
    /// Longer ones, for what the short ones cannot tell; without rows where there are none.
    whole: Mat<f32>,
    /// Squared lengths, less what rounding may add to a bound.
    norms: Vec<f32>,
    /// Squared lengths are multiplied by it.
    unit: f64,
    /// Bound of the rounding error of the longer vectors, beside the sum of the squared lengths of two points.
    error: f32,
}

/// Bound of the rounding error of the squared distance of vectors in single precision.
fn rounding(width: usize) -> f32 {
    2.0 * (width + 16) as f32 * f32::EPSILON
}

impl<'p> Bounds<'p> {
    /// By so many directions, then by all that there are.
    pub(super) fn projected(points: &'p Points, projected: &Projected, width: usize) -> Self {
        Bounds::new(points, projected.head(width), projected.short.clone(), projected.scale)
    }

    /// By all columns.
    pub(super) fn full(points: &'p Points, projected: &Projected) -> Self {
        let (n, scale) = (points.rows(), projected.scale);
        let mut head = Mat::zeros(points.columns(), n);
        for i in 0..n {
            let centred = points.row(i).iter().zip(&projected.means).map(|(v, m)| v - m);
            let into = head.col_as_slice_mut(i).iter_mut();
            into.zip(centred).for_each(|(to, v)| *to = (scale * v) as f32);
        }
        Bounds::new(points, head, Mat::zeros(0, n), scale)
    }

    fn new(points: &'p Points, head: Mat<f32>, whole: Mat<f32>, scale: f64) -> Self {
        let shrink = 1.0 - rounding(head.nrows());
        let square = |column: &[f32]| column.iter().map(|v| v * v).sum::<f32>();
        let norms = (0..head.ncols()).map(|i| square(head.col_as_slice(i)) * shrink).collect();
        let error = rounding(whole.nrows().max(head.nrows()));
        Bounds { points, head, whole, norms, unit: scale * scale, error }
    }

    /// The largest lower bound that a pair of so small a squared distance may have.
    pub(super) fn limit(&self, squared: f64) -> f32 {
        (squared * self.unit * (1.0 + 1e-6)) as f32 + f32::MIN_POSITIVE
    }

    /// Whether a better lower bound lets the squared distance of two points be below a limit.
    #[inline(always)]
    pub(super) fn allow(&self, i: u32, j: u32, limit: f32) -> bool {
        let (i, j) = (i as usize, j as usize);
        let vectors = self.longest();
        let limit = limit + self.error * (self.norms[i] + self.norms[j]);
        is_within(vectors.col_as_slice(i), vectors.col_as_slice(j), limit)
    }

    /// The longest vectors that there are.
    fn longest(&self) -> &Mat<f32> {
        if self.whole.nrows() > 0 { &self.whole } else { &self.head }
    }

    /// The squared distance of two points.
    #[inline(always)]
    pub(super) fn distance(&self, i: u32, j: u32) -> f64 {
        squared_distance(self.points.row(i as usize), self.points.row(j as usize))
    }
}

/// Whether vectors are nearer than the root of a limit.
#[inline(always)]
fn is_within(x: &[f32], y: &[f32], limit: f32) -> bool {
    // Most pairs are told apart by the first few numbers.
    const PIECE: usize = 64;
    let mut sum = 0.0;
    for (x, y) in x.chunks(PIECE).zip(y.chunks(PIECE)) {
        sum += squared_difference(x, y);
        if sum > limit {
            return false;
        }
    }
    true
}

/// Puts a neighbour into its place in a full list, unless it is there or farther than all.
#[inline(always)]
pub(super) fn insert(list: &mut [Found], found: Found) -> bool {
    let before = |a: &Found, b: &Found| a.0 < b.0 || a.0 == b.0 && a.1 < b.1;
    let place = list.partition_point(|other| before(other, &found));
    if list.get(place).is_none_or(|other| *other == found) {
        return false;
    }
    list[place..].rotate_right(1);
    list[place] = found;
    true
}

/// Some points with the nearest neighbours that they have found so far.
pub(super) struct Block {
    /// Indices of the points.
    members: Vec<u32>,
    /// `k` neighbours of each, nearest first.
    lists: Vec<Found>,
    k: usize,
    /// Copies of the members' vectors, together in the memory.
    head: Mat<f32>,
    longest: Mat<f32>,
    norms: Vec<f32>,
    /// Pairs with a lower bound above it are of no use.
    limits: Vec<f32>,
}

impl Block {
    /// Points with the neighbours that are known of them, `k` each in the lists of all points.
    pub(super) fn of(bounds: &Bounds<'_>, members: Vec<u32>, lists: &[Found], k: usize) -> Self {
        let copy = |vectors: &Mat<f32>| {
            let mut copy = Mat::zeros(vectors.nrows(), members.len());
            for (at, &i) in members.iter().enumerate() {
                copy.col_as_slice_mut(at).copy_from_slice(vectors.col_as_slice(i as usize));
            }
            copy
        };
        let (head, longest) = (copy(&bounds.head), copy(bounds.longest()));
        let norms = members.iter().map(|&i| bounds.norms[i as usize]).collect();
        let known = members.iter().flat_map(|&i| &lists[i as usize * k..][..k]);
        let lists: Vec<Found> = known.copied().collect();
        let limits = lists.chunks_exact(k).map(|list| bounds.limit(list[k - 1].0)).collect();
        Block { members, lists, k, head, longest, norms, limits }
    }

    /// Puts what was found into the lists of all points.
    pub(super) fn put_back(&self, lists: &mut [Found]) {
        for (&i, list) in self.members.iter().zip(self.lists.chunks_exact(self.k)) {
            lists[i as usize * self.k..][..self.k].copy_from_slice(list);
        }
    }

    /// What was found alone: less to keep until all blocks are done.
    pub(super) fn without_vectors(self) -> Self {
        Block { head: Mat::new(), longest: Mat::new(), ..self }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// The squared distance of a point to one of its neighbours.
    #[inline(always)]
    fn known(&self, i: usize, neighbor: u32) -> Option<f64> {
        let mut list = self.lists[i * self.k..][..self.k].iter();
        list.find(|found| found.1 == neighbor).map(|found| found.0)
    }

    /// Whether a better lower bound lets a pair be neighbours.
    #[inline(always)]
    fn allows(&self, bounds: &Bounds<'_>, i: usize, (other, j): (&Block, usize)) -> bool {
        let limit = self.limits[i].max(other.limits[j]);
        let limit = limit + bounds.error * (self.norms[i] + other.norms[j]);
        is_within(self.longest.col_as_slice(i), other.longest.col_as_slice(j), limit)
    }

    /// Offers a neighbour to a point.
    #[inline(always)]
    fn offer(&mut self, bounds: &Bounds<'_>, i: usize, found: Found) {
        let list = &mut self.lists[i * self.k..][..self.k];
        if insert(list, found) {
            self.limits[i] = bounds.limit(list[self.k - 1].0);
        }
    }
}

/// Room for one comparison after another.
pub(super) struct Desk {
    products: Mat<f32>,
    hits: Vec<u32>,
}

impl Desk {
    /// For blocks of at most so many points.
    pub(super) fn new(size: usize) -> Self {
        Desk { products: Mat::zeros(size, size), hits: Vec::with_capacity(size) }
    }

    /// Lets the points of a block find each other.
    pub(super) fn compare_within(&mut self, bounds: &Bounds<'_>, block: &mut Block) {
        self.multiply(&block.head, &block.head);
        for j in 0..block.len() {
            if block.limits[j] == f32::INFINITY {
                // Whoever looks nearest tells how far the k nearest can be at most.
                self.nearest(block, j);
                for &i in &self.hits {
                    let (x, y) = (block.members[i as usize], block.members[j]);
                    block.offer(bounds, j, (vectorized(|| bounds.distance(x, y)), x));
                }
            }
        }
        pulp::Arch::new().dispatch(Within { desk: self, bounds, block });
    }

    /// Lets the points of two blocks find each other.
    pub(super) fn compare(&mut self, bounds: &Bounds<'_>, a: &mut Block, b: &mut Block) {
        self.multiply(&a.head, &b.head);
        pulp::Arch::new().dispatch(Between { desk: self, bounds, a, b });
    }

    fn multiply(&mut self, a: &Mat<f32>, b: &Mat<f32>) {
        let into = self.products.as_mut().submatrix_mut(0, 0, a.ncols(), b.ncols());
        wide(|| matmul(into, Accum::Replace, a.transpose(), b, -2.0, Par::Seq));
    }

    /// Of the first points of a block those whose lower bound to point `j` of another, of this norm and limit, lets them be neighbours.
    #[inline(always)]
    fn scan(&mut self, a: &Block, j: usize, rows: usize, norm: f32, limit: f32) {
        const LANES: usize = 32;
        self.hits.clear();
        let products = self.products.col_as_slice(j)[..rows].chunks(LANES);
        let (norms, limits) = (a.norms[..rows].chunks(LANES), a.limits[..rows].chunks(LANES));
        for (chunk, ((products, norms), limits)) in products.zip(norms).zip(limits).enumerate() {
            let is_hit = |i: usize| {
                let bound = norms[i] + norm + products[i];
                (bound <= limits[i]) | (bound <= limit)
            };
            if (0..products.len()).fold(false, |any, i| any | is_hit(i)) {
                let hits = (0..products.len()).filter(|&i| is_hit(i));
                self.hits.extend(hits.map(|i| (chunk * LANES + i) as u32));
            }
        }
    }

    /// Those of a block with the smallest lower bounds to its point `j`: as many as it has neighbours, if there are so many.
    fn nearest(&mut self, block: &Block, j: usize) {
        self.hits.clear();
        self.hits.extend((0..block.len() as u32).filter(|&i| i as usize != j));
        let products = self.products.col_as_slice(j);
        let bound = |i: u32| block.norms[i as usize] + products[i as usize];
        let order = |a: &u32, b: &u32| bound(*a).total_cmp(&bound(*b)).then(a.cmp(b));
        if self.hits.len() > block.k {
            self.hits.select_nth_unstable_by(block.k, order);
            self.hits.truncate(block.k);
        }
    }
}

/// The points of a block, to be compared with each other. Not a closure: that would not be compiled for wide registers.
struct Within<'d> {
    desk: &'d mut Desk,
    bounds: &'d Bounds<'d>,
    block: &'d mut Block,
}

impl pulp::NullaryFnOnce for Within<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Within { desk, bounds, block } = self;
        for j in 0..block.len() {
            let y = block.members[j];
            desk.scan(block, j, j, block.norms[j], block.limits[j]);
            for &i in &desk.hits {
                let (i, x) = (i as usize, block.members[i as usize]);
                if block.allows(bounds, i, (block, j)) {
                    let known = block.known(i, y).or_else(|| block.known(j, x));
                    // Not a closure, which would not be compiled for wide registers.
                    let d = match known {
                        Some(d) => d,
                        None => bounds.distance(x, y),
                    };
                    block.offer(bounds, i, (d, y));
                    block.offer(bounds, j, (d, x));
                }
            }
        }
    }
}

/// The points of two blocks, to be compared.
struct Between<'d> {
    desk: &'d mut Desk,
    bounds: &'d Bounds<'d>,
    a: &'d mut Block,
    b: &'d mut Block,
}

impl pulp::NullaryFnOnce for Between<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Between { desk, bounds, a, b } = self;
        for j in 0..b.len() {
            let y = b.members[j];
            desk.scan(a, j, a.len(), b.norms[j], b.limits[j]);
            for &i in &desk.hits {
                let (i, x) = (i as usize, a.members[i as usize]);
                if a.allows(bounds, i, (b, j)) {
                    let known = a.known(i, y).or_else(|| b.known(j, x));
                    // Not a closure, which would not be compiled for wide registers.
                    let d = match known {
                        Some(d) => d,
                        None => bounds.distance(x, y),
                    };
                    a.offer(bounds, i, (d, y));
                    b.offer(bounds, j, (d, x));
                }
            }
        }
    }
}
