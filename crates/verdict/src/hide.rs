//! Values of sensitive and ephemeral variables are kept out of every excerpt, and so are values of
//! variables that the module does not declare: yesterday it may have, as sensitive ones.

use std::collections::BTreeSet;

use memchr::memmem;
use smol_str::SmolStr;

use diagnostics::{Cause, Diagnostic, Diagnostics, FileId, SourceFile, Sources, Span, lints};
use hcl::{Expr, ExprKind, is_too_large};
use module::{
    Module, Output, Secrets, Variable,
    inputs::{Layer, is_json_file},
};
use stack::{checkpoint, guarded};

/// The limit for the product of a file's bytes and the number of hidden names to search for.
const MOST_COMPARED: usize = 100_000_000;

fn hidden(module: &Module) -> impl Iterator<Item = &Variable> {
    module.variables.values().filter(|it| it.is_hidden())
}

/// Hides the defaults: of the variables, of optional attributes in their types, and where rules and
/// descriptions repeat them.
pub(super) fn declared(module: &mut Module) {
    let default = |variable: &Variable| variable.default_expr.as_ref().map(|it| it.span);
    let ty = |it: &Variable| it.type_span.filter(|_| it.constraint.defaults.is_some());
    let places = |it| [default(it), ty(it)].into_iter().flatten().map(|at| (at, it.is_sensitive()));
    let spans: Vec<(Span, bool)> = hidden(module).flat_map(places).collect();
    if !spans.is_empty() {
        let repeated = Secrets::of(module, []).hidden_spans(module);
        repeated.into_iter().for_each(|it| module.sources.hide(it));
    }
    hide_all(&mut module.sources, spans);
}

/// Hides the values that the sources give, including those that another source overrides. `problems`
/// holds the errors of the sources.
pub(super) fn given(module: &mut Module, layers: &[Layer], problems: &mut Diagnostics) {
    let may_be_shown =
        |name: &SmolStr| module.variables.get(name).is_some_and(|it| !it.is_hidden());
    let repeated = layers.iter().flat_map(|it| &it.repeated).map(|(name, it)| (name, it));
    let entries = layers.iter().flat_map(|it| &it.entries).chain(repeated);
    let secret = entries.filter(|(name, _)| !may_be_shown(name));
    let is_sensitive =
        |name: &SmolStr| module.variables.get(name).is_some_and(Variable::is_sensitive);
    let spans = secret.map(|(name, it)| (it.given.span(), is_sensitive(name))).collect();
    hide_all(&mut module.sources, spans);
    hide_unparsed(module, problems);
}

/// Hides the name of an undeclared variable in a part of a file that is hidden, because that does not parse: it may be
/// a piece of a secret.
pub(super) fn name(sources: &Sources, undeclared: &mut Diagnostic) {
    let is_hidden = undeclared.labels.first().is_some_and(|it| sources.hides(it.span));
    if undeclared.rule == lints::UNDECLARED_VARIABLE && is_hidden {
        undeclared.detail = String::from(
            "The module does not declare this variable. Its name is not shown, because the file \
            does not parse.",
        );
        (undeclared.variable, undeclared.help, undeclared.fix) = (None, None, None);
    }
}

/// The secrets that the kept blocks of a module write down, each with whether it is declared as sensitive.
pub(super) fn written(module: &Module) -> Vec<(Span, bool)> {
    let mut spans = Vec::new();
    for block in module.blocks.iter().flatten() {
        let mut exprs = Vec::new();
        block.body.expressions(&mut exprs);
        match (block.kind.as_str(), block.labels.first()) {
            ("provider", _) => spans.extend(exprs.iter().map(|it| (it.span, false))),
            ("output", Some(name)) => {
                let output = module.outputs.get(name);
                let is = |mark: fn(&Output) -> Option<bool>| output.and_then(mark) == Some(true);
                let is_sensitive = is(|it| it.sensitive);
                let is_hidden = is_sensitive || is(|it| it.ephemeral);
                let exprs = exprs.iter().filter(|_| is_hidden);
                spans.extend(exprs.map(|it| (it.span, is_sensitive)));
            }
            _ => (),
        }
        exprs.iter().for_each(|it| find_sensitive(it, &mut spans));
    }
    spans
}

/// Collects the arguments of `sensitive`.
fn find_sensitive(expr: &Expr, found: &mut Vec<(Span, bool)>) {
    if let ExprKind::Call { name, args, .. } = &expr.kind
        && name.name.trim_start_matches("core::") == "sensitive"
    {
        found.extend(args.iter().map(|it| (it.span, true)));
    } else if !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| find_sensitive(it, found)));
    }
}

/// Hides values, each with whether it is sensitive, and the comments after them, which may hold an earlier value.
pub(super) fn hide_all(sources: &mut Sources, spans: Vec<(Span, bool)>) {
    for (span, is_sensitive) in spans {
        checkpoint();
        let span = with_comment(sources, span);
        if is_sensitive { sources.hide(span) } else { sources.withhold(span) }
    }
}

/// Hides a sensitive value, and a comment after it.
pub(super) fn value(sources: &mut Sources, span: Span) {
    let span = with_comment(sources, span);
    sources.hide(span);
}

/// The place of a value, and of a comment after it.
fn with_comment(sources: &Sources, span: Span) -> Span {
    let end = end_of_comment(sources.file(span.file), span.end as usize);
    Span::new(span.file, span.start as usize, end)
}

/// The end of a comment that follows a value on its line, else the value's own end.
fn end_of_comment(source: &SourceFile, end: usize) -> usize {
    let rest = source.bytes.get(end..).unwrap_or_default();
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let text = line.trim_ascii_end();
    let is_comment =
        |it: &[u8]| it.starts_with(b"#") || it.starts_with(b"//") || it.starts_with(b"/*");
    if is_comment(text.trim_ascii_start()) { end + text.len() } else { end }
}

