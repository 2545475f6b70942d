//! Patterns of paths.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::files::is_too_long;
use diagnostics::Span;

/// Globs relative to a directory. `*` and `?` match within one name, `**` matches any number of names. A
/// pattern that matches a directory covers everything below it; `.` covers the directory itself alone.
#[derive(Clone, Debug)]
pub struct Globs {
    set: GlobSet,
    has_self: bool,
    /// The patterns as written, without `.`, in the order of the set.
    pub(super) patterns: Vec<String>,
    /// The place where they are written.
    pub(super) span: Span,
}

impl Globs {
    /// Compiles patterns with forward slashes. Errors: the wrong pattern, and why it is wrong.
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
            if let Some(problem) = is_too_long(plain) {
                return Err(problem);
            }
            let glob = GlobBuilder::new(plain).literal_separator(true).build();
            builder.add(
                glob.map_err(|it| format!("\"{pattern}\" is not a valid pattern: {}", it.kind()))?,
            );
            kept.push(pattern.to_owned());
        }
        let set = builder.build().map_err(|it| it.to_string())?;
        Ok(Globs { set, has_self, patterns: kept, span: Span::default() })
    }

    /// A pattern that matches this path alone.
    pub fn literal(path: &str) -> String {
        globset::escape(path)
    }

    /// The patterns as they were written, without `.`.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether `.` is one of the patterns.
    pub(super) fn has_self(&self) -> bool {
        self.has_self
    }

    /// Whether the patterns cover a path, relative to their directory.
    pub fn covers(&self, path: &Path) -> bool {
        let is_self = |it: &Path| it.as_os_str().is_empty() || it == Path::new(".");
        if is_self(path) {
            return self.has_self || self.set.is_match("");
        }
        path.ancestors().filter(|it| !is_self(it)).any(|it| self.set.is_match(it))
    }

    /// The indices, in `patterns`, of those that cover a path.
    pub(super) fn covering(&self, path: &Path) -> Vec<usize> {
        let is_self = |it: &Path| it.as_os_str().is_empty() || it == Path::new(".");
        let above = path.ancestors().filter(|it| !is_self(it));
        above.flat_map(|it| self.set.matches(it)).collect()
    }
}
