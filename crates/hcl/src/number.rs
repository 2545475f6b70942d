//! Decides which texts are numbers.

use num_bigint::BigUint;

/// Whether the text of a native number token is a number: digits with at most one point, followed by at
/// most one exponent, and representable.
pub fn is_number(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    digits(whole)
        && digits(fraction)
        && digits(exponent.trim_start_matches(['+', '-']))
        && fits(text)
}

/// Whether a number can be held: its binary exponent must fit 32 bits, as in Go's `big.Float`.
pub fn fits(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return true };
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    if exponent.unsigned_abs() < 1_000_000_000 {
        return true;
    }
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Some(mantissa) = BigUint::parse_bytes([whole, fraction].concat().as_bytes(), 10) else {
        return false;
    };
    let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let bits = i64::try_from(mantissa.bits()).unwrap_or(i64::MAX);
    let binary = exponent.saturating_sub(places).saturating_add(bits);
    bits == 0 || i32::try_from(binary).is_ok()
}
