//! `*.rules.hcl`: blocks, settings and validators of the policy language, with the types and the arguments that the
//! modules of the repository use.

use std::{collections::BTreeSet, path::PathBuf};

use lsp_types::{CompletionItem, CompletionItemKind};
use policy::language::{BlockKind, LabelPattern, SUFFIX, vocabulary};

use super::{
    View,
    expression::{self, Chain},
    words::Words,
};
use crate::{
    server::MACHINE,
    site::{Link, Part, Site, site},
    snapshot,
};
use diagnostics::FileId;
use hcl::{Block, Body, Item, parse_body};

/// The most files of modules that are read for names.
const MOST_FILES: usize = 300;
/// The most bytes of them.
const MOST_BYTES: usize = 4 << 20;

/// The items at the position. `None` if the file is not one of rules, or if nothing is known there.
pub(super) fn items(view: &View<'_>, can_snippets: bool) -> Option<Vec<CompletionItem>> {
    let name = view.path.file_name()?.to_str()?;
    if !name.ends_with(SUFFIX) {
        return None;
    }
    let site = site(view.text(), view.offset, false);
    let is_block = |it: &&Link| matches!(it, Link::Block(_));
    let (blocks, inner) = site.links.split_at(site.links.iter().take_while(is_block).count());
    let blocks = blocks.iter().map(|it| match it {
        Link::Block(words) => words.clone(),
        _ => Vec::new(),
    });
    let place = RulesPlace { view, site: &site, blocks: blocks.collect(), inner, can_snippets };
    match (site.part, inner) {
        (Part::Key, _) if site.call.is_some() => place.options(),
        (Part::Key, []) => place.label().or_else(|| place.content()),
        (Part::Key, [Link::Key(argument), ..]) => {
            let names = vocabulary::names_in(place.block(), argument);
            Some(place.words().arguments(names.iter().copied()))
        }
        (Part::Value, _) => place.value(),
        _ => None,
    }
}

/// A position in a file of rules.
struct RulesPlace<'a> {
    view: &'a View<'a>,
    site: &'a Site,
    /// The types and labels of the blocks around it.
    blocks: Vec<Vec<String>>,
    /// The steps inside of the innermost block.
    inner: &'a [Link],
    can_snippets: bool,
}

