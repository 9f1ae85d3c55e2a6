//! Parts in, parts and a manifest out, on any number of members.
#![allow(missing_docs, clippy::unwrap_used)]

mod place;

use std::fs;

use nrdr::{DiffusionMaps, Embedding, Options, Points, Strategy, embed};
use nrdr_cli::shared::Sample;
use nrdr_mpi::manifest::Manifest;
use place::{Place, write};
use sha2::{Digest, Sha256};

/// What a single machine makes of it.
fn alone(points: &Points) -> Embedding {
    let options = Options { strategy: Strategy::orthogonal(), ..Default::default() };
    embed(points, &DiffusionMaps::default(), &options).unwrap()
}

const RUN: &str = "embed ./in -m dfm -s orthogonal -q -o ./out";

fn manifest(place: &Place, name: &str) -> Manifest {
    serde_json::from_str(&fs::read_to_string(place.path(name)).unwrap()).unwrap()
}

/// The parts of a run are those of the embedding, and the manifest tells of them.
fn check(place: &Place, ending: &str, rows: &[usize], wanted: &Embedding) {
    let manifest = manifest(place, "out/manifest.json");
    assert_eq!(manifest.parts.len(), rows.len());
    assert_eq!(manifest.eigenvalues, wanted.eigenvalues().collect::<Vec<f64>>());
    let mut start = 0;
    for (i, (&rows, written)) in rows.iter().zip(&manifest.parts).enumerate() {
        let name = format!("part-{}.{ending}", i + 1);
        assert_eq!((&written.name, written.rows), (&name, rows as u64));
        let bytes = fs::read(place.path("out").join(&name)).unwrap();
        let sum: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!((written.bytes, &written.sha256), (bytes.len() as u64, &sum));
        let (found, values) = place.part(&format!("out/{name}"));
        assert_eq!(found, rows);
        let of_row = |row: usize| wanted.row(start + row).collect::<Vec<f64>>();
        assert_eq!(values, (0..rows).flat_map(of_row).collect::<Vec<f64>>(), "{name}");
        start += rows;
    }
}

#[test]
fn as_many_parts_out_as_in_on_any_number_of_members() {
    for (ending, rows, members) in [
        ("npy", vec![60, 1, 70, 20], 1),
        ("npy", vec![60, 1, 70, 20], 2),
        // More than ten, in their natural order.
        ("npy", vec![13, 9, 20, 8, 7, 11, 12, 6, 14, 10, 40, 5], 3),
        ("parquet", vec![60, 1, 70, 20], 3),
        ("parquet", vec![120], 4),
        // More members than parts, and than rows.
        ("npy", vec![2, 15], 20),
    ] {
        let place = Place::new();
        let points = place.parts("in", ending, &rows);
        place.ok(members, RUN);
        check(&place, ending, &rows, &alone(&points));
        let mut names: Vec<String> =
            (1..=rows.len()).map(|i| format!("part-{i}.{ending}")).collect();
        names.extend(["manifest.json".to_string(), "sample".to_string()]);
        names.sort();
        assert_eq!(place.files("out"), names);
    }
}

#[test]
fn one_file_is_read_by_ranges_of_rows() {
    let place = Place::new();
    let points = place.parts("in", "npy", &[150]);
    place.ok(3, "embed ./in/part-1.npy -m dfm -s orthogonal -q -o ./out --format parquet");
    check(&place, "parquet", &[150], &alone(&points));
}

#[test]
fn columns_are_chosen_and_labels_are_shown() {
    let place = Place::new();
    let points = place.parts("in", "parquet", &[80, 70]);
    let two = Points::from_columns(&[points.column(0), points.column(2)]).unwrap();
    place.ok(2, &format!("{RUN} --label y"));
    check(&place, "parquet", &[80, 70], &alone(&two));
    let sample = Sample::read(&place.path("out/sample")).unwrap();
    assert_eq!(
        (sample.drawn.names, sample.drawn.labels),
        (vec!["x".into(), "z".into()], vec!["y".to_string()])
    );
    assert_eq!(sample.rows, (0..150).collect::<Vec<u64>>());
    assert_eq!(sample.labels[0][9], points.row(9)[1].to_string());
    assert_eq!(sample.coordinates[0][1], alone(&two).coordinate(1));
    assert_eq!(sample.given, two);
}

