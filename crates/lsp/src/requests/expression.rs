//! What an expression of a module can name: variables, locals, outputs of calls, resources, and functions.

use std::collections::BTreeSet;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, Range, TextEdit,
};

use super::View;
use crate::{
    contract::{Contract, is_json},
    site::{Link, Part, Site, site},
    types::{Attribute, attribute},
};
use projection::schema::RulesInWords;
use tf_eval::functions::{self, Function, ReturnType};
use tf_value::{
    Type,
    typeexpr::{Constraint, type_source},
};

/// Names that Terraform gives every module, by their owner.
const OF_TERRAFORM: [(&str, &[&str]); 4] = [
    ("count", &["index"]),
    ("each", &["key", "value"]),
    ("path", &["cwd", "module", "root"]),
    ("terraform", &["workspace"]),
];

/// The types, each as a snippet.
const TYPES: [(&str, &str); 9] = [
    ("any", "any"),
    ("bool", "bool"),
    ("list", "list($1)"),
    ("map", "map($1)"),
    ("number", "number"),
    ("object", "object({ $1 })"),
    ("set", "set($1)"),
    ("string", "string"),
    ("tuple", "tuple([$1])"),
];
const OPTIONAL: (&str, &str) = ("optional", "optional($1)");

/// What an argument of a block takes.
enum Takes {
    Expression,
    Type,
    Bool,
    /// A value in which nothing can be named.
    Constant,
}

/// What the value at a site may be, by the block and the argument that it is in.
fn takes(site: &Site) -> Takes {
    let [Link::Block(words), rest @ ..] = &site.links[..] else { return Takes::Expression };
    let block = words.first().map_or("", String::as_str);
    let name = match rest {
        _ if block == "terraform" => return Takes::Constant,
        [Link::Key(it), ..] => it.as_str(),
        _ => return Takes::Expression,
    };
    match (block, name) {
        ("variable", "type") => Takes::Type,
        ("variable", "sensitive" | "nullable" | "ephemeral") | ("output", "sensitive") => {
            Takes::Bool
        }
        ("output", "ephemeral") => Takes::Bool,
        ("variable", _) | ("output", "description" | "deprecated") => Takes::Constant,
        _ => Takes::Expression,
    }
}

/// A name that can be written.
struct Name {
    label: String,
    kind: CompletionItemKind,
    detail: String,
    documentation: Option<String>,
}

impl Name {
    fn new(label: &str, kind: CompletionItemKind, detail: impl Into<String>) -> Name {
        Name { label: label.to_owned(), kind, detail: detail.into(), documentation: None }
    }
}

/// The names, indexes and dots before a position, and the place of the last name.
pub(super) struct Chain<'t> {
    /// What is before the last dot: names, and indexes with their brackets.
    pub owners: Vec<&'t str>,
    /// What an item replaces.
    range: Range,
    /// Whether a call is written already, whose arguments stay.
    is_called: bool,
}

impl<'t> Chain<'t> {
    pub fn at(view: &'t View<'_>) -> Chain<'t> {
        let text = view.text();
        let start = name_start(text, view.offset);
        let end = view.offset + text[view.offset..].find(|it| !is_of_name(it)).unwrap_or(0);
        let range = view.range(start..end);
        Chain { owners: owners(&text[..start]), range, is_called: text[end..].starts_with('(') }
    }

    /// An item that completes the last name.
    pub fn item(&self, name: &str, kind: CompletionItemKind) -> CompletionItem {
        let edit = TextEdit { range: self.range, new_text: name.to_owned() };
        CompletionItem {
            label: name.to_owned(),
            kind: Some(kind),
            sort_text: Some(format!("1{name}")),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..CompletionItem::default()
        }
    }
}

