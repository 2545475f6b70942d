//! A diagnostic whose places are files, lines and columns: what reports render.

use std::{ops::Range, path::PathBuf};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::{
    Bump, Cause, Diagnostic, FileId, Fingerprint, LONGEST_NAME, Level, LintId, MOST_OF_A_KIND,
    Role, Safety, SourceFile, Sources, Span, beginning, bounded, bounded_pointer,
};

/// A place for people and machines: lines and columns from 1, end exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    pub role: Role,
    /// Path as shown: relative where it can be, forward slashes, no leading `./`.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// A few words next to the carets; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub excerpt: Excerpt,
}

/// The source lines of a location, so that a report needs no files.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Members")]
pub struct Excerpt {
    /// Line number (from 1) of the first line of `text`.
    pub first_line: u32,
    /// Whole lines, joined by `
    /// `; long values are cut to the first lines of the place. Empty if there is no source, or a line is
    /// too long to show.
    pub text: String,
    /// Byte range of the place inside `text`.
    pub start: usize,
    pub end: usize,
}

/// An excerpt as a report has it, by any writer.
#[derive(Deserialize)]
struct Members {
    first_line: u32,
    text: String,
    start: usize,
    end: usize,
}

impl TryFrom<Members> for Excerpt {
    type Error = String;

    fn try_from(Members { first_line, text, start, end }: Members) -> Result<Excerpt, String> {
        match text.get(start..end) {
            Some(_) => Ok(Excerpt { first_line, text, start, end }),
            None => Err(format!("{start}..{end} is not part of an excerpt")),
        }
    }
}

impl Excerpt {
    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// A fix whose places are byte ranges in named files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingFix {
    pub description: String,
    pub safety: Safety,
    pub edits: Vec<FileEdit>,
}

/// Replaces bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEdit {
    /// As in [`Location::file`].
    pub file: String,
    /// The range from the first replaced byte to the first one that stays.
    pub start: u32,
    pub end: u32,
    pub replacement: String,
    /// As in [`super::Edit::removes`]; no report carries it.
    #[serde(skip)]
    pub removes: Option<Range<u32>>,
    /// The fingerprint of the text that the range belongs to; no report carries it.
    #[serde(skip)]
    pub text: Option<Fingerprint>,
}

/// A message for the user, with its places resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub rule: LintId,
    pub level: Level,
    /// The version that the change requires; present for a change that `compat` found only. It does not
    /// depend on the level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bump: Option<Bump>,
    /// Headline, and after a colon the detail; may have several lines.
    pub message: String,
    /// Module directory as shown; empty if the finding is about no module.
    pub module: String,
    /// The called module of the finding, such as `module.network.module.subnet`; empty for the module
    /// itself.
    #[serde(default, skip_serializing_if = "SmolStr::is_empty")]
    pub address: SmolStr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The variables of a finding about several; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<SmolStr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Present for a policy's rule only.
    #[serde(flatten)]
    pub policy: Option<Box<PolicyFacts>>,
    /// Whether Terraform would find it only when the errors of an earlier stage are repaired.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub later: bool,
    /// The first one is the primary place; empty when there is none.
    pub locations: Vec<Location>,
    /// The values files, as shown, whose values it follows from; empty where it is about one value, at its place, and
    /// where it occurs whatever the values are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FindingFix>,
    /// The kind of the error, for code; no report carries it.
    #[serde(skip)]
    pub cause: Option<Cause>,
}

/// A policy rule's decision about an object, the worst last.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    #[default]
    Pass,
    /// Only an apply knows the answer.
    Undecided,
    Fail,
}

impl Decision {
    /// Each with its name.
    pub const ALL: [(&'static str, Decision); 3] =
        [("fail", Decision::Fail), ("pass", Decision::Pass), ("undecided", Decision::Undecided)];

    pub fn as_str(self) -> &'static str {
        Decision::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }
}

/// The facts of a finding of a policy's rule, without sensitive values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyFacts {
    pub outcome: Decision,
    /// The plan's action on the object, such as `create`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<SmolStr>,
    /// The value that the rule wants, as its file has it; `None` if it forbids the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The actual value; `None` if it is not known, or if the object is forbidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The directory (absolute) of the configuration that demands the rule; no report carries it.
    #[serde(skip)]
    pub demanded_by: Option<PathBuf>,
}

impl Finding {
    /// The finding that reports this many more findings of a policy's rule. This one is the first of them. A single
    /// finding needs no other one that counts it.
    pub fn counting(self, number: usize) -> Finding {
        if number == 1 {
            return self;
        }
        let outcome = self.policy.as_ref().map(|it| it.outcome).unwrap_or_default();
        let message = format!(
            "{number} more findings of {}\nOnly the first {MOST_OF_A_KIND} are listed.",
            self.rule
        );
        Finding {
            message,
            address: SmolStr::default(),
            path: None,
            help: None,
            policy: Some(Box::new(PolicyFacts { outcome, ..PolicyFacts::default() })),
            ..self
        }
    }

