//! Bodies whose schema only a provider has: their references, and the values that can be evaluated.

use smol_str::SmolStr;

use super::undecided;
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use hcl::{
    Expr, ExprKind,
    analysis::{TraversalStep, absolute_traversal},
};
use module::{BlockContent, BodyArgument, Dynamic, WrittenBody};
use stack::guarded;
use tf_eval::{
    Evaluation, Scope, check_references, check_references_within, evaluate_in_detail, evaluate_part,
};
use tf_value::{Marks, Type, Value, ops};

/// Errors in the references of a body. If there are any, Terraform evaluates nothing of the body. The
/// content of a `dynamic` block is checked for each element of its collection, and only then. The collections of the
/// `dynamic` blocks in it are checked in any case, since Terraform asks for what they need before it makes a block.
pub(super) fn references(body: &WrittenBody, scope: &Scope<'_>) -> Diagnostics {
    let mut found = Vec::new();
    references_within(body, scope, &[], &mut found);
    of_collections(body, scope, &[], &mut found);
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
                BlockContent::Dynamic(it) => found.extend(it.malformed.iter().cloned()),
            }
        }
    });
}

/// Errors in the references of the collections and labels of all `dynamic` blocks in a body.
fn of_collections(body: &WrittenBody, scope: &Scope<'_>, bound: &[&str], found: &mut Diagnostics) {
    guarded(|| {
        for block in &body.blocks {
            match &block.content {
                BlockContent::Plain(body) => of_collections(body, scope, bound, found),
                BlockContent::Dynamic(it) => {
                    let own = it.for_each.iter();
                    found.extend(own.flat_map(|it| check_references_within(it, scope, bound)));
                    let bound = [bound, &[it.iterator.as_str()]].concat();
                    let labels = it.labels.iter();
                    let labels = labels.flat_map(|it| check_references_within(it, scope, &bound));
                    found.extend(labels);
                    of_collections(&it.body, scope, &bound, found);
                }
            }
        }
    });
}

/// Errors in the form of the `dynamic` blocks of a body.
fn malformed(body: &WrittenBody, found: &mut Diagnostics) {
    for block in &body.blocks {
        match &block.content {
            BlockContent::Plain(body) => guarded(|| malformed(body, found)),
            BlockContent::Dynamic(it) => found.extend(it.malformed.iter().cloned()),
        }
    }
}

/// What Terraform does with the values of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeping {
    /// The schema decides which values may be ephemeral.
    BySchema,
    /// All of them are stored: no argument of a data source is write-only.
    Stored,
}

/// Errors in the values of a body whose references are sound. `asking` is the scope for references that no walk before
/// has checked: those in the content of a `dynamic` block whose collection was not known then.
pub(super) fn evaluate(
    body: &WrittenBody,
    scope: &Scope<'_>,
    asking: &Scope<'_>,
    keeping: Keeping,
) -> Diagnostics {
    let (names, found) = Default::default();
    let mut evaluation = BodyEvaluation {
        scope,
        asking,
        keeping,
        names,
        is_unknown: false,
        is_doubtful: false,
        found,
    };
    evaluation.body(body, Marks::NONE);
    evaluation.found
}

struct BodyEvaluation<'s, 'a> {
    scope: &'s Scope<'a>,
    asking: &'s Scope<'a>,
    keeping: Keeping,
    /// The iterators of the `dynamic` blocks around.
    names: Vec<(SmolStr, Value)>,
    /// Whether a `dynamic` block around has an unknown collection, so that no argument is evaluated.
    is_unknown: bool,
    /// Whether only a plan knows whether a `dynamic` block around makes a block.
    is_doubtful: bool,
    found: Diagnostics,
}

