//! Bodies whose schema only a provider has: their references, and the values that can be evaluated.

use smol_str::SmolStr;

use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use hcl::{
    Expr, ExprKind,
    analysis::{TraversalStep, absolute_traversal},
};
use module::{BlockContent, Dynamic, WrittenBody};
use stack::guarded;
use tf_eval::{
    Scope, check_references, check_references_within, evaluate_in_detail, evaluate_part,
};
use tf_value::{Marks, Type, Value, ops};

/// Errors in the references of a body. If there are any, Terraform evaluates nothing of the body. The
/// content of a `dynamic` block is checked for each element of its collection, and only then.
pub(super) fn references(body: &WrittenBody, scope: &Scope<'_>) -> Diagnostics {
    let mut found = Vec::new();
    references_within(body, scope, &[], &mut found);
    found
}

fn references_within(
    body: &WrittenBody,
    scope: &Scope<'_>,
    bound: &[&str],
    found: &mut Diagnostics,
) {
    guarded(|| {
        for it in body.arguments.iter().filter(|it| it.iterators.is_empty()) {
            found.extend(check_references_within(&it.expr, scope, bound));
        }
        for block in &body.blocks {
            match &block.content {
                BlockContent::Plain(body) => references_within(body, scope, bound, found),
                BlockContent::Dynamic(it) => {
                    found.extend(it.malformed.iter().cloned());
                    let outer = it.for_each.iter();
                    found.extend(outer.flat_map(|it| check_references_within(it, scope, bound)));
                }
            }
        }
    });
}

/// What Terraform does with the values of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeping {
    /// The schema decides which values may be ephemeral.
    BySchema,
    /// All of them are stored: no argument of a data source is write-only.
    Stored,
}

/// Errors in the values of a body whose references are sound.
pub(super) fn evaluate(body: &WrittenBody, scope: &Scope<'_>, keeping: Keeping) -> Diagnostics {
    let mut evaluation =
        BodyEvaluation { scope, keeping, names: Vec::new(), found: Diagnostics::new() };
    evaluation.body(body, Marks::NONE);
    evaluation.found
}

struct BodyEvaluation<'s, 'a> {
    scope: &'s Scope<'a>,
    keeping: Keeping,
    /// The iterators of the `dynamic` blocks around.
    names: Vec<(SmolStr, Value)>,
    found: Diagnostics,
}

impl BodyEvaluation<'_, '_> {
    /// Evaluates a body; `marks` are those of the collection whose `dynamic` block has this content. The arguments
    /// of the content have them too, those of blocks inside it do not.
    fn body(&mut self, body: &WrittenBody, marks: Marks) {
        guarded(|| {
            // In JSON only a schema shows which blocks are `dynamic` blocks.
            for it in body.arguments.iter().filter(|it| it.iterators.is_empty()) {
                let (value, problems) = value(&it.expr, self.scope, &self.names);
                let is_ephemeral = || marks.is_ephemeral() || value.deep_marks().is_ephemeral();
                if problems.is_empty() && self.keeping == Keeping::Stored && is_ephemeral() {
                    self.found.push(stored(&it.expr));
                }
                self.found.extend(problems);
            }
            for block in &body.blocks {
                match &block.content {
                    BlockContent::Plain(body) => self.body(body, Marks::NONE),
                    BlockContent::Dynamic(it) => self.each(it),
                }
            }
        });
    }

    /// Evaluates the content of a `dynamic` block once for each element of its collection. An unknown
    /// collection has no elements yet.
    fn each(&mut self, block: &Dynamic) {
        let Some(collection) = &block.for_each else { return };
        let place = collection.span;
        let (collection, problems) = value(collection, self.scope, &self.names);
        if !problems.is_empty() {
            return self.found.extend(problems);
        }
        let (collection, marks) = collection.unmark();
        // Of an unknown value the type is decided.
        let may_change = marks.is_undecided() && collection.is_known();
        if let Some(reason) = not_iterable(&collection).filter(|_| !may_change) {
            let summary = "Invalid dynamic for_each value";
            let problem = Diagnostic::new(&lints::FAILED_EVALUATION, summary);
            self.found.push(problem.detail(reason).at(Role::Rule, place));
            return;
        }
        let elements = ops::elements(&collection).into_iter().flatten();
        let elements: Vec<(Value, Value)> = elements.map(|(key, it)| (key, it.clone())).collect();
        if !elements.is_empty() {
            let before = self.found.len();
            let bound: Vec<&str> = self.names.iter().map(|it| it.0.as_str()).collect();
            let bound = [&bound[..], &[block.iterator.as_str()]].concat();
            references_within(&block.body, self.scope, &bound, &mut self.found);
            if self.found.len() > before {
                return;
            }
        }
        // Terraform marks the arguments of the content with what marks the collection, and not the iterator.
        let of_elements = marks.without(Marks::EPHEMERAL | Marks::OPENED);
        for (key, value) in elements {
            let (key, value) = (key.with_marks(of_elements), value.with_marks(of_elements));
            let members = [("key".into(), key), ("value".into(), value)];
            let iterator = Value::object(members.into_iter().collect());
            self.names.push((block.iterator.clone(), iterator));
            self.body(&block.body, marks);
            self.names.pop();
        }
    }
}

