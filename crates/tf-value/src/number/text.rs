//! Numbers as text: Go's `big.Float.Text`.

use std::fmt::Write;

use super::{Float, LITERAL, Number, Repr};
use num_bigint::{BigInt, BigUint};
use num_traits::{Num, One};

/// The style in which a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberStyle {
    /// `%f`: no exponent.
    Plain,
    /// `%e`: one digit before the point.
    Exponent,
    /// `%g`: the shorter of both.
    General,
}

/// Larger binary exponents are not expanded digit by digit.
pub(super) const MAX_EXPONENT: u64 = 400_000;

pub(super) fn format(number: &Number, style: NumberStyle, digits: Option<usize>) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    match number.to_float() {
        None => if number.is_negative() { "-Inf" } else { "+Inf" }.to_owned(),
        Some(float) if float.exponent.unsigned_abs() > MAX_EXPONENT => {
            let lead = usize::from(style != NumberStyle::General);
            format!("{sign}{}", huge(&float, digits.map(|it| it.saturating_add(lead))))
        }
        Some(float) => format!("{sign}{}", unsigned(&float, style, digits)),
    }
}

fn unsigned(float: &Float, style: NumberStyle, digits: Option<usize>) -> String {
    let Some(count) = digits else {
        let decimal = Decimal::shortest(float);
        let exponent = decimal.exponent - 1;
        let moderate = style == NumberStyle::General && (-4..6).contains(&exponent);
        return if style == NumberStyle::Plain || moderate {
            plain(&decimal, places(&decimal, decimal.digits.len()))
        } else {
            scientific(&decimal, decimal.digits.len().saturating_sub(1))
        };
    };
    let mut decimal = Decimal::new(&float.mantissa, float.exponent);
    match style {
        NumberStyle::Plain => {
            let kept = decimal.exponent.saturating_add_unsigned(count as u64);
            match usize::try_from(kept) {
                Ok(kept) => decimal.round(kept),
                Err(_) => decimal = Decimal::default(),
            }
            plain(&decimal, count)
        }
        NumberStyle::Exponent => {
            decimal.round(count.saturating_add(1));
            scientific(&decimal, count)
        }
        NumberStyle::General => general(decimal, count.max(1)),
    }
}

fn general(mut decimal: Decimal, count: usize) -> String {
    decimal.round(count);
    let length = decimal.digits.len();
    let length_wide = i64::try_from(length).unwrap_or(i64::MAX);
    let limit = if count > length && length_wide >= decimal.exponent { length } else { count };
    let exponent = decimal.exponent - 1;
    if exponent < -4 || exponent >= i64::try_from(limit).unwrap_or(i64::MAX) {
        return scientific(&decimal, count.min(length).saturating_sub(1));
    }
    let count_wide = i64::try_from(count).unwrap_or(i64::MAX);
    let shown = if count_wide > decimal.exponent { length } else { count };
    let decimals = places(&decimal, shown);
    plain(&decimal, decimals)
}

/// The number of digits behind the point if `shown` digits are shown in total.
fn places(decimal: &Decimal, shown: usize) -> usize {
    let shown = i64::try_from(shown).unwrap_or(i64::MAX);
    usize::try_from(shown.saturating_sub(decimal.exponent)).unwrap_or(0)
}

fn plain(decimal: &Decimal, places: usize) -> String {
    let mut text = String::new();
    let whole = usize::try_from(decimal.exponent).unwrap_or(0);
    if whole == 0 {
        text.push('0');
    }
    text.extend((0..whole).map(|index| char::from(decimal.at(index))));
    if places > 0 {
        text.push('.');
        let lead = usize::try_from(decimal.exponent.min(0).unsigned_abs()).unwrap_or(usize::MAX);
        text.extend(std::iter::repeat_n('0', lead.min(places)));
        let rest = places.saturating_sub(lead);
        text.extend((whole..whole + rest).map(|index| char::from(decimal.at(index))));
    }
    text
}

fn scientific(decimal: &Decimal, places: usize) -> String {
    let mut text = String::new();
    text.push(char::from(decimal.at(0)));
    if places > 0 {
        text.push('.');
        text.extend((1..=places).map(|index| char::from(decimal.at(index))));
    }
    let exponent = if decimal.digits.is_empty() { 0 } else { decimal.exponent - 1 };
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(text, "e{sign}{:02}", exponent.unsigned_abs());
    text
}

