//! Bodies, evaluated: each argument with its value, its place, and what it can be traced by.

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use super::{Bound, Env, Origin, Written};
use crate::{
    diagnostic::Span,
    module::{Argument, Block, Body, Content, Dynamic},
    syntax::{Expr, ExprKind, ObjectItem, ObjectKey},
    value::{self, Marks, Number, Path, Refinements, Step, Type, Value, guarded, ops},
};

/// Blocks that a `dynamic` block makes; more are not looked at.
const MOST_BLOCKS: usize = 10_000;

/// How deep blocks are looked into; no provider nests them like this.
const MOST_DEEP: u32 = 100;

/// The work of a block that a `dynamic` block makes.
const BLOCK: u64 = 200;

/// Something that is written, with its value as far as that is known.
#[derive(Clone)]
pub(crate) struct Part<'p> {
    pub value: Value,
    /// Among the files of the root module.
    pub span: Span,
    /// What the value depends on that is not known before a plan: `aws_vpc.main`, `var.zone`.
    pub undecided: Vec<String>,
    form: Form<'p>,
}

#[derive(Clone)]
enum Form<'p> {
    Expr(&'p Expr, Rc<Env<'p>>),
    Body(BTreeMap<SmolStr, Part<'p>>),
    Blocks(Vec<Part<'p>>),
    /// Nobody knows how many blocks there are.
    Open,
}

impl<'p> Part<'p> {
    fn of(members: BTreeMap<SmolStr, Part<'p>>, span: Span) -> Part<'p> {
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

impl<'p> Written<'p> {
    /// Evaluates a body. `span`: what stands for the whole of it.
    pub(super) fn body(&self, body: &'p Body, span: Span, env: &Rc<Env<'p>>) -> Part<'p> {
        self.bodies(&[body], span, env)
    }

    /// Evaluates bodies as one.
    pub(super) fn bodies(&self, all: &[&'p Body], span: Span, env: &Rc<Env<'p>>) -> Part<'p> {
        let arguments = all.iter().flat_map(|it| &it.arguments);
        self.items(arguments, all.iter().flat_map(|it| &it.blocks), span, env)
    }

    /// Evaluates some arguments and blocks.
    pub(super) fn items(
        &self,
        arguments: impl Iterator<Item = &'p Argument>,
        blocks: impl Iterator<Item = &'p Block>,
        span: Span,
        env: &Rc<Env<'p>>,
    ) -> Part<'p> {
        guarded(|| {
            let mut members: BTreeMap<SmolStr, Part<'p>> = BTreeMap::new();
            for it in arguments {
                self.add_argument(it, env, &mut members);
            }
            let mut inner = None;
            for block in blocks {
                let place = self.shifted(block.kind.span, env);
                let inner = inner.get_or_insert_with(|| deeper(env));
                let (kind, made) = match &block.content {
                    Content::Dynamic(it) if env.depth >= MOST_DEEP => (&it.kind, None),
                    Content::Plain(_) if env.depth >= MOST_DEEP => (&block.kind.name, None),
                    Content::Plain(body) => {
                        let mut made = self.body(body, block.kind.span, inner);
                        if let Some(label) = block.labels.first() {
                            made.add("type", Value::string(label));
                        }
                        (&block.kind.name, Some(vec![made]))
                    }
                    Content::Dynamic(it) => (&it.kind, self.dynamic(it, block.kind.span, inner)),
                };
                add_blocks(&mut members, kind, place, made);
            }
            finish(&mut members);
            Part::of(members, self.shifted(span, env))
        })
    }

    fn add_argument(
        &self,
        it: &'p Argument,
        env: &Rc<Env<'p>>,
        members: &mut BTreeMap<SmolStr, Part<'p>>,
    ) {
        // In JSON only a schema tells what is a `dynamic` block: what one may make is not known.
        if it.name.name == "dynamic" && !it.iterators.is_empty() {
            let names = it.iterators.iter().map(|name| (name.clone(), self.open(it.span, env)));
            return members.extend(names);
        }
        let part = if env.words.contains(&it.name.name.as_str()) {
            let value = self.words(&it.expr, env);
            let (span, form) = (self.shifted(it.span, env), Form::Expr(&it.expr, Rc::clone(env)));
            Part { value, span, undecided: Vec::new(), form }
        } else if it.iterators.is_empty() {
            self.expression(&it.expr, it.span, env)
        } else {
            self.open(it.span, env)
        };
        members.insert(it.name.name.clone(), part);
    }

    fn open(&self, span: Span, env: &Env<'p>) -> Part<'p> {
        let value = Value::unknown(Type::Dynamic);
        Part { value, span: self.shifted(span, env), undecided: Vec::new(), form: Form::Open }
    }

    /// Evaluates an argument; `span` reaches from its name to its end.
    pub(super) fn expression(&self, expr: &'p Expr, span: Span, env: &Rc<Env<'p>>) -> Part<'p> {
        let evaluation = self.evaluate(expr, env);
        let (mut value, mut undecided) = (evaluation.value, evaluation.undecided);
        if evaluation.diagnostics.is_empty() && !value.is_wholly_known() {
            self.add_causes(env, &mut undecided);
            if refers_to_objects(&undecided) {
                value = not_null(value);
            }
        }
        let (span, form) = (self.shifted(span, env), Form::Expr(expr, Rc::clone(env)));
        Part { value, span, undecided, form }
    }

    /// Names what the elements depend on that `each` and `dynamic` blocks go over.
    fn add_causes(&self, env: &Env<'p>, undecided: &mut Vec<String>) {
        let is_of_each = |it: &String| it == "each.value";
        let mut collections: Vec<&Expr> = Vec::new();
        if undecided.iter().any(is_of_each) {
            undecided.retain(|it| !is_of_each(it));
            collections.extend(env.for_each);
        }
        if undecided.is_empty() {
            collections.extend(env.bound.iter().map(|it| it.collection));
        }
        for it in collections {
            undecided.extend(self.evaluate(it, &Env::of(env.member, env.place)).undecided);
        }
    }

    /// The blocks that a `dynamic` block makes; `None` where that is not known.
    fn dynamic(&self, it: &'p Dynamic, span: Span, env: &Rc<Env<'p>>) -> Option<Vec<Part<'p>>> {
        let for_each = it.for_each.as_ref()?;
        let evaluation = self.evaluate(for_each, env);
        let (collection, marks) = evaluation.value.unmark();
        if !evaluation.diagnostics.is_empty() || marks.is_undecided() {
            return None;
        }
        let elements: Vec<(Value, Value)> =
            ops::elements(&collection)?.map(|(key, value)| (key, value.clone())).collect();
        if elements.len() > MOST_BLOCKS {
            return None;
        }
        let mut made = Vec::with_capacity(elements.len());
        for (key, value) in elements {
            if !self.meter.charge(BLOCK) {
                return None;
            }
            let members = [("key", key.with_marks(marks)), ("value", value.with_marks(marks))];
            let value = Value::object(members.map(|(name, it)| (name.into(), it)).into());
            let mut inner = Env::clone(env);
            inner.bound.push(Bound { name: it.iterator.clone(), value, collection: for_each });
            made.push(self.body(&it.body, span, &Rc::new(inner)));
        }
        Some(made)
    }
}

/// One block further inside.
fn deeper<'p>(env: &Rc<Env<'p>>) -> Rc<Env<'p>> {
    Rc::new(Env { depth: env.depth + 1, ..Env::clone(env) })
}

