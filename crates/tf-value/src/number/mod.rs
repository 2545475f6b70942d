//! Exact numbers: binary floats with a precision that each value carries.

mod arithmetic;
mod float;
mod text;

use float::Float;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

pub use text::NumberStyle;

/// The precision in bits of literals, parsed text and JSON.
const LITERAL: u32 = 512;
/// The precision in bits of Go's integers.
const INTEGER: u32 = 64;
/// The precision in bits of Go's `float64`.
const DOUBLE: u32 = 53;

/// A number as Terraform holds it (Go's `big.Float`): a binary float whose precision is 512 bits for
/// literals, 64 for Go's integers and 53 for its doubles, or an infinity.
///
/// The result of an operation has the larger precision and is rounded to the nearest, ties to even. Zero
/// has a sign. Equality is that of Terraform's `==`: whole numbers by their values, others by the
/// shortest decimal text at each one's own precision. For example: the literal `0.1` and Go's double 0.1
/// are equal. [`Number::compare`] orders the exact values.
#[derive(Clone, Debug)]
pub struct Number(Repr);

/// Every integer of 64 bits is `Small`, except the negative zero and numbers that are equal by their
/// texts.
#[derive(Clone, Debug)]
enum Repr {
    Small { value: i64, precision: u32 },
    Big(Box<Float>),
    Infinity { negative: bool, precision: u32 },
}

impl Number {
    /// 64 bits of precision, as Go's integers have.
    pub fn from_i64(value: i64) -> Number {
        Number(Repr::Small { value, precision: INTEGER })
    }

    /// 64 bits of precision, as Go's integers have.
    pub fn from_u64(value: u64) -> Number {
        Float::new(false, BigUint::from(value), 0, INTEGER).into()
    }

    /// An exact integer with 512 bits of precision, or more where it needs them.
    pub fn from_bigint(value: &BigInt) -> Number {
        let magnitude = value.magnitude().clone();
        let bits = u32::try_from(magnitude.bits()).unwrap_or(u32::MAX);
        Float::new(value.sign() == Sign::Minus, magnitude, 0, bits.max(LITERAL)).into()
    }

    /// An exact integer with 64 bits of precision, or as many as it needs: Go's
    /// `new(big.Float).SetInt(…)`.
    pub fn from_go_int(value: &BigInt) -> Number {
        let magnitude = value.magnitude().clone();
        let bits = u32::try_from(magnitude.bits()).unwrap_or(u32::MAX);
        Float::new(value.sign() == Sign::Minus, magnitude, 0, bits.max(INTEGER)).into()
    }

