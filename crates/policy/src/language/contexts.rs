//! `context "NAME" { … }`: values that are given to a run from outside, declared like a `variable`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use smol_str::SmolStr;

use super::{label, problem};
use diagnostics::{Diagnostic, Diagnostics, Role, Sources, Span, did_you_mean, lints};
use hcl::{Block, Body, Expr, Item, parse_body, parse_value};
use release::Release;
use system::DeniedSystem;
use tf_eval::{EvalHost, Meter, NoData, Scope, evaluate_constant, evaluate_part};
use tf_value::{
    Marks, Type, Value,
    typeexpr::{Constraint, parse_modern_type},
};

/// The arguments of a `context` block.
pub(super) const ARGUMENTS: [&str; 5] = ["type", "default", "description", "nullable", "sensitive"];
/// The arguments of a `validation` block.
pub(super) const VALIDATION: [&str; 2] = ["condition", "error_message"];

/// The values that are given for contexts; if a name is given twice, the last value counts.
#[derive(Clone, Debug, Default)]
pub struct GivenContexts {
    /// Files (path as shown, text) with `NAME = VALUE` in each line; before all texts.
    pub files: Vec<(String, Arc<[u8]>)>,
    /// `NAME` and the text of its value, from the environment: only for the inputs of `.policy.hcl` files, and
    /// only those that are declared. After all files, and before all texts.
    pub environment: Vec<(String, String)>,
    /// `NAME` and the text of its value.
    pub texts: Vec<(String, String)>,
    /// Values from a file, with the place of the name; after all texts.
    pub values: Vec<(SmolStr, Value, Span)>,
    /// The file (path as shown, text) that holds `values`, if it is not a file of rules.
    pub values_file: Option<(String, Arc<[u8]>)>,
    /// Names that another language declares.
    pub elsewhere: BTreeSet<SmolStr>,
}

/// The blocks that declare values.
#[derive(Clone, Copy)]
pub(crate) struct Declaring<'d> {
    /// `context` or `input`
    pub word: &'static str,
    /// Whether a name is declared by other blocks.
    pub is_elsewhere: &'d dyn Fn(&str) -> bool,
    /// Whether the environment sets values.
    pub has_environment: bool,
}

struct ContextBlock<'a> {
    /// The kind of the block.
    word: &'static str,
    span: Span,
    constraint: Constraint,
    default: Option<Value>,
    is_nullable: bool,
    is_sensitive: bool,
    validations: Vec<(&'a Expr, Option<&'a Expr>)>,
}

/// Evaluates all contexts, as one object.
pub(super) fn values(
    blocks: &[&Block],
    given: &GivenContexts,
    sources: &mut Sources,
    meter: &Meter,
) -> (Value, Diagnostics) {
    let is_elsewhere = &|name: &str| given.elsewhere.contains(name);
    let declaring = Declaring { word: "context", is_elsewhere, has_environment: false };
    values_of(declaring, blocks, given, sources, meter)
}

/// Evaluates the values of blocks that are declared like contexts, as one object.
pub(crate) fn values_of(
    declaring: Declaring<'_>,
    blocks: &[&Block],
    given: &GivenContexts,
    sources: &mut Sources,
    meter: &Meter,
) -> (Value, Diagnostics) {
    let Declaring { word, is_elsewhere, has_environment } = declaring;
    let mut problems = Vec::new();
    let mut declared: BTreeMap<SmolStr, ContextBlock<'_>> = BTreeMap::new();
    for block in blocks {
        let Some((name, span)) = label(block, "NAME", &mut problems) else { continue };
        let context = declaration(block, word, meter, &mut problems);
        if declared.insert(name.into(), context).is_some() {
            problems.push(problem(format!("Duplicate {word} {name:?}"), "", span));
        }
    }
    let is_declared = |name: &str| declared.contains_key(name) || !is_elsewhere(name);
    let mut found = from_files(given, sources, meter, &mut problems);
    let is_ours = |name: &str| has_environment && declared.contains_key(name);
    let environment = given.environment.iter().filter(|it| is_ours(&it.0));
    for (name, text) in environment.chain(&given.texts).filter(|it| is_declared(&it.0)) {
        let Some(context) = declared.get(name.as_str()) else {
            let hint = did_you_mean(name, declared.keys().map(SmolStr::as_str));
            let summary = format!("The {word} {name:?} is not declared.{hint}");
            problems.push(Diagnostic::new(&lints::INVALID_CONFIGURATION, summary));
            continue;
        };
        let value = from_text(name, text, &context.constraint, sources, meter, &mut problems);
        found.insert(name.into(), (value, context.span));
    }
    found.extend(from_values(given, sources));
    let mut values = BTreeMap::new();
    for (name, context) in &declared {
        let value = found.remove(name);
        let value = value_of(name, context, value, &mut problems);
        let secret =
            if context.is_sensitive { Marks::SENSITIVE | Marks::SECRET } else { Marks::NONE };
        values.insert(name.clone(), value.with_marks(secret));
    }
    for (name, (_, span)) in found.into_iter().filter(|it| !is_elsewhere(&it.0)) {
        let hint = did_you_mean(&name, declared.keys().map(SmolStr::as_str));
        problems.push(problem(format!("The {word} {name:?} is not declared.{hint}"), "", span));
    }
    let all = Value::object(values);
    for context in declared.values() {
        for (condition, message) in &context.validations {
            validate(condition, *message, &all, context.is_sensitive, meter, &mut problems);
        }
    }
    (all, problems)
}

