//! The variables of the root module that an error of the whole module may follow from.

use std::{
    collections::{BTreeSet, VecDeque},
    path::Path,
};

use smol_str::SmolStr;

use super::{uses::tables, variants::Clues};
use diagnostics::{Cause, EvalError, Finding, Location, Position, lints};
use hcl::{
    Body, Expr, ExprKind, Item,
    analysis::{PathStep, Reference, references},
    parse_body,
};
use module::{Module, Repetition};
use projection::sets::{Sample, ValueSet, witnesses};
use tf_value::Type;
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
            let each = references(&argument.expr).iter().any(|it| it.root.name == "each");
            let each = call.repetition.for_each.iter().filter(|_| each);
            outer.extend(variables(caller, each.chain([&*argument.expr])));
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

/// Whether nothing that an error is about depends on a variable of the root module: its expressions refer to locals,
/// to arguments of calls and to instances for which the same holds.
pub fn is_certain(module: &Module, tree: &ModuleTree, finding: &Finding) -> bool {
    let way = way(tree, &finding.address);
    let modules: Vec<&Module> =
        std::iter::once(module).chain(way.iter().map(|it| &it.module.module)).collect();
    let closed = Closed { modules: &modules, way: &way };
    let own = modules[way.len()];
    let mut seen = BTreeSet::new();
    let (mut is_certain, mut count) = (finding.variable.is_none(), 0);
    for around in [Around::Attribute, Around::Block] {
        for place in &finding.locations {
            at_place(own, place, around, &mut |expr| {
                count += 1;
                is_certain = is_certain && closed.is_closed(way.len(), expr, &mut seen);
            });
        }
        if count > 0 {
            break;
        }
    }
    is_certain && count > 0
}

/// Expressions of the modules on the way to an error.
struct Closed<'m> {
    /// From the root module on.
    modules: &'m [&'m Module],
    way: &'m [&'m Called],
}

impl Closed<'_> {
    /// Whether an expression of a module depends on no variable of the root module. `seen`: what was looked at.
    fn is_closed(
        &self,
        at: usize,
        expr: &Expr,
        seen: &mut BTreeSet<(usize, SmolStr, SmolStr)>,
    ) -> bool {
        let module = self.modules[at];
        references(expr).into_iter().all(|reference| {
            let Some(PathStep::Attr(name)) = reference.steps.first() else { return false };
            let root = &reference.root.name;
            if seen.len() > MOST {
                return false;
            }
            if !seen.insert((at, root.clone(), name.clone())) {
                return true;
            }
            let mut inner = |at, expr| stack::guarded(|| self.is_closed(at, expr, seen));
            match root.as_str() {
                "path" | "terraform" => true,
                "local" => module.locals.get(name).is_some_and(|it| inner(at, &it.expr)),
                "var" => {
                    // A variable of the root module may have any value.
                    let Some(outer) = at.checked_sub(1) else { return false };
                    let call = self.modules[outer].calls.get(&self.way[outer].call);
                    call.is_some_and(|call| {
                        let argument = call.arguments.get(name);
                        argument.is_none_or(|it| inner(outer, &it.expr))
                    })
                }
                "module" | "each" | "count" | "self" => false,
                _ => {
                    let repetition = repeated(module, &reference);
                    repetition.is_some_and(|own| own.expr().is_none_or(|it| inner(at, it)))
                }
            }
        })
    }
}

