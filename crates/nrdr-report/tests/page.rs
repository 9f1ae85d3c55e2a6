//! What a page holds, and that nothing in it can break out of its data.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Data, Floats, Integers, Setting, measured, narrow, parts, texts};
use nrdr::datasets::{Dataset, SwissRoll};
use nrdr::{
    DiffusionMaps, Dims, LaplacianEigenmaps, Method, Options, Plain, Points, Policy, Prepared,
    Strategy, embed,
};
use nrdr_report::{Found, Label, Source, verdict};
use serde_json::json;

const HOSTILE: &str = "</script><script>alert(1)</script>";

fn roll() -> Dataset {
    SwissRoll { n: 150, height: 10.0, ..Default::default() }.generate(1).unwrap()
}

/// The original coordinates of the roll, and the non-redundant ones.
fn both(roll: &Dataset) -> [Found; 2] {
    let options = Options { dims: 3.into(), ..Default::default() };
    let strategies = [Strategy::orthogonal(), Strategy::default()];
    let method = DiffusionMaps::default();
    let prepared = Prepared::new(&roll.points, &method, &options).unwrap();
    strategies.map(|strategy| measured(prepared.embed(&strategy).unwrap()))
}

/// A source of so many rows, of which nothing else is known.
fn of_rows<'s>(total: usize) -> Source<'s> {
    Source { total, ..Default::default() }
}

#[test]
fn embeddings_stand_in_order_with_all_that_was_found() {
    let roll = roll();
    let found = both(&roll);
    let data = Setting { source: of_rows(150), found: &found, ..Default::default() }.data();
    assert_eq!((data.shown, data.total, data.rows), (150, 150, None));
    let names: Vec<[&str; 2]> =
        data.embeddings.iter().map(|one| [one.name.as_str(), one.title.as_str()]).collect();
    assert_eq!(names, [["orthogonal", "original"], ["priced", "non-redundant"]]);
    for (shown, Found { embedding, redundancy, .. }) in data.embeddings.iter().zip(&found) {
        let coordinates: Vec<Floats> =
            embedding.coordinates.iter().map(|c| narrow(&c.values)).collect();
        assert_eq!(coordinates.len(), 3);
        assert_eq!(shown.coordinates, coordinates);
        let redundancy = redundancy.as_ref().unwrap();
        assert_eq!(shown.redundancy, redundancy.errors);
        assert_eq!(shown.pairwise, redundancy.pairwise);
        assert_eq!(shown.eigenvalues, embedding.eigenvalues().collect::<Vec<f64>>());
        let smoothing = || embedding.coordinates.iter().map(|c| c.smoothing.as_ref());
        assert_eq!(shown.alpha, smoothing().map(|s| s.map(|s| s.alpha)).collect::<Vec<_>>());
        assert_eq!(shown.rank, smoothing().map(|s| s.map(|s| s.rank)).collect::<Vec<_>>());
        let singular: Vec<_> = smoothing().map(|s| Some(s?.singular_values.clone())).collect();
        assert_eq!(shown.singular, singular);
        let residual: Vec<f64> = embedding.coordinates.iter().map(|c| c.residual).collect();
        assert_eq!(shown.residual, residual);
    }
    // The second coordinate has a smoother, or all of the above would compare nothing with nothing.
    assert_eq!(data.embeddings[0].rank, [None; 3]);
    assert!(data.embeddings[1].rank[1].is_some_and(|rank| rank > 0));
    let times = found[1].embedding.times.iter();
    let times: Vec<_> =
        times.map(|(stage, time)| (stage.to_string(), time.as_secs_f64())).collect();
    assert_eq!(data.times, Some(times));
}

