//! Values of flags: amounts of memory, times and counts.

use std::time::Duration;

use rex_game::Board;

/// Reads `4G`, `512M`, `1.5GiB`, `65536`: bytes, with powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    amount(text, "expected bytes such as '512M' or '4G'", |unit| match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kb" | "kib" => Some(1 << 10),
        "m" | "mb" | "mib" => Some(1 << 20),
        "g" | "gb" | "gib" => Some(1 << 30),
        "t" | "tb" | "tib" => Some(1 << 40),
        _ => None,
    })
}

/// Reads `60s`, `500ms`, `2m`, `1h`, `90` (seconds).
pub fn duration(text: &str) -> Result<Duration, String> {
    let millis = amount(text, "expected a time such as '500ms', '60s', '2m' or '1h'", |unit| match unit {
        "ms" => Some(1),
        "" | "s" => Some(1000),
        "m" | "min" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    });
    millis.map(Duration::from_millis)
}

/// Reads `1000`, `10k`, `3M`, `2G`: a count, with powers of 1000.
pub fn count(text: &str) -> Result<u64, String> {
    amount(text, "expected a count such as '5000', '10k' or '3M'", |unit| match unit {
        "" => Some(1),
        "k" | "K" => Some(1000),
        "m" | "M" => Some(1_000_000),
        "g" | "G" => Some(1_000_000_000),
        _ => None,
    })
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

/// Reads a number with a unit, and rounds what comes out.
fn amount(text: &str, expected: &str, factor: impl Fn(&str) -> Option<u64>) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(text.len());
    let (number, unit) = (text[..digits].replace('_', ""), text[digits..].trim_start());
    let factor = factor(unit).ok_or_else(|| format!("unknown unit '{unit}'; {expected}"))?;
    let product = match number.parse::<u64>() {
        Ok(exact) => exact.checked_mul(factor),
        Err(_) => number.parse().ok().map(|number: f64| number * factor as f64).and_then(rounded),
    };
    product.ok_or_else(|| expected.to_owned())
}

/// The nearest whole number, if it fits.
fn rounded(number: f64) -> Option<u64> {
    (number.is_finite() && number < 9e18).then_some(number.round() as u64)
}

/// Reads a SIZE: rows x columns, or one number for a square board.
pub fn size(text: &str) -> Result<Board, String> {
    let text = text.trim();
    let square = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let size = if square { format!("{text}x{text}") } else { text.to_owned() };
    size.parse().map_err(|error: rex_game::NotationError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_take_binary_units() {
        for (text, wanted) in [
            ("65536", 65536),
            ("64K", 65536),
            ("64KiB", 65536),
            ("1.5G", 3 << 29),
            ("4 GiB", 4 << 30),
            ("1t", 1 << 40),
            ("0", 0),
        ] {
            assert_eq!(bytes(text), Ok(wanted), "{text}");
        }
        for text in ["", "G", "4X", "-1G", "1e3", "99999999999999999999T", "20000000T", "4GG", "1.2.3"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_and_counts_have_units_too() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("60"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1h"), Ok(Duration::from_secs(3600)));
        assert_eq!(count("10k"), Ok(10_000));
        assert_eq!(count("2.5M"), Ok(2_500_000));
        assert_eq!(count("1_000"), Ok(1000));
        for text in ["", "soon", "5x", "-3s", "1 2s"] {
            assert!(duration(text).is_err(), "{text}");
            assert!(count(text).is_err(), "{text}");
        }
        assert!(threads("0").is_err());
        assert_eq!(threads("2"), Ok(2));
    }
}
