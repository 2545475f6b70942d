//! Optional attributes at every depth of a type, and sample values that differ in just one of them.

use std::collections::HashSet;

use smol_str::SmolStr;

use hcl::{BinaryOp, Expr, ExprKind};
use module::{Validation, Variable};
use stack::guarded;
use tf_eval::{ReferenceStep, references};
use tf_value::{
    ObjectType, Type, Value, nfc,
    typeexpr::{Constraint, Defaults},
};

/// An optional attribute somewhere in a variable's type. For example: `protocol` at `.ports[*].protocol`
/// in `object({ports = list(object({protocol = optional(string)}))})`.
#[derive(Clone, Debug)]
pub(super) struct OptionalAttribute {
    /// The type of the variable's values, without optional attributes. All of one variable share
    /// it.
    whole: Type,
    steps: Vec<Part>,
    /// The attribute's own type.
    pub ty: Type,
    /// The default, complete and converted; `None` where an absent attribute is null.
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

impl OptionalAttribute {
    /// Every optional attribute of a type, outer ones first. The type `any` has none inside.
    pub fn all(constraint: &Constraint) -> Vec<OptionalAttribute> {
        if !constraint.ty.has_optional() {
            return Vec::new();
        }
        let whole = constraint.ty.without_optional();
        let mut search = Search { whole, steps: Vec::new(), found: Vec::new() };
        search.inside(&constraint.ty, constraint.defaults.as_ref());
        search.found
    }

    /// A value of the variable's type in which the attribute is `leaf`, collections around it have
    /// `count` elements, and the rest is unknown. `None` where the type is not completely declared.
    pub fn sample(&self, leaf: &Value, count: usize) -> Option<Value> {
        if self.whole.has_dynamic() {
            return None;
        }
        sample(&self.whole, &self.steps, leaf, count)
    }

    /// The attribute's name.
    pub fn name(&self) -> Option<&SmolStr> {
        match self.steps.last()? {
            Part::Attribute(name) => Some(name),
            Part::Element | Part::Index(_) => None,
        }
    }

    /// Whether the other attribute is inside of this one.
    pub fn contains(&self, other: &OptionalAttribute) -> bool {
        other.steps.len() > self.steps.len() && other.steps.starts_with(&self.steps)
    }
}

/// The parts of its variable's value that a rule reads.
pub(super) struct Reach<'e> {
    /// Its references; `None` where a local may read anything.
    paths: Option<Vec<ReadPath<'e>>>,
}

/// The steps of a reference.
struct ReadPath<'e> {
    steps: Vec<ReferenceStep<'e>>,
    /// Whether it is only asked if the value is null, so that nothing inside of it is read.
    is_shallow: bool,
}

impl<'e> Reach<'e> {
    pub fn of(variable: &Variable, rule: &'e Validation) -> Reach<'e> {
        let parts = std::iter::once(&rule.condition).chain(&rule.error_message);
        let mut asked = HashSet::new();
        parts.clone().for_each(|it| asked_for_null(it, &mut asked));
        let mut paths = Vec::new();
        for root in parts.flat_map(references) {
            match (root.name, root.first) {
                ("local", _) => return Reach { paths: None },
                ("var", Some(ReferenceStep::Attribute(name))) if name == variable.name => {
                    let is_shallow = asked.contains(&std::ptr::from_ref(root.whole()));
                    paths.push(ReadPath { steps: root.steps().split_off(1), is_shallow });
                }
                _ => (),
            }
        }
        Reach { paths: Some(paths) }
    }

    /// Whether the rule may read this attribute.
    pub fn includes(&self, attribute: &OptionalAttribute) -> bool {
        let may_be_same = |(step, part): (&ReferenceStep<'_>, &Part)| match (step, part) {
            (ReferenceStep::Attribute(name), Part::Attribute(attribute)) => nfc(name) == *attribute,
            _ => true,
        };
        let leads_there = |path: &ReadPath<'_>| {
            (!path.is_shallow || attribute.steps.len() <= path.steps.len())
                && path.steps.iter().zip(&attribute.steps).all(may_be_same)
        };
        self.paths.as_ref().is_none_or(|it| it.iter().any(leads_there))
    }
}

