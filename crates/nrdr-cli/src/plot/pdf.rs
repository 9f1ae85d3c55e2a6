//! A picture as a PDF of one page, with the letters that it needs of the font (ISO 32000-1).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use nrdr_report::palette::Color;
use subsetter::{GlyphRemapper, subset};

use super::font::Font;
use super::picture::{Align, Mark, Picture, Text, ring_width};

/// Points of a PDF, 72 to the inch, in a pixel, 96 to the inch.
const POINT: f64 = 0.75;
/// A quarter of a circle by a cubic curve.
const QUARTER: f64 = 0.5523;

/// Numbers of the objects.
const FONT: usize = 5;

/// The picture as a PDF; the error is in words.
pub(super) fn pdf(picture: &Picture, font: &Font<'_>) -> Result<Vec<u8>, String> {
    let mut letters = Letters { font, remapper: GlyphRemapper::new(), used: BTreeMap::new() };
    let content = content(picture, &mut letters);
    let (width, height) = (POINT * picture.width, POINT * picture.height);
    let mut file = File::default();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(&format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R \
         /Resources << /Font << /F {FONT} 0 R >> >> >>"
    ));
    file.stream("", content.as_bytes())?;
    letters.write(&mut file)?;
    Ok(file.finish())
}

/// The operators that draw it.
fn content(picture: &Picture, letters: &mut Letters<'_>) -> String {
    // From here on places are those of the picture, and lines have round ends.
    let mut out = format!("{POINT} 0 0 -{POINT} 0 {} cm 1 J\n", POINT * picture.height);
    for mark in &picture.marks {
        // A text to write to does not fail.
        let _ = draw(mark, letters, &mut out);
    }
    out
}

fn draw(mark: &Mark, letters: &mut Letters<'_>, out: &mut String) -> std::fmt::Result {
    match mark {
        // A line of no length with round ends is a dot.
        Mark::Dots { color, radius, places } => {
            writeln!(out, "{} RG {} w", rgb(*color), short(2.0 * radius))?;
            for (x, y) in places {
                let (x, y) = (short(*x), short(*y));
                writeln!(out, "{x} {y} m {x} {y} l")?;
            }
            writeln!(out, "S")
        }
        Mark::Rings { color, radius, places } => {
            let width = short(ring_width(*radius));
            writeln!(out, "{} RG 1 1 1 rg {width} w", rgb(*color))?;
            places.iter().try_for_each(|place| circle(*place, *radius, out))
        }
        Mark::Line { from, to, width } => {
            let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(short);
            let color = rgb(super::picture::INK);
            writeln!(out, "{color} RG {} w {x1} {y1} m {x2} {y2} l S", short(*width))
        }
        Mark::Box { corner, size, color } => {
            let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(short);
            writeln!(out, "{} rg {x} {y} {width} {height} re f", rgb(*color))
        }
        Mark::Text(text) => {
            let shift = match text.align {
                Align::Start => 0.0,
                Align::Middle => 0.5,
                Align::End => 1.0,
            };
            let shift = shift * f64::from(text.size) * letters.font.width(&text.content);
            let Text { place, size, color, .. } = text;
            let glyphs = letters.glyphs(&text.content);
            let (color, x, y) = (rgb(*color), short(place.0 - shift), short(place.1));
            // Letters stand upright in the page, whose places are turned over.
            writeln!(out, "BT {color} rg /F {size} Tf 1 0 0 -1 {x} {y} Tm <{glyphs}> Tj ET")
        }
    }
}

/// A filled circle with its line.
fn circle((x, y): (f64, f64), radius: f64, out: &mut String) -> std::fmt::Result {
    let at = |dx: f64, dy: f64| format!("{} {}", short(x + radius * dx), short(y + radius * dy));
    let curve = |from: (f64, f64), to: (f64, f64)| {
        let (a, b) = (QUARTER * to.0 + from.0, QUARTER * to.1 + from.1);
        let (c, d) = (QUARTER * from.0 + to.0, QUARTER * from.1 + to.1);
        format!("{} {} {} c", at(a, b), at(c, d), at(to.0, to.1))
    };
    let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)];
    let curves: Vec<String> = corners.windows(2).map(|pair| curve(pair[0], pair[1])).collect();
    writeln!(out, "{} m {} b", at(1.0, 0.0), curves.join(" "))
}

