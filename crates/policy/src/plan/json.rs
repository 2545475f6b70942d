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
pub enum Json {
    #[default]
    Null,
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number above the range of `Integer`.
    Large(u64),
    Double(f64),
    String(SmolStr),
    Array(Box<[Json]>),
    Object(Box<[(SmolStr, Json)]>),
}

impl Json {
    /// A member of an object; the last one of that name.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().rev().find(|it| it.0 == name).map(|it| &it.1)
    }

    pub fn at(&self, index: usize) -> Option<&Json> {
        let Json::Array(elements) = self else { return None };
        elements.get(index)
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(it) => Some(it),
            _ => None,
        }
    }

    /// The same value for serde.
    pub fn to_serde(&self) -> serde_json::Value {
        match self {
            Json::Null => serde_json::Value::Null,
            Json::Bool(it) => (*it).into(),
            Json::Integer(it) => (*it).into(),
            Json::Large(it) => (*it).into(),
            Json::Double(it) => (*it).into(),
            Json::String(it) => it.as_str().into(),
            Json::Array(all) => all.iter().map(Json::to_serde).collect(),
            Json::Object(all) => {
                let members = all.iter().map(|(name, it)| (name.to_string(), it.to_serde()));
                serde_json::Value::Object(members.collect())
            }
        }
    }

    /// Replaces flags such as `after_unknown` by `null` if none of them is `true`.
    pub(super) fn told(self) -> Json {
        if self.has_true() { self } else { Json::Null }
    }

    /// Whether `true` occurs anywhere in it.
    pub fn has_true(&self) -> bool {
        match self {
            Json::Bool(it) => *it,
            Json::Array(all) => all.iter().any(Json::has_true),
            Json::Object(all) => all.iter().any(|it| it.1.has_true()),
            _ => false,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor(None))
    }
}

/// Reads a value; if names are given, reads only these members of an object.
pub(super) struct JsonVisitor<'n>(pub Option<&'n Names>);

impl<'de> Visitor<'de> for JsonVisitor<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, it: bool) -> Result<Json, E> {
        Ok(Json::Bool(it))
    }

    fn visit_i64<E>(self, it: i64) -> Result<Json, E> {
        Ok(Json::Integer(it))
    }

    fn visit_u64<E>(self, it: u64) -> Result<Json, E> {
        Ok(i64::try_from(it).map_or(Json::Large(it), Json::Integer))
    }

    fn visit_f64<E>(self, it: f64) -> Result<Json, E> {
        Ok(Json::Double(it))
    }

    fn visit_str<E>(self, it: &str) -> Result<Json, E> {
        Ok(Json::String(SmolStr::new(it)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut elements = Vec::new();
        while let Some(it) = seq.next_element()? {
            elements.push(it);
        }
        Ok(Json::Array(elements.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key_seed(NameSeed(self.0))? {
            match name {
                Some(name) => members.push((name, map.next_value()?)),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(Json::Object(members.into()))
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
