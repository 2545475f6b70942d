//! Values files: `.tfvars` in HCL, `.tfvars.json` in JSON.

use std::{io, path::Path, sync::Arc};

use indexmap::{IndexMap, map};
use smol_str::SmolStr;

use super::{
    GivenValue,
    discover::{is_json_file, is_values_file},
    example::{is_json_example, patched},
    given::as_input_syntax,
};
use diagnostics::{Diagnostic, Diagnostics, FileId, Role, Sources, Span, lints};
use hcl::{Attribute, Block, Item, json, named_if_encrypted, parse_body};
use system::{System, paths, unreadable};

/// The names and values that a file gives, unevaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuesFile {
    pub file: FileId,
    /// Path as shown.
    pub path: String,
    /// In source order, each name once: a second one is a diagnostic.
    pub entries: IndexMap<SmolStr, ValuesEntry>,
    /// The further values of names that are set before.
    pub repeated: Vec<(SmolStr, ValuesEntry)>,
}

/// `name = value`; cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuesEntry {
    /// In JSON the quotes are included.
    pub name_span: Span,
    pub given: Arc<GivenValue>,
}

/// How to recognise JSON in a values file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuesFormat {
    /// By the file's name alone.
    OfName,
    /// By the file's content, if its name says nothing.
    OfContent,
}

/// Reads a values file into `sources`. Its name shows the format: JSON for `.json`, otherwise HCL.
/// Every error is a diagnostic. This includes a missing file and a directory.
pub fn read_file(
    system: &dyn System,
    path: &Path,
    format: ValuesFormat,
    sources: &mut Sources,
) -> (Option<ValuesFile>, Diagnostics) {
    read_and_parse(system, path, sources, |sources, id| parse_file(sources, id, format))
}

/// Reads an example of a values file ([`is_example_file`](super::example::is_example_file)) into `sources`. A
/// placeholder in it is an unknown value.
pub fn read_example(
    system: &dyn System,
    path: &Path,
    sources: &mut Sources,
) -> (Option<ValuesFile>, Diagnostics) {
    read_and_parse(system, path, sources, parse_example)
}

fn read_and_parse(
    system: &dyn System,
    path: &Path,
    sources: &mut Sources,
    parse: impl Fn(&Sources, FileId) -> (ValuesFile, Diagnostics),
) -> (Option<ValuesFile>, Diagnostics) {
    let shown = paths::display(path);
    match system.read(path) {
        Ok(bytes) => {
            let id = sources.add(shown, bytes);
            let (file, diagnostics) = parse(sources, id);
            (Some(file), diagnostics)
        }
        Err(error) => {
            let problem = unreadable(&error, &shown, Role::Value, sources, || {
                let detail = match error.kind() {
                    io::ErrorKind::NotFound => format!("The file \"{shown}\" does not exist."),
                    _ => format!("\"{shown}\" cannot be read: {error}."),
                };
                Diagnostic::new(&lints::UNREADABLE_INPUT, "Failed to read variables file")
                    .detail(detail)
            });
            (None, vec![problem])
        }
    }
}

/// Parses a file that is in `sources` already.
pub fn parse_file(
    sources: &Sources,
    id: FileId,
    format: ValuesFormat,
) -> (ValuesFile, Diagnostics) {
    let source = sources.file(id);
    let mut reader = ValuesFileReader::new(id, &source.path);
    let is_told = is_json_file(&source.path) || is_values_file(&source.path);
    let may_be_json = format == ValuesFormat::OfContent && !is_told;
    if is_json_file(&source.path) || may_be_json && json::parse(id, &source.bytes).1.is_empty() {
        reader.json(&source.bytes);
    } else {
        reader.native(&source.bytes);
    }
    let errors = as_input_syntax(named_if_encrypted(id, &source.bytes, reader.diagnostics));
    (reader.file, errors)
}

