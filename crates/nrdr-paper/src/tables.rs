//! Tables 1 and 2: who takes part, and how the scores are told.

use kuva::prelude::{Layout, LinePlot, Plot};
use nrdr::{Selection, SmootherOptions, Strategy};
use nrdr_cli::shared::Failure;

use super::contest::{Contender, Contest, Entry, Score};
use super::mnist::Digits;
use super::picture::{COLORS, figure};
use super::svm::{Machine, Scaling};
use super::{Produced, Settings};

const LEM: &str = "LEM";
const OURS: &str = "non-redundant";
/// The same with wider smoothers than the paper's: its bandwidth grows with the number of coordinates, and so does alpha's best.
const WIDE: &str = "wider";
const PRICED: &str = "priced";
/// What is tried for alpha in the paper's range, for as many coordinates as wanted,
const ALPHAS: [f64; 4] = [0.3, 0.4, 0.5, 0.6];
/// and for the first few, where narrow smoothers do not forbid thousands of directions.
const FINE: [f64; 5] = [0.2, 0.25, 0.35, 0.45, 0.55];
const FEW: usize = 5;
/// Beyond the paper's range: alpha, and the number of coordinates where the smoother still tells them from a constant.
const BEYOND: [(f64, usize); 2] = [(0.8, 50), (1.0, 24)];

/// The ends of the paper's range of gamma.
const GAMMAS: [f64; 2] = [0.1, 0.2];

/// All points have labels.
pub(super) fn table1() -> Contest {
    let selection = |times: usize| {
        let candidates = Some(11 * times);
        let strategy = Strategy::selection(Selection { candidates, ..Default::default() });
        Entry { words: format!("candidates {}", 11 * times), strategy, most: 11 }
    };
    let regression = |alpha: f64| entry(alpha, 11, Strategy::regression(of(alpha)));
    Contest {
        name: "table1",
        rows: [3, 5, 7, 9, 11],
        labelled: None,
        neighbors: &[5, 10],
        first: vec![Machine { c: 10.0, gamma: 0.2, scaling: Scaling::Variance }],
        machines: machines(&GAMMAS, Scaling::Variance),
        contenders: vec![
            lem([17.6, 8.8, 6.9, 6.5, 6.0], 11),
            Contender {
                name: "selection",
                paper: Some([17.6, 8.8, 6.9, 6.5, 5.4]),
                entries: [1, 2, 3].map(selection).into(),
            },
            Contender {
                name: "regression",
                paper: Some([17.3, 14.4, 14.2, 14.2, 13.8]),
                entries: [0.3, 0.6].map(regression).into(),
            },
            ours([12.0, 7.6, 6.0, 5.6, 5.0], &ALPHAS.map(|alpha| (alpha, 11))),
            wide(11),
            priced(11),
        ],
    }
}

/// Only 300 points have labels.
pub(super) fn table2() -> Contest {
    // Fewer examples ask for a simpler machine than the paper's range has, unless coordinates are shorter.
    let machines = [
        machines(&GAMMAS, Scaling::Range),
        machines(&[&[0.02, 0.05], &GAMMAS[..]].concat(), Scaling::Variance),
    ]
    .concat();
    Contest {
        name: "table2",
        rows: [5, 16, 24, 35, 50],
        labelled: Some(300),
        neighbors: &[3, 5],
        first: machines,
        machines: Vec::new(),
        contenders: vec![
            lem([12.6, 8.4, 7.2, 7.8, 8.8], 50),
            ours([10.3, 6.6, 7.2, 8.1, 8.8], &[(0.3, FEW), (0.4, FEW), (0.5, 16), (0.6, 50)]),
            wide(50),
            priced(50),
        ],
    }
}

/// With each soft margin of the paper's range, and these gammas.
fn machines(gammas: &[f64], scaling: Scaling) -> Vec<Machine> {
    let of = |&c: &f64| gammas.iter().map(move |&gamma| Machine { c, gamma, scaling });
    [1.0, 3.0, 10.0].iter().flat_map(of).collect()
}

