//! Optional attributes at every depth of a type, and values that differ in just one of them.

use smol_str::SmolStr;

use crate::{
    eval::{Step, references},
    module::{Validation, Variable},
    typeexpr::{Constraint, Defaults},
    value::{ObjectType, Type, Value, guarded, nfc},
};

/// An optional attribute somewhere in a variable's type.
#[derive(Clone, Debug)]
pub(super) struct AttributePlace {
    steps: Vec<Part>,
    /// The attribute's own type.
    pub ty: Type,
    /// Complete and converted; `None` where an absent attribute is null.
    pub default: Option<Value>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Attribute(SmolStr),
    /// Any element of a list, set or map.
    Element,
    /// One element of a tuple.
    Index(usize),
}

impl AttributePlace {
    /// Every optional attribute of a type, outer ones first. Inside of `any` there is none.
    pub fn all(constraint: &Constraint) -> Vec<AttributePlace> {
        let mut found = Vec::new();
        collect(&constraint.ty, constraint.defaults.as_ref(), &mut Vec::new(), &mut found);
        found
    }

    /// A value of the variable's type in which the attribute is `leaf`, collections around it have
    /// `count` elements, and nothing else is known. `None` where the type is not wholly declared.
    pub fn sample(&self, constraint: &Constraint, leaf: &Value, count: usize) -> Option<Value> {
        if constraint.ty.has_dynamic() {
            return None;
        }
        sample(&constraint.ty, &self.steps, leaf, count)
    }

    /// Whether the other attribute is inside of this one.
    pub fn contains(&self, other: &AttributePlace) -> bool {
        other.steps.len() > self.steps.len() && other.steps.starts_with(&self.steps)
    }
}

/// How far into the value of its variable a rule looks.
pub(super) struct Reach<'e> {
    /// The steps of its references; `None` where a local may look anywhere.
    paths: Option<Vec<Vec<Step<'e>>>>,
}

impl<'e> Reach<'e> {
    pub fn of(variable: &Variable, rule: &'e Validation) -> Reach<'e> {
        let parts = std::iter::once(&rule.condition).chain(&rule.error_message);
        let mut paths = Vec::new();
        for root in parts.flat_map(references) {
            match (root.name, root.first) {
                ("local", _) => return Reach { paths: None },
                ("var", Some(Step::Attribute(name))) if name == variable.name => {
                    paths.push(root.steps().split_off(1));
                }
                _ => (),
            }
        }
        Reach { paths: Some(paths) }
    }

    /// Whether what stands in a place may make a difference.
    pub fn includes(&self, place: &AttributePlace) -> bool {
        let may_be_same = |(step, part): (&Step<'_>, &Part)| match (step, part) {
            (Step::Attribute(name), Part::Attribute(attribute)) => nfc(name) == *attribute,
            _ => true,
        };
        let leads_there = |path: &Vec<Step<'_>>| path.iter().zip(&place.steps).all(may_be_same);
        self.paths.as_ref().is_none_or(|it| it.iter().any(leads_there))
    }
}

/// As in an expression: `.ports[*].protocol`.
impl std::fmt::Display for AttributePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for step in &self.steps {
            match step {
                Part::Attribute(name) => write!(f, ".{name}")?,
                Part::Element => f.write_str("[*]")?,
                Part::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

fn collect(
    ty: &Type,
    defaults: Option<&Defaults>,
    steps: &mut Vec<Part>,
    found: &mut Vec<AttributePlace>,
) {
    let mut inside = |step: Part, key: &str, ty: &Type| {
        steps.push(step);
        let defaults = defaults.and_then(|it| it.children.get(key));
        guarded(|| collect(ty, defaults, steps, found));
        steps.pop();
    };
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            inside(Part::Element, "", element);
        }
        Type::Tuple(elements) => {
            for (n, element) in elements.iter().enumerate() {
                inside(Part::Index(n), &n.to_string(), element);
            }
        }
        Type::Object(object) => collect_attributes(object, defaults, steps, found),
        Type::Dynamic | Type::String | Type::Number | Type::Bool => (),
    }
}

fn collect_attributes(
    object: &ObjectType,
    defaults: Option<&Defaults>,
    steps: &mut Vec<Part>,
    found: &mut Vec<AttributePlace>,
) {
    for (name, ty) in &object.attributes {
        steps.push(Part::Attribute(name.clone()));
        if object.optional.contains(name) {
            let default = defaults.and_then(|it| it.values.get(name)).cloned();
            let default = default.filter(|it| !it.is_null());
            found.push(AttributePlace { steps: steps.clone(), ty: ty.without_optional(), default });
        }
        let defaults = defaults.and_then(|it| it.children.get(name));
        guarded(|| collect(ty, defaults, steps, found));
        steps.pop();
    }
}

fn sample(ty: &Type, steps: &[Part], leaf: &Value, count: usize) -> Option<Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(leaf.clone()) };
    guarded(|| match (ty, step) {
        (Type::List(element), Part::Element) => {
            let inner = sample(element, rest, leaf, count)?;
            Some(Value::list(element.without_optional(), vec![inner; count]))
        }
        (Type::Set(element), Part::Element) => {
            let inner = sample(element, rest, leaf, count)?;
            Some(Value::set(element.without_optional(), vec![inner; count]))
        }
        (Type::Map(element), Part::Element) => {
            let inner = sample(element, rest, leaf, count)?;
            let keys = (0..count).map(|n| (SmolStr::from(format!("key{n}")), inner.clone()));
            Some(Value::map(element.without_optional(), keys.collect()))
        }
        (Type::Tuple(elements), Part::Index(index)) => {
            let inner = sample(elements.get(*index)?, rest, leaf, count)?;
            let unknown = |it: &Type| Value::unknown(it.without_optional());
            let mut values: Vec<Value> = elements.iter().map(unknown).collect();
            *values.get_mut(*index)? = inner;
            Some(Value::tuple(values))
        }
        (Type::Object(object), Part::Attribute(name)) => {
            let inner = sample(object.attributes.get(name)?, rest, leaf, count)?;
            let unknown =
                |(k, it): (&SmolStr, &Type)| (k.clone(), Value::unknown(it.without_optional()));
            let mut attributes: std::collections::BTreeMap<_, _> =
                object.attributes.iter().map(unknown).collect();
            attributes.insert(name.clone(), inner);
            Some(Value::object(attributes))
        }
        _ => None,
    })
}
