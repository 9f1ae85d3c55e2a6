//! Pictures of rows, side by side in one picture.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::imageops::{FilterType, resize};
use image::{ImageBuffer, ImageFormat, Luma, Pixel, PixelWithColorType, Rgb};
use nrdr::Points;
use serde_json::{Value, json};

use super::PageError;
use super::source::Images;

/// Larger pictures are made smaller.
const MOST_SIDE: u32 = 32;
/// What the pictures of all rows may take, in pixels and in bytes.
const MOST_PIXELS: usize = 40_000_000;
const MOST_BYTES: usize = 2_500_000;

/// The pictures of these rows, in their order; `None` if they take too much.
pub(super) fn of(points: &Points, rows: &[u32], shape: Images) -> Result<Option<Value>, PageError> {
    let side = Sides::of(shape);
    if rows.is_empty() || rows.len() * side.pixels() > MOST_PIXELS {
        return Ok(None);
    }
    let shades = Shades::of(points, rows);
    let values = |at: usize| points.row(rows[at] as usize).to_vec();
    let sheet = sheet(shape, shades, rows.len(), &values)?;
    Ok(sheet.filter(|sheet| sheet.bytes <= MOST_BYTES).map(|sheet| sheet.data))
}

/// Pictures side by side, and how many bytes they take.
pub(super) struct Sheet {
    pub(super) data: Value,
    bytes: usize,
}

/// So many pictures, whose values are asked for one after another; `None` if they are none of this shape.
pub(super) fn sheet(
    shape: Images,
    shades: Shades,
    count: usize,
    values: &dyn Fn(usize) -> Vec<f64>,
) -> Result<Option<Sheet>, PageError> {
    match shape.channels {
        1 => drawn::<Luma<u8>>(shape, shades, count, values),
        3 => drawn::<Rgb<u8>>(shape, shades, count, values),
        _ => Ok(None),
    }
}

fn drawn<P: Pixel<Subpixel = u8> + PixelWithColorType + 'static>(
    shape: Images,
    shades: Shades,
    count: usize,
    values: &dyn Fn(usize) -> Vec<f64>,
) -> Result<Option<Sheet>, PageError> {
    let Sides { full, small: (width, height) } = Sides::of(shape);
    let across = (count as f64).sqrt().ceil().max(1.0) as u32;
    let down = count.div_ceil(across as usize) as u32;
    let mut all = ImageBuffer::<P, Vec<u8>>::new(across * width, down * height);
    for at in 0..count {
        let shaded = values(at).into_iter().map(|value| shades.of_value(value)).collect();
        let Some(picture) = ImageBuffer::<P, Vec<u8>>::from_raw(full.0, full.1, shaded) else {
            return Ok(None);
        };
        let picture = if full == (width, height) {
            picture
        } else {
            resize(&picture, width, height, FilterType::Triangle)
        };
        let (left, top) = (at as u32 % across * width, at as u32 / across * height);
        for (x, y, pixel) in picture.enumerate_pixels() {
            all.put_pixel(left + x, top + y, *pixel);
        }
    }
    let mut png = Cursor::new(Vec::new());
    all.write_to(&mut png, ImageFormat::Png)?;
    let png = png.into_inner();
    let data = json!({
        "width": width,
        "height": height,
        "across": across,
        "png": format!("data:image/png;base64,{}", STANDARD.encode(&png)),
    });
    Ok(Some(Sheet { data, bytes: png.len() }))
}

/// Width and height of a picture as it is, and as it is shown.
struct Sides {
    full: (u32, u32),
    small: (u32, u32),
}

impl Sides {
    fn of(shape: Images) -> Self {
        let full = (shape.width as u32, shape.height as u32);
        let factor = (f64::from(MOST_SIDE) / f64::from(full.0.max(full.1))).min(1.0);
        let side = |length: u32| ((f64::from(length) * factor).round() as u32).max(1);
        Sides { full, small: (side(full.0), side(full.1)) }
    }

    fn pixels(&self) -> usize {
        self.small.0 as usize * self.small.1 as usize
    }
}

/// From the least value, which is dark, to the largest.
#[derive(Clone, Copy)]
pub(super) struct Shades {
    least: f64,
    range: f64,
}

impl Shades {
    /// Those of the values of these rows.
    pub(super) fn of(points: &Points, rows: &[u32]) -> Self {
        let values = || rows.iter().flat_map(|&row| points.row(row as usize)).copied();
        let least = values().fold(f64::INFINITY, f64::min);
        let range = values().fold(f64::NEG_INFINITY, f64::max) - least;
        Shades { least, range: range.max(f64::MIN_POSITIVE) }
    }

    fn of_value(self, value: f64) -> u8 {
        (255.0 * (value - self.least) / self.range).round().clamp(0.0, 255.0) as u8
    }
}
