//! The report for people at a terminal: source excerpts with carets, with all places of a finding.

use super::{
    Bump, Compat, NotJudged, NotJudgedKind, Report, ReportBody, Style, Verdict, alike,
    alike::Folded, context, statistics,
};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level as SnippetLevel, Origin, Renderer, Snippet,
    renderer::DecorStyle,
};
use diagnostics::{Finding, Level, Location, Role, lints};

pub(super) fn render(report: &Report, style: Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut out = String::new();
    let (findings, folded) = report.folded(style.verbose);
    // The statistics replace the list.
    let is_listed = !style.statistics || style.verbose;
    for it in folded.iter().filter(|_| is_listed) {
        out += &render_folded(&renderer, it);
        out += "\n\n";
    }
    if style.statistics {
        out += &statistics::table(report);
        out.push('\n');
    }
    let (later, now): (Vec<&Finding>, Vec<&Finding>) =
        findings.into_iter().partition(|it| it.later);
    for it in alike::grouped(&now, style.verbose) {
        if is_listed {
            out += &render_finding(&renderer, it.first, it.more().as_deref());
            out += "\n\n";
        }
    }
    for it in report.shown_not_judged().filter(|_| style.verbose) {
        out += &render_not_judged(&renderer, &it);
        out += "\n\n";
    }
    for module in report.modules() {
        if let Some(diff) = &module.diff {
            out += &color_diff(diff, style);
            out.push('\n');
        }
    }
    out += &footer(report, style);
    if !later.is_empty() {
        out += "\nWhat would fail next:\n\n";
        let later: Vec<String> =
            later.into_iter().map(|one| render_finding(&renderer, one, None)).collect();
        out += &later.join("\n\n");
        out.push('\n');
    }
    out
}

/// The written files and the counts; a clean run says that it is clean.
fn footer(report: &Report, style: Style) -> String {
    let mut out = String::new();
    out.extend(report.written().iter().map(|it| format!("written: {it}\n")));
    if let Some(line) = report.not_judged_line().filter(|_| !style.quiet && !style.verbose) {
        out += &format!("{line}\n");
    }
    // What a problem hides is never left out.
    if let Some(words) = report.blocked_words() {
        let more = if style.verbose { "" } else { " (list them with -v)" };
        out += &format!("not judged: {words}{more}\n");
    }
    if let Some(line) = report.ownerless_line().filter(|_| !style.quiet) {
        let more = if style.verbose { ":" } else { " (list them with -v)" };
        out += &format!("not judged: {line}{more}\n");
        let all = report.values_files.without_module.iter().filter(|_| style.verbose);
        out.extend(all.map(|it| format!("  {it}\n")));
    }
    if !style.quiet {
        out.extend(report.judged_as.remarks.iter().map(|it| format!("note: {it}\n")));
    }
    let words = report.verdict_words().unwrap_or_default();
    let by = report.judged_as.words().map(|it| format!(" ({it})")).unwrap_or_default();
    let product = report.judged_as.product();
    match &report.body {
        ReportBody::Verdict(Verdict::Accept) => {
            out += &format!("{words}: {product} would accept these inputs{by}\n");
        }
        ReportBody::Verdict(Verdict::Reject) => {
            out += &format!("{words}: {product} would reject these inputs{by}\n");
        }
        ReportBody::Verdict(Verdict::Undecided) => {
            out += &format!("{words}: only a plan can decide{by}\n");
        }
        ReportBody::Compat(compat) => out += &contracts(compat, style),
        _ if is_void(report) => (),
        // What was left out is said in any case.
        _ if style.quiet => {
            out.extend(report.left_out.lines().iter().map(|it| format!("{it}\n")));
        }
        _ => out += &(report.headline() + "\n"),
    }
    out
}

/// The state of each module's contract.
fn contracts(compat: &Compat, style: Style) -> String {
    if let Some(history) = &compat.history {
        return history.to_string();
    }
    let mut out = String::new();
    for it in &compat.modules {
        let is_quiet = style.quiet && it.bump != Bump::Major;
        if is_quiet || it.bump == Bump::None && it.changes.is_empty() && !style.verbose {
            continue;
        }
        out += &format!("{}: {}", it.path, it.bump);
        if let Some(release) = &it.major_before {
            out += &format!(", major before {release}");
        }
        let count = |bump: Bump| it.changes.iter().filter(|it| it.bump == bump).count();
        let all = [Bump::Major, Bump::CannotTell, Bump::Minor, Bump::Patch];
        let all = all.map(|it| (count(it), it)).into_iter().filter(|it| it.0 > 0);
        let all: Vec<String> = all.map(|(count, it)| format!("{count} {it}")).collect();
        if !all.is_empty() {
            out += &format!(" ({})", all.join(", "));
        }
        if let Some(next) = &it.next {
            out += &format!(", next version {next}");
        }
        if let Some(old) = &it.renamed_from {
            out += &format!(", was {old}");
        }
        out.push('\n');
    }
    if !style.quiet {
        out += &left_out(&compat.left_out);
        out += &format!("{} → {}: {}", compat.base, compat.head, compat.bump());
        if let Some(release) = compat.major_before() {
            out += &format!(", major before {release}");
        }
        out.push('\n');
    }
    out
}

