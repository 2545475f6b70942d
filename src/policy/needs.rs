//! `needs`: whether there is an object that is like this, and refers to the one that is judged.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    language::{Kind, Label, Target, Valid},
    pattern::{Blocks, Lacking},
    plan::{Change, Json, Plan},
    references::{Origin, origin},
    subjects::{Index, Subject},
    validate::{Around, Judge, Outcome, Place},
};
use crate::{
    diagnostic::Span,
    value::{Path, Step, Value},
};

/// What nobody knows of so many candidates makes the outcome undecided, whatever the others are.
const MOST_DOUBTFUL: usize = 100;

/// A module, a block in it, and the key of an instance as JSON.
type Object = (String, String, Option<String>);

/// The objects of a plan that may be needed.
pub(super) struct Needs<'a> {
    plan: &'a Plan,
    index: &'a Index<'a>,
    /// By the place of the `needs` block.
    candidates: RefCell<HashMap<Span, Rc<Candidates>>>,
    objects: RefCell<HashMap<usize, Option<Rc<Subject>>>>,
    /// What is there whatever is judged, for those that mention no `subject`.
    alone: RefCell<BTreeMap<Span, Found>>,
    pub lacking: RefCell<Vec<(Rc<Subject>, Lacking)>>,
}

/// Objects of the needed type, by what they refer to.
#[derive(Default)]
struct Candidates {
    by_object: HashMap<Object, Vec<usize>>,
    by_literal: HashMap<SmolStr, Vec<usize>>,
    literals: Vec<usize>,
    unknown: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Yes,
    No,
    Maybe,
}

