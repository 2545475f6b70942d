//! The comments that authors write above the attributes of an object type. Terraform has no other place
//! for the attributes' descriptions.
//!
//! ```hcl
//! type = object({
//!   # How many instances run at night.
//!   replicas = optional(number, 1)
//! })
//! ```

use std::{collections::BTreeMap, path::Path};

use hcl::{Expr, ExprKind, ObjectItem, ObjectKey, parse_expression};
use module::{Module, Variable};
use smol_str::SmolStr;
use stack::guarded;

/// The comments of attributes, as a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeComments {
    attributes: BTreeMap<SmolStr, (Option<String>, AttributeComments)>,
    /// The names of attributes as declared.
    order: Vec<SmolStr>,
    elements: Option<Box<AttributeComments>>,
}

const NONE: &AttributeComments =
    &AttributeComments { attributes: BTreeMap::new(), order: Vec::new(), elements: None };

impl AttributeComments {
    /// The comments in a variable's type in native syntax; JSON has none. Comments that must not be
    /// shown are left out.
    pub fn of(
        module: &Module,
        variable: &Variable,
        is_shown: &dyn Fn(&str) -> bool,
    ) -> AttributeComments {
        let Some(span) = variable.type_span else { return AttributeComments::default() };
        let path = Path::new(&module.sources.file(span.file).path);
        if path.extension().is_some_and(|it| it == "json") {
            return AttributeComments::default();
        }
        let text = module.sources.snippet(span);
        let (expr, _) = parse_expression(span.file, text.as_bytes(), 0);
        of_type(&expr, &text, is_shown)
    }

    /// The names of the attributes of an object type, in the order of their declaration; without names if the
    /// type is not written in native syntax.
    pub fn order(&self) -> &[SmolStr] {
        &self.order
    }

    /// The text above an attribute.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attributes.get(name)?.0.as_deref()
    }

    /// The comments inside an attribute, or an element of a tuple.
    pub fn attribute(&self, name: &str) -> &AttributeComments {
        self.attributes.get(name).map_or(NONE, |it| &it.1)
    }

    /// The comments inside each element of a collection.
    pub fn elements(&self) -> &AttributeComments {
        self.elements.as_deref().unwrap_or(NONE)
    }
}

fn of_type(expr: &Expr, text: &str, is_shown: &dyn Fn(&str) -> bool) -> AttributeComments {
    let mut out = AttributeComments::default();
    guarded(|| match &expr.bare().kind {
        ExprKind::Call { name, args, .. } => match (name.name.as_str(), args.as_slice()) {
            ("optional", [inner, ..]) => out = of_type(inner, text, is_shown),
            ("object", [inner]) => out = of_type(inner, text, is_shown),
            ("list" | "set" | "map", [inner]) => {
                out.elements = Some(of_type(inner, text, is_shown).into());
            }
            ("tuple", [inner]) => {
                let ExprKind::Tuple(elements) = &inner.kind else { return };
                for (index, it) in elements.iter().enumerate() {
                    let inner = of_type(it, text, is_shown);
                    out.attributes.insert(index.to_string().into(), (None, inner));
                }
            }
            _ => (),
        },
        ExprKind::Object(items) => {
            for ObjectItem { key, value } in items {
                let ObjectKey::Name(name) = key else { continue };
                let before = text.get(..name.span.start as usize).unwrap_or_default();
                let inner = of_type(value, text, is_shown);
                out.order.push(name.name.clone());
                out.attributes
                    .insert(name.name.clone(), (comment(before).filter(|it| is_shown(it)), inner));
            }
        }
        _ => (),
    });
    out
}

/// The comment that ends in the line above.
fn comment(before: &str) -> Option<String> {
    let (above, indent) = before.rsplit_once('\n')?;
    if !indent.trim().is_empty() {
        return None;
    }
    let mut lines: Vec<&str> = Vec::new();
    let mut in_block = false;
    for line in above.rsplit('\n') {
        let line = line.trim();
        let of_line = line.strip_prefix('#').or_else(|| line.strip_prefix("//"));
        if lines.is_empty() && of_line.is_none() && line.ends_with("*/") {
            in_block = true;
        }
        if in_block {
            // A block comment behind an attribute belongs to that attribute.
            let (code, text) = line.split_once("/*").unwrap_or(("", line));
            if !code.is_empty() {
                return None;
            }
            lines.push(text.trim_end_matches("*/").trim_start_matches('*'));
            if line.contains("/*") {
                break;
            }
            continue;
        }
        let Some(text) = of_line else { break };
        lines.push(without_signs(text));
    }
    lines.reverse();
    joined(&lines)
}

/// The text of a comment that explains something to people. `lines`: the lines of the comment, with their signs.
pub fn comment_text(lines: &[&str]) -> Option<String> {
    joined(&lines.iter().map(|it| without_signs(it)).collect::<Vec<_>>())
}

fn without_signs(line: &str) -> &str {
    let text = line.trim_start_matches(['#', '/']);
    // `##### A heading #####`
    let heading = text.trim_end_matches('#');
    if text.len() - heading.len() > 1 { heading } else { text }
}

fn joined(lines: &[&str]) -> Option<String> {
    let text = prose(lines).join(" ");
    (!text.is_empty()).then_some(text)
}

// Which lines of comments explain a value to people: not lines for a tool, not a licence, and not a
// commented-out type.

/// Beginnings of lines that are for a tool.
const TO_TOOLS: [&str; 16] = [
    "terraschema:",
    "terraform-docs:",
    "checkov:",
    "bridgecrew:",
    "tfsec:",
    "trivy:",
    "ts:skip",
    "nosec",
    "noqa",
    "prettier-ignore",
    "yamllint disable",
    "yamllint enable",
    "yamllint rule",
    "shellcheck disable",
    "cspell:",
    "renovate:",
];

