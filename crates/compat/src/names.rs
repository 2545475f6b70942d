//! Finds the variables that an expression depends on, also through locals.

use std::collections::BTreeSet;

use hcl::{
    Expr, ExprKind,
    analysis::{PathStep, references},
};
use module::Module;
use smol_str::SmolStr;
use stack::guarded;

/// The names that an expression refers to.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub variables: BTreeSet<SmolStr>,
    locals: BTreeSet<SmolStr>,
    /// Resources, data sources and calls, each as `TYPE.NAME`, and whatever else is not a variable.
    pub others: BTreeSet<String>,
}

impl Names {
    pub fn locals(&self) -> impl Iterator<Item = &SmolStr> {
        self.locals.iter()
    }
}

/// All names that the expression refers to, and those that its locals refer to.
pub fn names(expr: &Expr, module: &Module) -> Names {
    let mut names = Names::default();
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        for it in references(expr) {
            let first = match it.steps.first() {
                Some(PathStep::Attr(name)) => name.clone(),
                _ => SmolStr::default(),
            };
            match it.root.name.as_str() {
                "var" => _ = names.variables.insert(first),
                "local" => {
                    if names.locals.insert(first.clone())
                        && let Some(local) = module.locals.get(&first)
                    {
                        left.push(&local.expr);
                    }
                }
                "data" | "ephemeral" => {
                    let second = match it.steps.get(1) {
                        Some(PathStep::Attr(name)) => name.as_str(),
                        _ => "",
                    };
                    names.others.insert(format!("{}.{first}.{second}", it.root.name));
                }
                root => _ = names.others.insert(format!("{root}.{first}")),
            }
        }
    }
    names
}

// The attributes of a variable that a module reads, so that witnesses have the names that callers write.

/// The most names.
const MOST: usize = 4;

/// The names that the module reads of a variable: `name` of `var.settings.name`.
pub fn read_names(module: &Module, variable: &str) -> Vec<SmolStr> {
    let mut all: Vec<&Expr> = module.locals.values().map(|it| &it.expr).collect();
    all.extend(module.outputs.values().filter_map(|it| it.value.as_ref()));
    all.extend(module.calls.values().flat_map(|call| call.arguments.values().map(|it| &*it.expr)));
    for it in module.resources.values() {
        it.body.expressions(&mut all);
    }
    let rules = module.variables.values().flat_map(|it| &it.validations);
    all.extend(rules.map(|it| &it.condition));
    let mut out = Vec::new();
    all.into_iter().for_each(|it| gather(it, variable, &mut out));
    out
}

fn gather(expr: &Expr, variable: &str, out: &mut Vec<SmolStr>) {
    if out.len() >= MOST {
        return;
    }
    let name = match &expr.kind {
        ExprKind::GetAttr { base, name } if is_variable(base, variable) => Some(&name.name),
        ExprKind::Index { base, key, .. } if is_variable(base, variable) => text(key),
        ExprKind::Call { name, args, expand: false } if name.name == "lookup" => {
            match args.as_slice() {
                [of, key, ..] if is_variable(of, variable) => text(key),
                _ => None,
            }
        }
        _ => None,
    };
    if let Some(name) = name.filter(|it| !out.contains(it)) {
        out.push(name.clone());
    }
    guarded(|| expr.for_each_child(&mut |it| gather(it, variable, out)));
}

fn is_variable(expr: &Expr, variable: &str) -> bool {
    let ExprKind::GetAttr { base, name } = &expr.bare().kind else { return false };
    name.name == variable && matches!(&base.kind, ExprKind::Variable(it) if it == "var")
}

fn text(expr: &Expr) -> Option<&SmolStr> {
    match &expr.bare().kind {
        ExprKind::String(it) => Some(it),
        _ => None,
    }
}
