//! What is written, with its value, its place, and what it can be traced by.

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use super::{Env, Origin, Written};
use crate::{
    diagnostic::Span,
    syntax::{Expr, ExprKind, ObjectItem, ObjectKey},
    value::{Marks, Number, Path, Step, Value},
};

/// Something that is written, with its value as far as that is known.
#[derive(Clone)]
pub(crate) struct Part<'p> {
    pub value: Value,
    /// Among the files of the root module.
    pub span: Span,
    /// What the value depends on that is not known before a plan: `aws_vpc.main`, `var.zone`.
    pub undecided: Vec<String>,
    pub(super) form: Form<'p>,
}

#[derive(Clone)]
pub(super) enum Form<'p> {
    Expr(&'p Expr, Rc<Env<'p>>),
    Body(BTreeMap<SmolStr, Part<'p>>),
    Blocks(Vec<Part<'p>>),
    /// Nobody knows how many blocks there are.
    Open,
}

impl<'p> Part<'p> {
    pub(super) fn of(members: BTreeMap<SmolStr, Part<'p>>, span: Span) -> Part<'p> {
        let values = members.iter().map(|(name, it)| (name.clone(), it.value.clone()));
        let value = Value::object(values.collect());
        Part { value, span, undecided: Vec::new(), form: Form::Body(members) }
    }

    /// An argument or the blocks of a type.
    pub fn member(&self, name: &str) -> Option<&Part<'p>> {
        match &self.form {
            Form::Body(all) => all.get(name),
            _ => None,
        }
    }

    pub fn names(&self) -> Vec<SmolStr> {
        match &self.form {
            Form::Body(all) => all.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// Adds what is known of a block beside its arguments.
    pub fn add(&mut self, name: &str, value: Value) {
        let part = Part { value, span: self.span, undecided: Vec::new(), form: Form::Open };
        self.change(|all| _ = all.insert(name.into(), part));
    }

    /// Adds the arguments and blocks of another part of the same block.
    pub fn join(&mut self, other: Part<'p>) {
        if let Form::Body(more) = other.form {
            self.change(|all| all.extend(more));
        }
    }

    /// Makes an argument one that is in no output.
    pub fn hide(&mut self, name: &str) {
        self.change(|all| {
            if let Some(it) = all.get_mut(name) {
                it.value = it.value.clone().with_marks(Marks::SENSITIVE | Marks::SECRET);
            }
        });
    }

    fn change(&mut self, change: impl FnOnce(&mut BTreeMap<SmolStr, Part<'p>>)) {
        let form = std::mem::replace(&mut self.form, Form::Open);
        let Form::Body(mut members) = form else { return };
        change(&mut members);
        *self = Part::of(members, self.span);
    }

    /// The innermost part on the way, and the steps that go on from there.
    fn at<'a>(&'a self, path: &'a [Step]) -> (&'a Part<'p>, &'a [Step]) {
        let (mut at, mut rest) = (self, path);
        while let Some((step, behind)) = rest.split_first() {
            let next = match (&at.form, step) {
                (Form::Body(all), Step::Attribute(name)) => all.get(name),
                (Form::Blocks(all), Step::Index(it)) => index(it).and_then(|it| all.get(it)),
                _ => None,
            };
            let Some(next) = next else { break };
            (at, rest) = (next, behind);
        }
        (at, rest)
    }

    /// The place of what stands at the path, as far as it is written there; whether a secret may stand
    /// there; and whether it is written at all.
    pub fn place(&self, path: &Path, written: &Written<'p>) -> Site {
        let (part, mut rest) = self.at(&path.0);
        let is_hidden = part.value.deep_marks().is_hidden() && !matches!(part.form, Form::Body(_));
        let mut site = Site { span: part.span, is_hidden, is_whole: rest.is_empty() };
        let Form::Expr(expr, env) = &part.form else { return site };
        let mut expr = *expr;
        while let Some((step, behind)) = rest.split_first() {
            let next = match (&expr.kind, step) {
                (ExprKind::Object(items), step) => {
                    let name = name(step);
                    items.iter().find(|it| name.is_some() && key(it) == name)
                }
                (ExprKind::Tuple(items), Step::Index(it)) => {
                    let Some(next) = index(it).and_then(|it| items.get(it)) else { break };
                    (expr, rest) = (next, behind);
                    site.span = written.shifted(expr.span, env);
                    continue;
                }
                _ => None,
            };
            let Some(next) = next else { break };
            let start = match &next.key {
                ObjectKey::Name(it) => it.span,
                ObjectKey::Expr(it) => it.span,
            };
            (expr, rest) = (&next.value, behind);
            site.span = written.shifted(start.to(expr.span), env);
        }
        site.is_whole = true;
        site
    }

    /// Whether the path names an argument that its block, which is written, leaves out.
    pub fn is_left_out(&self, path: &Path) -> bool {
        let (part, rest) = self.at(&path.0);
        matches!((&part.form, rest), (Form::Body(_), [Step::Attribute(_)]))
    }

    /// What the value at the path refers to.
    pub fn origin(&self, path: &Path, written: &Written<'p>) -> Origin {
        let (part, rest) = self.at(&path.0);
        match &part.form {
            Form::Expr(expr, env) => written.origin(expr, env, rest),
            _ => Origin::Unknown,
        }
    }

    /// What the value at the path depends on that is not known before a plan.
    pub fn undecided<'a>(&'a self, path: &'a Path) -> &'a [String] {
        &self.at(&path.0).0.undecided
    }
}

/// Where something is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub span: Span,
    /// Whether a secret may stand there.
    pub is_hidden: bool,
    /// Whether the argument itself is written there, and not only what is around it.
    pub is_whole: bool,
}

/// The name that a step takes.
pub(super) fn name(step: &Step) -> Option<&str> {
    match step {
        Step::Attribute(name) => Some(name),
        Step::Index(it) => it.as_str(),
    }
}

pub(super) fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_number().and_then(Number::to_u64)?).ok()
}

/// The name of an item, where it needs no evaluation.
pub(super) fn key(item: &ObjectItem) -> Option<&str> {
    match &item.key {
        ObjectKey::Name(it) => Some(&it.name),
        ObjectKey::Expr(Expr { kind: ExprKind::String(it), .. }) => Some(it),
        ObjectKey::Expr(_) => None,
    }
}
