//! `textDocument/completion`: what the module allows at a position.
//!
//! A value is offered only if it makes the verdict on the text no worse: the candidate is put into the
//! document, and `check` judges the result.

use std::ops::Range;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionItemTextEdit,
    CompletionParams, CompletionResponse, Documentation, InsertTextFormat, MarkupContent,
    MarkupKind, TextEdit,
};
use smol_str::SmolStr;

use super::{
    Answered, LONGEST_JUDGED, RequestContext, View, description, expression, rules, settings,
};
use crate::{
    candidates::{Candidate, candidates},
    contract::{Contract, is_json, role},
    site::{Link, Part, Site, site},
    snippet::{Snippet, snippet},
    symbol::call_of,
    text::Text,
    types::{Attribute, attribute},
};
use check::FileRole;
use diagnostics::{FileId, lints};
use hcl::{json, parse_body};
use module::Variable;
use projection::schema::RulesInWords;
use tf_value::{Type, typeexpr::type_source};

/// The most values that are tried.
const MOST_TRIED: usize = 24;

pub(super) fn run(
    context: &RequestContext,
    params: &CompletionParams,
) -> Answered<CompletionResponse> {
    let at = &params.text_document_position_params;
    let can_snippets = context.snapshot.can_snippets;
    let items = context.look_at(at, |view| {
        if role(view.path) == FileRole::Other {
            return settings::items(view).or_else(|| rules::items(view, can_snippets));
        }
        let named = match role(view.path) {
            FileRole::Source => expression::items(view, can_snippets),
            _ => None,
        };
        // Inside of a template no value is possible as a whole.
        if named.is_some() && expression::is_in_template(view) {
            return named;
        }
        let own = Asked::at(view, view.offset, can_snippets).and_then(|it| it.items());
        match (own, named) {
            (Some(own), Some(named)) => Some([own, named].concat()),
            (own, named) => own.or(named),
        }
    });
    Ok(items.map(CompletionResponse::CompletionItemList))
}

/// The values that pass in the place of the one at an offset, as they are written, and the bytes of that one.
pub(super) fn passing(view: &View<'_>, offset: usize) -> Option<(Range<usize>, Vec<String>)> {
    let asked = Asked::at(view, offset, false)?;
    if asked.site.part != Part::Value || asked.site.word.is_empty() {
        return None;
    }
    let (_, passing) = asked.passing()?;
    Some((asked.word(), passing.into_iter().map(|it| it.text).collect()))
}

/// A position in a value or in the arguments of a call.
struct Asked<'a> {
    view: &'a View<'a>,
    site: Site,
    contract: Contract,
    /// The steps from the variables of the module.
    links: Vec<Link>,
    is_json: bool,
    is_call: bool,
    can_snippets: bool,
}

