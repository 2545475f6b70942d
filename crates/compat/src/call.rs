//! Judges the arguments of one call under both contracts.

use std::collections::BTreeMap;

use super::{
    names::names,
    types::{Fit, fit, lost},
};
use diagnostics::{Diagnostic, Role, lints};
use hcl::Expr;
use module::{Module, ModuleCall, Repetition, Values, Variable};
use report::ContractChange;
use tf_eval::{Instance, evaluate};
use tf_value::Value;
use verdict::{JudgeSetting, instances};

/// Evaluates the arguments of a module's calls with the defaults of its variables.
pub struct Arguments<'m> {
    module: &'m Module,
    setting: JudgeSetting<'m>,
}

impl<'m> Arguments<'m> {
    pub fn new(module: &'m Module, setting: JudgeSetting<'m>) -> Arguments<'m> {
        Arguments { module, setting }
    }

    /// The values of an argument in all instances of a call. Variables have their defaults; a value that
    /// nothing here sets is unknown.
    fn values(&self, expr: &Expr, repetition: &Repetition) -> Vec<Value> {
        let variables = self.module.variables.values();
        let known = variables.filter_map(|it| Some((it.name.clone(), it.default.clone()?)));
        let known: BTreeMap<_, _> = known.collect();
        let host = self.setting.host();
        host.begin(Some(expr.span));
        let values = Values::new(self.module, known, None, &host, self.setting.release);
        let instances = instances(repetition, &values.scope());
        let value = |it: &Instance| {
            let view = values.in_instance(it);
            evaluate(expr, &values.scope_of(&view)).0
        };
        instances.iter().map(value).collect()
    }

    /// Reports arguments that lose a part, and arguments that are not known although their variables changed.
    pub fn judge<'c>(
        &self,
        call: &ModuleCall,
        [was, is]: [&Module; 2],
        changes: impl Iterator<Item = &'c ContractChange>,
    ) -> Vec<Diagnostic> {
        let mut out: BTreeMap<&str, Diagnostic> = BTreeMap::new();
        for change in changes {
            let Some(variable) = change.variable.as_deref() else { continue };
            let Some(now) = is.variables.get(variable) else { continue };
            for name in read_with(now, is) {
                let (Some(argument), Some(is), Some(was)) = (
                    call.arguments.get(name.as_str()),
                    is.variables.get(name.as_str()),
                    was.variables.get(name.as_str()),
                ) else {
                    continue;
                };
                let values = self.values(&argument.expr, &call.repetition);
                let (known, open): (Vec<&Value>, Vec<&Value>) =
                    values.iter().partition(|it| it.is_wholly_known());
                let lost = known.into_iter().find_map(|it| lost_of(it, was, is));
                let lost = lost.map(|what| (&lints::BROKEN_CALL, what));
                let difference = lost.or_else(|| {
                    let what = || {
                        format!(
                            "the value of \"{name}\" is known only to a plan. {}",
                            change.message
                        )
                    };
                    let is_open = open.iter().any(|it| is_open(it, is, change));
                    is_open.then(|| (&lints::UNDECIDED_CALL, what()))
                });
                let Some((rule, what)) = difference else { continue };
                let summary = if *rule == lints::BROKEN_CALL {
                    "The change breaks a call"
                } else {
                    "Cannot decide whether the change breaks this call"
                };
                let mut diagnostic = Diagnostic::new(rule, summary)
                    .detail(what)
                    .variable(name.clone())
                    .at(Role::Value, argument.expr.span);
                diagnostic.address = format!("module.{}", call.name).into();
                out.entry(&argument.name.name).or_insert(diagnostic);
            }
        }
        out.into_values().collect()
    }
}

/// The variable and those that its rules read.
fn read_with(variable: &Variable, module: &Module) -> Vec<smol_str::SmolStr> {
    let mut out = vec![variable.name.clone()];
    for rule in &variable.validations {
        out.extend(names(&rule.condition, module).variables);
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Whether a change may break a value if only its type is known.
fn is_open(value: &Value, is: &Variable, change: &ContractChange) -> bool {
    let is_of_type = change.rule == lints::TYPE_NARROWED || change.rule == lints::VALUE_LOST;
    let is_typed = !value.ty().has_dynamic();
    !(is_of_type && is_typed && fit(value.ty(), &is.constraint.ty) != Fit::Open)
}

/// The part of a value that is lost.
fn lost_of(value: &Value, was: &Variable, is: &Variable) -> Option<String> {
    let (value, _) = value.clone().unmark_deep();
    let last = |it: &Variable| {
        let value = it.constraint.accept(&value).ok()?;
        let is_kept = !value.is_null() || it.is_nullable();
        if is_kept { Some(value) } else { it.instead_of_null().cloned() }
    };
    let what = lost(&value, &last(was)?, &last(is)?, "")?;
    let (what, path) = what.words();
    Some(format!("{what} ({}{path})", is.name))
}
