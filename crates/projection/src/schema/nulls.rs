//! Attributes and elements that may be written as null.
//!
//! Terraform treats a null for an optional attribute as if the attribute were absent. If every such attribute
//! accepted null, forms would offer it everywhere. So by default only two kinds of values accept it:
//! attributes, optional or not, that are null in the variable's own default or in an attribute's default, and
//! the elements of a collection or tuple that has a null element there. The option `nullable_all` extends this
//! to all optional attributes.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{SchemaOptions, generate::are_defaults_hidden, property::shown_default};
use crate::sets::ValueSet;
use module::{Module, Variable};
use stack::guarded;
use tf_eval::Meter;
use tf_value::{Type, Value, ValueContent, typeexpr::Defaults};

/// The attributes and elements inside a type that accept null. The elements of a tuple are attributes here,
/// named by their index.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Nulls {
    attributes: BTreeMap<SmolStr, Inside>,
    elements: Option<Box<Inside>>,
}

/// Whether an attribute or an element accepts null, and what inside of it does.
#[derive(Clone, Debug, Default, PartialEq)]
struct Inside {
    is_null: bool,
    inner: Nulls,
}

impl Nulls {
    /// The nulls of the object of all inputs.
    pub fn of_module(module: &Module, options: &SchemaOptions, meter: &Meter) -> Nulls {
        let mut out = Nulls::default();
        for variable in module.variables.values() {
            out.put(&variable.name, false, Nulls::of_variable(variable, options, meter));
        }
        out
    }

