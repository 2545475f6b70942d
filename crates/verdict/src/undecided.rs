//! Diagnostics for what only a plan can decide.

use diagnostics::{Cause, Diagnostic, Role, Span, lints};

use super::repetition::Expansion;

/// A condition that depends on the plan's values. `what` names it: `a rule of "name"`.
pub(super) fn condition(what: &str, reasons: &[String], span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &lints::UNDECIDED_VALIDATION,
        format!("Only a plan can decide whether {what} holds"),
    );
    diagnostic.detail(format!("It depends on {}.", reasons.join(", "))).at(Role::Rule, span)
}

/// The id of an import: an error where the plan does not know it.
pub(super) fn import(reasons: &[String], span: Span) -> Diagnostic {
    let summary = "Only a plan can decide the ID of an import";
    let diagnostic = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
    diagnostic.detail(format!("It depends on {}.", reasons.join(", "))).at(Role::Declaration, span)
}

/// The elements of an import's `for_each`: an error where the plan does not know them.
pub(super) fn elements(reasons: &[String], span: Span) -> Diagnostic {
    let summary = "Only a plan can decide what is imported";
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
    let detail = format!("The for_each of the import depends on {}.", reasons.join(", "));
    open.detail(detail).at(Role::Declaration, span)
}

/// An error in an import whose `for_each` is not known: without an element it imports nothing.
pub(super) fn imported(found: &Diagnostic) -> Diagnostic {
    let summary = "Only a plan can decide whether something is imported";
    let detail = format!("If it is, the plan fails: {}", found.message());
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary).detail(detail);
    Diagnostic { labels: found.labels.clone(), ..open }
}

/// An output of a sensitive value that does not say so, in a module that may be called: only a root module needs to.
pub(super) fn exposed(name: &str, span: Span) -> Diagnostic {
    let summary = format!("Only a plan can decide whether output \"{name}\" must be sensitive");
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
    let detail = "Its value is sensitive. In a root module, an output with a sensitive value \
        must have sensitive = true; in a called module, it need not.";
    open.detail(detail).at(Role::Declaration, span)
}

/// A data source that triggers something. A plan reads it, unless that has to wait for the apply.
pub(super) fn trigger(address: &str, span: Span) -> Diagnostic {
    let summary = format!("Only a plan can decide whether {address} is read later");
    let diagnostic = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
    diagnostic
        .detail("If the plan reads it, nothing changes, and the plan fails.")
        .at(Role::Rule, span)
}

/// The state of another configuration, which is not read here.
pub(super) fn state(why: &str, span: Span) -> Diagnostic {
    let summary = "Only a plan can decide whether the state can be read";
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
    open.detail(format!("The file was not read: {why}.")).at(Role::Rule, span)
}

/// A number of instances that depends on the plan's values. `None` where it is known, and in the static
/// pass, which knows no number.
pub(super) fn expansion(
    expansion: &Expansion,
    address: &str,
    span: Span,
    is_static: bool,
) -> Option<Diagnostic> {
    let Expansion::Open { is_count, reasons } = expansion else { return None };
    let what = if *is_count { "count" } else { "for_each" };
    let summary = format!("Only a plan can decide the number of instances of {address}");
    let detail = format!("Its {what} depends on {}.", reasons.join(", "));
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary)
        .detail(detail)
        .at(Role::Declaration, span);
    (!is_static).then_some(open)
}

/// A missing file, such as a build artefact or a certificate that is made before the plan. `None` for
/// every other error.
pub(super) fn awaited(found: &Diagnostic) -> Option<Diagnostic> {
    found.cause.as_ref()?.missing_file()?;
    let summary = "Only a plan can decide whether a file exists";
    let detail = format!(
        "The file does not exist here, but it may be created before the plan, or Terraform may \
        run in another directory: {}",
        found.detail
    );
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary).detail(detail);
    Some(Diagnostic { labels: found.labels.clone(), address: found.address.clone(), ..open })
}

/// An error in the body of a resource that an override file changes: Terraform drops what its type does not have.
pub(super) fn dropped(found: &Diagnostic, address: &str) -> Diagnostic {
    let summary = format!("Only a plan can decide whether {address} has this argument");
    let detail = format!(
        "An override file changes the resource, so Terraform ignores arguments that its type \
        does not have. If the type has this argument, the plan fails: {}",
        found.message()
    );
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary).detail(detail);
    Diagnostic { labels: found.labels.clone(), ..open }
}

/// An error in the content of a `dynamic` block whose collection is not known: without an element it makes no block.
pub(super) fn block(found: &Diagnostic, reasons: &[String]) -> Diagnostic {
    let summary = "Only a plan can decide whether a dynamic block makes a block";
    let detail = format!(
        "If it does, the plan fails: {}. Its for_each depends on {}.",
        found.message(),
        reasons.join(", ")
    );
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary).detail(detail);
    Diagnostic { labels: found.labels.clone(), ..open }
}

/// An error in an instance of a module that may not exist; only a plan can decide that.
pub(super) fn instance(found: Diagnostic, reasons: &[String]) -> Diagnostic {
    if !found.is_error() || found.rule == lints::BUDGET_EXCEEDED {
        return found;
    }
    let summary = "Only a plan can decide whether this instance exists";
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
    let open = open.detail(format!(
        "If it exists, the plan fails: {}. Whether it exists depends on {}.",
        found.message(),
        reasons.join(", ")
    ));
    let cause = Some(Cause::Instance);
    Diagnostic { labels: found.labels, address: found.address, cause, ..open }
}