impl BodyEvaluation<'_, '_> {
    /// Evaluates a body; `marks` are those of the collection whose `dynamic` block has this content. The arguments
    /// of the content have them too, those of blocks inside it do not.
    fn body(&mut self, body: &WrittenBody, marks: Marks) {
        guarded(|| {
            // In JSON only a schema shows which blocks are `dynamic` blocks.
            let is_evaluated = |it: &&BodyArgument| !self.is_unknown && it.iterators.is_empty();
            for it in body.arguments.iter().filter(is_evaluated) {
                let Evaluation { value, diagnostics: problems, .. } =
                    evaluation(&it.expr, self.scope, &self.names);
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

    /// Evaluates the content of a `dynamic` block once for each element of its collection.
    fn each(&mut self, block: &Dynamic) {
        let Some(collection) = &block.for_each else { return };
        let place = collection.span;
        let collection = evaluation(collection, self.scope, &self.names);
        if !collection.diagnostics.is_empty() {
            return self.found.extend(collection.diagnostics);
        }
        let reasons = collection.undecided;
        let (collection, marks) = collection.value.unmark();
        // Of an unknown value the type is decided.
        let may_change = marks.is_undecided() && collection.is_known();
        if let Some(reason) = not_iterable(&collection).filter(|_| !may_change) {
            let summary = "Invalid dynamic for_each value";
            let problem = Diagnostic::new(&lints::FAILED_EVALUATION, summary);
            self.found.push(problem.detail(reason).at(Role::Rule, place));
            return;
        }
        let Some(elements) = ops::elements(&collection) else {
            return self.unknown(block, marks, &reasons);
        };
        let elements: Vec<(Value, Value)> = elements.map(|(key, it)| (key, it.clone())).collect();
        if !elements.is_empty() && !self.is_sound(block) {
            return;
        }
        // Terraform marks the arguments of the content with what marks the collection, and not the iterator.
        let of_elements = marks.without(Marks::EPHEMERAL | Marks::OPENED);
        for (key, value) in elements {
            let element = (key.with_marks(of_elements), value.with_marks(of_elements));
            self.content(block, element, marks);
        }
    }

    /// Evaluates the content for an unknown collection. Of that Terraform evaluates only the collections of further
    /// `dynamic` blocks. The rest fails if a plan knows the collection, and it has elements.
    fn unknown(&mut self, block: &Dynamic, marks: Marks, reasons: &[String]) {
        let unknown = Value::unknown(Type::Dynamic).with_marks(marks.of_ours());
        let before = self.found.len();
        // In a doubtful block, the collections inside were evaluated with those of the outermost such block.
        if !self.is_doubtful {
            let was_unknown = std::mem::replace(&mut self.is_unknown, true);
            if self.is_sound(block) {
                self.content(block, (unknown.clone(), unknown.clone()), Marks::NONE);
            }
            self.is_unknown = was_unknown;
        }
        if self.found.len() > before || self.is_unknown || !marks.is_undecided() {
            return;
        }
        let was_doubtful = std::mem::replace(&mut self.is_doubtful, true);
        if self.is_sound(block) {
            self.content(block, (unknown.clone(), unknown), marks);
        }
        self.is_doubtful = was_doubtful;
        for it in &mut self.found[before..] {
            if it.is_error() && it.rule != lints::BUDGET_EXCEEDED {
                *it = undecided::block(it, reasons);
            }
        }
    }

    /// Evaluates the content of a `dynamic` block for one element.
    fn content(&mut self, block: &Dynamic, element: (Value, Value), marks: Marks) {
        let members = [("key".into(), element.0), ("value".into(), element.1)];
        let iterator = Value::object(members.into_iter().collect());
        self.names.push((block.iterator.clone(), iterator));
        self.body(&block.body, marks);
        self.names.pop();
    }

    /// Whether the form of the content, and the references in it, have no errors.
    fn is_sound(&mut self, block: &Dynamic) -> bool {
        let before = self.found.len();
        if self.is_unknown {
            malformed(&block.body, &mut self.found);
        } else {
            let bound: Vec<&str> = self.names.iter().map(|it| it.0.as_str()).collect();
            let bound = [&bound[..], &[block.iterator.as_str()]].concat();
            references_within(&block.body, self.asking, &bound, &mut self.found);
        }
        self.found.len() == before
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

/// Evaluates an expression while these names are bound.
fn evaluation(expr: &Expr, scope: &Scope<'_>, names: &[(SmolStr, Value)]) -> Evaluation {
    match names {
        [] => evaluate_in_detail(expr, scope),
        _ => evaluate_part(expr, scope, names),
    }
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
