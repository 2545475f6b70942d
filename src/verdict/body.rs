//! Bodies whose schema only a provider has: their references, and what can be evaluated of them.

use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role},
    eval::{
        Scope, Trace, UNDECLARED_REFERENCE, check_references, check_references_within,
        evaluate_in_detail, evaluate_part,
    },
    module::{Body, Content, Dynamic},
    syntax::{
        Expr,
        analysis::{Step, absolute_traversal},
    },
    value::{Type, Value, guarded, ops},
};

/// What is wrong with the references of a body. With any, Terraform evaluates nothing of it.
pub(super) fn references(body: &Body, scope: &Scope<'_>) -> Diagnostics {
    let mut found = Vec::new();
    references_within(body, scope, &mut Vec::new(), &mut found);
    found
}

fn references_within<'b>(
    body: &'b Body,
    scope: &Scope<'_>,
    bound: &mut Vec<&'b str>,
    found: &mut Diagnostics,
) {
    guarded(|| {
        for it in &body.arguments {
            let depth = bound.len();
            bound.extend(it.iterators.iter().map(SmolStr::as_str));
            found.extend(check_references_within(&it.expr, scope, bound));
            bound.truncate(depth);
        }
        for block in &body.blocks {
            match &block.content {
                Content::Plain(body) => references_within(body, scope, bound, found),
                Content::Dynamic(it) => {
                    if let Some(expr) = &it.for_each {
                        found.extend(check_references_within(expr, scope, bound));
                    }
                    bound.push(&it.iterator);
                    if let Some(expr) = &it.labels {
                        found.extend(check_references_within(expr, scope, bound));
                    }
                    references_within(&it.body, scope, bound, found);
                    bound.pop();
                }
            }
        }
    });
}

/// What is wrong with the values of a body whose references are sound.
pub(super) fn evaluate(body: &Body, scope: &Scope<'_>) -> Diagnostics {
    let mut found = Vec::new();
    evaluate_within(body, scope, &mut Vec::new(), &mut found);
    found
}

fn evaluate_within(
    body: &Body,
    scope: &Scope<'_>,
    names: &mut Vec<(SmolStr, Value)>,
    found: &mut Diagnostics,
) {
    guarded(|| {
        for it in &body.arguments {
            let depth = names.len();
            let iterators = it.iterators.iter();
            names.extend(iterators.map(|it| (it.clone(), Value::unknown(Type::Dynamic))));
            found.extend(value(&it.expr, scope, names).1);
            names.truncate(depth);
        }
        for block in &body.blocks {
            match &block.content {
                Content::Plain(body) => evaluate_within(body, scope, names, found),
                Content::Dynamic(it) => each(it, scope, names, found),
            }
        }
    });
}

/// A `dynamic` block: its body for each element, as far as they are known.
fn each(
    block: &Dynamic,
    scope: &Scope<'_>,
    names: &mut Vec<(SmolStr, Value)>,
    found: &mut Diagnostics,
) {
    let Some(collection) = &block.for_each else { return };
    let (collection, problems) = value(collection, scope, names);
    if !problems.is_empty() {
        return found.extend(problems);
    }
    let (collection, marks) = collection.unmark();
    let elements = ops::elements(&collection);
    let elements: Vec<(Value, Value)> = match elements {
        Some(it) => it.map(|(key, it)| (key, it.clone())).collect(),
        None => vec![(Value::unknown(Type::Dynamic), Value::unknown(Type::Dynamic))],
    };
    for (key, value) in elements {
        let (key, value) = (key.with_marks(marks), value.with_marks(marks));
        let members = [("key".into(), key), ("value".into(), value)];
        names.push((block.iterator.clone(), Value::object(members.into_iter().collect())));
        evaluate_within(&block.body, scope, names, found);
        names.pop();
    }
}

/// The value of an expression in the place of these names.
fn value(expr: &Expr, scope: &Scope<'_>, names: &[(SmolStr, Value)]) -> (Value, Diagnostics) {
    let evaluation = match names {
        [] => evaluate_in_detail(expr, scope, Trace::Off),
        _ => evaluate_part(expr, scope, names),
    };
    (evaluation.value, evaluation.diagnostics)
}

/// What is wrong with the `depends_on` of a resource or a call, which asks for no values.
pub(super) fn dependencies(list: &[Expr], scope: &Scope<'_>) -> Diagnostics {
    let is_looked_at = |it: &&Expr| {
        let root = crate::eval::references(it).first().map(|it| it.name.to_owned());
        !matches!(root.as_deref(), Some("var" | "local" | "each" | "path" | "terraform"))
    };
    list.iter().filter(is_looked_at).flat_map(|it| dependency(it, scope)).collect()
}

/// What is wrong with an element of any `depends_on`.
pub(super) fn dependency(it: &Expr, scope: &Scope<'_>) -> Diagnostics {
    if is_of_part(it) {
        let problem = Diagnostic::error(UNDECLARED_REFERENCE, "Invalid depends_on reference");
        let detail = "It names a whole resource, an instance of one, a module or its output.";
        return vec![problem.detail(detail).at(Role::Rule, it.span)];
    }
    check_references(it, scope)
}

/// Whether a reference is of something inside of a resource or of an output.
fn is_of_part(expr: &Expr) -> bool {
    let Some(traversal) = absolute_traversal(expr) else { return false };
    let steps = traversal.steps.as_slice();
    let names = match traversal.root.name.as_str() {
        "data" | "ephemeral" | "resource" => 2,
        "var" | "local" | "each" | "path" | "terraform" | "count" | "self" => return false,
        _ => 1,
    };
    let is_key = |it: Option<&Step>| matches!(it, Some(Step::Index { .. }));
    let mut rest = steps.get(names..).unwrap_or_default();
    if is_key(rest.first()) {
        rest = &rest[1..];
    }
    if traversal.root.name == "module" && matches!(rest.first(), Some(Step::Attr(_))) {
        rest = &rest[1..];
    }
    !rest.is_empty()
}
