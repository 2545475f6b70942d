//! Numbers as text: Go's `big.Float.Text`.

use std::fmt::Write;

use super::{Float, Number, decimal::Decimal, parse::power_of_five};

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