/// What an error names: in its message, and in the expressions at its places, in each module on the way to it.
pub fn clues(module: &Module, tree: &ModuleTree, finding: &Finding) -> Clues {
    let way = way(tree, &finding.address);
    let missing = [EvalError::InvalidIndex, EvalError::MissingElement];
    let is_missing = |it: &Cause| missing.iter().any(|one| *it == Cause::Evaluation(one.clone()));
    let lacks_element = finding.cause.as_ref().is_some_and(is_missing);
    let mut clues = Clues { lacks_element, ..Clues::default() };
    clues.names.extend(finding.variable.iter().map(SmolStr::new));
    let mut found = Vec::new();
    for own in std::iter::once(module).chain(way.iter().map(|it| &it.module.module)) {
        for place in &finding.locations {
            at_place(own, place, Around::Attribute, &mut |expr| {
                for it in references(expr) {
                    let steps = it.steps.iter().filter_map(|it| match it {
                        PathStep::Attr(name) => Some(name.clone()),
                        _ => None,
                    });
                    found.extend(steps);
                    // A key that is missing there is missing in what is repeated.
                    let repetition = repeated(own, &it).filter(|_| lacks_element);
                    let repetition = repetition.and_then(Repetition::expr);
                    found.extend(repetition.map(|it| variables(own, [it])).unwrap_or_default());
                }
                texts(own, expr, LOCALS, &mut clues.texts);
            });
        }
    }
    // The values of the operands.
    for place in &finding.locations {
        let words = place.text.split('"').skip(1).step_by(2);
        clues.texts.extend(words.map(SmolStr::new));
    }
    clues.names.extend(found);
    let is_rule = finding.rule != lints::FAILED_EVALUATION;
    for word in words(&finding.message) {
        clues.names.push(word.clone());
        clues.texts.extend(is_rule.then_some(word));
    }
    clues.texts.push(SmolStr::new_static("example"));
    for all in [&mut clues.names, &mut clues.texts] {
        let mut seen = BTreeSet::new();
        all.retain(|it| seen.insert(it.clone()));
        all.truncate(CLUES);
    }
    clues
}

/// The most names and texts that an error gives.
const CLUES: usize = 40;

/// The words of a message: those between quotes first, then those of its last sentence.
fn words(message: &str) -> Vec<SmolStr> {
    let is_wordy = |it: char| it.is_ascii_alphanumeric() || "_-./:".contains(it);
    let mut out = Vec::new();
    for quote in ['"', '`', '\''] {
        let parts = message.split(quote).skip(1).step_by(2).map(|it| it.trim_matches('\\'));
        out.extend(parts.filter(|it| !it.is_empty() && it.chars().all(is_wordy)));
    }
    let last = message.rsplit(": ").next().unwrap_or_default();
    out.extend(last.split(|it| !is_wordy(it)).map(|it| it.trim_matches(['.', ':'])));
    // A reference is not a value.
    let is_reference =
        |it: &str| ["var.", "local.", "each.", "module."].iter().any(|root| it.starts_with(root));
    out.retain(|it| !it.is_empty() && !is_reference(it));
    out.into_iter().map(SmolStr::new).collect()
}

/// The constant texts in an expression and in the locals that it refers to; for a pattern, texts that match it.
fn texts(module: &Module, expr: &Expr, levels: usize, out: &mut Vec<SmolStr>) {
    if out.len() > MOST {
        return;
    }
    if let ExprKind::Call { name, args, .. } = &expr.kind
        && matches!(name.name.as_str(), "regex" | "regexall")
        && let Some(pattern) = args.first().and_then(|it| tables::text(module, it))
    {
        let set = ValueSet::Matches(pattern.to_string());
        let matching = witnesses(&set, &Type::String, Sample { count: 3, seed: 1, null: false });
        out.extend(matching.iter().filter_map(|it| it.as_str().map(SmolStr::new)));
    }
    if let ExprKind::String(it) = &expr.kind {
        out.push(it.clone());
    }
    if let Some(levels) = levels.checked_sub(1)
        && let Some(it) = local(module, expr)
    {
        stack::guarded(|| texts(module, it, levels, out));
    }
    stack::guarded(|| expr.for_each_child(&mut |it| texts(module, it, levels, out)));
}

/// How many locals are followed one after the other for texts.
const LOCALS: usize = 2;

fn local<'m>(module: &'m Module, expr: &Expr) -> Option<&'m Expr> {
    let ExprKind::GetAttr { base, name } = &expr.kind else { return None };
    let is_local = matches!(&base.kind, ExprKind::Variable(root) if root == "local");
    is_local.then(|| module.locals.get(&name.name).map(|it| &it.expr))?
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
    let mut out = Vec::new();
    at_place(module, place, around, &mut |it| out.extend(variables(module, [it])));
    out
}

