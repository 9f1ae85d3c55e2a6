//! Every metric: neighbours are those of its definition, and everything that follows from them follows the metric.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::collections::BTreeMap;
use std::sync::Mutex;

use common::{assert_close, quietly, run, with_rows};
use nrdr::checkpoint::{Record, Store};
use nrdr::graph::neighbors_by;
use nrdr::quality::{Sample, preservation};
use nrdr::{
    DiffusionMaps, Dims, Embedding, Error, Isomap, KernelPca, LaplacianEigenmaps, Lle, Method,
    Metric, Model, Options, Points, Prepared, Search, Strategy, SymmetricMatrix, Weights, fit,
};
use proptest::prelude::*;

const ALL: [Metric; 9] = [
    Metric::Euclidean,
    Metric::Cosine,
    Metric::Manhattan,
    Metric::Correlation,
    Metric::Hamming,
    Metric::Haversine,
    Metric::Chebyshev,
    Metric::Minkowski(3.0),
    Metric::Minkowski(1.7),
];

/// The distance of two points from its definition, as SciPy and scikit-learn write it.
fn defined(metric: Metric, a: &[f64], b: &[f64]) -> f64 {
    let pairs = || a.iter().zip(b);
    let differences = || pairs().map(|(x, y)| (x - y).abs());
    match metric {
        Metric::Euclidean => differences().map(|d| d * d).sum::<f64>().sqrt(),
        Metric::Manhattan => differences().sum(),
        Metric::Chebyshev => differences().fold(0.0, f64::max),
        Metric::Minkowski(p) => differences().map(|d| d.powf(p)).sum::<f64>().powf(1.0 / p),
        Metric::Hamming => pairs().filter(|(x, y)| x != y).count() as f64 / a.len() as f64,
        Metric::Cosine => {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            1.0 - dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
        }
        Metric::Correlation => {
            let centred = |v: &[f64]| -> Vec<f64> {
                let mean = v.iter().sum::<f64>() / v.len() as f64;
                v.iter().map(|x| x - mean).collect()
            };
            defined(Metric::Cosine, &centred(a), &centred(b))
        }
        Metric::Haversine => {
            let half = |x: f64, y: f64| (0.5 * (x - y)).sin().powi(2);
            let square = half(a[0], b[0]) + a[0].cos() * b[0].cos() * half(a[1], b[1]);
            2.0 * square.sqrt().asin()
        }
    }
}