    fn of_variable(variable: &Variable, options: &SchemaOptions, meter: &Meter) -> Nulls {
        let ty = &variable.constraint.ty;
        let mut out = Nulls::default();
        if options.nullable_all {
            out.add_all(variable.type_with_null_attributes());
        }
        if !options.null_defaults_refused && !are_defaults_hidden(variable, options) {
            shown_default(variable, meter).into_iter().for_each(|it| out.add(&it, ty));
            out.add_defaults(ty, variable.constraint.defaults.as_ref());
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
                    self.put(name, object.optional.contains(name), inner);
                }
            }
            Type::Tuple(elements) => elements.iter().enumerate().for_each(|(index, ty)| {
                let mut inner = Nulls::default();
                inner.add_all(ty);
                self.put(&index.to_string().into(), false, inner);
            }),
            _ => {
                let mut inner = Nulls::default();
                ty.element().into_iter().for_each(|it| inner.add_all(it));
                self.put_elements(false, inner);
            }
        });
    }

    /// Adds every attribute and element that is null in a default of an attribute.
    fn add_defaults(&mut self, ty: &Type, defaults: Option<&Defaults>) {
        let Some(defaults) = defaults else { return };
        let of_child = |ty: &Type, name: &str| {
            let mut inner = Nulls::default();
            inner.add_defaults(ty, defaults.children.get(name));
            inner
        };
        guarded(|| match ty {
            Type::Object(object) => {
                for (name, ty) in &object.attributes {
                    let mut inner = of_child(ty, name);
                    defaults.written.get(name).into_iter().for_each(|it| inner.add(it, ty));
                    self.put(name, false, inner);
                }
            }
            Type::Tuple(types) => types.iter().enumerate().for_each(|(index, ty)| {
                let name: SmolStr = index.to_string().into();
                self.put(&name, false, of_child(ty, &name));
            }),
            _ => {
                if let Some(ty) = ty.element() {
                    self.put_elements(false, of_child(ty, ""));
                }
            }
        });
    }

    /// Adds every attribute and element that is null in the value.
    fn add(&mut self, value: &Value, ty: &Type) {
        guarded(|| match (ty, value.content()) {
            (Type::Object(object), ValueContent::Mapping(members)) => {
                for (name, member) in members.iter() {
                    let Some(ty) = object.attributes.get(name) else { continue };
                    let mut inner = Nulls::default();
                    inner.add(member, ty);
                    self.put(name, member.is_null(), inner);
                }
            }
            (Type::Tuple(types), ValueContent::Sequence(elements)) => {
                for (index, (element, ty)) in elements.iter().zip(types.iter()).enumerate() {
                    let mut inner = Nulls::default();
                    inner.add(element, ty);
                    self.put(&index.to_string().into(), element.is_null(), inner);
                }
            }
            (_, ValueContent::Sequence(elements)) => self.add_elements(elements.iter(), ty),
            (_, ValueContent::Mapping(members)) => self.add_elements(members.values(), ty),
            _ => (),
        });
    }

    fn add_elements<'v>(&mut self, elements: impl Iterator<Item = &'v Value>, ty: &Type) {
        let Some(ty) = ty.element() else { return };
        for element in elements {
            let mut inner = Nulls::default();
            inner.add(element, ty);
            self.put_elements(element.is_null(), inner);
        }
    }

    fn put_elements(&mut self, is_null: bool, inner: Nulls) {
        if is_null || !inner.is_empty() {
            self.elements.get_or_insert_default().join(is_null, inner);
        }
    }

    fn put(&mut self, name: &SmolStr, is_null: bool, inner: Nulls) {
        if is_null || !inner.is_empty() {
            self.attributes.entry(name.clone()).or_default().join(is_null, inner);
        }
    }

    /// Whether the attribute accepts null, or the element of a tuple.
    pub fn takes_null(&self, name: &str) -> bool {
        self.attributes.get(name).is_some_and(|it| it.is_null)
    }

    /// Whether each element of a collection accepts null.
    pub fn elements_take_null(&self) -> bool {
        self.elements.as_ref().is_some_and(|it| it.is_null)
    }

    /// The nulls inside an attribute, or an element of a tuple.
    pub fn attribute(&self, name: &str) -> &Nulls {
        self.attributes.get(name).map_or(NONE, |it| &it.inner)
    }

    /// The nulls inside each element of a collection.
    pub fn elements(&self) -> &Nulls {
        self.elements.as_ref().map_or(NONE, |it| &it.inner)
    }

    /// The set in a schema where these attributes accept null: null is a member if absence is one. No set is
    /// about a variable with a null element (`condition` does not translate such rules).
    pub fn admitted(&self, constraint: ValueSet) -> ValueSet {
        if self.is_empty() {
            return constraint;
        }
        let each = |them: Vec<ValueSet>| them.into_iter().map(|it| self.admitted(it)).collect();
        let element = |it: ValueSet| Box::new(self.elements().admitted(it));
        guarded(|| match constraint {
            ValueSet::Member { name, required, values } if self.elements.is_none() => {
                let values = self.attribute(&name).admitted(*values);
                let takes_null = self.takes_null(&name);
                let values = if takes_null { values.with_null_if(!required) } else { values };
                ValueSet::Member { name, required, values: values.into() }
            }
            ValueSet::Member { name, required, values } => {
                ValueSet::Member { name, required, values: element(*values) }
            }
            ValueSet::Place { index, required, values } if self.elements.is_none() => {
                let values = self.attribute(&index.to_string()).admitted(*values);
                ValueSet::Place { index, required, values: values.into() }
            }
            ValueSet::Place { index, required, values } => {
                ValueSet::Place { index, required, values: element(*values) }
            }
            ValueSet::Items(inner) => ValueSet::Items(element(*inner)),
            ValueSet::ItemsFrom(index, inner) => ValueSet::ItemsFrom(index, element(*inner)),
            ValueSet::SomeItem(inner) => ValueSet::SomeItem(element(*inner)),
            ValueSet::Count(length, inner) => ValueSet::Count(length, element(*inner)),
            ValueSet::Values(inner) => ValueSet::Values(element(*inner)),
            ValueSet::ValuesBeside(names, inner) => ValueSet::ValuesBeside(names, element(*inner)),
            ValueSet::ValuesMatching(pattern, inner) => {
                ValueSet::ValuesMatching(pattern, element(*inner))
            }
            ValueSet::Not(inner) => ValueSet::Not(Box::new(self.admitted(*inner))),
            ValueSet::All(parts) => ValueSet::All(each(parts)),
            ValueSet::Either(parts) => ValueSet::Either(each(parts)),
            other => other,
        })
    }
}

impl Inside {
    fn join(&mut self, is_null: bool, other: Nulls) {
        self.is_null |= is_null;
        for (name, place) in other.attributes {
            self.inner.put(&name, place.is_null, place.inner);
        }
        if let Some(elements) = other.elements {
            self.inner.put_elements(elements.is_null, elements.inner);
        }
    }
}

const NONE: &Nulls = &Nulls { attributes: BTreeMap::new(), elements: None };
