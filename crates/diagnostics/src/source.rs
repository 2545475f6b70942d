//! Source texts and places in them.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    ops::Range,
    sync::{Arc, OnceLock},
};

use sha2::{Digest, Sha256};
use unicode_segmentation::UnicodeSegmentation;

/// Names a file in one [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

impl FileId {
    /// Whether the file belongs to another module, whose files a [`Sources`] adopted.
    pub fn is_adopted(self) -> bool {
        self.0 >= ADOPTED
    }
}

/// The distance from a file's id in its own [`Sources`] to its id in the adopting one; zero for the
/// `Sources`' own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Shift(u32);

/// The first id of adopted files.
const ADOPTED: u32 = 1 << 31;

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

    /// The same place after its file was adopted with this shift.
    pub fn shifted(self, shift: Shift) -> Span {
        Span { file: FileId(self.file.0 + shift.0), ..self }
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
    /// The path as shown to the user, with forward slashes.
    pub path: String,
    pub bytes: Arc<[u8]>,
    anchors: OnceLock<Vec<Anchor>>,
    fingerprint: OnceLock<Fingerprint>,
}

/// Half of the SHA-256 of a text: two texts with the same fingerprint are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    pub fn of(bytes: &[u8]) -> Fingerprint {
        let mut half = [0; 16];
        half.copy_from_slice(&Sha256::digest(bytes)[..16]);
        Fingerprint(half)
    }
}

/// A byte offset whose line and column are known: the start of each line, and points along a long one.
/// Without them, many places in a long line would take the square of its length.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    offset: usize,
    at: Position,
}

/// The number of bytes of a line without an anchor; more if nothing in them is plain ASCII.
const ANCHOR_DISTANCE: usize = 1024;

impl SourceFile {
    pub fn new(path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        let (anchors, fingerprint) = (OnceLock::new(), OnceLock::new());
        SourceFile { path: path.into(), bytes: bytes.into(), anchors, fingerprint }
    }

    /// The fingerprint of the bytes.
    pub fn fingerprint(&self) -> Fingerprint {
        *self.fingerprint.get_or_init(|| Fingerprint::of(&self.bytes))
    }

    /// The text, with U+FFFD for bytes that are not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The line and column of a byte offset; an offset past the end gives the end's.
    pub fn position(&self, offset: u32) -> Position {
        let anchors = self.anchors();
        let offset = (offset as usize).min(self.bytes.len());
        let anchor = anchors[anchors.partition_point(|it| it.offset <= offset) - 1];
        Position { column: self.column(anchor, offset), ..anchor.at }
    }

    /// The column of an offset behind an anchor in its line.
    fn column(&self, anchor: Anchor, offset: usize) -> u32 {
        let before = String::from_utf8_lossy(&self.bytes[anchor.offset..offset]);
        let is_first = anchor.offset == 0;
        let before = if is_first { before.trim_start_matches('\u{feff}') } else { &before };
        let clusters =
            if before.is_ascii() { before.len() } else { before.graphemes(true).count() };
        anchor.at.column.saturating_add(clamp(clusters))
    }

    /// The byte offset of a place, the inverse of [`SourceFile::position`]; a column past the end of a
    /// line gives the line's end.
    pub fn offset(&self, at: Position) -> u32 {
        let line = self.line_range(at.line.max(1));
        let text = self.slice(line.clone());
        let mut clusters = text.grapheme_indices(true).map(|(offset, _)| offset);
        let inside = clusters.nth((at.column.max(1) - 1) as usize).unwrap_or(text.len());
        clamp((line.start + inside).min(line.end))
    }

    /// The bytes of a line (from 1) without its line end, and without a byte order mark. A line that
    /// does not exist is empty and at the end.
    pub(super) fn line_range(&self, line: u32) -> Range<usize> {
        let anchors = self.anchors();
        let at = |line: u32| {
            let first = anchors.get(anchors.partition_point(|it| it.at.line < line));
            first.map_or(self.bytes.len(), |it| it.offset)
        };
        let (mut start, mut end) = (at(line), at(line.saturating_add(1)));
        while end > start && matches!(self.bytes[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        if start == 0 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            start = 3.min(end);
        }
        start..end
    }

    /// Bytes as text, with U+FFFD for bytes that are not UTF-8.
    pub(super) fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes.get(range).unwrap_or_default())
    }

    /// The anchors by offset; the first is the start of the file.
    fn anchors(&self) -> &[Anchor] {
        self.anchors.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', &self.bytes).map(|it| it + 1);
            let mut anchors = Vec::new();
            let mut start = 0;
            for (line, end) in (1..).zip(ends.chain([self.bytes.len()])) {
                anchors.push(Anchor { offset: start, at: Position { line, column: 1 } });
                self.anchor_along(&mut anchors, end);
                start = end;
            }
            anchors
        })
    }

    /// Adds anchors from the last one, the start of a line, to the line's end. A cluster surely ends
    /// between two ASCII characters that are not one line end.
    fn anchor_along(&self, anchors: &mut Vec<Anchor>, end: usize) {
        while let Some(&last) = anchors.last() {
            let from = last.offset + ANCHOR_DISTANCE;
            let Some(rest) = self.bytes.get(from - 1..end) else { return };
            let is_between =
                |bytes: &[u8]| bytes.iter().all(|it| it.is_ascii() && !b"\r\n".contains(it));
            let Some(more) = rest.windows(2).position(is_between) else { return };
            let offset = from + more;
            let column = self.column(last, offset);
            anchors.push(Anchor { offset, at: Position { column, ..last.at } });
        }
    }
}

