//! Points over two axes.

use nrdr::Embedding;

use super::axis::Axis;
use super::colors::Coloring;
use super::font::Font;
use super::picture::{Align, INK, Mark, Text};
use super::{pixels, small};

/// Points are drawn in so many rounds, each with all colours, so that no class lies over all others.
const ROUNDS: usize = 12;

/// Where a panel is, and the size of its letters.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) letter: f64,
}

/// A coordinate over the first one.
pub(super) struct Panel<'p> {
    pub(super) embedding: &'p Embedding,
    /// Which coordinate, counted from 0; `None` if there is only the first one, which is drawn row by row.
    pub(super) over: Option<usize>,
    /// The rows that are drawn.
    pub(super) rows: &'p [usize],
    /// The rows of the input, if not all.
    pub(super) kept: Option<&'p [u32]>,
    pub(super) coloring: &'p Coloring,
    pub(super) title: Option<&'p str>,
}

impl Panel<'_> {
    pub(super) fn draw(&self, frame: Frame, font: &Font<'_>, marks: &mut Vec<Mark>) {
        let Frame { letter, .. } = frame;
        let ys = |row: usize| match self.over {
            Some(c) => self.embedding.coordinate(c)[row],
            None => self.kept.map_or(row, |kept| kept[row] as usize) as f64 + 1.0,
        };
        let points = self.rows.iter().map(|&row| (self.embedding.coordinate(0)[row], ys(row)));
        let points: Vec<(f64, f64)> = points.collect();
        let shown_x = Axis::of(points.iter().map(|(x, _)| *x));
        let shown_y = Axis::of(points.iter().map(|(_, y)| *y));
        let (x, y) = (shown_x.padded(), shown_y.padded());
        // The field of the points.
        let names = y.marks();
        let widest = names.iter().map(|(_, name)| font.width(name)).fold(2.0, f64::max);
        let left = frame.left + (0.9 * widest + 1.8) * letter;
        let right = frame.left + frame.width - 1.2 * letter;
        let top = frame.top + if self.title.is_some() { 3.2 } else { 2.0 } * letter;
        let bottom = frame.top + frame.height - 4.0 * letter;
        let across = |value: f64| left + x.place(value) * (right - left);
        let up = |value: f64| bottom - y.place(value) * (bottom - top);
        let line = |from, to| Mark::Line { from, to, width: 0.08 * letter };
        let mut text = |place, content: String, size: f64, align| {
            let (size, color) = (pixels(size * letter), INK);
            marks.push(Mark::Text(Text { place, content, size, align, color }));
        };
        for (value, name) in x.marks() {
            text((across(value), bottom + 1.6 * letter), name, 0.9, Align::Middle);
        }
        for (value, name) in names {
            text((left - 0.7 * letter, up(value) + 0.33 * letter), name, 0.9, Align::End);
        }
        let middle = 0.5 * (left + right);
        let below = bottom + 3.0 * letter;
        text((middle, below), "coordinate 1".to_string(), 1.0, Align::Middle);
        let name = self.over.map_or("row".to_string(), |c| format!("coordinate {}", c + 1));
        // Above its axis, where it is read like all others.
        text((frame.left + 0.8 * letter, top - 0.9 * letter), name, 1.0, Align::Start);
        if let Some(title) = self.title {
            let place = (middle, frame.top + letter);
            text(place, title.to_string(), 1.15, Align::Middle);
        }
        marks.push(line((left, bottom), (right, bottom)));
        marks.push(line((left, top), (left, bottom)));
        let tick = 0.35 * letter;
        for (value, _) in x.marks() {
            marks.push(line((across(value), bottom), (across(value), bottom + tick)));
        }
        for (value, _) in y.marks() {
            marks.push(line((left - tick, up(value)), (left, up(value))));
        }
        let places: Vec<(f64, f64)> = points.iter().map(|(x, y)| (across(*x), up(*y))).collect();
        let is_outside = |&(x, y): &(f64, f64)| !(shown_x.holds(x) && shown_y.holds(y));
        let outside: Vec<bool> = points.iter().map(is_outside).collect();
        self.dots(&places, &outside, letter, marks);
        let count = outside.iter().filter(|outside| **outside).count();
        if count > 0 {
            let told = format!("{count} outside: rings at the edge");
            marks.push(small((right, below + 0.85 * letter), told, 0.7 * letter, Align::End));
        }
    }

    /// The points; those outside are rings, over all others.
    fn dots(&self, places: &[(f64, f64)], outside: &[bool], letter: f64, marks: &mut Vec<Mark>) {
        let count = places.len().max(1);
        let radius = (6.0 / (count as f64).sqrt()).clamp(0.1, 0.25) * letter;
        let Coloring { of_row, colors, .. } = self.coloring;
        let color = |i: usize| of_row[self.rows[i]] as usize;
        let part = count.div_ceil(ROUNDS);
        for start in (0..places.len()).step_by(part) {
            let mut by_color: Vec<Vec<(f64, f64)>> = vec![Vec::new(); colors.len()];
            let round = start..(start + part).min(places.len());
            for i in round.filter(|&i| !outside[i]) {
                by_color[color(i)].push(places[i]);
            }
            // What has no class lies below the others, whose colours come before.
            for (at, places) in by_color.into_iter().enumerate().rev() {
                if !places.is_empty() {
                    marks.push(Mark::Dots { color: colors[at], radius, places });
                }
            }
        }
        for i in (0..places.len()).filter(|&i| outside[i]) {
            let (color, radius) = (colors[color(i)], 1.3 * radius);
            marks.push(Mark::Rings { color, radius, places: vec![places[i]] });
        }
    }
}
