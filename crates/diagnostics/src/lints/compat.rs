//! The rules about changes, whose findings only `compat` reports.

use super::{Level, Lint};

lints! {
    /// The rules whose findings only `compat` reports, sorted by id.
    OF_COMPAT:

    BROKEN_CALL = "broken-call" {
        level: Error,
        summary: "A call of a changed module is now rejected, or loses a value.",
        reason: "The call was accepted before.",
    }
    DEFAULT_ADDED = "default-added" {
        level: Note,
        summary: "A variable now has a default.",
        reason: "Callers that set a value are not affected.",
    }
    DEFAULT_CHANGED = "default-changed" {
        level: Note,
        summary: "A default changed.",
        reason: "No caller wrote the value, but resources that use it may change.",
    }
    DEFAULT_REMOVED = "default-removed" {
        level: Error,
        summary: "A variable no longer has a default.",
        reason: "Calls that leave the variable out are rejected.",
    }
    DEPRECATION_CHANGED = "deprecation-changed" {
        level: Note,
        summary: "The deprecation of a variable or an output changed.",
        reason: "No call is rejected.",
    }
    EPHEMERAL_REMOVED = "ephemeral-removed" {
        level: Error,
        summary: "A variable is no longer ephemeral.",
        reason: "Calls that give it an ephemeral value are rejected.",
    }
    MODULE_ADDED = "module-added" {
        level: Note,
        summary: "A module is new.",
        reason: "Nobody calls it yet.",
    }
    MODULE_REMOVED = "module-removed" {
        level: Error,
        summary: "A module was removed.",
        reason: "Calls of the module fail.",
    }
    NULL_ACCEPTED = "null-accepted" {
        level: Note,
        summary: "A variable now keeps null instead of using its default.",
        reason: "A null that became the default now stays null.",
    }
    NULL_BECOMES_DEFAULT = "null-becomes-default" {
        level: Error,
        summary: "A null is now replaced by the default.",
        reason: "A null that a caller wrote is lost without a message.",
    }
    NULL_REFUSED = "null-refused" {
        level: Error,
        summary: "A variable no longer accepts null.",
        reason: "Calls that give it null are rejected.",
    }
    OPTIONAL_GAINED_DEFAULT = "optional-gained-default" {
        level: Error,
        summary: "An optional attribute now has a default, which replaces null.",
        reason: "A null that a caller wrote is lost without a message.",
    }
    OUTPUT_ADDED = "output-added" {
        level: Note,
        summary: "An output, or an attribute of one, is new.",
        reason: "Nobody uses it yet.",
    }
    OUTPUT_HIDDEN = "output-hidden" {
        level: Error,
        summary: "An output is now sensitive or ephemeral.",
        reason: "Callers that show or store its value are rejected.",
    }
    OUTPUT_REMOVED = "output-removed" {
        level: Error,
        summary: "An output was removed.",
        reason: "Callers that refer to it are rejected.",
    }
    OUTPUT_REWRITTEN = "output-rewritten" {
        level: Note,
        summary: "The expression of an output changed, and its type did not.",
        reason: "Its value may differ; its type does not.",
    }
    OUTPUT_SHOWN = "output-shown" {
        level: Note,
        summary: "An output is no longer sensitive or ephemeral.",
        reason: "No call is rejected.",
    }
    OUTPUT_TYPE_CHANGED = "output-type-changed" {
        level: Error,
        summary: "The type of an output changed.",
        reason: "Callers that use the old type are rejected, or get another value.",
    }
    PROVIDER_ALIAS_ADDED = "provider-alias-added" {
        level: Error,
        summary: "Calls must now pass a provider configuration.",
        reason: "Calls that do not pass it are rejected.",
    }
    PROVIDER_ALIAS_REMOVED = "provider-alias-removed" {
        level: Error,
        summary: "Calls can no longer pass a provider configuration.",
        reason: "Calls that pass it are rejected.",
    }
    PROVIDER_BLOCK_ADDED = "provider-block-added" {
        level: Error,
        summary: "A module, or one that it calls, now configures a provider itself.",
        reason: "Calls with count, for_each or depends_on are rejected.",
    }
    PROVIDER_NARROWED = "provider-narrowed" {
        level: Error,
        summary: "The newest versions of a provider are no longer allowed, or the provider \
            changed.",
        reason: "Callers that use such a version have to go back to an older one.",
    }
    PROVIDER_RAISED = "provider-raised" {
        level: Note,
        summary: "Older versions of a provider are no longer allowed, or there is a new upper \
            bound.",
        reason: "`terraform init -upgrade` finds a newer version.",
    }
    PROVIDER_WIDENED = "provider-widened" {
        level: Note,
        summary: "More versions of a provider are allowed.",
        reason: "No call is rejected.",
    }
    RELEASE_REFUSED = "release-refused" {
        level: Warning,
        summary: "A release that both versions of the module allow rejects calls of the new one.",
        reason: "It affects only callers on older releases; raise required_version to announce it.",
    }
    REQUIRED_VARIABLE_ADDED = "required-variable-added" {
        level: Error,
        summary: "A new variable has no default.",
        reason: "Calls that do not set it are rejected.",
    }
    REQUIRED_VERSION_NARROWED = "required-version-narrowed" {
        level: Error,
        summary: "The newest releases of Terraform are no longer allowed, or none of the old \
            ones is.",
        reason: "Callers have to go back to an older release, or change it together with the \
            module.",
    }
    REQUIRED_VERSION_RAISED = "required-version-raised" {
        level: Note,
        summary: "Older releases of Terraform are no longer allowed, or there is a new upper \
            bound.",
        reason: "Terraform's message names the release that the module requires.",
    }
    REQUIRED_VERSION_WIDENED = "required-version-widened" {
        level: Note,
        summary: "More releases of Terraform are allowed.",
        reason: "No call is rejected.",
    }
    RULE_LOOSENED = "rule-loosened" {
        level: Note,
        summary: "The rules of a variable accept everything they accepted, and perhaps more.",
        reason: "No call is rejected.",
    }
    RULE_REWRITTEN = "rule-rewritten" {
        level: Note,
        summary: "The rules of a variable changed, but accept the same values.",
        reason: "The same calls are accepted as before.",
    }
    RULE_TIGHTENED = "rule-tightened" {
        level: Error,
        summary: "A rule of a variable rejects values that were accepted.",
        reason: "Calls that were accepted are rejected.",
    }
    SCHEMA_LACKS = "schema-lacks" {
        level: Warning,
        summary: "A schema.json takes the place of a module, and does not describe all of it.",
        reason: "A schema contains no outputs, versions or providers.",
    }
    SENSITIVITY_CHANGED = "sensitivity-changed" {
        level: Note,
        summary: "A variable is now sensitive or ephemeral, or no longer sensitive.",
        reason: "No call is rejected; an output that becomes sensitive has its own finding.",
    }
    TYPE_NARROWED = "type-narrowed" {
        level: Error,
        summary: "The type of a variable rejects values that were accepted.",
        reason: "Calls that were accepted are rejected.",
    }
    TYPE_WIDENED = "type-widened" {
        level: Note,
        summary: "The type of a variable accepts more values.",
        reason: "No call is rejected.",
    }
    UNDECIDED_CALL = "undecided-call" {
        level: Warning,
        summary: "terraschema cannot decide whether a call of a changed module still works.",
        reason: "The call may be broken; run a plan to find out.",
    }
    UNDECIDED_CHANGE = "undecided-change" {
        level: Warning,
        summary: "terraschema cannot decide whether a change breaks callers.",
        reason: "It may break callers; it is a limit of terraschema.",
    }
    UNDECIDED_OUTPUT = "undecided-output" {
        level: Note,
        summary: "An output changed, and only a plan can decide whether its type did.",
        reason: "It is a limit of terraschema.",
    }
    VALUE_LOST = "value-lost" {
        level: Error,
        summary: "The type of a variable accepts the same values, but drops a part of them.",
        reason: "A part of what callers wrote is dropped without a message.",
    }
    VARIABLE_ADDED = "variable-added" {
        level: Note,
        summary: "A new variable has a default.",
        reason: "No caller sets it yet.",
    }
    VARIABLE_REMOVED = "variable-removed" {
        level: Error,
        summary: "A variable was removed.",
        reason: "Calls that set it are rejected; values files get a warning.",
    }
    VARIABLE_RENAMED = "variable-renamed" {
        level: Error,
        summary: "A variable was renamed.",
        reason: "Calls that use the old name are rejected.",
    }
    WORDING_CHANGED = "wording-changed" {
        level: Note,
        summary: "A description changed, or a declaration states what already held.",
        reason: "No call is rejected.",
    }
}