    /// Resolves a diagnostic of `module` against its sources.
    pub fn new(diagnostic: &Diagnostic, module: &str, sources: &Sources) -> Self {
        let values = diagnostic.values.iter().take(MOST_VALUES);
        let locations = diagnostic.labels.iter().chain(values);
        let locations =
            locations.map(|it| Location::new(it.role, it.span, &it.text, sources)).collect();
        let fix = diagnostic.fix.as_ref().map(|fix| FindingFix {
            description: fix.description.clone(),
            safety: fix.safety,
            edits: fix
                .edits
                .iter()
                .map(|edit| FileEdit {
                    file: sources.file(edit.span.file).path.clone(),
                    text: Some(sources.file(edit.span.file).fingerprint()),
                    start: edit.span.start,
                    end: edit.span.end,
                    replacement: edit.replacement.clone(),
                    removes: edit.removes.clone(),
                })
                .collect(),
        });
        let mut values_files = Vec::new();
        for it in &diagnostic.values {
            let file = &sources.file(it.span.file).path;
            if !values_files.contains(file) {
                values_files.push(file.clone());
            }
        }
        Finding {
            rule: diagnostic.rule.clone(),
            level: diagnostic.level(),
            bump: None,
            message: bounded(diagnostic.message()),
            module: module.to_owned(),
            address: name(&diagnostic.address).into(),
            variable: diagnostic.variable.as_ref().map(|it| name(it).to_owned()),
            variables: diagnostic.variables.clone(),
            validation: diagnostic.validation,
            path: diagnostic.path.clone().map(bounded_pointer),
            policy: None,
            later: false,
            locations,
            values_files,
            help: diagnostic.help.clone().map(bounded),
            fix,
            cause: diagnostic.cause.clone(),
        }
    }
}

/// The beginning of a name that nobody would read to its end.
fn name(text: &str) -> &str {
    beginning(text, LONGEST_NAME).0
}

impl Location {
    /// Resolves a place against its sources.
    pub fn new(role: Role, span: Span, text: &str, sources: &Sources) -> Location {
        let file = sources.file(span.file);
        let (start, end) = (file.position(span.start), file.position(span.end));
        Location {
            role,
            file: file.path.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text: bounded(text.to_owned()),
            excerpt: excerpt(span, start.line, end.line, sources),
        }
    }
}

/// The number of values whose places a finding shows.
const MOST_VALUES: usize = 10;

/// The number of lines that an excerpt keeps of a place; more lines of a long value do not help.
const MAX_EXCERPT_LINES: u32 = 6;
/// The limit for a line that is shown: a longer one does not help, and thousands of findings may be in it.
const MAX_EXCERPT_BYTES: usize = 4096;

fn excerpt(span: Span, first_line: u32, end_line: u32, sources: &Sources) -> Excerpt {
    let file = sources.file(span.file);
    let from = file.line_range(first_line).start;
    let to_end_of = |line: u32| from..file.line_range(line).end;
    let last_line = end_line.min(first_line + MAX_EXCERPT_LINES - 1);
    let lines = (first_line..=last_line).rev().map(to_end_of);
    let Some(lines) = lines.into_iter().find(|it| it.len() <= MAX_EXCERPT_BYTES) else {
        return Excerpt { first_line, ..Excerpt::default() };
    };
    let cuts = cuts(span.file, &lines, sources);
    let mut text = String::new();
    let mut at = lines.start;
    for cut in &cuts {
        text += &file.slice(at..cut.from.start);
        text += cut.to;
        at = cut.from.end;
    }
    text += &file.slice(at..lines.end);
    let place = span.range();
    let start = shown_offset(file, place.start, &lines, &cuts, false).min(text.len());
    let end = shown_offset(file, place.end.min(lines.end), &lines, &cuts, true);
    let end = end.clamp(start, text.len());
    // A place may begin or end inside of a character if the source is not UTF-8.
    let is_boundary = |it: &usize| text.is_char_boundary(*it);
    let start = (0..=start).rev().find(is_boundary).unwrap_or(0);
    let end = (end..text.len()).find(is_boundary).unwrap_or(text.len());
    Excerpt { first_line, text, start, end }
}

/// A part of the source that is replaced in an excerpt.
struct Cut {
    from: Range<usize>,
    to: &'static str,
}

/// The cuts of hidden values, and of carriage returns in line ends; sorted, without overlaps.
fn cuts(file: FileId, lines: &Range<usize>, sources: &Sources) -> Vec<Cut> {
    let bytes = &sources.file(file).bytes;
    let hidden = sources.hidden(file, lines).into_iter();
    let clamped = hidden.map(|(it, why)| {
        let Range { start, end } = it.range();
        Cut { from: start.max(lines.start)..end.min(lines.end), to: why.text() }
    });
    let mut cuts: Vec<Cut> = clamped.collect();
    let returns = memchr::memmem::find_iter(&bytes[lines.clone()], b"\r\n");
    let returns = returns.map(|it| lines.start + it);
    cuts.extend(returns.map(|it| Cut { from: it..it + 1, to: "" }));
    cuts.sort_by_key(|it| (it.from.start, std::cmp::Reverse(it.from.end)));
    let mut end = lines.start;
    cuts.retain(|it| {
        let is_free = it.from.start >= end;
        end = end.max(it.from.end);
        is_free
    });
    cuts
}

/// The position in the shown text of an offset in the file. Inside of a cut it is the cut's end or its
/// start.
fn shown_offset(
    file: &SourceFile,
    offset: usize,
    lines: &Range<usize>,
    cuts: &[Cut],
    to_end: bool,
) -> usize {
    let (mut shown, mut at) = (0, lines.start);
    for cut in cuts.iter().take_while(|it| it.from.start < offset) {
        shown += file.slice(at..cut.from.start).len();
        if offset < cut.from.end {
            return if to_end { shown + cut.to.len() } else { shown };
        }
        shown += cut.to.len();
        at = cut.from.end;
    }
    shown + file.slice(at..offset.max(at)).len()
}