/// A number with two digits behind the point.
fn short(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

fn rgb(color: Color) -> String {
    let [red, green, blue] = color.map(|value| (f64::from(value) / 2.55).round() / 100.0);
    format!("{red} {green} {blue}")
}

/// Letters that the picture needs: their glyphs get numbers of their own.
struct Letters<'f> {
    font: &'f Font<'f>,
    remapper: GlyphRemapper,
    /// The letter and the width of each glyph.
    used: BTreeMap<u16, (char, f64)>,
}

impl Letters<'_> {
    /// The glyphs of a text in hexadecimal digits.
    fn glyphs(&mut self, text: &str) -> String {
        let mut glyph = |letter: char| {
            let old = self.font.glyph(letter);
            let new = self.remapper.remap(old);
            self.used.entry(new).or_insert((letter, self.font.advance(old)));
            format!("{new:04x}")
        };
        text.chars().map(&mut glyph).collect()
    }

    /// The font, from the object [`FONT`] on.
    fn write(&self, file: &mut File) -> Result<(), String> {
        let part = subset(self.font.file, 0, &self.remapper)
            .map_err(|error| format!("the font cannot be cut: {error:?}"))?;
        let face = &self.font.face;
        let em = f64::from(face.units_per_em());
        let units = |value: i16| (1000.0 * f64::from(value) / em).round();
        let (ascent, descent) = (units(face.ascender()), units(face.descender()));
        let frame = face.global_bounding_box();
        let [left, bottom, right, top] =
            [frame.x_min, frame.y_min, frame.x_max, frame.y_max].map(units);
        let widths = self
            .used
            .iter()
            .map(|(glyph, (_, width))| format!("{glyph} [{}]", (1000.0 * width).round()));
        let widths = widths.collect::<Vec<_>>().join(" ");
        let name = "NRDRAA+DejaVuSans";
        file.object(&format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H \
             /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>"
        ));
        file.object(&format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDToGIDMap /Identity /DW 600 /W [{widths}] \
             /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 8 0 R >>"
        ));
        file.stream("", self.to_unicode().as_bytes())?;
        file.object(&format!(
            "<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [{left} {bottom} {right} {top}] \
             /ItalicAngle 0 /Ascent {ascent} /Descent {descent} /CapHeight {ascent} /StemV 80 /FontFile2 9 0 R >>"
        ));
        file.stream(&format!(" /Length1 {}", part.len()), &part)
    }

    /// Which letter each glyph stands for, so that texts can be searched and copied.
    fn to_unicode(&self) -> String {
        let mut map = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
             /CMapName /Letters def /CMapType 2 def\n\
             1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            .to_string();
        let entry = |(glyph, (letter, _)): (&u16, &(char, f64))| {
            let mut pair = [0; 2];
            let units = letter.encode_utf16(&mut pair).iter().map(|unit| format!("{unit:04x}"));
            format!("<{glyph:04x}> <{}>\n", units.collect::<String>())
        };
        let entries: Vec<String> = self.used.iter().map(entry).collect();
        // No more than a hundred at a time.
        for some in entries.chunks(100) {
            map += &format!("{} beginbfchar\n{}endbfchar\n", some.len(), some.concat());
        }
        map + "endcmap CMapName currentdict /CMap defineresource pop end end\n"
    }
}

/// Objects, one after another, numbered from 1.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl File {
    fn object(&mut self, content: &str) {
        self.begin();
        self.bytes.extend_from_slice(content.as_bytes());
        self.bytes.extend_from_slice(b"\nendobj\n");
    }

    fn stream(&mut self, entries: &str, content: &[u8]) -> Result<(), String> {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        let packed = packed.write_all(content).and_then(|()| packed.finish());
        let packed = packed.map_err(|error| format!("the PDF cannot be packed: {error}"))?;
        self.begin();
        let head =
            format!("<< /Length {} /Filter /FlateDecode{entries} >>\nstream\n", packed.len());
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(&packed);
        self.bytes.extend_from_slice(b"\nendstream\nendobj\n");
        Ok(())
    }

    fn begin(&mut self) {
        if self.bytes.is_empty() {
            // The second line says that there are bytes in it which are no text.
            self.bytes.extend_from_slice(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n");
        }
        self.starts.push(self.bytes.len());
        self.bytes.extend_from_slice(format!("{} 0 obj\n", self.starts.len()).as_bytes());
    }

    fn finish(mut self) -> Vec<u8> {
        let (place, count) = (self.bytes.len(), self.starts.len() + 1);
        let starts = self.starts.iter().map(|start| format!("{start:010} 00000 n \n"));
        let table: String = starts.collect();
        let end = format!(
            "xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n\
             startxref\n{place}\n%%EOF\n"
        );
        self.bytes.extend_from_slice(end.as_bytes());
        self.bytes
    }
}
