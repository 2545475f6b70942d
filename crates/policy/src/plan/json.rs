//! JSON that takes little memory and becomes a value on demand.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use smol_str::SmolStr;

use crate::asked::Names;

/// A JSON value. A number is a 64-bit integer or a double.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PlanJson {
    #[default]
    Null,
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number above the range of `Integer`.
    Large(u64),
    Double(f64),
    String(SmolStr),
    Array(Box<[PlanJson]>),
    Object(Box<[(SmolStr, PlanJson)]>),
}

impl PlanJson {
    /// A member of an object; the last one of that name.
    pub fn get(&self, name: &str) -> Option<&PlanJson> {
        let PlanJson::Object(members) = self else { return None };
        members.iter().rev().find(|it| it.0 == name).map(|it| &it.1)
    }

    pub fn at(&self, index: usize) -> Option<&PlanJson> {
        let PlanJson::Array(elements) = self else { return None };
        elements.get(index)
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            PlanJson::String(it) => Some(it),
            _ => None,
        }
    }

    /// The same value for serde.
    pub fn to_serde(&self) -> serde_json::Value {
        match self {
            PlanJson::Null => serde_json::Value::Null,
            PlanJson::Bool(it) => (*it).into(),
            PlanJson::Integer(it) => (*it).into(),
            PlanJson::Large(it) => (*it).into(),
            PlanJson::Double(it) => (*it).into(),
            PlanJson::String(it) => it.as_str().into(),
            PlanJson::Array(all) => all.iter().map(PlanJson::to_serde).collect(),
            PlanJson::Object(all) => {
                let members = all.iter().map(|(name, it)| (name.to_string(), it.to_serde()));
                serde_json::Value::Object(members.collect())
            }
        }
    }

    /// Replaces flags such as `after_unknown` by `null` if none of them is set.
    pub(super) fn or_null(self) -> PlanJson {
        if self.has_flag() { self } else { PlanJson::Null }
    }

    /// Whether a flag in it is set: is anything but `false` and `null`.
    pub fn has_flag(&self) -> bool {
        match self {
            PlanJson::Null => false,
            PlanJson::Bool(it) => *it,
            PlanJson::Array(all) => all.iter().any(PlanJson::has_flag),
            PlanJson::Object(all) => all.iter().any(|it| it.1.has_flag()),
            _ => true,
        }
    }
}

impl<'de> Deserialize<'de> for PlanJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlanJson, D::Error> {
        deserializer.deserialize_any(JsonVisitor(None))
    }
}

/// Reads a value; if names are given, reads only these members of an object.
pub(super) struct JsonVisitor<'n>(pub Option<&'n Names>);

impl<'de> Visitor<'de> for JsonVisitor<'_> {
    type Value = PlanJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<PlanJson, E> {
        Ok(PlanJson::Null)
    }

    fn visit_bool<E>(self, it: bool) -> Result<PlanJson, E> {
        Ok(PlanJson::Bool(it))
    }

    fn visit_i64<E>(self, it: i64) -> Result<PlanJson, E> {
        Ok(PlanJson::Integer(it))
    }

    fn visit_u64<E>(self, it: u64) -> Result<PlanJson, E> {
        Ok(i64::try_from(it).map_or(PlanJson::Large(it), PlanJson::Integer))
    }

    fn visit_f64<E>(self, it: f64) -> Result<PlanJson, E> {
        Ok(PlanJson::Double(it))
    }

    fn visit_str<E>(self, it: &str) -> Result<PlanJson, E> {
        Ok(PlanJson::String(SmolStr::new(it)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PlanJson, A::Error> {
        let mut elements = Vec::new();
        while let Some(it) = seq.next_element()? {
            elements.push(it);
        }
        Ok(PlanJson::Array(elements.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PlanJson, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key_seed(NameSeed(self.0))? {
            match name {
                Some(name) => members.push((name, map.next_value()?)),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(PlanJson::Object(members.into()))
    }
}

/// Reads the name of a member; `None` if no rule asks for it.
struct NameSeed<'n>(Option<&'n Names>);

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = Option<SmolStr>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<SmolStr>, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for NameSeed<'_> {
    type Value = Option<SmolStr>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<SmolStr>, E> {
        Ok(self.0.map_or_else(|| Some(name.into()), |it| it.asked(name)))
    }
}
