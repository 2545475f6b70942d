//! `textDocument/semanticTokens/full`: what the words of a values file are.

use std::ops::Range;

use hcl::{Expr, ExprKind, Item, ObjectKey, analysis::as_map, comments};
use lsp_types::{SemanticToken, SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams};
use serde_json::{Value, json};
use stack::guarded;

use super::{Answered, LONGEST_JUDGED, RequestContext};
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
    // Of a text with so many words those that are seen are enough, for a client that can ask for them.
    let is_long = document.text.text.len() > LONGEST_JUDGED;
    if role(&path) != FileRole::Values
        || is_json(&path)
        || is_long && context.snapshot.can_ask_for_ranges
    {
        return Ok(None);
    }
    Ok(Some(of_bytes(context, document, 0..document.text.text.len())))
}

pub(super) fn of_range(
    context: &RequestContext,
    params: &SemanticTokensRangeParams,
) -> Answered<SemanticTokens> {
    let Some((path, document)) = context.document(&params.text_document.uri) else {
        return Ok(None);
    };
    if role(&path) != FileRole::Values || is_json(&path) {
        return Ok(None);
    }
    let bytes = document.text.bytes(params.range, context.snapshot.encoding);
    Ok(Some(of_bytes(context, document, bytes)))
}

/// The tokens that touch these bytes.
fn of_bytes(context: &RequestContext, document: &Document, bytes: Range<usize>) -> SemanticTokens {
    let mut words = Words { bytes, found: Vec::new() };
    for item in &document.text.body().items {
        if let Item::Attribute(it) = item {
            words.add(&it.name.span.range(), WordKind::Variable);
            words.add_value(&it.value);
        }
    }
    for it in comments(document.text.text.as_bytes()).comments {
        words.add(&it, WordKind::Comment);
    }
    words.found.sort_unstable_by_key(|it| it.0.start);
    let data = encoded(document, &words.found, context.snapshot.encoding);
    SemanticTokens { result_id: None, data }
}

/// The words that touch some bytes.
struct Words {
    bytes: Range<usize>,
    found: Vec<(Range<usize>, WordKind)>,
}

impl Words {
    fn touches(&self, range: &Range<usize>) -> bool {
        range.start < self.bytes.end && self.bytes.start < range.end
    }

    fn add(&mut self, range: &Range<usize>, kind: WordKind) {
        if self.touches(range) {
            self.found.push((range.clone(), kind));
        }
    }

    fn add_value(&mut self, value: &Expr) {
        let range = value.span.range();
        if !self.touches(&range) {
            return;
        }
        match &value.kind {
            ExprKind::String(_) => self.add(&range, WordKind::Text),
            ExprKind::Number(_) => self.add(&range, WordKind::Number),
            ExprKind::Bool(_) | ExprKind::Null => self.add(&range, WordKind::Keyword),
            ExprKind::Tuple(elements) => {
                elements.iter().for_each(|it| guarded(|| self.add_value(it)));
            }
            _ => {
                for it in as_map(value).unwrap_or_default() {
                    match &it.key {
                        ObjectKey::Name(it) => self.add(&it.span.range(), WordKind::Property),
                        ObjectKey::Expr(it) => self.add(&it.span.range(), WordKind::Property),
                        ObjectKey::Template(_) => (),
                    }
                    guarded(|| self.add_value(&it.value));
                }
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
