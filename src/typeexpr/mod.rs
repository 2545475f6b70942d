//! Type constraints: `object({ a = optional(string, "x") })`, `any`, legacy types, and defaults.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::value::{Type, Value};

/// A declared type: the constraint and the defaults of its optional attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// `Dynamic` for `any`; optional attributes are named in `ObjectType::optional`.
    pub ty: Type,
    pub defaults: Option<Defaults>,
}

/// The defaults of optional attributes in one place of a type, and below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// Attribute name to its default, converted to the attribute's type.
    pub values: BTreeMap<SmolStr, Value>,
    /// Defaults further in: by attribute name, by decimal tuple index, or `""` for the elements of
    /// a collection.
    pub children: BTreeMap<SmolStr, Defaults>,
}
