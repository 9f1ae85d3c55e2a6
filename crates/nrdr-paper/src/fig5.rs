//! Figure 5: the singular values of the smoother of the first coordinate of the MNIST digits.

use kuva::prelude::{Layout, LinePlot, Plot};
use nrdr::smoother::singular_values;
use nrdr::{LaplacianEigenmaps, Options, Points, Prepared, SmootherOptions};

use super::picture::{COLORS, figure};
use super::{Produced, Settings};

const SHOWN: usize = 100;
const ALPHA: f64 = 0.3;
/// Small enough that what is left out does not count.
const TRUNCATION: f64 = 1e-4;
/// The share of the singular values that the paper looks at.
const FEW: f64 = 0.001;

pub(super) fn produce(points: &Points, settings: Settings<'_>) -> nrdr::Result<Produced> {
    let bar = settings.bar();
    let options = Options { dims: 1.into(), ..Default::default() };
    let first = Prepared::new(points, &LaplacianEigenmaps::default(), &options)?
        .observed(&bar)
        .embed(&options.strategy)?;
    let smoother = SmootherOptions { truncation: TRUNCATION, ..Default::default() };
    let mut values = singular_values(&[first.coordinate(0)], ALPHA, &smoother, settings.seed)?;
    let squares = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>();
    let few = ((FEW * points.rows() as f64).round() as usize).clamp(1, values.len().max(1));
    let share = squares(&values[..few.min(values.len())]) / squares(&values);
    // What was not computed is smaller than what can be seen.
    values.resize(SHOWN, 0.0);
    let line: Vec<(f64, f64)> =
        values.iter().enumerate().map(|(i, v)| ((i + 1) as f64, *v)).collect();
    let plots = vec![Plot::Line(LinePlot::new().with_data(line).with_color(COLORS[1]))];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("singular values of P_2, {} digits", points.rows()))
        .with_x_label("number")
        .with_y_label("singular value");
    let rows = values.iter().enumerate().map(|(i, v)| format!("{},{v:.6e}", i + 1)).collect();
    let verdict = if share > 0.999 { "as in the paper" } else { "less than in the paper" };
    Ok(Produced {
        figure: figure(vec![(plots, layout)], 1, 640.0, 420.0),
        header: "number,singular_value",
        rows,
        line: format!(
            "the paper: 0.1 % of the singular values hold more than 99.9 % of the squared Frobenius norm; {few} of {} hold {:.3} %: {verdict}",
            points.rows(),
            100.0 * share
        ),
        table: None,
    })
}
