//! Points that several processes share have the coordinates that one process finds: a team of threads, each with a range of
//! the rows, against the same problem in one piece.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::correlation;
use nrdr::checkpoint::Record;
use nrdr::datasets::{Cube, SwissRoll, Torus};
use nrdr::eigen::{Builtin, Pair, Request};
use nrdr::shared::{Parts, Rows, Shared, SharedStore, Trained};
use nrdr::team::{current, join, of_threads};
use nrdr::{
    Constraint, DiffusionMaps, Embedding, Engine, Error, HessianLle, LaplacianEigenmaps, Lle, Ltsa,
    Matrix, Method, Metric, Operator, Options, Points, Prepared, Problem, Progress,
    RedundancyOptions, Result, SmootherOptions, Solver, SolverOptions, SparseMatrix, Stage,
    Strategy, shared,
};

/// What every member gives, one after another.
fn gathered(mine: &[f64]) -> Vec<f64> {
    let Some(team) = current() else { return mine.to_vec() };
    let all = team.gather(mine.iter().flat_map(|v| v.to_le_bytes()).collect()).concat();
    all.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

/// Some rows of a sparse matrix.
struct OwnRows {
    all: Arc<SparseMatrix>,
    own: Range<usize>,
}

impl Operator for OwnRows {
    fn size(&self) -> usize {
        self.own.len()
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let x = gathered(x);
        for (y, i) in y.iter_mut().zip(self.own.clone()) {
            *y = self.all.row(i).map(|(j, value)| value * x[j]).sum();
        }
    }
}

/// Own rows of a problem.
fn share_of(whole: &Problem, own: Range<usize>) -> Arc<Problem> {
    let Matrix::Sparse(matrix) = &whole.matrix else { panic!("a sparse matrix") };
    let cut = |list: &Vec<f64>| list[own.clone()].to_vec();
    Arc::new(Problem {
        matrix: Matrix::Operator(Arc::new(OwnRows { all: matrix.clone(), own: own.clone() })),
        scale: whole.scale.as_ref().map(cut),
        trivial: whole.trivial.as_ref().map(cut),
        near_null: whole.near_null.iter().map(cut).collect(),
        ..whole.clone()
    })
}

/// Solves the whole problem at the first member.
struct Oracle<'o> {
    problem: &'o Arc<Problem>,
    /// How often it has solved, and after how often the last member fails.
    solved: Arc<AtomicUsize>,
    life: usize,
    /// Whether it cannot be prepared here.
    fails: bool,
}

fn oracle(problem: &Arc<Problem>) -> Oracle<'_> {
    Oracle { problem, solved: Arc::default(), life: usize::MAX, fails: false }
}

struct OfAll {
    solver: Box<dyn Solver>,
    solved: Arc<AtomicUsize>,
    life: usize,
}

impl Engine for Oracle<'_> {
    fn prepare(
        &self,
        _: &Arc<Problem>,
        options: &SolverOptions,
        progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        if self.fails {
            return Err(Error::Empty);
        }
        let solver = join(None, || Builtin.prepare(self.problem, options, progress))?;
        Ok(Box::new(OfAll { solver, solved: self.solved.clone(), life: self.life }))
    }
}

impl Solver for OfAll {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let Request { constraint, .. } = *request;
        let basis: Vec<Vec<f64>> =
            (0..constraint.rank()).map(|i| gathered(constraint.direction(i))).collect();
        let counts = gathered(&[constraint.size() as f64]);
        let total = counts.iter().sum::<f64>() as usize;
        let rank = current().map_or(0, |team| team.rank());
        let found = join(None, || {
            let mut whole = Constraint::none(total);
            whole.forbid(basis.iter().map(Vec::as_slice));
            let request = Request { constraint: &whole, ..*request };
            if rank == 0 { self.solver.solve(&request, progress) } else { Ok(Vec::new()) }
        });
        let mut found = shared::agree(found)?;
        // The signs that a team gives eigenvectors: on what points a regression is measured depends on them.
        for pair in &mut found {
            let larger = |m: f64, v: f64| if v.abs() > m.abs() { v } else { m };
            let sign = pair.vector.iter().copied().fold(0.0, larger).signum();
            pair.vector.iter_mut().for_each(|v| *v *= sign);
        }
        let numbers = |p: &Pair| [p.value, p.residual, p.angle, p.iterations as f64];
        let sent: Vec<f64> =
            found.iter().flat_map(|pair| [&numbers(pair)[..], &pair.vector].concat()).collect();
        let first = counts[..rank].iter().sum::<f64>() as usize;
        let own = |list: &[f64]| Pair {
            value: list[0],
            residual: list[1],
            angle: list[2],
            iterations: list[3] as usize,
            missed: None,
            vector: list[4 + first..][..constraint.size()].to_vec(),
        };
        self.solved.fetch_add(usize::from(rank == 0), Ordering::SeqCst);
        let pairs = gathered(&sent).chunks_exact(4 + total).map(own).collect();
        let last = current().is_none_or(|team| rank == team.size() - 1);
        if last && self.solved.load(Ordering::SeqCst) > self.life {
            return Err(Error::Solver { solver: "oracle", reason: "its life is over".into() });
        }
        Ok(pairs)
    }
}

