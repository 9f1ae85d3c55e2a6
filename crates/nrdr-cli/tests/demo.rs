//! `nrdr demo`, run as users run it.

use std::process::{Command, Output};

use nrdr::method::Needs;

/// The names of the methods that take points.
fn methods() -> Vec<&'static str> {
    let all = nrdr::method::all();
    all.iter().filter(|m| m.needs() != Needs::Matrix).map(|m| m.name()).collect()
}

/// Runs `nrdr demo` with further arguments, separated by spaces.
fn demo(arguments: &str) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_nrdr")).arg("demo").args(arguments.split_whitespace()).output()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The cells of the row of a method.
fn row<'t>(table: &'t str, method: &str) -> Vec<&'t str> {
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.into_iter().find(|cells| cells.first() == Some(&method)).unwrap_or_default()
}

/// The output without what differs from run to run: the seconds.
fn without_seconds(output: &Output) -> String {
    let keep = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["Seconds:", ..] => String::new(),
        [method, solver, _, ref rest @ ..] if methods().contains(&method) => {
            format!("{method} {solver} {}", rest.join(" "))
        }
        _ => line.to_string(),
    };
    text(&output.stdout).lines().map(keep).collect::<Vec<_>>().join("\n")
}

#[test]
fn all_methods_are_compared_in_a_table() -> std::io::Result<()> {
    let output = demo("")?;
    assert!(output.status.success(), "{output:?}");
    let table = text(&output.stdout);
    assert_eq!(methods().len(), 8);
    for method in methods() {
        let cells = row(&table, method);
        assert_eq!(cells.len(), 6, "{method}: {table}");
        let residual: f64 = cells[3].parse().unwrap_or(f64::NAN);
        assert!(residual < 1e-7, "{method}: {table}");
    }
    assert!(table.contains("The height is not found by lem, dfm,"), "{table}");
    assert_eq!(text(&output.stderr), "", "nothing but the table, when nobody watches");
    Ok(())
}

#[test]
fn unpredictable_coordinates_find_the_height() -> std::io::Result<()> {
    let output = text(&demo("")?.stdout);
    let (_, table) = output.split_once("Non-redundant").unwrap_or_default();
    for method in ["lem", "dfm", "lle", "hlle", "ltsa"] {
        let cells = row(table, method);
        let number = |at: usize| cells[at].parse::<f64>().unwrap_or(f64::NAN);
        assert!(number(1) > 0.9 && number(2) < 0.3, "{method}: {table}");
        assert!(number(4) > 0.7 && number(4) > number(3), "{method}: {table}");
    }
    Ok(())
}

#[test]
fn laplacian_eigenmaps_lose_the_height_and_isomap_finds_it() -> std::io::Result<()> {
    let table = text(&demo("--seed 5")?.stdout);
    let score = |method, at: usize| row(&table, method)[at].parse().unwrap_or(f64::NAN);
    assert!(score("lem", 4) > 0.95 && score("lem", 5) < 0.5, "{table}");
    assert!(score("isomap", 4) > 0.95 && score("isomap", 5) > 0.9, "{table}");
    Ok(())
}

#[test]
fn one_method_is_shown_in_detail() -> std::io::Result<()> {
    let output = demo("--method lem --dims 3 --points 800")?;
    assert!(output.status.success(), "{output:?}");
    let report = text(&output.stdout);
    for part in ["800 points", "Belkin", "Solver: ", "eigenvalue", "Seconds: ", "R2(height) = "] {
        assert!(report.contains(part), "no {part:?} in {report}");
    }
    assert_eq!(row(&report, "3").len(), 5, "{report}");
    Ok(())
}

#[test]
fn every_method_is_known_by_its_name() -> std::io::Result<()> {
    for method in methods() {
        let output = demo(&format!("--method {method} --points 200"))?;
        assert!(output.status.success(), "{output:?}");
    }
    Ok(())
}

#[test]
fn an_unknown_method_is_refused_with_the_known_ones() -> std::io::Result<()> {
    for unknown in ["pca", "precomputed"] {
        let output = demo(&format!("--method {unknown}"))?;
        assert_eq!(output.status.code(), Some(2));
        let message = text(&output.stderr);
        assert!(methods().iter().all(|method| message.contains(method)), "{message}");
    }
    Ok(())
}

#[test]
fn too_many_neighbours_are_refused_with_the_way_out() -> std::io::Result<()> {
    let output = demo("--neighbors 5000")?;
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    let message = "error: -k 5000 is more than the 2000 points allow\n       use -k 1999\n";
    assert_eq!(text(&output.stderr), message);
    // What was not typed is as many as there are.
    let output = demo("--points 10 --method lem")?;
    assert!(output.status.success(), "{output:?}");
    let warning = "warning: there are only 10 points: -k 9 instead of 12\n";
    assert!(text(&output.stderr).starts_with(warning), "{output:?}");
    Ok(())
}

#[test]
fn a_method_at_its_limit_does_not_stop_the_others() -> std::io::Result<()> {
    let output = demo("--points 500 --neighbors 2")?;
    assert!(output.status.success(), "{output:?}");
    let table = text(&output.stdout);
    assert_eq!(row(&table, "hlle"), ["hlle", "-"]);
    assert_eq!(row(&table, "lem").len(), 6);
    assert!(table.contains("hlle with local dimension 1 needs at least 3 neighbours"), "{table}");
    Ok(())
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() -> std::io::Result<()> {
    for arguments in ["", "--method ltsa --dims 3"] {
        let one = demo(&format!("{arguments} --threads 1"))?;
        let two = demo(&format!("{arguments} --threads 2"))?;
        assert!(one.status.success() && two.status.success());
        assert_eq!(without_seconds(&one), without_seconds(&two));
    }
    Ok(())
}
