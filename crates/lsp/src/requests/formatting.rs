//! `textDocument/formatting`: a values file, or a file of ours, as `terraform fmt` writes it.

use lsp_types::{DocumentFormattingParams, TextEdit};

use super::{Answered, RequestContext};
use crate::{
    contract::{is_json, role},
    snapshot::is_ours,
    text::difference,
};
use check::FileRole;

pub(super) fn run(
    context: &RequestContext,
    params: &DocumentFormattingParams,
) -> Answered<Vec<TextEdit>> {
    let Some((path, document)) = context.document(&params.text_document.uri) else {
        return Ok(None);
    };
    let is_written_by_hand = match role(&path) {
        FileRole::Values => !is_json(&path),
        FileRole::Source => false,
        FileRole::Other => is_ours(&path),
    };
    if !is_written_by_hand {
        return Ok(None);
    }
    let new = hcl::formatted(document.text.text.as_bytes());
    let edit = new.map(|it| difference(&document.text, &it, context.snapshot.encoding));
    Ok(edit.map(|it| it.into_iter().collect()))
}