/// Where ranges begin: even ones, uneven ones, and ones without rows.
fn cuts(rows: usize, members: usize, kind: usize) -> Vec<usize> {
    let share = |member: usize| match kind {
        _ if member == members => rows,
        0 => rows * member / members,
        1 => rows * member * member / (members * members),
        // The first and some others have none.
        _ => rows * (member / 2) / members.div_ceil(2),
    };
    (0..=members).map(share).collect()
}

/// The rows of all members together, whose shared numbers are the same bits.
fn together(parts: Vec<Embedding>) -> Embedding {
    let numbers = |part: &Embedding| {
        let mut part = part.clone();
        part.coordinates.iter_mut().for_each(|c| c.values.clear());
        part
    };
    let first = numbers(&parts[0]);
    assert!(parts.iter().all(|part| format!("{:?}", numbers(part)) == format!("{first:?}")));
    let mut whole = parts[0].clone();
    for part in &parts[1..] {
        for (all, own) in whole.coordinates.iter_mut().zip(&part.coordinates) {
            all.values.extend_from_slice(&own.values);
        }
    }
    whole
}

fn by_team(
    whole: &Arc<Problem>,
    options: &Options,
    strategy: &Strategy,
    members: usize,
    kind: usize,
) -> Embedding {
    let cuts = cuts(whole.size(), members, kind);
    together(of_threads(members, |team| {
        let own = share_of(whole, cuts[team.rank()]..cuts[team.rank() + 1]);
        let engine = oracle(whole);
        let shared = Shared::new(&own, "test", options, &engine).unwrap();
        shared.embed(strategy).unwrap()
    }))
}

fn alone(whole: &Arc<Problem>, options: &Options, strategy: &Strategy) -> Embedding {
    Shared::new(whole, "test", options, &oracle(whole)).unwrap().embed(strategy).unwrap()
}

fn problem(points: &Points, method: &dyn Method) -> Arc<Problem> {
    let options = Options::default();
    Prepared::new(points, method, &options).unwrap().problem().unwrap().clone()
}

fn assert_same(name: &str, norm: f64, found: &Embedding, expected: &Embedding) {
    assert_eq!(found.dims(), expected.dims(), "{name}");
    for (i, (a, b)) in found.coordinates.iter().zip(&expected.coordinates).enumerate() {
        let far = 1.0 - correlation(&a.values, &b.values);
        // What a narrow smoother forbids is known to single precision, and an eigenvalue far below the norm moves with it.
        let narrow = i > 0 && found.strategy == "unpredictable";
        let beside = if narrow { norm } else { 1e-3 * norm };
        let value = (a.eigenvalue - b.eigenvalue).abs() / b.eigenvalue.abs().max(beside);
        println!(
            "{name}, {i}: {far:.1e}, eigenvalue {value:.1e} of {:.1e}, norm {norm:.1e}",
            b.eigenvalue
        );
        let least = if i == 0 || found.strategy == "orthogonal" { 1e-6 } else { 1e-4 };
        assert!(far < least && value < 1e-6, "{name}, {i}: {far:.1e}, eigenvalue {value:.1e}");
        let ranks = [a, b].map(|c| c.smoothing.as_ref().map(|smoothing| smoothing.rank));
        assert_eq!(ranks[0], ranks[1], "{name}, {i}");
    }
    let warnings = |e: &Embedding| e.warnings.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(warnings(found), warnings(expected), "{name}");
}

