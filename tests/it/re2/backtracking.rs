//! Patterns that a backtracking engine reads in linear time, and those written instead of others.

use re2::{Backtracking, Regex, backtracking};
use testkit::regexes::pattern;

fn judged(pattern: &str) -> Backtracking {
    backtracking(pattern, &mut 0)
}

#[test]
fn one_way_through_each_text_is_left() {
    let cases = [
        (r"^(([a-zA-Z0-9-])+(\/?))*$", r"^(?:[\-0-9A-Za-z](?:/?[\-0-9A-Za-z])*/?)?$"),
        ("^(a+)+$", "^a+$"),
        ("^(a|a)*$", "^a*$"),
        ("^(a|ab|b)*$", "^[ab]*$"),
        ("(a*)*b", "a*b"),
        ("^([ab]*)*c|^x(y|yy)+$", "^[ab]*c|^xy+$"),
        ("^.*a.*$", r"^[^\na]*a[^\n]*$"),
        (r"^.+@.+\..+$", r"^[^\n][^\n@]*@[^\n][^\n.]*\.[^\n]+$"),
        // A match is certain, but only after every way through what may follow it has failed.
        ("^(?:(a+)+b)?", "^"),
        ("^x(?:(a+)+b)?", "^x"),
        (r"^arn:.*:.*:.*$", r"^arn:[^\n:]*:[^\n:]*:[^\n]*$"),
    ];
    for (pattern, expected) in cases {
        assert_eq!(judged(pattern), Backtracking::Rewritten(expected.to_owned()), "{pattern}");
    }
}

#[test]
fn what_is_linear_stays_as_it_is_written() {
    let cases = [
        r"^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$",
        r"^([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$",
        r"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$",
        r"^(\d+\.)?(\d+\.)?(\*|\d+)$",
        // After the first match nothing is tried.
        "^(a+)+",
        // From each place one way: the square of the length.
        r"\s+$",
        r"^\w+\b[^\w]*\bend",
        "^(?:us-east-1|us-east-2|us-west-1|us-west-2)$",
    ];
    for pattern in cases {
        assert_eq!(judged(pattern), Backtracking::Linear, "{pattern}");
    }
}

#[test]
fn what_cannot_be_rewritten_is_told() {
    for pattern in [
        r"^(\w+\s?)*\bend$",
        r"^(a|b(?=\n|$)|ab)*$",
        r"^(a|(?=b)b)*$",
        "^(.{1,9}x.{1,9}){3,9}y(.*z)*$",
    ] {
        assert_eq!(judged(pattern), Backtracking::Unbounded, "{pattern}");
    }
}

/// Random nested repetitions: what is written instead finds a match in the same texts, and is not
/// rewritten again. `TERRASCHEMA_FUZZ=10000` tries more.
#[test]
fn what_is_written_matches_the_same_texts() {
    let count = std::env::var("TERRASCHEMA_FUZZ").ok().and_then(|it| it.parse().ok());
    let (mut rewritten, mut pairs, mut found) = (0, 0, 0);
    for seed in 0..count.unwrap_or(1000) {
        let pattern = pattern(seed);
        let Backtracking::Rewritten(other) = judged(&pattern.text) else { continue };
        rewritten += 1;
        assert_eq!(judged(&other), Backtracking::Linear, "{} as {other}", pattern.text);
        let [one, two] = [&pattern.text, &other].map(|it| Regex::new(it).unwrap());
        for text in &pattern.texts {
            pairs += 1;
            found += usize::from(one.is_match(text));
            assert_eq!(
                one.is_match(text),
                two.is_match(text),
                "{} as {other}: {text:?}",
                pattern.text
            );
        }
    }
    eprintln!("{rewritten} rewritten, {pairs} texts, of which {found} match");
    assert!(rewritten > 100 && found * 10 > pairs && found * 10 < pairs * 9);
}
