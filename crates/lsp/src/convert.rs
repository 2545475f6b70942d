//! Findings as diagnostics of the protocol.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DiagnosticTag, Location as Target, Message, Range, Uri,
};

use super::{
    settings::Settings,
    snapshot::Snapshot,
    text::{Encoding, Text},
    uri,
};
use check::FileRole;
use diagnostics::{Finding, Level, Location, Position, Role, SourceFile, lints};
use module::inputs::{is_auto_file, is_json_file};
use report::RULES_URL;
use system::{System, paths};

/// The files that findings name, read once.
pub(crate) struct Files<'a> {
    system: &'a dyn System,
    /// The directory that shown paths begin in.
    root: &'a Path,
    pub encoding: Encoding,
    known: HashMap<PathBuf, Arc<(SourceFile, Text)>>,
}

impl<'a> Files<'a> {
    pub fn new(system: &'a dyn System, root: &'a Path, encoding: Encoding) -> Files<'a> {
        Files { system, root, encoding, known: HashMap::new() }
    }

    /// The absolute path of a path as shown.
    pub fn path(&self, shown: &str) -> PathBuf {
        paths::clean(&self.root.join(shown))
    }

    /// A file by its absolute path; an empty one if it cannot be read.
    pub fn file(&mut self, path: &Path) -> Arc<(SourceFile, Text)> {
        if let Some(it) = self.known.get(path) {
            return Arc::clone(it);
        }
        let bytes = self.system.read(path).unwrap_or_default();
        let text = Text::new(String::from_utf8_lossy(&bytes).into_owned());
        let file = Arc::new((SourceFile::new(String::new(), bytes), text));
        self.known.insert(path.to_owned(), Arc::clone(&file));
        file
    }

    /// The place of a finding: its file and range.
    fn place(&mut self, location: &Location) -> (PathBuf, Range) {
        let path = self.path(&location.file);
        let file = self.file(&path);
        let (source, text) = &*file;
        let offset = |line: u32, column: u32| source.offset(Position { line, column }) as usize;
        let start = offset(location.line, location.column);
        let end = offset(location.end_line, location.end_column).max(start);
        (path, text.range(start..end, self.encoding))
    }
}

/// The diagnostic of a finding, and the file that it is in; `None` for a finding without a place.
pub(crate) fn diagnostic(
    finding: &Finding,
    files: &mut Files<'_>,
) -> Option<(PathBuf, Diagnostic)> {
    let (first, others) = finding.locations.split_first()?;
    let (path, range) = files.place(first);
    let related = others.iter().map(|it| {
        let (path, range) = files.place(it);
        let message = if it.text.is_empty() { role(it.role).to_owned() } else { it.text.clone() };
        DiagnosticRelatedInformation { location: Target { uri: uri::of(&path), range }, message }
    });
    let related: Vec<_> = related.collect();
    let href = finding.rule.declared().map(|it| Uri(format!("{RULES_URL}{}.md", it.id)));
    let mut message = finding.message.clone();
    if !first.text.is_empty() {
        message.push_str(&format!("\n{}", first.text));
    }
    if let Some(help) = &finding.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let diagnostic = Diagnostic {
        range,
        severity: Some(match finding.level {
            Level::Error => DiagnosticSeverity::Error,
            Level::Warning => DiagnosticSeverity::Warning,
            Level::Note => DiagnosticSeverity::Information,
        }),
        code: Some(Code::String(finding.rule.as_str().to_owned())),
        code_description: href.map(|href| CodeDescription { href }),
        source: Some("terraschema".to_owned()),
        message: Message::String(message),
        tags: tag(finding).map(|it| vec![it]),
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    };
    Some((path, diagnostic))
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Value => "the value",
        Role::Rule => "the rule",
        Role::Schema => "the schema",
        Role::Declaration => "declared here",
    }
}

/// What Terraform drops is shown as superfluous, and what an author advises against as deprecated.
fn tag(finding: &Finding) -> Option<DiagnosticTag> {
    let dropped = [&lints::UNKNOWN_ATTRIBUTE, &lints::UNDECLARED_VARIABLE];
    if finding.rule.is_one_of(&dropped) {
        return Some(DiagnosticTag::Unnecessary);
    }
    let deprecated = [&lints::DEPRECATED_OUTPUT, &lints::DEPRECATED_VARIABLE];
    finding.rule.is_one_of(&deprecated).then_some(DiagnosticTag::Deprecated)
}

/// Whether a client wants to see a finding.
pub(crate) fn is_shown(finding: &Finding, settings: &Settings) -> bool {
    let Some(first) = finding.locations.first() else { return false };
    if !settings.is_next_to_terraform_ls {
        return true;
    }
    let name = first.file.rsplit('/').next().unwrap_or_default();
    let is_automatic = is_auto_file(name) && !is_json_file(name);
    let of_names = [&lints::UNDECLARED_VARIABLE, &lints::INVALID_INPUT_SYNTAX];
    match FileRole::of(name) {
        // It reports syntax and names in the files that Terraform loads by itself.
        FileRole::Values => !is_automatic || !finding.rule.is_one_of(&of_names),
        FileRole::Source if is_json_file(name) => true,
        FileRole::Source => {
            let of_modules =
                [&lints::INVALID_SYNTAX, &lints::MISSING_ARGUMENT, &lints::UNSUPPORTED_ARGUMENT];
            !finding.rule.is_one_of(&of_modules)
        }
        FileRole::Other => true,
    }
}

/// The URI of a file: the client's own if it is open.
pub(crate) fn file_uri(path: &Path, snapshot: &Snapshot) -> Uri {
    snapshot.documents.get(path).map_or_else(|| uri::of(path), |it| it.uri.clone())
}
