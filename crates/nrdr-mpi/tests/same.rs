//! The program on several ranks finds what a single machine finds: coordinates, eigenvalues, warnings and residuals.
//!
//! With --nocapture the largest differences are told.
#![allow(missing_docs, clippy::unwrap_used)]

mod clouds;
mod launched;

use std::path::PathBuf;

use clouds::{clusters, cube, uniform};
use launched::{Place, apart};
use nrdr::datasets::{Cube, SwissRoll};
use nrdr::*;
use nrdr_io::ReadOptions;
use serde_json::Value;

/// The first coordinate, and all where they are orthogonal.
const FIRST: f64 = 1e-6;
/// Later ones, which depend on how well the earlier ones are known.
const LATER: f64 = 1e-4;
const VALUES: f64 = 1e-6;

/// No two of its points have the same neighbours: of such twins eigenvectors have values that are equal but for rounding, and what
/// is measured on points that differ would be so on another sample.
fn roll(n: usize, height: f64) -> Points {
    SwissRoll { n, height, ..Default::default() }.generate(6).unwrap().points
}

fn brick(n: usize, sides: &[f64]) -> Points {
    Cube { n, sides: sides.to_vec(), noise: 0.0 }.generate(1).unwrap().points
}

/// A run, and what the library makes of the same.
struct Case<'c> {
    name: &'c str,
    points: &'c Points,
    ending: &'c str,
    method: &'c dyn Method,
    options: Options,
    ranks: &'c [usize],
    /// Beside method, strategy, dims and neighbours.
    typed: &'c str,
}

impl Case<'_> {
    fn typed(&self) -> String {
        let Options { dims, neighbors, strategy, .. } = &self.options;
        let (method, strategy, dims) = (self.method.name(), strategy.name(), dims.most());
        format!("embed in -m {method} -s {strategy} -d {dims} -k {neighbors} {}", self.typed)
    }

    /// Runs it on all numbers of ranks and compares; the place with the outputs, and what the library finds.
    fn check(&self) -> (Place, Embedding) {
        let place = Place::new();
        place.parts("in", self.ending, self.points);
        let wanted = embed(self.points, self.method, &self.options).unwrap();
        for &ranks in self.ranks {
            self.check_on(&place, &wanted, ranks);
        }
        (place, wanted)
    }

    fn check_on(&self, place: &Place, wanted: &Embedding, ranks: usize) {
        let out = format!("out-{ranks}");
        let ran = place.ok(ranks, &format!("{} -q -o {out} --json {out}.json", self.typed()));
        let (manifest, columns) = place.columns(&out);
        let strategy = self.options.strategy.name();
        let label = format!("{} {} {strategy} on {ranks}", self.name, self.method.name());
        let original = self.options.strategy.is_original();
        let mut worst = [0.0_f64; 2];
        assert_eq!(columns.len(), wanted.dims(), "{label}");
        for (at, column) in columns.iter().enumerate() {
            let apart = apart(column, wanted.coordinate(at));
            let limit = if at == 0 || original { FIRST } else { LATER };
            // Not `<`: a NaN compares as false.
            assert!(apart < limit, "{label}: coordinate {} is {apart:e} apart", at + 1);
            worst[usize::from(at > 0)] = worst[usize::from(at > 0)].max(apart);
        }
        // The norms of all these matrices are near 1.
        let mut values = 0.0_f64;
        assert_eq!(manifest.eigenvalues.len(), wanted.dims());
        for (found, wanted) in manifest.eigenvalues.iter().zip(wanted.eigenvalues()) {
            values = values.max((found - wanted).abs());
        }
        assert!(values < VALUES, "{label}: eigenvalues {values:e} apart");
        assert_eq!(manifest.left_out, wanted.left_out as u64, "{label}");
        // No residual is worse than what was asked for, or it was told.
        let limit = self
            .options
            .solver
            .tolerance
            .max(wanted.coordinates.iter().map(|c| 2.0 * c.residual).fold(0.0, f64::max));
        assert!(manifest.residual.iter().all(|&r| r <= limit), "{label}: {:?}", manifest.residual);
        println!(
            "{label}: coordinates {:.0e} {:.0e}, eigenvalues {values:.0e}, residual {:.0e}, {:.1} s",
            worst[0].max(0.0),
            worst[1].max(0.0),
            manifest.residual.iter().copied().fold(0.0, f64::max),
            ran.took.as_secs_f64()
        );
        let told: Vec<String> =
            wanted.warnings.iter().map(|w| w.told(&nrdr_cli::shared::Typed)).collect();
        let lines: Vec<&str> =
            ran.err.lines().filter_map(|line| line.strip_prefix("warning: ")).collect();
        assert_eq!(lines, told, "{label}");
        let text = std::fs::read_to_string(place.path(&format!("{out}.json"))).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["ranks"].as_array().unwrap().len(), ranks);
        assert_eq!(json["n"].as_u64(), Some((self.points.rows() - wanted.left_out) as u64));
    }
}

/// A name, points, method, strategy and numbers of ranks.
type Roll<'r> = (&'r str, &'r Points, &'r dyn Method, Strategy, &'r [usize]);