fn roll(n: usize, height: f64) -> Points {
    SwissRoll { n, height, ..Default::default() }.generate(3).unwrap().points
}

/// Balls of different sizes, far from each other but within reach of some neighbours.
fn clusters(n: usize) -> Points {
    let noise = |i: usize, c: usize| (12.9898 * i as f64 + 78.233 * c as f64).sin() * 43758.5453;
    let row = |i: usize| {
        let centre = if i % 10 < 6 {
            0.0
        } else if i % 10 < 9 {
            1.2
        } else {
            2.4
        };
        [0, 1, 2].map(|c| noise(i, c).fract() + if c == 0 { centre } else { 0.3 * centre })
    };
    Points::from_rows((0..n).map(row)).unwrap()
}

fn strategies() -> Vec<(&'static str, Strategy)> {
    let alpha = |alpha: f64| {
        Strategy::unpredictable(SmootherOptions { alpha: alpha.into(), ..Default::default() })
    };
    vec![
        ("orthogonal", Strategy::orthogonal()),
        ("alpha .3", alpha(0.3)),
        ("alpha .1", alpha(0.1)),
        ("auto", Strategy::unpredictable(SmootherOptions::default())),
        ("priced", Strategy::default()),
        ("selection", Strategy::selection(Default::default())),
    ]
}

fn options() -> Options {
    Options { dims: 3.into(), ..Default::default() }
}

#[test]
fn a_team_finds_what_one_process_finds_on_all_shapes() {
    let shapes = [
        ("roll 21", roll(900, 21.0)),
        ("roll 10", roll(900, 10.0)),
        ("roll 4", roll(900, 4.0)),
        ("cube", Cube { n: 900, ..Default::default() }.generate(2).unwrap().points),
        ("torus", Torus { n: 900, ..Default::default() }.generate(2).unwrap().points),
        ("clusters", clusters(900)),
    ];
    let options = options();
    let mut turn = 0;
    for (shape, points) in &shapes {
        let whole = problem(points, &LaplacianEigenmaps::default());
        let norm = whole.matrix.norm().unwrap();
        for (name, strategy) in strategies() {
            let expected = alone(&whole, &options, &strategy);
            let members = [2, 3, 4, 7][turn % 4];
            let found = by_team(&whole, &options, &strategy, members, turn % 3);
            assert_same(&format!("{shape}, {name}, {members}"), norm, &found, &expected);
            turn += 1;
        }
    }
}

#[test]
fn a_team_finds_what_one_process_finds_by_all_methods() {
    let points = roll(700, 10.0);
    let methods: [Box<dyn Method>; 4] = [
        Box::new(Ltsa { local_dimension: Some(2) }),
        Box::new(HessianLle { local_dimension: Some(2) }),
        Box::new(Lle::default()),
        Box::new(DiffusionMaps::default()),
    ];
    let options = options();
    let mut turn = 0;
    for method in &methods {
        let whole = problem(&points, method.as_ref());
        let norm = whole.matrix.norm().unwrap();
        for (name, strategy) in strategies() {
            let expected = alone(&whole, &options, &strategy);
            let members = [3, 2, 7, 4, 1][turn % 5];
            let found = by_team(&whole, &options, &strategy, members, turn % 3);
            let name = format!("{}, {name}, {members}", method.name());
            assert_same(&name, norm, &found, &expected);
            turn += 1;
        }
    }
}

/// More points than priced looks at, and than a regression is measured on.
#[test]
fn samples_are_those_of_all_rows() {
    let whole = problem(&roll(4000, 10.0), &LaplacianEigenmaps::default());
    let options = Options { dims: 2.into(), ..Default::default() };
    let norm = whole.matrix.norm().unwrap();
    for (name, strategy) in strategies().into_iter().skip(3).take(2) {
        let expected = alone(&whole, &options, &strategy);
        for members in [1, 4] {
            let found = by_team(&whole, &options, &strategy, members, 1);
            assert_same(&format!("{name}, {members}"), norm, &found, &expected);
        }
    }
}

