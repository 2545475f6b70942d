//! Numbers: text, equality, arithmetic. Expectations were read off Terraform's own output.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use tf_value::{Number, NumberStyle};

fn number(text: &str) -> Number {
    Number::parse(text).unwrap_or_else(|| panic!("{text} is not a number"))
}

fn text(number: &Number) -> String {
    number.to_decimal()
}

#[test]
fn parse_what_terraform_takes_for_a_number() {
    let facts = [
        ("0", "0"),
        ("-0", "-0"),
        ("007", "7"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("1E+3", "1000"),
        ("1p4", "16"),
        ("1.5e-7", "0.00000015"),
        ("1e21", "1000000000000000000000"),
        ("Inf", "+Inf"),
        ("+inf", "+Inf"),
        ("-Inf", "-Inf"),
        ("0.1", "0.1"),
        ("123456789012345678901234567890.123", "123456789012345678901234567890.123"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
    ];
    for (given, expected) in facts {
        assert_eq!(text(&number(given)), expected, "{given}");
    }
    for given in [
        "",
        " 5",
        "5 ",
        "0x10",
        "1_000",
        "NaN",
        "infinity",
        "INF",
        "1,5",
        ".",
        "+",
        "1e",
        "1e+",
        "1.2.3",
        "--1",
        "e5",
        "1e99999999999",
        "1e2147483648",
        "１",
    ] {
        assert!(Number::parse(given).is_none(), "{given}");
    }
}

#[test]
fn arithmetic_is_that_of_512_bit_floats() {
    let (a, b) = (number("0.1"), number("0.2"));
    assert_eq!(a.add(&b).unwrap(), number("0.3"));
    assert_ne!(number("1.1").add(&number("2.2")).unwrap(), number("3.3"));
    assert_ne!(number("1.1").multiply(&number("1.1")).unwrap(), number("1.21"));
    let third = number("1").divide(&number("3")).unwrap();
    assert_eq!(third.multiply(&number("3")).unwrap(), number("1"));
    let large = number("1e1000");
    assert_eq!(large.add(&number("1")).unwrap(), large);
    assert_eq!(text(&number("5").modulo(&number("0")).unwrap()), "5");
    assert_eq!(text(&number("-5").modulo(&number("3")).unwrap()), "-2");
    assert_eq!(text(&number("5").divide(&number("0")).unwrap()), "+Inf");
    assert_eq!(
        number("0").divide(&number("0")).unwrap_err(),
        "can't divide zero by zero or infinity by infinity"
    );
}

#[test]
fn precision_follows_the_larger_operand() {
    let thirds = Number::from_i64(10).divide(&Number::from_i64(3)).unwrap();
    assert_eq!(text(&thirds), "3.3333333333333333333");
    assert_eq!(text(&Number::from_f64(1.21)), "1.21");
    assert_eq!(text(&Number::from_f64(2f64.powi(100))), "1267650600228229400000000000000");
    assert_eq!(Number::from_f64(1.1), number("1.1"));
    assert!(Number::from_f64(1.1).compare(&number("1.1")).is_gt());
}

/// Terraform compares whole numbers exactly, and only others by their texts.
/// Half of the smallest double is as far from zero, which is even.
#[test]
fn tiny_numbers_are_the_nearest_doubles() {
    let double = |it: &str| number(it).to_f64();
    assert_eq!(double("1p-1074").to_bits(), 1);
    assert_eq!(double("3p-1076").to_bits(), 1);
    assert_eq!(double("1p-1075").to_bits(), 0);
    assert_eq!(double("1p-1076").to_bits(), 0);
    assert_eq!(double("3p-1075").to_bits(), 2);
    assert_eq!(double("5p-1074").to_bits(), 5);
}

#[test]
fn whole_numbers_are_equal_by_value_whatever_their_precision() {
    for exponent in [0, 10, 52, 53, 55, 57, 62, 63, 64, 100, 600, 1023] {
        let double = Number::from_f64(2f64.powi(exponent));
        let exact = Number::from_bigint(&(num_bigint::BigInt::from(1) << exponent));
        assert_eq!(double, exact, "2^{exponent}");
        assert_eq!(hash(&double), hash(&exact), "2^{exponent}");
        if exponent < 512 {
            assert_eq!(double.to_literal(), text(&exact));
        }
        let other = exact.add(&number("1")).unwrap();
        assert_ne!(double, other, "2^{exponent}");
    }
    assert_ne!(Number::from_f64(2f64.powi(57)), number("144115188075855870"));
    assert_eq!(Number::from_f64(-0.0), number("0"));
    assert_eq!(hash(&Number::from_f64(-0.0)), hash(&number("0")));
    assert_eq!(hash(&Number::from_f64(1.1)), hash(&number("1.1")));
}

#[test]
fn only_whole_numbers_are_integers() {
    for (text, signed, unsigned) in [
        ("0", Some(0), Some(0)),
        ("3", Some(3), Some(3)),
        ("3.0", Some(3), Some(3)),
        ("1.5", None, None),
        ("0.1", None, None),
        ("-1.5", None, None),
        ("-3", Some(-3), None),
        ("18446744073709551615", None, Some(u64::MAX)),
        ("18446744073709551616", None, None),
        ("18446744073709551615.5", None, None),
        ("1e30", None, None),
    ] {
        let it = number(text);
        assert_eq!((it.to_i64(), it.to_u64()), (signed, unsigned), "{text}");
    }
}

fn hash(number: &Number) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(number)
}

#[test]
fn huge_exponents_cost_little() {
    for given in ["1e999999999", "1e-999999999", "-3e646456992", "1p2147483600"] {
        let Some(it) = Number::parse(given) else { continue };
        let _ = it.add(&number("1")).unwrap();
        let _ = it.modulo(&number("7"));
        let _ = it.floor();
        assert!(it.to_decimal().len() < 1000, "{given}");
        assert_eq!(it, it.clone());
    }
}

#[test]
fn text_styles_are_those_of_go() {
    let it = number("1234.5678");
    assert_eq!(it.to_text(NumberStyle::Plain, Some(2)), "1234.57");
    assert_eq!(it.to_text(NumberStyle::Exponent, Some(3)), "1.235e+03");
    assert_eq!(it.to_text(NumberStyle::General, Some(10)), "1234.5678");
    assert_eq!(number("1e-7").to_text(NumberStyle::General, Some(10)), "1e-07");
    assert_eq!(number("0").to_text(NumberStyle::Plain, Some(2)), "0.00");
}