/// Hides possible values in files that do not parse: everything behind the first name
/// of a hidden or undeclared variable. Details of `problems` that may quote a value are removed.
fn hide_unparsed(module: &mut Module, problems: &mut Diagnostics) {
    let is_syntax = |it: &Diagnostic| it.rule == lints::INVALID_INPUT_SYNTAX || is_too_large(it);
    let labels = problems.iter().filter(|it| is_syntax(it)).flat_map(|it| &it.labels);
    let files: BTreeSet<FileId> = labels.map(|it| it.span.file).collect();
    let spans: Vec<Span> = files.into_iter().filter_map(|it| behind_names(module, it)).collect();
    for span in spans {
        let quotes = |it: &Diagnostic| !matches!(it.cause, Some(Cause::Encrypted(_)));
        for problem in problems.iter_mut().filter(|it| is_syntax(it) && quotes(it)) {
            let is_inside = |it: &Span| it.file == span.file && it.end >= span.start;
            if problem.span().as_ref().is_some_and(is_inside) {
                problem.detail.clear();
                problem.help = None;
            }
        }
        // Whose value the bytes are is not known.
        module.sources.withhold(span);
    }
}

/// The span from the first name of a hidden or undeclared variable to the end of the file. A JSON file
/// without an object is hidden from its first byte.
fn behind_names(module: &Module, file: FileId) -> Option<Span> {
    let source = module.sources.file(file);
    let bytes = &source.bytes;
    let is_json = is_json_file(&source.path);
    let is_all_value = is_json && !bytes.trim_ascii_start().starts_with(b"{");
    // Searching much text for many names takes too long; the whole file is hidden then.
    let is_all_value = is_all_value || bytes.len() * hidden(module).count() > MOST_COMPARED;
    if is_all_value {
        return Some(Span::new(file, 0, bytes.len()));
    }
    let end = |it: &Variable| memmem::find(bytes, it.name.as_bytes()).map(|at| at + it.name.len());
    let names = hidden(module).filter_map(end).min();
    let undeclared = match is_json {
        true => behind_undeclared_key(module, bytes),
        false => behind_undeclared(module, bytes),
    };
    let start = names.into_iter().chain(undeclared).chain(behind_mistyped(module, bytes)).min()?;
    Some(Span::new(file, start, bytes.len()))
}

/// The limit for the product of a file's bytes and the number of hidden names to which its words are compared.
const MOST_WORDS_COMPARED: usize = 4_000_000;

/// The position after the first word that may be a hidden name with a slip in it.
fn behind_mistyped(module: &Module, bytes: &[u8]) -> Option<usize> {
    let names: Vec<&str> =
        hidden(module).map(|it| it.name.as_str()).filter(|it| it.len() > 3).collect();
    if bytes.len() * names.len() > MOST_WORDS_COMPARED {
        return None;
    }
    let is_word = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    let mut at = 0;
    for word in bytes.split(|it| !is_word(it)) {
        let end = at + word.len();
        let slips = |it: &&&str| word.len().abs_diff(it.len()) <= 2;
        if let Ok(word) = std::str::from_utf8(word)
            && !module.variables.contains_key(word)
            && names.iter().filter(slips).any(|it| strsim::osa_distance(word, it) <= 2)
        {
            return Some(end);
        }
        at = end + 1;
    }
    None
}

/// The position of the first line, outside of brackets, that is not the beginning of a value of a variable that may be
/// shown, or behind the name and the sign in it. Brackets and lines are all that there is to go by.
fn behind_undeclared(module: &Module, bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    for line in bytes.split_inclusive(|it| *it == b'\n') {
        let text = line.trim_ascii();
        let is_word =
            |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-') || !it.is_ascii();
        let end = text.iter().position(|it| !is_word(it)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let is_neutral = text.is_empty() || text.starts_with(b"#") || text.starts_with(b"//");
        let is_closing = matches!(text.first(), Some(b'}' | b']' | b')'));
        let name = std::str::from_utf8(name).unwrap_or_default();
        let is_given = rest.trim_ascii_start().starts_with(b"=");
        if depth <= 0 && !is_neutral && !is_closing {
            if !is_given {
                return Some(at);
            }
            if module.variables.get(name).is_none_or(Variable::is_hidden) {
                let sign = line.iter().position(|it| *it == b'=').unwrap_or(0);
                return Some(at + sign);
            }
        }
        for byte in line {
            match byte {
                b'{' | b'[' | b'(' => depth += 1,
                b'}' | b']' | b')' => depth -= 1,
                _ => (),
            }
        }
        at += line.len();
    }
    None
}

/// The same of an object in JSON: behind the first name of a variable that may not be shown, or where a text is
/// neither a name nor a value.
fn behind_undeclared_key(module: &Module, bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut at, mut before) = (0, 0, b' ');
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'"' => {
                let inside = &bytes[at + 1..];
                let Some(end) = closing_quote(inside) else { return Some(at) };
                let next = inside[end + 1..].trim_ascii_start().first();
                let name = std::str::from_utf8(&inside[..end]).unwrap_or_default();
                let is_shown = || module.variables.get(name).is_some_and(|it| !it.is_hidden());
                let is_name = next == Some(&b':') && matches!(before, b'{' | b',');
                if depth <= 1 && is_name && !is_shown() {
                    return Some(at + end + 2);
                }
                if depth <= 1 && !is_name && before != b':' {
                    return Some(at);
                }
                at += end + 1;
            }
            _ => (),
        }
        if !byte.is_ascii_whitespace() {
            before = *byte;
        }
        at += 1;
    }
    None
}

/// The position of the quote that ends a text.
fn closing_quote(inside: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match inside.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
