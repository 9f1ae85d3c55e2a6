//! The eigenproblem is that of one machine, row by row.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clouds;

use std::sync::Arc;

use clouds::*;
use nrdr::team::{self, of_threads};
use nrdr::*;
use nrdr_mpi::prepare::{Job, Prepared as Shared, prepare};

/// The problem on members.
fn shared(points: &Points, method: &dyn Method, options: &Options, size: usize) -> Vec<Shared> {
    of_threads(size, |team| {
        let job = Job { method, options, given: None, observer: None, kept: None };
        let made = prepare(team, share(points, team), &job).unwrap();
        // The product takes part of all members, too.
        let problem = made.problem.problem(team::current().unwrap());
        let ones = vec![1.0; made.inputs.len()];
        let mut sums = vec![0.0; ones.len()];
        problem.matrix.operator().apply(&ones, &mut sums);
        let matrix = &made.problem.matrix;
        for (i, sum) in sums.iter().enumerate() {
            let wanted: f64 = matrix.values(i).iter().sum();
            assert!((sum - wanted).abs() <= 1e-13);
            let row = made.rows.of(team.rank()).start + i as u64;
            assert!(matrix.columns(i).contains(&row), "the diagonal is explicit");
        }
        matrix.check(team).unwrap();
        made
    })
}

fn near(a: f64, b: f64, unit: f64) -> bool {
    (a - b).abs() <= 1e-12 * unit
}

/// Compares the problem with that of one machine for each number of members.
fn check(points: &Points, method: &dyn Method, options: &Options) {
    let about = format!("{} of {} x {}", method.name(), points.rows(), points.columns());
    let one = Prepared::new(points, method, options).unwrap();
    let problem: Arc<Problem> = one.problem().unwrap().clone();
    let Matrix::Sparse(matrix) = &problem.matrix else { panic!("a sparse matrix") };
    for size in SIZES {
        let parts = shared(points, method, options, size);
        assert_eq!(parts[0].rows.total() as usize, problem.size(), "{about}");
        let mut row = 0;
        for part in &parts {
            let found = &part.problem;
            for i in 0..part.inputs.len() {
                let entries = found.matrix.columns(i).iter().zip(found.matrix.values(i));
                // A zero on the diagonal may be explicit or not.
                let counts = |entry: &(usize, f64)| entry.0 != row || entry.1 != 0.0;
                let entries = entries.map(|(&j, &v)| (j as usize, v));
                let entries: Vec<(usize, f64)> = entries.filter(counts).collect();
                let wanted: Vec<(usize, f64)> = matrix.row(row).filter(counts).collect();
                let places = |row: &[(usize, f64)]| row.iter().map(|e| e.0).collect::<Vec<_>>();
                assert_eq!(places(&entries), places(&wanted), "{about}, {size}, row {row}");
                let unit = wanted.iter().fold(0.0, |unit: f64, entry| unit.max(entry.1.abs()));
                for (a, b) in entries.iter().zip(&wanted) {
                    assert!(near(a.1, b.1, unit), "{about}, {size}, row {row}: {a:?} {b:?}");
                }
                for (a, b) in [(&found.scale, &problem.scale), (&found.trivial, &problem.trivial)] {
                    let (a, b) = (a.as_ref().map(|a| a[i]), b.as_ref().map(|b| b[row]));
                    assert!(a.is_some() == b.is_some());
                    assert!(a.zip(b).is_none_or(|(a, b)| near(a, b, b)), "{a:?} {b:?}");
                }
                assert_eq!(found.near_null.len(), problem.near_null.len());
                for (a, b) in found.near_null.iter().zip(&problem.near_null) {
                    let unit = b.iter().fold(0.0, |unit: f64, v| unit.max(v.abs()));
                    assert!(near(a[i], b[row], unit), "{about}: {} {}", a[i], b[row]);
                }
                row += 1;
            }
            assert_eq!((found.end, found.bound), (problem.end, problem.bound));
            assert_eq!((found.length, &found.warnings), (problem.length, &problem.warnings));
            assert_eq!(found.chosen, problem.chosen, "{about}");
        }
        assert_eq!(row, problem.size());
    }
}

