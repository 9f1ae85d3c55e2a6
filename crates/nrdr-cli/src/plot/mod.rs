//! Pictures of an embedding for print: the original beside ours, coloured as on the page.

mod axis;
mod colors;
mod font;
mod key;
mod panel;
mod pdf;
mod picture;

use std::path::Path;
use std::str::FromStr;

use nrdr::Embedding;

use crate::failure::Failure;
use crate::found::title;
use crate::options::source::Loaded;
use colors::Coloring;
use font::Font;
use nrdr_write::printable;
use panel::{Frame, Panel};
use picture::{Align, FAINT, INK, Mark, Picture, Text};

/// Endings of pictures.
pub(crate) const ENDINGS: [&str; 3] = [".png", ".svg", ".pdf"];

/// Coordinates over the first one that get a row of their own, at most.
const MOST_ROWS: usize = 3;
/// More points than this only make the picture larger.
const MOST_POINTS: usize = 20_000;
/// The longest title.
const LONGEST_TITLE: usize = 60;
/// What a picture may measure, in pixels.
const SIDES: std::ops::RangeInclusive<u32> = 200..=10_000;
/// Pixels of a PNG, which are all in memory.
const MOST_PIXELS: u64 = 40_000_000;
/// The usual width and height of a panel, and of what is beside and above them.
const PANEL: (u32, u32) = (400, 360);
const BESIDE: (u32, u32) = (130, 60);

/// Width and height of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    width: u32,
    height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        match size {
            Some((width, height)) if SIDES.contains(&width) && SIDES.contains(&height) => {
                Ok(Size { width, height })
            }
            _ => Err(format!(
                "expected width x height in pixels, each from {} to {}, such as 1600x800",
                SIDES.start(),
                SIDES.end()
            )),
        }
    }
}

/// Formats of pictures.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Png,
    Svg,
    Pdf,
}

/// Whether a picture can be written under this name, and so large.
pub(crate) fn check(file: &Path, size: Option<Size>) -> Result<(), Failure> {
    let format = format(file)?;
    let pixels = size.map_or(0, |size| u64::from(size.width) * u64::from(size.height));
    if format == Format::Png && pixels > MOST_PIXELS {
        return Err(Failure::Usage(format!(
            "a PNG has at most {} million pixels: lower --plot-size, or end the name in .svg or .pdf",
            MOST_PIXELS / 1_000_000
        )));
    }
    Ok(())
}

fn format(file: &Path) -> Result<Format, Failure> {
    let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("png") => Ok(Format::Png),
        Some("svg") => Ok(Format::Svg),
        Some("pdf") => Ok(Format::Pdf),
        _ => Err(Failure::Usage(format!(
            "{} is not a name for a picture: end it in .png, .svg or .pdf",
            file.display()
        ))),
    }
}

/// The embedding as a picture in the format of the file's ending; beside the original, if that is given.
pub(crate) fn drawn(
    file: &Path,
    size: Option<Size>,
    loaded: &Loaded,
    ours: &Embedding,
    original: Option<&Embedding>,
) -> Result<Vec<u8>, Failure> {
    let failed =
        |reason: String| Failure::Usage(format!("{} cannot be drawn: {reason}", file.display()));
    let font = Font::load().ok_or_else(|| failed("its font is missing".to_string()))?;
    let format = format(file)?;
    // A single coordinate is often the same, but for rounding.
    let is_same = |original: &&Embedding| {
        let pairs = || original.coordinate(0).iter().zip(ours.coordinate(0));
        let (largest, apart) = pairs().fold((0.0_f64, 0.0_f64), |(largest, apart), (a, b)| {
            (largest.max(a.abs()), apart.max((a - b).abs()))
        });
        ours.dims() == 1 && apart < 1e-6 * largest
    };
    let beside = original.filter(|original| !is_same(original));
    let shown: Vec<&Embedding> = beside.into_iter().chain([ours]).collect();
    let down = (ours.dims() - 1).clamp(1, MOST_ROWS);
    let size = size.unwrap_or_else(|| {
        let across = shown.len() as u32;
        // Pixels of a screen are small.
        let scale = if format == Format::Png { 2 } else { 1 };
        Size {
            width: scale * (across * PANEL.0 + BESIDE.0),
            height: scale * (down as u32 * PANEL.1 + BESIDE.1),
        }
    });
    let titles: Vec<String> = match beside {
        None if original.is_some() => vec![format!("original and {}", title(ours.strategy))],
        _ => shown.iter().map(|one| title(one.strategy).to_string()).collect(),
    };
    let picture = picture(loaded, &shown, &titles, down, size, &font);
    match format {
        Format::Svg => Ok(picture.svg().into_bytes()),
        Format::Png => picture.png().map_err(failed),
        Format::Pdf => pdf::pdf(&picture, &font).map_err(failed),
    }
}

