//! A finite binary float of limited precision, and its rounding.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// `±mantissa × 2^exponent`, rounded to `precision` bits. The mantissa is odd, or zero with
/// exponent zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Float {
    pub negative: bool,
    pub mantissa: BigUint,
    pub exponent: i64,
    pub precision: u32,
    /// Whether equality goes by the text, see [`Number::equal_by_text`](super::Number::equal_by_text).
    pub by_text: bool,
}

/// Integers of more bits are not computed.
pub(super) const MAX_INTEGER_BITS: u64 = 1 << 20;

impl Float {
    /// Rounds to the precision, ties to even. An exponent below the range gives zero.
    pub fn new(negative: bool, mantissa: BigUint, exponent: i64, precision: u32) -> Float {
        Float { negative, mantissa, exponent, precision, by_text: false }.rounded(false)
    }

    /// The same value without rounding, for intermediate steps.
    pub fn exact(negative: bool, mantissa: BigUint, exponent: i64, precision: u32) -> Float {
        Float { negative, mantissa, exponent, precision, by_text: false }.stripped()
    }

    pub fn zero(negative: bool, precision: u32) -> Float {
        Float { negative, mantissa: BigUint::ZERO, exponent: 0, precision, by_text: false }
    }

    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// The exponent of the number as `0.1… × 2^e`, which Go keeps in 32 bits.
    pub fn magnitude(&self) -> i64 {
        self.exponent.saturating_add_unsigned(self.mantissa.bits())
    }

    /// Whether the exponent exceeds Go's, so that the value is an infinity.
    pub fn is_too_large(&self) -> bool {
        self.magnitude() > i64::from(i32::MAX)
    }

    /// The value if it is a 64-bit integer other than the negative zero.
    pub fn to_small(&self) -> Option<i64> {
        if self.is_zero() {
            return (!self.negative).then_some(0);
        }
        if self.exponent < 0 || self.magnitude() > 63 {
            return None;
        }
        let magnitude = i64::try_from(self.mantissa.to_u64()? << self.exponent).ok()?;
        Some(if self.negative { -magnitude } else { magnitude })
    }

    /// The integer part, towards zero; `None` if it has more than `bits` bits.
    pub fn to_integer(&self, bits: u64) -> Option<BigInt> {
        if self.magnitude() > i64::try_from(bits).unwrap_or(i64::MAX) {
            return None;
        }
        let magnitude = if self.magnitude() <= 0 {
            BigUint::ZERO
        } else if self.exponent >= 0 {
            &self.mantissa << self.exponent.unsigned_abs()
        } else {
            &self.mantissa >> self.exponent.unsigned_abs()
        };
        let sign = if self.negative { Sign::Minus } else { Sign::Plus };
        Some(BigInt::from_biguint(sign, magnitude))
    }

    /// The nearest double, ties to even.
    pub fn to_f64(&self) -> f64 {
        let magnitude = self.magnitude();
        let sign = if self.negative { -1.0 } else { 1.0 };
        if self.is_zero() || magnitude < -1074 {
            return 0.0 * sign;
        }
        if magnitude > 1024 {
            return f64::INFINITY * sign;
        }
        let lost = (-1021 - magnitude).clamp(0, 53);
        let bits = u32::try_from(53 - lost).unwrap_or(0);
        let near = if bits == 0 { self.round_to_one() } else { self.clone().with_precision(bits) };
        let Some(mantissa) = near.mantissa.to_u64() else { return f64::NAN };
        #[allow(clippy::cast_precision_loss)] // At most 53 bits are left.
        let mut result = mantissa as f64 * sign;
        let mut exponent = near.exponent;
        while exponent < -1000 {
            result *= 2f64.powi(-1000);
            exponent += 1000;
        }
        result * 2f64.powi(i32::try_from(exponent).unwrap_or(i32::MAX))
    }

    /// Rounds a value near the smallest double to zero or to that double.
    fn round_to_one(&self) -> Float {
        let half = self.mantissa == BigUint::from(1u8) && self.magnitude() == -1074;
        if half || self.magnitude() < -1074 {
            return Float::zero(self.negative, self.precision);
        }
        Float { mantissa: BigUint::from(1u8), exponent: -1074, ..self.clone() }
    }

    pub fn with_precision(self, precision: u32) -> Float {
        Float { precision, ..self }.rounded(false)
    }

    /// Rounds to the precision, ties to even; `sticky` says that a part below the mantissa's last bit
    /// was cut off before.
    pub fn rounded(mut self, sticky: bool) -> Float {
        let bits = self.mantissa.bits();
        if bits > u64::from(self.precision) {
            let excess = bits - u64::from(self.precision);
            let half = self.mantissa.bit(excess - 1);
            let below = sticky || self.mantissa.trailing_zeros().is_some_and(|it| it < excess - 1);
            self.mantissa >>= excess;
            self.exponent = self.exponent.saturating_add_unsigned(excess);
            if half && (below || self.mantissa.is_odd()) {
                self.mantissa += 1u8;
            }
        }
        self.stripped().underflowed()
    }

    /// Removes trailing zero bits from the mantissa.
    fn stripped(mut self) -> Float {
        match self.mantissa.trailing_zeros() {
            None => self.exponent = 0,
            Some(0) => (),
            Some(zeros) => {
                self.mantissa >>= zeros;
                self.exponent = self.exponent.saturating_add_unsigned(zeros);
            }
        }
        self
    }

    fn underflowed(self) -> Float {
        if self.magnitude() < i64::from(i32::MIN) {
            return Float::zero(self.negative, self.precision);
        }
        self
    }

    /// The order of the magnitudes, signs ignored.
    pub fn compare_magnitude(&self, other: &Float) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            _ => (),
        }
        self.magnitude().cmp(&other.magnitude()).then_with(|| {
            let exponent = self.exponent.min(other.exponent);
            self.shifted_to(exponent).cmp(&other.shifted_to(exponent))
        })
    }

    /// The mantissa that belongs to a lower exponent.
    pub fn shifted_to(&self, exponent: i64) -> BigUint {
        &self.mantissa << self.exponent.abs_diff(exponent)
    }
}
