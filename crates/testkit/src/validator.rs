//! Judges values by a schema.

use projection::schema::Draft;

/// A validator of a draft, whatever the schema says it is.
pub fn validator(draft: Draft, schema: &serde_json::Value) -> jsonschema::Validator {
    let new = match draft {
        Draft::Draft07 => jsonschema::draft7::new,
        Draft::Draft202012 => jsonschema::draft202012::new,
    };
    new(schema).unwrap()
}
