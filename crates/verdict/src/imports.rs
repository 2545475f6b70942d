//! `import` blocks: the elements of their `for_each`, their ids, and what they are to.

use std::cell::Cell;

use super::{repetition, undecided};
use crate::instance::Target;
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use hcl::{
    Expr, ExprKind,
    analysis::{ConstantIndex, OpenStep, as_keyword, closed_traversal, open_traversal},
};
use module::{Address, AddressForm, Import, Repetition, Values};
use release::{LanguageChange, Product, changes};
use stack::guarded;
use tf_eval::{
    Evaluation, Instance, ReferenceStep, RootReference, Scope, evaluate_in_detail, references,
};
use tf_value::{Type, Value, convert, ops};

/// What an import is to, and the errors in it: its id must be a known string that is not empty.
pub(super) fn check(
    it: &Import,
    values: &Values<'_>,
    is_static: bool,
) -> (Vec<Target>, Diagnostics) {
    let (mut targets, mut found) = (Vec::new(), Vec::new());
    let mut elements =
        Elements { instances: vec![Instance::default()], is_open: false, is_hidden: false };
    if let Some(for_each) = &it.for_each {
        elements = match Elements::new(for_each, &values.scope(), is_static) {
            Ok(it) => it,
            Err(found) => return (targets, found),
        };
    }
    for instance in elements.instances {
        let data = values.in_instance(&instance);
        let scope = values.scope_of(&data);
        let identity = it.identity.iter();
        for it in identity {
            found.extend(evaluate_in_detail(it, &scope).diagnostics);
        }
        found.extend(it.id.iter().flat_map(|expr| {
            let to_itself = to_itself(it, expr, &scope);
            if to_itself.is_empty() { id(expr, &scope, is_static) } else { to_itself }
        }));
        if !is_static {
            found.extend(check_keys(it, &scope));
            let (address, is_hidden) = address(it, &scope).unzip();
            let is_hidden = elements.is_hidden || is_hidden.unwrap_or_default();
            targets.push(Target { address, is_certain: !elements.is_open, is_hidden });
        }
    }
    (targets, found)
}

/// The elements of a `for_each`. Each of them makes one import.
struct Elements {
    /// One with unknown keys where only a plan knows them.
    instances: Vec<Instance>,
    is_open: bool,
    /// Whether the keys must not be printed.
    is_hidden: bool,
}

impl Elements {
    fn new(for_each: &Expr, scope: &Scope<'_>, is_static: bool) -> Result<Elements, Diagnostics> {
        let evaluation = evaluate_in_detail(for_each, scope);
        if !evaluation.diagnostics.is_empty() {
            return Err(evaluation.diagnostics);
        }
        let is_hidden = evaluation.value.deep_marks().is_hidden();
        if scope.release.has(&changes::IMPORT_FOR_EACH_LOOSE) {
            let instances = loose(evaluation, for_each, is_static).map_err(|it| vec![*it])?;
            return Ok(Elements { instances, is_open: false, is_hidden });
        }
        let is_open = !evaluation.value.is_known();
        // `each.key` is then the index.
        if let Type::Tuple(_) = evaluation.value.ty() {
            let pairs = pairs(&evaluation.value.unmark().0).into_iter();
            let instances = pairs.map(|(key, it)| each(key, it)).collect();
            return Ok(Elements { instances, is_open, is_hidden });
        }
        let repetition = Repetition { for_each: Some(for_each.clone()), ..Repetition::default() };
        let (expansion, found) = repetition::expand(&repetition, scope, is_static);
        if !found.is_empty() {
            return Err(found);
        }
        let instances = expansion.map(|it| it.instances(is_static)).unwrap_or_default();
        Ok(Elements { instances, is_open, is_hidden })
    }
}