fn parse_example(sources: &Sources, id: FileId) -> (ValuesFile, Diagnostics) {
    let source = sources.file(id);
    let mut reader = ValuesFileReader::new(id, &source.path);
    if is_json_example(&source.path) {
        reader.json(&source.bytes);
    } else {
        reader.native(&patched(&source.bytes));
    }
    let errors = as_input_syntax(named_if_encrypted(id, &source.bytes, reader.diagnostics));
    let mut file = reader.file;
    let repeated = file.repeated.iter_mut().map(|it| &mut it.1);
    for entry in file.entries.values_mut().chain(repeated) {
        let given = Box::new(GivenValue::clone(&entry.given));
        entry.given = GivenValue::Example { given, is_call: false }.into();
    }
    (file, errors)
}

struct ValuesFileReader {
    file: ValuesFile,
    diagnostics: Diagnostics,
}

impl ValuesFileReader {
    fn new(file: FileId, path: &str) -> ValuesFileReader {
        let (entries, repeated) = (IndexMap::new(), Vec::new());
        let file = ValuesFile { file, path: path.to_owned(), entries, repeated };
        ValuesFileReader { file, diagnostics: Vec::new() }
    }

    fn native(&mut self, bytes: &[u8]) {
        let (body, diagnostics) = parse_body(self.file.file, bytes);
        self.diagnostics.extend(diagnostics);
        let entry = |Attribute { name, value, .. }: Attribute| {
            let given = GivenValue::Expr(Arc::unwrap_or_clone(value));
            (name.name, ValuesEntry { name_span: name.span, given: given.into() })
        };
        for item in body.items {
            match item {
                Item::Attribute(it) => self.file.entries.extend([entry(it)]),
                Item::Block(it) => self.diagnostics.push(unexpected_block(&it)),
            }
        }
        // The parser has reported these.
        self.file.repeated.extend(body.repeated.into_iter().map(entry));
    }

    fn json(&mut self, bytes: &[u8]) {
        let (mut root, diagnostics) = json::parse_part(self.file.file, bytes);
        self.diagnostics.extend(diagnostics);
        // A value with nested ones has a destructor, so its fields cannot be moved out.
        match std::mem::replace(&mut root.kind, json::ValueKind::Invalid) {
            // Behind an error the members before it are read.
            json::ValueKind::Object(members) => members.into_iter().for_each(|it| self.member(it)),
            kind => {
                let array = matches!(kind, json::ValueKind::Array(_));
                let summary =
                    if array { "Incorrect JSON value type" } else { "Root value must be object" };
                let problem = Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, summary);
                let detail = "A JSON values file must be one object, whose keys are the names \
                    of variables.";
                self.diagnostics.push(problem.detail(detail).at(Role::Value, root.span));
            }
        }
    }

    fn member(&mut self, member: json::JsonMember) {
        let json::JsonMember { key, key_span, value } = member;
        if key == "//" {
            return;
        }
        let entry = ValuesEntry { name_span: key_span, given: GivenValue::Json(value).into() };
        match self.file.entries.entry(key) {
            map::Entry::Vacant(free) => _ = free.insert(entry),
            map::Entry::Occupied(first) => {
                let problem =
                    Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, "Duplicate attribute definition")
                        .detail(format!("\"{}\" has two values in this file.", first.key()))
                        .at(Role::Value, key_span)
                        .at_with(Role::Value, first.get().name_span, "first here");
                self.diagnostics.push(problem);
                self.file.repeated.push((first.key().clone(), entry));
            }
        }
    }
}

fn unexpected_block(block: &Block) -> Diagnostic {
    let is_variable = block.kind.name == "variable";
    let (summary, detail) = if is_variable {
        let detail = "Write NAME = VALUE in a values file, and declare variables in a .tf file.";
        ("Variable declaration in .tfvars file".to_owned(), detail)
    } else {
        let detail = "A values file can contain only NAME = VALUE.";
        (format!("Unexpected \"{}\" block", block.kind.name), detail)
    };
    let problem = Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, summary).detail(detail);
    problem.at(Role::Value, block.kind.span)
}
