//! Agreement with recorded answers of Go's `hashicorp/hcl/v2` (`tests/data/syntax/README.md`):
//! the verdict, the tree, and the place of the first error.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use diagnostics::{Diagnostics, FileId};
use hcl::{is_identifier, parse_body, parse_expression, parse_template};
use serde_json::{Value, json};

use super::{json_tree, tree};

/// A difference that is meant: which cases, and why.
struct Deviation {
    reason: &'static str,
    applies: fn(&Value, &Answer) -> bool,
}

const DEVIATIONS: &[Deviation] = &[
    Deviation {
        reason: "Go's scanner lets many broken byte sequences pass in names; a name is UTF-8 here",
        applies: |case, answer| {
            case["input"].is_null() && headline(answer) == "Invalid character encoding"
        },
    },
    Deviation {
        reason: "of a block on one line Go lists what follows an error before the error",
        applies: |case, answer| {
            case["errors"][0]["summary"] == "Invalid single-argument block definition"
                && place(answer).is_some_and(|(start, _)| {
                    u64::from(start) < case["errors"][0]["start"].as_u64().unwrap_or(0)
                })
        },
    },
    Deviation {
        reason: "Go points at the first part of the template, not at the sequence left open",
        applies: |case, answer| {
            case["errors"][0]["summary"] == "Unclosed template interpolation sequence"
                && headline(answer) == "Unclosed interpolation"
        },
    },
];

fn headline(answer: &Answer) -> &str {
    answer.diagnostics.first().map_or("", |it| &it.summary)
}

fn place(answer: &Answer) -> Option<(u32, u32)> {
    answer.diagnostics.first()?.span().map(|it| (it.start, it.end))
}

/// JSON errors for which Go first goes to the end of the object or array around them, or of the
/// file, and reports the place behind it. Here the place is the wrong token's, where the mistake is.
const REPORTED_EARLIER: &[&str] = &[
    "Missing attribute seperator comma",
    "Mismatched braces",
    "Mismatched brackets",
    "Invalid array value",
];

#[test]
fn agrees_with_recorded_answers_native() {
    compare_all("native.jsonl", native);
}

#[test]
fn agrees_with_recorded_answers_json() {
    compare_all("json.jsonl", |case| {
        let (tree, diagnostics) = json_tree::file(&input(case));
        Answer { diagnostics, tree }
    });
}

/// Every character beyond ASCII, at the beginning of a name and inside of one.
#[test]
fn identifiers_have_the_characters_of_go() {
    let text = std::fs::read_to_string(directory().join("identifiers.txt")).unwrap();
    for (kind, before) in [("start", ""), ("continue", "a")] {
        let ranges: Vec<(u32, u32)> = text
            .lines()
            .filter_map(|it| it.strip_prefix(kind)?.trim().split_once(' '))
            .map(|(first, last)| {
                [first, last].map(|it| u32::from_str_radix(it, 16).unwrap()).into()
            })
            .collect();
        assert!(ranges.len() > 500, "{kind}: {} ranges", ranges.len());
        let differing: Vec<char> = ('\u{80}'..=char::MAX)
            .filter(|char| {
                let code = u32::from(*char);
                let at = ranges.partition_point(|(_, last)| *last < code);
                let expected = ranges.get(at).is_some_and(|(first, _)| *first <= code);
                is_identifier(&format!("{before}{char}")) != expected
            })
            .collect();
        assert!(differing.is_empty(), "{kind}: {} differ: {differing:?}", differing.len());
    }
}

struct Answer {
    diagnostics: Diagnostics,
    tree: Value,
}

fn native(case: &Value) -> Answer {
    let input = input(case);
    let file = FileId::default();
    let (tree, diagnostics) = match case["kind"].as_str().unwrap() {
        "body" => {
            let (body, diagnostics) = parse_body(file, &input);
            (tree::body(&body), diagnostics)
        }
        "expression" => {
            let (expr, diagnostics) = parse_expression(file, &input, 0);
            (tree::expr(&expr), diagnostics)
        }
        "template" => {
            let (expr, diagnostics) = parse_template(file, &input, 0);
            (tree::expr(&expr), diagnostics)
        }
        other => panic!("unknown kind {other}"),
    };
    Answer { diagnostics, tree }
}

