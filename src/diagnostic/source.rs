//! Source texts and places in them.

use std::{
    borrow::Cow,
    ops::Range,
    sync::{Arc, OnceLock},
};

use unicode_segmentation::UnicodeSegmentation;

/// Names a file in one [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one file: `start` inclusive, `end` exclusive, both from 0; a byte order
/// mark counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Span { file, start: clamp(start), end: clamp(end) }
    }

    /// From the start of `self` to the end of `other`, which is in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }

    /// The empty span at the end of `self`.
    pub fn at_end(self) -> Span {
        Span { start: self.end, ..self }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place for people: line and column from 1; a column is a grapheme cluster, as HCL counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A file's name and bytes. The bytes need not be valid UTF-8.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the user is to see it, with forward slashes.
    pub path: String,
    pub bytes: Arc<[u8]>,
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    pub fn new(path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        SourceFile { path: path.into(), bytes: bytes.into(), line_starts: OnceLock::new() }
    }

    /// The text, with U+FFFD in place of what is not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The line and column of a byte offset; past the end it is the end's.
    pub fn position(&self, offset: u32) -> Position {
        let starts = self.line_starts();
        let offset = (offset as usize).min(self.bytes.len());
        let line = starts.partition_point(|it| *it as usize <= offset) - 1;
        let start = starts[line] as usize;
        let before = String::from_utf8_lossy(&self.bytes[start..offset]);
        let before = if start == 0 { before.trim_start_matches('\u{feff}') } else { &before };
        let column =
            1 + if before.is_ascii() { before.len() } else { before.graphemes(true).count() };
        let clamp = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Position { line: clamp(line + 1), column: clamp(column) }
    }

    /// The byte offset of a place, the inverse of [`SourceFile::position`]; past the end of a line
    /// it is the line's end.
    pub fn offset(&self, at: Position) -> u32 {
        let line = self.line_range(at.line.max(1));
        let text = self.slice(line.clone());
        let mut clusters = text.grapheme_indices(true).map(|(offset, _)| offset);
        let inside = clusters.nth((at.column.max(1) - 1) as usize).unwrap_or(text.len());
        u32::try_from((line.start + inside).min(line.end)).unwrap_or(u32::MAX)
    }

    /// The bytes of a line (from 1) without its line end, and without a byte order mark; empty and
    /// at the end where there is no such line.
    pub(super) fn line_range(&self, line: u32) -> Range<usize> {
        let starts = self.line_starts();
        let at = |line: usize| starts.get(line).map_or(self.bytes.len(), |it| *it as usize);
        let (mut start, mut end) = (at(line as usize - 1), at(line as usize));
        while end > start && matches!(self.bytes[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        if start == 0 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            start = 3.min(end);
        }
        start..end
    }

    /// Bytes as text, with U+FFFD in place of what is not UTF-8.
    pub(super) fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes.get(range).unwrap_or_default())
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', &self.bytes);
            std::iter::once(0)
                .chain(ends.map(|it| u32::try_from(it + 1).unwrap_or(u32::MAX)))
                .collect()
        })
    }
}

/// The files that spans point into: one `Sources` for each module (with its values files), so
/// that a module's texts can be dropped when its findings are made.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Places of values that must not be shown.
    hidden: Vec<Span>,
}

impl Sources {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and gives the id that spans of it carry.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile::new(path, bytes));
        id
    }

    /// Keeps a place out of every excerpt: the value of a sensitive variable.
    pub fn hide(&mut self, span: Span) {
        if !self.hidden.contains(&span) {
            self.hidden.push(span);
        }
    }

    /// The hidden places of a file, in no particular order.
    pub(super) fn hidden(&self, file: FileId) -> impl Iterator<Item = Span> {
        self.hidden.iter().copied().filter(move |it| it.file == file)
    }

    /// The file of an id that this `Sources` gave.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The bytes of a span as text, with U+FFFD in place of what is not UTF-8.
    pub fn snippet(&self, span: Span) -> Cow<'_, str> {
        let bytes = &self.file(span.file).bytes;
        let end = (span.end as usize).min(bytes.len());
        String::from_utf8_lossy(&bytes[(span.start as usize).min(end)..end])
    }

    /// `FILE:LINE,COLUMN` of a span's start, in Terraform's own notation for a place in text.
    pub fn display(&self, span: Span) -> String {
        let file = self.file(span.file);
        let at = file.position(span.start);
        format!("{}:{},{}", file.path, at.line, at.column)
    }
}
