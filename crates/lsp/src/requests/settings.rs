//! What a configuration file takes: blocks, their arguments, and the rules whose levels it sets.

use lsp_types::{CompletionItem, CompletionItemKind, CompletionItemTextEdit, TextEdit};

use super::View;
use crate::site::{Link, Part, site};
use diagnostics::LINTS;

/// Blocks whose label is a rule.
const OF_RULES: [&str; 2] = ["ignore", "rule"];

/// The names that are possible at the position. `None` if they are the author's, or if the file is not a configuration.
pub(super) fn items(view: &View<'_>) -> Option<Vec<CompletionItem>> {
    if view.path.file_name().is_none_or(|it| it != config::FILE_NAME) {
        return None;
    }
    let text = view.text();
    let site = site(text, view.offset, false);
    let range = view.range(site.word.clone());
    let item = |label: &str, kind: CompletionItemKind, new_text: String| CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        filter_text: site.is_quoted.then(|| new_text.clone()),
        text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text })),
        ..CompletionItem::default()
    };
    // The header of a block is on the line of its label.
    let line = text[..site.word.start].rsplit('\n').next().unwrap_or_default();
    if OF_RULES.contains(&line.trim()) {
        let rules = LINTS
            .iter()
            .map(|it| item(it.id, CompletionItemKind::EnumMember, format!("\"{}\"", it.id)));
        return Some(rules.collect());
    }
    let block = match &site.links[..] {
        [] => None,
        [Link::Block(words)] => Some(words.first()?.as_str()),
        _ => return None,
    };
    if site.part != Part::Key || site.is_quoted || !line.trim().is_empty() {
        return None;
    }
    let (arguments, blocks) = config::supported(block);
    let free = arguments.iter().filter(|it| !site.siblings.contains(it));
    let sign = if site.has_value { "" } else { " = " };
    let mut items: Vec<CompletionItem> =
        free.map(|it| item(it, CompletionItemKind::Property, format!("{it}{sign}"))).collect();
    items.extend(blocks.iter().map(|it| item(it, CompletionItemKind::Struct, it.clone())));
    Some(items)
}