#[test]
fn the_head_of_the_page_tells_what_was_embedded() {
    let roll = roll();
    let found = both(&roll);
    let config = json!({"dims": 3, "drop": ["a", "b"], "method": "lem", "standardize": true});
    let told = verdict(&found[1], Some(&found[0]), &Plain);
    let columns = Some(3);
    let title = "roll.csv".to_string();
    let setting = Setting {
        source: Source { title, columns, given: Some(&roll.points), ..of_rows(150) },
        found: &found,
        command: "nrdr embed roll.csv",
        config: config.as_object().unwrap().clone(),
        verdict: &told,
        ..Default::default()
    };
    let data = setting.data();
    assert_eq!((data.title.as_str(), data.command.as_str()), ("roll.csv", "nrdr embed roll.csv"));
    assert_eq!(data.verdict, told);
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    let parameters = [("dims", "3"), ("drop", "a,b"), ("method", "lem"), ("standardize", "true")];
    assert_eq!(data.parameters, parameters.map(|(name, value)| pair(name, value)));
    let embedding = &found[1].embedding;
    let mut facts = vec![pair("points", "150"), pair("columns", "3")];
    facts.push(pair("method", &DiffusionMaps::default().about().to_string()));
    facts.push(pair("solver", embedding.solver));
    // The scale of the kernel, between 10 and 100: three digits of it.
    assert_eq!(embedding.chosen.len(), 1);
    let chosen = embedding.chosen.iter();
    facts.extend(chosen.map(|(name, value)| pair(name, &format!("{value:.1} (chosen)"))));
    assert_eq!(data.facts, facts);
    // Shortened to two principal components.
    let mut shorter = setting.clone();
    shorter.source.columns = Some(2);
    assert_eq!(shorter.data().facts[1], pair("columns", "3, of which 2 principal components"));
}

#[test]
fn how_many_coordinates_are_worth_having_is_there() {
    let strategy = Strategy::default();
    let options = Options { dims: Dims::Auto { most: 5 }, strategy, ..Default::default() };
    let embedding = embed(&roll().points, &LaplacianEigenmaps::default(), &options).unwrap();
    let found = [measured(embedding)];
    let estimate = found[0].embedding.dimension.as_ref().unwrap();
    let data = Setting { source: of_rows(150), found: &found, ..Default::default() }.data();
    let dimension = data.dimension.unwrap();
    assert_eq!(dimension["dims"], json!(estimate.dims));
    assert_eq!(dimension["reason"], json!(estimate.reason.to_string()));
    assert_eq!(dimension["evidence"].as_array().unwrap().len(), estimate.evidence.len());
}

#[test]
fn labels_and_columns_belong_to_their_points() {
    let roll = roll();
    let found = both(&roll);
    let names = texts(&["x", "y", "z"]);
    let distinct = texts(&["left", "right", "unused"]);
    let codes: Vec<u32> = (0..150).map(|i| i / 7 % 2).collect();
    let extra: Vec<f64> = (0..150).map(|i| f64::from(i) / 4.0).collect();
    let source = Source {
        given: Some(&roll.points),
        names: &names,
        truth: Some((&roll.names, &roll.truth)),
        numbers: vec![("extra", extra.as_slice())],
        labels: vec![Label { name: "side", distinct: &distinct, codes: &codes }],
        ..of_rows(150)
    };
    let data = Setting { source, found: &found, ..Default::default() }.data();
    let [label] = <[_; 1]>::try_from(data.labels).unwrap();
    assert_eq!(
        (label.name.as_str(), label.values, label.codes),
        ("side", distinct, Integers(codes))
    );
    let told: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(told, ["extra", "true t", "true height", "x", "y", "z"]);
    let truths = (0..2).map(|c| roll.truth.column(c));
    let inputs = (0..3).map(|c| roll.points.column(c));
    let expected = [extra.clone()].into_iter().chain(truths).chain(inputs);
    for (column, values) in data.columns.iter().zip(expected) {
        assert_eq!(column.values, narrow(&values), "{}", column.name);
    }
    assert_eq!(data.warnings, Vec::<String>::new());
}

