//! What a picture is made of, and how it becomes an SVG or a PNG. Places are pixels from the top left corner.

use kuva::backend::svg::SvgBackend;
use kuva::prelude::PngBackend;
use kuva::render::color::Color as Paint;
use kuva::render::render::{Primitive, Scene, TextAnchor};
use nrdr_report::palette::Color;

/// Black enough for text.
pub(super) const INK: Color = [30, 34, 38];
/// What is said beside.
pub(super) const FAINT: Color = [105, 110, 116];

/// A picture.
pub(super) struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) marks: Vec<Mark>,
}

/// A part of a picture.
pub(super) enum Mark {
    /// Filled circles.
    Dots { color: Color, radius: f64, places: Vec<(f64, f64)> },
    /// Circles.
    Rings { color: Color, radius: f64, places: Vec<(f64, f64)> },
    /// A line with its width.
    Line { from: (f64, f64), to: (f64, f64), width: f64 },
    /// A filled rectangle: its left upper corner, and its width and height.
    Box { corner: (f64, f64), size: (f64, f64), color: Color },
    /// A line of text.
    Text(Text),
}

/// A line of text on its baseline.
#[derive(Clone)]
pub(super) struct Text {
    pub(super) place: (f64, f64),
    pub(super) content: String,
    pub(super) size: u32,
    pub(super) align: Align,
    pub(super) color: Color,
}

/// What part of a text is at its place.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Align {
    Start,
    Middle,
    End,
}

impl Picture {
    /// The picture as an SVG.
    pub(super) fn svg(&self) -> String {
        SvgBackend::new().render_scene(&self.scene())
    }

    /// The picture as a PNG.
    pub(super) fn png(&self) -> Result<Vec<u8>, String> {
        PngBackend::new().with_scale(1.0).render_scene(&self.scene())
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene::new(self.width, self.height);
        scene.font_family = Some("DejaVu Sans, Verdana, Arial, sans-serif".to_string());
        self.marks.iter().for_each(|mark| scene.add(drawn(mark)));
        scene
    }
}

fn paint([red, green, blue]: Color) -> Paint {
    Paint::Rgb(red, green, blue)
}

fn drawn(mark: &Mark) -> Primitive {
    let circles =
        |places: &[(f64, f64)]| -> (Vec<f64>, Vec<f64>) { places.iter().copied().unzip() };
    match mark {
        Mark::Dots { color, radius, places } => {
            let (cx, cy) = circles(places);
            let (fill, r) = (paint(*color), *radius);
            let (fill_opacity, stroke, stroke_width) = (None, None, None);
            Primitive::CircleBatch { cx, cy, r, fill, fill_opacity, stroke, stroke_width }
        }
        Mark::Rings { color, radius, places } => {
            let (cx, cy) = circles(places);
            Primitive::CircleBatch {
                cx,
                cy,
                r: *radius,
                fill: Paint::Rgb(255, 255, 255),
                fill_opacity: None,
                stroke: Some(paint(*color)),
                stroke_width: Some(ring_width(*radius)),
            }
        }
        Mark::Line { from, to, width } => Primitive::Line {
            x1: from.0,
            y1: from.1,
            x2: to.0,
            y2: to.1,
            stroke: paint(INK),
            stroke_width: *width,
            stroke_dasharray: None,
        },
        Mark::Box { corner, size, color } => Primitive::Rect {
            x: corner.0,
            y: corner.1,
            width: size.0,
            height: size.1,
            fill: paint(*color),
            stroke: None,
            stroke_width: None,
            opacity: None,
        },
        Mark::Text(text) => Primitive::Text {
            x: text.place.0,
            y: text.place.1,
            // Dollars would begin a formula.
            content: text.content.replace('$', "\\$"),
            size: text.size,
            anchor: match text.align {
                Align::Start => TextAnchor::Start,
                Align::Middle => TextAnchor::Middle,
                Align::End => TextAnchor::End,
            },
            rotate: None,
            bold: false,
            color: Some(paint(text.color)),
        },
    }
}

/// How thick the line of a ring is.
pub(super) fn ring_width(radius: f64) -> f64 {
    0.5 * radius
}
