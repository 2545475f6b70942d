//! Arithmetic with cty's rules for precision, zeros and infinities.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

use super::{DOUBLE, Float, LITERAL, Number, Repr};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::Zero;

type Outcome = Result<Number, &'static str>;

impl Number {
    /// The sum at the larger precision. Errors: infinities of opposite signs.
    pub fn add(&self, other: &Number) -> Outcome {
        if let Some((left, right, precision)) = small(self, other)
            && let Some(value) = left.checked_add(right).filter(|it| fits(*it, precision))
        {
            return Ok(Number(Repr::Small { value, precision }));
        }
        let precision = self.precision().max(other.precision());
        match (self.to_float(), other.to_float()) {
            (Some(left), Some(right)) => Ok(sum(&left, &right, precision).into()),
            (None, None) if self.is_negative() != other.is_negative() => {
                Err("can't compute sum of opposing infinities")
            }
            (None, _) => Ok(infinity(self.is_negative(), precision)),
            (_, None) => Ok(infinity(other.is_negative(), precision)),
        }
    }

    /// The difference at the larger precision. Errors: the difference of two equal infinities.
    pub fn subtract(&self, other: &Number) -> Outcome {
        self.add(&other.negate()).map_err(|_| "can't subtract infinity from itself")
    }

    /// The product, rounded to 512 bits; its precision is the larger one, or more if it needs more.
    /// Errors: zero times infinity.
    pub fn multiply(&self, other: &Number) -> Outcome {
        if let Some((left, right, precision)) = small(self, other)
            && let Some(value) =
                left.checked_mul(right).filter(|it| *it != 0 && fits(*it, precision))
        {
            return Ok(Number(Repr::Small { value, precision }));
        }
        let precision = self.precision().max(other.precision());
        let negative = self.is_negative() != other.is_negative();
        let (Some(left), Some(right)) = (self.to_float(), other.to_float()) else {
            if self.is_zero() || other.is_zero() {
                return Err("can't multiply zero by infinity");
            }
            return Ok(infinity(negative, precision));
        };
        let mut product = left.times(&right, LITERAL);
        let needed = u32::try_from(product.mantissa.bits()).unwrap_or(u32::MAX);
        product.precision = precision.max(needed);
        Ok(product.with_precision(precision.max(needed)).into())
    }

    /// The quotient at the larger precision; a division by zero gives an infinity. Errors: zero by zero,
    /// infinity by infinity.
    pub fn divide(&self, other: &Number) -> Outcome {
        if let Some((left, right, precision)) = small(self, other)
            && left != 0
            && left.checked_rem(right) == Some(0)
            && let Some(value) = left.checked_div(right)
        {
            return Ok(Number(Repr::Small { value, precision }));
        }
        let precision = self.precision().max(other.precision());
        let negative = self.is_negative() != other.is_negative();
        let undefined = "can't divide zero by zero or infinity by infinity";
        match (self.to_float(), other.to_float()) {
            (Some(left), Some(right)) if left.is_zero() && right.is_zero() => Err(undefined),
            (None, None) => Err(undefined),
            (Some(_), Some(right)) if right.is_zero() => Ok(infinity(negative, precision)),
            (Some(left), Some(right)) => Ok(left.quotient(&right, precision).into()),
            (None, Some(_)) => Ok(infinity(negative, precision)),
            (Some(_), None) => Ok(Float::zero(negative, precision).into()),
        }
    }

    /// The remainder of the division towards zero, at the dividend's precision and with its sign. A
    /// division by zero gives the dividend. Errors: an infinity, unless divided by zero.
    pub fn modulo(&self, other: &Number) -> Outcome {
        if let Some((left, right, _)) = small(self, other)
            && (is_exact(left) && is_exact(right) || self.precision().min(other.precision()) >= 64)
        {
            let Some(value) = left.checked_rem(right).filter(|_| left != 0) else {
                return Ok(self.clone());
            };
            return Ok(Number(Repr::Small { value, precision: self.precision() }));
        }
        if other.is_zero() {
            return Ok(self.clone());
        }
        let (Some(left), Some(right)) = (self.to_float(), other.to_float()) else {
            return Err("can't use modulo with zero and infinity");
        };
        let ratio = self.divide(other)?;
        let rest = match ratio.to_bigint() {
            Some(whole) => remainder(&left, &right, &whole),
            // The integer has more bits than are worth computing: the remainder is zero at any precision
            // that the result could have.
            None => Float::zero(left.negative, left.precision),
        };
        Ok(rest.into())
    }

    pub fn negate(&self) -> Number {
        match &self.0 {
            Repr::Small { value, precision } if *value != 0 && *value != i64::MIN => {
                Number(Repr::Small { value: -value, precision: *precision })
            }
            Repr::Infinity { negative, precision } => infinity(!negative, *precision),
            _ => {
                let Some(mut float) = self.to_float() else { return self.clone() };
                float.negative = !float.negative;
                float.into()
            }
        }
    }

