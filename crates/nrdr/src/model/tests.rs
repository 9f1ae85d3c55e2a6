//! The formula on rows of the training graph itself, and files that are no models.

use super::container::{Array, Container};
use super::*;
use crate::datasets::SwissRoll;
use crate::graph::Search as GraphSearch;
use crate::graph::neighbors::neighbors;
use crate::graph::symmetric::{Symmetry, symmetric};
use crate::pipeline::fit as fit_model;
use crate::{
    DiffusionMaps, Isomap, Kernel, KernelPca, LaplacianEigenmaps, Lle, Options, Policy,
    Realization, Regression, SmootherOptions, Strategy, Weights,
};

const K: usize = 10;

fn roll(n: usize) -> Points {
    SwissRoll { n, height: 21.0, ..Default::default() }.generate(3).unwrap().points
}

fn strategies() -> Vec<(Strategy, f64)> {
    let unpredictable = |(regression, realization, tolerance)| {
        let alpha = 0.3.into();
        let options = SmootherOptions { alpha, regression, realization, ..Default::default() };
        (Strategy::unpredictable(options), tolerance)
    };
    let smoothers = [
        (Regression::NadarayaWatson, Realization::Dense, 1e-5),
        (Regression::LocallyLinear, Realization::Dense, 1e-5),
        (Regression::NadarayaWatson, Realization::LowRank, 1e-3),
        (Regression::LocallyLinear, Realization::LowRank, 1e-3),
    ];
    [(Strategy::orthogonal(), 1e-6)].into_iter().chain(smoothers.map(unpredictable)).collect()
}

#[test]
fn the_formula_holds_on_the_rows_of_the_graph_itself() {
    let points = roll(700);
    let lists = Watch::new(None)
        .stage(Stage::Neighbors, |p| neighbors(&points, K, GraphSearch::Auto, p))
        .unwrap();
    let graph = symmetric(&lists, Symmetry::Union);
    let heat = LaplacianEigenmaps { weights: Some(Weights::Heat), sigma: None };
    let methods: [&dyn Method; 5] = [
        &LaplacianEigenmaps::default(),
        &heat,
        &DiffusionMaps::default(),
        &Isomap::default(),
        &Isomap { landmarks: Some(80) },
    ];
    for method in methods {
        for (strategy, tolerance) in strategies() {
            let name = format!("{} {strategy:?}", method.name());
            let options = Options { dims: 3.into(), neighbors: K, strategy, ..Default::default() };
            let (embedding, model) = fit_model(&points, method, &options).unwrap();
            assert_eq!(embedding.components, [700]);
            // The model has the points in an order of its own.
            let Training::Points(own) = &model.training else { panic!() };
            let given = |i: usize| (0..700).find(|&j| points.row(j) == own.row(i)).unwrap();
            let order: Vec<usize> = (0..700).map(given).collect();
            let mut place = vec![0; 700];
            order.iter().enumerate().for_each(|(i, &j)| place[j] = i as u32);
            let mut worker = Worker::new(&model, &model.training);
            let mut worst: f64 = 0.0;
            for (i, &j) in order.iter().enumerate() {
                let near: Vec<(f64, u32)> = if method.name() == "isomap" {
                    // All paths begin at the point itself.
                    vec![(1e-40, i as u32)]
                } else {
                    graph.row(j).map(|(other, d)| (d * d, place[other])).collect()
                };
                let mut row = vec![0.0; 3];
                worker.row(&Found::Near(near), i, points.row(j), &mut row).unwrap();
                let pairs = row.iter().zip(model.values.row(i));
                worst = pairs.map(|(a, b)| (a - b).abs()).fold(worst, f64::max);
            }
            println!("{name}: {worst:.1e}");
            assert!(worst < tolerance, "{name}: {worst:.1e}");
        }
    }
}

