//! A diagnostic whose places are files, lines and columns: what reports render.

use smol_str::SmolStr;

use super::{Diagnostic, Level, Role, Safety, Sources, Span};

/// A place for people and machines: lines and columns from 1, end exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub role: Role,
    /// Path as shown: relative where it can be, forward slashes, no leading `./`.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// A few words beside the carets; may be empty.
    pub text: String,
    pub excerpt: Excerpt,
}

/// The source lines of a location, so that a report needs no files.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// Line number (from 1) of the first line of `text`.
    pub first_line: u32,
    /// Whole lines, joined by `\n`; long values are cut to the first lines of the place.
    pub text: String,
    /// Byte range of the place inside `text`.
    pub start: usize,
    pub end: usize,
}

/// A fix whose places are byte ranges in named files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingFix {
    pub description: String,
    pub safety: Safety,
    /// (file, byte start, byte end, replacement)
    pub edits: Vec<(String, u32, u32, String)>,
}

/// Something to tell the user, with its places resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: SmolStr,
    pub level: Level,
    /// Headline, and after a colon the detail; may have several lines.
    pub message: String,
    /// Module directory as shown; empty when it is about no module.
    pub module: String,
    pub variable: Option<String>,
    pub validation: Option<usize>,
    pub path: Option<String>,
    /// The first one is the primary place; empty when there is none.
    pub locations: Vec<Location>,
    pub help: Option<String>,
    pub fix: Option<FindingFix>,
}

impl Finding {
    /// Resolves a diagnostic of `module` against its sources.
    pub fn new(diagnostic: &Diagnostic, module: &str, sources: &Sources) -> Self {
        let locations = diagnostic.labels.iter();
        let locations = locations.map(|it| locate(it.role, it.span, &it.text, sources)).collect();
        let fix = diagnostic.fix.as_ref().map(|fix| FindingFix {
            description: fix.description.clone(),
            safety: fix.safety,
            edits: fix
                .edits
                .iter()
                .map(|it| {
                    let file = sources.file(it.span.file).path.clone();
                    (file, it.span.start, it.span.end, it.replacement.clone())
                })
                .collect(),
        });
        Finding {
            rule: SmolStr::new_static(diagnostic.rule),
            level: diagnostic.level,
            message: diagnostic.message(),
            module: module.to_owned(),
            variable: diagnostic.variable.as_ref().map(ToString::to_string),
            validation: diagnostic.validation,
            path: diagnostic.path.clone(),
            locations,
            help: diagnostic.help.clone(),
            fix,
        }
    }
}

/// Lines of a place that an excerpt keeps; the rest of a long value says nothing more.
const MAX_EXCERPT_LINES: u32 = 6;

fn locate(role: Role, span: Span, text: &str, sources: &Sources) -> Location {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let last = end.line.min(start.line + MAX_EXCERPT_LINES - 1);
    let lines: Vec<String> = (start.line..=last).map(|it| file.line(it)).collect();
    let excerpt_text = lines.join("\n");
    let from = column_to_byte(&lines[0], start.column);
    let to = if last < end.line {
        excerpt_text.len()
    } else {
        let before: usize = lines[..lines.len() - 1].iter().map(|it| it.len() + 1).sum();
        before + column_to_byte(&lines[lines.len() - 1], end.column)
    };
    Location {
        role,
        file: file.path.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text: text.to_owned(),
        excerpt: Excerpt {
            first_line: start.line,
            start: from,
            end: to.clamp(from, excerpt_text.len()),
            text: excerpt_text,
        },
    }
}

fn column_to_byte(line: &str, column: u32) -> usize {
    use unicode_segmentation::UnicodeSegmentation;
    let mut clusters = line.grapheme_indices(true);
    clusters.nth(column as usize - 1).map_or(line.len(), |(at, _)| at)
}