    pub fn abs(&self) -> Number {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// The largest integer that is not greater, as Terraform's `floor`; an infinity stays.
    pub fn floor(&self) -> Number {
        self.whole(true)
    }

    /// The smallest integer that is not less.
    pub fn ceil(&self) -> Number {
        self.whole(false)
    }

    fn whole(&self, down: bool) -> Number {
        if self.is_integer() || self.is_infinite() {
            return self.clone();
        }
        let Some(mut whole) = self.to_bigint() else { return self.clone() };
        match (down, self.is_negative()) {
            (true, true) => whole -= 1,
            (false, false) => whole += 1,
            _ => (),
        }
        let bits = u32::try_from(whole.bits()).unwrap_or(u32::MAX);
        let negative = whole.sign() == Sign::Minus;
        let precision = self.precision().max(bits);
        Float::new(negative, whole.into_parts().1, 0, precision).into()
    }

    /// The same number rounded (or extended) to this many bits.
    pub fn with_precision(&self, precision: u32) -> Number {
        match (&self.0, self.to_float()) {
            (Repr::Infinity { negative, .. }, _) => infinity(*negative, precision),
            (_, Some(float)) => float.with_precision(precision).into(),
            (_, None) => self.clone(),
        }
    }
}

fn infinity(negative: bool, precision: u32) -> Number {
    Number(Repr::Infinity { negative, precision })
}

/// Both numbers as small integers, with the larger precision.
fn small(left: &Number, right: &Number) -> Option<(i64, i64, u32)> {
    match (&left.0, &right.0) {
        (
            Repr::Small { value: left, precision: left_precision },
            Repr::Small { value: right, precision: right_precision },
        ) => Some((*left, *right, *left_precision.max(right_precision))),
        _ => None,
    }
}

/// Whether an integer needs no rounding.
fn fits(value: i64, precision: u32) -> bool {
    precision >= 64 || value.unsigned_abs() >> precision == 0
}

/// The exact sum of two floats whose exponents may be far apart, rounded.
fn sum(left: &Float, right: &Float, precision: u32) -> Float {
    if left.is_zero() && right.is_zero() {
        return Float::zero(left.negative && right.negative, precision);
    }
    if right.is_zero() {
        return left.clone().with_precision(precision);
    }
    if left.is_zero() {
        return right.clone().with_precision(precision);
    }
    let (high, low) =
        if left.magnitude() >= right.magnitude() { (left, right) } else { (right, left) };
    // Everything below the last bit counts as one tiny bit: this is enough for rounding, and keeps
    // mantissas from growing with the distance.
    let reach = i64::from(precision) + 2;
    let lowest = high.exponent.min(high.magnitude() - reach) - 2;
    if low.magnitude() < lowest {
        let speck = Float { mantissa: BigUint::from(1u8), exponent: lowest - 2, ..low.clone() };
        return near_sum(high, &speck, precision);
    }
    near_sum(high, low, precision)
}

fn near_sum(left: &Float, right: &Float, precision: u32) -> Float {
    let exponent = left.exponent.min(right.exponent);
    let total = signed(left, exponent) + signed(right, exponent);
    if total.is_zero() {
        return Float::zero(false, precision);
    }
    let negative = total.sign() == Sign::Minus;
    Float::new(negative, total.into_parts().1, exponent, precision)
}

fn signed(float: &Float, exponent: i64) -> BigInt {
    let sign = if float.negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, float.shifted_to(exponent))
}

/// `dividend - divisor × whole`, each step rounded to the dividend's precision as cty does.
fn remainder(dividend: &Float, divisor: &Float, whole: &BigInt) -> Float {
    let precision = dividend.precision;
    let negative = whole.sign() == Sign::Minus;
    let whole = Float::new(negative, whole.magnitude().clone(), 0, precision);
    let mut part = divisor.times(&whole, precision);
    part.negative = !part.negative;
    sum(dividend, &part, precision)
}

impl Float {
    /// The product, rounded to a precision.
    pub fn times(&self, other: &Float, precision: u32) -> Float {
        let negative = self.negative != other.negative;
        let exponent = self.exponent.saturating_add(other.exponent);
        Float::new(negative, &self.mantissa * &other.mantissa, exponent, precision)
    }

    /// The quotient by a number that is not zero, rounded to a precision.
    pub fn quotient(&self, other: &Float, precision: u32) -> Float {
        let negative = self.negative != other.negative;
        if self.is_zero() {
            return Float::zero(negative, precision);
        }
        let wanted = u64::from(precision) + 2 + other.mantissa.bits();
        let shift = wanted.saturating_sub(self.mantissa.bits());
        let (mantissa, rest) = (&self.mantissa << shift).div_rem(&other.mantissa);
        let exponent = self.exponent.saturating_sub(other.exponent).saturating_sub_unsigned(shift);
        Float { negative, mantissa, exponent, precision, by_text: false }.rounded(!rest.is_zero())
    }
}

/// Whether an integer fits every possible precision.
fn is_exact(value: i64) -> bool {
    value.unsigned_abs() < 1 << 52
}

// Order of exact values, and equality of texts.

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
    /// Whether the two are one number with one precision. Equal numbers may differ in both, as `-0` and `0` do.
    pub fn is_identical(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (
                Repr::Small { value: left, precision: of_left },
                Repr::Small { value: right, precision: of_right },
            ) => (left, of_left) == (right, of_right),
            (Repr::Big(left), Repr::Big(right)) => left == right,
            (
                Repr::Infinity { negative: left, precision: of_left },
                Repr::Infinity { negative: right, precision: of_right },
            ) => (left, of_left) == (right, of_right),
            _ => false,
        }
    }

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
