//! The variable at a position, and all places where it is written.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{
    contract::{Modules, as_name, is_json, role},
    site::{Link, Part, site, unquoted},
    text::Text,
};
use check::FileRole;
use diagnostics::{FileId, Span};
use hcl::{
    Body, ExprKind, Item,
    analysis::{PathStep, body_references, references},
    json, parse_body, parse_template,
};
use system::{System, paths};

/// A variable of a module, or a part of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// The module's directory, absolute.
    pub dir: PathBuf,
    pub name: SmolStr,
    /// The steps into its value; empty for the variable itself.
    pub links: Vec<Link>,
    /// The bytes of the name at the position.
    pub word: Range<usize>,
}

/// What a place does with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Declaration,
    Reference,
    /// A value in a values file, a test or an argument of a call.
    Value,
}

/// A place where a variable's name is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// Absolute.
    pub file: PathBuf,
    /// The bytes of the name, without quotes.
    pub name: Range<usize>,
    pub role: Use,
}

/// The variable at a byte of a document (absolute path).
pub(crate) fn at(
    modules: &Modules<'_>,
    path: &Path,
    document: &Text,
    offset: usize,
) -> Option<Symbol> {
    let (dir, text) = (path.parent()?, &*document.text);
    match role(path) {
        FileRole::Values => {
            let found = site(text, offset, is_json(path));
            let contract = modules.of_values(path)?;
            in_values(contract.dir, &found.links, &found, text)
        }
        FileRole::Source => {
            let own = if is_json(path) {
                let value = document.json();
                declared_in_json(dir, value, text, offset)
                    .or_else(|| referred_in_json(dir, value, text, offset))
            } else {
                let body = document.body();
                declared_at(dir, body, text, offset)
                    .or_else(|| referred_at(dir, body, text, offset))
            };
            own.or_else(|| argument_at(modules, path, document, offset))
        }
        FileRole::Other => None,
    }
}

fn holds(span: Span, offset: usize) -> bool {
    (span.start as usize..=span.end as usize).contains(&offset)
}

/// The bytes of a name without the quotes around it.
fn inside_quotes(range: Range<usize>, text: &str) -> Range<usize> {
    if text.get(range.clone()).is_some_and(|it| it.len() > 1 && it.starts_with('"')) {
        range.start + 1..range.end - 1
    } else {
        range
    }
}

fn in_values(
    dir: PathBuf,
    links: &[Link],
    found: &super::site::Site,
    text: &str,
) -> Option<Symbol> {
    let mut links = links.to_vec();
    if found.part == Part::Key {
        let word = unquoted(&text[found.word.clone()]);
        if word.is_empty() {
            return None;
        }
        links.push(Link::Key(word.to_owned()));
    }
    let Some(Link::Key(name)) = links.first() else { return None };
    let name = as_name(name)?;
    links.remove(0);
    let word = if found.part == Part::Key {
        inside_quotes(found.word.clone(), text)
    } else {
        found.word.clone()
    };
    Some(Symbol { dir, name, links, word })
}

fn declared_at(dir: &Path, body: &Body, text: &str, offset: usize) -> Option<Symbol> {
    let blocks = body.items.iter().filter_map(|it| match it {
        Item::Block(it) if it.kind.name == "variable" => it.labels.first(),
        _ => None,
    });
    let label = blocks.into_iter().find(|it| holds(it.span, offset))?;
    let word = inside_quotes(label.span.range(), text);
    Some(Symbol { dir: dir.to_owned(), name: as_name(&label.text)?, links: Vec::new(), word })
}

fn declared_in_json(
    dir: &Path,
    value: &json::JsonValue,
    text: &str,
    offset: usize,
) -> Option<Symbol> {
    let declared = value.get("variable")?.members()?;
    let it = declared.iter().find(|it| holds(it.key_span, offset))?;
    let word = inside_quotes(it.key_span.range(), text);
    Some(Symbol { dir: dir.to_owned(), name: as_name(&it.key)?, links: Vec::new(), word })
}

