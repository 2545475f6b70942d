//! Modules for releases before Terraform 1.0.

use diagnostics::{Cause, Diagnostic, Diagnostics, LintId, lints};
use release::{Product, Release, Version};

/// Makes the errors undecided that releases before Terraform 1.0 may not report. They know what was removed later, such
/// as the functions `list` and `map`, types in quotes, block types, and references to a resource with `count` without
/// an index. Errors in values stay, and so do undeclared names. Returns whether there is such an error.
pub fn leave_to_older(release: Release, diagnostics: &mut Diagnostics) -> bool {
    if !is_older(release) {
        return false;
    }
    let mut is_any = false;
    for it in diagnostics.iter_mut().filter(|it| it.is_error() && is_of_language(it)) {
        let detail = format!(
            "{} The module is for {release}, which may accept it: terraschema knows no release before \
            Terraform 1.0.",
            it.detail
        );
        *it = it.clone().under(&lints::UNDECIDED_VALIDATION).detail(detail.trim_start());
        is_any = true;
    }
    is_any
}

/// Whether the wanted version is older than Terraform 1.0: its language differs from that of the release that represents
/// it.
fn is_older(release: Release) -> bool {
    release.product() == Product::Terraform && release.version() < Version::new(1, 0, 0)
}

/// Whether an error depends on the language of the release.
fn is_of_language(it: &Diagnostic) -> bool {
    match &it.cause {
        Some(Cause::Reference(error)) => !error.is_undeclared(),
        _ => is_about_configuration(&it.rule),
    }
}

fn is_about_configuration(rule: &LintId) -> bool {
    rule.is_one_of(&[
        &lints::FAILED_EVALUATION,
        &lints::INVALID_COUNT,
        &lints::INVALID_FOR_EACH,
        &lints::INVALID_MODULE,
        &lints::INVALID_VARIABLE,
        &lints::UNDECLARED_OUTPUT,
        &lints::UNDECLARED_REFERENCE,
        &lints::UNSUPPORTED_ARGUMENT,
    ])
}