/// The names that are possible at the position. `None` if no expression is there.
pub(super) fn items(view: &View<'_>, can_snippets: bool) -> Option<Vec<CompletionItem>> {
    let site = site(view.text(), view.offset, is_json(view.path));
    let is_here = match is_json(view.path) {
        true => is_in_template(view),
        false => site.part == Part::Value && hcl::is_code(view.text().as_bytes(), view.offset),
    };
    if !is_here {
        return None;
    }
    let chain = Chain::at(view);
    match takes(&site) {
        Takes::Expression => (),
        Takes::Constant => return None,
        Takes::Bool => {
            let item = |it: &str| chain.item(it, CompletionItemKind::Value);
            return Some(["false", "true"].map(item).to_vec());
        }
        Takes::Type => return Some(types(&chain, &site, can_snippets)),
    }
    let contract = view.modules.read(view.path.parent()?)?;
    let item = |(at, name): (usize, Name)| CompletionItem {
        detail: Some(name.detail),
        documentation: name.documentation.map(markdown),
        sort_text: Some(format!("1{at:05}")),
        ..chain.item(&name.label, name.kind)
    };
    let names = match &chain.owners[..] {
        [] => roots(&contract, can_repeat(&site)),
        owners => names(view, &contract, owners),
    };
    let mut items: Vec<CompletionItem> = names.into_iter().enumerate().map(item).collect();
    if chain.owners.is_empty() {
        items.extend(functions(&chain, can_snippets));
    }
    Some(items)
}

/// The types that can be at a site inside of a type constraint.
fn types(chain: &Chain<'_>, site: &Site, can_snippets: bool) -> Vec<CompletionItem> {
    // Only an attribute of an object can be optional.
    let is_attribute = site.call.is_none() && site.links.len() > 2;
    let item = |(name, snippet): (&str, &str)| {
        let text = if chain.is_called { name } else { snippet };
        let is_snippet = can_snippets && text.contains('$');
        let text = if is_snippet { text.to_owned() } else { text.replace("$1", "") };
        let edit = TextEdit { range: chain.range, new_text: text };
        CompletionItem {
            insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..chain.item(name, CompletionItemKind::Keyword)
        }
    };
    TYPES.into_iter().chain(is_attribute.then_some(OPTIONAL)).map(item).collect()
}

/// Whether the position is in the part of a quoted text that Terraform evaluates.
pub(super) fn is_in_template(view: &View<'_>) -> bool {
    let site = site(view.text(), view.offset, is_json(view.path));
    let Some(before) = view.text().get(site.word.start..view.offset) else { return false };
    let begin = ["${", "%{"].iter().filter_map(|it| before.rfind(it)).max();
    // Doubled, the sign is text.
    let is_text = |at: usize| before[..at].ends_with(['$', '%']);
    site.is_quoted && begin.is_some_and(|at| !is_text(at) && !before[at..].contains('}'))
}

/// Whether the block around a site may have instances.
fn can_repeat(site: &Site) -> bool {
    let kind = match site.links.first() {
        Some(Link::Block(words)) => words.first(),
        Some(Link::Key(kind)) => Some(kind),
        _ => None,
    };
    kind.is_some_and(|it| ["data", "ephemeral", "module", "resource"].contains(&it.as_str()))
}

/// The functions, each with its parameters.
pub(super) fn functions(chain: &Chain<'_>, can_snippets: bool) -> Vec<CompletionItem> {
    let item = |it: &&Function| {
        let call = if can_snippets { format!("{}($1)", it.name) } else { format!("{}(", it.name) };
        let new_text = if chain.is_called { it.name.to_owned() } else { call };
        let is_snippet = can_snippets && !chain.is_called;
        let edit = TextEdit { range: chain.range, new_text };
        CompletionItem {
            detail: Some(signature(it)),
            documentation: Some(markdown(it.description.to_owned())),
            sort_text: Some(format!("2{}", it.name)),
            insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..chain.item(it.name, CompletionItemKind::Function)
        }
    };
    functions::all().iter().map(item).collect()
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}

fn is_of_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_' || it == '-'
}

/// The start of the name that ends at an offset.
fn name_start(text: &str, end: usize) -> usize {
    let before = &text[..end];
    let other = before.char_indices().rfind(|it| !is_of_name(it.1));
    other.map_or(0, |(at, it)| at + it.len_utf8())
}

