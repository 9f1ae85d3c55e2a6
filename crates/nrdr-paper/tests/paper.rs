//! `nrdr-paper`, with fewer points.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A temporary folder in which the program is run.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with arguments separated by spaces.
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nrdr-paper"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// Runs it, and it must succeed: what it said.
    fn ok(&self, arguments: &str) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", said(&output).1);
        said(&output).0
    }

    /// How many files there are.
    fn files(&self) -> usize {
        fs::read_dir(self.0.path()).unwrap().count()
    }

    /// The same, and it must fail with exit code 2, these two lines, and no new file.
    fn fails(&self, arguments: &str, what: &str, way_out: &str) {
        let before = self.files();
        let output = self.command(arguments).output().unwrap();
        let (out, err) = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments}\n{out}{err}");
        assert_eq!(err, format!("error: {what}\n       {way_out}\n"), "{arguments}");
        assert_eq!(self.files(), before, "{arguments} left a file behind");
    }
}

/// What came out on standard output and standard error.
fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn is_png(path: &Path) -> bool {
    fs::read(path).unwrap().starts_with(b"\x89PNG\r\n")
}

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
    place.ok("fig1 fig2 --quick --out figures");
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
    place.ok("fig4 --quick --out figures");
    let rows = cells(&place.read("figures/fig4.csv"));
    let row = |name: &str| rows.iter().find(|row| row[0] == name).unwrap();
    assert!(number(&row("original")[2]) < 0.2, "{rows:?}");
    assert_eq!(row("advection")[1], "1");
    assert!(number(&row("non-redundant")[2]) > 0.9, "{rows:?}");
    assert!(number(&row("non-redundant")[3]) > number(&row("original")[3]) + 0.3, "{rows:?}");
}

#[test]
fn rendered_heads_nod_along_the_second_coordinate() {
    let place = Place::new();
    place.ok("fig6 --out figures");
    let rows = cells(&place.read("figures/fig6.csv"));
    for row in rows.iter().filter(|row| row[2] == "2") {
        let tilt = number(&row[4]);
        match row[1].as_str() {
            "original" => assert!(tilt < 0.3, "{row:?}"),
            _ => assert!(tilt > 0.7, "{row:?}"),
        }
    }
}

/// A made-up photograph: soft stripes of several directions.
#[test]
fn patches_of_a_photograph_are_brightness_and_gradients() {
    let place = Place::new();
    let grey = |x: u32, y: u32| {
        let (x, y) = (f64::from(x), f64::from(y));
        let waves = (0.11 * x).sin() + (0.13 * y).sin() + (0.05 * x + 0.04 * y).cos();
        (127.0 + 40.0 * waves) as u8
    };
    let picture = image::GrayImage::from_fn(120, 90, |x, y| image::Luma([grey(x, y)]));
    picture.save(place.path("waves.png")).unwrap();
    place.ok("fig7 --image waves.png --out figures");
    let rows = cells(&place.read("figures/fig7.csv"));
    assert!(number(&rows[0][2]) > 0.9, "{rows:?}");
    let ours = |i: usize, column: usize| number(&rows[3 + i][column]);
    assert!(ours(1, 3).max(ours(1, 4)) > 0.5 && ours(1, 2) < 0.2, "{rows:?}");
    place.fails(
        "fig7 --out figures --force",
        "this part is made of a photograph",
        "give one with --image, or --data DIR after scripts/get-data DIR",
    );
}

/// Digits of another kind, in files that are named like those of MNIST: waves that shift and swell. How far they
/// are shifted, in six steps, is what they are said to show.
fn write_digits(place: &Place) {
    let mut images = vec![0, 0, 8, 3, 0, 0, 1, 144, 0, 0, 0, 4, 0, 0, 0, 4];
    let mut labels = vec![0, 0, 8, 1, 0, 0, 1, 144];
    for i in 0..400_u32 {
        let (shift, swell) = (f64::from(i * 7919 % 401) / 401.0, f64::from(i * 31 % 89) / 89.0);
        let wave = |p: u32| (4.0 * shift + 0.4 * f64::from(p)).sin() * (0.3 + 0.7 * swell);
        images.extend((0..16).map(|p| (127.0 + 120.0 * wave(p)) as u8));
        labels.push((6.0 * shift) as u8);
    }
    place.write("train-images-idx3-ubyte", images);
    place.write("train-labels-idx1-ubyte", labels);
}

