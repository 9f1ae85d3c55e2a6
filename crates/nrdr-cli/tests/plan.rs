//! How much memory a run may take, and what it would take, before it runs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;
use serde_json::Value;

/// The plan of a run.
fn plan(place: &Place, arguments: &str) -> Value {
    place.ok(&format!("embed --dataset {arguments} --plan -q --json plan.json"));
    let plan = serde_json::from_str(&place.read("plan.json")).unwrap();
    std::fs::remove_file(place.path("plan.json")).unwrap();
    plan
}

/// The most that a run takes, in megabytes, without measuring.
fn taken(place: &Place, arguments: &str) -> f64 {
    let mut child = place.command(arguments).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut kilobytes = 0.0;
    while child.try_wait().unwrap().is_none() {
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(peak) =
            peak.and_then(|peak| peak.trim().strip_suffix("kB")?.trim().parse().ok())
        {
            kilobytes = peak;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success(), "{arguments}");
    kilobytes / 1024.0
}

#[test]
fn amounts_that_cannot_be_meant_are_refused() {
    let place = Place::new();
    for (typed, told) in [
        ("abc", "expected a size such as 8G, 512M or a number of bytes"),
        ("8X", "expected a size such as 8G, 512M or a number of bytes"),
        ("-1G", "expected a size such as 8G, 512M or a number of bytes"),
        ("0", "nothing can be embedded in less than 1M: raise it"),
        ("10K", "nothing can be embedded in less than 1M: raise it"),
    ] {
        for command in
            ["embed --dataset swiss-roll -o out.csv", "compare --dataset swiss-roll", "demo"]
        {
            let ran = place.run(&format!("{command} --memory={typed}"));
            assert_eq!(ran.code, Some(2), "{command} {typed}: {ran:?}");
            assert!(ran.err.contains("--memory <SIZE>"), "{command} {typed}: {ran:?}");
            assert!(ran.err.contains(told), "{command} {typed}: {ran:?}");
            assert_eq!(place.files(), [""; 0]);
        }
    }
    for typed in ["8G", "0.5GiB", "900M", "1000000000"] {
        place.ok(&format!("embed --dataset swiss-roll -n 300 -q -o out.csv --memory {typed}"));
    }
}

#[test]
fn a_plan_tells_the_stages_and_runs_nothing() {
    let place = Place::new();
    let told =
        place.ok("embed --dataset swiss-roll -n 20000 -m ltsa -d 3 --memory 2G --plan -o out.csv");
    for word in [
        "neighbours",
        "exact, kd-tree",
        "graph",
        "matrix",
        "sparse",
        "factorisation",
        "Cholesky",
        "coordinates",
        "shift-invert, 16 eigenvectors",
        "measuring",
        "peak: ",
        "of 2.0 GB that it may take",
        "time: seconds",
    ] {
        assert!(told.contains(word), "{word}:\n{told}");
    }
    assert_eq!(place.files(), [""; 0]);
    let plan = plan(&place, "swiss-roll -n 20000 -m ltsa -d 3 --memory 2G");
    assert_eq!(
        (&plan["fits"], &plan["memory"], &plan["points"]),
        (&true.into(), &2_000_000_000_u64.into(), &20_000.into())
    );
    assert_eq!(plan["time"], "seconds");
    let dimension = plan["dimension"].as_f64().unwrap();
    assert!((1.7..2.5).contains(&dimension), "{dimension}");
    let peaks = plan["stages"].as_array().unwrap().iter().map(|stage| stage["during"].as_u64());
    assert_eq!(peaks.max().flatten(), plan["peak"].as_u64());
}

/// What a run is told to have taken is what was foreseen, within 30 %.
#[test]
fn estimates_are_within_thirty_percent_of_the_peak() {
    let place = Place::new();
    for arguments in [
        "swiss-roll -n 30000 -m lem -d 3",
        "swiss-roll -n 30000 -m dfm -d 3",
        "swiss-roll -n 20000 -m ltsa -d 3",
        "swiss-roll -n 20000 -m lle -d 3",
        "swiss-roll -n 20000 -m lem -d 3 -k 20 -s orthogonal",
        "swiss-roll -n 3000 -m isomap -d 3",
        "swiss-roll -n 3000 -m kpca -d 3",
    ] {
        let plan = plan(&place, arguments);
        let stages = plan["stages"].as_array().unwrap().iter();
        let stages = stages.filter(|stage| stage["stage"] != "measuring");
        let foreseen = stages.filter_map(|stage| stage["during"].as_u64()).max().unwrap();
        let foreseen = foreseen as f64 / 1048576.0;
        let taken = taken(&place, &format!("embed --dataset {arguments} -q -o out.npy"));
        println!("{arguments}: {foreseen:.0} MB foreseen, {taken:.0} MB taken");
        assert!((foreseen / taken - 1.0).abs() < 0.3, "{arguments}: {foreseen} {taken}");
    }
}

/// A run that does not fit is refused with settings that do.
#[test]
fn what_does_not_fit_is_refused_with_what_would() {
    let place = Place::new();
    let ran =
        place.run("embed --dataset swiss-roll -n 60000 -m ltsa -d 3 --memory 150M -q -o out.csv");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.starts_with("error: the embedding needs about "), "{ran:?}");
    assert!(ran.err.contains(" MB of memory, but only 150 MB are allowed\n"), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 2, "{ran:?}");
    assert_eq!(place.files(), [""; 0]);
    let number = |before: &str, after: &str| -> usize {
        let rest = ran.err.split(before).nth(1).unwrap_or_else(|| panic!("{before}: {ran:?}"));
        rest.split(after).next().unwrap().parse().unwrap_or_else(|_| panic!("{before}: {ran:?}"))
    };
    let points = number("embed at most ", " points");
    assert!((10_000..60_000).contains(&points), "{points}");
    let megabytes = number("raise --memory to ", "M");
    for fitting in [format!("-n {points} --memory 150M"), format!("-n 60000 --memory {megabytes}M")]
    {
        let plan = plan(&place, &format!("swiss-roll {fitting} -m ltsa -d 3"));
        assert_eq!(plan["fits"], true, "{fitting}: {plan}");
        place.ok(&format!("embed --dataset swiss-roll {fitting} -m ltsa -d 3 -q -o out.csv"));
        std::fs::remove_file(place.path("out.csv")).unwrap();
    }
}
