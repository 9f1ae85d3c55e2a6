//! Every stage is done once, whatever follows, and nothing depends on what was asked before.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::ops::ControlFlow;
use std::sync::Mutex;

use common::{flat_methods, roll, strategies};
use nrdr::{
    Dims, Error, Isomap, Known, LaplacianEigenmaps, Ltsa, Options, Prepared, Stage, Strategy,
    SymmetricMatrix, embed, fit,
};

/// The stages that began, in order.
#[derive(Default)]
struct Stages(Mutex<Vec<Stage>>);

impl nrdr::Observer for Stages {
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()> {
        let mut seen = self.0.lock().unwrap();
        if fraction == 0.0 && seen.last() != Some(&stage) {
            seen.push(stage);
        }
        ControlFlow::Continue(())
    }
}

impl Stages {
    fn count(&self, stage: Stage) -> usize {
        self.0.lock().unwrap().iter().filter(|seen| **seen == stage).count()
    }
}

const SHARED: [Stage; 4] = [Stage::Neighbors, Stage::Graph, Stage::Matrix, Stage::Factorization];

#[test]
fn neighbours_and_factorisation_are_made_once() {
    let points = roll(600, 1);
    let options = Options { dims: Dims::Auto { most: 4 }, ..Default::default() };
    let method = Ltsa::default();
    let stages = Stages::default();
    let prepared = Prepared::new(&points, &method, &options).unwrap().observed(&stages);
    let (ours, _) = prepared.fit(&Strategy::default()).unwrap();
    prepared.original(ours.dims()).unwrap();
    prepared.embed(&Strategy::default()).unwrap();
    let all =
        [Strategy::orthogonal(), Strategy::default(), Strategy::selection(Default::default())];
    prepared.compare(&all, Known::default()).unwrap();
    for stage in SHARED {
        assert_eq!(stages.count(stage), 1, "{stage}");
    }
    // One after another they count once.
    assert!(stages.count(Stage::Coordinates) >= 1);
    // Beside every embedding stand the times of all its stages.
    let times: Vec<Stage> = ours.times.iter().map(|(stage, _)| *stage).collect();
    assert_eq!(times, [&SHARED[..], &[Stage::Coordinates]].concat());
}

#[test]
fn what_is_found_does_not_depend_on_what_was_asked_before() {
    let points = roll(400, 2);
    for (name, method) in flat_methods() {
        let options = Options { dims: 3.into(), ..Default::default() };
        let prepared = Prepared::new(&points, method.as_ref(), &options).unwrap();
        for strategy in strategies().into_iter().rev() {
            let alone = embed(
                &points,
                method.as_ref(),
                &Options { strategy: strategy.clone(), ..options.clone() },
            );
            match (alone, prepared.embed(&strategy)) {
                (Ok(alone), Ok(among)) => {
                    for i in 0..alone.dims() {
                        let same = alone.coordinate(i) == among.coordinate(i);
                        assert!(same, "{name}, {}, {i}", strategy.name());
                    }
                }
                (alone, among) => assert_eq!(alone.err(), among.err(), "{name}"),
            }
        }
        let original = prepared.original(2).unwrap();
        let two = Options { dims: 2.into(), ..common::original() };
        let alone = embed(&points, method.as_ref(), &two).unwrap();
        assert_eq!(original.coordinate(1), alone.coordinate(1), "{name}");
    }
}

#[test]
fn a_model_is_the_same_after_an_embedding() {
    let (points, new) = (roll(300, 1), roll(20, 9));
    let (method, options) = (LaplacianEigenmaps::default(), Options::default());
    let prepared = Prepared::new(&points, &method, &options).unwrap();
    let embedding = prepared.embed(&options.strategy).unwrap();
    let (fitted, model) = prepared.fit(&options.strategy).unwrap();
    assert_eq!(embedding.coordinate(1), fitted.coordinate(1));
    let (_, alone) = fit(&points, &method, &options).unwrap();
    let transform = |model: &nrdr::Model| model.transform(&new, &()).unwrap();
    assert_eq!(transform(&model), transform(&alone));
}

/// Strategies that move the points embed them again: they ask for one coordinate each time, and can be stopped there.
#[test]
fn sequential_strategies_ask_for_one_coordinate_and_can_be_cancelled() {
    let points = roll(300, 1);
    let (method, options) =
        (LaplacianEigenmaps::default(), Options { dims: 3.into(), ..Default::default() });
    for strategy in [Strategy::regression(Default::default()), Strategy::advection()] {
        let prepared = Prepared::new(&points, &method, &options).unwrap();
        let found = prepared.embed(&strategy).unwrap();
        let known: Vec<bool> =
            found.coordinates.iter().map(|c| c.original_eigenvalue.is_some()).collect();
        assert!(known[0] && known[1..].iter().all(|known| !known), "{}", strategy.name());
        // Cancelled somewhere in the middle of embedding again.
        let calls = Mutex::new(0);
        let counting = |_: Stage, _: f64| {
            *calls.lock().unwrap() += 1;
            ControlFlow::Continue(())
        };
        Prepared::new(&points, &method, &options)
            .unwrap()
            .observed(&counting)
            .embed(&strategy)
            .unwrap();
        let all = *calls.lock().unwrap();
        let seen = Mutex::new(0);
        let stop = |_: Stage, _: f64| {
            let mut seen = seen.lock().unwrap();
            *seen += 1;
            if *seen > all * 2 / 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let prepared = Prepared::new(&points, &method, &options).unwrap().observed(&stop);
        let stopped = prepared.embed(&strategy);
        assert_eq!(stopped.err(), Some(Error::Cancelled { stage: Stage::Coordinates }));
    }
}

#[test]
fn only_points_can_be_compared_on() {
    let apart = |at: usize| ((at / 30) as f64 - (at % 30) as f64).abs();
    let distances = SymmetricMatrix::new((0..900).map(apart).collect()).unwrap();
    let (method, options) = (Isomap::default(), Options { dims: 1.into(), ..Default::default() });
    let prepared = Prepared::new(&distances, &method, &options).unwrap();
    let refused = prepared.compare(&Strategy::all(), Known::default());
    assert!(matches!(refused, Err(Error::WrongInput { .. })));
}
