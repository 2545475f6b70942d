//! `replace_triggered_by`: resources whose changes replace another.

use super::undecided;
use crate::{
    diagnostic::{Diagnostic, Role, rules},
    eval::{Scope, Trace, evaluate_in_detail, shape},
    module::Resource,
    release::changes,
    syntax::{
        Expr, ExprKind,
        analysis::{TraversalStep, absolute_traversal},
    },
    value::{Content, Value},
};

/// What follows the name of a resource in a trigger.
enum Behind<'e> {
    Nothing,
    Attribute,
    Key(&'e Expr),
}

/// The error of a trigger, once there is an instance to replace.
pub(super) fn check(expr: &Expr, own: &Resource, scope: &Scope<'_>) -> Option<Diagnostic> {
    if let Some((kind, name)) = data_source(expr) {
        // It changes only if it is read with the apply; otherwise the plan fails.
        return Some(if scope.data.declares(&kind, name) {
            undecided::trigger(&format!("{kind}.{name}"), expr.span)
        } else {
            undeclared(&kind, name, expr)
        });
    }
    let (kind, name, behind) = read(expr)?;
    if !scope.data.declares(kind, name) {
        return Some(undeclared(kind, name, expr));
    }
    let is_repeated = scope.data.is_repeated(kind, name)?;
    let is_itself = own.kind() == kind && own.name == name;
    let is_missing = match behind {
        _ if is_itself => true,
        Behind::Nothing => is_repeated && is_empty(scope.data.object(kind, name).as_ref()),
        Behind::Attribute => is_repeated,
        Behind::Key(_) if !is_repeated => true,
        Behind::Key(key) => lacks(scope.data.object(kind, name).as_ref(), key, scope),
    };
    is_missing.then(|| {
        let detail = format!("There is no such instance of {kind}.{name} that could change.");
        problem("Invalid replace_triggered_by expression", detail, expr)
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
    let (kind, name, _) = read(expr)?;
    if !scope.data.declares(kind, name) {
        return Some(undeclared(kind, name, expr));
    }
    let known = shape(kind, scope.release)?;
    let attribute = attribute(expr, name)?;
    (!known.contains(&attribute)).then(|| {
        let detail = format!("{kind}.{name} has no attribute {attribute:?}.");
        problem("Unsupported attribute", detail, expr)
    })
}

/// The attribute behind the name of a resource, with or without a key between them.
fn attribute<'e>(mut expr: &'e Expr, resource: &str) -> Option<&'e str> {
    let mut last = None;
    loop {
        match &expr.kind {
            ExprKind::Index { base, .. } => expr = base,
            ExprKind::GetAttr { base, name } if name.name == resource => {
                let is_of_type = match &base.kind {
                    ExprKind::Variable(_) => true,
                    ExprKind::GetAttr { base, .. } => {
                        matches!(&base.kind, ExprKind::Variable(it) if it == "resource")
                    }
                    _ => false,
                };
                if is_of_type {
                    return last;
                }
                (expr, last) = (base, Some(name.name.as_str()));
            }
            ExprKind::GetAttr { base, name } => (expr, last) = (base, Some(name.name.as_str())),
            _ => return None,
        }
    }
}

fn undeclared(kind: &str, name: &str, expr: &Expr) -> Diagnostic {
    let detail = format!("{kind}.{name} has not been declared in this module.");
    problem("Reference to undeclared resource", detail, expr)
}

fn problem(summary: &str, detail: String, expr: &Expr) -> Diagnostic {
    Diagnostic::new(&rules::UNDECLARED_REFERENCE, summary).detail(detail).at(Role::Rule, expr.span)
}

/// The kind and the name of a data source.
fn data_source(mut expr: &Expr) -> Option<(String, &str)> {
    loop {
        match &expr.kind {
            ExprKind::Index { base, .. } => expr = base,
            ExprKind::GetAttr { base, name } => match &base.kind {
                ExprKind::GetAttr { base: root, name: kind } if is_data(root) => {
                    return Some((format!("data.{}", kind.name), &name.name));
                }
                _ => expr = base,
            },
            _ => return None,
        }
    }
}

fn is_data(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Variable(root) if root == "data")
}

/// The type and the name of a managed resource, and what follows them.
fn read(expr: &Expr) -> Option<(&str, &str, Behind<'_>)> {
    let (mut at, mut behind) = (expr, Behind::Nothing);
    loop {
        match &at.kind {
            ExprKind::Index { base, key, .. } => (at, behind) = (base, Behind::Key(key)),
            ExprKind::GetAttr { base, name } => match &base.kind {
                ExprKind::Variable(root) if root == "data" => return None,
                ExprKind::Variable(root) => return Some((root, &name.name, behind)),
                ExprKind::GetAttr { base: root, name: kind } => match &root.kind {
                    ExprKind::Variable(root) if root == "resource" => {
                        return Some((&kind.name, &name.name, behind));
                    }
                    _ => (at, behind) = (base, Behind::Attribute),
                },
                _ => (at, behind) = (base, Behind::Attribute),
            },
            _ => return None,
        }
    }
}

fn is_empty(whole: Option<&Value>) -> bool {
    match whole.map(Value::content) {
        Some(Content::Sequence(_)) => {
            whole.and_then(Value::as_sequence).is_some_and(<[Value]>::is_empty)
        }
        Some(Content::Mapping(it)) => it.is_empty(),
        _ => false,
    }
}

/// Whether the instance with the key surely does not exist.
fn lacks(whole: Option<&Value>, key: &Expr, scope: &Scope<'_>) -> bool {
    let key = evaluate_in_detail(key, scope, Trace::Off);
    let (key, Some(whole)) = (key.value.unmark().0, whole) else { return false };
    if let Some(elements) = whole.as_sequence() {
        let index = key.as_number().and_then(crate::value::Number::to_u64);
        return index.is_some_and(|it| it >= elements.len() as u64);
    }
    match (whole.as_mapping(), key.as_str()) {
        (Some(elements), Some(key)) => !elements.contains_key(key),
        _ => false,
    }
}
