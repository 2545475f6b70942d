//! The object that a value comes from: an expression is followed through locals, inputs and outputs of
//! modules, indexes, `each`, `dynamic` blocks and the functions that return their argument.

use std::cell::Cell;

use smol_str::SmolStr;

use super::{
    Bound, CALL, Env, InstanceKey, Written,
    part::{index, key, name},
};
use crate::repetition::Expansion;
use hcl::{Expr, ExprKind, ForExpr, Ident};
use stack::guarded;
use tf_eval::Instance;
use tf_value::{Step, Value};

/// The origin of a value. For example: `aws_vpc.main.id` comes from `Block` with the block
/// `aws_vpc.main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueOrigin {
    /// From a resource or data source.
    Block {
        /// The instance of the module that declares it.
        module: String,
        /// `TYPE.NAME`, `data.TYPE.NAME`
        block: String,
        /// The key as it is written in brackets; `None` if the instance has no key, or its key is unknown.
        key: Option<String>,
    },
    /// A constant, or a variable of the root module.
    Literal,
    Unknown,
}

impl ValueOrigin {
    /// The origin of a value that is made of both.
    fn and(self, other: ValueOrigin) -> ValueOrigin {
        match (self, other) {
            (one, ValueOrigin::Literal) | (ValueOrigin::Literal, one) => one,
            (one, other) if one == other => one,
            _ => ValueOrigin::Unknown,
        }
    }
}

/// The limit for the expressions followed for one origin, since two branches of each of many conditions
/// add up.
const MOST_STEPS: u32 = 1000;

/// The number of steps that are left.
type Left<'c> = &'c Cell<u32>;

/// Functions that return their first argument.
const SAME: [&str; 7] =
    ["tostring", "tolist", "toset", "tomap", "sensitive", "nonsensitive", "compact"];

impl<'p> Written<'p> {
    /// The origin of the part of an expression's value at `steps`.
    pub(super) fn origin(&self, expr: &'p Expr, env: &Env<'p>, steps: &[Step]) -> ValueOrigin {
        self.trace(expr, env, steps, &Cell::new(MOST_STEPS))
    }

    fn trace(&self, expr: &'p Expr, env: &Env<'p>, steps: &[Step], left: Left<'_>) -> ValueOrigin {
        left.set(left.get().saturating_sub(1));
        if left.get() == 0 || !self.meter.charge(1) {
            return ValueOrigin::Unknown;
        }
        guarded(|| self.follow(expr, env, steps, left))
    }

    fn follow(&self, expr: &'p Expr, env: &Env<'p>, steps: &[Step], left: Left<'_>) -> ValueOrigin {
        let expr = expr.bare();
        match &expr.kind {
            ExprKind::GetAttr { base, name } => self.attribute(base, name, env, steps, left),
            ExprKind::Index { base, key, .. } => {
                let key = self.evaluate(key, env).value.unmark_deep().0;
                let steps = with_first(Step::Index(key), steps);
                self.trace(base, env, &steps, left)
            }
            ExprKind::Object(items) => {
                let wanted = steps.first().and_then(name);
                match items.iter().find(|it| wanted.is_some() && key(it) == wanted) {
                    Some(it) => self.trace(&it.value, env, &steps[1..], left),
                    None => self.of_all(expr, env, left),
                }
            }
            ExprKind::Tuple(items) => {
                let at = steps.first().and_then(|it| match it {
                    Step::Index(it) => index(it),
                    Step::Attribute(_) => None,
                });
                match at.and_then(|it| items.get(it)) {
                    Some(it) => self.trace(it, env, &steps[1..], left),
                    None => self.of_all(expr, env, left),
                }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let is_met = self.evaluate(condition, env).value.unmark_deep();
                match (is_met.0.as_bool(), is_met.1.is_undecided()) {
                    (Some(true), false) => self.trace(then, env, steps, left),
                    (Some(false), false) => self.trace(otherwise, env, steps, left),
                    _ => {
                        let one = self.trace(then, env, steps, left);
                        let other = self.trace(otherwise, env, steps, left);
                        if one == other { one } else { ValueOrigin::Unknown }
                    }
                }
            }
            ExprKind::Splat { source, each, .. } => {
                let all = through_each(steps, chain(each, None)).unwrap_or_default();
                self.trace(source, env, &all, left)
            }
            ExprKind::Call { name, args, expand: false } => {
                self.call(&name.name, args, expr, env, steps, left)
            }
            ExprKind::For(it) => self.of_for(it, expr, env, steps, left),
            _ => self.of_all(expr, env, left),
        }
    }