/// The names and indexes of a text that ends behind a dot; empty for any other text. What else is before a dot has no
/// name.
fn owners(text: &str) -> Vec<&str> {
    let (mut owners, mut at) = (Vec::new(), text.len());
    while text[..at].ends_with('.') {
        at -= 1;
        while text[..at].ends_with(']') {
            let Some(open) = opening(&text[..at]) else { break };
            owners.push(&text[open..at]);
            at = open;
        }
        let start = name_start(text, at);
        owners.push(&text[start..at]);
        at = start;
    }
    owners.reverse();
    owners
}

/// The bracket that belongs to the one at the end of a text, if it is in the same line.
fn opening(text: &str) -> Option<usize> {
    let (mut depth, mut is_text) = (0_usize, false);
    for (at, it) in text.char_indices().rev() {
        match it {
            '\n' => return None,
            '"' => is_text = !is_text,
            ']' if !is_text => depth += 1,
            '[' if !is_text => depth = depth.checked_sub(1)?,
            _ => continue,
        }
        if depth == 0 && !is_text {
            return Some(at);
        }
    }
    None
}

/// The place in the type of a variable that names and indexes lead to.
fn place(constraint: &Constraint, owners: &[&str]) -> Option<Attribute> {
    let mut links = Vec::new();
    let mut found = attribute(constraint, &links)?;
    for owner in owners {
        let index = owner.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let name = index.map_or(*owner, |it| it.trim_matches('"'));
        let number = index.map(|it| it.parse().unwrap_or_default());
        let ways = [Some(Link::Key(name.to_owned())), number.map(Link::Index)];
        found = ways.into_iter().flatten().find_map(|it| {
            links.push(it);
            let found = attribute(constraint, &links);
            if found.is_none() {
                links.pop();
            }
            found
        })?;
    }
    Some(found)
}

/// The names that can follow their owners.
fn names(view: &View<'_>, contract: &Contract, owners: &[&str]) -> Vec<Name> {
    let module = &contract.module;
    match owners {
        ["var"] => {
            let words = RulesInWords::of(module);
            let variables = module.variables.values().map(|it| Name {
                documentation: super::description(&words, it),
                ..Name::new(&it.name, CompletionItemKind::Variable, type_source(&it.constraint.ty))
            });
            variables.collect()
        }
        ["var", name, inner @ ..] => {
            let Some(variable) = module.variables.get(*name) else { return Vec::new() };
            let Some(place) = place(&variable.constraint, inner) else { return Vec::new() };
            let Type::Object(object) = &place.ty else { return Vec::new() };
            let named = object.attributes.iter();
            named
                .map(|(name, ty)| Name::new(name, CompletionItemKind::Property, type_source(ty)))
                .collect()
        }
        ["local"] => {
            let kind = CompletionItemKind::Constant;
            module.locals.values().map(|it| Name::new(&it.name, kind, "local")).collect()
        }
        ["module"] => {
            let calls = module.calls.values();
            let source = |it: &module::ModuleCall| {
                it.source.as_ref().map(|(source, _)| source.to_string()).unwrap_or_default()
            };
            calls.map(|it| Name::new(&it.name, CompletionItemKind::Module, source(it))).collect()
        }
        ["module", name] => outputs(view, contract, name, false),
        ["module", name, index] if index.starts_with('[') => outputs(view, contract, name, true),
        ["data"] => of_resources(contract, |kind, _| kind.strip_prefix("data.").map(str::to_owned)),
        ["data", kind] => {
            let kind = format!("data.{kind}");
            of_resources(contract, |it, name| (it == kind).then(|| name.to_owned()))
        }
        [owner] => match OF_TERRAFORM.iter().find(|it| it.0 == *owner) {
            Some((_, names)) => {
                names.iter().map(|it| Name::new(it, CompletionItemKind::Property, *owner)).collect()
            }
            None => of_resources(contract, |it, name| (it == *owner).then(|| name.to_owned())),
        },
        _ => Vec::new(),
    }
}

