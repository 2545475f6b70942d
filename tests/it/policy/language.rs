//! What is wrong with a file of rules, with its place and what to write instead.

use super::{command, errors};

/// The first error of an argument's value.
fn of_value(value: &str) -> String {
    let rules = format!("rule \"r\" {{\n  resource \"t\" {{\n    a = {value}\n  }}\n}}\n");
    errors(&rules).first().cloned().unwrap_or_default()
}

#[test]
fn a_word_of_another_language_brings_the_word_of_this_one() {
    for (value, expected) in [
        ("oneOf(1, 2)", "write any(A, B)"),
        ("Opt(1)", "write optional(A)"),
        ("not(1)", "write deny(A)"),
        ("Anything", "write required"),
        ("Forbid", "write forbidden"),
        ("boolean", "write bool"),
        ("arrayOf(string)", "write list(A)"),
        ("recordOf(string, string)", "write map(A)"),
        ("byteSize", "write byte_size"),
        ("String", "write string"),
        ("strng", "did you mean \"string\"?"),
        ("prod", "write a string in quotes: \"prod\""),
    ] {
        let found = of_value(value);
        assert!(found.ends_with(&format!(" | {expected}")), "{value}: {found}");
        assert!(found.starts_with("3:9: "), "{found}");
    }
}

#[test]
fn each_mistake_is_an_error_at_its_place() {
    for (value, expected) in [
        (
            "any",
            "3:9: any takes at least one validator | to require any value except null, write required",
        ),
        (
            "string({ minlength = 3 })",
            "3:18: Unknown option \"minlength\" of string | did you mean \"min_length\"?",
        ),
        (
            "string({ foo = 3 })",
            "3:18: Unknown option \"foo\" of string | use min_length, max_length, pattern, \
          condition, error_message",
        ),
        (
            "number({ min = 2, max = 1 })",
            "3:9: The bounds contradict each other: min is above max, so nothing passes.",
        ),
        ("string({ min_length = -1 })", "3:31: min_length must be a whole number of at least 0"),
        ("string({ pattern = \"(\" })", "3:28: The pattern is not a valid regular expression: "),
        (
            "context.env",
            "3:9: Reference to an undeclared context: The context \"env\" is not declared.",
        ),
        ("local.env", "3:9: Reference to an undeclared local: The local \"env\" is not declared."),
        (
            "lenght(self) > 3",
            "3:9: Unknown validator or function \"lenght\" | did you mean \"length\"?",
        ),
        ("length(string)", "3:16: A validator in an expression: "),
        ("self == any(1)", "3:17: A validator in an expression: "),
        (
            "aws_vpc.main.id",
            "3:9: Unknown name \"aws_vpc\" | write parent.aws_vpc for another argument, or reference(",
        ),
        ("optional(\"a\", \"b\")", "3:23: The default breaks its validator: "),
        ("optional()", "3:9: optional takes a validator and a default | "),
        (
            "string(\"a\")",
            "3:9: string takes no arguments but its options | write a constant as it is",
        ),
        (
            "version(1.10)",
            "3:17: A version must be a string: Write it in quotes, because the number 1.10 is 1.1.",
        ),
        ("version(\"x\")", "3:17: No version constraint: "),
        ("version(\"> 1.0-beta\")", "3:17: The constraint names a pre-release: "),
        ("{ a = 1, a = 2 }", "3:18: Duplicate member \"a\""),
        (
            "object({ a = 1 }, { unknowns = \"no\" })",
            "3:40: unknowns must be \"forbid\" or \"allow\"",
        ),
        ("any([1]...)", ""),
        ("any(1...)", "3:13: No list to expand: "),
        ("1 + \"x\"", "3:13: The expression fails: "),
        ("string({ error_message = \"x\" })", "3:34: error_message without a condition: "),
        ("byte_size({ min = \"3 apples\" })", "3:27: min has no such unit: "),
        (
            "matches(parent.b, 1)",
            "3:9: matches takes no arguments but its options | write matches(parent.NAME, V) ? V : V",
        ),
        ("timestamp()", "3:9: The value is not known: "),
    ] {
        let found = of_value(value);
        assert!(found.starts_with(expected), "{value}\n{found}\n{expected}");
        assert_eq!(found.is_empty(), expected.is_empty(), "{value}: {found}");
    }
}

