//! `locals`: values, and validators by name.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    reader::{Local, RuleFileReader, is_function, local_names},
    words,
};
use hcl::{Attribute, Expr, ExprKind};
use stack::guarded;
use tf_eval::references;
use tf_value::Value;

/// Reads each local after the locals that it refers to; a cycle is an error.
pub(super) fn read(reader: &mut RuleFileReader<'_>, all: &BTreeMap<SmolStr, &Attribute>) {
    let mut waiting: BTreeMap<&SmolStr, BTreeSet<SmolStr>> = BTreeMap::new();
    let mut behind: BTreeMap<SmolStr, Vec<&SmolStr>> = BTreeMap::new();
    let mut ready = Vec::new();
    for (name, attribute) in all {
        let mut needs = local_names(&attribute.value);
        needs.retain(|it| all.contains_key(it));
        if needs.is_empty() {
            ready.push(name);
            continue;
        }
        for it in &needs {
            behind.entry(it.clone()).or_default().push(name);
        }
        waiting.insert(name, needs);
    }
    while let Some(name) = ready.pop() {
        let local = one(reader, &all[name].value);
        reader.locals.insert(name.clone(), local);
        for after in behind.remove(name).unwrap_or_default() {
            let Some(needs) = waiting.get_mut(after) else { continue };
            needs.remove(name);
            if needs.is_empty() {
                waiting.remove(after);
                ready.push(after);
            }
        }
    }
    // Every local that still waits is in a cycle, or waits for a local in one.
    if let Some((name, _)) = waiting.iter().next() {
        let circle = circle(name, &waiting);
        let span = all[circle[0]].name.span;
        let names: Vec<String> = circle.iter().map(|it| format!("local.{it}")).collect();
        reader.error("Locals refer to each other in a cycle", names.join(" -> "), span);
    }
    let values = reader.locals.iter();
    let values = values.filter_map(|(name, it)| Some((name.clone(), it.value.clone()?)));
    reader.names.local = Value::object(values.collect());
}

/// The names of a cycle that can be reached from `from`.
fn circle<'n>(
    from: &'n SmolStr,
    waiting: &'n BTreeMap<&'n SmolStr, BTreeSet<SmolStr>>,
) -> Vec<&'n SmolStr> {
    let (mut path, mut seen) = (vec![from], BTreeMap::from([(from, 0)]));
    let mut at = from;
    loop {
        // Each waiting local waits for another one, so that this ends in a cycle.
        let next = waiting[at].iter().find(|it| waiting.contains_key(it));
        let Some(next) = next else { return path };
        path.push(next);
        if let Some(first) = seen.insert(next, path.len() - 1) {
            return path.split_off(first);
        }
        at = next;
    }
}

fn one(reader: &mut RuleFileReader<'_>, expr: &Expr) -> Local {
    let before = reader.problems.len();
    let value = if is_value(reader, expr) { reader.constant(expr) } else { None };
    let failed = reader.problems.len() > before;
    let between = reader.problems.len();
    let validator = if failed { None } else { reader.validator(expr) };
    let mut problems = reader.problems.split_off(between);
    if value.is_none() {
        // The local can only be a validator, so its problems as one are reported at once.
        reader.problems.append(&mut problems);
    }
    Local { value, validator, problems }
}

/// Whether the definition is a value: it mentions neither validators nor the judged object.
fn is_value(reader: &RuleFileReader<'_>, expr: &Expr) -> bool {
    let is_known = |name: &str| match name {
        "context" | "local" => true,
        "self" | "prior" | "parent" | "attrs" | "meta" => false,
        _ => !words::VALIDATORS.contains(&name),
    };
    let of_values = local_names(expr)
        .iter()
        .all(|name| reader.locals.get(name).is_none_or(|it| it.value.is_some()));
    of_values && references(expr).iter().all(|it| is_known(it.name)) && calls_functions(expr)
}

/// Whether every call in it is of a function, and none of a validator.
fn calls_functions(expr: &Expr) -> bool {
    if let ExprKind::Call { name, .. } = &expr.kind
        && !is_function(&name.name)
    {
        return false;
    }
    let mut all = true;
    if !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| all = all && calls_functions(it)));
    }
    all
}