impl<'a> Needs<'a> {
    pub fn new(plan: &'a Plan, index: &'a Index<'a>) -> Needs<'a> {
        Needs {
            plan,
            index,
            candidates: RefCell::default(),
            objects: RefCell::default(),
            alone: RefCell::default(),
            lacking: RefCell::default(),
        }
    }

    /// Whether one of the alternatives is there.
    pub fn judge(
        &self,
        judge: &Judge<'_>,
        group: &[Target],
        change: &Change,
        subject: &Subject,
    ) -> Outcome {
        let mut is_open = false;
        for target in group {
            match self.find(judge, target, change, subject) {
                Found::Yes => return Outcome::PASS,
                Found::Maybe => is_open = true,
                Found::No => (),
            }
        }
        let Some(first) = group.first() else { return Outcome::PASS };
        let path = Path::default();
        if is_open {
            let reason = "which objects are like this, and refer to it, is known after apply";
            return Outcome::undecided(&path, reason.to_owned(), first.span);
        }
        let found = match (group.len(), link(first)) {
            (1, Some(_)) => "none that is like this and refers to it",
            (1, None) => "none that is like this",
            _ => "none of the alternatives",
        };
        Outcome::failed(&path, found.to_owned(), first.span)
    }

    fn find(
        &self,
        judge: &Judge<'_>,
        target: &Target,
        change: &Change,
        subject: &Subject,
    ) -> Found {
        let Some(name) = link(target) else {
            if let Some(found) = self.alone.borrow().get(&target.span) {
                return *found;
            }
            let all: Vec<usize> = self.of_type(target).collect();
            let found = self.among(judge, target, &all, &[]);
            self.alone.borrow_mut().insert(target.span, found);
            return found;
        };
        let known = self.candidates.borrow().get(&target.span).cloned();
        let candidates = known.unwrap_or_else(|| {
            let made = Rc::new(self.candidates(target, name));
            self.candidates.borrow_mut().insert(target.span, Rc::clone(&made));
            made
        });
        let block = block_of(change);
        let key = key_text(&change.index);
        let of = |key: Option<String>| {
            let found = candidates.by_object.get(&(change.module.to_string(), block.clone(), key));
            found.cloned().unwrap_or_default()
        };
        let (mut sure, mut doubtful) = (of(key.clone()), Vec::new());
        if key.is_some() {
            doubtful = of(None);
        }
        let id = subject.attrs.as_mapping().and_then(|it| it.get("id"));
        match id.filter(|it| it.is_known()).and_then(Value::as_str) {
            Some(id) => sure.extend(candidates.by_literal.get(id).into_iter().flatten()),
            None => doubtful.extend(candidates.literals.iter().take(MOST_DOUBTFUL + 1)),
        }
        doubtful.extend(candidates.unknown.iter().take(MOST_DOUBTFUL + 1));
        self.among(judge, target, &sure, &doubtful)
    }

    /// Whether one of the objects is like this; the doubtful ones may not refer to what is judged.
    fn among(
        &self,
        judge: &Judge<'_>,
        target: &Target,
        sure: &[usize],
        doubtful: &[usize],
    ) -> Found {
        let mut is_open = doubtful.len() > MOST_DOUBTFUL;
        for at in sure {
            let outcome = self.is_like(judge, target, *at);
            if outcome.is_pass() {
                return Found::Yes;
            }
            is_open |= !outcome.is_fail();
        }
        let mut doubtful = doubtful.iter();
        while let (false, Some(at)) = (is_open, doubtful.next()) {
            is_open = !self.is_like(judge, target, *at).is_fail();
        }
        if is_open { Found::Maybe } else { Found::No }
    }

    fn is_like(&self, judge: &Judge<'_>, target: &Target, at: usize) -> Outcome {
        let made = self.objects.borrow().get(&at).cloned();
        let object = made.unwrap_or_else(|| {
            let made = self.index.of_change(&self.plan.changes[at]).ok().map(Rc::new);
            self.objects.borrow_mut().insert(at, made.clone());
            made
        });
        // An action that nobody knows was told where the object itself is judged.
        let Some(object) = object else {
            return Outcome::undecided(&Path::default(), String::new(), target.span);
        };
        let around = Around {
            prior: &object.prior,
            parent: &object.attrs,
            attrs: &object.attrs,
            meta: &object.meta,
        };
        let mut blocks = Blocks {
            judge,
            is_exact: target.labels.iter().any(|it| it.is_exact() && it.matches(&object.label)),
            passes_over: false,
            untold: &[],
            lacking: Vec::new(),
        };
        let place = Place { value: &object.attrs, around, is_hidden: false };
        let outcome = blocks.matched(&target.pattern, place);
        for it in blocks.lacking {
            self.lacking.borrow_mut().push((Rc::clone(&object), it));
        }
        outcome
    }

    fn of_type(&self, target: &Target) -> impl Iterator<Item = usize> {
        let is_data = target.kind == Kind::Data;
        let changes = self.plan.changes.iter().enumerate();
        let is_meant = move |change: &Change, labels: &[Label]| {
            change.is_data == is_data
                && labels.iter().any(|it| it.matches(&change.ty))
                && change.values.action().is_none_or(super::language::Action::keeps)
        };
        changes.filter(move |it| is_meant(it.1, &target.labels)).map(|it| it.0)
    }

    fn candidates(&self, target: &Target, name: &SmolStr) -> Candidates {
        let mut found = Candidates::default();
        let path = Path(vec![Step::Attribute(name.clone())]);
        for at in self.of_type(target) {
            let change = &self.plan.changes[at];
            let expressions = self.index.expressions_of(change);
            match origin(&self.plan.configuration, expressions, change, &path) {
                Origin::Block { module, block, key } => {
                    let key = key.as_ref().and_then(key_text);
                    found.by_object.entry((module, block, key)).or_default().push(at);
                }
                origin => {
                    let value = change.values.after.get(name).and_then(Json::as_str);
                    if let Some(value) = value {
                        found.by_literal.entry(value.into()).or_default().push(at);
                    }
                    match origin {
                        Origin::Literal => found.literals.push(at),
                        _ => found.unknown.push(at),
                    }
                }
            }
        }
        found
    }
}

/// The argument that refers to what is judged.
fn link(target: &Target) -> Option<&SmolStr> {
    let member = target.pattern.members.iter();
    member.filter(|it| matches!(it.validator.kind, Valid::Subject)).map(|it| &it.name).next()
}

fn block_of(change: &Change) -> String {
    let data = if change.is_data { "data." } else { "" };
    format!("{data}{}.{}", change.ty, change.name)
}

fn key_text(key: &Json) -> Option<String> {
    match key {
        Json::Integer(it) => Some(it.to_string()),
        Json::String(it) => Some(format!("{it:?}")),
        _ => None,
    }
}

/// The types that `needs` speaks of.
pub(super) fn labels(groups: &[Vec<Target>], kind: Kind) -> impl Iterator<Item = &Label> {
    let targets = groups.iter().flatten().filter(move |it| it.kind == kind);
    targets.flat_map(|it| &it.labels)
}
