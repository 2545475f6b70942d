//! What OpenTofu does by itself, or from another release on than Terraform.

use super::{
    Change,
    Kind::{Argument, Block, Static, ValuesFiles},
    change, of, opentofu_only,
};

// ---- Arguments and blocks

pub static ENABLED: Change = change(
    Argument,
    "enabled",
    "`enabled` in `lifecycle` blocks of resources and calls",
    opentofu_only(1, 11),
    "lifecycle { enabled = var.is_public }",
    &[
        "blocks/lifecycle-enabled",
        "blocks/lifecycle-enabled-null",
        "blocks/lifecycle-enabled-call",
        "blocks/lifecycle-call-empty",
    ],
);
pub static PREVENT_DESTROY_EXPRESSION: Change = change(
    Argument,
    "prevent_destroy",
    "a `prevent_destroy` that is an expression",
    opentofu_only(1, 12),
    "lifecycle { prevent_destroy = var.is_public }",
    &["blocks/lifecycle-prevent-variable"],
);
pub static REMOVED_LIFECYCLE: Change = change(
    Block,
    "lifecycle",
    "`lifecycle` and `provisioner` in `removed` blocks",
    of((1, 7), (1, 10)),
    "removed { from = a.b lifecycle { destroy = false } }",
    &["blocks/removed-lifecycle", "blocks/removed-provisioner"],
);
pub static ENCRYPTION: Change = change(
    Block,
    "encryption",
    "`encryption` in `terraform` blocks",
    opentofu_only(1, 7),
    "terraform { encryption { … } }",
    &["blocks/encryption"],
);
pub static LANGUAGE_BLOCK: Change = change(
    Block,
    "language",
    "`language` blocks, which alone say in `.tf` files which releases of OpenTofu run the module",
    opentofu_only(1, 12),
    "language { compatible_with { opentofu = \">= 1.12\" } }",
    &["blocks/language-block", "blocks/language-block-violated", "blocks/language-empty"],
);
pub static PROVIDER_FOR_EACH: Change = change(
    Argument,
    "for_each",
    "`for_each` in `provider` blocks",
    opentofu_only(1, 9),
    "provider \"aws\" { alias = \"by\" for_each = var.regions }",
    &["blocks/provider-for-each", "blocks/provider-for-each-use"],
);
pub static VERSION_NULL: Change = change(
    Argument,
    "version",
    "a `version` of a call that is null says nothing",
    of((1, 15), (1, 10)),
    "version = null",
    &["calls/version-null", "calls/version-local-null"],
);
pub static IMPORT_DYNAMIC: Change = change(
    Argument,
    "to",
    "keys in `to` of `import` blocks that are expressions",
    of((1, 7), (1, 7)),
    "to = aws_s3_bucket.by[each.key]",
    &["blocks/import-to-dynamic"],
);

// ---- Static checks

pub static TOFU_FILES: Change = change(
    Static,
    "*.tofu",
    "files ending in `.tofu` and `.tofu.json`, each of which hides the `.tf` or `.tf.json` of its name",
    opentofu_only(1, 8),
    "main.tofu",
    &["files/tofu-file", "files/tofu-file-same-name", "files/tofu-called", "files/tofu-broken"],
);
pub static FIRST_RULE_ONLY: Change = change(
    Static,
    "validation",
    "of the rules of a variable the first one that fails is told; those after it are not evaluated",
    opentofu_only(1, 7),
    "validation { … } validation { … }",
    &["rules/two-fail", "rules/two-errors", "rules/first-error-second-fails"],
);
pub static EXPERIMENTS_IGNORED: Change = change(
    Static,
    "experiments",
    "`experiments` and `language` in `terraform` blocks are not looked at",
    opentofu_only(1, 12),
    "terraform { experiments = [a] }",
    &["blocks/experiment-nope"],
);

// ---- Values files

pub static VALUES_BY_CONTENT: Change = change(
    ValuesFiles,
    "-var-file",
    "a `-var-file` whose name ends in none of `.tfvars`, `.json` is JSON if it can be read so",
    opentofu_only(1, 9),
    "-var-file=values",
    &["values/file-name-none-json", "values/file-name-json-upper"],
);
pub static VALUES_FIRST: Change = change(
    ValuesFiles,
    "-var-file",
    "values files are read before the module, and what is wrong with them is told alone",
    opentofu_only(1, 9),
    "-var-file=missing.tfvars",
    &[],
);