/// The elements of any collection; null has none. Terraform knows them completely before it imports anything.
fn loose(
    evaluation: Evaluation,
    for_each: &Expr,
    is_static: bool,
) -> Result<Vec<Instance>, Box<Diagnostic>> {
    let refuse = |detail: &str| {
        let problem = Diagnostic::new(&lints::INVALID_FOR_EACH, "Invalid for_each argument");
        Err(problem.detail(detail).at(Role::Declaration, for_each.span).into())
    };
    let Evaluation { value, undecided, .. } = evaluation;
    if !value.is_wholly_known() && !is_static {
        if value.deep_marks().is_undecided() {
            return Err(undecided::elements(&undecided, for_each.span).into());
        }
        return refuse("It depends on values that are known only after apply.");
    }
    let marks = match value.ty() {
        Type::Set(_) => value.deep_marks(),
        _ => value.marks(),
    };
    // An ephemeral element of a map, object, list or tuple is accepted, and so is the id that it gives.
    if marks.is_ephemeral() {
        return refuse("An import cannot depend on an ephemeral value.");
    }
    let (value, _) = value.unmark();
    match value.ty() {
        _ if value.is_known() && value.is_null() => Ok(Vec::new()),
        Type::Dynamic
        | Type::Map(_)
        | Type::Object(_)
        | Type::Set(_)
        | Type::Tuple(_)
        | Type::List(_) => {
            let unknown =
                || vec![each(Value::unknown(Type::Dynamic), Value::unknown(Type::Dynamic))];
            if !value.is_known() {
                return Ok(unknown());
            }
            // The keys of a sensitive collection may be used, its values not.
            let pairs = pairs(&value).into_iter();
            Ok(pairs.map(|(key, it)| each(key.unmark_deep().0, it.with_marks(marks))).collect())
        }
        ty => {
            refuse(&format!("A collection is required here, but this is a {}.", ty.friendly_name()))
        }
    }
}

fn each(key: Value, value: Value) -> Instance {
    Instance { each: Some((key, value)), ..Instance::default() }
}

fn pairs(collection: &Value) -> Vec<(Value, Value)> {
    let elements = ops::elements(collection).into_iter().flatten();
    elements.map(|(key, it)| (key, it.clone())).collect()
}

/// Errors for references of the id to a resource with the target's type and name. Terraform compares neither keys nor
/// modules; OpenTofu has no such check.
fn to_itself(import: &Import, id: &Expr, scope: &Scope<'_>) -> Diagnostics {
    let names = names(&import.to);
    let [.., ty, name] = names.as_slice() else { return Vec::new() };
    if scope.release.product() != Product::Terraform {
        return Vec::new();
    }
    let is_own = |root: &RootReference<'_>| {
        let steps = root.steps();
        let steps = steps.iter().map_while(|it| match it {
            ReferenceStep::Attribute(it) => Some(*it),
            ReferenceStep::Index => None,
        });
        let mut names = std::iter::once(root.name).chain(steps).peekable();
        names.next_if_eq(&"resource");
        names.next() == Some(ty) && names.next() == Some(name)
    };
    let problem = Diagnostic::new(&lints::FAILED_EVALUATION, "Invalid import id argument");
    let problem = problem.detail("The import ID cannot refer to the resource that is imported.");
    let own = references(id).into_iter().filter(is_own);
    own.map(|it| problem.clone().at(Role::Declaration, it.span)).collect()
}

fn id(expr: &Expr, scope: &Scope<'_>, is_static: bool) -> Diagnostics {
    let evaluation = evaluate_in_detail(expr, scope);
    if !evaluation.diagnostics.is_empty() {
        return evaluation.diagnostics;
    }
    let (value, marks) = evaluation.value.unmark();
    if marks.is_undecided() && !is_static {
        return vec![undecided::import(&evaluation.undecided, expr.span)];
    }
    let refuse = |detail: String| {
        let problem = Diagnostic::new(&lints::FAILED_EVALUATION, "Invalid import id argument");
        vec![problem.detail(detail).at(Role::Declaration, expr.span)]
    };
    if value.is_known() && value.is_null() {
        return refuse("The import ID cannot be null.".to_owned());
    }
    let has = |change: &LanguageChange| scope.release.has(change);
    if marks.is_sensitive() && !has(&changes::IMPORT_ID_SENSITIVE) {
        return refuse("The import ID cannot be sensitive.".to_owned());
    }
    if marks.is_ephemeral() && has(&changes::IMPORT_ID_LASTING) {
        return refuse("The import ID cannot be ephemeral.".to_owned());
    }
    match convert(&value, &Type::String) {
        Ok(it) if it.as_str() == Some("") && has(&changes::IMPORT_ID_EMPTY) => {
            refuse("The import ID cannot be empty.".to_owned())
        }
        Ok(it) if !it.is_known() && !is_static => {
            refuse("The import ID depends on values that are known only after apply.".to_owned())
        }
        Ok(_) => Vec::new(),
        Err(error) => refuse(format!("The import ID value is unsuitable: {}.", error.reason)),
    }
}

