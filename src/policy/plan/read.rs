//! Reads a plan or a state in one pass; skips everything that no rule asks for.

use std::{fmt, rc::Rc};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use smol_str::SmolStr;

use super::{Change, Json, Plan, configuration::Configuration, json::JsonVisitor};
use crate::policy::asked::{Asked, Names};

/// Everything that is read of the file.
#[derive(Default)]
pub(super) struct Document {
    pub format_version: Option<String>,
    pub errored: bool,
    pub is_plan: bool,
    pub is_state: bool,
    pub plan: Plan,
}

pub(super) struct Top<'w>(pub &'w Asked);

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
                let objects =
                    Objects { asked: this.0, only_data: false, found: &mut document.plan.changes };
                map.next_value_seed(objects)?;
            }
            "planned_values" => {
                document.is_plan = true;
                map.next_value::<IgnoredAny>()?;
            }
            "prior_state" => {
                // Data sources that were read while planning are in the prior state, not among the changes.
                let objects =
                    Objects { asked: this.0, only_data: true, found: &mut document.plan.changes };
                map.next_value_seed(StateSeed(objects))?;
            }
            "values" => {
                document.is_state = true;
                let objects =
                    Objects { asked: this.0, only_data: false, found: &mut document.plan.changes };
                map.next_value_seed(ValuesSeed(objects))?;
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

/// Reads an array of objects: changes, or the resources of a state.
struct Objects<'w, 'c> {
    asked: &'w Asked,
    only_data: bool,
    found: &'c mut Vec<Change>,
}

impl<'w> Objects<'w, '_> {
    fn again(&mut self) -> Objects<'w, '_> {
        Objects { found: self.found, ..*self }
    }
}

impl<'de> DeserializeSeed<'de> for Objects<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Objects<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let (asked, only_data) = (self.asked, self.only_data);
        while let Some(it) = seq.next_element_seed(ObjectSeed { asked, only_data })? {
            self.found.extend(it);
        }
        Ok(())
    }
}

/// The members of `change`, as far as rules ask for them.
#[derive(Clone, Debug, Default)]
pub(in crate::policy) struct Values {
    pub actions: Vec<SmolStr>,
    pub before: Json,
    pub after: Json,
    pub after_unknown: Json,
    pub before_sensitive: Json,
    pub after_sensitive: Json,
    pub importing: Json,
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Values, D::Error> {
        ChangedSeed(None).deserialize(from)
    }
}

struct ChangedSeed<'n>(Option<&'n Names>);

seed_of_map!(ChangedSeed<'_>, Values, |this, map| {
    let mut values = Values::default();
    let arguments = Arguments(this.0);
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "actions" => values.actions = map.next_value()?,
            "before" => values.before = map.next_value_seed(arguments)?,
            "after" => values.after = map.next_value_seed(arguments)?,
            "after_unknown" => values.after_unknown = map.next_value_seed(arguments)?.told(),
            "before_sensitive" => values.before_sensitive = map.next_value_seed(arguments)?.told(),
            "after_sensitive" => values.after_sensitive = map.next_value_seed(arguments)?.told(),
            "importing" => values.importing = map.next_value()?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(values)
});

/// Reads the arguments that rules ask for.
#[derive(Clone, Copy)]
struct Arguments<'n>(Option<&'n Names>);

impl<'de> DeserializeSeed<'de> for Arguments<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Json, D::Error> {
        from.deserialize_any(JsonVisitor(self.0))
    }
}

/// Reads a change, or a resource of a state; `None` if no rule asks for it.
struct ObjectSeed<'w> {
    asked: &'w Asked,
    only_data: bool,
}

impl ObjectSeed<'_> {
    /// The arguments that rules ask for; `None` if no rule asks for the object.
    fn names(&self, mode: &str, ty: &SmolStr) -> Option<Rc<Names>> {
        match mode {
            "data" => self.asked.names(true, ty),
            "managed" if !self.only_data => self.asked.names(false, ty),
            _ => None,
        }
    }
}

seed_of_map!(ObjectSeed<'_>, Option<Change>, |this, map| {
    let mut change = Change::default();
    let mut mode: Option<SmolStr> = None;
    while let Some(key) = map.next_key::<SmolStr>()? {
        // Terraform always writes mode and type before the values. In any other order all arguments are read.
        let names = || match &mode {
            Some(mode) if !change.ty.is_empty() => this.names(mode, &change.ty),
            _ => Some(Rc::new(Names::all())),
        };
        match key.as_str() {
            "address" => change.address = map.next_value()?,
            "previous_address" => change.previous_address = map.next_value()?,
            "mode" => mode = Some(map.next_value()?),
            "type" => change.ty = map.next_value()?,
            "name" => change.name = map.next_value()?,
            "index" => change.index = map.next_value()?,
            "provider_name" => change.provider = map.next_value()?,
            "module_address" => change.module = map.next_value()?,
            "change" | "values" | "sensitive_values" => match (names(), key.as_str()) {
                (None, _) => _ = map.next_value::<IgnoredAny>()?,
                (Some(names), "change") => {
                    change.values = map.next_value_seed(ChangedSeed(Some(&names)))?;
                }
                (Some(names), "values") => {
                    change.values.after = map.next_value_seed(Arguments(Some(&names)))?;
                }
                (Some(names), _) => {
                    let told = map.next_value_seed(Arguments(Some(&names)))?;
                    change.values.after_sensitive = told.told();
                }
            },
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    let mode = mode.unwrap_or_default();
    change.is_data = mode == "data";
    change.names = this.names(&mode, &change.ty);
    Ok(change.names.is_some().then_some(change))
});

struct StateSeed<'w, 'c>(Objects<'w, 'c>);

seed_of_map!(StateSeed<'_, '_>, (), |this, map| {
    let mut objects = this.0;
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "values" => map.next_value_seed(ValuesSeed(objects.again()))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

struct ValuesSeed<'w, 'c>(Objects<'w, 'c>);

seed_of_map!(ValuesSeed<'_, '_>, (), |this, map| {
    let mut objects = this.0;
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "root_module" => map.next_value_seed(ModuleSeed(objects.again()))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

/// Recursion is safe: the reader of JSON accepts at most 128 levels.
struct ModuleSeed<'w, 'c>(Objects<'w, 'c>);

seed_of_map!(ModuleSeed<'_, '_>, (), |this, map| {
    let mut objects = this.0;
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "resources" => {
                let before = objects.found.len();
                map.next_value_seed(objects.again())?;
                for it in &mut objects.found[before..] {
                    it.is_stored = true;
                    let action = if it.is_data { "read" } else { "no-op" };
                    it.values.actions = vec![SmolStr::new_static(action)];
                }
            }
            "child_modules" => map.next_value_seed(ModulesSeed(objects.again()))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

struct ModulesSeed<'w, 'c>(Objects<'w, 'c>);

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
        let mut objects = self.0;
        while seq.next_element_seed(ModuleSeed(objects.again()))?.is_some() {}
        Ok(())
    }
}