/// Numbers that repeat nowhere, between -1 and 1.
fn number(i: usize, c: usize, seed: u64) -> f64 {
    let mut x = (i as u64 + 1) * 0x9E37_79B9 + (c as u64 + 1) * 0x85EB_CA6B + seed * 0xC2B2_AE35;
    for _ in 0..3 {
        x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Points that a metric knows, near a bent surface: rows of so many columns, of several lengths and levels; or places.
fn cloud(metric: Metric, n: usize, columns: usize, seed: u64) -> Points {
    let row = |i: usize| -> Vec<f64> {
        let (a, b) = (number(i, 0, seed), number(i, 1, seed));
        match metric {
            Metric::Haversine => vec![1.4 * a, 3.1 * b],
            // Levels, which agree often.
            Metric::Hamming => (0..columns)
                .map(|c| (2.0 * (a * (c % 5) as f64 + b * (c % 3) as f64 + 0.3 * c as f64)).floor())
                .collect(),
            _ => {
                let length = 1.0 + number(i, 2, seed).abs();
                let bent = |c: usize| (1.0 + c as f64 * 0.7 + a).sin() + (c as f64 * b).cos();
                let noise = |c: usize| 0.05 * number(i, c + 3, seed);
                (0..columns).map(|c| length * (bent(c) + noise(c))).collect()
            }
        }
    };
    Points::from_rows((0..n).map(row)).unwrap()
}

fn distances(metric: Metric, points: &Points) -> SymmetricMatrix {
    let n = points.rows();
    let entry = |at: usize| match (at / n, at % n) {
        (i, j) if i == j => 0.0,
        (i, j) => metric.distance(points.row(i), points.row(j)).unwrap(),
    };
    SymmetricMatrix::new((0..n * n).map(entry).collect()).unwrap()
}

fn options(metric: Metric) -> Options {
    Options { metric, neighbors: 12, ..common::original() }
}

#[test]
fn neighbours_are_those_of_the_definition() {
    for metric in ALL {
        for (n, columns) in [(300, 2), (500, 6), (400, 90)] {
            let points = cloud(metric, n, columns, 1);
            for search in [Search::KdTree, Search::Blocked, Search::Auto] {
                let lists = quietly(|p| neighbors_by(metric, &points, 9, search, p)).unwrap();
                for i in 0..n {
                    let (of, told) = (lists.of(i), lists.distances(i));
                    let distance = |j: usize| defined(metric, points.row(i), points.row(j));
                    for (&j, &found) in of.iter().zip(told) {
                        // Formulas with 1 - x know no more digits of small distances.
                        let expected = distance(j as usize);
                        let off = (found - expected).abs();
                        assert!(off <= 1e-12 * expected + 4e-16, "{metric}: {found} {expected}");
                        let defined = metric.distance(points.row(i), points.row(j as usize));
                        assert!((found - defined.unwrap()).abs() <= 1e-15 * found, "{metric}");
                    }
                    let ordered =
                        |w: &[(f64, u32)]| w[0].0 < w[1].0 || w[0].0 == w[1].0 && w[0].1 < w[1].1;
                    let found: Vec<(f64, u32)> =
                        told.iter().copied().zip(of.iter().copied()).collect();
                    assert!(found.windows(2).all(ordered), "{metric}");
                    let farthest = told[8];
                    let nearer = (0..n).filter(|&j| j != i && !of.contains(&(j as u32)));
                    for j in nearer {
                        let other = distance(j);
                        let slack = 1e-12 * farthest + 4e-16;
                        assert!(other >= farthest - slack, "{metric}: {j} of {i}");
                        // Counts are exact: of equally many the first.
                        assert!(
                            metric != Metric::Hamming
                                || other > farthest + slack
                                || j as u32 > of[8]
                        );
                    }
                }
            }
        }
    }
}

/// A lattice: most distances occur many times.
#[test]
fn searches_by_norms_break_ties_alike() {
    let row = |i: usize| [i % 9, i / 9 % 9, i / 81].map(|v| v as f64);
    let lattice = Points::from_rows((0..729).map(row)).unwrap();
    let wide = |i: usize| (0..80).map(|c| ((i + c * c) % 3) as f64).collect::<Vec<f64>>();
    let copies = Points::from_rows((0..200).map(wide)).unwrap();
    for metric in [Metric::Manhattan, Metric::Hamming, Metric::Chebyshev, Metric::Minkowski(3.0)] {
        for points in [&lattice, &copies] {
            let found = |search| quietly(|p| neighbors_by(metric, points, 20, search, p)).unwrap();
            let (tree, scan) = (found(Search::KdTree), found(Search::Blocked));
            assert_eq!(tree, scan, "{metric}");
            for i in (0..points.rows()).step_by(7) {
                let others = (0..points.rows()).filter(|&j| j != i);
                let distance = |j: usize| metric.distance(points.row(i), points.row(j)).unwrap();
                let mut all: Vec<(f64, u32)> = others.map(|j| (distance(j), j as u32)).collect();
                all.sort_by(|a, b| a.partial_cmp(b).unwrap());
                let expected: Vec<u32> = all[..20].iter().map(|found| found.1).collect();
                assert_eq!(tree.of(i), expected, "{metric} {i}");
            }
        }
    }
}

#[test]
fn columns_of_few_values_are_counted_as_others_are() {
    let row = |i: usize| (0..130).map(|c| f64::from(number(i, c, 2) > 0.3)).collect::<Vec<f64>>();
    let binary = Points::from_rows((0..400).map(row)).unwrap();
    // The same with a column of many values, more than have codes.
    let mut values = binary.values().to_vec();
    (0..400).for_each(|i| values[i * 130 + 4] = i as f64);
    let other = Points::new(values, 130).unwrap();
    let lists = |points: &Points| {
        quietly(|p| neighbors_by(Metric::Hamming, points, 10, Search::Blocked, p)).unwrap()
    };
    for points in [&binary, &other] {
        let lists = lists(points);
        for i in 0..400 {
            let distance = |j: usize| defined(Metric::Hamming, points.row(i), points.row(j));
            let others = (0..400).filter(|&j| j != i);
            let mut all: Vec<(f64, u32)> = others.map(|j| (distance(j), j as u32)).collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let found = lists.distances(i).iter().copied().zip(lists.of(i).iter().copied());
            assert!(found.eq(all.into_iter().take(10)), "{i}");
        }
    }
}

/// What a graph is enough for comes out as from the distances themselves, new points included.
#[test]
fn methods_of_graphs_follow_the_lengths_of_the_metric() {
    let heat = LaplacianEigenmaps { weights: Some(Weights::Heat), sigma: None };
    let methods: [&dyn Method; 3] = [&heat, &DiffusionMaps::default(), &Isomap::default()];
    for metric in ALL {
        let points = cloud(metric, 240, 5, 4);
        let new = cloud(metric, 30, 5, 5);
        let given = distances(metric, &points);
        let rows = (0..30).map(|i| {
            let one = |j: usize| metric.distance(new.row(i), points.row(j)).unwrap();
            (0..240).map(one).collect::<Vec<f64>>()
        });
        let new_distances = Points::from_rows(rows).unwrap();
        for method in methods {
            let (of_points, model) = fit(&points, method, &options(metric)).unwrap();
            let (of_distances, other) = fit(&given, method, &options(Metric::Euclidean)).unwrap();
            assert_eq!(of_points.metric, metric);
            let name = format!("{metric} {}", method.name());
            assert_close(&name, &of_distances, &of_points, 1e-6);
            // Those of the fit are where they were.
            if metric == Metric::Hamming {
                // Of equally distant points those count that come first, and they come in another order.
                continue;
            }
            let there = of_points.to_points().unwrap();
            assert!(model.transform(&points, &()).unwrap() == there, "{name}");
            let coordinates = model.transform(&new, &()).unwrap();
            let expected = other.transform(&new_distances, &()).unwrap();
            for (a, b) in coordinates.values().iter().zip(expected.values()) {
                assert!((a.abs() - b.abs()).abs() < 1e-5, "{name}: {a} {b}");
            }
        }
    }
}

#[test]
fn components_are_joined_by_the_metric() {
    for metric in [Metric::Cosine, Metric::Manhattan, Metric::Chebyshev, Metric::Haversine] {
        let all = cloud(metric, 120, 3, 6);
        let place = |i: usize| -> Vec<f64> {
            let row = all.row(i);
            match (metric, i % 3) {
                (Metric::Haversine, part) => vec![0.1 * row[0] + 0.5 * part as f64, 0.1 * row[1]],
                (_, part) => {
                    let shift = [[50.0, 0.0, 0.0], [0.0, 60.0, 0.0], [0.0, 0.0, 70.0]][part];
                    row.iter().zip(shift).map(|(v, s)| v + s).collect()
                }
            }
        };
        let points = Points::from_rows((0..120).map(place)).unwrap();
        let given = distances(metric, &points);
        let own = Options { neighbors: 5, ..options(metric) };
        let plain = Options { metric: Metric::Euclidean, ..own.clone() };
        let (a, b) =
            (run(&points, &Isomap::default(), &own), run(&given, &Isomap::default(), &plain));
        assert_eq!(a.components, vec![40; 3], "{metric}");
        assert_eq!(a.components, b.components);
        assert_close("joined", &b, &a, 1e-6);
    }
}

/// Directions and places are what local geometry is of; norms leave the coordinates as they are.
#[test]
fn local_methods_see_directions() {
    let points = cloud(Metric::Cosine, 300, 6, 7);
    let unit = |i: usize| -> Vec<f64> {
        let length = points.row(i).iter().map(|v| v * v).sum::<f64>().sqrt();
        points.row(i).iter().map(|v| v / length).collect()
    };
    let unit = Points::from_rows((0..300).map(unit)).unwrap();
    let (by_cosine, model) = fit(&points, &Lle::default(), &options(Metric::Cosine)).unwrap();
    let (of_unit, other) = fit(&unit, &Lle::default(), &options(Metric::Euclidean)).unwrap();
    assert_close("lle", &of_unit, &by_cosine, 1e-6);
    let half = Points::new(points.row(3).iter().map(|v| 0.3 * v).collect(), 6).unwrap();
    let found = model.transform(&half, &()).unwrap();
    let same = (0..2).all(|d| (found.row(0)[d] - by_cosine.coordinate(d)[3]).abs() < 1e-9);
    assert!(same, "a row of another length is in the same direction");
    assert_eq!((model.columns(), other.metric()), (6, Metric::Euclidean));
    let places = cloud(Metric::Haversine, 300, 2, 8);
    let (_, model) = fit(&places, &Lle::default(), &options(Metric::Haversine)).unwrap();
    assert_eq!((model.columns(), model.metric()), (2, Metric::Haversine));
    // Round the world and at the date line.
    let turned = Points::from_rows([[places.row(5)[0], places.row(5)[1] + std::f64::consts::TAU]]);
    let found = model.transform(&turned.unwrap(), &()).unwrap();
    let expected = model.transform(&places.select_one(5), &()).unwrap();
    assert!(found.values().iter().zip(expected.values()).all(|(a, b)| (a - b).abs() < 1e-7));
}

trait SelectOne {
    fn select_one(&self, i: usize) -> Points;
}

impl SelectOne for Points {
    fn select_one(&self, i: usize) -> Points {
        Points::new(self.row(i).to_vec(), self.columns()).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, failure_persistence: None, ..Default::default() })]

    #[test]
    fn permuted_points_and_scaled_ones_are_embedded_alike(seed in 0u64..1000, factor in 0.01f64..100.0) {
        let order: Vec<usize> = (0..211).map(|i| i * 37 % 211).collect();
        for metric in ALL {
            // Equally many columns differ often, and then indices decide.
            if metric == Metric::Hamming {
                continue;
            }
            let points = cloud(metric, 211, 5, seed);
            let permuted = Points::from_rows(order.iter().map(|&i| points.row(i))).unwrap();
            let methods: [&dyn Method; 2] = [&Isomap::default(), &Lle::default()];
            for method in methods {
                let expected = run(&points, method, &options(metric));
                let found = run(&permuted, method, &options(metric));
                let name = format!("{metric} {}", method.name());
                assert_close(&name, &with_rows(&expected, &order), &found, 1e-5);
                if metric == Metric::Haversine {
                    continue;
                }
                let scaled = points.values().iter().map(|v| v * factor).collect();
                let scaled = Points::new(scaled, points.columns()).unwrap();
                assert_close(&name, &expected, &run(&scaled, method, &options(metric)), 1e-5);
            }
        }
    }
}

