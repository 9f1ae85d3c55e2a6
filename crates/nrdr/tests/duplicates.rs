//! Hundreds of identical points break no method.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{point_methods, roll};
use nrdr::{Options, Points, Policy, embed};

/// A roll with several points repeated many times.
fn with_copies(distinct: usize, copies: usize) -> Points {
    let points = roll(distinct, 6);
    let rows = (0..distinct).chain((0..copies).map(|i| i % 3));
    Points::from_rows(rows.map(|i| points.row(i))).unwrap()
}

#[test]
fn every_method_embeds_hundreds_of_copies() {
    for (distinct, copies) in [(300, 300), (60, 540)] {
        let points = with_copies(distinct, copies);
        for (name, method) in point_methods() {
            for components in [Policy::Connect, Policy::Largest] {
                let options = Options { components, ..common::original() };
                let embedding = embed(&points, method.as_ref(), &options)
                    .unwrap_or_else(|error| panic!("{name}, {copies} copies: {error}"));
                let kept = points.rows() - embedding.left_out;
                for coordinate in &embedding.coordinates {
                    let finite = coordinate.values.iter().filter(|v| v.is_finite()).count();
                    assert_eq!(finite, kept, "{name}, {copies} copies");
                    assert!(coordinate.residual < 1e-7, "{name}, {copies} copies");
                }
            }
        }
    }
}

#[test]
fn copies_share_their_place_where_the_matrix_says_so() {
    // These matrices depend on distances alone, so equal points get equal rows.
    let points = with_copies(300, 200);
    for (name, method) in point_methods() {
        if name == "isomap" || name.starts_with("kpca") {
            let embedding = common::run(&points, method.as_ref(), &common::original());
            for i in 300..500 {
                let original = (i - 300) % 3;
                let far = (embedding.coordinate(1)[i] - embedding.coordinate(1)[original]).abs();
                assert!(far < 1e-8, "{name}: row {i} is {far:.1e} from row {original}");
            }
        }
    }
}
