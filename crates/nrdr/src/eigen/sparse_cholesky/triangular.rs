//! Solving with a Cholesky factor, up and down the tree of its fronts.
//!
//! As in the factorisation, the halves of a part run in parallel and every sum has one fixed order.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, Par};
use rayon::prelude::*;

use super::symbolic::{Front, Symbolic, visit};
use crate::linalg::vector::wide;

/// So many right-hand sides are worth matrix products.
const MANY: usize = 32;
/// Rows moved by one thread at least.
const PARALLEL: usize = 4096;

/// A Cholesky factor L with A = L L', ready to solve.
pub(crate) struct Cholesky {
    symbolic: Symbolic,
    /// The eliminated columns, `rows` x `own` for each front, from the leaves to the root.
    values: Vec<f64>,
}

impl Cholesky {
    pub(crate) fn new(symbolic: Symbolic, values: Vec<f64>) -> Self {
        Cholesky { symbolic, values }
    }

    /// Solves A X = B in place.
    pub(crate) fn solve(&self, mut block: MatMut<'_, f64>) {
        // Right-hand sides go through the factor together, up to `MANY` at a time.
        let mut start = 0;
        while start < block.ncols() {
            let left = block.ncols() - start;
            let width = if left < 8 { left.min(4) } else { left.min(MANY) };
            let columns = block.as_mut().subcols_mut(start, width);
            match width {
                1 => self.solve_together::<1>(columns),
                2 => self.solve_together::<2>(columns),
                3 | 4 => self.solve_together::<4>(columns),
                _ => self.solve_together::<MANY>(columns),
            }
            start += width;
        }
    }

    fn solve_together<const W: usize>(&self, block: MatMut<'_, f64>) {
        let Symbolic { order, root, .. } = &self.symbolic;
        let mut x = vec![[0.0; W]; order.len()];
        let columns = block.as_ref();
        let rows = x.par_iter_mut().zip(order).with_min_len(PARALLEL);
        rows.for_each(|(values, &vertex)| {
            let row = columns.row(vertex as usize);
            values.iter_mut().zip(row.iter()).for_each(|(value, from)| *value = *from);
        });
        forward(root, &self.values, &mut x);
        backward(root, &self.values, &mut x, &[]);
        block.par_col_iter_mut().enumerate().for_each(|(c, mut column)| {
            for (values, &vertex) in x.iter().zip(order) {
                column[vertex as usize] = values[c];
            }
        });
    }
}

/// The right-hand sides of one row.
type Row<const W: usize> = [f64; W];

/// x <- L^-1 x within the subtree; returns what is to be added to its boundary.
fn forward<const W: usize>(front: &Front, values: &[f64], x: &mut [Row<W>]) -> Vec<Row<W>> {
    let (below, own) = x.split_at_mut(front.start - front.first);
    let solve = |child: &Front, x: &mut [Row<W>]| forward(child, values, x);
    let updates = visit(&front.children, below, Front::subtree_size, &solve);
    let mut local = vec![[0.0; W]; front.rows()];
    local[..own.len()].copy_from_slice(own);
    for (child, update) in front.children.iter().zip(updates) {
        for (&row, update) in child.in_parent.iter().zip(update) {
            for (value, change) in local[row as usize].iter_mut().zip(update) {
                *value += change;
            }
        }
    }
    if W < MANY {
        pulp::Arch::new().dispatch(Few { front, values, local: &mut local, up: true });
    } else {
        wide(|| forward_many(front, values, &mut local));
    }
    own.copy_from_slice(&local[..own.len()]);
    local.drain(..own.len());
    local
}

