//! Every rule, declared once: the table, `explain`, the configuration, the reports, the tflint ruleset and
//! `docs/rules/README.md` follow from these declarations.
//!
//! A new rule is an entry here and its page, `docs/rules/<id>.md`; `UPDATE=1 cargo test --test it -- explain`
//! writes the rest.

use super::{Level, Rule};

/// Declares the rules, and [`RULES`] with all of them. The page of a rule is found by its id.
macro_rules! rules {
    ($($name:ident = $id:literal {
        level: $level:ident,
        summary: $summary:literal,
        reason: $reason:literal,
        $(tflint: $tflint:literal,)?
    })*) => {
        $(
            #[doc = $summary]
            pub static $name: Rule = Rule {
                id: $id,
                level: Level::$level,
                summary: $summary,
                reason: $reason,
                page: include_str!(concat!("../../docs/rules/", $id, ".md")),
                tflint: rules!(@optional $($tflint)?),
            };
        )*

        /// All rules, sorted by id.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
    (@optional) => { None };
    (@optional $given:literal) => { Some($given) };
}

rules! {
    BACKTRACKING_PATTERN = "backtracking-pattern" {
        level: Note,
        summary: "A pattern in the schema can take readers of the schema very long.",
        reason: "Terraform reads it in one pass; whether others read it, only you know.",
        tflint: "terraschema_backtracking_pattern",
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
        tflint: "terraschema_default_fails_validation",
    }
    DEFAULT_ADDED = "default-added" {
        level: Note,
        summary: "A variable that had no default has one.",
        reason: "Who gives a value notices nothing.",
    }
    DEFAULT_CHANGED = "default-changed" {
        level: Note,
        summary: "A default is another one.",
        reason: "Nobody wrote it; what is made of it may differ all the same.",
    }
    DEFAULT_FAILS_VALIDATION = "default-fails-validation" {
        level: Error,
        summary: "A default breaks a rule of its variable, whatever the other variables are.",
        reason: "Terraform refuses the default as soon as somebody uses it.",
        tflint: "terraschema_default_fails_validation",
    }
    DEFAULT_REMOVED = "default-removed" {
        level: Error,
        summary: "A variable that had a default has none.",
        reason: "A call that leaves the variable out is refused.",
    }
    DEPRECATION_CHANGED = "deprecation-changed" {
        level: Note,
        summary: "A variable or an output is deprecated, or no longer.",
        reason: "Nothing is refused.",
    }
    EPHEMERAL_REMOVED = "ephemeral-removed" {
        level: Error,
        summary: "A variable is not ephemeral any more.",
        reason: "A call that gives it an ephemeral value is refused.",
    }
    FAILED_CONDITION = "failed-condition" {
        level: Error,
        summary: "A `precondition`, a `postcondition` or the assertion of a `check` is false.",
        reason: "Terraform refuses it; a warning for the assertion of a `check`, as in Terraform.",
        tflint: "terraschema_module_call",
    }
    FAILED_EVALUATION = "failed-evaluation" {
        level: Error,
        summary: "An expression of the module cannot be evaluated.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_invalid_input",
    }
    FAILED_VALIDATION = "failed-validation" {
        level: Error,
        summary: "A value breaks a validation rule of its variable.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_invalid_input",
    }
    FOREIGN_SCHEMA = "foreign-schema" {
        level: Error,
        summary: "The file where the schema belongs is something else.",
        reason: "The module has no schema, and nothing can write one there.",
        tflint: "terraschema_stale_schema",
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
        tflint: "terraschema_module_call",
    }
    INVALID_FOR_EACH = "invalid-for-each" {
        level: Error,
        summary: "A `for_each` gives no keys of instances.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_module_call",
    }
    INVALID_INPUT_SYNTAX = "invalid-input-syntax" {
        level: Error,
        summary: "A values file does not parse, or a value in it is no constant.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_invalid_input",
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
        tflint: "terraschema_module_call",
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
        tflint: "terraschema_module_call",
    }
    MISSING_MODULE = "missing-module" {
        level: Error,
        summary: "A called module cannot be read, or calls itself.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_module_call",
    }
    MISSING_SCHEMA = "missing-schema" {
        level: Error,
        summary: "A module has no committed schema.",
        reason: "The promise of a committed schema is broken.",
        tflint: "terraschema_missing_schema",
    }
    MISSING_VARIABLE = "missing-variable" {
        level: Error,
        summary: "Required variables have no value.",
        reason: "Terraform refuses complete inputs; a warning where other values may come with them.",
        tflint: "terraschema_invalid_input",
    }
    MODULE_ADDED = "module-added" {
        level: Note,
        summary: "A module is new.",
        reason: "Nobody calls it yet.",
    }
    MODULE_REMOVED = "module-removed" {
        level: Error,
        summary: "A module is gone.",
        reason: "Whoever calls it finds nothing.",
    }
    NULL_ACCEPTED = "null-accepted" {
        level: Note,
        summary: "A variable takes null where null became its default.",
        reason: "What was null and became the default stays null.",
    }
    NULL_BECOMES_DEFAULT = "null-becomes-default" {
        level: Error,
        summary: "A null that was kept becomes the default.",
        reason: "A null that somebody wrote is lost without a word.",
    }
    NULL_CRASHES_VALIDATION = "null-crashes-validation" {
        level: Warning,
        summary: "A null value makes a condition fail with an error.",
        reason: "Somebody may rely on it; a note where every Terraform refuses null, only in other words.",
        tflint: "terraschema_null_crashes_validation",
    }
    NULL_NOT_ALLOWED = "null-not-allowed" {
        level: Error,
        summary: "Null is given to a variable that is not nullable.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_invalid_input",
    }
    NULL_REFUSED = "null-refused" {
        level: Error,
        summary: "A variable refuses null.",
        reason: "A call that gives it null is refused.",
    }
    OPTIONAL_GAINED_DEFAULT = "optional-gained-default" {
        level: Error,
        summary: "An optional attribute has a default, which a written null becomes.",
        reason: "A null that somebody wrote is lost without a word.",
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
    OUTPUT_ADDED = "output-added" {
        level: Note,
        summary: "An output, or an attribute of one, is new.",
        reason: "Nobody uses it yet.",
    }
    OUTPUT_HIDDEN = "output-hidden" {
        level: Error,
        summary: "An output is sensitive or ephemeral.",
        reason: "Who shows or stores what is made of it is refused.",
    }
    OUTPUT_REMOVED = "output-removed" {
        level: Error,
        summary: "An output is gone.",
        reason: "Who refers to it is refused.",
    }
    OUTPUT_REWRITTEN = "output-rewritten" {
        level: Note,
        summary: "The expression of an output is another one of the same type.",
        reason: "What it gives may differ, its type does not.",
    }
    OUTPUT_SHOWN = "output-shown" {
        level: Note,
        summary: "An output is not sensitive or ephemeral any more.",
        reason: "Nothing is refused.",
    }
    OUTPUT_TYPE_CHANGED = "output-type-changed" {
        level: Error,
        summary: "An output has another type.",
        reason: "Who refers to what it had is refused, or gets something else.",
    }
    OUTSIDE_ROOT = "outside-root" {
        level: Error,
        summary: "A link or a path leads outside of the run's root.",
        reason: "What was not read is never clean.",
        tflint: "terraschema_invalid_input",
    }
    PROVIDER_ALIAS_ADDED = "provider-alias-added" {
        level: Error,
        summary: "A call has to pass the configuration of a provider.",
        reason: "A call that does not is refused.",
    }
    PROVIDER_NARROWED = "provider-narrowed" {
        level: Error,
        summary: "A version of a provider that was admitted is not, or the provider is another one.",
        reason: "Who is bound to such a version cannot upgrade; many authors call it minor.",
    }
    PROVIDER_WIDENED = "provider-widened" {
        level: Note,
        summary: "More versions of a provider are admitted.",
        reason: "Nothing is refused.",
    }
    REQUIRED_VARIABLE_ADDED = "required-variable-added" {
        level: Error,
        summary: "A new variable has no default.",
        reason: "Every call is refused that does not give it a value.",
    }
    REQUIRED_VERSION_NARROWED = "required-version-narrowed" {
        level: Error,
        summary: "A release of Terraform that was admitted is not.",
        reason: "Who runs it cannot upgrade; many authors call it minor.",
    }
    REQUIRED_VERSION_TOO_LOW = "required-version-too-low" {
        level: Warning,
        summary: "required_version allows a Terraform that lacks a feature the module uses.",
        reason: "Only a Terraform fails that perhaps nobody runs.",
        tflint: "terraschema_required_version_too_low",
    }
    REQUIRED_VERSION_WIDENED = "required-version-widened" {
        level: Note,
        summary: "More releases of Terraform are admitted.",
        reason: "Nothing is refused.",
    }
    RULE_LOOSENED = "rule-loosened" {
        level: Note,
        summary: "The rules of a variable accept what they accepted, and perhaps more.",
        reason: "Nothing is refused.",
    }
    RULE_NEVER_HOLDS = "rule-never-holds" {
        level: Warning,
        summary: "A validation rule is false, null or an error whatever the variables are.",
        reason: "Terraform says so only when somebody gives a value; it may be meant.",
        tflint: "terraschema_rule_never_holds",
    }
    RULE_REWRITTEN = "rule-rewritten" {
        level: Note,
        summary: "The rules of a variable say the same in other words.",
        reason: "Nothing is refused, and nothing more accepted.",
    }
    RULE_TIGHTENED = "rule-tightened" {
        level: Error,
        summary: "A rule of a variable refuses what was accepted.",
        reason: "A call that was accepted is refused.",
    }
    SCHEMA_VIOLATION = "schema-violation" {
        level: Warning,
        summary: "Terraform converts a value of a `.tfvars.json` file, the schema does not.",
        reason: "Terraform accepts the value; only an editor that knows the schema marks it.",
        tflint: "terraschema_invalid_input",
    }
    SENSITIVITY_CHANGED = "sensitivity-changed" {
        level: Note,
        summary: "A variable is sensitive or ephemeral, or not sensitive any more.",
        reason: "Nothing is refused; an output that becomes sensitive is told by itself.",
    }
    STALE_SCHEMA = "stale-schema" {
        level: Error,
        summary: "The committed schema is not the one that the variables give.",
        reason: "The promise of a committed schema is broken.",
        tflint: "terraschema_stale_schema",
    }
    TYPE_MISMATCH = "type-mismatch" {
        level: Error,
        summary: "A value does not convert to the variable's type.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_invalid_input",
    }
    TYPE_NARROWED = "type-narrowed" {
        level: Error,
        summary: "The type of a variable refuses what was accepted.",
        reason: "A call that was accepted is refused.",
    }
    TYPE_WIDENED = "type-widened" {
        level: Note,
        summary: "The type of a variable takes what it took, and more.",
        reason: "Nothing is refused.",
    }
    UNDECIDED_CHANGE = "undecided-change" {
        level: Warning,
        summary: "Nothing is proved about a change.",
        reason: "It may break somebody; it is our limit.",
    }
    UNDECIDED_OUTPUT = "undecided-output" {
        level: Note,
        summary: "An output changed, and only a plan knows whether its type did.",
        reason: "It is our limit.",
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
        tflint: "terraschema_module_call",
    }
    UNDECLARED_REFERENCE = "undeclared-reference" {
        level: Error,
        summary: "A reference to something that is not declared, or has no meaning where it stands.",
        reason: "Terraform refuses it.",
        tflint: "terraschema_module_call",
    }
    UNDECLARED_VARIABLE = "undeclared-variable" {
        level: Warning,
        summary: "A value is given to a variable that the module does not declare.",
        reason: "Terraform warns, too.",
        tflint: "terraschema_invalid_input",
    }
    UNKNOWN_ATTRIBUTE = "unknown-attribute" {
        level: Error,
        summary: "An object value has an attribute that its type lacks; Terraform drops it.",
        reason: "Terraform drops it in silence, so that nobody else tells.",
        tflint: "terraschema_unknown_attribute",
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
        tflint: "terraschema_invalid_input",
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
        tflint: "terraschema_untranslated_validation",
    }
    UNUSED_SUPPRESSION = "unused-suppression" {
        level: Warning,
        summary: "A suppression, or a pattern of the configuration, has no effect.",
        reason: "It harms nobody yet.",
    }
    VALUE_LOST = "value-lost" {
        level: Error,
        summary: "The type of a variable takes what it took and loses something of it.",
        reason: "What somebody wrote is dropped without a word.",
    }
    VARIABLE_ADDED = "variable-added" {
        level: Note,
        summary: "A variable with a default is new.",
        reason: "Nobody gives it a value yet.",
    }
    VARIABLE_REMOVED = "variable-removed" {
        level: Error,
        summary: "A variable is gone.",
        reason: "A call that gives it a value is refused; a values file gets a warning.",
    }
    VARIABLE_RENAMED = "variable-renamed" {
        level: Error,
        summary: "A variable has another name.",
        reason: "A call that gives it a value under the old name is refused.",
    }
    WEAKENED_VALIDATION = "weakened-validation" {
        level: Note,
        summary: "A validation rule is in the schema only in part.",
        reason: "It is our limit, and the author of the rule cannot act.",
        tflint: "terraschema_untranslated_validation",
    }
    WORDING_CHANGED = "wording-changed" {
        level: Note,
        summary: "A description changed, or a declaration says what was so before.",
        reason: "Nothing is refused.",
    }
}

/// The rules whose findings `compat` alone tells.
pub const OF_COMPAT: &[&Rule] = &[
    &DEFAULT_ADDED,
    &DEFAULT_CHANGED,
    &DEFAULT_REMOVED,
    &DEPRECATION_CHANGED,
    &EPHEMERAL_REMOVED,
    &MODULE_ADDED,
    &MODULE_REMOVED,
    &NULL_ACCEPTED,
    &NULL_BECOMES_DEFAULT,
    &NULL_REFUSED,
    &OPTIONAL_GAINED_DEFAULT,
    &OUTPUT_ADDED,
    &OUTPUT_HIDDEN,
    &OUTPUT_REMOVED,
    &OUTPUT_REWRITTEN,
    &OUTPUT_SHOWN,
    &OUTPUT_TYPE_CHANGED,
    &PROVIDER_ALIAS_ADDED,
    &PROVIDER_NARROWED,
    &PROVIDER_WIDENED,
    &REQUIRED_VARIABLE_ADDED,
    &REQUIRED_VERSION_NARROWED,
    &REQUIRED_VERSION_WIDENED,
    &RULE_LOOSENED,
    &RULE_REWRITTEN,
    &RULE_TIGHTENED,
    &SENSITIVITY_CHANGED,
    &TYPE_NARROWED,
    &TYPE_WIDENED,
    &UNDECIDED_CHANGE,
    &UNDECIDED_OUTPUT,
    &VALUE_LOST,
    &VARIABLE_ADDED,
    &VARIABLE_REMOVED,
    &VARIABLE_RENAMED,
    &WORDING_CHANGED,
];
