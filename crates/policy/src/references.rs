//! Finds the object that an argument refers to, where a plan's `configuration` shows it.
//!
//! A plan lists the references of each expression, but not what the expression does with them, and it leaves
//! keys out. So a reference counts only if its expression has no other one. It is followed through the inputs
//! and outputs of modules. If `count.index` or `each.key` is next to it, it means the instance with the same
//! key. Everything else is undecided.

use std::collections::BTreeSet;

use super::plan::{Change, Module, Parts, PlanConfiguration, PlanJson, blocks_of};
use tf_value::{Number, Path, Step, quoted};
use verdict::written::ValueOrigin;

/// The most inputs and outputs of modules that are followed for one reference.
const MOST_STEPS: u32 = 64;

/// The possible origins of the value at a path of an object; one of them is right. `expressions` are the
/// arguments of its block.
pub(super) fn origins(
    configuration: &PlanConfiguration,
    expressions: &PlanJson,
    from: &Change,
    path: &Path,
) -> Vec<ValueOrigin> {
    const UNKNOWN: &[ValueOrigin] = &[ValueOrigin::Unknown];
    let is_expression =
        |it: &PlanJson| it.get("references").is_some() || it.get("constant_value").is_some();
    let mut all = vec![expressions];
    let (mut value, mut unknown) = (&from.values.after, &from.values.after_unknown);
    let mut steps = path.0.iter();
    while !all.iter().all(|it| is_expression(it)) {
        let Some(step) = steps.next() else { break };
        let inside: Option<Vec<&PlanJson>> = match (step, index(step), all.as_slice()) {
            (Step::Attribute(name), ..) => all.iter().map(|it| it.get(name)).collect(),
            (_, Some(at), [PlanJson::Array(blocks)]) => {
                let parts = |at| Parts { unknown: part(unknown, at), ..Parts::of(part(value, at)) };
                Some(blocks_of(&parts(at).to_value(), length(value).max(length(unknown)), blocks))
            }
            _ => None,
        };
        let Some(inside) = inside.filter(|it| !it.is_empty()) else { return UNKNOWN.to_vec() };
        (value, unknown) = (stepped(value, step), stepped(unknown, step));
        all = inside;
    }
    let scope = Scope { configuration, module: from.module.to_string(), key: known(&from.index) };
    let mut found: Vec<ValueOrigin> =
        all.into_iter().map(|it| scope.of_expression(it, MOST_STEPS)).collect();
    // If an expression gives several elements, it is not known which of them the reference is.
    for step in steps {
        if length(value).max(length(unknown)) > 1 {
            found.push(ValueOrigin::Unknown);
            break;
        }
        (value, unknown) = (stepped(value, step), stepped(unknown, step));
    }
    found.dedup();
    found
}

fn index(step: &Step) -> Option<usize> {
    let Step::Index(it) = step else { return None };
    usize::try_from(it.as_number().and_then(Number::to_u64)?).ok()
}

/// The JSON inside, by a step; null if there is none.
fn stepped<'j>(json: &'j PlanJson, step: &Step) -> &'j PlanJson {
    let inside = match step {
        Step::Attribute(name) => json.get(name),
        Step::Index(key) => match key.as_str() {
            Some(name) => json.get(name),
            None => index(step).and_then(|it| json.at(it)),
        },
    };
    inside.unwrap_or(&PlanJson::Null)
}

fn part(json: &PlanJson, at: usize) -> &PlanJson {
    json.at(at).unwrap_or(&PlanJson::Null)
}

fn length(json: &PlanJson) -> usize {
    match json {
        PlanJson::Array(it) => it.len(),
        PlanJson::Object(it) => it.len(),
        _ => 0,
    }
}

fn known(key: &PlanJson) -> Option<PlanJson> {
    (*key != PlanJson::Null).then(|| key.clone())
}

/// The key of an instance as written in brackets.
pub(super) fn key_text(key: &PlanJson) -> Option<String> {
    match key {
        PlanJson::Integer(it) => Some(it.to_string()),
        PlanJson::String(it) => Some(quoted(it)),
        _ => None,
    }
}

/// Where an expression is.
struct Scope<'p> {
    configuration: &'p PlanConfiguration,
    /// The module's address with keys: `module.net["a"]`.
    module: String,
    /// The value of `count.index` or `each.key`.
    key: Option<PlanJson>,
}

