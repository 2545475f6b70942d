//! Every format renders the one shared sample as `tests/spec/report/<format>.txt` says; `UPDATE=1` rewrites that.

use std::fs;

use libtest_mimic::{Failed, Trial};
use report::{Format, Style, TOOL_VERSION, render};
use testkit::report::sample;

use crate::pages;

pub fn trials() -> Vec<Trial> {
    let with_pages = Style { page: Some(terraschema::rule_page), ..Style::default() };
    let formats = Format::ALL.into_iter().map(|(name, it)| (name, it, with_pages));
    let colored = ("human-color", Format::Human, Style { color: true, ..Style::default() });
    let verbose = ("human-verbose", Format::Human, Style { verbose: true, ..Style::default() });
    let trial = |(name, format, style): (&str, Format, Style)| {
        let file = format!("report/{name}.txt");
        Trial::test(file.clone(), move || compare(&file, &render(&sample(), format, style)))
    };
    formats.chain([colored, verbose]).map(trial).collect()
}

fn compare(file: &str, text: &str) -> Result<(), Failed> {
    // The version changes with each release; the sample has the text around it.
    let version = format!("\"{TOOL_VERSION}\"");
    if pages::is_update() {
        fs::write(pages::path(file), text.replace(&version, "\"VERSION\"")).unwrap();
    }
    let expected = fs::read_to_string(pages::path(file)).unwrap_or_default().replace("\r\n", "\n");
    let expected = expected.replace("\"VERSION\"", &version);
    pages::difference(&expected, text).map_or(Ok(()), |it| Err(it.into()))
}
