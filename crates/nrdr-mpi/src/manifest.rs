//! The folder of results: as many parts as the input has, and `manifest.json`, which comes last.
//!
//! Each part is written by one member under a temporary name. Only when all members have written all of theirs do the parts take
//! their names, and only when all have theirs is the manifest written. While they take their names, `.nrdr-run.json` tells whose
//! parts may be there without a manifest, so that the same run, and no other, goes on over them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use nrdr::team::Team;
use nrdr_cli::shared::{Failure, json_text, make_folder};
use nrdr_io::{Column, RangedKind, write_ranged};
use nrdr_write::{Outputs, WriteError, check_place, printable, sweep, write_atomically};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::identity::{self, Items};
use crate::parts::{MANIFEST, Part};
use crate::together::{agreed, from_first, gathered};

/// The name of the manifest.
pub const NAME: &str = MANIFEST;
/// What tells whose parts are taking their names.
const BEGUN: &str = ".nrdr-run.json";
/// The version of the manifest.
const VERSION: u32 = 1;

/// What a folder of results holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this file.
    pub version: u32,
    /// Which run it is.
    pub run: Items,
    /// The parts of the input.
    pub input: Vec<Part>,
    /// Names of the columns of the parts.
    pub columns: Vec<String>,
    /// The parts, in the order of the input.
    pub parts: Vec<Written>,
    /// How many rows have no coordinates: they are NaN, or null.
    pub left_out: u64,
    /// The eigenvalue of each coordinate, where they were computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eigenvalues: Vec<f64>,
    /// Their relative residuals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub residual: Vec<f64>,
}

/// A part that was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// Its name.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// How many bytes.
    pub bytes: u64,
    /// The SHA-256 of these.
    pub sha256: String,
}

/// A part that a member is to write: which it is, and the values of its columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// Its number in the input, from 0.
    pub part: usize,
    /// Its columns.
    pub columns: Vec<Vec<f64>>,
}

/// Where results go.
pub struct Results<'r> {
    team: &'r dyn Team,
    folder: PathBuf,
    kind: RangedKind,
    /// The parts of the input.
    input: &'r [Part],
}

/// The part of a manifest that tells whose it is.
#[derive(Serialize, Deserialize)]
struct Whose {
    run: Items,
}

impl<'r> Results<'r> {
    /// Makes the folder unless it is there, removes what ended runs left in it, and looks whether each member can write there.
    pub fn open(
        team: &'r dyn Team,
        folder: &Path,
        kind: RangedKind,
        input: (&Path, &'r [Part]),
    ) -> Result<Self, Failure> {
        from_first(team, || make(folder, input.0))?;
        let results = Results { team, folder: folder.to_path_buf(), kind, input: input.1 };
        let there = if folder.is_dir() {
            // Not `?`: the others must be told.
            check_place(&folder.join(NAME), &[]).map_err(Failure::from)
        } else {
            let shown = shown(folder);
            Err(Failure::Usage(format!(
                "process {} does not see the folder {shown} that process 0 made: give one on a disk that all hosts share",
                team.rank()
            )))
        };
        agreed(team, there)?;
        Ok(results)
    }

    /// The names of the parts.
    fn names(&self) -> impl Iterator<Item = String> {
        let ending = self.kind.ending();
        let name = move |part: &Part| {
            Path::new(&part.name).with_extension(ending).to_string_lossy().into_owned()
        };
        self.input.iter().map(name)
    }

    /// Refuses a folder that has parts of another run; of the items, only those that both have are looked at.
    pub fn check(&self, run: &Items) -> Result<(), Failure> {
        from_first(self.team, || self.check_alone(run))
    }

    fn check_alone(&self, run: &Items) -> Result<(), Failure> {
        let folder = shown(&self.folder);
        let part = self.some_part()?;
        let mut is_known = false;
        // What only tells of a beginning says nothing where there are no parts.
        let names = if part.is_some() { &[NAME, BEGUN][..] } else { &[NAME] };
        for name in names {
            let path = self.folder.join(name);
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let kept: Whose = serde_json::from_str(&text).map_err(|error| {
                let path = shown(&path);
                Failure::Usage(format!(
                    "{path} is no manifest of nrdr ({error}): choose another folder, or empty it"
                ))
            })?;
            let differences = identity::differences(&kept.run, run);
            if !differences.is_empty() {
                let (kept, now) = identity::told(&differences);
                return Err(Failure::Usage(format!(
                    "{folder} has the parts of another run, made with {kept}, this run has {now}: choose another \
                     folder, or delete it"
                )));
            }
            is_known = true;
        }
        match part.filter(|_| !is_known) {
            Some(name) => Err(Failure::Usage(format!(
                "{folder} has the part {name} of a run without a manifest: choose another folder, or delete it"
            ))),
            None => Ok(()),
        }
    }

    /// The first part that is there, if there is one.
    fn some_part(&self) -> Result<Option<String>, Failure> {
        let entries = fs::read_dir(&self.folder).map_err(|error| {
            let folder = shown(&self.folder);
            Failure::Usage(format!("{folder} cannot be read ({error}): check the path"))
        })?;
        let names = entries.flatten().map(|entry| entry.file_name());
        let parts = names.filter(|name| RangedKind::of(Path::new(name)).is_some());
        Ok(parts.min().map(|name| printable(&name.to_string_lossy())))
    }

    /// Writes all parts, and then what `last` adds and the manifest. Each member gives its own parts; the same manifest, whose
    /// list of parts is filled here, is given by all. What goes wrong at one member is everybody's, and no part has its name then.
    pub fn write(
        &self,
        filled: Vec<Filled>,
        manifest: Manifest,
        last: impl FnOnce(&mut Outputs) -> Result<(), Failure>,
    ) -> Result<Manifest, Failure> {
        let names: Vec<String> = self.names().collect();
        let mut outputs = Outputs::beside_others();
        let mine: Vec<(usize, PathBuf)> =
            filled.iter().map(|one| (one.part, self.folder.join(&names[one.part]))).collect();
        let written = filled.into_iter().zip(&mine).map(|(filled, (part, path))| {
            let written = self.add(&mut outputs, path, &manifest.columns, filled)?;
            Ok((*part, Written { name: names[*part].clone(), ..written }))
        });
        let all = gathered(self.team, written.collect::<Result<Vec<_>, Failure>>())?;
        let mut parts: Vec<(usize, Written)> = all.into_iter().flatten().collect();
        parts.sort_by_key(|(part, _)| *part);
        let parts: Vec<Written> = parts.into_iter().map(|(_, written)| written).collect();
        let manifest = Manifest { version: VERSION, parts, ..manifest };
        // The last files are made before any takes its name, too: they may not fit the disk.
        let mut ending = Outputs::beside_others();
        let made = if self.team.rank() == 0 {
            last(&mut ending).and_then(|()| {
                let text = json_text(&manifest)?;
                let path = self.folder.join(NAME);
                Ok(ending.add(&path, |out| out.write_all(text.as_bytes()))?)
            })
        } else {
            Ok(())
        };
        agreed(self.team, made)?;
        from_first(self.team, || self.begin(&manifest))?;
        let named = outputs.commit().map_err(Failure::from);
        let is_named = named.is_ok();
        let all = agreed(self.team, named).and_then(|()| self.end(&manifest, ending));
        if all.is_err() && is_named {
            // Of a run that failed nothing stays.
            mine.iter().for_each(|(_, path)| drop(fs::remove_file(path)));
        }
        all.map(|()| manifest)
    }

    /// Writes a part under a temporary name.
    fn add(
        &self,
        outputs: &mut Outputs,
        path: &Path,
        names: &[String],
        filled: Filled,
    ) -> Result<Written, Failure> {
        let rows = filled.columns.first().map_or(0, Vec::len) as u64;
        let columns: Vec<Column<'_>> = filled.columns.into_iter().map(Column::from).collect();
        let (mut sum, mut bytes) = (Sha256::new(), 0);
        outputs.add(path, |out| {
            let mut summed = Summed { out, sum: &mut sum, bytes: &mut bytes };
            write_ranged(&mut summed, self.kind, names, &columns)
        })?;
        let sha256 = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Written { name: String::new(), rows, bytes, sha256 })
    }

