//! A report whose texts can be shown anywhere: see [`crate::diagnostic::visible`].

use std::borrow::Cow;

use super::Report;
use crate::diagnostic::{Excerpt, Finding, Location, is_unseen, visible, visible_line};

/// What the paths of a report are in a format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    /// Text for people.
    Shown,
    /// Names by which a machine finds the file; the format escapes them by its own rules.
    Real,
}

/// The report with everything made visible that others wrote.
pub(super) fn report(it: &Report, paths: Paths) -> Cow<'_, Report> {
    let is_raw = |it: char| is_unseen(it) && !matches!(it, '\n' | '\t');
    if !blocks(it).any(|it| it.contains(is_raw)) && !lines(it).any(|it| it.contains(is_unseen)) {
        return Cow::Borrowed(it);
    }
    let mut it = it.clone();
    it.findings.iter_mut().for_each(|it| finding(it, paths));
    it.failures.iter_mut().for_each(block);
    for module in &mut it.modules {
        if let Some(diff) = &mut module.diff {
            block(diff);
        }
        if paths == Paths::Shown {
            line(&mut module.path);
            line(&mut module.schema);
        }
    }
    Cow::Owned(it)
}

/// Texts that may have several lines.
fn blocks(it: &Report) -> impl Iterator<Item = &String> {
    let findings = it.findings.iter().flat_map(|it| {
        let excerpts = it.locations.iter().map(|at| &at.excerpt.text);
        [&it.message].into_iter().chain(&it.help).chain(excerpts)
    });
    findings.chain(it.modules.iter().filter_map(|it| it.diff.as_ref())).chain(&it.failures)
}

fn lines(it: &Report) -> impl Iterator<Item = &String> {
    let places = it.findings.iter().flat_map(|it| &it.locations);
    let places = places.flat_map(|at| [&at.file, &at.text]);
    let findings = places.chain(it.findings.iter().map(|it| &it.module));
    findings.chain(it.modules.iter().flat_map(|it| [&it.path, &it.schema]))
}

fn finding(it: &mut Finding, paths: Paths) {
    block(&mut it.message);
    it.help.iter_mut().for_each(block);
    it.locations.iter_mut().for_each(|it| location(it, paths));
    if paths == Paths::Shown {
        line(&mut it.module);
    }
}

fn location(it: &mut Location, paths: Paths) {
    line(&mut it.text);
    // Machines count columns in the excerpt, which they do not show.
    if paths == Paths::Shown {
        line(&mut it.file);
        it.excerpt = excerpt(&it.excerpt);
    }
}

/// The excerpt's place keeps its text.
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