/// One member has the bits of a process without a team, and that those of one that knows nothing of teams.
#[test]
fn one_member_has_the_bits_of_none() {
    let points = roll(500, 8.0);
    let method = LaplacianEigenmaps::default();
    let options = options();
    let prepared = Prepared::new(&points, &method, &options).unwrap();
    let whole = prepared.problem().unwrap().clone();
    let order = prepared.fit(&Strategy::orthogonal()).unwrap().1.order().unwrap();
    for (name, strategy) in strategies() {
        let usual = prepared.embed(&strategy).unwrap();
        let embed = || Shared::new(&whole, "test", &options, &Builtin)?.embed(&strategy);
        let without = embed().unwrap();
        let with = of_threads(1, |_| embed()).swap_remove(0).unwrap();
        for i in 0..3 {
            assert_eq!(with.coordinate(i), without.coordinate(i), "{name}");
            let placed = order.iter().map(|&place| without.coordinate(i)[place as usize]);
            assert!(placed.eq(usual.coordinate(i).iter().copied()), "{name}, {i}");
            let numbers = |e: &Embedding| format!("{:?}", e.coordinates[i].smoothing);
            assert_eq!(numbers(&usual), numbers(&without), "{name}");
        }
    }
}

#[test]
fn what_is_for_one_machine_is_refused_before_any_work() {
    let options = options();
    for name in ["regression", "advection", "independent"] {
        let refused = shared::check(&Strategy::by_name(name).unwrap(), &options).unwrap_err();
        assert!(matches!(&refused, Error::OneMachine { .. }), "{refused}");
        println!("{refused}");
    }
    let auto = Options { dims: nrdr::Dims::AUTO, ..options };
    let refused = shared::check(&Strategy::default(), &auto).unwrap_err();
    assert!(refused.to_string().ends_with("say how many"), "{refused}");
}

/// New points have the coordinates that the single machine's model gives them.
#[test]
fn the_first_member_has_the_model_of_one_process() {
    let points = roll(700, 10.0);
    let new = SwissRoll { n: 60, height: 10.0, ..Default::default() }.generate(9).unwrap().points;
    let methods: [Box<dyn Method>; 3] = [
        Box::new(LaplacianEigenmaps::default()),
        Box::new(DiffusionMaps::default()),
        Box::new(Ltsa { local_dimension: Some(2) }),
    ];
    let options = options();
    for method in &methods {
        let prepared = Prepared::new(&points, method.as_ref(), &options).unwrap();
        let whole = prepared.problem().unwrap().clone();
        for (name, strategy) in strategies() {
            if name == "selection" || name == "auto" {
                continue;
            }
            let prepared = Prepared::new(&points, method.as_ref(), &options).unwrap();
            let engine = oracle(&whole);
            let prepared = prepared.with_engine(&engine);
            let (_, expected) = prepared.fit(&strategy).unwrap();
            let order = expected.order().unwrap();
            let mut rows = vec![0; order.len()];
            order.iter().zip(0..).for_each(|(&place, row)| rows[place as usize] = row);
            let cuts = cuts(whole.size(), 3, 1);
            let found = of_threads(3, |team| {
                let own = cuts[team.rank()]..cuts[team.rank() + 1];
                let rows = &rows[own.clone()];
                let given = points.select(rows);
                // Where the matrix has entries there are edges, but for the diagonal.
                let Matrix::Sparse(matrix) = &whole.matrix else { panic!("a sparse matrix") };
                let (mut ends, mut lengths) = (vec![0], Vec::new());
                for i in own.clone() {
                    let at = |i: usize| points.row(order_of(&expected, i));
                    let far = |j: usize| {
                        let squares = at(i).iter().zip(at(j)).map(|(a, b)| (a - b).powi(2));
                        squares.sum::<f64>().sqrt()
                    };
                    lengths.extend(matrix.row(i).filter(|&(j, _)| j != i).map(|(j, _)| far(j)));
                    ends.push(lengths.len());
                }
                let problem = share_of(&whole, own);
                let engine = oracle(&whole);
                let trained = Trained {
                    method: method.as_ref(),
                    neighbors: options.neighbors,
                    values: given.values(),
                    columns: 3,
                    rows,
                    input: points.rows(),
                    lengths: (&ends, &lengths),
                };
                let shared = Shared::new(&problem, "test", &options, &engine).unwrap();
                shared.fit(&strategy, &trained).unwrap().1
            });
            assert!(found[0].is_some() && found[1].is_none() && found[2].is_none());
            let found = found[0].as_ref().unwrap();
            assert_eq!(found.order(), expected.order());
            let [a, b] = [found, &expected].map(|model| model.transform(&new, &()).unwrap());
            for c in 0..3 {
                let (a, b) = (a.column(c), b.column(c));
                let far = 1.0 - correlation(&a, &b);
                let name = format!("{}, {name}, {c}", method.name());
                println!("{name}: {far:.1e}");
                let least = if c == 0 || name.contains("orthogonal") { 1e-6 } else { 1e-4 };
                assert!(far < least, "{name}: {far:.1e}");
            }
        }
    }
}

