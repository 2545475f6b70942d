//! An entry of `files`: a path, or a pattern of paths.

use std::{
    collections::HashMap,
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use globset::{Glob, GlobBuilder, GlobMatcher};

use system::{System, paths};

/// A single file, or the files below a directory that match a pattern.
#[derive(Clone, Debug)]
pub struct FilePattern {
    /// As written.
    text: String,
    /// The file, or the deepest directory above all matches.
    root: PathBuf,
    /// Matches the path from `root` to a file.
    rest: Option<Arc<GlobMatcher>>,
}

/// The most bytes of a pattern; no path has more.
const LONGEST: usize = 4096;

/// Why nobody needs a pattern as long as this, which would take much memory.
pub(super) fn is_too_long(pattern: &str) -> Option<String> {
    (pattern.len() > LONGEST).then(|| format!("a pattern has at most {LONGEST} bytes"))
}

impl FilePattern {
    /// Reads an entry relative to `base`. Errors: the mistake in a pattern.
    pub fn new(base: &Path, text: &str) -> Result<FilePattern, String> {
        let (literal, rest) = FilePattern::parts(text)?;
        let root = paths::clean(&base.join(literal));
        let rest = rest.map(|it| Arc::new(it.compile_matcher()));
        Ok(FilePattern { text: text.to_owned(), root, rest })
    }

    /// The mistake in a pattern, which is not compiled.
    pub(super) fn mistake(text: &str) -> Option<String> {
        FilePattern::parts(text).err()
    }

    /// The path above all matches, and the pattern of what is below it.
    fn parts(text: &str) -> Result<(PathBuf, Option<Glob>), String> {
        let is_plain = |component: &Component<'_>| {
            !component.as_os_str().to_string_lossy().contains(['*', '?', '[', '{'])
        };
        let all = Path::new(text).components();
        let literal: PathBuf = all.clone().take_while(is_plain).collect();
        let rest: PathBuf = all.skip_while(is_plain).collect();
        if rest.as_os_str().is_empty() {
            return Ok((literal, None));
        }
        if let Some(problem) = is_too_long(text) {
            return Err(problem);
        }
        let glob = GlobBuilder::new(&paths::slashes(&rest)).literal_separator(true).build();
        let glob =
            glob.map_err(|it| format!("\"{text}\" is not a valid pattern: {}", it.kind()))?;
        Ok((literal, Some(glob)))
    }

    /// Reads a path that is not a pattern, whatever characters are in it.
    pub(super) fn literal(base: &Path, text: &str) -> FilePattern {
        FilePattern { text: text.to_owned(), root: paths::clean(&base.join(text)), rest: None }
    }

    /// The entry as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is a pattern, and not the path of one file.
    pub fn is_pattern(&self) -> bool {
        self.rest.is_some()
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
    pub fn expand(&self, system: &dyn System, known: &mut Expanded) -> io::Result<Vec<PathBuf>> {
        if self.rest.is_none() {
            return Ok(vec![self.root.clone()]);
        }
        let all = known.below(&self.root, system)?;
        Ok(all.iter().filter(|it| self.names(it)).cloned().collect())
    }
}

/// The files below directories, each listed once for all patterns that start there.
#[derive(Debug, Default)]
pub struct Expanded {
    known: HashMap<PathBuf, Vec<PathBuf>>,
    work: u64,
}

/// The units of work of listing a file, and of comparing one with a pattern.
const LISTED: u64 = 20;
const COMPARED: u64 = 5;

impl Expanded {
    fn below(&mut self, root: &Path, system: &dyn System) -> io::Result<&[PathBuf]> {
        if !self.known.contains_key(root) {
            let is_there = system.kind(root).is_ok();
            let all = if is_there { system.walk_all(root)? } else { Vec::new() };
            self.work += LISTED * (1 + all.len() as u64);
            self.known.insert(root.to_owned(), all);
        }
        let all = self.known.get(root).map(Vec::as_slice).unwrap_or_default();
        self.work += COMPARED * all.len() as u64;
        Ok(all)
    }

    /// Counts comparing a file with so many patterns.
    pub fn compare(&mut self, patterns: usize) {
        self.work += COMPARED * patterns as u64;
    }

    /// The units of work since this was last called.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}

fn is_hidden(part: Component<'_>) -> bool {
    part.as_os_str().as_encoded_bytes().starts_with(b".")
}
