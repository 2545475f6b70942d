//! `contains(["a", "b"], var.x)`: the value is one of constants.

use super::equality;
use crate::{
    condition::{
        Truth,
        context::{Context, bare, call},
    },
    syntax::{Expr, ExprKind},
    value::Value,
};

pub fn recognise(expr: &Expr, context: Context<'_>) -> Option<Truth> {
    let [list, needle] = call(expr, "contains")?;
    if !context.is_subject(needle) {
        return None;
    }
    let Some(elements) = elements(list, context) else {
        return Some(Truth::unknown("a list that is no constant", list.span));
    };
    let members = elements.iter().map(|it| equality::equals(it, list, context));
    let mut truth = members.fold(Truth::constant(false), Truth::or);
    // The function takes no null.
    truth.when_true.null = false;
    truth.when_false.null = false;
    Some(truth)
}

fn elements(list: &Expr, context: Context<'_>) -> Option<Vec<Value>> {
    if let ExprKind::Tuple(elements) = &bare(list).kind {
        return elements.iter().map(|it| context.constant(it)).collect();
    }
    Some(context.constant(list)?.as_sequence()?.to_vec())
}
