//! Isomap by landmarks and kernel PCA of low rank: as good as with all pairs, and like any other method in all else.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{correlation, difference, original};
use nrdr::datasets::{SCurve, SwissRoll, Torus};
use nrdr::{
    Embedding, Error, Isomap, Kernel, KernelPca, Method, Model, Options, Points, SolverKind,
    Strategy, Warning, embed, fit,
};

/// Too little for a matrix of all pairs of these points, enough for all else.
fn tight(points: usize, options: &Options) -> Options {
    let bytes = points * (2000 + 7 * 1024);
    assert!(bytes < 8 * points * points, "{points} points fit");
    Options { memory: Some(bytes as u64), ..options.clone() }
}

fn three(neighbors: usize) -> Options {
    Options { dims: 3.into(), neighbors, ..original() }
}

fn landmarks(count: usize) -> Isomap {
    Isomap { landmarks: Some(count) }
}

fn of_rank(kernel: Kernel, rank: usize) -> KernelPca {
    KernelPca { kernel, rank: Some(rank), ..Default::default() }
}

/// The least correlation of a coordinate with the same one of another embedding.
fn agreement(one: &Embedding, other: &Embedding) -> f64 {
    let pairs = one.coordinates.iter().zip(&other.coordinates);
    pairs.map(|(a, b)| correlation(&a.values, &b.values).abs()).fold(1.0, f64::min)
}

fn chosen(embedding: &Embedding, name: &str) -> Option<f64> {
    embedding.chosen.iter().find(|(chosen, _)| *chosen == name).map(|(_, value)| *value)
}

fn bowl(n: usize) -> Points {
    // A piece of an ellipsoid: no sheet can be laid flat on it.
    let half = nrdr::datasets::Cube { n, sides: vec![1.2, 1.0], ..Default::default() };
    let flat = half.generate(2).unwrap().points;
    let row = |i: usize| {
        let (z, a) = (flat.row(i)[0] - 0.2, std::f64::consts::TAU * flat.row(i)[1]);
        let r = (1.0 - z * z).sqrt();
        [2.0 * r * a.cos(), 1.5 * r * a.sin(), z]
    };
    Points::from_rows((0..n).map(row)).unwrap()
}

#[test]
fn landmarks_give_the_coordinates_of_all_pairs() {
    let n = 5000;
    let roll = SwissRoll { n, height: 21.0, ..Default::default() }.generate(1).unwrap().points;
    for (name, points) in [("roll", roll), ("bowl", bowl(n))] {
        let options = three(12);
        let exact = embed(&points, &Isomap::default(), &options).unwrap();
        let found = embed(&points, &Isomap::default(), &tight(n, &options)).unwrap();
        let count = chosen(&found, "landmarks").unwrap();
        let agreement = agreement(&exact, &found);
        println!("{name}: {count} landmarks, |corr| {agreement:.6}");
        assert_eq!(chosen(&exact, "landmarks"), None);
        assert!(count <= 1024.0 && agreement > 0.999, "{name}: {agreement}");
        for (one, other) in exact.coordinates.iter().zip(&found.coordinates) {
            let error = other.eigenvalue / one.eigenvalue - 1.0;
            assert!(error.abs() < 0.02, "{name}: eigenvalue off by {error:.1e}");
        }
    }
}

/// Distances are kept in single precision, whatever the unit of the points.
#[test]
fn landmarks_do_not_mind_the_unit() {
    let (points, some) = halves(&bowl(600));
    let scaled = |points: &Points, unit: f64| {
        Points::new(points.values().iter().map(|v| unit * v).collect(), points.columns()).unwrap()
    };
    let one = fit(&points, &landmarks(60), &three(10)).unwrap();
    let new = one.1.transform(&some, &()).unwrap();
    for unit in [1e-60, 1e60] {
        let other = fit(&scaled(&points, unit), &landmarks(60), &three(10)).unwrap();
        let agreement = agreement(&one.0, &other.0);
        assert!(agreement > 1.0 - 1e-9, "{unit:e}: {agreement}");
        let found = other.1.transform(&scaled(&some, unit), &()).unwrap();
        for c in 0..3 {
            let agreement = correlation(&new.column(c), &found.column(c)).abs();
            assert!(agreement > 1.0 - 1e-9, "{unit:e}, new points: {agreement}");
        }
    }
}

