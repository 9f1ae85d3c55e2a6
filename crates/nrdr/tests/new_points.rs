//! Coordinates of new points.
#![allow(clippy::unwrap_used)]

mod common;

use common::{flat_methods, point_methods, roll};
use nrdr::datasets::{Dataset, SwissRoll};
use nrdr::quality::recovery;
use nrdr::{
    Error, Graph, Input, Isomap, Kernel, KernelPca, LaplacianEigenmaps, Lle, Matrix, Method, Model,
    Nearby, Options, Points, Policy, Precomputed, Priced, Realization, Regression, SmootherOptions,
    Strategy, SymmetricMatrix, embed, fit, with_threads,
};

fn unpredictable() -> Strategy {
    Strategy::unpredictable(SmootherOptions { alpha: 0.3.into(), ..Default::default() })
}

fn options(strategy: Strategy, dims: usize) -> Options {
    Options { dims: dims.into(), strategy, neighbors: 12, ..Default::default() }
}

/// Largest difference of two tables.
fn difference(a: &Points, b: &Points) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    a.values().iter().zip(b.values()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn a_model_embeds_like_the_embedding_and_knows_its_training_points() {
    let points = roll(500, 3);
    for (name, method) in point_methods() {
        for strategy in
            [Strategy::orthogonal(), unpredictable(), Strategy::priced(Default::default())]
        {
            let options = options(strategy, if name == "hlle" { 2 } else { 3 });
            let plain = embed(&points, method.as_ref(), &options).unwrap();
            let (kept, model) = fit(&points, method.as_ref(), &options).unwrap();
            for i in 0..plain.dims() {
                assert_eq!(plain.coordinate(i), kept.coordinate(i), "{name}: coordinate {i}");
            }
            assert_eq!(model.method().name, kept.method);
            assert_eq!(model.strategy().name, kept.strategy);
            assert_eq!((model.rows(), model.columns(), model.dims()), (500, 3, kept.dims()));
            let again = model.transform(&points, &()).unwrap();
            let far = difference(&again, &kept.to_points().unwrap());
            assert!(far < 1e-6, "{name}, {}: {far}", kept.strategy);
        }
    }
}

#[test]
fn the_formula_holds_at_the_training_points() {
    // A point that is moved by next to nothing is new: kernel PCA has a formula for it that holds for training points.
    let points = roll(600, 5);
    let smoothers = [
        (Regression::NadarayaWatson, Realization::Dense, 1e-6),
        (Regression::LocallyLinear, Realization::Dense, 1e-6),
        (Regression::NadarayaWatson, Realization::LowRank, 1e-4),
        (Regression::LocallyLinear, Realization::LowRank, 1e-3),
    ];
    let strategy = |(regression, realization, tolerance)| {
        let smoother =
            SmootherOptions { alpha: 0.3.into(), regression, realization, ..Default::default() };
        (Strategy::unpredictable(smoother), tolerance)
    };
    let at_a_price = |realization, tolerance| {
        let smoother = SmootherOptions { realization, ..Default::default() };
        (Strategy::priced(Priced { smoother, ..Default::default() }), tolerance)
    };
    let strategies: Vec<(Strategy, f64)> = [
        (Strategy::orthogonal(), 1e-7),
        at_a_price(Realization::Dense, 1e-6),
        at_a_price(Realization::LowRank, 1e-6),
    ]
    .into_iter()
    .chain(smoothers.map(strategy))
    .collect();
    let moved = points.values().iter().map(|v| v * (1.0 + 1e-13));
    let moved = Points::new(moved.collect(), 3).unwrap();
    for kernel in [Kernel::Rbf, Kernel::Cosine] {
        for (strategy, tolerance) in &strategies {
            let options = options(strategy.clone(), 3);
            let method = KernelPca { kernel, ..Default::default() };
            let (embedding, model) = fit(&points, &method, &options).unwrap();
            let new = model.transform(&moved, &()).unwrap();
            let far = difference(&new, &embedding.to_points().unwrap());
            assert!(far < *tolerance, "{kernel:?}, {strategy:?}: {far}");
        }
    }
}

/// A roll and points held out from it.
fn split(n: usize, held_out: usize, seed: u64) -> (Dataset, Dataset) {
    let whole = SwissRoll { n: n + held_out, height: 21.0, ..Default::default() };
    let whole = whole.generate(seed).unwrap();
    let part = |from: usize, to: usize| {
        let rows: Vec<u32> = (from as u32..to as u32).collect();
        Dataset {
            points: whole.points.select(&rows),
            truth: whole.truth.select(&rows),
            names: whole.names.clone(),
        }
    };
    (part(0, n), part(n, n + held_out))
}

#[test]
fn held_out_points_of_the_roll_recover_their_parameters() {
    let (training, held_out) = split(2000, 2000, 11);
    let truth = |data: &Dataset| [data.truth.column(0), data.truth.column(1)];
    for (name, method) in flat_methods() {
        for strategy in
            [Strategy::orthogonal(), unpredictable(), Strategy::priced(Default::default())]
        {
            let options = options(strategy, 2);
            let (embedding, model) = fit(&training.points, method.as_ref(), &options).unwrap();
            let known = embedding.to_points().unwrap();
            let new = model.transform(&held_out.points, &()).unwrap();
            let [t, height] = truth(&training);
            let before = recovery(&known, &[&t, &height]).unwrap();
            // New points among the training points: their parameters by their nearest training points.
            let after = predicted(&known, &[&t, &height], &new, &truth(&held_out));
            println!("{name} {}: {before:.3?} {after:.3?}", embedding.strategy);
            for (before, after) in before.iter().zip(&after) {
                // What training points do not tell of a parameter, by chance or otherwise, is not measured so exactly.
                let clear = if embedding.strategy == "priced" { 0.8 } else { 0.5 };
                let allowed = if *before > clear { 0.02 } else { 0.05 };
                assert!(
                    before.max(0.0) - after.max(0.0) < allowed,
                    "{name} {}: {before} {after}",
                    embedding.strategy
                );
            }
        }
    }
}

/// R2 of the targets of new points by the mean of their 10 nearest training points in the embedding.
fn predicted(known: &Points, targets: &[&[f64]], new: &Points, truth: &[Vec<f64>]) -> Vec<f64> {
    let (n, dims) = (known.rows(), known.columns());
    let deviation = |c: usize| {
        let column = known.column(c);
        let mean = column.iter().sum::<f64>() / n as f64;
        (column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64).sqrt()
    };
    let deviations: Vec<f64> = (0..dims).map(deviation).collect();
    let distance = |i: usize, j: usize| -> f64 {
        let pairs = new.row(i).iter().zip(known.row(j)).zip(&deviations);
        pairs.map(|((a, b), d)| ((a - b) / d).powi(2)).sum()
    };
    let mut errors = vec![0.0; targets.len()];
    for i in 0..new.rows() {
        let mut all: Vec<(f64, usize)> = (0..n).map(|j| (distance(i, j), j)).collect();
        all.select_nth_unstable_by(9, |a, b| a.0.total_cmp(&b.0));
        for ((error, target), truth) in errors.iter_mut().zip(targets).zip(truth) {
            let mean = all[..10].iter().map(|&(_, j)| target[j]).sum::<f64>() / 10.0;
            *error += (truth[i] - mean).powi(2);
        }
    }
    let score = |(error, truth): (f64, &Vec<f64>)| {
        let mean = truth.iter().sum::<f64>() / truth.len() as f64;
        1.0 - error / truth.iter().map(|v| (v - mean).powi(2)).sum::<f64>()
    };
    errors.into_iter().zip(truth).map(score).collect()
}

/// Distances of the rows of one table from those of another.
fn distances(from: &Points, to: &Points) -> Vec<f64> {
    let distance = |i: usize, j: usize| {
        let pairs = from.row(i).iter().zip(to.row(j));
        pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    (0..from.rows()).flat_map(|i| (0..to.rows()).map(move |j| distance(i, j))).collect()
}

#[test]
fn distances_and_kernels_extend_by_their_rows() {
    let (training, held_out) = split(600, 50, 2);
    let (training, new) = (training.points, held_out.points);
    let square = SymmetricMatrix::new(distances(&training, &training)).unwrap();
    let rows = Points::new(distances(&new, &training), 600).unwrap();
    for strategy in [Strategy::orthogonal(), unpredictable(), Strategy::priced(Default::default())]
    {
        let options = options(strategy, 2);
        let methods: [&dyn Method; 2] = [&LaplacianEigenmaps::default(), &Isomap::default()];
        for method in methods {
            let (_, by_points) = fit(&training, method, &options).unwrap();
            let (_, by_distances) = fit(&square, method, &options).unwrap();
            assert_eq!(by_distances.columns(), 600);
            let (a, b) = (by_points.transform(&new, &()), by_distances.transform(&rows, &()));
            let far = difference(&a.unwrap(), &b.unwrap());
            assert!(far < 1e-6, "{}: {far}", method.name());
        }
        // A kernel of one's own is not centred: its constant is the trivial direction.
        let kernel = |d: f64| (-d * d / 50.0).exp();
        let matrix = square.values().iter().map(|d| kernel(*d)).collect();
        let matrix = Matrix::from(SymmetricMatrix::new(matrix).unwrap());
        let own = Precomputed { trivial: Some(vec![3.0; 600]), ..Default::default() };
        let (embedding, model) = fit(&matrix, &own, &options).unwrap();
        let Matrix::Dense(dense) = &matrix else { panic!() };
        let again = Points::new(dense.values().to_vec(), 600).unwrap();
        let again = model.transform(&again, &()).unwrap();
        let far = difference(&again, &embedding.to_points().unwrap());
        assert!(far < 1e-4, "{far}");
    }
}

#[test]
fn new_points_may_come_as_their_nearest() {
    let (training, held_out) = split(500, 40, 2);
    let (training, new) = (training.points, held_out.points);
    let (square, rows) = (distances(&training, &training), distances(&new, &training));
    // The nearest `k` of each row, the farthest of them first: their order is theirs.
    let nearest = |distances: &[f64], k: usize| {
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in distances.chunks_exact(500) {
            let mut order: Vec<u32> = (0..500).collect();
            order.sort_by(|&a, &b| row[a as usize].total_cmp(&row[b as usize]));
            order.truncate(k);
            columns.extend(order.iter().rev());
            values.extend(order.iter().rev().map(|&j| row[j as usize]));
            offsets.push(columns.len());
        }
        (offsets, columns, values)
    };
    // A point is no neighbour of its own: one more is given.
    let (offsets, columns, values) = nearest(&square, 13);
    let graph = Graph::from_neighbors(offsets, columns, values, 12).unwrap();
    let lists = |k: usize| {
        let (offsets, columns, values) = nearest(&rows, k);
        Nearby::new(offsets, columns, values).unwrap()
    };
    for strategy in [Strategy::orthogonal(), unpredictable(), Strategy::priced(Default::default())]
    {
        let options = options(strategy, 2);
        for method in [&LaplacianEigenmaps::default() as &dyn Method, &Isomap::default()] {
            let (_, by_points) = fit(&training, method, &options).unwrap();
            let (_, by_graph) = fit(&graph, method, &options).unwrap();
            let wanted = by_points.transform(&new, &()).unwrap();
            let found = by_graph.transform_nearby(&lists(12), &()).unwrap();
            assert!(difference(&found, &wanted) < 1e-6, "{}", method.name());
            // Of more than there were neighbours the nearest are used.
            assert_eq!(by_graph.transform_nearby(&lists(30), &()).unwrap(), found);
            let kept = Model::from_bytes(&by_graph.to_bytes().unwrap()).unwrap();
            assert_eq!(kept.transform_nearby(&lists(12), &()).unwrap(), found);
            let refused = by_points.transform_nearby(&lists(12), &()).unwrap_err();
            assert!(matches!(refused, Error::WrongInput { .. }));
        }
    }
    let (_, model) = fit(&graph, &Isomap::default(), &options(Strategy::orthogonal(), 2)).unwrap();
    let lonely = Nearby::new(vec![0, 1, 1], vec![3], vec![0.5]);
    assert_eq!(lonely, Err(Error::NoNeighbors { row: 1 }));
    let outside = Nearby::new(vec![0, 1], vec![500], vec![0.5]).unwrap();
    assert!(matches!(model.transform_nearby(&outside, &()), Err(Error::WrongColumns { .. })));
    assert!(matches!(Nearby::new(vec![0, 2], vec![3], vec![0.5]), Err(Error::Size { .. })));
    let negative = Nearby::new(vec![0, 1], vec![3], vec![-0.5]);
    assert_eq!(negative, Err(Error::Negative { row: 0, column: 3, value: -0.5 }));
}

#[test]
fn what_cannot_be_extended_is_refused_before_the_work() {
    let points = roll(100, 1);
    let refused = |input: Input<'_>, method: &dyn Method, strategy: Strategy| match fit(
        input,
        method,
        &options(strategy, 2),
    ) {
        Err(error @ Error::CannotExtend { .. }) => error.to_string(),
        other => panic!("{:?}", other.map(|(embedding, _)| embedding.method)),
    };
    let lem = LaplacianEigenmaps::default();
    let input = Input::from(&points);
    let moved = refused(input, &lem, Strategy::advection());
    assert!(moved.contains("strategy advection with lem"), "{moved}");
    refused(input, &lem, Strategy::regression(Default::default()));
    let sparse = Realization::Sparse { neighbors: 50 };
    let sparse = SmootherOptions { realization: sparse, ..Default::default() };
    refused(input, &lem, Strategy::unpredictable(sparse));
    let edges = common::ring_laplacian(50);
    let graph = Graph { edges: edges.clone(), kind: nrdr::EdgeKind::Affinity };
    let nonnegative =
        Graph { edges: nrdr::SparseMatrix::new(2, &[(0, 1, 1.0), (1, 0, 1.0)]).unwrap(), ..graph };
    let one = Options { dims: 1.into(), ..common::original() };
    assert!(matches!(fit(&nonnegative, &lem, &one), Err(Error::CannotExtend { .. })));
    let matrix = Matrix::from(edges);
    let smallest = common::precomputed_smallest(50);
    refused(Input::from(&matrix), &smallest, Strategy::orthogonal());
    let scaled = Precomputed { scale: Some(vec![1.0; 50]), ..Default::default() };
    refused(Input::from(&matrix), &scaled, Strategy::orthogonal());
    // Barycentric methods take any strategy.
    for strategy in Strategy::all() {
        let (embedding, model) = fit(&points, &Lle::default(), &options(strategy, 2)).unwrap();
        let again = model.transform(&points, &()).unwrap();
        assert!(difference(&again, &embedding.to_points().unwrap()) < 1e-6);
    }
}

#[test]
fn points_that_were_left_out_are_new() {
    let mut values = roll(300, 4).values().to_vec();
    values.extend((0..20).flat_map(|i| [1e3 + f64::from(i), 1e3, 0.0]));
    let points = Points::new(values, 3).unwrap();
    let options = Options { components: Policy::Largest, ..options(unpredictable(), 2) };
    let (embedding, model) = fit(&points, &LaplacianEigenmaps::default(), &options).unwrap();
    assert_eq!((embedding.left_out, model.rows()), (20, 300));
    let all = model.transform(&points, &()).unwrap();
    for i in 0..300 {
        let pairs = all.row(i).iter().zip(embedding.row(i));
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-6));
    }
    // Far away, but still somewhere.
    assert!(all.values().iter().all(|v| v.abs() < 10.0));
}

