//! Steps into types.

use super::site::Link;
use tf_value::{
    Type, Value,
    typeexpr::{Constraint, Defaults},
};

/// What a type says about one place in a value.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub ty: Type,
    pub defaults: Option<Defaults>,
    pub is_optional: bool,
    /// The default of an optional attribute.
    pub default: Option<Value>,
}

/// The place that some steps lead to; `None` where the type has no such place.
pub(crate) fn attribute(constraint: &Constraint, links: &[Link]) -> Option<Attribute> {
    let mut at = Attribute {
        ty: constraint.ty.clone(),
        defaults: constraint.defaults.clone(),
        is_optional: false,
        default: None,
    };
    for link in links {
        at = inner(&at, link)?;
    }
    Some(at)
}

fn inner(at: &Attribute, link: &Link) -> Option<Attribute> {
    let child = |key: &str| at.defaults.as_ref()?.children.get(key).cloned();
    let of = |ty: &Type, key: &str| Attribute {
        ty: ty.clone(),
        defaults: child(key),
        is_optional: false,
        default: None,
    };
    match (&at.ty, link) {
        (Type::Object(object), Link::Key(name)) => {
            let ty = object.attributes.get(name.as_str())?;
            let default = at.defaults.as_ref().and_then(|it| it.values.get(name.as_str()).cloned());
            let is_optional = object.optional.contains(name.as_str());
            Some(Attribute { is_optional, default, ..of(ty, name) })
        }
        (Type::Map(element), Link::Key(_))
        | (Type::List(element) | Type::Set(element), Link::Index(_)) => Some(of(element, "")),
        (Type::Tuple(tuple), Link::Index(index)) => {
            Some(of(tuple.get(*index)?, &index.to_string()))
        }
        _ => None,
    }
}
