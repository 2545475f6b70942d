//! What recordings of one Terraform version cannot show: other versions, unknowns, bounds.

use diagnostics::{FileId, lints};
use hcl::parse_expression;
use release::{Product, Release, Version};
use system::MemorySystem;
use tf_eval::{Budget, EvalHost, Evaluation, NoData, Scope, evaluate_in_detail};
use tf_value::{Type, Value};

fn v1_12() -> Release {
    Release::of(Product::Terraform, Version::new(1, 12, 0))
}

pub fn evaluate(text: &str, release: Release) -> Evaluation {
    evaluate_within(text, release, Budget::default())
}

pub fn evaluate_within(text: &str, release: Release, budget: Budget) -> Evaluation {
    let (expr, errors) = parse_expression(FileId(0), text.as_bytes(), 0);
    assert_eq!(errors, [], "{text}");
    let system = MemorySystem::new();
    let host = EvalHost::new(&system, "/", release).with_budget(budget);
    evaluate_in_detail(&expr, &Scope { data: &NoData, host: &host, release })
}

/// The truth of an expression, or nothing when it is an error.
fn truth(text: &str, release: Release) -> Option<bool> {
    let evaluation = evaluate(text, release);
    if evaluation.diagnostics.is_empty() { evaluation.value.as_bool() } else { None }
}

#[test]
fn a_controlling_operand_hides_errors_from_1_12_on() {
    for (text, expected) in [
        ("length(null) > 2 || true", Some(true)),
        ("true || length(null) > 2", Some(true)),
        ("length(null) > 2 && false", Some(false)),
        ("false && length(null) > 2", Some(false)),
        ("length(null) > 2 && true", None),
        ("length(null) > 2 || false", None),
        ("true || null", Some(true)),
        ("null || true", Some(true)),
        ("false || null", None),
        ("null && true", Some(false)),
        ("true && null", Some(false)),
        ("null && null", Some(false)),
    ] {
        assert_eq!(truth(text, v1_12()), expected, "{text}");
        assert_eq!(truth(text, Release::V1_11), None, "{text} before 1.12");
    }
}

#[test]
fn an_operand_that_is_no_bool_is_always_an_error() {
    for text in [
        "\"x\" || true",
        "true || \"x\"",
        "false && []",
        "true || 1",
        "\"false\" || \"x\"",
        "true || (1 + [])",
        "true || [upper(null)]",
        "timestamp() == \"x\" || \"x\"",
    ] {
        assert_eq!(truth(text, v1_12()), None, "{text}");
        assert_eq!(truth(text, Release::V1_11), None, "{text} before 1.12");
    }
    for text in ["true || upper(null)", "\"true\" || upper(null)", "true || 5.a"] {
        assert_eq!(truth(text, v1_12()), Some(true), "{text}");
    }
}

#[test]
fn an_unknown_operand_hides_errors_on_its_right_from_1_12_on() {
    let unknown = "timestamp() == \"x\"";
    for (text, fails) in [
        ("UNKNOWN || upper(null)", false),
        ("UNKNOWN && upper(null)", false),
        ("upper(null) || UNKNOWN", true),
        ("upper(null) && UNKNOWN", true),
        ("null || UNKNOWN", false),
        ("UNKNOWN || null", false),
        ("null || upper(null)", true),
    ] {
        let evaluation = evaluate(&text.replace("UNKNOWN", unknown), v1_12());
        assert_eq!(!evaluation.diagnostics.is_empty(), fails, "{text}");
        assert!(!evaluation.value.is_known(), "{text}");
    }
    for (text, expected) in [
        ("(UNKNOWN && upper(null)) || true", true),
        ("null && UNKNOWN", false),
        ("UNKNOWN && null", false),
        ("null && upper(null)", false),
        ("UNKNOWN || true", true),
    ] {
        let text = text.replace("UNKNOWN", unknown);
        assert_eq!(truth(&text, v1_12()), Some(expected), "{text}");
    }
}

