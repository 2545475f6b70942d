//! The keywords of a schema as the members of an object, and their JSON in each draft.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decimal, Draft, Items, JsonType, Keywords, Schema, SchemaJson, text::Writer};
use stack::guarded;

impl Schema {
    /// The schema as JSON in its draft.
    pub fn to_json(&self) -> SchemaJson {
        self.json(self.draft())
    }

    /// The text of [`Schema::to_json`], as [`SchemaJson::to_text`] gives it.
    pub fn to_text(&self, escape_html: bool) -> String {
        Writer::write(escape_html, |out| self.write(self.draft(), out, 0))
    }

    fn json(&self, draft: Draft) -> SchemaJson {
        guarded(|| match self {
            Schema::Bool(it) => SchemaJson::Bool(*it),
            Schema::Keywords(it) => {
                let members = it.members(draft).into_iter();
                SchemaJson::Object(
                    members.map(|(key, it)| (key.to_owned(), it.json(draft))).collect(),
                )
            }
        })
    }

    fn write(&self, draft: Draft, out: &mut Writer, depth: usize) {
        guarded(|| match self {
            Schema::Bool(it) => out.bool(*it),
            Schema::Keywords(it) => out.object(it.members(draft), depth, |out, it, depth| {
                it.write(draft, out, depth);
            }),
        });
    }
}