fn declaration<'a>(
    block: &'a Block,
    word: &'static str,
    meter: &Meter,
    problems: &mut Diagnostics,
) -> ContextBlock<'a> {
    let mut context = ContextBlock {
        word,
        span: block.header,
        constraint: Constraint::any(),
        default: None,
        is_nullable: true,
        is_sensitive: false,
        validations: Vec::new(),
    };
    let mut default = None;
    for item in &block.body.items {
        let attribute = match item {
            Item::Attribute(it) => it,
            Item::Block(it) if it.kind.name == "validation" => {
                context.validations.extend(validation(&it.body, it.header, problems));
                continue;
            }
            Item::Block(it) => {
                problems.push(problem(
                    format!("Only validation blocks can be inside of {}", one_of(word)),
                    "",
                    it.header,
                ));
                continue;
            }
        };
        let expr = &attribute.value;
        match attribute.name.name.as_str() {
            "type" => {
                let fold = |it: &Expr| {
                    let (value, mut found) = constant(it, meter);
                    if found.is_empty() { Ok(value) } else { Err(found.swap_remove(0)) }
                };
                let (constraint, found) = parse_modern_type(expr, &fold);
                problems.extend(found.into_iter().map(as_ours));
                context.constraint = constraint;
            }
            "default" => default = Some(expr),
            "description" => (),
            "nullable" => context.is_nullable = flag(expr, meter, problems),
            "sensitive" => context.is_sensitive = flag(expr, meter, problems),
            name => {
                let hint = did_you_mean(name, ARGUMENTS.into_iter().chain(["validation"]));
                let of = one_of(word);
                let summary = format!("Unknown argument {name:?} in {of}.{hint}");
                problems.push(problem(summary, "", attribute.name.span));
            }
        }
    }
    if let Some(expr) = default {
        let (value, found) = constant(expr, meter);
        problems.extend(found.into_iter().map(as_ours));
        context.default = Some(value);
    }
    context
}

/// `a context`, `an input`
fn one_of(word: &str) -> String {
    let article = if word.starts_with('i') { "an" } else { "a" };
    format!("{article} {word}")
}

fn validation<'a>(
    body: &'a Body,
    span: Span,
    problems: &mut Diagnostics,
) -> Option<(&'a Expr, Option<&'a Expr>)> {
    let argument = |name: &str| {
        body.items.iter().find_map(|it| match it {
            Item::Attribute(it) if it.name.name == name => Some(&*it.value),
            _ => None,
        })
    };
    let [condition, message] = VALIDATION.map(argument);
    if condition.is_none() {
        problems.push(problem("A validation must have a condition and an error_message", "", span));
    }
    Some((condition?, message))
}

fn value_of(
    name: &str,
    context: &ContextBlock<'_>,
    given: Option<(Value, Span)>,
    problems: &mut Diagnostics,
) -> Value {
    let word = context.word;
    let unknown = || Value::unknown(context.constraint.ty.without_optional());
    let is_null = |it: &Value| it.is_null() && !context.is_nullable;
    let given = given.filter(|(it, _)| !(is_null(it) && context.default.is_some()));
    let span = given.as_ref().map_or(context.span, |it| it.1);
    let value = given.map(|it| it.0).or_else(|| context.default.clone());
    let Some(value) = value else {
        let detail = format!(
            "It has no default: use --context {name}=VALUE, or set {name} in `context` of a \
            policy block."
        );
        problems.push(problem(format!("The {word} {name:?} has no value"), detail, context.span));
        return unknown();
    };
    if is_null(&value) {
        problems.push(problem(format!("The {word} {name:?} must not be null"), "", span));
    }
    match context.constraint.accept(&value) {
        Ok(it) => it,
        Err(error) => {
            let summary = format!("The {word} {name:?} has another type");
            problems.push(problem(summary, format!("{error}."), span));
            unknown()
        }
    }
}

