//! Files are replaced together, in the right place, or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::temporary::sweep;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// What there is, in order.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn write(path: &Path, text: &str) -> Result<(), WriteError> {
    write_atomically(path, |out| out.write_all(text.as_bytes()))
}

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = Folder::new();
    let path = folder.file("out.csv", "old");
    let failing = write_atomically(&path, |out| {
        out.write_all(b"new")?;
        Err(io::Error::from(ErrorKind::StorageFull))
    });
    let error = failing.unwrap_err();
    assert!(error.to_string().contains("out.csv: does not fit on the disk: "), "{error}");
    assert_eq!((folder.read("out.csv"), folder.names().len()), ("old".to_string(), 1));
    write(&path, "new").unwrap();
    assert_eq!((folder.read("out.csv"), folder.names().len()), ("new".to_string(), 1));
}

#[test]
fn nothing_is_replaced_before_all_is_there() {
    let folder = Folder::new();
    let (first, second) = (folder.file("a", "old a"), folder.path("b"));
    let mut outputs = Outputs::default();
    outputs.add(&first, |out| out.write_all(b"new a")).unwrap();
    outputs.add(&second, |out| out.write_all(b"new b")).unwrap();
    assert_eq!((folder.read("a"), second.exists()), ("old a".to_string(), false));
    drop(outputs);
    assert_eq!(folder.names(), ["a"], "what is not committed is gone");
    let mut outputs = Outputs::default();
    outputs.add(&first, |out| out.write_all(b"new a")).unwrap();
    outputs.add(&second, |out| out.write_all(b"new b")).unwrap();
    outputs.commit().unwrap();
    assert_eq!((folder.read("a"), folder.read("b")), ("new a".to_string(), "new b".to_string()));
    assert_eq!(folder.names(), ["a", "b"]);
}

/// The last of three names is taken by a folder while the files are made.
#[test]
fn what_was_renamed_is_put_back() {
    let folder = Folder::new();
    let names = ["old", "none", "taken"].map(|name| folder.path(name));
    folder.file("old", "old");
    let mut outputs = Outputs::default();
    for name in &names {
        outputs.add(name, |out| out.write_all(b"new")).unwrap();
    }
    fs::create_dir(&names[2]).unwrap();
    let error = outputs.commit().unwrap_err().to_string();
    assert!(error.contains("taken: ") && !error.contains("new already"), "{error}");
    assert_eq!(
        (folder.read("old"), folder.names()),
        ("old".to_string(), vec!["old".into(), "taken".into()])
    );
}

#[test]
fn only_what_dead_processes_left_is_swept() {
    let folder = Folder::new();
    folder.file(".nrdr-aB3xY9.tmp", "left");
    folder.file(".nrdr-notes.tmp", "too short");
    folder.file(".nrdr-abcdef.tmp.csv", "something else");
    folder.file("nrdr-abcdef.tmp", "visible");
    fs::create_dir(folder.path(".nrdr-folder.tmp")).unwrap();
    let held = File::create(folder.path(".nrdr-living.tmp")).unwrap();
    held.try_lock().unwrap();
    let mut own = Outputs::default();
    own.add(&folder.path("out"), |out| out.write_all(b"new")).unwrap();
    let before = folder.names().len();
    assert_eq!(before, 6, "the leftover went first: {:?}", folder.names());
    sweep(&folder.path(""));
    assert_eq!(folder.names().len(), before, "{:?}", folder.names());
    own.commit().unwrap();
    drop(held);
    sweep(&folder.path(""));
    let left =
        [".nrdr-abcdef.tmp.csv", ".nrdr-folder.tmp", ".nrdr-notes.tmp", "nrdr-abcdef.tmp", "out"];
    assert_eq!(folder.names(), left);
}

