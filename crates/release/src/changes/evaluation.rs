//! Changes in functions and operators that show in old releases only, or in one product only.

use super::{
    ChangeKind::Evaluation, LanguageChange, behaves, both, change, of, opentofu_only,
    terraform_only,
};

/// The functions that take regular expressions.
const REGULAR_EXPRESSIONS: &[&str] = &["regex", "regexall", "replace"];

pub static NONSENSITIVE_OF_ANY: LanguageChange = behaves(
    &["nonsensitive"],
    "`nonsensitive` takes a value that is not sensitive; before it refuses it",
    both(1, 7),
    &[],
    "nonsensitive(\"a\")",
)
.probes(&["functions/nonsensitive-plain", "functions/nonsensitive-nested"]);
/// On known values they agree.
pub static GUARDS_LOOK_AT_VALUES: LanguageChange = change(
    Evaluation,
    "can",
    "`can` and `try` decide if an argument refers to something unknown, and its value or its error is known \
     anyway; before they leave it open",
    both(1, 6),
    "can({ a = var.id }.b)",
    &["rules/unknown-can-refers", "rules/unknown-try-refers"],
);
/// cty 1.13 and HCL 2.17.
pub static REFINEMENTS: LanguageChange = change(
    Evaluation,
    "null",
    "of a value that only an apply knows it may be known that it is not null, how it begins, or how long it \
     is, and that decides",
    both(1, 6),
    "\"a${aws_vpc.main.id}\" == null",
    &[
        "rules/unknown-not-null",
        "rules/unknown-set-length",
        "rules/unknown-choice",
        "rules/unknown-choice-nulls",
        "rules/unknown-sort-length",
    ],
);
/// cty 1.14.3. A text has fewer digits than the value if a function gave the number with 53 or 64 bits.
pub static WHOLE_NUMBERS_BY_VALUE: LanguageChange = behaves(
    &["==", "!=", "pow", "parseint", "sum", "yamldecode"],
    "whole numbers are equal by their values; before by their shortest texts, which for what functions give \
     beyond 2^53 leave digits out",
    of((1, 8), (1, 7)),
    &[],
    "pow(2, 64) == 18446744073709551616",
)
.probes(&["functions/pow-large"]);
/// cty 1.14.4.
pub static STORED_DIGITS: LanguageChange = change(
    Evaluation,
    "output",
    "outputs keep all digits of whole numbers; before those of a double, where that has the value",
    of((1, 9), (1, 7)),
    "yamldecode(\"18446744073709551616\")",
    &["functions/yamldecode-large"],
);
/// The default of the Go version that builds a release.
pub static RSA_KEYS_OF_1024_BITS: LanguageChange = behaves(
    &["rsadecrypt"],
    "`rsadecrypt` refuses keys of fewer than 1024 bits",
    of((1, 12), (1, 10)),
    &[],
    "rsadecrypt(var.secret, file(\"id_rsa\"))",
)
.probes(&["functions/rsadecrypt-768", "functions/rsadecrypt-1024"]);
pub static MERGE_NULL_OBJECTS: LanguageChange = behaves(
    &["merge"],
    "`merge` of nothing but null objects of one type is an empty object; before it fails",
    terraform_only(1, 16),
    &[],
    "merge(var.tags)",
)
.probes(&["functions/merge-null-objects", "functions/merge-null-one"]);
pub static YAML_1_2_NUMBERS: LanguageChange = behaves(
    &["yamldecode"],
    "`yamldecode` reads numbers as YAML 1.2 writes them; before `1_000`, `-0x1F` and `-0o17` are \
     numbers and a lone sign is an error",
    of((1, 10), (1, 9)),
    &[],
    "yamldecode(\"1_000\")",
)
.probes(&[
    "functions/yamldecode-plus",
    "functions/yamldecode-underscore",
    "functions/yamldecode-signs",
    "functions/yamldecode-hex-negative",
]);
pub static YAML_MERGE_LISTS: LanguageChange = behaves(
    &["yamldecode"],
    "`yamldecode` merges a list of mappings, and a mapping that is not an alias",
    opentofu_only(1, 12),
    &[],
    "yamldecode(\"<<: [{a: 1}, {b: 2}]\")",
)
.probes(&["functions/yamldecode-merge-list"]);
pub static STRICT_TIMES: LanguageChange = behaves(
    &["formatdate", "timeadd", "timecmp"],
    "timestamps are read strictly; before an hour of one digit, a comma before the fraction and an \
     offset of 24 hours or 60 minutes pass",
    of((1, 6), (1, 6)),
    &[],
    "formatdate(\"hh\", \"2026-01-02T3:04:05Z\")",
)
.probes(&[
    "functions/formatdate-hour",
    "functions/formatdate-comma",
    "functions/formatdate-offset",
]);
pub static SHORT_NAMED_GROUPS: LanguageChange = behaves(
    REGULAR_EXPRESSIONS,
    "regular expressions name groups by `(?<name>…)` as well",
    of((1, 8), (1, 7)),
    &[],
    "regex(\"(?<a>x)\", \"x\")",
);
pub static LONG_CLASSES: LanguageChange = behaves(
    REGULAR_EXPRESSIONS,
    "regular expressions know Unicode's classes by their long names as well",
    of((1, 14), (1, 11)),
    &[],
    "regex(\"\\\\p{Letter}\", \"x\")",
)
.probes(&[
    "functions/regex-long-class",
    "functions/regexall-long-class",
    "functions/replace-long-class",
]);
pub static SHORT_JSON_ESCAPES: LanguageChange = behaves(
    &["jsonencode"],
    "`jsonencode` writes a backspace and a form feed as `\\b` and `\\f`; before as `\\u0008` and \
     `\\u000c`",
    of((1, 8), (1, 7)),
    &[],
    "jsonencode(\"\\u0008\")",
);
pub static CONDITIONAL_MARKS: LanguageChange = behaves(
    &["?"],
    "a conditional is sensitive where its condition or either result is; before where the result \
     taken is",
    of((1, 10), (1, 10)),
    &[],
    "issensitive(sensitive(true) ? 1 : 2)",
)
.probes(&["operators/conditional-sensitive-untaken", "operators/conditional-sensitive-condition"]);
pub static INDEX_OF_UNKNOWN_OBJECT: LanguageChange = behaves(
    &["[]"],
    "an index that the type of an object lacks is an error even if the object is not known, so behind a \
     splat of nothing",
    terraform_only(1, 13),
    &[],
    "var.objects[*][\"missing\"]",
)
.probes(&["operators/splat-index-empty"]);
pub static TOFU_NAMESPACE: LanguageChange = behaves(
    &["tofu"],
    "`tofu.workspace` is `terraform.workspace`",
    opentofu_only(1, 9),
    &[],
    "tofu.workspace",
)
.probes(&["operators/workspace-tofu"]);
pub static TEMPLATE_OF_ANYTHING: LanguageChange = behaves(
    &["templatestring"],
    "`templatestring` takes any expression for the template, gives the value of a lone interpolation as \
     it is, and templates call it; `vars` must not be sensitive itself",
    opentofu_only(1, 7),
    &[],
    "templatestring(\"$${x}\", { x = [1] })",
)
.probes(&[
    "functions/templatestring-literal",
    "functions/templatestring-call",
    "functions/templatestring-sensitive-vars",
    "functions/templatefile-itself",
]);
pub static FOR_CONDITION_OF_UNKNOWN: LanguageChange = change(
    Evaluation,
    "for",
    "the `if` clause of a `for` expression is a bool even over what only an apply knows",
    both(1, 10),
    "[for it in aws_vpc.main.tags : it if {}]",
    &["rules/unknown-for-condition"],
);
pub static TEMPLATE_NOT_NULL: LanguageChange = behaves(
    &["templatefile"],
    "`templatefile` refuses a template that is one interpolation of null; before it gives the null",
    terraform_only(1, 11),
    &[],
    "templatefile(\"name.tftpl\", { name = null })",
)
.probes(&["rules/templatefile-null", "rules/templatestring-null"]);
pub static ENCODES_WHOLE_OBJECTS: LanguageChange = behaves(
    &["encode_tfvars", "encode_expr"],
    "`encode_tfvars` and `encode_expr` refuse what is known in parts, so what is made of variables when \
     a module is validated, and `encode_tfvars` refuses a map",
    opentofu_only(1, 10),
    &[],
    "provider::terraform::encode_tfvars(tomap({ a = 1 }))",
)
.probes(&[
    "functions/encode-tfvars-null",
    "functions/encode-tfvars-map",
    "functions/encode-expr-null-list",
]);
pub static DOUBLESTAR_4: LanguageChange = behaves(
    &["fileset"],
    "`fileset` takes braces over more than one directory, nested braces and `[!a]`, and refuses malformed \
     patterns even if nothing could match them",
    opentofu_only(1, 7),
    &[],
    "fileset(path.module, \"{a,sub/*}.txt\")",
)
.probes(&["functions/fileset-braces", "functions/fileset-not"]);
