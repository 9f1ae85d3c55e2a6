//! The same points in every spelling of a text table, and points with missing values that are filled.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{Place, Ran, numbers};

/// Sixty points on a bent strip, row after row.
fn points() -> Vec<[f64; 3]> {
    let point = |i: i32| {
        let t = f64::from(i);
        [(0.37 * t).sin(), (0.91 * t).cos(), (0.1 * t).floor() / 4.0]
    };
    (0..60).map(point).collect()
}

/// The points with names of columns and ends of lines.
fn text(names: &str, separator: &str, comma: bool, end: &str) -> String {
    let mut text = names.replace(',', separator) + end;
    for point in points() {
        let numbers = point.map(|number| number.to_string());
        let line = numbers.join(separator);
        text += &(if comma { line.replace('.', ",") } else { line } + end);
    }
    text
}

fn utf_16(text: &str) -> Vec<u8> {
    let text: String = ["\u{feff}", text].concat();
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|letter| letter as u8).collect()
}

/// What a command tells of a table on standard input.
fn fed(place: &Place, arguments: &str, bytes: &[u8]) -> Ran {
    let mut command = place.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    Ran::from(child.wait_with_output().unwrap())
}

#[test]
fn the_same_points_in_every_spelling() {
    let place = Place::new();
    place.write("plain.csv", text("größe,y,z", ",", false, "\n"));
    place.ok("embed plain.csv -k 6 -o plain.out.csv --model plain.model -q");
    let expected = place.read("plain.out.csv");
    place.ok("transform plain.model plain.csv -o plain.new.csv -q");
    let trailing = text("größe,y,z", ",", false, ",\n");
    let comments = format!("# by hand, in May\n#\n{}", text("größe,y,z", ",", false, "\n"));
    let before = format!("Report\n\n{}", text("größe,y,z", ";", true, "\r\n"));
    let spellings = [
        ("a.csv", text("größe,y,z", ";", true, "\r\n").into_bytes(), "", ""),
        ("b.txt", text("größe,y,z", ",", false, "\n").into_bytes(), "", ""),
        ("c.csv", text("größe,y,z", "\t", true, "\n").into_bytes(), "", ""),
        ("d.csv", text("größe,y,z", "|", false, "\n").into_bytes(), "", ""),
        ("e.dat", text("größe,y,z", "   ", false, "  \n").into_bytes(), "", ""),
        ("f.txt", utf_16(&text("größe,y,z", "\t", false, "\r\n")), "", ""),
        ("g.csv", latin(&text("größe,y,z", ",", false, "\n")), "", "read as Windows-1252"),
        ("h.csv", latin(&text("größe,y,z", ",", false, "\n")), " --encoding latin1", ""),
        ("i.csv", trailing.into_bytes(), "", "lines end in 1 separator(s) more"),
        ("j.csv", comments.into_bytes(), "", "comments are left out: lines 1 to 2"),
        ("k.csv", before.into_bytes(), " --skip 2", ""),
        (
            "l.csv",
            text("größe,y,z", ";", true, "\n").into_bytes(),
            " --separator ; --decimal comma",
            "",
        ),
    ];
    for (name, bytes, options, note) in spellings {
        place.write(name, &bytes);
        let run = |arguments: &str| {
            let ran = place.run(arguments);
            assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{name} {ran:?}");
            assert_eq!(ran.err.contains("warning: "), !note.is_empty(), "{name} {ran:?}");
            assert!(ran.err.contains(note), "{name} {ran:?}");
        };
        run(&format!("embed {name} -k 6{options} -o out.csv --json run.json -q"));
        assert_eq!(place.read("out.csv"), expected, "{name}");
        // New points come in pieces, and what was said of a table is kept with the results.
        run(&format!("transform plain.model {name}{options} -o new.csv -q"));
        assert_eq!(place.read("new.csv"), place.read("plain.new.csv"), "{name}");
        place.ok("embed --config run.json -o again.csv -q");
        assert_eq!(place.read("again.csv"), expected, "{name}");
        let arguments = format!("embed - -k 6{options} -o piped.csv -q");
        assert_eq!(fed(&place, &arguments, &bytes).code, Some(0), "{name}");
        assert_eq!(place.read("piped.csv"), expected, "{name}");
    }
}

#[test]
fn what_could_be_read_in_two_ways_is_refused_with_the_way_out() {
    let place = Place::new();
    place.write("one.txt", "1,5\n2,5\n3,5\n");
    place.fails(
        "redundancy one.txt",
        "one.txt: may hold one column with decimal commas, or columns between commas",
        "say which with --separator tab or --separator comma",
    );
    place.write("thousands.csv", "1 000\n2 000\n");
    place.fails(
        "redundancy thousands.csv",
        "thousands.csv: may hold numbers with their thousands set apart, or columns between blanks",
        "say which with --separator comma or --separator blank",
    );
    place.write("export.csv", "Exported\nin May\n\na,b\n1,2\n3,x\n");
    place.fails(
        "redundancy export.csv",
        "export.csv: line 4 has 2 fields and the first has 1",
        "make them equal, and put fields that hold the separator in quotes, or say --separator, or leave lines before the \
         table out with --skip",
    );
    let ran = place.run("redundancy export.csv --skip 3");
    assert!(ran.err.contains("row 2 (line 6), column \"b\" is \"x\""), "{ran:?}");
    place.write("odd.csv", b"\xff\xfea\0,\0b\0\n\x001\0,\0\x00\xd8");
    place.fails(
        "redundancy odd.csv",
        "odd.csv: line 2 is not UTF-16LE",
        "save the file in UTF-8 (Unicode), or say what it is in with --encoding",
    );
    let ran = place.run("redundancy odd.csv --encoding klingon");
    assert!(ran.code == Some(2) && ran.err.contains("no known encoding"), "{ran:?}");
    let ran = place.run("redundancy odd.csv --separator slash");
    assert!(ran.err.contains("expected comma, semicolon, tab, pipe or blank"), "{ran:?}");
    for option in ["--skip 2", "--separator tab", "--encoding latin1", "--decimal comma"] {
        let ran = place.run(&format!("embed --dataset strip -n 50 {option} -o out.csv"));
        let name = option.split(' ').next().unwrap();
        assert!(ran.err.contains(&format!("{name} belongs to files")), "{ran:?}");
    }
}

