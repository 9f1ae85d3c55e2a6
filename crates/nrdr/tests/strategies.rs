//! The paper's competitors.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{flat_methods, roll, run};
use nrdr::datasets::{Strip, Torus};
use nrdr::quality::recovery;
use nrdr::{
    Bandwidth, Embedding, Error, Known, LaplacianEigenmaps, Options, Points, RedundancyOptions,
    Selection, SmootherOptions, Strategy, Warning, compare, embed, redundancy,
};

fn errors(embedding: &Embedding) -> Vec<f64> {
    redundancy(&embedding.to_points().unwrap(), &RedundancyOptions::default(), &()).unwrap().errors
}

/// Fig. 4 of the paper: points on a ring, Laplacian eigenmaps.
#[test]
fn on_a_ring_only_unpredictable_coordinates_find_the_inner_angle() {
    let ring = Torus { n: 3000, minor: 2.0, ..Default::default() }.generate(3).unwrap();
    let lem = LaplacianEigenmaps::default();
    let with = |strategy| {
        let options = Options { dims: 3.into(), strategy, ..Default::default() };
        run(&ring.points, &lem, &options)
    };
    let original = errors(&with(Strategy::orthogonal()));
    let wide = SmootherOptions { alpha: 0.6.into(), ..Default::default() };
    let regression = errors(&with(Strategy::regression(wide)));
    let ours = with(Strategy::unpredictable(Default::default()));
    let advection = with(Strategy::advection());
    println!("original {original:.2?}, regression {regression:.2?}, ours {:.2?}", errors(&ours));
    // The second coordinate is the sine beside the cosine, the third a function of both.
    assert!(original[1] > 0.9 && original[2] < 0.2, "{original:?}");
    assert!(regression[2] < 0.3, "{regression:?}");
    let third = RedundancyOptions { bandwidth: Bandwidth::MedianThird, ..Default::default() };
    let by_third = redundancy(&ours.to_points().unwrap(), &third, &()).unwrap().errors;
    assert!(by_third[2] > 0.9 && errors(&ours)[2] > 0.5, "{by_third:?} {:?}", errors(&ours));
    let tube: Vec<f64> = (0..3000).map(|i| ring.truth.row(i)[1].sin()).collect();
    let found = recovery(&ours.to_points().unwrap(), &[&tube]).unwrap();
    assert!(found[0] > 0.5, "{found:?}");
    // The first coordinate is the cosine of the outer angle: two places have its mean.
    assert_eq!(advection.dims(), 1);
    let Some(Warning::Halted { coordinates: 1, sizes }) = advection.warnings.first() else {
        panic!("{:?}", advection.warnings)
    };
    assert!(sizes[1] > 1300 && sizes[0] + sizes[1] > 2900, "{sizes:?}");
}

/// On a strip everything is monotonic: there the competitors find the short side, too.
#[test]
fn on_a_strip_the_competitors_find_the_short_side() {
    let strip = Strip { n: 2000, aspect: 3.5, noise: 0.0 }.generate(1).unwrap();
    let side: Vec<f64> = (0..2000).map(|i| strip.truth.row(i)[1]).collect();
    let lem = LaplacianEigenmaps::default();
    let score = |strategy: Strategy| {
        let options = Options { strategy, ..Default::default() };
        let embedding = run(&strip.points, &lem, &options);
        assert_eq!(embedding.dims(), 2, "{}", embedding.strategy);
        recovery(&embedding.to_points().unwrap(), &[&side]).unwrap()[0]
    };
    assert!(score(Strategy::orthogonal()) < 0.3);
    for strategy in Strategy::all().into_iter().skip(1) {
        let (name, found) = (strategy.name(), score(strategy));
        println!("{name}: {found:.2}");
        assert!(found > 0.8, "{name}: {found}");
    }
}

