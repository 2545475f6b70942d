//! Tests of the `re2` layer.

use std::ops::Range;

mod backtracking;

use re2::{Dialect, ErrorKind, Groups, Regex, ecma};
use serde_json::{Value, json};

/// What Go and Node said, recorded in `tests/data/re2` (its README says how).
fn recorded() -> Vec<Value> {
    let text = include_str!("../data/re2/cases.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("a recording")).collect()
}

fn indexes(groups: &Groups) -> Value {
    let bounds = |it: &Option<Range<usize>>| match it {
        Some(it) => [json!(it.start), json!(it.end)],
        None => [json!(-1), json!(-1)],
    };
    groups.iter().flat_map(bounds).collect()
}

#[test]
fn patterns_are_refused_as_go_refuses_them() {
    let cases = recorded();
    assert!(cases.len() > 500);
    for case in cases {
        let pattern = case["pattern"].as_str().unwrap();
        let error = Regex::new(pattern).err().map(|it| it.to_string());
        assert_eq!(error.as_deref(), case["error"].as_str(), "{pattern:?}");
    }
}

#[test]
fn matches_are_those_of_go() {
    for case in recorded().iter().filter(|it| it.get("texts").is_some()) {
        let pattern = case["pattern"].as_str().unwrap();
        let regex = Regex::new(pattern).unwrap();
        let names: Vec<_> =
            regex.group_names().iter().map(|it| it.clone().unwrap_or_default()).collect();
        assert_eq!(json!(names), case["names"], "{pattern:?}");
        for it in case["texts"].as_array().unwrap() {
            let text = it["text"].as_str().unwrap();
            let all: Vec<_> = regex.find_all(text).iter().map(indexes).collect();
            assert_eq!(json!(all), it["all"], "{pattern:?} in {text:?}");
            let first = regex.captures(text).as_ref().map(indexes);
            assert_eq!(first.as_ref(), it["all"].get(0), "{pattern:?} in {text:?}");
            assert_eq!(regex.is_match(text), first.is_some(), "{pattern:?} in {text:?}");
            let replaced = regex.replace_all(text, case["template"].as_str().unwrap());
            assert_eq!(replaced, it["replaced"].as_str().unwrap(), "{pattern:?} in {text:?}");
        }
    }
}

#[test]
fn translations_are_those_that_node_agreed_with() {
    for case in recorded().iter().filter(|it| it.get("texts").is_some()) {
        let pattern = case["pattern"].as_str().unwrap();
        match ecma::translate(pattern) {
            Ok(it) => {
                assert_eq!(Some(it.pattern.as_str()), case["ecma"].as_str(), "{pattern:?}");
                assert_eq!(Some(it.kept), case["kept"].as_bool(), "{pattern:?}");
                assert_eq!(it.kept, it.pattern == pattern);
            }
            Err(it) => assert_eq!(Some(it.to_string().as_str()), case["untranslatable"].as_str()),
        }
    }
}

#[test]
fn common_patterns_keep_their_text() {
    for pattern in [
        r"^[a-z][a-z0-9-]{2,62}$",
        r"^(?:[0-9]{1,3}\.){3}[0-9]{1,3}/[0-9]{1,2}$",
        r"^[\w.-]+\/\d+$",
        r"^(?<major>\d+)\.",
        r"^https?://.*",
        r".*-prod$",
        r"^$|^\$\{.*",
    ] {
        let translation = ecma::translate(pattern).unwrap();
        assert!(translation.kept, "{pattern:?} became {:?}", translation.pattern);
    }
}

#[test]
fn what_differs_is_spelled_out() {
    for (pattern, expected) in [
        (r"^.+$", r"^[^\n]+$"),
        (r"(?s)^.+$", r"^[\s\S]+$"),
        (r"(?i)^sk$", "^[sS\u{17f}][kK\u{212a}]$"),
        (r"\A[[:alpha:]]\z", r"^[A-Za-z]$"),
        (r"^(?P<n>\S+)\s$", r"^(?<n>[^\t\n\f\r ]+)[\t\n\f\r ]$"),
        (r"^[\w-.]\-\_$", r"^[\w\-.]-_$"),
        (r"a{,2}[]x]", r"a\{,2\}[\]x]"),
        (r"(?m)^a$", r"(?:^|\n)a(?:\n|$)"),
        (r"(?m)a^b$c", r"a(?:^|(?<=\n))b(?=\n|$)c"),
        (r"\Qa.b\E\pN\p{Greek}", r"a\.b\p{N}\p{Script=Greek}"),
        (r"\x{1F600}\a\101\v", "\u{1f600}\\x07\\x41\\v"),
        (r"^*(?U)a+", r"(?:^)*a+"),
    ] {
        assert_eq!(ecma::translate(pattern).unwrap().pattern, expected, "{pattern:?}");
    }
}

#[test]
fn an_outline_tells_groups_and_anchors() {
    for (pattern, names, is_whole) in [
        ("^[a-z]+$", &[][..], true),
        (r"\A(?:a|b)\z", &[], true),
        ("^a|b$", &[], false),
        ("(?m)^a$", &[], false),
        ("^(a)(?P<last>b)$", &[None, Some("last")], false),
    ] {
        let outline = re2::outline(pattern, Dialect::default()).unwrap();
        let found: Vec<_> = outline.group_names().iter().map(Option::as_deref).collect();
        assert_eq!((&found[..], outline.matches_whole_texts()), (names, is_whole), "{pattern}");
        let compiled = Regex::new(pattern).unwrap();
        assert_eq!(compiled.group_names(), outline.group_names(), "{pattern}");
    }
    assert_eq!(re2::outline("a(", Dialect::default()).unwrap_err().kind, ErrorKind::MissingParen);
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Regex::new(&nested(999)).is_ok());
    assert!(ecma::translate(&nested(999)).unwrap().kept);
    assert_eq!(Regex::new(&nested(1000)).unwrap_err().kind, ErrorKind::NestingDepth);
    assert_eq!(Regex::new(&"(?:".repeat(100_000)).unwrap_err().kind, ErrorKind::NestingDepth);
    assert_eq!(Regex::new(&"(x{1000})".repeat(3400)).unwrap_err().kind, ErrorKind::Large);
}

/// Terraform's Go has the Unicode of version 15.0; ours is newer.
#[test]
fn unicode_is_that_of_go() {
    for (pattern, text, expected) in [
        (r"\p{Mn}", "\u{1171e}", true),
        (r"\p{Mc}", "\u{1171e}", false),
        (r"\pC", "\u{378}", false),
        (r"\pC", "\u{e000}", true),
        (r"(?i)\x{390}", "\u{1fd3}", false),
        (r"(?i)\x{fb05}", "\u{fb06}", false),
        (r"(?i)\x{264}", "\u{a7cb}", false),
        (r"(?i)\p{Lu}", "a", true),
        (r"(?i)\P{Lu}", "a", false),
        (r"(?i)ꭰ", "Ꭰ", true),
    ] {
        assert_eq!(Regex::new(pattern).unwrap().is_match(text), expected, "{pattern} {text:?}");
    }
}
