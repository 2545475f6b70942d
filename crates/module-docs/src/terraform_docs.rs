//! Settings of terraform-docs that have a meaning here.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{DocsSettings, Order, Section, is_text_of_module};
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

/// Applies a configuration of terraform-docs. `None` if it is not a YAML object.
pub fn foreign(text: &str, settings: &mut DocsSettings, meter: &Meter) -> Option<Foreign> {
    let document = decoded(text, meter)?;
    let mut foreign = Foreign::default();
    for (key, value) in document.as_mapping()? {
        match key.as_str() {
            // After `content`, which chooses sections, too.
            "sections" => (),
            "output" => output(value, settings, &mut foreign),
            "recursive" | "output-values" | "sort" | "settings" => {
                for (inner, value) in members(value) {
                    let path = format!("{key}.{inner}");
                    if !setting(&path, &value, settings) {
                        foreign.unused.push(path);
                    }
                }
            }
            path if setting(path, value, settings) => (),
            _ => foreign.unused.push(key.to_string()),
        }
    }
    if let Some(it) = document.as_mapping()?.get("sections") {
        sections(it, settings, &mut foreign);
    }
    Some(foreign)
}

/// Applies a setting with a single value; returns whether it has a meaning here. One that asks for what is done anyway
/// has one, too.
fn setting(path: &str, value: &Value, settings: &mut DocsSettings) -> bool {
    let is_empty = value.is_null() || value.as_str() == Some("");
    match path {
        "formatter" => is_empty || formatter(value, settings),
        // Which program reads the file, and colours of a terminal.
        "version" | "settings.color" => true,
        "settings.indent" => {
            let level = value.as_number().and_then(tf_value::Number::to_u64);
            let level =
                level.and_then(|it| u8::try_from(it).ok()).filter(|it| (1..=5).contains(it));
            settings.heading_level = level.unwrap_or(settings.heading_level);
            level.is_some()
        }
        "header-from" | "footer-from" | "content" if is_empty => true,
        "header-from" => {
            let file = value.as_str().filter(|it| is_text_of_module(it));
            settings.header_from = file.unwrap_or(&settings.header_from).to_owned();
            file.is_some()
        }
        "footer-from" => {
            settings.footer_from =
                value.as_str().filter(|it| is_text_of_module(it)).map(str::to_owned);
            settings.footer_from.is_some()
        }
        "content" => value.as_str().is_some_and(|it| content(it, settings)),
        "sort.by" => {
            let order = value.as_str().and_then(Order::from_name);
            // Without an order nothing is sorted.
            if settings.order != Order::Declared {
                settings.order = order.unwrap_or(settings.order);
            }
            order.is_some()
        }
        "sort.enabled" => {
            if value.as_bool() == Some(false) {
                settings.order = Order::Declared;
            }
            value.as_bool().is_some()
        }
        "settings.anchor" => flag(value, &mut settings.has_anchors),
        "settings.hide-empty" => flag(value, &mut settings.hides_empty),
        "settings.lockfile" => flag(value, &mut settings.reads_locks),
        "settings.read-comments" => flag(value, &mut settings.reads_comments),
        "recursive.enabled" | "output-values.enabled" => value.as_bool() != Some(true),
        // They only count where that is enabled, which is named.
        "recursive.path" | "recursive.include-main" | "output-values.from" => true,
        "settings.default" | "settings.escape" | "settings.html" | "settings.required"
        | "settings.sensitive" | "settings.type" => value.as_bool() == Some(true),
        "settings.description" => flag(value, &mut settings.has_descriptions),
        _ => false,
    }
}

/// Sets a setting that is true or false; returns whether the value is one.
fn flag(value: &Value, setting: &mut bool) -> bool {
    *setting = value.as_bool().unwrap_or(*setting);
    value.as_bool().is_some()
}