    /// Tells whose parts are about to take their names; what the manifest of an earlier run tells is no longer true then.
    fn begin(&self, manifest: &Manifest) -> Result<(), Failure> {
        let text = json_text(&Whose { run: manifest.run.clone() })?;
        write_atomically(&self.folder.join(BEGUN), |out| out.write_all(text.as_bytes()))?;
        match fs::remove_file(self.folder.join(NAME)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(WriteError::of_system(&self.folder.join(NAME), &error).into())
            }
            _ => Ok(()),
        }
    }

    /// Looks whether all parts are where the first member looks for them, and writes the manifest.
    fn end(&self, manifest: &Manifest, ending: Outputs) -> Result<(), Failure> {
        from_first(self.team, move || {
            for Written { name, bytes, .. } in &manifest.parts {
                let path = self.folder.join(name);
                if fs::metadata(&path).map(|about| about.len()).ok() != Some(*bytes) {
                    let (path, folder) = (shown(&path), shown(&self.folder));
                    return Err(Failure::Usage(format!(
                        "{path} is not there although a process wrote it: give --out on a disk that all hosts share, \
                         which {folder} is not"
                    )));
                }
            }
            ending.commit()?;
            // The manifest tells the same from now on.
            let _ = fs::remove_file(self.folder.join(BEGUN));
            Ok(())
        })
    }
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Makes the folder unless it is there, and removes what ended runs left in it.
fn make(folder: &Path, input: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        let folder = shown(folder);
        return Err(Failure::Usage(format!("{folder} is a file: give a folder for the parts")));
    }
    let input = if input.is_dir() { input } else { input.parent().unwrap_or(Path::new("")) };
    let input = if input == Path::new("") { Path::new(".") } else { input };
    make_folder(folder)?;
    if let (Ok(input), Ok(output)) = (input.canonicalize(), folder.canonicalize())
        && input == output
    {
        let folder = shown(folder);
        return Err(Failure::Usage(format!(
            "{folder} is the folder of the input as well: choose another one for the output"
        )));
    }
    sweep(folder);
    Ok(())
}

/// Adds up what is written.
struct Summed<'s, W> {
    out: W,
    sum: &'s mut Sha256,
    bytes: &'s mut u64,
}

impl<W: Write> Write for Summed<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        *self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests;