// Keys of an import's target that are expressions. In Terraform they can refer only to `each`.

/// The error in a key of an import, which is for one element if the import has `for_each`.
fn check_keys(import: &Import, scope: &Scope<'_>) -> Option<Diagnostic> {
    let (_, steps) = open_traversal(&import.to);
    steps.into_iter().find_map(|it| match it {
        OpenStep::Key(key) => unfit(key, import, scope),
        OpenStep::Attribute(_) => None,
    })
}

/// The names in the address that an import is to, without keys.
pub(super) fn names(to: &Expr) -> Vec<&str> {
    let (root, steps) = open_traversal(to);
    let names = steps.into_iter().filter_map(|it| match it {
        OpenStep::Attribute(it) => Some(it.name.as_str()),
        OpenStep::Key(_) => None,
    });
    as_keyword(root).into_iter().chain(names).collect()
}

/// The address that an import is to, with the values of its keys; `None` where a key is unknown or not valid as
/// a key. The flag says whether the keys must not be printed.
pub(super) fn address(import: &Import, scope: &Scope<'_>) -> Option<(Address, bool)> {
    let is_hidden = Cell::new(false);
    let key = |key: &Expr| {
        ConstantIndex::new(key).or_else(|| {
            let value = evaluate_in_detail(key, scope).value;
            let (value, marks) = value.unmark_deep();
            is_hidden.set(is_hidden.get() || marks.is_hidden());
            let number =
                || Some(ConstantIndex::Number(value.as_number()?.to_i64()?.to_string().into()));
            value.as_str().map(|it| ConstantIndex::String(it.into())).or_else(number)
        })
    };
    let to = closed_traversal(&import.to, key)?;
    Some((Address::new(&to, AddressForm::of(scope.release))?, is_hidden.get()))
}

fn unfit(key: &Expr, import: &Import, scope: &Scope<'_>) -> Option<Diagnostic> {
    if ConstantIndex::new(key).is_some() {
        return None;
    }
    let refuse = |summary: &str, detail: &str| {
        let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, summary);
        Some(problem.detail(detail.to_owned()).at(Role::Rule, key.span))
    };
    // OpenTofu evaluates keys as it does any expression.
    if scope.release.product() == Product::Terraform {
        if import.for_each.is_none() {
            return refuse("Invalid expression", "Without for_each, the key must be a constant.");
        }
        if references(key).iter().any(|it| it.name != "each") {
            return refuse("Unknown variable", "A key can refer only to each.key and each.value.");
        }
        let names_part = |it: &RootReference<'_>| {
            let part = it.steps().first().copied();
            matches!(part, Some(ReferenceStep::Attribute("key" | "value")))
        };
        if !references(key).iter().all(names_part) {
            return refuse(
                "Unsupported attribute",
                "The only attributes are each.key and \
                each.value.",
            );
        }
        if calls(key) {
            return refuse("Function calls not allowed", "A key cannot call a function.");
        }
    }
    let evaluation = evaluate_in_detail(key, scope);
    if let Some(problem) = evaluation.diagnostics.into_iter().next() {
        return Some(problem);
    }
    let (value, marks) = evaluation.value.unmark_deep();
    if marks.is_sensitive() && scope.release.product() == Product::Terraform {
        return refuse("Invalid index expression", "The key of an instance must not be sensitive.");
    }
    if is_key(&value) {
        return None;
    }
    refuse("Invalid address", "The key of an instance must be a string or a whole number.")
}

/// Whether a value can be a key; an unknown one can.
fn is_key(value: &Value) -> bool {
    match value.ty() {
        _ if !value.is_known() => true,
        _ if value.is_null() => false,
        Type::String => true,
        Type::Number => value.as_number().is_some_and(|it| it.to_u64().is_some()),
        _ => false,
    }
}

fn calls(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Call { .. });
    if !found && !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| found |= calls(it)));
    }
    found
}
