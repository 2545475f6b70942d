//! What authors wrote next to their declarations: a header, comments above blocks, types, locked versions.

use std::{collections::BTreeMap, path::Path};

use smol_str::SmolStr;

use super::{DocsSettings, cells::source, part::open_fence};
use diagnostics::{FileId, Span, visible};
use hcl::{ExprKind, Item, parse_body};
use module::{Module, Variable};
use projection::schema::comment_text;
use system::{System, paths};
use tf_value::typeexpr::type_source;

/// The word with which a comment keeps what is below it out of the documentation.
const IGNORE: &str = "terraform-docs-ignore";

/// Whether a file may give a header or a footer: Terraform's or a text, in the module's directory or below it.
pub fn is_text_of_module(file: &str) -> bool {
    let path = Path::new(file);
    let is_known = path
        .extension()
        .and_then(|it| it.to_str())
        .is_some_and(|it| matches!(it, "tf" | "tofu" | "md" | "markdown" | "txt"));
    is_known && !file.contains("..") && !path.has_root() && !file.contains([':', '\\'])
}

/// The text of a file as a section: the first comment of a Terraform file, or all of a text. `None` if there is none.
pub fn section(
    module: &Module,
    file: &str,
    system: &dyn System,
    settings: &DocsSettings,
) -> Option<String> {
    if !is_text_of_module(file) {
        return None;
    }
    let bytes = system.read(&paths::clean(&module.dir.join(file))).ok()?;
    let text = String::from_utf8(bytes).ok()?.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_start_matches('\u{feff}');
    let is_terraform = Path::new(file).extension().is_some_and(|it| it == "tf" || it == "tofu");
    let text = if is_terraform { first_comment(text)? } else { text.to_owned() };
    let text = visible(text.trim_matches('\n').trim_end()).into_owned();
    (!text.trim().is_empty()).then(|| enclosed(&text, settings))
}

/// The block comment that a file begins with, without the stars at the beginnings of its lines.
fn first_comment(text: &str) -> Option<String> {
    let inner = text.trim_start().strip_prefix("/*")?;
    let inner = &inner[..inner.find("*/")?];
    let lines = inner.split('\n').map(|line| {
        let line = line.trim_end();
        let bare = line.trim_start();
        match bare.strip_prefix('*') {
            Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
            None => line,
        }
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// A text that stays in its section: no line of it is a marker, and fenced code in it ends.
fn enclosed(text: &str, settings: &DocsSettings) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for line in text.split('\n') {
        let is_marker =
            [&settings.begin, &settings.end].into_iter().any(|it| line.contains(it.as_str()));
        out += &if is_marker { line.replace("<!--", "&lt;!--") } else { line.to_owned() };
        out.push('\n');
    }
    if let Some(fence) = open_fence(&out) {
        out += &fence;
        out.push('\n');
    }
    out
}

/// The lines of comments directly above a block of a native file, with their signs.
fn lines_above(module: &Module, block: Span) -> Vec<String> {
    let file = module.sources.file(block.file);
    if Path::new(&file.path).extension().is_some_and(|it| it == "json") {
        return Vec::new();
    }
    let before = file.bytes.get(..block.start as usize).unwrap_or_default();
    let before = String::from_utf8_lossy(before);
    let Some((above, "")) = before.rsplit_once('\n') else { return Vec::new() };
    let is_comment = |it: &&str| it.starts_with('#') || it.starts_with("//");
    let mut lines: Vec<String> =
        above.rsplit('\n').map(str::trim_end).take_while(is_comment).map(str::to_owned).collect();
    lines.reverse();
    lines
}

/// The comment above a block, as its description.
pub fn description(module: &Module, block: Span) -> Option<String> {
    let lines = lines_above(module, block);
    comment_text(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Whether the comment above a block keeps it out of the documentation.
pub fn is_ignored(module: &Module, block: Span) -> bool {
    lines_above(module, block).iter().any(|it| it.contains(IGNORE))
}

/// The type of a variable as it is written. Defaults inside of the type of a hidden variable are secrets, too, and
/// `is_shown` says whether others may be in it.
pub fn type_cell(module: &Module, variable: &Variable, is_shown: &dyn Fn(&str) -> bool) -> String {
    let constraint = &variable.constraint;
    if variable.is_hidden() {
        return source(&type_source(&constraint.ty));
    }
    let Some(span) = variable.type_span else { return source("any") };
    let path = Path::new(&module.sources.file(span.file).path);
    let text = module.sources.snippet(span);
    if path.extension().is_some_and(|it| it == "json") || !is_shown(&text) {
        return source(&constraint.to_string());
    }
    source(&dedented(&text))
}

/// The text without the indent of its last line, which closes what the first one opens.
fn dedented(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let last = text.rsplit('\n').next().unwrap_or_default();
    let indent = last.len() - last.trim_start().len();
    let lines = text.split('\n').map(|it| {
        let blanks = it.len() - it.trim_start().len();
        &it[blanks.min(indent)..]
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The versions in `.terraform.lock.hcl`, by the providers' addresses.
pub fn locked(module: &Module, system: &dyn System) -> BTreeMap<SmolStr, String> {
    let Ok(bytes) = system.read(&paths::clean(&module.dir.join(".terraform.lock.hcl"))) else {
        return BTreeMap::new();
    };
    let (body, _) = parse_body(FileId(0), &bytes);
    let mut out = BTreeMap::new();
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        let ("provider", [address]) = (block.kind.name.as_str(), block.labels.as_slice()) else {
            continue;
        };
        for item in &block.body.items {
            if let Item::Attribute(it) = item
                && it.name.name == "version"
                && let ExprKind::String(version) = &it.value.kind
            {
                out.insert(address.text.clone(), version.to_string());
            }
        }
    }
    out
}
