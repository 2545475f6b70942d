//! The normal form of the objects that rules refer to: resources, data sources and calls.

use std::{collections::BTreeSet, fmt::Write};

use super::{
    form::form,
    names::{Names, names},
};
use hcl::Expr;
use module::{BlockContent, BodyArgument, Module, Repetition, WrittenBody};
use stack::guarded;

/// The most objects that one expression refers to, through others too.
const MOST: usize = 40;

/// The normal form of an expression and of everything that it refers to, except variables and locals; `None` if
/// that depends on files or the time, or is not here.
pub fn deep_form(expr: &Expr, module: &Module) -> Option<String> {
    let mut out = form(expr, module)?;
    let mut left: Vec<String> = others(expr, module).into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(address) = left.pop() {
        if !seen.insert(address.clone()) {
            continue;
        }
        (seen.len() <= MOST).then_some(())?;
        let (text, exprs) = object(&address, module)?;
        _ = write!(out, "; {address} {text}");
        for expr in exprs {
            out.push_str(&form(expr, module)?);
            out.push(',');
            left.extend(others(expr, module));
        }
    }
    Some(out)
}

fn others(expr: &Expr, module: &Module) -> BTreeSet<String> {
    let Names { mut others, .. } = names(expr, module);
    let is_builtin = |it: &str| matches!(it, "path" | "terraform" | "each" | "count" | "self");
    others.retain(|it| !is_builtin(it.split('.').next().unwrap_or_default()));
    others
}

/// The names in an object as a text, and its expressions.
fn object<'m>(address: &str, module: &'m Module) -> Option<(String, Vec<&'m Expr>)> {
    let (kind, name) = address.rsplit_once('.')?;
    let (mut text, mut exprs) = (String::new(), Vec::new());
    if kind == "module" {
        let call = module.calls.get(name)?;
        // A module at a local path may have changed, too.
        let (source, _) = call.source.as_ref().filter(|it| !it.0.starts_with('.'))?;
        let version = call.version.as_ref().map_or("", |it| it.0.as_str());
        _ = write!(text, "{source} {version}");
        repeated(&call.repetition, &mut text, &mut exprs);
        arguments(call.arguments.values(), &mut text, &mut exprs);
        return Some((text, exprs));
    }
    let resource = module.resources.get(&(kind.into(), name.into()))?;
    repeated(&resource.repetition, &mut text, &mut exprs);
    body(&resource.body, &mut text, &mut exprs);
    Some((text, exprs))
}

fn repeated<'m>(it: &'m Repetition, text: &mut String, exprs: &mut Vec<&'m Expr>) {
    for (name, expr) in [("count", &it.count), ("for_each", &it.for_each), ("enabled", &it.enabled)]
    {
        if let Some(expr) = expr {
            text.push_str(name);
            exprs.push(expr);
        }
    }
}

fn arguments<'m>(
    all: impl Iterator<Item = &'m BodyArgument>,
    text: &mut String,
    exprs: &mut Vec<&'m Expr>,
) {
    for it in all {
        _ = write!(text, " {}", it.name.name);
        exprs.push(&it.expr);
    }
}

fn body<'m>(it: &'m WrittenBody, text: &mut String, exprs: &mut Vec<&'m Expr>) {
    guarded(|| {
        arguments(it.arguments.iter(), text, exprs);
        for block in &it.blocks {
            _ = write!(text, " {} {{", block.kind.name);
            match &block.content {
                BlockContent::Plain(inner) => body(inner, text, exprs),
                BlockContent::Dynamic(inner) => {
                    _ = write!(text, " dynamic {} ", inner.iterator);
                    exprs.extend(&inner.for_each);
                    body(&inner.body, text, exprs);
                }
            }
            text.push('}');
        }
    });
}
