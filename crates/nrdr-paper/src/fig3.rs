//! Figure 3: how predictable each coordinate of the MNIST digits is from the earlier ones.

use kuva::prelude::{Layout, LinePlot, Plot};
use nrdr::{
    Bandwidth, LaplacianEigenmaps, Options, Points, RedundancyOptions, SmootherOptions, Strategy,
    redundancy,
};

use super::picture::{COLORS, figure};
use super::{Produced, Settings, by_strategies};

const COORDINATES: usize = 10;
const ALPHAS: [f64; 3] = [0.2, 0.3, 0.4];
/// What the paper's coordinates are about, in percent, and what ours must reach.
const GOAL: f64 = 90.0;

pub(super) fn produce(points: &Points, settings: Settings<'_>) -> nrdr::Result<Produced> {
    let of_alpha = |alpha: f64| {
        Strategy::unpredictable(SmootherOptions { alpha: alpha.into(), ..Default::default() })
    };
    let mut strategies = vec![Strategy::orthogonal()];
    strategies.extend(ALPHAS.map(of_alpha));
    let mut names = vec!["LEM".to_string()];
    names.extend(ALPHAS.map(|alpha| format!("alpha {alpha}")));
    let options = Options { dims: COORDINATES.into(), ..Default::default() };
    let lem = LaplacianEigenmaps::default();
    let measure = RedundancyOptions { bandwidth: Bandwidth::MedianThird, ..Default::default() };
    let (mut plots, mut rows, mut best) = (Vec::new(), Vec::new(), (0.0, String::new()));
    let embeddings = by_strategies(points, &lem, &options, &strategies, &settings.bar())?;
    for ((embedding, name), color) in embeddings.into_iter().zip(&names).zip(COLORS) {
        let errors = redundancy(&embedding?.to_points()?, &measure, &())?.errors;
        let percent: Vec<f64> = errors.iter().map(|error| 100.0 * error).collect();
        for (i, value) in percent.iter().enumerate() {
            rows.push(format!("{name},{},{value:.1}", i + 1));
        }
        let least = percent.iter().skip(1).copied().fold(f64::INFINITY, f64::min);
        if name != "LEM" && least > best.0 {
            best = (least, name.clone());
        }
        let line = percent.iter().enumerate().map(|(i, v)| ((i + 1) as f64, *v));
        let plot = LinePlot::new()
            .with_data(line.collect::<Vec<(f64, f64)>>())
            .with_color(color)
            .with_legend(name.clone());
        plots.push(Plot::Line(plot));
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("{} digits of MNIST", points.rows()))
        .with_x_label("coordinate")
        .with_y_label("error of predicting it, percent");
    let verdict = if best.0 >= GOAL { "as in the paper" } else { "below the paper's" };
    Ok(Produced {
        figure: figure(vec![(plots, layout)], 1, 700.0, 440.0),
        header: "coordinates,number,percent",
        rows,
        line: format!(
            "the paper's non-redundant coordinates have an error of about 100 % each; ours at least {:.0} %, with {}: {verdict}",
            best.0, best.1
        ),
        table: None,
    })
}
