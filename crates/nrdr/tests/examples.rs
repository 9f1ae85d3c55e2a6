//! The examples run to their end and print something.
#![allow(clippy::unwrap_used, missing_docs)]

use std::env::{consts::EXE_SUFFIX, current_exe};
use std::process::Command;

#[test]
fn every_example_runs() {
    let folder = current_exe().unwrap().parent().unwrap().join("../examples");
    for name in ["cancel", "embed", "engine", "kernel", "method", "new_points"] {
        let program = folder.join(format!("{name}{EXE_SUFFIX}"));
        assert!(program.exists(), "build it: cargo build -p nrdr --examples");
        let done = Command::new(program).output().unwrap();
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && !done.stdout.is_empty(), "{name}: {errors}");
    }
}