/// x <- L'^-1 x within the subtree, given the solution on the rows of the parent's front.
fn backward<const W: usize>(front: &Front, values: &[f64], x: &mut [Row<W>], parent: &[Row<W>]) {
    let (below, own) = x.split_at_mut(front.start - front.first);
    let mut local = Vec::with_capacity(front.rows());
    local.extend_from_slice(own);
    local.extend(front.in_parent.iter().map(|&row| parent[row as usize]));
    if W < MANY {
        pulp::Arch::new().dispatch(Few { front, values, local: &mut local, up: false });
    } else {
        wide(|| backward_many(front, values, &mut local));
    }
    own.copy_from_slice(&local[..own.len()]);
    let solve = |child: &Front, x: &mut [Row<W>]| backward(child, values, x, &local);
    visit(&front.children, below, Front::subtree_size, &solve);
}

/// One front with few right-hand sides, up or down the tree, compiled for the widest instruction set of this machine. Not a
/// closure, as `vectorized` takes one: the compiler need not inline one so large, and then it would have narrow registers.
struct Few<'a, const W: usize> {
    front: &'a Front,
    values: &'a [f64],
    local: &'a mut [Row<W>],
    up: bool,
}

impl<const W: usize> pulp::NullaryFnOnce for Few<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Few { front, values, local, up } = self;
        if up { forward_few(front, values, local) } else { backward_few(front, values, local) }
    }
}

/// Columns of the factor that go over the rows together: a row is then loaded and stored once for all of them.
const TOGETHER: usize = 4;

/// Eliminates the front's own rows, and takes them out of the others.
#[inline(always)]
fn forward_few<const W: usize>(front: &Front, values: &[f64], local: &mut [Row<W>]) {
    let groups = front.columns(values, TOGETHER);
    let (done, rest) = (groups.len() * TOGETHER, groups.remainder());
    for (start, group) in (0..).step_by(TOGETHER).zip(groups) {
        let columns = columns_of(front, group);
        let (own, below) = local[start..].split_at_mut(TOGETHER);
        for (j, column) in columns.iter().enumerate() {
            let column = &column[start..];
            own[j] = own[j].map(|value| value / column[j]);
            let pivot = own[j];
            for i in j + 1..TOGETHER {
                for c in 0..W {
                    own[i][c] -= column[i] * pivot[c];
                }
            }
        }
        let pivots: [Row<W>; TOGETHER] = std::array::from_fn(|j| own[j]);
        let [r, s, t, u] = columns.map(|column| &column[start + TOGETHER..]);
        for ((((row, r), s), t), u) in below.iter_mut().zip(r).zip(s).zip(t).zip(u) {
            for c in 0..W {
                let value = row[c] - r * pivots[0][c] - s * pivots[1][c];
                row[c] = value - t * pivots[2][c] - u * pivots[3][c];
            }
        }
    }
    for (j, column) in (done..).zip(rest.chunks_exact(front.rows().max(1))) {
        let pivot = local[j].map(|value| value / column[j]);
        local[j] = pivot;
        for (row, factor) in local[j + 1..].iter_mut().zip(&column[j + 1..]) {
            for c in 0..W {
                row[c] -= factor * pivot[c];
            }
        }
    }
}

/// Solves for the front's own rows, given the others.
#[inline(always)]
fn backward_few<const W: usize>(front: &Front, values: &[f64], local: &mut [Row<W>]) {
    let groups = front.columns(values, TOGETHER);
    let (done, rest) = (groups.len() * TOGETHER, groups.remainder());
    for (i, column) in rest.chunks_exact(front.rows().max(1)).enumerate().rev() {
        let j = done + i;
        let products = inner_rows(&column[j + 1..], &local[j + 1..]);
        for c in 0..W {
            local[j][c] = (local[j][c] - products[c]) / column[j];
        }
    }
    for (g, group) in groups.enumerate().rev() {
        let (start, columns) = (g * TOGETHER, columns_of(front, group));
        let (own, below) = local[start..].split_at_mut(TOGETHER);
        let mut products = [[0.0; W]; TOGETHER];
        let [r, s, t, u] = columns.map(|column| &column[start + TOGETHER..]);
        for ((((row, r), s), t), u) in below.iter().zip(r).zip(s).zip(t).zip(u) {
            for c in 0..W {
                products[0][c] += r * row[c];
                products[1][c] += s * row[c];
                products[2][c] += t * row[c];
                products[3][c] += u * row[c];
            }
        }
        for (j, column) in columns.iter().enumerate().rev() {
            let column = &column[start..];
            for c in 0..W {
                let known =
                    (j + 1..TOGETHER).fold(products[j][c], |sum, i| sum + column[i] * own[i][c]);
                own[j][c] = (own[j][c] - known) / column[j];
            }
        }
    }
}

