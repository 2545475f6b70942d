//! What conditions say in words, from their text on.

use terraschema::schema;

use crate::schema::modules::module;

/// The words for a variable `x` of this type with this condition.
fn words(ty: &str, condition: &str) -> Option<String> {
    let text = format!(
        "variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = {condition}\n    \
         error_message = \"No.\"\n  }}\n}}\n"
    );
    let module = module(&text);
    let generated = schema::generate(&module, &schema::Options::default());
    generated.translations[0].1[0].in_words(&module.variables["x"])
}

fn assert_words(cases: &[(&str, &str, &str)]) {
    for (ty, condition, expected) in cases {
        assert_eq!(words(ty, condition).as_deref(), Some(*expected), "{condition}");
    }
}

/// An exact rule tells a choice that the rule takes, and no other.
#[test]
fn choices_that_are_made_one_after_another_are_one() {
    assert_words(&[
        (
            "string",
            r#"contains(["dev", "test", "prod"], var.x) && contains(["test", "prod", "live"], var.x)"#,
            r#"one of "test", "prod""#,
        ),
        ("bool", "(var.x ? 1 : 0) > 0", "true"),
        ("number", "index([1, 2], var.x) == 0", "1"),
        ("number", "index([2, 1, 3], var.x) > 0", "one of 1, 3"),
        ("string", r#"contains(["a", "b"], var.x) && (var.x == "a" || var.x == "c")"#, r#""a""#),
        (
            "any",
            r#"try(keys(var.x), null) == null && contains(["a", "b"], var.x)"#,
            r#"one of "a", "b""#,
        ),
    ]);
}

#[test]
fn at_most_one_of_many_attributes_is_said_at_once() {
    let of = |names: &[&str], count: &str| {
        let attributes: Vec<_> =
            names.iter().map(|it| format!("{it} = optional(string)")).collect();
        let values: Vec<_> = names.iter().map(|it| format!("var.x.{it}")).collect();
        let ty = format!("object({{ {} }})", attributes.join(", "));
        let given = format!("[for it in [{}] : it if it != null]", values.join(", "));
        words(&ty, &format!("length({given}) {count}")).unwrap()
    };
    for names in [&["a", "b", "c"][..], &["a", "b", "c", "d"], &["a", "b", "c", "d", "e", "f"]] {
        let listed: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
        let listed = listed.join(", ");
        let most = format!("an object in which at most one of {listed} is given");
        assert_eq!(of(names, "<= 1"), most);
        let exactly = format!("an object in which exactly one of {listed} is given");
        assert_eq!(of(names, "== 1"), exactly);
    }
}
