//! A run that is ended after anything it has kept goes on from there, and gives the same bits.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use common::{Opaque, ring_laplacian, roll, runs_with};
use nrdr::checkpoint::{Record, Store};
use nrdr::datasets::SwissRoll;
use nrdr::{
    Alpha, Difference, Dims, Embedding, Error, Graph, Input, Matrix, Method, Model, Options,
    Points, Policy, Prepared, Result, Selection, SmootherOptions, SolverOptions, SparseMatrix,
    Stage, Strategy, SymmetricMatrix, method,
};

/// A store that tells the run to end after each record.
#[derive(Default)]
struct Memory {
    records: Mutex<BTreeMap<String, Record<'static>>>,
    /// Names in the order in which they were put.
    put: Mutex<Vec<String>>,
    ends: bool,
    ended: AtomicBool,
}

impl Store for Memory {
    fn get(&self, name: &str) -> Result<Option<Record<'static>>> {
        Ok(self.records.lock().unwrap().get(name).cloned())
    }

    fn put(&self, name: &str, record: &Record<'_>) -> Result<()> {
        let owned = Record {
            text: record.text.to_string().into(),
            numbers: record.numbers.iter().map(|list| list.to_vec().into()).collect(),
            indices: record.indices.iter().map(|list| list.to_vec().into()).collect(),
        };
        self.records.lock().unwrap().insert(name.to_string(), owned);
        self.put.lock().unwrap().push(name.to_string());
        self.ended.store(self.ends, Relaxed);
        Ok(())
    }
}

/// What a run gives, but for its times; with a model where there can be one.
fn outcome(
    input: Input<'_>,
    method: &dyn Method,
    options: &Options,
    store: Option<&Memory>,
) -> Result<(String, Vec<u8>)> {
    let observer = |_: Stage, _: f64| match store {
        Some(store) if store.ended.load(Relaxed) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let mut prepared = Prepared::new(input, method, options)?.observed(&observer);
    if let Some(store) = store {
        store.ended.store(false, Relaxed);
        prepared = prepared.checkpointed(store)?;
    }
    let (embedding, model) = match prepared.fit(&options.strategy) {
        Err(Error::CannotExtend { .. }) => (prepared.embed(&options.strategy)?, Vec::new()),
        fitted => {
            fitted.and_then(|(embedding, model)| Ok((embedding, Model::to_bytes(&model)?)))?
        }
    };
    let original = prepared.original(embedding.dims())?;
    Ok((told(embedding) + &told(original), model))
}

/// All but times; of numbers this tells every bit.
fn told(mut embedding: Embedding) -> String {
    embedding.times.clear();
    embedding.coordinates.iter_mut().for_each(|c| c.time = Duration::ZERO);
    format!("{embedding:?}")
}

/// Runs again and again, ended after each record, until it comes to its end. Returns what was kept.
fn in_pieces(input: Input<'_>, method: &dyn Method, options: &Options, name: &str) -> Vec<String> {
    let whole = outcome(input, method, options, None).unwrap();
    let store = Memory { ends: true, ..Default::default() };
    let mut runs = 1;
    let last = loop {
        match outcome(input, method, options, Some(&store)) {
            Err(Error::Cancelled { .. }) => runs += 1,
            last => break last.unwrap(),
        }
        assert!(runs < 50, "{name}: it does not end");
    };
    assert!(last == whole, "{name}: after {runs} runs the bits differ");
    // The last one of all may be put when nothing is left to be ended.
    let put = store.put.into_inner().unwrap();
    assert!(runs + 1 >= put.len(), "{name}: {runs} runs for {put:?}");
    // Nothing was made twice: every run went on from what there was.
    let mut once = put.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), put.len(), "{name}: {put:?}");
    put
}

