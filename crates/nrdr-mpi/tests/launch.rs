//! The launch files and the text about them name commands and options that there are.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// What the program says of a command.
fn help(command: &str) -> String {
    let ran =
        Command::new(env!("CARGO_BIN_EXE_nrdr-mpi")).args([command, "--help"]).output().unwrap();
    assert!(ran.status.success(), "{command}");
    String::from_utf8(ran.stdout).unwrap()
}

/// The words behind the name of the program in a text, as a shell would see them, up to the end of the command.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let joined = lines.collect::<Vec<_>>().join("\n").replace("\\\n", " ");
    let mut found = Vec::new();
    for line in joined.lines() {
        for (at, _) in line.match_indices("nrdr-mpi ") {
            let rest = line[at + "nrdr-mpi ".len()..].split(['`', '|', '&', ';']).next().unwrap();
            found.push(rest.split_whitespace().map(str::to_string).collect());
        }
    }
    found
}

/// Each option of a command is one that its help tells of.
fn check(words: &[String]) {
    let command = words[0].as_str();
    let told = help(command);
    let options = words[1..].iter().filter(|word| word.starts_with('-') && word.len() > 1);
    for option in options {
        let name = option.split('=').next().unwrap();
        let is_told = told.lines().any(|line| {
            line.trim_start().split([' ', ',', '[', '=']).take(4).any(|word| word == name)
        });
        assert!(is_told, "{command} has no {name}");
    }
}

#[test]
fn the_script_for_slurm() {
    let text = read("deploy/slurm.sh");
    let commands = commands(&text);
    assert_eq!(commands.len(), 1);
    assert_eq!(commands[0][0], "embed");
    check(&commands[0]);
    assert!(text.starts_with("#!/bin/bash\n"));
    // A script that the shell understands.
    let ran = Command::new("bash").arg("-n").arg(root().join("deploy/slurm.sh")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    for needed in ["--kill-on-bad-exit=1", "OMP_NUM_THREADS=1", "#SBATCH --requeue"] {
        assert!(text.contains(needed), "{needed}");
    }
}

#[test]
fn the_job_for_kubernetes() {
    let text = read("deploy/mpijob.yaml");
    assert!(text.contains("apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\n"));
    let value = |key: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{key}: ")));
        line.unwrap().split(": ").nth(1).unwrap().trim_matches('"').to_string()
    };
    // The arguments of the launcher, one a line.
    let (_, rest) = text.split_once("args:\n").unwrap();
    let arguments: Vec<String> = rest
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
        .map_while(|line| line.strip_prefix("- "))
        .map(|word| word.trim_matches('"').to_string())
        .collect();
    let at = arguments.iter().position(|word| word == "nrdr-mpi").unwrap();
    check(&arguments[at + 1..]);
    // As many processes as the pods have room for.
    let (_, workers) = text.split_once("Worker:\n").unwrap();
    let replicas = workers.lines().find_map(|line| line.trim().strip_prefix("replicas: ")).unwrap();
    let slots: usize = value("slotsPerWorker").parse().unwrap();
    assert_eq!(arguments[1].parse::<usize>().unwrap(), slots * replicas.parse::<usize>().unwrap());
}

#[test]
fn the_text_names_options_that_there_are() {
    let text = read("docs/cluster.md");
    let commands: Vec<Vec<String>> =
        commands(&text).into_iter().filter(|words| !words.is_empty()).collect();
    assert!(commands.len() >= 4);
    for words in commands.iter().filter(|words| ["embed", "transform"].contains(&words[0].as_str()))
    {
        check(words);
    }
}

#[test]
fn what_is_typed_wrongly_is_refused() {
    let run = |arguments: &[&str]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_nrdr-mpi")).args(arguments).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, told) = run(&["embed", "none", "-o", "out", "--metod", "lem"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("unexpected argument '--metod'") && told.contains("--method"), "{told}");
    let (code, told) = run(&["embed", "none", "-o", "out"]);
    assert_eq!(
        (code, told.as_str()),
        (Some(2), "error: none does not exist\n       check the path\n")
    );
    assert_eq!(run(&["--version"]).0, Some(0));
    assert!(!Path::new("out").exists());
}