#[test]
fn selection_reports_what_it_kept_and_why() {
    let points = roll(800, 2);
    let lem = LaplacianEigenmaps::default();
    let with = |selection: Selection| {
        let strategy = Strategy::selection(selection);
        embed(&points, &lem, &Options { dims: 3.into(), strategy, ..Default::default() })
    };
    let original = run(&points, &lem, &Options { dims: 30.into(), ..common::original() });
    let found = with(Selection::default()).unwrap();
    assert_eq!((found.candidates.len(), found.candidates[0]), (30, 1.0));
    let mut last = 0;
    let mut least = f64::INFINITY;
    for coordinate in &found.coordinates {
        let selected = coordinate.selected.unwrap();
        assert!(selected.candidate > last);
        last = selected.candidate;
        least = least.min(selected.error);
        assert_eq!(selected.error, found.candidates[selected.candidate - 1]);
        let far =
            common::difference(&coordinate.values, original.coordinate(selected.candidate - 1));
        assert!(far < 1e-5, "candidate {}: {far}", selected.candidate);
    }
    // No other candidate has a larger error.
    assert_eq!(found.candidates.iter().filter(|&&error| error > least).count(), 2);
    // With a threshold the first ones that pass.
    let threshold = Some(0.5 * least);
    let first = with(Selection { threshold, ..Default::default() }).unwrap();
    let passed: Vec<usize> = (1..=30).filter(|i| first.candidates[i - 1] >= 0.5 * least).collect();
    let kept: Vec<usize> =
        first.coordinates.iter().map(|c| c.selected.unwrap().candidate).collect();
    assert_eq!(kept, passed[..3]);
    let none = with(Selection { threshold: Some(1.0), ..Default::default() });
    assert!(matches!(none, Err(Error::TooFewSelected { dims: 3, candidates: 30, .. })), "{none:?}");
    let few = with(Selection { candidates: Some(2), ..Default::default() });
    assert!(matches!(few, Err(Error::Parameter { name: "candidates", .. })));
    let bad = with(Selection { threshold: Some(1.5), ..Default::default() });
    assert!(matches!(bad, Err(Error::Parameter { name: "threshold", .. })));
}

#[test]
fn every_strategy_runs_with_every_method() {
    let points = roll(400, 6);
    for (name, method) in flat_methods() {
        let all = Strategy::all().into_iter();
        for strategy in all.filter(|strategy| common::runs_with(strategy, method.as_ref())) {
            let options = Options { strategy, ..Default::default() };
            let embedding = run(&points, method.as_ref(), &options);
            let label = format!("{name}, {}", embedding.strategy);
            assert!(embedding.dims() == 2 || embedding.strategy == "advection", "{label}");
            assert!(embedding.coordinates.iter().all(|c| c.values.iter().all(|v| v.is_finite())));
        }
    }
}

#[test]
fn strategies_that_move_points_need_them() {
    let graph = common::ring_laplacian(50);
    let matrix = nrdr::Matrix::from(graph);
    for strategy in [Strategy::regression(Default::default()), Strategy::advection()] {
        let name = strategy.name();
        let options = Options { strategy, ..Default::default() };
        let found = embed(&matrix, &common::precomputed_smallest(50), &options);
        assert_eq!(found.unwrap_err(), Error::NeedsPoints { strategy: name });
    }
}

#[test]
fn a_comparison_measures_every_strategy() {
    let strip = Strip { n: 700, aspect: 3.5, noise: 0.0 }.generate(4).unwrap();
    let labels: Vec<u32> = (0..700).map(|i| u32::from(strip.truth.row(i)[0] > 1.7)).collect();
    let known = Known { parameters: Some(&strip.truth), labels: Some(&labels) };
    let lem = LaplacianEigenmaps::default();
    let strategies = Strategy::all();
    let all = compare(&strip.points, &lem, &common::original(), &strategies, known).unwrap();
    assert_eq!(all.len(), strategies.len());
    for (result, strategy) in all.iter().zip(&strategies) {
        let found = result.as_ref().unwrap();
        assert_eq!(found.strategy, strategy.name());
        let alone = Options { strategy: strategy.clone(), ..Default::default() };
        let alone = run(&strip.points, &lem, &alone);
        assert_eq!(alone.coordinate(0), found.embedding.coordinate(0));
        assert_eq!(alone.coordinate(1), found.embedding.coordinate(1));
        assert_eq!(found.redundancy.as_ref().unwrap().errors, errors(&alone));
        assert!(
            found.recovered[0] > 0.9 && found.quality.accuracy.unwrap() > 0.9,
            "{}",
            found.strategy
        );
        assert!(found.quality.preservation.trustworthiness > 0.7);
    }
    let [original, ours] = [0, 1].map(|i| all[i].as_ref().unwrap());
    assert!(ours.recovered[1] > original.recovered[1] + 0.3);
    assert!(
        ours.quality.preservation.trustworthiness > original.quality.preservation.trustworthiness
    );
    let short = Points::new(vec![1.0; 10], 1).unwrap();
    let known = Known { parameters: Some(&short), labels: None };
    let wrong = compare(&strip.points, &lem, &common::original(), &strategies, known);
    assert!(matches!(wrong, Err(Error::Size { got: 10, expected: 700, .. })));
}
