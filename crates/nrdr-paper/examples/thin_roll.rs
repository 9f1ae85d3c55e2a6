//! Draws the thin Swiss roll (height 4, 22 times as long as wide) as five ways see it; `docs/unpredictable.md` shows
//! the picture.
//!
//! ```text
//! cargo run --release -p nrdr-paper --example thin_roll docs/thin-roll.png
//! ```

use std::error::Error;

use kuva::plot::ColorMap;
use kuva::prelude::{Figure, Layout, Plot, PngBackend, ScatterPlot};
use nrdr::datasets::SwissRoll;
use nrdr::quality::recovery;
use nrdr::{
    Alpha, DiffusionMaps, Ltsa, Method, Options, Points, Selection, SmootherOptions, Strategy,
    embed,
};

const POINTS: usize = 2000;
const SEED: u64 = 0;

fn unpredictable(alpha: Alpha) -> Strategy {
    Strategy::unpredictable(SmootherOptions { alpha, ..Default::default() })
}

/// The two coordinates, coloured by the height, titled with its R2.
fn panel(title: &str, embedding: &Points, height: &[f64]) -> nrdr::Result<(Plot, Layout)> {
    let found = recovery(embedding, &[height])?[0];
    let highest = height.iter().copied().fold(0.0, f64::max);
    let colors = height.iter().map(|h| ColorMap::Viridis.map(h / highest));
    let places = (0..embedding.rows()).map(|i| (embedding.row(i)[0], embedding.row(i)[1]));
    let plot = ScatterPlot::new()
        .with_data(places.collect::<Vec<(f64, f64)>>())
        .with_colors(colors)
        .with_size(2.0);
    let plot = Plot::Scatter(plot);
    let layout = Layout::auto_from_plots(std::slice::from_ref(&plot))
        .with_title(format!("{title}: R² = {found:.2}"))
        .with_x_label("coordinate 1")
        .with_y_label("coordinate 2")
        .with_show_grid(false);
    Ok((plot, layout))
}

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).ok_or("usage: thin_roll FILE.png")?;
    let roll = SwissRoll { n: POINTS, height: 4.0, ..Default::default() }.generate(SEED)?;
    let height = roll.truth.column(1);
    let selection = |candidates| {
        let candidates = Some(candidates);
        Strategy::selection(Selection { candidates, ..Default::default() })
    };
    let diffusion: &dyn Method = &DiffusionMaps::default();
    let tangents: &dyn Method = &Ltsa::default();
    let ways = [
        ("original diffusion maps", diffusion, Strategy::orthogonal()),
        ("selection among 40", diffusion, selection(40)),
        ("unpredictable, alpha 0.3", diffusion, unpredictable(Alpha::Fixed(0.3))),
        ("unpredictable, alpha auto", diffusion, unpredictable(Alpha::Auto)),
        ("LTSA, original", tangents, Strategy::orthogonal()),
        ("LTSA, unpredictable, auto", tangents, unpredictable(Alpha::Auto)),
    ];
    let (mut plots, mut layouts) = (Vec::new(), Vec::new());
    for (title, method, strategy) in ways {
        let options = Options { neighbors: 30, strategy, ..Default::default() };
        let embedding = embed(&roll.points, method, &options)?.to_points()?;
        let (plot, layout) = panel(title, &embedding, &height)?;
        plots.push(vec![plot]);
        layouts.push(layout);
    }
    let figure = Figure::new(2, 3)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_title(format!("Swiss roll of height 4, {POINTS} points, coloured by height"))
        .with_cell_size(420.0, 330.0);
    let png = PngBackend::new().with_scale(1.0).render_scene(&figure.render())?;
    std::fs::write(out, png)?;
    Ok(())
}
