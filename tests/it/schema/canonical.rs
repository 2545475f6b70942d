//! Values about which a schema says exactly what Terraform says.

use std::collections::BTreeMap;

use projection::schema::is_plain;
use tf_value::{Type, Value};

#[test]
fn a_plain_text_has_one_form() {
    let text = |it: &str| is_plain(&Value::string(it), &Type::String);
    for plain in ["", "a b", "a\tb", "a\nb", "~"] {
        assert!(text(plain), "{plain:?}");
    }
    // One character, and two code points.
    for other in ["a\r\nb", "\r", "\u{e4}", "a\u{308}"] {
        assert!(!text(other), "{other:?}");
    }
    let map = |key: &str| {
        let one = BTreeMap::from([(key.into(), Value::int(1))]);
        is_plain(&Value::object(one), &Type::map(Type::Number))
    };
    assert!(map("a"));
    assert!(!map("\u{e4}"));
}
