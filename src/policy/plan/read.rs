//! Reads a plan or a state in one pass; what nobody asks for is skipped.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use smol_str::SmolStr;

use super::{Change, Json, Plan, configuration::Configuration};

/// Whether objects of a type are asked for: `true` first for data sources.
pub type Wanted<'a> = &'a dyn Fn(bool, &str) -> bool;

/// Everything that is read of the file.
#[derive(Default)]
pub(super) struct Document {
    pub format_version: Option<String>,
    pub errored: bool,
    pub is_plan: bool,
    pub is_state: bool,
    pub plan: Plan,
}

pub(super) struct Top<'w>(pub Wanted<'w>);

/// A visitor of an object, as a seed.
macro_rules! seed_of_map {
    ($seed:ty, $value:ty, |$this:ident, $map:ident| $body:block) => {
        impl<'de> DeserializeSeed<'de> for $seed {
            type Value = $value;

            fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<$value, D::Error> {
                from.deserialize_map(self)
            }
        }

        impl<'de> Visitor<'de> for $seed {
            type Value = $value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut $map: A) -> Result<$value, A::Error> {
                let $this = self;
                $body
            }
        }
    };
}

seed_of_map!(Top<'_>, Document, |this, map| {
    let mut document = Document::default();
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "format_version" => document.format_version = map.next_value()?,
            "errored" => document.errored = map.next_value::<Option<bool>>()?.unwrap_or(false),
            "resource_changes" => {
                document.is_plan = true;
                let each = Each(|| ChangeSeed(this.0));
                document.plan.changes.extend(map.next_value_seed(each)?.into_iter().flatten());
            }
            "planned_values" => {
                document.is_plan = true;
                map.next_value::<IgnoredAny>()?;
            }
            "prior_state" => {
                // Data sources that were read are no changes.
                let wanted = |is_data: bool, ty: &str| is_data && (this.0)(is_data, ty);
                map.next_value_seed(StateSeed(&wanted, &mut document.plan.changes))?;
            }
            "values" => {
                document.is_state = true;
                map.next_value_seed(ValuesSeed(this.0, &mut document.plan.changes))?;
            }
            "output_changes" => {
                document.plan.outputs = map.next_value::<Option<_>>()?.unwrap_or_default();
            }
            "variables" => {
                document.plan.variables = map.next_value::<Option<_>>()?.unwrap_or_default();
            }
            "configuration" => {
                let read = map.next_value::<Option<Configuration>>()?;
                document.plan.configuration = read.unwrap_or_default();
            }
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(document)
});

/// Reads an array element by element.
struct Each<F>(F);

impl<'de, S: DeserializeSeed<'de>, F: Fn() -> S> DeserializeSeed<'de> for Each<F> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de>, F: Fn() -> S> Visitor<'de> for Each<F> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(it) = seq.next_element_seed((self.0)())? {
            found.push(it);
        }
        Ok(found)
    }
}

/// What is in `change`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::policy) struct Values {
    pub actions: Vec<SmolStr>,
    pub before: Json,
    pub after: Json,
    pub after_unknown: Json,
    pub before_sensitive: Json,
    pub after_sensitive: Json,
    pub importing: Json,
}

struct ChangeSeed<'w>(Wanted<'w>);

seed_of_map!(ChangeSeed<'_>, Option<Change>, |this, map| {
    let mut change = Change::default();
    let (mut mode, mut is_wanted) = (None, None);
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "address" => change.address = map.next_value()?,
            "previous_address" => change.previous_address = map.next_value()?,
            "mode" => mode = Some(map.next_value::<SmolStr>()?),
            "type" => change.ty = map.next_value()?,
            "name" => change.name = map.next_value()?,
            "index" => change.index = map.next_value()?,
            "provider_name" => change.provider = map.next_value()?,
            "module_address" => change.module = map.next_value()?,
            "change" => {
                // Type and mode stand before it in every plan of Terraform; else it is read in vain.
                if let (Some(mode), false) = (&mode, change.ty.is_empty()) {
                    is_wanted = Some((this.0)(mode == "data", &change.ty));
                }
                match is_wanted {
                    Some(false) => _ = map.next_value::<IgnoredAny>()?,
                    _ => change.values = map.next_value()?,
                }
            }
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    change.is_data = mode.as_deref() == Some("data");
    let is_known = matches!(mode.as_deref(), Some("data" | "managed"));
    let is_wanted = is_wanted.unwrap_or_else(|| (this.0)(change.is_data, &change.ty));
    Ok((is_known && is_wanted).then_some(change))
});

struct StateSeed<'w, 'c>(Wanted<'w>, &'c mut Vec<Change>);

seed_of_map!(StateSeed<'_, '_>, (), |this, map| {
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "values" => map.next_value_seed(ValuesSeed(this.0, this.1))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

struct ValuesSeed<'w, 'c>(Wanted<'w>, &'c mut Vec<Change>);

seed_of_map!(ValuesSeed<'_, '_>, (), |this, map| {
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "root_module" => map.next_value_seed(ModuleSeed(this.0, this.1))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

/// The reader of JSON goes 128 levels deep, and no further.
struct ModuleSeed<'w, 'c>(Wanted<'w>, &'c mut Vec<Change>);

seed_of_map!(ModuleSeed<'_, '_>, (), |this, map| {
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "resources" => {
                let found = map.next_value_seed(Each(|| StoredSeed(this.0)))?;
                this.1.extend(found.into_iter().flatten());
            }
            "child_modules" => map.next_value_seed(ModulesSeed(this.0, this.1))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

struct ModulesSeed<'w, 'c>(Wanted<'w>, &'c mut Vec<Change>);

impl<'de> DeserializeSeed<'de> for ModulesSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ModulesSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of modules")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(ModuleSeed(self.0, self.1))?.is_some() {}
        Ok(())
    }
}

/// A resource in a state: nothing happens to it.
struct StoredSeed<'w>(Wanted<'w>);

seed_of_map!(StoredSeed<'_>, Option<Change>, |this, map| {
    let mut change = Change::default();
    let (mut mode, mut is_wanted) = (None, true);
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "address" => change.address = map.next_value()?,
            "mode" => mode = Some(map.next_value::<SmolStr>()?),
            "type" => change.ty = map.next_value()?,
            "name" => change.name = map.next_value()?,
            "index" => change.index = map.next_value()?,
            "provider_name" => change.provider = map.next_value()?,
            "values" => {
                if let (Some(mode), false) = (&mode, change.ty.is_empty()) {
                    is_wanted = (this.0)(mode == "data", &change.ty);
                }
                if is_wanted {
                    change.values.after = map.next_value()?;
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            "sensitive_values" => change.values.after_sensitive = map.next_value()?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    change.is_data = mode.as_deref() == Some("data");
    change.values.actions = vec![if change.is_data { "read".into() } else { "no-op".into() }];
    let is_known = matches!(mode.as_deref(), Some("data" | "managed"));
    let is_wanted = is_wanted && (this.0)(change.is_data, &change.ty);
    Ok((is_known && is_wanted).then_some(change))
});
