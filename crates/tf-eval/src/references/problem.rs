//! Errors in a reference.

use super::{RootReference, walk::ReferenceStep};
use crate::{Namespace, Scope, is_text, shape};
use diagnostics::{Cause, Diagnostic, ReferenceError, Role, did_you_mean, lints};
use release::changes;
use smol_str::SmolStr;
use tf_value::{Type, Value};

/// Whether the diagnostic reports a reference to a data source of this check.
pub fn is_within(it: &Diagnostic, check: &str) -> bool {
    matches!(&it.cause, Some(Cause::Reference(ReferenceError::OfCheck(of))) if of == check)
}

/// An error that has no place yet.
struct Problem {
    error: ReferenceError,
    detail: String,
}

impl Problem {
    fn new(error: ReferenceError, detail: impl Into<String>) -> Problem {
        Problem { error, detail: detail.into() }
    }
}

/// The error that Terraform reports for a reference before it evaluates anything.
pub(super) fn of(root: &RootReference<'_>, scope: &Scope<'_>) -> Option<Diagnostic> {
    let Problem { error, detail } = problem(root, scope)?;
    if let Some(why) = scope.data.open().filter(|_| error.is_undeclared()) {
        let summary = format!("{error}, which Terragrunt may declare");
        let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
        let open = open.detail(format!("{detail} It may be declared before the plan: {why}."));
        return Some(open.cause(Cause::Reference(error)).at(Role::Rule, root.span));
    }
    let diagnostic =
        Diagnostic::new(&lints::UNDECLARED_REFERENCE, error.to_string()).detail(detail);
    Some(diagnostic.cause(Cause::Reference(error)).at(Role::Rule, root.span))
}

fn problem(root: &RootReference<'_>, scope: &Scope<'_>) -> Option<Problem> {
    match root.name {
        "self" => match scope.data.instance().and_then(|it| it.this.as_ref()) {
            Some(this) => part_of(this, root),
            None => Some(no_self()),
        },
        "template" | "lazy" | "arg" => Some(reserved(root.name)),
        _ if root.has_unfit_key() => {
            let detail = "The key of an instance must be a string or a whole number.";
            Some(Problem::new(ReferenceError::InvalidKey, detail))
        }
        "data" | "resource" | "ephemeral" => qualified(root, scope),
        "tofu" if !scope.release.has(&changes::TOFU_NAMESPACE) => named(root, scope),
        "var" | "local" | "path" | "terraform" | "tofu" | "each" | "count" | "module" => match root
            .first
        {
            Some(ReferenceStep::Attribute(name)) => {
                attribute(root.name, name, scope).or_else(|| of_instance(root))
            }
            Some(ReferenceStep::Index) => {
                Some(invalid(format!("{:?} is not a value, so it cannot be indexed.", root.name)))
            }
            None => Some(invalid(format!("{0:?} is not a value; write {0}.NAME.", root.name))),
        },
        _ => named(root, scope),
    }
}

/// A reference to a resource by its type.
fn named(root: &RootReference<'_>, scope: &Scope<'_>) -> Option<Problem> {
    let kind = root.name;
    match root.first {
        Some(ReferenceStep::Attribute(name)) => resource(kind, name, &root.steps()[1..], scope),
        _ => Some(invalid(format!(
            "{kind:?} alone is not a value. Write TYPE.NAME for a resource, var.NAME for a \
            variable, or quotes for text."
        ))),
    }
}

/// The error for an index behind the key of a call: `module.a[0]["id"]`.
fn of_instance(root: &RootReference<'_>) -> Option<Problem> {
    let is_index = |at: usize| matches!(root.steps().get(at), Some(ReferenceStep::Index));
    let is_of_call = root.name == "module" && is_index(1) && is_index(2);
    is_of_call.then(|| invalid("An output of a module is written behind a dot.".to_owned()))
}

