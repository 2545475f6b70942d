//! Turns the JSON of a plan into values, with their unknown and sensitive parts.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::PlanJson;
use crate::aligned;
use stack::guarded;
use tf_value::{DYNAMIC, Marks, Number, Type, Value, nfc};

const NONE: &PlanJson = &PlanJson::Null;

/// The parts of a plan that describe one value.
#[derive(Clone)]
pub struct Parts<'a> {
    pub value: &'a PlanJson,
    /// `true` for what is known after apply.
    pub unknown: &'a PlanJson,
    /// `true` for what is sensitive.
    pub sensitive: &'a PlanJson,
    /// The expressions that an unknown value may come from; one of them is right.
    pub expressions: Vec<&'a PlanJson>,
    /// Whether the configuration sets it to a reference, so that it is not null.
    pub is_referred: bool,
}

impl<'a> Parts<'a> {
    pub fn of(value: &'a PlanJson) -> Parts<'a> {
        let (expressions, is_referred) = (Vec::new(), false);
        Parts { value, unknown: NONE, sensitive: NONE, expressions, is_referred }
    }

    fn member(&self, name: &str, value: &'a PlanJson) -> Parts<'a> {
        let inside = Parts {
            value,
            unknown: self.unknown.get(name).unwrap_or(NONE),
            sensitive: self.sensitive.get(name).unwrap_or(NONE),
            ..Parts::of(NONE)
        };
        self.written(inside, |elements| {
            elements.iter().map(|it| it.get(name).unwrap_or(NONE)).collect()
        })
    }

    fn element(&self, index: usize) -> Parts<'a> {
        let inside = Parts {
            value: self.value.at(index).unwrap_or(NONE),
            unknown: self.unknown.at(index).unwrap_or(NONE),
            sensitive: self.sensitive.at(index).unwrap_or(NONE),
            ..Parts::of(NONE)
        };
        let written = |all: &[&'a PlanJson]| match all {
            [PlanJson::Array(blocks)] => blocks_of(&inside.to_value(), self.length(), blocks),
            [PlanJson::Object(_)] => all.to_vec(),
            _ => Vec::new(),
        };
        self.written(inside.clone(), written)
    }

    fn length(&self) -> usize {
        let length = |it: &PlanJson| match it {
            PlanJson::Array(it) => it.len(),
            _ => 0,
        };
        length(self.value).max(length(self.unknown))
    }

    /// A part inside, with its expressions. They are needed only if something in it is unknown.
    fn written(
        &self,
        inside: Parts<'a>,
        expressions: impl FnOnce(&[&'a PlanJson]) -> Vec<&'a PlanJson>,
    ) -> Parts<'a> {
        if !inside.unknown.has_flag() {
            return inside;
        }
        let expressions = expressions(&self.expressions);
        let refers_all = !expressions.is_empty() && expressions.iter().all(|it| refers(it));
        Parts { is_referred: self.is_referred || refers_all, expressions, ..inside }
    }

    pub fn to_value(&self) -> Value {
        self.to_value_like(&Type::Dynamic)
    }

    /// The value. If its type is `like`, the type of a similar object, it shares that.
    pub fn to_value_like(&self, like: &Type) -> Value {
        let value = match (self.value, self.unknown) {
            // Most values have nothing inside.
            (PlanJson::Object(_) | PlanJson::Array(_), _)
            | (_, PlanJson::Object(_) | PlanJson::Array(_)) => guarded(|| self.unmarked(like)),
            _ => self.unmarked(like),
        };
        match self.sensitive {
            PlanJson::Bool(true) => value.with_marks(Marks::SENSITIVE | Marks::SECRET),
            // Nobody knows which part it means.
            flags if !is_shaped(flags, self.value) => {
                value.with_marks(Marks::SENSITIVE | Marks::SECRET)
            }
            _ => value,
        }
    }

    fn unmarked(&self, like: &Type) -> Value {
        match (self.value, self.unknown) {
            (_, PlanJson::Bool(true)) if self.is_referred => Value::unknown_not_null(Type::Dynamic),
            (_, PlanJson::Bool(true)) => Value::unknown(Type::Dynamic),
            (value, flags) if !is_shaped(flags, value) => Value::unknown(Type::Dynamic),
            (PlanJson::Object(_), _) => self.object(like),
            (PlanJson::Array(_), _) => self.tuple(self.length(), like),
            (PlanJson::Null, PlanJson::Object(_)) if self.unknown.has_flag() => self.object(like),
            (PlanJson::Null, PlanJson::Array(all)) if self.unknown.has_flag() => {
                self.tuple(all.len(), like)
            }
            (plain, _) => single(plain),
        }
    }

    fn tuple(&self, length: usize, like: &Type) -> Value {
        let types: &[Type] = match like {
            Type::Tuple(it) => it,
            _ => &[],
        };
        let like_at = |at: usize| types.get(at).or(types.last()).unwrap_or(&DYNAMIC);
        let elements = (0..length).map(|it| self.element(it).to_value_like(like_at(it)));
        Value::tuple_like(elements.collect(), like)
    }

    fn object(&self, like: &Type) -> Value {
        let types = match like {
            Type::Object(it) => Some(&it.attributes),
            _ => None,
        };
        // Terraform writes members in the order of their names, and the types have the same order.
        let mut types = types.into_iter().flatten().peekable();
        let mut inside = |name: &SmolStr, value| {
            while types.next_if(|it| it.0 < name).is_some() {}
            let like = types.next_if(|it| it.0 == name).map_or(&DYNAMIC, |it| it.1);
            self.member(name, value).to_value_like(like)
        };
        let mut members: BTreeMap<SmolStr, Value> = match self.value {
            PlanJson::Object(all) => {
                all.iter().map(|(name, it)| (nfc(name), inside(name, it))).collect()
            }
            _ => BTreeMap::new(),
        };
        if let PlanJson::Object(all) = self.unknown {
            for (name, unknown) in all {
                if unknown.has_flag() && !members.contains_key(name) {
                    let value = self.member(name, NONE).to_value();
                    members.insert(nfc(name), value);
                }
            }
        }
        Value::object_like(members, like)
    }
}

/// The configuration's blocks that an element of a list may come from.
pub fn blocks_of<'a>(element: &Value, length: usize, blocks: &'a [PlanJson]) -> Vec<&'a PlanJson> {
    let may_be = |at: usize| {
        let Some(PlanJson::Object(all)) = blocks.get(at) else { return false };
        let constant =
            |(name, it): &'a (SmolStr, PlanJson)| Some((name, it.get("constant_value")?));
        let elements = element.as_mapping();
        all.iter().filter_map(constant).all(|(name, constant)| {
            let planned = elements.and_then(|it| it.get(name));
            planned.is_none_or(|it| aligned::may_be(it, &Parts::of(constant).to_value()))
        })
    };
    aligned::candidates(length, blocks.len(), may_be).into_iter().map(|it| &blocks[it]).collect()
}

