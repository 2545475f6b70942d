//! The `docs` block: where the documentation of modules is kept, and what it has.

use std::path::Path;

use super::{DocsChoices, FILE_NAME, fields::Fields, read::inner_path};
use hcl::Block;
use module_docs::{Order, Section, is_text_of_module};

/// The longest marker, in bytes.
const LONGEST_MARKER: usize = 200;

pub(super) fn read(block: &Block, outer: &mut Fields<'_>) -> DocsChoices {
    outer.no_label(block);
    let mut fields = outer.of_block(block);
    let choices = DocsChoices {
        file: file(&mut fields),
        begin: marker("begin", &mut fields),
        end: marker("end", &mut fields),
        sections: sections(&mut fields),
        heading_level: heading_level(&mut fields),
        lists: fields.one_of("style", &["table", "list"]).map(|it| it == "list"),
        header_from: text_of_module("header_from", &mut fields),
        footer_from: text_of_module("footer_from", &mut fields),
        order: order(&mut fields),
    };
    if choices.begin.is_some() && choices.begin == choices.end {
        fields.refuse("end", "another line than that of `begin` is expected");
    }
    outer.take(fields);
    choices
}

/// The name of a Markdown file: `check --fix` must not be able to write a script.
fn file(fields: &mut Fields<'_>) -> Option<String> {
    let text = inner_path("file", "the module", fields)?;
    let is_markdown = Path::new(&text).extension().is_some_and(|it| it == "md" || it == "markdown");
    if !is_markdown || text == FILE_NAME {
        fields.refuse("file", "a name that ends in .md is expected");
        return None;
    }
    Some(text)
}

/// A file whose text becomes a section.
fn text_of_module(name: &'static str, fields: &mut Fields<'_>) -> Option<String> {
    let text = inner_path(name, "the module", fields)?;
    if !is_text_of_module(&text) {
        fields.refuse(name, "a name that ends in .tf, .tofu, .md, .markdown or .txt is expected");
        return None;
    }
    Some(text)
}

fn order(fields: &mut Fields<'_>) -> Option<Order> {
    let name = fields.one_of("sort", &["name", "required", "type", "none"])?;
    Some(Order::from_name(&name).unwrap_or(Order::Declared))
}

/// A line that is invisible in Markdown.
fn marker(name: &'static str, fields: &mut Fields<'_>) -> Option<String> {
    let text = fields.string(name)?;
    let is_comment = text.starts_with("<!--") && text.ends_with("-->") && text.len() >= 7;
    if !is_comment || text.contains(['\n', '\r']) || text.len() > LONGEST_MARKER {
        fields.refuse(name, "a comment in one line is expected, such as <!-- BEGIN_TF_DOCS -->");
        return None;
    }
    Some(text)
}

fn sections(fields: &mut Fields<'_>) -> Option<Vec<Section>> {
    fields.lists("sections", &Section::ALL.map(Section::as_str));
    let names = fields.strings("sections")?;
    let found: Vec<Option<Section>> = names.iter().map(|it| Section::from_name(it)).collect();
    if found.iter().any(Option::is_none) || found.is_empty() {
        let all = Section::ALL.map(Section::as_str).join(", ");
        fields.refuse("sections", &format!("a list of {all} is expected"));
        return None;
    }
    found.into_iter().collect()
}

fn heading_level(fields: &mut Fields<'_>) -> Option<u8> {
    let level = fields.string("heading_level")?.parse().ok().filter(|it| (1..=5).contains(it));
    if level.is_none() {
        fields.refuse("heading_level", "a whole number from 1 to 5 is expected");
    }
    level
}
