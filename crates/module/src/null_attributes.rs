//! Attributes and elements that are null in the defaults of their own variable. A schema has to take null
//! there, so that no module refuses its own default.

use std::{collections::BTreeMap, sync::Arc};

use super::Variable;
use stack::guarded;
use tf_value::{Attributes, Type, Value, ValueContent, typeexpr::Defaults};

/// Defaults of more parts are not searched for nulls.
const MOST_PARTS: u64 = 1_000_000;

/// Which parts of a variable's type may be null besides its optional attributes.
#[derive(Clone, Debug)]
pub(super) struct OwnNulls {
    /// See [`Variable::type_with_null_attributes`]; `None` where it is the declared type.
    ty: Option<Type>,
    has_elements: bool,
}

impl Variable {
    /// The declared type, in which a required attribute counts as optional where it is null in the variable's
    /// default, or in a default of an attribute: null and absence are one for the rules then, as they are for
    /// optional attributes. `list(object({ cidr = string }))` with the default `[{ cidr = null }]` is
    /// `list(object({ cidr = optional(string) }))`.
    pub fn type_with_null_attributes(&self) -> &Type {
        self.own_nulls().ty.as_ref().unwrap_or(&self.constraint.ty)
    }

    /// Whether an element of a collection or tuple is null in these defaults: `["a", null]`.
    pub fn has_null_elements(&self) -> bool {
        self.own_nulls().has_elements
    }

    fn own_nulls(&self) -> &OwnNulls {
        self.own_nulls.get_or_init(|| {
            let ty = &self.constraint.ty;
            let of_attributes = self.constraint.defaults.as_ref();
            let default = self.default.as_ref().filter(|it| it.size() <= MOST_PARTS);
            let mut search = Search { has_elements: false };
            let found = search.with_nulls(ty, default.as_slice(), of_attributes);
            OwnNulls { ty: (found != *ty).then_some(found), has_elements: search.has_elements }
        })
    }
}

struct Search {
    has_elements: bool,
}

impl Search {
    /// The type of these values. `of_attributes` are the defaults that `optional(…)` has for attributes.
    fn with_nulls(
        &mut self,
        ty: &Type,
        values: &[&Value],
        of_attributes: Option<&Defaults>,
    ) -> Type {
        if values.is_empty() && of_attributes.is_none() {
            return ty.clone();
        }
        let inner = |name: &str| of_attributes.and_then(|it| it.children.get(name));
        guarded(|| match ty {
            Type::Object(object) => {
                let mut optional = object.optional.clone();
                let mut attributes = BTreeMap::new();
                for (name, ty) in &object.attributes {
                    let given = values.iter().filter_map(|it| it.as_mapping()?.get(name));
                    let filled_in = of_attributes.and_then(|it| it.values.get(name));
                    let values: Vec<&Value> = given.chain(filled_in).collect();
                    if values.iter().any(|it| it.is_null()) {
                        optional.insert(name.clone());
                    }
                    attributes.insert(name.clone(), self.with_nulls(ty, &values, inner(name)));
                }
                Attributes { attributes, optional }.into()
            }
            Type::Tuple(types) => {
                let mut found = Vec::new();
                for (index, ty) in types.iter().enumerate() {
                    let sequences = values.iter().filter_map(|it| it.as_sequence());
                    let values: Vec<&Value> = sequences.filter_map(|it| it.get(index)).collect();
                    self.has_elements |= values.iter().any(|it| it.is_null());
                    found.push(self.with_nulls(ty, &values, inner(&index.to_string())));
                }
                Type::tuple(found)
            }
            Type::List(it) => Type::List(Arc::new(self.of_elements(it, values, inner("")))),
            Type::Set(it) => Type::Set(Arc::new(self.of_elements(it, values, inner("")))),
            Type::Map(it) => Type::Map(Arc::new(self.of_elements(it, values, inner("")))),
            other => other.clone(),
        })
    }

    fn of_elements(
        &mut self,
        ty: &Type,
        values: &[&Value],
        of_attributes: Option<&Defaults>,
    ) -> Type {
        let mut elements = Vec::new();
        for value in values {
            match value.content() {
                ValueContent::Sequence(them) => elements.extend(them.iter()),
                ValueContent::Mapping(them) => elements.extend(them.values()),
                _ => (),
            }
        }
        self.has_elements |= *ty != Type::Dynamic && elements.iter().any(|it| it.is_null());
        self.with_nulls(ty, &elements, of_attributes)
    }
}
