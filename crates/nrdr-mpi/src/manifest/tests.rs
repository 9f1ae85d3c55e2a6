//! Members that write together, or cannot.

use nrdr::team::of_threads;

use super::*;

fn input(parts: usize) -> Vec<Part> {
    (1..=parts).map(|i| Part { name: format!("part-{i}.npy"), rows: 4, bytes: 160 }).collect()
}

fn manifest(run: &str) -> Manifest {
    Manifest {
        version: 0,
        run: vec![("method".to_string(), run.to_string())],
        input: input(3),
        columns: vec!["f1".to_string()],
        parts: Vec::new(),
        left_out: 0,
        eigenvalues: vec![0.5],
        residual: vec![1e-9],
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Three members, each of which writes one of three parts, where `folder_of` says.
fn write(
    folder_of: impl Fn(usize) -> PathBuf + Sync,
    last: impl Fn() -> Result<(), Failure> + Sync,
) -> Vec<Result<Manifest, String>> {
    let input = input(3);
    of_threads(3, |team| {
        let results =
            Results { team, folder: folder_of(team.rank()), kind: RangedKind::Npy, input: &input };
        let filled = Filled { part: team.rank(), columns: vec![vec![0.25; 4]] };
        results.write(vec![filled], manifest("lem"), |_| last()).map_err(Failure::into_message)
    })
}

#[test]
fn what_one_member_cannot_write_nobody_has_written() {
    let place = tempfile::tempdir().unwrap();
    let there = place.path().to_path_buf();
    // The host of member 1 has no such folder.
    let ended = write(|rank| if rank == 1 { there.join("none") } else { there.clone() }, || Ok(()));
    for error in ended {
        let error = error.unwrap_err();
        assert!(error.contains("none/part-2.npy: cannot be written"), "{error}");
    }
    assert_eq!(files(&there), Vec::<String>::new());
    // What comes last does not fit the disk of the first one.
    let full = || Err(Failure::Usage("run.json: does not fit on the disk".to_string()));
    assert!(write(|_| there.clone(), full).iter().all(Result::is_err));
    assert_eq!(files(&there), Vec::<String>::new());
}

#[test]
fn a_disk_that_is_not_shared_is_noticed() {
    let place = tempfile::tempdir().unwrap();
    let hosts: Vec<PathBuf> = (0..3).map(|i| place.path().join(format!("host{i}"))).collect();
    hosts.iter().for_each(|host| fs::create_dir(host).unwrap());
    for error in write(|rank| hosts[rank].clone(), || Ok(())) {
        let error = error.unwrap_err();
        assert!(error.contains("part-2.npy is not there although a process wrote it"), "{error}");
    }
    assert!(hosts.iter().all(|host| !files(host).contains(&NAME.to_string())));
    let parts = |host: &PathBuf| files(host).iter().any(|name| name.ends_with(".npy"));
    assert!(!hosts.iter().any(parts));
}

#[test]
fn the_manifest_tells_of_all_parts() {
    let place = tempfile::tempdir().unwrap();
    let ended = write(|_| place.path().to_path_buf(), || Ok(()));
    let written = ended[0].clone().unwrap();
    assert!(ended.iter().all(|one| one.as_ref() == Ok(&written)));
    let text = fs::read_to_string(place.path().join(NAME)).unwrap();
    assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), written);
    let names: Vec<&str> = written.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["part-1.npy", "part-2.npy", "part-3.npy"]);
    assert_eq!(files(place.path()), ["manifest.json", "part-1.npy", "part-2.npy", "part-3.npy"]);
}
