//! JSON Schema: model, generator, canonical printer, semantic difference.
