//! The table of what changed when. Everything that depends on a release asks one of these; each names
//! the recorded questions that prove it. What differs and is not here is a fault.

mod tofu;

pub use tofu::*;

use super::{
    Change, Version,
    change::Kind::{self, Argument, Block, Evaluation, Function, Static},
};

/// First releases of Terraform and of OpenTofu that have a change; `None`: no known one.
type Since = (Option<Version>, Option<Version>);

/// The same release of both. OpenTofu begins as Terraform 1.5 ended.
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
    kind: Kind,
    name: &'static str,
    what: &'static str,
    since: Since,
    example: &'static str,
    probes: &'static [&'static str],
) -> Change {
    Change {
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

/// A function that came.
const fn came(name: &'static str, since: Since, example: &'static str) -> Change {
    change(Function, name, "", since, example, &[])
}

// ---- Functions

/// Functions that came after 0.12, sorted by name.
pub static FUNCTIONS: [&Change; 20] = [
    &came("alltrue", both(0, 14), "alltrue([true, false])"),
    &came("anytrue", both(0, 14), "anytrue([true, false])"),
    &came("base64gunzip", opentofu_only(1, 7), "base64gunzip(base64gzip(\"a\"))"),
    &came("cidrcontains", opentofu_only(1, 7), "cidrcontains(\"10.0.0.0/8\", \"10.1.0.0\")"),
    &came("convert", terraform_only(1, 15), "convert([\"1\"], list(number))"),
    &came("endswith", both(1, 3), "endswith(\"web-1\", \"1\")"),
    &came("ephemeralasnull", of((1, 10), (1, 11)), "ephemeralasnull(var.token)"),
    &came("issensitive", of((1, 8), (1, 7)), "issensitive(var.token)"),
    &came("nonsensitive", both(0, 15), "nonsensitive(var.token)"),
    &came("one", both(0, 15), "one(var.names)"),
    &came("plantimestamp", both(1, 5), "plantimestamp()"),
    &came("sensitive", both(0, 15), "sensitive(\"x\")"),
    &came("startswith", both(1, 3), "startswith(\"web-1\", \"web\")"),
    &came("strcontains", both(1, 5), "strcontains(\"web-1\", \"-\")"),
    &came("sum", both(0, 13), "sum([1, 2])"),
    &came("templatestring", of((1, 9), (1, 7)), "templatestring(local.text, {})"),
    &came("textdecodebase64", both(0, 14), "textdecodebase64(\"YQ==\", \"UTF-8\")"),
    &came("textencodebase64", both(0, 14), "textencodebase64(\"a\", \"UTF-8\")"),
    &came("timecmp", both(1, 3), "timecmp(\"2026-01-01T00:00:00Z\", \"2027-01-01T00:00:00Z\")"),
    &came("urldecode", opentofu_only(1, 7), "urldecode(\"a%20b\")"),
];

/// `provider::NAME::FUNCTION`
pub static PROVIDER_FUNCTIONS: Change = change(
    Function,
    "a function with a namespace",
    "functions of providers",
    of((1, 8), (1, 7)),
    "provider::terraform::encode_expr(var.names)",
    &[],
);

// ---- Arguments

pub static SENSITIVE: Change = change(
    Argument,
    "sensitive",
    "`sensitive` in `variable` blocks",
    both(0, 14),
    "sensitive = true",
    &[],
);
pub static NULLABLE: Change = change(
    Argument,
    "nullable",
    "`nullable` in `variable` blocks",
    both(1, 1),
    "nullable = false",
    &[],
);
pub static EPHEMERAL: Change = change(
    Argument,
    "ephemeral",
    "`ephemeral` in `variable` and `output` blocks",
    of((1, 10), (1, 11)),
    "ephemeral = true",
    &[],
);
pub static DEPRECATED: Change = change(
    Argument,
    "deprecated",
    "`deprecated` in `variable` and `output` blocks",
    of((1, 15), (1, 10)),
    "deprecated = \"Use var.names.\"",
    &[],
);
pub static CONST: Change = change(
    Argument,
    "const",
    "`const` in `variable` blocks",
    of((1, 15), (1, 12)),
    "const = true",
    &[],
);
pub static OUTPUT_TYPE: Change = change(
    Argument,
    "type",
    "`type` in `output` blocks",
    terraform_only(1, 15),
    "type = list(string)",
    &[],
);
pub static OPTIONAL: Change = change(
    Argument,
    "optional()",
    "`optional()` in object types",
    both(1, 3),
    "type = object({ size = optional(number, 1) })",
    &[],
);
pub static MESSAGE_EXPRESSION: Change = change(
    Argument,
    "an error_message that is an expression",
    "an `error_message` that is an expression",
    both(1, 2),
    "error_message = \"Not ${var.size}.\"",
    &[],
);
pub static IMPORT_FOR_EACH: Change = change(
    Argument,
    "for_each",
    "`for_each` in `import` blocks",
    both(1, 7),
    "for_each = var.buckets",
    &[],
);
pub static IMPORT_IDENTITY: Change = change(
    Argument,
    "identity",
    "`identity` in `import` blocks",
    of((1, 12), (1, 12)),
    "identity = { id = \"a\" }",
    &[],
);
pub static DATA_STORE: Change = change(
    Argument,
    "store",
    "`store` in `terraform_data`",
    terraform_only(1, 16),
    "store = var.names",
    &[],
);

// ---- Blocks

pub static VALIDATION: Change = change(
    Block,
    "validation",
    "`validation` in `variable` blocks",
    both(0, 13),
    "validation { condition = var.size > 0 … }",
    &[],
);
pub static PRECONDITION: Change = change(
    Block,
    "precondition",
    "`precondition` and `postcondition`",
    both(1, 2),
    "precondition { condition = var.size > 0 … }",
    &[],
);
pub static MOVED: Change =
    change(Block, "moved", "`moved` blocks", both(1, 1), "moved { from = a.b to = a.c }", &[]);
pub static IMPORT: Change =
    change(Block, "import", "`import` blocks", both(1, 5), "import { to = a.b id = \"c\" }", &[]);
pub static CHECK: Change =
    change(Block, "check", "`check` blocks", both(1, 5), "check \"size\" { assert { … } }", &[]);
pub static REMOVED: Change =
    change(Block, "removed", "`removed` blocks", both(1, 7), "removed { from = a.b }", &[]);
pub static EPHEMERAL_BLOCK: Change = change(
    Block,
    "ephemeral",
    "`ephemeral` blocks",
    of((1, 10), (1, 11)),
    "ephemeral \"vault_secret\" \"a\" { … }",
    &[],
);
pub static ACTION: Change = change(
    Block,
    "action",
    "`action` blocks",
    terraform_only(1, 14),
    "action \"a\" \"b\" { … }",
    &[],
);

// ---- Evaluation

/// A change of what functions or operators give.
const fn behaves(
    functions: &'static [&'static str],
    what: &'static str,
    since: Since,
    without: &'static [u32],
    example: &'static str,
) -> Change {
    let name = functions[0];
    let (terraform, opentofu) = since;
    Change {
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

pub static ELEMENT_NEGATIVE: Change = behaves(
    &["element"],
    "`element` counts from the end of a list where the index is negative; before it fails",
    both(1, 10),
    &[],
    "element(tolist([\"a\", \"b\"]), -1)",
);
pub static ELEMENT_NEGATIVE_TUPLE: Change = behaves(
    &["element"],
    "`element` counts from the end of a tuple where the index is negative; before it fails",
    both(1, 10),
    &[11],
    "element([\"a\", \"b\"], -1)",
);
pub static FORMAT_NULL: Change = behaves(
    &["format", "formatlist"],
    "`format` and `formatlist` take `null` without a type for what it is; without that their result \
     is known after apply",
    of((1, 5), (1, 10)),
    &[6, 7, 8, 9, 11],
    "format(\"%v\", null)",
);
pub static JSON_DUPLICATE_KEYS: Change = behaves(
    &["jsondecode"],
    "`jsondecode` refuses a key that occurs with values of different types; before the last one counts",
    both(1, 10),
    &[11],
    "jsondecode(\"{\\\"a\\\": 1, \\\"a\\\": \\\"x\\\"}\")",
);
pub static CONTAINS_NULL: Change = behaves(
    &["contains"],
    "`contains` looks for `null`; before it refuses it",
    terraform_only(1, 16),
    &[],
    "contains(var.names, null)",
);

/// Kleene logic: a controlling operand hides the other's error.
pub static KLEENE_LOGIC: Change = behaves(
    &["&&", "||"],
    "`&&` and `||` do not fail for an operand that does not matter",
    of((1, 12), (1, 10)),
    &[],
    "var.size == null || var.size > 0",
);
pub static APPLYING: Change = change(
    Evaluation,
    "terraform.applying",
    "`terraform.applying`",
    of((1, 10), (1, 11)),
    "terraform.applying",
    &[],
);

// ---- Static checks

pub static CROSS_REFERENCES: Change = change(
    Static,
    "a condition about more than its own variable",
    "conditions about more than their own variable",
    both(1, 9),
    "condition = var.max >= var.min",
    &[],
);
pub static SOURCE_VARIABLES: Change = change(
    Static,
    "variables in module sources",
    "variables and locals in `source` and `version` of `module` blocks",
    of((1, 15), (1, 8)),
    "source = \"./${var.flavour}\"",
    &[],
);

/// Everything but functions that came.
pub static LANGUAGE: &[&Change] = &[
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
    &ELEMENT_NEGATIVE,
    &ELEMENT_NEGATIVE_TUPLE,
    &FORMAT_NULL,
    &JSON_DUPLICATE_KEYS,
    &CONTAINS_NULL,
    &KLEENE_LOGIC,
    &APPLYING,
    &CROSS_REFERENCES,
    &SOURCE_VARIABLES,
    &REQUIRED_VERSION_IGNORED,
    &ENABLED,
    &LIFECYCLE_DESTROY,
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
    &ISSENSITIVE_OWN,
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
    &OUTPUT_SENSITIVE_NESTED,
    &EPHEMERAL_OUTPUT_OF_ANY,
    &LOCAL_EXEC_COMMAND,
    &TRIGGERS_CHECKED,
    &DEPRECATED_EMPTY,
    &BACKEND_VARIABLES,
    &REMOTE_STATE_EXISTS,
];