impl RulesPlace<'_> {
    fn words(&self) -> Words<'_> {
        Words::new(self.view, self.site)
    }

    /// The type of the innermost block.
    fn block(&self) -> &str {
        self.blocks.last().and_then(|it| it.first()).map(String::as_str).unwrap_or_default()
    }

    /// The options of the validator that is called.
    fn options(&self) -> Option<Vec<CompletionItem>> {
        let options = vocabulary::options_of(self.site.call.as_deref()?);
        (!options.is_empty()).then(|| self.words().arguments(options))
    }

    /// What a block can contain.
    fn content(&self) -> Option<Vec<CompletionItem>> {
        let words = self.words();
        if !words.can_begin() {
            return None;
        }
        let contents = vocabulary::contents(&self.blocks);
        let mut arguments: BTreeSet<String> =
            contents.arguments.iter().map(|it| (*it).to_owned()).collect();
        let mut blocks: BTreeSet<String> =
            contents.blocks.iter().map(|it| (*it).to_owned()).collect();
        if let Some(kind) = contents.like {
            self.used(kind, &mut arguments, &mut blocks);
        }
        let mut items = words.arguments(arguments.iter().map(String::as_str));
        let kind = CompletionItemKind::Struct;
        items.extend(blocks.iter().map(|it| words.item(it, kind, it)));
        Some(items)
    }

    /// The arguments and the blocks that modules use in the blocks that this one is like.
    fn used(
        &self,
        kind: BlockKind,
        arguments: &mut BTreeSet<String>,
        blocks: &mut BTreeSet<String>,
    ) {
        let is_filter = |words: &&Vec<String>| words.first().is_some_and(|it| it == "where");
        let is_outer =
            |words: &&Vec<String>| words.first().is_some_and(|it| it == "rule" || it == "any_of");
        let mut like = self.blocks.iter().filter(|it| !is_outer(it) && !is_filter(it));
        let Some(label) = like.next().and_then(|it| it.last()) else { return };
        let labels: Vec<LabelPattern> =
            label.split(',').map(|it| LabelPattern(it.trim().into())).collect();
        let path: Vec<&str> = like.filter_map(|it| it.last()).map(String::as_str).collect();
        let is_like =
            |it: &str| kind == BlockKind::Terraform || labels.iter().any(|label| label.matches(it));
        for (_, _, body) in
            written(self.view).iter().filter(|(found, name, _)| *found == kind && is_like(name))
        {
            for inner in nested(body, &path) {
                for item in &inner.items {
                    match item {
                        Item::Attribute(it) => arguments.insert(it.name.name.to_string()),
                        Item::Block(it) => blocks.insert(it.kind.name.to_string()),
                    };
                }
            }
        }
        // A nested block is written as in a module, so a dynamic one has no place in a rule.
        blocks.remove("dynamic");
    }

    /// The types or the names that a block can be about, if its label is at the position.
    fn label(&self) -> Option<Vec<CompletionItem>> {
        if !["rule", "any_of"].contains(&self.block()) {
            return None;
        }
        let words = self.words();
        let mut header: Vec<String> = words.line().split_whitespace().map(str::to_owned).collect();
        let is_header = header.iter().all(|it| hcl::is_identifier(it)) && !header.is_empty();
        header.push(String::new());
        let kind = vocabulary::kind(&header).filter(|_| is_header)?;
        let labels: BTreeSet<String> = written(self.view)
            .into_iter()
            .filter(|it| it.0 == kind && !it.1.is_empty())
            .map(|it| it.1)
            .collect();
        Some(words.values(labels.iter().map(|it| format!("\"{it}\""))))
    }

    /// The words of a setting, or what an expression or a validator can begin with.
    fn value(&self) -> Option<Vec<CompletionItem>> {
        let names: Vec<&str> = self
            .inner
            .iter()
            .filter_map(|it| match it {
                Link::Key(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let listed = vocabulary::words_of(self.block(), &names);
        if !listed.is_empty() {
            return Some(self.words().values(listed.iter().map(|it| format!("\"{it}\""))));
        }
        let text = self.view.text();
        let is_in_test =
            self.blocks.first().and_then(|it| it.first()).is_none_or(|it| it == "test");
        if is_in_test || !hcl::is_code(text.as_bytes(), self.view.offset) {
            return None;
        }
        let chain = Chain::at(self.view);
        let (body, _) = parse_body(FileId(0), text.as_bytes());
        let names: BTreeSet<String> = match chain.owners[..] {
            [] => vocabulary::roots().iter().map(|it| (*it).to_owned()).collect(),
            ["context"] => blocks_of(&body, "context")
                .filter_map(|it| Some(it.labels.first()?.text.to_string()))
                .collect(),
            ["local"] => blocks_of(&body, "locals")
                .flat_map(|it| &it.body.items)
                .filter_map(|it| match it {
                    Item::Attribute(it) => Some(it.name.name.to_string()),
                    Item::Block(_) => None,
                })
                .collect(),
            _ => return None,
        };
        let mut items: Vec<CompletionItem> =
            names.iter().map(|it| chain.item(it, CompletionItemKind::Variable)).collect();
        if chain.owners.is_empty() {
            let is_validated = vocabulary::contents(&self.blocks).like.is_some()
                || self.block() == "locals"
                || self.site.call.is_some();
            let validators = vocabulary::validators().iter().filter(|_| is_validated);
            items.extend(validators.map(|it| chain.item(it, CompletionItemKind::Keyword)));
            items.extend(expression::functions(&chain, self.can_snippets));
        }
        Some(items)
    }
}

/// The blocks of a type in a file.
fn blocks_of<'b>(body: &'b Body, kind: &str) -> impl Iterator<Item = &'b Block> {
    let blocks = body.items.iter().filter_map(|it| match it {
        Item::Block(it) => Some(it),
        Item::Attribute(_) => None,
    });
    blocks.filter(move |it| it.kind.name == kind)
}

/// The bodies that a path of types of blocks leads to.
fn nested<'b>(body: &'b Body, path: &[&str]) -> Vec<&'b Body> {
    let mut found = vec![body];
    for name in path {
        found = found.iter().flat_map(|it| blocks_of(it, name)).map(|it| &it.body).collect();
    }
    found
}

/// The blocks in the modules of the repository, each with its kind, and its type or name.
fn written(view: &View<'_>) -> Vec<(BlockKind, String, Body)> {
    let mut found = Vec::new();
    let mut left = MOST_BYTES;
    let files = snapshot::all_files(&MACHINE, &view.document.root);
    let is_source = |file: &&PathBuf| file.extension().is_some_and(|it| it == "tf" || it == "tofu");
    for file in files.iter().filter(is_source).take(MOST_FILES) {
        let Ok(bytes) = view.system.read(file) else { continue };
        let Some(rest) = left.checked_sub(bytes.len()) else { break };
        left = rest;
        let (body, _) = parse_body(FileId(0), &bytes);
        for item in body.items {
            let Item::Block(block) = item else { continue };
            let kind = BlockKind::ALL.iter().find(|it| it.0 == block.kind.name);
            let label = block.labels.first().map(|it| it.text.to_string());
            found.extend(kind.map(|it| (it.1, label.unwrap_or_default(), block.body)));
        }
    }
    found
}
