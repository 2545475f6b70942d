//! Combines the files of a module: duplicates first, then overrides.

use indexmap::map::Entry;
use smol_str::SmolStr;

use super::{
    ByName, Module, RequiredVersion,
    file::{Declared, Demand, FileContent},
};
use diagnostics::{Diagnostic, Diagnostics, Lint, Role, Span, lints};

/// Adds the declarations of a primary file.
pub(super) fn add(module: &mut Module, mut file: FileContent, diagnostics: &mut Diagnostics) {
    for it in file.variables {
        let (name, span) = (it.name.clone(), it.span);
        if let Some(first) = insert(&mut module.variables, name.clone(), it) {
            let problem = duplicate(
                &lints::INVALID_VARIABLE,
                "variable declaration",
                &name,
                span,
                first.span,
            );
            diagnostics.push(problem.variable(name));
        }
    }
    for it in file.locals {
        let (name, span) = (it.name.clone(), it.span);
        if let Some(first) = insert(&mut module.locals, name.clone(), it) {
            let what = "local value definition";
            diagnostics.push(duplicate(&lints::INVALID_MODULE, what, &name, span, first.span));
        }
    }
    for it in file.outputs {
        let (name, span) = (it.name.clone(), it.span);
        if let Some(first) = insert(&mut module.outputs, name.clone(), it) {
            let what = "output definition";
            diagnostics.push(duplicate(&lints::INVALID_MODULE, what, &name, span, first.span));
        }
    }
    // A second check with the same name is refused elsewhere, where names are listed.
    module.checks.extend(file.checks.into_iter().map(|it| (it.name.clone(), it)));
    // Of calls with the same name the first counts; the second is refused where names are listed.
    for it in file.calls {
        module.calls.entry(it.name.clone()).or_insert(it);
    }
    for it in file.resources {
        module.resources.entry((it.kind(), it.name.clone())).or_insert(it);
    }
    module.configurations.extend(file.configurations);
    module.imports.extend(file.imports);
    module.moves.extend(file.moves);
    module.removals.extend(file.removals);
    for it in file.declared {
        add_declared(module, it, diagnostics);
    }
    if module.backend.is_none()
        && let Some(it) = file.backends.pop()
    {
        module.backend = Some(it.problems);
        module.backend_values = it.values;
    }
    module.required_versions.extend(constraints(file.required_versions));
    module.required_providers.extend(file.required_providers);
    module.blocks.iter_mut().for_each(|it| it.append(&mut file.blocks));
}

/// The version constraints among the demands.
pub(super) fn constraints(found: Vec<Demand>) -> impl Iterator<Item = RequiredVersion> {
    found.into_iter().filter_map(|it| match it {
        Demand::Nothing => None,
        Demand::Version(it) => Some(it),
    })
}

/// Inserts a value unless its name is taken; then returns the existing one.
fn insert<T>(map: &mut ByName<T>, name: SmolStr, value: T) -> Option<&T> {
    match map.entry(name) {
        Entry::Occupied(first) => Some(first.into_mut()),
        Entry::Vacant(free) => {
            free.insert(value);
            None
        }
    }
}

fn add_declared(module: &mut Module, new: Declared, diagnostics: &mut Diagnostics) {
    let key = (new.kind, new.name);
    let Some(first) = module.declared.get(&key).copied() else {
        module.declared.insert(key, new.span);
        return;
    };
    let what = match key.0.as_str() {
        "module" => "module call".to_owned(),
        "check" => "check configuration".to_owned(),
        kind => format!("{kind} configuration"),
    };
    diagnostics.push(duplicate(&lints::INVALID_MODULE, &what, &key.1, new.span, first));
}

pub(super) fn duplicate(
    rule: &'static Lint,
    what: &str,
    name: &str,
    again: Span,
    first: Span,
) -> Diagnostic {
    Diagnostic::new(rule, format!("Duplicate {what}"))
        .detail(format!("\"{name}\" is declared more than once in this module."))
        .at(Role::Declaration, again)
        .at_with(Role::Declaration, first, "first declared here")
}
