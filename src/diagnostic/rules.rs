//! Every rule by its id: what the configuration can name, what `explain` explains.

use super::Level;

/// What is known of a rule before it runs. Its page is `docs/rules/<id>.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable, kebab-case, names the problem.
    pub id: &'static str,
    /// The level unless the configuration says otherwise.
    pub level: Level,
    /// One sentence.
    pub summary: &'static str,
}

/// All rules, sorted by id.
pub const RULES: &[Rule] = &[
    rule(
        "budget-exceeded",
        Level::Error,
        "Something takes more work than its budget: an evaluation, a rule with all its inputs, a module, the run.",
    ),
    rule("default-fails-validation", Level::Error, "A default breaks the variable's own rules."),
    rule(
        "failed-condition",
        Level::Error,
        "A `precondition`, a `postcondition` or the assertion of a `check` is false.",
    ),
    rule("failed-evaluation", Level::Error, "An expression of the module cannot be evaluated."),
    rule("failed-validation", Level::Error, "A value breaks a validation rule of its variable."),
    rule("foreign-schema", Level::Error, "The file where the schema belongs is something else."),
    rule("invalid-configuration", Level::Error, "A configuration file is not valid."),
    rule("invalid-count", Level::Error, "A `count` gives no number of instances."),
    rule("invalid-for-each", Level::Error, "A `for_each` gives no keys of instances."),
    rule(
        "invalid-input-syntax",
        Level::Error,
        "A values file does not parse, or a value in it is no constant.",
    ),
    rule("invalid-module", Level::Error, "A block of the module is not valid."),
    rule(
        "invalid-move",
        Level::Error,
        "A `moved` or `removed` block names something that is still declared.",
    ),
    rule("invalid-syntax", Level::Error, "A file of the module does not parse."),
    rule("invalid-variable", Level::Error, "A `variable` block is not valid."),
    rule(
        "missing-argument",
        Level::Error,
        "A call leaves out a variable of the called module that has no default.",
    ),
    rule("missing-module", Level::Error, "A called module cannot be read, or calls itself."),
    rule("missing-schema", Level::Error, "A module has no committed schema."),
    rule("missing-variable", Level::Error, "A required variable has no value."),
    rule(
        "null-crashes-validation",
        Level::Warning,
        "A null value makes a condition fail with an error.",
    ),
    rule("null-not-allowed", Level::Error, "Null is given to a variable that is not nullable."),
    rule("orphan-schema", Level::Error, "A schema stands beside no variables."),
    rule("outside-root", Level::Error, "A link or a path leads outside of the run's root."),
    rule(
        "required-version-too-low",
        Level::Warning,
        "required_version allows a Terraform that lacks a feature the module uses.",
    ),
    rule("schema-violation", Level::Error, "Terraform converts the value, the schema does not."),
    rule(
        "stale-schema",
        Level::Error,
        "The committed schema is not the one that the variables give.",
    ),
    rule("type-mismatch", Level::Error, "A value does not convert to the variable's type."),
    rule(
        "undecided-validation",
        Level::Warning,
        "Only a plan can tell whether a condition holds, or how many instances there are.",
    ),
    rule(
        "undeclared-output",
        Level::Error,
        "A reference to an output that the called module does not declare.",
    ),
    rule(
        "undeclared-reference",
        Level::Error,
        "A reference to something that is not declared, or has no meaning where it stands.",
    ),
    rule(
        "undeclared-variable",
        Level::Warning,
        "A value is given to a variable that the module does not declare.",
    ),
    rule(
        "unknown-attribute",
        Level::Error,
        "An object value has an attribute that its type lacks; Terraform drops it.",
    ),
    rule("unreadable-file", Level::Error, "A file cannot be read."),
    rule("unreadable-input", Level::Error, "A values file cannot be opened."),
    rule(
        "unsupported-argument",
        Level::Error,
        "An argument or block that this Terraform version, or the called module, does not know.",
    ),
    rule(
        "unsupported-version",
        Level::Error,
        "required_version refuses the chosen Terraform version.",
    ),
    rule("untranslated-validation", Level::Warning, "A validation rule is not in the schema."),
    rule("unused-suppression", Level::Warning, "A suppression silences nothing."),
    rule("weakened-validation", Level::Warning, "A validation rule is in the schema only in part."),
];

const fn rule(id: &'static str, level: Level, summary: &'static str) -> Rule {
    Rule { id, level, summary }
}

impl Rule {
    /// The rule of an id.
    pub fn find(id: &str) -> Option<&'static Rule> {
        RULES.binary_search_by(|it| it.id.cmp(id)).ok().map(|it| &RULES[it])
    }
}