fn bits(embedding: &Embedding) -> Vec<u64> {
    embedding.coordinates.iter().flat_map(|c| c.values.iter().map(|v| v.to_bits())).collect()
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    for metric in ALL {
        for columns in [3, 70] {
            let points = cloud(metric, 1500, columns, 9);
            let with = |threads| {
                let options = Options { threads: Some(threads), dims: 3.into(), ..options(metric) };
                bits(&run(&points, &LaplacianEigenmaps::default(), &options))
            };
            let one = with(1);
            assert!(one == with(2) && one == with(3), "{metric} {columns}");
        }
    }
}

/// The first copies are the neighbours of all others, whatever the metric; and copies have one place.
#[test]
fn copies_are_neighbours_of_each_other() {
    for metric in ALL {
        let some = cloud(metric, 150, 4, 10);
        let copies = Points::from_rows((0..300).map(|i| some.row(i % 150))).unwrap();
        for search in [Search::KdTree, Search::Blocked] {
            let lists = quietly(|p| neighbors_by(metric, &copies, 3, search, p)).unwrap();
            for i in 0..300 {
                assert_eq!(lists.distances(i)[0], 0.0, "{metric}");
                let of_hamming = metric == Metric::Hamming;
                assert!(of_hamming || lists.of(i)[0] as usize == (i + 150) % 300, "{metric}");
            }
        }
        let (embedding, model) =
            fit(&copies, &LaplacianEigenmaps::default(), &options(metric)).unwrap();
        let again = model.transform(&some, &()).unwrap();
        // One copy may be the neighbour of more points than another.
        for i in 0..150 {
            let mut alike = (0..300).filter(|&j| copies.row(j) == some.row(i));
            let is_of = |j: usize| embedding.row(j).zip(again.row(i)).all(|(a, b)| a == *b);
            assert!(alike.any(is_of), "{metric} {i}");
        }
    }
}

