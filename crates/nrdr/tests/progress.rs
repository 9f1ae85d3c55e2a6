//! Observers see every stage and can end the work.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::ops::ControlFlow;
use std::sync::Mutex;

use common::{point_methods, roll};
use nrdr::{
    Embedding, Error, LaplacianEigenmaps, Ltsa, Method, Observer, Options, Points, Prepared,
    RedundancyOptions, Result, Stage, Strategy, embed, redundancy,
};

fn observed(
    points: &Points,
    method: &dyn Method,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Embedding> {
    Prepared::new(points, method, options)?.observed(observer).embed(&options.strategy)
}

#[test]
fn stages_come_in_order_and_run_from_start_to_end() {
    let points = roll(3000, 1);
    let seen = Mutex::new(Vec::new());
    let observer = |stage: Stage, fraction: f64| {
        seen.lock().unwrap().push((stage, fraction));
        ControlFlow::Continue(())
    };
    let options = common::original();
    let embedding = observed(&points, &Ltsa::default(), &options, &observer).unwrap();
    let expected =
        [Stage::Neighbors, Stage::Graph, Stage::Matrix, Stage::Factorization, Stage::Coordinates];
    let times: Vec<Stage> = embedding.times.iter().map(|(stage, _)| *stage).collect();
    assert_eq!(times, expected);
    let seen = seen.into_inner().unwrap();
    let mut stages: Vec<Stage> = seen.iter().map(|(stage, _)| *stage).collect();
    stages.dedup();
    assert_eq!(stages, expected);
    for stage in expected {
        let fractions: Vec<f64> = seen.iter().filter(|s| s.0 == stage).map(|s| s.1).collect();
        assert_eq!((fractions[0], *fractions.last().unwrap()), (0.0, 1.0), "{stage}");
        assert!(fractions.iter().all(|f| (0.0..=1.0).contains(f)), "{stage}");
        // All but the graph, which is done in a moment, are seen on their way.
        let between = fractions.iter().filter(|&&f| 0.0 < f && f < 1.0).count();
        assert!(between > 0 || stage == Stage::Graph, "{stage}");
    }
    assert!(seen.iter().filter(|s| s.0 == Stage::Neighbors).count() > 3);
    // Watching does not change what is seen.
    let unwatched = embed(&points, &Ltsa::default(), &options).unwrap();
    assert_eq!(unwatched.coordinate(1), embedding.coordinate(1));
}

#[test]
fn every_stage_of_every_method_can_be_cancelled() {
    let points = roll(1500, 1);
    for (name, method) in point_methods() {
        let complete = embed(&points, method.as_ref(), &common::original()).unwrap();
        for (wanted, _) in complete.times {
            let observer = |stage: Stage, _: f64| {
                if stage == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let error = observed(&points, method.as_ref(), &common::original(), &observer);
            assert_eq!(error.unwrap_err(), Error::Cancelled { stage: wanted }, "{name}");
        }
    }
}

#[test]
fn a_stage_ends_soon_after_it_is_told_to() {
    let points = roll(4000, 1);
    for (name, method) in point_methods() {
        let complete = embed(&points, method.as_ref(), &common::original()).unwrap();
        for (wanted, _) in complete.times {
            // A third into the stage, where it says so at all.
            let observer = |stage: Stage, fraction: f64| {
                if stage == wanted && fraction > 0.3 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let error = observed(&points, method.as_ref(), &common::original(), &observer);
            assert_eq!(error.unwrap_err(), Error::Cancelled { stage: wanted }, "{name}");
        }
    }
}

/// Each coordinate under the unpredictable strategy is a problem of its own: what is told is how many there are.
#[test]
fn coordinates_one_after_another_are_told_one_after_another() {
    let points = roll(400, 1);
    let strategy = Strategy::unpredictable(Default::default());
    let options = Options { dims: 4.into(), strategy, ..Default::default() };
    let told = Mutex::new(Vec::new());
    let observer = |stage: Stage, fraction: f64| {
        if stage == Stage::Coordinates {
            told.lock().unwrap().push(fraction);
        }
        ControlFlow::Continue(())
    };
    observed(&points, &LaplacianEigenmaps::default(), &options, &observer).unwrap();
    let mut told = told.into_inner().unwrap();
    assert!(told.is_sorted(), "{told:?}");
    told.dedup();
    assert_eq!(told, [0.0, 0.5, 0.75, 1.0]);
}

#[test]
fn measuring_redundancy_is_seen_and_can_be_stopped() {
    let points = roll(600, 1);
    let options = RedundancyOptions::default();
    let told = Mutex::new(Vec::new());
    let watching = |stage: Stage, fraction: f64| {
        told.lock().unwrap().push((stage, fraction));
        ControlFlow::Continue(())
    };
    let watched = redundancy(&points, &options, &watching).unwrap();
    assert_eq!(watched, redundancy(&points, &options, &()).unwrap());
    let told = told.into_inner().unwrap();
    assert!(told.len() > 10 && told.iter().all(|(stage, _)| *stage == Stage::Redundancy));
    let stopping = |_: Stage, fraction: f64| {
        if fraction < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let stopped = redundancy(&points, &options, &stopping);
    assert_eq!(stopped, Err(Error::Cancelled { stage: Stage::Redundancy }));
}