/// The line about examples and tests, which were not compared.
fn left_out(dirs: &[String]) -> String {
    let Some(first) = dirs.first() else { return String::new() };
    let more = match dirs.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    format!("not compared: {first}{more}: examples and tests are compared only with --examples\n")
}

/// Whether the run failed before it checked anything.
fn is_void(report: &Report) -> bool {
    !report.failures.is_empty() && report.modules().is_empty() && report.findings.is_empty()
}

fn render_finding(renderer: &Renderer, finding: &Finding, more: Option<&str>) -> String {
    let (headline, rest) = finding.message.split_once('\n').unwrap_or((&finding.message, ""));
    let title = level(finding.level).primary_title(headline).id(finding.rule.as_str());
    let mut elements: Vec<Element<'_>> = snippets(&finding.locations);
    let rest = rest.trim();
    if !rest.is_empty() {
        elements.push(SnippetLevel::NOTE.message(rest).into());
    }
    // The places show the values files.
    let bare = Finding { later: false, values_files: Vec::new(), ..finding.clone() };
    let called = context(&bare);
    if let Some(called) = &called {
        elements.push(SnippetLevel::NOTE.message(called.as_str()).into());
    }
    if let Some(more) = more {
        elements.push(SnippetLevel::NOTE.message(more).into());
    }
    if let Some(help) = &finding.help {
        elements.push(SnippetLevel::HELP.message(help.as_str()).into());
    }
    if elements.is_empty() && !finding.module.is_empty() {
        elements.push(Origin::path(finding.module.as_str()).into());
    }
    let group = Group::with_title(title).elements(elements);
    renderer.render(&[group])
}

fn render_folded(renderer: &Renderer, it: &Folded<'_>) -> String {
    let (message, help) = (it.message(), format!("{}; list them with -v", it.advice()));
    let title = level(it.level).primary_title(message.as_str()).id(lints::MISSING_SCHEMA.id);
    let help = SnippetLevel::HELP.message(help.as_str());
    renderer.render(&[Group::with_title(title).element(help)])
}

fn render_not_judged(renderer: &Renderer, it: &NotJudged) -> String {
    if let NotJudgedKind::Rule(finding) = &it.what {
        return render_finding(renderer, finding, None);
    }
    let title = format!("not judged: {}", it.text());
    let mut elements = snippets(it.locations());
    if elements.is_empty() {
        elements.push(Origin::path(it.module.as_str()).into());
    }
    let group = Group::with_title(SnippetLevel::NOTE.primary_title(title)).elements(elements);
    renderer.render(&[group])
}

fn level(level: Level) -> SnippetLevel<'static> {
    match level {
        Level::Error => SnippetLevel::ERROR,
        Level::Warning => SnippetLevel::WARNING,
        Level::Note => SnippetLevel::NOTE,
    }
}

/// One snippet for each location; the first is the primary one.
fn snippets(locations: &[Location]) -> Vec<Element<'_>> {
    let shown = locations.iter().enumerate();
    shown.map(|(index, it)| snippet(it, index == 0)).collect()
}

fn snippet(at: &Location, primary: bool) -> Element<'_> {
    if at.excerpt.text.is_empty() {
        let origin = Origin::path(at.file.as_str());
        return origin.line(at.line as usize).char_column(at.column as usize).into();
    }
    Snippet::source(at.excerpt.text.as_str())
        .path(at.file.as_str())
        .line_start(at.excerpt.first_line as usize)
        .fold(false)
        .annotation(annotation(at, primary))
        .into()
}

fn annotation(at: &Location, primary: bool) -> Annotation<'_> {
    let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    let span = kind.span(at.excerpt.start..at.excerpt.end);
    match (at.text.as_str(), at.role, primary) {
        ("", Role::Value, false) => span.label("with this value"),
        ("", Role::Rule, false) => span.label("the rule"),
        ("", Role::Declaration, false) => span.label("declared here"),
        ("", Role::Schema, false) => span.label("in the schema"),
        ("", ..) => span,
        (text, ..) => span.label(text),
    }
}

/// Colours a diff by the sign of each line, also in a report from elsewhere.
fn color_diff(diff: &str, style: Style) -> String {
    let paint = |line: &str| match (line.as_bytes().first(), style.color) {
        (Some(b'+'), true) => format!("\x1b[32m{line}\x1b[0m\n"),
        (Some(b'-'), true) => format!("\x1b[31m{line}\x1b[0m\n"),
        (Some(b'@'), true) => format!("\x1b[36m{line}\x1b[0m\n"),
        (None | Some(b'+' | b'-' | b'@' | b' ' | b'\\'), _) => format!("{line}\n"),
        _ => format!(" {line}\n"),
    };
    diff.lines().map(paint).collect()
}
