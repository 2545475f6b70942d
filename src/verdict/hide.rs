//! Values of sensitive and ephemeral variables are kept out of every excerpt.

use std::collections::BTreeSet;

use memchr::memmem;
use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, FileId, Span},
    inputs::{INVALID_INPUT_SYNTAX, Layer},
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

/// Hides the values that the sources give, those that do not win too. A value of an undeclared
/// variable may be meant for one that must not be shown.
pub fn hide_given(module: &mut Module, layers: &[Layer]) {
    if hidden(module).next().is_none() {
        return;
    }
    let is_hidden = |name: &SmolStr| module.variables.get(name).is_none_or(Variable::is_hidden);
    let entries = layers.iter().flat_map(|it| &it.entries);
    let entries = entries.filter(|(name, _)| is_hidden(name));
    let spans: Vec<Span> = entries.map(|(_, it)| it.given.span()).collect();
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
