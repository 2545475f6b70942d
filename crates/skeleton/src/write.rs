//! Values as HCL that `terraform fmt` leaves alone, and as JSON.
//!
//! A value of an object type is written in the order of the declaration, with the comments of its attributes.
//! Optional attributes that it lacks are written as comments, with their defaults.

use std::fmt::Write;

use diagnostics::is_unseen;
use projection::schema::AttributeComments;
use smol_str::SmolStr;
use stack::guarded;
use tf_value::{DYNAMIC, Type, Value, ValueContent, typeexpr::Defaults};

/// How deep optional attributes are written as comments.
const DEEPEST: usize = 6;

/// The longest line of prose in a comment.
const WIDTH: usize = 96;

/// The type of a value, with what is known about its attributes.
#[derive(Clone, Copy)]
pub struct Shape<'t> {
    pub ty: &'t Type,
    pub defaults: Option<&'t Defaults>,
    pub comments: &'t AttributeComments,
    /// Whether optional attributes are written as comments.
    pub with_optional: bool,
    pub depth: usize,
}

impl<'t> Shape<'t> {
    fn inner(self, key: &str, ty: &'t Type, comments: &'t AttributeComments) -> Shape<'t> {
        let defaults = self.defaults.and_then(|it| it.children.get(key));
        Shape { ty, defaults, comments, depth: self.depth + 1, ..self }
    }

    fn attribute(self, name: &str) -> Shape<'t> {
        let ty = self.ty.as_object().and_then(|it| it.attributes.get(name));
        let ty = ty.or(self.ty.element()).unwrap_or(&DYNAMIC);
        match self.ty {
            Type::Map(_) => self.inner("", ty, self.comments.elements()),
            _ => self.inner(name, ty, self.comments.attribute(name)),
        }
    }

    fn element(self, index: usize) -> Shape<'t> {
        match self.ty {
            Type::Tuple(all) => {
                let key = index.to_string();
                self.inner(&key, all.get(index).unwrap_or(&DYNAMIC), self.comments.attribute(&key))
            }
            ty => self.inner("", ty.element().unwrap_or(&DYNAMIC), self.comments.elements()),
        }
    }
}

/// The lines of a value; the first one follows upon `NAME = `.
pub fn lines(value: &Value, shape: Shape<'_>) -> Vec<String> {
    guarded(|| match value.content() {
        ValueContent::Sequence(all) if all.is_empty() => vec!["[]".to_owned()],
        ValueContent::Sequence(all) => sequence(all, shape),
        ValueContent::Mapping(all) => {
            let declared = declared(shape);
            let mut body = Body::default();
            for name in &declared {
                match all.get(name) {
                    Some(it) => body.attribute(name, it, shape),
                    None => body.optional(name, shape),
                }
            }
            for (name, it) in all.iter().filter(|it| !declared.contains(it.0)) {
                body.attribute(name, it, shape);
            }
            body.in_braces()
        }
        _ => vec![scalar(value)],
    })
}

/// The attributes of the type in the order of their declaration.
fn declared(shape: Shape<'_>) -> Vec<SmolStr> {
    let Some(object) = shape.ty.as_object() else { return Vec::new() };
    let is_there = |it: &&SmolStr| object.attributes.contains_key(*it);
    let mut out: Vec<SmolStr> = shape.comments.order().iter().filter(is_there).cloned().collect();
    let others = object.attributes.keys().filter(|it| !shape.comments.order().contains(it));
    out.extend(others.cloned());
    out
}

fn sequence(all: &[Value], shape: Shape<'_>) -> Vec<String> {
    let each: Vec<Vec<String>> =
        all.iter().enumerate().map(|(at, it)| lines(it, shape.element(at))).collect();
    let length: usize = each.iter().flatten().map(|it| it.len() + 2).sum();
    if each.iter().all(|it| it.len() == 1) && length <= 80 {
        let each: Vec<String> = each.concat();
        return vec![format!("[{}]", each.join(", "))];
    }
    let mut out = vec!["[".to_owned()];
    for mut it in each {
        if let Some(last) = it.last_mut() {
            last.push(',');
        }
        out.extend(it.iter().map(|it| indented(it)));
    }
    out.push("]".to_owned());
    out
}

/// The lines between braces: attributes on one line, which are aligned with their neighbours, and others.
#[derive(Default)]
struct Body {
    lines: Vec<Line>,
}

enum Line {
    Attribute(String, String),
    Other(String),
}

impl Body {
    fn attribute(&mut self, name: &str, value: &Value, shape: Shape<'_>) {
        self.comment(name, shape);
        let lines = lines(value, shape.attribute(name));
        self.assign(&key(name), lines);
    }

    fn comment(&mut self, name: &str, shape: Shape<'_>) {
        if let Some(text) = shape.comments.text(name).filter(|_| shape.ty.as_object().is_some()) {
            self.lines.extend(prose(text).into_iter().map(|it| Line::Other(format!("# {it}"))));
        }
    }

    fn assign(&mut self, key: &str, mut lines: Vec<String>) {
        if lines.len() == 1 {
            self.lines.push(Line::Attribute(key.to_owned(), lines.remove(0)));
            return;
        }
        lines[0] = format!("{key} = {}", lines[0]);
        self.lines.extend(lines.into_iter().map(Line::Other));
    }

