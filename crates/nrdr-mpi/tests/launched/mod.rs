//! The program itself, started by mpirun in a folder of its own.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nrdr::Points;
use nrdr_io::{Column, Missing, ReadOptions, write_table};
use nrdr_mpi::manifest::Manifest;
use tempfile::TempDir;

/// No run takes longer.
const LIMIT: Duration = Duration::from_secs(240);

/// One run at a time: ranks that wait take whole processors from others.
static TURN: Mutex<()> = Mutex::new(());

/// A folder in which runs are started.
pub struct Place(TempDir);

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

/// A run that is going on.
pub struct Running {
    child: Child,
    began: Instant,
    _turn: MutexGuard<'static, ()>,
}

/// mpirun for so many ranks on this machine.
pub fn mpirun(ranks: usize) -> Command {
    let mut command = Command::new("mpirun");
    command
        .args(["-n", &ranks.to_string(), "--oversubscribe", "--bind-to", "none"])
        .args(["--mca", "mpi_yield_when_idle", "1"])
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMP_NUM_THREADS", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Place {
    pub fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes points as parts of uneven sizes.
    pub fn parts(&self, folder: &str, ending: &str, points: &Points) {
        fs::create_dir_all(self.path(folder)).unwrap();
        let n = points.rows();
        let ends = [0, n / 5, n / 5 + 1, n / 2 + 1, n];
        for (at, rows) in ends.windows(2).enumerate().filter(|(_, rows)| rows[0] < rows[1]) {
            let path = self.path(folder).join(format!("part-{}.{ending}", at + 1));
            write(&path, points, rows[0]..rows[1]);
        }
    }

    /// Starts a run of these words, by all ranks together.
    pub fn start(&self, ranks: usize, typed: &str) -> Running {
        self.start_by(mpirun(ranks).arg(env!("CARGO_BIN_EXE_nrdr-mpi")), typed)
    }

    /// The same by a command of one's own, to which the words are given.
    pub fn start_by(&self, command: &mut Command, typed: &str) -> Running {
        // What a test that failed has left is no matter.
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let command = command.args(typed.split_whitespace()).current_dir(self.0.path());
        Running { child: command.spawn().unwrap(), began: Instant::now(), _turn: turn }
    }

    pub fn run(&self, ranks: usize, typed: &str) -> Ran {
        self.start(ranks, typed).end()
    }

    /// A run that must end well.
    pub fn ok(&self, ranks: usize, typed: &str) -> Ran {
        let ran = self.run(ranks, typed);
        assert_eq!(ran.code, Some(0), "{ranks} ranks: {typed}\n{ran:?}");
        ran
    }

    /// A run that must be refused: once, in these words, and by every rank.
    pub fn refused(&self, ranks: usize, typed: &str, wanted: &[&str]) -> Ran {
        let ran = self.run(ranks, typed);
        ran.check_refused(wanted);
        ran
    }

    /// The names in a folder, in order.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut files: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        files.sort();
        files
    }

    /// Those of them that look like results.
    pub fn results(&self, folder: &str) -> Vec<String> {
        let is_result = |name: &String| name.starts_with("part-") || name == "manifest.json";
        self.files(folder).into_iter().filter(is_result).collect()
    }

    /// The columns of a run's parts, put together as the manifest tells.
    pub fn columns(&self, folder: &str) -> (Manifest, Vec<Vec<f64>>) {
        let text = fs::read_to_string(self.path(folder).join("manifest.json")).unwrap();
        let manifest: Manifest = serde_json::from_str(&text).unwrap();
        let mut columns = vec![Vec::new(); manifest.columns.len()];
        let options = ReadOptions { missing: Missing::Keep, ..Default::default() };
        for part in &manifest.parts {
            let table = nrdr_io::read(&self.path(folder).join(&part.name), &options).unwrap();
            assert_eq!(table.rows as u64, part.rows);
            let width = columns.len();
            for (at, column) in columns.iter_mut().enumerate() {
                column.extend(table.values.iter().skip(at).step_by(width));
            }
        }
        (manifest, columns)
    }
}

impl Running {
    /// The processes of the ranks.
    pub fn ranks(&self) -> Vec<u32> {
        let children = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let id: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // After the name, which is in parentheses: the state, and the parent.
            let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
            (parent == self.child.id().to_string()).then_some(id)
        });
        let mut children: Vec<u32> = children.collect();
        children.sort_unstable();
        children
    }

    /// Sends a signal to one of the run's processes, or to mpirun.
    pub fn signal(&self, signal: &str, rank: Option<usize>) {
        let id = rank.map_or(self.child.id(), |rank| self.ranks()[rank]);
        assert!(Command::new("kill").args([signal, &id.to_string()]).status().unwrap().success());
    }

    /// Waits until something is there, as long as the run goes on; whether it is there.
    pub fn wait_for(&mut self, is_there: impl Fn() -> bool) -> bool {
        while !is_there() {
            if self.child.try_wait().unwrap().is_some() || self.began.elapsed() > LIMIT {
                return is_there();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// Waits for the end.
    pub fn end(self) -> Ran {
        let Running { child, began, _turn } = self;
        let id = child.id();
        let (tell, told) = channel();
        std::thread::spawn(move || tell.send(child.wait_with_output()));
        let Ok(output) = told.recv_timeout(LIMIT) else {
            Command::new("kill").arg(id.to_string()).status().unwrap();
            panic!("still running after {LIMIT:?}");
        };
        Ran::of(&output.unwrap(), began.elapsed())
    }
}

impl Ran {
    pub fn of(output: &Output, took: Duration) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code();
        Ran { code, out: text(&output.stdout), err: text(&output.stderr), took }
    }

    /// It was refused: once, in these words.
    pub fn check_refused(&self, wanted: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.err.matches("error: ").count(), 1, "{self:?}");
        for wanted in wanted {
            assert!(self.err.contains(wanted), "{wanted} is missing in {self:?}");
        }
    }
}

/// Writes some rows of points.
pub fn write(path: &Path, points: &Points, rows: std::ops::Range<usize>) {
    let column =
        |j: usize| Column::from(rows.clone().map(|i| points.row(i)[j]).collect::<Vec<f64>>());
    let columns: Vec<Column<'_>> = (0..points.columns()).map(column).collect();
    let names: Vec<String> = (1..=points.columns()).map(|j| format!("x{j}")).collect();
    write_table(path, &names, &columns).unwrap();
}

/// How far a column is from another, whatever their signs: 1 - |corr|. Rows that are empty must be so in both.
pub fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let there: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
    assert!(there.iter().all(|(a, b)| a.is_nan() == b.is_nan()), "other rows are left out");
    let there: Vec<(f64, f64)> = there.into_iter().filter(|(a, _)| !a.is_nan()).collect();
    let n = there.len() as f64;
    let sum = |f: &dyn Fn(f64, f64) -> f64| there.iter().map(|&(a, b)| f(a, b)).sum::<f64>();
    let (x, y) = (sum(&|a, _| a) / n, sum(&|_, b| b) / n);
    let cross = sum(&|a, b| (a - x) * (b - y));
    let squares = sum(&|a, _| (a - x).powi(2)) * sum(&|_, b| (b - y).powi(2));
    1.0 - cross.abs() / squares.sqrt()
}