fn picture(
    loaded: &Loaded,
    shown: &[&Embedding],
    titles: &[String],
    down: usize,
    size: Size,
    font: &Font<'_>,
) -> Picture {
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    let mut marks =
        vec![Mark::Box { corner: (0.0, 0.0), size: (width, height), color: [255, 255, 255] }];
    let ours = shown[shown.len() - 1];
    let coloring = Coloring::of(loaded, ours);
    // Everything grows with the picture: a letter is a share of a panel.
    let across = shown.len() as f64;
    let letter = (width / (30.0 * across + 9.0)).min(height / (26.0 * down as f64 + 4.0));
    let letter = letter.max(5.0);
    let top = 3.2 * letter;
    let beside = key::draw(&coloring, (width, top, height), letter, font, &mut marks);
    let (cell_width, cell_height) = ((width - beside) / across, (height - top) / down as f64);
    let rows = rows(ours);
    for (column, embedding) in shown.iter().enumerate() {
        for row in 0..down {
            let (left, above) = (column as f64 * cell_width, top + row as f64 * cell_height);
            let frame = Frame { left, top: above, width: cell_width, height: cell_height, letter };
            let panel = Panel {
                embedding,
                over: (embedding.dims() > 1).then_some(row + 1),
                rows: &rows,
                kept: loaded.kept.as_deref(),
                coloring: &coloring,
                title: (row == 0).then(|| titles[column].as_str()),
            };
            panel.draw(frame, font, &mut marks);
        }
    }
    let points = ours.len() - ours.left_out;
    let some = if rows.len() < points { format!("{} of ", rows.len()) } else { String::new() };
    let name = shown_as(&loaded.name, LONGEST_TITLE);
    let content = format!("{name}: {}, {some}{points} points", ours.method.to_uppercase());
    let room = (0.96 * width / font.width(&content).max(1.0)).min(1.25 * letter);
    marks.push(Mark::Text(Text {
        place: (0.5 * width, 1.7 * letter),
        content,
        size: pixels(room),
        align: Align::Middle,
        color: INK,
    }));
    Picture { width, height, marks }
}

/// The rows that are drawn, one lying over another in no order: points that come last would hide others.
fn rows(embedding: &Embedding) -> Vec<usize> {
    // The steps of a sequence that fills the numbers evenly (Vigna's splitmix64).
    let key = |row: &usize| {
        let mut bits = (*row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    };
    let there = |row: &usize| !embedding.coordinate(0)[*row].is_nan();
    let mut rows: Vec<usize> = (0..embedding.len()).filter(there).collect();
    rows.sort_unstable_by_key(key);
    rows.truncate(MOST_POINTS);
    rows
}

/// The size of letters in whole pixels.
fn pixels(size: f64) -> u32 {
    size.round().max(3.0) as u32
}

/// A text from outside as a picture can hold it: the beginning if it is long.
fn shown_as(text: &str, longest: usize) -> String {
    let mut text = printable(text);
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Something that is said in small letters.
fn small(place: (f64, f64), content: String, size: f64, align: Align) -> Mark {
    Mark::Text(Text { place, content, size: pixels(size), align, color: FAINT })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!("1600x800".parse(), Ok(Size { width: 1600, height: 800 }));
        for wrong in ["1600", "0x800", "199x800", "800x10001", "-800x600", "axb", "800x", "1e3x800"]
        {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shown_as("abc\ndef", 5), "abc\\n…");
        assert_eq!(shown_as("größe", 5), "größe");
    }
}