#[test]
fn places_are_checked_before_the_work() {
    let folder = Folder::new();
    let input = folder.file("in.csv", "1");
    fs::create_dir(folder.path("dir")).unwrap();
    check_place(&folder.path("out.csv"), &[&input]).unwrap();
    for (name, words, kind) in [
        ("dir", "is a folder: ", ErrorKind::IsADirectory),
        ("new/", "is a folder: ", ErrorKind::IsADirectory),
        ("none/out.csv", "make the folder first", ErrorKind::NotFound),
        ("in.csv/out.csv", "lies in what is no folder: ", ErrorKind::NotADirectory),
        ("dir/../in.csv", "is an input as well: ", ErrorKind::InvalidInput),
        ("a\u{1b}[2Jb/c", "a\\u{1b}[2Jb does not exist", ErrorKind::NotFound),
    ] {
        let error = check_place(&folder.path(name), &[&input]).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(!error.to_string().contains(char::is_control));
    }
    assert!(check_place(Path::new("-"), &[]).is_err() && check_place(Path::new(""), &[]).is_err());
    assert_eq!(folder.names(), ["dir", "in.csv"], "nothing is left behind");
    let error = check_different(&[&input, &folder.path("dir/../in.csv")]).unwrap_err();
    assert!(error.to_string().ends_with("is named twice: give each output a file of its own"));
    check_different(&[&input, &folder.path("dir/in.csv")]).unwrap();
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn links_stay_and_lead_to_the_new_file() {
        let folder = Folder::new();
        fs::create_dir(folder.path("far")).unwrap();
        folder.file("far/old", "old");
        symlink("far/old", folder.path("link")).unwrap();
        symlink("link", folder.path("link to it")).unwrap();
        symlink("far/new", folder.path("dangling")).unwrap();
        for (name, target) in [("link to it", "far/old"), ("dangling", "far/new")] {
            write(&folder.path(name), "new").unwrap();
            assert!(folder.path(name).is_symlink());
            assert_eq!(
                (folder.read(target), folder.path(target).is_symlink()),
                ("new".into(), false)
            );
        }
        let both = [folder.path("link"), folder.path("far/old")];
        assert!(check_different(&[&both[0], &both[1]]).is_err());
        symlink("none/new", folder.path("astray")).unwrap();
        assert_eq!(write(&folder.path("astray"), "").unwrap_err().kind(), ErrorKind::NotFound);
        symlink("round", folder.path("round")).unwrap();
        assert!(write(&folder.path("round"), "").is_err());
        assert_eq!(fs::read_dir(folder.path("far")).unwrap().count(), 2);
    }

    #[test]
    fn devices_and_pipes_are_refused_and_stay() {
        let folder = Folder::new();
        assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
        symlink("/dev/full", folder.path("link")).unwrap();
        for path in
            ["/dev/full".into(), "/dev/null".into(), folder.path("pipe"), folder.path("link")]
        {
            let before = fs::metadata(&path).unwrap();
            let error = write(&path, "new").unwrap_err();
            assert!(error.to_string().contains("is a device or a pipe: give"), "{error}");
            let after = fs::metadata(&path).unwrap();
            assert_eq!((before.ino(), before.mode()), (after.ino(), after.mode()));
        }
        assert_eq!(folder.names(), ["link", "pipe"]);
    }

    #[test]
    fn permissions_are_kept_and_a_read_only_file_as_it_is() {
        let folder = Folder::new();
        let path = folder.file("out", "old");
        let mode = || fs::metadata(folder.path("out")).unwrap().mode() & 0o777;
        for wanted in [0o600, 0o640, 0o666, 0o755] {
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
            write(&path, "new").unwrap();
            assert_eq!(mode(), wanted);
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = write(&path, "newer").unwrap_err();
        assert!(error.to_string().contains("is read-only: make it writable"), "{error}");
        assert_eq!((folder.read("out"), error.kind()), ("new".into(), ErrorKind::PermissionDenied));
        // A new file has the permissions that any has.
        let plain = folder.file("plain", "");
        write(&folder.path("fresh"), "new").unwrap();
        assert_eq!(
            fs::metadata(folder.path("fresh")).unwrap().mode(),
            fs::metadata(plain).unwrap().mode()
        );
    }
}

#[test]
fn texts_that_act_on_others_come_as_escapes() {
    assert_eq!(printable("a\u{1b}[31m\r\n\tb"), "a\\u{1b}[31m\\r\\n\\tb");
    assert_eq!(printable("\u{202e}gpj.exe\u{2066}\u{9b}2J"), "\\u{202e}gpj.exe\\u{2066}\\u{9b}2J");
    for plain in ["", "größe, 大きさ, مقياس, 🙂👨\u{200d}👩", "<b>&\"'\\"] {
        assert_eq!(printable(plain), plain);
    }
    for c in (0..=0x10ffff).filter_map(char::from_u32) {
        let shown = printable(&format!("a{c}b"));
        let bad =
            |c: char| c.is_control() || "\u{2028}\u{2029}\u{fffe}\u{ffff}\u{202e}".contains(c);
        assert!(!shown.contains(bad) && shown.starts_with('a') && shown.ends_with('b'), "{c:?}");
    }
}
