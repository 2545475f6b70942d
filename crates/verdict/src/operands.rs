//! The values of the operands of an expression that cannot be evaluated.

use super::{
    explain,
    graph::{Task, expressions},
    pass::Pass,
};
use diagnostics::{Cause, Diagnostic, Label, Role, Span, lints};
use hcl::{Expr, ExprKind};
use tf_eval::{ReferenceStep, references};

/// The text at the argument of a call.
const ARGUMENT: &str = "the argument of the call";

impl Pass<'_> {
    /// Adds to the errors of a node the values of their operands and, in a called module, the arguments
    /// that they read.
    pub(super) fn add_operands(&self, step: &Task, index: usize, found: &mut [Diagnostic]) {
        let is_of_values = |it: &&mut Diagnostic| {
            it.rule == lints::FAILED_EVALUATION && matches!(it.cause, Some(Cause::Evaluation(_)))
        };
        let mut failed = found.iter_mut().filter(is_of_values).peekable();
        if failed.peek().is_none() {
            return;
        }
        let member = self.members.get(step.member);
        let exprs = expressions(member.module, &step.node);
        let values = &self.instances[step.member][index].values;
        let (scope, sources) = (values.scope(), &self.members.get(0).module.sources);
        for it in failed {
            let Some(label) = it.labels.first_mut() else { continue };
            let at = label.span;
            let holds = |outer: Span| {
                let outer = outer.shifted(member.shift);
                outer.file == at.file && outer.start <= at.start && at.end <= outer.end
            };
            let Some(expr) = exprs.iter().copied().find(|it| holds(it.span)) else { continue };
            let part = innermost(expr, &holds);
            if label.text.is_empty() {
                label.text = explain::operands(part, &scope, &member.module.sources);
            }
            let Some((caller, call)) = member.caller else { continue };
            let shift = self.members.get(caller).shift;
            let names = references(part).into_iter().filter(|it| it.name == "var");
            for name in names.filter_map(|it| match it.first {
                Some(ReferenceStep::Attribute(name)) => Some(name),
                _ => None,
            }) {
                let Some(argument) = call.arguments.get(name) else { continue };
                let span = argument.expr.span.shifted(shift);
                let is_hidden = values.variable(name).is_some_and(|it| it.deep_marks().is_hidden());
                // `sensitive("…")` writes the value down.
                let quotes = !is_reference(&argument.expr) && !sources.hides(span);
                if (is_hidden && quotes) || it.labels.iter().any(|it| it.span == span) {
                    continue;
                }
                let (role, text) = (Role::Declaration, ARGUMENT.to_owned());
                it.labels.push(Label { role, span, text });
            }
        }
    }
}

/// Whether an expression names a value and holds none.
fn is_reference(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::GetAttr { base, .. } => is_reference(base),
        _ => false,
    }
}

/// The smallest part of an expression that holds a place.
fn innermost<'e>(expr: &'e Expr, holds: &dyn Fn(Span) -> bool) -> &'e Expr {
    let mut expr = expr;
    loop {
        let mut inner = None;
        expr.for_each_child(&mut |it| {
            if inner.is_none() && holds(it.span) {
                inner = Some(it);
            }
        });
        match inner {
            Some(it) => expr = it,
            None => return expr,
        }
    }
}