/// The value of a keyword.
enum Member<'s> {
    True,
    Text(&'s str),
    Number(&'s Decimal),
    Count(u64),
    Names(&'s BTreeSet<String>),
    Json(&'s SchemaJson),
    Values(&'s [SchemaJson]),
    Schema(&'s Schema),
    Schemas(&'s [Schema]),
    Named(&'s BTreeMap<String, Schema>),
}

impl Member<'_> {
    fn json(&self, draft: Draft) -> SchemaJson {
        match self {
            Member::True => SchemaJson::Bool(true),
            Member::Text(it) => SchemaJson::string(*it),
            Member::Number(it) => SchemaJson::Number((*it).clone()),
            Member::Count(it) => SchemaJson::integer(*it),
            Member::Names(it) => SchemaJson::Array(it.iter().map(SchemaJson::string).collect()),
            Member::Json(it) => (*it).clone(),
            Member::Values(it) => SchemaJson::Array(it.to_vec()),
            Member::Schema(it) => it.json(draft),
            Member::Schemas(it) => SchemaJson::Array(it.iter().map(|it| it.json(draft)).collect()),
            Member::Named(it) => SchemaJson::Object(
                it.iter().map(|(key, it)| (key.clone(), it.json(draft))).collect(),
            ),
        }
    }

    fn write(&self, draft: Draft, out: &mut Writer, depth: usize) {
        let schema = |out: &mut Writer, it: &Schema, depth| it.write(draft, out, depth);
        match self {
            Member::True => out.bool(true),
            Member::Text(it) => out.string(it),
            Member::Number(it) => out.number(it),
            Member::Count(it) => out.number(&Decimal::from(*it)),
            Member::Names(it) => out.array(*it, depth, |out, it, _| out.string(it)),
            Member::Json(it) => out.json(it, depth),
            Member::Values(it) => out.array(*it, depth, Writer::json),
            Member::Schema(it) => it.write(draft, out, depth),
            Member::Schemas(it) => out.array(*it, depth, schema),
            Member::Named(it) => {
                out.object(it.iter().map(|(key, it)| (key.as_str(), it)), depth, schema);
            }
        }
    }
}

impl Keywords {
    /// The members in the order of their keys.
    fn members(&self, draft: Draft) -> Vec<(&str, Member<'_>)> {
        let mut out = Members { draft, members: Vec::with_capacity(8) };
        self.annotations(&mut out);
        self.numbers_and_strings(&mut out);
        self.arrays(&mut out);
        self.objects(&mut out);
        self.combinations(&mut out);
        let Members { mut members, .. } = out;
        members.retain(|(key, _)| !self.extra.contains_key(*key));
        members.extend(self.extra.iter().map(|(key, it)| (key.as_str(), Member::Json(it))));
        members.sort_unstable_by_key(|it| it.0);
        members
    }

    fn annotations<'s>(&'s self, out: &mut Members<'s>) {
        out.add("$schema", self.dialect.map(Draft::uri).map(Member::Text));
        out.add("$ref", self.reference.as_deref().map(Member::Text));
        let definitions = Some(&self.definitions).filter(|it| !it.is_empty());
        out.add(out.draft.definitions(), definitions.map(Member::Named));
        out.add("title", self.title.as_deref().map(Member::Text));
        out.add("description", self.description.as_deref().map(Member::Text));
        out.add("default", self.default.as_ref().map(Member::Json));
        out.add("type", self.kind.map(JsonType::as_str).map(Member::Text));
        out.add("enum", self.one_of_values.as_deref().map(Member::Values));
    }

    fn numbers_and_strings<'s>(&'s self, out: &mut Members<'s>) {
        out.add("minimum", self.minimum.as_ref().map(Member::Number));
        out.add("exclusiveMinimum", self.exclusive_minimum.as_ref().map(Member::Number));
        out.add("maximum", self.maximum.as_ref().map(Member::Number));
        out.add("exclusiveMaximum", self.exclusive_maximum.as_ref().map(Member::Number));
        out.add("multipleOf", self.multiple_of.as_ref().map(Member::Number));
        out.add("minLength", self.min_length.map(Member::Count));
        out.add("maxLength", self.max_length.map(Member::Count));
        out.add("pattern", self.pattern.as_deref().map(Member::Text));
    }

    fn arrays<'s>(&'s self, out: &mut Members<'s>) {
        match &self.items {
            Some(Items::Each(it)) => out.add("items", Some(Member::Schema(it))),
            Some(Items::Places(places, rest)) => {
                let (first, behind) = match out.draft {
                    Draft::Draft07 => ("items", "additionalItems"),
                    Draft::Draft202012 => ("prefixItems", "items"),
                };
                out.add(first, Some(Member::Schemas(places)));
                out.add(behind, rest.as_ref().map(Member::Schema));
            }
            None => (),
        }
        if let Some(contains) = &self.contains {
            out.add("contains", Some(Member::Schema(&contains.schema)));
            out.add("minContains", contains.min.map(Member::Count));
            out.add("maxContains", contains.max.map(Member::Count));
        }
        out.add("minItems", self.min_items.map(Member::Count));
        out.add("maxItems", self.max_items.map(Member::Count));
        out.add("uniqueItems", self.unique_items.then_some(Member::True));
    }

    fn objects<'s>(&'s self, out: &mut Members<'s>) {
        out.add("properties", self.properties.as_ref().map(Member::Named));
        let patterns = Some(&self.pattern_properties).filter(|it| !it.is_empty());
        out.add("patternProperties", patterns.map(Member::Named));
        out.add("additionalProperties", self.additional_properties.as_ref().map(Member::Schema));
        out.add("propertyNames", self.property_names.as_ref().map(Member::Schema));
        out.add("required", self.required.as_ref().map(Member::Names));
        out.add("minProperties", self.min_properties.map(Member::Count));
        out.add("maxProperties", self.max_properties.map(Member::Count));
    }

    fn combinations<'s>(&'s self, out: &mut Members<'s>) {
        for (key, schemas) in
            [("allOf", &self.all_of), ("anyOf", &self.any_of), ("oneOf", &self.one_of)]
        {
            out.add(key, Some(schemas).filter(|it| !it.is_empty()).map(|it| Member::Schemas(it)));
        }
        out.add("not", self.not.as_ref().map(Member::Schema));
        if let Some(condition) = &self.condition {
            out.add("if", Some(Member::Schema(&condition.when)));
            out.add("then", condition.then.as_ref().map(Member::Schema));
            out.add("else", condition.otherwise.as_ref().map(Member::Schema));
        }
    }
}

/// The members of a schema object, in construction.
struct Members<'s> {
    draft: Draft,
    members: Vec<(&'s str, Member<'s>)>,
}

impl<'s> Members<'s> {
    fn add(&mut self, key: &'static str, value: Option<Member<'s>>) {
        self.members.extend(value.map(|it| (key, it)));
    }
}
