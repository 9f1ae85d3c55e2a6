//! Numbers as people read them: few digits, and a power of ten where there would be many zeros.

/// From this power of ten on there is an exponent, and below the other one.
const LARGE: i32 = 7;
const SMALL: i32 = -4;

/// A number with at most so many significant digits, but all of those before the point.
///
/// ```
/// use nrdr::number;
///
/// assert_eq!(number::rounded(0.083333, 3), "0.0833");
/// assert_eq!(number::rounded(12345.6, 3), "12346");
/// assert_eq!(number::rounded(1e200, 3), "1e200");
/// ```
pub fn rounded(value: f64, digits: usize) -> String {
    let digits = digits.max(1);
    let scientific = format!("{value:.*e}", digits - 1);
    let parts = scientific.split_once('e').and_then(|(m, e)| Some((m, e.parse::<i32>().ok()?)));
    // Not a number, or infinite.
    let Some((mantissa, exponent)) = parts else { return value.to_string() };
    if (SMALL..LARGE).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        shortened(&format!("{value:.decimals$}"))
    } else {
        format!("{}e{exponent}", shortened(mantissa))
    }
}

/// A number with all of its digits.
///
/// ```
/// use nrdr::number;
///
/// assert_eq!((number::exact(0.1), number::exact(12.0)), ("0.1".to_string(), "12".to_string()));
/// assert_eq!(number::exact(-1e200), "-1e200");
/// ```
pub fn exact(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// Without zeros at the end of what stands behind the point.
fn shortened(text: &str) -> String {
    let short =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_digits_whatever_their_size() {
        for (value, told) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.2, "0.2"),
            (0.123456, "0.123"),
            (99.96, "100"),
            (-1234.5678, "-1235"),
            (9_989_999.0, "9989999"),
            (9_999_999.0, "1e7"),
            (12_345_678.0, "1.23e7"),
            (0.00012345, "0.000123"),
            (0.000012345, "1.23e-5"),
            (f64::MIN_POSITIVE, "2.23e-308"),
            (f64::MAX, "1.8e308"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(rounded(value, 3), told, "{value:e}");
        }
    }

    #[test]
    fn exact_numbers_are_read_back_to_the_bit() {
        for value in [0.1, 1.0 / 3.0, 1e16, 1e-7, 123_456_789.25, -f64::MAX, 5e-324] {
            let told = exact(value);
            assert_eq!(told.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{told}");
            assert!(told.len() < 26, "{told}");
        }
    }
}