/// The columns of a group.
#[inline(always)]
fn columns_of<'v>(front: &Front, group: &'v [f64]) -> [&'v [f64]; TOGETHER] {
    std::array::from_fn(|j| &group[j * front.rows()..][..front.rows()])
}

/// The same as `forward_few` by matrix products.
fn forward_many<const W: usize>(front: &Front, values: &[f64], local: &mut [Row<W>]) {
    let (top, below) = front.factor(values);
    let (mut own, rest) = split_rows(local, front.own());
    solve_lower_triangular_in_place(top, own.as_mut(), Par::Seq);
    matmul(rest, Accum::Add, below, own, -1.0, Par::Seq);
}

/// The same as `backward_few` by matrix products.
fn backward_many<const W: usize>(front: &Front, values: &[f64], local: &mut [Row<W>]) {
    let (top, below) = front.factor(values);
    let (mut own, rest) = split_rows(local, front.own());
    matmul(own.as_mut(), Accum::Add, below.transpose(), rest, -1.0, Par::Seq);
    solve_upper_triangular_in_place(top.transpose(), own, Par::Seq);
}

/// The front's own rows and the others, as matrices.
fn split_rows<const W: usize>(
    local: &mut [Row<W>],
    own: usize,
) -> (MatMut<'_, f64>, MatMut<'_, f64>) {
    let rows = local.len();
    MatMut::from_row_major_slice_mut(local.as_flattened_mut(), rows, W).split_at_row_mut(own)
}

/// The sum of factor times row, in four interleaved partial sums.
#[inline(always)]
fn inner_rows<const W: usize>(factors: &[f64], rows: &[Row<W>]) -> Row<W> {
    let mut sums = [[0.0; W]; 4];
    let (factor_chunks, factor_rest) = factors.as_chunks::<4>();
    let (row_chunks, row_rest) = rows.as_chunks::<4>();
    for (factors, rows) in factor_chunks.iter().zip(row_chunks) {
        for lane in 0..4 {
            for c in 0..W {
                sums[lane][c] += factors[lane] * rows[lane][c];
            }
        }
    }
    for (factor, row) in factor_rest.iter().zip(row_rest) {
        for c in 0..W {
            sums[0][c] += factor * row[c];
        }
    }
    let [s, t, u, v] = sums;
    std::array::from_fn(|c| (s[c] + t[c]) + (u[c] + v[c]))
}

#[cfg(test)]
mod tests {
    use faer::prelude::Solve;
    use faer::sparse::{SparseColMat, Triplet};
    use faer::{Mat, Side};

    use super::super::Failure;
    use super::*;
    use crate::linalg::SparseMatrix;
    use crate::progress::Watch;
    use crate::stage::Stage;

