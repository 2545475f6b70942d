//! The table of changes by release. All code that depends on a release asks one of these changes; each
//! names the recorded questions that prove it. A difference that is missing here is a fault.

mod blocks;
mod evaluation;
mod functions;
mod statics;
mod tofu;

pub use blocks::*;
pub use evaluation::*;
pub use functions::*;
pub use statics::*;
pub use tofu::*;

use super::{
    LanguageChange, Version,
    change::ChangeKind::{self, Argument, Block, Evaluation, Function, Static},
};

/// First releases of Terraform and of OpenTofu that have a change; `None` if there is no known one.
type Since = (Option<Version>, Option<Version>);

/// The same release of both. OpenTofu begins where Terraform 1.5 ended.
const fn both(major: u32, minor: u32) -> Since {
    of((major, minor), (major, minor))
}

const fn of(terraform: (u32, u32), opentofu: (u32, u32)) -> Since {
    (terraform_only(terraform.0, terraform.1).0, opentofu_only(opentofu.0, opentofu.1).1)
}

const fn terraform_only(major: u32, minor: u32) -> Since {
    (Some(Version::new(major, minor, 0)), None)
}

const fn opentofu_only(major: u32, minor: u32) -> Since {
    (None, Some(Version::new(major, minor, 0)))
}

const fn change(
    kind: ChangeKind,
    name: &'static str,
    what: &'static str,
    since: Since,
    example: &'static str,
    probes: &'static [&'static str],
) -> LanguageChange {
    LanguageChange {
        kind,
        name,
        what,
        terraform: since.0,
        opentofu: since.1,
        without: &[],
        functions: &[],
        example,
        probes,
    }
}

// ---- Arguments

pub static SENSITIVE: LanguageChange = change(
    Argument,
    "sensitive",
    "`sensitive` in `variable` blocks",
    both(0, 14),
    "sensitive = true",
    &[],
);
pub static NULLABLE: LanguageChange = change(
    Argument,
    "nullable",
    "`nullable` in `variable` blocks",
    both(1, 1),
    "nullable = false",
    &[],
);
pub static EPHEMERAL: LanguageChange = change(
    Argument,
    "ephemeral",
    "`ephemeral` in `variable` and `output` blocks",
    of((1, 10), (1, 11)),
    "ephemeral = true",
    &[],
)
.probes(&["blocks/variable-ephemeral", "blocks/output-ephemeral-value"]);
pub static DEPRECATED: LanguageChange = change(
    Argument,
    "deprecated",
    "`deprecated` in `variable` and `output` blocks",
    of((1, 15), (1, 10)),
    "deprecated = \"Use var.names.\"",
    &[],
)
.probes(&["blocks/variable-deprecated", "blocks/output-deprecated"]);
pub static CONST: LanguageChange = change(
    Argument,
    "const",
    "`const` in `variable` blocks",
    of((1, 15), (1, 12)),
    "const = true",
    &[],
)
.probes(&["blocks/variable-const"]);
pub static OUTPUT_TYPE: LanguageChange = change(
    Argument,
    "type",
    "`type` in `output` blocks",
    terraform_only(1, 15),
    "type = list(string)",
    &[],
)
.probes(&["blocks/output-type", "blocks/output-type-mismatch"]);
pub static OPTIONAL: LanguageChange = change(
    Argument,
    "optional()",
    "`optional()` in object types",
    both(1, 3),
    "type = object({ size = optional(number, 1) })",
    &[],
);
pub static MESSAGE_EXPRESSION: LanguageChange = change(
    Argument,
    "an error_message that is an expression",
    "an `error_message` that is an expression",
    both(1, 2),
    "error_message = \"Not ${var.size}.\"",
    &[],
);
pub static IMPORT_FOR_EACH: LanguageChange = change(
    Argument,
    "for_each",
    "`for_each` in `import` blocks",
    both(1, 7),
    "for_each = var.buckets",
    &[],
)
.probes(&["blocks/import-for-each"]);
pub static IMPORT_IDENTITY: LanguageChange = change(
    Argument,
    "identity",
    "`identity` in `import` blocks",
    of((1, 12), (1, 12)),
    "identity = { id = \"a\" }",
    &[],
)
.probes(&["blocks/import-identity"]);
pub static DATA_STORE: LanguageChange = change(
    Argument,
    "store",
    "`store` in `terraform_data`",
    terraform_only(1, 16),
    "store = var.names",
    &[],
)
.probes(&["blocks/store-block", "blocks/store-block-bad"]);

