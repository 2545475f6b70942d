//! JSON Schema as data: the keywords that are used.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decimal, SchemaJson};
use crate::schema::json::Writer;
use stack::guarded;

/// A schema: `true`, `false`, or keywords.
#[derive(Clone, Debug, PartialEq)]
pub enum Schema {
    Bool(bool),
    Keywords(Box<Keywords>),
}

/// The JSON types that `type` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonType {
    Null,
    Boolean,
    Number,
    Integer,
    String,
    Array,
    Object,
}

impl JsonType {
    pub fn as_str(self) -> &'static str {
        match self {
            JsonType::Null => "null",
            JsonType::Boolean => "boolean",
            JsonType::Number => "number",
            JsonType::Integer => "integer",
            JsonType::String => "string",
            JsonType::Array => "array",
            JsonType::Object => "object",
        }
    }
}

/// `items`: one schema for all elements, or one for each of the first places, with an optional schema
/// for the elements behind them.
#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    Each(Schema),
    Places(Vec<Schema>, Option<Schema>),
}

/// `contains`: at least one element, or a number from `minContains` to `maxContains`, which draft-07
/// lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Contains {
    pub schema: Schema,
    pub min: Option<u64>,
    pub max: Option<u64>,
}

/// The keywords of one schema object; an absent keyword is `None` or empty. `required` and `properties`
/// are `Some` and empty if the empty keyword is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keywords {
    /// The draft in `$schema`; at the root it decides how everything inside is written.
    pub dialect: Option<Draft>,
    /// `definitions` or `$defs`, at the root only.
    pub definitions: BTreeMap<String, Schema>,
    /// `$ref`: the schema at this pointer applies, too.
    pub reference: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub default: Option<SchemaJson>,

    pub kind: Option<JsonType>,
    pub one_of_values: Option<Vec<SchemaJson>>,

    pub minimum: Option<Decimal>,
    pub exclusive_minimum: Option<Decimal>,
    pub maximum: Option<Decimal>,
    pub exclusive_maximum: Option<Decimal>,
    pub multiple_of: Option<Decimal>,

    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<String>,

    pub items: Option<Items>,
    pub contains: Option<Contains>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,

    pub properties: Option<BTreeMap<String, Schema>>,
    pub pattern_properties: BTreeMap<String, Schema>,
    pub additional_properties: Option<Schema>,
    pub property_names: Option<Schema>,
    pub required: Option<BTreeSet<String>>,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,

    pub all_of: Vec<Schema>,
    pub any_of: Vec<Schema>,
    pub one_of: Vec<Schema>,
    pub not: Option<Schema>,
    pub condition: Option<IfThenElse>,

    /// Annotations, and members that the user sets; they override other members.
    pub extra: BTreeMap<String, SchemaJson>,
}

/// `if`, `then` and `else`.
#[derive(Clone, Debug, PartialEq)]
pub struct IfThenElse {
    pub when: Schema,
    pub then: Option<Schema>,
    pub otherwise: Option<Schema>,
}

impl From<Keywords> for Schema {
    fn from(keywords: Keywords) -> Self {
        Schema::Keywords(Box::new(keywords))
    }
}

impl Schema {
    /// A schema that specifies the type only.
    pub fn of_kind(kind: JsonType) -> Schema {
        Keywords { kind: Some(kind), ..Keywords::default() }.into()
    }

    /// The draft that `$schema` names; draft-07 by default.
    pub fn draft(&self) -> Draft {
        match self {
            Schema::Bool(_) => Draft::default(),
            Schema::Keywords(it) => it.dialect.unwrap_or_default(),
        }
    }
}

// The keywords of a schema as the members of an object, and their JSON in each draft.

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

// The drafts of JSON Schema that a schema can be written in.

/// A draft of the specification. The drafts say the same in other words: draft-07 calls the places of a
/// tuple `items` and the elements behind them `additionalItems`; 2020-12 calls them `prefixItems` and
/// `items`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Draft {
    #[default]
    Draft07,
    Draft202012,
}

impl Draft {
    pub const ALL: [Draft; 2] = [Draft::Draft07, Draft::Draft202012];

    /// The name on the command line and in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Draft::Draft07 => "draft-07",
            Draft::Draft202012 => "2020-12",
        }
    }

    /// The draft with this name; the prefix `draft-` is optional.
    pub fn from_name(name: &str) -> Option<Draft> {
        let bare = |it: &'static str| it.trim_start_matches("draft-");
        let name = name.strip_prefix("draft-").unwrap_or(name);
        Draft::ALL.into_iter().find(|it| bare(it.as_str()) == name)
    }

    /// The keyword for schemas that others refer to.
    pub fn definitions(self) -> &'static str {
        match self {
            Draft::Draft07 => "definitions",
            Draft::Draft202012 => "$defs",
        }
    }

    /// The URI in `$schema`.
    pub fn uri(self) -> &'static str {
        match self {
            Draft::Draft07 => "http://json-schema.org/draft-07/schema#",
            Draft::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The draft that a `$schema` names.
    pub fn from_uri(uri: &str) -> Option<Draft> {
        let bare = |it: &str| it.trim_end_matches('#').to_owned();
        Draft::ALL.into_iter().find(|it| bare(it.uri()) == bare(uri))
    }
}
