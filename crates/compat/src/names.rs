//! Finds the variables that an expression depends on, also through locals.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use hcl::{
    Expr,
    analysis::{PathStep, references},
};
use module::Module;

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
