//! The rules about changes, whose findings only `compat` reports.

use super::{Level, Lint};

lints! {
    /// The rules whose findings only `compat` reports, sorted by id.
    OF_COMPAT:

    BROKEN_CALL = "broken-call" {
        level: Error,
        summary: "A call of a changed module is refused now, or loses something.",
        reason: "It was accepted before.",
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
    PROVIDER_ALIAS_ADDED = "provider-alias-added" {
        level: Error,
        summary: "A call has to pass the configuration of a provider.",
        reason: "A call that does not is refused.",
    }
    PROVIDER_ALIAS_REMOVED = "provider-alias-removed" {
        level: Error,
        summary: "A call cannot pass the configuration of a provider any more.",
        reason: "A call that passes it is refused.",
    }
    PROVIDER_BLOCK_ADDED = "provider-block-added" {
        level: Error,
        summary: "A module, or one that it calls, configures a provider itself.",
        reason: "A call with count, for_each or depends_on is refused.",
    }
    PROVIDER_NARROWED = "provider-narrowed" {
        level: Error,
        summary: "The newest versions of a provider are not admitted any more, or the provider is another one.",
        reason: "Callers who run such a version have to go back to an older one.",
    }
    PROVIDER_RAISED = "provider-raised" {
        level: Note,
        summary: "Older versions of a provider are not admitted any more, or there is an upper bound now.",
        reason: "`terraform init -upgrade` finds a newer version.",
    }
    PROVIDER_WIDENED = "provider-widened" {
        level: Note,
        summary: "More versions of a provider are admitted.",
        reason: "Nothing is refused.",
    }
    RELEASE_REFUSED = "release-refused" {
        level: Warning,
        summary: "A release that both states admit refuses calls of the new one.",
        reason: "Only callers on older releases are concerned; a raised required_version would say so.",
    }
    REQUIRED_VARIABLE_ADDED = "required-variable-added" {
        level: Error,
        summary: "A new variable has no default.",
        reason: "Every call is refused that does not give it a value.",
    }
    REQUIRED_VERSION_NARROWED = "required-version-narrowed" {
        level: Error,
        summary: "The newest releases of Terraform are not admitted any more, or none that was admitted is.",
        reason: "Callers have to go back to an older release, or to change theirs together with the module.",
    }
    REQUIRED_VERSION_RAISED = "required-version-raised" {
        level: Note,
        summary: "Older releases of Terraform are not admitted any more, or there is an upper bound now.",
        reason: "Terraform says in one sentence which release the module requires.",
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
    SCHEMA_LACKS = "schema-lacks" {
        level: Warning,
        summary: "A schema.json stands for a module, and does not say everything of it.",
        reason: "Outputs, versions and providers are not in it.",
    }
    SENSITIVITY_CHANGED = "sensitivity-changed" {
        level: Note,
        summary: "A variable is sensitive or ephemeral, or not sensitive any more.",
        reason: "Nothing is refused; an output that becomes sensitive is told by itself.",
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
    UNDECIDED_CALL = "undecided-call" {
        level: Warning,
        summary: "Nothing is proved about a call of a changed module.",
        reason: "It may be broken; a plan tells.",
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
    WORDING_CHANGED = "wording-changed" {
        level: Note,
        summary: "A description changed, or a declaration says what was so before.",
        reason: "Nothing is refused.",
    }
}