/// Rows 1 and 4 of eight are not embedded, and of the other six the library left out one point in one embedding and
/// another one in the other.
#[test]
fn what_is_left_out_is_not_drawn_and_rows_keep_their_numbers() {
    let kept = [0, 2, 3, 5, 6, 7];
    let first = [0.0, 1.0, f64::NAN, 3.0, 4.0, 5.0];
    let again = [0.0, -1.0, f64::NAN, -3.0, -4.0, -5.0];
    let second = [5.5, 4.5, 3.5, 2.5, f64::NAN, 0.5];
    let given = Points::new((10..16).map(f64::from).collect(), 1).unwrap();
    let names = texts(&["x"]);
    let distinct = texts(&["a", "b"]);
    let codes = [0, 1, 1, 0, 1, 1];
    let setting = Setting {
        source: Source {
            kept: Some(&kept),
            given: Some(&given),
            names: &names,
            labels: vec![Label { name: "kind", distinct: &distinct, codes: &codes }],
            ..of_rows(8)
        },
        plain: vec![vec![&first, &again], vec![&second]],
        ..Default::default()
    };
    let data = setting.data();
    assert_eq!((data.shown, data.total), (4, 4));
    assert_eq!(data.rows, Some(Integers(vec![0, 2, 5, 7])));
    let floats = |values: [f32; 4]| Floats(values.to_vec());
    let [one, other] = &data.embeddings[..] else { panic!("{:?}", data.embeddings) };
    let of_one = [floats([0.0, 1.0, 3.0, 5.0]), floats([0.0, -1.0, -3.0, -5.0])];
    assert_eq!(one.coordinates, of_one);
    assert_eq!(other.coordinates, [floats([5.5, 4.5, 2.5, 0.5])]);
    assert_eq!(data.labels[0].codes, Integers(vec![0, 1, 0, 1]));
    assert_eq!(data.columns[0].values, floats([10.0, 11.0, 13.0, 15.0]));
}

#[test]
fn points_outside_the_largest_component_are_left_out_with_a_warning() {
    // Every third point lies far away.
    let roll = roll();
    let far = |i: usize| if i.is_multiple_of(3) { 1e4 } else { 0.0 };
    let rows = (0..150).map(|i| roll.points.row(i).iter().map(move |x| x + far(i)).collect());
    let points = Points::from_rows(rows.collect::<Vec<Vec<f64>>>()).unwrap();
    let options = Options { components: Policy::Largest, ..Default::default() };
    let embedding = embed(&points, &LaplacianEigenmaps::default(), &options).unwrap();
    assert_eq!(embedding.left_out, 50);
    let warning = embedding.warnings[0].to_string();
    let found = [measured(embedding)];
    let notes = texts(&["column kind is left out"]);
    let source = Source { notes: &notes, ..of_rows(150) };
    let failed = texts(&["advection: it failed"]);
    let data = Setting { source, found: &found, failed, ..Default::default() }.data();
    assert_eq!((data.shown, data.total), (100, 100));
    let near: Vec<u32> = (0..150).filter(|i| i % 3 != 0).collect();
    let first = found[0].embedding.coordinate(0);
    let drawn: Vec<f64> = near.iter().map(|&i| first[i as usize]).collect();
    assert_eq!(data.embeddings[0].coordinates[0], narrow(&drawn));
    assert_eq!(data.rows, Some(Integers(near)));
    assert_eq!(data.embeddings[0].warnings, [warning]);
    assert_eq!(data.notes, ["column kind is left out"]);
    assert_eq!(data.warnings, ["advection: it failed"]);
}

/// A page whose every text is this one, and one that begins with it.
fn of_text(text: &str) -> String {
    let longer = format!("{text} and more");
    let distinct = [text.to_string(), longer.clone()];
    let given = Points::new(vec![1.0, 2.0, 3.0, 4.0], 2).unwrap();
    let label = Label { name: text, distinct: &distinct, codes: &[0, 1] };
    let source = Source {
        title: longer,
        given: Some(&given),
        names: &distinct,
        truth: Some((&distinct, &given)),
        labels: vec![label],
        numbers: vec![(text, &[7.0, 8.0])],
        notes: &distinct,
        ..of_rows(2)
    };
    Setting {
        source,
        plain: vec![vec![&[0.0, 1.0]]],
        command: text,
        config: [(text.to_string(), json!([text, 1]))].into_iter().collect(),
        verdict: text,
        failed: vec![text.to_string()],
        ..Default::default()
    }
    .html()
}

