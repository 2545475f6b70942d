//! What a pattern shows without a matcher, which takes much longer to make.

use super::{Dialect, Error, parser::parse, regex};
use regex_syntax::hir::Look;

/// The groups of a pattern, and how it is anchored.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Index 0 is the whole match.
    names: Vec<Option<String>>,
    matches_whole_texts: bool,
}

impl Outline {
    /// Reads a pattern. Errors: those of Go's `regexp.Compile`.
    pub fn of(pattern: &str, dialect: Dialect) -> Result<Outline, Error> {
        let ast = parse(pattern, dialect)?;
        let hir = regex::hir(&ast.root);
        let properties = hir.properties();
        let (start, end) = (properties.look_set_prefix(), properties.look_set_suffix());
        let is_anchored = start.contains(Look::Start) && end.contains(Look::End);
        let matches_whole_texts = ast.names.len() == 1 && is_anchored;
        Ok(Outline { names: ast.names, matches_whole_texts })
    }

    /// The names of the groups in order of their parentheses, `None` for a nameless one.
    pub fn group_names(&self) -> &[Option<String>] {
        &self.names[1..]
    }

    /// Whether there are no groups and every match is the whole text, as in `^[a-z]+$`: then `regex` gives
    /// the text as it is.
    pub fn matches_whole_texts(&self) -> bool {
        self.matches_whole_texts
    }
}