/// OpenTofu has no such restriction.
pub static CONST_ALONE: LanguageChange = change(
    Static,
    "const",
    "a variable that is `const` is neither `ephemeral` nor `sensitive`",
    terraform_only(1, 15),
    "const = true\nsensitive = true",
    &["blocks/variable-const-ephemeral", "blocks/variable-const-sensitive"],
);
/// Every call of a module with such a variable gives it a value that `init` knows.
pub static CONST_CALLS: LanguageChange = change(
    Static,
    "const",
    "calls give `const` variables what is constant: no resource, and no variable that is not `const`",
    terraform_only(1, 15),
    "module \"m\" {\n  source = \"./m\"\n  flavour = var.flavour\n}",
    &["blocks/variable-const-call-variable", "blocks/variable-const-call-resource"],
);
pub static DEPRECATED_ROOT_OUTPUT: LanguageChange = change(
    Static,
    "deprecated",
    "an output of the root module is not `deprecated`",
    terraform_only(1, 15),
    "output \"id\" {\n  value      = 1\n  deprecated = \"Use ids.\"\n}",
    &["blocks/output-deprecated-root"],
);
pub static LIFECYCLE_DESTROY: LanguageChange = change(
    Argument,
    "destroy",
    "`destroy` in `lifecycle` blocks of resources",
    of((1, 16), (1, 12)),
    "lifecycle {\n  destroy = false\n}",
    &["blocks/lifecycle-destroy", "blocks/lifecycle-destroy-variable"],
);

// ---- Evaluation

/// A change in the results of functions or operators.
const fn behaves(
    functions: &'static [&'static str],
    what: &'static str,
    since: Since,
    without: &'static [u32],
    example: &'static str,
) -> LanguageChange {
    let name = functions[0];
    let (terraform, opentofu) = since;
    LanguageChange {
        kind: Evaluation,
        name,
        what,
        terraform,
        opentofu,
        without,
        functions,
        example,
        probes: &[],
    }
}

pub static ELEMENT_NEGATIVE: LanguageChange = behaves(
    &["element"],
    "`element` counts from the end of a list where the index is negative; before it fails",
    both(1, 10),
    &[],
    "element(tolist([\"a\", \"b\"]), -1)",
)
.probes(&["functions/element-negative-list"]);
pub static ELEMENT_NEGATIVE_TUPLE: LanguageChange = behaves(
    &["element"],
    "`element` counts from the end of a tuple where the index is negative; before it fails",
    both(1, 10),
    &[11],
    "element([\"a\", \"b\"], -1)",
)
.probes(&["functions/element-negative-tuple"]);
pub static FORMAT_NULL: LanguageChange = behaves(
    &["format", "formatlist"],
    "`format` and `formatlist` take `null` without a type for what it is; without that their result \
     is known after apply",
    of((1, 5), (1, 10)),
    &[6, 7, 8, 9, 11],
    "format(\"%v\", null)",
)
.probes(&["functions/format-null-s", "functions/format-null-v"]);
pub static JSON_DUPLICATE_KEYS: LanguageChange = behaves(
    &["jsondecode"],
    "`jsondecode` refuses a key that occurs with values of different types; before the last one counts",
    both(1, 10),
    &[11],
    "jsondecode(\"{\\\"a\\\": 1, \\\"a\\\": \\\"x\\\"}\")",
)
.probes(&["functions/jsondecode-duplicate-types"]);
/// Before this change a variable is marked after its rules.
pub static OWN_SENSITIVE: LanguageChange = behaves(
    &["issensitive"],
    "`issensitive` of a variable in its own rule is true if it is declared sensitive",
    of((1, 13), (1, 8)),
    &[],
    "condition = issensitive(var.token)",
)
.probes(&["rules/issensitive-own"]);
pub static CONTAINS_NULL: LanguageChange = behaves(
    &["contains"],
    "`contains` looks for `null`; before it refuses it",
    terraform_only(1, 16),
    &[],
    "contains(var.names, null)",
)
.probes(&["functions/contains-null-typed", "functions/contains-null-untyped"]);

/// Kleene logic: a controlling operand hides the other's error.
pub static KLEENE_LOGIC: LanguageChange = behaves(
    &["&&", "||"],
    "`&&` and `||` do not fail for an operand that does not matter",
    of((1, 12), (1, 10)),
    &[],
    "var.size == null || var.size > 0",
)
.probes(&["operators/or-null-guard", "operators/and-decided-right"]);
pub static APPLYING: LanguageChange = change(
    Evaluation,
    "terraform.applying",
    "`terraform.applying`",
    of((1, 10), (1, 11)),
    "terraform.applying",
    &[],
)
.probes(&["operators/applying"]);