/// A number that is too large or too small to expand, in scientific notation: a power of ten is divided
/// out at a higher precision.
fn huge(float: &Float, digits: Option<usize>) -> String {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    let ten = (float.magnitude() as f64 * std::f64::consts::LOG10_2) as i64;
    let precision = float.precision + 128;
    let power = power_of_five(ten.unsigned_abs(), precision);
    let mut near =
        if ten >= 0 { float.quotient(&power, precision) } else { float.times(&power, precision) };
    near.exponent -= ten;
    let near = near.with_precision(float.precision);
    let mut decimal = Decimal::shortest(&near);
    if let Some(count) = digits {
        decimal.round(count);
    }
    decimal.exponent += ten;
    scientific(&decimal, decimal.digits.len().saturating_sub(1))
}

// Reads numbers like Go's `big.ParseFloat(text, 10, 512, ToNearestEven)`.

/// Longer mantissas are cut: further digits can hardly change the rounding, and the work stays bounded.
pub(super) const MAX_DIGITS: usize = 100_000;

pub(super) fn decimal(text: &str) -> Option<Number> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if matches!(unsigned, "Inf" | "inf") {
        return Some(Number::infinity(negative));
    }
    let end = unsigned.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(unsigned.len());
    let (mantissa, suffix) = unsigned.split_at(end);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if fraction.contains('.') || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (decimal_exponent, binary_exponent) = exponents(suffix)?;
    if let ("", true, Ok(value)) = (suffix, mantissa.len() < 19, mantissa.parse::<i64>())
        && (value > 0 || !negative)
    {
        let value = if negative { -value } else { value };
        return Some(Number(Repr::Small { value, precision: LITERAL }));
    }
    build(negative, whole, fraction, decimal_exponent, binary_exponent).map(Number::from)
}

/// The exponents of ten and of two in the text behind the mantissa.
fn exponents(suffix: &str) -> Option<(i64, i64)> {
    let Some(kind) = suffix.chars().next() else { return Some((0, 0)) };
    let digits = suffix.get(1..)?;
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let exponent = digits.parse().ok()?;
    match kind {
        'e' | 'E' => Some((exponent, 0)),
        'p' | 'P' => Some((0, exponent)),
        _ => None,
    }
}

fn build(negative: bool, whole: &str, fraction: &str, ten: i64, two: i64) -> Option<Float> {
    let digits: String = whole.chars().chain(fraction.chars()).collect();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Float::zero(negative, LITERAL));
    }
    let kept = &digits[..digits.len().min(MAX_DIGITS)];
    let cut = i64::try_from(digits.len() - kept.len()).ok()?;
    let mantissa = BigUint::from_str_radix(kept, 10).ok()?;
    let ten = ten.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(cut)?;
    scale(negative, mantissa, ten, two.checked_add(ten)?)
}

/// `mantissa × 5^five × 2^two`. `None` when Go refuses the exponent.
fn scale(negative: bool, mantissa: BigUint, five: i64, two: i64) -> Option<Float> {
    let exact = Float::exact(negative, mantissa, two, LITERAL);
    i32::try_from(exact.magnitude()).ok()?;
    let power = || power_of_five(five.unsigned_abs(), LITERAL + 64);
    let scaled = match five {
        0 => exact.with_precision(LITERAL),
        1.. => exact.times(&power(), LITERAL),
        _ => exact.quotient(&power(), LITERAL),
    };
    Some(scaled)
}

/// `5^n` by repeated squaring at a precision, with exactly the roundings of Go's conversion.
fn power_of_five(n: u64, precision: u32) -> Float {
    const EXACT: u64 = 27;
    let five = |exponent: u64| {
        Float::exact(false, (0..exponent).map(|_| BigUint::from(5u8)).product(), 0, precision)
    };
    if n <= EXACT {
        return five(n);
    }
    let (mut result, mut rest) = (five(EXACT), n - EXACT);
    let mut square = five(1);
    while rest > 0 {
        if rest & 1 != 0 {
            result = result.times(&square, precision);
        }
        square = square.times(&square, precision + 64);
        rest >>= 1;
    }
    result
}

pub(super) fn integer(text: &str, base: u32) -> Option<Number> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.is_empty() || !(2..=62).contains(&base) {
        return None;
    }
    let digits: Vec<u8> = unsigned.bytes().map(|it| digit(it, base)).collect::<Option<_>>()?;
    let magnitude = BigUint::from_radix_be(&digits, base)?;
    let value = BigInt::from(magnitude);
    Some(Number::from_go_int(&if text.starts_with('-') { -value } else { value }))
}

