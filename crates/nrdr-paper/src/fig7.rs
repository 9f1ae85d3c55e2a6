//! Figure 7: the patches of a photograph, whose coordinates should be brightness and the two gradients.

use std::path::Path;

use image::imageops::{FilterType, resize};
use image::{GrayImage, ImageReader, Luma};
use kuva::plot::ColorMap;
use nrdr::quality::recovery;
use nrdr::{Embedding, Isomap, Options, Points, SmootherOptions, Strategy};
use nrdr_cli::shared::Failure;
use nrdr_report::found::title;

use super::picture::{correlation, figure, painted, plane};
use super::{Produced, Settings, by_strategies};

const SIDE: u32 = 7;
const STEP: u32 = SIDE - 3;
const NEIGHBORS: usize = 10;
const ALPHA: f64 = 0.4;
/// The photograph is made smaller until its patches are no more than so many.
const MOST_PATCHES: u32 = 5000;

/// All patches of a picture, row by row.
struct Patches {
    points: Points,
    across: usize,
}

pub(super) fn produce(image: &Path, settings: Settings<'_>) -> Result<Produced, Failure> {
    let patches = Patches::of(image, if settings.quick { 500 } else { MOST_PATCHES })?;
    let features = [
        ("brightness", patches.feature(|_, _| 1.0)),
        ("vertical", patches.feature(|_, y| y)),
        ("horizontal", patches.feature(|x, _| x)),
    ];
    let brightness = Points::from_columns(&[&features[0].1])?;
    let smoother = SmootherOptions { alpha: ALPHA.into(), ..Default::default() };
    let strategies = [Strategy::orthogonal(), Strategy::unpredictable(smoother)];
    let options = Options { dims: 3.into(), neighbors: NEIGHBORS, ..Default::default() };
    let (isomap, bar) = (Isomap::default(), settings.bar());
    let found = by_strategies(&patches.points, &isomap, &options, &strategies, &bar)?;
    drop(bar);
    let (mut panels, mut rows, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for embedding in found {
        let embedding: Embedding = embedding?;
        let kind = title(embedding.strategy).to_string();
        let mut told = Vec::new();
        for i in 0..3 {
            let values = embedding.coordinate(i);
            let name = format!("{kind}: coordinate {}", i + 1);
            panels.push(painted(values, patches.across, ColorMap::Viridis, &name));
            let with = |(_, feature): &(&str, Vec<f64>)| correlation(values, feature);
            let all: Vec<f64> = features.iter().map(with).collect();
            // Of a function of brightness all is explained, whatever its correlation.
            let explained = recovery(&brightness, &[values])?[0];
            let [grey, vertical, horizontal] = [all[0], all[1], all[2]];
            rows.push(format!(
                "{kind},{},{grey:.4},{vertical:.4},{horizontal:.4},{explained:.4}",
                i + 1
            ));
            let best = if all[1] > all[2] { 1 } else { 2 };
            if i > 0 {
                told.push(format!(
                    "coordinate {} {} {:.2}, brightness {grey:.2} (explains {:.0} %)",
                    i + 1,
                    features[best].0,
                    all[best],
                    100.0 * explained.max(0.0)
                ));
            }
        }
        let (first, second) = (embedding.coordinate(0), embedding.coordinate(1));
        let axes = ["coordinate 1", "coordinate 2"];
        panels.push(plane(first, second, &features[0].1, "coloured by brightness", axes));
        words.push(format!("{kind} {}", told.join("; ")));
    }
    Ok(Produced {
        figure: figure(panels, 4, 420.0, 320.0),
        header: "strategy,coordinate,brightness,vertical_gradient,horizontal_gradient,explained_by_brightness",
        rows,
        line: format!(
            "in the paper the original's coordinate 2 repeats brightness, the non-redundant 2 and 3 are the two gradients; absolute correlations of {} patches: {}",
            patches.points.rows(),
            words.join(" | ")
        ),
        table: None,
    })
}

impl Patches {
    fn of(file: &Path, most: u32) -> Result<Self, Failure> {
        let cannot = |reason: String| {
            Failure::Usage(format!(
                "{} cannot be read ({reason}): give a .png or .jpg with --image",
                file.display()
            ))
        };
        let reader = ImageReader::open(file).map_err(|error| cannot(error.to_string()))?;
        let picture = reader.decode().map_err(|error| cannot(error.to_string()))?;
        let mut picture: GrayImage = picture.to_luma8();
        let count = |length: u32| length.saturating_sub(SIDE) / STEP + 1;
        while count(picture.width()) * count(picture.height()) > most {
            let (width, height) = (picture.width() / 2, picture.height() / 2);
            picture = resize(&picture, width, height, FilterType::Triangle);
        }
        if picture.width() < 2 * SIDE || picture.height() < 2 * SIDE {
            return Err(cannot("it is too small".to_string()));
        }
        let (across, down) = (count(picture.width()), count(picture.height()));
        let mut values = Vec::new();
        for (top, left) in (0..down).flat_map(|j| (0..across).map(move |i| (STEP * j, STEP * i))) {
            for (y, x) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
                let Luma([grey]) = picture.get_pixel(left + x, top + y);
                values.push(f64::from(*grey) / 255.0);
            }
        }
        let points = Points::new(values, (SIDE * SIDE) as usize)?;
        Ok(Patches { points, across: across as usize })
    }

    /// A linear function of each patch, by the weight of a place from -1 to 1.
    fn feature(&self, weight: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let side = SIDE as usize;
        let place = |at: usize| at as f64 / 3.0 - 1.0;
        let of_patch = |i: usize| {
            let pixels = self.points.row(i).iter().enumerate();
            pixels.map(|(p, grey)| grey * weight(place(p % side), place(p / side))).sum()
        };
        (0..self.points.rows()).map(of_patch).collect()
    }
}
