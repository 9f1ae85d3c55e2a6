//! Pictures of an embedding for print: the first two coordinates, coloured by each coordinate.

use std::path::Path;

use kuva::plot::ColorMap;
use kuva::prelude::{Figure, Layout, Plot, PngBackend, ScatterPlot, SvgBackend};
use nrdr::Embedding;

use crate::failure::Failure;
use crate::found::title;
use crate::options::source::Loaded;
use nrdr_io::TextColumn;
use nrdr_write::printable;

/// Coordinates that get a panel of their own, at most.
const MOST_PANELS: usize = 6;
const ACROSS: usize = 3;
/// The longest name in a legend, and in a title.
const LONGEST: usize = 16;
const LONGEST_TITLE: usize = 60;
/// More points than this only make the picture larger.
const MOST_POINTS: usize = 20_000;
/// Colours that the colour-blind can tell apart (Okabe & Ito 2008), and four more.
const CATEGORIES: [&str; 12] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000",
    "#882255", "#44aa99", "#999933", "#7f7f7f",
];

/// Whether a picture can be written under this name.
pub(crate) fn check(file: &Path) -> Result<(), Failure> {
    match ending(file).as_deref() {
        Some("png" | "svg") => Ok(()),
        _ => Err(Failure::Usage(format!(
            "{} is not a name for a picture: end it in .png or .svg",
            file.display()
        ))),
    }
}

fn ending(file: &Path) -> Option<String> {
    Some(file.extension()?.to_str()?.to_ascii_lowercase())
}

/// The embedding as a picture, in the format of the file's ending.
pub(crate) fn drawn(
    file: &Path,
    embedding: &Embedding,
    loaded: &Loaded,
) -> Result<Vec<u8>, Failure> {
    let scene = figure(embedding, loaded).render();
    match ending(file).as_deref() {
        Some("svg") => Ok(SvgBackend::default().render_scene(&scene).into_bytes()),
        _ => PngBackend::new().with_scale(2.0).render_scene(&scene).map_err(|reason| {
            Failure::Usage(format!("{} cannot be drawn: {reason}", file.display()))
        }),
    }
}

fn figure(embedding: &Embedding, loaded: &Loaded) -> Figure {
    let every = embedding.len().div_ceil(MOST_POINTS);
    let there = |i: &usize| !embedding.coordinate(0)[*i].is_nan();
    let rows: Vec<usize> = (0..embedding.len()).step_by(every).filter(there).collect();
    let mut panels: Vec<(Vec<Plot>, Layout)> = Vec::new();
    if let Some(label) = loaded.known.labels.first() {
        panels.push(by_label(embedding, &rows, label));
    }
    let room = MOST_PANELS - panels.len();
    panels.extend((0..embedding.dims().min(room)).map(|c| by_coordinate(embedding, &rows, c)));
    // Four make a square.
    let across = if panels.len() == 4 { 2 } else { panels.len().min(ACROSS) };
    let down = panels.len().div_ceil(across);
    let (plots, layouts): (Vec<Vec<Plot>>, Vec<Layout>) = panels.into_iter().unzip();
    Figure::new(down, across)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_title(format!(
            "{}: {} {}",
            shown(&loaded.name, LONGEST_TITLE),
            title(embedding.strategy),
            embedding.method.to_uppercase()
        ))
        .with_cell_size(400.0, 340.0)
}

/// Where the points are drawn: the second coordinate over the first, or over the row if there is but one.
fn places(embedding: &Embedding, rows: &[usize]) -> Vec<(f64, f64)> {
    let first = embedding.coordinate(0);
    match embedding.dims() {
        1 => rows.iter().map(|&i| (i as f64, first[i])).collect(),
        _ => rows.iter().map(|&i| (first[i], embedding.coordinate(1)[i])).collect(),
    }
}

/// Colours from dark blue to yellow, from the least to the largest value.
pub fn ramp(values: &[f64]) -> Vec<String> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    values.iter().map(|v| ColorMap::Viridis.map((v - least) / range.max(1e-300))).collect()
}

fn by_coordinate(embedding: &Embedding, rows: &[usize], c: usize) -> (Vec<Plot>, Layout) {
    let values: Vec<f64> = rows.iter().map(|&i| embedding.coordinate(c)[i]).collect();
    let plot = scatter(embedding, rows, rows.len()).with_colors(ramp(&values));
    panel(embedding, vec![Plot::Scatter(plot)], &format!("coloured by coordinate {}", c + 1))
}

/// A colour for each label; the most frequent ones are named.
fn by_label(embedding: &Embedding, rows: &[usize], label: &TextColumn) -> (Vec<Plot>, Layout) {
    let mut members: Vec<(usize, Vec<usize>)> =
        (0..label.distinct.len()).map(|code| (code, Vec::new())).collect();
    rows.iter().for_each(|&i| members[label.codes[i] as usize].1.push(i));
    members.retain(|(_, members)| !members.is_empty());
    members.sort_by_key(|(code, members)| (std::cmp::Reverse(members.len()), *code));
    let named = members.len().min(CATEGORIES.len());
    let others: Vec<usize> = members.split_off(named).into_iter().flat_map(|(_, m)| m).collect();
    // In the order of the file, so that 0 comes before 1.
    members.sort_by_key(|(code, _)| *code);
    let group = |rows_of: &[usize], color: &str, name: String| {
        let plot = scatter(embedding, rows_of, rows.len()).with_color(color).with_legend(name);
        Plot::Scatter(plot)
    };
    let mut plots = Vec::new();
    if !others.is_empty() {
        plots.push(group(&others, "#c8c8c8", "others".to_string()));
    }
    for ((code, members), color) in members.iter().zip(CATEGORIES) {
        plots.push(group(members, color, shown(&label.distinct[*code], LONGEST)));
    }
    panel(embedding, plots, &format!("coloured by {}", shown(&label.name, LONGEST)))
}

/// A text from outside as a picture can hold it: the beginning if it is long, and no formula, which dollars would begin.
fn shown(text: &str, longest: usize) -> String {
    let mut text = printable(text);
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
        text.push('…');
    }
    text.replace('$', "\\$")
}

fn scatter(embedding: &Embedding, rows: &[usize], all: usize) -> ScatterPlot {
    let size = (60.0 / (all as f64).sqrt()).clamp(1.0, 3.0);
    ScatterPlot::new().with_data(places(embedding, rows)).with_size(size)
}

fn panel(embedding: &Embedding, plots: Vec<Plot>, title: &str) -> (Vec<Plot>, Layout) {
    let (x, y) = match embedding.dims() {
        1 => ("row", "coordinate 1"),
        _ => ("coordinate 1", "coordinate 2"),
    };
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label(x)
        .with_y_label(y)
        .with_show_grid(false);
    (plots, layout)
}