impl<'a> Asked<'a> {
    fn at(view: &'a View<'a>, offset: usize, can_snippets: bool) -> Option<Asked<'a>> {
        let is_json = is_json(view.path);
        let site = site(view.text(), offset, is_json);
        let links = site.links.clone();
        match role(view.path) {
            FileRole::Values => {
                let contract = view.modules.of_values(view.path)?;
                Some(Asked { view, site, contract, links, is_json, is_call: false, can_snippets })
            }
            FileRole::Source => {
                let text = &view.document.text;
                let (called, links) = call_of(&view.modules, view.path, text, &links)?;
                let contract = view.modules.read(&called)?;
                let links = links.to_vec();
                Some(Asked { view, site, contract, links, is_json, is_call: true, can_snippets })
            }
            FileRole::Other => None,
        }
    }

    fn items(&self) -> Option<Vec<CompletionItem>> {
        match self.site.part {
            Part::Key if !self.begins_item() => None,
            Part::Key if self.links.is_empty() => Some(self.variables()),
            Part::Key => self.attributes(),
            Part::Value if !self.begins_value() => None,
            Part::Value => self.values(),
        }
    }

    /// The variables that have no value yet.
    fn variables(&self) -> Vec<CompletionItem> {
        let variables = self.contract.module.variables.values();
        let free = variables.filter(|it| !self.site.siblings.contains(&it.name.to_string()));
        let free = self.fitting(free.collect(), |it| (&it.name, &it.name));
        let words = RulesInWords::of(&self.contract.module);
        let item = |(at, it): (usize, &Variable)| {
            let place = Attribute {
                ty: it.constraint.ty.clone(),
                defaults: it.constraint.defaults.clone(),
                is_optional: !it.is_required(),
                default: None,
            };
            let mut facts = vec![if it.is_required() { "required" } else { "optional" }];
            facts.extend(it.is_hidden().then(|| it.secrecy()));
            let mut item = self.key(&it.name, &place, at, &facts);
            item.tags = it.deprecated.as_ref().map(|_| vec![CompletionItemTag::Deprecated]);
            item.documentation = description(&words, it).map(|value| {
                Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
            });
            item
        };
        free.into_iter().enumerate().map(item).collect()
    }

    /// The keys to which the value fits that is there already; all of them if there is none. `names` gives a key and the
    /// variable that it is in.
    fn fitting<T>(&self, keys: Vec<T>, names: impl Fn(&T) -> (&SmolStr, &SmolStr)) -> Vec<T> {
        if !self.site.has_value {
            return keys;
        }
        if self.view.text().len() > LONGEST_JUDGED {
            return Vec::new();
        }
        let typed = &self.view.text()[self.site.word.start..self.view.offset];
        let mut tried = keys;
        tried.retain(|it| is_begun(names(it).0, typed));
        tried.truncate(MOST_TRIED);
        let word = &self.view.text()[self.site.word.clone()];
        let fits = |it: &T| {
            let (key, variable) = names(it);
            let Some(found) = self.problems(variable, &self.written(key)) else { return false };
            // Of an attribute, other parts of the value may be wrong already.
            let known = || self.problems(variable, word).unwrap_or_default();
            found.is_empty() || !self.links.is_empty() && is_subset(&found, &known())
        };
        tried.into_iter().filter(|it| fits(it)).collect()
    }

    /// The attributes of an object that have no value yet.
    fn attributes(&self) -> Option<Vec<CompletionItem>> {
        let object = self.place()?;
        let Type::Object(declared) = &object.ty else { return None };
        let names = declared.attributes.keys();
        let free = names.filter(|it| !self.site.siblings.contains(&it.to_string()));
        let Some(Link::Key(variable)) = self.links.first() else { return None };
        let variable = SmolStr::new(variable);
        let free = self.fitting(free.collect(), |it| (*it, &variable));
        let items = free.into_iter().enumerate().filter_map(|(at, name)| {
            let place = attribute_of(&object, name)?;
            let facts = [if place.is_optional { "optional" } else { "required" }];
            Some(self.key(name, &place, at, &facts))
        });
        Some(items.collect())
    }

    /// The place in the module's types that the links lead to.
    fn place(&self) -> Option<Attribute> {
        let (Link::Key(name), rest) = self.links.split_first()? else { return None };
        attribute(&self.contract.module.variables.get(name.as_str())?.constraint, rest)
    }

    /// A key, with a value to fill in if it has none.
    fn key(&self, name: &SmolStr, place: &Attribute, at: usize, facts: &[&str]) -> CompletionItem {
        let (is_quoted, written) = (self.is_json || self.site.is_quoted, self.written(name));
        let text = if self.site.has_value {
            written
        } else {
            let sign = if self.is_json { ": " } else { " = " };
            let form = Snippet { is_json: self.is_json, has_stops: self.can_snippets };
            format!("{written}{sign}{}{}", snippet(place, form), self.separator())
        };
        let rank = u8::from(place.is_optional);
        CompletionItem {
            label: name.to_string(),
            kind: Some(CompletionItemKind::Property),
            detail: Some(format!("{} · {}", type_source(&place.ty), facts.join(", "))),
            sort_text: Some(format!("{rank}{at:05}")),
            filter_text: is_quoted.then(|| format!("\"{name}\"")),
            insert_text_format: (self.can_snippets && !self.site.has_value)
                .then_some(InsertTextFormat::Snippet),
            text_edit: Some(self.edit(text)),
            ..CompletionItem::default()
        }
    }

    /// Whether a key can begin here, behind what is before it.
    fn begins_item(&self) -> bool {
        let before = &self.view.text()[..self.site.word.start];
        if self.is_json {
            return before.trim_end().ends_with(['{', ',']);
        }
        let line = before.trim_end_matches([' ', '\t', '\u{feff}']);
        let begins: &[char] = if self.is_in_object() { &['\n', '{', ','] } else { &['\n'] };
        line.is_empty() || line.ends_with(begins) || line.ends_with("*/")
    }

    /// Whether a key here is that of an object, not of a file or a block.
    fn is_in_object(&self) -> bool {
        matches!(self.site.links.last(), Some(Link::Key(_) | Link::Index(_)))
    }

    /// Whether a value can begin here: not behind another one.
    fn begins_value(&self) -> bool {
        let before = self.view.text()[..self.site.word.start].trim_end();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let has_comment = ["#", "//", "*/"].iter().any(|it| line.contains(it));
        before.ends_with(['=', ':', '[', ',', '(']) || !self.is_json && has_comment
    }

    /// What a new item needs between it and the one that follows.
    fn separator(&self) -> &'static str {
        let rest = &self.view.text()[self.site.word.end..];
        if self.is_json {
            return if rest.trim_start().starts_with('"') { "," } else { "" };
        }
        let line = rest.lines().next().unwrap_or_default().trim_start();
        let is_object = self.is_in_object();
        let ends: &[char] = if is_object { &['}', ',', '#', '/'] } else { &['#', '/'] };
        match line.is_empty() || line.starts_with(ends) {
            true => "",
            false if is_object => ", ",
            false => "\n",
        }
    }

    /// A key as it is written.
    fn written(&self, name: &str) -> String {
        if self.is_json || self.site.is_quoted { format!("\"{name}\"") } else { name.to_owned() }
    }

    /// The values that pass here.
    fn passing(&self) -> Option<(Attribute, Vec<Candidate>)> {
        let (Link::Key(name), rest) = self.links.split_first()? else { return None };
        let variable = self.contract.module.variables.get(name.as_str())?;
        let place = self.place()?;
        if self.view.text().len() > LONGEST_JUDGED {
            return None;
        }
        let all = candidates(&self.contract.module, variable, rest, &place, self.is_json);
        let tried: Vec<_> = all.into_iter().take(MOST_TRIED).collect();
        let score = |it: &Candidate| Some(self.problems(name, &it.text)?.len());
        let scores: Vec<Option<usize>> = tried.iter().map(score).collect();
        let best = scores.iter().flatten().min().copied()?;
        // Where the candidate is all there is, a problem is its own.
        if best > 0 && rest.is_empty() {
            return Some((place, Vec::new()));
        }
        // An object with placeholders must not break a rule that holds without it.
        let is_object = matches!(place.ty, Type::Object(_));
        let word = &self.view.text()[self.word()];
        let known = || self.problems(name, word).map_or(0, |it| it.len());
        if is_object && best > 0 && best > known() {
            return Some((place, Vec::new()));
        }
        let passing = tried.into_iter().zip(scores).filter(|it| it.1 == Some(best));
        Some((place, passing.map(|it| it.0).collect()))
    }

    fn values(&self) -> Option<Vec<CompletionItem>> {
        let (place, passing) = self.passing()?;
        let item = |(at, it): (usize, Candidate)| {
            // An object is to be filled in.
            let is_object = matches!(place.ty, Type::Object(_)) && !it.is_default;
            let form = Snippet { is_json: self.is_json, has_stops: true };
            let with_stops = (self.can_snippets && is_object).then(|| snippet(&place, form));
            CompletionItem {
                label: it.label,
                kind: Some(CompletionItemKind::Value),
                detail: it.is_default.then(|| "default".to_owned()),
                sort_text: Some(format!("{at:05}")),
                filter_text: Some(it.text.clone()),
                preselect: it.is_default.then_some(true),
                insert_text_format: with_stops.as_ref().map(|_| InsertTextFormat::Snippet),
                text_edit: Some(self.edit(with_stops.unwrap_or(it.text))),
                ..CompletionItem::default()
            }
        };
        Some(passing.into_iter().enumerate().map(item).collect())
    }

    fn syntax_errors(&self, text: &str) -> usize {
        match self.is_json {
            true => json::parse_part(FileId(0), text.as_bytes()).1.len(),
            false => parse_body(FileId(0), text.as_bytes()).1.len(),
        }
    }

    /// The problems that the value of a variable has once a text is in the place of the word; `None` if one of
    /// them is the text itself, or if the text cannot be there.
    fn problems(&self, name: &str, text: &str) -> Option<Vec<String>> {
        let View { context, path, document, .. } = *self.view;
        let word = self.site.word.clone();
        let mut changed = document.text.text.to_string();
        changed.replace_range(word.clone(), text);
        // What is already there may not go with it.
        if self.syntax_errors(&changed) > self.syntax_errors(self.view.text()) {
            return None;
        }
        let changed = Text::new(changed);
        let place = word.start..word.start + text.len();
        let range = changed.range(place, context.snapshot.encoding);
        let judged = self.view.judged_with(changed);
        let problems = [
            &lints::TYPE_MISMATCH,
            &lints::FAILED_VALIDATION,
            &lints::INVALID_INPUT_SYNTAX,
            &lints::NULL_NOT_ALLOWED,
            &lints::UNKNOWN_ATTRIBUTE,
        ];
        let found = judged.files.get(path).into_iter().flatten();
        let own = found.filter(|it| {
            let is_of_it = it.finding.variable.as_deref() == Some(name) || self.is_call;
            it.finding.rule.is_one_of(&problems) && is_of_it
        });
        let own: Vec<_> = own.collect();
        let is_whole = own.iter().any(|it| it.diagnostic.range == range);
        (!is_whole).then(|| own.iter().map(|it| it.finding.message.clone()).collect())
    }

    fn edit(&self, new_text: String) -> CompletionItemTextEdit {
        let range = self.view.range(self.word());
        CompletionItemTextEdit::TextEdit(TextEdit { range, new_text })
    }

    /// The bytes that an item replaces.
    fn word(&self) -> Range<usize> {
        self.site.word.clone()
    }
}

fn is_subset(all: &[String], known: &[String]) -> bool {
    all.iter().all(|it| known.contains(it))
}

/// Whether a name has the letters that were typed of it, in their order.
fn is_begun(name: &str, typed: &str) -> bool {
    let mut letters = name.chars();
    typed.trim_matches('"').chars().all(|it| letters.any(|own| own.eq_ignore_ascii_case(&it)))
}

fn attribute_of(object: &Attribute, name: &str) -> Option<Attribute> {
    let constraint =
        tf_value::typeexpr::Constraint { ty: object.ty.clone(), defaults: object.defaults.clone() };
    attribute(&constraint, &[Link::Key(name.to_owned())])
}