/// The value of a digit; above base 36 upper-case letters follow the lower-case ones.
fn digit(byte: u8, base: u32) -> Option<u8> {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' if base <= 36 => byte - b'A' + 10,
        b'A'..=b'Z' => byte - b'A' + 36,
        _ => return None,
    };
    (u32::from(value) < base).then_some(value)
}

// Exact decimal expansion, and the shortest one that identifies a float.

/// `0.digits × 10^exponent`; digits are ASCII without trailing zeros.
#[derive(Clone, Debug, Default)]
pub(super) struct Decimal {
    pub digits: Vec<u8>,
    pub exponent: i64,
}

impl Decimal {
    /// The exact expansion of `mantissa × 2^exponent`.
    pub fn new(mantissa: &BigUint, exponent: i64) -> Decimal {
        let scaled = if exponent >= 0 {
            mantissa << exponent.unsigned_abs()
        } else {
            let power = u32::try_from(exponent.unsigned_abs()).unwrap_or(u32::MAX);
            mantissa * BigUint::from(5u8).pow(power)
        };
        let digits = scaled.to_str_radix(10).into_bytes();
        let point = i64::try_from(digits.len()).unwrap_or(i64::MAX) + exponent.min(0);
        Decimal { digits, exponent: point }.trimmed()
    }

    /// The shortest decimal that is nearer to `float` than to its neighbours at its precision.
    pub fn shortest(float: &Float) -> Decimal {
        let mut exact = Decimal::new(&float.mantissa, float.exponent);
        // If `10^digits` is less than `2^precision`, any two decimals with that many digits are nearest
        // to different floats. So no decimal with fewer digits identifies this float.
        if exact.digits.len() * 10 <= (float.precision as usize).saturating_sub(1) * 3 {
            return exact;
        }
        // One bit more than the precision: the last bit is half a unit in the last place.
        let wanted = u64::from(float.precision) + 1;
        let shift = wanted.saturating_sub(float.mantissa.bits());
        let mantissa = &float.mantissa << shift;
        let exponent = float.exponent.saturating_sub_unsigned(shift);
        let lower = Decimal::new(&(&mantissa - BigUint::one()), exponent);
        let upper = Decimal::new(&(&mantissa + BigUint::one()), exponent);
        let inclusive = !mantissa.bit(1);
        for index in 0..exact.digits.len() {
            let (low, digit, high) = (lower.at(index), exact.at(index), upper.at(index));
            let down = low != digit || inclusive && index + 1 == lower.digits.len();
            let room = inclusive || digit + 1 < high || index + 1 < upper.digits.len();
            let up = digit != high && room;
            match (down, up) {
                (true, true) => exact.round(index + 1),
                (true, false) => exact.round_down(index + 1),
                (false, true) => exact.round_up(index + 1),
                (false, false) => continue,
            }
            break;
        }
        exact
    }

    /// The digit at an index; `0` behind the last.
    pub fn at(&self, index: usize) -> u8 {
        self.digits.get(index).copied().unwrap_or(b'0')
    }

    /// Rounds to a number of digits, ties to even.
    pub fn round(&mut self, count: usize) {
        if count >= self.digits.len() {
            return;
        }
        let tie = self.at(count) == b'5' && count + 1 == self.digits.len();
        let up = if tie {
            count > 0 && (self.at(count - 1) - b'0') % 2 == 1
        } else {
            self.at(count) >= b'5'
        };
        if up { self.round_up(count) } else { self.round_down(count) }
    }

    fn round_down(&mut self, count: usize) {
        if count < self.digits.len() {
            self.digits.truncate(count);
            *self = std::mem::take(self).trimmed();
        }
    }

    fn round_up(&mut self, count: usize) {
        if count >= self.digits.len() {
            return;
        }
        self.digits.truncate(count);
        while self.digits.last() == Some(&b'9') {
            self.digits.pop();
        }
        if let Some(digit) = self.digits.last_mut() {
            *digit += 1;
        } else {
            self.digits.push(b'1');
            self.exponent += 1;
        }
    }

    fn trimmed(mut self) -> Decimal {
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.exponent = 0;
        }
        self
    }
}