fn lem(paper: [f64; 5], most: usize) -> Contender {
    let entry = Entry { words: String::new(), strategy: Strategy::orthogonal(), most };
    Contender { name: LEM, paper: Some(paper), entries: vec![entry] }
}

fn ours(paper: [f64; 5], alphas: &[(f64, usize)]) -> Contender {
    let fine = FINE.iter().map(|&alpha| (alpha, FEW));
    let entries = alphas.iter().copied().chain(fine).map(unpredictable).collect();
    Contender { name: OURS, paper: Some(paper), entries }
}

fn wide(most: usize) -> Contender {
    let entries = BEYOND.map(|(alpha, useful)| unpredictable((alpha, useful.min(most))));
    Contender { name: WIDE, paper: None, entries: entries.into() }
}

/// The default strategy as it is, without a parameter to tune.
fn priced(most: usize) -> Contender {
    let strategy = Strategy::priced(Default::default());
    let entry = Entry { words: String::new(), strategy, most };
    Contender { name: PRICED, paper: None, entries: vec![entry] }
}

fn unpredictable((alpha, most): (f64, usize)) -> Entry {
    entry(alpha, most, Strategy::unpredictable(of(alpha)))
}

fn entry(alpha: f64, most: usize, strategy: Strategy) -> Entry {
    Entry { words: format!("alpha {alpha}"), strategy, most }
}

fn of(alpha: f64) -> SmootherOptions {
    SmootherOptions { alpha: alpha.into(), ..Default::default() }
}

/// Mean and standard deviation of a contender's errors with one number of coordinates.
struct Cell {
    coordinates: usize,
    mean: f64,
    deviation: f64,
    /// The paper's error, if it has one.
    paper: Option<f64>,
}

/// A column of the table.
struct Column {
    name: &'static str,
    cells: Vec<Cell>,
}

pub(super) fn produce(
    contest: &Contest,
    digits: &Digits,
    settings: Settings<'_>,
) -> Result<Produced, Failure> {
    let scores: Vec<Score> = contest.scores(digits, settings)?.into_iter().flatten().collect();
    let columns: Vec<Column> =
        contest.contenders.iter().map(|c| column(contest, c, &scores)).collect();
    let mut rows = Vec::new();
    for column in &columns {
        for cell in &column.cells {
            let Cell { coordinates, mean, deviation, paper } = cell;
            let paper = paper.map_or(String::new(), |paper| paper.to_string());
            rows.push(format!("{},{coordinates},{mean:.2},{deviation:.2},{paper}", column.name));
        }
    }
    Ok(Produced {
        figure: picture(&columns, settings),
        header: "contender,coordinates,mean,deviation,paper",
        rows,
        line: line(&columns),
        table: Some(markdown(&columns)),
    })
}

