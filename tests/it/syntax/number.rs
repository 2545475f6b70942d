//! Number texts in the recorded form: the shortest decimal of the 512-bit value.

use num_bigint::BigUint;

/// The text without exponent and superfluous zeros, rounded as a mantissa of 512 bits rounds it.
pub fn canonical(text: &str) -> String {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let mut exponent = exponent - i64::try_from(fraction.len()).unwrap();
    let mut digits = format!("{whole}{fraction}").trim_start_matches('0').to_owned();
    if digits.is_empty() {
        return "0".into();
    }
    if digits.len() > 154 && (0..1000).contains(&exponent) {
        digits.push_str(&"0".repeat(usize::try_from(exponent).unwrap()));
        exponent = 0;
        digits = shortest_512(&BigUint::parse_bytes(digits.as_bytes(), 10).unwrap());
    }
    while digits.len() > 1 && digits.ends_with('0') {
        digits.pop();
        exponent += 1;
    }
    place_point(&digits, exponent)
}

/// Rounds an integer to 512 bits, then to the fewest digits that round to the same.
fn shortest_512(exact: &BigUint) -> String {
    let value = round_512(exact);
    let text = value.to_string();
    for len in 1..text.len() {
        let scale = BigUint::from(10u8).pow(u32::try_from(text.len() - len).unwrap());
        let down = &value / &scale;
        let up = &down + 1u8;
        for candidate in [down, up] {
            let candidate = candidate * &scale;
            if round_512(&candidate) == value {
                return candidate.to_string();
            }
        }
    }
    text
}

fn round_512(value: &BigUint) -> BigUint {
    let extra = value.bits().saturating_sub(512);
    if extra == 0 {
        return value.clone();
    }
    let kept = value >> extra;
    let rest = value - (&kept << extra);
    let half = BigUint::from(1u8) << (extra - 1);
    let up = rest > half || (rest == half && kept.bit(0));
    (kept + u8::from(up)) << extra
}

fn place_point(digits: &str, exponent: i64) -> String {
    let len = i64::try_from(digits.len()).unwrap();
    let scientific = exponent + len - 1;
    if scientific < -2_147_483_000 {
        return "0".into();
    }
    if !(-400..=400).contains(&scientific) {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{first}{point}{rest}e{scientific}");
    }
    if exponent >= 0 {
        return format!("{digits}{}", "0".repeat(usize::try_from(exponent).unwrap()));
    }
    if len + exponent > 0 {
        let (whole, fraction) = digits.split_at(usize::try_from(len + exponent).unwrap());
        return format!("{whole}.{fraction}");
    }
    format!("0.{}{digits}", "0".repeat(usize::try_from(-(len + exponent)).unwrap()))
}
