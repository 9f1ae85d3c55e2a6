//! Pictures are well-formed, whatever the names in them, and show all points and classes.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Read;
use std::process::Stdio;

use common::{Place, Ran, is_png};
use flate2::read::ZlibDecoder;
use nrdr_write::printable;

/// Draws points with these labels, the file and the column of the labels having odd names as well.
fn drawn(place: &Place, file: &str, column: &str, labels: &[String]) -> Vec<String> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let line = |i: usize| {
        format!("{},{},{},{}\n", i % 7, i * i % 11, i, quoted(&labels[i % labels.len()]))
    };
    let rows: String = (0..60).map(line).collect();
    place.write(file, format!("x,y,z,{}\n{rows}", quoted(column)));
    for picture in ["out.svg", "out.png", "out.pdf"] {
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
    for some in controls.chunks(40) {
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
    let title = "<a>&\"'$b$\\u{1b}.csv: LEM, 60 points";
    assert!(texts.iter().any(|text| text == title), "{texts:?}");
    assert!(texts.iter().any(|text| text == "<k>$\\u{7}$"), "{texts:?}");
}

#[test]
fn long_names_are_cut() {
    let place = Place::new();
    let long = |c: &str| c.repeat(200 / c.len());
    let texts = drawn(&place, &format!("{}.csv", long("x")), &long("k"), &[long("ü"), "b".into()]);
    // Names of classes are cut in the middle: many begin alike.
    let half = "ü".repeat(12);
    assert!(texts.contains(&format!("{half}…{half}")), "{texts:?}");
    assert!(texts.contains(&format!("{}…", "k".repeat(24))), "{texts:?}");
    assert!(texts.iter().all(|text| text.chars().count() < 100), "{texts:?}");
}

/// A table of so many classes with 40 points each, in no order.
fn classes(place: &Place, count: usize) {
    let line = |i: usize| {
        let t = i as f64;
        format!(
            "{},{},{},kind {}\n",
            (0.37 * t).sin(),
            (0.91 * t).cos(),
            (0.23 * t).sin(),
            7 * i % count + 1
        )
    };
    let rows: String = (0..40 * count).map(line).collect();
    place.write("classes.csv", format!("x,y,z,kind\n{rows}"));
}

/// The texts of an SVG, and how many circles of each colour it has; rings apart.
fn seen(place: &Place, name: &str) -> (Vec<String>, Vec<(String, usize)>, usize) {
    let svg = place.read(name);
    let parsed = roxmltree::Document::parse(&svg).unwrap();
    let (mut texts, mut colors, mut rings) = (Vec::new(), Vec::<(String, usize)>::new(), 0);
    for node in parsed.descendants() {
        match node.tag_name().name() {
            "text" => texts.push(node.text().unwrap_or_default().to_string()),
            "circle" if node.has_attribute("stroke") => rings += 1,
            "circle" => {
                let fill = node.attribute("fill").unwrap();
                match colors.iter_mut().find(|(color, _)| color == fill) {
                    Some((_, count)) => *count += 1,
                    None => colors.push((fill.to_string(), 1)),
                }
            }
            _ => {}
        }
    }
    (texts, colors, rings)
}

#[test]
fn the_original_stands_beside_ours_with_all_points_and_classes() {
    let place = Place::new();
    classes(&place, 30);
    place.ok("embed classes.csv --label kind --plot out.svg -q");
    let (texts, colors, rings) = seen(&place, "out.svg");
    let at = |text: &str| texts.iter().position(|other| other == text);
    assert!(at("original").is_some() && at("original") < at("non-redundant"), "{texts:?}");
    assert!(at("classes.csv: LEM, 1200 points").is_some(), "{texts:?}");
    // In the order of their numbers, which is not that of the file.
    let names: Vec<&String> = texts.iter().filter(|text| text.starts_with("kind ")).collect();
    let expected: Vec<String> = (1..=30).map(|i| format!("kind {i}")).collect();
    assert!(names.into_iter().eq(&expected), "{texts:?}");
    let count: usize = colors.iter().map(|(_, count)| count).sum();
    assert_eq!((colors.len(), count + rings), (30, 2 * 1200));
    // Each class in its own colour, and as often as it occurs.
    assert!(colors.iter().all(|(_, count)| *count <= 80 && count + rings >= 80), "{colors:?}");
    place.ok("embed classes.csv --label kind --strategy orthogonal --plot alone.svg -q");
    let (texts, colors, rings) = seen(&place, "alone.svg");
    let count: usize = colors.iter().map(|(_, count)| count).sum();
    assert_eq!(count + rings, 1200);
    assert!(texts.contains(&"original".into()) && !texts.contains(&"non-redundant".into()));
}

#[test]
fn colours_of_classes_are_those_of_the_page() {
    let place = Place::new();
    classes(&place, 4);
    place.ok("embed classes.csv --label kind --plot out.svg -q");
    let (_, colors, _) = seen(&place, "out.svg");
    for class in nrdr_report::palette::classes(4, nrdr_report::palette::Ground::Light) {
        let hex = nrdr_report::palette::hex(class);
        assert!(colors.iter().any(|(color, _)| *color == hex), "{hex} {colors:?}");
    }
}

#[test]
fn many_classes_are_named_as_far_as_there_is_room_and_counted_beyond() {
    let place = Place::new();
    classes(&place, 150);
    place.ok("embed classes.csv --label kind --plot out.svg -q");
    let (texts, colors, _) = seen(&place, "out.svg");
    assert_eq!(colors.len(), 150);
    let named = texts.iter().filter(|text| text.starts_with("kind ")).count();
    let rest =
        texts.iter().find_map(|text| text.strip_prefix("and ")?.split(' ').next()?.parse().ok());
    assert_eq!(named + rest.unwrap_or(0), 150, "{texts:?}");
    assert!(named >= 60, "{named}");
}

#[test]
fn numbers_have_a_bar_that_rises_and_an_outlier_hides_nothing() {
    let place = Place::new();
    let line = |i: u32| {
        let t = f64::from(i);
        let x = if i == 9 { 50.0 } else { (0.37 * t).sin() };
        format!("{x},{},{}\n", (0.91 * t).cos(), if i == 5 { 1e9 } else { t })
    };
    place.write("t.csv", format!("x,y,mass\n{}", (0..200).map(line).collect::<String>()));
    place.ok(
        "embed t.csv -m kpca --kernel linear --color mass --strategy orthogonal --plot out.svg -q",
    );
    let (texts, colors, rings) = seen(&place, "out.svg");
    assert!(texts.contains(&"mass".to_string()) && texts.contains(&"original".to_string()));
    assert_eq!((rings, colors.iter().map(|(_, count)| count).sum::<usize>()), (1, 199));
    assert!(texts.contains(&"1 outside: rings at the edge".to_string()), "{texts:?}");
    // The one of 10^9 leaves the others their colours, and the bar says that there is more.
    assert!(colors.len() > 30, "{colors:?}");
    assert!(texts.iter().any(|text| text.starts_with('≥')), "{texts:?}");
    // The bar: boxes as wide as each other, the lighter the higher.
    let svg = place.read("out.svg");
    let parsed = roxmltree::Document::parse(&svg).unwrap();
    let boxes = parsed.descendants().filter(|node| node.has_tag_name("rect")).skip(2);
    let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let light = |node: &roxmltree::Node<'_, '_>| {
        let fill = node.attribute("fill").unwrap();
        let part = |at: usize| f64::from(u8::from_str_radix(&fill[at..at + 2], 16).unwrap());
        0.3 * part(1) + 0.6 * part(3) + 0.1 * part(5)
    };
    let boxes: Vec<(f64, f64)> = boxes.map(|node| (number(&node, "y"), light(&node))).collect();
    assert!(boxes.len() >= 60 && boxes.windows(2).all(|pair| pair[0].0 > pair[1].0), "{boxes:?}");
    assert!(boxes.first().unwrap().1 + 80.0 < boxes.last().unwrap().1, "{boxes:?}");
}

#[test]
fn further_coordinates_get_rows_and_a_single_one_is_shown_once() {
    let place = Place::new();
    let panels = |texts: &[String]| texts.iter().filter(|text| *text == "coordinate 1").count();
    for (dims, count) in [(1, 1), (2, 2), (3, 4), (6, 6)] {
        place.ok(&format!("embed --dataset swiss-roll -n 300 -d {dims} --plot out.svg -q"));
        let (texts, ..) = seen(&place, "out.svg");
        assert_eq!(panels(&texts), count, "{dims} {texts:?}");
        assert!(texts.contains(&"true t".to_string()), "{texts:?}");
    }
}

#[test]
fn without_labels_the_last_coordinate_gives_the_colours() {
    let place = Place::new();
    place.ok("dataset swiss-roll -n 300 -o roll.csv");
    for (options, title) in [("-d 3", "coordinate 3 (right)"), ("-s orthogonal", "coordinate 2")] {
        place.ok(&format!("embed roll.csv {options} --plot out.svg -q"));
        let (texts, colors, _) = seen(&place, "out.svg");
        assert!(texts.iter().any(|text| text == title), "{title} {texts:?}");
        assert!(colors.len() > 20, "{colors:?}");
    }
}

/// The objects of a PDF by their numbers, unpacked.
fn objects(pdf: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(pdf);
    let start: usize = text.lines().rev().nth(1).unwrap().parse().unwrap();
    let table = String::from_utf8_lossy(&pdf[start..]).into_owned();
    assert!(table.starts_with("xref\n0 "), "{table}");
    let entries: Vec<&str> = table.lines().filter(|line| line.ends_with(" 00000 n ")).collect();
    let object = |(i, entry): (usize, &&str)| {
        let object = &pdf[entry[..10].parse::<usize>().unwrap()..];
        assert!(object.starts_with(format!("{} 0 obj\n", i + 1).as_bytes()), "{i} {entry}");
        let find = |what: &[u8]| object.windows(what.len()).position(|some| some == what).unwrap();
        let head = String::from_utf8_lossy(&object[..find(b"endobj")]).into_owned();
        let Some(length) = head.split("/Length ").nth(1) else { return head };
        let length: usize = length.split(' ').next().unwrap().parse().unwrap();
        let begin = find(b"stream\n") + 7;
        let mut content = Vec::new();
        ZlibDecoder::new(&object[begin..begin + length]).read_to_end(&mut content).unwrap();
        String::from_utf8_lossy(&content).into_owned()
    };
    entries.iter().enumerate().map(object).collect()
}

#[test]
fn a_pdf_has_all_points_and_letters_that_can_be_searched() {
    let place = Place::new();
    classes(&place, 10);
    place.ok("embed classes.csv --label kind --plot out.pdf -q");
    let pdf = place.bytes("out.pdf");
    assert!(pdf.starts_with(b"%PDF-1.5\n") && pdf.len() < 100_000, "{}", pdf.len());
    let objects = objects(&pdf);
    let content = &objects[3];
    let dots = content.lines().filter(|line| line.ends_with(" l") && line.contains(" m ")).count();
    let rings = content.lines().filter(|line| line.ends_with(" c b")).count();
    assert_eq!(dots + rings, 2 * 400, "{rings}");
    // Glyphs back to letters by the table that viewers use.
    let letter = |line: &str| -> Option<(String, char)> {
        let (glyph, code) = line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <")?;
        Some((glyph.to_string(), char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
    };
    let letters: Vec<(String, char)> = objects[6].lines().filter_map(letter).collect();
    let told = |glyphs: &str| -> String {
        let each = (0..glyphs.len()).step_by(4).map(|at| &glyphs[at..at + 4]);
        each.map(|glyph| letters.iter().find(|(known, _)| known == glyph).unwrap().1).collect()
    };
    let texts = content.lines().filter_map(|line| line.split_once('<')?.1.split_once('>'));
    let texts: Vec<String> = texts.map(|(glyphs, _)| told(glyphs)).collect();
    for text in ["original", "non-redundant", "kind 10", "classes.csv: LEM, 400 points"] {
        assert!(texts.contains(&text.to_string()), "{text} {texts:?}");
    }
}

#[test]
fn a_picture_is_as_large_as_it_is_asked_for() {
    let place = Place::new();
    classes(&place, 3);
    for ending in ["svg", "png", "pdf"] {
        place.ok(&format!(
            "embed classes.csv --label kind --plot-size 900x500 --plot out.{ending} -q"
        ));
    }
    let svg = place.read("out.svg");
    assert!(svg.contains("width=\"900\" height=\"500\""), "{}", &svg[..200]);
    let png = image::load_from_memory(&place.bytes("out.png")).unwrap();
    assert_eq!((png.width(), png.height()), (900, 500));
    let page = &objects(&place.bytes("out.pdf"))[2];
    assert!(page.contains("/MediaBox [0 0 675 375]"), "{page}");
    for size in ["200x200", "2000x300", "300x2000"] {
        place.ok(&format!(
            "embed classes.csv --label kind -d 3 --plot-size {size} --plot out.png -q"
        ));
    }
    for wrong in ["100x900", "900", "0x0", "900x20000", "-900x500"] {
        let ran = place.run(&format!("embed classes.csv --plot-size={wrong} --plot new.svg"));
        assert_eq!(ran.code, Some(2), "{wrong}");
        assert!(ran.err.contains("each from 200 to 10000"), "{ran:?}");
    }
    assert_eq!(place.run("embed classes.csv --plot-size 900x500").code, Some(2));
    assert!(!place.files().contains(&"new.svg".to_string()));
}
