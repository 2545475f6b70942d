//! Durations as Go writes them: `1h30m`, `-1.5s`, `0`.

/// Nanoseconds. `None` when the text is not a duration, or is more than about 292 years.
pub fn parse(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (nanoseconds, after) = part(rest)?;
        total = total.checked_add(nanoseconds).filter(|it| *it <= MAX)?;
        rest = after;
    }
    if negative { 0_i64.checked_sub_unsigned(total) } else { i64::try_from(total).ok() }
}

/// The magnitude of Go's smallest duration.
const MAX: u64 = 1 << 63;

/// A number with its unit, and what follows.
fn part(text: &str) -> Option<(u64, &str)> {
    let (whole, after) = digits(text);
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => digits(after),
        None => ("", after),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let end = after.find(|it: char| it == '.' || it.is_ascii_digit()).unwrap_or(after.len());
    let unit = unit(&after[..end])?;
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let nanoseconds = whole.checked_mul(unit).filter(|it| *it <= MAX)?;
    let nanoseconds =
        nanoseconds.checked_add(fraction_of(unit, fraction)).filter(|it| *it <= MAX)?;
    Some((nanoseconds, &after[end..]))
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

fn unit(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// Go computes this with doubles, from as many digits as 63 bits hold.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn fraction_of(unit: u64, digits: &str) -> u64 {
    let (mut value, mut scale) = (0_u64, 1_f64);
    for digit in digits.bytes() {
        let longer = value.checked_mul(10).and_then(|it| it.checked_add(u64::from(digit - b'0')));
        let Some(longer) = longer.filter(|it| *it <= MAX) else { break };
        (value, scale) = (longer, scale * 10.0);
    }
    (value as f64 * (unit as f64 / scale)) as u64
}
