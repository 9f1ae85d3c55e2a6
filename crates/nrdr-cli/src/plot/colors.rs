//! What points are coloured by, with the colours of the page.

use nrdr::Embedding;
use nrdr_report::natural::in_order;
use nrdr_report::palette::{Color, Ground, MISSING, classes, ramp};

use super::axis::Axis;
use crate::options::source::Loaded;
use nrdr_io::TextColumn;

/// Colours of a scale.
pub(super) const STEPS: usize = 64;

/// The colour of each point, and what it means.
pub(super) struct Coloring {
    /// What the colours tell.
    pub(super) title: String,
    /// The place of each row's colour in the list.
    pub(super) of_row: Vec<u16>,
    pub(super) colors: Vec<Color>,
    pub(super) key: Key,
}

/// What the colours mean.
pub(super) enum Key {
    /// The names of classes; the last colour without a name is that of points which have none.
    Classes(Vec<String>),
    /// Numbers, and whether some lie below or above what the scale shows.
    Scale { axis: Axis, is_below: bool, is_above: bool },
}

impl Coloring {
    /// By numbers that were asked for, or by labels, or by the first true parameter, or by the last coordinate.
    pub(super) fn of(loaded: &Loaded, ours: &Embedding) -> Self {
        if let Some((name, values)) = loaded.known.numbers.first() {
            return Coloring::by_numbers(name.clone(), values);
        }
        if let Some(label) = loaded.known.labels.first() {
            return Coloring::by_label(label);
        }
        let truth = loaded.truth.as_ref().filter(|(names, _)| !names.is_empty());
        if let Some((names, table)) = truth {
            return Coloring::by_numbers(format!("true {}", names[0]), &table.column(0));
        }
        let last = ours.dims() - 1;
        let beside = if ours.strategy == "orthogonal" { "" } else { " (right)" };
        let title = format!("coordinate {}{beside}", last + 1);
        Coloring::by_numbers(title, ours.coordinate(last))
    }

    fn by_numbers(title: String, values: &[f64]) -> Self {
        let axis = Axis::of(values.iter().copied());
        let last = (STEPS - 1) as f64;
        let color = |value: &f64| {
            if value.is_nan() { STEPS as u16 } else { (last * axis.place(*value)).round() as u16 }
        };
        let scale = (0..STEPS).map(|i| ramp(i as f64 / last, Ground::Light));
        Coloring {
            title,
            of_row: values.iter().map(color).collect(),
            colors: scale.chain([MISSING]).collect(),
            key: Key::Scale {
                axis,
                is_below: values.iter().any(|value| *value < axis.least),
                is_above: values.iter().any(|value| *value > axis.most),
            },
        }
    }

    fn by_label(label: &TextColumn) -> Self {
        let order = in_order(&label.distinct);
        // Empty texts stand for no class.
        let mut place = vec![order.len() as u16; label.distinct.len()];
        order.iter().enumerate().for_each(|(at, &code)| place[code] = at as u16);
        let mut colors = classes(order.len(), Ground::Light);
        colors.push(MISSING);
        Coloring {
            title: label.name.clone(),
            of_row: label.codes.iter().map(|&code| place[code as usize]).collect(),
            colors,
            key: Key::Classes(order.into_iter().map(|code| label.distinct[code].clone()).collect()),
        }
    }
}
