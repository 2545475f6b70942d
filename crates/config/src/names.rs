//! Patterns of variables' names.

use std::{collections::HashMap, fmt};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::files::is_too_long;
use diagnostics::Span;

/// Names of variables, or patterns of names: `*` replaces any text, `?` one character.
#[derive(Clone, Debug, Default)]
pub struct NamePatterns {
    /// As written, in order.
    pub(super) patterns: Vec<String>,
    /// The positions of the plain names.
    plain: HashMap<String, usize>,
    /// The others, with their positions; most lists have none.
    globs: Option<(GlobSet, Vec<usize>)>,
    /// The place where they are written.
    pub(super) span: Span,
}

impl fmt::Display for NamePatterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.patterns.join(", "))
    }
}

impl NamePatterns {
    /// Compiles patterns. Errors: the wrong pattern, and why it is wrong.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Result<NamePatterns, String> {
        let mut found = NamePatterns::default();
        let (mut builder, mut places) = (GlobSetBuilder::new(), Vec::new());
        for (place, pattern) in patterns.iter().enumerate() {
            let pattern = pattern.as_ref();
            if pattern.is_empty() || pattern.contains(is_never_in_name) {
                return Err(format!(
                    "{pattern:?} is not the name of a variable, or a pattern with * for any text"
                ));
            }
            if pattern.contains(['*', '?', '[', '{']) {
                if let Some(problem) = is_too_long(pattern) {
                    return Err(problem);
                }
                let glob = GlobBuilder::new(pattern).build();
                let glob = glob.map_err(|it| format!("\"{pattern}\": {}", it.kind()))?;
                builder.add(glob);
                places.push(place);
            } else {
                found.plain.insert(pattern.to_owned(), place);
            }
            found.patterns.push(pattern.to_owned());
        }
        if !places.is_empty() {
            let set = builder.build().map_err(|it| it.to_string())?;
            found.globs = Some((set, places));
        }
        Ok(found)
    }

    /// Whether a name is one of these.
    pub fn covers(&self, name: &str) -> bool {
        self.plain.contains_key(name) || self.globs.as_ref().is_some_and(|it| it.0.is_match(name))
    }

    /// The positions of the patterns that cover a name.
    pub(super) fn covering(&self, name: &str) -> Vec<usize> {
        let mut found: Vec<usize> = self.plain.get(name).copied().into_iter().collect();
        if let Some((set, places)) = &self.globs {
            found.extend(set.matches(name).into_iter().map(|it| places[it]));
        }
        found
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }
}

fn is_never_in_name(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '/' | '.' | '=' | '"')
}