    /// 53 bits of precision, as Go's float64 has. Not-a-number, which Go refuses, becomes zero.
    pub fn from_f64(value: f64) -> Number {
        if value.is_infinite() {
            let negative = value < 0.0;
            return Number(Repr::Infinity { negative, precision: DOUBLE });
        }
        let bits = value.to_bits();
        let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff).cast_signed());
        let (mantissa, exponent) = match biased {
            0x7ff => (0, 0),
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, biased - 1075),
        };
        Float::new(value.is_sign_negative(), BigUint::from(mantissa), exponent, DOUBLE).into()
    }

    /// Reads a number as HCL and cty's string conversion do (512 bits); `None` for any other text.
    ///
    /// An optional sign, digits with at most one point (`.5`, `5.`, `007`), and a decimal (`e`) or
    /// binary (`p`) exponent; or `Inf` / `inf` with an optional sign. A text with an exponent beyond 32
    /// bits is refused.
    pub fn parse(text: &str) -> Option<Number> {
        text::decimal(text)
    }

    /// The approximate work of [`Number::parse`]: each digit takes a pass over those before it, and an
    /// exponent takes powers of ten.
    pub fn parse_work(text: &str) -> u64 {
        let is_plain = text.len() < 19 && !text.contains(['e', 'E', 'p', 'P']);
        let words = text::MAX_DIGITS.min(text.len()) as u64 / 20;
        if is_plain { 0 } else { 80 + text.len() as u64 / 16 + words * words / 500 }
    }

    /// Reads an integer in a base from 2 to 62 as Go's `big.Int` does: an optional sign and digits;
    /// above base 36 upper-case letters are digits of their own.
    pub fn parse_integer(text: &str, base: u32) -> Option<Number> {
        text::integer(text, base)
    }

    pub fn infinity(negative: bool) -> Number {
        Number(Repr::Infinity { negative, precision: LITERAL })
    }

    /// The number of mantissa bits that its operations keep.
    pub fn precision(&self) -> u32 {
        match &self.0 {
            Repr::Small { precision, .. } | Repr::Infinity { precision, .. } => *precision,
            Repr::Big(float) => float.precision,
        }
    }

    /// The approximate work of its decimal text, in the units of [`Value::size`](super::Value::size):
    /// for a fraction or a large integer it takes arithmetic with all digits.
    pub fn size(&self) -> u64 {
        let Repr::Big(float) = &self.0 else { return 1 };
        let exponent = float.exponent.unsigned_abs();
        let zeros = if exponent > text::MAX_EXPONENT { 0 } else { exponent };
        let words = zeros.saturating_add(float.mantissa.bits()) / 64;
        40 + words.saturating_mul(words) / 160
    }

    pub fn is_infinite(&self) -> bool {
        matches!(self.0, Repr::Infinity { .. })
    }

    /// Whether it is zero, of either sign.
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small { value, .. } => *value == 0,
            Repr::Big(float) => float.is_zero(),
            Repr::Infinity { .. } => false,
        }
    }

    /// Whether it has a minus sign, like the negative zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small { value, .. } => *value < 0,
            Repr::Big(float) => float.negative,
            Repr::Infinity { negative, .. } => *negative,
        }
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { .. } => true,
            Repr::Big(float) => float.exponent >= 0,
            Repr::Infinity { .. } => false,
        }
    }

    /// The exact integer, if it is one and fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { value, .. } => Some(*value),
            Repr::Big(float) if float.is_zero() => Some(0),
            Repr::Big(float) => float.to_small(),
            Repr::Infinity { .. } => None,
        }
    }

    /// The exact integer, if it is one and fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Small { value, .. } => u64::try_from(*value).ok(),
            Repr::Big(float) if float.is_zero() => Some(0),
            Repr::Big(float) if !float.negative && float.exponent >= 0 => {
                float.to_integer(64)?.to_u64()
            }
            _ => None,
        }
    }

    /// The integer part, towards zero; `None` for an infinity and for numbers of more than a million
    /// bits.
    pub fn to_bigint(&self) -> Option<BigInt> {
        match &self.0 {
            Repr::Small { value, .. } => Some(BigInt::from(*value)),
            Repr::Big(float) => float.to_integer(float::MAX_INTEGER_BITS),
            Repr::Infinity { .. } => None,
        }
    }

    /// The nearest double, ties to even.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            #[allow(clippy::cast_precision_loss)]
            Repr::Small { value, .. } => *value as f64,
            Repr::Big(float) => float.to_f64(),
            Repr::Infinity { negative: true, .. } => f64::NEG_INFINITY,
            Repr::Infinity { negative: false, .. } => f64::INFINITY,
        }
    }

    /// The shortest plain decimal that identifies the number at its own precision, as `tostring`,
    /// templates and `jsonencode` print it. An infinity is `+Inf` or `-Inf`. (Beyond a hundred thousand
    /// digits the text is in scientific notation, to bound the work.)
    pub fn to_decimal(&self) -> String {
        match &self.0 {
            Repr::Small { value, precision }
                if value.unsigned_abs() < 1 << (*precision).min(53) =>
            {
                value.to_string()
            }
            _ => self.to_text(text::NumberStyle::Plain, None),
        }
    }

    /// The plain decimal of the literal that is equal to this number: a whole number is written with the
    /// digits of 512 bits, whatever its own precision.
    pub fn to_literal(&self) -> String {
        match self.to_float() {
            Some(float) if float.exponent >= 0 && float.precision < LITERAL => {
                Number::from(Float { precision: LITERAL, ..float }).to_decimal()
            }
            _ => self.to_decimal(),
        }
    }

    /// Text as Go's `big.Float.Text` writes it: `digits` after the point for `Plain` and `Exponent`, in
    /// total for `General`; `None` is the shortest text that identifies the number.
    pub fn to_text(&self, style: NumberStyle, digits: Option<usize>) -> String {
        text::format(self, style, digits)
    }

    /// The number as a float with an explicit mantissa; `None` for an infinity.
    fn to_float(&self) -> Option<Float> {
        match &self.0 {
            Repr::Small { value, precision } => {
                Some(Float::new(*value < 0, BigUint::from(value.unsigned_abs()), 0, *precision))
            }
            Repr::Big(float) => Some((**float).clone()),
            Repr::Infinity { .. } => None,
        }
    }
}

impl From<Float> for Number {
    fn from(float: Float) -> Number {
        if float.is_too_large() {
            let Float { negative, precision, .. } = float;
            return Number(Repr::Infinity { negative, precision });
        }
        match float.to_small().filter(|_| !float.by_text) {
            Some(value) => Number(Repr::Small { value, precision: float.precision }),
            None => Number(Repr::Big(Box::new(float))),
        }
    }
}