    /// The origin of `base.name`: a reference, or an attribute of another expression.
    fn attribute(
        &self,
        base: &'p Expr,
        name: &'p Ident,
        env: &Env<'p>,
        steps: &[Step],
        left: Left<'_>,
    ) -> ValueOrigin {
        let word = name.name.as_str();
        match &base.kind {
            ExprKind::Variable(root) => {
                if let Some(at) = env.bound.iter().rposition(|it| it.name == *root) {
                    return self.of_element(&env.bound[at], at, word, env, steps, left);
                }
                match root.as_str() {
                    "var" => self.of_variable(word, env, steps, left),
                    "local" => {
                        let local = self.members.get(env.member).module.locals.get(word);
                        let env = Env::of(env.member, env.index);
                        local.map_or(ValueOrigin::Unknown, |it| {
                            self.trace(&it.expr, &env, steps, left)
                        })
                    }
                    "each" if word == "value" => self.of_each(env, steps, left),
                    "each" | "count" | "path" | "terraform" | "tofu" => ValueOrigin::Literal,
                    "module" => self.of_output(word, env, steps, left),
                    "data" | "resource" | "ephemeral" | "self" => ValueOrigin::Unknown,
                    kind => self.of_object(kind, word, env, steps),
                }
            }
            ExprKind::GetAttr { base: root, name: kind } => match &root.kind {
                ExprKind::Variable(root) if root == "resource" => {
                    self.of_object(&kind.name, word, env, steps)
                }
                ExprKind::Variable(root) if matches!(root.as_str(), "data" | "ephemeral") => {
                    self.of_object(&format!("{root}.{}", kind.name), word, env, steps)
                }
                _ => self.trace(base, env, &with_first(attribute(word), steps), left),
            },
            _ => self.trace(base, env, &with_first(attribute(word), steps), left),
        }
    }

    /// The origin of a resource or data source; the first step is its key if it has `count` or
    /// `for_each`.
    fn of_object(&self, kind: &str, name: &str, env: &Env<'p>, steps: &[Step]) -> ValueOrigin {
        let module = self.members.get(env.member).module;
        let Some(resource) = module.resources.get(&(SmolStr::new(kind), SmolStr::new(name))) else {
            return ValueOrigin::Unknown;
        };
        let key = match steps.first() {
            Some(Step::Index(it)) if resource.repetition.expr().is_some() => InstanceKey::of(it),
            _ => None,
        };
        ValueOrigin::Block {
            module: self.addresses[env.member][env.index].to_string(),
            block: format!("{kind}.{name}"),
            key: key.map(|it| it.text()),
        }
    }

    fn of_variable(
        &self,
        name: &str,
        env: &Env<'p>,
        steps: &[Step],
        left: Left<'_>,
    ) -> ValueOrigin {
        let Some((caller, call)) = self.members.get(env.member).caller else {
            return ValueOrigin::Literal;
        };
        let Some(argument) = call.arguments.get(name) else { return ValueOrigin::Literal };
        let here = &self.instances[env.member][env.index];
        let outer = Env {
            instance: here.instance.clone(),
            for_each: call.repetition.for_each.as_ref(),
            ..Env::of(caller, here.caller)
        };
        self.trace(&argument.expr, &outer, steps, left)
    }

