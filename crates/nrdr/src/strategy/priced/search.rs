//! The next coordinate: terms, candidates, and which of them tells most.

use std::rc::Rc;

use faer::Mat;

use super::Priced;
use super::basis::Basis;
use super::contest::Contest;
use super::spread::Pool;
use super::told::Told;
use crate::eigen::Pair;
use crate::error::{Error, Result};
use crate::linalg::reduce;
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, product};
use crate::linalg::vector::{axpy, dot, norm, scale};
use crate::measure::redundancy::last_error;
use crate::progress::Progress;
use crate::sample::sample;
use crate::smoother::{Alpha, SingularVectors, Smoother, smoother};
use crate::strategy::task::Paid;
use crate::strategy::{Smoothing, Task};

/// What may be tried for alpha, widest first.
const ALPHAS: [f64; 5] = [0.4, 0.2, 0.1, 0.05, 0.025];
/// Prices that are tried with the widest smoother,
const PRICES: [f64; 5] = [0.0, 0.1, 0.25, 0.5, 1.0];
/// and with narrower ones, as shares of the full price.
const NARROW_PRICES: [f64; 2] = [0.25, 1.0];
/// Numbers of candidates, and how thrifty their combination is.
const POOLS: [(usize, f64); 2] = [(6, 4.0), (12, 1.0)];
/// A smoother that would have more directions is not looked at,
const NARROW: f64 = 160.0;
/// and one with more than one direction for so many points is not taken instead of a wider one.
const FEW: usize = 20;
/// The full price is the energy of the original eigenfunction so far behind the smoother's rank.
const BEHIND: usize = 3;
/// Few eigenfunctions are enough if the first coordinate predicts at most this share of the second one's variance.
const ENOUGH: f64 = 0.2;
/// Points on which coordinates are regressed on each other, at most.
const SAMPLE: usize = 500;
/// Points on which combinations are compared, at most.
const SPREAD_SAMPLE: usize = 1000;

/// Terms on which a coordinate is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Terms {
    price: f64,
    pool: usize,
    thrift: f64,
}

/// A coordinate, and how the earlier ones constrained it.
pub(super) struct Next {
    pub(super) pair: Pair,
    pub(super) smoothing: Smoothing,
    /// For the extension to new points.
    pub(super) source: Option<Vec<f64>>,
}

/// What a smoother of the earlier coordinates predicts of the eigenfunctions.
struct Predicted {
    alpha: f64,
    smoother: Box<dyn Smoother>,
    kept: SingularVectors,
    /// B = U'V
    along: Mat<f64>,
    /// BB'
    predicted: Mat<f64>,
    /// V at the points on which combinations are compared.
    compared: Mat<f64>,
}

impl Predicted {
    fn rank(&self) -> usize {
        self.along.ncols()
    }
}

/// A combination of the eigenfunctions.
pub(super) struct Choice {
    weights: Vec<f64>,
    terms: Terms,
    pool: usize,
    predicted: Rc<Predicted>,
}

impl Choice {
    /// Whether it is the original's next coordinate.
    pub(super) fn is_original(&self) -> bool {
        self.terms.price == 0.0 && self.terms.pool == 1
    }
}