#[test]
fn rows_with_missing_values_stay_empty() {
    let place = Place::new();
    let points = place.parts("in", "npy", &[80, 70]);
    let mut values = points.values().to_vec();
    // The first and the last row of the second part, and one that is not alone.
    for row in [80, 100, 149] {
        values[3 * row + 1] = f64::NAN;
    }
    let bytes = fs::read(place.path("in/part-2.npy")).unwrap();
    let head = bytes.len() - 70 * 3 * 8;
    let tail = values[3 * 80..].iter().flat_map(|v| v.to_le_bytes());
    fs::write(
        place.path("in/part-2.npy"),
        bytes[..head].iter().copied().chain(tail).collect::<Vec<u8>>(),
    )
    .unwrap();
    place.fails(3, RUN, "part-2.npy: row 1, column \"x2\" is missing");
    assert_eq!(place.files("out"), Vec::<String>::new());
    place.ok(3, &format!("{RUN} --missing drop"));
    let kept: Vec<u32> = (0..150).filter(|row| ![80, 100, 149].contains(row)).collect();
    let wanted = alone(&points.select(&kept));
    let (_, found) = place.part("out/part-2.npy");
    for (row, values) in found.chunks_exact(2).enumerate() {
        match kept.binary_search(&(80 + row as u32)) {
            Ok(at) => assert_eq!(values, wanted.row(at).collect::<Vec<f64>>()),
            Err(_) => assert!(values.iter().all(|value| value.is_nan())),
        }
    }
    assert_eq!(manifest(&place, "out/manifest.json").left_out, 3);
}

#[test]
fn columns_are_standardised_as_on_a_single_machine() {
    let place = Place::new();
    let points = place.parts("in", "npy", &[80, 70]);
    place.ok(3, &format!("{RUN} --standardize"));
    let standard = nrdr_model::Preparation::default().standardize(&points).unwrap();
    let wanted = alone(&standard);
    let (_, found) = place.part("out/part-1.npy");
    for (row, values) in found.chunks_exact(2).enumerate() {
        for (value, wanted) in values.iter().zip(wanted.row(row)) {
            assert!((value - wanted).abs() < 1e-7, "{row}: {value} {wanted}");
        }
    }
}

#[test]
fn what_is_no_input_is_refused_by_its_name() {
    let place = Place::new();
    place.parts("in", "npy", &[30, 30, 30]);
    fs::create_dir(place.path("empty")).unwrap();
    place.fails(2, "embed ./empty -o ./out", "is an empty folder");
    place.fails(2, "embed ./none -o ./out", "does not exist");
    let bytes = fs::read(place.path("in/part-2.npy")).unwrap();
    fs::write(place.path("in/part-2.npy"), &bytes[..bytes.len() - 100]).unwrap();
    place.fails(3, RUN, "part-2.npy: is cut short or damaged");
    fs::write(place.path("in/part-2.npy"), b"no array").unwrap();
    place.fails(3, RUN, "part-2.npy: is cut short or damaged");
    let flat = Points::new(vec![1.0; 60], 2).unwrap();
    write(&place.path("in/part-2.npy"), &Points::new(vec![1.0; 60], 3).unwrap(), 0..20);
    let columns = [flat.column(0), flat.column(1)].map(nrdr_io::Column::from);
    let names = ["x", "y"].map(str::to_string);
    nrdr_io::write_table(&place.path("in/part-2.npy"), &names, &columns).unwrap();
    place.fails(3, RUN, "part-2.npy has 2 column(s), and part-1.npy has 3");
    fs::rename(place.path("in/part-2.npy"), place.path("in/part-2.csv")).unwrap();
    place.fails(2, RUN, "part-2.csv cannot be read in ranges of rows");
    nrdr_io::write_table(&place.path("in/part-2.parquet"), &names, &columns).unwrap();
    fs::remove_file(place.path("in/part-2.csv")).unwrap();
    place.fails(2, RUN, "has parts of two kinds, part-1.npy and part-2.parquet");
    assert_eq!(place.files("out"), Vec::<String>::new());
}

#[test]
fn names_of_columns_are_those_of_the_first_part() {
    let place = Place::new();
    place.parts("in", "parquet", &[30, 30]);
    let columns = [[1.0; 9]; 3].map(|values| nrdr_io::Column::from(values.to_vec()));
    let names = ["x", "z", "y"].map(str::to_string);
    nrdr_io::write_table(&place.path("in/part-2.parquet"), &names, &columns).unwrap();
    place.fails(
        2,
        RUN,
        "part-2.parquet has other columns than part-1.parquet, where \"z\" is \"y\"",
    );
    let names = ["x", "y", "z"].map(str::to_string);
    let mut large = vec![1.0; 9];
    large[4] = 1e200;
    let columns = [vec![1.0; 9], large, vec![2.0; 9]].map(nrdr_io::Column::from);
    nrdr_io::write_table(&place.path("in/part-2.parquet"), &names, &columns).unwrap();
    place.fails(2, RUN, "part-2.parquet: row 5, column \"y\" is 1e200");
}

#[test]
fn parts_of_another_run_are_never_mixed() {
    let place = Place::new();
    let points = place.parts("in", "npy", &[60, 50]);
    place.ok(2, RUN);
    let before = fs::read(place.path("out/part-1.npy")).unwrap();
    let other = "embed ./in -m lem -s orthogonal -q -o ./out";
    place.fails(3, other, "has the parts of another run, made with --method dfm");
    place.fails(2, &format!("{RUN} --seed 1"), "this run has --seed 1");
    // The same run, on another number of members, writes the same again.
    place.ok(3, RUN);
    assert_eq!(fs::read(place.path("out/part-1.npy")).unwrap(), before);
    // The same options, and other rows.
    write(&place.path("in/part-2.npy"), &points, 0..50);
    place.fails(2, RUN, "made with the sum of the rows");
    fs::remove_file(place.path("out/manifest.json")).unwrap();
    place.fails(2, RUN, "has the part part-1.npy of a run without a manifest");
    place.fails(2, "embed ./in -m dfm -q -o ./in", "is the folder of the input as well");
}

