//! `exp`, `log` and `pow` to the last bit as Go computes them on x86-64, since their digits are
//! seen: Terraform's `pow(10, 308)` is 1000000000000000600000….
//!
//! `log` is the algorithm of Sun's libm; `exp` is Shibata's (a Taylor series after dividing the
//! argument by 16), with fused multiplication; `pow` squares for the whole part of the exponent.
//!
//! The standard library calls the system's libm, which rounds better, and elsewhere otherwise: of 842
//! recorded results of Go 110 differ from those of `f64::ln` and `f64::powf` with glibc.

/// The natural logarithm.
pub fn log(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x.is_infinite() {
        return x;
    }
    // x = 2^k * fraction, without the scaling that subnormal numbers would need.
    let bits = x.to_bits();
    let mut fraction = f64::from_bits(bits & FRACTION | HALF);
    #[allow(clippy::cast_precision_loss)]
    let mut k = (exponent_field(bits) - 1022) as f64;
    if fraction <= std::f64::consts::FRAC_1_SQRT_2 {
        k -= 1.0;
        fraction *= 2.0;
    }
    let f = fraction - 1.0;
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let odd = s2 * (LOG[0] + s4 * (LOG[2] + s4 * (LOG[4] + s4 * LOG[6])));
    let even = s4 * (LOG[1] + s4 * (LOG[3] + s4 * LOG[5]));
    let half_square = 0.5 * f * f;
    k * LN2_HIGH - ((half_square - (s * (half_square + (odd + even)) + k * LN2_LOW)) - f)
}

/// x to the power of y; not a number for a fractional power of a negative number.
#[allow(clippy::float_cmp)] // Exactly these numbers have their own results.
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x == 0.0 || !x.is_finite() || !y.is_finite() {
        return x.powf(y);
    }
    if y == 1.0 {
        return x;
    }
    if y.abs() == 0.5 {
        return if y > 0.0 { x.sqrt() } else { 1.0 / x.sqrt() };
    }
    if y.fract() != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if y.abs() >= TWO_TO_63 {
        return power_of_giant(x, y);
    }
    finite_power(x, y)
}

/// x to the power of a number so large that it is even and that all but -1 overflow or vanish.
#[allow(clippy::float_cmp)] // As above.
fn power_of_giant(x: f64, y: f64) -> f64 {
    if x == -1.0 {
        return 1.0;
    }
    if (x.abs() < 1.0) == (y > 0.0) { 0.0 } else { f64::INFINITY }
}

fn finite_power(x: f64, y: f64) -> f64 {
    let (mut whole, mut rest) = (y.abs().trunc(), y.abs().fract());
    let mut product = 1.0;
    if rest != 0.0 {
        if rest > 0.5 {
            rest -= 1.0;
            whole += 1.0;
        }
        product = exp(rest * log(x));
    }
    // Less than 2^63 by the caller's check.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let (product, exponent) = times_power(product, x, whole as u64);
    if y < 0.0 { scale(1.0 / product, -exponent) } else { scale(product, exponent) }
}

/// `product * x^n` as a fraction and a power of two, by squaring.
fn times_power(mut product: f64, x: f64, mut n: u64) -> (f64, i64) {
    let (mut square, mut square_exponent) = split(x);
    let mut exponent = 0;
    while n != 0 {
        if square_exponent.abs() > 1 << 12 {
            // Beyond every double already; the final scaling overflows or vanishes.
            return (product, exponent + square_exponent);
        }
        if n & 1 == 1 {
            product *= square;
            exponent += square_exponent;
        }
        square *= square;
        square_exponent <<= 1;
        if square < 0.5 {
            square += square;
            square_exponent -= 1;
        }
        n >>= 1;
    }
    (product, exponent)
}

/// e to the power of an x whose result neither overflows nor vanishes.
fn exp(x: f64) -> f64 {
    let exponent = (LOG2_E * x).round_ties_even();
    let x = (-exponent).mul_add(LN2_UPPER, x);
    let x = (-exponent).mul_add(LN2_LOWER, x) * 0.0625;
    let series = TAYLOR.iter().skip(1).fold(TAYLOR[0], |sum, it| sum.mul_add(x, *it));
    // (1 + r)^2 - 1 = r (r + 2), four times for the division by 16.
    let mut r = x * series;
    for _ in 0..3 {
        r *= r + 2.0;
    }
    #[allow(clippy::cast_possible_truncation)]
    scale(r.mul_add(r + 2.0, 1.0), exponent as i64)
}

/// A finite number as a fraction from 0.5 to 1 and a power of two.
fn split(x: f64) -> (f64, i64) {
    let (x, shift) = if x.is_subnormal() { (x * TWO_TO_52, 52) } else { (x, 0) };
    let bits = x.to_bits();
    (f64::from_bits(bits & !EXPONENT | HALF), exponent_field(bits) - 1022 - shift)
}

/// `x * 2^exponent`, rounded once.
fn scale(x: f64, exponent: i64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (fraction, own) = split(x);
    let exponent = own + exponent;
    match exponent {
        ..-1074 => 0.0_f64.copysign(x),
        1025.. => f64::INFINITY.copysign(x),
        -1074..-1021 => with_exponent(fraction, exponent + 53) / TWO_TO_53,
        _ => with_exponent(fraction, exponent),
    }
}

/// The fraction, from 0.5 to 1, times a power of two that gives a normal number.
fn with_exponent(fraction: f64, exponent: i64) -> f64 {
    #[allow(clippy::cast_sign_loss)]
    f64::from_bits(fraction.to_bits() & !EXPONENT | ((exponent + 1022) as u64) << 52)
}

#[allow(clippy::cast_possible_wrap)]
fn exponent_field(bits: u64) -> i64 {
    (bits >> 52 & 0x7ff) as i64
}

const FRACTION: u64 = (1 << 52) - 1;
const EXPONENT: u64 = 0x7ff << 52;
/// The exponent bits of numbers from 0.5 to 1.
const HALF: u64 = 0x3fe << 52;
const TWO_TO_52: f64 = 4_503_599_627_370_496.0;
const TWO_TO_53: f64 = 9_007_199_254_740_992.0;
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// ln 2 in two parts, the first with zeros at its end so that multiples are exact.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
/// The polynomial of `log`.
const LOG: [f64; 7] = [
    f64::from_bits(0x3fe5_5555_5555_5593),
    f64::from_bits(0x3fd9_9999_9997_fa04),
    f64::from_bits(0x3fd2_4924_9422_9359),
    f64::from_bits(0x3fcc_71c5_1d8e_78af),
    f64::from_bits(0x3fc7_4664_96cb_03de),
    f64::from_bits(0x3fc3_9a09_d078_c69f),
    f64::from_bits(0x3fc2_f112_df3e_5244),
];

const LOG2_E: f64 = std::f64::consts::LOG2_E;
const LN2_UPPER: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
const LN2_LOWER: f64 = 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
/// 1/8!, 1/7!, … 1/1!.
const TAYLOR: [f64; 8] =
    [1.0 / 40_320.0, 1.0 / 5_040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
