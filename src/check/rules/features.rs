//! Features of the language by the version that brought them.

use crate::{
    diagnostic::Span,
    eval::{Step, references},
    functions::{Since, both_since as both, first_versions, since},
    module::{Module, Variable},
    syntax::{Expr, ExprKind},
    value::guarded,
    version::Version,
};

/// A feature in one place.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub feature: String,
    pub since: Version,
    pub span: Span,
}

impl Use {
    /// `nullable (1.1)`
    pub fn describe(&self) -> String {
        format!("{} ({}.{})", self.feature, self.since.major, self.since.minor)
    }
}

/// What a module's variables, locals and outputs use that came after a version. A feature whose
/// version is not known is left out.
pub(super) fn used_after(version: Version, module: &Module, opentofu: bool) -> Vec<Use> {
    let mut uses = Uses { version, opentofu, found: Vec::new() };
    for variable in module.variables.values() {
        uses.variable(variable);
    }
    for local in module.locals.values() {
        uses.calls(&local.expr);
    }
    for output in module.outputs.values() {
        output.value.iter().for_each(|it| uses.calls(it));
        if output.ephemeral.is_some() {
            uses.add("ephemeral", EPHEMERAL, output.span);
        }
        for precondition in &output.preconditions {
            uses.add("precondition", since(1, 2), precondition.span);
            uses.calls(&precondition.condition);
        }
    }
    uses.found
}

const EPHEMERAL: Since = both((1, 10), (1, 11));
const DEPRECATED: Since = both((1, 15), (1, 10));
const CONST: Since = both((1, 15), (1, 12));

struct Uses {
    /// Older features do not count.
    version: Version,
    opentofu: bool,
    found: Vec<Use>,
}

impl Uses {
    fn add(&mut self, feature: impl Into<String>, since: Since, span: Span) {
        let since = if self.opentofu { since.1 } else { since.0 };
        if let Some(since) = since.filter(|it| *it > self.version) {
            self.found.push(Use { feature: feature.into(), since, span });
        }
    }

    fn variable(&mut self, variable: &Variable) {
        let span = variable.span;
        let arguments = [
            ("sensitive", since(0, 14), variable.sensitive.is_some()),
            ("nullable", since(1, 1), variable.nullable.is_some()),
            ("ephemeral", EPHEMERAL, variable.ephemeral.is_some()),
            ("deprecated", DEPRECATED, variable.deprecated.is_some()),
            ("const", CONST, variable.constant.is_some()),
        ];
        for (feature, since, _) in arguments.into_iter().filter(|it| it.2) {
            self.add(feature, since, span);
        }
        if variable.constraint.ty.has_optional() {
            self.add("optional()", since(1, 3), variable.type_span.unwrap_or(span));
        }
        for validation in &variable.validations {
            self.add("validation", since(0, 13), validation.span);
            self.calls(&validation.condition);
            if let Some(message) = &validation.error_message {
                self.message(message);
            }
            if let Some(span) = other_object(variable, &validation.condition) {
                self.add("a condition about more than its own variable", since(1, 9), span);
            }
        }
    }

    /// Before 1.2 an error_message is a plain string.
    fn message(&mut self, message: &Expr) {
        if !matches!(message.kind, ExprKind::String(_)) {
            self.add("an error_message that is an expression", since(1, 2), message.span);
        }
        self.calls(message);
    }

    fn calls(&mut self, expr: &Expr) {
        let mut calls = Vec::new();
        collect_calls(expr, &mut calls);
        for (name, span) in calls {
            if name.contains("::") {
                self.add("a function with a namespace", both((1, 8), (1, 7)), span);
            }
            let name = name.strip_prefix("core::").unwrap_or(name);
            if let Some(since) = first_versions(name) {
                self.add(format!("{name}()"), since, span);
            }
        }
    }
}

/// The condition, if it refers to anything but its own variable, `path` and `terraform`.
fn other_object(variable: &Variable, condition: &Expr) -> Option<Span> {
    let is_other = |root: &crate::eval::Root<'_>| match root.name {
        "var" => !matches!(root.first, Some(Step::Attribute(it)) if it == variable.name),
        "path" | "terraform" => false,
        _ => true,
    };
    references(condition).iter().any(is_other).then_some(condition.span)
}

fn collect_calls<'e>(expr: &'e Expr, found: &mut Vec<(&'e str, Span)>) {
    if let ExprKind::Call { name, .. } = &expr.kind {
        found.push((&name.name, name.span));
    }
    guarded(|| expr.for_each_child(&mut |it| collect_calls(it, found)));
}
