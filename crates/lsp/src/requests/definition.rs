//! `textDocument/definition`: the declaration of a variable, or of an attribute of its type.

use lsp_types::{DefinitionParams, Location};

use super::{Answered, RequestContext, View};
use crate::{site::Link, symbol::Symbol};
use diagnostics::{FileId, Span};
use hcl::{
    Expr, ExprKind, Item, ObjectKey,
    analysis::{as_call, as_map},
    parse_body,
};

pub(super) fn run(context: &RequestContext, params: &DefinitionParams) -> Answered<Location> {
    Ok(context.look_at(&params.text_document_position_params, |view| {
        let symbol = view.symbol()?;
        let contract = view.modules.read(&symbol.dir)?;
        let variable = contract.module.variables.get(&symbol.name)?;
        let whole = view.location(&contract, variable.name_span);
        Some(attribute(view, &symbol, variable.type_span, &contract).unwrap_or(whole))
    }))
}

/// The place of the attribute in the type that a symbol leads to.
fn attribute(
    view: &View<'_>,
    symbol: &Symbol,
    type_span: Option<Span>,
    contract: &crate::contract::Contract,
) -> Option<Location> {
    if symbol.links.is_empty() {
        return None;
    }
    let span = type_span?;
    let file = contract.module.sources.file(span.file);
    let (body, _) = parse_body(FileId(0), &file.bytes);
    let ty = body.items.iter().find_map(|item| match item {
        Item::Block(block) => block.body.items.iter().find_map(|item| match item {
            Item::Attribute(it) if it.value.span.range() == span.range() => Some(&it.value),
            _ => None,
        }),
        Item::Attribute(_) => None,
    })?;
    let place = key_of(ty, &symbol.links)?;
    Some(view.location(contract, Span { file: span.file, ..place }))
}

/// The key in a type expression that steps into a value lead to; the nearest one on the way, if the last step is not
/// an attribute.
fn key_of(ty: &Expr, links: &[Link]) -> Option<Span> {
    let (mut ty, mut found) = (ty, None);
    for link in links {
        ty = without_optional(ty);
        let call = as_call(ty)?;
        match (call.name.name.as_str(), link) {
            ("object", Link::Key(name)) => {
                let items = as_map(call.args.first()?)?;
                let item = items.iter().find(|it| match &it.key {
                    ObjectKey::Name(it) => it.name == *name,
                    ObjectKey::Expr(it) | ObjectKey::Template(it) => {
                        matches!(&it.kind, ExprKind::String(text) if text == name)
                    }
                })?;
                found = match &item.key {
                    ObjectKey::Name(it) => Some(it.span),
                    ObjectKey::Expr(it) | ObjectKey::Template(it) => Some(it.span),
                };
                ty = &item.value;
            }
            ("list" | "set" | "map", _) => ty = call.args.first()?,
            _ => return found,
        }
    }
    found
}

fn without_optional(ty: &Expr) -> &Expr {
    match as_call(ty) {
        Some(it) if it.name.name == "optional" => it.args.first().unwrap_or(ty),
        _ => ty,
    }
}
