//! What is kept of a run, by one number of members and for another.
#![allow(missing_docs, clippy::unwrap_used)]

mod place;

use std::fs;
use std::path::Path;

use nrdr::checkpoint::{Record, Store};
use nrdr::team::{Team, of_threads};
use nrdr_cli::shared::Failure;
use nrdr_mpi::checkpoint::{Checkpoint, List, OwnRecord, Values};
use nrdr_mpi::identity::Items;
use nrdr_mpi::together::even;
use place::Place;

const ROWS: u64 = 23;

fn items(method: &str) -> Items {
    vec![("method".to_string(), method.to_string()), ("seed".to_string(), "0".to_string())]
}

/// How many values a row has in an uneven list.
fn count(row: u64) -> u32 {
    (row % 4) as u32
}

/// What a member has of a record: something of each kind.
fn record(rows: std::ops::Range<u64>, of: f64) -> OwnRecord {
    let two = rows.clone().flat_map(|row| [row as f64 + of, 0.5]).collect();
    let uneven =
        rows.clone().flat_map(|row| (0..count(row)).map(move |i| 100 * row + u64::from(i)));
    OwnRecord {
        text: format!("of {of}"),
        lists: vec![
            List::Same(Values::Numbers(vec![of, f64::MIN_POSITIVE, f64::NAN.copysign(-1.0)])),
            List::Rows(2, Values::Numbers(two)),
            List::Uneven(rows.clone().map(count).collect(), Values::Whole(uneven.collect())),
            List::Same(Values::Whole(vec![u64::MAX])),
        ],
    }
}

/// Bits, as some are those of NaN.
fn bits(record: &OwnRecord) -> String {
    let list = |values: &Values| match values {
        Values::Numbers(values) => values.iter().map(|v| v.to_bits()).collect::<Vec<u64>>(),
        Values::Whole(values) => values.clone(),
    };
    let lists = record.lists.iter().map(|one| match one {
        List::Same(values) => ("same", vec![], list(values)),
        List::Rows(_, values) => ("rows", vec![], list(values)),
        List::Uneven(counts, values) => ("uneven", counts.clone(), list(values)),
    });
    format!("{} {:?}", record.text, lists.collect::<Vec<_>>())
}

fn own(team: &dyn Team) -> (Vec<u64>, std::ops::Range<u64>) {
    let starts = even(ROWS, team.size());
    let rows = starts[team.rank()]..starts[team.rank() + 1];
    (starts, rows)
}

fn put(folder: &Path, members: usize, name: &str, of: f64) {
    of_threads(members, |team| {
        let kept = Checkpoint::open(team, folder, &items("lem")).unwrap();
        let (starts, rows) = own(team);
        kept.put(team, name, &starts, &record(rows, of)).unwrap();
    });
}

/// Whether all members find a record as it was put.
fn found(folder: &Path, members: usize, name: &str, of: f64) -> Result<bool, String> {
    let seen = of_threads(members, |team| {
        let kept = Checkpoint::open(team, folder, &items("lem")).map_err(Failure::into_message)?;
        let (starts, rows) = own(team);
        let found = kept.get(team, name, &starts).map_err(Failure::into_message)?;
        Ok(found.map(|found| assert_eq!(bits(&found), bits(&record(rows, of)))).is_some())
    });
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
    seen.into_iter().next().unwrap()
}

#[test]
fn another_number_of_members_reads_it() {
    let place = Place::new();
    let folder = place.path("kept");
    for writers in [1, 2, 3, 30] {
        put(&folder, writers, "neighbours", writers as f64);
        for readers in [1, 2, 3, 4, 7, 40] {
            assert_eq!(found(&folder, readers, "neighbours", writers as f64), Ok(true));
        }
        assert_eq!(found(&folder, 2, "coordinate 1", 0.0), Ok(false));
    }
    // The pieces of the last one only.
    let pieces = place.files("kept").iter().filter(|name| name.ends_with(".piece")).count();
    assert_eq!(pieces, 30);
}