/// All methods, by the strategies of which each later coordinate is another problem.
#[test]
fn rolls() {
    let (narrow, wide) = (roll(1000, 10.0), roll(1000, 21.0));
    let orthogonal = Strategy::orthogonal;
    let alpha = SmootherOptions { alpha: Alpha::Fixed(0.3), ..Default::default() };
    let all: [Roll<'_>; 11] = [
        ("roll 10", &narrow, &LaplacianEigenmaps::default(), Strategy::default(), &[1, 2, 3, 4]),
        ("roll 10", &narrow, &LaplacianEigenmaps::default(), orthogonal(), &[3]),
        (
            "roll 10",
            &narrow,
            &LaplacianEigenmaps::default(),
            Strategy::unpredictable(alpha.clone()),
            &[1, 4],
        ),
        ("roll 21", &wide, &LaplacianEigenmaps::default(), Strategy::default(), &[2]),
        ("roll 21", &wide, &DiffusionMaps::default(), Strategy::default(), &[2, 3]),
        (
            "roll 10",
            &narrow,
            &DiffusionMaps::default(),
            Strategy::unpredictable(alpha.clone()),
            &[3],
        ),
        ("roll 10", &narrow, &Ltsa::default(), Strategy::default(), &[1, 4]),
        ("roll 10", &narrow, &Ltsa::default(), Strategy::unpredictable(alpha), &[2]),
        ("roll 21", &wide, &HessianLle::default(), Strategy::default(), &[3]),
        ("roll 21", &wide, &Lle::default(), orthogonal(), &[1, 2, 3, 4]),
        ("roll 10", &narrow, &Lle::default(), Strategy::default(), &[4]),
    ];
    for (name, points, method, strategy, ranks) in all {
        let typed = if strategy.name() == "unpredictable" { "--alpha 0.3" } else { "" };
        // On a third one of this kind the solvers of a single machine agree to 1e-6 only, too.
        let is_delicate = (method.name(), strategy.name()) == ("ltsa", "unpredictable");
        let dims = if is_delicate { 2 } else { 3 };
        let options = Options { dims: dims.into(), strategy, ..Default::default() };
        Case { name, points, ending: "npy", method, options, ranks, typed }.check();
    }
}

/// Boxes of more dimensions, whose sides differ: directions of a cube would be any.
#[test]
fn cubes() {
    let three = brick(3000, &[1.0, 0.8, 0.62]);
    let five = brick(5000, &[1.0, 0.86, 0.74, 0.63, 0.54]);
    for (name, points, dims, strategy, ranks) in [
        ("cube 3", &three, 3, Strategy::default(), &[1, 3][..]),
        ("cube 5", &five, 3, Strategy::orthogonal(), &[4]),
        ("cube 5", &five, 3, Strategy::default(), &[2]),
    ] {
        let options = Options { dims: dims.into(), strategy, ..Default::default() };
        let method = &LaplacianEigenmaps::default();
        Case { name, points, ending: "parquet", method, options, ranks, typed: "" }.check();
    }
}

/// So many columns that products of blocks go round, and rows stay in the order of the input: there the residual is
/// looked at with the matrix itself.
#[test]
fn many_columns_and_the_true_residual() {
    let plane = roll(900, 10.0);
    let mut random = uniform(7);
    let turned: Vec<f64> = (0..300).map(|_| random() - 0.5).collect();
    let row = |i: usize| {
        let at =
            |c: usize| plane.row(i).iter().zip(&turned[3 * c..]).map(|(a, b)| a * b).sum::<f64>();
        (0..100).map(at).collect::<Vec<f64>>()
    };
    let points = Points::from_rows((0..900).map(row)).unwrap();
    for (method, ranks) in [
        (&LaplacianEigenmaps::default() as &dyn Method, &[1, 2, 3, 4][..]),
        (&Ltsa::default(), &[3]),
    ] {
        let strategy = Strategy::orthogonal();
        let options = Options { dims: 2.into(), strategy, ..Default::default() };
        let case = Case {
            name: "100 columns",
            points: &points,
            ending: "npy",
            method,
            options: options.clone(),
            ranks,
            typed: "",
        };
        let (place, _) = case.check();
        let prepared = Prepared::new(&points, method, &options).unwrap();
        let problem = prepared.problem().unwrap();
        let norm = problem.matrix.norm().unwrap();
        let mut constraint = Constraint::none(problem.size());
        constraint.forbid(problem.trivial.as_deref());
        for ranks in ranks {
            let (manifest, columns) = place.columns(&format!("out-{ranks}"));
            for (at, column) in columns.iter().enumerate() {
                let mut g = column.clone();
                if let Some(scale) = &problem.scale {
                    g.iter_mut().zip(scale).for_each(|(g, s)| *g /= s);
                }
                let length = g.iter().map(|v| v * v).sum::<f64>().sqrt();
                g.iter_mut().for_each(|v| *v /= length);
                let (value, residual) =
                    nrdr::eigen::quotient_and_residual(problem.matrix.operator(), &constraint, &g);
                let told = manifest.residual[at];
                println!(
                    "{} on {ranks}: residual {told:e}, truly {:e}",
                    method.name(),
                    residual / norm
                );
                assert!((residual / norm - told).abs() < 1e-12 + 1e-2 * told);
                assert!((value - manifest.eigenvalues[at]).abs() < 1e-9 * norm);
            }
        }
    }
}