#[test]
fn blocks_are_checked_before_anything_is_judged() {
    for (rules, expected) in [
        (
            "rule \"a\" {\n}\n",
            "1:1: The rule \"a\" is empty: A rule without blocks would judge nothing.",
        ),
        ("rule \"A b\" {\n  forbid \"t\" {}\n}\n", "1:6: \"A b\" is not a valid rule id: "),
        (
            "rule \"a\" {\n  forbid \"t\" {}\n}\nrule \"a\" {\n  forbid \"t\" {}\n}\n",
            "4:6: Duplicate rule \"a\"",
        ),
        (
            "rule \"a\" {\n  levl = \"error\"\n  forbid \"t\" {}\n}\n",
            "2:3: Unknown rule argument \"levl\": A rule can contain level, \
          undecided, message, when, and blocks. Did you mean \"level\"?",
        ),
        (
            "rule \"a\" {\n  level = \"fatal\"\n  forbid \"t\" {}\n}\n",
            "2:11: \"fatal\" is not a level: ",
        ),
        (
            "rule \"a\" {\n  level = local.x\n  forbid \"t\" {}\n}\nlocals {\n  x = \"error\"\n}\n",
            "2:11: level can depend only on context",
        ),
        (
            "rule \"a\" {\n  resource \"t\" {}\n  resource \"t\" {}\n}\n",
            "3:3: Duplicate resource \"t\" in this rule: ",
        ),
        ("rule \"a\" {\n  resource \"t\" \"main\" {}\n}\n", "2:3: resource must have one label: "),
        ("rule \"a\" {\n  resorce \"t\" {}\n}\n", "2:3: Unknown block \"resorce\" in a rule: "),
        (
            "rule \"a\" {\n  when = { actions = [\"destroy\"] }\n  forbid \"t\" {}\n}\n",
            "2:22: Unknown action \"destroy\": ",
        ),
        (
            "rule \"a\" {\n  when = { adresses = [] }\n  forbid \"t\" {}\n}\n",
            "2:23: Unknown name \"adresses\" in when: Use actions, \
          addresses and except. Did you mean \"addresses\"?",
        ),
        (
            "rule \"a\" {\n  when = { actions = [\"create\"] }\n  module \"*\" {}\n}\n",
            "3:3: when.actions does not apply to a module: ",
        ),
        (
            "rule \"a\" {\n  forbid \"t\" {\n    count = 1\n  }\n}\n",
            "3:5: count applies to every instance: ",
        ),
        ("test \"a\" {}\n", "1:1: The test \"a\" expects nothing: "),
        ("x = 1\n", "1:1: Argument outside of a block: "),
        (
            "locals {\n  a = local.b\n  b = [local.a]\n}\n",
            "2:3: Locals refer to each other in a cycle: local.a -> local.b -> local.a",
        ),
        (
            "locals {\n  a = any(strng)\n}\n",
            "2:11: Unknown validator \"strng\" | did you mean \"string\"?",
        ),
        (
            "context \"a\" {}\n",
            "1:1: The context \"a\" has no value: It has no default: use --context a=VALUE, or set a in `context` of a policy block.",
        ),
        (
            "context \"a\" {\n  default = \"x\"\n  type = number\n}\n",
            "1:1: The context \"a\" has another type: a number is required.",
        ),
        (
            "context \"a\" {\n  defalt = 1\n}\n",
            "2:3: Unknown argument \"defalt\" in a context. Did you mean \"default\"?",
        ),
        ("rule \"a\" {\n", "1:10: "),
    ] {
        let found = errors(rules);
        let has = found.iter().any(|it| it.starts_with(expected));
        assert!(has, "{rules}\n{found:#?}\n{expected}");
    }
}

/// What is compared with it is not known for that reason alone.
#[test]
fn a_context_without_a_value_is_told_once() {
    let rules = "context \"a\" {}\nrule \"r\" {\n  resource \"t\" {\n    v = context.a\n    w = { x = context.a }\n  }\n}\n";
    let found = errors(rules);
    assert!(found.len() == 1 && found[0].contains("has no value"), "{found:#?}");
}

#[test]
fn nested_validators_end_somewhere() {
    for (open, close) in [("any(", ")"), ("[", "]"), ("{ a = ", "}"), ("optional(", ")")] {
        let value = format!("{}1{}", open.repeat(300), close.repeat(300));
        let found = of_value(&value);
        assert!(found.contains("The validator nests too deeply"), "{open}: {found}");
    }
    // Locals that use each other twice are judged within the budget, or not at all.
    let mut rules = "locals {\n  l0 = any(\"a\", \"b\")\n".to_owned();
    for n in 1..60 {
        rules += &format!("  l{n} = any(local.l{0}, local.l{0})\n", n - 1);
    }
    rules += "}\nrule \"r\" {\n  resource \"t\" {\n    a = local.l59\n  }\n}\n";
    let plan = r#"{"format_version": "1.2", "resource_changes": [{"address": "t.a", "mode": "managed",
        "type": "t", "name": "a", "change": {"actions": ["create"], "after": {"a": "c"}}}]}"#;
    let files = [("a.rules.hcl", rules.as_str()), ("plan.json", plan)];
    let (code, out, _) =
        command(&files, "--plan plan.json a.rules.hcl --format concise --max-work 1000000");
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("budget-exceeded"), "{out}");
}

#[test]
fn many_locals_in_a_row_are_no_problem() {
    let mut rules = "locals {\n  l0 = \"a\"\n".to_owned();
    for n in 1..5000 {
        rules += &format!("  l{n} = local.l{}\n", n - 1);
    }
    rules += "}\nrule \"r\" {\n  resource \"t\" {\n    a = local.l4999\n  }\n}\n";
    assert_eq!(errors(&rules), Vec::<String>::new());
}
