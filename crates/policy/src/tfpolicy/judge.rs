//! Judges one object by the conditions of a policy.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::Path as FilePath,
    rc::Rc,
    sync::Arc,
};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    explain::{found, mentioned},
    functions::PolicyHost,
    model::{Enforced, PolicyDemands},
    object::{Object, with_host},
    reader::local_names,
    reads::names_of,
    related::Types,
};
use crate::{
    language::LabelPattern,
    needs::Needs,
    subjects::PolicySubject,
    validate::{Outcome, ValueJudge},
};
use diagnostics::Span;
use hcl::{Expr, ExprKind, TemplatePart};
use release::Release;
use stack::guarded;
use system::DeniedSystem;
use tf_eval::{EvalHost, NoData, Scope, evaluate_part, functions::NULL_REFUSED, references};
use tf_value::{Marks, Path, Type, Value, convert};

/// What was evaluated for one object, and serves for others too.
#[derive(Default)]
pub(crate) struct Memory {
    /// The locals of files, by the address of their definition.
    shared: RefCell<HashMap<usize, Evaluated>>,
    pub(super) types: RefCell<Types>,
    /// Why the last list of other objects is not complete.
    pub(super) doubt: RefCell<Option<String>>,
    /// Lists of blocks that a policy reads like a single block: the place, and the name of the argument.
    pub lists: RefCell<BTreeMap<Span, SmolStr>>,
    /// The names in expressions, by the address of the expression.
    names: RefCell<HashMap<usize, Rc<NamesIn>>>,
    /// What expressions and the locals in them refer to.
    referred: RefCell<ByPolicy<Rc<[Referred]>>>,
}

/// By the addresses of a policy and of an expression in it.
type ByPolicy<T> = HashMap<(usize, usize), T>;

/// A part of a value that an expression refers to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Referred {
    pub root: SmolStr,
    /// The names after the root, up to the first index; `None` for the root itself.
    pub names: Option<Vec<SmolStr>>,
}

/// The names in an expression, each once.
struct NamesIn {
    roots: Vec<SmolStr>,
    locals: Vec<SmolStr>,
}

impl Memory {
    fn names_in(&self, expr: &Expr) -> Rc<NamesIn> {
        let key = std::ptr::from_ref(expr) as usize;
        if let Some(known) = self.names.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut roots: Vec<SmolStr> = Vec::new();
        for it in references(expr) {
            if !roots.iter().any(|known| known == it.name) {
                roots.push(it.name.into());
            }
        }
        let locals = local_names(expr).into_iter().collect();
        let names = Rc::new(NamesIn { roots, locals });
        self.names.borrow_mut().insert(key, Rc::clone(&names));
        names
    }

    /// What an expression refers to, itself or by a local of its policy, each once.
    pub(super) fn referred(&self, expr: &Expr, conditions: &PolicyDemands) -> Rc<[Referred]> {
        let key = (std::ptr::from_ref(conditions) as usize, std::ptr::from_ref(expr) as usize);
        if let Some(known) = self.referred.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut found: Vec<Referred> = Vec::new();
        let mut seen: BTreeSet<Referred> = BTreeSet::new();
        for expr in conditions.with_locals(expr) {
            for it in references(expr) {
                let names = it.first.map(|_| names_of(&it));
                let referred = Referred { root: it.name.into(), names };
                if seen.insert(referred.clone()) {
                    found.push(referred);
                }
            }
        }
        let found: Rc<[Referred]> = found.into();
        self.referred.borrow_mut().insert(key, Rc::clone(&found));
        found
    }
}

/// Judges objects by policies.
pub(crate) struct Enforcer<'a, 'w> {
    pub needs: &'a Needs<'w>,
    pub judge: &'a ValueJudge<'a>,
    pub memory: &'a Memory,
}

/// The result of an expression.
#[derive(Clone, Debug)]
pub(super) enum Evaluated {
    Value(Value),
    /// It has none yet, for a reason.
    Unknown(String),
    /// It fails, whatever the unknown values are.
    Failed(String),
}

enum Truth {
    True,
    False,
    Unknown(String),
    Failed(String),
}

/// The names that expressions refer to.
pub(super) struct Env<'e> {
    pub conditions: &'e PolicyDemands,
    /// `None` for the locals of a file.
    pub object: Option<&'e Object>,
    /// The place of the judged object in its world.
    pub at: Option<usize>,
    locals: RefCell<BTreeMap<SmolStr, Evaluated>>,
}

