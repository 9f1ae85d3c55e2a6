//! XLSX, the workbooks of Excel: a ZIP archive of XML files. A sheet is read as the text table that it would be if it
//! were saved as CSV, with a line for each of its rows, so that names and types of columns are found by the same rules.

use std::collections::HashMap;
use std::io::{Cursor, Read, Seek};

use quick_xml::events::Event;
use zip::ZipArchive;
use zip::result::ZipError;

use super::advice::{ReadOption, advice, with_variable};
use super::error::{Fault, fault, listed, quoted};
use super::limit::{Budget, DISTINCT, memory, too_large};
use super::xlsx_grid::{Grid, place_of};
use super::xlsx_styles::{self as styles, Kind};
use super::xml::{Xml, attribute};
use super::{ReadOptions, Separator, Table, csv as text};

/// Reads the first sheet, or the one that the options name.
pub(super) fn read(
    file: impl Read + Seek,
    length: u64,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let mut book = Book::open(file, length, options)?;
    let sheet = choose(&book.sheets, options)?.clone();
    let grid = book.grid(&sheet.part, options)?;
    let lines = grid.lines(Budget::packed(length, options))?;
    drop(grid);
    // Nothing is to be guessed about a text that was made here.
    let known = ReadOptions {
        separator: Some(Separator::Comma),
        encoding: Some("utf-8".to_string()),
        ..options.clone()
    };
    let mut table = text::read(Cursor::new(lines), false, &known, Budget::packed(length, options))?;
    let others = book.sheets.len() - 1;
    if options.variable.is_none() && others > 0 {
        let name = quoted(&sheet.name);
        let note = format!("the sheet {name} is read, the first of {}: ", others + 1);
        table.notes.push(advice(&note).option(ReadOption::Variable).text(" chooses another"));
    }
    Ok(table)
}

#[derive(Clone)]
struct Sheet {
    name: String,
    part: String,
    is_hidden: bool,
}

fn choose<'a>(sheets: &'a [Sheet], options: &ReadOptions) -> Result<&'a Sheet, Fault> {
    let Some(wanted) = &options.variable else {
        let shown = sheets.iter().find(|sheet| !sheet.is_hidden).or(sheets.first());
        return shown.ok_or_else(|| fault("has no sheets", "check that the file is the right one"));
    };
    sheets.iter().find(|sheet| sheet.name == *wanted).ok_or_else(|| {
        let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
        let (wanted, names) = (quoted(wanted), listed(&names));
        let what = format!("has no sheet {wanted} (the sheets are {names})");
        fault(what, with_variable("choose one of them"))
    })
}

/// A workbook without the cells of its sheets.
struct Book<F> {
    archive: ZipArchive<F>,
    length: u64,
    sheets: Vec<Sheet>,
    from_1904: bool,
    kinds: Vec<Kind>,
    /// Texts that cells refer to.
    strings: Vec<String>,
}

impl<F: Read + Seek> Book<F> {
    fn open(file: F, length: u64, options: &ReadOptions) -> Result<Self, Fault> {
        let archive = ZipArchive::new(file).map_err(broken)?;
        let mut book = Book {
            archive,
            length,
            sheets: Vec::new(),
            from_1904: false,
            kinds: Vec::new(),
            strings: Vec::new(),
        };
        let main = book.relations("_rels/.rels", "", options)?.remove("officeDocument");
        let main = main.and_then(|mut parts| parts.pop()).map(|(_, part)| part);
        let main = main.unwrap_or_else(|| "xl/workbook.xml".to_string());
        let (folder, name) = main.rsplit_once('/').unwrap_or(("", &main));
        let relations = book.relations(&format!("{folder}/_rels/{name}.rels"), folder, options)?;
        book.read_sheets(&main, &relations, options)?;
        let only = |kind: &str| relations.get(kind).and_then(|parts| parts.first());
        if let Some((_, part)) = only("styles") {
            book.kinds = book.part(part, options, |input| styles::read(input))?;
        }
        if let Some((_, part)) = only("sharedStrings") {
            let budget = Budget::packed(length, options);
            book.strings = book.part(part, options, |input| shared_strings(input, budget))?;
        }
        Ok(book)
    }

    /// Reads a part of the archive, which may be as long as the memory allows: text of cells is longer than numbers.
    fn part<T>(
        &mut self,
        name: &str,
        options: &ReadOptions,
        read: impl FnOnce(&mut dyn Read) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        const TEXT_PER_NUMBER: u64 = 8;
        let most = memory(self.length, options).saturating_mul(TEXT_PER_NUMBER);
        let entry = self.archive.by_name(name).map_err(broken)?;
        let mut entry = entry.take(most);
        let found = read(&mut entry);
        if entry.limit() == 0 { Err(too_large()) } else { found }
    }

