//! Makes arguments small and readable without losing what they have to show.
//!
//! For example, a rule about the attribute `kind` refuses an object of thirty attributes with random texts. What is
//! left is `{ kind = "example" }`.

use std::cell::Cell;

use smol_str::SmolStr;

use super::judge::Arguments;
use stack::guarded;
use tf_value::Value;

/// How many smaller arguments are tried.
const SMALLER: usize = 300;

/// How many other texts and keys are tried.
const READABLE: usize = 80;

/// The longest text that is made of one letter.
const LONGEST: usize = 200;

/// Texts that people write, the plainest first.
const TEXTS: [&str; 6] = ["example", "a", "Example", "example-1", "example 1", "1"];

/// Keys of maps that people write.
const KEYS: [&str; 6] = ["key", "other", "Key", "key-1", "a key", "1"];

/// The arguments without what is not needed: whole arguments that are not required, then attributes and elements.
/// An object or a list that had any keeps one.
pub fn smaller(
    mut arguments: Arguments,
    is_required: &dyn Fn(&str) -> bool,
    is_good: &dyn Fn(&Arguments) -> bool,
) -> Arguments {
    let names: Vec<SmolStr> = arguments.keys().cloned().collect();
    for name in names.iter().filter(|it| !is_required(it)) {
        let mut fewer = arguments.clone();
        fewer.remove(name);
        if is_good(&fewer) {
            arguments = fewer;
        }
    }
    each_value(arguments, SMALLER, is_good, &fewer_parts)
}

/// The arguments with texts and keys that people write.
pub fn readable(arguments: Arguments, is_good: &dyn Fn(&Arguments) -> bool) -> Arguments {
    each_value(arguments, READABLE, is_good, &plainer)
}

/// Whether a value will do in the place of another one.
type IsGood<'f> = &'f dyn Fn(&Value) -> bool;

/// Changes the value of each argument, with so many tries for all of them.
fn each_value(
    mut arguments: Arguments,
    tries: usize,
    is_good: &dyn Fn(&Arguments) -> bool,
    change: &dyn Fn(&Value, IsGood<'_>) -> Value,
) -> Arguments {
    let left = Cell::new(tries);
    let names: Vec<SmolStr> = arguments.keys().cloned().collect();
    for name in names {
        let with = |it: &Value| {
            let mut next = arguments.clone();
            next.insert(name.clone(), it.clone());
            next
        };
        let is_good = |it: &Value| {
            let is_left = left.get() > 0;
            left.set(left.get().saturating_sub(1));
            is_left && is_good(&with(it))
        };
        arguments = with(&change(&arguments[&name], &is_good));
    }
    arguments
}

/// The attributes of an object, or the elements of a list.
#[derive(Clone)]
enum Parts {
    Members(Vec<(SmolStr, Value)>),
    Elements(Vec<Value>),
}

impl Parts {
    fn of(value: &Value) -> Option<Parts> {
        if value.is_null() {
            return None;
        }
        if let Some(elements) = value.as_sequence() {
            return Some(Parts::Elements(elements.to_vec()));
        }
        let members = value.as_mapping()?.iter();
        Some(Parts::Members(members.map(|(name, it)| (name.clone(), it.clone())).collect()))
    }

    fn len(&self) -> usize {
        match self {
            Parts::Members(all) => all.len(),
            Parts::Elements(all) => all.len(),
        }
    }

    fn get(&self, at: usize) -> &Value {
        match self {
            Parts::Members(all) => &all[at].1,
            Parts::Elements(all) => &all[at],
        }
    }

    fn with(&self, at: usize, value: &Value) -> Parts {
        let mut out = self.clone();
        match &mut out {
            Parts::Members(all) => all[at].1 = value.clone(),
            Parts::Elements(all) => all[at] = value.clone(),
        }
        out
    }

    fn without(&self, range: std::ops::Range<usize>) -> Parts {
        let mut out = self.clone();
        match &mut out {
            Parts::Members(all) => drop(all.drain(range)),
            Parts::Elements(all) => drop(all.drain(range)),
        }
        out
    }

    fn value(&self) -> Value {
        match self.clone() {
            Parts::Members(all) => Value::object(all.into_iter().collect()),
            Parts::Elements(all) => Value::tuple(all),
        }
    }

    /// Changes each part.
    fn each(mut self, is_good: IsGood<'_>, change: &dyn Fn(&Value, IsGood<'_>) -> Value) -> Value {
        for at in 0..self.len() {
            let is_part_good = |it: &Value| is_good(&self.with(at, it).value());
            let next = change(self.get(at), &is_part_good);
            self = self.with(at, &next);
        }
        self.value()
    }
}

