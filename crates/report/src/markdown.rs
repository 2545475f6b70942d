//! Markdown for a job summary. All foreign text is in code, where GitHub links no name, number or
//! address, and shows no HTML and no picture.

use std::fmt::Write;

use super::{RULES_URL, Report, Status, Style, alike::Folded, concise::one_line, context, counted};
use diagnostics::{Finding, Level};

/// GitHub accepts 1 MiB for a step; the rest is left out with a remark.
const MAX_BYTES: usize = 1_000_000;
/// The limit for parts that were not judged; the log has the others.
const MAX_NOT_JUDGED: usize = 100;

pub(super) fn render(report: &Report, style: Style) -> String {
    let verdict = report.verdict_words().map(|it| format!("{it}; ")).unwrap_or_default();
    let mut out = format!("## terraschema: {verdict}{}\n\n", report.headline());
    for it in &report.judged_as.remarks {
        _ = writeln!(out, "{}\n", code(it));
    }
    for why in &report.failures {
        _ = writeln!(out, "- **failed:** {}", code(why));
    }
    if !report.failures.is_empty() {
        out.push('\n');
    }
    let (findings, folded) = report.folded(style.verbose);
    for level in [Level::Error, Level::Warning, Level::Note] {
        let found = findings.iter().copied().filter(|it| it.level == level);
        let folded = folded.iter().filter(|it| it.level == level);
        let rows: Vec<String> = folded.map(folded_row).chain(found.map(row)).collect();
        if !rows.is_empty() {
            table(&mut out, level, &rows);
        }
    }
    if let Some(words) = report.blocked_words() {
        _ = writeln!(out, "**not judged:** {}\n", code(&words));
    }
    not_judged(&mut out, report);
    if let Some(line) = report.ownerless_line() {
        let files: Vec<&String> = report.values_files.without_module.iter().collect();
        let block = details_of_files(&line, &files);
        out += if out.len() + block.len() > MAX_BYTES { &line } else { &block };
    }
    for module in report.modules() {
        let Some(diff) = &module.diff else { continue };
        let summary = match module.status {
            Status::Written => "was rewritten",
            _ => "is stale",
        };
        let block = details(&module.schema, summary, diff);
        if out.len() + block.len() > MAX_BYTES {
            out += "More differences are in the log.\n";
            break;
        }
        out += &block;
    }
    out
}

/// A folded section, since nobody has to act on it.
fn not_judged(out: &mut String, report: &Report) {
    let (count, blocked) = (report.not_judged_count(), report.blocked_by_problem().len());
    let blocked =
        (blocked > 0).then(|| format!("parts, because of {}", counted(blocked, "problem")));
    let all: Vec<String> = count.into_iter().chain(blocked).collect();
    if all.is_empty() {
        return;
    }
    _ = writeln!(out, "<details><summary>not judged: {}</summary>\n", all.join("; "));
    for (n, it) in report.shown_not_judged().enumerate() {
        let at = it.locations().first();
        let place = at.map_or(it.module.clone(), |at| format!("{}:{}", at.file, at.line));
        let line = format!("- {}: {}\n", code(&place), code(&it.text()));
        if n == MAX_NOT_JUDGED || out.len() + line.len() > MAX_BYTES {
            *out += "- and more; see the log\n";
            break;
        }
        *out += &line;
    }
    *out += "\n</details>\n\n";
}

/// The files, folded.
fn details_of_files(line: &str, files: &[&String]) -> String {
    let mut out = format!("<details><summary>not judged: {line}</summary>\n\n");
    for it in files.iter().take(MAX_NOT_JUDGED) {
        _ = writeln!(out, "- {}", code(it));
    }
    if files.len() > MAX_NOT_JUDGED {
        out += "- and more; see the log\n";
    }
    out + "\n</details>\n\n"
}

fn table(out: &mut String, level: Level, rows: &[String]) {
    _ = writeln!(out, "| {} | where | what |\n|---|---|---|", level.as_str());
    for (n, row) in rows.iter().enumerate() {
        if out.len() + row.len() > MAX_BYTES {
            _ = writeln!(out, "| | | and {} more |", rows.len() - n);
            break;
        }
        *out += row;
    }
    out.push('\n');
}

/// The row for missing schemas that are reported together; it has no place.
fn folded_row(it: &Folded<'_>) -> String {
    let message = format!("{}; {}", it.message(), it.advice());
    format!("| [missing-schema]({RULES_URL}missing-schema.md) | | {} |\n", cell(&message))
}

fn row(it: &Finding) -> String {
    let place = it.locations.first().map(|at| format!("{}:{}", at.file, at.line));
    let place = place.unwrap_or_else(|| it.module.clone());
    let called = context(it).map(|it| format!(" ({it})")).unwrap_or_default();
    let (rule, message) = (&it.rule, it.message.clone() + &called);
    format!("| [{rule}]({RULES_URL}{rule}.md) | {} | {} |\n", cell(&place), cell(&message))
}

/// Text in HTML, where Markdown has no effect.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Code in a table cell, where a backslash escapes only a bar.
fn cell(text: &str) -> String {
    code(&text.replace('|', "\\|"))
}

/// A line of code without any Markdown inside: its fence is longer than every run of backticks in it.
fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return text;
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let gap = if text.contains('`') { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// A folded diff; the fence is longer than any run of backticks in it.
fn details(schema: &str, summary: &str, diff: &str) -> String {
    let fence = "`".repeat(longest_run(diff).max(2) + 1);
    format!(
        "<details><summary><code>{}</code> {summary}</summary>\n\n{fence}diff\n{diff}\n{fence}\n\n</details>\n\n",
        html(&one_line(schema))
    )
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|it| it != '`').map(str::len).max().unwrap_or(0)
}
