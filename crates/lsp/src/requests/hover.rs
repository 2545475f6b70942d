//! `textDocument/hover`: what a variable takes, and whether its present value passes.

use std::ops::Range;

use lsp_types::{Contents, Hover, HoverParams, MarkupContent, MarkupKind};

use super::{Answered, LONGEST_JUDGED, RequestContext, View, description, evaluated};
use crate::{
    contract::role,
    server::MACHINE,
    site::Link,
    types::{Attribute, attribute},
    unit::whole_report,
};
use check::FileRole;
use diagnostics::{Finding, lints};
use hcl::ExprKind;
use module::{Module, Validation, Variable};
use projection::schema::RulesInWords;
use report::{NotJudged, NotJudgedKind};
use system::paths;
use tf_value::typeexpr::{type_source, value_source};

/// The longest default that is shown, in bytes.
const LONGEST: usize = 400;

pub(super) fn run(context: &RequestContext, params: &HoverParams) -> Answered<Hover> {
    Ok(context.look_at(&params.text_document_position_params, |view| {
        let evaluated = evaluated::at(view);
        let (mut text, word) = match declared(view) {
            Some(it) => it,
            None => {
                let it = evaluated.as_ref().filter(|it| !it.lines.is_empty())?;
                (format!("```terraform\n{}\n```\n", it.text), it.span.clone())
            }
        };
        let lines = evaluated.map(|it| it.lines).unwrap_or_default();
        if !lines.is_empty() {
            text += &format!("\n{}\n", lines.join("\n"));
        }
        let markup = MarkupContent { kind: MarkupKind::Markdown, value: text };
        Some(Hover { contents: Contents::MarkupContent(markup), range: Some(view.range(word)) })
    }))
}

/// The declaration of the variable at the position, or of a part of its value, and the bytes of its name.
fn declared(view: &View<'_>) -> Option<(String, Range<usize>)> {
    let symbol = view.symbol()?;
    let contract = view.modules.read(&symbol.dir)?;
    let variable = contract.module.variables.get(&symbol.name)?;
    let text = match attribute(&variable.constraint, &symbol.links) {
        _ if symbol.links.is_empty() => of_variable(view, &contract.module, variable),
        Some(it) => {
            let words = RulesInWords::of(&contract.module);
            of_attribute(variable, &symbol.links, &it) + &rules(view, &words, variable)
        }
        None => return None,
    };
    Some((text, symbol.word))
}

fn of_variable(view: &View<'_>, module: &Module, variable: &Variable) -> String {
    let words = RulesInWords::of(module);
    // The defaults inside of the type of a hidden variable are secrets, too.
    let ty = match variable.is_hidden() {
        true => type_source(&variable.constraint.ty),
        false => variable.constraint.to_string(),
    };
    let mut text = format!("```terraform\n{}: {ty}\n```\n", variable.name);
    let mut facts = Vec::new();
    match &variable.default {
        None => facts.push("required".to_owned()),
        Some(_) if variable.is_hidden() => facts.push("optional".to_owned()),
        Some(it) => facts.push(default_text(&value_source(it))),
    }
    if variable.is_hidden() {
        facts.push(variable.secrecy().to_owned());
    }
    if !variable.is_nullable() {
        facts.push("not nullable".to_owned());
    }
    text += &format!("{}\n", facts.join(" · "));
    if let Some(it) = &variable.deprecated {
        text += &format!("\n**Deprecated:** {it}\n");
    }
    if let Some(it) = description(&words, variable) {
        text += &format!("\n{it}\n");
    }
    text + &rules(view, &words, variable)
}

/// The rules of a variable, each in words where there are some, with its message and its verdict on the value here.
fn rules(view: &View<'_>, words: &RulesInWords<'_>, variable: &Variable) -> String {
    if variable.validations.is_empty() {
        return String::new();
    }
    let root = view.modules.root;
    let is_values_file = role(view.path) == FileRole::Values;
    let report = if is_values_file && view.text().len() <= LONGEST_JUDGED {
        whole_report(&MACHINE, &view.context.snapshot, root, view.path)
    } else {
        None
    };
    let findings = report.iter().flat_map(|report| &report.findings);
    let of_value: Vec<&Finding> = findings
        .filter(|finding| finding.variable.as_deref() == Some(variable.name.as_str()))
        .collect();
    let shown = paths::display(&paths::relative(root, view.path));
    let is_judged =
        report.as_ref().is_some_and(|report| report.values_files.judged.contains(&shown));
    let is_of_rule = |left: &NotJudged| match &left.what {
        NotJudgedKind::Rule(open) => open.variable.as_deref() == Some(variable.name.as_str()),
        _ => false,
    };
    let is_open = of_value.iter().any(|finding| finding.rule == lints::TYPE_MISMATCH)
        || report.iter().flat_map(|report| &report.not_judged).any(is_of_rule);
    let mut text = String::from("\n");
    for (at, rule) in variable.validations.iter().enumerate() {
        let message = message(rule).filter(|it| !words.secrets().are_in_prose(variable, it));
        let message = message.unwrap_or_else(|| "a rule".to_owned());
        let words = words.rule(variable, at).map(|it| format!("must be {it}: "));
        let failed = of_value
            .iter()
            .find(|it| it.rule == lints::FAILED_VALIDATION && it.validation == Some(at));
        let verdict = match failed {
            Some(it) => {
                let facts = it.locations.iter().map(|it| it.text.as_str());
                let facts: Vec<&str> = facts.filter(|it| !it.is_empty()).collect();
                format!("✗ fails ({})", facts.join(", "))
            }
            None if is_judged && !is_open => "✓ passes".to_owned(),
            None => String::new(),
        };
        let verdict = if verdict.is_empty() { verdict } else { format!(" — {verdict}") };
        text += &format!("- {}{message}{verdict}\n", words.unwrap_or_default());
    }
    text
}

/// The message of a rule, if it is a plain text.
fn message(rule: &Validation) -> Option<String> {
    match &rule.error_message.as_ref()?.kind {
        ExprKind::String(it) => Some(it.trim().to_owned()),
        _ => rule.plain_message.as_ref().map(ToString::to_string),
    }
}

fn of_attribute(variable: &Variable, links: &[Link], it: &Attribute) -> String {
    let mut path = variable.name.to_string();
    for link in links {
        match link {
            Link::Key(name) => path += &format!(".{name}"),
            Link::Index(at) => path += &format!("[{at}]"),
            Link::Block(_) => (),
        }
    }
    let ty = type_source(&it.ty);
    let mut text = format!("```terraform\n{path}: {ty}\n```\n");
    text += &match &it.default {
        Some(_) if variable.is_hidden() => "optional".to_owned(),
        Some(default) => default_text(&value_source(default)),
        None if it.is_optional => "optional".to_owned(),
        None => "required".to_owned(),
    };
    text + "\n"
}

/// A default as it is shown, cut if it is long.
fn default_text(source: &str) -> String {
    if source.len() <= LONGEST && !source.contains('`') {
        return format!("default `{source}`");
    }
    "optional, with a long default".to_owned()
}