/// Kernel PCA of low rank has no row of a graph, but the same formula.
#[test]
fn the_formula_holds_for_kernels_of_low_rank() {
    let points = roll(400);
    for kernel in [Kernel::Rbf, Kernel::Polynomial, Kernel::Cosine, Kernel::Sigmoid, Kernel::Linear]
    {
        let method = KernelPca { kernel, rank: Some(60), ..Default::default() };
        for (strategy, tolerance) in strategies() {
            let options = Options { neighbors: K, strategy, ..Default::default() };
            let (_, model) = fit_model(&points, &method, &options).unwrap();
            let mut worker = Worker::new(&model, &model.training);
            for i in 0..400 {
                let mut row = vec![0.0; 2];
                worker.row(&Found::Near(Vec::new()), i, points.row(i), &mut row).unwrap();
                for (a, b) in row.iter().zip(model.values.row(i)) {
                    assert!((a - b).abs() < tolerance, "{kernel:?}: {a} {b}");
                }
            }
        }
    }
}

fn models() -> Vec<Model> {
    let points = roll(60);
    let unpredictable = strategies()[3].0.clone();
    let methods: [&dyn Method; 8] = [
        &LaplacianEigenmaps::default(),
        &DiffusionMaps::default(),
        &Isomap::default(),
        &Lle::default(),
        &KernelPca::default(),
        &Isomap { landmarks: Some(20) },
        &KernelPca { rank: Some(10), ..Default::default() },
        &KernelPca { kernel: Kernel::Linear, rank: Some(3), ..Default::default() },
    ];
    let model = |method: &&dyn Method| {
        let strategy = unpredictable.clone();
        let options = Options { strategy, neighbors: 6, ..Default::default() };
        fit_model(&points, *method, &options).unwrap().1
    };
    methods.iter().map(model).collect()
}

#[test]
fn a_file_that_is_cut_or_altered_is_refused() {
    let bytes = models()[0].to_bytes().unwrap();
    for length in (0..bytes.len()).step_by(7) {
        let error = Model::from_bytes(&bytes[..length]).unwrap_err().to_string();
        assert!(error.contains("it is damaged") || error.contains("no model"), "{error}");
    }
    for at in 0..bytes.len() {
        for mask in [1, 0x80] {
            let mut altered = bytes.clone();
            altered[at] ^= mask;
            if let Ok(model) = Model::from_bytes(&altered) {
                // Blanks between the head and the values are not part of the model.
                assert_eq!(model.values, models()[0].values, "byte {at}");
            }
        }
    }
}

