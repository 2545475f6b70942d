//! Features of the language by the release that brought them.

use super::{Module, Validation, Variable};
use diagnostics::Span;
use hcl::{Expr, ExprKind};
use release::{ChangeKind, LanguageChange, Product, Version, changes};
use stack::guarded;
use tf_eval::{ReferenceStep, references};

/// One use of a feature.
#[derive(Clone, Debug)]
pub struct Use {
    pub feature: &'static LanguageChange,
    pub since: Version,
    pub span: Span,
}

impl Use {
    /// The feature with its release: `nullable (1.1)`.
    pub fn describe(&self) -> String {
        let LanguageChange { kind, name, .. } = self.feature;
        let call = if *kind == ChangeKind::Function && !name.contains(' ') { "()" } else { "" };
        format!("{name}{call} ({}.{})", self.since.major, self.since.minor)
    }
}

/// The features of a module that came after a version: arguments, blocks, function calls and references.
/// A feature that the product lacks is left out.
pub fn used_after(version: Version, module: &Module, product: Product) -> Vec<Use> {
    let mut uses = Uses { version, product, found: Vec::new() };
    for variable in module.variables.values() {
        uses.variable(variable);
    }
    for local in module.locals.values() {
        uses.calls(&local.expr);
    }
    for output in module.outputs.values() {
        output.value.iter().for_each(|it| uses.calls(it));
        if output.ephemeral.is_some() {
            uses.add(&changes::EPHEMERAL, output.span);
        }
        for precondition in &output.preconditions {
            uses.add(&changes::PRECONDITION, precondition.span);
            uses.calls(&precondition.condition);
        }
    }
    uses.bodies(module);
    for (feature, span) in &module.features {
        uses.add(feature, *span);
    }
    uses.found
}

struct Uses {
    /// The version; older features are ignored.
    version: Version,
    product: Product,
    found: Vec<Use>,
}

impl Uses {
    fn add(&mut self, feature: &'static LanguageChange, span: Span) {
        if let Some(since) = feature.first(self.product).filter(|it| *it > self.version) {
            self.found.push(Use { feature, since, span });
        }
    }

    fn variable(&mut self, variable: &Variable) {
        let span = variable.span;
        let arguments = [
            (&changes::SENSITIVE, variable.sensitive.is_some()),
            (&changes::NULLABLE, variable.nullable.is_some()),
            (&changes::EPHEMERAL, variable.ephemeral.is_some()),
            (&changes::DEPRECATED, variable.deprecated.is_some()),
            (&changes::CONST, variable.constant.is_some()),
        ];
        for (feature, _) in arguments.into_iter().filter(|it| it.1) {
            self.add(feature, span);
        }
        if variable.constraint.ty.has_optional() {
            self.add(&changes::OPTIONAL, variable.type_span.unwrap_or(span));
        }
        for validation in &variable.validations {
            self.add(&changes::VALIDATION, validation.span);
            self.calls(&validation.condition);
            if let Some(message) = &validation.error_message {
                self.message(message);
            }
            if let Some(span) = other_object(variable, &validation.condition) {
                self.add(&changes::CROSS_REFERENCES, span);
            }
        }
    }

    /// Looks through the expressions of resources, calls, checks, providers and imports.
    fn bodies(&mut self, module: &Module) {
        let mut exprs: Vec<&Expr> = Vec::new();
        for it in module.resources.values() {
            it.body.expressions(&mut exprs);
            exprs.extend(it.repetition.expr());
            exprs.extend(rules(&it.preconditions).chain(rules(&it.postconditions)));
        }
        for it in module.calls.values() {
            exprs.extend(it.arguments.values().map(|it| &*it.expr).chain(it.repetition.expr()));
        }
        for it in &module.configurations {
            it.body.expressions(&mut exprs);
            exprs.extend(it.repetition.expr());
        }
        for it in &module.imports {
            exprs.extend(it.for_each.iter().chain(&it.id).chain(&it.identity));
        }
        exprs.extend(module.checks.values().flat_map(|it| rules(&it.asserts)));
        exprs.into_iter().for_each(|it| self.calls(it));
    }

    /// Before 1.2 an error_message is a plain string.
    fn message(&mut self, message: &Expr) {
        if !matches!(message.kind, ExprKind::String(_)) {
            self.add(&changes::MESSAGE_EXPRESSION, message.span);
        }
        self.calls(message);
    }

    fn calls(&mut self, expr: &Expr) {
        for root in references(expr) {
            if (root.name, root.first) == ("terraform", Some(ReferenceStep::Attribute("applying")))
            {
                self.add(&changes::APPLYING, root.span);
            }
        }
        let mut calls = Vec::new();
        collect_calls(expr, &mut calls);
        for (name, span) in calls {
            if name.contains("::") {
                self.add(&changes::PROVIDER_FUNCTIONS, span);
            }
            let name = name.strip_prefix("core::").unwrap_or(name);
            if let Some(change) = release::function(name) {
                self.add(change, span);
            }
        }
    }
}

/// The condition, if it refers to anything but its own variable, `path` and `terraform`.
fn other_object(variable: &Variable, condition: &Expr) -> Option<Span> {
    let is_other = |root: &tf_eval::RootReference<'_>| match root.name {
        "var" => !matches!(root.first, Some(ReferenceStep::Attribute(it)) if it == variable.name),
        "path" | "terraform" => false,
        _ => true,
    };
    references(condition).iter().any(is_other).then_some(condition.span)
}

/// The conditions and messages of some rules.
fn rules(all: &[Validation]) -> impl Iterator<Item = &Expr> {
    all.iter().flat_map(|it| std::iter::once(&it.condition).chain(&it.error_message))
}

fn collect_calls<'e>(expr: &'e Expr, found: &mut Vec<(&'e str, Span)>) {
    if let ExprKind::Call { name, .. } = &expr.kind {
        found.push((&name.name, name.span));
    }
    guarded(|| expr.for_each_child(&mut |it| collect_calls(it, found)));
}
