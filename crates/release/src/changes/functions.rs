//! New functions.

use super::{Function, LanguageChange, Since, both, change, of, opentofu_only, terraform_only};

/// A new function.
const fn came(name: &'static str, since: Since, example: &'static str) -> LanguageChange {
    change(Function, name, "", since, example, &[])
}

/// Functions that came after 0.12, sorted by name.
pub static FUNCTIONS: [&LanguageChange; 20] = [
    &came("alltrue", both(0, 14), "alltrue([true, false])"),
    &came("anytrue", both(0, 14), "anytrue([true, false])"),
    &came("base64gunzip", opentofu_only(1, 7), "base64gunzip(base64gzip(\"a\"))")
        .probes(&["functions/base64gunzip"]),
    &came("cidrcontains", opentofu_only(1, 7), "cidrcontains(\"10.0.0.0/8\", \"10.1.0.0\")")
        .probes(&["functions/cidrcontains-prefix"]),
    &came("convert", terraform_only(1, 15), "convert([\"1\"], list(number))")
        .probes(&["functions/convert-number"]),
    &came("endswith", both(1, 3), "endswith(\"web-1\", \"1\")"),
    &came("ephemeralasnull", of((1, 10), (1, 11)), "ephemeralasnull(var.token)")
        .probes(&["functions/ephemeralasnull-string"]),
    &came("issensitive", of((1, 8), (1, 7)), "issensitive(var.token)")
        .probes(&["functions/issensitive-plain"]),
    &came("nonsensitive", both(0, 15), "nonsensitive(var.token)"),
    &came("one", both(0, 15), "one(var.names)"),
    &came("plantimestamp", both(1, 5), "plantimestamp()"),
    &came("sensitive", both(0, 15), "sensitive(\"x\")"),
    &came("startswith", both(1, 3), "startswith(\"web-1\", \"web\")"),
    &came("strcontains", both(1, 5), "strcontains(\"web-1\", \"-\")"),
    &came("sum", both(0, 13), "sum([1, 2])"),
    &came("templatestring", of((1, 9), (1, 7)), "templatestring(local.text, {})")
        .probes(&["functions/templatestring-reference"]),
    &came("textdecodebase64", both(0, 14), "textdecodebase64(\"YQ==\", \"UTF-8\")"),
    &came("textencodebase64", both(0, 14), "textencodebase64(\"a\", \"UTF-8\")"),
    &came("timecmp", both(1, 3), "timecmp(\"2026-01-01T00:00:00Z\", \"2027-01-01T00:00:00Z\")"),
    &came("urldecode", opentofu_only(1, 7), "urldecode(\"a%20b\")")
        .probes(&["functions/urldecode"]),
];

/// `provider::NAME::FUNCTION`
pub static PROVIDER_FUNCTIONS: LanguageChange = change(
    Function,
    "a function with a namespace",
    "functions of providers",
    of((1, 8), (1, 7)),
    "provider::terraform::encode_expr(var.names)",
    &[],
)
.probes(&["functions/provider-encode-expr"]);
