//! Random YAML texts through `yamldecode` and random values through `yamlencode`, ours against a real
//! Terraform.
//!
//! A short round runs whenever there is a Terraform. `TERRASCHEMA_YAML=20000` asks for a long one,
//! `TERRASCHEMA_SEED` for others.

use std::{env, fmt::Write as _};

use testkit::{
    eval::{
        ours::{ApplyOutcome, Prelude, evaluate_text},
        terraform::Terraform,
    },
    missing::{MissingProgram, trials},
    random::Random,
};

trials![random_yaml_is_decoded_alike, random_values_are_encoded_alike,];

const SHORT_ROUND: usize = 400;

/// Line ends of YAML 1.1 that YAML 1.2 does not know.
const OLD_BREAKS: &[&str] = &["\u{2028}", "\u{2029}", "\u{85}"];
const BREAKS: &[&str] = &["\n", "\n", "\n", "\n\n", "\r\n", "\r"];
const TOKENS: &[&str] = &[
    "a", "b", "k: v", "k:", "- ", "-", "? ", ": ", ":", "\n", "\n  ", "\n ", "  ", " ", "\t", "#",
    " # c", "\"", "'", "|", "|-", "|+", ">", ">-", ">+", "|2", ">1", "[", "]", "{", "}", ",", ", ",
    "&x ", "*x", "!!str ", "!!null ", "!a ", "%", "---", "...", "\r\n", "\r", "\\", "\\n",
    "\\u2028", "1", "true", "~", "null", "<<: ", "x y", "é", "\u{feff}",
];
const WORDS: &[&str] = &[
    "a",
    "b",
    "foo",
    "x y",
    "1",
    "true",
    "k-v",
    "a:b",
    "a#b",
    "é",
    "~",
    "null",
    "-1",
    "1.50",
    "yes",
    "2001-01-01",
];
const TAGS: &[&str] = &["", "", "", "", "", "!!str ", "!!null ", "!!int ", "&x ", "!!bool "];

/// What is special to YAML, and how it looks in quotes.
const CHARACTERS: &[&str] = &[
    "a",
    "b",
    "1",
    "é",
    " ",
    " ",
    "\n",
    "\t",
    "\r",
    "\u{2028}",
    "\u{2029}",
    "\u{85}",
    "\u{feff}",
    "\u{fffe}",
    "\u{1}",
    "\u{7f}",
    "\u{a0}",
    "\u{200b}",
    "\u{e000}",
    "\u{1f600}",
    "-",
    ":",
    "#",
    "'",
    "\"",
    "\\",
    "{",
    "[",
    "%",
    "@",
    "!",
    "&",
    "*",
    "|",
    ">",
    "?",
    ",",
    "~",
    "null",
    "true",
    "<<",
];

fn random_yaml_is_decoded_alike() -> Result<(), MissingProgram> {
    let call = |random: &mut Random| format!("yamldecode({})", quoted(&text(random)));
    compare("decoded", call)
}

fn random_values_are_encoded_alike() -> Result<(), MissingProgram> {
    compare("encoded", |random| format!("yamlencode({})", value(random, 2)))
}

fn compare(what: &str, call: fn(&mut Random) -> String) -> Result<(), MissingProgram> {
    let terraform = Terraform::asked("").ok_or_else(MissingProgram::terraform)?;
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let size = number("TERRASCHEMA_YAML").unwrap_or(SHORT_ROUND);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1) as u64;
    let mut random = Random::new(seed);
    let calls: Vec<String> = (0..size).map(|_| call(&mut random)).collect();
    let prelude = Prelude::parse("");
    let (mut successes, mut wrong) = (0, Vec::new());
    for (call, expected) in calls.iter().zip(terraform.evaluate(&calls)) {
        let actual = evaluate_text(call, &prelude, terraform.release());
        let failed = |it: &ApplyOutcome| matches!(it, ApplyOutcome::Error(_));
        successes += usize::from(!failed(&expected));
        if actual != expected && !(failed(&actual) && failed(&expected)) {
            wrong.push(format!("> {call}\n  terraform {expected:?}\n  ours      {actual:?}\n"));
        }
    }
    eprintln!("{size} {what}, seed {seed}: {successes} succeed, {} differ", wrong.len());
    assert!(wrong.is_empty(), "seed {seed}: {} differ\n{}", wrong.len(), wrong.concat());
    assert!(successes * 4 >= size, "only {successes} of {size} succeed");
    Ok(())
}

