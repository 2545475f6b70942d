//! `textDocument/semanticTokens/full`: what the words of a values file are.

use std::ops::Range;

use diagnostics::FileId;
use hcl::{Expr, ExprKind, Item, ObjectKey, analysis::as_map, comments, parse_body};
use lsp_types::{SemanticToken, SemanticTokens, SemanticTokensParams};
use serde_json::{Value, json};
use stack::guarded;

use super::{Answered, RequestContext};
use crate::{
    contract::{is_json, role},
    snapshot::Document,
    text::Encoding,
};
use check::FileRole;

/// The types of tokens, by number.
const TYPES: [&str; 6] = ["variable", "property", "string", "number", "keyword", "comment"];

#[derive(Clone, Copy, Debug)]
enum WordKind {
    Variable,
    Property,
    Text,
    Number,
    Keyword,
    Comment,
}

/// The meaning of the numbers in answers.
pub(super) fn legend() -> Value {
    json!({"tokenTypes": TYPES, "tokenModifiers": []})
}

pub(super) fn run(
    context: &RequestContext,
    params: &SemanticTokensParams,
) -> Answered<SemanticTokens> {
    let Some((path, document)) = context.document(&params.text_document.uri) else {
        return Ok(None);
    };
    if role(&path) != FileRole::Values || is_json(&path) {
        return Ok(None);
    }
    let bytes = document.text.text.as_bytes();
    let (body, _) = parse_body(FileId(0), bytes);
    let mut found = Vec::new();
    for item in &body.items {
        if let Item::Attribute(it) = item {
            found.push((it.name.span.range(), WordKind::Variable));
            of_value(&it.value, &mut found);
        }
    }
    found.extend(comments(bytes).comments.into_iter().map(|it| (it, WordKind::Comment)));
    found.sort_unstable_by_key(|it| it.0.start);
    let data = encoded(document, &found, context.snapshot.encoding);
    Ok(Some(SemanticTokens { result_id: None, data }))
}

fn of_value(value: &Expr, found: &mut Vec<(Range<usize>, WordKind)>) {
    let range = value.span.range();
    match &value.kind {
        ExprKind::String(_) => found.push((range, WordKind::Text)),
        ExprKind::Number(_) => found.push((range, WordKind::Number)),
        ExprKind::Bool(_) | ExprKind::Null => found.push((range, WordKind::Keyword)),
        ExprKind::Tuple(elements) => {
            elements.iter().for_each(|it| guarded(|| of_value(it, found)));
        }
        _ => {
            for it in as_map(value).unwrap_or_default() {
                match &it.key {
                    ObjectKey::Name(it) => found.push((it.span.range(), WordKind::Property)),
                    ObjectKey::Expr(it) => found.push((it.span.range(), WordKind::Property)),
                    ObjectKey::Template(_) => (),
                }
                guarded(|| of_value(&it.value, found));
            }
        }
    }
}

/// The tokens, each relative to the one before. A token of several lines is one for each line.
fn encoded(
    document: &Document,
    found: &[(Range<usize>, WordKind)],
    encoding: Encoding,
) -> Vec<SemanticToken> {
    let text = &document.text;
    let (mut data, mut line, mut character) = (Vec::with_capacity(found.len()), 0, 0);
    for (range, kind) in found {
        let mut start = range.start;
        for part in text.text[range.clone()].split_inclusive('\n') {
            let content = part.trim_end_matches(['\n', '\r']);
            let at = text.range(start..start + content.len(), encoding);
            start += part.len();
            if content.is_empty() || at.start.line != at.end.line {
                continue;
            }
            if at.start.line != line {
                character = 0;
            }
            let (from, length) = (at.start.character, at.end.character - at.start.character);
            data.push(SemanticToken {
                delta_line: at.start.line - line,
                delta_start: from - character,
                length,
                token_type: *kind as u32,
                token_modifiers_bitset: 0,
            });
            (line, character) = (at.start.line, from);
        }
    }
    data
}