#[test]
fn every_strategy_goes_on_with_the_same_bits() {
    let points = roll(300, 3);
    for strategy in Strategy::all() {
        for name in ["lem", "ltsa", "isomap"] {
            let method = method::by_name(name).unwrap();
            if !runs_with(&strategy, method.as_ref()) {
                continue;
            }
            let options =
                Options { dims: 3.into(), strategy: strategy.clone(), ..Default::default() };
            let name = format!("{name}, {}", strategy.name());
            let put = in_pieces(Input::from(&points), method.as_ref(), &options, &name);
            assert_eq!(put[..3], ["run", "neighbours", "solver"], "{name}");
            let has = |what: &str| put.iter().filter(|name| name.contains(what)).count();
            assert!(has(" original eigenvectors") > 0, "{name}: {put:?}");
            match strategy.name() {
                "unpredictable" | "regression" => {
                    assert_eq!(has("coordinate "), 2, "{name}: {put:?}")
                }
                // It may halt before.
                "advection" => {}
                _ => assert_eq!(has("coordinate "), 0, "{name}: {put:?}"),
            }
        }
    }
}

#[test]
fn the_number_of_coordinates_may_be_found_out() {
    let points =
        SwissRoll { n: 400, height: 10.0, ..Default::default() }.generate(1).unwrap().points;
    for strategy in [Strategy::default(), Strategy::unpredictable(Default::default())] {
        let options = Options { dims: Dims::AUTO, strategy, ..Default::default() };
        let method = method::by_name("lem").unwrap();
        in_pieces(Input::from(&points), method.as_ref(), &options, "auto");
    }
}

#[test]
fn graphs_that_fall_apart() {
    let near = roll(150, 1);
    let rows = (0..150).map(|i| near.row(i).to_vec());
    let far = (0..60).map(|i| near.row(i).iter().map(|x| x + 100.0).collect());
    let points = Points::from_rows(rows.chain(far).collect::<Vec<Vec<f64>>>()).unwrap();
    let strategy =
        Strategy::unpredictable(SmootherOptions { alpha: Alpha::Fixed(0.6), ..Default::default() });
    for components in [Policy::Connect, Policy::Largest] {
        for name in ["lem", "ltsa"] {
            let options = Options { components, strategy: strategy.clone(), ..Default::default() };
            let method = method::by_name(name).unwrap();
            let put = in_pieces(Input::from(&points), method.as_ref(), &options, name);
            assert!(put.contains(&"coordinate 2 of 2".to_string()), "{put:?}");
        }
    }
}

