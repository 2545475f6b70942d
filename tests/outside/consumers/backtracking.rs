//! Hostile texts keep no JavaScript engine busy: for every pattern of every schema, and for random
//! repetitions in repetitions, a text of twice the length takes less than five times as long, and
//! ten thousand characters less than 50 ms where the pattern begins and ends with the text.
//!
//! `TERRASCHEMA_FUZZ=10000` tries more random patterns, `TERRASCHEMA_SEED` others,
//! `TERRASCHEMA_MODULES=DIR` the schemas of other modules.

use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
    process::Command,
};

use projection::schema::{self, Draft, SchemaOptions};
use re2::{Backtracking, backtracking, ecma};
use serde::Deserialize;
use serde_json::{Value, json};
use testkit::{
    missing::{MissingProgram, trials},
    regexes,
    workspace::Workspace,
};

use super::{answers, patterns::number, subjects::each_module};
use crate::tools;

trials![hostile_texts_keep_no_engine_busy, a_pattern_is_whole_where_every_way_through_it_is,];

/// Below this many milliseconds, times say nothing on a machine that does other work as well.
const NOISE: f64 = 5.0;
/// The machine does other work as well: what is slow is slow each time.
const ROUNDS: usize = 5;
/// How many patterns one process of Node is asked about.
const BATCH: usize = 200;

/// What the worst text of a pattern took.
#[derive(Debug, Deserialize)]
struct Worst {
    /// Milliseconds for 5,000 and for 10,000 characters.
    #[serde(default)]
    short: f64,
    #[serde(default)]
    long: f64,
    /// The milliseconds that were not enough.
    over: Option<f64>,
    #[expect(dead_code, reason = "it is printed")]
    pump: String,
    #[expect(dead_code, reason = "it is printed")]
    end: String,
}

impl Worst {
    fn ratio(&self) -> f64 {
        if self.long > NOISE { self.long / self.short } else { 0.0 }
    }

    fn is_slow(&self, pattern: &str) -> bool {
        self.over.is_some() || self.ratio() > 5.0 || is_whole(pattern) && self.long > 50.0
    }
}

/// The most that some pattern took, with the pattern.
#[derive(Default)]
struct Most(f64, String);

impl Most {
    fn add(&mut self, value: f64, pattern: &str) {
        if value > self.0 {
            *self = Most(value, pattern.to_owned());
        }
    }
}

/// Patterns wait here until there are enough of them to ask Node.
struct Measure {
    node_modules: PathBuf,
    known: HashSet<String>,
    waiting: Vec<String>,
    /// Patterns for which there is nothing better; a finding names them.
    told: HashSet<String>,
    ratio: Most,
    whole: Most,
    other: Most,
    wrong: Vec<(String, Worst)>,
}

impl Measure {
    fn add(&mut self, pattern: String) {
        if self.known.insert(pattern.clone()) {
            self.waiting.push(pattern);
        }
        if self.waiting.len() == BATCH {
            self.ask();
        }
    }

    fn ask(&mut self) {
        let mut patterns = std::mem::take(&mut self.waiting);
        for round in 1..=ROUNDS {
            if patterns.is_empty() {
                break;
            }
            let jobs: Vec<Value> = patterns.iter().map(|it| job(it)).collect();
            let mut node = Command::new("node");
            let script = node.arg(self.node_modules.join("backtracking.mjs"));
            let times: Vec<Worst> = answers(script, &jobs, &Workspace::new());
            let mut again = Vec::new();
            for (pattern, worst) in patterns.into_iter().zip(times) {
                if !worst.is_slow(&pattern) {
                    self.ratio.add(worst.ratio(), &pattern);
                    let most = if is_whole(&pattern) { &mut self.whole } else { &mut self.other };
                    most.add(worst.long, &pattern);
                } else if round == ROUNDS || worst.over.is_some() {
                    eprintln!("{pattern}: {worst:?}");
                    self.wrong.push((pattern, worst));
                } else {
                    again.push(pattern);
                }
            }
            patterns = again;
        }
        eprintln!("{} patterns, {} of them slow", self.known.len(), self.wrong.len());
    }
}

