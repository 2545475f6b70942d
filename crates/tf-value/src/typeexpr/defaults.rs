//! Filling in the defaults of optional attributes.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::Defaults;
use crate::{Type, Value, ValueContent};
use stack::guarded;

impl Defaults {
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.children.is_empty()
    }

    /// The value with every absent or null attribute that has a default filled in, at every depth.
    ///
    /// A null or unknown value stays as it is, also as an element of a collection. The result is
    /// still to be converted: where something was filled in, collections have become tuples and
    /// objects.
    pub fn apply(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        let filled = guarded(|| match value.content() {
            ValueContent::Sequence(elements) => self.apply_to_elements(value, elements),
            ValueContent::Mapping(elements) => self.apply_to_attributes(value, elements),
            _ => value.clone(),
        });
        filled.with_marks(value.marks())
    }

    fn apply_to_elements(&self, value: &Value, elements: &[Value]) -> Value {
        if elements.is_empty() {
            return value.clone();
        }
        let every = self.children.get("");
        let filled = elements.iter().enumerate().map(|(index, it)| {
            let child = every.or_else(|| self.children.get(index.to_string().as_str()));
            child.map_or_else(|| it.clone(), |child| child.apply(it))
        });
        Value::tuple(filled.collect())
    }

    fn apply_to_attributes(&self, value: &Value, given: &BTreeMap<SmolStr, Value>) -> Value {
        let every = self.children.get("");
        if every.is_some() && given.is_empty() && matches!(value.ty(), Type::Map(_)) {
            return value.clone();
        }
        let mut attributes = given.clone();
        for (name, attribute) in &mut attributes {
            if let Some(child) = every.or_else(|| self.children.get(name)) {
                *attribute = child.apply(attribute);
            }
        }
        // These are complete already. Completing them once more would take the square of the depth.
        for (name, default) in &self.values {
            if given.get(name).is_none_or(Value::is_null) {
                attributes.insert(name.clone(), default.clone());
            }
        }
        Value::object(attributes)
    }
}
