//! Values that a person would write, by the name of a variable or attribute and by the examples in its texts.
//!
//! `vpc_cidr` is `10.0.0.0/16` and not `aaaa`. Hints are candidates only: the evaluator decides.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    names::{ARNS, AZURE_RESOURCE, Cloud, GENERIC, NUMBERS, PLACES, PLAIN, SWITCHES, TEXTS, Texts},
    siblings::sibling,
    uses::Use,
};
use module::Module;
use stack::guarded;
use tf_value::{Type, Value};

/// The most values for one place.
const MOST: usize = 60;

/// How deep values inside of values are guessed.
const DEEPEST: usize = 8;

/// How many optional attributes of an object are tried alone.
const ALTERNATIVES: usize = 8;

/// Words before an example in a description or a message.
const INTRODUCTIONS: [&str; 8] =
    ["e.g.", "eg.", "example", "such as", "for instance", "like ", "format", "must be "];

/// The values that names suggest, in the cloud of a module.
pub struct Hints {
    cloud: Cloud,
    /// The region and the zone of another cloud.
    place: Option<&'static (&'static str, &'static str, &'static str)>,
    /// Whether the module has a variable for the range of a network, and none for the ID of one.
    makes_network: bool,
}

impl Hints {
    /// Values for a variable whose type says little, by what the module takes out of it: without the attributes that
    /// are tried only, then with all; none if nothing is taken.
    pub fn by_use(&self, name: &str, ty: &Type, used: &Use) -> Vec<Value> {
        let has_parts = !used.attributes.is_empty() || used.elements.is_some();
        let says_more = has_parts || used.ty.is_some() || used.json.is_some();
        if !says_more || !is_open(ty) {
            return Vec::new();
        }
        let few = self.of_use(name, ty, Some(&needed(used)));
        let all = self.of_use(name, ty, Some(used));
        few.into_iter().chain(all).collect()
    }

    /// One value for a place, with what the module takes out of it.
    pub fn of_use(&self, name: &str, ty: &Type, used: Option<&Use>) -> Option<Value> {
        let plain = || self.values(Topic { name, examples: &[] }, ty).into_iter().next();
        let Some(used) = used else { return plain() };
        let elements = used.elements.as_deref();
        guarded(|| match ty {
            // `fit` writes what is taken out of it.
            Type::Dynamic if used.json.is_some() => Some(Value::string("{}")),
            Type::Dynamic if used.says_kind() => {
                let ty = used.ty.as_ref().unwrap_or(ty);
                // The called module's uses are below the same type.
                let value = self.of_use(name, ty, Some(&Use { ty: None, ..used.clone() }))?;
                Some(self.completed(&value, ty, used))
            }
            Type::Dynamic if !used.attributes.is_empty() => {
                let each = used.attributes.keys();
                let each = each.map(|name| {
                    Some((name.clone(), self.of_use(name, ty, Some(&used.entry(name)))?))
                });
                Some(Value::object(each.collect::<Option<_>>()?))
            }
            Type::Dynamic if elements.is_some() => {
                let inner = self.of_use(&singular(name), ty, elements)?;
                Some(if used.is_keyed && !used.is_counted {
                    tags(name, &inner).unwrap_or_else(|| entry("example", inner))
                } else {
                    Value::tuple(vec![inner])
                })
            }
            Type::Map(_) | Type::List(_) | Type::Set(_)
                if used.attributes.is_empty() && elements.is_none() =>
            {
                plain()
            }
            Type::Map(element) => {
                let keys = used.attributes.keys();
                let keys = keys.map(|key| {
                    Some((key.clone(), self.of_use(key, element, Some(&used.entry(key)))?))
                });
                let all = keys.collect::<Option<BTreeMap<_, _>>>()?;
                if all.is_empty() {
                    let inner = self.of_use(&singular(name), element, elements)?;
                    return Some(tags(name, &inner).unwrap_or_else(|| entry("example", inner)));
                }
                Some(Value::object(all))
            }
            Type::List(element) | Type::Set(element) => {
                Some(Value::tuple(vec![self.of_use(&singular(name), element, elements)?]))
            }
            Type::Object(object) => {
                let needed = object.attributes.iter().filter(|it| !object.optional.contains(it.0));
                let each = needed.map(|(name, ty)| {
                    Some((name.clone(), self.of_use(name, ty, used.attributes.get(name))?))
                });
                Some(Value::object(each.collect::<Option<_>>()?))
            }
            Type::Dynamic => {
                let all = self.values(Topic { name, examples: &[] }, ty);
                let is_flat = |it: &Value| it.as_sequence().is_none() && it.as_mapping().is_none();
                all.into_iter().find(is_flat)
            }
            _ => plain(),
        })
    }
}