/// The value with as few attributes and elements as will do: half of them are left out at once, then fewer.
fn fewer_parts(value: &Value, is_good: IsGood<'_>) -> Value {
    guarded(|| {
        let Some(mut parts) = Parts::of(value) else { return value.clone() };
        let mut size = parts.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < parts.len() && parts.len() > 1 {
                let end = (at + size).min(parts.len());
                let fewer = parts.without(at..end);
                if fewer.len() > 0 && is_good(&fewer.value()) {
                    parts = fewer;
                } else {
                    at = end;
                }
            }
            size /= 2;
        }
        parts.each(is_good, &fewer_parts)
    })
}

/// The value with plainer texts and keys. A text that is there twice stays the same in both places.
fn plainer(value: &Value, is_good: IsGood<'_>) -> Value {
    let mut texts = Vec::new();
    gather(value, &mut texts);
    let mut value = value.clone();
    for text in texts {
        let others = plainer_texts(&text).into_iter().map(|it| replaced(&value, &text, &it));
        value = others.into_iter().find(is_good).unwrap_or(value);
    }
    with_plainer_keys(&value, is_good)
}

/// The distinct texts in a value.
fn gather(value: &Value, out: &mut Vec<String>) {
    guarded(|| {
        if let Some(text) = value.as_str().filter(|_| !value.is_null()) {
            if !out.iter().any(|it| it == text) {
                out.push(text.to_owned());
            }
        } else if let Some(parts) = Parts::of(value) {
            (0..parts.len()).for_each(|at| gather(parts.get(at), out));
        }
    });
}

/// The value with another text wherever it has this one.
fn replaced(value: &Value, text: &str, other: &str) -> Value {
    guarded(|| {
        if !value.is_null() && value.as_str() == Some(text) {
            return Value::string(other);
        }
        let Some(mut parts) = Parts::of(value) else { return value.clone() };
        for at in 0..parts.len() {
            parts = parts.with(at, &replaced(parts.get(at), text, other));
        }
        parts.value()
    })
}

fn with_plainer_keys(value: &Value, is_good: IsGood<'_>) -> Value {
    guarded(|| {
        let Some(mut parts) = Parts::of(value) else { return value.clone() };
        for at in 0..parts.len() {
            parts = with_plainer_key(parts, at, is_good);
        }
        parts.each(is_good, &with_plainer_keys)
    })
}

/// Texts that are easier to read, the plainest first.
fn plainer_texts(text: &str) -> Vec<String> {
    let is_of_one_letter = |it: &str| !it.is_empty() && it.chars().all(|letter| letter == 'a');
    let mut out: Vec<String> = TEXTS.map(str::to_owned).into();
    out.truncate(TEXTS.iter().position(|it| *it == text).unwrap_or(TEXTS.len()));
    let length = text.chars().count();
    if !is_of_one_letter(text) && (2..=LONGEST).contains(&length) && out.len() == TEXTS.len() {
        out.push("a".repeat(length));
        out.extend(Some(text.to_lowercase()).filter(|it| it != text));
    }
    out
}

/// The parts where the key at a place that is not a name is a plainer one.
fn with_plainer_key(parts: Parts, at: usize, is_good: IsGood<'_>) -> Parts {
    let Parts::Members(all) = &parts else { return parts };
    let is_name = |it: &str| {
        it.starts_with(|first: char| first.is_ascii_alphabetic())
            && it.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    if is_name(&all[at].0) {
        return parts;
    }
    let is_new = |it: &&str| all.iter().all(|(name, _)| name != it);
    let renamed = |it: &str| {
        let mut all = all.clone();
        all[at].0 = it.into();
        Parts::Members(all)
    };
    let found = KEYS.iter().filter(|it| is_new(it)).map(|it| renamed(it));
    found.into_iter().find(|it| is_good(&it.value())).unwrap_or(parts)
}