/// What such lines contain even behind other words.
const DIRECTIVES: [&str; 10] = [
    "tflint-ignore",
    "terraschema:ignore",
    "checkov:skip",
    "tfsec:ignore",
    "trivy:ignore",
    "kics-scan",
    "nosemgrep",
    "gitleaks:allow",
    "pragma: allowlist",
    "-*-",
];

/// Phrases that are written only in licences.
const LICENCE: [&str; 8] = [
    "spdx-license",
    "all rights reserved",
    "you may not use this file except",
    "you may obtain a copy of the license",
    "limitations under the license",
    "permission is hereby granted, free of charge",
    "redistribution and use in source and binary forms",
    "unless required by applicable law or agreed to in writing",
];

/// Beginnings of a sentence that names the licence in its rest.
const LICENSED: [&str; 4] =
    ["licensed under ", "released under ", "distributed under ", "provided under "];

/// Beginnings of a sentence about what is licensed.
const WORKS: [&str; 8] = [
    "this code ",
    "this file ",
    "this module ",
    "this program ",
    "this project ",
    "this script ",
    "this software ",
    "this source ",
];

/// Beginnings of licences' names.
const LICENCES: [&str; 17] = [
    "mit",
    "apache",
    "bsd",
    "gpl",
    "lgpl",
    "agpl",
    "gnu",
    "mpl",
    "mozilla",
    "isc",
    "epl",
    "upl",
    "cc0",
    "cc",
    "busl",
    "unlicense",
    "proprietary",
];

/// Texts that begin a commented-out type, as in `# name = optional(string)`.
const CONSTRUCTORS: [&str; 6] = ["optional(", "object(", "list(", "map(", "set(", "tuple("];
/// Texts that are a commented-out type, as in `# name = string`; in `# name = any valid name` the word
/// is prose.
const TYPES: [&str; 4] = ["string", "number", "bool", "any"];

/// The lines of a comment that explain something to people. If one line looks like a licence, all lines belong
/// to it, since most lines of a licence do not look like one.
pub(super) fn prose<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let lines: Vec<&str> = lines.iter().map(|it| it.trim()).collect();
    if lines.iter().any(|it| is_of_licence(it)) {
        return Vec::new();
    }
    lines.into_iter().filter(|it| is_prose(it)).collect()
}

fn is_prose(line: &str) -> bool {
    let lower = line.to_lowercase();
    line.contains(char::is_alphanumeric)
        && !is_code(line)
        && !TO_TOOLS.iter().any(|it| lower.starts_with(it))
        && !DIRECTIVES.iter().any(|it| lower.contains(it))
        && !is_modeline(&lower)
}

/// `vim: ft=terraform`, `vi: set sw=2`.
fn is_modeline(lower: &str) -> bool {
    let rest = lower.strip_prefix("vim:").or_else(|| lower.strip_prefix("vi:"));
    rest.is_some_and(|it| it.contains('=') || it.trim_start().starts_with("set "))
}

fn is_code(line: &str) -> bool {
    let ends =
        |it: &str| it.trim_start().is_empty() || it.trim_start().starts_with([',', '#', '/']);
    let is_type = |it: &str| {
        let it = it.trim_start();
        CONSTRUCTORS.iter().any(|ty| it.starts_with(ty))
            || TYPES.iter().any(|ty| it.strip_prefix(ty).is_some_and(ends))
    };
    line.split_once('=').is_some_and(|(name, ty)| {
        let name = name.trim();
        !name.contains(char::is_whitespace) && !name.is_empty() && is_type(ty)
    })
}

fn is_of_licence(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '"', '\'', ' ']);
    let lower = line.to_lowercase();
    let rest = |beginnings: &[&str]| beginnings.iter().find_map(|it| lower.strip_prefix(it));
    let is_under = |text: &str| {
        (text.contains("under ") || text.contains("subject to ")) && names_licence(text)
    };
    LICENCE.iter().any(|it| lower.contains(it))
        || is_copyright(line)
        || rest(&["license:", "licence:"]).is_some_and(is_licence)
        || rest(&LICENSED).is_some_and(names_licence)
        || rest(&WORKS).is_some_and(is_under)
}

/// `Copyright 2024 Foo`, `(c) 2024 Foo`; not `Copyright notice in the footer`.
fn is_copyright(line: &str) -> bool {
    const WORD: &str = "copyright";
    if let Some(rest) = of_sign(line) {
        return rest.trim_start().starts_with(|it: char| it.is_ascii_digit());
    }
    let is_word = line.get(..WORD.len()).is_some_and(|it| it.eq_ignore_ascii_case(WORD));
    let rest = if is_word { &line[WORD.len()..] } else { return false };
    let owner = rest.trim_start_matches([' ', ':', ',', '"', '<']);
    let is_name = |it: char| it.is_ascii_digit() || it.is_uppercase();
    owner.len() < rest.len()
        && (of_sign(owner).is_some() || owner.starts_with(is_name) || owner.starts_with("by "))
}

/// What follows upon the sign.
fn of_sign(text: &str) -> Option<&str> {
    ["(c)", "(C)", "©"].iter().find_map(|it| text.strip_prefix(it))
}

/// Whether a licence is named: `the Apache License, Version 2.0`, `MIT`.
fn names_licence(lower: &str) -> bool {
    lower.contains("license") || lower.contains("licence") || lower.split(' ').any(is_licence)
}

/// Whether the text begins with the name of a licence.
fn is_licence(lower: &str) -> bool {
    let name = lower.trim_start();
    let is_end = |rest: &str| !rest.starts_with(char::is_alphabetic);
    LICENCES.iter().any(|it| name.strip_prefix(it).is_some_and(is_end))
}
