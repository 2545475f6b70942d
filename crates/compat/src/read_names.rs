//! The attributes of a variable that a module reads, so that witnesses have the names that callers write.

use smol_str::SmolStr;

use hcl::{Expr, ExprKind};
use module::Module;
use stack::guarded;

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
