//! Panels of figures: points in two or three dimensions, coloured by a number.

use kuva::plot::ColorMap;
use kuva::prelude::{Layout, Plot, Scatter3DPlot, ScatterPlot};

/// A panel of a figure.
pub(super) type Panel = (Vec<Plot>, Layout);

/// Colours from dark blue to yellow, from the least to the largest value.
fn colors(values: &[f64]) -> Vec<String> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    values.iter().map(|v| ColorMap::Viridis.map((v - least) / range.max(1e-300))).collect()
}

fn size(points: usize) -> f64 {
    (70.0 / (points as f64).sqrt()).clamp(1.0, 3.0)
}

/// Points in space, seen from a height in degrees.
pub(super) fn space(points: &nrdr::Points, values: &[f64], title: &str, elevation: f64) -> Panel {
    let row = |i: usize| (points.row(i)[0], points.row(i)[1], points.row(i)[2]);
    let plot = Scatter3DPlot::new()
        .with_data((0..points.rows()).map(row).collect::<Vec<_>>())
        .with_colors(colors(values))
        .with_size(size(points.rows()))
        .with_azimuth(-20.0)
        .with_elevation(elevation)
        .with_no_grid();
    let plots = vec![Plot::Scatter3D(plot)];
    let layout = Layout::auto_from_plots(&plots).with_title(title);
    (plots, layout)
}

/// Points in the plane.
pub(super) fn plane(x: &[f64], y: &[f64], values: &[f64], title: &str, names: [&str; 2]) -> Panel {
    let places: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    let plot =
        ScatterPlot::new().with_data(places).with_colors(colors(values)).with_size(size(x.len()));
    let plots = vec![Plot::Scatter(plot)];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label(names[0])
        .with_y_label(names[1])
        .with_show_grid(false);
    (plots, layout)
}
