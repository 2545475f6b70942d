//! Values of sensitive and ephemeral variables are kept out of every excerpt.

use std::collections::BTreeSet;

use memchr::memmem;
use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, FileId, Sources, Span},
    eval,
    inputs::{INVALID_INPUT_SYNTAX, Layer, is_json_file},
    module::{Module, Variable},
};

fn hidden(module: &Module) -> impl Iterator<Item = &Variable> {
    module.variables.values().filter(|it| it.is_hidden())
}

/// Hides the defaults: of the variables, and of optional attributes in their types.
pub fn hide_declared(module: &mut Module) {
    let default = |it: &Variable| it.default_expr.as_ref().map(|it| it.span);
    let ty = |it: &Variable| it.type_span.filter(|_| it.constraint.defaults.is_some());
    let spans: Vec<Span> = hidden(module).flat_map(|it| [default(it), ty(it)]).flatten().collect();
    spans.into_iter().for_each(|it| module.sources.hide(it));
}

/// Hides the values that the sources give, those that do not win too.
pub fn hide_given(module: &mut Module, layers: &[Layer]) {
    let names: BTreeSet<SmolStr> = hidden(module).map(|it| it.name.clone()).collect();
    if names.is_empty() {
        return;
    }
    let is_secret = |name: &SmolStr, span: Span| {
        let is_declared = module.variables.contains_key(name);
        names.contains(name) || (!is_declared && is_meant(name, span, &names, &module.sources))
    };
    let entries = layers.iter().flat_map(|it| &it.entries);
    let spans = entries.map(|(name, entry)| (name, entry.given.span()));
    let spans: Vec<Span> = spans.filter(|it| is_secret(it.0, it.1)).map(|it| it.1).collect();
    spans.into_iter().for_each(|it| module.sources.hide(it));
}

/// Whether a value of an undeclared variable may be meant for one that must not be shown: the name
/// is mistyped, or the value is an object that has the variable's name in it.
fn is_meant(name: &str, span: Span, names: &BTreeSet<SmolStr>, sources: &Sources) -> bool {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], "");
    let plain_names: Vec<String> = names.iter().map(|it| plain(it)).collect();
    let text = sources.file(span.file).bytes.get(span.range()).unwrap_or_default();
    eval::suggestion(&plain(name), plain_names.iter().map(String::as_str)).is_some()
        || names.iter().any(|it| memmem::find(text, it.as_bytes()).is_some())
}

/// Hides what may be a value in files that do not parse: there everything counts as one that stands
/// behind the name of such a variable. Details that may quote it go, too.
pub fn hide_unparsed(module: &mut Module, problems: &mut Diagnostics) {
    let is_syntax = |it: &&Diagnostic| it.rule == INVALID_INPUT_SYNTAX;
    let labels = problems.iter().filter(is_syntax).flat_map(|it| &it.labels);
    let files: BTreeSet<FileId> = labels.map(|it| it.span.file).collect();
    let spans: Vec<Span> = files.into_iter().filter_map(|it| behind_names(module, it)).collect();
    for span in spans {
        for problem in problems.iter_mut().filter(|it| it.rule == INVALID_INPUT_SYNTAX) {
            let is_inside = |it: &Span| it.file == span.file && it.end >= span.start;
            if problem.span().as_ref().is_some_and(is_inside) {
                problem.detail.clear();
                problem.help = None;
            }
        }
        module.sources.hide(span);
    }
}

/// From the first name of a hidden variable to the end of the file. JSON that is no object is all
/// value.
fn behind_names(module: &Module, file: FileId) -> Option<Span> {
    let source = module.sources.file(file);
    let bytes = &source.bytes;
    let is_all_value = is_json_file(&source.path) && !bytes.trim_ascii_start().starts_with(b"{");
    let end = |it: &Variable| memmem::find(bytes, it.name.as_bytes()).map(|at| at + it.name.len());
    let ends = hidden(module).map(|it| if is_all_value { Some(0) } else { end(it) });
    let start = ends.flatten().min()?;
    Some(Span::new(file, start, bytes.len()))
}
