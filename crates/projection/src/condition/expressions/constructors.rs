//! `[…]` and `{…}`.

use std::rc::Rc;

use smol_str::SmolStr;

use crate::{
    condition::{
        context::Context,
        symbolic::{Cases, Sequence, Term},
    },
    sets::Reason,
};
use diagnostics::Span;
use hcl::{Expr, ObjectItem, ObjectKey};
use tf_value::Value;

pub fn tuple<'m>(elements: &'m [Expr], context: &Context<'m>) -> Cases<'m> {
    let elements: Vec<Cases<'m>> = elements.iter().map(|it| super::cases(it, context)).collect();
    let constants: Option<Vec<Value>> =
        elements.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(values) = constants {
        return Cases::constant(Value::tuple(values));
    }
    Cases::one(Term::Sequence(Rc::new(Sequence::written(elements))))
}

pub fn object<'m>(items: &'m [ObjectItem], span: Span, context: &Context<'m>) -> Cases<'m> {
    let mut members: Vec<(SmolStr, Cases<'m>)> = Vec::new();
    let takes_once = items.iter().any(|it| matches!(it.key, ObjectKey::Template(_)));
    for item in items {
        let name = match &item.key {
            ObjectKey::Name(name) => Some(name.name.clone()),
            ObjectKey::Expr(key) | ObjectKey::Template(key) => {
                super::cases(key, context).as_constant().and_then(|it| it.as_str().map(Into::into))
            }
        };
        let Some(name) = name else { return Cases::unknown(Reason::ComputedKey, span) };
        let before = members.len();
        members.retain(|(other, _)| *other != name);
        if takes_once && members.len() < before {
            return Cases::failure();
        }
        members.push((name, super::cases(&item.value, context)));
    }
    members.sort_by(|a, b| a.0.cmp(&b.0));
    let constants: Option<_> =
        members.iter().map(|(name, it)| Some((name.clone(), it.as_constant()?.clone()))).collect();
    match constants {
        Some(constants) => Cases::constant(Value::object(constants)),
        None => Cases::one(Term::Object(Rc::new(members))),
    }
}
