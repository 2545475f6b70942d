//! The variables of the root module that an error of the whole module may follow from.

use std::{
    collections::{BTreeSet, VecDeque},
    path::Path,
};

use smol_str::SmolStr;

use diagnostics::{Finding, Location, Position};
use hcl::{
    Body, Expr, ExprKind, Item,
    analysis::{PathStep, references},
    parse_body,
};
use module::Module;
use verdict::tree::{Called, Link, Links, ModuleTree};

/// The most names that are followed for one error.
const MOST: usize = 400;

/// A called module's variable that one of the root module's is handed to.
pub struct HandedOn<'t> {
    pub to: &'t Called,
    pub variable: SmolStr,
}

/// A variable that an error may follow from.
pub struct Suspect<'t> {
    pub name: SmolStr,
    /// The called module's variable that the error is about, if it takes the value as it is.
    pub handed_on: Option<HandedOn<'t>>,
}

/// How far around the place of an error variables are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Around {
    Attribute,
    /// The attribute first.
    Block,
}

/// The variables that an error may follow from; the nearest first.
pub fn suspects<'t>(
    module: &Module,
    tree: &'t ModuleTree,
    finding: &Finding,
    around: Around,
) -> Vec<Suspect<'t>> {
    let way = way(tree, &finding.address);
    let own = way.last().map_or(module, |it| &it.module.module);
    let mut names: Vec<SmolStr> = match &finding.variable {
        Some(it) => vec![SmolStr::new(it)],
        None => finding.locations.iter().flat_map(|it| near(own, it, around)).collect(),
    };
    // What a message names is meant.
    names.sort_by_key(|it| !finding.message.contains(&format!("var.{it}")));
    let mut handed: Vec<(SmolStr, SmolStr)> = Vec::new();
    if let (Some(variable), Some(_)) = (&finding.variable, way.last()) {
        handed.push((SmolStr::new(variable), SmolStr::new(variable)));
    }
    for (at, called) in way.iter().enumerate().rev() {
        let caller = match at.checked_sub(1) {
            Some(it) => &way[it].module.module,
            None => module,
        };
        let Some(call) = caller.calls.get(&called.call) else { return Vec::new() };
        let mut outer = Vec::new();
        let mut still = Vec::new();
        for name in names {
            let Some(argument) = call.arguments.get(&name) else { continue };
            let is_handed = handed.iter().find(|it| it.0 == name).map(|it| it.1.clone());
            if let (Some(of), Some(own)) = (is_handed, plain(&argument.expr)) {
                still.push((own, of));
            }
            outer.extend(variables(caller, [&*argument.expr]));
        }
        (names, handed) = (outer, still);
    }
    let mut seen = BTreeSet::new();
    names.retain(|it| seen.insert(it.clone()));
    let suspect = |name: SmolStr| {
        let of = handed.iter().find(|it| it.0 == name).zip(way.last());
        let handed_on = of.map(|(it, to)| HandedOn { to, variable: it.1.clone() });
        Suspect { name, handed_on }
    };
    names.into_iter().filter(|it| module.variables.contains_key(it)).map(suspect).collect()
}

/// The called modules from the root to an address such as `module.a["x"].module.b`.
fn way<'t>(tree: &'t ModuleTree, address: &str) -> Vec<&'t Called> {
    let mut links: &Links = &tree.calls;
    let mut way = Vec::new();
    let mut steps = address.split('.');
    while let (Some("module"), Some(step)) = (steps.next(), steps.next()) {
        let name = step.split('[').next().unwrap_or_default();
        let Some(Link::To(place)) = links.get(name) else { break };
        let called = &tree.called[*place];
        way.push(called);
        links = &called.calls;
    }
    way
}

/// The variables that the attribute or the block at a place refers to, also through locals.
fn near(module: &Module, place: &Location, around: Around) -> Vec<SmolStr> {
    let name = |it: &str| Path::new(it).file_name().map(ToOwned::to_owned);
    let mut out = Vec::new();
    for (id, file) in module.sources.files() {
        let is_native = Path::new(&file.path).extension().is_none_or(|it| it != "json");
        if id.is_adopted() || !is_native || name(&file.path) != name(&place.file) {
            continue;
        }
        let at = file.offset(Position { line: place.line, column: place.column }) as usize;
        let (body, _) = parse_body(id, &file.bytes);
        let mut found = Vec::new();
        exprs_at(&body, at, around, &mut found);
        out.extend(variables(module, found));
    }
    out
}

/// The expressions of the block at a place: those of the attribute first. Each local is a block of its own.
fn exprs_at<'b>(body: &'b Body, at: usize, around: Around, out: &mut Vec<&'b Expr>) {
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        let span = block.body.span;
        if !(block.kind.span.start as usize..=span.end as usize).contains(&at) {
            continue;
        }
        let mut all = Vec::new();
        attributes(&block.body, &mut all);
        let holds = |it: &&Expr| (it.span.start as usize..=it.span.end as usize).contains(&at);
        out.extend(all.iter().copied().filter(holds));
        if block.kind.name != "locals" && around == Around::Block {
            out.extend(all.into_iter().filter(|it| !holds(it)));
        }
    }
}

fn attributes<'b>(body: &'b Body, out: &mut Vec<&'b Expr>) {
    for item in &body.items {
        match item {
            Item::Attribute(it) => out.push(&it.value),
            Item::Block(it) => stack::guarded(|| attributes(&it.body, out)),
        }
    }
}

/// The variables that expressions refer to, also through locals; the nearest first.
fn variables<'e>(module: &'e Module, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<SmolStr> {
    let mut left: VecDeque<&Expr> = exprs.into_iter().collect();
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some(expr) = left.pop_front() {
        for it in references(expr) {
            let Some(PathStep::Attr(name)) = it.steps.first() else { continue };
            if seen.len() > MOST || !seen.insert((it.root.name.clone(), name.clone())) {
                continue;
            }
            match it.root.name.as_str() {
                "var" => out.push(name.clone()),
                "local" => left.extend(module.locals.get(name).map(|it| &it.expr)),
                _ => (),
            }
        }
    }
    out
}

/// The name of the variable that an expression is.
fn plain(expr: &Expr) -> Option<SmolStr> {
    match &expr.kind {
        ExprKind::Paren(inner) => stack::guarded(|| plain(inner)),
        ExprKind::GetAttr { base, name } => {
            let is_variable = matches!(&base.kind, ExprKind::Variable(root) if root == "var");
            is_variable.then(|| name.name.clone())
        }
        _ => None,
    }
}