/// The coordinates so far, and what the next one is to be.
pub(super) struct Search<'s> {
    options: &'s Priced,
    task: &'s Task<'s>,
    progress: &'s Progress<'s>,
    basis: Basis,
    told: Told,
    /// Of the sample, the points on which combinations are compared,
    compared: Vec<usize>,
    /// and the eigenfunctions there.
    functions: Mat<f64>,
    /// The weights of the coordinates so far, a column for each.
    weights: Mat<f64>,
    /// The coordinates so far,
    earlier: Vec<Vec<f64>>,
    /// and at the sample.
    sampled: Vec<Vec<f64>>,
    /// The full price for each alpha that was looked at.
    prices: Vec<(f64, f64)>,
    /// A coordinate that was found before it was asked for.
    ready: Option<Next>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        options: &'s Priced,
        task: &'s Task<'s>,
        progress: &'s Progress<'s>,
        depth: usize,
    ) -> Result<Self> {
        let basis = Basis::new(task, depth, &progress.held())?;
        let told = Told::new(&basis, task.seed);
        let depth = basis.depth();
        let compared = sample(basis.rows.len(), SPREAD_SAMPLE, task.seed);
        let mut search = Search {
            options,
            task,
            progress,
            functions: rows_of(&basis.values, &compared),
            basis,
            told,
            compared,
            weights: Mat::zeros(depth, 0),
            earlier: Vec::new(),
            sampled: Vec::new(),
            prices: Vec::new(),
            ready: None,
        };
        let first: Vec<f64> = (0..depth).map(|j| f64::from(u8::from(j == 0))).collect();
        search.push(&first)?;
        Ok(search)
    }

    /// The coordinates so far.
    pub(super) fn earlier(&self) -> &[Vec<f64>] {
        &self.earlier
    }

    /// Takes a coordinate to the others.
    fn push(&mut self, weights: &[f64]) -> Result<Pair> {
        let pair = self.basis.combined(weights);
        self.earlier.push(self.task.coordinate(self.earlier.len(), &pair.vector)?);
        self.sampled.push(self.basis.sampled(weights));
        let found = self.weights.ncols();
        self.weights.resize_with(weights.len(), found + 1, |j, _| weights[j]);
        Ok(pair)
    }

    /// How many eigenpairs the original method was asked for.
    pub(super) fn asked(&self) -> usize {
        self.basis.asked()
    }

    /// Finds the second coordinate before it is asked for; tells whether the first one hardly predicts it.
    pub(super) fn second_is_new(&mut self) -> Result<bool> {
        match self.find() {
            Ok(next) => {
                self.ready = Some(next);
                Ok(reduce::alone(|| self.predictable(&self.sampled[1], 1))? <= ENOUGH)
            }
            Err(Error::TooManyCoordinates { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// The next coordinate.
    pub(super) fn next(&mut self) -> Result<Next> {
        match self.ready.take() {
            Some(next) => Ok(next),
            None => self.find(),
        }
    }

    /// The next coordinate. Processes that share the points look for it each for itself, at the same sample.
    fn find(&mut self) -> Result<Next> {
        let (choice, smoothing) = reduce::agree(reduce::alone(|| {
            let (choice, tried) = self.choose()?;
            let smoothing = self.smoothing(&choice, tried);
            Ok((choice, smoothing))
        }))?;
        let source = self.task.extend.then(|| self.basis.source(&choice.weights));
        let pair = self.push(&choice.weights)?;
        Ok(Next { pair, smoothing, source })
    }

    /// Of all terms those on which least is lost, and what was tried.
    fn choose(&mut self) -> Result<(Choice, Vec<(f64, f64)>)> {
        let (dims, available) = (self.task.dims, self.earlier.len());
        if available >= self.basis.depth() {
            return Err(Error::TooManyCoordinates { dims, available });
        }
        let most = self.basis.rows.len() / FEW;
        let mut contest = Contest::default();
        let mut tried = Vec::new();
        for alpha in self.alphas() {
            let predicted = match self.predicted(alpha) {
                Err(Error::SmootherTooLarge { .. }) if !contest.is_empty() => break,
                predicted => Rc::new(predicted?),
            };
            if !contest.is_empty() && predicted.rank() > most {
                break;
            }
            for terms in self.menu(alpha, predicted.rank()) {
                let choice = self.choice(&predicted, terms)?;
                self.enter(&mut contest, choice)?;
            }
            tried.push((alpha, contest.least()));
            // As many directions as bandwidths fit into the room of the earlier coordinates.
            let next = predicted.rank() as f64 * (2.0_f64).powi(self.earlier.len() as i32);
            if next > NARROW {
                break;
            }
        }
        let choice = contest.winner().ok_or(Error::TooManyCoordinates { dims, available })?;
        Ok((choice, tried))
    }

    /// Enters a combination into the contest.
    fn enter(&self, contest: &mut Contest, choice: Choice) -> Result<()> {
        let next = self.basis.sampled(&choice.weights);
        let earlier = self.sampled.len();
        let untold = self.told.untold(&self.with(earlier, &next))?;
        contest.enter(untold, choice, || self.predictable(&next, earlier))
    }

    /// The share of a coordinate's variance that a regression on so many earlier ones predicts.
    fn predictable(&self, next: &[f64], earlier: usize) -> Result<f64> {
        let (error, _) = last_error(&self.with(earlier, next), SAMPLE)?;
        Ok(1.0 - error * error)
    }

    /// So many coordinates and the next one, at the sample.
    fn with<'c>(&'c self, earlier: usize, next: &'c [f64]) -> Vec<&'c [f64]> {
        self.sampled[..earlier].iter().map(Vec::as_slice).chain([next]).collect()
    }

    fn alphas(&self) -> Vec<f64> {
        match self.options.smoother.alpha {
            Alpha::Fixed(alpha) => vec![alpha],
            Alpha::Auto => ALPHAS.to_vec(),
        }
    }

    /// The terms that are tried with a smoother.
    fn menu(&mut self, alpha: f64, rank: usize) -> Vec<Terms> {
        let Priced { mu, pool, thrift, .. } = *self.options;
        let full = self.full_price(alpha, rank);
        let wide = alpha >= ALPHAS[0] || self.options.smoother.alpha != Alpha::Auto;
        let prices: Vec<f64> = match mu {
            Some(mu) => vec![mu],
            None if wide => PRICES.iter().map(|share| share * full).collect(),
            None => NARROW_PRICES.iter().map(|share| share * full).collect(),
        };
        let pools = if wide { &POOLS[..] } else { &POOLS[1..] };
        let mut menu = Vec::new();
        if wide && mu.is_none() && pool.is_none() {
            menu.push(Terms { price: 0.0, pool: 1, thrift: 0.0 });
        }
        for price in prices {
            for &(usual_pool, usual_thrift) in pools {
                let pool = pool.unwrap_or(usual_pool);
                let thrift = thrift.unwrap_or(usual_thrift);
                let terms = Terms { price, pool, thrift };
                if !menu.contains(&terms) {
                    menu.push(terms);
                }
            }
        }
        menu
    }

    /// The energy of the original eigenfunction behind the rank of the first smoother of this alpha.
    fn full_price(&mut self, alpha: f64, rank: usize) -> f64 {
        if let Some((_, price)) = self.prices.iter().find(|(known, _)| *known == alpha) {
            return *price;
        }
        let costs = &self.basis.costs;
        let price = costs[(rank + BEHIND - 1).min(costs.len() - 1)];
        self.prices.push((alpha, price));
        price
    }

    fn predicted(&self, alpha: f64) -> Result<Predicted> {
        let seed = self.task.seed.wrapping_add(self.earlier.len() as u64);
        let columns: Vec<&[f64]> = self.sampled.iter().map(Vec::as_slice).collect();
        let options = &self.options.smoother;
        let smoother = smoother(&columns, alpha, options, seed, &self.progress.held())?;
        let scale = self.basis.sampled_scale.as_deref();
        let kept = smoother.singular_vectors(scale, options.truncation)?;
        let along = inner(self.basis.values.as_ref(), kept.vectors.as_ref());
        let predicted = product(along.as_ref(), along.transpose());
        let compared = rows_of(&kept.vectors, &self.compared);
        Ok(Predicted { alpha, smoother, kept, along, predicted, compared })
    }

    /// The least localised combination of the lowest eigenvectors of M + mu V V' in the complement of the earlier ones.
    fn choice(&self, predicted: &Rc<Predicted>, terms: Terms) -> Result<Choice> {
        let (depth, found) = (self.basis.depth(), self.weights.ncols());
        let costs = &self.basis.costs;
        let mut matrix = predicted.predicted.clone();
        matrix *= faer::Scale(terms.price);
        (0..depth).for_each(|j| matrix[(j, j)] += costs[j]);
        // Within the complement of the earlier weights; these themselves are dearer than anything else.
        let dearest: f64 = 2.0 * (0..depth).map(|j| matrix[(j, j)]).sum::<f64>();
        let earlier = self.weights.as_ref();
        let spanned = product(earlier, earlier.transpose());
        let complement = Mat::<f64>::identity(depth, depth) - &spanned;
        let within = product(product(complement.as_ref(), matrix.as_ref()).as_ref(), complement.as_ref());
        let turned = Mat::from_fn(depth, depth, |i, j| {
            0.5 * (within[(i, j)] + within[(j, i)]) + dearest * spanned[(i, j)]
        });
        let (values, vectors) = eigen_descending(turned.as_ref())?;
        let pool = terms.pool.min(depth - found);
        let costs: Vec<f64> = (0..pool).map(|k| values[depth - 1 - k].max(f64::MIN_POSITIVE)).collect();
        let vectors = Mat::from_fn(depth, pool, |j, k| vectors[(j, depth - 1 - k)]);
        let combination = self.combination(predicted, vectors.as_ref(), costs, terms.thrift);
        let mut weights = vec![0.0; depth];
        for (k, a) in combination.iter().enumerate() {
            axpy(*a, vectors.col_as_slice(k), &mut weights);
        }
        // Exactly orthogonal to the earlier ones, for the rounding of the squares.
        for k in 0..found {
            let earlier = self.weights.col_as_slice(k);
            axpy(-dot(&weights, earlier), earlier, &mut weights);
        }
        let length = norm(&weights);
        scale(&mut weights, length.recip());
        Ok(Choice { weights, terms, pool, predicted: predicted.clone() })
    }

    /// How the candidates are combined. Localised or not is judged by what the smoother does not predict of them: what it
    /// predicts could fill the gaps of anything.
    fn combination(
        &self,
        predicted: &Predicted,
        candidates: faer::MatRef<'_, f64>,
        costs: Vec<f64>,
        thrift: f64,
    ) -> Vec<f64> {
        if costs.len() == 1 {
            return vec![1.0];
        }
        let rows = &self.compared;
        let mut values = product(self.functions.as_ref(), candidates);
        let along = inner(predicted.along.as_ref(), candidates);
        values -= product(predicted.compared.as_ref(), along.as_ref());
        if let Some(scale) = &self.basis.sampled_scale {
            for k in 0..values.ncols() {
                let column = values.col_as_slice_mut(k).iter_mut();
                column.zip(rows).for_each(|(value, &row)| *value *= scale[row]);
            }
        }
        let sampled = &self.sampled;
        let earlier = Mat::from_fn(rows.len(), sampled.len(), |i, j| sampled[j][rows[i]]);
        let seed = self.task.seed.wrapping_add(sampled.len() as u64);
        Pool { values, costs, earlier }.least_localized(thrift, seed)
    }

    fn smoothing(&self, choice: &Choice, tried: Vec<(f64, f64)>) -> Smoothing {
        let Predicted { alpha, smoother, kept, along, .. } = choice.predicted.as_ref();
        let f = self.basis.sampled(&choice.weights);
        let f = Mat::from_fn(f.len(), 1, |i, _| f[i]);
        let weights = Mat::from_fn(choice.weights.len(), 1, |j, _| choice.weights[j]);
        let paid = inner(along.as_ref(), weights.as_ref());
        let share = paid.col_as_slice(0).iter().map(|part| part * part).sum();
        Smoothing {
            alpha: *alpha,
            tried,
            rank: along.ncols(),
            size: smoother.size(),
            predictable: norm(smoother.predict(&f).col_as_slice(0)),
            singular_values: kept.singular_values.clone(),
            paid: Some(Paid { price: choice.terms.price, share, pool: choice.pool }),
        }
    }
}

/// Some rows of a matrix.
fn rows_of(matrix: &Mat<f64>, rows: &[usize]) -> Mat<f64> {
    Mat::from_fn(rows.len(), matrix.ncols(), |i, j| matrix[(rows[i], j)])
}
