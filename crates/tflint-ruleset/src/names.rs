//! The rules of tflint that report our lints.

use diagnostics::{Lint, lints};

/// Each rule of tflint with the lints that it reports. Other lints are reported by tflint itself, or by `check` alone.
pub const REPORTED: &[(&str, &[&Lint])] = &[
    ("terraschema_backtracking_pattern", &[&lints::BACKTRACKING_PATTERN]),
    (
        "terraschema_default_fails_validation",
        &[&lints::CONDITIONALLY_REQUIRED, &lints::DEFAULT_FAILS_VALIDATION],
    ),
    (
        "terraschema_invalid_input",
        &[
            &lints::DEPRECATED_VARIABLE,
            &lints::FAILED_EVALUATION,
            &lints::FAILED_VALIDATION,
            &lints::INVALID_INPUT_SYNTAX,
            &lints::MISSING_VARIABLE,
            &lints::NULL_NOT_ALLOWED,
            &lints::OUTSIDE_ROOT,
            &lints::SCHEMA_VIOLATION,
            &lints::TYPE_MISMATCH,
            &lints::UNDECLARED_VARIABLE,
            &lints::UNREADABLE_INPUT,
        ],
    ),
    ("terraschema_missing_schema", &[&lints::MISSING_SCHEMA]),
    (
        "terraschema_module_call",
        &[
            &lints::DEPRECATED_OUTPUT,
            &lints::FAILED_CONDITION,
            &lints::INVALID_COUNT,
            &lints::INVALID_FOR_EACH,
            &lints::INVALID_MOVE,
            &lints::MISSING_ARGUMENT,
            &lints::MISSING_MODULE,
            &lints::UNDECLARED_OUTPUT,
            &lints::UNDECLARED_REFERENCE,
        ],
    ),
    ("terraschema_null_crashes_validation", &[&lints::NULL_CRASHES_VALIDATION]),
    ("terraschema_required_version_too_low", &[&lints::REQUIRED_VERSION_TOO_LOW]),
    ("terraschema_rule_never_holds", &[&lints::RULE_NEVER_HOLDS]),
    ("terraschema_stale_schema", &[&lints::FOREIGN_SCHEMA, &lints::STALE_SCHEMA]),
    ("terraschema_unknown_attribute", &[&lints::UNKNOWN_ATTRIBUTE]),
    (
        "terraschema_untranslated_validation",
        &[&lints::UNTRANSLATED_VALIDATION, &lints::WEAKENED_VALIDATION],
    ),
];

/// The rule of tflint that reports a lint.
pub fn of(lint: &Lint) -> Option<&'static str> {
    REPORTED.iter().find(|it| it.1.contains(&lint)).map(|it| it.0)
}
