//! The state for reading every part of a rule: problems, names, the evaluation of constants.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use smol_str::SmolStr;

use super::{BlockKind, LabelPattern, Names, Validator, words};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, did_you_mean, lints};
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use release::Release;
use stack::guarded;
use system::DeniedSystem;
use tf_eval::{EvalHost, Meter, NoData, Scope, evaluate_part, functions, references};
use tf_value::Value;

/// What was read of a `local`.
pub(super) struct Local {
    /// `None` where the definition is a validator, or failed.
    pub value: Option<Value>,
    pub validator: Option<Arc<Validator>>,
    /// Its problems as a validator; reported when it is used as one.
    pub problems: Diagnostics,
}

pub(super) struct RuleFileReader<'a> {
    pub problems: Diagnostics,
    pub names: Names,
    pub locals: BTreeMap<SmolStr, Local>,
    /// Every declared local, read or not.
    pub declared: BTreeSet<SmolStr>,
    /// Whether the reader is inside a `needs` block.
    pub is_in_needs: bool,
    /// How many `subject` validators were read so far.
    pub subjects: usize,
    /// The types that `reference` names.
    pub referred: Vec<(BlockKind, LabelPattern)>,
    /// Names that a plan does not contain.
    pub written: Vec<(SmolStr, Span)>,
    meter: &'a Meter,
}

/// How an expression depends on the judged object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mentions {
    /// `self`
    pub this: bool,
    /// `prior`, `parent`, `attrs`, `meta`
    pub around: bool,
    /// A name is wrong, which was reported.
    pub is_wrong: bool,
}

impl<'a> RuleFileReader<'a> {
    pub fn new(names: Names, declared: BTreeSet<SmolStr>, meter: &'a Meter) -> Self {
        RuleFileReader {
            problems: Vec::new(),
            names,
            locals: BTreeMap::new(),
            declared,
            is_in_needs: false,
            subjects: 0,
            referred: Vec::new(),
            written: Vec::new(),
            meter,
        }
    }

    pub fn error(&mut self, summary: impl Into<String>, detail: impl Into<String>, span: Span) {
        self.problems.push(problem(summary, detail, span));
    }

    /// Adds advice to the last problem.
    pub fn advise(&mut self, help: Option<String>) {
        if let Some(problem) = self.problems.last_mut() {
            problem.help = help;
        }
    }

    pub fn error_with(&mut self, summary: String, help: Option<String>, span: Span) {
        let mut problem = problem(summary, "", span);
        problem.help = help;
        self.problems.push(problem);
    }

    /// Evaluates an expression that may refer only to `context` and `local`; `None` after an error.
    pub fn constant(&mut self, expr: &Expr) -> Option<Value> {
        let mentions = self.mentions(expr);
        if mentions.is_wrong {
            return None;
        }
        if mentions.this || mentions.around {
            let detail = "This expression can refer only to context and local.";
            self.error("The value depends on the judged object", detail, expr.span);
            return None;
        }
        self.evaluate(expr)
    }

    /// Evaluates an expression that was found to mention only `context` and `local`.
    pub fn evaluate(&mut self, expr: &Expr) -> Option<Value> {
        let local = if references(expr).iter().any(|it| it.name == "local") {
            self.local_values(expr)
        } else {
            self.names.local.clone()
        };
        let names = [("context".into(), self.names.context.clone()), ("local".into(), local)];
        let system = DeniedSystem;
        let host = EvalHost::metered(&system, Path::new(""), Release::NEWEST, self.meter);
        host.begin(None);
        let scope = Scope { data: &NoData, host: &host, release: Release::NEWEST };
        let evaluation = evaluate_part(expr, &scope, &names);
        if let Some(first) = evaluation.diagnostics.first() {
            let detail = first.message();
            let span = first.span().unwrap_or(expr.span);
            self.error("The expression fails", detail, span);
            if let (Some(problem), Some(help)) = (self.problems.last_mut(), of_operator(expr)) {
                problem.help = Some(help.to_owned());
            }
            return None;
        }
        Some(evaluation.value)
    }

    /// The locals that an expression mentions: to copy all of them would take long.
    fn local_values(&self, expr: &Expr) -> Value {
        let mut found = BTreeMap::new();
        for name in local_names(expr) {
            if let Some(Local { value: Some(value), .. }) = self.locals.get(&name) {
                found.insert(name, value.clone());
            }
        }
        Value::object(found)
    }

    /// Reports names that do not exist; returns the kinds of names that the expression mentions.
    pub fn mentions(&mut self, expr: &Expr) -> Mentions {
        let mut found = Mentions::default();
        let roots: Vec<_> = references(expr)
            .into_iter()
            .map(|it| (SmolStr::new(it.name), first_attribute(&it), it.span))
            .collect();
        for (root, first, span) in roots {
            match root.as_str() {
                "self" => found.this = true,
                "prior" | "parent" | "attrs" | "meta" => found.around = true,
                "context" => found.is_wrong |= !self.has_context(first, span),
                "local" => found.is_wrong |= !self.has_local(first, span),
                word => {
                    self.unknown_name(word, span);
                    found.is_wrong = true;
                }
            }
        }
        found.is_wrong |= !self.has_functions(expr);
        found
    }