/// Writes a container again, with a right checksum, after a change.
fn changed(bytes: &[u8], change: impl FnOnce(&mut Container<'_>)) -> Vec<u8> {
    let mut container = Container::from_bytes(bytes, |_| Ok(())).unwrap();
    change(&mut container);
    container.to_bytes().unwrap()
}

#[test]
fn hostile_parts_with_a_right_checksum_are_refused() {
    let mut refused = 0;
    for model in models() {
        let bytes = model.to_bytes().unwrap();
        let names: Vec<String> =
            Container::from_bytes(&bytes, |_| Ok(())).unwrap().arrays.keys().cloned().collect();
        let replacements = [
            Array::of_f64(&[f64::NAN; 120], &[60, 2]),
            Array::of_f64(&[f64::NAN; 60], &[60]),
            Array::of_f64(&[f64::INFINITY; 2], &[2]),
            Array::of_f64(&[-1.0], &[1]),
            Array::of_f64(&[1.0; 6], &[2, 3]),
            Array::of_f64(&[], &[0, 1 << 60]),
            Array::of_f64(&[], &[0]),
            Array::of_u32(&[u32::MAX; 60]),
            Array::of_u32(&[]),
        ];
        for name in &names {
            for replacement in &replacements {
                let wrong = changed(&bytes, |container| {
                    container.arrays.insert(name.clone(), replacement.clone());
                });
                let error = Model::from_bytes(&wrong).unwrap_err();
                assert!(matches!(error, Error::BadModel { .. }), "{name}: {error}");
                refused += 1;
            }
            let without = changed(&bytes, |container| {
                container.arrays.remove(name);
            });
            // A coordinate without a smoother is one of another strategy.
            if !name.ends_with("centres") {
                assert!(Model::from_bytes(&without).is_err(), "{name}");
            }
        }
        for (from, to) in [
            ("\"neighbors\":6", "\"neighbors\":0"),
            ("\"neighbors\":6", "\"neighbors\":-1"),
            ("\"neighbors\":6", "\"neighbors\":1e300"),
            ("\"columns\":3", "\"columns\":4000000000"),
            ("\"format\":\"nrdr model\"", "\"format\":\"other\""),
            ("\"method\"", "\"m\""),
            ("{", "["),
        ] {
            let wrong = changed(&bytes, |c| c.text = c.text.replacen(from, to, 1));
            assert!(Model::from_bytes(&wrong).is_err(), "{from} -> {to}");
        }
        // Far too many neighbours are all there are.
        let many = changed(&bytes, |c| {
            c.text = c.text.replacen("\"neighbors\":6", "\"neighbors\":18446744073709551615", 1);
        });
        Model::from_bytes(&many).unwrap().transform(&roll(5), &()).unwrap();
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn a_model_of_the_earlier_version_has_no_order() {
    let model = models().remove(0);
    assert!(model.embedding().is_some());
    let earlier = changed(&model.to_bytes().unwrap(), |c| {
        c.text = c.text.replacen("\"version\":3", "\"version\":2", 1);
        c.arrays.remove("places");
    });
    let earlier = Model::from_bytes(&earlier).unwrap();
    assert_eq!(earlier.embedding(), None);
    let new = roll(5);
    assert_eq!(earlier.transform(&new, &()).unwrap(), model.transform(&new, &()).unwrap());
}

#[test]
fn the_embedding_comes_back_in_the_order_of_the_input() {
    // The last eight points are a component of their own, and are left out.
    let near = roll(60);
    let far = (0..8).map(|i| vec![1e3, 1e3, f64::from(i)]);
    let rows = (0..60).map(|i| near.row(i).to_vec()).chain(far);
    let points = Points::from_rows(rows).unwrap();
    let options = Options { neighbors: 6, components: Policy::Largest, ..Options::default() };
    for method in [&LaplacianEigenmaps::default() as &dyn Method, &KernelPca::default()] {
        let (embedding, model) = fit_model(&points, method, &options).unwrap();
        let found = Model::from_bytes(&model.to_bytes().unwrap()).unwrap().embedding().unwrap();
        let expected = (0..68).flat_map(|i| embedding.row(i).collect::<Vec<f64>>());
        assert!(
            found.iter().map(|v| v.to_bits()).eq(expected.map(f64::to_bits)),
            "{}",
            method.name()
        );
        assert_eq!(embedding.left_out == 8, method.name() == "lem");
    }
}

#[test]
fn a_later_version_and_other_files_say_what_they_are() {
    let bytes = models()[0].to_bytes().unwrap();
    let versioned =
        |version: &str| changed(&bytes, |c| c.text = c.text.replacen("\"version\":3", version, 1));
    let earlier = Model::from_bytes(&versioned("\"version\":1")).unwrap_err().to_string();
    assert!(earlier.contains("version 1") && earlier.contains("make it again"), "{earlier}");
    let later = versioned("\"version\":5");
    let error = Model::from_bytes(&later).unwrap_err().to_string();
    assert!(error.contains("version 5") && error.contains("newer nrdr"), "{error}");
    // Its checksum may be another one.
    let last = later.len() - 1;
    let other = [&later[..last], &[!later[last]]].concat();
    assert_eq!(Model::from_bytes(&other).unwrap_err().to_string(), error);
    for other in [&b"f1,f2\n1,2\n"[..], b"PAR1", b"", &[0xff; 64]] {
        let error = Model::from_bytes(other).unwrap_err().to_string();
        assert!(error.contains("no model of nrdr"), "{error}");
    }
    // Heads that claim more than there is.
    let head = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    for text in [
        r#"{"a":{"dtype":"F64","shape":[2305843009213693951],"data_offsets":[0,18446744073709551608]}}"#,
        r#"{"a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,18446744073709551615]}}"#,
        r#"{"a":{"dtype":"U8","shape":[0],"data_offsets":[5,3]}}"#,
        "{}",
        "{",
    ] {
        assert!(Model::from_bytes(&head(text)).is_err(), "{text}");
    }
}