    /// What a part refers to: by the kind of what it is, identifiers and names of parts.
    fn relations(
        &mut self,
        name: &str,
        folder: &str,
        options: &ReadOptions,
    ) -> Result<HashMap<String, Vec<(String, String)>>, Fault> {
        let mut found: HashMap<String, Vec<(String, String)>> = HashMap::new();
        if self.archive.index_for_name(name).is_none() {
            return Ok(found);
        }
        self.part(name, options, |input| {
            let mut xml = Xml::new(input);
            while let Some(event) = xml.next()? {
                let Event::Start(start) = event else { continue };
                let value = |name: &str| attribute(&start, name).map(Option::unwrap_or_default);
                let (kind, target) = (value("Type")?, value("Target")?);
                let kind = kind.rsplit('/').next().unwrap_or_default().to_string();
                found.entry(kind).or_default().push((value("Id")?, within(folder, &target)));
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn read_sheets(
        &mut self,
        main: &str,
        relations: &HashMap<String, Vec<(String, String)>>,
        options: &ReadOptions,
    ) -> Result<(), Fault> {
        let parts: HashMap<&str, &str> = relations
            .get("worksheet")
            .into_iter()
            .flatten()
            .map(|(id, part)| (id.as_str(), part.as_str()))
            .collect();
        let (mut sheets, mut from_1904) = (Vec::new(), false);
        self.part(main, options, |input| {
            let mut xml = Xml::new(input);
            while let Some(event) = xml.next()? {
                let Event::Start(start) = event else { continue };
                let value = |name: &str| attribute(&start, name).map(Option::unwrap_or_default);
                match start.local_name().as_ref() {
                    "workbookPr" => {
                        from_1904 = matches!(value("date1904")?.as_str(), "1" | "true");
                    }
                    "sheet" => {
                        // Sheets of charts have no cells.
                        if let Some(part) = parts.get(value("id")?.as_str()) {
                            let (name, part) = (value("name")?, part.to_string());
                            let is_hidden = value("state")?.to_lowercase().contains("hidden");
                            sheets.push(Sheet { name, part, is_hidden });
                        }
                    }
                    _ => {}
                }
            }
            Ok(())
        })?;
        (self.sheets, self.from_1904) = (sheets, from_1904);
        Ok(())
    }

    /// The cells of a sheet as texts.
    fn grid(&mut self, part: &str, options: &ReadOptions) -> Result<Grid, Fault> {
        let mut budget = Budget::packed(self.length, options);
        let (kinds, strings) = (std::mem::take(&mut self.kinds), std::mem::take(&mut self.strings));
        let from_1904 = self.from_1904;
        self.part(part, options, |input| {
            let mut grid = Grid::default();
            let mut xml = Xml::new(input);
            let (mut row, mut column, mut raw) = (0, 0, String::new());
            while let Some(event) = xml.next()? {
                let Event::Start(start) = event else { continue };
                match start.local_name().as_ref() {
                    "row" => {
                        // Where a row has no number it is the next one.
                        let given = attribute(&start, "r")?.map(|text| text.parse());
                        row = given.unwrap_or(Ok(row + 1)).map_err(Fault::damaged)?;
                        column = 0;
                    }
                    "c" => {
                        if let Some(place) = attribute(&start, "r")? {
                            (row, column) = place_of(&place)?;
                        } else {
                            column += 1;
                        }
                        let kind = attribute(&start, "t")?.unwrap_or_default();
                        let style = attribute(&start, "s")?.and_then(|style| style.parse().ok());
                        raw.clear();
                        xml.text("c", &mut raw)?;
                        let style: Option<usize> = style;
                        let style = style.and_then(|style| kinds.get(style)).copied();
                        let text = match kind.as_str() {
                            _ if raw.is_empty() => "",
                            "s" => shared(&strings, &raw)?,
                            "str" | "inlineStr" | "d" => &raw,
                            "b" if raw.trim() == "1" => "TRUE",
                            "b" if raw.trim() == "0" => "FALSE",
                            // What a formula could not compute is missing.
                            "e" => "",
                            _ => {
                                let number = raw.trim().parse::<f64>().ok();
                                let dated = number.zip(style).and_then(|(days, kind)| {
                                    styles::text_of(days, kind, from_1904)
                                });
                                if let Some(dated) = dated {
                                    raw = dated;
                                }
                                &raw
                            }
                        };
                        grid.push((row, column), text, &mut budget)?;
                    }
                    _ => {}
                }
            }
            Ok(grid)
        })
    }
}

/// The name of a part as another part gives it, which lies in a folder.
fn within(folder: &str, target: &str) -> String {
    match target.strip_prefix('/') {
        Some(whole) => whole.to_string(),
        None if folder.is_empty() => target.to_string(),
        None => format!("{folder}/{target}"),
    }
}

fn shared_strings(input: &mut dyn Read, mut budget: Budget) -> Result<Vec<String>, Fault> {
    let mut xml = Xml::new(input);
    let mut strings = Vec::new();
    while let Some(event) = xml.next()? {
        if matches!(&event, Event::Start(start) if start.local_name().as_ref() == "si") {
            let mut text = String::new();
            xml.text("si", &mut text)?;
            budget.take(text.len() as u64 + DISTINCT)?;
            strings.push(text);
        }
    }
    Ok(strings)
}

fn shared<'a>(strings: &'a [String], index: &str) -> Result<&'a str, Fault> {
    let found = index.trim().parse::<usize>().ok().and_then(|index| strings.get(index));
    found.map(String::as_str).ok_or_else(|| Fault::damaged("a text that is not there"))
}

fn broken(error: ZipError) -> Fault {
    match error {
        ZipError::Io(error) => error.into(),
        // An encrypted workbook, like one of before 2007, is another kind of file.
        ZipError::InvalidArchive(_) => fault(
            "is no workbook of Excel 2007 or later, or has a password",
            "save it as .xlsx without a password, or as .csv",
        ),
        error => Fault::damaged(error),
    }
}