#[test]
fn wrong_columns_name_both_numbers() {
    let (_, model) =
        fit(&roll(200, 1), &Lle::default(), &options(Strategy::orthogonal(), 2)).unwrap();
    let error = model.transform(&Points::new(vec![0.0; 10], 5).unwrap(), &()).unwrap_err();
    assert_eq!(error, Error::WrongColumns { got: 5, expected: 3 });
    let text = error.to_string();
    assert!(text.contains("have 5 column(s)") && text.contains("points with 3"), "{text}");
}

#[test]
fn threads_change_no_bit_and_the_observer_can_cancel() {
    let (training, held_out) = split(500, 400, 9);
    let options = options(unpredictable(), 3);
    let (_, model) = fit(&training.points, &LaplacianEigenmaps::default(), &options).unwrap();
    let go_on = |_, _| std::ops::ControlFlow::Continue(());
    let with = |threads| {
        with_threads(Some(threads), || model.transform(&held_out.points, &go_on)).unwrap()
    };
    assert_eq!(with(1), with(3));
    let stop = |_, _| std::ops::ControlFlow::Break(());
    let stopped = model.transform(&held_out.points, &stop);
    assert!(matches!(stopped, Err(Error::Cancelled { .. })));
}

#[test]
fn a_model_survives_its_bytes_bit_for_bit() {
    let (training, held_out) = split(300, 40, 6);
    for (name, method) in point_methods() {
        let options = options(unpredictable(), 2);
        let (_, mut model) = fit(&training.points, method.as_ref(), &options).unwrap();
        model.set_note("columns", "a, b, c");
        model.set_table("means", Points::new(vec![1.5, 2.0], 2).unwrap());
        let bytes = model.to_bytes().unwrap();
        assert_eq!(bytes, model.to_bytes().unwrap(), "{name}");
        let again = Model::from_bytes(&bytes).unwrap();
        assert_eq!(again.note("columns"), Some("a, b, c"));
        assert_eq!(again.table("means"), model.table("means"));
        assert_eq!(again.method(), model.method(), "{name}");
        assert_eq!(again.strategy(), model.strategy(), "{name}");
        let new = |model: &Model| model.transform(&held_out.points, &()).unwrap();
        assert_eq!(new(&again), new(&model), "{name}");
    }
}

#[test]
fn a_new_point_that_cannot_be_extended_is_named() {
    let training = roll(200, 1);
    let square = SymmetricMatrix::new(distances(&training, &training)).unwrap();
    let (_, model) = fit(&square, &LaplacianEigenmaps::default(), &common::original()).unwrap();
    let mut values = distances(&roll(300, 2), &training);
    values[250 * 200 + 3] = -1.0;
    let refused = model.transform(&Points::new(values, 200).unwrap(), &()).unwrap_err();
    assert_eq!(refused, Error::Negative { row: 250, column: 3, value: -1.0 });

    let method = KernelPca { kernel: Kernel::Polynomial, ..Default::default() };
    let (_, model) = fit(&training, &method, &common::original()).unwrap();
    for (size, row) in [(1e149, 270), (1e90, 140)] {
        let mut values = roll(300, 2).values().to_vec();
        values[3 * row] = size;
        let refused = model.transform(&Points::new(values, 3).unwrap(), &()).unwrap_err();
        assert!(matches!(refused, Error::TooFar { row: found, .. } if found == row), "{refused}");
    }
}
