//! Patterns of paths.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::diagnostic::Span;

/// Globs relative to a directory. `*` and `?` stay within one name, `**` is any number of them. A
/// pattern that matches a directory covers what is below it; `.` is the directory itself alone.
#[derive(Clone, Debug)]
pub struct Globs {
    set: GlobSet,
    has_self: bool,
    /// As written, but for `.`, in the order of the set.
    pub(super) patterns: Vec<String>,
    /// Where they are written.
    pub(super) span: Span,
}

impl Globs {
    /// Compiles patterns with forward slashes. The error says which pattern is wrong and why.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Result<Globs, String> {
        let mut builder = GlobSetBuilder::new();
        let (mut has_self, mut kept) = (false, Vec::new());
        for pattern in patterns {
            let pattern = pattern.as_ref();
            let plain = pattern.trim_start_matches("./").trim_end_matches('/');
            if plain.is_empty() || plain == "." {
                has_self = true;
                continue;
            }
            let glob = GlobBuilder::new(plain).literal_separator(true).build();
            builder.add(glob.map_err(|it| format!("\"{pattern}\" is no pattern: {}", it.kind()))?);
            kept.push(pattern.to_owned());
        }
        let set = builder.build().map_err(|it| it.to_string())?;
        Ok(Globs { set, has_self, patterns: kept, span: Span::default() })
    }

    /// The pattern that matches this path alone.
    pub fn literal(path: &str) -> String {
        globset::escape(path)
    }

    /// Whether `.` is one of them.
    pub(super) fn has_self(&self) -> bool {
        self.has_self
    }

    /// Whether a path, relative to the directory of the patterns, is covered.
    pub fn covers(&self, path: &Path) -> bool {
        let is_self = |it: &Path| it.as_os_str().is_empty() || it == Path::new(".");
        if is_self(path) {
            return self.has_self || self.set.is_match("");
        }
        path.ancestors().filter(|it| !is_self(it)).any(|it| self.set.is_match(it))
    }

    /// The places, in `patterns`, of those that cover a path.
    pub(super) fn covering(&self, path: &Path) -> Vec<usize> {
        let is_self = |it: &Path| it.as_os_str().is_empty() || it == Path::new(".");
        let above = path.ancestors().filter(|it| !is_self(it));
        above.flat_map(|it| self.set.matches(it)).collect()
    }
}
