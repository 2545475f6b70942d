//! New blocks, and changes inside of blocks.

use super::{Argument, Block, LanguageChange, Static, both, change, of, terraform_only};

pub static VALIDATION: LanguageChange = change(
    Block,
    "validation",
    "`validation` in `variable` blocks",
    both(0, 13),
    "validation { condition = var.size > 0 … }",
    &[],
);
pub static PRECONDITION: LanguageChange = change(
    Block,
    "precondition",
    "`precondition` and `postcondition`",
    both(1, 2),
    "precondition { condition = var.size > 0 … }",
    &[],
);
pub static MOVED: LanguageChange =
    change(Block, "moved", "`moved` blocks", both(1, 1), "moved { from = a.b to = a.c }", &[]);
pub static IMPORT: LanguageChange =
    change(Block, "import", "`import` blocks", both(1, 5), "import { to = a.b id = \"c\" }", &[]);
pub static CHECK: LanguageChange =
    change(Block, "check", "`check` blocks", both(1, 5), "check \"size\" { assert { … } }", &[]);
pub static REMOVED: LanguageChange =
    change(Block, "removed", "`removed` blocks", both(1, 7), "removed { from = a.b }", &[])
        .probes(&["blocks/removed"]);
pub static EPHEMERAL_BLOCK: LanguageChange = change(
    Block,
    "ephemeral",
    "`ephemeral` blocks",
    of((1, 10), (1, 11)),
    "ephemeral \"vault_secret\" \"a\" { … }",
    &[],
)
.probes(&["blocks/ephemeral-block"]);
/// Terraform 1.13 accepts them with any content.
pub static ACTION: LanguageChange = change(
    Block,
    "action",
    "`action` blocks, and `action_trigger` in `lifecycle` blocks",
    terraform_only(1, 13),
    "action \"a\" \"b\" { … }",
    &["blocks/action-block", "blocks/action-block-labels"],
);
pub static ACTION_CHECKED: LanguageChange = change(
    Static,
    "action",
    "`action` and `action_trigger` blocks are checked",
    terraform_only(1, 14),
    "lifecycle {\n  action_trigger {\n    events  = [after_create]\n    actions = [action.a.b]\n  }\n}",
    &[
        "blocks/action-block-config",
        "blocks/action-trigger-empty",
        "blocks/action-trigger-undeclared",
    ],
);
/// Events before a resource is destroyed, and the reaction to a failed action.
pub static ACTION_DESTROY: LanguageChange = change(
    Argument,
    "on_failure",
    "`before_destroy`, `after_destroy` and `on_failure` in `action_trigger` blocks",
    terraform_only(1, 16),
    "events = [before_destroy]",
    &["blocks/action-trigger-destroy", "blocks/action-trigger-on-failure"],
);

pub static IMPORT_IN_MODULE: LanguageChange = change(
    Block,
    "import",
    "`import` blocks in called modules",
    terraform_only(1, 16),
    "import { to = a.b id = \"c\" }",
    &["blocks/import-in-module"],
);

/// Its arguments are texts.
pub static OCI_BACKEND: LanguageChange = change(
    Block,
    "backend",
    "the backend `oci`",
    terraform_only(1, 12),
    "backend \"oci\" { bucket = \"states\" namespace = \"a\" }",
    &["blocks/backend-oci"],
);
