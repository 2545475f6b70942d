//! The words of the language, and what they are called elsewhere.

use diagnostics::near_word;

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
const FURTHER: [(&str, &str); 20] = [
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
    ("in", "any(A, B)"),
    ("among", "any(A, B)"),
    ("notin", "deny(A, B)"),
    ("between", "number({ min = A, max = B })"),
    ("range", "number({ min = A, max = B })"),
    ("true", "true"),
    ("false", "false"),
    ("startswith", "startswith(self, \"…\")"),
];

/// Arguments of a rule that have another name elsewhere.
const OF_RULES: [(&str, &str); 12] = [
    ("severity", "level = \"error\""),
    ("enforcement_level", "level = \"error\""),
    ("enabled", "level = \"off\""),
    ("description", "message = \"…\""),
    ("error_message", "message = \"…\""),
    ("condition", "resource \"TYPE\" { ARGUMENT = V }, or an option: V({ condition = … })"),
    ("actions", "when = { actions = […] }"),
    ("operations", "when = { actions = […] }"),
    ("addresses", "when = { addresses = […] }"),
    ("except", "when = { except = […] }"),
    ("filter", "where { … } in a block"),
    ("where", "where { … } in a block"),
];

/// Blocks of a rule that are called otherwise elsewhere.
const BLOCKS: [(&str, &str); 12] = [
    ("deny", "forbid \"TYPE\" { … }"),
    ("forbidden", "forbid \"TYPE\" { … }"),
    ("prohibit", "forbid \"TYPE\" { … }"),
    ("require", "resource \"TYPE\" { … }"),
    ("required", "resource \"TYPE\" { … }"),
    ("enforce", "resource \"TYPE\" { … }"),
    ("assert", "resource \"TYPE\" { … }"),
    ("condition", "resource \"TYPE\" { … }"),
    ("when", "when = { … }, an argument"),
    ("where", "where { … } inside of a block such as resource \"TYPE\" { … }"),
    ("filter", "where { … } inside of a block such as resource \"TYPE\" { … }"),
    ("locals", "locals { … } outside of the rule"),
];

/// What to write in place of an argument that a rule does not have.
pub(super) fn instead_of_argument(name: &str) -> Option<String> {
    OF_RULES.iter().find(|it| it.0 == name).map(|it| format!("write {}", it.1))
}

/// What to write in place of a block that a rule does not have.
pub(super) fn instead_of_block(name: &str) -> Option<String> {
    BLOCKS.iter().find(|it| it.0 == name).map(|it| format!("write {}", it.1))
}

/// What to write in place of a name that no expression knows.
pub(super) fn instead_of_root(name: &str) -> String {
    match name {
        "var" => "for a value from outside, declare context \"NAME\" { … } and write context.NAME"
            .to_owned(),
        "each" | "count" => "write meta.key for the key of an instance".to_owned(),
        "data" | "module" | "resource" => {
            "a rule judges one object; use reference(\"TYPE\", { … }) to follow its references"
                .to_owned()
        }
        "path" | "terraform" => "a rule cannot read files or the workspace".to_owned(),
        name if name.contains('_') => format!(
            "write parent.{name} for another argument, or reference(\"{name}\", {{ … }}) for a \
            referenced object"
        ),
        name => format!(
            "write self for the argument's own value and parent.{name} for another argument; an \
            expression can refer to {}",
            ROOTS.join(", ")
        ),
    }
}

/// The word to write instead of one that is not a validator.
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
