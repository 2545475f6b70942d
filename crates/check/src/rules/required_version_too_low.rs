//! `required-version-too-low`: `required_version` admits a version that lacks a feature of the module,
//! so that its users get a syntax error instead of a clear answer.

use std::ops::Range;

use super::ModuleContext;
use diagnostics::{Diagnostic, Diagnostics, Edit, Fix, Role, Safety, Sources, Span, lints};
use module::{
    RequiredVersion,
    features::{self, Use},
    inputs::is_json_file,
};
use release::{Constraints, Version};

/// The number of places that one finding shows in addition to the constraint.
const MAX_PLACES: usize = 3;

pub(super) fn check(context: &ModuleContext<'_>) -> Diagnostics {
    let Some(RequiredVersion { text, span, .. }) = context.module.required_versions.first() else {
        return Vec::new();
    };
    let oldest = context.module.oldest_admitted();
    let mut lacking: Vec<Use> = features::used_after(oldest, context.module, context.product());
    // Sorted by release, newest first; only the first use of each feature is kept.
    lacking.sort_by(|a, b| b.since.cmp(&a.since).then(a.span.cmp(&b.span)));
    let mut seen = Vec::new();
    lacking.retain(|it| {
        let is_new = !seen.contains(&it.feature.name);
        seen.push(it.feature.name);
        is_new
    });
    let Some(newest) = lacking.first() else { return Vec::new() };
    let needs: Vec<String> = lacking.iter().map(Use::describe).collect();
    let product = context.product();
    let summary = format!(
        "required_version allows {product} {}.{}, which cannot run the module",
        oldest.major, oldest.minor
    );
    let mut diagnostic = Diagnostic::new(&lints::REQUIRED_VERSION_TOO_LOW, summary)
        .detail(format!("\"{text}\" is too low for {}.", needs.join(", ")))
        .at(Role::Declaration, *span)
        .help(format!("write \">= {}.{}\"", newest.since.major, newest.since.minor));
    let module = context.module;
    if let Some((fix, new)) = fix(&module.required_versions, newest.since, &module.sources) {
        diagnostic = diagnostic.help(format!("write \"{new}\"")).fix(fix);
    }
    for it in lacking.iter().take(MAX_PLACES) {
        diagnostic = diagnostic.at_with(Role::Rule, it.span, it.describe());
    }
    vec![diagnostic]
}

// Raises a `required_version` that is too low: only the lowest release changes.

/// The number of major releases by which a raised constraint is tested.
const MAJORS: u32 = 2;
const MINORS: u32 = 40;
const PATCHES: u32 = 20;

/// The fix that raises one of a module's constraints to a release, and the resulting constraint. `None`
/// where the constraint would have to be rewritten: it is pinned to an older release, or its text is not
/// in the source literally.
pub(super) fn fix(
    all: &[RequiredVersion],
    needed: Version,
    sources: &Sources,
) -> Option<(Fix, String)> {
    let (RequiredVersion { text, span, .. }, others) = all.split_first()?;
    let edits = raised(text, needed)?;
    let new = edited(text, &edits);
    let others: Vec<Constraints> =
        others.iter().filter_map(|it| Constraints::parse(&it.text)).collect();
    let (before, constraints) = (Constraints::parse(text)?, Constraints::parse(&new)?);
    let lets_in = |it: Version| constraints.allow(it) && others.iter().all(|all| all.allow(it));
    let releases = (0..MAJORS).flat_map(|major| {
        let minors = (0..MINORS).flat_map(|minor| (0..PATCHES).map(move |patch| (minor, patch)));
        minors.map(move |(minor, patch)| Version::new(major, minor, patch))
    });
    let (low, high): (Vec<Version>, Vec<Version>) =
        releases.filter(|it| lets_in(*it)).partition(|it| *it < needed);
    // A fix must admit nothing that was excluded: `~> 1.0.0` would.
    let is_wider = high.iter().any(|it| !before.allow(*it));
    if !low.is_empty() || high.is_empty() || is_wider {
        return None;
    }
    let edits = in_source(text, &new, edits, *span, sources)?;
    let description = format!("Raise required_version to \"{new}\"");
    Some((Fix { description, edits, safety: Safety::Suggestion }, new))
}

/// The replacements in the text.
fn raised(text: &str, needed: Version) -> Option<Vec<(Range<usize>, String)>> {
    let (mut edits, mut at) = (Vec::new(), 0);
    for part in text.split(',') {
        let bare = part.trim();
        let start = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        let operator = [">=", "~>", ">"].iter().find(|it| bare.starts_with(**it));
        let Some(operator) = operator else { continue };
        let numbers = bare[operator.len()..].trim_start().trim_start_matches('v');
        let from = start + bare.len() - numbers.len();
        if Version::parse(&padded(numbers))? >= needed {
            continue;
        }
        let count = numbers.split('.').count();
        if *operator == ">" {
            edits.push((start + 1..start + 1, "=".to_owned()));
        }
        let patch = if count > 2 || needed.patch > 0 {
            format!(".{}", needed.patch)
        } else {
            String::new()
        };
        let new = format!("{}.{}{patch}", needed.major, needed.minor);
        edits.push((from..start + bare.len(), new));
    }
    if edits.is_empty() {
        edits.push((0..0, format!(">= {}.{}, ", needed.major, needed.minor)));
    }
    Some(edits)
}

/// The version numbers, completed with zeros.
fn padded(numbers: &str) -> String {
    if numbers.contains('.') { numbers.to_owned() } else { format!("{numbers}.0") }
}

fn edited(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (range, new) in edits {
        out += &text[at..range.start];
        out += new;
        at = range.end;
    }
    out + &text[at..]
}

/// The edits of the text as edits of the file, if the quoted text is there literally. JSON may spell `>`
/// as `\u003e`; then the whole text is written again.
fn in_source(
    text: &str,
    new: &str,
    edits: Vec<(Range<usize>, String)>,
    span: Span,
    sources: &Sources,
) -> Option<Vec<Edit>> {
    let source = sources.snippet(span);
    if *source == format!("\"{text}\"") {
        let begin = span.start as usize + 1;
        let edit = |(range, replacement): (Range<usize>, String)| {
            let span = Span::new(span.file, begin + range.start, begin + range.end);
            Edit { span, replacement, removes: None }
        };
        return Some(edits.into_iter().map(edit).collect());
    }
    if !is_json_file(&sources.file(span.file).path)
        || serde_json::from_str::<String>(&source).ok()? != text
    {
        return None;
    }
    let mut replacement = serde_json::to_string(new).ok()?;
    for (plain, escaped) in [("<", "\\u003c"), (">", "\\u003e")] {
        let is_escaped = source.to_lowercase().contains("\\u003");
        replacement = if is_escaped { replacement.replace(plain, escaped) } else { replacement };
    }
    Some(vec![Edit { span, replacement, removes: None }])
}
