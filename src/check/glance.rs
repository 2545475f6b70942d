//! A look at a module file's text, without parsing it: which directories its calls may name, and
//! whether it may read what changed. It sees too much rather than too little.

use std::collections::HashSet;

use memchr::{memchr, memmem};

use super::mentions::is_local;
use crate::inputs::is_json_file;

/// More names than this are not looked for one by one.
const MAX_NAMES: usize = 64;

/// What a file may be looked at for.
pub(super) struct Glance<'a> {
    /// Finds the names of changed files; `None`: there are too many.
    changed: Option<Vec<memmem::Finder<'a>>>,
    /// Finds the names of modules that contracts stand for.
    contracts: Vec<memmem::Finder<'a>>,
}

/// What a file may name.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Texts that may be sources of calls.
    pub sources: HashSet<String>,
    /// Escapes may hide sources: only parsing tells.
    pub is_opaque: bool,
    /// It may read a changed file.
    pub may_read: bool,
    /// It may call what a contract stands for.
    pub may_need_contract: bool,
}

impl<'a> Glance<'a> {
    pub fn new(changed: &HashSet<&'a str>, contracts: impl Iterator<Item = &'a str>) -> Self {
        let finder = |it: &str| memmem::Finder::new(it.as_bytes()).into_owned();
        let names = changed.iter().map(|it| finder(it));
        let changed = (changed.len() <= MAX_NAMES).then(|| names.collect());
        Glance { changed, contracts: contracts.map(finder).collect() }
    }

    /// Adds what one of a module's files shows.
    pub fn at(&self, name: &str, text: &[u8], seen: &mut Seen) {
        let has = |it: &[u8]| memmem::find(text, it).is_some();
        // JSON may write any letter as an escape.
        seen.is_opaque |= is_json_file(name) && has(b"\\u");
        if has(b"module") {
            look_for_sources(text, seen);
            seen.may_need_contract |= self.contracts.iter().any(|it| it.find(text).is_some());
        }
        seen.may_read |= calls_file_function(text) && self.may_name_changed(text);
    }

    /// A path that is not constant to its end need not have a name in it.
    fn may_name_changed(&self, text: &[u8]) -> bool {
        let Some(names) = &self.changed else { return true };
        let interpolates = |at: usize| !text[at..].starts_with(b"${path.");
        memmem::find(text, b"fileset").is_some()
            || memmem::find_iter(text, b"${").any(interpolates)
            || names.iter().any(|it| it.find(text).is_some())
    }
}

/// Every quoted text that begins as a path to a directory nearby does.
fn look_for_sources(text: &[u8], seen: &mut Seen) {
    for quote in memmem::find_iter(text, b"\".") {
        let rest = &text[quote + 1..];
        let source = &rest[..memchr(b'"', rest).unwrap_or(rest.len())];
        if source.contains(&b'\n') {
            continue;
        }
        match std::str::from_utf8(source) {
            Ok(source) if source.contains(['\\', '$', '%']) => seen.is_opaque = true,
            Ok(source) if is_local(source) => _ = seen.sources.insert(source.to_owned()),
            _ => (),
        }
    }
    // `"\u002e./x"`
    seen.is_opaque |= memmem::find(text, b"\"\\").is_some();
}

/// Whether there is a call of `file`, `filesha256`, `fileset`, `templatefile` or another such.
fn calls_file_function(text: &[u8]) -> bool {
    memmem::find_iter(text, b"file").any(|at| {
        let rest = &text[at + "file".len()..];
        let end = rest.iter().position(|it| !it.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let behind = rest[end..].iter().find(|it| !matches!(it, b' ' | b'\t'));
        behind == Some(&b'(')
    })
}
