//! `replace_triggered_by`: resources whose changes replace another.

use super::undecided;
use diagnostics::{Diagnostic, Role, lints};
use hcl::{
    Expr, ExprKind,
    analysis::{OpenStep, TraversalStep, absolute_traversal, open_traversal},
};
use module::Resource;
use release::changes;
use tf_eval::{Scope, evaluate_in_detail, shape};
use tf_value::{Number, Value, ValueContent};

const SUMMARY: &str = "Invalid replace_triggered_by expression";

/// A reference to a resource, and what follows its name.
struct Trigger<'e> {
    /// The namespace of what Terraform does not manage: `data` or `ephemeral`.
    prefix: Option<&'e str>,
    ty: &'e str,
    name: &'e str,
    behind: Vec<OpenStep<'e>>,
}

impl<'e> Trigger<'e> {
    /// `None` for expressions of any other form.
    fn read(expr: &'e Expr) -> Option<Trigger<'e>> {
        let (root, steps) = open_traversal(expr);
        let ExprKind::Variable(root) = &root.kind else { return None };
        let mut steps = steps.into_iter();
        let mut name = || match steps.next() {
            Some(OpenStep::Attribute(it)) => Some(it.name.as_str()),
            _ => None,
        };
        let (prefix, ty) = match root.as_str() {
            "resource" => (None, name()?),
            "data" | "ephemeral" => (Some(root.as_str()), name()?),
            ty => (None, ty),
        };
        let name = name()?;
        Some(Trigger { prefix, ty, name, behind: steps.collect() })
    }

    /// The type, behind the namespace of what Terraform does not manage.
    fn kind(&self) -> String {
        self.prefix.map_or_else(|| self.ty.to_owned(), |prefix| format!("{prefix}.{}", self.ty))
    }

    /// The error of a key that is neither constant nor `count.index` or `each.key` of this instance.
    fn unfit_key(&self, scope: &Scope<'_>) -> Option<Diagnostic> {
        let mut keys = self.behind.iter().filter_map(|it| match it {
            OpenStep::Key(key) => Some(*key),
            OpenStep::Attribute(_) => None,
        });
        let unfit = keys.find(|it| !is_fit(it, scope))?;
        let detail = "A key must be a constant, or the resource's count.index or each.key.";
        Some(problem("Invalid expression", detail.to_owned(), unfit))
    }
}

fn is_fit(key: &Expr, scope: &Scope<'_>) -> bool {
    match &key.kind {
        ExprKind::String(_) | ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Null => true,
        ExprKind::GetAttr { base, name } => {
            let ExprKind::Variable(root) = &base.kind else { return false };
            scope.data.instance().is_some_and(|it| it.get(root, &name.name).is_some())
        }
        _ => false,
    }
}

/// The error of a trigger, once there is an instance to replace.
pub(super) fn check(expr: &Expr, own: &Resource, scope: &Scope<'_>) -> Option<Diagnostic> {
    let Some(trigger) = Trigger::read(expr) else {
        let detail = "A resource, an instance of one or an attribute is required here.";
        return Some(problem(SUMMARY, detail.to_owned(), expr));
    };
    trigger.unfit_key(scope).or_else(|| missing(&trigger, expr, own, scope))
}

/// The error of a trigger for which the plan has no change.
fn missing(
    trigger: &Trigger<'_>,
    expr: &Expr,
    own: &Resource,
    scope: &Scope<'_>,
) -> Option<Diagnostic> {
    let (kind, name) = (trigger.kind(), trigger.name);
    if !scope.data.declares(&kind, name) {
        return Some(undeclared(&kind, name, expr));
    }
    if trigger.prefix.is_some() {
        // It changes only if it is read with the apply; otherwise the plan fails.
        return Some(undecided::trigger(&format!("{kind}.{name}"), expr.span));
    }
    let is_repeated = scope.data.is_repeated(&kind, name)?;
    let is_itself = own.kind() == kind && own.name == name;
    let is_missing = match trigger.behind.first() {
        _ if is_itself => true,
        None => is_repeated && is_empty(scope.data.object(&kind, name).as_ref()),
        Some(OpenStep::Attribute(_)) => is_repeated,
        Some(OpenStep::Key(_)) if !is_repeated => true,
        Some(OpenStep::Key(key)) => lacks(scope.data.object(&kind, name).as_ref(), key, scope),
    };
    is_missing.then(|| {
        let detail = format!("{kind}.{name} has no such instance.");
        problem(SUMMARY, detail, expr)
    })
}

/// The error of an action that a trigger names.
pub(super) fn action(expr: &Expr, scope: &Scope<'_>) -> Option<Diagnostic> {
    let traversal = absolute_traversal(expr)?;
    let mut names = traversal.steps.iter().filter_map(|it| match it {
        TraversalStep::Attr(name) => Some(&name.name),
        TraversalStep::Index { .. } => None,
    });
    let (ty, name) = (names.next()?, names.next()?);
    let is_action = traversal.root.name == "action";
    let is_there = is_action && scope.data.declares(&format!("action.{ty}"), name);
    (!is_there).then(|| {
        let detail = format!("action.{ty}.{name} has not been declared in this module.");
        problem("Reference to undeclared action", detail, expr)
    })
}

/// The error of a trigger that no instance changes.
pub(super) fn check_names(expr: &Expr, scope: &Scope<'_>) -> Option<Diagnostic> {
    if !scope.release.has(&changes::TRIGGERS_CHECKED) {
        return None;
    }
    let trigger = Trigger::read(expr).filter(|it| it.prefix.is_none())?;
    let (kind, name) = (trigger.ty, trigger.name);
    if !scope.data.declares(kind, name) {
        return Some(undeclared(kind, name, expr));
    }
    let known = shape(kind, scope.release)?;
    let attribute = trigger.behind.iter().find_map(|it| match it {
        OpenStep::Attribute(it) => Some(it.name.as_str()),
        OpenStep::Key(_) => None,
    })?;
    (!known.contains(&attribute)).then(|| {
        let detail = format!("{kind}.{name} has no attribute {attribute:?}.");
        problem("Unsupported attribute", detail, expr)
    })
}

fn undeclared(kind: &str, name: &str, expr: &Expr) -> Diagnostic {
    let detail = format!("{kind}.{name} has not been declared in this module.");
    problem("Reference to undeclared resource", detail, expr)
}

fn problem(summary: &str, detail: String, expr: &Expr) -> Diagnostic {
    Diagnostic::new(&lints::UNDECLARED_REFERENCE, summary).detail(detail).at(Role::Rule, expr.span)
}

fn is_empty(whole: Option<&Value>) -> bool {
    match whole.map(Value::content) {
        Some(ValueContent::Sequence(it)) => it.is_empty(),
        Some(ValueContent::Mapping(it)) => it.is_empty(),
        _ => false,
    }
}

/// Whether the instance with the key surely does not exist.
fn lacks(whole: Option<&Value>, key: &Expr, scope: &Scope<'_>) -> bool {
    let key = evaluate_in_detail(key, scope).value.unmark().0;
    let Some(whole) = whole.filter(|_| key.is_known()) else { return false };
    if let Some(elements) = whole.as_sequence() {
        let index = key.as_number().and_then(Number::to_u64);
        return index.is_none_or(|it| it >= elements.len() as u64);
    }
    let Some(elements) = whole.as_mapping() else { return false };
    key.as_str().is_none_or(|it| !elements.contains_key(it))
}
