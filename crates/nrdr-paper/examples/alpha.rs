//! How alpha = auto does beside every fixed alpha, as a table in Markdown; `docs/unpredictable.md` shows it.
//!
//! ```text
//! cargo run --release -p nrdr-paper --example alpha [SEEDS]
//! ```
//!
//! A cell is the mean over the seeds of the R2 at which the hidden parameter of a data set is told by the
//! embedding. The last columns: the alphas that auto chose for the last coordinate, and its time over
//! that of a run with the alpha it chose.

use std::error::Error;
use std::time::Instant;

use nrdr::datasets::{Dataset, SwissRoll, Torus};
use nrdr::quality::recovery;
use nrdr::{
    Alpha, DiffusionMaps, HessianLle, LaplacianEigenmaps, Lle, Ltsa, Method, Options,
    SmootherOptions, Strategy, embed,
};

const FIXED: [f64; 8] = [0.05, 0.07, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

/// A data set, a method, and what is to be found.
struct Case {
    name: &'static str,
    method: Box<dyn Method>,
    dims: usize,
    data: Box<dyn Fn(u64) -> nrdr::Result<Dataset>>,
    target: fn(&[f64]) -> f64,
}

fn roll(n: usize, height: f64, noise: f64) -> Box<dyn Fn(u64) -> nrdr::Result<Dataset>> {
    Box::new(move |seed| SwissRoll { n, height, noise, hole: false }.generate(seed))
}

fn cases() -> Vec<Case> {
    let lem = || Box::new(LaplacianEigenmaps::default());
    let height: fn(&[f64]) -> f64 = |truth| truth[1];
    let case =
        |name, method: Box<dyn Method>, data| Case { name, method, dims: 2, data, target: height };
    let torus = |name, target| Case {
        name,
        method: lem(),
        dims: 3,
        data: Box::new(|seed| Torus { n: 3000, ..Default::default() }.generate(seed)),
        target,
    };
    vec![
        case("roll 21, LEM", lem(), roll(2000, 21.0, 0.0)),
        case("roll 10, LEM", lem(), roll(2000, 10.0, 0.0)),
        case("roll 8, noise, LLE", Box::<Lle>::default(), roll(1000, 8.0, 0.3)),
        case("roll 8, noise, LTSA", Box::<Ltsa>::default(), roll(1000, 8.0, 0.3)),
        case("roll 8, noise, HLLE", Box::<HessianLle>::default(), roll(1000, 8.0, 0.3)),
        case("roll 4, LEM", lem(), roll(2000, 4.0, 0.0)),
        case("roll 4, DFM", Box::<DiffusionMaps>::default(), roll(2000, 4.0, 0.0)),
        case("roll 4, DFM, 30 neighbours", Box::<DiffusionMaps>::default(), roll(2000, 4.0, 0.0)),
        case("roll 4, LTSA", Box::<Ltsa>::default(), roll(2000, 4.0, 0.0)),
        torus("torus, cos", |truth| truth[1].cos()),
        torus("torus, sin", |truth| truth[1].sin()),
    ]
}

/// R2, the last alpha, and the seconds.
fn score(case: &Case, data: &Dataset, alpha: Alpha) -> nrdr::Result<(f64, f64, f64)> {
    let strategy = Strategy::unpredictable(SmootherOptions { alpha, ..Default::default() });
    let neighbors = if case.name.ends_with("30 neighbours") { 30 } else { 10 };
    let options = Options { dims: case.dims.into(), neighbors, strategy, ..Default::default() };
    let start = Instant::now();
    let embedding = embed(&data.points, case.method.as_ref(), &options)?;
    let seconds = start.elapsed().as_secs_f64();
    let target: Vec<f64> =
        (0..data.truth.rows()).map(|i| (case.target)(data.truth.row(i))).collect();
    let found = recovery(&embedding.to_points()?, &[&target])?[0];
    let last = embedding.coordinates.last().and_then(|c| c.smoothing.as_ref());
    Ok((found, last.map_or(f64::NAN, |s| s.alpha), seconds))
}

fn main() -> Result<(), Box<dyn Error>> {
    let seeds: u64 = std::env::args().nth(1).map_or(Ok(5), |seeds| seeds.parse())?;
    let heads: Vec<String> = FIXED.iter().map(f64::to_string).collect();
    println!("| case | {} | auto | chosen | time |", heads.join(" | "));
    println!("|{}", "---|".repeat(FIXED.len() + 4));
    for case in cases() {
        let mut sums = [0.0; FIXED.len()];
        let (mut auto, mut chosen, mut times) = (0.0, Vec::new(), (0.0, 0.0));
        for seed in 0..seeds {
            let data = (case.data)(seed)?;
            for (sum, alpha) in sums.iter_mut().zip(FIXED) {
                *sum += score(&case, &data, Alpha::Fixed(alpha))?.0 / seeds as f64;
            }
            let (found, alpha, seconds) = score(&case, &data, Alpha::Auto)?;
            auto += found / seeds as f64;
            times.0 += seconds;
            times.1 += score(&case, &data, Alpha::Fixed(alpha))?.2;
            chosen.push(alpha);
        }
        chosen.sort_by(f64::total_cmp);
        chosen.dedup();
        let cells: Vec<String> = sums.iter().map(|sum| format!("{sum:.2}")).collect();
        let chosen: Vec<String> = chosen.iter().map(f64::to_string).collect();
        let (chosen, ratio) = (chosen.join(", "), times.0 / times.1);
        println!("| {} | {} | {auto:.2} | {chosen} | {ratio:.1} |", case.name, cells.join(" | "));
    }
    Ok(())
}
