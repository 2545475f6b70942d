//! Secrets in a module that has errors. A broken block cannot say reliably that it is sensitive, and a broken
//! argument does not end where it should: whatever may belong to a sensitive variable is kept out of excerpts and
//! messages.
//!
//! Where a file parses, the arguments of such blocks are hidden. Where it does not, its text counts: everything from
//! the first argument that may hold a value to the next block.

use std::{collections::BTreeSet, ops::Range, path::Path};

use smol_str::SmolStr;

use super::Module;
use diagnostics::{Diagnostic, Diagnostics, FileId, SourceFile, Sources, Span, has_errors};
use hcl::{
    Block, ExprKind, Item, json,
    json::{JsonMember, JsonValue as Json, ValueKind},
    parse_body,
};

/// Hides the possible values of sensitive and ephemeral variables if the module has errors, and takes what may quote
/// one out of the diagnostics.
pub(super) fn hide(module: &mut Module, diagnostics: &mut Diagnostics) {
    if !has_errors(diagnostics) {
        return;
    }
    let hidden = module.variables.values().filter(|it| it.is_hidden());
    let mut names: BTreeSet<SmolStr> = hidden.map(|it| it.name.clone()).collect();
    let files: Vec<Text<'_>> = module.sources.files().map(|(id, it)| Text::new(id, it)).collect();
    files.iter().for_each(|it| it.collect_names(&mut names));
    let spans: Vec<Span> = files.iter().flat_map(|it| it.hidden(&names)).collect();
    // What the errors left of a declaration may lack the word.
    for name in &names {
        if let Some(variable) = module.variables.get_mut(name).filter(|it| !it.is_hidden()) {
            variable.sensitive = Some(true);
        }
    }
    if spans.is_empty() {
        return;
    }
    diagnostics.iter_mut().for_each(|it| redact(it, &spans, &module.sources));
    spans.into_iter().for_each(|it| module.sources.hide(it));
}

/// A file of the module, in the best form that its syntax allows.
struct Text<'a> {
    id: FileId,
    source: &'a SourceFile,
    form: Form,
}

enum Form {
    /// Blocks of a file that parses.
    Blocks(Vec<Item>),
    /// JSON that parses.
    Json(Json),
    /// The parts of a file that does not parse, each from the line of a block's header to the next.
    Regions(Vec<Range<usize>>),
    /// JSON that does not parse.
    BrokenJson,
}