impl Hints {
    /// The value with the attributes that are surely taken and that the type of a called module does not have.
    fn completed(&self, value: &Value, ty: &Type, used: &Use) -> Value {
        guarded(|| {
            let each = used.elements.as_deref();
            let object = ty.as_object();
            let inner = |name: Option<&SmolStr>, it: &Value| {
                let own = name.and_then(|name| used.attributes.get(name)).or(each);
                let attribute = name.and_then(|name| object?.attributes.get(name));
                match (own, attribute.or(ty.element())) {
                    (Some(used), Some(ty)) => self.completed(it, ty, used),
                    _ => it.clone(),
                }
            };
            if let Some(all) = value.as_sequence() {
                return Value::tuple(all.iter().map(|it| inner(None, it)).collect());
            }
            let Some(members) = value.as_mapping() else { return value.clone() };
            let all = members.iter().map(|(name, it)| (name.clone(), inner(Some(name), it)));
            let mut all: BTreeMap<SmolStr, Value> = all.collect();
            let is_other =
                |name: &SmolStr| object.is_some_and(|it| !it.attributes.contains_key(name));
            for (name, own) in used.attributes.iter().filter(|it| it.1.is_certain && is_other(it.0))
            {
                let new = self.of_use(name, &Type::Dynamic, Some(own));
                all.extend(new.map(|it| (name.clone(), it)));
            }
            Value::object(all)
        })
    }
}

/// The uses without the attributes that are tried only. If there are no others, they say what the value is.
fn needed(used: &Use) -> Use {
    let has_certain = used.attributes.values().any(|it| it.is_certain);
    let attributes = used.attributes.iter().filter(|it| it.1.is_certain || !has_certain);
    guarded(|| Use {
        attributes: attributes.map(|(name, it)| (name.clone(), needed(it))).collect(),
        elements: used.elements.as_ref().map(|it| Box::new(needed(it))),
        ..used.clone()
    })
}

/// The type of elements; text if the author left it open.
fn text_if_open(ty: &Type) -> &Type {
    const TEXT: &Type = &Type::String;
    if *ty == Type::Dynamic { TEXT } else { ty }
}

/// Whether the type leaves open what a value has inside.
pub fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Dynamic | Type::Map(_) => true,
        Type::Object(object) => object.attributes.values().any(|it| guarded(|| is_open(it))),
        Type::Tuple(all) => all.iter().any(|it| guarded(|| is_open(it))),
        other => other.element().is_some_and(|it| guarded(|| is_open(it))),
    }
}

/// A place for a value: its name, and the examples in the texts about it.
#[derive(Clone, Copy)]
pub struct Topic<'t> {
    pub name: &'t str,
    pub examples: &'t [String],
}

