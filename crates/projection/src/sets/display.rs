//! Sets in words: `a string of 1 to 8 characters that matches ^a`, `null or one of "a", "b"`.
//!
//! Values are shown as they are: callers must hide a set that was made from a sensitive value.

use super::{Kind, Length, Measure, NumberRange, ValueSet, joined, presence};
use crate::sets::value_set::single_or;
use hcl::is_identifier;
use smol_str::SmolStr;
use tf_value::{DYNAMIC, Number, Type, Value, ValueContent, quoted};

/// The longest text, in characters; longer ones end in "…".
const LONGEST: usize = 240;

/// How deep the words go into a set, and how many values of an enumeration they name.
const DEPTH: usize = 6;
pub(super) const VALUES: usize = 8;

/// What follows upon "every element" where only some are meant.
const LIMITED: [&str; 3] = [" from index ", " but ", " whose key "];

/// The set in words, as values of the type; `null`: whether null is in. `name_of` gives the name of a
/// pattern that people would not recognise, as in `a string that is a timestamp (RFC 3339)`.
pub fn in_words(
    set: &ValueSet,
    ty: &Type,
    null: bool,
    name_of: &dyn Fn(&str) -> Option<String>,
) -> String {
    let words = Words { name_of };
    let text = match (null, beside_null(set)) {
        (false, set) => words.value(&set, ty, DEPTH),
        (true, ValueSet::Nothing) => "null".to_owned(),
        (true, set) => format!("null or {}", words.value(&set, ty, DEPTH)),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

/// The set without null among its own choices: whether null is in is said once, and by the region.
fn beside_null(set: &ValueSet) -> ValueSet {
    let each = |parts: &[ValueSet]| parts.iter().map(beside_null).collect::<Vec<_>>();
    match set {
        ValueSet::OneOf(_) => set.clone().without_null(),
        ValueSet::All(parts) => ValueSet::All(each(parts)),
        ValueSet::Either(parts) => {
            let mut parts = each(parts);
            parts.retain(|it| *it != ValueSet::Nothing);
            single_or(parts, ValueSet::Nothing, ValueSet::Either)
        }
        other => other.clone(),
    }
}

struct Words<'n> {
    name_of: &'n dyn Fn(&str) -> Option<String>,
}

impl Words<'_> {
    /// Describes a value: its kind, and the values inside it.
    fn value(&self, set: &ValueSet, ty: &Type, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".to_owned() };
        match set {
            ValueSet::Nothing => "nothing".to_owned(),
            ValueSet::Either(parts) if !presence::is_described(set) => {
                let parts = joined::choices(parts, ty);
                if let [one] = parts.as_slice() {
                    return self.value(one, ty, depth + 1);
                }
                let each: Vec<_> =
                    parts.iter().take(VALUES).map(|it| self.value(it, ty, depth)).collect();
                let more = if parts.len() > VALUES { ", …" } else { "" };
                format!("{}{more}", alternatives(&each))
            }
            _ => match joined::together(conjuncts(set), ty).as_slice() {
                [ValueSet::Nothing] => "nothing".to_owned(),
                parts => self.described(parts, ty, depth),
            },
        }
    }

    fn described(&self, parts: &[ValueSet], ty: &Type, depth: usize) -> String {
        let (given, mut parts) = presence::sentences(parts);
        let is_not = |it: bool| parts.contains(&&ValueSet::OneOf(vec![Value::bool(it)]).negated());
        if *ty == Type::Bool && (is_not(true) || is_not(false)) {
            return if is_not(true) { "false" } else { "true" }.to_owned();
        }
        let is_whole = parts.contains(&&ValueSet::MultipleOf(1));
        let is_choice = |it: &&ValueSet| matches!(it, ValueSet::OneOf(_));
        let is_kind = |it: &&ValueSet| matches!(it, ValueSet::Kind(_));
        let named = parts.iter().position(is_choice).or_else(|| parts.iter().position(is_kind));
        let mut out = match named.map(|it| parts.remove(it)) {
            Some(ValueSet::OneOf(values)) => one_of(values, ty),
            Some(ValueSet::Kind(kind)) => self::kind(*kind).to_owned(),
            _ => if is_whole { "a whole number" } else { noun(ty) }.to_owned(),
        };
        // Short phrases come first.
        let rank = |it: &&ValueSet| match it {
            ValueSet::Length(..) | ValueSet::Range(_) => 0,
            ValueSet::Unique | ValueSet::MultipleOf(_) => 1,
            _ => 2,
        };
        let mut sorted = parts;
        sorted.sort_by_key(rank);
        let own: Vec<String> = sorted.iter().filter_map(|it| self.phrase(it, ty, depth)).collect();
        for (index, it) in own.iter().enumerate() {
            let and = index > 0 && own[index - 1].starts_with("that ") && it.starts_with("that ");
            out = format!("{out}{}{it}", if and { " and " } else { " " });
        }
        let clauses = sorted.iter().flat_map(|it| self.clauses("", it, ty, depth));
        let inside: Vec<String> = given.into_iter().chain(clauses).collect();
        if inside.is_empty() { out } else { format!("{out} in which {}", inside.join(" and ")) }
    }

    /// The words about the value itself, after its noun.
    fn phrase(&self, set: &ValueSet, ty: &Type, depth: usize) -> Option<String> {
        Some(match set {
            ValueSet::Matches(pattern) => match (self.name_of)(pattern) {
                Some(name) => format!("that is {name}"),
                None => format!("that matches {}", shown(pattern)),
            },
            ValueSet::Range(range) => self::range(range),
            ValueSet::Length(measure, length) => format!("of {}", counted(*measure, *length)),
            ValueSet::MultipleOf(1) => return None,
            ValueSet::MultipleOf(divisor) => format!("divisible by {divisor}"),
            ValueSet::Unique => "without equal elements".to_owned(),
            ValueSet::OneOf(values) => format!("that is {}", one_of(values, ty)),
            ValueSet::Kind(kind) => format!("that is {}", self::kind(*kind)),
            ValueSet::Either(_) => format!("that is {}", self.value(set, ty, depth)),
            ValueSet::Not(inner) => match &**inner {
                ValueSet::Matches(pattern) => match (self.name_of)(pattern) {
                    Some(name) => format!("that is not {name}"),
                    None => format!("that does not match {}", shown(pattern)),
                },
                ValueSet::OneOf(values) => format!("other than {}", listed(values, ty)),
                ValueSet::Either(parts) if !presence::is_described(inner) => {
                    format!("that is neither {}", self.neither(parts, ty, depth))
                }
                ValueSet::Unique => "with equal elements".to_owned(),
                other => format!("that is not {}", self.value(other, ty, depth)),
            },
            _ => return None,
        })
    }

    /// `true or false nor a number`.
    fn neither(&self, parts: &[ValueSet], ty: &Type, depth: usize) -> String {
        let mut each: Vec<String> =
            parts.iter().take(VALUES).map(|it| self.value(it, ty, depth)).collect();
        if parts.len() > VALUES {
            each.push("…".to_owned());
        }
        each.join(" nor ")
    }

    /// The clauses about the values inside: "every element's `name` is …". `of` names the value.
    fn clauses(&self, of: &str, set: &ValueSet, ty: &Type, depth: usize) -> Vec<String> {
        let element = ty.element().unwrap_or(&DYNAMIC);
        let inside =
            |name: &str| if of.is_empty() { name.to_owned() } else { format!("{name} of {of}") };
        match set {
            ValueSet::Items(it) | ValueSet::Values(it) => {
                self.about(&inside("every element"), "", it, element, depth)
            }
            ValueSet::ItemsFrom(index, it) => {
                let name = format!("every element from index {index} on");
                self.about(&inside(&name), "", it, element, depth)
            }
            ValueSet::SomeItem(it) => self.about(&inside("some element"), "", it, element, depth),
            ValueSet::Count(length, it) => {
                let count = counted(Measure::Items, *length);
                let exactly = if length.min == length.max { "exactly " } else { "" };
                let are = if count.ends_with("elements") { "are each" } else { "is" };
                let of = inside(&format!("{exactly}{count}"));
                vec![format!("{of} {are} {}", self.value(it, element, depth))]
            }
            ValueSet::Keys(it) => self.about(&inside("every key"), "", it, &Type::String, depth),
            ValueSet::ValuesBeside(names, it) => {
                let names: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
                let name = format!("every element but {}", names.join(", "));
                self.about(&inside(&name), "", it, element, depth)
            }
            ValueSet::ValuesMatching(pattern, it) => {
                let name = format!("every element whose key matches {}", shown(pattern));
                self.about(&inside(&name), "", it, element, depth)
            }
            ValueSet::Place { index, required, values } => {
                let tuple = ty.as_tuple();
                let is_there = *required || tuple.is_some_and(|it| *index < it.len());
                let if_there = if is_there { "" } else { ", if there is one," };
                let ty = tuple.map_or(element, |it| it.get(*index).unwrap_or(&DYNAMIC));
                self.about(&inside(&format!("element {index}")), if_there, values, ty, depth)
            }
            ValueSet::Member { name, required, values } => {
                let object = ty.as_object();
                let has_it = object.is_some_and(|it| {
                    it.attributes.contains_key(name) && !it.optional.contains(name)
                });
                let ty = object.map_or(element, |it| it.attributes.get(name).unwrap_or(&DYNAMIC));
                let path = match of {
                    "" => format!("`{name}`"),
                    // "Every element from index 1 on's" is not English.
                    _ if LIMITED.iter().any(|it| of.contains(it)) => {
                        format!("the `{name}` of {of}")
                    }
                    _ => format!("{of}'s `{name}`"),
                };
                match (&**values, *required || has_it) {
                    (ValueSet::Anything, true) => vec![format!("{path} is given")],
                    (ValueSet::Nothing, false) => vec![format!("{path} is not given")],
                    (_, true) => self.about(&path, "", values, ty, depth),
                    (_, false) => self.about(&path, ", if given,", values, ty, depth),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Sentences about one place. `if_given` follows its name; places inside are named from `path` alone.
    fn about(
        &self,
        path: &str,
        if_given: &str,
        set: &ValueSet,
        ty: &Type,
        depth: usize,
    ) -> Vec<String> {
        let Some(depth) = depth.checked_sub(1) else {
            return vec![format!("{path}{if_given} is …")];
        };
        let (mut own, mut inside) = (Vec::new(), Vec::new());
        for part in conjuncts(set) {
            let clauses = self.clauses(path, part, ty, depth);
            if clauses.is_empty() {
                own.push(part.clone());
            }
            inside.extend(clauses);
        }
        if !own.is_empty() {
            let own = self.value(&ValueSet::all(own), ty, depth);
            inside.insert(0, format!("{path}{if_given} is {own}"));
        }
        inside
    }
}

/// The parts of an intersection.
pub(super) fn conjuncts(set: &ValueSet) -> &[ValueSet] {
    match set {
        ValueSet::All(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

/// The pattern, in backquotes if its blanks would otherwise be invisible.
fn shown(pattern: &str) -> String {
    if pattern.trim() == pattern && !pattern.is_empty() {
        pattern.to_owned()
    } else {
        format!("`{pattern}`")
    }
}

/// The alternatives in one sentence, with their common beginning once: `an object in which …, or in which …`, or
/// ``an object in which `a` is null, not given, or 1``.
fn alternatives(each: &[String]) -> String {
    const IN_WHICH: &str = " in which ";
    let noun = each.first().and_then(|it| Some(it.split_once(IN_WHICH)?.0)).unwrap_or_default();
    let clause = |it: &'_ String| it.strip_prefix(noun)?.strip_prefix(IN_WHICH).map(str::to_owned);
    if let Some(clauses) = each.iter().map(clause).collect::<Option<Vec<_>>>()
        && let Some((place, _)) = clauses.first().and_then(|it| it.split_once(" is "))
        && let Some(values) = clauses.iter().map(|it| alone(it, place)).collect::<Option<Vec<_>>>()
        && let [first @ .., last] = values.as_slice()
    {
        let comma = if first.len() > 1 { "," } else { "" };
        return format!("{noun}{IN_WHICH}{place} is {}{comma} or {last}", first.join(", "));
    }
    let short = |(at, it): (usize, &String)| match it.strip_prefix(noun) {
        Some(rest) if at > 0 && rest.starts_with(IN_WHICH) => rest.trim_start().to_owned(),
        _ => it.clone(),
    };
    each.iter().enumerate().map(short).collect::<Vec<_>>().join(", or ")
}

/// What a clause says about a place, if it says nothing else.
fn alone<'c>(clause: &'c str, place: &str) -> Option<&'c str> {
    let value = clause.strip_prefix(place)?.strip_prefix(" is ")?;
    let is_alone = ![" and ", " or ", " in which "].iter().any(|it| value.contains(it));
    is_alone.then_some(value)
}

fn noun(ty: &Type) -> &'static str {
    match ty {
        Type::String => "a string",
        Type::Number => "a number",
        Type::Bool => "true or false",
        Type::List(_) => "a list",
        Type::Set(_) => "a set",
        Type::Map(_) => "a map",
        Type::Object(_) => "an object",
        Type::Tuple(_) => "a tuple",
        Type::Dynamic => "a value",
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "true or false",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "a list",
        Kind::Object => "an object",
    }
}

fn range(range: &NumberRange) -> String {
    let number = |it: &Number| it.to_literal();
    match (&range.lower, &range.upper) {
        (Some(lower), Some(upper)) if lower.inclusive && upper.inclusive => {
            format!("from {} to {}", number(&lower.value), number(&upper.value))
        }
        (lower, upper) => {
            let lower = lower.as_ref().map(|it| {
                format!("{} {}", if it.inclusive { "from" } else { "above" }, number(&it.value))
            });
            let upper = upper.as_ref().map(|it| {
                format!("{} {}", if it.inclusive { "up to" } else { "below" }, number(&it.value))
            });
            lower.into_iter().chain(upper).collect::<Vec<_>>().join(" and ")
        }
    }
}

fn counted(measure: Measure, length: Length) -> String {
    let (one, many) = match measure {
        Measure::Characters => ("character", "characters"),
        Measure::Items | Measure::Properties => ("element", "elements"),
    };
    let of = |count: u64| if count == 1 { one } else { many };
    match (length.min, length.max) {
        (None | Some(0), Some(0)) => format!("no {many}"),
        (Some(min), Some(max)) if min == max => format!("{min} {}", of(min)),
        (None | Some(0), Some(max)) => format!("at most {max} {}", of(max)),
        (Some(min), Some(max)) => format!("{min} to {max} {}", of(max)),
        (min, None) => {
            let min = min.unwrap_or(0);
            format!("at least {min} {}", of(min))
        }
    }
}

// Values as words name them.

/// How deep a value is shown; what is deeper is `[…]` or `{…}`.
const LITERAL_DEPTH: usize = 2;

/// `"a"`, or `one of "a", "b"`.
pub(super) fn one_of(values: &[Value], ty: &Type) -> String {
    match values {
        [] => "nothing".to_owned(),
        [one] => named(one, ty),
        _ => format!("one of {}", listed(values, ty)),
    }
}

/// `"a", "b"`.
pub(super) fn listed(values: &[Value], ty: &Type) -> String {
    each(values, |it| named(it, ty)).join(", ")
}

/// The first of them, and whether there are more.
fn each<T>(all: impl IntoIterator<Item = T>, show: impl Fn(T) -> String) -> Vec<String> {
    let mut all = all.into_iter();
    let mut out: Vec<String> = all.by_ref().take(VALUES).map(show).collect();
    if all.next().is_some() {
        out.push("…".to_owned());
    }
    out
}

/// A value of the type. A value without elements is written in words, since people overlook a sign such as `[]`.
fn named(value: &Value, ty: &Type) -> String {
    let empty = match (value.content(), ty) {
        (ValueContent::Sequence(it), _) if !it.is_empty() => None,
        (ValueContent::Mapping(it), _) if !it.is_empty() => None,
        (ValueContent::Sequence(_), Type::Set(_)) => Some("an empty set"),
        (ValueContent::Sequence(_), _) => Some("an empty list"),
        (ValueContent::Mapping(_), Type::Map(_)) => Some("an empty map"),
        (ValueContent::Mapping(_), _) => Some("an empty object"),
        _ => None,
    };
    empty.map_or_else(|| literal(value, LITERAL_DEPTH), str::to_owned)
}

fn literal(value: &Value, depth: usize) -> String {
    match value.content() {
        ValueContent::Null => "null".to_owned(),
        ValueContent::Bool(it) => it.to_string(),
        ValueContent::Number(it) => it.to_literal(),
        ValueContent::String(it) => quoted(it),
        ValueContent::Sequence(it) if it.is_empty() => "[]".to_owned(),
        ValueContent::Mapping(it) if it.is_empty() => "{}".to_owned(),
        ValueContent::Sequence(_) if depth == 0 => "[…]".to_owned(),
        ValueContent::Mapping(_) if depth == 0 => "{…}".to_owned(),
        ValueContent::Sequence(it) => {
            format!("[{}]", each(it.iter(), |inner| literal(inner, depth - 1)).join(", "))
        }
        ValueContent::Mapping(it) => {
            let member = |(key, value): (&SmolStr, &Value)| {
                let key = if is_identifier(key) { key.to_string() } else { quoted(key) };
                format!("{key} = {}", literal(value, depth - 1))
            };
            format!("{{ {} }}", each(it.iter(), member).join(", "))
        }
        ValueContent::Unknown(_) => "…".to_owned(),
    }
}
