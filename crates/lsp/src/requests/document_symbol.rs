//! `textDocument/documentSymbol`: the keys of a values file.

use diagnostics::Span;
use hcl::{Expr, ExprKind, Item, ObjectKey, analysis::as_map, json};
use lsp_types::{DocumentSymbol, DocumentSymbolParams, SymbolKind};
use stack::guarded;

use super::{Answered, RequestContext};
use crate::{
    contract::{is_json, role},
    snapshot::Document,
    text::Encoding,
};
use check::FileRole;

/// The most levels of symbols.
const LEVELS: usize = 6;

/// A document and the encoding of its positions.
struct Outline<'a> {
    document: &'a Document,
    encoding: Encoding,
}

pub(super) fn run(
    context: &RequestContext,
    params: &DocumentSymbolParams,
) -> Answered<Vec<DocumentSymbol>> {
    let Some((path, document)) = context.document(&params.text_document.uri) else {
        return Ok(None);
    };
    if role(&path) != FileRole::Values {
        return Ok(None);
    }
    let outline = Outline { document, encoding: context.snapshot.encoding };
    let symbols = if is_json(&path) {
        outline.of_json(document.text.json(), LEVELS)
    } else {
        let attributes = document.text.body().items.iter().filter_map(|it| match it {
            Item::Attribute(it) => Some(it),
            Item::Block(_) => None,
        });
        let symbol = |it: &hcl::Attribute| {
            let children = outline.of_value(&it.value, LEVELS);
            outline.symbol(&it.name.name, it.name.span, it.span, kind(&it.value), children)
        };
        attributes.map(symbol).collect()
    };
    Ok(Some(symbols))
}

impl Outline<'_> {
    #[allow(deprecated, reason = "the type has a field that nobody uses")]
    fn symbol(
        &self,
        name: &str,
        at: Span,
        whole: Span,
        kind: SymbolKind,
        children: Vec<DocumentSymbol>,
    ) -> DocumentSymbol {
        let range = |it: Span| self.document.text.range(it.range(), self.encoding);
        // Clients refuse an empty name.
        let name = if name.trim().is_empty() { "\"\"" } else { name };
        DocumentSymbol {
            name: name.to_owned(),
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range: range(whole),
            selection_range: range(at),
            children: (!children.is_empty()).then_some(children),
        }
    }

    fn of_value(&self, value: &Expr, levels: usize) -> Vec<DocumentSymbol> {
        let (Some(items), true) = (as_map(value), levels > 0) else { return Vec::new() };
        let symbols = items.iter().filter_map(|it| {
            let (name, at) = match &it.key {
                ObjectKey::Name(it) => (it.name.clone(), it.span),
                ObjectKey::Expr(Expr { kind: ExprKind::String(text), span }) => {
                    (text.clone(), *span)
                }
                _ => return None,
            };
            let children = guarded(|| self.of_value(&it.value, levels - 1));
            Some(self.symbol(&name, at, at.to(it.value.span), kind(&it.value), children))
        });
        symbols.collect()
    }

    fn of_json(&self, value: &json::JsonValue, levels: usize) -> Vec<DocumentSymbol> {
        let (Some(members), true) = (value.members(), levels > 0) else { return Vec::new() };
        let symbol = |it: &json::JsonMember| {
            let kind = match &it.value.kind {
                json::ValueKind::Object(_) => SymbolKind::Object,
                json::ValueKind::Array(_) => SymbolKind::Array,
                json::ValueKind::Number(_) => SymbolKind::Number,
                json::ValueKind::Bool(_) => SymbolKind::Boolean,
                json::ValueKind::Null => SymbolKind::Null,
                _ => SymbolKind::String,
            };
            let children = guarded(|| self.of_json(&it.value, levels - 1));
            self.symbol(&it.key, it.key_span, it.key_span.to(it.value.span), kind, children)
        };
        members.iter().map(symbol).collect()
    }
}

fn kind(value: &Expr) -> SymbolKind {
    match &value.kind {
        ExprKind::Number(_) | ExprKind::Unary { .. } => SymbolKind::Number,
        ExprKind::Bool(_) => SymbolKind::Boolean,
        ExprKind::Null => SymbolKind::Null,
        ExprKind::Tuple(_) => SymbolKind::Array,
        ExprKind::Object(_) => SymbolKind::Object,
        _ => SymbolKind::String,
    }
}
