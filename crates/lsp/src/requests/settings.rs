//! What a configuration file takes: blocks, their arguments, the values of these, and the rules whose levels it sets.

use lsp_types::{CompletionItem, CompletionItemKind};

use super::{View, words::Words};
use crate::site::{Link, Part, site};
use check_policy::read_policy;
use diagnostics::{LINTS, LintId};
use system::paths;

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
        let ids = LINTS.iter().map(|it| it.id.to_owned()).chain(rules_of_policies(view));
        return Some(words.values(ids.map(|it| format!("\"{it}\""))));
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

/// The rules of the policies that this configuration, and those above it, name.
fn rules_of_policies(view: &View<'_>) -> Vec<String> {
    let configurations = &view.modules.configurations;
    let dir = view.path.parent().unwrap_or(view.path);
    _ = configurations.settings(&paths::relative(view.modules.root, dir));
    let policies = configurations.named_policies();
    let policies = policies.iter().filter_map(|it| read_policy(configurations, it).ok());
    let ids = policies.flat_map(|it| it.rules).map(|it| LintId::of_policy(&it.id));
    ids.map(|it| it.as_str().to_owned()).collect()
}
