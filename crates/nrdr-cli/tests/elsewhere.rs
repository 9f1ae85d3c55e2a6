//! Labels from other files and arrays, tables of genes, colour pictures, and formats of other programs.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Place, numbers};
use serde_json::Value;

/// The shares of the labels that neighbours have.
fn shares(place: &Place, json: &str) -> Value {
    let found: Value = serde_json::from_str(&place.read(json)).unwrap();
    found["quality"]["accuracy"].clone()
}

/// The labels of `Place::labelled` alone, and its table without them.
fn split(place: &Place, table: &str) -> (String, String) {
    let text = place.read(table);
    let rows = text.lines().map(|line| line.rsplit_once(',').unwrap());
    let (points, labels): (Vec<&str>, Vec<&str>) = rows.unzip();
    (points.join("\n") + "\n", labels.join("\n").replace('"', "") + "\n")
}

#[test]
fn labels_of_another_file_count_like_those_of_the_table() {
    let place = Place::new();
    place.labelled("t.csv", ["left", "right"]);
    let (points, labels) = split(&place, "t.csv");
    place.write("points.csv", points);
    place.write("labels.csv", &labels);
    place.write("bare.csv", labels.strip_prefix("kind\n").unwrap());
    place.ok("embed t.csv --label kind --drop kind --json inside.json --report inside.html --plot inside.svg");
    for file in ["labels.csv", "bare.csv"] {
        place.ok(&format!(
            "embed points.csv --labels {file} --json outside.json --report outside.html --plot outside.svg"
        ));
        assert_eq!(shares(&place, "outside.json"), shares(&place, "inside.json"), "{file}");
        assert!(shares(&place, "outside.json").is_number(), "{:?}", shares(&place, "outside.json"));
        assert!(place.read("outside.svg").contains("left"), "{file}");
        assert!(place.read("outside.html").contains("\"left\",\"right\""), "{file}");
    }
    let compared =
        place.ok("compare points.csv --labels labels.csv --strategies orthogonal,unpredictable");
    assert!(compared.contains("label"), "{compared}");
    // The run can be repeated by what it wrote.
    place.ok("embed --config outside.json --json again.json");
    assert_eq!(shares(&place, "again.json"), shares(&place, "inside.json"));
}

#[test]
fn labels_of_another_file_must_be_as_many_as_the_points() {
    let place = Place::new();
    place.labelled("t.csv", ["left", "right"]);
    let (points, labels) = split(&place, "t.csv");
    place.write("points.csv", &points);
    place.write("labels.csv", &labels);
    place.write("short.csv", "kind\na\nb\n");
    place.fails(
        "embed points.csv --labels short.csv -o out.csv",
        "short.csv: has 2 label(s), but there are 200 points",
        "give one for each point",
    );
    place.fails(
        "embed points.csv --labels none.csv -o out.csv",
        "none.csv: does not exist",
        "check the path",
    );
    place.fails(
        "embed --dataset strip --labels labels.csv -o out.csv",
        "--labels belongs to files, not to generated data",
        "leave it out",
    );
    place.fails(
        "embed points.csv --label-variable y -o out.csv",
        "points.csv: holds no further arrays",
        "leave --label-variable out",
    );
    let ran = place.run("embed points.csv --labels labels.csv -o labels.csv");
    assert_eq!((ran.code, place.read("labels.csv")), (Some(2), labels.clone()), "{}", ran.err);
    // Rows that are left out have no label either.
    let mut lines: Vec<&str> = points.lines().collect();
    lines[2] = ",1,2";
    place.write("holed.csv", lines.join("\n"));
    place
        .ok("embed holed.csv --missing drop --labels labels.csv --id 1 -o out.csv --json out.json");
    assert!(shares(&place, "out.json").is_number());
    assert_eq!(place.read("out.csv").lines().count(), 201);
}

#[test]
fn labels_of_another_array_of_the_file() {
    let place = Place::new();
    place.labelled("t.csv", ["left", "right"]);
    place.ok("embed t.csv --id kind --drop kind -d 3 -o t.npz --label kind --json inside.json");
    place.ok("embed t.npz --variable embedding --label-variable kind --json outside.json --report r.html");
    assert!(shares(&place, "outside.json").is_number());
    assert!(place.read("r.html").contains("\"left\",\"right\""));
    place.fails(
        "embed t.npz --label-variable nothing -o out.csv",
        "t.npz: has no array \"nothing\" (the arrays are embedding, columns, kind)",
        "choose one of them with --variable",
    );
}

