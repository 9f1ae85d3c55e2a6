//! Neighbours from files.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clouds;

use std::path::Path;

use clouds::*;
use nrdr::graph::neighbors;
use nrdr::team::of_threads;
use nrdr::*;
use nrdr_io::{Column, write_table};
use nrdr_mpi::failure::Result;
use nrdr_mpi::given_neighbors::GivenNeighbors;
use nrdr_mpi::prepare::{Job, prepare};
use tempfile::TempDir;

type Entry = (u32, u32, f64);

/// More neighbours than are asked for, in an order of no meaning.
fn entries(points: &Points, k: usize) -> Vec<Entry> {
    let watch = Watch::new(None);
    let lists = watch.stage(Stage::Neighbors, |p| neighbors(points, k, Search::Exact, p)).unwrap();
    let of = |i: usize| {
        let list = lists.of(i).iter().zip(lists.distances(i));
        list.map(|(&j, &d)| (i as u32, j, d)).collect::<Vec<_>>()
    };
    let mut all: Vec<Entry> = (0..points.rows()).flat_map(of).collect();
    all.sort_by_key(|&(i, j, _)| (i * 31 + j * 17) % 101);
    all
}

/// Writes the entries as several files, of both formats.
fn folder(entries: &[Entry]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (at, part) in entries.chunks(entries.len().div_ceil(5).max(1)).enumerate() {
        write(folder.path(), &format!("part{at}.{}", ["npy", "parquet"][at % 2]), part);
    }
    std::fs::write(folder.path().join("README"), "not a part").unwrap();
    folder
}

fn write(folder: &Path, name: &str, entries: &[Entry]) {
    let column = |f: fn(&Entry) -> f64| Column::from(entries.iter().map(f).collect::<Vec<f64>>());
    let columns = [column(|e| e.0.into()), column(|e| e.1.into()), column(|e| e.2)];
    let names = ["i", "j", "distance"].map(str::to_string);
    write_table(&folder.join(name), &names, &columns).unwrap();
}

/// What members come to: values of the matrix, and the recall.
fn prepared(
    points: &Points,
    folder: Option<&Path>,
    recall: f64,
    size: usize,
) -> Vec<Result<(Vec<f64>, Option<f64>)>> {
    let given = folder.map(|folder| GivenNeighbors { folder: folder.to_path_buf(), recall });
    of_threads(size, |team| {
        let (method, options) = (Ltsa::default(), Options { neighbors: 8, ..Default::default() });
        let job = Job {
            method: &method,
            options: &options,
            given: given.as_ref(),
            observer: None,
            kept: None,
        };
        let made = prepare(team, share(points, team), &job)?;
        Ok((made.problem.matrix.values.clone(), made.recall))
    })
}

