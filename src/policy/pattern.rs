//! Judges a whole block by what it must be like.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    language::{BlockPattern, NestedBlock},
    validate::{Around, Doubt, Judge, Outcome, Place, step},
};
use crate::{
    diagnostic::Span,
    value::{Content, Path, Step, Value, guarded},
};

/// A name in a rule that the type does not have, and the names that it has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lacking {
    pub span: Span,
    pub name: SmolStr,
    pub known: Vec<SmolStr>,
}

/// How a block is judged.
pub(super) struct Blocks<'a> {
    pub judge: &'a Judge<'a>,
    /// Whether a name that the object lacks is a mistake in the rule.
    pub is_exact: bool,
    /// Whether what the object lacks is not judged: it has not everything.
    pub passes_over: bool,
    pub untold: &'static [&'static str],
    pub lacking: Vec<Lacking>,
}

impl Blocks<'_> {
    /// Whether a block is like this. `where` that fails makes it pass; one that is undecided leaves only
    /// what passes anyway.
    pub fn narrowed(&mut self, pattern: &BlockPattern, at: Place<'_>, path: &Path) -> Outcome {
        let filter = match &pattern.filter {
            Some(filter) => self.filter(filter, at, path),
            None => Outcome::PASS,
        };
        if filter.is_fail() {
            return Outcome::PASS;
        }
        let outcome = self.block(pattern, at, path);
        if filter.is_pass() || outcome.is_pass() {
            return outcome;
        }
        Outcome { violations: Vec::new(), doubts: filter.doubts }
    }

    /// Whether a block passes its `where`.
    pub fn filtered(&mut self, pattern: &BlockPattern, at: Place<'_>) -> Outcome {
        match &pattern.filter {
            Some(filter) => self.filter(filter, at, &Path::default()),
            None => Outcome::PASS,
        }
    }

    /// Whether a block passes its `where` and is like this, for what is forbidden.
    pub fn matched(&mut self, pattern: &BlockPattern, at: Place<'_>) -> Outcome {
        let path = Path::default();
        let mut outcome = match &pattern.filter {
            Some(filter) => self.filter(filter, at, &path),
            None => Outcome::PASS,
        };
        if !outcome.is_fail() {
            outcome.add(self.filter(pattern, at, &path));
        }
        outcome
    }

    /// Judges what tells whether a block is meant: what a type lacks is null there.
    fn filter(&mut self, pattern: &BlockPattern, at: Place<'_>, path: &Path) -> Outcome {
        let before = std::mem::replace(&mut self.passes_over, false);
        let outcome = self.block(pattern, at, path);
        self.passes_over = before;
        outcome
    }

    /// The members and nested blocks, without `where`.
    fn block(&mut self, pattern: &BlockPattern, at: Place<'_>, path: &Path) -> Outcome {
        let Some(elements) = at.value.as_mapping() else {
            let span = pattern.members.first().map(|it| it.span);
            let span = span.or(pattern.blocks.first().map(|it| it.span));
            let Some(span) = span else { return Outcome::PASS };
            return if at.value.is_known() {
                Outcome::failed(path, "nothing that has members".to_owned(), span)
            } else {
                Outcome::unknown(path, at.value, span)
            };
        };
        let judged: Vec<_> = pattern.members.iter().collect();
        let mut outcome = Outcome::PASS;
        let mut is_judged = Vec::with_capacity(judged.len());
        for member in judged {
            is_judged.push(self.has(&member.name, member.span, elements, &mut outcome, path));
        }
        if is_judged.iter().all(|it| *it) {
            outcome.add(self.judge.members(&pattern.members, at, path));
        } else {
            for (member, _) in pattern.members.iter().zip(is_judged).filter(|it| it.1) {
                outcome.add(self.judge.members(std::slice::from_ref(member), at, path));
            }
        }
        for nested in &pattern.blocks {
            if self.has(&nested.name, nested.span, elements, &mut outcome, path) {
                outcome.add(guarded(|| self.nested(nested, at, path)));
            }
        }
        outcome
    }

    /// Whether an argument is to be judged; where the type lacks it, the rule is wrong.
    fn has(
        &mut self,
        name: &SmolStr,
        span: Span,
        elements: &BTreeMap<SmolStr, Value>,
        outcome: &mut Outcome,
        path: &Path,
    ) -> bool {
        if elements.contains_key(name) {
            return true;
        }
        if path.is_empty() && self.untold.contains(&name.as_str()) {
            outcome.add(Outcome::undecided(path, format!("a plan does not tell {name}"), span));
            return false;
        }
        if self.is_exact {
            if !self.lacking.iter().any(|it| it.span == span) {
                let known = elements.keys().cloned().collect();
                self.lacking.push(Lacking { span, name: name.clone(), known });
            }
            return false;
        }
        !self.passes_over
    }

    fn nested(&mut self, nested: &NestedBlock, at: Place<'_>, path: &Path) -> Outcome {
        let name = Step::Attribute(nested.name.clone());
        let path = path.with(name.clone());
        let absent = Value::null(crate::value::Type::Dynamic);
        let elements = at.value.as_mapping();
        let value = elements.and_then(|it| it.get(&nested.name)).unwrap_or(&absent);
        let place = at.of(value);
        let prior = step(at.around.prior, &name);
        let one = |value, index: Option<usize>| {
            let prior = match index {
                Some(it) => step(&prior, &Step::index(it)),
                None => prior.clone(),
            };
            (value, prior)
        };
        let blocks: Vec<(&Value, Value)> = match value.content() {
            Content::Unknown(_) => return Outcome::unknown(&path, value, nested.span),
            _ if value.marks().is_undecided() => {
                return Outcome::unknown(&path, value, nested.span);
            }
            Content::Null => Vec::new(),
            Content::Mapping(_) => vec![one(value, None)],
            Content::Sequence(all) => {
                all.iter().enumerate().map(|(index, it)| one(it, Some(index))).collect()
            }
            _ => {
                let found = "a value that is no block".to_owned();
                return Outcome::failed(&path, found, nested.span);
            }
        };
        // With `where` it is about those that pass it, and there may be none.
        if blocks.is_empty() && nested.pattern.filter.is_none() {
            let mut outcome = Outcome::failed(&path, "no such block".to_owned(), nested.span);
            let help = format!("{} = list({{…}}) lets there be none", nested.name);
            outcome.violations[0].help = Some(help);
            return outcome;
        }
        let is_list = matches!(value.content(), Content::Sequence(_));
        let mut outcome = Outcome::PASS;
        for (index, (block, prior)) in blocks.iter().enumerate() {
            let path = if is_list { path.with(Step::index(index)) } else { path.clone() };
            let around = Around { prior, parent: place.value, ..at.around };
            let at = Place { around, ..place.of(block) };
            outcome.add(self.narrowed(&nested.pattern, at, &path));
        }
        outcome
    }
}

/// The reasons of doubts, each once.
pub(super) fn reasons(doubts: &[Doubt]) -> Vec<&Doubt> {
    let mut found: Vec<&Doubt> = Vec::new();
    for it in doubts {
        if !found.iter().any(|other| other.path == it.path && other.span == it.span) {
            found.push(it);
        }
    }
    found
}