impl Hints {
    /// The cloud is the one that most of the module's resources belong to.
    pub fn of(module: &Module) -> Hints {
        let kinds = module.resources.values().map(|it| it.ty.as_str());
        let providers = module.required_providers.keys().map(SmolStr::as_str);
        let mut votes = BTreeMap::new();
        for it in kinds.chain(providers) {
            *votes.entry(Cloud::of(it)).or_insert(0) += 1;
        }
        votes.remove(&Cloud::Other);
        let cloud = votes.into_iter().max_by_key(|it| it.1).map_or(Cloud::Other, |it| it.0);
        let is_of = |kind: &str| kind.split('_').next().map(ToOwned::to_owned);
        let mut all = module
            .resources
            .values()
            .map(|it| it.ty.as_str())
            .chain(module.required_providers.keys().map(SmolStr::as_str));
        let place = all
            .find_map(|kind| PLACES.iter().find(|it| is_of(kind).is_some_and(|kind| kind == it.0)));
        let place = place.filter(|_| cloud == Cloud::Other);
        let has = |ends: &[&str]| {
            module.variables.keys().any(|it| ends.iter().any(|end| words(it).ends_with(end)))
        };
        let makes_network = has(&["_vpc_cidr_", "_vpc_cidr_block_", "_network_cidr_"])
            && !has(&["_vpc_id_", "_network_id_"]);
        Hints { cloud, place, makes_network }
    }

    /// Values of a type for a place, the best first.
    pub fn values(&self, place: Topic<'_>, ty: &Type) -> Vec<Value> {
        let mut all = self.of_type(place, ty, 0);
        all.truncate(MOST);
        all
    }

    fn of_type(&self, place: Topic<'_>, ty: &Type, depth: usize) -> Vec<Value> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let is_object = matches!(ty, Type::Object(_));
        let inner = |name: &str, ty: &Type| {
            // The examples of an object are about one of its attributes, and nobody knows which.
            let examples = if is_object { &[] } else { place.examples };
            let whole = within(place.name, name).filter(|_| is_object);
            let name = whole.as_deref().unwrap_or(name);
            guarded(|| self.of_type(Topic { name, examples }, ty, depth + 1))
        };
        match ty {
            Type::Bool => vec![Value::bool(true), Value::bool(false)],
            Type::Number => {
                let examples = place.examples.iter().filter_map(|it| it.parse().ok());
                let named = numbers(place.name);
                distinct(examples.chain(named)).into_iter().map(Value::int).collect()
            }
            Type::String => self.texts(place).into_iter().map(Value::string).collect(),
            Type::List(element) | Type::Set(element) => {
                let few = inner(&singular(place.name), text_if_open(element));
                let several = self.several(place.name);
                if **element == Type::String && !several.is_empty() {
                    let all = several.iter().map(|it| Value::string(*it)).collect();
                    return std::iter::once(Value::tuple(all)).chain(elements(&few)).collect();
                }
                elements(&few)
            }
            Type::Map(element) => {
                Self::maps(place, &inner(&singular(place.name), text_if_open(element)))
            }
            Type::Tuple(types) => {
                let each: Vec<_> = types.iter().map(|it| inner(place.name, it)).collect();
                vec![Value::tuple(each.iter().filter_map(|it| it.first().cloned()).collect())]
            }
            Type::Object(object) => {
                let parts = object
                    .attributes
                    .iter()
                    .map(|(name, ty)| (name, object.optional.contains(name), inner(name, ty)));
                objects(&parts.collect::<Vec<_>>())
            }
            Type::Dynamic => self.of_any_type(place, depth),
        }
    }

    /// A map with one key. Tags are the same everywhere.
    fn maps(place: Topic<'_>, few: &[Value]) -> Vec<Value> {
        let mut out = Vec::new();
        out.extend(few.first().and_then(|it| tags(place.name, it)));
        out.extend(few.iter().take(8).map(|it| entry("example", it.clone())));
        for key in ["Example", "default", "a", "1"] {
            out.extend(few.first().map(|it| entry(key, it.clone())));
        }
        out.extend(few.first().map(|first| {
            let both = [("example", first.clone()), ("other", sibling(first, 1))];
            Value::object(both.map(|it| (SmolStr::new(it.0), it.1)).into_iter().collect())
        }));
        out.push(Value::object(BTreeMap::new()));
        out
    }

