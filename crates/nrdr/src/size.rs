//! Amounts of memory as people write and read them. As in the rest of this crate a gigabyte is 10^9 bytes.

/// Nothing can be embedded in less.
pub const LEAST: u64 = 1_000_000;

/// Units by their letters.
const UNITS: [(char, f64); 4] = [('k', 1e3), ('m', 1e6), ('g', 1e9), ('t', 1e12)];
/// The same in powers of two: `8Gi`.
const BINARY: f64 = 1.024;

/// The bytes of a text such as `8G`, `512M`, `1.5 GB`, `8Gi` or `2000000000`; `None` for what is no amount of memory.
///
/// ```
/// use nrdr::size;
///
/// assert_eq!(size::parse("1.5G"), Some(1_500_000_000));
/// assert_eq!(size::parse("2GiB"), Some(2 << 30));
/// assert_eq!(size::parse("lots"), None);
/// ```
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_suffix('b').unwrap_or(&text);
    let (text, is_binary) = match text.strip_suffix('i') {
        Some(rest) if rest.ends_with(|end: char| end.is_ascii_alphabetic()) => (rest, true),
        Some(_) => return None,
        None => (text, false),
    };
    let unit = UNITS.iter().zip(1..).find(|((letter, _), _)| text.ends_with(*letter));
    let (number, unit) = match unit {
        Some(((letter, unit), power)) => {
            let base: f64 = if is_binary { BINARY } else { 1.0 };
            (text.strip_suffix(*letter).unwrap_or(text), unit * base.powi(power))
        }
        None => (text, 1.0),
    };
    let plain = |c: char| c.is_ascii_digit() || c == '.';
    let number: f64 = Some(number.trim()).filter(|n| n.chars().all(plain))?.parse().ok()?;
    let bytes = (number * unit).round();
    (bytes.is_finite() && bytes < 1e18).then_some(bytes as u64)
}

/// "80 kB", "340 MB", "5.2 GB".
pub fn told(bytes: u64) -> String {
    let gigabytes = bytes as f64 / 1e9;
    match gigabytes {
        g if g < 1e-3 => format!("{:.0} kB", 1e6 * g),
        g if g < 1.0 => format!("{:.0} MB", 1000.0 * g),
        g if g < 100.0 => format!("{g:.1} GB"),
        g => format!("{g:.0} GB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("8G", 8_000_000_000),
            ("8gb", 8_000_000_000),
            (" 1.5 G ", 1_500_000_000),
            ("512M", 512_000_000),
            ("10K", 10_000),
            ("1Ki", 1024),
            ("3TiB", 3 << 40),
            ("123456", 123_456),
            ("0", 0),
        ] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in
            ["", "G", "abc", "8X", "-1G", "1e9", "8GG", "8i", "nan", "inf", "1.2.3", "9999999T"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_are_told_in_few_digits() {
        let told: Vec<String> =
            [80_000, 340_000_000, 5_210_000_000, 800_000_000_000].map(told).into();
        assert_eq!(told, ["80 kB", "340 MB", "5.2 GB", "800 GB"]);
    }
}
