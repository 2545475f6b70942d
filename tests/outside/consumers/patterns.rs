//! Random RE2 patterns: a JavaScript engine finds our translation in the texts in which RE2 finds the
//! pattern.
//!
//! `TERRASCHEMA_FUZZ` is how many patterns are made (3000), `TERRASCHEMA_SEED` makes other ones.

use std::process::Command;

use re2::{Language, Regex, ecma};
use serde::Deserialize;
use serde_json::json;
use testkit::{
    condition::{
        matching::{changed, matching, parse},
        values::Random,
    },
    missing::{MissingProgram, trials},
    workspace::Workspace,
};

use super::answers;
use crate::tools;

trials![a_javascript_engine_finds_what_re2_finds,];

/// Ways to write one code point, in classes and outside of them.
const LITERALS: [&str; 34] = [
    "a",
    "b",
    "K",
    "s",
    "0",
    "9",
    "_",
    " ",
    "-",
    "/",
    ",",
    ":",
    "=",
    "!",
    "<",
    "é",
    "ſ",
    "😀",
    "K",
    "\u{85}",
    "\u{2028}",
    r"\.",
    r"\-",
    r"\/",
    r"\_",
    r"\\",
    r"\]",
    r"\x41",
    r"\x{1F600}",
    r"\101",
    r"\n",
    r"\v",
    r"\a",
    r"\^",
];

/// Classes with a name.
const CLASSES: [&str; 14] = [
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"\pL",
    r"\p{Lu}",
    r"\P{Ll}",
    r"\pN",
    r"\p{^Greek}",
    r"\p{Greek}",
    r"\pP",
    r"\PZ",
];

const POSIX: [&str; 8] = [
    "[:alpha:]",
    "[:^alpha:]",
    "[:space:]",
    "[:punct:]",
    "[:word:]",
    "[:xdigit:]",
    "[:^digit:]",
    "[:lower:]",
];

const REPEATS: [&str; 14] =
    ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{,2}", "{2}?", "{0}", "{", "}"];

const GROUPS: [&str; 13] = [
    "(",
    "(?:",
    "(?P<n>",
    "(?<m>",
    "(?P<1>",
    "(?i:",
    "(?s:",
    "(?m:",
    "(?-i:",
    "(?is-m:",
    "(?U:",
    "(?i)(",
    "(?U)(?s)(",
];

const ASSERTIONS: [&str; 7] = ["^", "$", r"\A", r"\z", r"\b", r"\B", "(?m)^"];

/// What a pattern that nobody would write is made of.
const PIECES: [&str; 24] = [
    "a", "-", "[", "]", "^", "$", "(", ")", "|", "*", "+", "?", "{", "}", ",", "1", r"\", ".", ":",
    "&&", "--", "[^", "(?i)", r"\Q",
];

/// Texts in addition to those that are made from a pattern.
const TEXTS: [&str; 24] = [
    "", "a", "A", "ab", "k", "K", "s", "ſ", "é", "É", "😀", "a b", "a\nb", "\n", "\r", "\u{b}",
    "\u{85}", "\u{2028}", "\u{feff}", "٣", "-", "a-b_c", "]", "{,2}",
];

struct Writer {
    random: Random,
}

impl Writer {
    fn pattern(&mut self) -> String {
        if self.random.below(5) == 0 {
            let count = 1 + self.random.below(8);
            return (0..count).map(|_| *self.random.pick(&PIECES)).collect();
        }
        let flags = *self.random.pick(&["", "", "", "", "(?i)", "(?s)", "(?m)", "(?im)", "(?U)"]);
        format!("{flags}{}", self.alternatives(3))
    }

    fn alternatives(&mut self, depth: usize) -> String {
        let count = if self.random.below(4) == 0 { 2 } else { 1 };
        (0..count).map(|_| self.sequence(depth)).collect::<Vec<_>>().join("|")
    }

    fn sequence(&mut self, depth: usize) -> String {
        let count = self.random.below(4) + usize::from(depth == 3);
        (0..count).map(|_| self.repeated(depth)).collect()
    }

    fn repeated(&mut self, depth: usize) -> String {
        let one = self.one(depth);
        if self.random.below(3) > 0 { one } else { one + *self.random.pick(&REPEATS) }
    }

    fn one(&mut self, depth: usize) -> String {
        match self.random.below(12) {
            0 | 1 if depth > 0 => {
                format!("{}{})", *self.random.pick(&GROUPS), self.alternatives(depth - 1))
            }
            2 | 3 => self.class(),
            4 => self.random.pick(&CLASSES).to_string(),
            5 => ".".to_owned(),
            6 | 7 => self.random.pick(&ASSERTIONS).to_string(),
            8 => format!(r"\Q{}{}\E", self.random.pick(&LITERALS), self.random.pick(&PIECES)),
            _ => self.random.pick(&LITERALS).to_string(),
        }
    }

