//! Sums over the rows of all points.
//!
//! Every number that all rows contribute to is made here. In one process these are plain sums; an engine that keeps a
//! share of the rows on each of several machines has to add up just these, and nothing else in the library changes.
//! `docs/architecture.md` lists where they are used. Sums over the columns of a point, or over coordinates, are not
//! sums over rows.

use faer::Mat;

use super::vector;

/// The sum over all processes of what this one's rows sum to.
#[inline(always)]
pub(crate) fn sum(of_rows: f64) -> f64 {
    of_rows
}

/// The same for each entry of a small matrix, such as A'B of tall ones.
#[inline(always)]
pub(crate) fn sum_each(of_rows: Mat<f64>) -> Mat<f64> {
    of_rows
}

/// The same for each of several numbers.
#[inline(always)]
pub(crate) fn sum_all(of_rows: Vec<f64>) -> Vec<f64> {
    of_rows
}

/// Of each process's value of largest magnitude the one that is largest among all.
#[inline(always)]
pub(crate) fn largest(of_rows: f64) -> f64 {
    of_rows
}

/// How many rows there are in all.
#[inline(always)]
pub(crate) fn count(rows: usize) -> usize {
    rows
}

/// The rows that every process has chosen, at all of them.
#[inline(always)]
pub(crate) fn gather(chosen: Vec<u32>) -> Vec<u32> {
    chosen
}

/// Inner product of two vectors with an entry for each row.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum(vector::dot(a, b))
}

/// Euclidean norm of a vector with an entry for each row.
pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
