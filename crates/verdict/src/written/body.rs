//! Bodies, evaluated: arguments, blocks, and the blocks that `dynamic` blocks make.

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use super::{
    Bound, Env, Written,
    part::{Form, WrittenPart},
};
use diagnostics::Span;
use hcl::{Expr, ExprKind};
use module::{BlockContent, BodyArgument, BodyBlock, Dynamic, WrittenBody};
use stack::guarded;
use tf_value::{Marks, Refinements, Type, Value, ops};

/// The limit for the blocks that one `dynamic` block makes; further ones are ignored.
const MOST_BLOCKS: usize = 10_000;

/// The limit for the nesting of blocks; no provider nests them like this.
const MOST_DEEP: u32 = 100;

/// The work of a block that a `dynamic` block makes.
const BLOCK: u64 = 200;

impl<'p> Written<'p> {
    /// Evaluates a body; `span` is that of the whole.
    pub(super) fn body(
        &self,
        body: &'p WrittenBody,
        span: Span,
        env: &Rc<Env<'p>>,
    ) -> WrittenPart<'p> {
        self.bodies(&[body], span, env)
    }

    /// Evaluates bodies as one.
    pub(super) fn bodies(
        &self,
        all: &[&'p WrittenBody],
        span: Span,
        env: &Rc<Env<'p>>,
    ) -> WrittenPart<'p> {
        let arguments = all.iter().flat_map(|it| &it.arguments);
        self.items(arguments, all.iter().flat_map(|it| &it.blocks), span, env)
    }

    /// Evaluates some arguments and blocks.
    pub(super) fn items(
        &self,
        arguments: impl Iterator<Item = &'p BodyArgument>,
        blocks: impl Iterator<Item = &'p BodyBlock>,
        span: Span,
        env: &Rc<Env<'p>>,
    ) -> WrittenPart<'p> {
        guarded(|| {
            let mut members: BTreeMap<SmolStr, WrittenPart<'p>> = BTreeMap::new();
            for it in arguments {
                self.add_argument(it, env, &mut members);
            }
            let mut inner = None;
            for block in blocks {
                let at = self.shifted(block.kind.span, env);
                let inner = inner.get_or_insert_with(|| deeper(env));
                let (kind, made) = match &block.content {
                    BlockContent::Dynamic(it) if env.depth >= MOST_DEEP => {
                        (&it.kind, Err(Vec::new()))
                    }
                    BlockContent::Plain(_) if env.depth >= MOST_DEEP => {
                        (&block.kind.name, Err(Vec::new()))
                    }
                    BlockContent::Plain(body) => {
                        let mut made = self.body(body, block.kind.span, inner);
                        if let Some(label) = block.labels.first() {
                            made.add("type", Value::string(label));
                        }
                        (&block.kind.name, Ok(vec![made]))
                    }
                    BlockContent::Dynamic(it) => {
                        (&it.kind, self.dynamic(it, block.kind.span, inner))
                    }
                };
                add_blocks(&mut members, kind, at, made);
            }
            finish(&mut members);
            single(&mut members);
            WrittenPart::of(members, self.shifted(span, env))
        })
    }

    fn add_argument(
        &self,
        it: &'p BodyArgument,
        env: &Rc<Env<'p>>,
        members: &mut BTreeMap<SmolStr, WrittenPart<'p>>,
    ) {
        // In JSON only a schema shows which blocks are `dynamic` blocks, so their results are unknown.
        if it.name.name == "dynamic" && !it.iterators.is_empty() {
            let names = it.iterators.iter().map(|name| (name.clone(), self.open(it.span, env)));
            return members.extend(names);
        }
        let part = if env.words.contains(&it.name.name.as_str()) {
            let value = self.words(&it.expr, env);
            let (span, form) = (self.shifted(it.span, env), Form::Expr(&it.expr, Rc::clone(env)));
            WrittenPart { value, span, undecided: Vec::new(), form }
        } else if it.iterators.is_empty() {
            self.expression(&it.expr, it.span, env)
        } else {
            self.open(it.span, env)
        };
        members.insert(it.name.name.clone(), part);
    }

    fn open(&self, span: Span, env: &Env<'p>) -> WrittenPart<'p> {
        let value = Value::unknown(Type::Dynamic);
        WrittenPart {
            value,
            span: self.shifted(span, env),
            undecided: Vec::new(),
            form: Form::Open,
        }
    }

    /// Evaluates an argument; `span` reaches from its name to its end.
    pub(super) fn expression(
        &self,
        expr: &'p Expr,
        span: Span,
        env: &Rc<Env<'p>>,
    ) -> WrittenPart<'p> {
        let evaluation = self.evaluate(expr, env);
        let (mut value, mut undecided) = (evaluation.value, evaluation.undecided);
        if evaluation.diagnostics.is_empty() && !value.is_wholly_known() {
            self.add_causes(env, &mut undecided);
            if refers_to_objects(&undecided) && !self.may_be_null(expr, env) {
                value = not_null(value);
            }
        }
        let (span, form) = (self.shifted(span, env), Form::Expr(expr, Rc::clone(env)));
        WrittenPart { value, span, undecided, form }
    }

    /// Whether an expression may give null by its own form.
    fn may_be_null(&self, expr: &Expr, env: &Env<'p>) -> bool {
        let mut found = match &expr.kind {
            ExprKind::Null => true,
            // With a known number of elements the result is known, or at least not null.
            ExprKind::Call { name, args, .. }
                if name.name.trim_start_matches("core::") == "one" =>
            {
                args.iter().any(|it| !self.evaluate(it, env).value.is_known())
            }
            _ => false,
        };
        if !expr.is_leaf() {
            let mut visit = |it: &Expr| found = found || self.may_be_null(it, env);
            guarded(|| expr.for_each_child(&mut visit));
        }
        found
    }

    /// Adds the causes for which the elements of `each` and of `dynamic` blocks are unknown.
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
            undecided.extend(self.evaluate(it, &Env::of(env.member, env.index)).undecided);
        }
    }

    /// The blocks that a `dynamic` block makes. Errors: the causes for which they are unknown.
    fn dynamic(&self, it: &'p Dynamic, span: Span, env: &Rc<Env<'p>>) -> Made<'p> {
        let Some(for_each) = &it.for_each else { return Err(Vec::new()) };
        let evaluation = self.evaluate(for_each, env);
        let (collection, marks) = evaluation.value.unmark();
        let elements = ops::elements(&collection)
            .filter(|_| evaluation.diagnostics.is_empty() && !marks.is_undecided());
        let Some(elements) = elements else { return Err(evaluation.undecided) };
        let elements: Vec<(Value, Value)> =
            elements.map(|(key, value)| (key, value.clone())).take(MOST_BLOCKS + 1).collect();
        if elements.len() > MOST_BLOCKS {
            return Err(Vec::new());
        }
        let mut made = Vec::with_capacity(elements.len());
        for (key, value) in elements {
            if !self.meter.charge(BLOCK) {
                return Err(Vec::new());
            }
            let members = [("key", key.with_marks(marks)), ("value", value.with_marks(marks))];
            let value = Value::object(members.map(|(name, it)| (name.into(), it)).into());
            let mut inner = Env::clone(env);
            inner.bound.push(Bound { name: it.iterator.clone(), value, collection: for_each });
            made.push(self.body(&it.body, span, &Rc::new(inner)));
        }
        Ok(made)
    }
}