#[test]
fn unknown_operands_give_typed_unknowns() {
    for (text, ty) in [
        ("timestamp() == \"x\"", Type::Bool),
        ("\"a${timestamp()}\"", Type::String),
        ("length(split(\",\", timestamp())) + 1", Type::Number),
        ("false && timestamp() == \"x\"", Type::Bool),
        ("can(timestamp())", Type::Bool),
        ("split(\",\", timestamp())[0]", Type::String),
        ("length(\"abc${timestamp()}\") > 2", Type::Bool),
        ("startswith(\"abc-${timestamp()}\", \"abd-d\")", Type::Bool),
        ("startswith(\"abc${timestamp()}\", \"abc\")", Type::Bool),
        ("format(\"a%%-%s\", timestamp()) == \"b\"", Type::Bool),
        ("try(timestamp(), 1)", Type::Dynamic),
        ("[for x in split(\",\", timestamp()) : x]", Type::Dynamic),
    ] {
        let evaluation = evaluate(text, Release::V1_11);
        assert_eq!(evaluation.diagnostics, [], "{text}");
        assert!(!evaluation.value.is_known(), "{text}");
        assert_eq!(*evaluation.value.ty(), ty, "{text}");
    }
}

#[test]
fn some_things_are_known_of_unknowns() {
    for (text, expected) in [
        ("timestamp() == null", false),
        ("timestamp() == 5", false),
        ("\"abc-${timestamp()}\" == \"x\"", false),
        ("length([timestamp()]) == 1", true),
        ("length(\"a-${timestamp()}\") > 1", true),
        ("length(\"abc${timestamp()}\") > 1", true),
        ("startswith(\"abc-${timestamp()}\", \"abc-\")", true),
        ("startswith(\"a-${timestamp()}\", \"b\")", false),
        ("startswith(timestamp(), \"\")", true),
        ("format(\"a-%s\", timestamp()) == \"b\"", false),
        ("length(format(\"a-%s\", timestamp())) > 1", true),
        ("length(split(\",\", timestamp())) > -1", true),
        ("(timestamp() == \"x\" ? 1 : 1) == 1", true),
        ("length([for x in timestamp() == \"x\" ? tolist([1]) : tolist([2]) : x]) == 1", true),
        ("length(chunklist(timestamp() == \"x\" ? [1, 2] : [2, 3], 1)) == 2", true),
        ("(timestamp() == \"x\" ? 1 : 2) > 5", false),
    ] {
        assert_eq!(truth(text, Release::V1_11), Some(expected), "{text}");
    }
}

#[test]
fn only_a_plan_knows_what_time_it_is() {
    let evaluation = evaluate("plantimestamp() == \"y\"", Release::V1_11);
    assert_eq!(evaluation.undecided, ["plantimestamp(): the time is known only to a plan"]);
    assert!(evaluation.value.marks().is_undecided());
    assert_eq!(truth("true ? true : plantimestamp() == \"y\"", Release::V1_11), Some(true));
}

#[test]
fn an_operand_that_decides_does_so_whatever_a_plan_says_from_1_12_on() {
    for text in ["true || plantimestamp() == \"y\"", "plantimestamp() == \"y\" || true"] {
        let value = evaluate(text, Release::NEWEST).value;
        assert_eq!((value.as_bool(), value.marks().is_undecided()), (Some(true), false), "{text}");
    }
}

#[test]
fn a_backslash_makes_a_character_of_a_class_plain_for_opentofu() {
    let release = Product::OpenTofu.newest();
    let mut system = MemorySystem::new();
    for name in ["a", "m", "z", "-", "]"] {
        system = system.file(format!("/{name}.txt"), "");
    }
    let host = EvalHost::new(&system, "/", release);
    for (class, expected) in [
        (r"[\\]a]", "]a"),
        (r"[a\\-z]", "-az"),
        (r"[a-\\m]", "am"),
        (r"[a-\\z]", "amz"),
        (r"[!\\]a\\-]", "mz"),
    ] {
        let text = format!("fileset(\".\", \"{class}.txt\")");
        let (expr, errors) = parse_expression(FileId(0), text.as_bytes(), 0);
        assert_eq!(errors, [], "{text}");
        let scope = Scope { data: &NoData, host: &host, release };
        let found = evaluate_in_detail(&expr, &scope);
        let names = expected.chars().map(|it| Value::string(format!("{it}.txt")));
        assert_eq!(found.value, Value::set(Type::String, names.collect()), "{class}");
    }
}

