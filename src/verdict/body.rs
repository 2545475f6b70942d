//! Bodies whose schema only a provider has: their references, and what can be evaluated of them.

use smol_str::SmolStr;

use crate::{
    diagnostic::Diagnostics,
    eval::{
        Scope, Trace, check_references, check_references_within, evaluate_in_detail, evaluate_part,
    },
    module::{Body, Content, Dynamic},
    syntax::Expr,
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

/// What is wrong with a list of `depends_on`: values are not looked at there.
pub(super) fn dependencies(list: &[Expr], scope: &Scope<'_>) -> Diagnostics {
    let is_looked_at = |it: &&Expr| {
        let root = crate::eval::references(it).first().map(|it| it.name.to_owned());
        !matches!(root.as_deref(), Some("var" | "local" | "each" | "path" | "terraform"))
    };
    let found = list.iter().filter(is_looked_at).flat_map(|it| check_references(it, scope));
    // An attribute of a resource is no dependency, but all of it is one.
    found.filter(|it| it.summary != "Missing resource instance key").collect()
}
