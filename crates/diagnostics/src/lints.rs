//! Every lint, declared once: the table, `explain`, the configuration, the reports, the tflint ruleset and
//! `docs/rules/README.md` follow from these declarations.
//!
//! A new lint is an entry here, or in `compat` if only that reports it, and its page, `docs/rules/<id>.md`;
//! `UPDATE=1 cargo test --test it -- explain` writes the rest.

use super::{Level, Lint};

/// Declares lints, and a list of them. The page of a lint is named after its id.
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
                page: include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/../../docs/rules/",
                    $id,
                    ".md"
                )),
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
        summary: "A pattern in the schema can take readers of the schema very long.",
        reason: "Terraform reads it in one pass; whether others read it, only you know.",
    }
    BUDGET_EXCEEDED = "budget-exceeded" {
        level: Error,
        summary: "Something takes more work than its budget: an evaluation, a rule with all its inputs, a module, the run.",
        reason: "What was not judged is never clean.",
    }
    CONDITIONALLY_REQUIRED = "conditionally-required" {
        level: Note,
        summary: "A variable must be given as long as other variables have their defaults.",
        reason: "It is how a module says \"required if\": nothing is wrong with it.",
    }
    DEFAULT_FAILS_VALIDATION = "default-fails-validation" {
        level: Error,
        summary: "A default breaks a rule of its variable, whatever the other variables are.",
        reason: "Terraform refuses the default as soon as somebody uses it.",
    }
    EXPIRED_SUPPRESSION = "expired-suppression" {
        level: Warning,
        summary: "The day until which an `ignore` block counts has passed.",
        reason: "What it silenced is told again, at its own level.",
    }
    FAILED_CONDITION = "failed-condition" {
        level: Error,
        summary: "A `precondition`, a `postcondition` or the assertion of a `check` is false.",
        reason: "Terraform refuses it; a warning for the assertion of a `check`, as in Terraform.",
    }
    FAILED_EVALUATION = "failed-evaluation" {
        level: Error,
        summary: "An expression of the module cannot be evaluated.",
        reason: "Terraform refuses it.",
    }
    FAILED_VALIDATION = "failed-validation" {
        level: Error,
        summary: "A value breaks a validation rule of its variable.",
        reason: "Terraform refuses it.",
    }
    FOREIGN_SCHEMA = "foreign-schema" {
        level: Error,
        summary: "The file where the schema belongs is something else.",
        reason: "The module has no schema, and nothing can write one there.",
    }
    INCOMPLETE_PLAN = "incomplete-plan" {
        level: Warning,
        summary: "A plan lacks changes of its configuration.",
        reason: "What it leaves out is applied later, and was not judged.",
    }
    INVALID_CONFIGURATION = "invalid-configuration" {
        level: Error,
        summary: "A configuration file is not valid.",
        reason: "Nothing is checked with a configuration that cannot be read.",
    }
    INVALID_COUNT = "invalid-count" {
        level: Error,
        summary: "A `count` gives no number of instances.",
        reason: "Terraform refuses it.",
    }
    INVALID_FOR_EACH = "invalid-for-each" {
        level: Error,
        summary: "A `for_each` gives no keys of instances.",
        reason: "Terraform refuses it.",
    }
    INVALID_INPUT_SYNTAX = "invalid-input-syntax" {
        level: Error,
        summary: "A values file does not parse, or a value in it is no constant.",
        reason: "Terraform refuses it.",
    }
    INVALID_MODULE = "invalid-module" {
        level: Error,
        summary: "A block of the module is not valid.",
        reason: "Terraform refuses it.",
    }
    INVALID_MOVE = "invalid-move" {
        level: Error,
        summary: "A `moved` or `removed` block names something that is still declared.",
        reason: "Terraform refuses it.",
    }
    INVALID_SYNTAX = "invalid-syntax" {
        level: Error,
        summary: "A file of the module does not parse.",
        reason: "Terraform refuses it.",
    }
    INVALID_VARIABLE = "invalid-variable" {
        level: Error,
        summary: "A `variable` block is not valid.",
        reason: "Terraform refuses it.",
    }
    MISSING_ARGUMENT = "missing-argument" {
        level: Error,
        summary: "A call leaves out a variable of the called module that has no default.",
        reason: "Terraform refuses it.",
    }
    MISSING_MODULE = "missing-module" {
        level: Error,
        summary: "A called module cannot be read, or calls itself.",
        reason: "Terraform refuses it.",
    }
    MISSING_SCHEMA = "missing-schema" {
        level: Error,
        summary: "A module has no committed schema.",
        reason: "The promise of a committed schema is broken.",
    }
    MISSING_VARIABLE = "missing-variable" {
        level: Error,
        summary: "Required variables have no value.",
        reason: "Terraform refuses complete inputs; a warning where other values may come with them.",
    }
    NOTHING_JUDGED = "nothing-judged" {
        level: Note,
        summary: "A rule of a policy, or its `where`, judged nothing.",
        reason: "Rules are written for many plans; a warning if a type of nearly the same name exists.",
    }
    NULL_CRASHES_VALIDATION = "null-crashes-validation" {
        level: Warning,
        summary: "A null value makes a condition fail with an error.",
        reason: "Somebody may rely on it; a note where every Terraform refuses null, only in other words.",
    }
    NULL_NOT_ALLOWED = "null-not-allowed" {
        level: Error,
        summary: "Null is given to a variable that is not nullable.",
        reason: "Terraform refuses it.",
    }
    ORPHAN_INPUT = "orphan-input" {
        level: Error,
        summary: "A values file that the command line names belongs to no module.",
        reason: "Who names it wants it judged; others are counted.",
    }
    ORPHAN_SCHEMA = "orphan-schema" {
        level: Error,
        summary: "A schema stands beside no variables.",
        reason: "The promise of a committed schema is broken.",
    }
    OUTSIDE_ROOT = "outside-root" {
        level: Error,
        summary: "A link or a path leads outside of the run's root.",
        reason: "What was not read is never clean.",
    }
    REQUIRED_VERSION_TOO_LOW = "required-version-too-low" {
        level: Warning,
        summary: "required_version allows a Terraform that lacks a feature the module uses.",
        reason: "Only a Terraform fails that perhaps nobody runs.",
    }
    RULE_NEVER_HOLDS = "rule-never-holds" {
        level: Warning,
        summary: "A validation rule is false, null or an error whatever the variables are.",
        reason: "Terraform says so only when somebody gives a value; it may be meant.",
    }
    SCHEMA_VIOLATION = "schema-violation" {
        level: Warning,
        summary: "Terraform converts a value of a `.tfvars.json` file, the schema does not.",
        reason: "Terraform accepts the value; only an editor that knows the schema marks it.",
    }
    STALE_SCHEMA = "stale-schema" {
        level: Error,
        summary: "The committed schema is not the one that the variables give.",
        reason: "The promise of a committed schema is broken.",
    }
    TYPE_MISMATCH = "type-mismatch" {
        level: Error,
        summary: "A value does not convert to the variable's type.",
        reason: "Terraform refuses it.",
    }
    UNDECIDED_VALIDATION = "undecided-validation" {
        level: Warning,
        summary: "Only a plan can tell whether a condition holds, or how many instances there are.",
        reason: "It is our limit. The values are counted as not judged, and shown with `-v`.",
    }
    UNDECLARED_OUTPUT = "undeclared-output" {
        level: Error,
        summary: "A reference to an output that the called module does not declare.",
        reason: "Terraform refuses it.",
    }
    UNDECLARED_REFERENCE = "undeclared-reference" {
        level: Error,
        summary: "A reference to something that is not declared, or has no meaning where it stands.",
        reason: "Terraform refuses it.",
    }
    UNDECLARED_VARIABLE = "undeclared-variable" {
        level: Warning,
        summary: "A value is given to a variable that the module does not declare.",
        reason: "Terraform warns, too.",
    }
    UNKNOWN_ATTRIBUTE = "unknown-attribute" {
        level: Error,
        summary: "An object value has an attribute that its type lacks; Terraform drops it.",
        reason: "Terraform drops it in silence, so that nobody else tells.",
    }
    UNREADABLE_FILE = "unreadable-file" {
        level: Error,
        summary: "A file cannot be read.",
        reason: "What was not read is never clean.",
    }
    UNREADABLE_INPUT = "unreadable-input" {
        level: Error,
        summary: "A values file cannot be opened.",
        reason: "Terraform refuses it.",
    }
    UNSUPPORTED_ARGUMENT = "unsupported-argument" {
        level: Error,
        summary: "An argument or block that this Terraform version, or the called module, does not know.",
        reason: "Terraform refuses it.",
    }
    UNSUPPORTED_VERSION = "unsupported-version" {
        level: Error,
        summary: "required_version refuses the chosen Terraform version.",
        reason: "Terraform refuses it.",
    }
    UNTRANSLATED_VALIDATION = "untranslated-validation" {
        level: Note,
        summary: "A validation rule is not in the schema.",
        reason: "It is our limit, and the author of the rule cannot act.",
    }
    UNUSED_SUPPRESSION = "unused-suppression" {
        level: Warning,
        summary: "A suppression, or a pattern of the configuration, has no effect.",
        reason: "It harms nobody yet.",
    }
    WEAKENED_VALIDATION = "weakened-validation" {
        level: Note,
        summary: "A validation rule is in the schema only in part.",
        reason: "It is our limit, and the author of the rule cannot act.",
    }
}
