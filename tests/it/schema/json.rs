//! The printer's bytes are those of Go's `encoding/json`.

use std::collections::BTreeMap;

use projection::schema::{Decimal, SchemaJson};

#[test]
fn numbers_are_written_as_go_writes_float64() {
    for (text, expected) in [
        ("0", "0"),
        ("-0", "-0"),
        ("1.0", "1"),
        ("10", "10"),
        ("-1.50", "-1.5"),
        ("0.1", "0.1"),
        ("0.000001", "0.000001"),
        ("0.0000001", "1e-7"),
        ("123456789012345680000", "123456789012345680000"),
        ("1000000000000000000000", "1e+21"),
        ("1234500000000000000000000", "1.2345e+24"),
        ("1e-10", "1e-10"),
    ] {
        assert_eq!(Decimal::parse(text).unwrap().to_string(), expected, "{text}");
    }
}

#[test]
fn digits_beyond_a_double_are_kept() {
    for (text, expected, double) in [
        ("9007199254740993", "9007199254740993", false),
        ("9007199254740992", "9007199254740992", true),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827", false),
        ("1e400", "1e+400", false),
        ("0.1", "0.1", true),
        ("1e21", "1e+21", true),
    ] {
        let number = Decimal::parse(text).unwrap();
        assert_eq!(number.to_string(), expected);
        assert_eq!(number.is_double(), double, "{text}");
    }
    assert_eq!(Decimal::parse("1.0"), Decimal::parse("10e-1"));
    for text in ["", "-", ".", "1e", "0x1", "Inf", "1 "] {
        assert_eq!(Decimal::parse(text), None, "{text}");
    }
}

#[test]
fn text_has_tabs_sorted_keys_and_raw_markup() {
    let object = SchemaJson::Object(BTreeMap::from([
        ("b".to_owned(), SchemaJson::Array(vec![SchemaJson::Null, SchemaJson::Bool(true)])),
        ("B<".to_owned(), SchemaJson::Array(vec![])),
        ("a".to_owned(), SchemaJson::Object(BTreeMap::new())),
    ]));
    assert_eq!(
        object.to_text(false),
        "{\n\t\"B<\": [],\n\t\"a\": {},\n\t\"b\": [\n\t\tnull,\n\t\ttrue\n\t]\n}"
    );
}

#[test]
fn strings_are_escaped_as_go_escapes_them() {
    let text = SchemaJson::string("\"\\\n\r\t\u{8}\u{c}\u{1}\u{1f}\u{7f}é<>&\u{2028}\u{2029}😀");
    assert_eq!(
        text.to_text(false),
        "\"\\\"\\\\\\n\\r\\t\\b\\f\\u0001\\u001f\u{7f}é<>&\\u2028\\u2029😀\""
    );
    assert_eq!(SchemaJson::string("<a&b>").to_text(true), "\"\\u003ca\\u0026b\\u003e\"");
}

#[test]
fn decimals_have_the_order_of_numbers() {
    let order =
        ["-1e3", "-12.5", "-12", "-3", "-0.5", "0", "1e-9", "0.5", "3", "12", "12.5", "1e3"];
    let numbers = order.map(|it| Decimal::parse(it).unwrap());
    for (at, one) in numbers.iter().enumerate() {
        for (place, other) in numbers.iter().enumerate() {
            assert_eq!(one.cmp(other), at.cmp(&place), "{one} and {other}");
        }
    }
    assert!(Decimal::parse("-0").unwrap().cmp(&Decimal::parse("0").unwrap()).is_eq());
}