    /// The origin of `module.NAME`; the first steps are the key and the name of an output.
    fn of_output(&self, call: &str, env: &Env<'p>, steps: &[Step], left: Left<'_>) -> ValueOrigin {
        let here = &self.instances[env.member][env.index];
        let expansion = here.expansions.get(&(CALL, SmolStr::new(call)));
        let Some(called) = self.members.called(env.member, call) else {
            return ValueOrigin::Unknown;
        };
        let (key, steps) = match (expansion, steps) {
            (Some(Expansion::Single), _) => (None, steps),
            (Some(Expansion::Count(_) | Expansion::Each(_)), [Step::Index(key), rest @ ..]) => {
                let Some(key) = InstanceKey::of(key) else { return ValueOrigin::Unknown };
                (Some(key), rest)
            }
            _ => return ValueOrigin::Unknown,
        };
        let Some((Some(output), rest)) = steps.split_first().map(|it| (name(it.0), it.1)) else {
            return ValueOrigin::Unknown;
        };
        let instances = self.instances[called].iter();
        let index = instances
            .enumerate()
            .position(|(_, it)| it.caller == env.index && super::key_of(&it.instance) == key);
        let output = self.members.get(called).module.outputs.get(output);
        let (Some(index), Some(value)) = (index, output.and_then(|it| it.value.as_ref())) else {
            return ValueOrigin::Unknown;
        };
        self.trace(value, &Env::of(called, index), rest, left)
    }

    /// The origin of `each.value`.
    fn of_each(&self, env: &Env<'p>, steps: &[Step], left: Left<'_>) -> ValueOrigin {
        let (Some(for_each), Some((key, _))) = (env.for_each, &env.instance.each) else {
            return ValueOrigin::Unknown;
        };
        let steps = with_first(Step::Index(key.clone()), steps);
        let outer = Env { instance: Instance::default(), for_each: None, ..env.clone() };
        self.trace(for_each, &outer, &steps, left)
    }

    /// The origin of `NAME.value` in a `dynamic` block.
    fn of_element(
        &self,
        bound: &Bound<'p>,
        at: usize,
        word: &str,
        env: &Env<'p>,
        steps: &[Step],
        left: Left<'_>,
    ) -> ValueOrigin {
        if word == "key" {
            return ValueOrigin::Literal;
        }
        let key = bound.value.as_mapping().and_then(|it| it.get("key")).cloned();
        let Some(key) = key else { return ValueOrigin::Unknown };
        let outer = Env { bound: env.bound[..at].to_vec(), ..env.clone() };
        self.trace(bound.collection, &outer, &with_first(Step::Index(key), steps), left)
    }

    fn call(
        &self,
        function: &str,
        args: &'p [Expr],
        whole: &'p Expr,
        env: &Env<'p>,
        steps: &[Step],
        left: Left<'_>,
    ) -> ValueOrigin {
        let element = |it: &'p Expr, at: Step| self.trace(it, env, &with_first(at, steps), left);
        match (function.strip_prefix("core::").unwrap_or(function), args) {
            (same, [first]) if SAME.contains(&same) => self.trace(first, env, steps, left),
            ("one", [first]) => element(first, Step::index(0)),
            ("element" | "lookup", [first, at, ..]) => {
                let at = self.evaluate(at, env).value.unmark_deep().0;
                element(first, Step::Index(at))
            }
            ("join", [between, all]) if matches!(&between.kind, ExprKind::String(it) if it.is_empty()) => {
                element(all, Step::index(0))
            }
            ("try", all) => {
                let sound = all.iter().find(|it| self.evaluate(it, env).diagnostics.is_empty());
                sound.map_or(ValueOrigin::Unknown, |it| self.trace(it, env, steps, left))
            }
            _ => self.of_all(whole, env, left),
        }
    }

