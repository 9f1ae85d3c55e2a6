//! The tables of methods, strategies and parameters in the documentation are the catalogue's. `make tables` writes them.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

use nrdr::catalog::{Catalog, ParameterEntry, catalog};

/// Where a table begins and ends in a page.
fn marks(name: &str) -> [String; 2] {
    [format!("<!-- catalogue: {name} -->\n"), "<!-- end of catalogue -->".to_string()]
}

fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace("  ", " "));
    let header: Vec<String> = header.iter().map(ToString::to_string).collect();
    let dashes = format!("|{}\n", "---|".repeat(header.len()));
    let rows: String = rows.map(|row| line(&row)).collect();
    format!("{}{dashes}{rows}", line(&header))
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn methods(catalog: &Catalog) -> String {
    let rows = catalog.methods.iter().map(|method| {
        let paper = method.paper.to_string();
        let built = method.built_from.to_string();
        vec![code(method.name), method.title.to_string(), built, method.takes.to_string(), paper]
    });
    table(&["name", "method", "built from", "takes", "paper"], rows)
}

fn of_parameter(owners: String, parameter: &ParameterEntry) -> Vec<String> {
    let values = match parameter.words.as_slice() {
        [] => match (parameter.kind, parameter.range) {
            (kind, "" | "finite") => kind.to_string(),
            (kind, range) => format!("{kind}, {range}"),
        },
        words => words.iter().map(|word| code(word)).collect::<Vec<_>>().join(", "),
    };
    let (name, usual) = (code(parameter.name), parameter.usual.clone());
    vec![owners, name, values, usual, parameter.help.to_string()]
}

/// A row for each parameter; those that several have are one.
fn parameters<'c>(all: impl Iterator<Item = (&'c str, &'c [ParameterEntry])>) -> String {
    let mut rows: Vec<(Vec<&str>, &ParameterEntry)> = Vec::new();
    for (owner, parameters) in all {
        for parameter in parameters {
            match rows.iter_mut().find(|(_, other)| other.name == parameter.name) {
                Some((owners, _)) => owners.push(owner),
                None => rows.push((vec![owner], parameter)),
            }
        }
    }
    let row = |(owners, parameter): (Vec<&str>, &ParameterEntry)| {
        let owners: Vec<String> = owners.into_iter().map(code).collect();
        of_parameter(owners.join(", "), parameter)
    };
    table(&["of", "parameter", "values", "default", "what it is"], rows.into_iter().map(row))
}

fn strategies(catalog: &Catalog) -> String {
    let rows = catalog.strategies.iter().map(|strategy| {
        vec![code(strategy.name), strategy.help.to_string(), strategy.paper.to_string()]
    });
    table(&["name", "a coordinate is", "paper"], rows)
}

fn classes(catalog: &Catalog) -> String {
    let rows = catalog.methods.iter().map(|method| {
        let parameters = method.parameters.iter().map(|parameter| code(parameter.name));
        vec![code(method.class), code(method.name), parameters.collect::<Vec<_>>().join(", ")]
    });
    table(&["estimator", "method", "parameters of its own"], rows)
}

#[test]
fn tables_in_the_documentation_are_those_of_the_catalogue() {
    let catalog = catalog();
    let of_methods = catalog.methods.iter().map(|m| (m.name, m.parameters.as_slice()));
    let of_strategies = catalog.strategies.iter().map(|s| (s.name, s.parameters.as_slice()));
    let tables = [
        ("docs/methods.md", "methods", methods(&catalog)),
        ("docs/methods.md", "parameters", parameters(of_methods)),
        ("docs/strategies.md", "strategies", strategies(&catalog)),
        ("docs/strategies.md", "parameters", parameters(of_strategies)),
        ("docs/python.md", "classes", classes(&catalog)),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (page, name, wanted) in tables {
        let Ok(text) = fs::read_to_string(root.join(page)) else {
            println!("skipped: there is no {page}");
            continue;
        };
        let [begin, end] = marks(name);
        let start = text.find(&begin).unwrap_or_else(|| panic!("{page} has no {begin}"));
        let start = start + begin.len();
        let stop = start + text[start..].find(&end).unwrap();
        if std::env::var_os("NRDR_WRITE_TABLES").is_some() {
            let new = format!("{}{wanted}{}", &text[..start], &text[stop..]);
            fs::write(root.join(page), new).unwrap();
        } else {
            assert_eq!(&text[start..stop], wanted, "{page}: `make tables` writes it anew");
        }
    }
}
