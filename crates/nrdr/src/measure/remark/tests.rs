//! Remarks on small tables.

use super::*;

/// Columns of 40 rows.
fn table(columns: &[fn(f64) -> f64]) -> Points {
    let row = |i: i32| columns.iter().map(|f| f(f64::from(i))).collect::<Vec<f64>>();
    Points::from_rows((0..40).map(row)).unwrap()
}

fn plain(points: &Points) -> Vec<Remark> {
    remarks(points, &[])
}

#[test]
fn a_plain_table_has_none() {
    assert_eq!(plain(&table(&[|i| (0.7 * i).sin(), |i| 3.0 * (1.9 * i).cos()])), []);
}

#[test]
fn scales_that_differ_tenfold_are_told() {
    let of = |found: &[Remark]| match found {
        [Remark::Scales { widest, other, factor }] => Some((*widest, *other, *factor)),
        _ => None,
    };
    let found = plain(&table(&[|i| (0.7 * i).sin(), |i| 30.0 * (0.7 * i).sin()]));
    let (widest, other, factor) = of(&found).unwrap();
    assert!((widest, other) == (1, 0) && (factor - 30.0).abs() < 1e-9);
    assert!(found[0].misleads());
    assert_eq!(plain(&table(&[|i| (0.7 * i).sin(), |i| 9.9 * (0.7 * i).sin()])), []);
    // Of many columns a few may be narrow, but not most.
    let many = |wide: usize| {
        let value = |i: usize, c: usize| if c < wide { 50.0 } else { 1.0 } * (0.7 * i as f64 + c as f64).sin();
        Points::from_rows((0..40).map(|i| (0..30).map(|c| value(i, c)).collect::<Vec<f64>>()))
            .unwrap()
    };
    assert_eq!((of(&plain(&many(28))), of(&plain(&many(3))).is_some()), (None, true));
}

/// By the middle column, of 4 to 100.
#[test]
fn columns_are_standardised_where_half_of_them_would_not_count() {
    let of = |scales: &[f64]| {
        let row = |i: usize| {
            let value = |(c, s): (usize, &f64)| s * (0.7 * i as f64 + c as f64).sin();
            scales.iter().enumerate().map(value).collect::<Vec<f64>>()
        };
        should_standardize(&Points::from_rows((0..40).map(row)).unwrap(), &[]).is_some()
    };
    assert!(of(&[1.0, 1.0, 50.0, 50.0]) && of(&[1.0, 1.0, 1.0, 1.0, 50.0]));
    assert!(!of(&[1.0, 50.0, 50.0, 50.0]) && !of(&[1.0, 9.0, 3.0, 2.0, 5.0]));
    assert!(!of(&[1.0, 1.0, 50.0]) && !of(&[&[50.0], [1.0; 100].as_slice()].concat()));
    assert!(of(&[&[50.0], [1.0; 99].as_slice()].concat()));
}

#[test]
fn columns_that_number_the_rows_are_told() {
    let wave: fn(f64) -> f64 = |i| 9.0 * (0.7 * i).sin();
    let counting = |column: fn(f64) -> f64, name: &str| {
        let found = remarks(&table(&[wave, column]), &["wave".to_string(), name.to_string()]);
        found.contains(&Remark::Counting { columns: vec![1] })
    };
    assert!(counting(|i| i, "n") && counting(|i| 2.0 * (39.0 - i) + 5.0, "n"));
    assert!(!counting(|i| i * i, "n") && counting(|i| i * i, " ID "));
    assert!(!counting(|i| (i / 2.0).floor(), "id") && !counting(|i| 0.5 * i, "index"));
    // Numbers of rows are large by nature: one thing is said of them.
    assert_eq!(plain(&table(&[|i| (0.7 * i).sin(), |i| 100.0 * i])).len(), 1);
}

#[test]
fn constants_and_copies_and_wide_tables_are_told() {
    let found = plain(&table(&[|i| (0.7 * i).sin(), |_| 0.1, |i| (1.9 * i).cos()]));
    assert_eq!(found, [Remark::Constant { columns: vec![1] }]);
    let found = plain(&table(&[
        |i| (0.7 * (i % 37.0)).sin(),
        |i| if i == 0.0 { -0.0 } else { 0.1 * (i % 37.0) },
    ]));
    assert_eq!(found, [Remark::Repeated { rows: 3, most: 2 }]);
    assert!(!found[0].misleads());
    let found = plain(&table(&[|i| f64::from(i > 19.0)]));
    assert_eq!(found, [Remark::Repeated { rows: 38, most: 20 }]);
    assert!(found[0].misleads());
    let wide = Points::from_rows([[0.1, 0.7, 0.3], [0.4, 0.2, 0.8]]).unwrap();
    assert_eq!(plain(&wide), [Remark::Wide { columns: 3, rows: 2 }]);
}

#[test]
fn columns_are_told_by_their_names() {
    let names = ["a", "b"].map(str::to_string);
    let remark = Remark::Scales { widest: 1, other: 0, factor: 30.4 };
    assert_eq!(
        remark.told(&names, &Plain),
        "column \"b\" varies 30 times as much as column \"a\", and distances are those of columns with large \
         numbers: use standardize"
    );
    let remark = Remark::Counting { columns: (0..8).collect() };
    let two = Remark::Counting { columns: vec![0, 1] };
    assert!(two.told(&names, &Plain).ends_with("like any other: use drop a,b"));
    let odd = ["a,c", "b"].map(str::to_string);
    assert!(two.told(&odd, &Plain).ends_with("like any other: use drop 0,b"));
    assert!(
        remark.to_string().starts_with("column(s) 0, 1, 2, 3, 4 and 3 more number"),
        "{remark}"
    );
}