fn column(contest: &Contest, contender: &Contender, scores: &[Score]) -> Column {
    let cell = |(row, &coordinates): (usize, &usize)| {
        let of_cell = |s: &&Score| s.contender == contender.name && s.coordinates == coordinates;
        let tests: Vec<f64> = scores.iter().filter(of_cell).map(|score| score.test).collect();
        let count = tests.len() as f64;
        let mean = tests.iter().sum::<f64>() / count;
        let squares: f64 = tests.iter().map(|test| (test - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        let paper = contender.paper.map(|paper| paper[row]);
        (count > 0.0).then_some(Cell { coordinates, mean, deviation, paper })
    };
    let cells = contest.rows.iter().enumerate().filter_map(cell).collect();
    Column { name: contender.name, cells }
}

/// The errors by the number of coordinates; dashed, the paper's.
fn picture(columns: &[Column], settings: Settings<'_>) -> kuva::prelude::Figure {
    let mut plots = Vec::new();
    for (column, color) in columns.iter().zip(COLORS) {
        let place = |cell: &Cell, error: f64| (cell.coordinates as f64, error);
        let found = column.cells.iter().map(|cell| place(cell, cell.mean));
        let found = LinePlot::new().with_data(found.collect::<Vec<_>>()).with_color(color);
        let deviations = column.cells.iter().map(|cell| cell.deviation);
        plots.push(Plot::Line(found.with_y_err(deviations).with_legend(column.name)));
        let paper = column.cells.iter().filter_map(|cell| Some(place(cell, cell.paper?)));
        let paper: Vec<(f64, f64)> = paper.collect();
        if !paper.is_empty() {
            let line = LinePlot::new().with_data(paper).with_color(color).with_dashed();
            plots.push(Plot::Line(line));
        }
    }
    let what = if settings.quick { "few digits" } else { "15 000 digits of MNIST" };
    let what = format!("{what}; dashed: the paper's errors");
    let cells = columns.iter().flat_map(|column| &column.cells);
    let highest = cells.map(|cell| cell.mean + cell.deviation).fold(0.0, f64::max);
    let layout = Layout::auto_from_plots(&plots)
        .with_y_axis_min(0.0)
        .with_y_axis_max(5.0 * (highest / 5.0).ceil())
        .with_title(what)
        .with_x_label("coordinates")
        .with_y_label("errors, percent");
    figure(vec![(plots, layout)], 1, 760.0, 460.0)
}

/// The table as docs show it.
fn markdown(columns: &[Column]) -> String {
    let named = |name: &str| format!(" {name} |");
    let mut text = "| coordinates |".to_string();
    for column in columns {
        text += &named(column.name);
        text += &column.cells[0].paper.map_or(String::new(), |_| named("paper"));
    }
    let bars = text.matches('|').count() - 1;
    text += &format!("\n|{}\n", "---|".repeat(bars));
    for row in 0..columns[0].cells.len() {
        text += &format!("| {} |", columns[0].cells[row].coordinates);
        for column in columns {
            let Cell { mean, deviation, paper, .. } = &column.cells[row];
            text += &named(&format!("{mean:.1} ± {deviation:.1}"));
            text += &paper.map_or(String::new(), |paper| named(&format!("{paper:.1}")));
        }
        text.push('\n');
    }
    text
}

/// How it compares with the paper and with our own original.
fn line(columns: &[Column]) -> String {
    let of = |name: &str| columns.iter().find(|column| column.name == name);
    let (Some(lem), Some(ours), Some(wide), Some(priced)) =
        (of(LEM), of(OURS), of(WIDE), of(PRICED))
    else {
        return String::new();
    };
    let told = |values: Vec<f64>| -> String {
        values.iter().map(|value| format!("{value:.1}")).collect::<Vec<_>>().join(" ")
    };
    let means = |column: &Column| told(column.cells.iter().map(|cell| cell.mean).collect());
    let papers =
        |column: &Column| told(column.cells.iter().filter_map(|cell| cell.paper).collect());
    let as_good = |cell: &&Cell| cell.paper.is_some_and(|paper| cell.mean <= paper + 0.05);
    let better = |ours: &Column| {
        ours.cells.iter().zip(&lem.cells).filter(|(ours, lem)| ours.mean < lem.mean).count()
    };
    let best = |cells: &[Cell]| {
        let least = cells.iter().min_by(|a, b| a.mean.total_cmp(&b.mean));
        least.map_or(String::new(), |cell| format!("{:.1} at {}", cell.mean, cell.coordinates))
    };
    format!(
        "errors in percent, paper's LEM {}, non-redundant {}; ours LEM {}, non-redundant {} (at or below the paper's in {} of {} rows, below our LEM in {}), with wider smoothers {} (below our LEM in {}), priced {} (below our LEM in {}); least errors LEM {}, non-redundant {}, wider {}, priced {}",
        papers(lem),
        papers(ours),
        means(lem),
        means(ours),
        ours.cells.iter().filter(as_good).count(),
        ours.cells.len(),
        better(ours),
        means(wide),
        better(wide),
        means(priced),
        better(priced),
        best(&lem.cells),
        best(&ours.cells),
        best(&wide.cells),
        best(&priced.cells),
    )
}
