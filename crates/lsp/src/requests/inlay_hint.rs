//! `textDocument/inlayHint`: the defaults of attributes that an object leaves out.

use std::ops::Range;

use hcl::{Expr, ExprKind, Item, ObjectKey, analysis::as_map};
use lsp_types::{InlayHint, InlayHintParams, Label, Tooltip};
use stack::guarded;
use tf_value::{
    Type,
    typeexpr::{Constraint, value_source},
};

use super::{Answered, RequestContext, View};
use crate::{
    contract::{is_json, role},
    site::Link,
    types::attribute,
};
use check::FileRole;
use module::Variable;

/// The longest default that is shown, in bytes.
const LONGEST: usize = 30;

pub(super) fn run(context: &RequestContext, params: &InlayHintParams) -> Answered<Vec<InlayHint>> {
    Ok(context.look(&params.text_document.uri, params.range.start, |view| {
        if role(view.path) != FileRole::Values || is_json(view.path) {
            return None;
        }
        let contract = view.modules.of_values(view.path)?;
        let shown = view.document.text.bytes(params.range, context.snapshot.encoding);
        let mut hints = Vec::new();
        for item in &view.document.text.body().items {
            if let Item::Attribute(it) = item
                && let Some(variable) = contract.module.variables.get(&it.name.name)
                && !variable.is_hidden()
            {
                of_value(view, &shown, variable, &it.value, &mut Vec::new(), &mut hints);
            }
        }
        let (start, end) = (params.range.start.line, params.range.end.line);
        hints.retain(|it: &InlayHint| (start..=end).contains(&it.position.line));
        Some(hints)
    }))
}

/// The hints of a value at a place in a variable that are in the bytes of the text which are shown.
fn of_value(
    view: &View<'_>,
    shown: &Range<usize>,
    variable: &Variable,
    value: &Expr,
    links: &mut Vec<Link>,
    hints: &mut Vec<InlayHint>,
) {
    let bytes = value.span.range();
    if bytes.end < shown.start || shown.end < bytes.start {
        return;
    }
    if let ExprKind::Tuple(elements) = &value.kind {
        for (at, it) in elements.iter().enumerate() {
            links.push(Link::Index(at));
            guarded(|| of_value(view, shown, variable, it, links, hints));
            links.pop();
        }
        return;
    }
    let Some(items) = as_map(value) else { return };
    let mut written = Vec::new();
    for it in items {
        let name = match &it.key {
            ObjectKey::Name(it) => it.name.clone(),
            ObjectKey::Expr(Expr { kind: ExprKind::String(text), .. }) => text.clone(),
            // A computed key may be any of them.
            _ => return,
        };
        links.push(Link::Key(name.to_string()));
        guarded(|| of_value(view, shown, variable, &it.value, links, hints));
        links.pop();
        written.push(name);
    }
    let defaults = left_out(&variable.constraint, links, &written);
    let end = value.span.end as usize;
    if defaults.is_empty() || !view.text().get(..end).is_some_and(|it| it.ends_with('}')) {
        return;
    }
    let position = view.range(end - 1..end).start;
    hints.push(InlayHint {
        position,
        label: Label::String(defaults.join(", ")),
        kind: None,
        text_edits: None,
        tooltip: Some(Tooltip::String("Defaults of attributes that are left out".to_owned())),
        padding_left: Some(true),
        padding_right: Some(true),
        data: None,
    });
}

/// The defaults of optional attributes without a value, as they would be written.
fn left_out(constraint: &Constraint, links: &[Link], written: &[smol_str::SmolStr]) -> Vec<String> {
    let Some(place) = attribute(constraint, links) else { return Vec::new() };
    let (Type::Object(object), Some(defaults)) = (&place.ty, &place.defaults) else {
        return Vec::new();
    };
    let free = object.attributes.keys().filter(|it| !written.contains(it));
    let defaults = free.filter_map(|name| {
        let source = value_source(defaults.values.get(name).filter(|it| !it.is_null())?);
        (source.len() <= LONGEST).then(|| format!("{name} = {source}"))
    });
    defaults.collect()
}