fn single(json: &PlanJson) -> Value {
    match json {
        PlanJson::Bool(it) => Value::bool(*it),
        PlanJson::Integer(it) => Value::int(*it),
        PlanJson::Large(it) => Value::number(Number::from_u64(*it)),
        // The number as written, not the exact value of the double: 0.1 stays 0.1.
        PlanJson::Double(it) => {
            let number = Number::parse(&format!("{it:e}"));
            number.map_or_else(|| Value::unknown(Type::Dynamic), Value::number)
        }
        PlanJson::String(it) => Value::string(it),
        PlanJson::Null | PlanJson::Array(_) | PlanJson::Object(_) => Value::null(Type::Dynamic),
    }
}

/// Whether flags are of a shape that Terraform writes for a value: one flag, or flags for its parts. Where the value is not
/// there, it writes flags for the parts of its type.
fn is_shaped(flags: &PlanJson, value: &PlanJson) -> bool {
    match (flags, value) {
        (PlanJson::Null | PlanJson::Bool(_), _)
        | (PlanJson::Object(_), PlanJson::Object(_) | PlanJson::Null)
        | (PlanJson::Array(_), PlanJson::Null) => true,
        (PlanJson::Array(flags), PlanJson::Array(values)) => {
            flags.is_empty() || flags.len() >= values.len()
        }
        _ => false,
    }
}

/// Whether the expression of an argument refers to anything.
fn refers(expression: &PlanJson) -> bool {
    matches!(expression.get("references"), Some(PlanJson::Array(it)) if !it.is_empty())
}
