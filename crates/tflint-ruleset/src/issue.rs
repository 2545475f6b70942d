//! A finding of the library as an issue of tflint.

use std::{collections::HashMap, path::Path};

use super::{
    host_files::HostFiles,
    ruleset::Rule,
    wire::{self, EmitIssue, Position, Range, Severity},
};
use diagnostics::{Finding, Inert, Level, Location, SourceFile, visible};
use report::RULES_URL;
use system::System;

/// Turns findings into issues. Texts are kept, for the byte offsets of many places in one file.
pub(super) struct Issues<'a> {
    files: &'a HostFiles,
    texts: HashMap<String, SourceFile>,
}

impl<'a> Issues<'a> {
    pub fn new(files: &'a HostFiles) -> Self {
        Issues { files, texts: HashMap::new() }
    }

    /// The issue of `rule` that reports a finding.
    pub fn issue(&mut self, rule: &Rule, finding: &Finding) -> EmitIssue {
        let severity = match finding.level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Note => Severity::Notice,
        };
        let about = wire::Rule {
            name: rule.name.to_owned(),
            enabled: true,
            severity: severity.into(),
            link: format!("{RULES_URL}{}.md", finding.rule),
        };
        let range = finding.locations.first().map(|it| self.range(it));
        let range = range.unwrap_or_else(|| self.somewhere());
        let mut message = finding.message.clone();
        if !finding.address.is_empty() {
            message += &format!(" (in {}{})", finding.address, self.elsewhere(finding));
        }
        if !finding.values_files.is_empty() {
            message += &format!(" (with the values of {})", finding.values_files.join(", "));
        }
        if let Some(help) = &finding.help {
            message += &format!(" ({help})");
        }
        let message = Inert::TEXT.write(visible(&message).into_owned());
        EmitIssue { rule: Some(about), message, range: Some(range), fixable: false }
    }

    /// The place of a finding in a called module's files, which no range can show.
    fn elsewhere(&self, finding: &Finding) -> String {
        let is_own = |it: &&Location| self.files.has(&it.file);
        let place = finding.locations.iter().skip(1).find(|it| !is_own(it));
        place.map_or_else(String::new, |it| format!(", {}:{}:{}", it.file, it.line, it.column))
    }

    fn range(&mut self, place: &Location) -> Range {
        let files = self.files;
        let text = self.texts.entry(place.file.clone()).or_insert_with(|| {
            SourceFile::new(&place.file, files.read(Path::new(&place.file)).unwrap_or_default())
        });
        Range {
            filename: files.name(&place.file).to_owned(),
            start: Some(position(text, place.line, place.column)),
            end: Some(position(text, place.end_line, place.end_column)),
        }
    }

    /// The beginning of the module, for what has no place.
    fn somewhere(&self) -> Range {
        let start = Some(Position { line: 1, column: 1, byte: 0 });
        Range { filename: self.files.first().unwrap_or_default().to_owned(), start, end: start }
    }
}

fn position(text: &SourceFile, line: u32, column: u32) -> Position {
    let byte = text.offset(diagnostics::Position { line, column });
    Position { line: line.into(), column: column.into(), byte: byte.into() }
}