impl<'a> Text<'a> {
    fn new(id: FileId, source: &'a SourceFile) -> Text<'a> {
        let form = if Path::new(&source.path).extension().is_some_and(|it| it == "json") {
            let (root, problems) = json::parse(id, &source.bytes);
            if problems.is_empty() { Form::Json(root) } else { Form::BrokenJson }
        } else {
            let (body, problems) = parse_body(id, &source.bytes);
            if problems.is_empty() {
                Form::Blocks(body.items)
            } else {
                Form::Regions(regions(&source.bytes))
            }
        };
        Text { id, source, form }
    }

    /// Adds the names of blocks that seem to be sensitive.
    fn collect_names(&self, names: &mut BTreeSet<SmolStr>) {
        match &self.form {
            Form::Blocks(items) => {
                let blocks = items.iter().filter_map(as_block).filter(|it| is_sensitive(it));
                names.extend(blocks.filter_map(|it| it.labels.last()).map(|it| it.text.clone()));
            }
            Form::Json(root) => {
                let sensitive = json_variables(root).filter(|it| is_sensitive_json(&it.value));
                names.extend(sensitive.map(|it| it.key.clone()));
            }
            Form::Regions(regions) => {
                for region in regions {
                    let text = &self.source.bytes[region.clone()];
                    if mentions(text) {
                        names.extend(label(text).map(SmolStr::from));
                    }
                }
            }
            Form::BrokenJson => (),
        }
    }

    /// The places that may hold a secret.
    fn hidden(&self, names: &BTreeSet<SmolStr>) -> Vec<Span> {
        let bytes = &self.source.bytes;
        let span = |it: Range<usize>| Span::new(self.id, it.start, it.end);
        match &self.form {
            Form::Blocks(items) => {
                let is_named =
                    |it: &&Block| it.labels.last().is_some_and(|label| names.contains(&label.text));
                let is_variable = |it: &&Block| near(&it.kind.name, "variable");
                let blocks = items.iter().filter_map(as_block).filter(is_variable);
                blocks.filter(|it| is_named(it) || is_sensitive(it)).flat_map(arguments).collect()
            }
            Form::Json(root) => json_variables(root)
                .filter(|it| names.contains(&it.key) || is_sensitive_json(&it.value))
                .flat_map(|it| json_arguments(&it.value))
                .collect(),
            Form::Regions(regions) => {
                let is_hidden = |it: &&Range<usize>| {
                    let text = &bytes[(*it).clone()];
                    mentions(text) || label(text).is_some_and(|name| names.contains(name))
                };
                let hidden = regions.iter().filter(is_hidden);
                hidden.map(|it| span(it.start + safe_part(&bytes[it.clone()])..it.end)).collect()
            }
            Form::BrokenJson => {
                let holds = |it: &SmolStr| memchr::memmem::find(bytes, it.as_bytes()).is_some();
                let is_hidden = mentions(bytes) || names.iter().any(holds);
                is_hidden.then(|| span(0..bytes.len())).into_iter().collect()
            }
        }
    }
}

fn as_block(item: &Item) -> Option<&Block> {
    match item {
        Item::Block(it) => Some(it),
        Item::Attribute(_) => None,
    }
}

/// Whether a block says, rightly or nearly so, that its value is a secret. Only `false` says that it is not.
fn is_sensitive(block: &Block) -> bool {
    let attributes = block.body.items.iter().filter_map(|it| match it {
        Item::Attribute(it) => Some(it),
        Item::Block(_) => None,
    });
    let mut secrecy = attributes.filter(|it| is_secrecy(&it.name.name));
    secrecy.any(|it| !matches!(it.value.kind, ExprKind::Bool(false)))
}

/// The values in a variable block that may be secret or repeat a secret: all but the flags.
fn arguments(block: &Block) -> Vec<Span> {
    let items = block.body.items.iter();
    items
        .filter_map(|it| match it {
            Item::Attribute(it) if is_flag(&it.name.name) => None,
            Item::Attribute(it) => Some(it.value.span),
            Item::Block(it) if it.kind.name == "validation" => None,
            Item::Block(it) => Some(it.header.at_end().to(it.span)),
        })
        .collect()
}

/// The members of all objects that declare variables.
fn json_variables(root: &Json) -> impl Iterator<Item = &JsonMember> {
    let declared = members(root).into_iter().filter(|it| near(&it.key, "variable"));
    declared.flat_map(|it| members(&it.value))
}

/// The members of an object, or of all objects in a list.
fn members(json: &Json) -> Vec<&JsonMember> {
    match &json.kind {
        ValueKind::Object(members) => members.iter().collect(),
        ValueKind::Array(elements) => elements.iter().flat_map(members_of).collect(),
        _ => Vec::new(),
    }
}

fn members_of(json: &Json) -> &[JsonMember] {
    match &json.kind {
        ValueKind::Object(members) => members,
        _ => &[],
    }
}

fn is_sensitive_json(json: &Json) -> bool {
    let is_off = |it: &Json| matches!(it.kind, ValueKind::Bool(false));
    members(json).into_iter().any(|it| is_secrecy(&it.key) && !is_off(&it.value))
}

fn json_arguments(json: &Json) -> Vec<Span> {
    let all = members(json);
    if all.is_empty() {
        return vec![json.span];
    }
    let values = all.into_iter().filter(|it| !is_flag(&it.key) && it.key != "validation");
    values.map(|it| it.value.span).collect()
}

/// Whether an argument is a switch, whose value is never a secret.
fn is_flag(name: &str) -> bool {
    matches!(name, "sensitive" | "ephemeral" | "nullable" | "const")
}

/// Words that begin a block at the top of a file.
const KINDS: [&str; 14] = [
    "variable",
    "output",
    "resource",
    "data",
    "module",
    "locals",
    "provider",
    "terraform",
    "check",
    "moved",
    "removed",
    "import",
    "ephemeral",
    "language",
];

/// The parts of a text, each from a line that begins a block to the next one.
fn regions(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut starts, mut at) = (vec![0], 0);
    for line in bytes.split_inclusive(|it| *it == b'\n') {
        if is_header(line) && at > 0 {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Whether a line begins with the word of a block and a label or a brace, and not with an argument.
fn is_header(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let end = line.iter().position(|it| !it.is_ascii_alphabetic()).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    KINDS.iter().any(|it| it.as_bytes() == word)
        && rest.trim_ascii_start().first().is_some_and(|it| matches!(it, b'"' | b'{'))
}

/// The last text in quotes in the first line.
fn label(text: &[u8]) -> Option<&str> {
    let line = text.split(|it| *it == b'\n').next()?;
    let mut parts = line.split(|it| *it == b'"').skip(1);
    let mut last = None;
    while let (Some(inside), Some(_)) = (parts.next(), parts.next()) {
        last = str::from_utf8(inside).ok();
    }
    last
}

/// The length of the beginning of a part that surely holds no value: the block's header, and lines that hold flags or
/// types without defaults.
fn safe_part(text: &[u8]) -> usize {
    let mut at = 0;
    for (number, line) in text.split_inclusive(|it| *it == b'\n').enumerate() {
        let trimmed = line.trim_ascii();
        let is_safe = trimmed.is_empty() || is_safe_argument(trimmed);
        if number == 0 && is_header(line) {
            let brace = line.iter().position(|it| *it == b'{').map(|it| it + 1);
            let quote = line.iter().rposition(|it| *it == b'"').map(|it| it + 1);
            let end = brace.or(quote).unwrap_or(0);
            if !line[end..].trim_ascii().is_empty() {
                return at + end;
            }
        } else if !is_safe {
            return at + shown_beginning(line);
        }
        at += line.len();
    }
    text.len()
}

/// The name and the sign of an argument that the language knows, since an error about it should show so much.
fn shown_beginning(line: &[u8]) -> usize {
    let Some(sign) = line.iter().position(|it| *it == b'=') else { return 0 };
    let is_known = matches!(line[..sign].trim_ascii(), b"default" | b"type" | b"description");
    let blanks = line[sign + 1..].iter().take_while(|it| **it == b' ').count();
    if is_known { sign + 1 + blanks } else { 0 }
}

/// Whether a line is a whole argument that cannot hold a default.
fn is_safe_argument(line: &[u8]) -> bool {
    let Some(sign) = line.iter().position(|it| *it == b'=') else { return false };
    let (name, value) = (line[..sign].trim_ascii(), line[sign + 1..].trim_ascii());
    match name {
        b"sensitive" | b"ephemeral" | b"nullable" | b"const" => {
            matches!(value, b"true" | b"false")
        }
        b"type" => {
            let is_simple = |it: &u8| it.is_ascii_lowercase() || matches!(it, b'(' | b')');
            let open = memchr::memchr_iter(b'(', value).count();
            let closed = memchr::memchr_iter(b')', value).count();
            let words = value.split(|it| !it.is_ascii_lowercase());
            let is_type = |it: &[u8]| it.is_empty() || TYPES.iter().any(|ty| ty.as_bytes() == it);
            value.iter().all(is_simple) && open == closed && words.into_iter().all(is_type)
        }
        _ => false,
    }
}

/// Types, and what makes types of types.
const TYPES: [&str; 7] = ["string", "number", "bool", "any", "list", "set", "map"];

/// Whether a text has a word in it that may have been `sensitive` or `ephemeral`, unless it says `= false`.
fn mentions(text: &[u8]) -> bool {
    text.split(|it| *it == b'\n').any(|line| {
        let is_off = |name: &str| {
            let rest = line.trim_ascii().strip_prefix(name.as_bytes());
            let rest = rest.and_then(|it| it.trim_ascii_start().strip_prefix(b"="));
            rest.is_some_and(|it| it.trim_ascii() == b"false")
        };
        let words = line.split(|it| !(it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-')));
        let mut words = words.filter_map(|it| str::from_utf8(it).ok());
        words.any(is_secrecy) && !SECRECY.iter().any(|it| is_off(it))
    })
}

const SECRECY: [&str; 2] = ["sensitive", "ephemeral"];

/// Whether a word is `sensitive` or `ephemeral`, one of these with a slip, or one part of one that was torn apart.
fn is_secrecy(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let parts = ["sens", "sitive", "ephe", "meral"];
    let is_part = parts.iter().any(|it| word.starts_with(it) || word.ends_with(it));
    is_part || SECRECY.iter().any(|it| near(&word, it))
}

/// Whether a word differs from another by a slip or two.
fn near(word: &str, from: &str) -> bool {
    word.len().abs_diff(from.len()) <= 2 && strsim::osa_distance(word, from) <= 2
}

/// Takes the words of hidden text out of a diagnostic that points into it.
fn redact(diagnostic: &mut Diagnostic, spans: &[Span], sources: &Sources) {
    let touches = |a: &Span, b: &Span| a.file == b.file && a.start <= b.end && b.start <= a.end;
    let is_near = |it: &&Span| diagnostic.labels.iter().any(|label| touches(&label.span, it));
    let texts: Vec<String> =
        spans.iter().filter(is_near).map(|it| sources.snippet(*it).to_lowercase()).collect();
    if texts.is_empty() {
        return;
    }
    let quotes = |message: &str| {
        let message = message.to_lowercase();
        let words = message.split(|it: char| !(it.is_alphanumeric() || it == '_'));
        let mut words = words.filter(|it| it.len() > 2 && !TYPES.contains(it));
        // A part of a long word or of a number reveals something, too.
        let is_telling =
            |it: &str| it.len() > 4 || it.contains(|digit: char| digit.is_ascii_digit());
        let is_word = |text: &str, it: &str| {
            let is_between = |sign: char| !(sign.is_alphanumeric() || sign == '_');
            text.split(is_between).any(|word| word == it)
        };
        let is_in = |text: &String, it: &str| match is_telling(it) {
            true => text.contains(it),
            false => is_word(text, it),
        };
        words.any(|it| texts.iter().any(|text| is_in(text, it)))
    };
    if quotes(&diagnostic.summary) {
        "An argument of a sensitive variable is not valid".clone_into(&mut diagnostic.summary);
    }
    if quotes(&diagnostic.detail) {
        diagnostic.detail.clear();
    }
    diagnostic.help = diagnostic.help.take().filter(|it| !quotes(it));
    let shown = diagnostic.labels.iter_mut().filter(|it| quotes(&it.text));
    shown.for_each(|it| it.text.clear());
}
