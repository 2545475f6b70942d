//! JSON Schema as data: the keywords that are used and their JSON in each draft.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decimal, Draft, Json};

/// A schema: `true`, `false`, or keywords.
#[derive(Clone, Debug, PartialEq)]
pub enum Schema {
    Bool(bool),
    Keywords(Box<Keywords>),
}

/// The JSON types that `type` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Null,
    Boolean,
    Number,
    Integer,
    String,
    Array,
    Object,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Boolean => "boolean",
            Kind::Number => "number",
            Kind::Integer => "integer",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }
}

/// `items`: one schema for every element, or one for each place.
#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    Each(Schema),
    Places(Vec<Schema>),
}

/// The keywords of one schema object; an absent keyword is `None` or empty. `required` and
/// `properties` are `Some` and empty where the empty keyword is to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keywords {
    /// What `$schema` says; at the root it decides how everything inside is written.
    pub dialect: Option<Draft>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub default: Option<Json>,

    pub kind: Option<Kind>,
    pub one_of_values: Option<Vec<Json>>,

    pub minimum: Option<Decimal>,
    pub exclusive_minimum: Option<Decimal>,
    pub maximum: Option<Decimal>,
    pub exclusive_maximum: Option<Decimal>,
    pub multiple_of: Option<Decimal>,

    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<String>,

    pub items: Option<Items>,
    pub contains: Option<Schema>,
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
    pub condition: Option<Condition>,

    /// Annotations, and the members that the user sets; they win over the others.
    pub extra: BTreeMap<String, Json>,
}

/// `if`, `then` and `else`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
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
    /// A schema that says nothing but the type.
    pub fn of_kind(kind: Kind) -> Schema {
        Keywords { kind: Some(kind), ..Keywords::default() }.into()
    }

    /// The draft that it names; draft-07 where it names none.
    pub fn draft(&self) -> Draft {
        match self {
            Schema::Bool(_) => Draft::default(),
            Schema::Keywords(it) => it.dialect.unwrap_or_default(),
        }
    }

    /// The schema as JSON in its draft; its text is [`Json::to_text`]'s.
    pub fn to_json(&self) -> Json {
        self.json(self.draft())
    }

    fn json(&self, draft: Draft) -> Json {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self {
            Schema::Bool(it) => Json::Bool(*it),
            Schema::Keywords(it) => it.json(draft),
        })
    }
}

impl Keywords {
    fn json(&self, draft: Draft) -> Json {
        let mut out = Members { draft, members: BTreeMap::new() };
        self.annotations(&mut out);
        self.numbers_and_strings(&mut out);
        self.arrays(&mut out);
        self.objects(&mut out);
        self.combinations(&mut out);
        out.members.extend(self.extra.clone());
        Json::Object(out.members)
    }

    fn annotations(&self, out: &mut Members) {
        out.text("$schema", self.dialect.map(Draft::uri));
        out.text("title", self.title.as_deref());
        out.text("description", self.description.as_deref());
        out.json("default", self.default.clone());
        out.text("type", self.kind.map(Kind::as_str));
        out.json("enum", self.one_of_values.clone().map(Json::Array));
    }

    fn numbers_and_strings(&self, out: &mut Members) {
        out.decimal("minimum", self.minimum.as_ref());
        out.decimal("exclusiveMinimum", self.exclusive_minimum.as_ref());
        out.decimal("maximum", self.maximum.as_ref());
        out.decimal("exclusiveMaximum", self.exclusive_maximum.as_ref());
        out.decimal("multipleOf", self.multiple_of.as_ref());
        out.count("minLength", self.min_length);
        out.count("maxLength", self.max_length);
        out.text("pattern", self.pattern.as_deref());
    }

    fn arrays(&self, out: &mut Members) {
        match &self.items {
            Some(Items::Each(it)) => out.schema("items", Some(it)),
            Some(Items::Places(places)) => {
                let key = if out.draft == Draft::Draft07 { "items" } else { "prefixItems" };
                out.list(key, places);
            }
            None => (),
        }
        out.schema("contains", self.contains.as_ref());
        out.count("minItems", self.min_items);
        out.count("maxItems", self.max_items);
        out.json("uniqueItems", self.unique_items.then_some(Json::Bool(true)));
    }

    fn objects(&self, out: &mut Members) {
        if let Some(properties) = &self.properties {
            out.map("properties", properties);
        }
        if !self.pattern_properties.is_empty() {
            out.map("patternProperties", &self.pattern_properties);
        }
        out.schema("additionalProperties", self.additional_properties.as_ref());
        out.schema("propertyNames", self.property_names.as_ref());
        let required = self.required.as_ref();
        out.json("required", required.map(|it| Json::Array(it.iter().map(Json::string).collect())));
        out.count("minProperties", self.min_properties);
        out.count("maxProperties", self.max_properties);
    }

    fn combinations(&self, out: &mut Members) {
        for (key, schemas) in
            [("allOf", &self.all_of), ("anyOf", &self.any_of), ("oneOf", &self.one_of)]
        {
            if !schemas.is_empty() {
                out.list(key, schemas);
            }
        }
        out.schema("not", self.not.as_ref());
        if let Some(condition) = &self.condition {
            out.schema("if", Some(&condition.when));
            out.schema("then", condition.then.as_ref());
            out.schema("else", condition.otherwise.as_ref());
        }
    }
}

/// The members of a schema object under construction; an absent value adds nothing.
struct Members {
    draft: Draft,
    members: BTreeMap<String, Json>,
}

impl Members {
    fn json(&mut self, key: &str, value: Option<Json>) {
        if let Some(value) = value {
            self.members.insert(key.to_owned(), value);
        }
    }

    fn text(&mut self, key: &str, value: Option<&str>) {
        self.json(key, value.map(Json::string));
    }

    fn decimal(&mut self, key: &str, value: Option<&Decimal>) {
        self.json(key, value.cloned().map(Json::Number));
    }

    fn count(&mut self, key: &str, value: Option<u64>) {
        self.json(key, value.map(Json::integer));
    }

    fn schema(&mut self, key: &str, value: Option<&Schema>) {
        self.json(key, value.map(|it| it.json(self.draft)));
    }

    fn list(&mut self, key: &str, schemas: &[Schema]) {
        let all = schemas.iter().map(|it| it.json(self.draft)).collect();
        self.json(key, Some(Json::Array(all)));
    }

    fn map(&mut self, key: &str, schemas: &BTreeMap<String, Schema>) {
        let all = schemas.iter().map(|(key, it)| (key.clone(), it.json(self.draft))).collect();
        self.json(key, Some(Json::Object(all)));
    }
}
