//! Reads the argument `depends_on`.

use super::reader::BlockReader;
use hcl::{
    Expr, ExprKind,
    analysis::{Traversal, absolute_traversal, as_list},
    config::ConfigAttribute,
    parse_expression,
};

/// Reads a list of references, each to a whole object; a string is an old way to write one.
pub(super) fn read(
    reader: &mut BlockReader<'_>,
    argument: Option<&ConfigAttribute<'_>>,
) -> Vec<Expr> {
    let Some(argument) = argument else { return Vec::new() };
    let expr = reader.expression(argument);
    let Some(elements) = as_list(&expr) else {
        reader.error("Invalid expression", "A list of references is required here.", expr.span);
        return Vec::new();
    };
    let mut references = Vec::new();
    for element in elements {
        let element = &unquoted(element);
        match absolute_traversal(element) {
            Some(it) if is_value(&it) && it.steps.len() != 1 => {
                let detail = "It must name the whole variable or local, not a part of it.";
                reader.error("Invalid depends_on reference", detail, element.span);
            }
            Some(_) => references.push(element.clone()),
            None => {
                let detail = "A plain reference is required here.";
                reader.error("Invalid expression", detail, element.span);
            }
        }
    }
    references
}

/// The expression inside of a string.
fn unquoted(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::String(text) => {
            parse_expression(expr.span.file, text.as_bytes(), expr.span.start + 1).0
        }
        _ => expr.clone(),
    }
}

fn is_value(traversal: &Traversal) -> bool {
    matches!(traversal.root.name.as_str(), "var" | "local")
}
