//! Members of a team of threads that run what would be typed, in a folder of their own.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use nrdr::Points;
use nrdr::datasets::SwissRoll;
use nrdr::team::of_threads;
use nrdr_io::{Column, ReadOptions, write_table};
use nrdr_mpi::gathered::Gathered;
use nrdr_mpi::program::run_typed;
use tempfile::TempDir;

pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A folder of parts of so many rows each; the points of all.
    pub fn parts(&self, folder: &str, ending: &str, rows: &[usize]) -> Points {
        let n = rows.iter().sum();
        let roll = SwissRoll { n, ..Default::default() }.generate(3).unwrap().points;
        fs::create_dir_all(self.path(folder)).unwrap();
        let mut start = 0;
        for (i, &rows) in rows.iter().enumerate() {
            let path = self.path(folder).join(format!("part-{}.{ending}", i + 1));
            write(&path, &roll, start..start + rows);
            start += rows;
        }
        roll
    }

    /// What all members of a team come to.
    pub fn run(&self, members: usize, typed: &str) -> Result<(), String> {
        let here = self.0.path().to_str().unwrap();
        let typed: Vec<OsString> = std::iter::once("nrdr-mpi".into())
            .chain(
                typed.split_whitespace().map(|word| word.replace("./", &format!("{here}/")).into()),
            )
            .collect();
        let ended = of_threads(members, |team| run_typed(team, &Gathered, typed.clone()));
        assert!(ended.iter().all(|one| *one == ended[0]), "{ended:?}");
        ended.into_iter().next().unwrap()
    }

    pub fn ok(&self, members: usize, typed: &str) {
        if let Err(error) = self.run(members, typed) {
            panic!("{members} members: {typed}\n{error}");
        }
    }

    /// It must fail so, at all of them.
    pub fn fails(&self, members: usize, typed: &str, wanted: &str) {
        let error = self.run(members, typed).unwrap_err();
        assert!(error.contains(wanted), "{typed}\n{error}\nwanted: {wanted}");
    }

    /// The files in a folder, in order.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut files: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        files.sort();
        files
    }

    /// The rows of a part of the output.
    pub fn part(&self, name: &str) -> (usize, Vec<f64>) {
        let options = ReadOptions { missing: nrdr_io::Missing::Keep, ..Default::default() };
        let table = nrdr_io::read(&self.path(name), &options).unwrap();
        (table.rows, table.values)
    }
}

/// Writes some rows of points.
pub fn write(path: &Path, points: &Points, rows: std::ops::Range<usize>) {
    let column = |j: usize| {
        let values: Vec<f64> = rows.clone().map(|i| points.row(i)[j]).collect();
        Column::from(values)
    };
    let columns: Vec<Column<'_>> = (0..points.columns()).map(column).collect();
    write_table(path, &["x", "y", "z"].map(str::to_string), &columns).unwrap();
}
