//! `"${…}"`: templates.

use smol_str::SmolStr;

use super::literal;
use crate::condition::{
    context::Context,
    symbolic::{
        Cases, Term,
        views::{Affix, View},
    },
};
use hcl::{Expr, TemplatePart};
use tf_value::Type;

/// A template: a constant, or texts around one string.
pub fn template<'m>(parts: &'m [TemplatePart], expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    let whole = literal::folded(expr, context);
    if whole.as_constant().is_some() {
        return whole;
    }
    let text = |it: &'m TemplatePart| match it {
        TemplatePart::Literal { text, .. } => Some(text.clone()),
        _ => None,
    };
    let (before, inner, after) = match parts {
        [TemplatePart::Interpolation(it), after] => (Some(SmolStr::default()), it, text(after)),
        [before, TemplatePart::Interpolation(it)] => (text(before), it, Some(SmolStr::default())),
        [before, TemplatePart::Interpolation(it), after] => (text(before), it, text(after)),
        _ => return whole,
    };
    let (Some(before), Some(after)) = (before, after) else { return whole };
    let inner = super::cases(inner, context);
    let is_string = |term: &Term<'m>| matches!(term, Term::Place(it) if it.ty == Type::String);
    if !inner.list.iter().all(|(_, it)| is_string(it)) {
        return whole;
    }
    let affix = Affix::Around { before, after };
    inner.map(|term| match term {
        Term::Place(place) => Cases::one(Term::Place(place.seen(View::Affix(affix.clone())))),
        other => Cases::one(other.clone()),
    })
}
