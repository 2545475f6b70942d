//! `textDocument/foldingRange`: brackets over several lines, in values files.

use lsp_types::{FoldingRange, FoldingRangeParams};

use super::{Answered, RequestContext};
use crate::{
    contract::{is_json, role},
    site::brackets,
};
use check::FileRole;

pub(super) fn run(
    context: &RequestContext,
    params: &FoldingRangeParams,
) -> Answered<Vec<FoldingRange>> {
    let Some((path, document)) = context.document(&params.text_document.uri) else {
        return Ok(None);
    };
    // Others fold modules, and blocks there have their own rules.
    if role(&path) != FileRole::Values {
        return Ok(None);
    }
    let pairs = brackets(&document.text.text, is_json(&path));
    let line = |at: usize| document.text.position(at, context.snapshot.encoding).line;
    let lines = pairs.iter().map(|it| (line(it.start), line(it.end)));
    // The line of the closing bracket stays, as editors do it.
    let folds = lines.filter(|(start, end)| start + 1 < *end).map(|(start_line, end)| {
        FoldingRange { start_line, end_line: end - 1, ..FoldingRange::default() }
    });
    Ok(Some(folds.collect()))
}