#[test]
fn what_stands_in_the_way_in_yaml_is_named() {
    for (text, expected) in [
        (r#"x: 1\n\"a\" \"b\": 2"#, "the end of the block, found the text \"b\""),
        (r#"x: 1\n\"a\" [b]: 2"#, "the end of the block, found `[`"),
        (r#"[a, {b: 1 \"c\": 2}]"#, "a comma, found a colon"),
        (r"- a\nb: 1", "the end of the block, found a key"),
        (r#"[\"a\" *b]"#, "a comma, found the alias *b"),
    ] {
        let evaluation = evaluate(&format!("yamldecode(\"{text}\")"), Release::V1_11);
        let problem = &evaluation.diagnostics[0];
        assert!(problem.detail.contains(expected), "{text}: {}", problem.detail);
    }
}

#[test]
fn an_error_in_decoded_text_names_its_line_and_column() {
    for (text, place) in [
        (r#"yamldecode("a: 1\nb: 2\nc\n")"#, "on line 3, column 1: a colon is missing"),
        (r#"yamldecode("a:\n  - b\n  - ]\n")"#, "on line 3, column 5: "),
        (r#"yamldecode("a: 1\nb: *x\n")"#, "on line 2, column 4: unknown anchor"),
        (r#"yamldecode("ä: 1\nü: !!int x\n")"#, "on line 2, column 10: "),
        (r#"yamldecode("a: \"b\u0001\"")"#, "on line 1, column 6: control characters"),
        (r#"jsondecode("{\n  \"ä\": tru\n}")"#, "on line 2, column 8: "),
        (r#"jsondecode("[1,\n2,\n")"#, "on line 3, column 1: "),
        (r#"csvdecode("a,b\n1\n")"#, "on line 2, column 1: "),
    ] {
        let diagnostics = evaluate(text, v1_12()).diagnostics;
        let [error] = diagnostics.as_slice() else { panic!("{text}: {diagnostics:?}") };
        assert!(error.detail.contains(place), "{text}: {}", error.detail);
    }
}

#[test]
fn results_of_a_conditional_without_a_common_type_say_where_they_differ() {
    for (text, difference) in [
        ("true ? 1 : []", "the 'true' value is number, and the 'false' value is tuple"),
        (
            r#"true ? [{ a = 1, b = ["x"] }] : [{ a = "1", b = "x" }]"#,
            "`[0].b` is tuple in the 'true' value and string in the 'false' value",
        ),
        (
            "true ? { a = 1, b = [] } : { a = 1, c = {} }",
            "the 'true' value has an attribute \"b\", but the 'false' value does not",
        ),
        (
            "true ? { x = { a = [1] } } : { x = { a = [1], foo = {} } }",
            "the 'false' value has an attribute \"foo\" at `.x`, but the 'true' value does not",
        ),
        (
            "true ? [] : [1, []]",
            "the 'true' value has length 0, and the 'false' value has length 2",
        ),
        (
            "true ? tolist([{ a = [] }]) : tolist([{ a = {} }])",
            "their elements differ: `.a` is tuple in the 'true' value and object in the 'false' value",
        ),
        (
            "true ? sensitive({ key = [] }) : { key = {} }",
            "the 'true' value is object, and the 'false' value is object",
        ),
    ] {
        let diagnostics = evaluate(text, v1_12()).diagnostics;
        let [error] = diagnostics.as_slice() else { panic!("{text}: {diagnostics:?}") };
        let expected =
            format!("Both results of a conditional must have a type in common, but {difference}.");
        assert_eq!(error.detail, expected, "{text}");
    }
}

#[test]
fn functions_of_a_provider_that_is_not_required_are_unknown() {
    let evaluation = evaluate("provider::aws::arn(\"x\") == \"y\"", Release::V1_11);
    assert_eq!(evaluation.diagnostics[0].summary, "Unknown provider function");
    assert_eq!(truth("true ? true : provider::aws::arn(\"x\")", Release::V1_11), Some(true));
}

#[test]
fn no_guard_hides_an_exhausted_budget() {
    for text in [
        "[for x in range(1000) : [for y in range(1000) : x + y]]",
        "can([for x in range(1000) : x])",
    ] {
        let evaluation = evaluate_within(text, Release::V1_11, Budget(500));
        let [problem] = evaluation.diagnostics.as_slice() else { panic!("{text}") };
        assert!(problem.rule == lints::BUDGET_EXCEEDED, "{text}");
    }
}

#[test]
fn deep_values_do_not_overflow_the_stack() {
    let depth = 5_000;
    let json = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for text in
        ["jsondecode(\"J\") == jsondecode(\"J\")", "length(jsonencode(jsondecode(\"J\"))) > 0"]
    {
        assert_eq!(truth(&text.replace('J', &json), Release::V1_11), Some(true));
    }
}
