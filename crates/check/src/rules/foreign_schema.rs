//! `foreign-schema`: the file at the schema's path is something else, and is kept.

use std::collections::BTreeMap;

use memchr::memmem::find;

use super::CheckedModule;
use diagnostics::{Diagnostic, Role, Span, lints};
use hcl::json;
use projection::schema::SchemaJson;
use system::paths;

/// The finding for a file that `--fix` does not replace. It replaces an empty file, `{}`, a JSON Schema
/// recognised by its `$schema` or, in a file that git does not ignore, by its members, and a schema that is not JSON
/// (such as one with conflict markers). Any other file is somebody's own with the schema's name: a list, a
/// text, an object with another `$schema` or with members that no schema of a module has. The configuration
/// chooses the name, and may come from a stranger.
pub fn check(subject: &mut CheckedModule<'_>, bytes: &[u8]) -> Option<Diagnostic> {
    let shown = paths::display(&subject.schema_path());
    let file = subject.module.sources_mut().add(shown.clone(), bytes);
    let (tree, problems) = json::parse(file, bytes);
    let is_ignored = subject.system().is_ignored(&subject.schema_path());
    let is_empty = bytes.iter().all(u8::is_ascii_whitespace);
    let what = match &SchemaJson::from(&tree) {
        _ if is_empty => return None,
        _ if !problems.is_empty() && is_ignored => "it is not JSON, and Git ignores it",
        _ if !problems.is_empty() && is_broken_schema(bytes) => return None,
        _ if !problems.is_empty() => "it is not JSON",
        SchemaJson::Object(members) => match members.get("$schema") {
            None if members.is_empty() => return None,
            None if !is_ignored && has_members_of_schema(members) => return None,
            None if is_ignored => "it has no $schema, and Git ignores it",
            None => "it has neither $schema nor the properties of a schema",
            Some(SchemaJson::String(uri)) if is_json_schema(uri) => return None,
            Some(_) => "its $schema is not ours",
        },
        _ => "it is not a JSON object",
    };
    // What nobody else sees stays out of reports.
    if is_ignored {
        subject.module.sources_mut().withhold(Span::new(file, 0, bytes.len()));
    }
    let found =
        Diagnostic::new(&lints::FOREIGN_SCHEMA, format!("{shown} is not a JSON Schema: {what}"))
            .at(Role::Schema, Span::new(file, 0, 0))
            .help(
                "move the file, or write the schema elsewhere (`schema { file = \"…\" }`); `check \
            --fix` does not overwrite it",
            );
    Some(found)
}

/// Whether an object describes an object by its properties, each of which has a schema itself.
fn has_members_of_schema(members: &BTreeMap<String, SchemaJson>) -> bool {
    let is_schema = |it: &SchemaJson| matches!(it, SchemaJson::Object(_) | SchemaJson::Bool(_));
    let is_of_object = match members.get("type") {
        None => true,
        Some(SchemaJson::String(ty)) => ty == "object",
        Some(_) => false,
    };
    let properties = members.get("properties");
    is_of_object
        && matches!(properties, Some(SchemaJson::Object(all)) if all.values().all(is_schema))
}

/// Whether a text that is not JSON was a schema, before a merge or an editor broke it.
fn is_broken_schema(bytes: &[u8]) -> bool {
    [&b"json-schema.org/"[..], b"\"properties\"", b"<<<<<<< "]
        .iter()
        .any(|it| find(bytes, it).is_some())
}

/// Whether a `$schema` is one of json-schema.org's.
fn is_json_schema(uri: &str) -> bool {
    let rest = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"));
    let host = rest.and_then(|it| it.split('/').next()).unwrap_or_default();
    host == "json-schema.org" || host == "www.json-schema.org"
}
