//! Values files: `.tfvars` in HCL, `.tfvars.json` in JSON.

use std::{io, path::Path, sync::Arc};

use super::{GivenValue, InputSource, Layer};
use crate::inputs::{
    example::{self, is_json_example},
    given::as_input_syntax,
};
use diagnostics::{Diagnostic, Diagnostics, FileId, Role, Sources, Span, lints};
use hcl::{
    Attribute, Block, Body, Item, json,
    json::{JsonValue as Json, ValueKind},
    named_if_encrypted, of_sops, parse_body,
};
use indexmap::{IndexMap, map};
use smol_str::SmolStr;
use system::{DirEntry, EntryKind, System, paths, unreadable};
use tf_value::{Marks, Type, Value};

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
        let (body, diagnostics) = parse_body(id, &source.bytes);
        reader.native(body, diagnostics);
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
        let (body, diagnostics) = example::parse_example(id, &source.bytes, 0);
        reader.native(body, diagnostics);
    }
    let errors = as_input_syntax(named_if_encrypted(id, &source.bytes, reader.diagnostics));
    let mut file = reader.file;
    let left_out: Arc<[Span]> = example::left_out(id, &source.bytes, 0).into();
    let repeated = file.repeated.iter_mut().map(|it| &mut it.1);
    for entry in file.entries.values_mut().chain(repeated) {
        let given = Box::new(GivenValue::clone(&entry.given));
        let left_out = Arc::clone(&left_out);
        entry.given = GivenValue::Example { given, is_call: false, left_out }.into();
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

    fn native(&mut self, body: Body, diagnostics: Diagnostics) {
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

// Recognises values files, and those that Terraform reads automatically.

/// Files that are read first, in this order.
const NAMED: [&str; 2] = ["terraform.tfvars", "terraform.tfvars.json"];

/// Whether a file of this name is a values file by convention: `*.tfvars` or `*.tfvars.json`.
pub fn is_values_file(name: &str) -> bool {
    name.ends_with(".tfvars") || name.ends_with(".tfvars.json")
}

/// Whether a values file is read as JSON: its name decides, and letter case matters.
#[allow(clippy::case_sensitive_file_extension_comparisons, reason = "as Terraform compares")]
pub fn is_json_file(name: &str) -> bool {
    name.ends_with(".json")
}

/// Whether Terraform reads a file of this name automatically, even a dot file.
pub fn is_auto_file(name: &str) -> bool {
    NAMED.contains(&name) || name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json")
}

/// The files that Terraform reads automatically, lowest precedence first. `entries` are a directory's,
/// sorted bytewise. A directory with such a name is included, since it is an error there. A
/// `terraform.tfvars` that is a broken link counts as missing; `exists` follows links.
pub(super) fn auto_files(entries: &[DirEntry], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let found = |name: &str| {
        let entry = entries.iter().find(|it| it.name == name)?;
        (entry.kind != EntryKind::Symlink || exists(name)).then(|| name.to_owned())
    };
    let named = NAMED.iter().filter_map(|it| found(it));
    let others = entries.iter().map(|it| &it.name);
    let others = others.filter(|it| is_auto_file(it) && !NAMED.contains(&it.as_str()));
    named.chain(others.cloned()).collect()
}

// Values files in which SOPS has encrypted values.
//
// SOPS keeps the form of a JSON file: names, objects, lists and null stay as they are, and each text, number or bool
// becomes a text such as `ENC[AES256_GCM,data:…,type:str]`, unless its settings leave it plain
// (`unencrypted_suffix`, `encrypted_regex` and the like). It adds the member `sops`, which it takes away when it
// decrypts. So exactly the texts of that form are not known, and of these the type is.

/// Why an encrypted value is not known.
pub const SEALED_REASON: &str = "a value that SOPS has encrypted";

/// How many variables a file gives with encrypted values, and how many without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedCounts {
    pub sealed: usize,
    pub plain: usize,
}

impl Layer {
    /// Takes a file as it is before SOPS decrypts it: the member that SOPS added is gone, and its encrypted values are
    /// unknown. `None` for every other file.
    pub fn seal(&mut self) -> Option<SealedCounts> {
        let InputSource::File(_) = self.origin else { return None };
        if !self.entries.get("sops").is_some_and(|it| is_added(&it.given)) {
            return None;
        }
        self.entries.shift_remove("sops");
        let mut counts = SealedCounts { sealed: 0, plain: 0 };
        for ValuesEntry { given, .. } in self.entries.values_mut() {
            let GivenValue::Json(json) = &**given else { continue };
            let of_kind = if holds_any(json) { &mut counts.sealed } else { &mut counts.plain };
            *of_kind += 1;
            *given = Arc::new(GivenValue::Sealed(json.clone()));
        }
        Some(counts)
    }
}

/// Whether SOPS added the value: it holds a code that authenticates all others, itself encrypted.
fn is_added(given: &GivenValue) -> bool {
    let GivenValue::Json(added) = given else { return false };
    let code = added.get("mac").map(|it| &it.kind);
    matches!(code, Some(ValueKind::String(it)) if of_sops(it).is_some())
}

/// Whether a value, or a part of it, is encrypted.
fn holds_any(json: &Json) -> bool {
    let mut pending = vec![json];
    while let Some(json) = pending.pop() {
        match &json.kind {
            ValueKind::String(text) if of_sops(text).is_some() => return true,
            ValueKind::Array(elements) => pending.extend(elements),
            ValueKind::Object(members) => pending.extend(members.iter().map(|it| &it.value)),
            _ => (),
        }
    }
    false
}

/// The value behind an encrypted text: nothing but its type is known.
pub(super) fn sealed(text: &str) -> Option<Value> {
    let ty = match of_sops(text)? {
        "str" | "bytes" | "time" => Type::String,
        "int" | "float" => Type::Number,
        "bool" => Type::Bool,
        _ => Type::Dynamic,
    };
    Some(Value::unknown_not_null(ty).with_marks(Marks::UNDECIDED))
}
