//! Values of flags: amounts of memory, times and counts.

use std::time::Duration;

use rex_game::Board;

/// Reads `4G`, `512M`, `1.5GiB`, `65536`: bytes, with powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected bytes such as '512M' or '4G'";
    let (number, unit) = split(text);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(format!("unknown unit '{unit}'; {EXPECTED}")),
    };
    whole(number, (1u64 << shift) as f64).ok_or_else(|| EXPECTED.to_owned())
}

/// Reads `60s`, `500ms`, `2m`, `1h`, `90` (seconds).
pub fn duration(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a time such as '500ms', '60s', '2m' or '1h'";
    let (number, unit) = split(text);
    let millis = match unit {
        "ms" => 1.0,
        "" | "s" => 1000.0,
        "m" | "min" => 60_000.0,
        "h" => 3_600_000.0,
        _ => return Err(format!("unknown unit '{unit}'; {EXPECTED}")),
    };
    whole(number, millis).map(Duration::from_millis).ok_or_else(|| EXPECTED.to_owned())
}

/// Reads `1000`, `10k`, `3M`, `2G`: a count, with powers of 1000.
pub fn count(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a count such as '5000', '10k' or '3M'";
    let (number, unit) = split(text);
    let factor = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return Err(format!("unknown unit '{unit}'; {EXPECTED}")),
    };
    whole(number, factor).ok_or_else(|| EXPECTED.to_owned())
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(text.len());
    (&text[..digits], text[digits..].trim_start())
}

/// The number times the factor, rounded, if it is valid and fits.
fn whole(number: &str, factor: f64) -> Option<u64> {
    let number = number.replace('_', "");
    if let Ok(exact) = number.parse::<u64>() {
        return exact.checked_mul(factor as u64);
    }
    let product = number.parse::<f64>().ok()? * factor;
    (product.is_finite() && product < 9e18).then_some(product.round() as u64)
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
