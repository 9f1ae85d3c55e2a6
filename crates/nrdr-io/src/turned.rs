//! Tables whose columns are the points, as those with a row for each gene: how they are told, and how they are turned.

use super::advice::{ReadOption, advice};
use super::columns::{Named, invented, invented_names, of_named, of_named_rows, text_of};
use super::error::{Fault, fault};
use super::limit::{check_columns, zeros};
use super::{Missing, ReadOptions, Table, TextColumn};

/// What the first column of a table with a row for each feature is called.
const FEATURES: [&str; 36] = [
    "#otu id",
    "asv",
    "compound",
    "cpg",
    "ensembl",
    "ensembl_gene_id",
    "ensembl_id",
    "feature",
    "feature_id",
    "features",
    "gene",
    "gene id",
    "gene name",
    "gene symbol",
    "gene_id",
    "gene_name",
    "gene_symbol",
    "geneid",
    "genes",
    "hgnc_symbol",
    "id_ref",
    "marker",
    "metabolite",
    "mirna",
    "otu",
    "otu id",
    "peptide",
    "probe",
    "probe_id",
    "probeset",
    "protein",
    "protein_id",
    "snp",
    "symbol",
    "transcript",
    "transcript_id",
];

/// And with a row for each sample.
const SAMPLES: [&str; 12] = [
    "barcode",
    "cell",
    "cell_id",
    "donor",
    "individual",
    "participant",
    "patient",
    "sample",
    "sample_id",
    "sampleid",
    "samples",
    "subject",
];

/// Reads a table, and turns it if the options say so, or tells if it looks as if it should be turned.
pub(super) fn read(
    options: &ReadOptions,
    read_rows: impl FnOnce(&ReadOptions) -> Result<Table, Fault>,
) -> Result<Table, Fault> {
    if !options.transpose {
        let mut table = read_rows(options)?;
        if let Some(why) = looks_turned(&table) {
            let note =
                advice(&why).text(", and each row is a point: if the columns are the points, ");
            table.notes.push(note.option(ReadOption::Transpose).text(" turns the table"));
        }
        return Ok(table);
    }
    // Columns are chosen of the turned table.
    let all = ReadOptions {
        transpose: false,
        columns: None,
        drop: Vec::new(),
        aside: Vec::new(),
        beside: Vec::new(),
        missing: Missing::Keep,
        ..options.clone()
    };
    turn(read_rows(&all)?, options)
}

/// Why a table looks as if its columns were the points, if it does.
fn looks_turned(table: &Table) -> Option<String> {
    let (rows, columns) = (table.rows + table.dropped, table.names.len());
    let first = table.text.iter().find(|text| text.number == 1 && !text.is_aside)?;
    let are_names = first.distinct.len() == table.rows;
    if !are_names || columns < 2 || table.text.len() > 3 {
        return None;
    }
    let name = first.name.to_lowercase();
    let are_genes = first.distinct.iter().filter(|text| is_gene(text)).count() * 2 > table.rows;
    if FEATURES.contains(&name.as_str()) || are_genes {
        return Some(format!(
            "the first column, {:?}, seems to name genes or other features",
            first.name
        ));
    }
    let genes = table.names.iter().filter(|name| is_gene(name)).count();
    let is_wide = columns >= 50 && columns >= 5 * rows;
    let are_samples = SAMPLES.contains(&name.as_str()) || genes * 2 > columns;
    (is_wide && !are_samples)
        .then(|| format!("there are {columns} columns and {rows} rows, each with a name"))
}

/// Whether a text is an identifier of Ensembl, such as ENSG00000141510.17.
fn is_gene(text: &str) -> bool {
    let digits = text
        .strip_prefix("ENS")
        .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_uppercase()));
    digits.is_some_and(|digits| digits.chars().take_while(char::is_ascii_digit).count() == 11)
}

/// The table whose rows are the columns of numbers. The first column of text names its columns.
fn turn(table: Table, options: &ReadOptions) -> Result<Table, Fault> {
    const NAME: &str = "name";
    let mut notes = table.notes;
    let are_named = !invented(&table.names);
    let (mut points, others) = without_dropped(&table.names, &options.drop);
    let numbered = table.text.is_empty() && points.len() > 1 && names_rows(&table.names);
    if numbered {
        points.retain(|&j| j > 0);
    }
    let others: Vec<String> = others
        .into_iter()
        .filter(|name| table.text.iter().all(|text| text.name != **name))
        .cloned()
        .collect();
    let (rows, width) = (table.rows, table.names.len());
    if points.is_empty() {
        let what = "has no columns of numbers, which would be the points";
        return Err(fault(what, "check that the file is the right one"));
    }
    check_columns(rows)?;
    let mut values = zeros(rows * points.len())?;
    for (i, row) in table.values.chunks_exact(width).enumerate() {
        for (at, &j) in points.iter().enumerate() {
            values[at * rows + i] = row[j];
        }
    }
    let names = match table.text.first() {
        Some(text) => names_of(text),
        None if numbered => table.values.iter().step_by(width).map(|name| text_of(*name)).collect(),
        None => invented_names(rows, None),
    };
    let left: Vec<String> =
        table.text.iter().skip(1).map(|text| format!("{:?}", text.name)).collect();
    if !left.is_empty() {
        let left = left.join(", ");
        notes.push(format!("column(s) of text are no points, and are left out: {left}").into());
    }
    let options = ReadOptions { drop: others, ..options.clone() };
    let titles = points.iter().map(|&j| table.names[j].as_str());
    let mut turned = if are_named {
        of_named_rows(values, points.len(), names, (NAME, titles), None, &options)?
    } else {
        let named = Named::all(names, &options)?;
        of_named(values, points.len(), named, Vec::new(), None, &options)?
    };
    turned.notes = notes;
    Ok(turned)
}

/// The places of the columns that stay, and which of the options mean others: those of the turned table.
fn without_dropped<'o>(names: &[String], drop: &'o [String]) -> (Vec<usize>, Vec<&'o String>) {
    let is_here = |wanted: &&String| names.contains(wanted);
    let stay = (0..names.len()).filter(|&j| !drop.contains(&names[j])).collect();
    (stay, drop.iter().filter(|wanted| !is_here(wanted)).collect())
}

/// Whether the first of several columns of numbers names the rows, as numbers of genes do.
fn names_rows(names: &[String]) -> bool {
    let name = names[0].to_lowercase();
    // A table that pandas wrote with its index has a column without a name.
    FEATURES.contains(&name.as_str()) || (name == "x1" && !invented(names)) || name == "unnamed: 0"
}

/// The texts of a column as names of columns.
fn names_of(text: &TextColumn) -> Vec<String> {
    let name = |(i, code): (usize, &u32)| match text.distinct[*code as usize].as_str() {
        "" => format!("x{}", i + 1),
        name => name.to_string(),
    };
    text.codes.iter().enumerate().map(name).collect()
}
