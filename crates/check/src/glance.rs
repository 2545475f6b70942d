//! Scans a module file's text without parsing it: the directories that its calls may name, and whether
//! it may read a changed file. It may report too much, never too little.

use std::collections::HashSet;

use memchr::{memchr, memmem};

use super::mentions::is_local;
use module::inputs::is_json_file;

/// The limit for names that are searched for one by one.
const MAX_NAMES: usize = 64;

/// The longest ending of a function's name behind `file`: `base64sha512`, with room for more.
const LONGEST_END: usize = 16;

/// The bytes of a call that are searched for the end of a path.
const LONGEST_CALL: usize = 1024;

/// The names that a file is scanned for.
pub(super) struct Glance<'a> {
    /// Finds the names of changed files; `None` if there are too many.
    changed: Option<Vec<memmem::Finder<'a>>>,
    /// Finds the names of modules that have contracts.
    contracts: Vec<memmem::Finder<'a>>,
}

/// The names found in a file.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Texts that may be sources of calls.
    pub sources: HashSet<String>,
    /// Whether escapes may hide sources, so that the file must be parsed.
    pub is_opaque: bool,
    /// Whether the file may read a changed file.
    pub may_read: bool,
    /// Whether the file may call a module that has a contract.
    pub may_need_contract: bool,
}

impl<'a> Glance<'a> {
    pub fn new(changed: &HashSet<&'a str>, contracts: impl Iterator<Item = &'a str>) -> Self {
        let finder = |it: &str| memmem::Finder::new(it.as_bytes()).into_owned();
        let names = changed.iter().map(|it| finder(it));
        let changed = (changed.len() <= MAX_NAMES).then(|| names.collect());
        Glance { changed, contracts: contracts.map(finder).collect() }
    }

    /// Adds the findings of one of a module's files.
    pub fn at(&self, name: &str, text: &[u8], seen: &mut Seen) {
        let has = |it: &[u8]| memmem::find(text, it).is_some();
        // JSON may write any letter as an escape.
        seen.is_opaque |= is_json_file(name) && has(b"\\u");
        if has(b"module") {
            look_for_sources(text, seen);
            seen.may_need_contract |= self.contracts.iter().any(|it| it.find(text).is_some());
        }
        seen.may_read |= self.may_name_changed(text, &calls_of_file_functions(text));
    }

    /// A path that is not constant to its end need not contain a name.
    fn may_name_changed(&self, text: &[u8], calls: &[usize]) -> bool {
        let Some(names) = &self.changed else { return true };
        !calls.is_empty()
            && (names.iter().any(|it| it.find(text).is_some())
                || calls.iter().any(|it| has_open_path(&text[*it..])))
    }
}

/// Collects every quoted text that begins like a local path.
fn look_for_sources(text: &[u8], seen: &mut Seen) {
    for quote in memmem::find_iter(text, b"\".") {
        let rest = &text[quote + 1..];
        let source = &rest[..memchr(b'"', rest).unwrap_or(rest.len())];
        if source.contains(&b'\n') {
            continue;
        }
        let has = |it: &[u8]| memmem::find(source, it).is_some();
        seen.is_opaque |= has(b"\\u") || has(b"\\U") || has(b"\\/");
        match std::str::from_utf8(source) {
            Ok(it) if !is_local(it) => (),
            Ok(it) if it.contains(['\\', '$', '%']) => seen.is_opaque = true,
            Ok(it) => _ = seen.sources.insert(it.to_owned()),
            Err(_) => (),
        }
    }
    // `"\u002e./x"`
    let has = |it: &[u8]| memmem::find(text, it).is_some();
    seen.is_opaque |= has(b"\"\\u") || has(b"\"\\U");
}

/// The positions of calls of `file`, `filesha256`, `fileset`, `templatefile` and the like.
fn calls_of_file_functions(text: &[u8]) -> Vec<usize> {
    let is_call = |at: &usize| {
        let rest = &text[at + "file".len()..];
        let name = rest.iter().take(LONGEST_END).take_while(|it| it.is_ascii_alphanumeric());
        let behind = rest[name.count()..].iter().find(|it| !matches!(it, b' ' | b'\t'));
        behind == Some(&b'(')
    };
    memmem::find_iter(text, b"file").filter(is_call).collect()
}

/// Whether a call, from its name on, may read files whose names it does not spell out.
fn has_open_path(call: &[u8]) -> bool {
    let call = &call[..call.len().min(LONGEST_CALL)];
    let Some(end) = memchr(b')', call) else { return true };
    let end = end + memchr(b'\n', &call[end..]).unwrap_or(call.len() - end);
    let interpolates = |at: usize| !call[at..].starts_with(b"${path.");
    call.starts_with(b"fileset") || memmem::find_iter(&call[..end], b"${").any(interpolates)
}