fn clamp(it: usize) -> u32 {
    u32::try_from(it).unwrap_or(u32::MAX)
}

/// The files that spans point into: one `Sources` for each module (with its values files), so
/// that a module's texts can be dropped when its findings are made.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Files of other modules.
    adopted: Vec<SourceFile>,
    /// Places of values that must not be shown, from start to end; none overlap.
    hidden: BTreeMap<(FileId, u32), (u32, Why)>,
}

/// Why a value is not shown; where both hold, the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It may be a secret.
    Withheld,
    /// It is declared as sensitive.
    Sensitive,
}

impl Why {
    /// The text in place of the value.
    pub fn text(self) -> &'static str {
        match self {
            Why::Withheld => "(not shown)",
            Why::Sensitive => "(sensitive)",
        }
    }
}

impl Sources {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and returns the id for spans in it.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile::new(path, bytes));
        id
    }

    /// Adopts the files of another module, with their hidden places, so that one diagnostic can have
    /// places in both. Returns the shift for its spans.
    pub fn adopt(&mut self, other: &Sources) -> Shift {
        let before = u32::try_from(self.adopted.len()).unwrap_or(u32::MAX / 4);
        let shift = Shift(ADOPTED + before);
        self.adopted.extend(other.files.iter().cloned());
        for (&(file, start), &(end, why)) in
            other.hidden.iter().filter(|((file, _), _)| !file.is_adopted())
        {
            self.keep_out(Span { file, start, end }.shifted(shift), why);
        }
        shift
    }

    /// Keeps a place out of every excerpt: a value that is declared as sensitive.
    pub fn hide(&mut self, span: Span) {
        self.keep_out(span, Why::Sensitive);
    }

    /// Keeps a place out of every excerpt: a value that is not declared as sensitive, but may be a secret.
    pub fn withhold(&mut self, span: Span) {
        self.keep_out(span, Why::Withheld);
    }

    /// Keeps a place out of every excerpt.
    pub fn keep_out(&mut self, span: Span, mut why: Why) {
        let Span { file, mut start, mut end } = span;
        while let Some((&(_, from), &(to, other))) =
            self.hidden.range((file, 0)..(file, end)).next_back()
        {
            if to <= start {
                break;
            }
            (start, end, why) = (start.min(from), end.max(to), why.max(other));
            self.hidden.remove(&(file, from));
        }
        if start < end {
            self.hidden.insert((file, start), (end, why));
        }
    }

    /// Whether excerpts leave out a place, or a part of it.
    pub fn hides(&self, span: Span) -> bool {
        !self.hidden(span.file, &span.range()).is_empty()
    }

    /// The hidden places of a file that overlap some of its bytes, in order.
    pub(super) fn hidden(&self, file: FileId, bytes: &Range<usize>) -> Vec<(Span, Why)> {
        let before = self.hidden.range((file, 0)..(file, clamp(bytes.end))).rev();
        let overlapping = before.take_while(|(_, (end, _))| *end as usize > bytes.start);
        let place = |(&(file, start), &(end, why))| (Span { file, start, end }, why);
        let mut spans: Vec<(Span, Why)> = overlapping.map(place).collect();
        spans.reverse();
        spans
    }

    /// The file with an id of this `Sources`, or with an adopted one.
    pub fn file(&self, id: FileId) -> &SourceFile {
        match id.0.checked_sub(ADOPTED) {
            Some(adopted) => &self.adopted[adopted as usize],
            None => &self.files[id.0 as usize],
        }
    }

    /// The file of its own that was added last under a path.
    pub fn find(&self, path: &str) -> Option<FileId> {
        let index = self.files.iter().rposition(|it| it.path == path)?;
        u32::try_from(index).ok().map(FileId)
    }

    /// The adopted files.
    pub fn adopted(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (ADOPTED..).map(FileId).zip(&self.adopted)
    }

    /// The files of its own.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The bytes of a span as text, with U+FFFD for bytes that are not UTF-8.
    pub fn snippet(&self, span: Span) -> Cow<'_, str> {
        let bytes = &self.file(span.file).bytes;
        let end = (span.end as usize).min(bytes.len());
        String::from_utf8_lossy(&bytes[(span.start as usize).min(end)..end])
    }

    /// `FILE:LINE,COLUMN` of a span's start, as Terraform writes a place.
    pub fn display(&self, span: Span) -> String {
        let file = self.file(span.file);
        let at = file.position(span.start);
        format!("{}:{},{}", file.path, at.line, at.column)
    }
}
