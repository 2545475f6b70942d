//! What an expression of a module can name: variables, locals, outputs of calls, resources, and functions.

use std::collections::BTreeSet;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, Range, TextEdit,
};

use super::View;
use crate::{contract::Contract, site::Link, types::attribute};
use projection::schema::RulesInWords;
use tf_eval::functions::{self, Function, ReturnType};
use tf_value::{Type, typeexpr::type_source};

/// Names that Terraform gives every module, by their owner.
const OF_TERRAFORM: [(&str, &[&str]); 4] = [
    ("count", &["index"]),
    ("each", &["key", "value"]),
    ("path", &["cwd", "module", "root"]),
    ("terraform", &["workspace"]),
];

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

/// The names and dots before a position, and the place of the last of them.
pub(super) struct Chain<'t> {
    /// The names before the last dot.
    pub owners: Vec<&'t str>,
    /// What an item replaces.
    range: Range,
    /// Whether a call is written already, whose arguments stay.
    is_called: bool,
}

impl<'t> Chain<'t> {
    pub fn at(view: &'t View<'_>) -> Chain<'t> {
        let text = view.text();
        let mut owners: Vec<&str> = text[chain(text, view.offset)].split('.').collect();
        let begun = owners.pop().unwrap_or_default();
        let end = view.offset + text[view.offset..].find(|it| !is_of_name(it)).unwrap_or(0);
        let range = view.range(view.offset - begun.len()..end);
        Chain { owners, range, is_called: text[end..].starts_with('(') }
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
    if !hcl::is_code(view.text().as_bytes(), view.offset) {
        return None;
    }
    let contract = view.modules.read(view.path.parent()?)?;
    let chain = Chain::at(view);
    let item = |(at, name): (usize, Name)| CompletionItem {
        detail: Some(name.detail),
        documentation: name.documentation.map(markdown),
        sort_text: Some(format!("1{at:05}")),
        ..chain.item(&name.label, name.kind)
    };
    let names = names(view, &contract, &chain.owners);
    let mut items: Vec<CompletionItem> = names.into_iter().enumerate().map(item).collect();
    if chain.owners.is_empty() {
        items.extend(functions(&chain, can_snippets));
    }
    Some(items)
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

/// The bytes of the names and dots before an offset.
fn chain(text: &str, offset: usize) -> std::ops::Range<usize> {
    let before = &text[..offset];
    let start = before
        .rfind(|it| !is_of_name(it) && it != '.')
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    start..offset
}

/// The names that can follow their owners.
fn names(view: &View<'_>, contract: &Contract, owners: &[&str]) -> Vec<Name> {
    let module = &contract.module;
    match owners {
        [] => roots(contract),
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
            let links: Vec<Link> = inner.iter().map(|it| Link::Key((*it).to_owned())).collect();
            let Some(place) = attribute(&variable.constraint, &links) else { return Vec::new() };
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
        ["module", name] => outputs(view, contract, name),
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
fn roots(contract: &Contract) -> Vec<Name> {
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
    let own = OF_TERRAFORM.iter();
    names.extend(own.map(|it| Name::new(it.0, CompletionItemKind::Keyword, "")));
    names
}

/// A part of the kind and the name of each resource, without repetitions.
fn of_resources(contract: &Contract, part: impl Fn(&str, &str) -> Option<String>) -> Vec<Name> {
    let keys = contract.module.resources.keys();
    let parts: BTreeSet<String> = keys.filter_map(|it| part(&it.0, &it.1)).collect();
    parts.iter().map(|it| Name::new(it, CompletionItemKind::Class, "resource")).collect()
}

/// The outputs of a call with one instance.
fn outputs(view: &View<'_>, contract: &Contract, name: &str) -> Vec<Name> {
    let Some(call) = contract.module.calls.get(name) else { return Vec::new() };
    let is_repeated = call.repetition.count.is_some() || call.repetition.for_each.is_some();
    let Some((source, _)) = call.source.as_ref().filter(|_| !is_repeated) else {
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
        for (text, expected) in
            [("var.a", "var.a"), ("(var.", "var."), ("\"${loc", "loc"), ("é💥x", "x"), ("", "")]
        {
            assert_eq!(&text[chain(text, text.len())], expected, "{text}");
        }
    }

    #[test]
    fn a_signature_has_its_parameters_and_its_result() {
        let of = |name| signature(functions::lookup(name).unwrap());
        assert_eq!(of("endswith"), "endswith(str: string, suffix: string) → bool");
        assert_eq!(of("max"), "max(numbers: number…) → number");
    }
}
