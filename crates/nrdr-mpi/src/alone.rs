//! A team of one.

use nrdr::team::Team;

/// A process that has all rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Team for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn sum(&self, _: &mut [f64]) {}

    fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        vec![mine]
    }

    fn exchange(&self, to: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        to
    }
}
