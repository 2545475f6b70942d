//! Reads a plan or a state in one pass; skips everything that no rule asks for.

use std::{collections::BTreeSet, fmt, rc::Rc};

use super::{Change, Plan, PlanJson};
use crate::{
    asked::{Asked, Names},
    plan::{configuration::PlanConfiguration, json::JsonVisitor},
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use smol_str::SmolStr;

/// Everything that is read of the file.
#[derive(Default)]
pub(super) struct Document {
    pub format_version: Option<String>,
    pub errored: bool,
    /// Terraform 1.8 and newer say so.
    pub complete: Option<bool>,
    pub is_plan: bool,
    pub is_state: bool,
    /// Whether there are `resource_changes`, or changes that are deferred.
    pub has_changes: bool,
    /// The number of resources in `planned_values`.
    pub planned: usize,
    /// What an entry lacks without which it cannot be judged.
    pub problem: Option<String>,
    pub plan: Plan,
}

impl Document {
    /// Reads the entries of a part of the file.
    fn objects<'w>(
        &mut self,
        asked: &'w Asked,
        part: &'static str,
        only_data: bool,
    ) -> Objects<'w, '_> {
        let (found, types) = (&mut self.plan.changes, &mut self.plan.types);
        Objects { asked, part, only_data, found, types, problem: &mut self.problem }
    }
}

const CHANGES: &str = "resource_changes";
const DEFERRED: &str = "deferred_changes";

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
            "complete" => document.complete = map.next_value()?,
            "errored" => document.errored = map.next_value::<Option<bool>>()?.unwrap_or(false),
            CHANGES => {
                document.is_plan = true;
                let objects = document.objects(this.0, CHANGES, false);
                document.has_changes |= map.next_value_seed(objects)? > 0;
            }
            // This plan also contains what Terraform defers to a later one, where it is known.
            DEFERRED => {
                let objects = document.objects(this.0, DEFERRED, false);
                document.has_changes |= map.next_value_seed(Deferred(objects))? > 0;
            }
            "planned_values" => {
                document.is_plan = true;
                map.next_value_seed(PlannedSeed(&mut document.planned))?;
            }
            "prior_state" => {
                // Data sources that were read while planning are in the prior state, not among the changes.
                map.next_value_seed(StateSeed(document.objects(this.0, "prior_state", true)))?;
            }
            "values" => {
                document.is_state = true;
                map.next_value_seed(ValuesSeed(document.objects(this.0, "values", false)))?;
            }
            "output_changes" => {
                document.plan.outputs = map.next_value::<Option<_>>()?.unwrap_or_default();
            }
            "variables" => {
                document.plan.variables = map.next_value::<Option<_>>()?.unwrap_or_default();
            }
            "configuration" => {
                let read = map.next_value::<Option<PlanConfiguration>>()?;
                document.plan.configuration = read.unwrap_or_default();
            }
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(document)
});

/// Reads an array of objects (changes, or the resources of a state) and returns their number.
struct Objects<'w, 'c> {
    asked: &'w Asked,
    /// The part of the file that they are in.
    part: &'static str,
    only_data: bool,
    found: &'c mut Vec<Change>,
    types: &'c mut BTreeSet<(bool, SmolStr)>,
    problem: &'c mut Option<String>,
}

impl<'w> Objects<'w, '_> {
    fn again(&mut self) -> Objects<'w, '_> {
        Objects { found: self.found, types: self.types, problem: self.problem, ..*self }
    }

    fn seed(&self) -> ObjectSeed<'w> {
        let is_change = matches!(self.part, CHANGES | DEFERRED);
        ObjectSeed { asked: self.asked, only_data: self.only_data, is_change }
    }

    /// Keeps an entry that a rule asks for; notes the first one that cannot be judged.
    fn add(&mut self, at: usize, entry: Entry) {
        if let (Some(why), None) = (entry.problem, &self.problem) {
            let shown = diagnostics::visible_line(&entry.address);
            let address = if shown.is_empty() { String::new() } else { format!(" ({shown})") };
            *self.problem = Some(format!("{}[{at}]{address} {why}", self.part));
        }
        if !self.types.contains(&entry.ty) {
            self.types.insert(entry.ty);
        }
        self.found.extend(entry.change);
    }
}

