//! Figure 6: heads that turn and nod; coordinate 2 should be the nod.

use std::path::Path;

use nrdr::{LaplacianEigenmaps, Ltsa, Method, Options, Points, SmootherOptions, Strategy};
use nrdr_cli::shared::Failure;
use nrdr_io::{ReadOptions, read};
use nrdr_report::found::title;

use super::head::{LIGHT, PAN, poses, render};
use super::picture::{Panel, correlation, figure, greys, painted, plane};
use super::{Produced, Settings, by_strategies};

/// The paper's box, in degrees.
const TILT: f64 = 8.0;
/// Rendered heads: as many as those of Tenenbaum et al.
const HEADS: usize = 698;
const ALPHA: f64 = 0.5;
/// What |corr(coordinate 2, tilt)| must reach.
const GOAL: f64 = 0.7;

/// Pictures of heads and how they are seen.
struct Heads {
    what: String,
    images: Points,
    pan: Vec<f64>,
    tilt: Vec<f64>,
}

pub(super) fn produce(file: Option<&Path>, settings: Settings<'_>) -> Result<Produced, Failure> {
    let heads = match file {
        Some(file) => Heads::of_file(file)?,
        None => Heads::rendered(if settings.quick { 120 } else { HEADS }, settings.seed)?,
    };
    let smoother = SmootherOptions { alpha: ALPHA.into(), ..Default::default() };
    let strategies = [Strategy::orthogonal(), Strategy::unpredictable(smoother)];
    let methods: [(Box<dyn Method>, usize); 2] = [
        (Box::<LaplacianEigenmaps>::default(), 8),
        (Box::new(Ltsa { local_dimension: Some(3) }), 10),
    ];
    let bar = settings.bar();
    let mut panels: Vec<Panel> = heads.examples();
    let (mut rows, mut words, mut met) = (Vec::new(), Vec::new(), true);
    for (method, neighbors) in methods {
        let options = Options { neighbors, ..Default::default() };
        let found = by_strategies(&heads.images, method.as_ref(), &options, &strategies, &bar)?;
        let mut told = Vec::new();
        for embedding in found {
            let embedding = embedding?;
            let kind = title(embedding.strategy).to_string();
            let name = format!("{}, {kind}", method.name().to_uppercase());
            let (first, second) = (embedding.coordinate(0), embedding.coordinate(1));
            for (i, values) in [first, second].into_iter().enumerate() {
                let (pan, tilt) =
                    (correlation(values, &heads.pan), correlation(values, &heads.tilt));
                rows.push(format!("{},{kind},{},{pan:.4},{tilt:.4}", method.name(), i + 1));
            }
            let axes = ["pan", "coordinate 1"];
            panels.push(plane(&heads.pan, first, &heads.tilt, &name, axes));
            let axes = ["tilt", "coordinate 2"];
            panels.push(plane(&heads.tilt, second, &heads.pan, &name, axes));
            let nod = correlation(second, &heads.tilt);
            met &= embedding.strategy == "orthogonal" || nod >= GOAL;
            told.push(format!("{nod:.2}"));
        }
        words.push(format!("{} {}", method.name().to_uppercase(), told.join(" -> ")));
    }
    let verdict = if met { "as in the paper" } else { "not as in the paper" };
    Ok(Produced {
        figure: figure(panels, 4, 360.0, 290.0),
        header: "method,strategy,coordinate,pan,tilt",
        rows,
        line: format!(
            "in the paper the non-redundant coordinate 2 is the tilt; {}, |corr(coordinate 2, tilt)|, original -> non-redundant: {}: {verdict}",
            heads.what,
            words.join(", ")
        ),
        table: None,
    })
}

impl Heads {
    fn rendered(count: usize, seed: u64) -> nrdr::Result<Self> {
        let poses = poses(count, seed);
        let images = poses.iter().map(|&pose| render(pose));
        Ok(Heads {
            what: format!("{count} rendered heads"),
            images: Points::from_rows(images)?,
            pan: poses.iter().map(|pose| pose.pan).collect(),
            tilt: poses.iter().map(|pose| pose.tilt).collect(),
        })
    }

    /// The heads of Tenenbaum et al. (2000) inside the paper's box.
    fn of_file(file: &Path) -> Result<Self, Failure> {
        let variable = |names: [&str; 2]| {
            let of = |name: &str| {
                let variable = Some(name.to_string());
                read(file, &ReadOptions { variable, transpose: true, ..Default::default() })
            };
            of(names[0]).or_else(|_| of(names[1]))
        };
        let images = variable(["images", "dataY"])?;
        let images = Points::new(by_rows(&images.values, images.names.len()), images.names.len())?;
        let (pan, tilt, light) = match variable(["poses", "dataT"])? {
            // Left and right, up and down; lights are a variable of their own.
            poses if poses.names.len() == 2 => {
                let lights = variable(["lights", "lights"])?;
                let light = Points::new(lights.values, lights.names.len())?.column(0);
                let poses = Points::new(poses.values, 2)?;
                (poses.column(0), poses.column(1), light)
            }
            // Standardised: uniform ranges give the degrees back.
            all => {
                let all = Points::new(all.values, all.names.len())?;
                let (light, pan, tilt) = (all.column(0), all.column(1), all.column(2));
                (
                    ranged(&pan, -75.0, 75.0),
                    ranged(&tilt, -10.0, 10.0),
                    ranged(&light, 105.0, 255.0),
                )
            }
        };
        let inside = |i: &usize| {
            pan[*i].abs() <= PAN
                && tilt[*i].abs() <= TILT
                && (LIGHT.0..=LIGHT.1).contains(&light[*i])
        };
        let kept: Vec<u32> = (0..images.rows()).filter(inside).map(|i| i as u32).collect();
        let of = |values: &[f64]| kept.iter().map(|&i| values[i as usize]).collect();
        Ok(Heads {
            what: format!("{} heads of Tenenbaum et al. (2000)", kept.len()),
            images: images.select(&kept),
            pan: of(&pan),
            tilt: of(&tilt),
        })
    }

    /// Four of the pictures, from the far left to the far right.
    fn examples(&self) -> Vec<Panel> {
        let mut order: Vec<usize> = (0..self.images.rows()).collect();
        order.sort_by(|&i, &j| self.pan[i].total_cmp(&self.pan[j]));
        let chosen = [0, 1, 2, 3].map(|part| order[part * (order.len() - 1) / 3]);
        chosen.into_iter().map(|i| self.example(i)).collect()
    }

    fn example(&self, i: usize) -> Panel {
        let name = format!("pan {:.0}, tilt {:.0}", self.pan[i], self.tilt[i]);
        painted(self.images.row(i), self.images.columns().isqrt(), greys(), &name)
    }
}

/// Square pictures that MATLAB holds column by column, row by row.
fn by_rows(values: &[f64], pixels: usize) -> Vec<f64> {
    let side = pixels.isqrt();
    if side * side != pixels {
        return values.to_vec();
    }
    let turned = |picture: &[f64]| -> Vec<f64> {
        (0..pixels).map(|p| picture[p % side * side + p / side]).collect()
    };
    values.chunks(pixels).flat_map(turned).collect()
}

/// Numbers stretched to a range.
fn ranged(values: &[f64], low: f64, high: f64) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.iter().map(|v| low + (v - least) / (most - least) * (high - low)).collect()
}