/// The points with holes: every seventh value, but never all of a row.
fn holes(mark: &str) -> String {
    let mut text = "x,y,z\n".to_string();
    for (i, point) in points().into_iter().enumerate() {
        let cell = |(j, number): (usize, f64)| {
            if (3 * i + j) % 7 == 0 { mark.to_string() } else { number.to_string() }
        };
        let cells: Vec<String> = point.into_iter().enumerate().map(cell).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// The holes filled by the means of columns.
fn filled() -> String {
    let rows = numbers(&holes(""));
    let mean = |j: usize| {
        let there = rows.iter().map(|row| row[j]).filter(|value| !value.is_nan());
        there.clone().sum::<f64>() / there.count() as f64
    };
    let means: Vec<f64> = (0..3).map(mean).collect();
    let mut text = "x,y,z\n".to_string();
    for row in rows {
        let cell = |(j, value): (usize, &f64)| if value.is_nan() { means[j] } else { *value };
        let cells: Vec<String> =
            row.iter().enumerate().map(|cell_| cell(cell_).to_string()).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

#[test]
fn missing_values_are_filled_and_so_are_those_of_new_points() {
    let place = Place::new();
    place.write("holes.csv", holes("n.d."));
    place.write("filled.csv", filled());
    place.ok("embed filled.csv -k 6 --standardize -o filled.out.csv --model filled.model -q");
    let told =
        place.ok("embed holes.csv -k 6 --standardize --impute mean -o out.csv --model mean.model");
    let note =
        "26 missing value(s) in 26 row(s) and 3 column(s) are filled by the means of their columns";
    assert!(told.contains(&format!("note: {note}\n")), "{told}");
    assert_eq!(place.read("out.csv"), place.read("filled.out.csv"));
    // New points by the model: filled by the means of the training points, whatever stands beside them.
    let new = place.read("holes.csv").lines().take(3).collect::<Vec<_>>().join("\n");
    place.write("new.csv", new);
    place.write(
        "new-filled.csv",
        place.read("filled.csv").lines().take(3).collect::<Vec<_>>().join("\n"),
    );
    let told = place.ok("transform mean.model new.csv -o new.out.csv");
    assert!(
        told.contains("note: 1 missing value(s) in 1 row(s) and 1 column(s) are filled"),
        "{told}"
    );
    place.ok("transform filled.model new-filled.csv -o new-filled.out.csv -q");
    assert_eq!(place.read("new.out.csv"), place.read("new-filled.out.csv"));
    assert!(place.ok("inspect mean.model").contains("impute         mean\n"));
    // Rows can still be left out, and a model without it does not fill.
    place.ok("transform mean.model new.csv --missing drop -o dropped.csv -q");
    assert!(numbers(&place.read("dropped.csv"))[0][0].is_nan());
    let ran = place.run("transform filled.model new.csv -o none.csv");
    assert!(ran.code == Some(2) && ran.err.contains("is missing"), "{ran:?}");
    // Each way gives others, the same with each number of threads, and a model of each fills training points as they were.
    let mut seen = vec![place.read("out.csv")];
    for how in ["median", "knn"] {
        let embed = format!("embed holes.csv -k 6 --standardize --impute {how}");
        place.ok(&format!("{embed} -o out.csv --model {how}.model -q"));
        place.ok(&format!("{embed} --threads 1 -o again.csv -q"));
        assert_eq!(place.read("out.csv"), place.read("again.csv"));
        place.ok(&format!("transform {how}.model holes.csv -o new.csv -q"));
        let (embedded, new) = (numbers(&place.read("out.csv")), numbers(&place.read("new.csv")));
        assert_eq!(embedded, new, "{how}");
        assert!(!seen.contains(&place.read("out.csv")), "{how}");
        seen.push(place.read("out.csv"));
    }
    assert!(
        place.ok("compare holes.csv --impute knn --strategies orthogonal").contains("five nearest")
    );
}

#[test]
fn what_cannot_be_filled_is_refused() {
    let place = Place::new();
    place.write("holes.csv", holes(""));
    place.fails(
        "embed holes.csv --impute mean --missing drop -o out.csv",
        "--impute fills missing values, and --missing drop leaves their rows out",
        "take one of the two",
    );
    place.write("empty.csv", "id,a,b\nx,1,\ny,2,NA\nz,3,\n");
    place.fails(
        "embed empty.csv --impute knn -o out.csv",
        "column \"b\" has no value to fill others by",
        "leave it out with --drop 3",
    );
    place.write("infinite.csv", holes("inf"));
    let ran = place.run("embed infinite.csv --impute median -o out.csv");
    assert!(ran.err.contains("row 1 (line 2), column \"x\" is infinite"), "{ran:?}");
    let ran = place.run("embed --dataset strip -n 50 --impute mean -o out.csv");
    assert!(ran.err.contains("--impute belongs to files"), "{ran:?}");
}