#[test]
fn no_text_breaks_out_of_the_data() {
    let harmless = of_text("kind");
    let [before, _, after] = parts(&harmless);
    let upper = HOSTILE.to_uppercase();
    let marks =
        ["/*DATA*/", "/*JS*/", "/*CSS*/", "<!--", "<!--<script>", "]]>", "\\u003c", "\"}]};"];
    let lines = ["\u{2028}\u{2029}", "\0\u{1b}[31m\n"];
    for text in marks.into_iter().chain(lines).chain([HOSTILE, &upper]) {
        let page = of_text(text);
        let [begin, data, end] = parts(&page);
        assert_eq!((begin, end), (before, after), "{text:?} changes the page");
        assert!(!data.contains('<'), "{text:?}: {data}");
        let data: Data = serde_json::from_str(data).unwrap();
        let longer = format!("{text} and more");
        let [label] = <[_; 1]>::try_from(data.labels).unwrap();
        assert_eq!(
            (label.name.as_str(), label.values),
            (text, vec![text.to_string(), longer.clone()])
        );
        assert_eq!(
            (&data.title, data.verdict.as_str(), data.command.as_str()),
            (&longer, text, text)
        );
        assert_eq!(data.parameters, [(text.to_string(), format!("{text},1"))]);
        assert_eq!(data.notes, [text, &longer]);
        assert_eq!(data.warnings, [text]);
        let names: Vec<String> = data.columns.into_iter().map(|column| column.name).collect();
        let truths = [format!("true {text}"), format!("true {longer}")];
        assert_eq!(names, [text, &truths[0], &truths[1], text, &longer]);
    }
    assert!(before.contains("<style>") && !before.contains("/*CSS*/") && !after.contains("/*JS*/"));
}

#[test]
fn of_many_points_a_sample_is_drawn_which_the_seed_decides() {
    let n = 100_200;
    let first: Vec<f64> = (0..n).map(f64::from).collect();
    let second: Vec<f64> = first.iter().map(|i| -i).collect();
    let codes: Vec<u32> = (0..n).map(|i| i % 3).collect();
    let distinct = texts(&["a", "b", "c"]);
    let mut setting = Setting {
        source: Source {
            labels: vec![Label { name: "kind", distinct: &distinct, codes: &codes }],
            ..of_rows(n as usize)
        },
        plain: vec![vec![&first], vec![&second]],
        seed: 5,
        ..Default::default()
    };
    let data = setting.data();
    assert_eq!((data.shown, data.total), (100_000, 100_200));
    let rows = &data.rows.as_ref().unwrap().0;
    assert_eq!(rows.len(), 100_000);
    assert!(rows.windows(2).all(|pair| pair[0] < pair[1]) && rows[99_999] < n);
    // Those that are left out are spread over all: the expected number in each half is 100, its deviation 7.
    let low = rows.iter().filter(|&&row| row < n / 2).count();
    assert!((50_000 - 40..=50_000 + 40).contains(&low), "{low}");
    let values: Vec<f32> = rows.iter().map(|&row| row as f32).collect();
    assert_eq!(data.embeddings[1].coordinates[0].0, values.iter().map(|v| -v).collect::<Vec<_>>());
    assert_eq!(data.embeddings[0].coordinates[0].0, values);
    let codes: Vec<u32> = rows.iter().map(|row| row % 3).collect();
    assert_eq!(data.labels[0].codes.0, codes);
    assert!(setting.data() == data, "the same seed draws other points");
    setting.seed = 6;
    assert!(setting.data().rows != data.rows, "another seed draws the same points");
}

#[test]
fn as_many_points_as_fit_are_all_drawn() {
    let values: Vec<f64> = (0..100_000).map(f64::from).collect();
    let plain = vec![vec![values.as_slice()]];
    let data = Setting { source: of_rows(100_000), plain, ..Default::default() }.data();
    assert_eq!((data.shown, data.total, data.rows), (100_000, 100_000, None));
    assert!(data.embeddings[0].coordinates[0] == narrow(&values));
}

/// All but the peak memory of the process, which grows while tests run.
#[test]
fn the_same_page_twice_is_the_same_text() {
    let roll = roll();
    let found = both(&roll);
    let source = Source { truth: Some((&roll.names, &roll.truth)), ..of_rows(150) };
    let setting = Setting { source, found: &found, ..Default::default() };
    let without_memory = || {
        let page = setting.html();
        let (before, rest) = page.split_once("\"peak_memory_mb\":").unwrap();
        let (_, after) = rest.split_once(',').unwrap();
        [before, after].concat()
    };
    assert!(without_memory() == without_memory());
}