#[test]
fn whatever_is_embedded() {
    let points = roll(200, 1);
    let square = |i: usize, j: usize| {
        let pairs = points.row(i).iter().zip(points.row(j));
        pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    let distances = (0..200).flat_map(|i| (0..200).map(move |j| square(i, j))).collect();
    let distances = SymmetricMatrix::new(distances).unwrap();
    let ring = ring_laplacian(200);
    let matrix = Matrix::from(ring.clone());
    let dense = Matrix::from(distances.clone());
    let around = |i: usize| [(i, (i + 1) % 200, 1.0), ((i + 1) % 200, i, 1.0)];
    let edges: Vec<(usize, usize, f64)> = (0..200).flat_map(around).collect();
    let edges = SparseMatrix::new(200, &edges).unwrap();
    let graph = Graph { edges, kind: nrdr::EdgeKind::Affinity };
    let own = common::precomputed_smallest(200);
    let lem = method::by_name("lem").unwrap();
    let kpca = method::by_name("kpca").unwrap();
    let inputs: [(Input<'_>, &dyn Method); 5] = [
        (Input::from(&distances), lem.as_ref()),
        (Input::from(&graph), lem.as_ref()),
        (Input::from(&matrix), &own),
        (Input::from(&dense), &own),
        (Input::from(&points), kpca.as_ref()),
    ];
    for (input, method) in inputs {
        in_pieces(input, method, &common::original(), method.name());
    }
    let operator = Matrix::Operator(std::sync::Arc::new(Opaque(ring)));
    let refused =
        outcome(Input::from(&operator), &own, &common::original(), Some(&Memory::default()));
    assert!(matches!(refused, Err(Error::Checkpoint { .. })), "{refused:?}");
}

#[test]
fn another_run_is_refused_with_what_differs() {
    let points = roll(120, 1);
    let lem = method::by_name("lem").unwrap();
    let strategy = Strategy::unpredictable(Default::default());
    let options = Options { strategy, ..Default::default() };
    let store = Memory::default();
    let first = outcome(Input::from(&points), lem.as_ref(), &options, Some(&store)).unwrap();
    let differ = |points: &Points, method: &dyn Method, options: &Options| -> Vec<String> {
        let found = outcome(Input::from(points), method, options, Some(&store));
        let Err(Error::OtherRun { differences }) = found else { panic!("{found:?}") };
        differences.into_iter().map(|Difference { name, .. }| name).collect()
    };
    let mut moved = points.values().to_vec();
    moved[7] = moved[7].next_up();
    let moved = Points::new(moved, 3).unwrap();
    assert_eq!(differ(&moved, lem.as_ref(), &options), ["the input"]);
    let shaped = Points::new(points.values().to_vec(), 1).unwrap();
    assert_eq!(differ(&shaped, lem.as_ref(), &options), ["the input"]);
    let ltsa = method::by_name("ltsa").unwrap();
    assert_eq!(differ(&points, ltsa.as_ref(), &options), ["method"]);
    let heat = nrdr::LaplacianEigenmaps { weights: Some(nrdr::Weights::Heat), sigma: Some(2.0) };
    assert_eq!(differ(&points, &heat, &options), ["weights", "sigma"]);
    let alpha = SmootherOptions { alpha: Alpha::Fixed(0.5), ..Default::default() };
    let solver = SolverOptions { tolerance: 1e-6, ..Default::default() };
    let others = [
        (Options { neighbors: 12, dims: 3.into(), ..options.clone() }, vec!["neighbors", "dims"]),
        (Options { dims: Dims::AUTO, ..options.clone() }, vec!["dims"]),
        (Options { seed: 1, ..options.clone() }, vec!["seed"]),
        (Options { components: Policy::Largest, ..options.clone() }, vec!["components"]),
        (Options { symmetry: nrdr::Symmetry::Mutual, ..options.clone() }, vec!["symmetry"]),
        (Options { search: nrdr::Search::Blocked, ..options.clone() }, vec!["search"]),
        (Options { solver, ..options.clone() }, vec!["tolerance"]),
        (Options { strategy: Strategy::unpredictable(alpha), ..options.clone() }, vec!["alpha"]),
        (Options { strategy: Strategy::orthogonal(), ..options.clone() }, vec!["strategy"]),
    ];
    for (other, names) in others {
        assert_eq!(differ(&points, lem.as_ref(), &other), names);
    }
    let text = outcome(
        Input::from(&points),
        lem.as_ref(),
        &Options { neighbors: 12, ..options.clone() },
        Some(&store),
    );
    assert_eq!(
        text.unwrap_err().to_string(),
        "the checkpoint was made with neighbors 10, this run has neighbors 12: use another file or delete it"
    );
    // Threads and memory are nobody's business.
    let threads = Options { threads: Some(1), memory: Some(4 << 30), ..options };
    let again = outcome(Input::from(&points), lem.as_ref(), &threads, Some(&store)).unwrap();
    assert!(again == first);
}

/// Parameters that are not declared count, too.
#[test]
fn a_strategy_counts_in_full() {
    let points = roll(120, 1);
    let lem = method::by_name("lem").unwrap();
    let of = |sample: usize| Options {
        strategy: Strategy::selection(Selection { sample, ..Default::default() }),
        ..Default::default()
    };
    let store = Memory::default();
    outcome(Input::from(&points), lem.as_ref(), &of(100), Some(&store)).unwrap();
    let refused = outcome(Input::from(&points), lem.as_ref(), &of(99), Some(&store));
    assert!(matches!(refused, Err(Error::OtherRun { differences }) if differences.len() == 1));
}

#[test]
fn records_that_do_not_fit_are_made_again() {
    let points = roll(150, 1);
    let lem = method::by_name("lem").unwrap();
    let strategy = Strategy::unpredictable(Default::default());
    let options = Options { strategy, ..Default::default() };
    let store = Memory::default();
    let whole = outcome(Input::from(&points), lem.as_ref(), &options, Some(&store)).unwrap();
    let names = store.put.lock().unwrap().clone();
    assert!(names.len() >= 5, "{names:?}");
    for name in names.iter().filter(|name| !["run", "solver"].contains(&name.as_str())) {
        let good = store.records.lock().unwrap()[name].clone();
        let mut broken = vec![Record::default()];
        for list in 0..good.numbers.len() {
            let mut shorter = good.clone();
            shorter.numbers[list].to_mut().pop();
            let mut fewer = good.clone();
            fewer.numbers.truncate(list);
            broken.extend([shorter, fewer]);
        }
        for list in 0..good.indices.len() {
            let mut beyond = good.clone();
            beyond.indices[list].to_mut()[3] = 1 << 20;
            broken.push(beyond);
        }
        for record in broken.into_iter().filter(|record| *record != good) {
            store.records.lock().unwrap().insert(name.clone(), record);
            let found = outcome(Input::from(&points), lem.as_ref(), &options, Some(&store));
            // A list that may be shorter, such as the singular values that are only told, is taken as it is.
            assert!(found.is_ok_and(|found| found.1 == whole.1), "{name}");
        }
        store.records.lock().unwrap().insert(name.clone(), good);
    }
}

/// Without a model less is kept; a run that needs more finds that again.
#[test]
fn a_model_may_be_asked_for_later() {
    let points = roll(150, 1);
    let lem = method::by_name("lem").unwrap();
    let strategy = Strategy::unpredictable(Default::default());
    let options = Options { strategy, ..Default::default() };
    let whole = outcome(Input::from(&points), lem.as_ref(), &options, None).unwrap();
    let store = Memory::default();
    let prepared = Prepared::new(&points, lem.as_ref(), &options).unwrap();
    prepared.checkpointed(&store).unwrap().embed(&options.strategy).unwrap();
    let later = outcome(Input::from(&points), lem.as_ref(), &options, Some(&store)).unwrap();
    assert!(later == whole);
}

#[test]
fn another_solver_is_refused() {
    let points = roll(150, 1);
    let lem = method::by_name("lem").unwrap();
    let (options, store) = (Options::default(), Memory::default());
    outcome(Input::from(&points), lem.as_ref(), &options, Some(&store)).unwrap();
    let other = Record { text: "lanczos with more memory".into(), ..Default::default() };
    store.put("solver", &other).unwrap();
    let refused = outcome(Input::from(&points), lem.as_ref(), &options, Some(&store));
    assert!(
        matches!(&refused, Err(Error::OtherRun { differences }) if differences[0].name == "solver"),
        "{refused:?}"
    );
}

/// What a store cannot do ends the run.
#[test]
fn a_store_that_fails_is_told() {
    struct Full;
    impl Store for Full {
        fn get(&self, _: &str) -> Result<Option<Record<'static>>> {
            Ok(None)
        }
        fn put(&self, _: &str, _: &Record<'_>) -> Result<()> {
            Err(Error::Checkpoint { reason: "full: make room".to_string() })
        }
    }
    let points = roll(120, 1);
    let lem = method::by_name("lem").unwrap();
    let options = Options::default();
    let prepared = Prepared::new(&points, lem.as_ref(), &options).unwrap();
    let prepared = prepared.checkpointed(&Full).unwrap();
    let failed = prepared.embed(&options.strategy).unwrap_err();
    assert_eq!(failed.to_string(), "the checkpoint cannot be used: full: make room");
}
