//! Pictures are well-formed, whatever the names in them.
#![allow(clippy::unwrap_used)]

mod common;

use std::process::Stdio;

use common::{Place, Ran, is_png};
use nrdr_write::printable;

/// Draws points with these labels, the file and the column of the labels having odd names as well.
fn drawn(place: &Place, file: &str, column: &str, labels: &[String]) -> Vec<String> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let line = |i: usize| {
        format!("{},{},{},{}\n", i % 7, i * i % 11, i, quoted(&labels[i % labels.len()]))
    };
    let rows: String = (0..60).map(line).collect();
    place.write(file, format!("x,y,z,{}\n{rows}", quoted(column)));
    for picture in ["out.svg", "out.png"] {
        let mut command = place.command("embed -k 8 -q --label 4 --plot");
        let ran = Ran::from(command.args([picture, file]).stdin(Stdio::null()).output().unwrap());
        assert_eq!(ran.code, Some(0), "{file:?} {labels:?} {ran:?}");
    }
    assert!(is_png(&place.path("out.png")));
    let svg = place.read("out.svg");
    let parsed = roxmltree::Document::parse(&svg).unwrap();
    let texts = parsed.descendants().filter(|node| node.is_element() && node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().to_string()).collect()
}

#[test]
fn every_character_that_xml_forbids_can_be_in_a_label() {
    let place = Place::new();
    let controls = (0..0x20).chain(0x7f..0xa0).chain([0xfffe, 0xffff, 0x202e, 0x2028, 0x1fffe]);
    let controls: Vec<char> = controls.filter_map(char::from_u32).collect();
    // As many as a legend names.
    for some in controls.chunks(12) {
        let labels: Vec<String> = some.iter().map(|control| format!("a{control}b")).collect();
        let texts = drawn(&place, "t.csv", "kind", &labels);
        for label in &labels {
            assert!(texts.contains(&printable(label)), "{label:?} {texts:?}");
        }
    }
}

#[test]
fn what_xml_or_formulas_begin_with_is_text() {
    let place = Place::new();
    let labels: Vec<String> =
        ["<script>", "a&b;&#0;", "\"q\" 'p'", "]]>", "$x^2$ $", "\\$ \\frac", "<!--", "größe 大"]
            .map(String::from)
            .to_vec();
    let texts = drawn(&place, "<a>&\"'$b$\u{1b}.csv", "<k>$\u{7}$", &labels);
    for label in &labels {
        assert!(texts.contains(label), "{label:?} {texts:?}");
    }
    let title = "<a>&\"'$b$\\u{1b}.csv: non-redundant LEM";
    assert!(texts.iter().any(|text| text == title), "{texts:?}");
    assert!(texts.iter().any(|text| text == "coloured by <k>$\\u{7}$"), "{texts:?}");
}

#[test]
fn long_names_are_cut() {
    let place = Place::new();
    let long = |c: &str| c.repeat(200 / c.len());
    let texts = drawn(&place, &format!("{}.csv", long("x")), &long("k"), &[long("ü"), "b".into()]);
    assert!(texts.contains(&format!("{}…", "ü".repeat(16))), "{texts:?}");
    assert!(texts.iter().all(|text| text.chars().count() < 100), "{texts:?}");
}
