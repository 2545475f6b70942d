//! What is proved where the sets of a whole condition say too little, and what is not.

use super::report;

fn level(ty: &str, before: &str, after: &str) -> String {
    with_message(ty, before, after, "No.")
}

fn with_message(ty: &str, before: &str, after: &str, message: &str) -> String {
    of_module("", ty, (before, after), message)
}

/// The module contains `more`, too.
fn of_module(more: &str, ty: &str, (before, after): (&str, &str), message: &str) -> String {
    let text = |condition: &str| {
        format!(
            "{more}variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = {condition}\n    error_message = \"{message}\"\n  }}\n}}\n\nvariable \"y\" {{\n  type = list(string)\n}}\n"
        )
    };
    let found = report(&text(before), &text(after));
    found["compat"]["modules"][0]["level"].as_str().unwrap_or("none").to_owned()
}

/// Nothing is known of `E`, but that it is the same on both sides.
#[test]
fn what_nobody_looks_into_has_one_answer() {
    let e = "sum([for it in var.x : parseint(it, 7)])";
    let cases = [
        ("E > 3 || E < 2", "E > 2 || E < 2", "minor"),
        ("E == 1", "E <= 1", "minor"),
        ("E == 1", "E < 1", "major"),
        ("can(E) && E != 2", "can(E)", "minor"),
        ("!(E < 2)", "E >= 2", "patch"),
        ("E >= 2 ? E < 9 : false", "E >= 2 && E < 9", "patch"),
        ("try(E, 5) == 5", "try(E, 5) == 5 || E == 6", "minor"),
        ("(can(E) ? 1 : 0) + (E > 1 ? 1 : 0) == 2", "E > 1", "patch"),
        ("(E > 1 ? 1 : 0) + (E > 2 ? 1 : 0) != 1", "E <= 1 || E > 2", "patch"),
        ("(E > 1 ? 1 : 0) + (E > 2 ? 1 : 0) < 3", "(E > 1 ? 2 : 0) + (E > 2 ? 1 : 0) < 4", "patch"),
        ("alltrue([E > 1, E < 3])", "E > 1 && E < 3", "patch"),
        ("anytrue([E > 1, E < 3])", "E > 1 || E < 3", "patch"),
    ];
    for (before, after, expected) in cases {
        let of = |it: &str| it.replace('E', e);
        let found = level("list(string)", &of(before), &of(after));
        let is_as_good = expected == "patch" && found == "minor";
        assert!(found == expected || is_as_good, "{before} → {after}: {found}");
    }
}

/// What one side decides, the other one does not fail (Terraform 1.12); and what is fixed is fixed for all of it.
#[test]
fn failures_are_hidden_where_a_side_decides() {
    let cases = [
        (
            "list(string)",
            "alltrue([for v in var.x : v == \"a\"])",
            "alltrue([for v in var.x : v == \"a\" || tonumber(v) > 2])",
        ),
        ("list(string)", "length(var.x) > 0 || tonumber(var.x[3]) > 1", "length(var.x) > 0"),
    ];
    for (ty, before, after) in cases {
        let found = level(ty, before, after);
        assert!(
            ["patch", "minor", "none"].contains(&found.as_str()),
            "{before} → {after}: {found}"
        );
    }
}

/// Before Terraform 1.12 the failure of one side is that of the whole. The new rule fails for `[""]`.
#[test]
fn failures_are_hidden_by_nothing_in_earlier_releases() {
    let before = "length(var.x) > 0";
    let after = format!("sum([for it in var.x : parseint(it, 7)]) > 1 || {before}");
    for (version, expected) in [("~> 1.11.0", "major"), (">= 1.12", "minor")] {
        let only = format!("terraform {{\n  required_version = \"{version}\"\n}}\n");
        let found = of_module(&only, "list(string)", (before, &after), "No.");
        assert_eq!(found, expected, "{version}");
    }
}

/// A list is not a number, and what is computed is not null.
#[test]
fn values_of_two_kinds_are_never_equal() {
    let harmless = [
        ("list(string)", "distinct(var.x) == 3", "distinct(var.x) == 4"),
        ("list(string)", "(length(var.x) > 2) == null", "length(var.x) > 9"),
        // One of both is never null.
        (
            "list(string)",
            "[for it in var.x : parseint(it, 7)] == sum([for it in var.x : parseint(it, 7)])",
            "length(var.x) > 9",
        ),
        (
            "list(string)",
            "[for it in var.x : upper(it)] != 1",
            "[for it in var.x : upper(it)] != \"a\"",
        ),
    ];
    for (ty, before, after) in harmless {
        let found = level(ty, before, after);
        assert!(
            ["patch", "minor", "none"].contains(&found.as_str()),
            "{before} → {after}: {found}"
        );
    }
    // `tostring(null)` is null.
    assert_eq!(
        level("string", "var.x == null || var.x != \"a\"", "tostring(var.x) != null"),
        "major"
    );
}

/// A value of any type is of one kind.
#[test]
fn nothing_is_of_two_kinds() {
    let gone = "Not ${var.x[0]}.";
    assert!(
        ["minor", "patch"]
            .contains(&with_message("any", "var.x == 3", "var.x != 3", gone).as_str())
    );
    assert_eq!(with_message("any", "var.x == 3", "var.x != 3", "No."), "major");
    let both = "can(regex(\"^a\", var.x)) && can(var.x.a)";
    assert!(["minor", "patch"].contains(&level("any", both, "can(var.x.a.b)").as_str()));
    assert_eq!(level("any", "can(var.x.a)", "can(var.x.a.b)"), "major");
}

/// Sets say nothing of these, and what the rules write down is tried.
#[test]
fn arguments_are_guessed_from_what_rules_write_down() {
    let cases = [
        ("list(number)", "max(var.x...) >= 2", "max(var.x...) >= 3"),
        (
            "list(any)",
            "sum(var.x) < 1 == contains(var.x, 1)",
            "sum(var.x) < 2 == contains(var.x, 1)",
        ),
        ("any", "can(var.x[\"3\"]) || try(contains(var.x, \"b\"), false)", "can(var.x[\"3\"])"),
        ("list(string)", "join(\"-\", var.x) == \"a-b\" || length(var.x) > 4", "length(var.x) > 4"),
    ];
    for (ty, before, after) in cases {
        assert_eq!(level(ty, before, after), "major", "{before} → {after}");
    }
}
