//! The words of the language, and what they are called elsewhere.

use crate::diagnostic::near_word;

/// The validators. A function of Terraform has none of these names.
pub(super) const VALIDATORS: [&str; 26] = [
    "required",
    "forbidden",
    "optional",
    "any",
    "all",
    "deny",
    "string",
    "number",
    "bool",
    "list",
    "set",
    "map",
    "object",
    "some",
    "hostname",
    "uri",
    "ip",
    "cidr",
    "base64",
    "json",
    "version",
    "byte_size",
    "duration",
    "matches",
    "subject",
    "reference",
];

/// Words of other languages, in lower case without underscores.
const ELSEWHERE: [(&str, &str); 34] = [
    ("oneof", "any(A, B)"),
    ("anyof", "any(A, B)"),
    ("or", "any(A, B)"),
    ("allof", "all(A, B)"),
    ("and", "all(A, B)"),
    ("not", "deny(A)"),
    ("noneof", "deny(A, B)"),
    ("opt", "optional(A)"),
    ("maybe", "optional(A)"),
    ("nullable", "optional(A)"),
    ("default", "optional(A, DEFAULT)"),
    ("defaultvalue", "optional(A, DEFAULT)"),
    ("anything", "required"),
    ("present", "required"),
    ("exists", "required"),
    ("never", "forbidden"),
    ("forbid", "forbidden"),
    ("absent", "forbidden"),
    ("forbiddenif", "CONDITION ? forbidden : required"),
    ("str", "string"),
    ("text", "string"),
    ("regex", "string({ pattern = \"…\" })"),
    ("pattern", "string({ pattern = \"…\" })"),
    ("int", "number({ integer = true })"),
    ("integer", "number({ integer = true })"),
    ("float", "number"),
    ("boolean", "bool"),
    ("arrayof", "list(A)"),
    ("array", "list(A)"),
    ("tuple", "[A, B]"),
    ("dict", "map(A)"),
    ("recordof", "map(A)"),
    ("mapof", "map(A)"),
    ("record", "map(A)"),
];
const FURTHER: [(&str, &str); 12] = [
    ("literal", "the constant itself"),
    ("buffer", "base64"),
    ("url", "uri"),
    ("bytesize", "byte_size"),
    ("bytes", "byte_size"),
    ("conditional", "CONDITION ? A : B"),
    ("siblingref", "parent.NAME"),
    ("contextref", "context.NAME"),
    ("ipaddress", "ip"),
    ("cidrblock", "cidr"),
    ("contains", "some(A)"),
    ("none", "deny(A, B)"),
];

/// The word to write in place of one that is no validator.
pub(super) fn instead(word: &str) -> Option<String> {
    let plain = word.to_lowercase().replace('_', "");
    let known = VALIDATORS.iter().find(|it| it.replace('_', "") == plain);
    if let Some(it) = known {
        return Some(format!("write {it}"));
    }
    let elsewhere = ELSEWHERE.iter().chain(&FURTHER).find(|it| it.0 == plain);
    elsewhere.map(|it| format!("write {}", it.1)).or_else(|| near_word(&plain, VALIDATORS))
}

/// The names that an expression may begin with.
pub(super) const ROOTS: [&str; 7] =
    ["self", "prior", "parent", "attrs", "meta", "context", "local"];