    fn has_context(&mut self, name: Option<SmolStr>, span: Span) -> bool {
        let Some(name) = name else { return true };
        let all = self.names.context.as_mapping();
        if all.is_some_and(|it| it.contains_key(&name)) {
            return true;
        }
        let known = all.into_iter().flat_map(BTreeMap::keys).map(SmolStr::as_str);
        let hint = did_you_mean(&name, known);
        let detail = format!("The context {name:?} is not declared.{hint}");
        self.error("Reference to an undeclared context", detail, span);
        false
    }

    fn has_local(&mut self, name: Option<SmolStr>, span: Span) -> bool {
        let Some(name) = name else {
            let detail = "Write local.NAME.";
            self.error("`local` alone is not a value", detail, span);
            return false;
        };
        if !self.declared.contains(&name) {
            let hint = did_you_mean(&name, self.declared.iter().map(SmolStr::as_str));
            let detail = format!("The local {name:?} is not declared.{hint}");
            self.error("Reference to an undeclared local", detail, span);
            return false;
        }
        match self.locals.get(&name) {
            Some(Local { value: None, .. }) => {
                let detail = format!(
                    "local.{name} is a validator: use it as an argument's value or in another \
                    validator, not in an expression."
                );
                self.error("A validator is not a value", detail, span);
                false
            }
            // The local was not read: it is part of a cycle, which is reported.
            None => false,
            Some(_) => true,
        }
    }

    fn unknown_name(&mut self, word: &str, span: Span) {
        if words::VALIDATORS.contains(&word) {
            let detail = format!(
                "{word} is a validator: use it as an argument's value or in another validator, \
                not in an expression."
            );
            return self.error("A validator in an expression", detail, span);
        }
        let help = words::instead(word).unwrap_or_else(|| words::instead_of_root(word));
        self.error_with(format!("Unknown name {word:?}"), Some(help), span);
    }

    /// Whether every called function exists; reports those that do not.
    fn has_functions(&mut self, expr: &Expr) -> bool {
        let mut unknown = Vec::new();
        find_unknown_calls(expr, &mut unknown);
        for (name, span) in &unknown {
            self.unknown_call(name, *span);
        }
        unknown.is_empty()
    }

    pub fn unknown_call(&mut self, name: &str, span: Span) {
        if words::VALIDATORS.contains(&name) {
            let detail =
                format!("{name}(…) is a validator, which cannot be part of an expression.");
            return self.error("A validator in an expression", detail, span);
        }
        let functions = functions::all().iter().map(|it| it.name);
        let near = || diagnostics::near_word(name, functions);
        let help = words::instead(name).or_else(near);
        let summary = format!("Unknown validator or function {name:?}");
        self.error_with(summary, help, span);
    }
}

/// Advice on an operator in place of a validator: `"a" || "b"`.
fn of_operator(expr: &Expr) -> Option<&'static str> {
    match &expr.kind {
        ExprKind::Binary { op: BinaryOp::Or, .. } => {
            Some("any(A, B) accepts one of several values")
        }
        ExprKind::Binary { op: BinaryOp::And, .. } => Some("all(A, B) requires several validators"),
        ExprKind::Unary { op: UnaryOp::Not, .. } => Some(
            "deny(A) accepts everything except a \
            value",
        ),
        _ => None,
    }
}

/// Whether a call is one of Terraform's functions.
pub(super) fn is_function(name: &str) -> bool {
    functions::lookup(name.strip_prefix("core::").unwrap_or(name)).is_some()
}

fn find_unknown_calls(expr: &Expr, found: &mut Vec<(SmolStr, Span)>) {
    if let ExprKind::Call { name, .. } = &expr.kind
        && !is_function(&name.name)
    {
        found.push((name.name.clone(), name.span));
    }
    if !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| find_unknown_calls(it, found)));
    }
}

/// The name after `context.` or `local.`.
fn first_attribute(root: &tf_eval::RootReference<'_>) -> Option<SmolStr> {
    match root.first {
        Some(tf_eval::ReferenceStep::Attribute(name)) => Some(name.into()),
        _ => None,
    }
}

/// The locals that an expression mentions, each once.
pub(super) fn local_names(expr: &Expr) -> BTreeSet<SmolStr> {
    let found = references(expr);
    found.iter().filter(|it| it.name == "local").filter_map(first_attribute).collect()
}

/// A static error of a rule file.
pub(super) fn problem(
    summary: impl Into<String>,
    detail: impl Into<String>,
    span: Span,
) -> Diagnostic {
    Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(detail).at(Role::Rule, span)
}