fn hostile_texts_keep_no_engine_busy() -> Result<(), MissingProgram> {
    let node_modules = tools::node_modules()?;
    let mut measure = Measure {
        node_modules,
        known: HashSet::new(),
        waiting: Vec::new(),
        told: HashSet::new(),
        ratio: Most::default(),
        whole: Most::default(),
        other: Most::default(),
        wrong: Vec::new(),
    };
    let mut written = HashSet::new();
    each_module(&mut |_, module| {
        for draft in Draft::ALL {
            let options = SchemaOptions { draft, inline: true, ..SchemaOptions::default() };
            let schema = schema::generate(module, &options).schema.to_json().to_serde();
            collect(&schema, &mut |pattern| {
                if !written.insert(pattern.to_owned()) {
                    return;
                }
                match backtracking(pattern, &mut 0) {
                    Backtracking::Unbounded => _ = measure.told.insert(pattern.to_owned()),
                    // Not `Rewritten`: it would have been written so.
                    judged => {
                        assert_eq!(judged, Backtracking::Linear, "{pattern}");
                        measure.add(pattern.to_owned());
                    }
                }
            });
        }
    });
    let (from_schemas, told_in_schemas) = (measure.known.len(), measure.told.len());
    let count = number("TERRASCHEMA_FUZZ").unwrap_or(300);
    let mut generated = HashSet::new();
    for seed in number("TERRASCHEMA_SEED").unwrap_or(0).. {
        if generated.len() as u64 >= count {
            break;
        }
        let Ok(translated) = ecma::translate(&regexes::pattern(seed).text) else { continue };
        let pattern = translated.pattern;
        if generated.contains(&pattern) || measure.told.contains(&pattern) {
            continue;
        }
        match backtracking(&pattern, &mut 0) {
            Backtracking::Linear => measure.add(pattern.clone()),
            Backtracking::Rewritten(other) => measure.add(other),
            Backtracking::Unbounded => {
                measure.told.insert(pattern);
                continue;
            }
        }
        generated.insert(pattern);
    }
    measure.ask();

    let Measure { known, told, ratio, whole, other, wrong, .. } = measure;
    eprintln!(
        "{} patterns measured: {from_schemas} of schemas, the others of {} generated ones. Told \
         and not measured: {told_in_schemas} of schemas, {} generated.",
        known.len(),
        generated.len(),
        told.len() - told_in_schemas,
    );
    eprintln!("Twice the length, times {:.2}: {}", ratio.0, ratio.1);
    eprintln!("10,000 characters, begun and ended with the text, {:.1} ms: {}", whole.0, whole.1);
    eprintln!("10,000 characters, others, {:.0} ms: {}", other.0, other.1);
    assert!(from_schemas > 50 && told.len() * 5 < known.len(), "{told:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// Every pattern of a schema.
fn collect(schema: &Value, visit: &mut dyn FnMut(&str)) {
    match schema {
        Value::Object(members) => {
            if let Some(pattern) = members.get("pattern").and_then(Value::as_str) {
                visit(pattern);
            }
            if let Some(Value::Object(them)) = members.get("patternProperties") {
                them.keys().for_each(|it| visit(it));
            }
            members.values().for_each(|it| collect(it, visit));
        }
        Value::Array(elements) => elements.iter().for_each(|it| collect(it, visit)),
        _ => (),
    }
}

/// Whether the pattern begins and ends with the text, whichever way it takes.
fn is_whole(pattern: &str) -> bool {
    let (mut depth, mut in_class, mut escaped) = (0, false, false);
    let (mut begins, mut ends, mut is_first) = (false, false, true);
    for it in pattern.chars() {
        if it == '|' && depth == 0 && !in_class && !escaped {
            if !(begins && ends) {
                return false;
            }
            is_first = true;
            continue;
        }
        if is_first {
            (begins, is_first) = (it == '^', false);
        }
        ends = it == '$' && !escaped && !in_class && depth == 0;
        match it {
            _ if escaped => (),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth -= 1,
            _ => (),
        }
        escaped = it == '\\' && !escaped;
    }
    begins && ends
}

fn a_pattern_is_whole_where_every_way_through_it_is() {
    for pattern in ["^a$", "^(a|b)$", r"^[|$]\|$", "^(?:a$|b)$", "^a$|^b$"] {
        assert!(is_whole(pattern), "{pattern}");
    }
    for pattern in ["a$", "^a", "^a$|b", "^a|^b$", r"^a\$", "^[a$]", "^(a$)"] {
        assert!(!is_whole(pattern), "{pattern}");
    }
}

/// The question for Node. Where a search may begin anywhere, it takes the square of the text. So shorter texts show
/// what the worst ones are made of.
fn job(pattern: &str) -> Value {
    let probe = if pattern.starts_with('^') { 10_000 } else { 2_500 };
    json!({ "pattern": pattern, "pumps": pumps(pattern), "probe": probe })
}

/// What a text may be made of: the characters that the pattern names, pairs of them, and its words.
fn pumps(pattern: &str) -> Vec<String> {
    let characters = named(pattern);
    // Of a long list of names few letters do.
    let step = characters.len().div_ceil(16);
    let few: Vec<char> = characters.iter().copied().step_by(step).collect();
    let step = few.len().div_ceil(5);
    let fewer: Vec<char> = few.iter().copied().step_by(step).collect();
    let pairs = fewer.iter().flat_map(|one| {
        let others = fewer.iter().filter(move |other| *other != one);
        others.map(move |other| format!("{one}{other}"))
    });
    let words: BTreeSet<&str> =
        pattern.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| it.len() > 1).collect();
    let words = words.into_iter().take(5).map(str::to_owned);
    few.iter().map(char::to_string).chain(pairs).chain(words).collect()
}

/// The characters that a pattern names, and one for each class, each once: punctuation first.
fn named(pattern: &str) -> Vec<char> {
    let mut out = BTreeSet::from(['a', '0', '-']);
    let (mut escaped, mut in_class, mut in_count) = (false, false, false);
    for it in pattern.chars() {
        match it {
            's' if escaped => _ = out.insert(' '),
            _ if escaped && it.is_ascii_alphabetic() => (),
            _ if escaped => _ = out.insert(it),
            '\\' => (),
            '[' => in_class = true,
            ']' => in_class = false,
            '{' if !in_class => in_count = true,
            '}' if in_count => in_count = false,
            '(' | ')' | '*' | '+' | '?' | '|' | '^' | '$' | '.' if !in_class => (),
            _ if in_count => (),
            _ => _ = out.insert(it),
        }
        escaped = it == '\\' && !escaped;
    }
    out.into_iter().collect()
}