impl Env<'_> {
    /// The value of a root, except for `local`.
    fn value(&self, root: &str) -> Option<&Value> {
        match root {
            "attrs" => self.object.map(|it| &it.attrs),
            "prior_attrs" => self.object.map(|it| &it.prior),
            "meta" => self.object.map(|it| &it.meta),
            "input" => Some(&self.conditions.file.input),
            _ => None,
        }
    }
}

const OPEN: &str = "it is known after apply";

impl Enforcer<'_, '_> {
    /// Judges an object. A policy whose filter is false passes.
    pub fn judge(
        &self,
        conditions: &PolicyDemands,
        subject: &PolicySubject<'_>,
        at: Option<usize>,
    ) -> Outcome {
        if let Some(label) = &conditions.source
            && !is_source(label, subject)
        {
            return Outcome::PASS;
        }
        self.memory.doubt.take();
        let object = &Object::new(subject, conditions);
        let env = Env { conditions, object: Some(object), at, locals: RefCell::default() };
        self.note_lists(conditions, object);
        let mut doubt = None;
        if let Some(filter) = &conditions.filter {
            match self.truth(filter, &env) {
                Truth::True => (),
                Truth::False => return Outcome::PASS,
                Truth::Unknown(why) => doubt = Some(self.undecided(filter, why, &env)),
                Truth::Failed(why) => return Outcome::broken(Path::default(), why, filter.span),
            }
        }
        let mut outcome = Outcome::PASS;
        for it in &conditions.enforced {
            outcome.add(self.enforced(it, &env));
        }
        match doubt {
            Some(doubt) if !outcome.is_pass() => doubt,
            _ => outcome,
        }
    }

    /// Notes where a policy reads a list of blocks like a single block.
    fn note_lists(&self, conditions: &PolicyDemands, object: &Object) {
        for (name, span) in &conditions.reads.inside {
            let value = object.attrs.as_mapping().and_then(|it| it.get(name));
            if value.is_some_and(|it| it.as_sequence().is_some()) {
                self.memory.lists.borrow_mut().entry(*span).or_insert_with(|| name.clone());
            }
        }
    }

    fn enforced(&self, it: &Enforced, env: &Env<'_>) -> Outcome {
        let condition = &it.condition;
        let author_message =
            || it.error_message.as_ref().and_then(|it| self.author_message(it, env));
        let mut outcome = match self.truth(condition, env) {
            Truth::True => return Outcome::PASS,
            Truth::Unknown(why) => return self.undecided(condition, why, env),
            Truth::Failed(why) => Outcome::broken(Path::default(), why, condition.span),
            Truth::False => {
                let (place, found) = found(condition, env, self.memory);
                Outcome::failed(place, found, condition.span)
            }
        };
        outcome.violations.iter_mut().for_each(|it| it.author_message = author_message());
        outcome
    }

    fn truth(&self, expr: &Expr, env: &Env<'_>) -> Truth {
        let value = match self.evaluate(expr, env) {
            Evaluated::Value(it) => it,
            Evaluated::Unknown(why) => return Truth::Unknown(why),
            Evaluated::Failed(why) => return Truth::Failed(why),
        };
        let Ok(value) = convert(&value, &Type::Bool) else {
            return Truth::Failed("an error: the condition is not true or false".to_owned());
        };
        if !value.is_known() || value.marks().is_undecided() {
            return Truth::Unknown(OPEN.to_owned());
        }
        match value.as_bool() {
            Some(true) => Truth::True,
            Some(false) => Truth::False,
            None => match excuse(expr, env, self.memory) {
                Some(why) => Truth::Unknown(why),
                None => Truth::Failed("an error: the condition is null".to_owned()),
            },
        }
    }

