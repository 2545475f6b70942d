//! The variable at a position, and all places where it is written.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{
    contract::{Modules, as_name, is_json, role},
    site::{Link, Part, site, unquoted},
    test_file::{in_test, is_test},
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
pub(crate) fn inside_quotes(range: Range<usize>, text: &str) -> Range<usize> {
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
    let declared = blocks_in_json(value, "variable");
    let it = declared.into_iter().find(|it| holds(it.key_span, offset))?;
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
    let span = templates_of(value).into_iter().find(|it| it.range().contains(&offset))?;
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
        // An array may be in the place of each body.
        let bodies = |links: &'l [Link]| {
            let is_index = |it: &&Link| matches!(it, Link::Index(_));
            &links[links.iter().take_while(is_index).count()..]
        };
        let [Link::Key(kind), rest @ ..] = bodies(links) else { return None };
        let [Link::Key(name), rest @ ..] = bodies(rest) else { return None };
        if kind != "module" {
            return None;
        }
        let calls = blocks_in_json(document.json(), "module");
        let members = calls.into_iter().filter(|it| it.key == *name);
        let mut members = members.flat_map(|it| json_members(&it.value));
        let source = members.find(|it| it.key == "source").and_then(|it| it.value.as_str());
        let rest = bodies(rest);
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

