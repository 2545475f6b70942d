//! Prints a value like Terraform's console.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use diagnostics::is_unseen;
use stack::guarded;
use tf_value::{Type, Value, ValueContent, quoted};

/// The value, on several lines if it has elements. Sensitive values are never shown.
pub(super) fn render(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

fn write(value: &Value, indent: usize, out: &mut String) {
    guarded(|| descend(value, indent, out));
}

fn descend(value: &Value, indent: usize, out: &mut String) {
    let marks = value.marks();
    if marks.is_sensitive() {
        out.push_str("(sensitive value)");
        return;
    }
    if marks.is_ephemeral() {
        out.push_str("(ephemeral value)");
        return;
    }
    // `nonsensitive()` of a sensitive variable does not make us show it.
    if marks.is_hidden() {
        out.push_str("(sensitive value)");
        return;
    }
    match value.content() {
        ValueContent::Unknown(_) => out.push_str("(known after apply)"),
        ValueContent::Null => out.push_str(&null(value.ty())),
        ValueContent::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        ValueContent::Number(it) => out.push_str(&it.to_decimal()),
        ValueContent::String(it) => string(it, indent, out),
        ValueContent::Sequence(elements) => sequence(value.ty(), elements, indent, out),
        ValueContent::Mapping(elements) => mapping(value.ty(), elements, indent, out),
    }
}

fn null(ty: &Type) -> String {
    match ty {
        Type::String => "tostring(null)".to_string(),
        Type::Number => "tonumber(null)".to_string(),
        Type::Bool => "tobool(null)".to_string(),
        Type::List(it) => format!("tolist(null) /* of {} */", it.friendly_name()),
        Type::Set(it) => format!("toset(null) /* of {} */", it.friendly_name()),
        Type::Map(it) => format!("tomap(null) /* of {} */", it.friendly_name()),
        Type::Dynamic => "null".to_string(),
        Type::Object(_) | Type::Tuple(_) => format!("null /* {} */", ty.friendly_name()),
    }
}

/// A text in quotes, or as a heredoc if it has several lines. Unlike in Terraform, a text with invisible
/// characters is always in quotes, which escape them. The heredoc's marker differs from all lines.
fn string(text: &str, indent: usize, out: &mut String) {
    let lines: Vec<&str> = text.split('\n').collect();
    let plain = !text.contains(|it| is_unseen(it) && !matches!(it, '\n' | '\t'));
    if lines.len() < 2 || !plain {
        out.push_str(&quoted(text));
        return;
    }
    let mut marker = "EOT".to_owned();
    while lines.iter().any(|it| it.trim() == marker) {
        marker.push('_');
    }
    out.push_str(if indent == 0 { "<<" } else { "<<-" });
    out.push_str(&marker);
    for line in lines.into_iter().chain([&*marker]) {
        new_line(indent, out);
        out.push_str(line);
    }
}

fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

fn sequence(ty: &Type, elements: &[Value], indent: usize, out: &mut String) {
    let (open, close) = match ty {
        Type::List(_) => ("tolist([", "])"),
        Type::Set(_) => ("toset([", "])"),
        _ => ("[", "]"),
    };
    out.push_str(open);
    for it in elements {
        new_line(indent + 2, out);
        write(it, indent + 2, out);
        out.push(',');
    }
    if !elements.is_empty() {
        new_line(indent, out);
    }
    out.push_str(close);
}

fn mapping(ty: &Type, elements: &BTreeMap<SmolStr, Value>, indent: usize, out: &mut String) {
    let (open, close) = if matches!(ty, Type::Map(_)) { ("tomap({", "})") } else { ("{", "}") };
    out.push_str(open);
    for (key, it) in elements {
        new_line(indent + 2, out);
        string(key, indent + 2, out);
        out.push_str(" = ");
        write(it, indent + 2, out);
    }
    if !elements.is_empty() {
        new_line(indent, out);
    }
    out.push_str(close);
}