/// What an expression can begin with, besides functions.
fn roots(contract: &Contract, can_repeat: bool) -> Vec<Name> {
    let module = &contract.module;
    let mut names = Vec::new();
    for (name, has_any) in [
        ("var", !module.variables.is_empty()),
        ("local", !module.locals.is_empty()),
        ("module", !module.calls.is_empty()),
        ("data", module.resources.keys().any(|it| it.0.starts_with("data."))),
    ] {
        names.extend(has_any.then(|| Name::new(name, CompletionItemKind::Keyword, "")));
    }
    names.extend(of_resources(contract, |kind, _| (!kind.contains('.')).then(|| kind.to_owned())));
    let own = OF_TERRAFORM.iter().filter(|it| can_repeat || !["count", "each"].contains(&it.0));
    names.extend(own.map(|it| Name::new(it.0, CompletionItemKind::Keyword, "")));
    names
}

/// A part of the kind and the name of each resource, without repetitions.
fn of_resources(contract: &Contract, part: impl Fn(&str, &str) -> Option<String>) -> Vec<Name> {
    let keys = contract.module.resources.keys();
    let parts: BTreeSet<String> = keys.filter_map(|it| part(&it.0, &it.1)).collect();
    parts.iter().map(|it| Name::new(it, CompletionItemKind::Class, "resource")).collect()
}

/// The outputs of the only instance of a call, or of one that an index chooses.
fn outputs(view: &View<'_>, contract: &Contract, name: &str, is_indexed: bool) -> Vec<Name> {
    let Some(call) = contract.module.calls.get(name) else { return Vec::new() };
    let is_repeated = call.repetition.count.is_some() || call.repetition.for_each.is_some();
    let Some((source, _)) = call.source.as_ref().filter(|_| is_repeated == is_indexed) else {
        return Vec::new();
    };
    let version = call.version.as_ref().map(|it| it.0.as_str());
    let called = view.modules.called(&contract.dir, name, source, version);
    let Some(called) = called.and_then(|it| view.modules.read(&it)) else { return Vec::new() };
    let secrets = RulesInWords::of(&called.module);
    let output = |it: &module::Output| {
        let detail = if it.sensitive == Some(true) { "output, sensitive" } else { "output" };
        let text = it.description.clone();
        let text = text.filter(|text| !secrets.secrets().are_in_text(None, text));
        Name { documentation: text, ..Name::new(&it.name, CompletionItemKind::Field, detail) }
    };
    called.module.outputs.values().map(output).collect()
}

/// `substr(str: string, offset: number, length: number) → string`
fn signature(function: &Function) -> String {
    let params = function.params.iter().map(|it| (it, ""));
    let all = params.chain(function.variadic.iter().map(|it| (it, "…")));
    let shown =
        all.map(|(it, more)| format!("{}: {}{more}", it.name, type_source(&it.ty.to_type())));
    let result = match function.returns {
        ReturnType::Fixed(ty) => format!(" → {}", type_source(&ty.to_type())),
        _ => String::new(),
    };
    format!("{}({}){result}", function.name, shown.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_begins_after_what_is_no_name() {
        for (text, expected) in [
            ("var.a.", vec!["var", "a"]),
            ("(var.", vec!["var"]),
            ("\"${local.", vec!["local"]),
            ("var.", vec!["var"]),
            ("x", vec![]),
            ("", vec![]),
            ("a(1).", vec![""]),
            ("var.a[\"]\"].b[0][x[1]].", vec!["var", "a", "[\"]\"]", "b", "[0]", "[x[1]]"]),
            ("é💥var.a[*].", vec!["var", "a", "[*]"]),
            ("[\n0].", vec![""]),
        ] {
            let expected: Vec<&str> = expected;
            assert_eq!(owners(text), expected, "{text}");
        }
    }

    #[test]
    fn a_signature_has_its_parameters_and_its_result() {
        let of = |name| signature(functions::lookup(name).unwrap());
        assert_eq!(of("endswith"), "endswith(str: string, suffix: string) → bool");
        assert_eq!(of("max"), "max(numbers: number…) → number");
    }
}
