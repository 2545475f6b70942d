//! Values files that belong to no module: counted in general, and an error where the command line names
//! one.

use std::io;

use super::{CheckRequest, FileRole};
use diagnostics::{Diagnostic, Finding, Role, Sources, Span, lints};
use report::ValuesFiles;
use system::{System, paths};

/// The findings about the files that the command line names.
pub(super) fn named(
    request: &CheckRequest,
    files: &ValuesFiles,
    system: &dyn System,
) -> io::Result<Vec<Finding>> {
    let current = system.current_dir()?;
    let is_values = |name: &str| FileRole::of(name) == FileRole::Values;
    let mut found = Vec::new();
    for target in &request.targets {
        let file = paths::relative(&current, &paths::clean(&current.join(target)));
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let shown = paths::display(&file);
        if is_values(name) && files.without_module.contains(&shown) {
            found.push(finding(shown));
        }
    }
    Ok(found)
}

fn finding(file: String) -> Finding {
    let summary = format!("{file} belongs to no module, so it was not judged");
    let detail = "Neither its directory nor any above it declares variables.";
    let help = "add it to the `files` of an `input` block with a `module`, in .terraschema.hcl";
    let mut sources = Sources::default();
    let place = Span::new(sources.add(file, Vec::new()), 0, 0);
    let diagnostic = Diagnostic::new(&lints::ORPHAN_INPUT, summary).detail(detail).help(help);
    Finding::new(&diagnostic.at(Role::Value, place), "", &sources)
}
