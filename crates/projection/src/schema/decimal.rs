//! Exact decimal numbers and their text in JSON.

use std::cmp::Ordering;

/// An exact decimal number: the digits of its significand and its decimal exponent. Two spellings
/// of one number (`1.0`, `1`, `10e-1`) are equal.
#[derive(Clone, Debug, Eq)]
pub struct Decimal {
    negative: bool,
    /// Significant digits without leading or trailing zeros; empty for zero.
    digits: String,
    /// The position of the point, counted from before the first digit: `0.DIGITS × 10^point`.
    point: i64,
}

impl From<u64> for Decimal {
    fn from(number: u64) -> Self {
        Decimal::normalised(false, &number.to_string(), 0)
    }
}

impl Decimal {
    /// Reads a decimal with an optional sign, fraction and exponent, as JSON and HCL write them.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], rest[at + 1..].parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        let scale = i64::try_from(fraction.len()).ok()?;
        Some(Decimal::normalised(negative, &digits, exponent.checked_sub(scale)?))
    }

    /// The decimal `digits × 10^exponent`, normalised.
    fn normalised(negative: bool, digits: &str, exponent: i64) -> Decimal {
        let point = exponent.saturating_add(i64::try_from(digits.len()).unwrap_or(i64::MAX));
        let significant = digits.trim_start_matches('0');
        let leading = i64::try_from(digits.len() - significant.len()).unwrap_or(i64::MAX);
        let significant = significant.trim_end_matches('0');
        if significant.is_empty() {
            return Decimal { negative, digits: String::new(), point: 0 };
        }
        Decimal { negative, digits: significant.to_owned(), point: point - leading }
    }

    /// Whether a double holds the number so that its shortest text is exactly this decimal.
    pub fn is_double(&self) -> bool {
        let Ok(double) = self.to_string().parse::<f64>() else { return false };
        Decimal::parse(&format!("{double:e}")).as_ref() == Some(self)
    }

    /// The number in `serde_json`'s model: 64-bit integers, else a double.
    pub fn to_serde(&self) -> serde_json::Value {
        let text = self.to_string();
        if let Ok(integer) = text.parse::<i64>() {
            return integer.into();
        }
        if let Ok(integer) = text.parse::<u64>() {
            return integer.into();
        }
        text.parse::<f64>().map_or(serde_json::Value::Null, Into::into)
    }

    fn plain(&self) -> String {
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        if self.point <= 0 {
            let zeros = usize::try_from(-self.point).unwrap_or(0);
            return format!("0.{}{}", "0".repeat(zeros), self.digits);
        }
        if self.point >= length {
            let zeros = usize::try_from(self.point - length).unwrap_or(0);
            return format!("{}{}", self.digits, "0".repeat(zeros));
        }
        let (whole, fraction) = self.digits.split_at(usize::try_from(self.point).unwrap_or(0));
        format!("{whole}.{fraction}")
    }
}

impl std::fmt::Display for Decimal {
    /// Writes the number like Go's `encoding/json` writes a float64 with these shortest digits: plain
    /// from 1e-6 up to 1e21, otherwise with an exponent that has a sign and no leading zero.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        if (-5..=21).contains(&self.point) || self.digits.is_empty() {
            return write!(f, "{sign}{}", self.plain());
        }
        let (first, rest) = self.digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent = self.point - 1;
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        write!(f, "{sign}{first}{dot}{rest}e{exponent_sign}{}", exponent.unsigned_abs())
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sign().cmp(&other.sign()).then_with(|| {
            let size = self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits));
            if self.negative { size.reverse() } else { size }
        })
    }
}

impl Decimal {
    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
