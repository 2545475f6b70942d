//! The names that Terraform accepts.

use diagnostics::{Diagnostic, Lint, Role, Span, lints};
use hcl::is_identifier;
use release::{LanguageChange, Release, changes};

/// The types of backends.
const BACKENDS: [&str; 13] = [
    "azurerm",
    "consul",
    "cos",
    "gcs",
    "http",
    "inmem",
    "kubernetes",
    "local",
    "oci",
    "oss",
    "pg",
    "remote",
    "s3",
];

/// Names that mean something else inside a `module` block.
const RESERVED: [&str; 10] = [
    "source",
    "version",
    "providers",
    "provider",
    "count",
    "for_each",
    "lifecycle",
    "depends_on",
    "locals",
    "_",
];

/// The error in a variable's name, if there is one.
pub(super) fn check_variable(name: &str, span: Span) -> Option<Diagnostic> {
    let detail = if RESERVED.contains(&name) {
        format!(
            "No variable can be named \"{name}\", because the name has another meaning in \
            module blocks."
        )
    } else {
        return check(&lints::INVALID_VARIABLE, "variable name", name, span);
    };
    let diagnostic = Diagnostic::new(&lints::INVALID_VARIABLE, "Invalid variable name");
    Some(diagnostic.detail(detail).at(Role::Declaration, span))
}

/// Whether a variable of this name can be given a value: one of another name is an error, whatever is given.
pub fn can_name_variable(name: &str) -> bool {
    !RESERVED.contains(&name) && is_identifier(name)
}

/// The error for a name that is not an identifier; `kind` is Terraform's word for the named thing.
pub(super) fn check(rule: &'static Lint, kind: &str, name: &str, span: Span) -> Option<Diagnostic> {
    if is_identifier(name) {
        return None;
    }
    let detail = "A name must start with a letter or underscore and may contain only letters, \
        digits, underscores, and dashes.";
    let diagnostic = Diagnostic::new(rule, format!("Invalid {kind}")).detail(detail);
    Some(diagnostic.at(Role::Declaration, span))
}

/// The error for a name that no provider can have.
pub(super) fn check_provider(rule: &'static Lint, name: &str, span: Span) -> Option<Diagnostic> {
    if is_provider_part(name) && name == name.to_lowercase() {
        return None;
    }
    let detail = "The name of a provider can contain only lowercase letters, digits, and single \
        dashes between them.";
    let diagnostic = Diagnostic::new(rule, "Invalid provider local name").detail(detail);
    Some(diagnostic.at(Role::Declaration, span))
}

/// Whether a text can be part of a provider's address, apart from the host.
pub fn is_provider_part(text: &str) -> bool {
    text.split('-').all(|it| !it.is_empty() && it.chars().all(char::is_alphanumeric))
}

/// What brought a backend; `None` if every release that reads today's syntax has it.
pub(super) fn backend_change(ty: &str) -> Option<&'static LanguageChange> {
    (ty == "oci").then_some(&changes::OCI_BACKEND)
}

/// Whether a release has a backend of this type.
pub fn is_backend(ty: &str, release: Release) -> bool {
    BACKENDS.contains(&ty) && backend_change(ty).is_none_or(|it| release.has(it))
}