    /// Values for a variable without a type: its name decides which kind comes first.
    fn of_any_type(&self, place: Topic<'_>, depth: usize) -> Vec<Value> {
        let name = words(place.name);
        let text = Type::String;
        let list = Type::list(Type::String);
        let map = Type::map(Type::String);
        let first = if ["_tag_", "_label_", "_map_", "_setting_", "_config_"]
            .iter()
            .any(|it| name.contains(it))
        {
            &map
        } else if is_plural(place.name) {
            &list
        } else if is_switch(&name) {
            &Type::Bool
        } else if is_number(&name) {
            &Type::Number
        } else {
            &text
        };
        let kinds = [first, &text, &list, &map, &Type::Bool, &Type::Number];
        let each = kinds.into_iter().map(|ty| {
            let mut few = self.of_type(place, ty, depth + 1);
            few.truncate(3);
            few
        });
        let mut out: Vec<Value> = Vec::new();
        for it in each.flatten() {
            if !out.contains(&it) {
                out.push(it);
            }
        }
        out
    }

    /// Texts for a place, the best first.
    pub fn texts(&self, place: Topic<'_>) -> Vec<String> {
        let name = words(place.name);
        let mut out: Vec<String> = place.examples.to_vec();
        // The key of a table, which `maps` and `of_use` call so.
        if name.ends_with("_key_") && !NO_TABLES.iter().any(|it| name.contains(it)) {
            out.push("example".to_owned());
        }
        let word = |all: &[&str]| all.iter().any(|it| name.contains(it));
        if name.ends_with("_arn_")
            && let Some(it) = ARNS.iter().find(|it| word(it.0))
        {
            out.push(it.1.to_owned());
        }
        if let Some((_, region, zone)) = self.place {
            let (is_zone, is_region) =
                (name.ends_with("_zone_"), word(&["_region_", "_location_"]));
            let text = if is_zone { zone } else { region };
            let is_domain = word(&["_dns_", "_domain_", "_hosted_"]);
            out.extend(((is_zone || is_region) && !is_domain).then(|| (*text).to_owned()));
        }
        // What makes a network gets the ranges of its subnets.
        if self.makes_network && name.ends_with("_subnet_") {
            out.push("10.0.1.0/24".to_owned());
        }
        let named = named(TEXTS, &name);
        if let Some(texts) = named {
            out.extend(self.in_cloud(texts).iter().map(|it| (*it).to_owned()));
        }
        if named.is_none() && self.cloud == Cloud::Azure && name.ends_with("_id_") {
            out.push(AZURE_RESOURCE.to_owned());
        }
        if named.is_none() && is_switch(&name) {
            out.push("true".to_owned());
        }
        out.extend(PLAIN.iter().map(|it| (*it).to_owned()));
        distinct(out)
    }

    /// Several texts for a list that usually has more than one.
    fn several(&self, name: &str) -> &'static [&'static str] {
        let name = words(name);
        let zones = ["_availability_zone_", "_az_", "_zone_"].iter().any(|it| name.contains(it));
        match self.cloud {
            Cloud::Aws if zones && !name.contains("_id_") => &["us-east-1a", "us-east-1b"],
            Cloud::Azure if zones => &["1", "2"],
            Cloud::Google if zones => &["europe-west1-b", "europe-west1-c"],
            _ => &[],
        }
    }

    fn in_cloud(&self, texts: &Texts) -> &'static [&'static str] {
        match (texts, self.cloud) {
            (Texts::Any(all), _) => all,
            (Texts::By { azure, .. }, Cloud::Azure) => azure,
            (Texts::By { google, .. }, Cloud::Google) => google,
            (Texts::By { aws, .. }, Cloud::Aws | Cloud::Other) => aws,
        }
    }
}

/// The name of an attribute with that of its object, if both together say more: the `email` of a `service_account`.
fn within(object: &str, name: &str) -> Option<String> {
    let whole = format!("{}_{name}", singular(object));
    let (own, all) = (words(name), words(&whole));
    let is_longer = |word: &&str| word.len() > own.len() && all.ends_with(*word);
    TEXTS.iter().any(|it| it.0.iter().any(is_longer)).then_some(whole)
}

/// Whether a name is that of something that is on or off.
fn is_switch(name: &str) -> bool {
    SWITCHES.iter().any(|it| name.starts_with(it)) || name.ends_with("_enabled_")
}

