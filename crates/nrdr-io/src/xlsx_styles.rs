//! Which numbers of a workbook are dates, by the formats of their cells, and dates as texts.

use std::collections::HashMap;
use std::io::Read;

use quick_xml::events::Event;

use super::error::Fault;
use super::xml::{Xml, attribute};

/// What a number with a format is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Kind {
    #[default]
    Number,
    Date,
    Time,
}

/// The kinds of the styles of a workbook, in their order.
pub(super) fn read(input: impl Read) -> Result<Vec<Kind>, Fault> {
    let mut xml = Xml::new(input);
    let (mut formats, mut styles) = (HashMap::new(), Vec::new());
    let mut are_of_cells = false;
    while let Some(event) = xml.next()? {
        match event {
            Event::Start(start) => match start.local_name().as_ref() {
                "numFmt" => {
                    let code = attribute(&start, "formatCode")?.unwrap_or_default();
                    if let Some(id) = attribute(&start, "numFmtId")? {
                        formats.insert(id, kind_of(&code));
                    }
                }
                "cellXfs" => are_of_cells = true,
                "xf" if are_of_cells => {
                    let id = attribute(&start, "numFmtId")?.unwrap_or_default();
                    styles.push(formats.get(&id).copied().unwrap_or_else(|| built_in(&id)));
                }
                _ => {}
            },
            Event::End(end) if end.local_name().as_ref() == "cellXfs" => are_of_cells = false,
            _ => {}
        }
    }
    Ok(styles)
}

/// The formats that have numbers only.
fn built_in(id: &str) -> Kind {
    match id.parse::<u32>() {
        Ok(14..=17 | 22 | 27..=31 | 34..=36 | 50..=58) => Kind::Date,
        Ok(18..=21 | 32 | 33 | 45..=47) => Kind::Time,
        _ => Kind::Number,
    }
}

/// By the letters of a code outside of quotes, colours and what is escaped.
fn kind_of(code: &str) -> Kind {
    let mut letters = String::new();
    let mut code = code.chars();
    while let Some(c) = code.next() {
        match c {
            '"' => drop(code.by_ref().find(|c| *c == '"')),
            '\\' | '_' | '*' => drop(code.next()),
            '[' => {
                let inside: String = code.by_ref().take_while(|c| *c != ']').collect();
                let inside = inside.to_lowercase();
                // Hours, minutes or seconds that go on counting.
                if !inside.is_empty() && inside.chars().all(|c| "hms".contains(c)) {
                    letters.push('h');
                }
            }
            // The format of negative numbers follows.
            ';' => break,
            c => letters.extend(c.to_lowercase()),
        }
    }
    if letters.trim() == "general" {
        return Kind::Number;
    }
    let has = |some: &str| letters.contains(|c| some.contains(c));
    match (has("dy"), has("hs"), has("m")) {
        (true, ..) => Kind::Date,
        (false, true, _) => Kind::Time,
        (false, false, true) => Kind::Date,
        _ => Kind::Number,
    }
}

/// A number of days as a text: a date, with a time if it has one, or a time. Nothing for what is neither.
pub(super) fn text_of(days: f64, kind: Kind, from_1904: bool) -> Option<String> {
    const LAST: f64 = 2_958_466.0;
    if kind == Kind::Number || !(0.0..LAST).contains(&days) {
        return None;
    }
    let milliseconds = (days * 86_400_000.0).round() as i64;
    let (day, rest) = (milliseconds.div_euclid(86_400_000), milliseconds.rem_euclid(86_400_000));
    let clock = |hours: i64| {
        let (minute, second, part) = (rest / 60_000 % 60, rest / 1000 % 60, rest % 1000);
        let part = if part > 0 { format!(".{part:03}") } else { String::new() };
        format!("{hours:02}:{minute:02}:{second:02}{part}")
    };
    let hour = rest / 3_600_000;
    if kind == Kind::Time {
        return Some(clock(day * 24 + hour));
    }
    // Days from 1 January 1970 on. In the other count there is a 29 February 1900.
    let from_1970 = match day {
        _ if from_1904 => day - 24_107,
        60.. => day - 25_569,
        _ => day - 25_568,
    };
    let (year, month, day) = date_of(from_1970);
    let date = format!("{year:04}-{month:02}-{day:02}");
    Some(if rest == 0 { date } else { format!("{date}T{}", clock(hour)) })
}

/// Year, month and day of the Gregorian calendar, so many days after 1 January 1970. Years begin in March here, so that
/// a leap day is their last one.
fn date_of(days: i64) -> (i64, i64, i64) {
    const CYCLE: i64 = 146_097;
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (cycle * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_dates_are_told_from_those_of_numbers() {
        for (code, kind) in [
            ("General", Kind::Number),
            ("0.00E+00", Kind::Number),
            ("#,##0.00 \"days\"", Kind::Number),
            ("[Red]0.0;[Blue]-0.0", Kind::Number),
            ("0.0\\d", Kind::Number),
            ("yyyy\\-mm\\-dd", Kind::Date),
            ("d. mmmm", Kind::Date),
            ("mmm", Kind::Date),
            ("[$-409]m/d/yy h:mm AM/PM;@", Kind::Date),
            ("[h]:mm:ss", Kind::Time),
            ("hh:mm", Kind::Time),
        ] {
            assert_eq!(kind_of(code), kind, "{code}");
        }
    }

    #[test]
    fn days_are_dates() {
        let date = |days: f64, from_1904| text_of(days, Kind::Date, from_1904).unwrap();
        for (days, from_1904, text) in [
            (1.0, false, "1900-01-01"),
            (59.0, false, "1900-02-28"),
            (61.0, false, "1900-03-01"),
            (45_351.0, false, "2024-02-29"),
            (45_351.5, false, "2024-02-29T12:00:00"),
            (43_889.0, true, "2024-02-29"),
            (2_958_465.0, false, "9999-12-31"),
            (45_351.000_011_574_07, false, "2024-02-29T00:00:01"),
        ] {
            assert_eq!(date(days, from_1904), text, "{days}");
        }
        assert_eq!(text_of(1.25, Kind::Time, false).unwrap(), "30:00:00");
        assert_eq!(text_of(-1.0, Kind::Date, false), None);
        assert_eq!(text_of(f64::NAN, Kind::Date, false), None);
    }
}
