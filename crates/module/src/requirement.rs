//! Checks `required_version` against the chosen release.

use super::{Module, RequiredVersion};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use release::{Constraints, Release, changes};

/// The error in a constraint itself.
pub(super) fn check_syntax(text: &str, span: Span) -> Option<Diagnostic> {
    if Constraints::parse(text).is_some() {
        return None;
    }
    let detail = format!("\"{text}\" is not a version constraint such as \">= 1.3, < 2.0\".");
    let problem = Diagnostic::new(&lints::INVALID_MODULE, "Invalid version constraint");
    Some(problem.detail(detail).at(Role::Declaration, span))
}

/// The constraints that the release does not meet. Terraform reports them only if nothing else is wrong with the files.
pub(super) fn check_version(module: &Module, release: Release) -> Diagnostics {
    let mut diagnostics = Vec::new();
    let is_ignored = release.has(&changes::REQUIRED_VERSION_IGNORED);
    let judged = module.required_versions.iter().filter(|it| it.is_of_tofu || !is_ignored);
    for RequiredVersion { text, span, .. } in judged {
        let Some(constraints) = Constraints::parse(text) else { continue };
        if constraints.has_prerelease() {
            let detail =
                format!("\"{text}\" names a prerelease, which required_version does not allow.");
            diagnostics.push(unmet("Invalid required_version constraint", detail, *span));
        } else if !constraints.allow(release.version()) {
            let detail = format!("The module requires \"{text}\", but it is judged as {release}.");
            let summary = format!("Unsupported {} Core version", release.product());
            diagnostics.push(unmet(&summary, detail, *span));
        }
    }
    diagnostics
}

/// Terraform reads constraints of providers once more, from the merged files, and accepts less.
pub(super) fn check_providers(module: &Module) -> Diagnostics {
    let required = module.required_providers.values();
    let required = required.filter_map(|it| Some((it.version.as_deref()?, it.span)));
    let configured = module.configurations.iter().filter_map(|it| it.version.as_ref());
    let all = required.chain(configured.map(|it| (it.text.as_str(), it.span)));
    let sound = all.filter(|it| Constraints::parse(it.0).is_some());
    let unfit = sound.filter_map(|(text, span)| {
        let detail = Constraints::problem_for_provider(text)?;
        let problem = Diagnostic::new(&lints::INVALID_MODULE, "Invalid version constraint");
        Some(problem.detail(detail).at(Role::Declaration, span))
    });
    unfit.collect()
}

fn unmet(summary: &str, detail: String, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::UNSUPPORTED_VERSION, summary).detail(detail).at(Role::Declaration, span)
}