pub(crate) fn source_of(body: &Body) -> Option<&str> {
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
pub(crate) fn name_after(text: &str, root: Span, name: &str) -> Option<Range<usize>> {
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
    let mut values = modules.values_files(dir);
    // A file further below may be for this module, because the modules next to it declare no variables.
    let is_below = |it: &&PathBuf| it.starts_with(dir) && role(it) == FileRole::Values;
    let below: Vec<&PathBuf> =
        all_files.iter().filter(is_below).filter(|it| !values.contains(it)).collect();
    let has_name =
        |file: &PathBuf| text_of(modules.system, file).is_some_and(|it| it.contains(name));
    let is_own = |file: &PathBuf| modules.of_values(file).is_some_and(|it| it.dir == *dir);
    values.extend(below.into_iter().filter(|it| has_name(it) && is_own(it)).cloned());
    for file in values {
        in_values_file(modules.system, &file, name, &mut found);
    }
    for file in all_files {
        if is_test(file) {
            in_test(modules, file, dir, name, &mut found)?;
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
    // An escape can hide a name in JSON.
    let may_hide = is_json(file) && text.contains('\\');
    if !text.contains(name) && !may_hide {
        return Ok(());
    }
    let mut add = |name: Range<usize>, role: Use| {
        found.push(Occurrence { file: file.to_owned(), name, role });
    };
    if is_json(file) {
        let (value, _) = json::parse_part(FileId(0), text.as_bytes());
        for it in blocks_in_json(&value, "variable").into_iter().filter(|it| it.key == name) {
            add(inside_quotes(it.key_span.range(), &text), Use::Declaration);
        }
        for span in templates_of(&value) {
            for it in in_json_string(&text, span, name).ok_or_else(|| {
                format!("the references in {} cannot be found", paths::display(file))
            })? {
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

pub(crate) fn text_of(system: &dyn System, file: &Path) -> Option<String> {
    String::from_utf8(system.read(file).ok()?).ok()
}

/// The members of a value that is a body: of an object, or of all objects of an array, which JSON may have in its place.
pub(crate) fn json_members(value: &json::JsonValue) -> Vec<&json::JsonMember> {
    let elements = value.elements().into_iter().flatten();
    let nested = elements.flat_map(|it| stack::guarded(|| json_members(it)));
    value.members().into_iter().flatten().chain(nested).collect()
}

/// The members of the blocks of a kind in a file, such as all variables.
fn blocks_in_json<'v>(value: &'v json::JsonValue, kind: &str) -> Vec<&'v json::JsonMember> {
    let of_kind = json_members(value).into_iter().filter(|it| it.key == kind);
    of_kind.flat_map(|it| json_members(&it.value)).collect()
}

/// The places of all strings and keys of a source file that Terraform reads as templates. A declaration has parts that
/// it reads as they are, and so has a description of one, which in another block is an argument like any other.
fn templates_of(value: &json::JsonValue) -> Vec<Span> {
    let mut found = Vec::new();
    for it in json_members(value) {
        if !["variable", "output"].contains(&it.key.as_str()) {
            strings_of(&it.value, &mut found);
            continue;
        }
        let is_read = |part: &str| match it.key.as_str() {
            "variable" => part == "validation",
            _ => part != "description",
        };
        for part in json_members(&it.value).into_iter().flat_map(|it| json_members(&it.value)) {
            if is_read(&part.key) {
                strings_of(&part.value, &mut found);
            }
        }
    }
    found
}

/// The places of all strings and keys in a value.
fn strings_of(value: &json::JsonValue, found: &mut Vec<Span>) {
    match &value.kind {
        json::ValueKind::String(_) => found.push(value.span),
        json::ValueKind::Array(elements) => {
            elements.iter().for_each(|it| stack::guarded(|| strings_of(it, found)));
        }
        json::ValueKind::Object(members) => {
            for it in members {
                found.push(it.key_span);
                stack::guarded(|| strings_of(&it.value, found));
            }
        }
        _ => (),
    }
}

/// The places of a variable's name in the templates of a value; `None` if a text cannot be read.
pub(crate) fn references_in_json(
    text: &str,
    value: &json::JsonValue,
    name: &str,
) -> Option<Vec<Range<usize>>> {
    let mut strings = Vec::new();
    strings_of(value, &mut strings);
    let found: Option<Vec<_>> =
        strings.into_iter().map(|it| in_json_string(text, it, name)).collect();
    Some(found?.concat())
}

/// The places of a variable's name in the templates of a string; `None` if it cannot be read.
fn in_json_string(text: &str, span: Span, name: &str) -> Option<Vec<Range<usize>>> {
    let written = text.get(span.range())?;
    // A letter can be written as an escape.
    let is_plain = written.contains("var") && written.contains(name);
    if !is_plain && !written.contains('\\') {
        return Some(Vec::new());
    }
    let plain: String = serde_json::from_str(written).ok()?;
    let (template, _) = parse_template(FileId(0), plain.as_bytes(), 0);
    let found = references(&template);
    let is_it = |it: &&hcl::analysis::Reference| {
        it.root.name == "var"
            && matches!(it.steps.first(), Some(PathStep::Attr(it)) if it.as_str() == name)
    };
    let mut places = found.iter().filter(is_it).peekable();
    if places.peek().is_none() {
        return Some(Vec::new());
    }
    let starts = starts_in_json(written);
    let start = span.range().start;
    let place = |it: &hcl::analysis::Reference| {
        let plain = name_after(&plain, it.root.span, name)?;
        Some(start + *starts.get(plain.start)?..start + *starts.get(plain.end)?)
    };
    places.map(place).collect()
}

/// Where each byte of a string's text is written in its JSON, which begins with a quote. The last is the end.
fn starts_in_json(written: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 1;
    while let Some(first) = written[at..].chars().next().filter(|it| *it != '"') {
        let hex = |at: usize| {
            let digits = written.get(at..at + 6)?.strip_prefix("\\u")?;
            u32::from_str_radix(digits, 16).ok()
        };
        let (length, width) = match hex(at) {
            // Two escapes are one character beyond the first plane.
            Some(0xd800..=0xdbff) => (12, 4),
            Some(it) => (6, char::from_u32(it).map_or(3, char::len_utf8)),
            None if first == '\\' => (2, 1),
            None => (first.len_utf8(), first.len_utf8()),
        };
        starts.extend(std::iter::repeat_n(at, width));
        at = (at + length).min(written.len());
    }
    starts.push(at);
    starts
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
pub(crate) fn attributes<'b>(body: &'b Body, name: &'b str) -> impl Iterator<Item = Span> + 'b {
    let own = body.items.iter().filter_map(move |it| match it {
        Item::Attribute(it) if it.name.name == name => Some(it.name.span),
        _ => None,
    });
    own.chain(body.repeated.iter().filter(move |it| it.name.name == name).map(|it| it.name.span))
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
        for call in blocks_in_json(&value, "module") {
            let members = json_members(&call.value);
            let source = members.iter().find(|it| it.key == "source");
            let source = source.and_then(|it| it.value.as_str());
            if source.is_some_and(|it| leads_here(&call.key, it)) {
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
