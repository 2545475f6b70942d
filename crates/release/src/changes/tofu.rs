//! Changes that only OpenTofu has, or has since another release than Terraform.

use super::{
    ChangeKind::{Argument, Block, Static, ValuesFiles},
    LanguageChange, both, change, of, opentofu_only, terraform_only,
};

// ---- Arguments and blocks

pub static ENABLED: LanguageChange = change(
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
pub static PREVENT_DESTROY_EXPRESSION: LanguageChange = change(
    Argument,
    "prevent_destroy",
    "a `prevent_destroy` that is an expression",
    opentofu_only(1, 12),
    "lifecycle { prevent_destroy = var.is_public }",
    &["blocks/lifecycle-prevent-variable"],
);
pub static REMOVED_LIFECYCLE: LanguageChange = change(
    Block,
    "lifecycle",
    "`lifecycle` and `provisioner` in `removed` blocks",
    of((1, 7), (1, 10)),
    "removed { from = a.b lifecycle { destroy = false } }",
    &["blocks/removed-lifecycle", "blocks/removed-provisioner"],
);
pub static ENCRYPTION: LanguageChange = change(
    Block,
    "encryption",
    "`encryption` in `terraform` blocks",
    opentofu_only(1, 7),
    "terraform { encryption { … } }",
    &["blocks/encryption"],
);
pub static LANGUAGE_BLOCK: LanguageChange = change(
    Block,
    "language",
    "`language` blocks, which alone say in `.tf` files which releases of OpenTofu run the module",
    opentofu_only(1, 12),
    "language { compatible_with { opentofu = \">= 1.12\" } }",
    &["blocks/language-block", "blocks/language-block-violated", "blocks/language-empty"],
);
pub static PROVIDER_FOR_EACH: LanguageChange = change(
    Argument,
    "for_each",
    "`for_each` in `provider` blocks",
    opentofu_only(1, 9),
    "provider \"aws\" { alias = \"by\" for_each = var.regions }",
    &["blocks/provider-for-each", "blocks/provider-for-each-use"],
);
pub static VERSION_NULL: LanguageChange = change(
    Argument,
    "version",
    "a `version` of a call that is null says nothing",
    of((1, 15), (1, 10)),
    "version = null",
    &["calls/version-null", "calls/version-local-null"],
);
pub static IMPORT_DYNAMIC: LanguageChange = change(
    Argument,
    "to",
    "keys in `to` of `import` blocks that are expressions",
    of((1, 7), (1, 7)),
    "to = aws_s3_bucket.by[each.key]",
    &["blocks/import-to-dynamic"],
);

// ---- Static checks

pub static TOFU_FILES: LanguageChange = change(
    Static,
    "*.tofu",
    "files ending in `.tofu` and `.tofu.json`, which replace the `.tf` or `.tf.json` of the same name",
    opentofu_only(1, 8),
    "main.tofu",
    &["files/tofu-file", "files/tofu-file-same-name", "files/tofu-called", "files/tofu-broken"],
);
pub static FIRST_RULE_ONLY: LanguageChange = change(
    Static,
    "validation",
    "only the first rule of a variable that fails is reported; those after it are not evaluated",
    opentofu_only(1, 7),
    "validation { … } validation { … }",
    &["rules/two-fail", "rules/two-errors", "rules/first-error-second-fails"],
);
pub static EXPERIMENTS_IGNORED: LanguageChange = change(
    Static,
    "experiments",
    "`experiments` and `language` in `terraform` blocks are not looked at",
    opentofu_only(1, 12),
    "terraform { experiments = [a] }",
    &["blocks/experiment-nope"],
);

pub static ADDRESS_PREFIX: LanguageChange = change(
    Static,
    "resource.",
    "addresses in `moved` and `import` blocks may begin with `resource.`",
    terraform_only(1, 9),
    "from = resource.ephemeral.a",
    &["blocks/moved-keyword-prefix"],
);
pub static RESERVED_ADDRESSES: LanguageChange = change(
    Static,
    "var.a",
    "addresses in `moved` and `import` blocks that look like references are refused; without that they \
     are of resources of the type `var`",
    terraform_only(1, 10),
    "from = var.a",
    &["blocks/moved-keyword"],
);
pub static EPHEMERAL_ADDRESSES: LanguageChange = change(
    Static,
    "ephemeral.a",
    "addresses of ephemeral resources in `moved` and `removed` blocks are refused",
    opentofu_only(1, 11),
    "from = ephemeral.a",
    &["blocks/moved-keyword"],
);
pub static IMPORT_RESOURCES_ONLY: LanguageChange = change(
    Static,
    "import",
    "an `import` of a data source is refused before anything is planned",
    terraform_only(1, 5),
    "to = data.aws_vpc.main",
    &["blocks/import-data"],
);
pub static IMPORT_MISSING_MODULE: LanguageChange = change(
    Static,
    "import",
    "an `import` into a module that is not called is refused",
    of((1, 9), (1, 7)),
    "to = module.gone.aws_vpc.main",
    &["blocks/import-missing-module"],
);
pub static IMPORT_KEYS: LanguageChange = change(
    Static,
    "import",
    "an `import` without a key to what has `count` is refused",
    both(1, 7),
    "to = aws_vpc.by_count",
    &["blocks/import-resource-no-index"],
);
pub static IMPORT_ID_EMPTY: LanguageChange = change(
    Static,
    "id",
    "an `import` of the empty `id` is refused",
    terraform_only(1, 7),
    "id = \"\"",
    &["blocks/import-empty-id"],
);
pub static IMPORT_ID_SENSITIVE: LanguageChange = change(
    Static,
    "id",
    "the `id` of an `import` may be sensitive",
    terraform_only(1, 7),
    "id = sensitive(\"x\")",
    &["blocks/import-sensitive-id"],
);
pub static IMPORT_ID_LASTING: LanguageChange = change(
    Static,
    "id",
    "an ephemeral `id` of an `import` is refused",
    opentofu_only(1, 11),
    "id = var.token",
    &["trees import-ephemeral"],
);
pub static IMPORT_FOR_EACH_LOOSE: LanguageChange = change(
    Static,
    "for_each",
    "`for_each` of an `import` may be null (nothing is imported) or a list",
    terraform_only(1, 7),
    "for_each = null",
    &["blocks/import-for-each-null", "trees own-import-for-each-list-numbers"],
);
pub static MOVED_TYPES: LanguageChange = change(
    Static,
    "moved",
    "`moved` blocks from one type of resource to another",
    of((1, 8), (1, 10)),
    "moved { from = null_resource.a to = terraform_data.a }",
    &["blocks/moved-types"],
);
pub static INFINITE_INPUT: LanguageChange = change(
    Static,
    "input",
    "a `terraform_data` whose `input` holds an infinite number is refused",
    of((1, 9), (1, 7)),
    "input = 1 / 0",
    &["blocks/data-input-infinite", "trees own-infinite-input"],
);
pub static LOCAL_EXEC_COMMAND: LanguageChange = change(
    Static,
    "command",
    "an empty `command` of `local-exec`, and one that is null, is refused",
    opentofu_only(1, 12),
    "provisioner \"local-exec\" { command = \"\" }",
    &["blocks/provisioner-command-empty", "blocks/provisioner-command-null"],
);
pub static TRIGGERS_CHECKED: LanguageChange = change(
    Static,
    "replace_triggered_by",
    "`replace_triggered_by` is looked at even where there is no instance, and its attributes are",
    opentofu_only(1, 12),
    "replace_triggered_by = [terraform_data.a.nope]",
    &["blocks/replace-triggered-by-missing", "trees own-trigger-undeclared-count-0"],
);
pub static DEPRECATED_EMPTY: LanguageChange = change(
    Argument,
    "deprecated",
    "`deprecated` may be empty",
    terraform_only(1, 15),
    "deprecated = \"\"",
    &["blocks/variable-deprecated-empty"],
);
pub static BACKEND_VARIABLES: LanguageChange = change(
    Argument,
    "backend",
    "variables, locals and functions in `backend` blocks",
    opentofu_only(1, 8),
    "backend \"local\" { path = var.path }",
    &["blocks/backend-variable", "blocks/backend-function", "blocks/backend-resource"],
);
pub static EPHEMERAL_CONNECTION: LanguageChange = change(
    Static,
    "connection",
    "`connection` and `provisioner` blocks in `ephemeral` blocks are refused",
    opentofu_only(1, 11),
    "ephemeral \"a\" \"b\" { connection {} }",
    &["blocks 148"],
);

/// In OpenTofu it concerns Terraform only.
pub static REQUIRED_VERSION_IGNORED: LanguageChange = change(
    Static,
    "required_version",
    "`required_version` in `.tf` files refuses nothing, not even where it is malformed; in `.tofu` files it counts",
    opentofu_only(1, 12),
    "required_version = \">= 99\"",
    &["requirements/above", "requirements/broken", "requirements/called", "requirements/tofu-file"],
);
pub static DEFAULT_REGISTRY: LanguageChange = change(
    Static,
    "source",
    "modules without a host come from `registry.opentofu.org`: what Terraform has installed from its own \
     registry is another module",
    opentofu_only(1, 6),
    "source = \"terraform-aws-modules/vpc/aws\"",
    &["trees manifest-registry", "trees manifest-nested"],
);
pub static PROVIDER_FUNCTIONS_CHECKED: LanguageChange = change(
    Static,
    "provider::NAME::FUNCTION",
    "a function of a provider that `required_providers` does not name is refused everywhere, also inside \
     of `can` and `try`",
    opentofu_only(1, 7),
    "condition = can(provider::gone::parse(var.name))",
    &["verdicts provider-function-not-required"],
);

pub static COUNT_EPHEMERAL: LanguageChange = change(
    Static,
    "count",
    "a `count` that is ephemeral is refused",
    of((1, 10), (1, 12)),
    "count = var.token == null ? 0 : 1",
    &["blocks/count-ephemeral"],
);

// ---- Values files

pub static VALUES_BY_CONTENT: LanguageChange = change(
    ValuesFiles,
    "-var-file",
    "a `-var-file` whose name ends in none of `.tfvars`, `.json` is JSON if it can be read so",
    opentofu_only(1, 9),
    "-var-file=values",
    &["values/file-name-none-json", "values/file-name-json-upper"],
);
pub static VALUES_FIRST: LanguageChange = change(
    ValuesFiles,
    "-var-file",
    "values files are read before the module, and their errors are reported alone",
    opentofu_only(1, 8),
    "-var-file=missing.tfvars",
    &["cases stage-load-vs-missingfile", "cases stage-load-vs-tfvars"],
);
