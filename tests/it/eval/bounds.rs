//! Bounds on work and memory: what would take too long ends in a diagnostic.

use diagnostics::lints;
use release::Release;
use tf_eval::Budget;
use tf_value::Value;

use super::behaviour::{evaluate, evaluate_within};

/// A hundredth or so of what is allowed: the tests are to be quick without optimisation too.
const LITTLE: Budget = Budget(50_000);

const LOOP: &str = "[for a in range(1000) : [for b in range(1000) : BODY]]";
const MILLION_TEXTS: &str =
    "flatten([for a in range(1000) : [for b in range(1000) : \"${a}-${b}\"]])";
const MEGABYTE: &str =
    "join(\"\", [for a in range(1000) : join(\"\", [for b in range(1000) : \"x\"])])";

fn is_too_large(text: &str) -> bool {
    let evaluation = evaluate_within(text, Release::V1_11, LITTLE);
    evaluation.diagnostics.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED)
}

#[test]
fn loops_end() {
    for text in [
        "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a + b + c]]]",
        "length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]])",
        "{for a in range(1000) : a => {for b in range(1000) : b => {for c in range(1000) : c => a}}}",
        "[for a in range(1000) : [for b in range(1000) : a if b > 2000]]",
        "\"%{for a in range(1000)}%{for b in range(1000)}%{for c in range(9)}x%{endfor}%{endfor}%{endfor}\"",
        "range(1000)[*][*][*] == [for a in range(1000) : [for b in range(1000) : range(1000)[*]]]",
    ] {
        assert!(is_too_large(text), "{text}");
    }
}

/// Each of these takes so long that a million of them must not be had for the price of the nodes.
#[test]
fn calls_and_operations_in_loops_pay_for_their_operands() {
    let bodies = [
        "contains(range(1000), b)",
        "index(range(1000), 999)",
        "length(range(1000))",
        "range(1000) == range(1000)",
        "true ? range(1000) : []",
        "toset(range(1000))",
        "distinct(range(1000))",
        "jsondecode(jsonencode(range(1000)))",
        "yamldecode(yamlencode(range(1000)))",
        "keys(zipmap(range(1000), range(1000)))",
        "merge({for c in range(1000) : c => c}, {})",
        "sha512(join(\",\", range(1000)))",
        "regexall(\"[0-9]+,\", join(\",\", range(1000)))",
        "replace(join(\",\", range(1000)), \"/[0-9]/\", \"x\")",
        "format(\"%900d\", a)",
        "formatlist(\"%d\", range(1000))",
        "tostring(a / 3 + 1 / 7)",
        "\"${1 / 3}\"",
        "tostring(1e5000)",
        "cidrsubnets(\"10.0.0.0/8\", 8, 8, 8)",
        "csvdecode(\"a,b\\n1,2\")",
        "base64gzip(\"x\")",
        "null + 1",
    ];
    for body in bodies {
        assert!(is_too_large(&LOOP.replace("BODY", body)), "{body}");
        let once = format!("[for a in [1] : [for b in [1] : {body}]]");
        assert!(!is_too_large(&once), "{once}");
    }
}

#[test]
fn large_collections_end() {
    for text in [
        "length(setunion(toset(MILLION), [\"a\"]))",
        "length(sort(MILLION))",
        "length(distinct(MILLION))",
        "length(zipmap(MILLION, MILLION))",
        "join(\",\", MILLION)",
        "length(transpose({for a in range(1000) : a => [for b in range(1000) : \"${a}-${b}\"]}))",
        "length(setproduct(range(1000), range(1000)))",
        "length(setproduct(toset(range(1000)), range(1000), range(1000), range(1000)))",
        "length(chunklist(MILLION, 1))",
        "length(merge([for a in range(1000) : {for b in range(1000) : \"${a}-${b}\" => b}]...))",
        "length(csvdecode(\"a,b\\n${join(\"\", [for a in range(1000) : join(\"\", [for b in range(1000) : \"1,2\\n\"])])}\"))",
    ] {
        assert!(is_too_large(&text.replace("MILLION", MILLION_TEXTS)), "{text}");
    }
}

#[test]
fn large_texts_end() {
    for text in [
        "format(\"%999999999d\", 1)",
        "format(\"%.999999999f\", 1)",
        "format(\"%-999999999s\", \"a\")",
        "indent(999999999, \"a\\nb\")",
        "replace(MEGABYTE, \"x\", MEGABYTE)",
        "replace(MEGABYTE, \"/x/\", MEGABYTE)",
        "strrev(MEGABYTE)",
        "split(\"\", MEGABYTE)",
        "tonumber(replace(MEGABYTE, \"x\", \"9\"))",
        "regexall(\"(x|xx)*y\", MEGABYTE)",
    ] {
        assert!(is_too_large(&text.replace("MEGABYTE", MEGABYTE)), "{text}");
    }
    let level = |(this, last)| {
        let list = vec![format!("*{last}"); 9].join(",");
        format!("{this}: &{this} [{list}]\\n")
    };
    let anchors = ('b'..='j').zip('a'..).map(level).collect::<Vec<_>>().concat();
    assert!(is_too_large(&format!("yamldecode(\"a: &a [x]\\n{anchors}\")")), "{anchors}");
}

/// Their size is in their exponent, which costs nothing.
#[test]
fn huge_numbers_are_no_work() {
    for text in [
        "1e999999999 + 1",
        "1e99999999 % 7",
        "floor(1e9999999)",
        "tostring(1e99999999)",
        "pow(pow(pow(99999, 99), 99), 99)",
        "1e-99999999 * 1e-99999999",
    ] {
        let evaluation = evaluate_within(text, Release::V1_11, LITTLE);
        assert_eq!(evaluation.diagnostics, [], "{text}");
    }
}

/// What takes a second look at each level above would take minutes here.
#[test]
fn deep_values_are_no_work() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(5_000), close.repeat(5_000))
    };
    let list = |inner: &str| format!("jsondecode(\"{}\")", nested("[", inner, "]"));
    let object = |inner: &str| format!("jsondecode(\"{}\")", nested("{\\\"a\\\":", inner, "}"));
    for (left, right) in [
        (list("1"), list("\\\"x\\\"")),
        (object("1"), object("\\\"x\\\"")),
        (nested("[", "1", "]"), nested("[", "\"x\"", "]")),
    ] {
        let evaluation = evaluate(&format!("length(true ? {left} : {right})"), Release::V1_11);
        assert_eq!(evaluation.diagnostics, []);
        assert_eq!(evaluation.value, Value::int(1));
    }
    let text = format!("true ? {} : {}", list("1"), list("true"));
    let evaluation = evaluate(&text, Release::V1_11);
    let summaries: Vec<&str> = evaluation.diagnostics.iter().map(|it| &*it.summary).collect();
    assert_eq!(summaries, ["Inconsistent conditional result types"]);
}