/// The variable whose name is at a byte of a text that Terraform reads as a template.
fn referred_in_json(
    dir: &Path,
    value: &json::JsonValue,
    text: &str,
    offset: usize,
) -> Option<Symbol> {
    let mut strings = Vec::new();
    strings_of(value, &mut strings);
    let span = strings.into_iter().find(|it| it.range().contains(&offset))?;
    let plain: String = serde_json::from_str(text.get(span.range())?).ok()?;
    let (template, _) = parse_template(FileId(0), plain.as_bytes(), 0);
    references(&template).into_iter().filter(|it| it.root.name == "var").find_map(|it| {
        let Some(PathStep::Attr(name)) = it.steps.first() else { return None };
        let places = in_json_string(text, span, name)?;
        let word = places.into_iter().find(|word| (word.start..=word.end).contains(&offset))?;
        Some(Symbol { dir: dir.to_owned(), name: name.clone(), links: Vec::new(), word })
    })
}

fn referred_at(dir: &Path, body: &Body, text: &str, offset: usize) -> Option<Symbol> {
    let all = body_references(body);
    let it = all.iter().find(|it| it.root.name == "var" && holds(it.span, offset))?;
    let Some(PathStep::Attr(name)) = it.steps.first() else { return None };
    let word = name_after(text, it.root.span, name)?;
    let links = if offset <= word.end {
        Vec::new()
    } else {
        let attributes = it.steps.iter().skip(1);
        let links = attributes.map(|it| match it {
            PathStep::Attr(it) => Link::Key(it.to_string()),
            PathStep::Key(hcl::analysis::ConstantIndex::String(it)) => Link::Key(it.to_string()),
            _ => Link::Index(0),
        });
        links.collect()
    };
    Some(Symbol { dir: dir.to_owned(), name: name.clone(), links, word })
}

fn argument_at(
    modules: &Modules<'_>,
    path: &Path,
    document: &Text,
    offset: usize,
) -> Option<Symbol> {
    let found = site(&document.text, offset, is_json(path));
    let (called, links) = call_of(modules, path, document, &found.links)?;
    in_values(called, links, &found, &document.text)
}

/// The directory of the module that is called where some links begin, and the links behind the call.
pub(crate) fn call_of<'l>(
    modules: &Modules<'_>,
    path: &Path,
    document: &Text,
    links: &'l [Link],
) -> Option<(PathBuf, &'l [Link])> {
    // What is half-written may not be read; its source is then whatever the text says.
    let (name, source, rest) = if is_json(path) {
        let [Link::Key(kind), Link::Key(name), rest @ ..] = links else { return None };
        if kind != "module" {
            return None;
        }
        let call = document.json().get("module").and_then(|it| it.get(name));
        let source = call.and_then(|it| it.get("source")?.as_str());
        let begin = format!("\"{name}\"");
        (name, source.or_else(|| source_in(&document.text, &begin, "\"source\"", ':'))?, rest)
    } else {
        let [Link::Block(words), rest @ ..] = links else { return None };
        let [kind, name] = &words[..] else { return None };
        if kind != "module" {
            return None;
        }
        let source = document.body().items.iter().find_map(|it| match it {
            Item::Block(it) if it.kind.name == "module" && it.labels.first()?.text == *name => {
                source_of(&it.body)
            }
            _ => None,
        });
        let begin = format!("module \"{name}\"");
        (name, source.or_else(|| source_in(&document.text, &begin, "source", '='))?, rest)
    };
    Some((modules.called(path.parent()?, name, source, None)?, rest))
}

fn source_of(body: &Body) -> Option<&str> {
    body.items.iter().find_map(|it| match it {
        Item::Attribute(it) if it.name.name == "source" => match &it.value.kind {
            ExprKind::String(text) => Some(text.as_str()),
            _ => None,
        },
        _ => None,
    })
}

