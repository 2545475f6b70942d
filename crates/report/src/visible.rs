//! A report whose texts are safe everywhere: see [`diagnostics::visible`].

use std::borrow::Cow;

use super::{Checked, JudgedAs, NotJudged, NotJudgedKind, Report};
use diagnostics::{Excerpt, Finding, Location, is_unseen, visible, visible_line};

/// The meaning of paths in a format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    /// Text for people.
    Shown,
    /// Names by which a machine finds the file; the format escapes them itself.
    Real,
}

/// The report with all foreign text made visible.
pub(super) fn report(it: &Report, paths: Paths) -> Cow<'_, Report> {
    let is_raw = |it: char| is_unseen(it) && !matches!(it, '\n' | '\t');
    if !blocks(it).any(|it| it.contains(is_raw)) && !lines(it).any(|it| it.contains(is_unseen)) {
        return Cow::Borrowed(it);
    }
    let mut it = it.clone();
    it.findings.iter_mut().for_each(|it| finding(it, paths));
    it.not_judged.iter_mut().for_each(|it| not_judged(it, paths));
    it.failures.iter_mut().for_each(block);
    let JudgedAs { releases, remarks } = std::mem::take(&mut it.judged_as);
    let shown = |it: String| visible_line(&it).into_owned();
    it.judged_as.releases = releases.into_iter().map(|(it, count)| (shown(it), count)).collect();
    it.judged_as.remarks = remarks.into_iter().map(shown).collect();
    if paths == Paths::Shown {
        let files = std::mem::take(&mut it.values_files.without_module);
        let shown = files.into_iter().map(|it| visible_line(&it).into_owned());
        it.values_files.without_module = shown.collect();
    }
    if let Some(it) = it.checked_mut() {
        checked(it, paths);
    }
    Cow::Owned(it)
}

fn checked(it: &mut Checked, paths: Paths) {
    for module in &mut it.modules {
        if let Some(diff) = &mut module.diff {
            block(diff);
        }
        if paths == Paths::Shown {
            line(&mut module.path);
            line(&mut module.schema);
        }
    }
    if paths == Paths::Shown {
        let edited = std::mem::take(&mut it.edited).into_iter();
        it.edited = edited.map(|it| visible_line(&it).into_owned()).collect();
    }
}

/// The texts that may have several lines.
fn blocks(it: &Report) -> impl Iterator<Item = &str> {
    let findings = findings(it).flat_map(|it| [&it.message].into_iter().chain(&it.help));
    let excerpts = locations(it).map(|at| &at.excerpt.text);
    let diffs = it.modules().iter().filter_map(|it| it.diff.as_ref());
    findings.chain(excerpts).chain(diffs).chain(&it.failures).map(String::as_str)
}

fn lines(it: &Report) -> impl Iterator<Item = &str> {
    let places = locations(it).flat_map(|at| [at.file.as_str(), &at.text]);
    let findings = findings(it).flat_map(|it| [it.module.as_str(), &it.address]);
    let not_judged = it.not_judged.iter().flat_map(|it| match &it.what {
        NotJudgedKind::Call { address, reason, .. } => [it.module.as_str(), address, reason],
        NotJudgedKind::ValuesFile { file, reason } => [it.module.as_str(), file, reason],
        NotJudgedKind::Rule(_) | NotJudgedKind::Resources(_) | NotJudgedKind::Blocked(_) => {
            [it.module.as_str(), "", ""]
        }
    });
    let blocked = it.not_judged.iter().flat_map(|it| match &it.what {
        NotJudgedKind::Blocked(it) => [&it.parts[..], &it.values_files],
        _ => [&[][..], &[]],
    });
    let blocked = blocked.flatten().map(String::as_str);
    let with = it.findings.iter().flat_map(|it| &it.values_files).map(String::as_str);
    let modules = it.modules().iter().flat_map(|it| [it.path.as_str(), &it.schema]);
    let edited = it.checked().into_iter().flat_map(|it| &it.edited);
    let files = it.values_files.without_module.iter().chain(edited).map(String::as_str);
    let releases = it.judged_as.releases.keys().chain(&it.judged_as.remarks).map(String::as_str);
    places
        .chain(findings)
        .chain(not_judged)
        .chain(modules)
        .chain(files)
        .chain(releases)
        .chain(blocked)
        .chain(with)
}

fn findings(it: &Report) -> impl Iterator<Item = &Finding> {
    let rules = it.not_judged.iter().filter_map(|it| match &it.what {
        NotJudgedKind::Rule(finding) => Some(finding.as_ref()),
        NotJudgedKind::Call { .. }
        | NotJudgedKind::Resources(_)
        | NotJudgedKind::ValuesFile { .. }
        | NotJudgedKind::Blocked(_) => None,
    });
    it.findings.iter().chain(rules)
}

fn locations(it: &Report) -> impl Iterator<Item = &Location> {
    let findings = it.findings.iter().flat_map(|it| &it.locations);
    findings.chain(it.not_judged.iter().flat_map(NotJudged::locations))
}

fn not_judged(it: &mut NotJudged, paths: Paths) {
    match &mut it.what {
        NotJudgedKind::Rule(it) => finding(it, paths),
        NotJudgedKind::Call { address, reason, locations } => {
            line(address);
            line(reason);
            locations.iter_mut().for_each(|it| location(it, paths));
        }
        NotJudgedKind::ValuesFile { file, reason } => {
            line(reason);
            if paths == Paths::Shown {
                line(file);
            }
        }
        NotJudgedKind::Blocked(it) => {
            it.parts.iter_mut().chain(&mut it.values_files).for_each(line);
            it.locations.iter_mut().for_each(|it| location(it, paths));
        }
        NotJudgedKind::Resources(_) => (),
    }
    if paths == Paths::Shown {
        line(&mut it.module);
    }
}

fn finding(it: &mut Finding, paths: Paths) {
    block(&mut it.message);
    if let Cow::Owned(shown) = visible_line(&it.address) {
        it.address = shown.into();
    }
    it.help.iter_mut().for_each(block);
    it.locations.iter_mut().for_each(|it| location(it, paths));
    it.values_files.iter_mut().for_each(line);
    if paths == Paths::Shown {
        line(&mut it.module);
    }
}

fn location(it: &mut Location, paths: Paths) {
    line(&mut it.text);
    // Machines count columns in an excerpt, but do not show it.
    if paths == Paths::Shown {
        line(&mut it.file);
        it.excerpt = excerpt(&it.excerpt);
    }
}

/// Makes an excerpt visible; its place still covers the same text.
fn excerpt(it: &Excerpt) -> Excerpt {
    let part = |range| visible(it.text.get(range).unwrap_or_default());
    let mut text = part(0..it.start).into_owned();
    let start = text.len();
    text += &part(it.start..it.end);
    let end = text.len();
    text += &part(it.end..it.text.len());
    Excerpt { first_line: it.first_line, text, start, end }
}

fn block(text: &mut String) {
    if let Cow::Owned(shown) = visible(text) {
        *text = shown;
    }
}

fn line(text: &mut String) {
    if let Cow::Owned(shown) = visible_line(text) {
        *text = shown;
    }
}
