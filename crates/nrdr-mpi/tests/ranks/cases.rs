//! What the ranks of a run do.

use nrdr::datasets::SwissRoll;
use nrdr::team::{Team, join};
use nrdr::{
    HessianLle, LaplacianEigenmaps, Lle, Ltsa, Method, Options, Prepared, Problem, SolverKind,
    Strategy,
};
use nrdr_mpi::world::Member;
use nrdr_slepc_sys::World;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::distribute::{Part, Spread, as_team};
use super::graphs::{Graph, copies, grid, path};

use SolverKind::{Auto, Dense, Lanczos, Multigrid, ShiftInvert};

/// Directions without any pattern.
fn random(size: usize, count: usize) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    (0..count).map(|_| (0..size).map(|_| StandardNormal.sample(&mut random)).collect()).collect()
}

/// The problem of a method for a Swiss roll.
pub fn roll(n: usize, method: &dyn Method) -> Problem {
    let roll = SwissRoll { n, height: 10.0, ..Default::default() }.generate(1).unwrap();
    let options = Options::default();
    join(None, || {
        let prepared = Prepared::new(&roll.points, method, &options).unwrap();
        prepared.problem().unwrap().as_ref().clone()
    })
}

/// The eigenvalues of 8 I - L beside the trivial one.
fn known(graph: &Graph, count: usize) -> Vec<f64> {
    graph.values[1..=count].iter().map(|value| 8.0 - value).collect()
}

/// All solvers, against formulas and against the core.
pub fn solve() {
    as_team(World::start().unwrap(), |world| {
        let part = |problem| Part::new(world, problem, Spread::Even);
        for (name, graph, count) in [
            ("path", path(900), 6),
            ("square", grid(30, 30, false, 1.0), 14),
            ("nearly square", grid(30, 30, false, 1.0 + 1e-7), 9),
            ("torus", grid(24, 24, true, 1.0), 12),
            ("five squares", copies(&grid(15, 15, false, 1.0), 5), 16),
        ] {
            let part = part(graph.problem());
            for kind in [Auto, Multigrid, ShiftInvert] {
                part.check(name, kind, &[], &known(&graph, count), 1e-10);
            }
        }
        let cube = grid(20, 25, false, 1.0);
        let constrained = part(cube.problem());
        constrained.check("rectangle", Lanczos, &[], &known(&cube, 5), 1e-10);
        for rank in [20, 50] {
            let directions = random(cube.size, rank);
            let wanted = constrained.oracle(Dense, &directions, 9);
            for kind in [Multigrid, ShiftInvert, Dense] {
                constrained.check("constrained", kind, &directions, &wanted, 1e-9);
            }
        }
        let lem = part(roll(1200, &LaplacianEigenmaps::default()));
        let directions = random(1200, 20);
        lem.check("lem", Auto, &directions, &lem.oracle(Dense, &directions, 3), 1e-9);
        lem.check("lem, many", Multigrid, &[], &lem.oracle(Dense, &[], 48), 1e-9);
        for (name, method) in
            [("ltsa", &Ltsa::default() as &dyn Method), ("hlle", &HessianLle::default())]
        {
            let part = part(roll(1200, method));
            let directions = random(1200, 8);
            let wanted = part.oracle(Dense, &directions, 2);
            for kind in [Auto, Multigrid] {
                part.check(name, kind, &directions, &wanted, 1e-9);
            }
        }
        let lle = part(roll(1200, &Lle::default()));
        lle.check("lle", Auto, &[], &lle.oracle(Auto, &[], 4), 1e-9);
        let refused = lle.solve(Multigrid, &[], 1).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("nearly annihilates"), "{refused}");
    });
}

/// More ranks than there is work for.
pub fn few() {
    as_team(World::start().unwrap(), |world| {
        let graph = path(40);
        let part = Part::new(world, graph.problem(), Spread::Even);
        for kind in [Auto, ShiftInvert, Lanczos] {
            part.check("short path", kind, &[], &known(&graph, 5), 1e-10);
        }
        let graph = path(5);
        let part = Part::new(world, graph.problem(), Spread::Even);
        part.check("five vertices", Auto, &[], &known(&graph, 4), 1e-12);
        let error = part.solve(Auto, &[], 5).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains('4'), "{error}");
    });
}

/// Ranks without rows.
pub fn empty() {
    as_team(World::start().unwrap(), |world| {
        let graph = grid(25, 30, false, 1.0);
        let part = Part::new(world, graph.problem(), Spread::Gaps);
        for kind in [Auto, Multigrid, ShiftInvert, Lanczos, Dense] {
            part.check("gaps", kind, &[], &known(&graph, 5), 1e-10);
        }
    });
}

/// Messages in many pieces.
pub fn messages() {
    let world = World::with_pieces(64).unwrap();
    let member = Member(world.clone());
    let (me, size) = (world.rank(), world.size());
    world.stage("sums");
    let mut values: Vec<f64> = (0..100).map(|i| (i * (me + 1)) as f64).collect();
    member.sum(&mut values);
    let all = (size * (size + 1) / 2) as f64;
    assert!(values.iter().enumerate().all(|(i, value)| *value == i as f64 * all));
    // Numbers that do not add up exactly: the same bits at all ranks.
    let mut odd = [0.1 * (me as f64 + 0.3), 1e17 * (me as f64 - 1.0)];
    member.sum(&mut odd);
    let bits = member.gather(odd.iter().flat_map(|v| v.to_le_bytes()).collect());
    assert!(bits.iter().all(|theirs| *theirs == bits[0]));
    world.stage("gathers");
    let text = |rank: usize| vec![rank as u8; 100 * rank + usize::from(rank == 0)];
    let gathered = member.gather(text(me));
    assert_eq!(gathered, (0..size).map(text).collect::<Vec<_>>());
    world.stage("exchanges");
    let message = |from: usize, to: usize| vec![(10 * from + to) as u8; 37 * from + 150 * to];
    let came = member.exchange((0..size).map(|to| message(me, to)).collect());
    assert_eq!(came, (0..size).map(|from| message(from, me)).collect::<Vec<_>>());
    world.barrier();
    if size > 1 {
        let sent = world.sent();
        let of = |stage: &str| sent.iter().find(|(name, _)| name == stage).map_or(0, |s| s.1);
        assert_eq!(of("sums"), 816 + 16);
        assert_eq!(of("gathers"), text(me).len() as u64);
        let sent: usize = (0..size).filter(|&to| to != me).map(|to| message(me, to).len()).sum();
        assert_eq!(of("exchanges"), sent as u64);
    }
    assert!(World::start().is_err());
}

/// Whole strategies, against the core alone: coordinates agree, and so do eigenvalues.
pub fn strategies() {
    as_team(World::start().unwrap(), |world| {
        let size = 900;
        let cases: [(&str, &dyn Method); 2] =
            [("lem", &LaplacianEigenmaps::default()), ("ltsa", &Ltsa::default())];
        for (name, method) in cases {
            let part = Part::new(world, roll(size, method), Spread::Even);
            for strategy in ["orthogonal", "unpredictable", "priced"] {
                let strategy = Strategy::by_name(strategy).unwrap();
                let options = Options { dims: 3.into(), strategy, ..Default::default() };
                let (found, wanted) = part.embed(&options);
                for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                    let dot: f64 = found.iter().zip(wanted).map(|(a, b)| a * b).sum();
                    let limit = if at == 0 { 1e-6 } else { 1e-4 };
                    let kind = options.strategy.name();
                    assert!(1.0 - dot.abs() < limit, "{name} {kind} {at}: 1 - {dot}");
                }
            }
        }
    });
}