    pub(super) fn evaluate(&self, expr: &Expr, env: &Env<'_>) -> Evaluated {
        // The most frequent condition needs no evaluation of its own.
        if let Some(name) = local_of(expr) {
            return guarded(|| self.local(name, env));
        }
        let names = match self.names(expr, env) {
            Ok(it) => it,
            Err(why) => return why,
        };
        let inner =
            EvalHost::metered(&DeniedSystem, FilePath::new(""), Release::NEWEST, self.judge.meter);
        let host = PolicyHost { inner, enforcer: self, env };
        let scope = Scope { data: &NoData, host: &host, release: Release::NEWEST };
        let evaluation = evaluate_part(expr, &scope, &names);
        let reason = evaluation.undecided.first().cloned();
        let Some(first) = evaluation.diagnostics.first() else {
            let value = evaluation.value;
            return match reason {
                // A value that depends on what only a plan or a provider knows.
                Some(why) if !value.is_known() || value.marks().is_undecided() => {
                    Evaluated::Unknown(why)
                }
                _ => Evaluated::Value(value),
            };
        };
        if first.rule == diagnostics::lints::BUDGET_EXCEEDED {
            self.judge.is_exceeded.set(true);
            return Evaluated::Unknown("judging it exceeds the work limit".to_owned());
        }
        if let Some(why) = excuse(expr, env, self.memory) {
            return Evaluated::Unknown(why);
        }
        // The details are left out, since they may quote values.
        let text = text_of_error(&first.summary, &first.detail);
        Evaluated::Failed(format!("an error: {text}"))
    }

    /// The values of the roots that an expression refers to. Errors: a local that it needs fails.
    fn names(&self, expr: &Expr, env: &Env<'_>) -> Result<Vec<(SmolStr, Value)>, Evaluated> {
        let mut bound: Vec<(SmolStr, Value)> = Vec::new();
        let names = self.memory.names_in(expr);
        for name in &names.roots {
            let value = match name.as_str() {
                "local" => Some(self.locals(&names.locals, env)?),
                name => env.value(name).cloned(),
            };
            bound.extend(value.map(|value| (name.clone(), value)));
        }
        Ok(bound)
    }

    /// Locals as an object. Errors: one of them fails.
    fn locals(&self, names: &[SmolStr], env: &Env<'_>) -> Result<Value, Evaluated> {
        let mut found = BTreeMap::new();
        for name in names {
            let value = match guarded(|| self.local(name, env)) {
                Evaluated::Value(it) => it,
                Evaluated::Unknown(_) => Value::unknown(Type::Dynamic).with_marks(Marks::UNDECIDED),
                failed @ Evaluated::Failed(_) => return Err(failed),
            };
            found.insert(name.clone(), value);
        }
        Ok(Value::object(found))
    }

    fn local(&self, name: &SmolStr, env: &Env<'_>) -> Evaluated {
        let conditions = env.conditions;
        if let Some(definition) = conditions.locals.get(name).filter(|_| env.object.is_some()) {
            if let Some(known) = env.locals.borrow().get(name) {
                return known.clone();
            }
            let value = self.evaluate(definition, env);
            env.locals.borrow_mut().insert(name.clone(), value.clone());
            return value;
        }
        let Some(definition) = conditions.file.locals.get(name) else {
            return Evaluated::Failed(format!("an error: there is no local.{name}"));
        };
        let key = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.memory.shared.borrow().get(&key) {
            return known.clone();
        }
        let env = Env { conditions, object: None, at: None, locals: RefCell::default() };
        let value = self.evaluate(definition, &env);
        self.memory.shared.borrow_mut().insert(key, value.clone());
        value
    }

    /// Undecided, with the first argument that is not known and the reason.
    fn undecided(&self, expr: &Expr, why: String, env: &Env<'_>) -> Outcome {
        let is_open = |it: &(Path, Value)| !it.1.is_wholly_known();
        let open = mentioned(expr, env, self.memory).into_iter().find(is_open);
        let place = open.map_or(Path::default(), |it| it.0);
        let why = match self.reason_of_locals(expr, env) {
            Some(reason) if why == OPEN => reason,
            None if why == OPEN => self.memory.doubt.borrow().clone().unwrap_or(why),
            _ => why,
        };
        Outcome::undecided(place, why, expr.span)
    }