impl<'de> DeserializeSeed<'de> for Objects<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Objects<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<usize, A::Error> {
        let mut count = 0;
        while let Some(entry) = seq.next_element_seed(self.seed())? {
            self.add(count, entry);
            count += 1;
        }
        Ok(count)
    }
}

/// Reads an array of deferred changes, each a change with the reason.
struct Deferred<'w, 'c>(Objects<'w, 'c>);

impl<'de> DeserializeSeed<'de> for Deferred<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Deferred<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<usize, A::Error> {
        let (mut objects, mut count) = (self.0, 0);
        while let Some(entry) = seq.next_element_seed(DeferredChange(objects.seed()))? {
            let problem = || Some("has no \"resource_change\"".to_owned());
            let entry = entry.unwrap_or_else(|| Entry { problem: problem(), ..Entry::default() });
            objects.add(count, entry);
            count += 1;
        }
        Ok(count)
    }
}

struct DeferredChange<'w>(ObjectSeed<'w>);

seed_of_map!(DeferredChange<'_>, Option<Entry>, |this, map| {
    let mut found = None;
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "resource_change" => found = Some(map.next_value_seed(this.0)?),
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(found)
});

/// Counts the resources of `planned_values`, which are also among the changes.
struct PlannedSeed<'c>(&'c mut usize);

seed_of_map!(PlannedSeed<'_>, (), |this, map| {
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "root_module" => map.next_value_seed(PlannedModule(this.0))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

/// Recursion is safe: the reader of JSON accepts at most 128 levels.
struct PlannedModule<'c>(&'c mut usize);

seed_of_map!(PlannedModule<'_>, (), |this, map| {
    while let Some(key) = map.next_key::<SmolStr>()? {
        match key.as_str() {
            "resources" => *this.0 += map.next_value::<Vec<IgnoredAny>>()?.len(),
            "child_modules" => map.next_value_seed(PlannedModules(this.0))?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    Ok(())
});

struct PlannedModules<'c>(&'c mut usize);

impl<'de> DeserializeSeed<'de> for PlannedModules<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for PlannedModules<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of modules")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(PlannedModule(self.0))?.is_some() {}
        Ok(())
    }
}

/// The members of `change` that rules ask for.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pub actions: Vec<SmolStr>,
    pub before: PlanJson,
    pub after: PlanJson,
    pub after_unknown: PlanJson,
    pub before_sensitive: PlanJson,
    pub after_sensitive: PlanJson,
    pub importing: PlanJson,
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
            "after_unknown" => values.after_unknown = map.next_value_seed(arguments)?.or_null(),
            "before_sensitive" => {
                values.before_sensitive = map.next_value_seed(arguments)?.or_null();
            }
            "after_sensitive" => values.after_sensitive = map.next_value_seed(arguments)?.or_null(),
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
    type Value = PlanJson;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<PlanJson, D::Error> {
        from.deserialize_any(JsonVisitor(self.0))
    }
}

/// Reads a change, or a resource of a state.
#[derive(Clone, Copy)]
struct ObjectSeed<'w> {
    asked: &'w Asked,
    only_data: bool,
    /// Whether it is a change, and not a resource of a state.
    is_change: bool,
}