#[test]
fn figures_of_digits_run_on_what_the_folder_holds() {
    let place = Place::new();
    write_digits(&place);
    place.ok("fig3 fig5 --quick --data . --out figures");
    let errors = cells(&place.read("figures/fig3.csv"));
    assert_eq!(errors.len(), 40);
    let values: Vec<f64> =
        cells(&place.read("figures/fig5.csv")).iter().map(|row| number(&row[1])).collect();
    assert_eq!(values.len(), 100);
    assert!(values.windows(2).all(|pair| pair[0] >= pair[1]), "{values:?}");
    assert!((values[0] - 1.0).abs() < 0.1, "{values:?}");
    place.fails(
        "fig5 --data figures --out figures --force",
        "figures/train-images-idx3-ubyte is not there",
        "fetch it with scripts/get-data DIR and give --data DIR",
    );
}

#[test]
fn tables_compare_contenders_and_keep_what_is_finished() {
    let place = Place::new();
    write_digits(&place);
    place.ok("table1 table2 --quick --data . --out tables");
    for (part, contenders) in [("table1", 6), ("table2", 4)] {
        let rows = cells(&place.read(&format!("tables/{part}.csv")));
        assert_eq!(rows.len(), 2 * contenders, "{rows:?}");
        // By chance five of six would be wrong.
        for row in &rows {
            assert!(number(&row[2]) < 30.0, "{row:?}");
        }
        assert!(is_png(&place.path(&format!("tables/{part}.png"))));
        let table = place.read(&format!("tables/{part}.md"));
        assert_eq!(table.lines().count(), 4, "{table}");
    }
    // A subset that is finished is not done again: what its file says is believed.
    let kept = "tables/table2-of-400-seed-0-subset-1.csv";
    let text = place.read(kept);
    let line = text.lines().nth(1).unwrap();
    let told: Vec<&str> = line.split(',').collect();
    place.write(kept, text.replace(line, &format!("{},{},0,99,{}", told[0], told[1], told[4])));
    fs::remove_file(place.path("tables/table2.txt")).unwrap();
    let before = number(&cells(&place.read("tables/table2.csv"))[0][2]);
    place.ok("table2 --quick --data . --out tables");
    let after = number(&cells(&place.read("tables/table2.csv"))[0][2]);
    assert!(after > before + 30.0, "{before} {after}");
    place.write("train-labels-idx1-ubyte", vec![0, 0, 8, 1, 0, 0, 0, 1, 7]);
    place.fails(
        "table2 --quick --data . --out tables --force",
        "train-images-idx3-ubyte holds 400 images and train-labels-idx1-ubyte 1 labels",
        "fetch both with scripts/get-data DIR",
    );
}

#[test]
fn what_is_there_is_kept() {
    let place = Place::new();
    place.ok("fig2 --quick --out figures");
    fs::remove_file(place.path("figures/fig2.png")).unwrap();
    let told = place.ok("fig2 --quick --out figures");
    assert!(told.contains("fig2 is there"), "{told}");
    place.ok("fig2 --quick --out figures --force");
    assert!(is_png(&place.path("figures/fig2.png")));
}

#[test]
fn what_was_typed_wrongly_is_told_without_its_escapes() {
    let place = Place::new();
    let output = place.command("fig1").arg("fig\u{1b}[31m").output().unwrap();
    let (out, err) = said(&output);
    assert_eq!((output.status.code(), out.as_str()), (Some(2), ""));
    assert!(err.starts_with("error: invalid value 'fig\\u{1b}[31m' for '<PARTS>...'\n"), "{err}");
    assert!(!place.path("paper").exists());
    place.write("taken", "");
    let output = place.command("fig2 --quick --out").arg("taken/\u{1b}[31m").output().unwrap();
    let (_, err) = said(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(err.starts_with("error: the folder taken/\\u{1b}[31m cannot be made"), "{err}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_at_once() {
    let place = Place::new();
    let mut slow = place.command("fig4 fig6 --out figures");
    let child = slow.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The folder is made after Ctrl-C is handled, and before anything that takes long.
    let start = Instant::now();
    while !place.path("figures").exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "nothing is begun");
        sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let (out, err) = said(&output);
    assert!(err.ends_with("interrupted: no file is left half-written\n"), "{err}");
    assert_eq!((out.as_str(), fs::read_dir(place.path("figures")).unwrap().count()), ("", 0));
}
