//! What a configuration file takes: blocks, their arguments, the values of these, and the rules whose levels it sets.

use lsp_types::{CompletionItem, CompletionItemKind};

use super::{View, words::Words};
use crate::site::{Link, Part, site};
use diagnostics::LINTS;

/// Blocks whose label is a rule.
const OF_RULES: [&str; 2] = ["ignore", "rule"];

/// The names that are possible at the position. `None` if they are the author's, or if the file is not a configuration.
pub(super) fn items(view: &View<'_>) -> Option<Vec<CompletionItem>> {
    if view.path.file_name().is_none_or(|it| it != config::FILE_NAME) {
        return None;
    }
    let site = site(view.text(), view.offset, false);
    let words = Words::new(view, &site);
    if OF_RULES.contains(&words.line().trim()) {
        let ids = LINTS.iter().map(|it| format!("\"{}\"", it.id));
        return Some(words.values(ids));
    }
    let (block, inner) = match &site.links[..] {
        [Link::Block(words), inner @ ..] => (Some(words.first()?.as_str()), inner),
        inner => (None, inner),
    };
    let supported = config::supported(block);
    match (site.part, inner) {
        (Part::Key, []) if words.can_begin() => {
            let free = supported.arguments.iter().map(|it| it.name);
            let mut items = words.arguments(free);
            let blocks = supported.blocks.iter();
            items.extend(blocks.map(|it| words.item(it, CompletionItemKind::Struct, it)));
            Some(items)
        }
        (Part::Value, [Link::Key(name), inner @ ..]) => {
            let argument = supported.arguments.iter().find(|it| it.name == name)?;
            let is_here =
                matches!((inner, argument.is_list), ([], false) | ([Link::Index(_)], true));
            is_here.then(|| words.values(argument.values()))
        }
        _ => None,
    }
}
