//! Suppression comments: `# terraschema:ignore RULE reason` silences the findings of one rule on
//! its own line or on the next one, and in the whole block or value that begins there.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

use diagnostics::{
    Diagnostic, Diagnostics, FileId, Finding, Label, LintId, Location, Role, SourceFile, Sources,
    Span, lints,
};
use hcl::Comments;
use module::inputs::is_json_file;
use report::UsedSuppression;

const MARKER: &str = "terraschema:ignore";

/// Removes suppressed diagnostics, and adds the errors of the suppressions themselves, so that none
/// without effect stays unseen. A suppression never silences the finding about itself.
///
/// `is_whole`: every rule ran, so that a suppression without effect is superfluous. Also returns the
/// places of effective suppressions in files that are checked elsewhere: those of called modules, and,
/// unless `has_module`, all.
pub(super) fn apply(
    diagnostics: Diagnostics,
    sources: &Sources,
    is_whole: bool,
    has_module: bool,
) -> (Diagnostics, Vec<UsedSuppression>) {
    let mut found: BTreeMap<&str, Vec<Suppression>> = BTreeMap::new();
    // A suppression for a called module lies in its files, and is judged with it.
    for (id, file) in sources.files().chain(sources.adopted()) {
        let is_native = !is_json_file(&file.path);
        // A values file is read once for each set that contains it.
        if is_native && !found.contains_key(file.path.as_str()) {
            found.insert(&file.path, suppressions(id, file));
        }
    }
    found.retain(|_, it| !it.is_empty());
    if found.is_empty() {
        return (diagnostics, Vec::new());
    }
    let mut left: Diagnostics = Vec::new();
    let mut lines = found.iter_mut().map(|(file, it)| (*file, Lines::new(it))).collect();
    for mut diagnostic in diagnostics {
        if !silence(&mut diagnostic, sources, &mut lines) {
            left.push(diagnostic);
        }
    }
    let own = found.values().flatten().filter(|it| !it.span.file.is_adopted());
    // A suppression of a policy's rule without effect is reported in any case.
    let unused = own.filter(|it| is_whole || it.rule.policy().is_some());
    left.extend(unused.filter_map(Suppression::problem));
    let is_told = |it: &&Suppression| it.is_used && (!has_module || it.span.file.is_adopted());
    let used = found.values().flatten().filter(is_told);
    (left, used.map(|it| place(it.span, sources)).collect())
}

/// Whether a comment in the files silences the diagnostic.
pub fn is_silenced(diagnostic: Diagnostic, sources: &Sources) -> bool {
    apply(vec![diagnostic], sources, false, true).0.is_empty()
}

/// Whether a finding is about a suppression at one of these places, where another check used it.
pub(super) fn is_about(finding: &Finding, places: &HashSet<UsedSuppression>) -> bool {
    let at = |it: &Location| UsedSuppression { file: it.file.clone(), line: it.line };
    finding.rule == lints::UNUSED_SUPPRESSION
        && finding.locations.first().is_some_and(|it| places.contains(&at(it)))
}

fn place(span: Span, sources: &Sources) -> UsedSuppression {
    let file = sources.file(span.file);
    UsedSuppression { file: file.path.clone(), line: file.position(span.start).line }
}

/// A suppression comment.
struct Suppression {
    /// The comment.
    span: Span,
    rule: LintId,
    has_reason: bool,
    /// The lines that it covers, from 1, both ends included.
    lines: (u32, u32),
    is_used: bool,
}

impl Suppression {
    fn is_valid(&self) -> bool {
        self.has_reason && self.rule.declared().is_some()
    }

    /// Whether only `compat` reports findings of the rule.
    fn is_of_compat(&self) -> bool {
        self.rule.is_one_of(lints::OF_COMPAT)
    }

    /// The error in the suppression.
    fn problem(&self) -> Option<Diagnostic> {
        let rule = &self.rule;
        let summary = if rule.as_str().is_empty() {
            "A suppression comment names no rule".to_owned()
        } else if rule.policy().is_some() {
            "A comment cannot silence a policy rule".to_owned()
        } else if rule.declared().is_none() {
            format!("Unknown rule \"{rule}\" in a suppression comment")
        } else if !self.has_reason {
            format!("The suppression of {rule} has no reason, so it has no effect")
        } else if !self.is_used && !self.is_of_compat() {
            format!("The suppression of {rule} has no effect")
        } else {
            return None;
        };
        let help = format!(
            "write {MARKER} RULE reason on the line of the finding or on the \
            line before"
        );
        let help = match () {
            () if self.is_valid() => "remove the comment".to_owned(),
            () if rule.policy().is_some() => {
                "write an ignore block in the .terraschema.hcl that configures the policy"
                    .to_owned()
            }
            () => help,
        };
        Some(
            Diagnostic::new(&lints::UNUSED_SUPPRESSION, summary)
                .at(Role::Declaration, self.span)
                .help(help),
        )
    }
}