/// The row of the input that is a row of the problem.
fn order_of(model: &nrdr::Model, place: usize) -> usize {
    let order = model.order().unwrap();
    order.iter().position(|&other| other as usize == place).unwrap()
}

/// What is told of an embedding is what one process tells of it, from the same sample.
#[test]
fn measures_of_a_team_are_those_of_one_process() {
    let points = roll(2600, 12.0);
    let options = options();
    let found = nrdr::embed(&points, &LaplacianEigenmaps::default(), &options).unwrap();
    let labels: Vec<u32> = (0..2600).map(|i| u32::from(points.row(i)[1] > 6.0)).collect();
    let measured =
        RedundancyOptions { sample: 1500, accuracy: 0.05, seed: 5, ..Default::default() };
    let redundancy = found.redundancy(&measured, &()).unwrap().unwrap();
    let quality = found.quality(&points, Some(&labels), 7).unwrap();
    let cuts = cuts(2600, 4, 2);
    let seen = of_threads(4, |team| {
        let own = cuts[team.rank()]..cuts[team.rank() + 1];
        let columns: Vec<&[f64]> =
            found.coordinates.iter().map(|c| &c.values[own.clone()]).collect();
        let values = &points.values()[3 * own.start..3 * own.end];
        let rows = Rows { values, columns: 3 };
        let metric = Metric::Euclidean;
        (
            shared::redundancy(&columns, &measured, &()).unwrap(),
            shared::quality(rows, &columns, Some(&labels[own]), metric, 7).unwrap(),
        )
    });
    for (of_all, good) in seen {
        // From the same points, these are the same bits.
        assert_eq!(of_all, redundancy);
        assert_eq!(good.accuracy, quality.accuracy);
        let [a, b] = [&good, &quality].map(|quality| quality.preservation.trustworthiness);
        // Lengths are sums in another order: of two points that are as near but for rounding, ranks may be exchanged.
        assert!((a - b).abs() < 1e-6, "{a} {b}");
        let spikes = good.spikes.iter().zip(&quality.spikes);
        assert!(spikes.clone().all(|(a, b)| (a - b).abs() < 1e-12), "{good:?} {quality:?}");
    }
    let one = shared::redundancy(
        &found.coordinates.iter().map(|c| c.values.as_slice()).collect::<Vec<_>>(),
        &measured,
        &(),
    );
    assert_eq!(one.unwrap(), redundancy);
}

/// What all members see.
#[derive(Default)]
struct Folder(Mutex<BTreeMap<(String, String), Record<'static>>>);

impl Parts for Folder {
    fn labels(&self, name: &str) -> Result<Vec<String>> {
        let parts = self.0.lock().unwrap();
        let of = parts.keys().filter(|(other, _)| other == name);
        Ok(of.map(|(_, label)| label.clone()).collect())
    }

    fn get(&self, name: &str, label: &str) -> Result<Option<Record<'static>>> {
        Ok(self.0.lock().unwrap().get(&(name.to_string(), label.to_string())).cloned())
    }

    fn put(&self, name: &str, label: &str, record: &Record<'_>) -> Result<()> {
        let record = Record {
            text: record.text.to_string().into(),
            numbers: record.numbers.iter().map(|list| list.to_vec().into()).collect(),
            indices: Vec::new(),
        };
        self.0.lock().unwrap().insert((name.to_string(), label.to_string()), record);
        Ok(())
    }
}

