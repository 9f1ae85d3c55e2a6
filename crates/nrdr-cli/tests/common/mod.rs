//! The real program in a folder of its own.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary folder in which commands are run.
pub struct Place(TempDir);

/// What a command printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Place {
    pub fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The files there are, in order.
    pub fn files(&self) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut files: Vec<String> =
            fs::read_dir(self.0.path()).unwrap().map(|entry| name(entry.unwrap())).collect();
        files.sort();
        files
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nrdr"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }

    /// Runs `nrdr` with arguments separated by spaces.
    pub fn run(&self, arguments: &str) -> Ran {
        Ran::from(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// The same, and it must succeed.
    pub fn ok(&self, arguments: &str) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "nrdr {arguments}\n{}{}", ran.out, ran.err);
        ran.out
    }

    /// The same, and it must fail with exit code 2, these two lines, and no new file.
    pub fn fails(&self, arguments: &str, what: &str, way_out: &str) {
        let before = self.files();
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(2), "nrdr {arguments}\n{}{}", ran.out, ran.err);
        assert_eq!(ran.err, format!("error: {what}\n       {way_out}\n"), "nrdr {arguments}");
        assert_eq!(self.files(), before, "nrdr {arguments} left a file behind");
    }

    /// A table with two clouds that a label tells apart.
    pub fn labelled(&self, name: &str, labels: [&str; 2]) {
        let mut text = "x,y,z,kind\n".to_string();
        for i in 0..200 {
            let t = f64::from(i);
            let side = f64::from(i % 2) * 4.0;
            let (x, y, z) = ((0.37 * t).sin() + side, (0.91 * t).cos(), (0.23 * t).sin());
            text += &format!("{x},{y},{z},\"{}\"\n", labels[i as usize % 2]);
        }
        self.write(name, text);
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The rows of a CSV of numbers, without its header.
pub fn numbers(text: &str) -> Vec<Vec<f64>> {
    let number = |field: &str| if field.is_empty() { f64::NAN } else { field.parse().unwrap() };
    text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect()
}

pub fn is_png(path: &Path) -> bool {
    fs::read(path).unwrap().starts_with(b"\x89PNG\r\n")
}

/// How many times as many cases the long tests try.
pub fn soak() -> u64 {
    std::env::var("NRDR_SOAK").map_or(1, |times| times.parse().unwrap())
}
