//! Judges arguments by the evaluator under both contracts.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    change::Witness,
    contract::Contract,
    types::{Lost, lost},
};
use crate::{
    diagnostic::Diagnostic, module::Variable, stack::guarded, value::Value, verdict::Answer,
};

/// How many other texts are tried to make a witness readable.
const READABLE: usize = 40;

/// The longest text that is made of one letter.
const LONGEST: usize = 200;

/// The arguments with texts that people write, as far as these are as good.
pub fn readable(mut arguments: Arguments, is_good: &dyn Fn(&Arguments) -> bool) -> Arguments {
    let mut tries = READABLE;
    let names: Vec<SmolStr> = arguments.keys().cloned().collect();
    for name in names {
        for at in 0.. {
            let Some(text) = text_at(&arguments[&name], at) else { break };
            for other in plainer(&text) {
                if tries == 0 {
                    return arguments;
                }
                tries -= 1;
                let mut next = arguments.clone();
                let value = with_text(&arguments[&name], &mut at.clone(), &other);
                next.insert(name.clone(), value);
                if is_good(&next) {
                    arguments = next;
                    break;
                }
            }
        }
    }
    arguments
}

/// Texts that are easier to read, the easiest first.
fn plainer(text: &str) -> Vec<String> {
    let is_plain =
        |it: &str| !it.is_empty() && it.chars().all(|letter| letter.is_ascii_lowercase());
    if is_plain(text) {
        return Vec::new();
    }
    let mut out = vec!["example".to_owned(), "a".to_owned()];
    let length = text.chars().count();
    if (2..=LONGEST).contains(&length) {
        out.push("a".repeat(length));
    }
    out
}

/// The text at a place among all texts of a value.
fn text_at(value: &Value, at: usize) -> Option<String> {
    fn all(value: &Value, out: &mut Vec<String>) {
        guarded(|| {
            if let Some(text) = value.as_str().filter(|_| !value.is_null()) {
                out.push(text.to_owned());
            } else if let Some(elements) = value.as_sequence() {
                elements.iter().for_each(|it| all(it, out));
            } else if let Some(members) = value.as_mapping() {
                members.values().for_each(|it| all(it, out));
            }
        });
    }
    let mut texts = Vec::new();
    all(value, &mut texts);
    texts.into_iter().nth(at)
}

/// The value with another text at a place among all of its texts.
fn with_text(value: &Value, at: &mut usize, text: &str) -> Value {
    guarded(|| {
        if value.is_null() {
            value.clone()
        } else if value.as_str().is_some() {
            let is_here = *at == 0;
            *at = at.wrapping_sub(1);
            if is_here { Value::string(text) } else { value.clone() }
        } else if let Some(elements) = value.as_sequence() {
            Value::tuple(elements.iter().map(|it| with_text(it, at, text)).collect())
        } else if let Some(members) = value.as_mapping() {
            let each = members.iter().map(|(name, it)| (name.clone(), with_text(it, at, text)));
            Value::object(each.collect())
        } else {
            value.clone()
        }
    })
}

/// Arguments by name.
pub type Arguments = BTreeMap<SmolStr, Value>;

/// The effect of a change on arguments that were accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They are refused now, with this message; by a rule, if there is an index.
    Refused {
        variable: Option<SmolStr>,
        validation: Option<usize>,
        message: String,
    },
    Lost {
        variable: SmolStr,
        what: Lost,
    },
}

/// The variable or rule that an effect must be about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'n> {
    /// A variable's own value: its type, a null, its presence.
    Value(&'n str),
    Rule(&'n str, Option<usize>),
}

impl Subject<'_> {
    fn is_of(self, effect: &Effect) -> bool {
        match (self, effect) {
            (Subject::Value(name), Effect::Refused { variable, validation: None, .. }) => {
                variable.as_deref() == Some(name)
            }
            (Subject::Value(name), Effect::Lost { variable, .. }) => variable == name,
            (Subject::Rule(name, index), Effect::Refused { variable, validation, .. }) => {
                variable.as_deref() == Some(name) && *validation == index
            }
            _ => false,
        }
    }
}

