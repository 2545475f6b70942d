//! Errors before any value is known.

use super::{LanguageChange, Static, both, change, of, terraform_only};

pub static CROSS_REFERENCES: LanguageChange = change(
    Static,
    "a condition about more than its own variable",
    "conditions about more than their own variable",
    both(1, 9),
    "condition = var.max >= var.min",
    &[],
)
.probes(&["rules/cross-variable"]);
pub static SOURCE_VARIABLES: LanguageChange = change(
    Static,
    "variables in module sources",
    "variables and locals in `source` and `version` of `module` blocks",
    of((1, 15), (1, 8)),
    "source = \"./${var.flavour}\"",
    &[],
)
.probes(&["calls/source-local", "calls/source-variable"]);
pub static SOURCE_NULL: LanguageChange = change(
    Static,
    "nullable",
    "null for a variable that is not nullable is its default in sources, too",
    of((1, 15), (1, 9)),
    "module \"m\" {\n  source  = \"./m\"\n  flavour = null\n}",
    &["calls/source-nested-null", "calls/source-nested-null-plain"],
);
/// Before this change an ephemeral output of a called module needs an ephemeral value.
pub static EPHEMERAL_OUTPUT_OF_ANY: LanguageChange = change(
    Static,
    "ephemeral",
    "an `ephemeral` output of a called module takes any value",
    of((1, 12), (1, 11)),
    "output \"token\" {\n  ephemeral = true\n  value     = \"x\"\n}",
    &["blocks/output-ephemeral-call"],
);
/// Before this change nothing is known about a resource before a plan. A plan does not evaluate all expressions.
pub static RESOURCE_TYPED: LanguageChange = change(
    Static,
    "terraform_data",
    "a resource has the type of its schema before a plan: a misuse is an error where the plan does not evaluate it, too",
    of((1, 15), (1, 12)),
    "command = upper(terraform_data.x)",
    &["blocks/resource-typed-provisioner", "blocks/resource-typed-no-instance"],
);
pub static LIST_ADDRESSES: LanguageChange = change(
    Static,
    "list.a",
    "addresses that begin with `list` in `moved` and `import` blocks are refused",
    terraform_only(1, 13),
    "from = list.a",
    &["blocks/moved-keyword-list"],
);
/// Terraform 1.9 to 1.11 crash.
pub static IMPORT_OWN_TARGET: LanguageChange = change(
    Static,
    "import",
    "`for_each` of an `import` block does not refer to the resource that is imported",
    terraform_only(1, 12),
    "import {\n  for_each = a.b\n  to       = a.b[each.key]\n  id       = each.key\n}",
    &["blocks/import-self-reference"],
);
/// Releases in between take its value for one that may be shown.
pub static CHILD_SENSITIVE: LanguageChange = LanguageChange {
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
/// Since then these errors come before all errors in values files.
pub static CALLS_AT_INIT: LanguageChange = change(
    Static,
    "module calls",
    "`init` reports what a call lacks, and what the called module does not know",
    terraform_only(1, 15),
    "module \"m\" {\n  source = \"./m\"\n  nope   = 1\n}",
    &[],
)
.probes(&["trees stage-values-file-hides-calls"]);
pub static WRITTEN_WORKSPACE_CHECKED: LanguageChange = change(
    Static,
    "workspace",
    "the name in `.terraform/environment` is checked as that in `TF_WORKSPACE` is",
    terraform_only(1, 16),
    "terraform.workspace",
    &[],
)
.probes(&["verdicts workspace-selected"]);
