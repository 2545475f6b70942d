//! The settings of a rule: level, undecided, message, when.

use super::{Action, When, problem};
use crate::language::reader::RuleFileReader;
use diagnostics::{Level, did_you_mean};
use hcl::{Attribute, Expr, ObjectKey, analysis};
use module::AddressPattern;
use tf_value::{Number, Value};

pub(super) const LEVELS: [&str; 4] = ["error", "warning", "note", "off"];
/// The names in `when`.
pub(super) const IN_WHEN: [&str; 3] = ["actions", "addresses", "except"];

impl RuleFileReader<'_> {
    /// A level, or `off`; the outer `None` after an error.
    #[expect(clippy::option_option, reason = "an error, off, a level")]
    pub fn level(&mut self, attribute: &Attribute) -> Option<Option<Level>> {
        let expr = &attribute.value;
        // Only `context`, which each organisation gives, sets the level; a local in the rules may not.
        let roots = tf_eval::references(expr);
        if let Some(it) = roots.iter().find(|it| it.name != "context") {
            let summary = format!("{} can depend only on context", attribute.name.name);
            let level = LEVELS.iter().find(|word| **word == it.name);
            let help = level.map(|it| format!("write \"{it}\", in quotes"));
            self.problems.push(problem(summary, "", it.span));
            self.advise(help);
            return None;
        }
        // A context without a value was already reported.
        let value = self.constant(expr).filter(Value::is_known)?;
        let word = value.as_str().unwrap_or_default();
        match word {
            "error" => Some(Some(Level::Error)),
            "warning" => Some(Some(Level::Warning)),
            "note" => Some(Some(Level::Note)),
            "off" => Some(None),
            _ => {
                let hint = did_you_mean(word, LEVELS);
                let summary = format!("{word:?} is not a level");
                let detail = format!("\"error\", \"warning\", \"note\" or \"off\".{hint}");
                self.problems.push(problem(summary, detail, expr.span));
                None
            }
        }
    }

    /// The rule's message.
    pub fn message(&mut self, attribute: &Attribute) -> Option<Value> {
        let value = self.constant(&attribute.value)?;
        if value.as_str().is_none() {
            self.error("message must be a string", "", attribute.value.span);
            return None;
        }
        Some(value)
    }

    pub fn when(&mut self, attribute: &Attribute) -> When {
        let mut when = When::default();
        let Some(items) = analysis::as_map(&attribute.value) else {
            let detail = "Write when = { actions = [\"create\"], addresses = [\"module.net\"] }.";
            let summary = "when must be an object of actions, addresses and except";
            self.error(summary, detail, attribute.value.span);
            return when;
        };
        for item in items {
            let name = match &item.key {
                ObjectKey::Name(it) => it.name.as_str(),
                ObjectKey::Expr(_) | ObjectKey::Template(_) => "",
            };
            match name {
                "actions" => when.actions = self.actions(&item.value),
                "addresses" => {
                    let all = self.texts(&item.value);
                    when.addresses = all.map(|it| it.into_iter().map(AddressPattern).collect());
                }
                "except" => {
                    let all = self.texts(&item.value).unwrap_or_default();
                    when.except = all.into_iter().map(AddressPattern).collect();
                }
                _ => {
                    let hint = did_you_mean(name, IN_WHEN);
                    let detail = format!("Use actions, addresses and except.{hint}");
                    self.error(format!("Unknown name {name:?} in when"), detail, item.value.span);
                }
            }
        }
        when
    }

    fn actions(&mut self, expr: &Expr) -> Option<Vec<Action>> {
        let mut actions = Vec::new();
        for word in self.texts(expr)? {
            if let Some(it) = Action::ALL.iter().find(|it| it.0 == word) {
                actions.push(it.1);
            } else {
                let known = Action::ALL.map(|it| it.0);
                let hint = did_you_mean(&word, known);
                let detail = format!("Use {}.{hint}", known.join(", "));
                self.error(format!("Unknown action {word:?}"), detail, expr.span);
            }
        }
        Some(actions)
    }

    fn texts(&mut self, expr: &Expr) -> Option<Vec<smol_str::SmolStr>> {
        let value = self.constant(expr)?;
        let texts = value.as_sequence().and_then(|all| {
            all.iter().map(|it| it.as_str().map(smol_str::SmolStr::new)).collect::<Option<Vec<_>>>()
        });
        let texts = texts.filter(|it| !it.is_empty());
        if texts.is_none() {
            self.error("A list of strings is expected", "", expr.span);
        }
        texts
    }
}

// Sizes and durations: a number and a unit.

pub(super) const HELP: &str = "A size has b, kb, mb, gb or tb (of 1024); a duration ms, s, m, h, d, w, \
    M or Y, or several such as 1h30m. Bare numbers are bytes and milliseconds.";

const KB: i64 = 1024;
const SIZES: [(&str, i64); 5] =
    [("b", 1), ("kb", KB), ("mb", KB * KB), ("gb", KB * KB * KB), ("tb", KB * KB * KB * KB)];

const SECOND: i64 = 1000;
const DAY: i64 = 24 * 60 * 60 * SECOND;
/// The units of config-schema: a month is 30 days, a year 365.
const TIMES: [(&str, i64); 8] = [
    ("ms", 1),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 60 * 60 * SECOND),
    ("d", DAY),
    ("w", 7 * DAY),
    ("M", 30 * DAY),
    ("Y", 365 * DAY),
];

/// The bytes of a known size: `"10mb"`, `1024`. A size is whole and not below zero.
pub fn bytes(value: &Value) -> Option<Number> {
    let bytes = plain(value).or_else(|| {
        let (number, unit) = number_and_rest(value.as_str()?.trim())?;
        let unit = unit.trim_start().to_lowercase();
        scaled(number, SIZES.iter().find(|it| it.0 == unit)?.1)
    })?;
    (bytes.is_integer() && !bytes.is_negative()).then_some(bytes)
}

/// The milliseconds of a known duration: `"30s"`, `"1h30m"`, `1500`.
pub fn milliseconds(value: &Value) -> Option<Number> {
    plain(value).or_else(|| parts(value.as_str()?.trim())).filter(|it| !it.is_negative())
}

/// A number without a unit, also as text.
fn plain(value: &Value) -> Option<Number> {
    match (value.as_number(), value.as_str()) {
        (Some(it), _) => Some(it.clone()),
        (_, Some(text)) => is_plain(text).then(|| Number::parse(text)).flatten(),
        _ => None,
    }
}

/// Whether a number has no exponent: a measure needs none, and `1e999999999` would take too much memory.
fn is_plain(text: &str) -> bool {
    text.len() < 30 && text.bytes().all(|it| it.is_ascii_digit() || it == b'.')
}

fn parts(mut text: &str) -> Option<Number> {
    let mut sum = Number::from_i64(0);
    // Go writes each unit once, so more parts are an error.
    for _ in 0..=TIMES.len() {
        let (number, rest) = number_and_rest(text)?;
        let rest = rest.trim_start();
        let end = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (_, factor) = TIMES.iter().find(|it| it.0 == &rest[..end])?;
        sum = sum.add(&scaled(number, *factor)?).ok()?;
        text = rest[end..].trim_start();
        if text.is_empty() {
            return Some(sum);
        }
    }
    None
}

fn number_and_rest(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (!number.is_empty() && number.len() < 30).then_some((number, rest))
}

fn scaled(number: &str, factor: i64) -> Option<Number> {
    Number::parse(number)?.multiply(&Number::from_i64(factor)).ok()
}