fn from_values(given: &GivenContexts, sources: &mut Sources) -> BTreeMap<SmolStr, (Value, Span)> {
    let mut values = given.values.clone();
    if let Some((path, bytes)) = &given.values_file {
        let file = sources.add(path.clone(), Arc::clone(bytes));
        values.iter_mut().for_each(|it| it.2.file = file);
        // An excerpt could show a value that a rule file declares as sensitive: it shows names.
        let mut names: Vec<Span> = values.iter().map(|it| it.2).collect();
        names.sort_unstable_by_key(|it| it.start);
        let starts = names.iter().skip(1).map(|it| it.range().start).chain([bytes.len()]);
        for (name, next) in names.iter().zip(starts) {
            sources.hide(Span::new(file, name.range().end, next));
        }
    }
    values.into_iter().map(|(name, value, span)| (name, (value, span))).collect()
}

fn from_files(
    given: &GivenContexts,
    sources: &mut Sources,
    meter: &Meter,
    problems: &mut Diagnostics,
) -> BTreeMap<SmolStr, (Value, Span)> {
    let mut found = BTreeMap::new();
    for (path, bytes) in &given.files {
        let id = sources.add(path.clone(), Arc::clone(bytes));
        let (body, errors) = parse_body(id, bytes);
        // An excerpt could show a value that a rule file declares as sensitive.
        sources.hide(Span::new(id, 0, bytes.len()));
        problems.extend(errors.into_iter().map(as_ours));
        for item in &body.items {
            match item {
                Item::Attribute(it) => {
                    let (value, errors) = constant(&it.value, meter);
                    problems.extend(errors.into_iter().map(as_ours));
                    found.insert(it.name.name.clone(), (value, it.name.span));
                }
                Item::Block(it) => {
                    problems.push(problem(
                        "A context file can contain only arguments",
                        "",
                        it.header,
                    ));
                }
            }
        }
    }
    found
}

/// Reads a value as Terraform reads `-var`: the text itself for a primitive type, otherwise an expression.
fn from_text(
    name: &str,
    text: &str,
    constraint: &Constraint,
    sources: &mut Sources,
    meter: &Meter,
    problems: &mut Diagnostics,
) -> Value {
    if matches!(constraint.ty, Type::String | Type::Number | Type::Bool | Type::Dynamic) {
        return Value::string(text);
    }
    let id = sources.add(format!("<value for context.{name}>"), text.as_bytes());
    sources.hide(Span::new(id, 0, text.len()));
    let (expr, found) = parse_value(id, text.as_bytes(), 0);
    let is_sound = found.is_empty();
    problems.extend(found.into_iter().map(as_ours));
    if !is_sound {
        return Value::unknown(Type::Dynamic);
    }
    let (value, found) = constant(&expr, meter);
    problems.extend(found.into_iter().map(as_ours));
    value
}

pub(super) fn constant(expr: &Expr, meter: &Meter) -> (Value, Diagnostics) {
    let system = DeniedSystem;
    let host = EvalHost::metered(&system, Path::new(""), Release::NEWEST, meter);
    host.begin(None);
    evaluate_constant(expr, &host, Release::NEWEST)
}

fn flag(expr: &Expr, meter: &Meter, problems: &mut Diagnostics) -> bool {
    let value = constant(expr, meter).0.as_bool();
    if value.is_none() {
        problems.push(problem("true or false is expected", "", expr.span));
    }
    value.unwrap_or(false)
}

/// Judges a `validation`, which refers to `context.NAME`.
fn validate(
    condition: &Expr,
    message: Option<&Expr>,
    all: &Value,
    is_sensitive: bool,
    meter: &Meter,
    problems: &mut Diagnostics,
) {
    let names = [("context".into(), all.clone())];
    let system = DeniedSystem;
    let host = EvalHost::metered(&system, Path::new(""), Release::NEWEST, meter);
    let scope = Scope { data: &NoData, host: &host, release: Release::NEWEST };
    let evaluated = |expr: &Expr| {
        host.begin(None);
        let wrong = tf_eval::check_references_within(expr, &scope, &["context"]);
        if wrong.is_empty() {
            evaluate_part(expr, &scope, &names).value
        } else {
            Value::null(Type::Bool)
        }
    };
    if evaluated(condition).as_bool() == Some(true) {
        return;
    }
    let shown = message.map(evaluated).filter(|it| !is_sensitive && !it.deep_marks().is_hidden());
    let shown = shown.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    problems.push(problem("The value of a context is not valid", shown, condition.span));
}

fn as_ours(it: Diagnostic) -> Diagnostic {
    let labels = it.labels.into_iter();
    let labels = labels.map(|it| diagnostics::Label { role: Role::Rule, ..it }).collect();
    Diagnostic { rule: (&lints::INVALID_CONFIGURATION).into(), labels, ..it }
}