/// The object that a reference names: `aws_vpc.a[0].id` is of `Block("aws_vpc.a", Some("0"))`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Head<'r> {
    Block(&'r str, Option<&'r str>),
    Variable(&'r str),
    Output(&'r str, Option<&'r str>, &'r str),
    Other,
}

impl Scope<'_> {
    fn of_expression(&self, expression: &PlanJson, steps: u32) -> ValueOrigin {
        if expression.get("constant_value").is_some() {
            return ValueOrigin::Literal;
        }
        let Some(PlanJson::Array(all)) = expression.get("references") else {
            return ValueOrigin::Unknown;
        };
        let texts: Vec<&str> = all.iter().filter_map(PlanJson::as_str).collect();
        let by_key = texts.iter().any(|it| matches!(*it, "count.index" | "each.key"));
        let named = texts.iter().filter(|it| !matches!(**it, "count.index" | "each.key"));
        let heads: BTreeSet<Option<Head<'_>>> = named.map(|it| head(it)).collect();
        // A plan also lists `module.m` after each reference to one of its outputs; that one is skipped.
        let mut heads: Vec<Head<'_>> = heads.into_iter().flatten().collect();
        let keyed: Vec<&str> = heads
            .iter()
            .filter_map(|it| match it {
                Head::Block(block, Some(_)) => Some(*block),
                _ => None,
            })
            .collect();
        heads.retain(|it| !matches!(it, Head::Block(block, None) if keyed.contains(block)));
        let ([head], Some(steps)) = (heads.as_slice(), steps.checked_sub(1)) else {
            return ValueOrigin::Unknown;
        };
        match head {
            Head::Block(block, key) => {
                let key = match key {
                    Some(it) => serde_json::from_str(it).ok(),
                    None => self.key.clone().filter(|_| by_key),
                };
                let (module, key) = (self.module.clone(), key.as_ref().and_then(key_text));
                ValueOrigin::Block { module, block: (*block).to_owned(), key }
            }
            Head::Variable(name) if !by_key => self.of_variable(name, steps),
            Head::Output(call, key, name) if !by_key => self.of_output(call, *key, name, steps),
            _ => ValueOrigin::Unknown,
        }
    }

    fn of_variable(&self, name: &str, steps: u32) -> ValueOrigin {
        if self.module.is_empty() {
            return ValueOrigin::Literal;
        }
        let Some((outer, call, key)) = last_call(&self.module) else { return ValueOrigin::Unknown };
        let found = module(self.configuration, outer).and_then(|it| it.calls.get(call));
        let Some(found) = found else { return ValueOrigin::Unknown };
        let key = key.and_then(|it| serde_json::from_str(it).ok());
        let scope = Scope { configuration: self.configuration, module: outer.to_owned(), key };
        match found.expressions.get(name) {
            Some(it) => scope.of_expression(it, steps),
            None => ValueOrigin::Literal,
        }
    }

    fn of_output(&self, call: &str, key: Option<&str>, name: &str, steps: u32) -> ValueOrigin {
        let outer = module(self.configuration, &self.module);
        let Some(found) = outer.and_then(|it| it.calls.get(call)) else {
            return ValueOrigin::Unknown;
        };
        if found.is_repeated() && key.is_none() {
            return ValueOrigin::Unknown;
        }
        let separator = if self.module.is_empty() { "" } else { "." };
        let key = key.map_or(String::new(), |it| format!("[{it}]"));
        let inner = format!("{}{separator}module.{call}{key}", self.module);
        let Some(output) = found.module.outputs.get(name) else { return ValueOrigin::Unknown };
        let scope = Scope { configuration: self.configuration, module: inner, key: None };
        scope.of_expression(&output.expression, steps)
    }
}

/// The head of a reference; `None` for `module.m`, which a plan lists after each reference to its outputs.
fn head(text: &str) -> Option<Head<'_>> {
    let (root, rest) = name_of(text);
    let after = |rest: &str| -> Option<(usize, usize)> {
        let (name, _) = name_of(rest.strip_prefix('.')?);
        Some((text.len() - rest.len() + 1, name.len()))
    };
    let second = after(rest);
    let Some((start, length)) = second else { return Some(Head::Other) };
    let name = &text[start..start + length];
    let behind = &text[start + length..];
    Some(match root {
        "var" => Head::Variable(name),
        "module" => {
            let (key, behind) = key(behind);
            let Some(output) = behind.strip_prefix('.') else {
                return key.map(|_| Head::Other);
            };
            Head::Output(name, key, name_of(output).0)
        }
        "data" => {
            let Some((start, length)) = after(behind) else { return Some(Head::Other) };
            Head::Block(&text[..start + length], key(&text[start + length..]).0)
        }
        "local" | "each" | "count" | "path" | "terraform" | "self" | "ephemeral" => Head::Other,
        _ => Head::Block(&text[..start + length], key(behind).0),
    })
}

/// A name, and the text after it.
fn name_of(text: &str) -> (&str, &str) {
    text.split_at(text.find(['.', '[']).unwrap_or(text.len()))
}

/// The key in brackets, and the text after it.
fn key(text: &str) -> (Option<&str>, &str) {
    let Some(inner) = text.strip_prefix('[') else { return (None, text) };
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, it) in inner.char_indices() {
        if is_quoted {
            is_quoted = is_escaped || it != '"';
            is_escaped = !is_escaped && it == '\\';
        } else if it == ']' {
            return (Some(&inner[..at]), &inner[at + 1..]);
        } else {
            is_quoted = it == '"';
        }
    }
    (None, text)
}

/// The calls in a module's address: for each its offset, name and key.
fn calls(module: &str) -> Option<Vec<(usize, &str, Option<&str>)>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < module.len() {
        let rest = module[at..].strip_prefix("module.")?;
        let (name, behind) = name_of(rest);
        let (key, behind) = key(behind);
        found.push((at, name, key));
        at = module.len() - behind.len();
        if !behind.is_empty() {
            at += behind.strip_prefix('.').map(|_| 1)?;
        }
    }
    Some(found)
}

/// The module around the last call of an address, the call and its key.
fn last_call(module: &str) -> Option<(&str, &str, Option<&str>)> {
    let calls = calls(module)?;
    let (start, name, key) = calls.last()?;
    Some((module[..*start].trim_end_matches('.'), name, *key))
}

fn module<'p>(configuration: &'p PlanConfiguration, address: &str) -> Option<&'p Module> {
    let mut module = &configuration.root_module;
    for (_, name, _) in calls(address)? {
        module = &module.calls.get(name)?.module;
    }
    Some(module)
}