    /// The origin of an element of a `for`: `{for k, v in COLLECTION : k => v.x}` at a key, and `[for v
    /// in COLLECTION : v.x]` at an index.
    fn of_for(
        &self,
        it: &'p ForExpr,
        whole: &'p Expr,
        env: &Env<'p>,
        steps: &[Step],
        left: Left<'_>,
    ) -> ValueOrigin {
        let is_same = |expr: &Expr, name: Option<&Ident>| matches!((&expr.kind, name), (ExprKind::Variable(it), Some(name)) if *it == name.name);
        let keeps_keys = match &it.key {
            Some(key) => is_same(key, it.key_name.as_ref()),
            None => it.condition.is_none(),
        };
        let inner = chain(&it.value, Some(&it.value_name.name));
        match through_each(steps, inner).filter(|_| keeps_keys) {
            Some(all) => self.trace(&it.collection, env, &all, left),
            None => self.of_all(whole, env, left),
        }
    }

    /// The origin of an expression whose form does not show it: the only object that the expression mentions.
    fn of_all(&self, expr: &'p Expr, env: &Env<'p>, left: Left<'_>) -> ValueOrigin {
        let mut found = ValueOrigin::Literal;
        let mut children = Vec::new();
        expr.for_each_child(&mut |it| children.push(it));
        // The names that a `for` binds come from its collection, whose references are listed too.
        if let ExprKind::For(it) = &expr.kind {
            children = vec![&it.collection];
            let others = [Some(&it.value), it.key.as_ref(), it.condition.as_ref()];
            let has_more = others.into_iter().flatten().any(has_objects);
            if has_more {
                return ValueOrigin::Unknown;
            }
        }
        for it in children {
            found = found.and(self.trace(it, env, &[], left));
        }
        found
    }
}

/// Whether an expression may refer to more than the names bound around it.
fn has_objects(expr: &Expr) -> bool {
    const PLAIN: [&str; 5] = ["each", "count", "path", "terraform", "var"];
    let is_plain = |it: &tf_eval::RootReference<'_>| PLAIN.contains(&it.name);
    tf_eval::references(expr).iter().any(|it| {
        let is_object = it.steps().len() > 1 || it.name == "local" || it.name == "module";
        !is_plain(it) && is_object
    })
}

/// The steps into a collection whose elements are each read `inner` steps deeper: the first of `steps`
/// chooses the element. `None` where no step chooses one, or `inner` is unknown.
fn through_each(steps: &[Step], inner: Option<Vec<Step>>) -> Option<Vec<Step>> {
    let (first, rest) = steps.split_first()?;
    let before = std::iter::once(first.clone()).chain(inner?);
    Some(before.chain(rest.iter().cloned()).collect())
}

/// The attributes and constant keys that follow the element of a splat, or the name `root`.
fn chain(expr: &Expr, root: Option<&str>) -> Option<Vec<Step>> {
    let (mut at, mut steps) = (expr, Vec::new());
    loop {
        match (&at.kind, root) {
            (ExprKind::SplatItem, None) => break,
            (ExprKind::Variable(it), Some(root)) if it == root => break,
            (ExprKind::GetAttr { base, name }, _) => {
                steps.push(attribute(&name.name));
                at = base;
            }
            (ExprKind::Index { base, key, .. }, _) => {
                steps.push(Step::Index(match &key.kind {
                    ExprKind::String(it) => Value::string(it),
                    ExprKind::Number(it) => Value::number(tf_value::Number::parse(it)?),
                    _ => return None,
                }));
                at = base;
            }
            _ => return None,
        }
    }
    steps.reverse();
    Some(steps)
}

fn attribute(name: &str) -> Step {
    Step::Attribute(name.into())
}

fn with_first(first: Step, rest: &[Step]) -> Vec<Step> {
    std::iter::once(first).chain(rest.iter().cloned()).collect()
}
