//! Hostile texts keep no JavaScript engine busy: for every pattern of every schema, and for random
//! repetitions in repetitions, a text of twice the length takes less than five times as long, and
//! ten thousand characters less than 50 ms where the pattern begins and ends with the text.
//!
//! `TERRASCHEMA_FUZZ=10000` tries more random patterns, `TERRASCHEMA_MODULES=DIR` the schemas of
//! other modules.

use std::{collections::BTreeSet, process::Command};

use serde::Deserialize;
use serde_json::{Value, json};
use terraschema::re2::{Backtracking, backtracking, ecma};

use super::{answers, forms, patterns::number};
use crate::{re2::random, tools, workspace::Workspace};

/// Milliseconds for 5,000 and for 10,000 characters, and what they were made of.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "what it was made of is printed")]
struct Worst {
    short: f64,
    long: f64,
    pump: String,
    end: String,
}

/// Below this, times say nothing on a machine that does other work as well.
const NOISE: f64 = 20.0;
const ROUNDS: usize = 4;

#[test]
fn hostile_texts_keep_no_engine_busy() {
    let Some(dir) = tools::node_modules() else { return };
    let mut patterns = BTreeSet::new();
    forms().for_each(|(_, form)| collect(&form.schema, &mut patterns));
    let from_schemas = patterns.len();
    let mut unbounded = 0;
    patterns.retain(|it| {
        let is_told = backtracking(it, &mut 0) == Backtracking::Unbounded;
        unbounded += usize::from(is_told);
        !is_told
    });
    let count = number("TERRASCHEMA_FUZZ").unwrap_or(300);
    for seed in 0..count {
        let Ok(translated) = ecma::translate(&random::pattern(seed).text) else { continue };
        match backtracking(&translated.pattern, &mut 0) {
            Backtracking::Linear => _ = patterns.insert(translated.pattern),
            Backtracking::Rewritten(other) => _ = patterns.insert(other),
            Backtracking::Unbounded => unbounded += 1,
        }
    }
    assert!(from_schemas > 50 && unbounded * 5 < patterns.len(), "{unbounded} of {patterns:?}");

    let all = patterns.len();
    let mut patterns: Vec<String> = patterns.into_iter().collect();
    let mut slowest: f64 = 0.0;
    let mut wrong = Vec::new();
    // The machine does other work as well: what is slow is slow each time.
    for _ in 0..ROUNDS {
        let jobs: Vec<Value> =
            patterns.iter().map(|it| json!({ "pattern": it, "pumps": pumps(it) })).collect();
        let mut node = Command::new("node");
        let script = node.arg(dir.join("backtracking.mjs"));
        let times: Vec<Worst> = answers(script, &jobs, &Workspace::new());
        slowest = times.iter().map(|it| it.long).fold(slowest, f64::max);
        wrong = patterns.into_iter().zip(times).filter(|(it, time)| is_slow(it, time)).collect();
        patterns = wrong.iter().map(|it| it.0.clone()).collect();
        if patterns.is_empty() {
            break;
        }
    }
    eprintln!(
        "{all} patterns, {from_schemas} of them from schemas, {unbounded} told and left out; the \
         slowest {slowest:.0} ms"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn is_slow(pattern: &str, time: &Worst) -> bool {
    let is_whole = pattern.starts_with('^') && pattern.ends_with('$') && !pattern.contains('|');
    let grows = time.long > NOISE && time.long > 5.0 * time.short;
    grows || is_whole && time.long > 50.0
}

fn collect(schema: &Value, out: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            out.extend(members.get("pattern").and_then(Value::as_str).map(str::to_owned));
            if let Some(Value::Object(them)) = members.get("patternProperties") {
                out.extend(them.keys().cloned());
            }
            members.values().for_each(|it| collect(it, out));
        }
        Value::Array(elements) => elements.iter().for_each(|it| collect(it, out)),
        _ => (),
    }
}

/// What a text may be made of: the pattern's own characters, and pairs with a letter.
fn pumps(pattern: &str) -> Vec<String> {
    let mut own: BTreeSet<char> = pattern.chars().filter(char::is_ascii_graphic).collect();
    own.extend(['a', '0', '-']);
    let few: Vec<char> =
        own.into_iter().take(if pattern.starts_with('^') { 25 } else { 8 }).collect();
    let punctuation = few.iter().filter(|it| it.is_ascii_punctuation());
    let pairs = punctuation.map(|it| format!("a{it}"));
    let words: BTreeSet<&str> =
        pattern.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| it.len() > 1).collect();
    let words = words.into_iter().take(5).map(str::to_owned);
    few.iter().map(char::to_string).chain(pairs).chain(words).collect()
}