/// Whether a valid suppression covers the diagnostic; every one that does counts as used.
fn silence(
    diagnostic: &mut Diagnostic,
    sources: &Sources,
    found: &mut BTreeMap<&str, Lines<'_>>,
) -> bool {
    // No file of the tree may hide that something was not judged.
    if diagnostic.rule == lints::BUDGET_EXCEEDED {
        return false;
    }
    let rule = &diagnostic.rule;
    let mut covers = |label: &Label| {
        let file = sources.file(label.span.file);
        let Some(suppressions) = found.get_mut(file.path.as_str()) else { return false };
        let line = file.position(label.span.start).line;
        suppressions.silence(rule, line)
    };
    let mut silenced = false;
    for label in &diagnostic.labels {
        silenced |= covers(label);
    }
    // A comment at a value is about the finding with that value alone.
    let has_values = !diagnostic.values.is_empty();
    diagnostic.values.retain(|it| !covers(it));
    silenced || has_values && diagnostic.values.is_empty()
}

/// The valid suppressions of a file by the lines that they cover.
struct Lines<'s> {
    /// By their first line, and the longest first.
    parts: Vec<Part<'s>>,
    /// The answers so far.
    known: HashMap<(LintId, u32), bool>,
}

struct Part<'s> {
    lines: (u32, u32),
    suppressions: Vec<&'s mut Suppression>,
    /// The nearest part before it that reaches its first line. All parts that cover a line are on the way along
    /// these from the last one that begins at the line or before it.
    around: Option<usize>,
}

impl<'s> Lines<'s> {
    fn new(suppressions: &'s mut [Suppression]) -> Lines<'s> {
        let mut valid: Vec<_> = suppressions.iter_mut().filter(|it| it.is_valid()).collect();
        valid.sort_by_key(|it| (it.lines.0, Reverse(it.lines.1)));
        let mut parts: Vec<Part<'s>> = Vec::new();
        for it in valid {
            match parts.last_mut().filter(|part| part.lines == it.lines) {
                Some(part) => part.suppressions.push(it),
                None => {
                    let mut around = parts.len().checked_sub(1);
                    while let Some(at) = around.filter(|at| parts[*at].lines.1 < it.lines.0) {
                        around = parts[at].around;
                    }
                    parts.push(Part { lines: it.lines, suppressions: vec![it], around });
                }
            }
        }
        Lines { parts, known: HashMap::new() }
    }

    /// Whether a suppression of the rule covers the line; all that do are used.
    fn silence(&mut self, rule: &LintId, line: u32) -> bool {
        if let Some(known) = self.known.get(&(rule.clone(), line)) {
            return *known;
        }
        let mut silenced = false;
        let mut at = self.parts.partition_point(|it| it.lines.0 <= line).checked_sub(1);
        while let Some(part) = at.map(|it| &mut self.parts[it]) {
            if part.lines.1 >= line {
                for it in part.suppressions.iter_mut().filter(|it| it.rule == *rule) {
                    it.is_used = true;
                    silenced = true;
                }
            }
            at = part.around;
        }
        self.known.insert((rule.clone(), line), silenced);
        silenced
    }
}

fn suppressions(id: FileId, file: &SourceFile) -> Vec<Suppression> {
    if memchr::memmem::find(&file.bytes, MARKER.as_bytes()).is_none() {
        return Vec::new();
    }
    let scan = hcl::comments(&file.bytes);
    let comments = scan.comments.iter();
    comments.filter_map(|it| suppression(id, file, &scan, it)).collect()
}

fn suppression(
    id: FileId,
    file: &SourceFile,
    scan: &Comments,
    comment: &Range<usize>,
) -> Option<Suppression> {
    let text = String::from_utf8_lossy(file.bytes.get(comment.clone())?).into_owned();
    let text = text.trim_start_matches(['#', '/', '*']);
    let text = text.trim().trim_end_matches("*/").strip_prefix(MARKER)?;
    if !text.is_empty() && !text.starts_with(char::is_whitespace) {
        return None;
    }
    let (rule, reason) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    Some(Suppression {
        span: Span::new(id, comment.start, comment.end),
        rule: LintId::named(rule),
        has_reason: !reason.trim().is_empty(),
        lines: lines(file, scan, comment),
        is_used: false,
    })
}

/// The lines that a comment covers: its own line if that has code too, otherwise the next line with
/// code, and the whole block or value if one begins there.
fn lines(file: &SourceFile, scan: &Comments, comment: &Range<usize>) -> (u32, u32) {
    let line = |offset: usize| file.position(u32::try_from(offset).unwrap_or(u32::MAX)).line;
    let (first, last) = (line(comment.start), line(comment.end));
    let before = scan.tokens.partition_point(|it| *it < comment.start);
    let beside = before.checked_sub(1).and_then(|it| scan.tokens.get(it));
    let after = scan.tokens.get(before);
    let line_of = |index: Option<&usize>| index.map(|it| line(*it));
    let target = match (line_of(beside), line_of(after)) {
        (Some(beside), _) if beside == first => beside,
        (_, Some(after)) => after,
        _ => return (first, last),
    };
    // Groups are sorted by their start.
    let before = scan.groups.partition_point(|it| line(it.start) < target);
    let begun = scan.groups[before..].iter().take_while(|it| line(it.start) == target);
    (target, begun.map(|it| line(it.end)).fold(target, u32::max))
}