#[test]
fn an_end_at_any_moment_leaves_the_earlier_state_or_the_later_one() {
    let place = Place::new();
    let folder = place.path("kept");
    put(&folder, 3, "coordinate 1", 1.0);
    let before = fs::read(folder.join("checkpoint.json")).unwrap();
    put(&folder, 2, "coordinate 2", 2.0);
    let after = fs::read(folder.join("checkpoint.json")).unwrap();
    // All pieces are there, and the list is not: they do not count, and go.
    fs::write(folder.join("checkpoint.json"), before).unwrap();
    fs::write(folder.join(".nrdr-abc123.tmp"), b"half of a piece").unwrap();
    assert_eq!(found(&folder, 2, "coordinate 2", 2.0), Ok(false));
    assert_eq!(found(&folder, 4, "coordinate 1", 1.0), Ok(true));
    let left = place.files("kept");
    assert_eq!(left.iter().filter(|name| name.ends_with(".piece")).count(), 3, "{left:?}");
    assert!(!left.contains(&".nrdr-abc123.tmp".to_string()));
    // Of the later list a piece is missing: that is damage, and is told with its name.
    fs::write(folder.join("checkpoint.json"), after).unwrap();
    let refused = found(&folder, 2, "coordinate 2", 2.0).unwrap_err();
    assert!(refused.contains("000001-000000.piece is damaged (it is not there)"), "{refused}");
}

#[test]
fn a_damaged_piece_is_named() {
    let place = Place::new();
    let folder = place.path("kept");
    put(&folder, 3, "graph", 1.0);
    let piece = folder.join("000000-000001.piece");
    let mut bytes = fs::read(&piece).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&piece, &bytes).unwrap();
    let refused = found(&folder, 2, "graph", 1.0).unwrap_err();
    assert!(refused.contains("000000-000001.piece is damaged (its sum is wrong)"), "{refused}");
    fs::write(&piece, &bytes[..last]).unwrap();
    let refused = found(&folder, 2, "graph", 1.0).unwrap_err();
    assert!(refused.contains("is damaged (of "), "{refused}");
}

#[test]
fn that_of_another_run_is_refused() {
    let place = Place::new();
    let folder = place.path("kept");
    put(&folder, 2, "graph", 1.0);
    let refused = of_threads(3, |team| {
        Checkpoint::open(team, &folder, &items("ltsa")).err().map(Failure::into_message).unwrap()
    });
    for told in refused {
        assert!(
            told.contains("the checkpoint was made with --method lem, this run has --method ltsa"),
            "{told}"
        );
    }
    fs::write(folder.join("checkpoint.json"), "{}").unwrap();
    assert!(found(&folder, 2, "graph", 1.0).unwrap_err().contains("is no checkpoint of nrdr-mpi"));
}

#[test]
fn two_runs_do_not_write_into_one() {
    let place = Place::new();
    let folder = place.path("kept");
    let first = of_threads(1, |team| Checkpoint::open(team, &folder, &items("lem")).unwrap());
    assert!(found(&folder, 2, "graph", 1.0).unwrap_err().contains("is in use by another run"));
    drop(first);
    assert_eq!(found(&folder, 2, "graph", 1.0), Ok(false));
}

#[test]
fn records_of_the_library_are_spread_by_their_rows() {
    let place = Place::new();
    let folder = place.path("kept");
    let of = |team: &dyn Team, store: &Checkpoint| {
        let (starts, rows) = own(team);
        store.spread(starts);
        let vector: Vec<f64> = rows.map(|row| row as f64 / 3.0).collect();
        Record {
            // Its second list has a number for each row.
            text: "rows 1".into(),
            // The time is another one at each member; that of the first is kept.
            numbers: vec![vec![1e-3, 7.5, team.rank() as f64].into(), vector.into()],
            indices: vec![vec![4, 5].into()],
        }
    };
    of_threads(3, |team| {
        let kept = Checkpoint::open(team, &folder, &items("lem")).unwrap();
        let refused = Store::put(&kept, "coordinate 1", &Record::default()).unwrap_err();
        assert!(refused.to_string().contains("nobody told which rows"), "{refused}");
        let record = of(team, &kept);
        Store::put(&kept, "coordinate 1", &record).unwrap();
    });
    for members in [1, 2, 5] {
        of_threads(members, |team| {
            let kept = Checkpoint::open(team, &folder, &items("lem")).unwrap();
            let mut wanted = of(team, &kept);
            wanted.numbers[0] = vec![1e-3, 7.5, 0.0].into();
            assert_eq!(Store::get(&kept, "coordinate 1").unwrap(), Some(wanted));
            assert_eq!(kept.summary().as_deref(), Some("coordinate 1"));
        });
    }
}

#[test]
fn a_run_goes_on_and_another_one_is_told() {
    let place = Place::new();
    place.parts("in", "npy", &[60, 50]);
    let run = "embed ./in -m dfm -q --checkpoint ./kept";
    place.ok(2, &format!("{run} -o ./out"));
    place.ok(3, &format!("{run} -o ./out"));
    place.fails(
        2,
        &format!("{run} -d 3 -o ./other"),
        "the checkpoint was made with --dims 2, this run has --dims 3",
    );
}
