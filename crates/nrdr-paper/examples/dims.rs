//! How often the number of coordinates is found by itself, as a table in Markdown; `docs/dimension.md` shows it.
//!
//! ```text
//! cargo run --release -p nrdr-paper --example dims [SEEDS [STRATEGY]]
//! ```
//!
//! A cell is how many of the seeds gave the right number, and the numbers that were given otherwise; at most 8 coordinates. The
//! strategy is the default one, unless another is named.

use std::error::Error;

use nrdr::datasets::{Cube, Dataset, SCurve, Strip, SwissRoll, Torus};
use nrdr::method::Method;
use nrdr::{
    DiffusionMaps, Dims, HessianLle, Isomap, LaplacianEigenmaps, Lle, Ltsa, Options, Strategy,
    embed,
};

const MOST: usize = 8;

/// A data set and the number of coordinates that describe it.
struct Case {
    name: String,
    dims: usize,
    data: Box<dyn Fn(u64) -> nrdr::Result<Dataset>>,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: String, dims, data: Box<dyn Fn(u64) -> nrdr::Result<Dataset>>| {
        cases.push(Case { name, dims, data });
    };
    let n = 2000;
    for (aspect, noise) in [(2.5, 0.0), (2.5, 0.02), (10.0, 0.0), (10.0, 0.02)] {
        let strip = Strip { n, aspect, noise };
        add(format!("strip {aspect} : 1{}", with(noise)), 2, Box::new(move |s| strip.generate(s)));
    }
    for (height, noise) in [(21.0, 0.0), (21.0, 0.3), (10.0, 0.0), (10.0, 0.3), (4.0, 0.0)] {
        let roll = SwissRoll { n, height, noise, hole: false };
        add(format!("Swiss roll {height}{}", with(noise)), 2, Box::new(move |s| roll.generate(s)));
    }
    for noise in [0.0, 0.03] {
        let curve = SCurve { n, noise, ..Default::default() };
        add(format!("S-curve{}", with(noise)), 2, Box::new(move |s| curve.generate(s)));
    }
    for noise in [0.0, 0.03] {
        let torus = Torus { n, noise, ..Default::default() };
        add(format!("torus{}", with(noise)), 3, Box::new(move |s| torus.generate(s)));
    }
    for dims in 1..=4 {
        for noise in [0.0, 0.03] {
            let sides = (0..dims).map(|axis| 1.0 - 0.1 * axis as f64).collect();
            let cube = Cube { n, sides, noise };
            let name = format!("cube, {dims} dimension(s){}", with(noise));
            add(name, dims, Box::new(move |s| in_more_dimensions(cube.generate(s)?, noise, s)));
        }
    }
    cases
}

fn with(noise: f64) -> String {
    if noise > 0.0 { format!(", noise {noise}") } else { String::new() }
}

/// The same points among two more columns that hold nothing but noise.
fn in_more_dimensions(data: Dataset, noise: f64, seed: u64) -> nrdr::Result<Dataset> {
    let n = data.points.rows();
    let more = Cube { n, sides: vec![1e-9; 2], noise }.generate(seed + 1000)?.points;
    let row = |i: usize| [data.points.row(i), more.row(i)].concat();
    Ok(Dataset { points: nrdr::Points::from_rows((0..n).map(row))?, ..data })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seeds: u64 = arguments.next().map_or(Ok(10), |seeds| seeds.parse())?;
    let strategy =
        arguments.next().map_or(Ok(Strategy::default()), |name| Strategy::by_name(&name))?;
    let methods: Vec<(Box<dyn Method>, usize)> = vec![
        (Box::<LaplacianEigenmaps>::default(), 10),
        (Box::<DiffusionMaps>::default(), 10),
        (Box::<Lle>::default(), 12),
        (Box::<Ltsa>::default(), 12),
        (Box::<HessianLle>::default(), 30),
        (Box::<Isomap>::default(), 10),
    ];
    let names: Vec<&str> = methods.iter().map(|(method, _)| method.name()).collect();
    println!("| data | right | {} |", names.join(" | "));
    println!("|{}", "---|".repeat(methods.len() + 2));
    let mut right = vec![0; methods.len()];
    let cases = cases();
    for case in &cases {
        let mut cells = Vec::new();
        for (m, (method, neighbors)) in methods.iter().enumerate() {
            let mut counts = [0; MOST + 1];
            for seed in 0..seeds {
                let options = Options {
                    dims: Dims::Auto { most: MOST },
                    neighbors: *neighbors,
                    strategy: strategy.clone(),
                    ..Default::default()
                };
                let data = (case.data)(seed)?;
                match embed(&data.points, method.as_ref(), &options) {
                    Ok(embedding) => counts[embedding.dims()] += 1,
                    Err(error) => {
                        counts[0] += 1;
                        eprintln!("{} {} {seed}: {error}", case.name, method.name())
                    }
                }
            }
            right[m] += counts[case.dims];
            let others = counts.iter().enumerate().filter(|&(d, &c)| d != case.dims && c > 0);
            let others: Vec<String> = others.map(|(d, c)| format!("{c} x {d}")).collect();
            cells.push(if others.is_empty() {
                format!("{} of {seeds}", counts[case.dims])
            } else {
                format!("{} of {seeds} ({})", counts[case.dims], others.join(", "))
            });
        }
        println!("| {} | {} | {} |", case.name, case.dims, cells.join(" | "));
    }
    let all = seeds * cases.len() as u64;
    let totals: Vec<String> =
        right.iter().map(|&right| format!("{:.0} %", 100.0 * right as f64 / all as f64)).collect();
    println!("| all | | {} |", totals.join(" | "));
    Ok(())
}
