//! Order of exact values, and equality of texts.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

use super::{DOUBLE, Float, LITERAL, Number, Repr};

impl Number {
    /// The order of the exact values, not of the texts; the two zeros are equal.
    pub fn compare(&self, other: &Number) -> Ordering {
        if let (Repr::Small { value: left, .. }, Repr::Small { value: right, .. }) =
            (&self.0, &other.0)
        {
            return left.cmp(right);
        }
        self.sign().cmp(&other.sign()).then_with(|| {
            let order = match (self.to_float(), other.to_float()) {
                (Some(left), Some(right)) => left.compare_magnitude(&right),
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (None, None) => Ordering::Equal,
            };
            if self.is_negative() { order.reverse() } else { order }
        })
    }

    /// The number with the equality of cty before 1.14.3: a whole number, too, is compared by its
    /// shortest text. That text has fewer digits than the value if its precision is that of a function's
    /// result.
    pub fn equal_by_text(&self) -> Number {
        let is_large = |it: &Float| it.exponent >= 0 && it.magnitude() > i64::from(DOUBLE);
        match self.to_float().filter(|it| it.precision < LITERAL && is_large(it)) {
            Some(float) => Number(Repr::Big(Box::new(Float { by_text: true, ..float }))),
            None => self.clone(),
        }
    }

    /// The number that the text denotes, if equality goes by the text.
    fn written(&self) -> Option<Number> {
        match &self.0 {
            Repr::Big(float) if float.by_text => Number::parse(&self.to_decimal()),
            _ => None,
        }
    }

    /// -1, 0 or 1.
    pub fn sign(&self) -> i8 {
        match (self.is_zero(), self.is_negative()) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

/// Equality as in Terraform's `==`: whole numbers by their values, others by the shortest decimal text
/// at each one's own precision. The two zeros are equal.
impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small { value: left, .. }, Repr::Small { value: right, .. }) => left == right,
            (Repr::Infinity { negative: left, .. }, Repr::Infinity { negative: right, .. }) => {
                left == right
            }
            (Repr::Infinity { .. }, _) | (_, Repr::Infinity { .. }) => false,
            _ if self.is_zero() || other.is_zero() => self.is_zero() && other.is_zero(),
            _ => self.is_negative() == other.is_negative() && equal_finite(self, other),
        }
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Small { value, .. } => value.hash(state),
            _ if self.is_zero() => 0i64.hash(state),
            _ => self.identity().hash(state),
        }
    }
}

impl Number {
    /// A text that two numbers share exactly if they are equal; only the two zeros have different texts.
    pub fn identity(&self) -> String {
        match &self.0 {
            Repr::Small { value, .. } => value.to_string(),
            Repr::Big(float) if float.by_text => {
                self.written().map_or_else(|| self.to_decimal(), |it| it.identity())
            }
            Repr::Big(float) if float.exponent >= 0 => {
                let sign = if float.negative { "-" } else { "" };
                format!("{sign}{:x}p{}", float.mantissa, float.exponent)
            }
            _ => self.to_decimal(),
        }
    }
}

fn equal_finite(left: &Number, right: &Number) -> bool {
    match (left.written(), right.written()) {
        (None, None) => (),
        (Some(left), None) => return equal_finite(&left, right),
        (None, Some(right)) => return equal_finite(left, &right),
        (Some(left), Some(right)) => return equal_finite(&left, &right),
    }
    let (Some(a), Some(b)) = (left.to_float(), right.to_float()) else { return false };
    let same = a.exponent == b.exponent && a.mantissa == b.mantissa;
    if left.is_integer() || right.is_integer() || same && a.precision == b.precision {
        return same;
    }
    // Texts can agree only if the values are closer than the coarsest precision distinguishes.
    close(&a, &b) && left.to_decimal() == right.to_decimal()
}

/// Whether two magnitudes differ by less than about 2^-48.
fn close(left: &Float, right: &Float) -> bool {
    if left.magnitude().abs_diff(right.magnitude()) > 1 {
        return false;
    }
    let top = left.magnitude().max(right.magnitude()) - 62;
    leading(left, top).abs_diff(leading(right, top)) < 1 << 14
}

/// The integer part of the magnitude divided by `2^exponent`; it fits 64 bits.
fn leading(float: &Float, exponent: i64) -> u64 {
    let shift = float.exponent.saturating_sub(exponent);
    let digits = if shift >= 0 {
        &float.mantissa << shift.unsigned_abs()
    } else {
        &float.mantissa >> shift.unsigned_abs()
    };
    digits.iter_u64_digits().next().unwrap_or(0)
}
