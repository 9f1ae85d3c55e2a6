//! `nrdr paper`, with fewer points.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Place, is_png};

/// The cells of a CSV without its header.
fn cells(text: &str) -> Vec<Vec<String>> {
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap()
}

#[test]
fn figures_are_drawn_with_their_numbers() {
    let place = Place::new();
    place.ok("paper fig1 fig2 --quick --out figures");
    for part in ["fig1", "fig2"] {
        assert!(is_png(&place.path(&format!("figures/{part}.png"))), "{part}");
        assert!(place.read(&format!("figures/{part}.svg")).contains("<svg"), "{part}");
        assert!(place.read(&format!("figures/{part}.txt")).contains("paper"), "{part}");
    }
    for row in cells(&place.read("figures/fig1.csv")) {
        let height = number(&row[3]);
        match (row[0].as_str(), row[1].as_str()) {
            ("lle", "original") => assert!(height < 0.8, "{row:?}"),
            (_, "original") => assert!(height < 0.3, "{row:?}"),
            _ => assert!(height > 0.7, "{row:?}"),
        }
    }
    for row in cells(&place.read("figures/fig2.csv")) {
        assert!(number(&row[4]) > 0.8, "{row:?}");
    }
}

#[test]
fn on_the_ring_only_ours_finds_the_third_coordinate() {
    let place = Place::new();
    place.ok("paper fig4 --quick --out figures");
    let rows = cells(&place.read("figures/fig4.csv"));
    let row = |name: &str| rows.iter().find(|row| row[0] == name).unwrap();
    assert!(number(&row("original")[2]) < 0.2, "{rows:?}");
    assert_eq!(row("advection")[1], "1");
    assert!(number(&row("non-redundant")[2]) > 0.9, "{rows:?}");
    assert!(number(&row("non-redundant")[3]) > number(&row("original")[3]) + 0.3, "{rows:?}");
}

#[test]
fn what_is_there_is_kept() {
    let place = Place::new();
    place.ok("paper fig2 --quick --out figures");
    std::fs::remove_file(place.path("figures/fig2.png")).unwrap();
    let told = place.ok("paper fig2 --quick --out figures");
    assert!(told.contains("fig2 is there"), "{told}");
    place.ok("paper fig2 --quick --out figures --force");
    assert!(is_png(&place.path("figures/fig2.png")));
}