/// Both contracts, and the values that the new one needs beside the old arguments.
pub struct Both<'p, 'a> {
    pub base: &'p Contract<'a>,
    pub head: &'p Contract<'a>,
    /// Values for variables that the new contract requires and the old one does not.
    pub fill: Arguments,
}

impl Both<'_, '_> {
    /// The effects of the new contract on arguments; `None` if the old contract does not accept them, or that
    /// is not known. New required variables are filled in and removed ones left out, unless one of them is the
    /// subject.
    pub fn effects(&self, arguments: &Arguments, subject: Subject<'_>) -> Option<Vec<Effect>> {
        let Answer::Accepts(before) = self.base.judge(arguments) else { return None };
        let is_subject = |name: &str| matches!(subject, Subject::Value(it) if it == name);
        let mut now = arguments.clone();
        now.retain(|name, _| is_subject(name) || self.head.variable(name).is_some());
        for (name, value) in &self.fill {
            if !is_subject(name) && !now.contains_key(name) {
                now.insert(name.clone(), value.clone());
            }
        }
        match self.head.judge(&now) {
            Answer::Refuses(problems) => {
                let hides = now.keys().any(|it| self.is_hidden(it));
                let refused = |it: Diagnostic| Effect::Refused {
                    message: if hides { String::new() } else { it.message() },
                    validation: it.validation,
                    variable: it.variable,
                };
                Some(problems.into_iter().map(refused).collect())
            }
            Answer::Accepts(after) => {
                let lost = arguments.iter().filter_map(|(name, written)| {
                    let what = lost(written, before.get(name)?, after.get(name)?, "")?;
                    Some(Effect::Lost { variable: name.clone(), what })
                });
                Some(lost.collect())
            }
            Answer::Undecided(_) => None,
        }
    }

    /// The effect that is about the subject.
    pub fn effect(&self, arguments: &Arguments, subject: Subject<'_>) -> Option<Effect> {
        self.effects(arguments, subject)?.into_iter().find(|it| subject.is_of(it))
    }

    /// Leaves out of the arguments what the effect does not need.
    pub fn smallest(&self, mut arguments: Arguments, subject: Subject<'_>) -> Arguments {
        // Without an argument that the old contract requires it accepts nothing.
        let is_required = |it: &&SmolStr| self.base.variable(it).is_some_and(Variable::is_required);
        let names: Vec<SmolStr> = arguments.keys().filter(|it| !is_required(it)).cloned().collect();
        for name in names {
            let mut fewer = arguments.clone();
            fewer.remove(&name);
            if self.effect(&fewer, subject).is_some() {
                arguments = fewer;
            }
        }
        arguments
    }

    /// The arguments with texts that people write, where the effect is of the same kind with them.
    pub fn readable(&self, arguments: Arguments, subject: Subject<'_>) -> Arguments {
        let kind = |it: &Arguments| Some(std::mem::discriminant(&self.effect(it, subject)?));
        let wanted = kind(&arguments);
        readable(arguments, &|it| wanted.is_some() && kind(it) == wanted)
    }

    fn is_hidden(&self, name: &str) -> bool {
        let is_hidden = |it: &&Contract<'_>| it.variable(name).is_some_and(Variable::is_hidden);
        [self.base, self.head].iter().any(is_hidden)
    }

    /// The arguments with the effect on them, in words.
    pub fn witness(&self, arguments: Arguments, effect: &Effect) -> Witness {
        let outcome = match effect {
            Effect::Refused { message, .. } if message.is_empty() => {
                "is accepted before and refused now".to_owned()
            }
            Effect::Refused { message, .. } => {
                format!("is accepted before and refused now: {message}")
            }
            Effect::Lost { variable, what } => {
                let (what, path) = what.words();
                format!("is accepted before and now, but {what} ({variable}{path})")
            }
        };
        let hidden: BTreeSet<SmolStr> =
            arguments.keys().filter(|it| self.is_hidden(it)).cloned().collect();
        Witness { arguments, hidden, count: false, outcome }
    }
}