#[test]
fn a_model_keeps_its_metric() {
    for metric in ALL {
        let (points, new) = (cloud(metric, 200, 4, 11), cloud(metric, 20, 4, 12));
        let (_, model) = fit(&points, &Isomap::default(), &options(metric)).unwrap();
        let bytes = model.to_bytes().unwrap();
        let text = String::from_utf8_lossy(&bytes[..2000]).to_string();
        // What is Euclidean is read by programs that know no other metric.
        let version = if metric == Metric::Euclidean { "version\\\":3" } else { "version\\\":4" };
        assert!(text.contains(version) || text.contains(&version.replace('\\', "")), "{text}");
        let read = Model::from_bytes(&bytes).unwrap();
        assert_eq!(read.metric(), metric);
        assert_eq!(read.transform(&new, &()).unwrap(), model.transform(&new, &()).unwrap());
        assert_eq!(read.to_bytes().unwrap(), bytes);
    }
    let points = cloud(Metric::Cosine, 200, 4, 11);
    let (_, model) = fit(&points, &Isomap::default(), &options(Metric::Cosine)).unwrap();
    let new = Points::new(vec![1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 4).unwrap();
    let error = model.transform(&new, &()).unwrap_err();
    assert_eq!(error, Error::NoDirection { metric: "cosine".to_string(), row: 1 });
}

#[test]
fn quality_is_judged_by_the_metric() {
    for metric in ALL {
        let points = cloud(metric, 400, 5, 13);
        let embedding = run(&points, &LaplacianEigenmaps::default(), &options(metric));
        let found = embedding.quality(&points, None, 0).unwrap();
        let all: Vec<u32> = (0..400).collect();
        let sample = Sample::new(&points, &all, 0).by(metric);
        let coordinates = embedding.to_points().unwrap();
        assert_eq!(sample.quality(&coordinates, None).unwrap(), found);
        if metric == Metric::Cosine {
            let length = |i: usize| points.row(i).iter().map(|v| v * v).sum::<f64>().sqrt();
            let unit = (0..400).flat_map(|i| points.row(i).iter().map(move |v| v / length(i)));
            let unit = Points::new(unit.collect(), 5).unwrap();
            let by_unit = Sample::new(&unit, &all, 0).quality(&coordinates, None).unwrap();
            assert!((by_unit.preservation.continuity - found.preservation.continuity).abs() < 1e-9);
            let by_points = Sample::new(&points, &all, 0).quality(&coordinates, None).unwrap();
            assert!(by_points.preservation.neighborhoods < found.preservation.neighborhoods);
        }
    }
    // Straight from a definition: of a line by any norm all neighbours are kept.
    let line = Points::new((0..200).map(|i| f64::from(i * i)).collect(), 1).unwrap();
    for metric in [Metric::Manhattan, Metric::Chebyshev, Metric::Minkowski(3.0)] {
        let all: Vec<u32> = (0..200).collect();
        let found = Sample::new(&line, &all, 0).by(metric).quality(&line, None).unwrap();
        assert_eq!(found.preservation, preservation(&line, &line, 10, 0).unwrap(), "{metric}");
    }
}

#[test]
fn what_has_no_meaning_is_refused_before_any_work() {
    let points = cloud(Metric::Cosine, 60, 4, 14);
    let refused = |points: &Points, method: &dyn Method, options: &Options| {
        Prepared::new(points, method, options).err().unwrap().to_string()
    };
    let lem = LaplacianEigenmaps::default();
    let told = refused(&points, &KernelPca::default(), &options(Metric::Cosine));
    assert!(told.contains("metric = cosine") && told.contains("metric = euclidean"), "{told}");
    let given = distances(Metric::Cosine, &points);
    let cosine = options(Metric::Cosine);
    let told = Prepared::new(&given, &lem, &cosine).err().unwrap().to_string();
    assert!(told.contains("distances of points are given"), "{told}");
    for metric in [Metric::Manhattan, Metric::Hamming, Metric::Chebyshev, Metric::Minkowski(3.0)] {
        let approximate = Options { search: Search::Approximate, ..options(metric) };
        let told = refused(&points, &lem, &approximate);
        assert!(told.contains("exactly only") && told.contains(&metric.to_string()), "{told}");
    }
    let told = refused(&points, &lem, &options(Metric::Minkowski(0.5)));
    assert!(told.contains("at least 1"), "{told}");
    let told = refused(&points, &lem, &options(Metric::Haversine));
    assert!(told.contains("2 columns") && told.contains("radians"), "{told}");
    let degrees = Points::from_rows((0..50).map(|i| [f64::from(i), 2.0 * f64::from(i)])).unwrap();
    let told = refused(&degrees, &lem, &options(Metric::Haversine));
    assert!(told.contains("row 2") && told.contains("degrees to radians"), "{told}");
    let mut values = points.values().to_vec();
    values[4 * 7..4 * 8].fill(0.0);
    let zero = Points::new(values, 4).unwrap();
    let told = refused(&zero, &lem, &options(Metric::Cosine));
    assert!(told.contains("row 7 is zero"), "{told}");
    let told = refused(&zero, &lem, &options(Metric::Correlation));
    assert!(told.contains("row 7 is constant"), "{told}");
    let ray = Points::from_rows((1..50).map(|i| [f64::from(i), 0.3 * f64::from(i)])).unwrap();
    let told = refused(&ray, &lem, &options(Metric::Cosine));
    assert!(told.contains("are equal"), "{told}");
}

/// Approximate neighbours of directions are those of the machinery for Euclidean distances.
#[test]
fn approximate_neighbours_by_cosine_are_mostly_right() {
    let points = cloud(Metric::Cosine, 3000, 80, 15);
    let options = Options { search: Search::Approximate, ..options(Metric::Cosine) };
    let embedding = run(&points, &LaplacianEigenmaps::default(), &options);
    let recall = embedding.chosen.iter().find(|chosen| chosen.0 == "recall").unwrap().1;
    assert!(recall >= 0.95, "{recall}");
}

#[derive(Default)]
struct InMemory(Mutex<BTreeMap<String, Record<'static>>>);

impl Store for InMemory {
    fn get(&self, name: &str) -> nrdr::Result<Option<Record<'static>>> {
        Ok(self.0.lock().unwrap().get(name).cloned())
    }

    fn put(&self, name: &str, record: &Record<'_>) -> nrdr::Result<()> {
        let own = Record {
            text: record.text.clone().into_owned().into(),
            numbers: record.numbers.iter().map(|list| list.clone().into_owned().into()).collect(),
            indices: record.indices.iter().map(|list| list.clone().into_owned().into()).collect(),
        };
        self.0.lock().unwrap().insert(name.to_string(), own);
        Ok(())
    }
}

#[test]
fn a_checkpoint_by_another_metric_is_refused_and_one_by_the_same_goes_on() {
    let points = cloud(Metric::Cosine, 200, 4, 16);
    let (store, lem) = (InMemory::default(), LaplacianEigenmaps::default());
    let cosine = options(Metric::Cosine);
    let prepared = |options| Prepared::new(&points, &lem, options).unwrap().checkpointed(&store);
    let first = prepared(&cosine).unwrap().embed(&Strategy::orthogonal()).unwrap();
    let again = prepared(&cosine).unwrap().embed(&Strategy::orthogonal()).unwrap();
    assert_eq!(bits(&first), bits(&again));
    let manhattan = options(Metric::Manhattan);
    let told = prepared(&manhattan).err().unwrap().to_string();
    assert!(told.contains("metric cosine") && told.contains("metric manhattan"), "{told}");
}

#[test]
fn dimensions_plans_and_strategies_go_with_every_metric() {
    for metric in ALL {
        let points = cloud(metric, 400, 6, 17);
        let auto = Options { dims: Dims::AUTO, ..options(metric) };
        let embedding = run(&points, &Isomap::default(), &auto);
        assert!(embedding.dimension.is_some_and(|found| found.dims >= 1), "{metric}");
        let prepared = Prepared::new(&points, &LaplacianEigenmaps::default(), &auto);
        let plan = prepared.unwrap().plan(&Strategy::default()).unwrap();
        assert!(plan.stages.iter().any(|stage| stage.stage == "neighbours"), "{metric}");
        for strategy in Strategy::all() {
            let options = Options { strategy, ..options(metric) };
            let found = run(&points, &LaplacianEigenmaps::default(), &options);
            assert!(found.coordinates.iter().all(|c| c.values.iter().all(|v| v.is_finite())));
        }
    }
}