fn is_number(name: &str) -> bool {
    let is_generic = GENERIC.iter().any(|it| name.ends_with(it));
    !is_generic && NUMBERS.iter().any(|it| name.contains(it.0))
}

/// A map with one entry.
fn entry(key: &str, value: Value) -> Value {
    Value::object(BTreeMap::from([(SmolStr::new(key), value)]))
}

/// What tags and labels usually are, if their values are texts.
fn tags(name: &str, value: &Value) -> Option<Value> {
    let words = words(name);
    let key = match () {
        () if words.contains("_tag_") => "Environment",
        () if words.contains("_label_") => "environment",
        () => return None,
    };
    value.as_str().map(|_| entry(key, Value::string("dev")))
}

/// Words of keys that are no keys of tables.
const NO_TABLES: [&str; 8] =
    ["_access_", "_api_", "_encryption_", "_kms_", "_private_", "_public_", "_secret_", "_ssh_"];

/// One element, two different ones, none.
fn elements(few: &[Value]) -> Vec<Value> {
    let mut out: Vec<Value> =
        few.iter().take(12).map(|it| Value::tuple(vec![it.clone()])).collect();
    if let [first, second, ..] = few {
        out.insert(1, Value::tuple(vec![first.clone(), second.clone()]));
        out.push(Value::tuple(few.iter().take(3).cloned().collect()));
    }
    out.extend(few.first().map(|it| Value::tuple(vec![it.clone(), sibling(it, 1)])));
    out.push(Value::tuple(Vec::new()));
    out
}

/// The required attributes, then all of them, then the required ones with other values.
fn objects(parts: &[(&SmolStr, bool, Vec<Value>)]) -> Vec<Value> {
    let with = |wants_all: bool, at: usize| {
        let wanted = parts.iter().filter(|(_, optional, _)| wants_all || !optional);
        let each = wanted.map(|(name, _, all)| {
            Some(((*name).clone(), all.get(at).or_else(|| all.first())?.clone()))
        });
        each.collect::<Option<BTreeMap<_, _>>>().map(Value::object)
    };
    let mut out = Vec::new();
    out.extend(with(false, 0));
    out.extend(with(true, 0));
    (1..6).for_each(|at| out.extend(with(false, at)));
    // Often one of several must be set, and no other.
    let required = out.first().and_then(Value::as_mapping).cloned().unwrap_or_default();
    for (name, _, all) in parts.iter().filter(|it| it.1).take(ALTERNATIVES) {
        let Some(it) = all.first() else { continue };
        let mut one = required.clone();
        one.insert((*name).clone(), it.clone());
        out.push(Value::object(one));
    }
    // One attribute differs from the first choice.
    let first = out.first().cloned();
    if let Some(members) = first.as_ref().and_then(Value::as_mapping) {
        let named = parts.iter().filter(|it| members.contains_key(it.0));
        let others =
            named.flat_map(|(name, _, all)| all.iter().skip(1).take(4).map(move |it| (name, it)));
        // Each of them is a copy of an object that may have thousands of attributes.
        for (name, it) in others.take(MOST.saturating_sub(out.len())) {
            let mut other = members.clone();
            other.insert((**name).clone(), it.clone());
            out.push(Value::object(other));
        }
    }
    out.truncate(MOST);
    out
}

fn numbers(name: &str) -> Vec<i64> {
    let name = words(name);
    let ends = NUMBERS.iter().find(|it| name.ends_with(it.0));
    let named = ends.or_else(|| NUMBERS.iter().find(|it| name.contains(it.0)));
    let named = named.map(|it| it.1).unwrap_or_default().iter().copied();
    named
        .chain([1, 2, 3, 5, 7, 10, 20, 30, 60, 100, 128, 256, 300, 443, 512, 1024, 3600, 0])
        .collect()
}

