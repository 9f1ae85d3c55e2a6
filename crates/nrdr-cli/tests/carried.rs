//! Labels, identifiers and colours: what is shown and written beside the coordinates.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;
use serde_json::Value;

/// A table with identifiers that begin with zeros, two labels, a number beside the points, and a text in one row only.
fn table(place: &Place, name: &str) {
    let mut text = "code,x,y,z,kind,size,price,remark\n".to_string();
    for i in 0..120u32 {
        let t = f64::from(i);
        let (x, y, z) = ((0.37 * t).sin(), (0.91 * t).cos(), (0.23 * t).sin() + t / 40.0);
        let (kind, size) = (["a", "b"][i as usize % 2], ["small", "large", "huge"][i as usize % 3]);
        let remark = if i == 7 { "odd, perhaps" } else { "" };
        text += &format!("{i:04},{x},{y},{z},{kind},{size},{},\"{remark}\"\n", 100.0 - t);
    }
    place.write(name, text);
}

#[test]
fn identifiers_and_columns_stand_before_the_coordinates() {
    let place = Place::new();
    table(&place, "t.csv");
    place.ok(
        "embed t.csv --drop price --id code --label kind --keep kind,x,price,remark -o out.csv -q",
    );
    let out = place.read("out.csv");
    let mut lines = out.lines();
    assert_eq!(lines.next(), Some("code,kind,x,price,remark,f1,f2"));
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 120);
    assert!(rows[0].starts_with("0000,a,0.0,100,,"), "{}", rows[0]);
    assert!(
        rows[7].starts_with("0007,b,") && rows[7].contains(",93,\"odd, perhaps\","),
        "{}",
        rows[7]
    );
    // What is carried is not embedded, unless it was before.
    place.ok("embed t.csv --columns x,y,z -o plain.csv -q");
    place.ok("embed t.csv --columns x,y,z --id code --keep price,x -o again.csv -q");
    let plain = place.read("plain.csv");
    let again = place.read("again.csv");
    for (a, b) in plain.lines().zip(again.lines()) {
        assert!(b.ends_with(&format!(",{a}")), "{b} does not carry {a}");
    }
}

#[test]
fn other_formats_carry_numbers_as_numbers_and_texts_where_they_can() {
    let place = Place::new();
    table(&place, "t.csv");
    let read = |file: &str| {
        place.ok(&format!("embed {file} --columns f1,f2 --id code --keep kind -o again.csv -q"));
        place.read("again.csv")
    };
    place.ok("embed t.csv --columns x,y,z --id code --keep kind,price -o out.parquet -q");
    let again = read("out.parquet");
    assert!(again.starts_with("code,kind,f1,f2\n0,a,"), "{again}");
    place.ok("embed t.csv --columns x,y,z --id code --keep price -o out.npy -q");
    place.ok("redundancy out.npy --columns 3,4");
    place.ok("embed t.csv --columns x,y,z --id code --keep kind,price -o out.npz -q");
    place.fails(
        "embed t.csv --columns x,y,z --keep kind -o texts.npy",
        "texts.npy: cannot hold the texts of column \"kind\"",
        "give .csv, .tsv, .npz or .parquet",
    );
}

#[test]
fn rows_that_are_left_out_keep_their_identifiers() {
    let place = Place::new();
    table(&place, "t.csv");
    let holed = place.read("t.csv").replacen("0003,", "0003,NA,", 1);
    let holed: Vec<String> = holed
        .lines()
        .map(|line| {
            if line.starts_with("0003") {
                "0003,NA,1,1,b,small,97,".to_string()
            } else {
                line.to_string()
            }
        })
        .collect();
    place.write("holed.csv", holed.join("\n"));
    place.ok("embed holed.csv --missing drop --id code --keep kind,price -o out.csv -q");
    let out = place.read("out.csv");
    assert_eq!(out.lines().nth(4), Some("0003,b,,,"), "{out}");
    assert!(out.lines().nth(5).unwrap().starts_with("0004,a,96.0,"));
}

#[test]
fn several_labels_and_colours_are_on_the_page_and_not_among_the_points() {
    let place = Place::new();
    table(&place, "t.csv");
    place.ok("embed t.csv --id code --label kind,size --color price,remark --report out.html --json out.json -q");
    let page = place.read("out.html");
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let names = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(names(&data["labels"]), ["kind", "size", "remark"]);
    assert_eq!(data["ids"]["name"], "code");
    assert_eq!(names(&data["columns"]), ["price", "x", "y", "z"]);
    let run: Value = serde_json::from_str(&place.read("out.json")).unwrap();
    assert!(run["quality"]["accuracy"].is_number());
    place.ok("embed t.csv --columns x,y,z -o plain.csv -q");
    place.ok("embed t.csv --id code --label kind,size --color price,remark -o out.csv -q");
    let coordinates =
        |line: &str| line.split(',').rev().take(2).map(str::to_string).collect::<Vec<_>>();
    assert!(
        place
            .read("out.csv")
            .lines()
            .map(coordinates)
            .eq(place.read("plain.csv").lines().map(coordinates))
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let place = Place::new();
    table(&place, "t.csv");
    place.write("names.csv", place.read("t.csv").replacen("code", "f1", 1));
    place.fails(
        "embed names.csv --id f1 -o out.csv",
        "column \"f1\" is called as a coordinate is",
        "leave it out of --keep and --id, or call it otherwise",
    );
    let ran = place.run("embed t.csv --keep nothing -o out.csv");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("has no column \"nothing\""), "{}", ran.err);
    for option in ["label", "id", "color"] {
        place.fails(
            &format!("embed --dataset torus --{option} x -o out.csv"),
            &format!("--{option} belongs to files, not to generated data"),
            "leave it out",
        );
    }
}

#[test]
fn a_label_of_many_numbers_gets_a_word() {
    let place = Place::new();
    table(&place, "t.csv");
    let told = place.ok("embed t.csv --drop code --label price -o out.csv");
    assert!(
        told.contains("label \"price\" has 120 different numbers, each a class: --color price"),
        "{told}"
    );
}