#[test]
fn tables_of_genes_are_turned_when_asked() {
    let place = Place::new();
    let samples: Vec<String> = (0..40).map(|j| format!("s{j}")).collect();
    let row = |i: usize| {
        let value = |j: usize| ((i + 1) as f64 * j as f64 / 40.0).sin();
        let values: Vec<String> = (0..40).map(|j| value(j).to_string()).collect();
        format!("ENSG{i:011},{}\n", values.join(","))
    };
    let rows: String = (0..60).map(row).collect();
    place.write("genes.csv", format!("gene,{}\n{rows}", samples.join(",")));
    let plain = place.ok("embed genes.csv -k 6 -o plain.csv");
    assert!(
        plain.contains("note: the first column, \"gene\", seems to name genes or other features, and each row is a point: if the columns are the points, --transpose turns the table"),
        "{plain}"
    );
    assert_eq!(numbers(&place.read("plain.csv")).len(), 60);
    let turned = place.ok("embed genes.csv --transpose --id name -k 6 -o turned.csv --model m");
    assert!(turned.contains("40 points, 60 columns") && !turned.contains("seems"), "{turned}");
    let coordinates = place.read("turned.csv");
    assert!(coordinates.lines().nth(3).unwrap().starts_with("s2,"), "{coordinates}");
    // New points are found by the names of the genes.
    place.ok("transform m genes.csv --transpose -o again.csv");
    let bare: Vec<Vec<f64>> = coordinates
        .lines()
        .skip(1)
        .map(|line| line.split(',').skip(1).map(|field| field.parse().unwrap()).collect())
        .collect();
    let again = numbers(&place.read("again.csv"));
    assert_eq!(again.len(), bare.len());
    for (a, b) in again.iter().flatten().zip(bare.iter().flatten()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn pictures_in_colour_are_shown_in_colour() {
    let place = Place::new();
    std::fs::create_dir(place.path("pictures")).unwrap();
    for i in 0..40u8 {
        let pixel = |x: u32, y: u32| image::Rgb([6 * i, 255 - 6 * i, (40 * x + 20 * y) as u8]);
        let path = place.path(&format!("pictures/{i:02}.png"));
        image::RgbImage::from_fn(4, 3, pixel).save(path).unwrap();
    }
    let told = place.ok("embed pictures --channels rgb -k 5 -o out.csv --report r.html --model m");
    assert!(told.contains("40 points, 36 columns"), "{told}");
    let page = place.read("r.html");
    let start = page.find("data:image/png;base64,").unwrap() + "data:image/png;base64,".len();
    let end = start + page[start..].find('"').unwrap();
    let sheet = base64_of(&page[start..end]);
    let sheet = image::load_from_memory(&sheet).unwrap();
    assert!(sheet.color().has_color(), "{:?}", sheet.color());
    place.ok("transform m pictures --channels rgb -o again.csv");
    place.fails(
        "transform m pictures -o grey.csv",
        "pictures: has 12 column(s) of numbers, but 36 are wanted; it has no column \"x1\"",
        "choose the same ones with --columns or --drop",
    );
    let told = place.ok("embed pictures -k 5 -o out.csv");
    assert!(told.contains("40 points, 12 columns"), "{told}");
}

/// The bytes of a text in base 64.
fn base64_of(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text.bytes().filter(|c| *c != b'=').map(|c| value(c).into()).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().enumerate().fold(0, |bits, (i, digit)| bits | digit << (18 - 6 * i));
        bits.to_be_bytes().into_iter().skip(1).take(four.len() - 1).collect::<Vec<u8>>()
    });
    bytes.collect()
}

#[test]
fn tables_in_colour_have_three_numbers_a_pixel() {
    let place = Place::new();
    let row = |i: usize| (0..12).map(|j| ((i * (j + 1)) % 17).to_string()).collect::<Vec<_>>();
    let rows: String = (0..40).map(|i| row(i).join(",") + "\n").collect();
    place.write("t.csv", rows);
    place.ok("embed t.csv --images 2x2x3 -k 5 --report r.html");
    place.fails(
        "embed t.csv --images 3x3x3 -k 5 -o out.csv",
        "12 columns are not pictures of 3 x 3 in 3 colours",
        "mend --images, or leave out other columns with --drop",
    );
}

#[test]
fn an_unknown_ending_is_told_with_the_known_ones() {
    let place = Place::new();
    place.write("t.sav", "x");
    place.fails(
        "embed t.sav -o out.csv",
        "t.sav: has no known ending",
        "give .csv, .tsv, .txt, .dat, .idx, .mtx (each also with .gz), .npy, .npz, .parquet, .arrow, .feather, .xlsx, .mat, .h5, .h5ad, or a folder of .png or .jpg",
    );
}