fn run(
    whole: &Arc<Problem>,
    folder: &Folder,
    members: usize,
    life: usize,
) -> (usize, Vec<Result<Embedding>>) {
    let alpha = SmootherOptions { alpha: 0.3.into(), ..Default::default() };
    let options = Options { strategy: Strategy::unpredictable(alpha), ..options() };
    let engine = Oracle { life, ..oracle(whole) };
    let cuts = cuts(whole.size(), members, members % 3);
    let found = of_threads(members, |team| {
        let own = share_of(whole, cuts[team.rank()]..cuts[team.rank() + 1]);
        let store = SharedStore::new(folder, own.size());
        let shared = Shared::new(&own, "test", &options, &engine)?.checkpointed(&store);
        shared.embed(&options.strategy)
    });
    (engine.solved.load(Ordering::SeqCst), found)
}

/// A run that one member ended goes on with any other number of them, to the same result.
#[test]
fn a_checkpoint_goes_on_with_another_number_of_members() {
    let whole = problem(&roll(500, 8.0), &LaplacianEigenmaps::default());
    let norm = whole.matrix.norm().unwrap();
    let (solved, uninterrupted) = run(&whole, &Folder::default(), 3, usize::MAX);
    assert_eq!(solved, 3);
    let expected = together(uninterrupted.into_iter().map(Result::unwrap).collect());
    for (before, after) in [(3, 2), (1, 4), (4, 1), (2, 5)] {
        let folder = Folder::default();
        // The original eigenvectors and coordinate 2 are found; the third solve fails at one member.
        let (_, failed) = run(&whole, &folder, before, 2);
        let life = Error::Solver { solver: "oracle", reason: "its life is over".into() };
        assert_eq!(failed[before - 1], Err(life.clone()));
        let (member, reason) = (before - 1, life.to_string());
        let told = Err(Error::Member { member, reason });
        assert!(failed[..before - 1].iter().all(|failed| *failed == told));
        let (solved, found) = run(&whole, &folder, after, usize::MAX);
        assert_eq!(solved, 1, "{before}, {after}");
        let found = together(found.into_iter().map(Result::unwrap).collect());
        assert_same(&format!("{before} then {after}"), norm, &found, &expected);
        // Whole again: nothing is left to solve.
        assert_eq!(run(&whole, &folder, before, usize::MAX).0, 0);
        // Without one of its parts a record counts for nothing.
        if before > 1 {
            let mut parts = folder.0.into_inner().unwrap();
            let there = |(name, label): &&(String, String)| {
                name.starts_with("coordinate 2") && !label.ends_with("-0-500")
            };
            let gone = parts.keys().find(there).cloned().unwrap();
            parts.remove(&gone);
            let folder = Folder(Mutex::new(parts));
            let (solved, found) = run(&whole, &folder, after, usize::MAX);
            assert_eq!(solved, 1, "{before}, {after}");
            let found = together(found.into_iter().map(Result::unwrap).collect());
            assert_same(&format!("{before} then {after}, torn"), norm, &found, &expected);
        }
    }
}

/// One member is asked to stop, or cannot make its solver: all end.
#[test]
fn all_end_when_one_does() {
    let whole = problem(&roll(400, 8.0), &LaplacianEigenmaps::default());
    let options = options();
    let cuts = cuts(whole.size(), 3, 0);
    let ended = |cancels: bool| {
        of_threads(3, |team| {
            let own = share_of(&whole, cuts[team.rank()]..cuts[team.rank() + 1]);
            let engine = Oracle { fails: !cancels && team.rank() == 1, ..oracle(&whole) };
            let observer = |stage: Stage, _: f64| match stage {
                Stage::Coordinates if cancels && team.rank() == 1 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            let shared = Shared::new(&own, "test", &options, &engine)?.observed(&observer);
            shared.embed(&Strategy::default()).map(|_| ())
        })
    };
    assert_eq!(ended(true), vec![Err(Error::Cancelled { stage: Stage::Coordinates }); 3]);
    let told = Err(Error::Member { member: 1, reason: Error::Empty.to_string() });
    assert_eq!(ended(false), [told.clone(), Err(Error::Empty), told]);
}
