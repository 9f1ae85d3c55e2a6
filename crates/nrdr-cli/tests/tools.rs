//! `nrdr doctor`, `nrdr man`, and the help that leads to them.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Instant;

use common::Place;
use serde_json::Value;

const COMMANDS: [&str; 12] = [
    "embed",
    "compare",
    "transform",
    "inspect",
    "redundancy",
    "report",
    "methods",
    "demo",
    "dataset",
    "doctor",
    "man",
    "completions",
];

#[test]
fn the_doctor_tells_what_there_is_and_how_fast() {
    let place = Place::new();
    let start = Instant::now();
    let told = place.ok("doctor --json doctor.json");
    // Slow as this build may be, and busy the machine.
    assert!(start.elapsed().as_secs() < 60, "{told}");
    let value: Value = serde_json::from_str(&place.read("doctor.json")).unwrap();
    assert_eq!(value["program"]["version"], env!("CARGO_PKG_VERSION"));
    for (list, item) in
        [("reads", ".parquet"), ("writes", ".npz"), ("draws", ".pdf"), ("methods", "lem")]
    {
        assert!(value["program"][list].as_array().unwrap().contains(&item.into()), "{value}");
    }
    assert!(value["machine"]["threads"].as_u64().unwrap() >= 1);
    for name in ["gigaflops", "embedding_seconds"] {
        assert!(value["speed"][name].as_f64().unwrap() > 0.0, "{value}");
    }
    for place in value["places"].as_array().unwrap() {
        assert!(place["error"].is_null(), "{place}");
    }
    for line in ["nrdr ", "cores ", "memory ", "temporary folder ", "matrix product ", "embedding "]
    {
        assert!(told.lines().any(|other| other.starts_with(line)), "no {line} in\n{told}");
    }
    assert_eq!(value["terminal"]["output"], false);
}

#[test]
#[cfg(target_os = "linux")]
fn the_doctor_sees_limits_and_folders_that_cannot_be_written() {
    let place = Place::new();
    let mut command = std::process::Command::new("sh");
    let program = env!("CARGO_BIN_EXE_nrdr");
    command
        .arg("-c")
        .arg(format!("ulimit -v 8000000; TMPDIR=/proc {program} doctor --json d.json"));
    let output = command.current_dir(place.path("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let value: Value = serde_json::from_str(&place.read("d.json")).unwrap();
    let left = value["machine"]["memory"]["address_space"].as_u64().unwrap();
    assert!(left < 8_192_000_000 && left > 1_000_000_000, "{left}");
    assert!(value["places"][1]["error"].is_string(), "{value}");
}

/// The long options in the help of a command.
fn options(help: &str) -> Vec<String> {
    let option = |line: &str| {
        let line = line.trim_start();
        let at = line.find("--").filter(|at| *at == 0 || line.starts_with('-') && *at == 4)?;
        let name: String =
            line[at + 2..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        (!name.is_empty()).then_some(name)
    };
    help.lines().filter_map(option).collect()
}

#[test]
fn each_command_has_a_page_with_its_options() {
    let place = Place::new();
    let told = place.ok("man pages");
    assert_eq!(told.lines().count(), COMMANDS.len() + 1);
    let root = place.read("pages/nrdr.1");
    for command in COMMANDS {
        assert!(root.contains(&format!("nrdr\\-{command}(1)")), "{command} in\n{root}");
        let page = place.read(&format!("pages/nrdr-{command}.1")).replace("\\-", "-");
        assert!(page.contains(&format!(".TH nrdr-{command} 1")), "{page}");
        assert!(page.contains(&format!("nrdr {command}")), "{page}");
        let options = options(&place.ok(&format!("{command} -h")));
        assert!(options.contains(&"help".to_string()), "{command} {options:?}");
        for option in options {
            assert!(page.contains(&format!("--{option}")), "{command}: no --{option} in\n{page}");
        }
    }
    // Made again they are the same, and a file that is in the way is told.
    let before = place.bytes("pages/nrdr-embed.1");
    place.ok("man pages");
    assert_eq!(place.bytes("pages/nrdr-embed.1"), before);
    place.write("file", "");
    assert_eq!(place.run("man file").code, Some(2));
}

#[test]
fn help_leads_from_the_commands_to_their_options() {
    let place = Place::new();
    let help = place.ok("--help");
    let at: Vec<usize> = COMMANDS
        .iter()
        .map(|command| help.find(&format!("\n  {command} ")).unwrap_or(usize::MAX))
        .collect();
    assert!(at.is_sorted() && at[at.len() - 1] < usize::MAX, "{help}");
    assert!(help.contains("Begin with:\n  nrdr demo"), "{help}");
    let help = place.ok("embed -h");
    let headings: Vec<&str> =
        help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
    let expected = [
        "Arguments:",
        "Input:",
        "Generated data:",
        "Method:",
        "Embedding:",
        "Output:",
        "Help:",
        "Examples:",
    ];
    assert_eq!(headings, expected);
    assert!(help.contains("--sigma <SIGMA>") && help.contains("--local-dim <LOCAL-DIM>"), "{help}");
}
