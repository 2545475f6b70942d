//! A schema file as committed, with the places of what is in it.

use super::Json;
use crate::{
    diagnostic::{Diagnostics, FileId, Span},
    syntax::json::{self, Kind, Value},
};

/// A parsed schema file.
#[derive(Clone, Debug)]
pub struct Committed {
    pub json: Json,
    tree: Value,
}

impl Committed {
    /// Parses a schema file, a byte order mark in front of it or not. `None` and an error when it
    /// is no JSON. Of a key that stands twice the last value counts.
    pub fn parse(file: FileId, bytes: &[u8]) -> (Option<Committed>, Diagnostics) {
        let (tree, diagnostics) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            // Blanks instead of the mark keep every place where it is.
            Some(rest) => json::parse(file, &[b"   ", rest].concat()),
            None => json::parse(file, bytes),
        };
        let json = diagnostics.is_empty().then(|| Json::from(&tree));
        (json.map(|json| Committed { json, tree }), diagnostics)
    }

    /// The place of what a JSON pointer names: the key of a member, the start of an element. Where
    /// there is no such thing, the place of the nearest one around it.
    pub fn span(&self, pointer: &str) -> Span {
        let mut value = &self.tree;
        let mut span = value.start();
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let next = match &value.kind {
                Kind::Object(members) => {
                    members.iter().rfind(|it| it.key == step).map(|it| (it.key_span, &it.value))
                }
                Kind::Array(elements) => step
                    .parse::<usize>()
                    .ok()
                    .and_then(|it| elements.get(it))
                    .map(|it| (it.start(), it)),
                _ => None,
            };
            let Some((place, inner)) = next else { break };
            (span, value) = (place, inner);
        }
        span
    }
}
