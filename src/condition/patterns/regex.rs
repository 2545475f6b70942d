//! `can(regex("^a", var.x))`: a match is found in the value.

use crate::{
    condition::{
        Constraint, Region, Truth,
        context::{Context, call},
    },
    re2::ecma,
    syntax::Expr,
    value::Type,
};

pub fn recognise(expr: &Expr, context: Context<'_>) -> Option<Truth> {
    let [inner] = call(expr, "can")?;
    let [pattern, text] = call(inner, "regex")?;
    if !context.is_subject(text) {
        return None;
    }
    if *context.ty() != Type::String {
        return Some(Truth::unknown(
            "a regular expression over a value converted to string",
            expr.span,
        ));
    }
    let constant = context.constant(pattern);
    let Some(pattern_text) = constant.as_ref().and_then(|it| it.as_str()) else {
        return Some(Truth::unknown("a pattern that is no constant", pattern.span));
    };
    Some(match ecma::translate(pattern_text) {
        Ok(translation) => {
            let matches = Constraint::Matches(translation.pattern);
            let when_false = Region::new(true, matches.clone().negated());
            Truth { when_true: Region::new(false, matches), when_false }
        }
        Err(reason) => {
            let reason = format!("a pattern that cannot be said in a schema ({reason})");
            Truth::unknown(reason, pattern.span)
        }
    })
}
