//! Figure 4: a ring, whose third coordinate should be the angle inside its tube.

use nrdr::datasets::Torus;
use nrdr::quality::recovery;
use nrdr::{
    Bandwidth, LaplacianEigenmaps, Options, Points, RedundancyOptions, SmootherOptions, Strategy,
};
use nrdr_report::found::title;

use super::picture::{Panel, figure, plane, space};
use super::{Produced, Settings, by_strategies};

/// A value is near 0 below this share of the largest.
const NEAR: f64 = 0.05;
/// The smoother of the sequential regression.
const ALPHA: f64 = 0.6;

pub(super) fn produce(settings: Settings<'_>) -> nrdr::Result<Produced> {
    let n = if settings.quick { 1000 } else { 3000 };
    let ring = Torus { n, minor: 2.0, ..Default::default() }.generate(settings.seed)?;
    let angle = ring.truth.column(1);
    let (sine, cosine): (Vec<f64>, Vec<f64>) = angle.iter().map(|a| a.sin_cos()).unzip();
    let wide = SmootherOptions { alpha: ALPHA.into(), ..Default::default() };
    let strategies = [
        Strategy::orthogonal(),
        Strategy::regression(wide),
        Strategy::advection(),
        Strategy::unpredictable(Default::default()),
    ];
    let mut panels: Vec<Panel> = Vec::new();
    let (mut rows, mut words, mut told) = (Vec::new(), Vec::new(), Vec::new());
    let around = Points::from_columns(&[&sine, &cosine])?;
    let measure = RedundancyOptions { bandwidth: Bandwidth::MedianThird, ..Default::default() };
    let options = Options { dims: 3.into(), ..Default::default() };
    let lem = LaplacianEigenmaps::default();
    for embedding in by_strategies(&ring.points, &lem, &options, &strategies, &settings.bar())? {
        let embedding = embedding?;
        let kind = title(embedding.strategy);
        let last = embedding.dims() - 1;
        let found = embedding.coordinate(last);
        let name = format!("{kind}: coordinate {}", last + 1);
        panels.push(space(&ring.points, found, &name, 40.0));
        panels.push(plane(&angle, found, &sine, &name, ["angle inside the tube", "coordinate"]));
        let scores = recovery(&embedding.to_points()?, &[&sine, &cosine])?;
        let measured = embedding.redundancy(&measure, &())?;
        let error = measured.and_then(|measured| measured.errors.last().copied());
        let text = error.map_or(String::new(), |error| format!("{error:.4}"));
        // How much of the coordinate the angle alone tells, and where it tells nothing.
        let explained = recovery(&around, &[found])?[0];
        let near = share_near_zero(found);
        rows.push(format!(
            "{kind},{},{text},{:.4},{:.4},{explained:.4},{near:.4}",
            last + 1,
            scores[0],
            scores[1]
        ));
        if last == 2 {
            told.push(format!("{kind} {:.2} ({:.0} %)", explained.max(0.0), 100.0 * near));
        }
        words.push(match (last, error) {
            (2, Some(error)) => format!("{kind} r = {error:.2}"),
            _ => format!("{kind} halts after {}", last + 1),
        });
    }
    Ok(Produced {
        figure: figure(panels, 2, 420.0, 300.0),
        header: "strategy,coordinates,error_of_last,R2_sine,R2_cosine,R2_of_last_by_angle,near_0",
        rows,
        line: format!(
            "in the paper only the non-redundant third coordinate follows the angle inside the tube; how much of it the angle explains here (R2), and at how many points it is near 0 (below a twentieth of its largest value): {}; the error of predicting it from the first two (1 is new): {}",
            told.join(", "),
            words.join(", ")
        ),
        table: None,
    })
}

/// The share of values near 0.
fn share_near_zero(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let near = values.iter().filter(|value| value.abs() < NEAR * largest).count();
    near as f64 / values.len() as f64
}
