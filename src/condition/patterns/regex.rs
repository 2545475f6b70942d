//! `can(regex("^a", var.x))`: a match is found in the value.

use crate::{
    condition::{
        Constraint, Region, Truth,
        context::{Context, call},
    },
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
    Some(match ecma(pattern_text) {
        Ok(text) => {
            let matches = Constraint::Matches(text);
            let when_false = Region::new(true, matches.clone().negated());
            Truth { when_true: Region::new(false, matches), when_false }
        }
        Err(reason) => Truth::unknown(reason, pattern.span),
    })
}

/// The pattern in ECMA-262 with the `u` flag.
fn ecma(pattern: &str) -> Result<String, String> {
    Ok(pattern.to_owned())
}