/// Blocks, or the causes for which their number is unknown.
type Made<'p> = Result<Vec<WrittenPart<'p>>, Vec<String>>;

/// The environment one block further inside.
fn deeper<'p>(env: &Rc<Env<'p>>) -> Rc<Env<'p>> {
    Rc::new(Env { depth: env.depth + 1, ..Env::clone(env) })
}

/// Adds blocks to the earlier ones of their kind.
fn add_blocks<'p>(
    members: &mut BTreeMap<SmolStr, WrittenPart<'p>>,
    kind: &SmolStr,
    span: Span,
    made: Made<'p>,
) {
    let empty = || {
        let form = Form::Blocks(Vec::new());
        WrittenPart { value: Value::tuple(Vec::new()), span, undecided: Vec::new(), form }
    };
    let part = members.entry(kind.clone()).or_insert_with(empty);
    match (&mut part.form, made) {
        (Form::Blocks(all), Ok(made)) => all.extend(made),
        (form @ (Form::Blocks(_) | Form::Open), Err(causes)) => {
            *form = Form::Open;
            part.undecided.extend(causes);
        }
        _ => (),
    }
}

/// Sets the value of each list of blocks from its blocks.
fn finish(members: &mut BTreeMap<SmolStr, WrittenPart<'_>>) {
    for part in members.values_mut() {
        match &part.form {
            Form::Blocks(all) => {
                part.value = Value::tuple(all.iter().map(|it| it.value.clone()).collect());
            }
            // A kind without blocks is an empty list.
            Form::Open => part.value = Value::unknown_not_null(Type::Dynamic),
            Form::Expr(..) | Form::Body(_) => (),
        }
    }
}

/// The only block name that is an object instead of a list, by the convention of the providers' SDKs. For other
/// blocks only a schema shows that.
const SINGLE: &str = "timeouts";

/// Turns that block from a list into an object.
fn single(members: &mut BTreeMap<SmolStr, WrittenPart<'_>>) {
    let Some(part) = members.get_mut(SINGLE) else { return };
    if let Form::Blocks(all) = &mut part.form
        && all.len() == 1
        && let Some(block) = all.pop()
    {
        *part = block;
    }
}

/// Whether a value is unknown because of objects alone. A value that only an object knows is assumed not
/// to be null where something refers to it.
fn refers_to_objects(undecided: &[String]) -> bool {
    const OTHERS: [&str; 6] = ["var", "local", "each", "count", "self", "terraform"];
    let is_object = |it: &String| {
        it.split_once('.').is_some_and(|(root, _)| !OTHERS.contains(&root)) && !it.contains('(')
    };
    !undecided.is_empty() && undecided.iter().all(is_object)
}

/// The same value, with every unknown part refined to be not null.
fn not_null(value: Value) -> Value {
    if value.is_wholly_known() {
        return value;
    }
    guarded(|| {
        let (value, marks): (Value, Marks) = value.unmark();
        let value = match value.content() {
            tf_value::ValueContent::Unknown(_) => {
                let known = value.refinements().cloned().unwrap_or_default();
                value.refined(Refinements { not_null: true, ..known })
            }
            tf_value::ValueContent::Mapping(all) if matches!(value.ty(), Type::Object(_)) => {
                let members = all.iter().map(|(name, it)| (name.clone(), not_null(it.clone())));
                Value::object(members.collect())
            }
            tf_value::ValueContent::Sequence(all) if matches!(value.ty(), Type::Tuple(_)) => {
                Value::tuple(all.iter().map(|it| not_null(it.clone())).collect())
            }
            _ => value,
        };
        value.with_marks(marks)
    })
}