/// Collects what an expression compares with null.
fn asked_for_null(expr: &Expr, found: &mut HashSet<*const Expr>) {
    guarded(|| {
        if let ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } =
            &expr.kind
        {
            for (value, null) in [(left, right), (right, left)] {
                if matches!(null.bare().kind, ExprKind::Null) {
                    found.insert(std::ptr::from_ref(value.bare()));
                }
            }
        }
        expr.for_each_child(&mut |it| asked_for_null(it, found));
    });
}

/// The attribute as an expression has it: `.ports[*].protocol`.
impl std::fmt::Display for OptionalAttribute {
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

/// Collects the optional attributes of a type.
struct Search {
    whole: Type,
    steps: Vec<Part>,
    found: Vec<OptionalAttribute>,
}

impl Search {
    fn inside(&mut self, ty: &Type, defaults: Option<&Defaults>) {
        match ty {
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                self.step(Part::Element, "", element, defaults);
            }
            Type::Tuple(elements) => {
                for (n, element) in elements.iter().enumerate() {
                    self.step(Part::Index(n), &n.to_string(), element, defaults);
                }
            }
            Type::Object(object) => self.attributes(object, defaults),
            Type::Dynamic | Type::String | Type::Number | Type::Bool => (),
        }
    }

    fn step(&mut self, step: Part, key: &str, ty: &Type, defaults: Option<&Defaults>) {
        if ty.has_optional() {
            self.steps.push(step);
            let defaults = defaults.and_then(|it| it.children.get(key));
            guarded(|| self.inside(ty, defaults));
            self.steps.pop();
        }
    }

    fn attributes(&mut self, object: &ObjectType, defaults: Option<&Defaults>) {
        for (name, ty) in &object.attributes {
            if object.optional.contains(name) {
                let mut steps = self.steps.clone();
                steps.push(Part::Attribute(name.clone()));
                let default = defaults.and_then(|it| it.values.get(name)).cloned();
                let default = default.filter(|it| !it.is_null());
                let (whole, ty) = (self.whole.clone(), ty.without_optional());
                self.found.push(OptionalAttribute { whole, steps, ty, default });
            }
            self.step(Part::Attribute(name.clone()), name, ty, defaults);
        }
    }
}

/// `ty` has no optional attributes.
fn sample(ty: &Type, steps: &[Part], leaf: &Value, count: usize) -> Option<Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(leaf.clone()) };
    guarded(|| match (ty, step) {
        (Type::List(element), Part::Element) => {
            let inner = sample(element, rest, leaf, count)?;
            Some(Value::list((**element).clone(), vec![inner; count]))
        }
        (Type::Set(element), Part::Element) => {
            let inner = sample(element, rest, leaf, count)?;
            Some(Value::set((**element).clone(), vec![inner; count]))
        }
        (Type::Map(element), Part::Element) => {
            let inner = sample(element, rest, leaf, count)?;
            let keys =
                (0..count).map(|index| (SmolStr::from(format!("key{index}")), inner.clone()));
            Some(Value::map((**element).clone(), keys.collect()))
        }
        (Type::Tuple(elements), Part::Index(index)) => {
            let inner = sample(elements.get(*index)?, rest, leaf, count)?;
            let unknown = |it: &Type| Value::unknown(it.clone());
            let mut values: Vec<Value> = elements.iter().map(unknown).collect();
            *values.get_mut(*index)? = inner;
            Some(Value::tuple(values))
        }
        (Type::Object(object), Part::Attribute(name)) => {
            let inner = sample(object.attributes.get(name)?, rest, leaf, count)?;
            let unknown =
                |(name, it): (&SmolStr, &Type)| (name.clone(), Value::unknown(it.clone()));
            let mut attributes: std::collections::BTreeMap<_, _> =
                object.attributes.iter().map(unknown).collect();
            attributes.insert(name.clone(), inner);
            Some(Value::object(attributes))
        }
        _ => None,
    })
}