/// The name between underscores, in lower case and in the singular: `_subnet_id_`.
pub fn words(name: &str) -> String {
    let mut apart = String::new();
    let mut was_small = false;
    for char in name.chars() {
        if was_small && char.is_uppercase() {
            apart.push('_');
        }
        was_small = char.is_lowercase();
        apart.push(char);
    }
    let mut out = String::from("_");
    for word in apart.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
        let word = word.to_lowercase();
        // The second zone is a zone.
        let stem = word.trim_end_matches(|it: char| it.is_ascii_digit());
        let is_counted = stem.len() > 3 && stem.chars().all(|it| it.is_ascii_alphabetic());
        out.push_str(&singular_word(if is_counted { stem } else { &word }));
        out.push('_');
    }
    out
}

/// The first entry for the end of a name, where English says what it is, else for another part of it. A name that ends
/// in a word such as `type` is about something else than its other words.
fn named<'t, T>(all: &'t [(&'static [&'static str], T)], name: &str) -> Option<&'t T> {
    let ends = all.iter().find(|it| it.0.iter().any(|word| name.ends_with(word)));
    let is_generic = GENERIC.iter().any(|it| name.ends_with(it));
    let contains = || all.iter().find(|it| it.0.iter().any(|word| name.contains(word)));
    ends.or_else(|| (!is_generic).then(contains)?).map(|it| &it.1)
}

fn is_plural(name: &str) -> bool {
    let last = name.rsplit('_').next().unwrap_or_default();
    singular_word(last) != last
}

pub fn singular(name: &str) -> String {
    match name.rsplit_once('_') {
        Some((before, last)) => format!("{before}_{}", singular_word(last)),
        None => singular_word(name),
    }
}

fn singular_word(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|it| it.len() > 2) {
        return format!("{stem}y");
    }
    if let Some(stem) = word.strip_suffix("sses") {
        return format!("{stem}ss");
    }
    let keeps = ["ss", "us", "is", "dns", "aws", "kms", "sns", "sqs", "ecs", "eks", "rds", "https"];
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !keeps.iter().any(|it| word.ends_with(it)) => {
            stem.to_owned()
        }
        _ => word.to_owned(),
    }
}

/// The examples that a text gives: `a CIDR block, e.g. "10.0.0.0/16"`.
pub fn examples(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    // Lower case may have another length; then places do not agree.
    if lower.len() != text.len() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for introduction in INTRODUCTIONS {
        for (at, _) in lower.match_indices(introduction).take(3) {
            let rest = text.get(at + introduction.len()..).unwrap_or_default();
            let end = rest.char_indices().nth(160).map_or(rest.len(), |it| it.0);
            out.extend(quoted(rest.get(..end).unwrap_or_default()));
            if introduction == "e.g." {
                out.extend(bare(rest));
            }
        }
    }
    distinct(out)
}

/// The texts between quotes or backquotes.
fn quoted(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for quote in ['`', '"', '\''] {
        let parts = text.split(quote).skip(1).step_by(2);
        out.extend(parts.map(|it| filled(it.trim().trim_matches(['"', '\'']))));
    }
    out.retain(|it| !it.is_empty() && it.len() <= 120 && !it.contains(['{', '\n', '[']));
    out.truncate(4);
    out
}

/// The text with a word in the place of what the reader puts in: `projects/<project>`.
fn filled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        let Some((_, end)) = after.split_once('>') else { break };
        out += before;
        out += "example";
        rest = end;
    }
    out + rest
}

/// The word after `e.g.`.
fn bare(text: &str) -> Option<String> {
    let rest = text.trim_start().split([',', ';', ')', '\n']).next()?;
    let is_upper = |word: &&str| word.starts_with(char::is_uppercase);
    // A name such as `West US` has several words.
    let names: Vec<&str> = rest.split(' ').take_while(is_upper).take(3).collect();
    let joined = names.join(" ");
    let word = if names.len() > 1 { &joined } else { rest.split(' ').next()? };
    let word = word.trim_end_matches('.');
    let is_plain = |it: char| it.is_alphanumeric() || "-_./:@ ".contains(it);
    (!word.is_empty() && word.chars().all(is_plain)).then(|| word.to_owned())
}

fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut out = Vec::new();
    for it in all {
        if !out.contains(&it) {
            out.push(it);
        }
    }
    out
}
