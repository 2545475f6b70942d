//! `null-crashes-validation`: a null makes a condition fail with an error instead of an answer.
//!
//! Before Terraform 1.12 (OpenTofu 1.10) `&&` and `||` evaluate both operands and an error in
//! either one counts, so that `var.x == null || length(var.x) > 2` guards nothing.

use std::collections::HashSet;

use super::{ModuleContext, Tried};
use crate::rules::optional_attribute::OptionalAttribute;
use diagnostics::{Diagnostic, Diagnostics, LevelReason, Role, lints};
use hcl::{BinaryOp, Expr, ExprKind};
use module::Variable;
use release::{Release, Version, changes};
use stack::guarded;
use tf_value::Value;
use verdict::{JudgeSetting, Others, Probe};

pub(super) fn check(context: &ModuleContext<'_>) -> Diagnostics {
    let product = context.product();
    let is_older = |it: &Release| !it.has(&changes::KLEENE_LOGIC);
    let Some(older) = product.releases().rev().find(is_older) else { return Vec::new() };
    let older = JudgeSetting { release: older, ..context.setting };
    let newer = JudgeSetting { release: product.newest(), ..context.setting };
    let hosts = (older.host(), newer.host());
    let probe = |setting, host| Probe::new(context.module, setting, host, Others::Defaults);
    let (older, newer) = (probe(older, &hosts.0), probe(newer, &hosts.1));
    let mut tester = Tester { older, newer, context, found: Vec::new() };
    for Tried { variable, index, attributes } in &context.validations {
        let before = tester.found.len();
        tester.variable(variable, *index);
        tester.attributes(variable, *index, attributes);
        // A rule that fails for every value is not null's fault.
        if tester.found.len() > before && tester.older.always_crashes(variable, *index) {
            tester.found.truncate(before);
        }
    }
    let Tester { older, newer, found, .. } = tester;
    let mut found = one_a_variable(&found);
    found.extend(older.into_exceeded());
    found.extend(newer.into_exceeded());
    found
}

struct Tester<'a> {
    /// Tries rules as releases in which both operands of `&&` and `||` count.
    older: Probe<'a>,
    /// Tries rules as releases in which a controlling operand hides the other's error.
    newer: Probe<'a>,
    context: &'a ModuleContext<'a>,
    found: Vec<Found>,
}

/// A crash, and what causes it: `leaving out "x.a"`.
struct Found {
    cause: String,
    diagnostic: Diagnostic,
}

/// The number of causes that are named in addition to the first one.
const MOST_NAMED: usize = 10;

/// Merges the crashes of each variable into its gravest finding, since the author makes one change.
fn one_a_variable(found: &[Found]) -> Diagnostics {
    let same = |a: &Found, b: &Found| a.diagnostic.variable == b.diagnostic.variable;
    found.chunk_by(same).filter_map(joined).collect()
}

fn joined(found: &[Found]) -> Option<Diagnostic> {
    let first = found.iter().rev().max_by_key(|it| it.diagnostic.level())?;
    let mut causes: Vec<&str> = Vec::new();
    for it in found.iter().map(|it| it.cause.as_str()).filter(|it| *it != first.cause) {
        if !causes.contains(&it) {
            causes.push(it);
        }
    }
    let mut diagnostic = first.diagnostic.clone();
    if !causes.is_empty() {
        let more = match causes.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        causes.truncate(MOST_NAMED);
        diagnostic.detail += &format!(" The same happens with {}{more}.", causes.join(", "));
    }
    let rules: HashSet<_> = found.iter().map(|it| it.diagnostic.validation).collect();
    if rules.len() > 1 {
        diagnostic.detail += &format!(" {} rules of the variable have this problem.", rules.len());
    }
    Some(diagnostic)
}

/// Whether the expression is `var.NAME`.
fn is_variable(expr: &Expr, wanted: &str) -> bool {
    let ExprKind::GetAttr { base, name } = &expr.kind else { return false };
    matches!(&base.kind, ExprKind::Variable(root) if root == "var") && name.name == wanted
}

/// Whether the expression is an attribute of that name: `it.NAME`, `it["NAME"]`.
fn is_attribute(expr: &Expr, wanted: &str) -> bool {
    match &expr.kind {
        ExprKind::GetAttr { name, .. } => name.name == wanted,
        ExprKind::Index { key, .. } => {
            matches!(&key.kind, ExprKind::String(it) if it == wanted)
        }
        _ => false,
    }
}

/// The effect of null on a condition.
struct Crash {
    problem: Diagnostic,
    /// Whether it also crashes where a guard works.
    in_every_version: bool,
}

