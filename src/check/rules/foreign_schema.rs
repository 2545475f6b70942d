//! `foreign-schema`: the file at the schema's path is something else, and is kept.

use super::Subject;
use crate::{
    diagnostic::{Diagnostic, Role, Span, rules},
    schema::Json,
    syntax::json,
    system::paths,
};

/// The finding for a file that `--fix` does not replace. It replaces an empty file, `{}`, a JSON Schema
/// recognised by its `$schema`, an object without `$schema`, and a file that is not JSON (such as one
/// with conflict markers). Any other file is somebody's own with the schema's name: a list, a text, an
/// object with another `$schema`.
pub(in crate::check) fn check(subject: &mut Subject<'_>, bytes: &[u8]) -> Option<Diagnostic> {
    let shown = paths::display(&subject.schema_path());
    let file = subject.module.sources_mut().add(shown.clone(), bytes);
    let (tree, problems) = json::parse(file, bytes);
    if !problems.is_empty() {
        return None;
    }
    let what = match &Json::from(&tree) {
        Json::Object(members) => match members.get("$schema") {
            None => return None,
            Some(Json::String(uri)) if is_json_schema(uri) => return None,
            Some(_) => "it is of another $schema",
        },
        _ => "it is no JSON object",
    };
    let found = Diagnostic::new(&rules::FOREIGN_SCHEMA, format!("{shown} is not a JSON Schema: {what}"))
        .at(Role::Schema, Span::new(file, 0, 0))
        .help("`check --fix` leaves it alone: move it, or give the schema another name (`schema { file = \"…\" }`)");
    Some(found)
}

/// Whether a `$schema` is one of json-schema.org's.
fn is_json_schema(uri: &str) -> bool {
    let rest = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"));
    let host = rest.and_then(|it| it.split('/').next()).unwrap_or_default();
    host == "json-schema.org" || host == "www.json-schema.org"
}