/// Takes the sections and their order out of a template; returns whether it has nothing else, apart from comments and
/// blank lines. Nested inputs and rules come after the inputs, as usual.
fn content(text: &str, settings: &mut DocsSettings) -> bool {
    let mut chosen = Vec::new();
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let name = line.strip_prefix("{{").and_then(|it| it.strip_suffix("}}"));
        let name = name.map(|it| it.trim_matches(['-', ' ']));
        let section = match name.and_then(|it| it.strip_prefix('.')) {
            Some("Header") => Section::Header,
            Some("Requirements") => Section::Requirements,
            Some("Providers") => Section::Providers,
            Some("Modules") => Section::Modules,
            Some("Resources") => Section::Resources,
            Some("Inputs") => Section::Inputs,
            Some("Outputs") => Section::Outputs,
            Some("Footer") => Section::Footer,
            _ if line.starts_with("<!--") && line.ends_with("-->") => continue,
            _ => return false,
        };
        chosen.push(section);
        if section == Section::Inputs {
            chosen.extend([Section::NestedInputs, Section::Rules]);
        }
    }
    settings.sections = chosen;
    true
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

fn sections(value: &Value, settings: &mut DocsSettings, foreign: &mut Foreign) {
    for (key, names) in members(value) {
        let names = names.as_sequence().unwrap_or_default().iter().filter_map(Value::as_str);
        let names: Vec<&str> = names.collect();
        // One section has both here.
        let both = ["resources", "data-sources"];
        let asked = both.map(|it| names.contains(&it));
        let is_shown = key == "show";
        let known = |it: Section| match it {
            Section::Resources if is_shown => asked[0] || asked[1],
            Section::Resources => asked[0] && asked[1],
            it => names.contains(&it.as_str()),
        };
        match key.as_str() {
            // An empty list is the default: all.
            "show" if names.is_empty() || names.contains(&"all") => continue,
            "show" => {
                let is_own = |it: Section| matches!(it, Section::NestedInputs | Section::Rules);
                settings.sections.retain(|it| known(*it) || is_own(*it));
            }
            "hide" if names.contains(&"all") => settings.sections.clear(),
            "hide" => settings.sections.retain(|it| !known(*it)),
            other => {
                foreign.unused.push(format!("sections.{other}"));
                continue;
            }
        }
        let is_half = asked[0] != asked[1];
        let is_unused = |it: &&&str| match **it {
            it if both.contains(&it) => is_half,
            "all" => false,
            it => Section::from_name(it).is_none(),
        };
        let unused = names.iter().filter(is_unused);
        foreign.unused.extend(unused.map(|it| format!("sections.{key} {it}")));
    }
}

fn output(value: &Value, settings: &mut DocsSettings, foreign: &mut Foreign) {
    for (key, value) in members(value) {
        let is_used = match (key.as_str(), value.as_str()) {
            (_, Some("")) => true,
            ("file", Some(file)) if is_plain_markdown(file) => {
                file.clone_into(&mut settings.file);
                true
            }
            ("template", Some(it)) => template(it, settings),
            // Other modes than injecting replace the whole file.
            ("mode", Some("inject")) => true,
            _ => value.is_null(),
        };
        if !is_used {
            foreign.unused.push(format!("output.{key}"));
        }
    }
}

/// Takes over the markers of a template; returns whether there is nothing else in it, apart from the content.
fn template(text: &str, settings: &mut DocsSettings) -> bool {
    let is_comment = |it: &str| it.starts_with("<!--") && it.ends_with("-->");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return true };
    if first == last || !is_comment(first) || !is_comment(last) {
        return false;
    }
    (*first).clone_into(&mut settings.begin);
    (*last).clone_into(&mut settings.end);
    let is_content = |it: &&str| it.replace(' ', "") == "{{.Content}}";
    lines[1..lines.len() - 1].iter().all(|it| is_content(it) || is_comment(it))
}

fn is_plain_markdown(file: &str) -> bool {
    let path = std::path::Path::new(file);
    let is_markdown = path.extension().is_some_and(|it| it == "md");
    is_markdown && !file.contains("..") && !path.has_root() && !file.contains(':')
}