fn all() -> Vec<Box<dyn Method>> {
    vec![
        Box::new(LaplacianEigenmaps::default()),
        Box::new(LaplacianEigenmaps { weights: Some(Weights::Heat), sigma: None }),
        Box::new(LaplacianEigenmaps { weights: None, sigma: Some(0.7) }),
        Box::new(DiffusionMaps::default()),
        Box::new(DiffusionMaps { epsilon: Some(0.3), density: 0.5, time: 2.0 }),
        Box::new(Ltsa::default()),
        Box::new(Ltsa { local_dimension: Some(2) }),
        Box::new(HessianLle::default()),
        Box::new(Lle::default()),
        Box::new(Lle { regularization: 1e-2 }),
    ]
}

fn options(neighbors: usize) -> Options {
    Options { neighbors, search: Search::Exact, ..Default::default() }
}

#[test]
fn rolls_and_cubes() {
    for points in [roll(600), cube(500, 3, 1), cube(700, 5, 2), cube(150, 12, 6)] {
        all().iter().for_each(|method| check(&points, method.as_ref(), &options(12)));
    }
}

/// Where few more points or neighbours decide whether a tree pays, and so the order.
#[test]
fn the_order_changes_where_it_changes_on_one_machine() {
    for n in [900, 1300, 1700, 2200, 2800, 3500] {
        check(&cube(n, 4, 3), &LaplacianEigenmaps::default(), &options(10));
    }
    for n in [600, 800, 1000] {
        check(&lattice(n / 100, 3), &LaplacianEigenmaps::default(), &options(6));
    }
}

#[test]
fn many_columns() {
    let points = cube(250, 70, 3);
    all().iter().for_each(|method| check(&points, method.as_ref(), &options(10)));
}

#[test]
fn ties_and_copies() {
    for points in [lattice(24, 2), lattice(7, 3), copies(400, 3)] {
        for method in all() {
            check(&points, method.as_ref(), &options(8));
        }
    }
}

#[test]
fn mutual_edges_and_other_metrics() {
    for metric in [Metric::Manhattan, Metric::Cosine] {
        let options = Options { symmetry: Symmetry::Mutual, metric, ..options(9) };
        for method in all() {
            check(&cube(400, 3, 8), method.as_ref(), &options);
        }
    }
}

#[test]
fn components_by_all_policies() {
    for points in [clusters(500, 3), clusters(420, 7)] {
        for components in [Policy::Connect, Policy::Largest] {
            for symmetry in [Symmetry::Union, Symmetry::Mutual] {
                let options = Options { components, symmetry, ..options(8) };
                all().iter().for_each(|method| check(&points, method.as_ref(), &options));
            }
            // What is told is the same.
            let options = Options { components, ..options(8) };
            let method = LaplacianEigenmaps::default();
            let strategy = Strategy::orthogonal();
            let one = embed(&points, &method, &Options { strategy, ..options.clone() }).unwrap();
            for size in SIZES {
                for part in shared(&points, &method, &options, size) {
                    assert_eq!(part.components, one.components);
                    assert!(part.components.len() > 2);
                    assert_eq!(part.warning.as_ref(), one.warnings.first());
                    assert_eq!(part.input_rows as usize - part.rows.total() as usize, one.left_out);
                }
            }
        }
        let options = Options { components: Policy::Error, ..options(8) };
        let method = LaplacianEigenmaps::default();
        let one = Prepared::new(&points, &method, &options).unwrap().problem().err().unwrap();
        let told = of_threads(4, |team| {
            let job =
                Job { method: &method, options: &options, given: None, observer: None, kept: None };
            prepare(team, share(&points, team), &job).err().unwrap().to_string()
        });
        let wanted = one.told(&nrdr_cli::shared::Typed);
        assert!(told.iter().all(|told| *told == wanted), "{told:?}");
    }
}

#[test]
fn more_members_than_sensible() {
    for (n, k) in [(2, 1), (5, 3), (9, 4), (30, 5)] {
        let points = cube(n, 2, 4);
        let options = Options { dims: 1.into(), ..options(k) };
        check(&points, &LaplacianEigenmaps::default(), &options);
        check(&points, &Lle::default(), &options);
    }
}
