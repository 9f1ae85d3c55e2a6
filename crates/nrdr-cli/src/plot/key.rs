//! What the colours mean: the names of classes in columns, or a bar that rises.

use nrdr_report::palette::MISSING;

use super::colors::{Coloring, Key, STEPS};
use super::font::Font;
use super::picture::{Align, INK, Mark, Text};
use super::{pixels, shown_as, small};
use nrdr_write::printable;

/// How large letters are, beside those of the panels, and how long a name may be: the first that fits is taken.
const FITS: [(f64, usize); 7] =
    [(1.0, 24), (0.9, 16), (0.8, 16), (0.7, 12), (0.6, 12), (0.6, 8), (0.5, 8)];
/// The share of the width that it may take.
const MOST: f64 = 0.4;
/// Lines of a column stand so far apart,
const LEADING: f64 = 1.45;
/// and a dot takes so much before its name, and a name behind it.
const DOT: f64 = 1.3;
const GAP: f64 = 1.0;

/// Draws it at the right side and tells how wide it is; `room` is the width of the picture, where its title ends, and its height.
pub(super) fn draw(
    coloring: &Coloring,
    room: (f64, f64, f64),
    letter: f64,
    font: &Font<'_>,
    marks: &mut Vec<Mark>,
) -> f64 {
    match &coloring.key {
        Key::Classes(names) => classes(coloring, names, room, letter, font, marks),
        Key::Scale { axis, is_below, is_above } => {
            let (width, top, height) = room;
            let mut scale = axis.marks();
            // The ends hold what lies beyond them.
            if *is_below && let Some((_, name)) = scale.first_mut() {
                name.insert(0, '≤');
            }
            if *is_above && let Some((_, name)) = scale.last_mut() {
                name.insert(0, '≥');
            }
            let widest = scale.iter().map(|(_, name)| font.width(name)).fold(0.0, f64::max);
            let title = shown_as(&coloring.title, 24);
            let wide = (0.9 * widest + 2.9).max(0.9 * font.width(&title) + 1.0) * letter;
            let wide = wide.min(MOST * width);
            let left = width - wide;
            let bar = (height - top - 8.0 * letter).min(16.0 * letter).max(2.0 * letter);
            let upper = top + 3.4 * letter;
            let step = bar / STEPS as f64;
            for i in 0..STEPS {
                // Boxes lie over each other a little, so that nothing shines through between them.
                let size = (1.1 * letter, step + if i > 0 { 0.5 } else { 0.0 });
                let corner = (left, upper + bar - (i + 1) as f64 * step);
                marks.push(Mark::Box { corner, size, color: coloring.colors[i] });
            }
            for (value, name) in scale {
                let y = upper + bar - axis.place(value) * bar;
                let (from, to) = ((left + 1.1 * letter, y), (left + 1.4 * letter, y));
                marks.push(Mark::Line { from, to, width: 0.08 * letter });
                marks.push(text((left + 1.7 * letter, y + 0.33 * letter), name, 0.9 * letter));
            }
            marks.push(headline(left, upper - letter, &title, wide, letter, font));
            wide
        }
    }
}

fn classes(
    coloring: &Coloring,
    names: &[String],
    (width, top, height): (f64, f64, f64),
    letter: f64,
    font: &Font<'_>,
    marks: &mut Vec<Mark>,
) -> f64 {
    let has_others = coloring.of_row.iter().any(|&color| color as usize == names.len());
    let count = names.len() + usize::from(has_others);
    let (mut size, mut columns, mut lines) = (letter, Vec::new(), 1);
    for (share, longest) in FITS {
        size = (share * letter).max(3.0);
        lines = (((height - top - 3.6 * letter) / (LEADING * size)) as usize).max(1);
        let shown = names.iter().map(|name| shortened(name, longest));
        let shown: Vec<String> = shown.chain(has_others.then(|| "(none)".to_string())).collect();
        columns = shown.chunks(lines).map(<[String]>::to_vec).collect();
        let wide: f64 = columns.iter().map(|names| width_of(names, size, font)).sum();
        if wide <= MOST * width {
            break;
        }
    }
    // What does not fit all the same is counted.
    let mut left_out = 0;
    while columns.len() > 1
        && columns.iter().map(|names| width_of(names, size, font)).sum::<f64>() > MOST * width
    {
        left_out += columns.pop().map_or(0, |names| names.len());
    }
    let wide: f64 = columns.iter().map(|names| width_of(names, size, font)).sum();
    let title = shown_as(&coloring.title, 24);
    let wide = wide.max((0.9 * font.width(&title) + 1.0) * letter).min(MOST * width);
    let upper = top + 2.6 * letter;
    let mut left = width - wide;
    marks.push(headline(left, top + 1.3 * letter, &title, wide, letter, font));
    let mut colors = coloring.colors[..names.len()].iter().copied().chain([MISSING]);
    for names in &columns {
        for (line, name) in names.iter().enumerate() {
            let y = upper + line as f64 * LEADING * size;
            let (places, radius) = (vec![(left + 0.45 * size, y)], 0.42 * size);
            let color = colors.next().unwrap_or(MISSING);
            marks.push(Mark::Box {
                corner: (places[0].0 - radius, places[0].1 - radius),
                size: (2.0 * radius, 2.0 * radius),
                color,
            });
            marks.push(text((left + DOT * size, y + 0.35 * size), name.clone(), size));
        }
        left += width_of(names, size, font);
    }
    if left_out > 0 {
        let place = (width - wide, upper + lines as f64 * LEADING * size + 0.2 * letter);
        let told = format!("and {left_out} of {count} more");
        marks.push(small(place, told, 0.7 * letter, Align::Start));
    }
    wide
}

/// The beginning and the end of a name that is long: many begin with the same words.
fn shortened(name: &str, longest: usize) -> String {
    let letters: Vec<char> = printable(name).chars().collect();
    if letters.len() <= longest {
        return letters.into_iter().collect();
    }
    let (begin, end) = (&letters[..longest / 2], &letters[letters.len() - longest / 2..]);
    begin.iter().chain(&['…']).chain(end).collect()
}

/// How wide a column of names is.
fn width_of(names: &[String], size: f64, font: &Font<'_>) -> f64 {
    let widest = names.iter().map(|name| font.width(name)).fold(0.0, f64::max);
    (DOT + widest + GAP) * size
}

/// What the colours tell, as large as it fits.
fn headline(left: f64, y: f64, title: &str, wide: f64, letter: f64, font: &Font<'_>) -> Mark {
    let size = (wide / (font.width(title) + 0.5)).min(0.95 * letter);
    text((left, y), title.to_string(), size)
}

fn text(place: (f64, f64), content: String, size: f64) -> Mark {
    Mark::Text(Text { place, content, size: pixels(size), align: Align::Start, color: INK })
}