#[test]
fn clusters_that_no_edge_joins() {
    let points = clusters(900, 3);
    for (components, ranks) in [(Policy::Largest, &[1, 2, 4][..]), (Policy::Connect, &[2, 3])] {
        let word = if components == Policy::Largest { "largest" } else { "connect" };
        let options = Options { dims: 2.into(), components, ..Default::default() };
        let case = Case {
            name: &format!("clusters {word}"),
            points: &points,
            ending: "parquet",
            method: &LaplacianEigenmaps::default(),
            options,
            ranks,
            typed: &format!("--components {word}"),
        };
        let (_, wanted) = case.check();
        assert!(!wanted.warnings.is_empty());
    }
    let options = Options { components: Policy::Error, ..Default::default() };
    let wanted = embed(&points, &LaplacianEigenmaps::default(), &options).unwrap_err();
    let place = Place::new();
    place.parts("in", "npy", &points);
    let wanted = wanted.told(&nrdr_cli::shared::Typed);
    // The way out has a line of its own.
    let wanted: Vec<&str> = wanted.splitn(2, ": ").collect();
    place.refused(3, "embed in -o out --components error", &wanted);
    assert_eq!(place.results("out"), [""; 0]);
}

#[test]
fn more_ranks_than_are_sensible() {
    for (n, name) in [(40, "40 points"), (12, "12 points")] {
        let points = cube(n, 3, 5);
        let options = Options { dims: 2.into(), neighbors: 6, ..Default::default() };
        let method = &LaplacianEigenmaps::default();
        Case { name, points: &points, ending: "npy", method, options, ranks: &[7], typed: "" }
            .check();
    }
    // More ranks than rows.
    let points = cube(5, 2, 5);
    let options = Options { dims: 1.into(), neighbors: 3, ..Default::default() };
    let method = &LaplacianEigenmaps::default();
    let name = "5 points";
    Case { name, points: &points, ending: "parquet", method, options, ranks: &[7], typed: "" }
        .check();
}

/// Columns that are chosen, standardised or labels.
#[test]
fn columns_and_labels() {
    let points = roll(700, 10.0);
    let columns: Vec<Vec<f64>> = (0..3)
        .map(|j| points.column(j))
        .chain([
            (0..700).map(|i| f64::from(i % 3)).collect(),
            (0..700).map(|i| f64::from(i % 7)).collect(),
        ])
        .collect();
    let place = Place::new();
    let wide = Points::from_columns(&columns).unwrap();
    place.parts("in", "parquet", &wide);
    let options = Options { dims: 2.into(), ..Default::default() };
    let wanted = embed(&points, &LaplacianEigenmaps::default(), &options).unwrap();
    place.ok(3, "embed in -q -o out --label x4 --drop x5 --format npy");
    place.ok(2, "embed in -q -o chosen --columns x1,x2,x3");
    for out in ["out", "chosen"] {
        let (_, found) = place.columns(out);
        for (at, column) in found.iter().enumerate() {
            assert!(apart(column, wanted.coordinate(at)) < [FIRST, LATER][at.min(1)]);
        }
    }
    assert_eq!(place.results("out")[1], "part-1.npy");
    let sample = nrdr_cli::shared::Sample::read(&place.path("out/sample")).unwrap();
    assert_eq!(sample.drawn.labels, ["x4"]);
    assert_eq!(sample.labels[0][4], "1");
}

/// The first 5000 digits of MNIST, where they are: in the folder NRDR_MNIST, or where `make gallery` puts them.
#[test]
fn digits() {
    let target = PathBuf::from(env!("CARGO_BIN_EXE_nrdr-mpi"));
    let target = target.ancestors().nth(2).map(|target| target.join("gallery"));
    let folders = std::env::var_os("NRDR_MNIST").map(PathBuf::from).into_iter().chain(target);
    let names = ["train-images-idx3-ubyte", "t10k-images-idx3-ubyte"];
    let files = folders.flat_map(|folder| names.map(|name| folder.join(name)));
    let Some(file) = files.into_iter().find(|file| file.is_file()) else {
        println!("SKIPPED: no digits: NRDR_MNIST names no folder with {}", names.join(" or "));
        return;
    };
    let table = nrdr_io::read(&file, &ReadOptions::default()).unwrap();
    let columns = table.values.len() / table.rows;
    let points = Points::new(table.values[..5000 * columns].to_vec(), columns).unwrap();
    let options = Options { dims: 3.into(), ..Default::default() };
    Case {
        name: "digits",
        points: &points,
        ending: "npy",
        method: &LaplacianEigenmaps::default(),
        options,
        ranks: &[2],
        typed: "",
    }
    .check();
}
