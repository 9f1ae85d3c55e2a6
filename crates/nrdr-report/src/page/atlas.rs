//! The pictures of all rows in one picture.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::imageops::{FilterType, resize};
use image::{GrayImage, ImageFormat, Luma};
use nrdr::Points;
use serde_json::{Value, json};

use super::PageError;

/// Larger pictures are made smaller.
const MOST_SIDE: u32 = 32;
/// What the atlas may take, in pixels and in bytes.
const MOST_PIXELS: usize = 40_000_000;
const MOST_BYTES: usize = 2_500_000;

/// The pictures of these rows, in their order; `None` if they take too much.
pub(super) fn of(
    points: &Points,
    rows: &[u32],
    (width, height): (usize, usize),
) -> Result<Option<Value>, PageError> {
    let (full_width, full_height) = (width as u32, height as u32);
    let factor = (f64::from(MOST_SIDE) / f64::from(full_width.max(full_height))).min(1.0);
    let side = |length: u32| ((f64::from(length) * factor).round() as u32).max(1);
    let (width, height) = (side(full_width), side(full_height));
    let across = (rows.len() as f64).sqrt().ceil() as u32;
    let down = rows.len().div_ceil(across.max(1) as usize) as u32;
    if rows.is_empty() || rows.len() * (width * height) as usize > MOST_PIXELS {
        return Ok(None);
    }
    let (least, range) = range(points, rows);
    let mut atlas = GrayImage::new(across * width, down * height);
    for (at, &row) in rows.iter().enumerate() {
        let grey = |v: f64| (255.0 * (v - least) / range).round().clamp(0.0, 255.0) as u8;
        let pixels: Vec<u8> = points.row(row as usize).iter().map(|&v| grey(v)).collect();
        let Some(picture) = GrayImage::from_raw(full_width, full_height, pixels) else {
            return Ok(None);
        };
        let picture = if factor < 1.0 {
            resize(&picture, width, height, FilterType::Triangle)
        } else {
            picture
        };
        let (left, top) = (at as u32 % across * width, at as u32 / across * height);
        for (x, y, Luma(value)) in picture.enumerate_pixels() {
            atlas.put_pixel(left + x, top + y, Luma(*value));
        }
    }
    let mut png = Cursor::new(Vec::new());
    atlas.write_to(&mut png, ImageFormat::Png)?;
    let png = png.into_inner();
    Ok((png.len() <= MOST_BYTES).then(|| {
        json!({
            "width": width,
            "height": height,
            "across": across,
            "png": format!("data:image/png;base64,{}", STANDARD.encode(png)),
        })
    }))
}

/// The smallest value and the distance to the largest.
fn range(points: &Points, rows: &[u32]) -> (f64, f64) {
    let values = || rows.iter().flat_map(|&row| points.row(row as usize)).copied();
    let least = values().fold(f64::INFINITY, f64::min);
    (least, (values().fold(f64::NEG_INFINITY, f64::max) - least).max(f64::MIN_POSITIVE))
}
