//! Values of sensitive and ephemeral variables are kept out of every excerpt.

use std::collections::BTreeSet;

use memchr::memmem;
use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, FileId, Span},
    eval,
    inputs::{INVALID_INPUT_SYNTAX, Layer},
    module::{Module, Variable},
};

fn hidden(module: &Module) -> impl Iterator<Item = &Variable> {
    module.variables.values().filter(|it| it.is_sensitive() || it.is_ephemeral())
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
    let mut spans: Vec<Span> = Vec::new();
    for variable in hidden(module) {
        let given = layers.iter().filter_map(|it| it.entries.get(&variable.name));
        spans.extend(given.map(|it| it.given.span()));
    }
    let meant = |name: &str| eval::suggestion(name, module.variables.keys().map(SmolStr::as_str));
    for (name, entry) in layers.iter().flat_map(|it| &it.entries) {
        // A mistyped name: the value was meant for a variable that must not be shown.
        let is_declared = module.variables.contains_key(name);
        let near = meant(name).filter(|_| !is_declared);
        if near.is_some_and(|near| hidden(module).any(|it| it.name == near)) {
            spans.push(entry.given.span());
        }
    }
    spans.into_iter().for_each(|it| module.sources.hide(it));
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

/// From the first name of a hidden variable to the end of the file.
fn behind_names(module: &Module, file: FileId) -> Option<Span> {
    let bytes = &module.sources.file(file).bytes;
    let end = |it: &Variable| memmem::find(bytes, it.name.as_bytes()).map(|at| at + it.name.len());
    let start = hidden(module).filter_map(end).min()?;
    Some(Span::new(file, start, bytes.len()))
}