/// All changes but new functions.
pub static LANGUAGE: &[&LanguageChange] = &[
    &PROVIDER_FUNCTIONS,
    &SENSITIVE,
    &NULLABLE,
    &EPHEMERAL,
    &DEPRECATED,
    &CONST,
    &OUTPUT_TYPE,
    &OPTIONAL,
    &MESSAGE_EXPRESSION,
    &IMPORT_FOR_EACH,
    &IMPORT_IDENTITY,
    &DATA_STORE,
    &VALIDATION,
    &PRECONDITION,
    &MOVED,
    &IMPORT,
    &CHECK,
    &REMOVED,
    &EPHEMERAL_BLOCK,
    &ACTION,
    &ACTION_CHECKED,
    &ACTION_DESTROY,
    &ELEMENT_NEGATIVE,
    &ELEMENT_NEGATIVE_TUPLE,
    &FORMAT_NULL,
    &JSON_DUPLICATE_KEYS,
    &CONTAINS_NULL,
    &NONSENSITIVE_OF_ANY,
    &GUARDS_LOOK_AT_VALUES,
    &REFINEMENTS,
    &WHOLE_NUMBERS_BY_VALUE,
    &STORED_DIGITS,
    &RSA_KEYS_OF_1024_BITS,
    &MERGE_NULL_OBJECTS,
    &YAML_1_2_NUMBERS,
    &YAML_MERGE_LISTS,
    &STRICT_TIMES,
    &SHORT_NAMED_GROUPS,
    &LONG_CLASSES,
    &SHORT_JSON_ESCAPES,
    &CONDITIONAL_MARKS,
    &INDEX_OF_UNKNOWN_OBJECT,
    &TOFU_NAMESPACE,
    &TEMPLATE_OF_ANYTHING,
    &FOR_CONDITION_OF_UNKNOWN,
    &TEMPLATE_NOT_NULL,
    &ENCODES_WHOLE_OBJECTS,
    &DOUBLESTAR_4,
    &KLEENE_LOGIC,
    &APPLYING,
    &CROSS_REFERENCES,
    &IMPORT_OWN_TARGET,
    &LIST_ADDRESSES,
    &CHILD_SENSITIVE,
    &CALLS_AT_INIT,
    &WRITTEN_WORKSPACE_CHECKED,
    &CONST_ALONE,
    &CONST_CALLS,
    &DEPRECATED_ROOT_OUTPUT,
    &LIFECYCLE_DESTROY,
    &IMPORT_IN_MODULE,
    &OCI_BACKEND,
    &OWN_SENSITIVE,
    &EPHEMERAL_OUTPUT_OF_ANY,
    &RESOURCE_TYPED,
    &SOURCE_VARIABLES,
    &SOURCE_NULL,
    &REQUIRED_VERSION_IGNORED,
    &ENABLED,
    &PREVENT_DESTROY_EXPRESSION,
    &REMOVED_LIFECYCLE,
    &ENCRYPTION,
    &LANGUAGE_BLOCK,
    &PROVIDER_FOR_EACH,
    &VERSION_NULL,
    &IMPORT_DYNAMIC,
    &TOFU_FILES,
    &FIRST_RULE_ONLY,
    &EXPERIMENTS_IGNORED,
    &VALUES_BY_CONTENT,
    &VALUES_FIRST,
    &COUNT_EPHEMERAL,
    &DEFAULT_REGISTRY,
    &PROVIDER_FUNCTIONS_CHECKED,
    &EPHEMERAL_CONNECTION,
    &ADDRESS_PREFIX,
    &RESERVED_ADDRESSES,
    &EPHEMERAL_ADDRESSES,
    &IMPORT_RESOURCES_ONLY,
    &IMPORT_MISSING_MODULE,
    &IMPORT_KEYS,
    &IMPORT_ID_EMPTY,
    &IMPORT_ID_SENSITIVE,
    &IMPORT_ID_LASTING,
    &IMPORT_FOR_EACH_LOOSE,
    &MOVED_TYPES,
    &INFINITE_INPUT,
    &LOCAL_EXEC_COMMAND,
    &TRIGGERS_CHECKED,
    &DEPRECATED_EMPTY,
    &BACKEND_VARIABLES,
];
