//! The engine on several ranks: this program starts itself by mpirun, once for each number of ranks, and every rank compares
//! what the engine finds with an oracle that it computes alone.
//!
//! Arguments: parts of the names of the runs that are wanted.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, unreachable_pub)]

mod cases;
mod distribute;
mod faults;
mod graphs;

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// What a rank is to do; set by the run that starts it.
const CASE: &str = "NRDR_MPI_CASE";
/// No run takes longer.
const LIMIT: Duration = Duration::from_secs(600);

/// A run: what its ranks do, how many they are, and whether it is to end well.
struct Run {
    case: &'static str,
    ranks: usize,
    succeeds: bool,
    /// What must be said on standard error.
    says: &'static str,
}

fn runs() -> Vec<Run> {
    let good = |case, ranks| Run { case, ranks, succeeds: true, says: "" };
    let bad = |case, ranks, says| Run { case, ranks, succeeds: false, says };
    let mut runs: Vec<Run> = [1, 2, 3, 4].map(|ranks| good("solve", ranks)).into();
    runs.extend([1, 3, 4].map(|ranks| good("messages", ranks)));
    runs.extend([1, 2, 4].map(|ranks| good("strategies", ranks)));
    runs.extend([good("few", 7), good("empty", 4), good("refusals", 3)]);
    runs.extend([bad("panic", 3, "rank 1: panicked"), bad("abort", 4, "rank 2: no more room")]);
    runs.push(good("starved", 2));
    runs.push(bad("callback", 2, "a product that fails"));
    runs
}

/// Starts a run and waits for it. What it said is told where it went wrong.
fn start(run: &Run) -> bool {
    let program = std::env::current_exe().unwrap();
    let began = Instant::now();
    let child = Command::new("mpirun")
        .args(["-n", &run.ranks.to_string(), "--oversubscribe", "--bind-to", "none"])
        .args(["--mca", "mpi_yield_when_idle", "1"])
        .arg(program)
        .env(CASE, run.case)
        .env("PETSC_OPTIONS", if run.case == "starved" { "-mat_mumps_icntl_23 1" } else { "" })
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMP_NUM_THREADS", "1")
        .env("RAYON_NUM_THREADS", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mpirun");
    let id = child.id();
    let (tell, told) = std::sync::mpsc::channel();
    let waiter = std::thread::spawn(move || tell.send(child.wait_with_output()));
    let output = match told.recv_timeout(LIMIT) {
        Ok(output) => output.unwrap(),
        Err(_) => {
            Command::new("kill").arg(id.to_string()).status().unwrap();
            println!("{} on {} ranks: still running after {LIMIT:?}", run.case, run.ranks);
            return false;
        }
    };
    waiter.join().unwrap().ok();
    let said = String::from_utf8_lossy(&output.stderr);
    let is_fine = output.status.success() == run.succeeds && said.contains(run.says);
    let took = began.elapsed().as_secs_f64();
    let word = if is_fine { "ok" } else { "FAILED" };
    println!("{} on {} ranks: {word}, {took:.1} s", run.case, run.ranks);
    if !is_fine {
        println!("{}{said}", String::from_utf8_lossy(&output.stdout));
    } else if std::env::var_os("NRDR_MPI_VERBOSE").is_some() {
        println!("{}", String::from_utf8_lossy(&output.stdout));
    }
    is_fine
}

fn main() -> ExitCode {
    if let Ok(case) = std::env::var(CASE) {
        match case.as_str() {
            "messages" => cases::messages(),
            "panic" => faults::panic(),
            "abort" => faults::abort(),
            "callback" => faults::callback(),
            "refusals" => faults::refusals(),
            "starved" => faults::starved(),
            "few" => cases::few(),
            "strategies" => cases::strategies(),
            "empty" => cases::empty(),
            _ => cases::solve(),
        }
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |run: &&Run| {
        let name = format!("{} {}", run.case, run.ranks);
        wanted.is_empty() || wanted.iter().any(|part| name.contains(part))
    };
    let failed = runs().iter().filter(is_wanted).filter(|run| !start(run)).count();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
