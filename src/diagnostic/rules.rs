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
    /// Why it has this level.
    pub reason: &'static str,
}

/// All rules, sorted by id.
pub const RULES: &[Rule] = &[
    rule(
        "backtracking-pattern",
        Level::Note,
        "A pattern in the schema can take readers of the schema very long.",
        "Terraform reads it in one pass; whether others read it, only you know.",
    ),
    rule(
        "budget-exceeded",
        Level::Error,
        "Something takes more work than its budget: an evaluation, a rule with all its inputs, a module, the run.",
        "What was not judged is never clean.",
    ),
    rule(
        "conditionally-required",
        Level::Note,
        "A variable must be given as long as other variables have their defaults.",
        "It is how a module says \"required if\": nothing is wrong with it.",
    ),
    rule(
        "default-fails-validation",
        Level::Error,
        "A default breaks a rule of its variable, whatever the other variables are.",
        "Terraform refuses the default as soon as somebody uses it.",
    ),
    rule(
        "failed-condition",
        Level::Error,
        "A `precondition`, a `postcondition` or the assertion of a `check` is false.",
        "Terraform refuses it; a warning for the assertion of a `check`, as in Terraform.",
    ),
    rule(
        "failed-evaluation",
        Level::Error,
        "An expression of the module cannot be evaluated.",
        "Terraform refuses it.",
    ),
    rule(
        "failed-validation",
        Level::Error,
        "A value breaks a validation rule of its variable.",
        "Terraform refuses it.",
    ),
    rule(
        "foreign-schema",
        Level::Error,
        "The file where the schema belongs is something else.",
        "The module has no schema, and nothing can write one there.",
    ),
    rule(
        "invalid-configuration",
        Level::Error,
        "A configuration file is not valid.",
        "Nothing is checked with a configuration that cannot be read.",
    ),
    rule(
        "invalid-count",
        Level::Error,
        "A `count` gives no number of instances.",
        "Terraform refuses it.",
    ),
    rule(
        "invalid-for-each",
        Level::Error,
        "A `for_each` gives no keys of instances.",
        "Terraform refuses it.",
    ),
    rule(
        "invalid-input-syntax",
        Level::Error,
        "A values file does not parse, or a value in it is no constant.",
        "Terraform refuses it.",
    ),
    rule(
        "invalid-module",
        Level::Error,
        "A block of the module is not valid.",
        "Terraform refuses it.",
    ),
    rule(
        "invalid-move",
        Level::Error,
        "A `moved` or `removed` block names something that is still declared.",
        "Terraform refuses it.",
    ),
    rule(
        "invalid-syntax",
        Level::Error,
        "A file of the module does not parse.",
        "Terraform refuses it.",
    ),
    rule(
        "invalid-variable",
        Level::Error,
        "A `variable` block is not valid.",
        "Terraform refuses it.",
    ),
    rule(
        "missing-argument",
        Level::Error,
        "A call leaves out a variable of the called module that has no default.",
        "Terraform refuses it.",
    ),
    rule(
        "missing-module",
        Level::Error,
        "A called module cannot be read, or calls itself.",
        "Terraform refuses it.",
    ),
    rule(
        "missing-schema",
        Level::Error,
        "A module has no committed schema.",
        "The promise of a committed schema is broken.",
    ),
    rule(
        "missing-variable",
        Level::Error,
        "Required variables have no value.",
        "Terraform refuses complete inputs; a warning where other values may come with them.",
    ),
    rule(
        "null-crashes-validation",
        Level::Warning,
        "A null value makes a condition fail with an error.",
        "Somebody may rely on it; a note where every Terraform refuses null, only in other words.",
    ),
    rule(
        "null-not-allowed",
        Level::Error,
        "Null is given to a variable that is not nullable.",
        "Terraform refuses it.",
    ),
    rule(
        "orphan-input",
        Level::Error,
        "A values file that the command line names belongs to no module.",
        "Who names it wants it judged; others are counted.",
    ),
    rule(
        "orphan-schema",
        Level::Error,
        "A schema stands beside no variables.",
        "The promise of a committed schema is broken.",
    ),
    rule(
        "outside-root",
        Level::Error,
        "A link or a path leads outside of the run's root.",
        "What was not read is never clean.",
    ),
    rule(
        "required-version-too-low",
        Level::Warning,
        "required_version allows a Terraform that lacks a feature the module uses.",
        "Only a Terraform fails that perhaps nobody runs.",
    ),
    rule(
        "rule-never-holds",
        Level::Warning,
        "A validation rule is false, null or an error whatever the variables are.",
        "Terraform says so only when somebody gives a value; it may be meant.",
    ),
    rule(
        "schema-violation",
        Level::Warning,
        "Terraform converts a value of a `.tfvars.json` file, the schema does not.",
        "Terraform accepts the value; only an editor that knows the schema marks it.",
    ),
    rule(
        "stale-schema",
        Level::Error,
        "The committed schema is not the one that the variables give.",
        "The promise of a committed schema is broken.",
    ),
    rule(
        "type-mismatch",
        Level::Error,
        "A value does not convert to the variable's type.",
        "Terraform refuses it.",
    ),
    rule(
        "undecided-validation",
        Level::Warning,
        "Only a plan can tell whether a condition holds, or how many instances there are.",
        "It is our limit. The values are counted as not judged, and shown with `-v`.",
    ),
    rule(
        "undeclared-output",
        Level::Error,
        "A reference to an output that the called module does not declare.",
        "Terraform refuses it.",
    ),
    rule(
        "undeclared-reference",
        Level::Error,
        "A reference to something that is not declared, or has no meaning where it stands.",
        "Terraform refuses it.",
    ),
    rule(
        "undeclared-variable",
        Level::Warning,
        "A value is given to a variable that the module does not declare.",
        "Terraform warns, too.",
    ),
    rule(
        "unknown-attribute",
        Level::Error,
        "An object value has an attribute that its type lacks; Terraform drops it.",
        "Terraform drops it in silence, so that nobody else tells.",
    ),
    rule(
        "unreadable-file",
        Level::Error,
        "A file cannot be read.",
        "What was not read is never clean.",
    ),
    rule(
        "unreadable-input",
        Level::Error,
        "A values file cannot be opened.",
        "Terraform refuses it.",
    ),
    rule(
        "unsupported-argument",
        Level::Error,
        "An argument or block that this Terraform version, or the called module, does not know.",
        "Terraform refuses it.",
    ),
    rule(
        "unsupported-version",
        Level::Error,
        "required_version refuses the chosen Terraform version.",
        "Terraform refuses it.",
    ),
    rule(
        "untranslated-validation",
        Level::Note,
        "A validation rule is not in the schema.",
        "It is our limit, and the author of the rule cannot act.",
    ),
    rule(
        "unused-suppression",
        Level::Warning,
        "A suppression, or a pattern of the configuration, has no effect.",
        "It harms nobody yet.",
    ),
    rule(
        "weakened-validation",
        Level::Note,
        "A validation rule is in the schema only in part.",
        "It is our limit, and the author of the rule cannot act.",
    ),
];

const fn rule(id: &'static str, level: Level, summary: &'static str, reason: &'static str) -> Rule {
    Rule { id, level, summary, reason }
}

impl Rule {
    /// Its page, which `explain` prints.
    pub fn page(&self) -> &'static str {
        super::pages::page(self.id).unwrap_or_default()
    }

    /// The rule of an id.
    pub fn find(id: &str) -> Option<&'static Rule> {
        RULES.binary_search_by(|it| it.id.cmp(id)).ok().map(|it| &RULES[it])
    }
}
