//! Files with a part that grows.

/// What makes a JSON object a schema that `check --fix` may replace.
pub(super) const DRAFT: &str = "\"$schema\":\"http://json-schema.org/draft-07/schema#\"";

/// A file's name and text.
pub type Files = Vec<(&'static str, String)>;

pub(super) fn main_tf(text: String) -> Files {
    vec![("main.tf", text)]
}

/// A variable with a rule; its value is `value`.
pub(super) fn rule(condition: &str, value: &str) -> Files {
    let text = format!(
        "variable \"x\" {{\n  default = {value}\n  validation {{\n    condition = {condition}\n    \
         error_message = \"Bad.\"\n  }}\n}}\n"
    );
    main_tf(text)
}

/// Like `rule`, with locals next to it.
pub(super) fn rule_with(locals: &str, condition: &str) -> Files {
    let mut files = rule(condition, "\"a\"");
    files[0].1 += locals;
    files
}

/// An output of an expression.
pub(super) fn output(expression: &str) -> Files {
    main_tf(format!(
        "variable \"x\" {{\n  default = 1\n}}\noutput \"o\" {{\n  value = {expression}\n}}\n"
    ))
}

/// Locals. Each is made from the one before; `step` has `@` for that one.
pub(super) fn chain(count: usize, first: &str, step: &str, last: &str) -> Files {
    let mut text = format!("variable \"x\" {{\n  default = \"a\"\n}}\nlocals {{\n  l0 = {first}\n");
    for n in 1..=count {
        text += &format!("  l{n} = {}\n", step.replace('@', &format!("local.l{}", n - 1)));
    }
    let last = last.replace('@', &format!("local.l{count}"));
    text += &format!("}}\noutput \"o\" {{\n  value = {last}\n}}\n");
    main_tf(text)
}

pub(super) fn joined(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

pub(super) fn values(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), ("terraform.tfvars", text)]
}

pub(super) fn values_json(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), ("terraform.tfvars.json", text)]
}

pub(super) fn schema(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), ("schema.json", text)]
}

pub(super) fn configured(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), (".terraschema.hcl", text)]
}