/// An entry of the file.
#[derive(Default)]
struct Entry {
    /// `None` if no rule asks for it.
    change: Option<Change>,
    address: SmolStr,
    /// Whether it is a data source, and its type.
    ty: (bool, SmolStr),
    /// Why nothing can be said about it.
    problem: Option<String>,
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

/// Why an entry cannot be judged: without its mode or type no rule would find it, and it would pass.
fn problem(mode: &str, change: &Change, lacks_change: bool) -> Option<String> {
    let missing = match mode {
        "" => "mode",
        "managed" | "data" if change.ty.is_empty() => "type",
        "managed" | "data" if change.address.is_empty() => "address",
        "managed" | "data" if change.name.is_empty() => "name",
        "managed" | "data" if lacks_change => "change",
        "managed" | "data" => return None,
        _ => {
            let seen = diagnostics::visible_line(mode);
            return Some(format!("has the unknown mode {seen:?}"));
        }
    };
    Some(format!("has no {missing:?}"))
}

/// A text; empty for null.
fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<SmolStr, A::Error> {
    Ok(map.next_value::<Option<SmolStr>>()?.unwrap_or_default())
}

/// Adds what an entry leaves out and its address says.
fn complete(change: &mut Change) {
    if !change.name.is_empty()
        && (!change.module.is_empty() || !change.address.starts_with("module."))
    {
        return;
    }
    let address = change.address.clone();
    let Some(it) = parse(&address) else { return };
    if change.name.is_empty() {
        change.name = it.name.into();
    }
    if change.module.is_empty() {
        change.module = it.module.into();
    }
    if change.index == PlanJson::Null {
        change.index = it.index;
    }
}

seed_of_map!(ObjectSeed<'_>, Entry, |this, map| {
    let mut change = Change::default();
    let (mut mode, mut has_change) = (SmolStr::default(), false);
    while let Some(key) = map.next_key::<SmolStr>()? {
        // Terraform always writes mode and type before the values. In any other order all arguments are read.
        let names = || match mode.as_str() {
            mode if !mode.is_empty() && !change.ty.is_empty() => this.names(mode, &change.ty),
            _ => Some(Rc::new(Names::all())),
        };
        match key.as_str() {
            "address" => change.address = text(&mut map)?,
            "previous_address" => change.previous_address = map.next_value()?,
            "mode" => mode = text(&mut map)?,
            "type" => change.ty = text(&mut map)?,
            "name" => change.name = text(&mut map)?,
            "index" => change.index = map.next_value()?,
            "provider_name" => change.provider = text(&mut map)?,
            "module_address" => change.module = text(&mut map)?,
            "change" | "values" | "sensitive_values" => {
                has_change |= key == "change";
                match (names(), key.as_str()) {
                    (None, _) => _ = map.next_value::<IgnoredAny>()?,
                    (Some(names), "change") => {
                        change.values = map.next_value_seed(ChangedSeed(Some(&names)))?;
                    }
                    (Some(names), "values") => {
                        change.values.after = map.next_value_seed(Arguments(Some(&names)))?;
                    }
                    (Some(names), _) => {
                        let flags = map.next_value_seed(Arguments(Some(&names)))?;
                        change.values.after_sensitive = flags.or_null();
                    }
                }
            }
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    complete(&mut change);
    let problem = problem(&mode, &change, this.is_change && !has_change);
    change.is_data = mode == "data";
    change.names = this.names(&mode, &change.ty);
    let (address, ty) = (change.address.clone(), (change.is_data, change.ty.clone()));
    Ok(Entry { change: change.names.is_some().then_some(change), address, ty, problem })
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
                    // Terraform leaves out an object without members.
                    if it.values.after == PlanJson::Null {
                        it.values.after = PlanJson::Object(Box::default());
                    }
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

// The parts of an object's address, for plans that were written by hand and leave out what the address says.

/// `module.net["a"].aws_subnet.b[0]`, in its parts.
pub(super) struct Address<'a> {
    /// The module's instance; empty for the root.
    pub module: &'a str,
    pub name: &'a str,
    /// The instance's key; null if there is none.
    pub index: PlanJson,
}

/// Reads an address; `None` if it is not one of a resource or a data source.
pub(super) fn parse(address: &str) -> Option<Address<'_>> {
    let parts = parts(address);
    let mut rest = parts.as_slice();
    while let [(_, "module"), _, behind @ ..] = rest {
        rest = behind;
    }
    let module = rest.first().and_then(|it| address[..it.0].strip_suffix('.')).unwrap_or_default();
    let [_, (_, last)] = rest.strip_prefix(&[(rest.first()?.0, "data")]).unwrap_or(rest) else {
        return None;
    };
    let (name, key) = last.split_at(last.find('[').unwrap_or(last.len()));
    let key = key.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let index = key.and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default();
    Some(Address { module, name, index })
}

/// The texts between the dots that are outside of keys, each with its place.
fn parts(address: &str) -> Vec<(usize, &str)> {
    let (mut found, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, it) in address.char_indices() {
        if is_quoted {
            is_quoted = is_escaped || it != '"';
            is_escaped = !is_escaped && it == '\\';
            continue;
        }
        is_quoted = it == '"';
        if it == '.' {
            found.push((start, &address[start..at]));
            start = at + 1;
        }
    }
    found.push((start, &address[start..]));
    found
}
