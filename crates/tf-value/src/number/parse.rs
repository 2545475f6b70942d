//! Reads numbers like Go's `big.ParseFloat(text, 10, 512, ToNearestEven)`.

use num_bigint::{BigInt, BigUint};
use num_traits::Num;

use super::{Float, LITERAL, Number, Repr};

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
pub(super) fn power_of_five(n: u64, precision: u32) -> Float {
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
