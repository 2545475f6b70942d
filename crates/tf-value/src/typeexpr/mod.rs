//! Type constraints: `object({ a = optional(string, "x") })`, `any`, legacy types, and defaults.
//!
//! An expression goes in; a [`Constraint`] comes out: a type, and the defaults of its optional
//! attributes. They are kept apart because Terraform fills defaults in before it converts a value.

mod defaults;
mod parse;
mod source;

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::{ConvertError, Type, Value, convert};

pub use parse::{Fold, parse_modern_type, parse_type};
pub use source::{type_source, value_source};

/// A declared type: the constraint and the defaults of its optional attributes. For example: `object({ a
/// = optional(string, "x") })` has the type `object({ a = optional(string) })` and the default "x" for
/// `a`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// `Dynamic` for `any`; optional attributes are named in `ObjectType::optional`.
    pub ty: Type,
    pub defaults: Option<Defaults>,
}

/// The defaults of optional attributes in one place of a type, and below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// Attribute name to its default, converted to the attribute's type and complete with the
    /// defaults further in.
    pub values: BTreeMap<SmolStr, Value>,
    /// The same defaults as written, not converted, for display.
    pub written: BTreeMap<SmolStr, Value>,
    /// Defaults further in: by attribute name, by decimal tuple index, or `""` for the elements of
    /// a collection.
    pub children: BTreeMap<SmolStr, Defaults>,
}

impl Constraint {
    /// `any`: the constraint of a variable without a type.
    pub fn any() -> Constraint {
        Constraint { ty: Type::Dynamic, defaults: None }
    }

    /// The variable's final value: defaults are filled in first, then the value is converted.
    pub fn accept(&self, value: &Value) -> Result<Value, ConvertError> {
        match &self.defaults {
            Some(defaults) => convert(&defaults.apply(value), &self.ty),
            None => convert(value, &self.ty),
        }
    }
}
