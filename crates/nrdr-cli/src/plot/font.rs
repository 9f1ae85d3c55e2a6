//! The font of pictures: that of the crate which draws them, DejaVu Sans, as it is put into an SVG.

use std::sync::OnceLock;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use kuva::backend::svg::SvgBackend;
use kuva::render::render::Scene;
use ttf_parser::Face;

/// The font.
pub(super) struct Font<'f> {
    pub(super) file: &'f [u8],
    pub(super) face: Face<'f>,
}

impl Font<'static> {
    /// `None` only if the crate that draws has changed.
    pub(super) fn load() -> Option<Self> {
        static FILE: OnceLock<Option<Vec<u8>>> = OnceLock::new();
        let file = FILE.get_or_init(file).as_deref()?;
        Some(Font { file, face: Face::parse(file, 0).ok()? })
    }
}

impl Font<'_> {
    /// The number of the glyph of a character; 0, a box, if there is none.
    pub(super) fn glyph(&self, letter: char) -> u16 {
        self.face.glyph_index(letter).map_or(0, |glyph| glyph.0)
    }

    /// How wide a glyph is, as a share of the size.
    pub(super) fn advance(&self, glyph: u16) -> f64 {
        let units = self.face.glyph_hor_advance(ttf_parser::GlyphId(glyph)).unwrap_or(0);
        f64::from(units) / f64::from(self.face.units_per_em())
    }

    /// How wide a text is at the size 1.
    pub(super) fn width(&self, text: &str) -> f64 {
        text.chars().map(|letter| self.advance(self.glyph(letter))).sum()
    }
}

/// The first font that an SVG of nothing carries.
fn file() -> Option<Vec<u8>> {
    const BEGIN: &str = "base64,";
    let svg = SvgBackend::new().with_embedded_font(true).render_scene(&Scene::new(1.0, 1.0));
    let text = &svg[svg.find(BEGIN)? + BEGIN.len()..];
    BASE64_STANDARD.decode(&text[..text.find('\'')?]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_is_there_and_has_widths() {
        let font = Font::load().unwrap();
        let names = font.face.names().into_iter().filter(|name| name.name_id == 6);
        assert_eq!(names.filter_map(|name| name.to_string()).next().unwrap(), "DejaVuSans");
        assert!(font.width("mmm") > 2.5 && font.width("iii") < 1.0);
        assert!(font.glyph('ж') > 0 && font.glyph('\u{10ffff}') == 0);
    }
}
