//! What cannot be done is refused at all members, before any work where that is possible.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clouds;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use clouds::*;
use nrdr::team::of_threads;
use nrdr::*;
use nrdr_mpi::failure::Failure;
use nrdr_mpi::prepare::{Job, prepare};
use nrdr_mpi::shared::Own;

/// What all members say.
fn told(points: &Points, method: &dyn Method, options: &Options) -> String {
    let told = of_threads(3, |team| {
        let job = Job { method, options, given: None, observer: None, kept: None };
        prepare(team, share(points, team), &job).err().unwrap().to_string()
    });
    assert!(told.iter().all(|other| *other == told[0]), "{told:?}");
    told[0].clone()
}

#[test]
fn methods_and_searches_of_one_machine() {
    let points = cube(50, 3, 1);
    for name in ["mlle", "isomap", "kpca", "precomputed"] {
        let method = nrdr::method::by_name(name).unwrap();
        let told = told(&points, method.as_ref(), &Options::default());
        assert!(told.contains(name) && told.contains("one machine only"), "{told}");
        assert!(told.contains("take lem, dfm, ltsa, hlle or lle"), "{told}");
    }
    let options = Options { search: Search::Approximate, ..Default::default() };
    let told = told(&points, &LaplacianEigenmaps::default(), &options);
    assert!(told.contains("files of neighbours"), "{told}");
}

#[test]
fn what_one_machine_refuses() {
    let (points, lem) = (cube(50, 3, 1), LaplacianEigenmaps::default());
    let odd = Points::new(vec![0.25; 90], 3).unwrap();
    let tiny = Points::new((0..90).map(|i| 1e-160 * f64::from(i)).collect(), 3).unwrap();
    let one = cube(1, 3, 1);
    let mut directions = points.values().to_vec();
    directions[60..63].fill(0.0);
    let directions = Points::new(directions, 3).unwrap();
    let plain = Options::default();
    let cosine = Options { metric: Metric::Cosine, ..plain.clone() };
    let cases: Vec<(&Points, Box<dyn Method>, Options)> = vec![
        (&points, Box::new(lem.clone()), Options { neighbors: 50, ..plain.clone() }),
        (&points, Box::new(lem.clone()), Options { neighbors: 0, ..plain.clone() }),
        (&points, Box::new(lem.clone()), Options { dims: 50.into(), ..plain.clone() }),
        (&points, Box::new(lem.clone()), Options { dims: 0.into(), ..plain.clone() }),
        (&points, Box::new(HessianLle::default()), Options { neighbors: 2, ..plain.clone() }),
        (&points, Box::new(Lle { regularization: -1.0 }), plain.clone()),
        (&points, Box::new(lem.clone()), Options { metric: Metric::Haversine, ..plain.clone() }),
        (&directions, Box::new(lem.clone()), cosine),
        (&odd, Box::new(lem.clone()), plain.clone()),
        (&tiny, Box::new(lem.clone()), plain.clone()),
        (&one, Box::new(lem), plain),
    ];
    for (points, method, options) in cases {
        let one = Prepared::new(points, method.as_ref(), &options).map(|made| made.problem().err());
        let one = one.map_or_else(|error| error, |error| error.unwrap());
        let wanted = one.told(&nrdr_cli::shared::Typed);
        assert_eq!(told(points, method.as_ref(), &options), wanted);
    }
}

#[test]
fn shares_of_different_widths() {
    let told = of_threads(3, |team| {
        let columns = if team.rank() == 2 { 4 } else { 3 };
        let own = Own::new(vec![team.rank() as f64; 12 * columns], columns).unwrap();
        let (method, options) = (LaplacianEigenmaps::default(), Options::default());
        let job =
            Job { method: &method, options: &options, given: None, observer: None, kept: None };
        prepare(team, own, &job).err().unwrap()
    });
    assert!(told.iter().all(|told| told.to_string().contains('4')));
}

/// Ends the work at a report.
struct Ends(AtomicUsize, usize);

impl Observer for Ends {
    fn update(&self, _: Stage, _: f64) -> ControlFlow<()> {
        match self.0.fetch_add(1, Ordering::Relaxed) == self.1 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn whoever_cancels_cancels_for_all() {
    let points = cube(300, 3, 1);
    for at in 0..6 {
        let told = of_threads(3, |team| {
            let (method, options) = (Ltsa::default(), Options::default());
            let ends = Ends(AtomicUsize::new(0), at);
            let observer = (team.rank() == 1).then_some(&ends as &dyn Observer);
            let job = Job { method: &method, options: &options, given: None, observer, kept: None };
            prepare(team, share(&points, team), &job).err()
        });
        assert!(matches!(told[1], Some(Failure::Core(Error::Cancelled { .. }))), "report {at}");
        assert!(told.iter().all(|told| told.is_some()));
    }
}
