//! `required-version-too-low`: `required_version` admits a version that lacks a feature of the module,
//! so that its users get a syntax error instead of a clear answer.

use super::{ModuleContext, raised_version};
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use module::{
    RequiredVersion,
    features::{self, Use},
};

/// The number of places that one finding shows in addition to the constraint.
const MAX_PLACES: usize = 3;

pub(super) fn check(context: &ModuleContext<'_>) -> Diagnostics {
    let Some(RequiredVersion { text, span, .. }) = context.module.required_versions.first() else {
        return Vec::new();
    };
    let oldest = context.module.oldest_admitted();
    let mut lacking: Vec<Use> = features::used_after(oldest, context.module, context.product());
    // Sorted by release, newest first; only the first use of each feature is kept.
    lacking.sort_by(|a, b| b.since.cmp(&a.since).then(a.span.cmp(&b.span)));
    let mut seen = Vec::new();
    lacking.retain(|it| {
        let is_new = !seen.contains(&it.feature.name);
        seen.push(it.feature.name);
        is_new
    });
    let Some(newest) = lacking.first() else { return Vec::new() };
    let needs: Vec<String> = lacking.iter().map(Use::describe).collect();
    let product = context.product();
    let summary = format!(
        "required_version allows {product} {}.{}, which cannot run the module",
        oldest.major, oldest.minor
    );
    let mut diagnostic = Diagnostic::new(&lints::REQUIRED_VERSION_TOO_LOW, summary)
        .detail(format!("\"{text}\" is too low for {}.", needs.join(", ")))
        .at(Role::Declaration, *span)
        .help(format!("write \">= {}.{}\"", newest.since.major, newest.since.minor));
    let module = context.module;
    if let Some((fix, new)) =
        raised_version::fix(&module.required_versions, newest.since, &module.sources)
    {
        diagnostic = diagnostic.help(format!("write \"{new}\"")).fix(fix);
    }
    for it in lacking.iter().take(MAX_PLACES) {
        diagnostic = diagnostic.at_with(Role::Rule, it.span, it.describe());
    }
    vec![diagnostic]
}