/// Visits the expressions at a place: the smallest one first, then the attribute, then those of the block.
fn at_place(module: &Module, place: &Location, around: Around, visit: &mut dyn FnMut(&Expr)) {
    let name = |it: &str| Path::new(it).file_name().map(ToOwned::to_owned);
    for (id, file) in module.sources.files() {
        let is_native = Path::new(&file.path).extension().is_none_or(|it| it != "json");
        if id.is_adopted() || !is_native || name(&file.path) != name(&place.file) {
            continue;
        }
        let offset = |line, column| file.offset(Position { line, column }) as usize;
        let at = offset(place.line, place.column);
        let end = offset(place.end_line, place.end_column).max(at);
        let (body, _) = parse_body(id, &file.bytes);
        let mut found = Vec::new();
        exprs_at(&body, (at, end), around, &mut found);
        found.into_iter().for_each(&mut *visit);
    }
}

/// The expressions of the block at a place. Each local is a block of its own.
fn exprs_at<'b>(
    body: &'b Body,
    (at, end): (usize, usize),
    around: Around,
    out: &mut Vec<&'b Expr>,
) {
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        let span = block.body.span;
        if !(block.kind.span.start as usize..=span.end as usize).contains(&at) {
            continue;
        }
        let mut all = Vec::new();
        attributes(&block.body, &mut all);
        let holds = |it: &&Expr| (it.span.start as usize..=it.span.end as usize).contains(&at);
        for it in all.iter().copied().filter(holds) {
            out.extend([smallest(it, (at, end)), it]);
        }
        if block.kind.name != "locals" && around == Around::Block {
            out.extend(all.into_iter().filter(|it| !holds(it)));
        }
    }
}

/// The smallest part of an expression with a range.
fn smallest(expr: &Expr, (at, end): (usize, usize)) -> &Expr {
    let mut found = expr;
    loop {
        let mut inner = None;
        found.for_each_child(&mut |it| {
            let span = it.span;
            if span.start as usize <= at && end <= span.end as usize {
                inner = Some(it);
            }
        });
        match inner {
            Some(it) => found = it,
            None => return found,
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

/// The variables that expressions refer to, also through locals, and those that decide about the instances of what
/// they refer to; the nearest first.
fn variables<'e>(module: &'e Module, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<SmolStr> {
    let mut left: VecDeque<&Expr> = exprs.into_iter().collect();
    let mut of_instances: VecDeque<&Expr> = VecDeque::new();
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some(expr) = left.pop_front().or_else(|| of_instances.pop_front()) {
        for it in references(expr) {
            let Some(PathStep::Attr(name)) = it.steps.first() else { continue };
            if seen.len() > MOST || !seen.insert((it.root.name.clone(), name.clone())) {
                continue;
            }
            match it.root.name.as_str() {
                "var" => out.push(name.clone()),
                "local" => left.extend(module.locals.get(name).map(|it| &it.expr)),
                _ => of_instances.extend(repeated(module, &it).and_then(Repetition::expr)),
            }
        }
    }
    out
}

/// How often the resource or the call exists that a reference leads to.
fn repeated<'m>(module: &'m Module, reference: &Reference) -> Option<&'m Repetition> {
    let attribute = |at: usize| match reference.steps.get(at) {
        Some(PathStep::Attr(it)) => Some(it.clone()),
        _ => None,
    };
    let (root, name) = (&reference.root.name, attribute(0)?);
    match root.as_str() {
        "module" => module.calls.get(&name).map(|it| &it.repetition),
        "data" => {
            let key = (SmolStr::new(format!("data.{name}")), attribute(1)?);
            module.resources.get(&key).map(|it| &it.repetition)
        }
        _ => module.resources.get(&(root.clone(), name)).map(|it| &it.repetition),
    }
}

/// The name of the variable that an expression is.
fn plain(expr: &Expr) -> Option<SmolStr> {
    match &expr.bare().kind {
        ExprKind::GetAttr { base, name } => {
            let is_variable = matches!(&base.kind, ExprKind::Variable(root) if root == "var");
            is_variable.then(|| name.name.clone())
        }
        _ => None,
    }
}
