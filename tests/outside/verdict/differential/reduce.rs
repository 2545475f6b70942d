//! A module reduced to what needs no provider: its variables, and the locals over them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use diagnostics::{FileId, Span};
use hcl::{
    Attribute, Block, Body, Expr, Item,
    analysis::{PathStep, Reference, references},
    parse_body,
};

/// Functions that read files, which the reduced module does not have.
const READERS: &[&str] = &["file", "fileset", "templatefile", "provider::"];

/// The text of the reduced module in `dir`; `None` when it has no variables.
pub fn reduce(dir: &Path) -> Option<String> {
    let mut names: Vec<_> = fs::read_dir(dir).ok()?.flatten().map(|it| it.path()).collect();
    names.retain(|it| it.extension().is_some_and(|it| it == "tf"));
    names.sort();
    let files: Vec<File> = names.iter().filter_map(|it| File::read(it)).collect();
    let known = known_names(&files);
    let mut text = String::new();
    for file in &files {
        for block in file.blocks("variable") {
            text += &file.variable(block, &known);
        }
        for local in file.locals() {
            if known.contains(&name("local", &local.name.name)) {
                text += &format!("locals {{\n  {}\n}}\n", file.text(local.span).trim_end());
            }
        }
    }
    text.contains("variable").then_some(text)
}

struct File {
    text: String,
    body: Body,
}

impl File {
    fn read(path: &Path) -> Option<File> {
        let text = fs::read_to_string(path).ok()?;
        let (body, problems) = parse_body(FileId(0), text.as_bytes());
        problems.is_empty().then_some(File { text, body })
    }

    fn text(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    fn blocks<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Block> {
        blocks(&self.body, kind)
    }

    fn locals(&self) -> impl Iterator<Item = &Attribute> {
        self.blocks("locals").flat_map(|it| &it.body.items).filter_map(|it| match it {
            Item::Attribute(it) => Some(it),
            Item::Block(_) => None,
        })
    }

    /// A `variable` block without the rules that refer to something else.
    fn variable(&self, block: &Block, known: &BTreeSet<String>) -> String {
        let whole = block.span.range();
        let (mut text, mut from) = (String::new(), whole.start);
        for rule in blocks(&block.body, "validation") {
            let attributes = rule.body.items.iter().filter_map(|it| match it {
                Item::Attribute(it) => Some(&it.value),
                Item::Block(_) => None,
            });
            if !attributes.clone().all(|it| self.is_closed(it, known)) {
                text += &self.text[from..rule.span.range().start];
                from = rule.span.range().end;
            }
        }
        text + &self.text[from..whole.end] + "\n"
    }

    fn is_closed(&self, expr: &Expr, known: &BTreeSet<String>) -> bool {
        let text = self.text(expr.span);
        let reads = READERS.iter().any(|it| {
            text.match_indices(it).any(|(at, it)| {
                it.ends_with("::")
                    || text[at + it.len()..].starts_with('(')
                    || text[at + it.len()..].starts_with("base64")
                    || text[at + it.len()..].starts_with("sha")
                    || text[at + it.len()..].starts_with("md5")
            })
        });
        !reads && references(expr).iter().all(|it| known.contains(&address(it)))
    }
}

/// `var.NAME`, `local.NAME` and so on: what may stay, locals over other locals included.
fn known_names(files: &[File]) -> BTreeSet<String> {
    let builtins = [("path", "module"), ("path", "root"), ("terraform", "workspace")];
    let mut known: BTreeSet<String> = builtins.iter().map(|(root, it)| name(root, it)).collect();
    for block in files.iter().flat_map(|it| it.blocks("variable")) {
        known.extend(block.labels.first().map(|it| name("var", &it.text)));
    }
    let locals: BTreeMap<String, (&File, &Attribute)> = files
        .iter()
        .flat_map(|file| file.locals().map(move |it| (name("local", &it.name.name), (file, it))))
        .collect();
    loop {
        let more: Vec<&String> = locals
            .iter()
            .filter(|(name, _)| !known.contains(*name))
            .filter(|(_, (file, it))| file.is_closed(&it.value, &known))
            .map(|(name, _)| name)
            .collect();
        if more.is_empty() {
            return known;
        }
        known.extend(more.into_iter().cloned());
    }
}

fn address(reference: &Reference) -> String {
    let first = match reference.steps.first() {
        Some(PathStep::Attr(it)) => it.as_str(),
        _ => "",
    };
    name(&reference.root.name, first)
}

fn name(root: &str, name: &str) -> String {
    format!("{root}.{name}")
}

pub fn blocks<'a>(body: &'a Body, kind: &'a str) -> impl Iterator<Item = &'a Block> {
    body.items.iter().filter_map(move |it| match it {
        Item::Block(block) if block.kind.name == kind => Some(block),
        _ => None,
    })
}