    /// An optional attribute as a comment: its default, or what an object of its type may have.
    fn optional(&mut self, name: &SmolStr, shape: Shape<'_>) {
        let is_optional = shape.ty.as_object().is_some_and(|it| it.optional.contains(name));
        if !shape.with_optional || !is_optional || shape.depth > DEEPEST {
            return;
        }
        let own = shape.attribute(name);
        let default = shape.defaults.and_then(|it| it.written.get(name).or(it.values.get(name)));
        self.comment(name, shape);
        let value = default.cloned().unwrap_or_else(|| Value::null(Type::Dynamic));
        let mut lines = lines(&value, own);
        lines[0] = format!("{} = {}", key(name), lines[0]);
        self.lines.extend(lines.into_iter().map(|it| Line::Other(format!("# {it}"))));
    }

    fn in_braces(self) -> Vec<String> {
        if self.lines.is_empty() {
            return vec!["{}".to_owned()];
        }
        let mut out = vec!["{".to_owned()];
        let mut run: Vec<(String, String)> = Vec::new();
        for line in self.lines {
            match line {
                Line::Attribute(key, value) => run.push((key, value)),
                Line::Other(text) => {
                    aligned(&mut run, &mut out);
                    out.push(indented(&text));
                }
            }
        }
        aligned(&mut run, &mut out);
        out.push("}".to_owned());
        out
    }
}

fn aligned(run: &mut Vec<(String, String)>, out: &mut Vec<String>) {
    let width = run.iter().map(|it| it.0.chars().count()).max().unwrap_or(0);
    for (key, value) in run.drain(..) {
        out.push(format!("  {key:width$} = {value}"));
    }
}

fn indented(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("  {line}") }
}

fn scalar(value: &Value) -> String {
    match value.content() {
        ValueContent::Bool(it) => it.to_string(),
        ValueContent::Number(it) => it.to_decimal(),
        ValueContent::String(it) => string(it),
        _ => "null".to_owned(),
    }
}

/// A key of an object or map.
pub fn key(name: &str) -> String {
    if hcl::is_identifier(name) { name.to_owned() } else { string(name) }
}

/// A text in quotes, in which nothing is hidden, and which no runner of CI takes for a command.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let is_command = rest.starts_with("##[");
        rest = &rest[char.len_utf8()..];
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if rest.starts_with('{') => out.extend([char, char]),
            _ if is_unseen(char) || is_command => {
                let code = u32::from(char);
                _ = if code > 0xffff {
                    write!(out, "\\U{code:08x}")
                } else {
                    write!(out, "\\u{code:04x}")
                };
            }
            _ => out.push(char),
        }
    }
    out.push('"');
    out
}

/// A text for people as lines of a comment, without what a terminal or a runner would obey.
pub fn prose(text: &str) -> Vec<String> {
    let text = diagnostics::visible(text);
    let text = diagnostics::Inert::TEXT.write(text.into_owned());
    let mut out = Vec::new();
    for line in text.trim().lines() {
        let line = line.trim_end();
        let is_laid_out = line.starts_with([' ', '\t', '|', '-', '*', '`']);
        if line.chars().count() <= WIDTH || is_laid_out {
            out.push(line.to_owned());
        } else {
            wrap(line, &mut out);
        }
    }
    out
}

fn wrap(line: &str, out: &mut Vec<String>) {
    let mut current = String::new();
    for word in line.split_whitespace() {
        let is_full = current.chars().count() + word.chars().count() >= WIDTH;
        if is_full && !current.is_empty() {
            out.push(std::mem::take(&mut current));
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    out.extend((!current.is_empty()).then_some(current));
}

/// A value as JSON, with two blanks for each level.
pub fn json(value: &Value, indent: usize) -> String {
    let inner = " ".repeat(indent + 2);
    let end = " ".repeat(indent);
    guarded(|| match value.content() {
        ValueContent::Sequence(all) if !all.is_empty() => {
            let each: Vec<String> =
                all.iter().map(|it| format!("{inner}{}", json(it, indent + 2))).collect();
            format!("[\n{}\n{end}]", each.join(",\n"))
        }
        ValueContent::Mapping(all) if !all.is_empty() => {
            let each = all
                .iter()
                .map(|(key, it)| format!("{inner}{}: {}", json_text(key), json(it, indent + 2)));
            format!("{{\n{}\n{end}}}", each.collect::<Vec<_>>().join(",\n"))
        }
        ValueContent::Sequence(_) => "[]".to_owned(),
        ValueContent::Mapping(_) => "{}".to_owned(),
        ValueContent::String(it) => json_text(it),
        _ => scalar(value),
    })
}

/// A value as JSON in one line.
pub fn json_line(value: &Value) -> String {
    guarded(|| match value.content() {
        ValueContent::Sequence(all) => {
            let each: Vec<String> = all.iter().map(json_line).collect();
            format!("[{}]", each.join(","))
        }
        ValueContent::Mapping(all) => {
            let each = all.iter().map(|(key, it)| format!("{}:{}", json_text(key), json_line(it)));
            format!("{{{}}}", each.collect::<Vec<_>>().join(","))
        }
        _ => json(value, 0),
    })
}

/// A text as a JSON string.
pub fn json_text(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap_or_default();
    diagnostics::visible_json(text)
}
