//! Completion items in our own files, which have no types.

use lsp_types::{CompletionItem, CompletionItemKind, CompletionItemTextEdit, Range, TextEdit};

use super::View;
use crate::site::Site;

/// The word at a position, for which items are offered.
pub(super) struct Words<'a> {
    site: &'a Site,
    range: Range,
    /// What is on the line before the word.
    line: &'a str,
}

impl<'a> Words<'a> {
    pub fn new(view: &'a View<'_>, site: &'a Site) -> Words<'a> {
        let line = view.text()[..site.word.start].rsplit('\n').next().unwrap_or_default();
        Words { site, range: view.range(site.word.clone()), line }
    }

    /// What is on the line before the word.
    pub fn line(&self) -> &'a str {
        self.line
    }

    /// Whether an argument or a block can begin at the word.
    pub fn can_begin(&self) -> bool {
        !self.site.is_quoted && self.line.trim().is_empty()
    }

    /// An item that writes a text in place of the word.
    pub fn item(&self, label: &str, kind: CompletionItemKind, new_text: &str) -> CompletionItem {
        let edit = TextEdit { range: self.range, new_text: new_text.to_owned() };
        CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            filter_text: self.site.is_quoted.then(|| new_text.to_owned()),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..CompletionItem::default()
        }
    }

    /// Arguments that are not there yet.
    pub fn arguments<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<CompletionItem> {
        let sign = if self.site.has_value { "" } else { " = " };
        let free = names.into_iter().filter(|name| !self.site.siblings.iter().any(|it| it == name));
        free.map(|it| self.item(it, CompletionItemKind::Property, &format!("{it}{sign}"))).collect()
    }

    /// Values as they are written: quoted words are shown without quotes.
    pub fn values(&self, values: impl IntoIterator<Item = String>) -> Vec<CompletionItem> {
        let kind = CompletionItemKind::EnumMember;
        values.into_iter().map(|it| self.item(it.trim_matches('"'), kind, &it)).collect()
    }
}
