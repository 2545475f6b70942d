//! `textDocument/references`: every place of a variable.

use lsp_types::{Location, ReferenceParams};

use super::{Answered, RequestContext};
use crate::symbol::Use;

pub(super) fn run(context: &RequestContext, params: &ReferenceParams) -> Answered<Vec<Location>> {
    let is_wanted = |it: Use| params.context.include_declaration || it != Use::Declaration;
    Ok(context.look_at(&params.text_document_position_params, |view| {
        let symbol = view.symbol()?;
        let found = view.occurrences(&symbol).ok()?;
        let mut files = view.files();
        let wanted = found.iter().filter(|it| is_wanted(it.role));
        Some(wanted.map(|it| view.occurrence(it, &mut files)).collect())
    }))
}
