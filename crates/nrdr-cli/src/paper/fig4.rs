//! Figure 4: a ring, whose third coordinate should be the angle inside its tube.

use kuva::prelude::Figure;
use nrdr::datasets::Torus;
use nrdr::quality::recovery;
use nrdr::{
    Bandwidth, Embedding, LaplacianEigenmaps, Options, RedundancyOptions, SmootherOptions,
    Strategy, embed, redundancy,
};

use super::picture::{Panel, plane, space};
use super::{Produced, Settings};
use crate::found::title;

/// The smoother of the sequential regression.
const ALPHA: f64 = 0.6;

pub(super) fn produce(settings: Settings) -> nrdr::Result<Produced> {
    let n = if settings.quick { 1000 } else { 3000 };
    let ring = Torus { n, minor: 2.0, ..Default::default() }.generate(settings.seed)?;
    let angle = ring.truth.column(1);
    let (sine, cosine): (Vec<f64>, Vec<f64>) = angle.iter().map(|a| a.sin_cos()).unzip();
    let wide = SmootherOptions { alpha: ALPHA.into(), ..Default::default() };
    let strategies = [
        Strategy::Orthogonal,
        Strategy::Regression(wide),
        Strategy::Advection,
        Strategy::Unpredictable(Default::default()),
    ];
    let mut panels: Vec<Panel> = Vec::new();
    let (mut rows, mut words) = (Vec::new(), Vec::new());
    for strategy in strategies {
        let kind = title(strategy.name()).to_string();
        let options = Options { dims: 3, strategy, ..Default::default() };
        let embedding = embed(&ring.points, &LaplacianEigenmaps::default(), &options)?;
        let last = embedding.dims() - 1;
        let found = embedding.coordinate(last);
        let name = format!("{kind}: coordinate {}", last + 1);
        panels.push(space(&ring.points, found, &name, 40.0));
        panels.push(plane(&angle, found, &sine, &name, ["angle inside the tube", "coordinate"]));
        let scores = recovery(&embedding.to_points()?, &[&sine, &cosine])?;
        let error = error_of_last(&embedding)?;
        let text = error.map_or(String::new(), |error| format!("{error:.4}"));
        rows.push(format!("{kind},{},{text},{:.4},{:.4}", last + 1, scores[0], scores[1]));
        words.push(match (last, error) {
            (2, Some(error)) => format!("{kind} r = {error:.2}"),
            _ => format!("{kind} halts after {}", last + 1),
        });
    }
    let (plots, layouts) = panels.into_iter().unzip();
    Ok(Produced {
        figure: Figure::new(4, 2)
            .with_plots(plots)
            .with_layouts(layouts)
            .with_cell_size(420.0, 300.0),
        header: "strategy,coordinates,error_of_last,R2_sine,R2_cosine",
        rows,
        line: format!(
            "in the paper only the non-redundant third coordinate follows the angle inside the tube; the error of predicting it from the first two (1 is new): {}",
            words.join(", ")
        ),
    })
}

/// The error of predicting the last coordinate from the earlier ones, if there are any.
fn error_of_last(embedding: &Embedding) -> nrdr::Result<Option<f64>> {
    if embedding.dims() < 2 {
        return Ok(None);
    }
    let options = RedundancyOptions { bandwidth: Bandwidth::MedianThird, ..Default::default() };
    Ok(redundancy(&embedding.to_points()?, &options)?.errors.last().copied())
}