fn attribute(root: &str, name: &str, scope: &Scope<'_>) -> Option<Problem> {
    match root {
        "var" => undeclared(Namespace::Variable, name, scope),
        "local" => undeclared(Namespace::Local, name, scope),
        "each" | "count"
            if scope.data.instance().is_some_and(|it| it.get(root, name).is_some()) =>
        {
            None
        }
        "each" => Some(no_each(name)),
        "count" => Some(no_count(name)),
        "module" => (!scope.data.declares("module", name)).then(|| {
            let detail = format!("No module call named {name:?} is declared in this module.");
            Problem::new(ReferenceError::UndeclaredModule, detail)
        }),
        _ => builtin(root, name, scope),
    }
}

fn undeclared(namespace: Namespace, name: &str, scope: &Scope<'_>) -> Option<Problem> {
    if scope.data.has(namespace, name) {
        return None;
    }
    let names = scope.data.names(namespace);
    let hint = did_you_mean(name, names.iter().map(String::as_str));
    let (error, what) = match namespace {
        Namespace::Variable => (ReferenceError::UndeclaredVariable, "An input variable"),
        Namespace::Local => (ReferenceError::UndeclaredLocal, "A local value"),
    };
    let detail = format!("{what} with the name {name:?} has not been declared.{hint}");
    Some(Problem::new(error, detail))
}

fn builtin(root: &str, name: &str, scope: &Scope<'_>) -> Option<Problem> {
    let asked = if root == "tofu" { "terraform" } else { root };
    if scope.data.builtin(asked, name).is_some() {
        return None;
    }
    let known = if root == "path" { &["cwd", "module", "root"][..] } else { &["workspace"][..] };
    let hint = did_you_mean(name, known.iter().copied());
    let detail = format!("The {root:?} object does not have an attribute named {name:?}.{hint}");
    Some(Problem::new(ReferenceError::InvalidAttribute(root.to_owned()), detail))
}

fn no_each(name: &str) -> Problem {
    if !matches!(name, "key" | "value") {
        let detail = format!(
            "The \"each\" object does not have an attribute named {name:?}. \
            The supported attributes are each.key and each.value."
        );
        return Problem::new(ReferenceError::InvalidAttribute("each".to_owned()), detail);
    }
    let detail = "The \"each\" object can be used only in \"module\" or \"resource\" blocks, \
        and only if the block has \"for_each\".";
    Problem::new(ReferenceError::NoEach, detail)
}

fn no_count(name: &str) -> Problem {
    if name != "index" {
        let detail = format!(
            "The \"count\" object does not have an attribute named {name:?}. \
            The only supported attribute is count.index."
        );
        return Problem::new(ReferenceError::InvalidAttribute("count".to_owned()), detail);
    }
    let detail = "The \"count\" object can be used only in \"module\", \"resource\" and \"data\" blocks, \
        and only if the block has \"count\".";
    Problem::new(ReferenceError::NoCount, detail)
}

fn no_self() -> Problem {
    let detail = "The \"self\" object can be used only in provisioner, connection and \
        postcondition blocks.";
    Problem::new(ReferenceError::NoSelf, detail)
}

/// The error for a part that `self` does not have.
fn part_of(this: &Value, root: &RootReference<'_>) -> Option<Problem> {
    let name = match root.first? {
        ReferenceStep::Attribute(name) => name,
        ReferenceStep::Index => {
            let detail = "An attribute of \"self\" is written as self.NAME.";
            return Some(Problem::new(ReferenceError::InvalidIndex, detail));
        }
    };
    let Type::Object(object) = this.ty() else { return None };
    let Some(ty) = object.attributes.get(name) else {
        return Some(no_attribute(name, object.attributes.keys().map(SmolStr::as_str)));
    };
    // The schema says the type of a value that is not known yet.
    let is_text = !this.is_known() && *ty == Type::String;
    Some(part_of_text(name, root.steps().get(1).filter(|_| is_text)?))
}

fn reserved(name: &str) -> Problem {
    let detail = format!(
        "The symbol name {name:?} is reserved for use in a future Terraform \
        version."
    );
    Problem::new(ReferenceError::Reserved, detail)
}

fn invalid(detail: String) -> Problem {
    Problem::new(ReferenceError::Invalid, detail)
}

