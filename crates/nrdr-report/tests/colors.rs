//! What points are coloured by and the pictures that belong to them, as far as there is room.
#![allow(clippy::unwrap_used)]

mod common;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::{Atlas, Data, Floats, Setting, texts};
use image::GrayImage;
use nrdr::Points;
use nrdr_report::Source;
use nrdr_report::page::Images;

const TOO_MANY: &str = "there are too many pictures to show them at their points";

/// The page of these pictures, the rows of the points, in one coordinate.
fn of_pictures(pictures: &Points, (width, height): (usize, usize), coordinate: &[f64]) -> Data {
    let names: Vec<String> = (0..pictures.columns()).map(|c| format!("pixel {c}")).collect();
    let truth = Points::new(vec![0.5; pictures.rows()], 1).unwrap();
    let truths = texts(&["angle"]);
    let source = Source {
        given: Some(pictures),
        names: &names,
        truth: Some((&truths, &truth)),
        images: Some(Images { width, height, channels: 1 }),
        total: pictures.rows(),
        ..Default::default()
    };
    Setting { source, plain: vec![vec![coordinate]], ..Default::default() }.data()
}

fn decoded(atlas: &Atlas) -> GrayImage {
    let png = STANDARD.decode(atlas.png.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
    let picture = image::load_from_memory_with_format(&png, image::ImageFormat::Png).unwrap();
    picture.as_luma8().unwrap().clone()
}

/// The pixels of a picture of the atlas, row by row.
fn cell(atlas: &Atlas, all: &GrayImage, at: u32) -> Vec<u8> {
    let Atlas { width, height, across, .. } = *atlas;
    let (left, top) = (at % across * width, at / across * height);
    let place = |i: u32| (left + i % width, top + i / width);
    (0..width * height).map(place).map(|(x, y)| all.get_pixel(x, y).0[0]).collect()
}

#[test]
fn an_atlas_holds_the_pictures_of_the_points_that_are_drawn() {
    // Six pictures of 4 x 3 pixels; the third is not drawn, and neither do its values count.
    let mut values: Vec<f64> = (0..72).map(|i| f64::from(i * 29 % 72) - 10.0).collect();
    values[24..36].fill(1e6);
    let pictures = Points::new(values, 12).unwrap();
    let data = of_pictures(&pictures, (4, 3), &[0.0, 1.0, f64::NAN, 3.0, 4.0, 5.0]);
    let atlas = data.images.unwrap();
    assert_eq!((atlas.width, atlas.height, atlas.across), (4, 3, 3));
    let all = decoded(&atlas);
    assert_eq!(all.dimensions(), (12, 6));
    let drawn = [0, 1, 3, 4, 5];
    let values = || drawn.iter().flat_map(|&row| pictures.row(row));
    let least = values().copied().fold(f64::INFINITY, f64::min);
    let most = values().copied().fold(f64::NEG_INFINITY, f64::max);
    for (at, &row) in drawn.iter().enumerate() {
        let grey = |v: &f64| (255.0 * (v - least) / (most - least)).round() as u8;
        let expected: Vec<u8> = pictures.row(row).iter().map(grey).collect();
        assert_eq!(cell(&atlas, &all, at as u32), expected, "picture {row}");
    }
    assert_eq!(cell(&atlas, &all, 5), [0; 12]);
    let (dark, bright) = (all.pixels().map(|p| p.0[0]).min(), all.pixels().map(|p| p.0[0]).max());
    assert_eq!((dark, bright), (Some(0), Some(255)));
    // True parameters are there to colour by, single pixels are not.
    let names: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["true angle"]);
    assert_eq!(data.notes, Vec::<String>::new());
}

#[test]
fn large_pictures_are_made_smaller() {
    // 64 x 16 pixels: black, white, and left half black, right half white.
    let half = |i: usize| if i % 64 < 32 { 0.0 } else { 1.0 };
    let values = [vec![0.0; 1024], vec![1.0; 1024], (0..1024).map(half).collect()].concat();
    let data = of_pictures(&Points::new(values, 1024).unwrap(), (64, 16), &[0.0, 1.0, 2.0]);
    let atlas = data.images.unwrap();
    assert_eq!((atlas.width, atlas.height, atlas.across), (32, 8, 2));
    let all = decoded(&atlas);
    assert_eq!(cell(&atlas, &all, 0), [0; 256]);
    assert_eq!(cell(&atlas, &all, 1), [255; 256]);
    // Away from the middle, where both sides count.
    for (i, grey) in cell(&atlas, &all, 2).into_iter().enumerate() {
        match i % 32 {
            0..15 => assert_eq!(grey, 0, "pixel {i}"),
            17.. => assert_eq!(grey, 255, "pixel {i}"),
            _ => {}
        }
    }
}

#[test]
fn pictures_that_take_too_much_are_left_out_with_a_warning() {
    // Noise does not get smaller: 3000 pictures of 32 x 32 pixels take 3 megabytes, of one grey nothing.
    let noise = |i: u64| f64::from((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8);
    let coordinate: Vec<f64> = (0..3000).map(f64::from).collect();
    let noisy = Points::new((0..3000 * 1024).map(noise).collect(), 1024).unwrap();
    let data = of_pictures(&noisy, (32, 32), &coordinate);
    assert_eq!((data.images, data.notes), (None, texts(&[TOO_MANY])));
    assert_eq!(data.shown, 3000);
    let grey = Points::new(vec![1.0; 3000 * 1024], 1024).unwrap();
    let data = of_pictures(&grey, (32, 32), &coordinate);
    assert_eq!(data.images.map(|atlas| atlas.across), Some(55));
    assert_eq!(data.notes, Vec::<String>::new());
}

#[test]
fn columns_beyond_the_room_there_is_are_left_out_with_a_warning() {
    // 1 500 000 bytes hold seven columns of 50 000 numbers.
    let n = 50_000;
    let numbers = |columns: u32| {
        let value = |i: u32| f64::from(i % columns * 1000 + i / columns % 1000);
        Points::new((0..n * columns).map(value).collect(), columns as usize).unwrap()
    };
    let (truth, given) = (numbers(2), numbers(8));
    let truths = texts(&["t", "height"]);
    let names: Vec<String> = (0..8).map(|c| format!("x{c}")).collect();
    let coordinate = vec![1.0; n as usize];
    let source = Source {
        given: Some(&given),
        names: &names,
        truth: Some((&truths, &truth)),
        numbers: vec![("asked for", coordinate.as_slice())],
        total: n as usize,
        ..Default::default()
    };
    // What is asked for by name is there in any case.
    let plain = vec![vec![coordinate.as_slice()]];
    let setting = Setting { source, plain, ..Default::default() };
    let data = setting.data();
    let told: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(told, ["asked for", "true t", "true height", "x0", "x1", "x2", "x3", "x4"]);
    let of_column = |c: u32| Floats((0..n).map(|i| (c * 1000 + i % 1000) as f32).collect());
    for (at, c) in [(1, 0), (2, 1), (3, 0), (7, 4)] {
        assert!(data.columns[at].values == of_column(c), "{}", data.columns[at].name);
    }
    let left_out = "3 column(s) are left out of the colours, to keep the page small";
    assert_eq!(data.notes, [left_out]);
    // As many as there is room for.
    let mut fewer = setting.clone();
    fewer.source.names = &names[..5];
    let data = fewer.data();
    assert_eq!((data.columns.len(), data.notes), (8, Vec::new()));
}
