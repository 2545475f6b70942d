//! What conditions say in words, from their text on.

use projection::schema;
use testkit::modules::module;

/// The words for a variable `x` of this type with this condition.
fn words(ty: &str, condition: &str) -> Option<String> {
    let text = format!(
        "variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = {condition}\n    \
         error_message = \"No.\"\n  }}\n}}\n"
    );
    let module = module(&text);
    let generated = schema::generate(&module, &schema::SchemaOptions::default());
    generated.translations[0].1[0].in_words(&module.variables["x"])
}

fn assert_words(cases: &[(&str, &str, &str)]) {
    for (ty, condition, expected) in cases {
        assert_eq!(words(ty, condition).as_deref(), Some(*expected), "{condition}");
    }
}

/// An exact rule shows a choice that the rule takes, and no other.
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

#[test]
fn small_values_stand_as_they_are_and_empty_ones_have_a_name() {
    assert_words(&[
        ("any", "var.x == {}", "an empty object"),
        ("any", "var.x == []", "an empty list"),
        ("any", "var.x == { a = 1, b = [\"x\"] }", r#"{ a = 1, b = ["x"] }"#),
        ("any", "var.x == { a = [[1], []] }", "{ a = [[…], []] }"),
        ("list(string)", r#"var.x == tolist(["a"])"#, r#"["a"]"#),
        ("list(string)", r#"var.x != tolist(["a"])"#, r#"null or a list other than ["a"]"#),
        (
            "object({ a = string })",
            r#"var.x != { a = "b" }"#,
            r#"null or an object other than { a = "b" }"#,
        ),
    ]);
}

#[test]
fn patterns_stand_apart_where_their_ends_are_blank() {
    assert_words(&[
        ("string", r#"!strcontains(var.x, " ")"#, "a string that does not match ` `"),
        ("string", r#"startswith(var.x, " ")"#, "a string that matches `^ `"),
        ("string", r#"!startswith(var.x, "a b")"#, "a string that does not match ^a b"),
        (
            "map(string)",
            r#"alltrue([for k, v in var.x : v == "a" if endswith(k, " ")])"#,
            r#"a map in which every element whose key matches ` $` is "a""#,
        ),
    ]);
}

#[test]
fn what_a_value_is_none_of_is_said_as_people_do() {
    assert_words(&[
        ("any", "can(length(var.x))", "a value that is neither true or false nor a number"),
        ("any", "!can(keys(var.x))", "null or a value that is not an object"),
    ]);
}

#[test]
fn an_element_that_may_be_absent_is_spoken_of_as_such() {
    assert_words(&[
        (
            "list(string)",
            r#"try(var.x[1], "z") == "z""#,
            r#"null or a list in which element 1, if there is one, is "z""#,
        ),
        (
            "list(string)",
            r#"try(var.x[0], "") != """#,
            r#"a list in which element 0 is a string other than """#,
        ),
        (
            "list(string)",
            r#"length(var.x) < 2 || var.x[1] == "b""#,
            r#"a list in which element 1, if there is one, is "b""#,
        ),
        ("list(string)", "can(var.x[1])", "a list of at least 2 elements"),
        ("list(string)", "!can(var.x[1])", "null or a list of at most 1 element"),
        (
            "tuple([string, number])",
            "var.x[1] > 3",
            "a tuple in which element 1 is a number above 3",
        ),
    ]);
}

#[test]
fn what_some_elements_hold_is_named_behind_it() {
    assert_words(&[
        (
            "list(object({ name = string }))",
            r#"alltrue([for it in slice(var.x, 1, length(var.x)) : it.name == "a"])"#,
            "a list of at least 1 element in which the `name` of every element from index 1 on is \"a\"",
        ),
        (
            "map(object({ name = string }))",
            r#"alltrue([for k, it in var.x : it.name == "a" if k != "b"])"#,
            r#"a map in which the `name` of every element but `b` is "a""#,
        ),
        (
            "map(object({ name = string }))",
            r#"alltrue([for k, it in var.x : it.name == "a" if startswith(k, "b")])"#,
            r#"a map in which the `name` of every element whose key matches ^b is "a""#,
        ),
    ]);
}

/// Of null there is no element; of what is left the list is what was not understood.
#[test]
fn an_index_into_null_fails_and_loses_nothing() {
    let text = "variable \"x\" {\n  type = any\n  validation {\n    condition     = \
                can(tolist(var.x)[0])\n    error_message = \"No.\"\n  }\n}\n";
    let generated = schema::generate(&module(text), &schema::SchemaOptions::default());
    let losses = generated.translations[0].1[0].region.losses.iter();
    let reasons: Vec<String> = losses.map(|it| it.reason.to_string()).collect();
    assert_eq!(reasons, ["an index into a value"]);
    assert_eq!(words("any", "can(tolist(var.x)[0])").as_deref(), Some("a list"));
}

#[test]
fn halves_and_limits_that_add_nothing_are_left_out() {
    assert_words(&[
        ("any", r#"can(startswith(var.x, "a"))"#, "a string, or a number, or one of true, false"),
        (
            "string",
            "length(var.x) % 3 == 0 && length(var.x) < 8",
            "a string of no characters, or a string of 3 characters, or a string of 6 characters",
        ),
    ]);
}