fn qualified(root: &RootReference<'_>, scope: &Scope<'_>) -> Option<Problem> {
    match root.steps().as_slice() {
        [ReferenceStep::Attribute(kind), ReferenceStep::Attribute(name), rest @ ..] => {
            match root.name {
                "resource" => resource(kind, name, rest, scope),
                prefix => resource(&format!("{prefix}.{kind}"), name, rest, scope),
            }
        }
        _ => Some(invalid(format!("{:?} must be followed by a type and a name.", root.name))),
    }
}

/// Checks a reference to a resource; `rest` are the steps behind its name.
fn resource(
    kind: &str,
    name: &str,
    rest: &[ReferenceStep<'_>],
    scope: &Scope<'_>,
) -> Option<Problem> {
    if scope.data.declares(kind, name) {
        if let Some(check) = scope.data.check_of(kind, name) {
            let detail = format!(
                "It is declared in the check {check:?}, and only that check can refer \
                    to it."
            );
            return Some(Problem::new(ReferenceError::OfCheck(check), detail));
        }
        return instance(kind, name, rest, scope).or_else(|| attribute_of(kind, rest, scope));
    }
    let (what, bare) = match kind.split_once('.') {
        Some(("data", bare)) => ("A data resource", bare),
        Some((_, bare)) => ("An ephemeral resource", bare),
        None => ("A managed resource", kind),
    };
    let detail = format!("{what} {bare:?} {name:?} has not been declared in this module.");
    Some(Problem::new(ReferenceError::UndeclaredResource, detail))
}

/// The error for a key where there is one instance, or for no key where there are many.
fn instance(
    kind: &str,
    name: &str,
    rest: &[ReferenceStep<'_>],
    scope: &Scope<'_>,
) -> Option<Problem> {
    match (scope.data.is_repeated(kind, name)?, rest.first()?) {
        (false, ReferenceStep::Index) => {
            let detail = format!(
                "{kind}.{name} has neither \"count\" nor \"for_each\", so it has only one \
                instance, without a key: write {kind}.{name}."
            );
            Some(Problem::new(ReferenceError::UnexpectedKey, detail))
        }
        (true, ReferenceStep::Attribute(_)) => {
            let detail = format!(
                "Because {kind}.{name} has \"count\" or \"for_each\", its attributes must be \
                accessed on specific instances: write {kind}.{name}[KEY], or {kind}.{name}[*] for \
                 all instances of \"count\"."
            );
            Some(Problem::new(ReferenceError::MissingKey, detail))
        }
        _ => None,
    }
}

/// The error for an index where an attribute has to be, for an attribute that a resource of known shape lacks, and for a
/// part of one that has no parts.
fn attribute_of(kind: &str, rest: &[ReferenceStep<'_>], scope: &Scope<'_>) -> Option<Problem> {
    let has_key = matches!(rest.first(), Some(ReferenceStep::Index));
    let mut rest = rest.iter().skip(usize::from(has_key));
    let ReferenceStep::Attribute(name) = rest.next()? else {
        let detail = "An attribute of a resource is written behind a dot.";
        return Some(Problem::new(ReferenceError::InvalidIndex, detail));
    };
    let attributes = shape(kind, scope.release)?;
    if attributes.contains(name) {
        let part = rest.next().filter(|_| is_text(kind, name))?;
        return Some(part_of_text(name, part));
    }
    Some(no_attribute(name, attributes.iter().copied()))
}

/// The error for a part of an attribute that is a text.
fn part_of_text(name: &str, part: &ReferenceStep<'_>) -> Problem {
    let (error, what) = match part {
        ReferenceStep::Attribute(_) => (ReferenceError::UnsupportedAttribute, "attributes"),
        ReferenceStep::Index => (ReferenceError::InvalidIndex, "indices"),
    };
    Problem::new(error, format!("{name:?} is a string, which has no {what}."))
}

fn no_attribute<'a>(name: &str, attributes: impl Iterator<Item = &'a str>) -> Problem {
    let hint = did_you_mean(name, attributes);
    let detail = format!(
        "This object has no argument, nested block, or exported attribute named {name:?}.{hint}"
    );
    Problem::new(ReferenceError::UnsupportedAttribute, detail)
}