fn compare_all(file: &str, answer: impl Fn(&Value) -> Answer) {
    // Trees of the recorded depth are deeper than a test's stack in their JSON form.
    stacker::grow(64 * 1024 * 1024, || compare_every(file, answer));
}

fn compare_every(file: &str, answer: impl Fn(&Value) -> Answer) {
    let path = directory().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut report, mut wrong, mut count) = (String::new(), 0, 0);
    let mut used = [0; DEVIATIONS.len()];
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        count += 1;
        let answer = answer(&case);
        let Some(difference) = difference(&case, &answer) else { continue };
        if let Some(at) = DEVIATIONS.iter().position(|it| (it.applies)(&case, &answer)) {
            used[at] += 1;
            continue;
        }
        wrong += 1;
        let _ = writeln!(report, "{} {}\n  {difference}", case["id"], case["input"]);
    }
    assert!(count > 0, "no cases in {}", path.display());
    for (deviation, used) in DEVIATIONS.iter().zip(used) {
        eprintln!("{file}: {used} of {count} deviate: {}", deviation.reason);
    }
    assert!(wrong == 0, "{wrong} of {count} differ:\n{report}");
}

/// Each deviation in one example, so that one that vanished is noticed.
#[test]
fn listed_deviations_still_differ() {
    let error =
        |summary: &str, start, end| json!([{"summary": summary, "start": start, "end": end}]);
    let examples = [
        json!({"kind": "body", "input": null, "input_base64": "77thID0gMQo=", "accept": true,
            "errors": []}),
        json!({"kind": "body", "input": "v { {}\n\n", "accept": false,
            "errors": error("Invalid single-argument block definition", 7, 8)}),
        json!({"kind": "expression", "input": "\"x${b", "accept": false,
            "errors": error("Unclosed template interpolation sequence", 1, 2)}),
    ];
    for (case, deviation) in examples.iter().zip(DEVIATIONS) {
        let answer = native(case);
        assert!(difference(case, &answer).is_some(), "vanished: {}", deviation.reason);
        assert!((deviation.applies)(case, &answer), "not found: {}", deviation.reason);
    }
}

/// Go's text may hold bytes that are not UTF-8 (overlong forms, surrogates). Here it cannot: each
/// such byte is U+FFFD, as when Go writes the text as JSON.
fn text_as_utf8(tree: &Value) -> Value {
    match tree {
        Value::Object(map) => match map.get("b64").and_then(Value::as_str) {
            Some(text) => json!(String::from_utf8_lossy(&from_base64(text))),
            None => tree.clone(),
        },
        Value::Array(items) => items.iter().map(text_as_utf8).collect(),
        _ => tree.clone(),
    }
}

fn directory() -> PathBuf {
    match std::env::var_os("TERRASCHEMA_SYNTAX_DATA") {
        Some(it) => it.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syntax"),
    }
}

fn input(case: &Value) -> Vec<u8> {
    match case["input"].as_str() {
        Some(it) => it.as_bytes().to_vec(),
        None => from_base64(case["input_base64"].as_str().unwrap()),
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

fn difference(case: &Value, answer: &Answer) -> Option<String> {
    let accepted = answer.diagnostics.is_empty();
    if case["accept"] != json!(accepted) {
        return Some(format!(
            "accepted here: {accepted}; recorded {}; here {:?}",
            case["errors"],
            answer.diagnostics.first()
        ));
    }
    if !accepted {
        let span = answer.diagnostics[0].span().unwrap();
        let first = &case["errors"][0];
        let earlier = REPORTED_EARLIER.iter().any(|it| first["summary"] == *it);
        let (start, end) = (json!(span.start), json!(span.end));
        let same = if earlier && case["kind"] == "json" {
            start.as_u64() < first["start"].as_u64()
        } else {
            start == first["start"] && end == first["end"]
        };
        let summary = &answer.diagnostics[0].summary;
        return (!same)
            .then(|| format!("first error: recorded {first}, here {start} {end} {summary}"));
    }
    let same = match case["tree_text"].as_str() {
        // The text of the tree: a tree never equals a string.
        Some(text) => format!("{}", answer.tree) == text,
        None if case["kind"] == "json" => answer.tree == json_tree::recorded(&case["tree"]),
        None => answer.tree == text_as_utf8(&case["tree"]),
    };
    (!same).then(|| format!("recorded {}\n  here     {}", case["tree"], answer.tree))
}