/// One point far from all others changes nothing for these: that of shortest paths takes no longer, either.
#[test]
fn a_point_far_away_costs_nothing() {
    let many = bowl(3000);
    let mut rows: Vec<Vec<f64>> = (0..many.rows()).map(|i| many.row(i).to_vec()).collect();
    rows.push(vec![1e12, 0.0, 0.0]);
    let points = Points::from_rows(rows).unwrap();
    let start = std::time::Instant::now();
    let found = embed(&points, &landmarks(64), &three(10)).unwrap();
    assert!(found.coordinates.iter().all(|c| c.values.iter().all(|v| v.is_finite())));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// A sigmoid that is saturated is a sign: nothing is left of the diagonal after one column, and much elsewhere.
#[test]
fn a_saturated_sigmoid_is_not_of_rank_one() {
    let ring = |i: usize| {
        let angle = std::f64::consts::TAU * (i as f64 + 0.3) / 500.0;
        [angle.cos(), angle.sin()]
    };
    let points = Points::from_rows((0..500).map(ring)).unwrap();
    let sign = KernelPca { gamma: Some(1e6), constant: 0.0, ..of_rank(Kernel::Sigmoid, 200) };
    let exact = KernelPca { rank: None, ..sign.clone() };
    let (exact, found) =
        (embed(&points, &exact, &original()).unwrap(), embed(&points, &sign, &original()).unwrap());
    for (one, other) in exact.coordinates.iter().zip(&found.coordinates) {
        let error = other.eigenvalue / one.eigenvalue - 1.0;
        assert!(error.abs() < 0.05, "eigenvalue off by {error:.1e}");
    }
}

#[test]
fn a_kernel_of_low_rank_gives_the_coordinates_of_all_pairs() {
    let n = 5000;
    let points = bowl(n);
    for kernel in [Kernel::Rbf, Kernel::Polynomial, Kernel::Linear, Kernel::Cosine] {
        let (method, options) = (KernelPca { kernel, ..Default::default() }, three(10));
        let exact = embed(&points, &method, &options).unwrap();
        let found = embed(&points, &method, &tight(n, &options)).unwrap();
        let (rank, agreement) = (chosen(&found, "rank").unwrap(), agreement(&exact, &found));
        println!("{kernel:?}: rank {rank}, 1 - |corr| {:.1e}", 1.0 - agreement);
        assert!(rank < 300.0 && agreement > 0.99999, "{kernel:?}: {agreement}");
        assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    }
}

#[test]
fn a_kernel_that_is_not_positive_definite_has_low_rank_too() {
    let points = bowl(2000);
    let (kernel, gamma) = (Kernel::Sigmoid, Some(1.0));
    let method = KernelPca { kernel, gamma, constant: -0.5, ..Default::default() };
    let exact = embed(&points, &method, &three(10)).unwrap();
    let found = embed(&points, &method, &tight(2000, &three(10))).unwrap();
    let agreement = agreement(&exact, &found);
    println!("rank {:?}, 1 - |corr| {:.1e}", chosen(&found, "rank"), 1.0 - agreement);
    assert!(agreement > 0.999, "{agreement}");
}

/// With a landmark at every point, or a column of every point, nothing is left out but what is small.
#[test]
fn with_all_points_it_is_the_same() {
    let points = Torus { n: 300, ..Default::default() }.generate(3).unwrap().points;
    let exact = embed(&points, &Isomap::default(), &three(8)).unwrap();
    let found = embed(&points, &landmarks(300), &three(8)).unwrap();
    assert!(agreement(&exact, &found) > 0.99999);
    let exact = embed(&points, &KernelPca::default(), &three(8)).unwrap();
    let found = embed(&points, &of_rank(Kernel::Rbf, 300), &three(8)).unwrap();
    common::assert_close("kpca", &exact, &found, 1e-7);
}

/// The methods of this file, small.
fn small() -> Vec<Box<dyn Method>> {
    let mut methods: Vec<Box<dyn Method>> = vec![Box::new(landmarks(90))];
    for kernel in [Kernel::Rbf, Kernel::Polynomial, Kernel::Cosine, Kernel::Sigmoid, Kernel::Linear]
    {
        methods.push(Box::new(of_rank(kernel, 60)));
    }
    methods
}

#[test]
fn the_bits_are_the_same_for_any_number_of_threads() {
    let points = SCurve { n: 700, ..Default::default() }.generate(4).unwrap().points;
    let options = Options { dims: 3.into(), ..Default::default() };
    for method in small() {
        let of = |threads| {
            let options = Options { threads: Some(threads), ..options.clone() };
            let embedding = embed(&points, method.as_ref(), &options).unwrap();
            embedding.coordinates.into_iter().map(|c| c.values).collect::<Vec<_>>()
        };
        let one = of(1);
        assert!(one == of(2) && one == of(5), "{method:?}");
    }
}

#[test]
fn every_strategy_and_every_solver_takes_them() {
    let points = SwissRoll { n: 500, ..Default::default() }.generate(5).unwrap().points;
    for method in small() {
        for strategy in Strategy::all() {
            if !common::runs_with(&strategy, method.as_ref()) {
                continue;
            }
            let name = format!("{method:?} {}", strategy.name());
            let options = Options { strategy, ..Default::default() };
            let found = embed(&points, method.as_ref(), &options).unwrap();
            assert!(found.coordinates.iter().all(|c| c.residual < 1e-8), "{name}");
            if !["unpredictable", "orthogonal"].contains(&found.strategy) {
                continue;
            }
            assert_eq!(found.solver, "low rank");
            for kind in [SolverKind::Dense, SolverKind::Lanczos] {
                let other = common::with_solver(kind, &options);
                let other = embed(&points, method.as_ref(), &other).unwrap();
                common::assert_close(&name, &found, &other, 1e-5);
            }
        }
    }
}

/// Half of the rows of some points, and the other half.
fn halves(points: &Points) -> (Points, Points) {
    let of =
        |from: usize| Points::from_rows((from..points.rows()).step_by(2).map(|i| points.row(i)));
    (of(0).unwrap(), of(1).unwrap())
}

#[test]
fn new_points_come_where_all_pairs_would_put_them() {
    let (training, new) = halves(&bowl(1600));
    let pairs: [(Box<dyn Method>, Box<dyn Method>); 4] = [
        (Box::new(Isomap::default()), Box::new(landmarks(200))),
        (Box::new(KernelPca::default()), Box::new(of_rank(Kernel::Rbf, 60))),
        (
            Box::new(KernelPca { kernel: Kernel::Linear, ..Default::default() }),
            Box::new(of_rank(Kernel::Linear, 3)),
        ),
        (
            Box::new(KernelPca { kernel: Kernel::Cosine, ..Default::default() }),
            Box::new(of_rank(Kernel::Cosine, 3)),
        ),
    ];
    for (all, few) in pairs {
        for strategy in [Strategy::orthogonal(), Strategy::default()] {
            let dims = if strategy.name() == "orthogonal" { 3 } else { 2 };
            let options = Options { dims: dims.into(), strategy, ..Default::default() };
            let name = format!("{few:?} {}", options.strategy.name());
            let (_, exact) = fit(&training, all.as_ref(), &options).unwrap();
            let (embedding, model) = fit(&training, few.as_ref(), &options).unwrap();
            let expected = exact.transform(&new, &()).unwrap();
            let bytes = model.to_bytes().unwrap();
            let model = Model::from_bytes(&bytes).unwrap();
            let found = model.transform(&new, &()).unwrap();
            assert_eq!(model.to_bytes().unwrap(), bytes);
            // Training points, columns and coordinates; the graph of Isomap; nothing of N x m.
            assert!(bytes.len() < 800 * 8 * (3 + 4 * dims + 40), "{name}: {} bytes", bytes.len());
            for i in 0..dims {
                let of =
                    |points: &Points| (0..new.rows()).map(|j| points.row(j)[i]).collect::<Vec<_>>();
                let corr = correlation(&of(&expected), &of(&found)).abs();
                assert!(corr > 0.998, "{name}, coordinate {}: {corr}", i + 1);
                let own = model.transform(&training, &()).unwrap();
                let own: Vec<f64> = (0..800).map(|j| own.row(j)[i]).collect();
                assert!(difference(&own, &embedding.coordinates[i].values) < 1e-12, "{name}");
            }
        }
    }
}

#[test]
fn numbers_of_landmarks_and_ranks_that_cannot_be() {
    let points = common::roll(120, 1);
    let refused = |method: &dyn Method| match embed(&points, method, &original()).unwrap_err() {
        Error::Parameter { name, .. } => name,
        other => panic!("{other}"),
    };
    assert_eq!(refused(&landmarks(0)), "landmarks");
    assert_eq!(refused(&landmarks(121)), "landmarks");
    assert_eq!(refused(&of_rank(Kernel::Rbf, 0)), "rank");
    assert_eq!(refused(&of_rank(Kernel::Rbf, 121)), "rank");
    let text = embed(&points, &landmarks(121), &original()).unwrap_err().to_string();
    assert_eq!(text, "landmarks = 121 is out of range: it must be at most 120, the points");
}

/// Few landmarks or columns have few directions; beyond them there is nothing, which is told.
#[test]
fn more_coordinates_than_the_rank_are_told() {
    let points = common::roll(150, 2);
    for method in [&landmarks(1) as &dyn Method, &landmarks(3), &of_rank(Kernel::Rbf, 2)] {
        let found = embed(&points, method, &Options { dims: 5.into(), ..original() }).unwrap();
        assert_eq!(found.dims(), 5);
        let spent = found.warnings.iter().any(|w| matches!(w, Warning::Spent { .. }));
        assert!(spent, "{method:?}: {:?}", found.warnings);
        let values = found.coordinates.iter().map(|c| &c.values);
        let orthonormal = values.clone().enumerate().all(|(i, a)| {
            let other = |(j, b): (usize, &Vec<f64>)| {
                (common::dot(a, b) - f64::from(u8::from(i == j))).abs() < 1e-9
            };
            values.clone().enumerate().all(other)
        });
        assert!(orthonormal, "{method:?}");
    }
}

/// More points than a matrix of all pairs is made of, whatever the memory: it is not made.
#[test]
fn many_points_are_embedded_without_all_pairs() {
    let roll = SwissRoll { n: 26_000, height: 21.0, ..Default::default() }.generate(1).unwrap();
    let methods: [(&dyn Method, _); 2] =
        [(&Isomap::default(), "landmarks"), (&KernelPca::default(), "rank")];
    for (method, name) in methods {
        let found = embed(&roll.points, method, &original()).unwrap();
        assert!((10.0..=1024.0).contains(&chosen(&found, name).unwrap()), "{:?}", found.chosen);
        assert_eq!(found.solver, "low rank");
        if name == "landmarks" {
            let height: Vec<f64> = (0..roll.points.rows()).map(|i| roll.truth.row(i)[1]).collect();
            let corr = correlation(found.coordinate(1), &height).abs();
            assert!(corr > 0.99, "{corr}");
        }
    }
}

/// What does not settle within the memory is told with the number.
#[test]
fn what_does_not_settle_is_told() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let points = Points::new((0..900 * 12).map(|_| random.random::<f64>()).collect(), 12).unwrap();
    // Too little for all pairs, and for many columns.
    let options = Options { memory: Some(5_500_000), ..original() };
    for (method, name) in
        [(&Isomap::default() as &dyn Method, "landmarks"), (&KernelPca::default(), "rank")]
    {
        let found = embed(&points, method, &options).unwrap();
        let told = found.warnings.iter().find_map(|warning| match warning {
            Warning::Unsettled { name, columns, change } => Some((*name, *columns, *change)),
            _ => None,
        });
        let (told, columns, change) = told.unwrap_or_else(|| panic!("{:?}", found.warnings));
        assert_eq!(told, name);
        assert!((256..900).contains(&columns), "{columns}");
        assert!(change > 0.02 && change <= 1.0, "{change}");
        assert_eq!(chosen(&found, name), Some(columns as f64));
    }
}
