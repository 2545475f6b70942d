//! Settings of terraform-docs that have a meaning here.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{DocsSettings, Section};
use diagnostics::Span;
use hcl::{Expr, ExprKind, Ident};
use projection::condition::fold;
use tf_eval::Meter;
use tf_value::Value;

/// The names of its configuration, in the order in which it looks for them.
pub const FILES: [&str; 2] = [".terraform-docs.yml", ".terraform-docs.yaml"];

/// What a configuration of terraform-docs changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreign {
    /// The settings that have no meaning here, as `content` or `sort.by`.
    pub unused: Vec<String>,
}

/// Applies a configuration of terraform-docs. `None` if it is no YAML object.
pub fn foreign(text: &str, settings: &mut DocsSettings, meter: &Meter) -> Option<Foreign> {
    let document = decoded(text, meter)?;
    let mut foreign = Foreign::default();
    for (key, value) in document.as_mapping()? {
        let is_used = match key.as_str() {
            "formatter" => formatter(value, settings),
            "sections" => sections(value, settings, &mut foreign),
            "settings" => indent(value, settings, &mut foreign),
            "output" => output(value, settings, &mut foreign),
            // It says which program reads the file.
            "version" => true,
            _ => false,
        };
        if !is_used {
            foreign.unused.push(key.to_string());
        }
    }
    Some(foreign)
}

/// The document as `yamldecode` reads it.
fn decoded(text: &str, meter: &Meter) -> Option<Value> {
    let span = Span::default();
    let argument = Expr { kind: ExprKind::String(text.into()), span };
    let name = Ident { name: "yamldecode".into(), span };
    let kind = ExprKind::Call { name, args: vec![argument], expand: false };
    fold(&Expr { kind, span }, meter).filter(Value::is_wholly_known)
}

fn members(value: &Value) -> BTreeMap<SmolStr, Value> {
    if value.is_null() { BTreeMap::new() } else { value.as_mapping().cloned().unwrap_or_default() }
}

fn formatter(value: &Value, settings: &mut DocsSettings) -> bool {
    match value.as_str() {
        Some("markdown" | "md" | "markdown table" | "markdown tbl" | "md table" | "md tbl") => {
            settings.lists = false;
        }
        Some("markdown document" | "markdown doc" | "md document" | "md doc") => {
            settings.lists = true;
        }
        _ => return false,
    }
    true
}

fn sections(value: &Value, settings: &mut DocsSettings, foreign: &mut Foreign) -> bool {
    for (key, names) in members(value) {
        let names = names.as_sequence().unwrap_or_default().iter().filter_map(Value::as_str);
        let names: Vec<&str> = names.collect();
        let known: Vec<Section> = names
            .iter()
            .filter_map(|it| match *it {
                "data-sources" => Some(Section::Resources),
                it => Section::from_name(it),
            })
            .collect();
        let is_own = |it: &Section| matches!(it, Section::NestedInputs | Section::Rules);
        match key.as_str() {
            // An empty list is the default: all.
            "show" if !names.is_empty() && !names.contains(&"all") => {
                settings.sections.retain(|it| known.contains(it) || is_own(it));
            }
            "hide" => settings.sections.retain(|it| !known.contains(it)),
            "show" => (),
            other => foreign.unused.push(format!("sections.{other}")),
        }
    }
    true
}

fn indent(value: &Value, settings: &mut DocsSettings, foreign: &mut Foreign) -> bool {
    for (key, value) in members(value) {
        let level = value.as_number().and_then(tf_value::Number::to_u64);
        match (key.as_str(), level.and_then(|it| u8::try_from(it).ok())) {
            ("indent", Some(level @ 1..=5)) => settings.heading_level = level,
            (other, _) => foreign.unused.push(format!("settings.{other}")),
        }
    }
    true
}

fn output(value: &Value, settings: &mut DocsSettings, foreign: &mut Foreign) -> bool {
    for (key, value) in members(value) {
        match (key.as_str(), value.as_str()) {
            ("file", Some(file)) if is_plain_markdown(file) => file.clone_into(&mut settings.file),
            ("template", Some(template)) if template.contains("<!--") => {
                let lines = template.lines().map(str::trim);
                let comments: Vec<&str> =
                    lines.filter(|it| it.starts_with("<!--") && it.ends_with("-->")).collect();
                if let ([first, ..], Some(last)) = (comments.as_slice(), comments.last())
                    && first != last
                {
                    (settings.begin, settings.end) = ((*first).to_owned(), (*last).to_owned());
                }
            }
            // Other modes than injecting replace the whole file.
            ("mode", Some("inject")) => (),
            (other, _) => foreign.unused.push(format!("output.{other}")),
        }
    }
    true
}

fn is_plain_markdown(file: &str) -> bool {
    let path = std::path::Path::new(file);
    let is_markdown = path.extension().is_some_and(|it| it == "md");
    is_markdown && !file.contains("..") && !path.has_root() && !file.contains(':')
}
