//! Exact decimal expansion, and the shortest one that identifies a float.

use num_bigint::BigUint;
use num_traits::One;

use super::Float;

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
