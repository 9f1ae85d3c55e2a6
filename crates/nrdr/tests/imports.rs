//! No two rooms of the house import each other, in any number of steps: what is below knows nothing of what is above.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which modules of a crate, by their first names, each of them uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    files.into_iter().chain(folders.iter().flat_map(|folder| files_of(folder))).collect()
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|file| file.extension().is_some_and(|e| e == "rs")).collect()
}

/// The names that follow `crate::` in a text without its tests.
fn used(text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or(text);
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let name = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    code.split("crate::").skip(1).map(name).filter(|name| !name.is_empty()).collect()
}

fn uses(source: &Path) -> Uses {
    let mut all = Uses::new();
    for file in files_of(source) {
        let inside = file.strip_prefix(source).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let is_test = inside.iter().any(|part| part == "tests.rs" || part == "hostile.rs");
        if !["lib", "main"].contains(&room) && !is_test {
            let found = used(&fs::read_to_string(&file).unwrap());
            all.entry(room.to_string()).or_default().extend(found);
        }
    }
    let rooms: BTreeSet<String> = all.keys().cloned().collect();
    for (room, used) in &mut all {
        used.retain(|other| other != room && rooms.contains(other));
    }
    all
}

/// A way from a room back to itself, if there is one.
fn cycle(all: &Uses) -> Option<Vec<String>> {
    fn walk(all: &Uses, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        let room = path.last().unwrap().clone();
        for next in &all[&room] {
            if let Some(at) = path.iter().position(|earlier| earlier == next) {
                path.drain(..at);
                path.push(next.clone());
                return true;
            }
            if !done.contains(next) {
                path.push(next.clone());
                if walk(all, path, done) {
                    return true;
                }
                path.pop();
            }
        }
        done.insert(room);
        false
    }
    let mut done = BTreeSet::new();
    all.keys().find_map(|room| {
        let mut path = vec![room.clone()];
        walk(all, &mut path, &mut done).then_some(path)
    })
}

#[test]
fn no_imports_in_circles() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut rooms = 0;
    for entry in fs::read_dir(crates).unwrap() {
        let source = entry.unwrap().path().join("src");
        let all = uses(&source);
        rooms += all.len();
        assert_eq!(cycle(&all), None, "{}", source.display());
    }
    assert!(rooms > 60, "{rooms}");
}

#[test]
fn a_circle_would_be_found() {
    let text = "use crate::b::{B, C};\n// crate::never\nfn f() { crate::c::g() }\n#[cfg(test)]\nuse crate::d;";
    assert_eq!(used(text), ["b", "c"].map(String::from).into());
    let circle = [("a", vec!["b"]), ("b", vec!["c"]), ("c", vec!["b"])];
    let all: Uses = circle
        .into_iter()
        .map(|(room, used)| (room.into(), used.into_iter().map(String::from).collect()))
        .collect();
    assert_eq!(cycle(&all), Some(["b", "c", "b"].map(String::from).to_vec()));
}