/// The value of the first `source` behind the beginning of a call.
fn source_in<'t>(text: &'t str, begin: &str, key: &str, sign: char) -> Option<&'t str> {
    let (_, rest) = text.split_once(begin)?;
    let (_, rest) = rest.split_once(key)?;
    let value = rest.trim_start().strip_prefix(sign)?.trim_start();
    let quoted = value.strip_prefix('"')?;
    quoted.split(['"', '\n']).next()
}

/// The bytes of a name that follows a root and a dot.
fn name_after(text: &str, root: Span, name: &str) -> Option<Range<usize>> {
    let rest = text.get(root.end as usize..)?;
    let dot = rest.find(|it: char| !it.is_whitespace())?;
    let after = rest[dot..].strip_prefix('.')?;
    let blanks = after.len() - after.trim_start().len();
    let start = root.end as usize + dot + 1 + blanks;
    text.get(start..)?.starts_with(name).then(|| start..start + name.len())
}

/// All places of a variable. Errors: a file in which they cannot be found.
pub(crate) fn occurrences(
    modules: &Modules<'_>,
    all_files: &[PathBuf],
    symbol: &Symbol,
) -> Result<Vec<Occurrence>, String> {
    let mut found = Vec::new();
    let (dir, name) = (&symbol.dir, symbol.name.as_str());
    let entries = modules.system.list(dir).unwrap_or_default();
    for entry in &entries {
        let file = dir.join(&entry.name);
        if role(&file) == FileRole::Source {
            in_source(modules.system, &file, name, &mut found)?;
        }
    }
    for file in modules.values_files(dir) {
        in_values_file(modules.system, &file, name, &mut found);
    }
    let tests = [dir.clone(), dir.join("tests")];
    for file in all_files {
        let is_test = file.to_str().is_some_and(|it| it.ends_with(".tftest.hcl"));
        if is_test && file.parent().is_some_and(|it| tests.iter().any(|dir| dir == it)) {
            in_test(modules.system, file, name, &mut found);
        } else if role(file) == FileRole::Source {
            in_calls(modules, file, dir, name, &mut found);
        }
    }
    for above in dir.ancestors().take_while(|it| it.starts_with(modules.root)) {
        in_configuration(modules.system, above, dir, name, &mut found);
    }
    found.sort_by(|a, b| (&a.file, a.name.start).cmp(&(&b.file, b.name.start)));
    found.dedup();
    Ok(found)
}

fn in_source(
    system: &dyn System,
    file: &Path,
    name: &str,
    found: &mut Vec<Occurrence>,
) -> Result<(), String> {
    let Some(text) = text_of(system, file) else { return Ok(()) };
    if !text.contains(name) {
        return Ok(());
    }
    let mut add = |name: Range<usize>, role: Use| {
        found.push(Occurrence { file: file.to_owned(), name, role });
    };
    if is_json(file) {
        let (value, _) = json::parse_part(FileId(0), text.as_bytes());
        let declared = value.get("variable").and_then(json::JsonValue::members).unwrap_or_default();
        for it in declared.iter().filter(|it| it.key == name) {
            add(inside_quotes(it.key_span.range(), &text), Use::Declaration);
        }
        let mut strings = Vec::new();
        strings_of(&value, &mut strings);
        for span in strings {
            for it in in_json_string(&text, span, name)
                .ok_or_else(|| format!("the references in {} cannot be found", file.display()))?
            {
                add(it, Use::Reference);
            }
        }
        return Ok(());
    }
    let (body, _) = parse_body(FileId(0), text.as_bytes());
    for item in &body.items {
        if let Item::Block(it) = item
            && it.kind.name == "variable"
            && let Some(label) = it.labels.first().filter(|it| it.text == name)
        {
            add(inside_quotes(label.span.range(), &text), Use::Declaration);
        }
    }
    for it in body_references(&body) {
        let first = it.steps.first();
        let is_it = it.root.name == "var"
            && matches!(first, Some(PathStep::Attr(it)) if it.as_str() == name);
        if is_it && let Some(it) = name_after(&text, it.root.span, name) {
            add(it, Use::Reference);
        }
    }
    Ok(())
}

