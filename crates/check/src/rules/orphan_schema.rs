//! `orphan-schema`: a generated schema in a directory without variables.

use super::CheckedModule;
use diagnostics::{Diagnostic, Role, Span, lints};
use hcl::json;
use projection::schema::SchemaJson;
use system::paths;

/// The finding for a schema in a directory without variables; `None` for a file that is something else.
pub fn check(subject: &mut CheckedModule<'_>) -> Option<Diagnostic> {
    let path = subject.schema_path();
    let bytes = subject.system().read(&path).unwrap_or_default();
    let file = subject.module.sources_mut().add(paths::display(&path), bytes.clone());
    let (tree, problems) = json::parse(file, &bytes);
    if !problems.is_empty() || !is_generated(&SchemaJson::from(&tree)) {
        return None;
    }
    let summary = "The module has a schema, but declares no variables";
    let found = Diagnostic::new(&lints::ORPHAN_SCHEMA, summary)
        .at(Role::Schema, Span::new(file, 0, 0))
        .help("remove the file, or add it to `exclude` in .terraschema.hcl");
    Some(found)
}

/// Whether a schema has the members that every generated one has, and no `type`, which none has: schemas of other
/// tools are called `schema.json`, too, and begin with `"type": "object"`.
fn is_generated(schema: &SchemaJson) -> bool {
    let SchemaJson::Object(members) = schema else { return false };
    let has = |it: &&str| members.contains_key(*it);
    ["$schema", "additionalProperties", "properties", "required"].iter().all(has) && !has(&"type")
}