    /// The reason for which a local that an expression mentions has no value.
    fn reason_of_locals(&self, expr: &Expr, env: &Env<'_>) -> Option<String> {
        let mut waiting: Vec<SmolStr> = local_names(expr).into_iter().rev().collect();
        let mut seen: BTreeSet<SmolStr> = waiting.iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            match guarded(|| self.local(&name, env)) {
                Evaluated::Unknown(why) => return Some(why),
                Evaluated::Value(it) if !it.is_known() => {
                    let definition = env.conditions.local(&name)?;
                    let further = local_names(definition).into_iter().rev();
                    waiting.extend(further.filter(|it| seen.insert(it.clone())));
                }
                _ => (),
            }
        }
        None
    }

    /// The author's message; `None` if it shows a secret. Parts that have no value are named as such.
    fn author_message(&self, message: &Expr, env: &Env<'_>) -> Option<String> {
        let ExprKind::Template(parts) = &message.kind else {
            let Evaluated::Value(it) = self.evaluate(message, env) else { return None };
            return (!it.deep_marks().is_hidden()).then(|| it.as_str().map(str::to_owned))?;
        };
        let mut text = String::new();
        for part in parts {
            match part {
                TemplatePart::Literal { text: it, .. } => text.push_str(it),
                TemplatePart::Interpolation(it) => text.push_str(&self.interpolated(it, env)),
                TemplatePart::If { .. } | TemplatePart::For { .. } => {
                    let Evaluated::Value(it) = self.evaluate(message, env) else { return None };
                    return (!it.deep_marks().is_hidden())
                        .then(|| it.as_str().map(str::to_owned))?;
                }
            }
        }
        Some(text)
    }

    fn interpolated(&self, expr: &Expr, env: &Env<'_>) -> String {
        match self.evaluate(expr, env) {
            Evaluated::Value(it) if it.deep_marks().is_hidden() => "(sensitive)".to_owned(),
            Evaluated::Value(it) if it.is_wholly_known() => match convert(&it, &Type::String) {
                Ok(text) => text.as_str().unwrap_or("null").to_owned(),
                Err(_) => "(not a text)".to_owned(),
            },
            Evaluated::Value(_) | Evaluated::Unknown(_) => "(known after apply)".to_owned(),
            Evaluated::Failed(_) => "(no value)".to_owned(),
        }
    }
}

/// The name in `local.NAME`, if an expression is nothing else.
pub(super) fn local_of(expr: &Expr) -> Option<&SmolStr> {
    match &expr.kind {
        ExprKind::GetAttr { base, name } => {
            matches!(&base.kind, ExprKind::Variable(root) if root == "local").then_some(&name.name)
        }
        _ => None,
    }
}

/// Whether a call has the source that a module policy is about.
fn is_source(label: &LabelPattern, subject: &PolicySubject<'_>) -> bool {
    let source = subject.attrs.as_mapping().and_then(|it| it.get("source"));
    let Some(text) = source.and_then(Value::as_str) else { return label.0 == "*" };
    label.matches(text) || with_host(text).is_some_and(|it| label.matches(&it))
}

/// The words of an error without values.
fn text_of_error(summary: &str, detail: &str) -> String {
    let function = detail.strip_prefix("Call to function \"");
    let function = function.and_then(|it| it.split('"').next());
    match function.filter(|it| super::functions::unknown(it, Span::default()).is_none()) {
        Some(name) => format!("{name} fails"),
        None if detail.trim_end_matches('.').ends_with(NULL_REFUSED) => {
            "a function or an operator does not take null".to_owned()
        }
        None => summary.to_owned(),
    }
}

/// Why an error proves nothing: a value that the expression reads, or a local in it, is not known, or is not
/// written yet.
fn excuse(expr: &Expr, env: &Env<'_>, memory: &Memory) -> Option<String> {
    memory.referred(expr, env.conditions).iter().find_map(|it| excuse_of(it, env))
}

fn excuse_of(it: &Referred, env: &Env<'_>) -> Option<String> {
    let value = env.value(&it.root)?;
    let first = it.names.as_ref().and_then(|it| it.first());
    // What is missing stays so.
    let value = match (first, value.as_mapping()) {
        (Some(name), Some(all)) => all.get(name)?,
        _ => value,
    };
    if !value.is_wholly_known() || value.deep_marks().is_undecided() {
        return Some(OPEN.to_owned());
    }
    let is_unwritten = |name: &SmolStr| env.object.is_some_and(|it| it.unwritten.contains(name));
    let name = first.filter(|name| it.root == "attrs" && is_unwritten(name))?;
    let how = if value.is_null() { "is not written" } else { "is written only in part" };
    Some(format!("{name} {how}, and a provider may set it"))
}