fn text_of(system: &dyn System, file: &Path) -> Option<String> {
    String::from_utf8(system.read(file).ok()?).ok()
}

/// The places of all strings and keys that Terraform reads as templates.
fn strings_of(value: &json::JsonValue, found: &mut Vec<Span>) {
    match &value.kind {
        json::ValueKind::String(_) => found.push(value.span),
        json::ValueKind::Array(elements) => {
            elements.iter().for_each(|it| stack::guarded(|| strings_of(it, found)));
        }
        json::ValueKind::Object(members) => {
            for it in members.iter().filter(|it| it.key != "description" && it.key != "//") {
                found.push(it.key_span);
                stack::guarded(|| strings_of(&it.value, found));
            }
        }
        _ => (),
    }
}

/// The places of a variable's name in the templates of a string; `None` if escapes hide them.
fn in_json_string(text: &str, span: Span, name: &str) -> Option<Vec<Range<usize>>> {
    let inside = inside_quotes(span.range(), text);
    let written = text.get(inside.clone())?;
    if !written.contains("var") || !written.contains(name) {
        return Some(Vec::new());
    }
    let plain: String = serde_json::from_str(text.get(span.range())?).ok()?;
    let (template, _) = parse_template(FileId(0), plain.as_bytes(), 0);
    let is_it = |it: &hcl::analysis::Reference| {
        it.root.name == "var"
            && matches!(it.steps.first(), Some(PathStep::Attr(it)) if it.as_str() == name)
    };
    let count = references(&template).iter().filter(|it| is_it(it)).count();
    let wanted = format!("var.{name}");
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_' || it == '-';
    let places = written.match_indices(&wanted).filter(|(at, _)| {
        let before = written[..*at].chars().next_back();
        let after = written[at + wanted.len()..].chars().next();
        !before.is_some_and(|it| is_of_word(it) || it == '.') && !after.is_some_and(is_of_word)
    });
    let places: Vec<Range<usize>> = places
        .map(|(at, _)| {
            let start = inside.start + at + "var.".len();
            start..start + name.len()
        })
        .collect();
    // Text that only looks like a reference stays as it is.
    if count == 0 {
        return Some(Vec::new());
    }
    (count == places.len()).then_some(places)
}

fn in_values_file(system: &dyn System, file: &Path, name: &str, found: &mut Vec<Occurrence>) {
    let Some(text) = text_of(system, file).filter(|it| it.contains(name)) else { return };
    let mut add = |span: Span| {
        let name = inside_quotes(span.range(), &text);
        found.push(Occurrence { file: file.to_owned(), name, role: Use::Value });
    };
    if is_json(file) {
        let (value, _) = json::parse_part(FileId(0), text.as_bytes());
        let members = value.members().unwrap_or_default();
        members.iter().filter(|it| it.key == name).for_each(|it| add(it.key_span));
    } else {
        let (body, _) = parse_body(FileId(0), text.as_bytes());
        attributes(&body, name).for_each(add);
    }
}

/// The names of the attributes of this name in a body.
fn attributes<'b>(body: &'b Body, name: &'b str) -> impl Iterator<Item = Span> + 'b {
    let own = body.items.iter().filter_map(move |it| match it {
        Item::Attribute(it) if it.name.name == name => Some(it.name.span),
        _ => None,
    });
    own.chain(body.repeated.iter().filter(move |it| it.name.name == name).map(|it| it.name.span))
}

