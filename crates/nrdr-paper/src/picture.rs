//! Panels of figures: points in two or three dimensions, coloured by a number.

use std::sync::Arc;

use kuva::Theme;
use kuva::plot::ColorMap;
use kuva::prelude::{Figure, Heatmap, Layout, Plot, Scatter3DPlot, ScatterPlot};

/// Colours of lines that the colour-blind can tell apart (Okabe & Ito 2008).
pub(super) const COLORS: [&str; 6] =
    ["#000000", "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7"];

/// A panel of a figure.
pub(super) type Panel = (Vec<Plot>, Layout);

/// A figure of panels, so many in a row, each so wide and high.
pub(super) fn figure(panels: Vec<Panel>, across: usize, width: f64, height: f64) -> Figure {
    let down = panels.len().div_ceil(across);
    let (plots, layouts) = panels.into_iter().unzip();
    Figure::new(down, across).with_plots(plots).with_layouts(layouts).with_cell_size(width, height)
}

/// Colours from dark blue to yellow, from the least to the largest value.
fn ramp(values: &[f64]) -> Vec<String> {
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
        .with_colors(ramp(values))
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
        ScatterPlot::new().with_data(places).with_colors(ramp(values)).with_size(size(x.len()));
    let plots = vec![Plot::Scatter(plot)];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label(names[0])
        .with_y_label(names[1])
        .with_show_grid(false);
    (plots, layout)
}

/// A picture of numbers, row by row from the top, without axes: nobody counts its pixels. Beside it a bar tells what the colours
/// mean.
pub(super) fn painted(values: &[f64], across: usize, colors: ColorMap, title: &str) -> Panel {
    let across = across.max(1);
    // The first row is drawn at the bottom.
    let rows: Vec<Vec<f64>> = values.chunks(across).rev().map(<[f64]>::to_vec).collect();
    // Cells of their full size leave no lines between them.
    let (wide, high) = (across as f64, rows.len() as f64);
    let heatmap = Heatmap::new().with_data(rows).with_color_map(colors).with_cell_size(1.0);
    // Drawn twice: at the borders of cells less of the ground shines through.
    let plots = vec![Plot::Heatmap(heatmap.clone()), Plot::Heatmap(heatmap)];
    let mut layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_theme(Theme { axis_color: "none".to_string(), ..Theme::light() })
        .with_show_grid(false)
        .with_equal_aspect()
        .with_x_axis_min(0.5)
        .with_x_axis_max(wide + 0.5)
        .with_y_axis_min(0.5)
        .with_y_axis_max(high + 0.5);
    (layout.suppress_x_ticks, layout.suppress_y_ticks) = (true, true);
    (plots, layout)
}

/// Greys from black, the least, to white.
pub(super) fn greys() -> ColorMap {
    let grey = |t: f64| (255.0 * t.clamp(0.0, 1.0)).round() as u8;
    ColorMap::Custom(Arc::new(move |t| format!("#{0:02x}{0:02x}{0:02x}", grey(t))))
}

/// The absolute correlation of two lists of numbers.
pub(super) fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (mean_a, mean_b) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(x, y)| f(x - mean_a, y - mean_b)).sum()
    };
    let squares = sum(&|x, _| x * x) * sum(&|_, y| y * y);
    (sum(&|x, y| x * y) / squares.sqrt()).abs()
}
