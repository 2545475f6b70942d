//! The table of what changed when. Everything that depends on a release asks one of these; each names
//! the recorded questions that prove it. What differs and is not here is a fault.

mod evaluation;
mod tofu;

pub use evaluation::*;
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

/// OpenTofu has no such bound.
pub static CONST_ALONE: Change = change(
    Static,
    "const",
    "a variable that is `const` is neither `ephemeral` nor `sensitive`",
    terraform_only(1, 15),
    "const = true\nsensitive = true",
    &["blocks/variable-const-ephemeral", "blocks/variable-const-sensitive"],
);
/// Whatever calls a module with such a variable gives it a value that `init` knows.
pub static CONST_CALLS: Change = change(
    Static,
    "const",
    "calls give `const` variables what is constant: no resource, and no variable that is not `const`",
    terraform_only(1, 15),
    "module \"m\" {\n  source = \"./m\"\n  flavour = var.flavour\n}",
    &["blocks/variable-const-call-variable", "blocks/variable-const-call-resource"],
);
pub static DEPRECATED_ROOT_OUTPUT: Change = change(
    Static,
    "deprecated",
    "an output of the root module is not `deprecated`",
    terraform_only(1, 15),
    "output \"id\" {\n  value      = 1\n  deprecated = \"Use ids.\"\n}",
    &["blocks/output-deprecated-root"],
);
pub static LIFECYCLE_DESTROY: Change = change(
    Argument,
    "destroy",
    "`destroy` in `lifecycle` blocks of resources",
    of((1, 16), (1, 12)),
    "lifecycle {\n  destroy = false\n}",
    &["blocks/lifecycle-destroy", "blocks/lifecycle-destroy-variable"],
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
/// Terraform 1.13 takes them with whatever they hold.
pub static ACTION: Change = change(
    Block,
    "action",
    "`action` blocks, and `action_trigger` in `lifecycle` blocks",
    terraform_only(1, 13),
    "action \"a\" \"b\" { … }",
    &["blocks/action-block", "blocks/action-block-labels"],
);
pub static ACTION_CHECKED: Change = change(
    Static,
    "action",
    "`action` and `action_trigger` blocks are looked into",
    terraform_only(1, 14),
    "lifecycle {\n  action_trigger {\n    events  = [after_create]\n    actions = [action.a.b]\n  }\n}",
    &[
        "blocks/action-block-config",
        "blocks/action-trigger-empty",
        "blocks/action-trigger-undeclared",
    ],
);
/// Events before a resource is destroyed, and what happens when an action fails.
pub static ACTION_DESTROY: Change = change(
    Argument,
    "on_failure",
    "`before_destroy`, `after_destroy` and `on_failure` in `action_trigger` blocks",
    terraform_only(1, 16),
    "events = [before_destroy]",
    &["blocks/action-trigger-destroy", "blocks/action-trigger-on-failure"],
);

pub static IMPORT_IN_MODULE: Change = change(
    Block,
    "import",
    "`import` blocks in called modules",
    terraform_only(1, 16),
    "import { to = a.b id = \"c\" }",
    &["blocks/import-in-module"],
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
/// Before, the mark of a variable comes after its rules.
pub static OWN_SENSITIVE: Change = behaves(
    &["issensitive"],
    "`issensitive` of a variable in its own rule tells whether it is declared sensitive",
    of((1, 13), (1, 8)),
    &[],
    "condition = issensitive(var.token)",
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
/// Before, an ephemeral output of a called module has a value that is ephemeral itself.
pub static EPHEMERAL_OUTPUT_OF_ANY: Change = change(
    Static,
    "ephemeral",
    "an `ephemeral` output of a called module takes any value",
    of((1, 12), (1, 11)),
    "output \"token\" {\n  ephemeral = true\n  value     = \"x\"\n}",
    &["blocks/output-ephemeral-call"],
);
pub static LIST_ADDRESSES: Change = change(
    Static,
    "list.a",
    "addresses that begin with `list` in `moved` and `import` blocks are refused",
    terraform_only(1, 13),
    "from = list.a",
    &["blocks/moved-keyword-list"],
);
/// Terraform 1.9 to 1.11 crash.
pub static IMPORT_OWN_TARGET: Change = change(
    Static,
    "import",
    "`for_each` of an `import` block does not refer to the resource that is imported",
    terraform_only(1, 12),
    "import {\n  for_each = a.b\n  to       = a.b[each.key]\n  id       = each.key\n}",
    &["blocks/import-self-reference"],
);
/// Releases between take its value for one that may be shown.
pub static CHILD_SENSITIVE: Change = Change {
    without: &[8, 9, 10, 11, 12],
    ..change(
        Static,
        "sensitive",
        "what an output marks as sensitive is sensitive to the caller's rules, too, and inside `module.NAME`",
        both(1, 5),
        "output \"all\" {\n  value = module.m\n}",
        &["blocks/output-sensitive-nested", "blocks/output-sensitive-nested-all"],
    )
};
/// Then they come before anything that values files say.
pub static CALLS_AT_INIT: Change = change(
    Static,
    "module calls",
    "`init` tells what a call lacks, and what the called module does not know",
    terraform_only(1, 15),
    "module \"m\" {\n  source = \"./m\"\n  nope   = 1\n}",
    &[],
);
pub static WRITTEN_WORKSPACE_CHECKED: Change = change(
    Static,
    "workspace",
    "the name in `.terraform/environment` is checked as that in `TF_WORKSPACE` is",
    terraform_only(1, 16),
    "terraform.workspace",
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
    &ACTION_CHECKED,
    &ACTION_DESTROY,
    &ELEMENT_NEGATIVE,
    &ELEMENT_NEGATIVE_TUPLE,
    &FORMAT_NULL,
    &JSON_DUPLICATE_KEYS,
    &CONTAINS_NULL,
    &NONSENSITIVE_OF_ANY,
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
    &OWN_SENSITIVE,
    &EPHEMERAL_OUTPUT_OF_ANY,
    &SOURCE_VARIABLES,
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
    &REMOTE_STATE_EXISTS,
];