fn in_test(system: &dyn System, file: &Path, name: &str, found: &mut Vec<Occurrence>) {
    let Some(text) = text_of(system, file).filter(|it| it.contains(name)) else { return };
    let (body, _) = parse_body(FileId(0), text.as_bytes());
    let mut add = |name: Range<usize>, role: Use| {
        found.push(Occurrence { file: file.to_owned(), name, role });
    };
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        let inner = block.body.items.iter().filter_map(|it| match it {
            Item::Block(it) => Some(it),
            Item::Attribute(_) => None,
        });
        // Such a run is about another module.
        let is_elsewhere = inner.clone().any(|it| it.kind.name == "module");
        if block.kind.name == "variables" {
            attributes(&block.body, name).for_each(|it| add(it.range(), Use::Value));
        } else if block.kind.name == "run" && !is_elsewhere {
            for it in inner.filter(|it| it.kind.name == "variables") {
                attributes(&it.body, name).for_each(|it| add(it.range(), Use::Value));
            }
        }
    }
    for it in body_references(&body) {
        let is_it = it.root.name == "var"
            && matches!(it.steps.first(), Some(PathStep::Attr(it)) if it.as_str() == name);
        if is_it && let Some(it) = name_after(&text, it.root.span, name) {
            add(it, Use::Reference);
        }
    }
}

/// The name in the `given` lists of the `input` blocks that the configuration of a directory has for one module. Other
/// lists are about other modules, too.
fn in_configuration(
    system: &dyn System,
    configured: &Path,
    dir: &Path,
    name: &str,
    found: &mut Vec<Occurrence>,
) {
    let file = configured.join(config::FILE_NAME);
    let Some(text) = text_of(system, &file).filter(|it| it.contains(name)) else { return };
    let (body, _) = parse_body(FileId(0), text.as_bytes());
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        let value = |name: &str| {
            block.body.items.iter().find_map(|it| match it {
                Item::Attribute(it) if it.name.name == name => Some(&it.value),
                _ => None,
            })
        };
        let module = value("module").map_or(Some("."), |it| match &it.kind {
            ExprKind::String(text) => Some(text.as_str()),
            _ => None,
        });
        let is_own = |it: &str| paths::clean(&configured.join(it)) == dir;
        if block.kind.name != "input" || value("modules").is_some() || !module.is_some_and(is_own) {
            continue;
        }
        let Some(ExprKind::Tuple(given)) = value("given").map(|it| &it.kind) else { continue };
        for it in given.iter().filter(|it| matches!(&it.kind, ExprKind::String(it) if it == name)) {
            let name = inside_quotes(it.span.range(), &text);
            found.push(Occurrence { file: file.clone(), name, role: Use::Value });
        }
    }
}

/// The arguments of this name in calls of the module in a directory.
fn in_calls(
    modules: &Modules<'_>,
    file: &Path,
    dir: &Path,
    name: &str,
    found: &mut Vec<Occurrence>,
) {
    let Some(text) = text_of(modules.system, file) else { return };
    let (Some(caller), true) = (file.parent(), text.contains("module") && text.contains(name))
    else {
        return;
    };
    let mut add = |span: Span| {
        let name = inside_quotes(span.range(), &text);
        found.push(Occurrence { file: file.to_owned(), name, role: Use::Value });
    };
    let leads_here = |call: &str, source: &str| {
        modules.called(caller, call, source, None).is_some_and(|it| it == dir)
    };
    if is_json(file) {
        let (value, _) = json::parse_part(FileId(0), text.as_bytes());
        let calls = value.get("module").and_then(json::JsonValue::members).unwrap_or_default();
        for call in calls {
            let source = call.value.get("source").and_then(json::JsonValue::as_str);
            if source.is_some_and(|it| leads_here(&call.key, it)) {
                let members = call.value.members().unwrap_or_default();
                members.iter().filter(|it| it.key == name).for_each(|it| add(it.key_span));
            }
        }
        return;
    }
    let (body, _) = parse_body(FileId(0), text.as_bytes());
    for item in &body.items {
        if let Item::Block(it) = item
            && it.kind.name == "module"
            && let Some(label) = it.labels.first()
            && source_of(&it.body).is_some_and(|source| leads_here(&label.text, source))
        {
            attributes(&it.body, name).for_each(&mut add);
        }
    }
}