impl Tester<'_> {
    fn variable(&mut self, variable: &Variable, index: usize) {
        if !variable.is_nullable() {
            return;
        }
        let null = Value::null(variable.constraint.ty.without_optional());
        let Some(crash) = self.crash(variable, index, &null) else { return };
        let is_default = variable.default.as_ref().is_some_and(Value::is_null);
        // Otherwise only callers who pass null meet it.
        let reason = (!is_default).then_some(LevelReason::OnlyIfNull);
        if is_default && crash.in_every_version {
            // The default itself breaks the rule, which is another finding.
            return;
        }
        let name = &variable.name;
        let what = if is_default { "Null, its default," } else { "Null" };
        let cause = "null".to_owned();
        let summary = format!("{what} makes a rule of \"{name}\" fail with an error");
        let help = if crash.in_every_version {
            format!("set nullable = false, or begin the condition with var.{name} == null ? true :")
        } else {
            format!("write var.{name} == null ? true : …, or set nullable = false")
        };
        let names = |it: &Expr| is_variable(it, name);
        self.report(variable, index, reason, [cause, summary, help], &crash, &names);
    }

    fn attributes(&mut self, variable: &Variable, index: usize, attributes: &[OptionalAttribute]) {
        for attribute in attributes.iter().filter(|it| it.default.is_none()) {
            let Some(null) = attribute.sample(&Value::null(attribute.ty.clone()), 1) else {
                continue;
            };
            let Some(crash) = self.crash(variable, index, &null) else { continue };
            let unknown = attribute.sample(&Value::unknown(attribute.ty.clone()), 1);
            if unknown.is_some_and(|it| self.older.crash(variable, index, it).is_some()) {
                // The crash has another cause.
                continue;
            }
            let name = &variable.name;
            let cause = format!("leaving out \"{name}{attribute}\"");
            let summary = format!(
                "Leaving out \"{name}{attribute}\" makes a rule of \"{name}\" fail with an error"
            );
            let help = "give the attribute a default, or write … == null ? true : …".to_owned();
            let names = |it: &Expr| attribute.name().is_some_and(|name| is_attribute(it, name));
            let words = [cause, summary, help];
            self.report(variable, index, None, words, &crash, &names);
        }
    }

    fn crash(&mut self, variable: &Variable, index: usize, value: &Value) -> Option<Crash> {
        let problems = self.older.crash(variable, index, value.clone())?;
        let in_every_version = self.newer.crash(variable, index, value.clone()).is_some();
        let admits = || self.since().is_some_and(|it| self.context.module.oldest_admitted() < it);
        let problem = problems.into_iter().next()?;
        (in_every_version || admits()).then_some(Crash { problem, in_every_version })
    }

    /// The version from which `&&` and `||` hide an error behind a controlling operand.
    fn since(&self) -> Option<Version> {
        changes::KLEENE_LOGIC.first(self.context.product())
    }

    fn report(
        &mut self,
        variable: &Variable,
        index: usize,
        reason: Option<LevelReason>,
        [cause, summary, help]: [String; 3],
        crash: &Crash,
        names: &dyn Fn(&Expr) -> bool,
    ) {
        let product = self.context.product();
        let condition = variable.validations.get(index).map(|it| &it.condition);
        let is_guarded = || condition.is_some_and(|it| has_guard(it, names));
        let when = if crash.in_every_version {
            format!("In every version of {product}")
        } else {
            let since = self.since().unwrap_or(Release::NEWEST.version());
            let guard = if is_guarded() { ", so the null check does not help" } else { "" };
            format!(
                "Before {product} {}.{}, && and || evaluate both sides{guard}; {}",
                since.major,
                since.minor,
                self.context.admission()
            )
        };
        let detail = format!("{}. {when}.", crash.problem.message().trim_end_matches('.'));
        let mut diagnostic =
            Diagnostic::new(&lints::NULL_CRASHES_VALIDATION, summary).detail(detail).help(help);
        if let Some(reason) = reason {
            diagnostic = diagnostic.because(reason);
        }
        if let Some(span) = crash.problem.span().or(condition.map(|it| it.span)) {
            diagnostic = diagnostic.at(Role::Rule, span);
        }
        let diagnostic = diagnostic.at(Role::Declaration, variable.span);
        let diagnostic = diagnostic.variable(variable.name.clone()).validation(index);
        self.found.push(Found { cause, diagnostic });
    }
}

// Guards against null: operands of `&&` and `||` with which an author asks whether a value is null, such as
// `var.x == null || …`.

/// The most expressions that are looked at.
const MOST: u32 = 20_000;

/// Whether an operand of `&&` or `||` anywhere in the condition asks whether the subject is null: it compares the
/// subject with null, or, in `||`, catches the subject's errors by `can` or `try`.
fn has_guard(condition: &Expr, is_subject: &dyn Fn(&Expr) -> bool) -> bool {
    let mut search = Search { is_subject, left: MOST };
    search.any(condition, &mut |search, it| match &it.kind {
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right, .. } => {
            [left, right].into_iter().any(|operand| search.asks_for_null(*op, operand))
        }
        _ => false,
    })
}

struct Search<'s> {
    is_subject: &'s dyn Fn(&Expr) -> bool,
    left: u32,
}

impl Search<'_> {
    /// `can(f(var.x)) && …` refuses null as it refuses whatever else fails, so it is not a guard.
    fn asks_for_null(&mut self, op: BinaryOp, operand: &Expr) -> bool {
        self.any(operand, &mut |search, it| match &it.kind {
            ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } => {
                left.is_null() && search.names(right) || right.is_null() && search.names(left)
            }
            ExprKind::Call { name, args, .. } => {
                let plain = name.name.trim_start_matches("core::");
                op == BinaryOp::Or
                    && ["can", "try"].contains(&plain)
                    && args.iter().any(|arg| search.names(arg))
            }
            _ => false,
        })
    }

    fn names(&mut self, expr: &Expr) -> bool {
        self.any(expr, &mut |search, it| (search.is_subject)(it))
    }

    /// Whether it holds for the expression or for one in it.
    fn any(&mut self, expr: &Expr, holds: &mut dyn FnMut(&mut Self, &Expr) -> bool) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        guarded(|| {
            let mut found = holds(self, expr);
            expr.for_each_child(&mut |it| found = found || self.any(it, holds));
            found
        })
    }
}