/// The error of an ephemeral value where Terraform stores the argument.
pub(super) fn stored(value: &Expr) -> Diagnostic {
    let problem = Diagnostic::new(&lints::FAILED_EVALUATION, "Invalid use of ephemeral value");
    let detail = "Terraform stores this argument, so it cannot be an ephemeral value.";
    problem.detail(detail).at(Role::Rule, value.span)
}

/// Why a `dynamic` block cannot go over a value.
fn not_iterable(value: &Value) -> Option<String> {
    if value.is_null() {
        return Some("The \"for_each\" value of a dynamic block must not be null.".to_owned());
    }
    let ty = value.ty();
    let is_iterable = *ty == Type::Dynamic || ops::is_iterable(ty);
    (!is_iterable).then(|| {
        let name = ty.friendly_name();
        format!(
            "The \"for_each\" value of a dynamic block must be a collection, but it is a {name}."
        )
    })
}

/// The value of an expression while these names are bound.
fn value(expr: &Expr, scope: &Scope<'_>, names: &[(SmolStr, Value)]) -> (Value, Diagnostics) {
    let evaluation = match names {
        [] => evaluate_in_detail(expr, scope),
        _ => evaluate_part(expr, scope, names),
    };
    (evaluation.value, evaluation.diagnostics)
}

/// Errors in the `depends_on` of a resource or a call, which asks for no values.
pub(super) fn dependencies(list: &[Expr], scope: &Scope<'_>) -> Diagnostics {
    list.iter().flat_map(|it| dependency(it, scope)).collect()
}

/// The error in one element of a `depends_on`.
pub(super) fn dependency(it: &Expr, scope: &Scope<'_>) -> Diagnostics {
    if is_of_part(it) {
        let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, "Invalid depends_on reference");
        let detail = "It must name a resource, an instance of one, a module or an output of one.";
        return vec![problem.detail(detail).at(Role::Rule, it.span)];
    }
    let problem = |summary: &str, detail: &str| {
        let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, summary);
        vec![problem.detail(detail).at(Role::Rule, it.span)]
    };
    let traversal = absolute_traversal(it);
    let root = traversal.as_ref().map(|it| it.root.name.as_str());
    let step = traversal.as_ref().and_then(|it| it.steps.first());
    let is_word = matches!(it.kind, ExprKind::Null | ExprKind::Bool(_))
        || matches!(root, Some("null" | "true" | "false"));
    match step {
        Some(TraversalStep::Attr(_)) if is_word => {
            return problem(
                "Reference to undeclared resource",
                "This word is not a resource type.",
            );
        }
        _ if is_word => {
            return problem("Invalid reference", "This word does not refer to anything.");
        }
        None if root == Some("self") => {
            return problem(
                "Invalid \"self\" reference",
                "Terraform crashes where it finds this word here.",
            );
        }
        _ => (),
    }
    check_references(it, scope)
}

/// Whether a reference names a part of a resource or of an output.
fn is_of_part(expr: &Expr) -> bool {
    let Some(traversal) = absolute_traversal(expr) else { return false };
    let steps = traversal.steps.as_slice();
    let names = match traversal.root.name.as_str() {
        "data" | "ephemeral" | "resource" => 2,
        "var" | "local" | "each" | "path" | "terraform" | "count" | "self" => return false,
        _ => 1,
    };
    let is_key = |it: Option<&TraversalStep>| matches!(it, Some(TraversalStep::Index { .. }));
    let mut rest = steps.get(names..).unwrap_or_default();
    if is_key(rest.first()) {
        rest = &rest[1..];
    }
    if traversal.root.name == "module" && matches!(rest.first(), Some(TraversalStep::Attr(_))) {
        rest = &rest[1..];
    }
    !rest.is_empty()
}