    /// Laplacians with a positive diagonal: a grid, a grid of three dimensions, a star with many
    /// rays, two parts without a link, and one where everything touches everything.
    fn matrices() -> Vec<(&'static str, SparseMatrix)> {
        let laplacian = |n: usize, edges: Vec<(usize, usize)>| {
            let mut entries: Vec<_> = (0..n).map(|i| (i, i, 0.1 + (i % 7) as f64)).collect();
            for (i, j) in edges {
                let weight = 1.0 + ((i * 31 + j * 17) % 11) as f64;
                entries.extend([(i, j, -weight), (j, i, -weight), (i, i, weight), (j, j, weight)]);
            }
            SparseMatrix::new(n, &entries).unwrap()
        };
        let grid = |sides: [usize; 3]| {
            let [a, b, c] = sides;
            let number = move |x: usize, y: usize, z: usize| (x * b + y) * c + z;
            let mut edges = Vec::new();
            for x in 0..a {
                for y in 0..b {
                    for z in 0..c {
                        let near = [(x + 1, y, z), (x, y + 1, z), (x, y, z + 1)];
                        let near = near.into_iter().filter(|&(x, y, z)| x < a && y < b && z < c);
                        edges.extend(near.map(|(p, q, r)| (number(x, y, z), number(p, q, r))));
                    }
                }
            }
            (a * b * c, edges)
        };
        let of = |(n, edges)| laplacian(n, edges);
        let halves = (0..999).filter(|&i| i != 499).map(|i| (i, i + 1)).collect();
        let all = (0..90).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        vec![
            ("grid", of(grid([60, 40, 1]))),
            ("cube", of(grid([12, 13, 14]))),
            ("star", laplacian(3000, (1..3000).map(|i| (0, i)).collect())),
            ("halves", laplacian(1000, halves)),
            ("complete", laplacian(90, all)),
            ("nothing", laplacian(200, Vec::new())),
            ("one", laplacian(1, Vec::new())),
        ]
    }

    fn factorize(
        symbolic: &Symbolic,
        matrix: &SparseMatrix,
        shift: f64,
    ) -> Result<Vec<f64>, Failure> {
        let mut values = Ok(Vec::new());
        let stage = Watch::new(None).stage(Stage::Factorization, |progress| {
            values = symbolic.factorize(matrix, 1.0, shift, progress);
            Ok(())
        });
        stage.unwrap();
        values
    }

    #[test]
    fn solves_like_the_general_sparse_cholesky() {
        for (name, matrix) in matrices() {
            let n = matrix.size();
            let triplets: Vec<_> = (0..n)
                .flat_map(|i| matrix.row(i).map(move |(j, v)| Triplet::new(i, j, v)))
                .collect();
            let oracle =
                SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &triplets).unwrap();
            let oracle = oracle.sp_cholesky(Side::Lower).unwrap();
            let symbolic = Symbolic::new(&matrix);
            let values = factorize(&symbolic, &matrix, 0.0).unwrap();
            let factor = Cholesky::new(symbolic, values);
            for width in [1, 2, 3, 4, 7, 32, 70] {
                let b = Mat::from_fn(n, width, |i, j| ((i * 13 + j * 7) % 17) as f64 - 8.0);
                let mut x = b.clone();
                factor.solve(x.as_mut());
                let far = (oracle.solve(&b) - &x).norm_max();
                assert!(far < 1e-10 * x.norm_max(), "{name}, {width} columns: {far:.1e}");
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_is_refused_by_its_row() {
        for (name, matrix) in matrices() {
            let symbolic = Symbolic::new(&matrix);
            let found = factorize(&symbolic, &matrix, -1e6);
            assert!(
                matches!(found, Err(Failure::NotPositive(row)) if row < matrix.size()),
                "{name}"
            );
        }
    }

    #[test]
    fn fill_stays_low_on_flat_graphs() {
        let matrices = matrices();
        let fill = |name: &str| {
            let (_, matrix) = matrices.iter().find(|(other, _)| *other == name).unwrap();
            Symbolic::new(matrix).cost.entries / matrix.size() as f64
        };
        assert!(fill("grid") < 60.0, "{}", fill("grid"));
        assert!(fill("star") < 30.0, "{}", fill("star"));
        assert!(fill("halves") < 30.0, "{}", fill("halves"));
        assert!(fill("nothing") < 30.0, "{}", fill("nothing"));
    }
}