    fn class(&mut self) -> String {
        let mut out = String::from(*self.random.pick(&["[", "[", "[^", "[]", "[-", "[^-"]));
        for _ in 0..=self.random.below(4) {
            let item = match self.random.below(8) {
                0 => (*self.random.pick(&["a-f", "A-Z", "0-9", "+--", "a-é", r"\x00-\x7F", " -~"]))
                    .to_owned(),
                1 => self.random.pick(&CLASSES).to_string(),
                2 => self.random.pick(&POSIX).to_string(),
                3 => {
                    (*self.random.pick(&["-", "^", "[", ".", "$", "&&", "~~", "(", "|"])).to_owned()
                }
                _ => self.random.pick(&LITERALS).to_string(),
            };
            out.push_str(&item);
        }
        out + *self.random.pick(&["]", "]", "-]"])
    }

    /// Short ones: JavaScript's engine goes back and forth.
    fn texts(&mut self, pattern: &str) -> Vec<String> {
        let mut out: Vec<String> = TEXTS.map(str::to_owned).to_vec();
        let hir = parse(pattern);
        for _ in 0..16 {
            let text = match &hir {
                Some(hir) => matching(hir, &mut self.random),
                None => self.random.pick(&TEXTS).repeat(2),
            };
            let text: String = text.chars().take(14).collect();
            out.push(changed(&text, &mut self.random));
            out.push(text);
        }
        out
    }
}

/// A pattern for the engine, and what it must say about the texts.
struct Case {
    original: String,
    pattern: String,
    texts: Vec<String>,
    expected: Vec<bool>,
}

/// The translation, and what is written of it after it was taken apart.
fn cases(seed: u64) -> Vec<Case> {
    let mut writer = Writer { random: Random::new(seed) };
    for _ in 0..9 {
        writer.random.below(2);
    }
    let original = writer.pattern();
    let (Ok(regex), Ok(translation)) = (Regex::new(&original), ecma::translate(&original)) else {
        return Vec::new();
    };
    // What Go's Unicode lacks may be a letter in that of a newer engine.
    let assigned = Regex::new(r"^[\pC\pL\pM\pN\pP\pS\pZ]*$").unwrap();
    let mut texts = writer.texts(&original);
    texts.retain(|it| assigned.is_match(it));
    let expected: Vec<bool> = texts.iter().map(|it| regex.is_match(it)).collect();
    let apart = Language::parse(&translation.pattern).and_then(|it| it.to_ecma());
    let case = |pattern| Case {
        original: original.clone(),
        pattern,
        texts: texts.clone(),
        expected: expected.clone(),
    };
    [Some(translation.pattern), apart].into_iter().flatten().map(case).collect()
}

pub(super) fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[derive(Deserialize)]
struct Answer {
    found: Option<Vec<bool>>,
    error: Option<String>,
}

fn a_javascript_engine_finds_what_re2_finds() -> Result<(), MissingProgram> {
    let dir = tools::node_modules()?;
    let count = number("TERRASCHEMA_FUZZ").unwrap_or(3000);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let seeds = (0..count).map(|it| (seed << 32 | it).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let cases: Vec<Case> = seeds.flat_map(cases).collect();
    let jobs: Vec<_> =
        cases.iter().map(|it| json!({ "pattern": it.pattern, "texts": it.texts })).collect();
    let mut node = Command::new("node");
    let answers: Vec<Answer> =
        answers(node.arg(dir.join("patterns.mjs")), &jobs, &Workspace::new());
    let (mut found, mut pairs, mut wrong) = (0, 0, Vec::new());
    for (case, answer) in cases.iter().zip(answers) {
        let Case { original, pattern, texts, expected } = case;
        let Some(verdicts) = answer.found else {
            wrong.push(format!("{original} as {pattern}: {}", answer.error.unwrap_or_default()));
            continue;
        };
        for ((text, ours), theirs) in texts.iter().zip(expected).zip(verdicts) {
            pairs += 1;
            found += usize::from(theirs);
            if *ours != theirs {
                wrong.push(format!("{original} as {pattern}: {text:?}: {theirs}, not {ours}"));
            }
        }
    }
    eprintln!(
        "seed {seed}: {count} patterns, {} translations, {pairs} texts, of which {found} match; {} wrong",
        cases.len(),
        wrong.len()
    );
    wrong.sort_by_key(String::len);
    wrong.truncate(30);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