fn value(random: &mut Random, depth: usize) -> String {
    let count = random.below(4);
    match random.below(if depth == 0 { 7 } else { 10 }) {
        0..7 => string(random),
        7 => {
            let all: Vec<String> = (0..count).map(|_| value(random, depth - 1)).collect();
            format!("[{}]", all.join(", "))
        }
        _ => {
            let member = |random: &mut Random| string(random) + " = " + &value(random, depth - 1);
            let all: Vec<String> = (0..count).map(|_| member(random)).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

fn string(random: &mut Random) -> String {
    let length = *random.pick(&[1, 2, 3, 5, 8, 20, 90]);
    let text: String = (0..length).map(|_| pick(random, CHARACTERS)).collect();
    quoted(&text)
}

/// The text as HCL.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            ' '..='~' => quoted.push(char),
            _ => write!(quoted, "\\U{:08x}", u32::from(char)).expect("text"),
        }
    }
    format!("\"{}\"", quoted.replace("%{", "%%{"))
}

fn text(random: &mut Random) -> String {
    if random.chance(50) {
        return (0..=random.below(14)).map(|_| token(random)).collect();
    }
    let depth = random.below(4);
    let mut text = node(random, 0, depth);
    if random.chance(60) {
        text = text.trim_start().to_owned();
    }
    if random.chance(30) {
        text += line_end(random);
    }
    if random.chance(10) {
        let heads = ["---\n", "%YAML 1.1\n---\u{2028}", "# c\u{2029}", "--- "];
        text.insert_str(0, pick(random, &heads));
    }
    if random.chance(30) {
        let places: Vec<usize> = text.char_indices().map(|it| it.0).chain([text.len()]).collect();
        let place = *random.pick(&places);
        text.insert_str(place, token(random));
    }
    text
}

fn pick(random: &mut Random, items: &[&'static str]) -> &'static str {
    items[random.below(items.len())]
}

fn token(random: &mut Random) -> &'static str {
    let tokens = if random.chance(20) { OLD_BREAKS } else { TOKENS };
    pick(random, tokens)
}

fn line_end(random: &mut Random) -> &'static str {
    let breaks = if random.chance(35) { OLD_BREAKS } else { BREAKS };
    pick(random, breaks)
}

fn word(random: &mut Random) -> &'static str {
    pick(random, WORDS)
}

fn node(random: &mut Random, indent: usize, depth: usize) -> String {
    let pad = " ".repeat(indent);
    let times = 1 + random.below(3);
    match random.below(10) {
        kind if kind < 4 || depth == 0 => scalar(random, &pad),
        4 | 5 => (0..times).map(|_| element(random, &pad, depth)).collect(),
        6 | 7 => (0..times).map(|_| member(random, &pad, depth)).collect(),
        8 => {
            let line_end = line_end(random);
            let of: Vec<String> = (0..times).map(|_| scalar(random, &pad)).collect();
            format!("[{line_end}{}]", of.join(", "))
        }
        _ => {
            let member = |random: &mut Random| word(random).to_owned() + ": " + word(random);
            let of: Vec<String> = (0..times).map(|_| member(random)).collect();
            format!("{{{}}}", of.join(", "))
        }
    }
}

fn element(random: &mut Random, pad: &str, depth: usize) -> String {
    let (line_end, value) = (line_end(random), node(random, pad.len() + 2, depth - 1));
    format!("{line_end}{pad}- {value}")
}

fn member(random: &mut Random, pad: &str, depth: usize) -> String {
    let (line_end, key) = (line_end(random), word(random));
    let gap = pick(random, &[" ", " ", "\t", " \u{2028} "]);
    let deeper = 1 + random.below(2);
    format!("{line_end}{pad}{key}:{gap}{}", node(random, pad.len() + deeper, depth - 1))
}

fn scalar(random: &mut Random, pad: &str) -> String {
    let tag = pick(random, TAGS);
    let (first, second) = (word(random), word(random));
    let space = pick(random, &["", "", " ", "  ", "\t"]);
    let line_end = line_end(random);
    let text = match random.below(7) {
        0 => first.to_owned(),
        1 => format!("{first}{space}{line_end}{pad} {second}"),
        2 => format!("\"{first}{space}{line_end}{space}{pad}{second}\""),
        3 => format!("\"{first}{space}\\{line_end}{space}{second}\""),
        4 => format!("'{first}{space}{line_end}{space}{pad}{second}'"),
        _ => block(random, pad),
    };
    format!("{tag}{text}")
}

fn block(random: &mut Random, pad: &str) -> String {
    let parts: [&[&str]; 4] =
        [&["|", ">"], &["", "-", "+"], &["", "", "1", "2"], &["", " ", " # c"]];
    let mut text: String = parts.iter().map(|it| pick(random, it)).collect();
    text += line_end(random);
    for _ in 0..random.below(5) {
        text += pad;
        text += pick(random, &["", " ", " ", "  ", "\t"]);
        text += if random.chance(30) { "" } else { word(random) };
        text += line_end(random);
    }
    text
}