#[test]
fn true_neighbours_come_to_the_same_problem() {
    for points in [roll(400), cube(300, 70, 2), cube(9, 2, 3)] {
        let place = folder(&entries(&points, points.rows().min(12) - 1));
        let wanted = prepared(&points, None, 0.9, 1).remove(0).unwrap().0;
        for size in [1, 3, 7] {
            let mut values = Vec::new();
            for part in prepared(&points, Some(place.path()), 1.0, size) {
                let (part, recall) = part.unwrap();
                assert_eq!(recall, Some(1.0));
                values.extend(part);
            }
            assert_eq!(values.len(), wanted.len());
            assert!(values.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}

/// What all members say of files.
fn told(points: &Points, entries: &[Entry], recall: f64) -> String {
    let place = folder(entries);
    let told = prepared(points, Some(place.path()), recall, 3);
    let told: Vec<String> = told.into_iter().map(|t| t.unwrap_err().to_string()).collect();
    assert!(told.iter().all(|other| *other == told[0]), "{told:?}");
    told[0].clone()
}

#[test]
fn wrong_files_are_refused_with_the_way_out() {
    let points = roll(300);
    let all = entries(&points, 9);
    let with = |change: &dyn Fn(&mut Vec<Entry>)| {
        let mut changed = all.clone();
        change(&mut changed);
        told(&points, &changed, 0.9)
    };
    let beyond = with(&|all| all[700].1 = 300);
    assert!(beyond.contains("part") && beyond.contains("j is 300"), "{beyond}");
    assert!(beyond.contains("rows 0 to 299") && beyond.contains("counted from 0"), "{beyond}");
    let itself = with(&|all| all[900].1 = all[900].0);
    assert!(itself.contains("its own neighbour"), "{itself}");
    let negative = with(&|all| all[5].2 = -1.0);
    assert!(negative.contains("part0.npy") && negative.contains("row 6"), "{negative}");
    let nan = with(&|all| all[5].2 = f64::NAN);
    assert!(nan.contains("part0.npy") && nan.contains("row 6"), "{nan}");
    let twice = with(&|all| {
        let again = all[3];
        all.push(again);
    });
    assert!(twice.contains(&format!("has the neighbour {} twice", all[3].1)), "{twice}");
    let few = with(&|all| all.retain(|&(i, j, _)| i != 17 || j % 2 == 0));
    assert!(few.contains("point 17 has") && few.contains("at least 8"), "{few}");
    let squared = with(&|all| all.iter_mut().for_each(|entry| entry.2 *= entry.2));
    assert!(squared.contains("not their squares"), "{squared}");
    // Every fourth neighbour is another one, at its true distance.
    let distance = |i: u32, j: u32| {
        let (a, b) = (points.row(i as usize), points.row(j as usize));
        Metric::Euclidean.distance(a, b).unwrap()
    };
    let wrong = |all: &mut Vec<Entry>| {
        all.sort_by_key(|&(i, j, _)| (i, j));
        all.iter_mut().step_by(4).for_each(|entry| {
            entry.1 = (entry.0 + 150 + entry.1 % 7) % 300;
            entry.2 = distance(entry.0, entry.1);
        });
        all.dedup_by_key(|&mut (i, j, _)| (i, j));
    };
    let lost = with(&|all| {
        wrong(all);
        all.sort_by_key(|&(i, j, _)| (i, j));
        all.dedup_by_key(|entry| (entry.0, entry.1));
    });
    let is_recall =
        lost.contains("% of the neighbours of a sample are right") && lost.contains("recall");
    assert!(is_recall || lost.contains("asked for"), "{lost}");
    assert!(told(&points, &[], 0.9).contains("no files of neighbours"));
}

#[test]
fn half_of_the_neighbours_are_a_recall_of_a_half() {
    let points = roll(500);
    let (near, far) = (entries(&points, 4), entries(&points, 40));
    // The four nearest, and four of those from the 31st on.
    let mut mixed = near;
    for i in 0..500 {
        let mut of: Vec<Entry> = far.iter().copied().filter(|entry| entry.0 == i).collect();
        of.sort_by(|a, b| a.2.total_cmp(&b.2));
        mixed.extend(&of[30..34]);
    }
    let place = folder(&mixed);
    for part in prepared(&points, Some(place.path()), 0.5, 3) {
        assert_eq!(part.unwrap().1, Some(0.5));
    }
    let low = told(&points, &mixed, 0.95);
    assert!(low.contains("50.0 % of the neighbours") && low.contains("95.0 %"), "{low}");
}

#[test]
fn damaged_files_are_named() {
    let points = roll(200);
    let place = folder(&entries(&points, 8));
    let path = place.path().join("part1.parquet");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    for part in prepared(&points, Some(place.path()), 0.9, 4) {
        let told = part.unwrap_err().to_string();
        assert!(told.contains("part1.parquet"), "{told}");
    }
    let missing = place.path().join("missing");
    for part in prepared(&points, Some(&missing), 0.9, 2) {
        assert!(part.unwrap_err().to_string().contains("missing"));
    }
}
