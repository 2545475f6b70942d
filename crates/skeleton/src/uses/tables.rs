//! Tables in which a module looks something up: the keys of `local.sizes` in `local.sizes[var.size]`.

use smol_str::SmolStr;

use hcl::{Expr, ExprKind, ObjectItem, ObjectKey};
use module::Module;
use stack::guarded;

/// How many expressions are followed to a table.
const MOST_STEPS: usize = 40;

/// The key that an example of a table has, which `hints` writes.
const EXAMPLE: SmolStr = SmolStr::new_static("example");

/// The keys of a table; empty if they are not known.
pub fn keys(module: &Module, table: &Expr) -> Vec<SmolStr> {
    let mut left = MOST_STEPS;
    if let Some(items) = items(module, table, &mut left) {
        let names: Option<Vec<SmolStr>> = items.iter().map(key).collect();
        return names.unwrap_or_default();
    }
    // A variable without a default gets a value with one key.
    match variable(table).and_then(|it| module.variables.get(it)) {
        Some(it) if it.is_required() => vec![EXAMPLE],
        _ => Vec::new(),
    }
}

/// The entries of the object that an expression is.
fn items<'e>(module: &'e Module, expr: &'e Expr, left: &mut usize) -> Option<&'e [ObjectItem]> {
    *left = left.checked_sub(1)?;
    guarded(|| match &expr.bare().kind {
        ExprKind::Object(all) if !all.is_empty() => Some(all.as_slice()),
        ExprKind::GetAttr { base, name } => {
            let root = match &base.kind {
                ExprKind::Variable(root) => root.as_str(),
                _ => "",
            };
            let referred = match root {
                "local" => Some(&module.locals.get(&name.name)?.expr),
                "var" => {
                    let variable = module.variables.get(&name.name)?;
                    // The keys are a part of the default.
                    let default = variable.default_expr.as_ref();
                    Some(default.filter(|_| !variable.is_hidden())?)
                }
                _ => None,
            };
            match referred {
                Some(it) => items(module, it, left),
                None => inner(module, base, Some(&name.name), left),
            }
        }
        ExprKind::Index { base, key, .. } => match &key.kind {
            ExprKind::String(key) => inner(module, base, Some(key), left),
            _ => inner(module, base, None, left),
        },
        ExprKind::Call { name, args, .. } => match name.name.as_str() {
            "coalesce" | "tomap" | "try" | "merge" => items(module, args.first()?, left),
            _ => None,
        },
        _ => None,
    })
}

/// The entries of an entry; of the first one if the key is not known.
fn inner<'e>(
    module: &'e Module,
    table: &'e Expr,
    name: Option<&SmolStr>,
    left: &mut usize,
) -> Option<&'e [ObjectItem]> {
    let all = items(module, table, left)?;
    let is_meant = |it: &&ObjectItem| name.is_none() || key(it).as_ref() == name;
    items(module, &all.iter().find(is_meant)?.value, left)
}

/// The key of an entry, if it is constant.
pub fn key(item: &ObjectItem) -> Option<SmolStr> {
    match &item.key {
        ObjectKey::Name(it) => Some(it.name.clone()),
        ObjectKey::Expr(it) => match &it.kind {
            ExprKind::String(text) => Some(text.clone()),
            _ => None,
        },
        ObjectKey::Template(_) => None,
    }
}

/// The text that an expression is, or a local or the default of a variable that it refers to.
pub fn text(module: &Module, expr: &Expr) -> Option<SmolStr> {
    let expr = match &expr.bare().kind {
        ExprKind::GetAttr { base, name } => match &base.kind {
            ExprKind::Variable(root) if root == "local" => &module.locals.get(&name.name)?.expr,
            ExprKind::Variable(root) if root == "var" => {
                let variable = module.variables.get(&name.name).filter(|it| !it.is_hidden())?;
                variable.default_expr.as_ref()?
            }
            _ => expr,
        },
        _ => expr,
    };
    match &expr.bare().kind {
        ExprKind::String(it) => Some(it.clone()),
        _ => None,
    }
}

fn variable(expr: &Expr) -> Option<&SmolStr> {
    match &expr.kind {
        ExprKind::GetAttr { base, name } => {
            matches!(&base.kind, ExprKind::Variable(it) if it == "var").then_some(&name.name)
        }
        _ => None,
    }
}
