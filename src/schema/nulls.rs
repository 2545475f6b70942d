//! Attributes that may be written as null.
//!
//! Terraform treats a null for an optional attribute as if the attribute were absent. If every such
//! attribute accepted null, forms would offer it everywhere. So by default only those attributes accept
//! it, optional or not, that are null in the default of their own variable. A null element of a
//! collection is not an attribute, and stays refused. The option `nullable_all` extends this to all
//! optional attributes.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{Options, generate::are_defaults_hidden, property::shown_default};
use crate::{
    eval::Meter,
    module::{Module, Variable},
    sets::{Length, ValueSet},
    stack::guarded,
    value::{Content, Type, Value},
};

/// The meaning of an attribute's null.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
enum Null {
    /// The schema refuses it.
    #[default]
    Refused,
    /// It counts as if the attribute were absent.
    Absent,
    /// The attribute is not optional, so the rules' answer for its null is unknown here.
    Own,
}

/// The attributes inside a type that accept null.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Nulls {
    attributes: BTreeMap<SmolStr, (Null, Nulls)>,
    elements: Option<Box<Nulls>>,
}

impl Nulls {
    /// The nulls of the object of all inputs.
    pub fn of_module(module: &Module, options: &Options, meter: &Meter) -> Nulls {
        let mut out = Nulls::default();
        for variable in module.variables.values() {
            out.put(&variable.name, Null::Refused, Nulls::of_variable(variable, options, meter));
        }
        out
    }

    fn of_variable(variable: &Variable, options: &Options, meter: &Meter) -> Nulls {
        let ty = &variable.constraint.ty;
        let mut out = Nulls::default();
        if options.nullable_all {
            out.add_all(ty);
        } else if !options.null_defaults_refused && !are_defaults_hidden(variable, options) {
            shown_default(variable, meter).into_iter().for_each(|it| out.add(&it, ty));
        }
        out
    }

    fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.elements.is_none()
    }

    /// Adds every optional attribute.
    fn add_all(&mut self, ty: &Type) {
        guarded(|| match ty {
            Type::Object(object) => {
                for (name, ty) in &object.attributes {
                    let mut inner = Nulls::default();
                    inner.add_all(ty);
                    let is_optional = object.optional.contains(name);
                    let null = if is_optional { Null::Absent } else { Null::Refused };
                    self.put(name, null, inner);
                }
            }
            Type::Tuple(elements) => elements.iter().enumerate().for_each(|(index, ty)| {
                let mut inner = Nulls::default();
                inner.add_all(ty);
                self.put(&index.to_string().into(), Null::Refused, inner);
            }),
            _ => {
                let mut inner = Nulls::default();
                ty.element().into_iter().for_each(|it| inner.add_all(it));
                self.elements = (!inner.is_empty()).then(|| inner.into());
            }
        });
    }

    /// Adds every attribute that is null in the value.
    fn add(&mut self, value: &Value, ty: &Type) {
        guarded(|| match (ty, value.content()) {
            (Type::Object(object), Content::Mapping(members)) => {
                for (name, member) in members.iter() {
                    let Some(ty) = object.attributes.get(name) else { continue };
                    let mut inner = Nulls::default();
                    inner.add(member, ty);
                    let null = match member.is_null() {
                        true if object.optional.contains(name) => Null::Absent,
                        true => Null::Own,
                        false => Null::Refused,
                    };
                    self.put(name, null, inner);
                }
            }
            (Type::Tuple(types), Content::Sequence(elements)) => {
                for (index, (element, ty)) in elements.iter().zip(types.iter()).enumerate() {
                    let mut inner = Nulls::default();
                    inner.add(element, ty);
                    self.put(&index.to_string().into(), Null::Refused, inner);
                }
            }
            (_, Content::Sequence(elements)) => self.add_elements(elements.iter(), ty),
            (_, Content::Mapping(members)) => self.add_elements(members.values(), ty),
            _ => (),
        });
    }

    fn add_elements<'v>(&mut self, elements: impl Iterator<Item = &'v Value>, ty: &Type) {
        let Some(ty) = ty.element() else { return };
        let mut inner = Nulls::default();
        elements.for_each(|it| inner.add(it, ty));
        if !inner.is_empty() {
            self.elements = Some(inner.into());
        }
    }

    fn put(&mut self, name: &SmolStr, null: Null, inner: Nulls) {
        if null != Null::Refused || !inner.is_empty() {
            let old = self.attributes.entry(name.clone()).or_default();
            if null > old.0 {
                old.0 = null;
            }
            old.1.join(inner);
        }
    }

    fn join(&mut self, other: Nulls) {
        for (name, (null, inner)) in other.attributes {
            self.put(&name, null, inner);
        }
        match (&mut self.elements, other.elements) {
            (Some(one), Some(other)) => one.join(*other),
            (none @ None, other) => *none = other,
            (Some(_), None) => (),
        }
    }

    /// Whether the attribute accepts null.
    pub fn takes_null(&self, name: &str) -> bool {
        self.null(name) != Null::Refused
    }

    fn null(&self, name: &str) -> Null {
        self.attributes.get(name).map_or(Null::Refused, |it| it.0)
    }

    /// The nulls inside an attribute, or an element of a tuple.
    pub fn attribute(&self, name: &str) -> &Nulls {
        self.attributes.get(name).map_or(NONE, |it| &it.1)
    }

    /// The nulls inside each element of a collection.
    pub fn elements(&self) -> &Nulls {
        self.elements.as_deref().unwrap_or(NONE)
    }

    /// The set in a schema where these attributes accept null: null is a member if absence is one, or if
    /// nothing is known about it.
    pub fn admitted(&self, constraint: ValueSet) -> ValueSet {
        self.of(constraint, true)
    }

    /// With `wide`, unknown values are members; under a complement they must not be.
    fn of(&self, constraint: ValueSet, wide: bool) -> ValueSet {
        if self.is_empty() {
            return constraint;
        }
        let each = |them: Vec<ValueSet>| them.into_iter().map(|it| self.of(it, wide)).collect();
        let element = |it: ValueSet| Box::new(self.elements().of(it, wide));
        guarded(|| match constraint {
            ValueSet::Member { name, required, values } if self.elements.is_none() => {
                let values = self.attribute(&name).of(*values, wide);
                let is_in = match self.null(&name) {
                    Null::Refused => None,
                    Null::Absent => Some(!required),
                    Null::Own => Some(wide),
                };
                let values = match is_in {
                    None => values,
                    Some(true) => values.with_null(),
                    Some(false) => not_null(values),
                };
                ValueSet::Member { name, required, values: values.into() }
            }
            ValueSet::Member { name, required, values } => {
                ValueSet::Member { name, required, values: element(*values) }
            }
            ValueSet::Place { index, required, values } if self.elements.is_none() => {
                let values = self.attribute(&index.to_string()).of(*values, wide);
                ValueSet::Place { index, required, values: values.into() }
            }
            ValueSet::Place { index, required, values } => {
                ValueSet::Place { index, required, values: element(*values) }
            }
            ValueSet::Items(inner) => ValueSet::Items(element(*inner)),
            ValueSet::ItemsFrom(index, inner) => ValueSet::ItemsFrom(index, element(*inner)),
            ValueSet::SomeItem(inner) => ValueSet::SomeItem(element(*inner)),
            ValueSet::Count(length, inner) => {
                // "At most n elements of a larger set" is a smaller set.
                let most = self.elements().of((*inner).clone(), !wide);
                let least = self.elements().of(*inner, wide);
                let count = |length, inner| ValueSet::Count(length, Box::new(inner));
                if least == most {
                    return count(length, least);
                }
                let Length { min, max } = length;
                ValueSet::all([
                    min.map_or(ValueSet::Anything, |_| count(Length { min, max: None }, least)),
                    max.map_or(ValueSet::Anything, |_| count(Length { min: None, max }, most)),
                ])
            }
            ValueSet::Values(inner) => ValueSet::Values(element(*inner)),
            ValueSet::ValuesBeside(names, inner) => ValueSet::ValuesBeside(names, element(*inner)),
            ValueSet::ValuesMatching(pattern, inner) => {
                ValueSet::ValuesMatching(pattern, element(*inner))
            }
            ValueSet::Not(inner) => ValueSet::Not(Box::new(self.of(*inner, !wide))),
            ValueSet::All(parts) => ValueSet::All(each(parts)),
            ValueSet::Either(parts) => ValueSet::Either(each(parts)),
            other => other,
        })
    }
}

const NONE: &Nulls = &Nulls { attributes: BTreeMap::new(), elements: None };

fn not_null(values: ValueSet) -> ValueSet {
    if !values.accepts_null() {
        return values;
    }
    let null = ValueSet::OneOf(vec![Value::null(Type::Dynamic)]);
    ValueSet::all([values, null.negated()])
}