#[test]
fn what_an_ended_run_left_is_removed() {
    let place = Place::new();
    let points = place.parts("in", "npy", &[60, 50]);
    fs::create_dir(place.path("out")).unwrap();
    fs::write(place.path("out/.nrdr-abc123.tmp"), b"half of a part").unwrap();
    place.ok(2, RUN);
    assert!(!place.files("out").contains(&".nrdr-abc123.tmp".to_string()));
    // One that was ended while parts took their names.
    let run = manifest(&place, "out/manifest.json").run;
    fs::remove_file(place.path("out/manifest.json")).unwrap();
    fs::remove_file(place.path("out/part-2.npy")).unwrap();
    let begun = serde_json::json!({ "run": run }).to_string();
    fs::write(place.path("out/.nrdr-run.json"), begun).unwrap();
    place.fails(2, &format!("{RUN} --seed 1"), "has the parts of another run");
    place.ok(3, RUN);
    check(&place, "npy", &[60, 50], &alone(&points));
    assert!(!place.files("out").contains(&".nrdr-run.json".to_string()));
}

#[test]
fn a_model_embeds_the_points_that_it_was_made_from() {
    let place = Place::new();
    let points = place.parts("in", "npy", &[150, 90]);
    place.ok(2, "embed ./in -d 2 -o ./out --model ./a.model --standardize --json ./a.json");
    let file = nrdr_model::ModelFile::from_bytes(&fs::read(place.path("a.model")).unwrap());
    let file = file.unwrap();
    assert_eq!((file.model().rows(), file.columns()), (240, points.columns()));
    assert!(file.preparation().standardize.is_some());
    place.ok(3, "transform ./a.model ./in -o ./again");
    for part in ["part-1.npy", "part-2.npy"] {
        let read = |folder: &str| {
            let path = place.path(folder).join(part);
            nrdr_io::read(&path, &nrdr_io::ReadOptions::default()).unwrap().values
        };
        let (ours, again) = (read("out"), read("again"));
        assert!(ours.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-6));
        assert!(ours.iter().any(|value| value.abs() > 1e-3));
    }
}

#[test]
fn options_that_make_no_sense_are_refused_before_any_work() {
    let place = Place::new();
    place.parts("in", "npy", &[60, 50]);
    for (option, wanted) in [
        ("--report ./a.html", "`nrdr report OUT -o page.html`"),
        ("--pca 2", "--pca is not taken"),
        ("--impute mean", "--impute is not taken"),
        ("--neighbors-approximate", "neighbours are exact here"),
        ("--neighbors ./none", "is no folder: give --neighbors-from"),
        ("-d 200", "200"),
        ("-k 500", "500"),
        ("--gamma 3", "belongs to kpca"),
    ] {
        let ended = place.run(2, &format!("{RUN} {option}"));
        let error = ended.err().unwrap_or_default();
        assert!(error.contains(wanted), "{option}: {error}");
        assert!(place.files("out").is_empty(), "{option}");
    }
    // What a run on a single machine tells of its options is no refusal.
    let config =
        r#"{"config": {"header": "auto", "skip": "0", "neighbors": "7", "channels": "grey"}}"#;
    fs::write(place.path("run.json"), config).unwrap();
    place.ok(2, &format!("{RUN} --config ./run.json"));
    let run = manifest(&place, "out/manifest.json").run;
    assert!(run.contains(&("neighbors".to_string(), "7".to_string())), "{run:?}");
}

#[test]
fn numbers_and_the_page_come_from_a_sample() {
    let place = Place::new();
    place.parts("in", "npy", &[3000, 4000]);
    place.ok(2, "embed ./in -m dfm -q -o ./out --json ./run.json");
    let told: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(place.path("run.json")).unwrap()).unwrap();
    assert_eq!((told["n"].as_u64(), told["rows"].as_u64()), (Some(7000), Some(7000)));
    assert_eq!(told["config"]["method"], "dfm");
    assert_eq!(told["strategy"], "priced");
    assert_eq!(told["original"]["strategy"], "orthogonal");
    assert!(told["redundancy"]["errors"][1].as_f64().unwrap() > 0.3, "{}", told["redundancy"]);
    let sample = Sample::read(&place.path("out/sample")).unwrap();
    assert_eq!((sample.rows.len(), sample.coordinates.len()), (5000, 2));
    let page = sample.html().unwrap();
    assert!(page.contains("the page shows 5000 of 7000 points"));
}
