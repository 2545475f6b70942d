//! An entry of `files`: a path, or a pattern of paths.

use std::{
    io,
    path::{Component, Path, PathBuf},
};

use globset::{GlobBuilder, GlobMatcher};

use crate::system::{System, paths};

/// A single file, or the files below a directory that match a pattern.
#[derive(Clone, Debug)]
pub struct FilePattern {
    /// The file, or the deepest directory above all matches.
    root: PathBuf,
    /// Matches the path from `root` to a file.
    rest: Option<GlobMatcher>,
}

impl FilePattern {
    /// Reads an entry relative to `base`. Errors: the mistake in a pattern.
    pub fn new(base: &Path, text: &str) -> Result<FilePattern, String> {
        let is_plain = |component: &Component<'_>| {
            !component.as_os_str().to_string_lossy().contains(['*', '?', '[', '{'])
        };
        let all = Path::new(text).components();
        let literal: PathBuf = all.clone().take_while(is_plain).collect();
        let rest: PathBuf = all.skip_while(is_plain).collect();
        let root = paths::clean(&base.join(literal));
        if rest.as_os_str().is_empty() {
            return Ok(FilePattern { root, rest: None });
        }
        let glob = GlobBuilder::new(&paths::slashes(&rest)).literal_separator(true).build();
        let glob = glob.map_err(|it| format!("\"{text}\" is no pattern: {}", it.kind()))?;
        Ok(FilePattern { root, rest: Some(glob.compile_matcher()) })
    }

    /// The file itself, or the directory above all matches; absolute.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the entry means a file (absolute). A pattern never means a hidden one.
    pub fn names(&self, file: &Path) -> bool {
        match &self.rest {
            None => self.root == file,
            Some(rest) => file
                .strip_prefix(&self.root)
                .is_ok_and(|it| rest.is_match(it) && !it.components().any(is_hidden)),
        }
    }

    /// The files that the entry means: a path itself, existing or not, or the matches of a pattern,
    /// sorted.
    pub fn expand(&self, system: &dyn System) -> io::Result<Vec<PathBuf>> {
        if self.rest.is_none() {
            return Ok(vec![self.root.clone()]);
        }
        if system.kind(&self.root).is_err() {
            return Ok(Vec::new());
        }
        let all = system.walk(&self.root, &|_| true)?;
        Ok(all.into_iter().filter(|it| self.names(it)).collect())
    }
}

fn is_hidden(part: Component<'_>) -> bool {
    part.as_os_str().as_encoded_bytes().starts_with(b".")
}
