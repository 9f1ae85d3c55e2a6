//! What a smoother predicts, as a function of the earlier coordinates of any point.

use crate::linalg::vector::squared_distance;
use crate::points::Points;

/// h(F) = sum_c F_c sum_k exp(-|F - centre_k|^2 / 2h^2) coefficients_ck with F_0 = 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Predictor {
    /// A row of earlier coordinates for each centre.
    pub(crate) centres: Points,
    /// A list of as many numbers for each term c: one term, or one more than earlier coordinates.
    pub(crate) coefficients: Vec<Vec<f64>>,
    pub(crate) bandwidth: f64,
}

impl Predictor {
    /// The value at earlier coordinates F.
    pub(crate) fn at(&self, earlier: &[f64], weights: &mut Vec<f64>) -> f64 {
        let factor = -0.5 / (self.bandwidth * self.bandwidth);
        weights.clear();
        let centres = self.centres.values().chunks_exact(self.centres.columns());
        weights.extend(centres.map(|centre| factor * squared_distance(earlier, centre)));
        weights.iter_mut().for_each(|weight| *weight = weight.exp());
        let factors = std::iter::once(1.0).chain(earlier.iter().copied());
        let terms = self.coefficients.iter().zip(factors).map(|(coefficients, factor)| {
            factor * coefficients.iter().zip(weights.iter()).map(|(c, w)| c * w).sum::<f64>()
        });
        terms.sum()
    }

    /// The same for earlier coordinates whose signs are turned, and all values times `factor`.
    pub(crate) fn turned(mut self, signs: &[f64], factor: f64) -> Self {
        self.centres.scale_columns(signs);
        let signs = std::iter::once(1.0).chain(signs.iter().copied());
        for (coefficients, sign) in self.coefficients.iter_mut().zip(signs) {
            coefficients.iter_mut().for_each(|c| *c *= sign * factor);
        }
        self
    }
}
