//! A written part of a block, with its value, its span and its origin.

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use super::{Env, ValueOrigin, Written};
use diagnostics::Span;
use hcl::{Expr, ExprKind, ObjectItem, ObjectKey};
use tf_value::{Marks, Number, Path, Step, Value};

/// Something that is written, with the known parts of its value.
#[derive(Clone)]
pub struct WrittenPart<'p> {
    pub value: Value,
    /// The span among the files of the root module.
    pub span: Span,
    /// The causes for which the value is unknown before a plan: `aws_vpc.main`, `var.zone`.
    pub undecided: Vec<String>,
    pub(super) form: Form<'p>,
}

#[derive(Clone)]
pub(super) enum Form<'p> {
    Expr(&'p Expr, Rc<Env<'p>>),
    Body(BTreeMap<SmolStr, WrittenPart<'p>>),
    Blocks(Vec<WrittenPart<'p>>),
    /// Blocks whose number is unknown.
    Open,
}

impl<'p> WrittenPart<'p> {
    pub(super) fn of(members: BTreeMap<SmolStr, WrittenPart<'p>>, span: Span) -> WrittenPart<'p> {
        let values = members.iter().map(|(name, it)| (name.clone(), it.value.clone()));
        let value = Value::object(values.collect());
        WrittenPart { value, span, undecided: Vec::new(), form: Form::Body(members) }
    }

    /// The argument, or the blocks of the type, with this name.
    pub fn member(&self, name: &str) -> Option<&WrittenPart<'p>> {
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

    /// Adds a known value of a block that is not one of its arguments.
    pub fn add(&mut self, name: &str, value: Value) {
        let part = WrittenPart { value, span: self.span, undecided: Vec::new(), form: Form::Open };
        self.change(|all| _ = all.insert(name.into(), part));
    }

    /// Adds the arguments and blocks of another part of the same block.
    pub fn join(&mut self, other: WrittenPart<'p>) {
        if let Form::Body(more) = other.form {
            self.change(|all| all.extend(more));
        }
    }

    /// Hides an argument from all output.
    pub fn hide(&mut self, name: &str) {
        self.change(|all| {
            if let Some(it) = all.get_mut(name) {
                it.value = it.value.clone().with_marks(Marks::SENSITIVE | Marks::SECRET);
            }
        });
    }

    fn change(&mut self, change: impl FnOnce(&mut BTreeMap<SmolStr, WrittenPart<'p>>)) {
        let form = std::mem::replace(&mut self.form, Form::Open);
        let Form::Body(mut members) = form else { return };
        change(&mut members);
        *self = WrittenPart::of(members, self.span);
    }

    /// The innermost part on the way, and the steps that are left.
    fn at<'a>(&'a self, path: &'a [Step]) -> (&'a WrittenPart<'p>, &'a [Step]) {
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

    /// The site of the value at the path, or of the innermost part that is written around it; whether a secret
    /// may be there, and whether the value itself is written there.
    pub fn site(&self, path: &Path, written: &Written<'p>) -> Site {
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
                ObjectKey::Expr(it) | ObjectKey::Template(it) => it.span,
            };
            (expr, rest) = (&next.value, behind);
            site.span = written.shifted(start.to(expr.span), env);
        }
        site.is_whole = true;
        site
    }

    /// Whether the path names an argument that its written block leaves out.
    pub fn is_left_out(&self, path: &Path) -> bool {
        let (part, rest) = self.at(&path.0);
        matches!((&part.form, rest), (Form::Body(_), [Step::Attribute(_)]))
    }

    /// The origin of the value at the path.
    pub fn origin(&self, path: &Path, written: &Written<'p>) -> ValueOrigin {
        let (part, rest) = self.at(&path.0);
        match &part.form {
            Form::Expr(expr, env) => written.origin(expr, env, rest),
            _ => ValueOrigin::Unknown,
        }
    }

    /// The causes for which the value at the path is unknown before a plan.
    pub fn undecided<'a>(&'a self, path: &'a Path) -> &'a [String] {
        &self.at(&path.0).0.undecided
    }
}

/// Where something is that is written.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub span: Span,
    /// Whether a secret may be there.
    pub is_hidden: bool,
    /// Whether the argument itself is written there, instead of only a part around it.
    pub is_whole: bool,
}

/// The name of an attribute step.
pub(super) fn name(step: &Step) -> Option<&str> {
    match step {
        Step::Attribute(name) => Some(name),
        Step::Index(it) => it.as_str(),
    }
}

pub(super) fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_number().and_then(Number::to_u64)?).ok()
}

/// The name of an item whose key needs no evaluation.
pub(super) fn key(item: &ObjectItem) -> Option<&str> {
    match &item.key {
        ObjectKey::Name(it) => Some(&it.name),
        ObjectKey::Expr(Expr { kind: ExprKind::String(it), .. }) => Some(it),
        ObjectKey::Expr(_) | ObjectKey::Template(_) => None,
    }
}
