//! Every lint, declared once: the table, `explain`, the configuration, the reports, the tflint ruleset and
//! `docs/rules/README.md` follow from these declarations.
//!
//! A new lint is an entry here, or in `compat` if only that reports it, and its page, `docs/rules/<id>.md`;
//! `UPDATE=1 cargo test --test it -- explain` writes the rest.

use super::{Level, Lint};

/// Declares lints, and a list of them.
macro_rules! lints {
    ($(#[$about:meta])* $list:ident:
    $($name:ident = $id:literal {
        level: $level:ident,
        summary: $summary:literal,
        reason: $reason:literal,
    })*) => {
        $(
            #[doc = $summary]
            pub static $name: Lint = Lint {
                id: $id,
                level: Level::$level,
                summary: $summary,
                reason: $reason,
            };
        )*

        $(#[$about])*
        pub static $list: &[&Lint] = &[$(&$name),*];
    };
}

mod compat;

pub use compat::*;

/// All lints, sorted by id.
pub static LINTS: &[&Lint] = &{
    let mut all = [&BACKTRACKING_PATTERN; OF_ONE_STATE.len() + OF_COMPAT.len()];
    let (mut one, mut other) = (0, 0);
    while one + other < all.len() {
        let is_first = other == OF_COMPAT.len()
            || one < OF_ONE_STATE.len() && is_before(OF_ONE_STATE[one].id, OF_COMPAT[other].id);
        all[one + other] = if is_first { OF_ONE_STATE[one] } else { OF_COMPAT[other] };
        (one, other) = if is_first { (one + 1, other) } else { (one, other + 1) };
    }
    all
};

/// Compares bytes in a constant; `str` cannot do that there.
const fn is_before(id: &str, other: &str) -> bool {
    let (id, other) = (id.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < id.len() && at < other.len() && id[at] == other[at] {
        at += 1;
    }
    at < other.len() && (at == id.len() || id[at] < other[at])
}

lints! {
    /// The rules about a single state of modules, sorted by id.
    OF_ONE_STATE:

    BACKTRACKING_PATTERN = "backtracking-pattern" {
        level: Note,
        summary: "A pattern in the schema can be very slow for other regex engines.",
        reason: "Terraform matches it in one pass; whether other engines read the schema, only \
            you know.",
    }
    BUDGET_EXCEEDED = "budget-exceeded" {
        level: Error,
        summary: "An evaluation, a rule, a module or the run exceeds its work budget.",
        reason: "Whatever was not judged cannot pass.",
    }
    CONDITIONALLY_REQUIRED = "conditionally-required" {
        level: Note,
        summary: "A variable is required unless other variables change their defaults.",
        reason: "This is how a module says \"required if\"; nothing is wrong.",
    }
    DEFAULT_FAILS_VALIDATION = "default-fails-validation" {
        level: Error,
        summary: "A default breaks a rule of its variable, whatever the other values are.",
        reason: "Terraform rejects the default as soon as somebody uses it.",
    }
    DEPRECATED_OUTPUT = "deprecated-output" {
        level: Warning,
        summary: "An expression uses an output that the called module declares as deprecated.",
        reason: "Terraform warns too.",
    }
    DEPRECATED_VARIABLE = "deprecated-variable" {
        level: Warning,
        summary: "A value is given to a variable that its module declares as deprecated.",
        reason: "Terraform warns about arguments of calls, and OpenTofu also about values in files.",
    }
    DOUBTFUL_POLICY = "doubtful-policy" {
        level: Warning,
        summary: "A policy in a `.policy.hcl` file does not do what it looks like.",
        reason: "The policy can be used, but it may pass or fail for another reason than its author \
            thinks.",
    }
    EXPIRED_SUPPRESSION = "expired-suppression" {
        level: Warning,
        summary: "An `ignore` block has expired.",
        reason: "The findings that it silenced are reported again, at their own levels.",
    }
    FAILED_CONDITION = "failed-condition" {
        level: Error,
        summary: "A `precondition`, a `postcondition` or the assertion of a `check` is false.",
        reason: "Terraform rejects it; for the assertion of a `check` it is a warning, as in \
            Terraform.",
    }
    FAILED_EVALUATION = "failed-evaluation" {
        level: Error,
        summary: "An expression of the module cannot be evaluated.",
        reason: "Terraform rejects it.",
    }
    FAILED_VALIDATION = "failed-validation" {
        level: Error,
        summary: "A value breaks a validation rule of its variable.",
        reason: "Terraform rejects it.",
    }
    FOREIGN_SCHEMA = "foreign-schema" {
        level: Error,
        summary: "The schema path holds a file that is not a JSON Schema.",
        reason: "The module has no schema, and `check --fix` does not overwrite the file.",
    }
    INCOMPLETE_PLAN = "incomplete-plan" {
        level: Warning,
        summary: "A plan does not contain all changes of its configuration.",
        reason: "The missing changes are applied later, and were not judged.",
    }
    INVALID_CONFIGURATION = "invalid-configuration" {
        level: Error,
        summary: "A configuration file is not valid.",
        reason: "terraschema checks nothing if it cannot read its configuration.",
    }
    INVALID_COUNT = "invalid-count" {
        level: Error,
        summary: "A `count` is not a number of instances.",
        reason: "Terraform rejects it.",
    }
    INVALID_FOR_EACH = "invalid-for-each" {
        level: Error,
        summary: "A `for_each` does not give keys for instances.",
        reason: "Terraform rejects it.",
    }
    INVALID_INPUT_SYNTAX = "invalid-input-syntax" {
        level: Error,
        summary: "A values file does not parse, or a value in it is not a constant.",
        reason: "Terraform rejects it.",
    }
    INVALID_MODULE = "invalid-module" {
        level: Error,
        summary: "A block of the module is not valid.",
        reason: "Terraform rejects it.",
    }
    INVALID_MOVE = "invalid-move" {
        level: Error,
        summary: "A `moved` or `removed` block names something that is still declared.",
        reason: "Terraform rejects it.",
    }
    INVALID_SYNTAX = "invalid-syntax" {
        level: Error,
        summary: "A file of the module does not parse.",
        reason: "Terraform rejects it.",
    }
    INVALID_VARIABLE = "invalid-variable" {
        level: Error,
        summary: "A `variable` block is not valid.",
        reason: "Terraform rejects it.",
    }
    MISSING_ARGUMENT = "missing-argument" {
        level: Error,
        summary: "A call leaves out a required variable of the called module.",
        reason: "Terraform rejects it.",
    }
    MISSING_MODULE = "missing-module" {
        level: Error,
        summary: "A called module cannot be read, or calls itself.",
        reason: "Terraform rejects it.",
    }
    MISSING_SCHEMA = "missing-schema" {
        level: Error,
        summary: "A module has no committed schema.",
        reason: "A committed schema must match its module.",
    }
    MISSING_VARIABLE = "missing-variable" {
        level: Error,
        summary: "Required variables have no value.",
        reason: "Terraform rejects inputs without it; a warning if other files may supply the \
            value.",
    }
    NOTHING_JUDGED = "nothing-judged" {
        level: Note,
        summary: "A rule of a policy, or its `where`, judged nothing.",
        reason: "A rule may not apply to every plan; a warning if a type with a similar name \
            exists.",
    }
    NULL_CRASHES_VALIDATION = "null-crashes-validation" {
        level: Warning,
        summary: "A null value makes a condition fail with an error.",
        reason: "Somebody may rely on it; a note if every release of Terraform rejects null \
            anyway.",
    }
    NULL_NOT_ALLOWED = "null-not-allowed" {
        level: Error,
        summary: "Null is given to a variable that is not nullable.",
        reason: "Terraform rejects it.",
    }
    ORPHAN_INPUT = "orphan-input" {
        level: Error,
        summary: "A values file named on the command line belongs to no module.",
        reason: "You named the file to have it judged; other files are only counted.",
    }
    ORPHAN_SCHEMA = "orphan-schema" {
        level: Error,
        summary: "A schema exists for a module without variables.",
        reason: "A committed schema must match its module.",
    }
    OUTSIDE_ROOT = "outside-root" {
        level: Error,
        summary: "A link or a path leads out of the root directory.",
        reason: "Whatever was not read cannot pass.",
    }
    REQUIRED_VERSION_TOO_LOW = "required-version-too-low" {
        level: Warning,
        summary: "required_version allows a release of Terraform without a feature that the \
            module uses.",
        reason: "It fails only with old releases of Terraform, which perhaps nobody runs.",
    }
    RULE_NEVER_HOLDS = "rule-never-holds" {
        level: Warning,
        summary: "A validation rule is false, null or an error for every value.",
        reason: "Terraform reports it only when somebody sets a value; it may be intended.",
    }
    SCHEMA_VIOLATION = "schema-violation" {
        level: Warning,
        summary: "Terraform accepts a value of a `.tfvars.json` file, but the schema does not.",
        reason: "Terraform accepts the value; only editors that use the schema mark it.",
    }
    STALE_DOCS = "stale-docs" {
        level: Error,
        summary: "The documentation in a file differs from what the module says.",
        reason: "Readers rely on it, and one command brings it up to date.",
    }
    STALE_EXAMPLE = "stale-example" {
        level: Warning,
        summary: "An example of values or of a call does not fit the module.",
        reason: "Nobody runs Terraform with an example, but people copy it.",
    }
    STALE_SCHEMA = "stale-schema" {
        level: Error,
        summary: "The committed schema is out of date.",
        reason: "A committed schema must match its module.",
    }
    TYPE_MISMATCH = "type-mismatch" {
        level: Error,
        summary: "A value does not convert to the variable's type.",
        reason: "Terraform rejects it.",
    }
    UNDECIDED_VALIDATION = "undecided-validation" {
        level: Warning,
        summary: "Only a plan can decide a condition, or the number of instances.",
        reason: "It is a limit of terraschema. The values are counted as not judged, and listed \
            with `-v`.",
    }
    UNDECLARED_OUTPUT = "undeclared-output" {
        level: Error,
        summary: "A reference to an output that the called module does not declare.",
        reason: "Terraform rejects it.",
    }
    UNDECLARED_REFERENCE = "undeclared-reference" {
        level: Error,
        summary: "A reference to something that is not declared, or cannot be used there.",
        reason: "Terraform rejects it.",
    }
    UNDECLARED_VARIABLE = "undeclared-variable" {
        level: Warning,
        summary: "A value is given to a variable that the module does not declare.",
        reason: "Terraform warns too.",
    }
    UNKNOWN_ATTRIBUTE = "unknown-attribute" {
        level: Error,
        summary: "An object value has an attribute that its type does not have.",
        reason: "Terraform drops the attribute without a message.",
    }
    UNREADABLE_FILE = "unreadable-file" {
        level: Error,
        summary: "A file cannot be read.",
        reason: "Whatever was not read cannot pass.",
    }
    UNREADABLE_INPUT = "unreadable-input" {
        level: Error,
        summary: "A values file cannot be opened.",
        reason: "Terraform rejects it.",
    }
    UNSUPPORTED_ARGUMENT = "unsupported-argument" {
        level: Error,
        summary: "This Terraform version, or the called module, does not know an argument or a \
            block.",
        reason: "Terraform rejects it.",
    }
    UNSUPPORTED_VERSION = "unsupported-version" {
        level: Error,
        summary: "required_version does not allow the chosen Terraform version.",
        reason: "Terraform rejects it.",
    }
    UNTRANSLATED_VALIDATION = "untranslated-validation" {
        level: Note,
        summary: "A validation rule is not in the schema.",
        reason: "It is a limit of terraschema; the author of the rule need not change anything.",
    }
    UNUSED_SUPPRESSION = "unused-suppression" {
        level: Warning,
        summary: "A suppression, or a pattern of the configuration, has no effect.",
        reason: "It does no harm yet.",
    }
    WEAKENED_VALIDATION = "weakened-validation" {
        level: Note,
        summary: "A validation rule is in the schema only in part.",
        reason: "It is a limit of terraschema; the author of the rule need not change anything.",
    }
}