/// Adds blocks to those of their kind that stand before them.
fn add_blocks<'p>(
    members: &mut BTreeMap<SmolStr, Part<'p>>,
    kind: &SmolStr,
    span: Span,
    made: Option<Vec<Part<'p>>>,
) {
    let empty = || {
        let form = Form::Blocks(Vec::new());
        Part { value: Value::tuple(Vec::new()), span, undecided: Vec::new(), form }
    };
    let part = members.entry(kind.clone()).or_insert_with(empty);
    match (&mut part.form, made) {
        (Form::Blocks(all), Some(made)) => all.extend(made),
        (form @ Form::Blocks(_), None) => *form = Form::Open,
        _ => (),
    }
}

/// Makes the lists of blocks what their blocks make them.
fn finish(members: &mut BTreeMap<SmolStr, Part<'_>>) {
    for part in members.values_mut() {
        match &part.form {
            Form::Blocks(all) => {
                part.value = Value::tuple(all.iter().map(|it| it.value.clone()).collect());
            }
            // Blocks that are not there are an empty list.
            Form::Open => part.value = Value::unknown_not_null(Type::Dynamic),
            Form::Expr(..) | Form::Body(_) => (),
        }
    }
}

/// Whether all that keeps a value from being known belongs to objects: what only they know is assumed not
/// to be null where something refers to it.
fn refers_to_objects(undecided: &[String]) -> bool {
    const OTHERS: [&str; 6] = ["var", "local", "each", "count", "self", "terraform"];
    let is_object = |it: &String| {
        it.split_once('.').is_some_and(|(root, _)| !OTHERS.contains(&root)) && !it.contains('(')
    };
    !undecided.is_empty() && undecided.iter().all(is_object)
}

/// The same value, of which nothing unknown is null.
fn not_null(value: Value) -> Value {
    if value.is_wholly_known() {
        return value;
    }
    guarded(|| {
        let (value, marks): (Value, Marks) = value.unmark();
        let value = match value.content() {
            value::Content::Unknown(_) => {
                let known = value.refinements().cloned().unwrap_or_default();
                value.refined(Refinements { not_null: true, ..known })
            }
            value::Content::Mapping(all) if matches!(value.ty(), Type::Object(_)) => {
                let members = all.iter().map(|(name, it)| (name.clone(), not_null(it.clone())));
                Value::object(members.collect())
            }
            value::Content::Sequence(all) if matches!(value.ty(), Type::Tuple(_)) => {
                Value::tuple(all.iter().map(|it| not_null(it.clone())).collect())
            }
            _ => value,
        };
        value.with_marks(marks)
    })
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
