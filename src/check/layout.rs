//! Values files that a configuration has to name: those that lie apart from their modules, with the module
//! of each as far as names of directories, files and variables tell, and those of a module whose automatic
//! files are incomplete.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{Surveyed, backend_config::configures_backend};
use crate::{
    diagnostic::Sources,
    inputs::{self, is_auto_file, is_json_file},
    system::{System, paths},
};

/// Names of directories that by custom hold the values of the root beside them.
const CUSTOMARY: [&str; 13] = [
    "conf",
    "config",
    "configs",
    "configuration",
    "env",
    "env_vars",
    "environment",
    "environments",
    "envs",
    "tfvars",
    "values",
    "variables",
    "vars",
];

/// Names of files that are the base for others.
const SHARED: [&str; 9] =
    ["all", "base", "common", "default", "defaults", "general", "global", "globals", "shared"];

/// Values files that are used together, as an `input` block says it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundInput {
    pub name: String,
    /// As seen from the current directory.
    pub module: PathBuf,
    /// In Terraform's order.
    pub files: Vec<PathBuf>,
    /// Whether a required variable has no value in them.
    pub partial: bool,
}

/// A values file and the variables that it sets.
struct Loose {
    path: PathBuf,
    names: BTreeSet<SmolStr>,
}

/// The inputs that values files make up, and the files without a recognisable module. `loose` have no module
/// by their place, `placed` have one. One of these is for another module all the same where its own name is that
/// one's, which declares more of what the file sets, and the module of its place declares less than half of it:
/// `variables/prod/chat.tfvars` is for `deployments/chat`, although `variables/common.tf` declares variables.
pub(super) fn assign(
    system: &dyn System,
    modules: &mut [Surveyed],
    loose: Vec<PathBuf>,
    placed: Vec<PathBuf>,
) -> (Vec<FoundInput>, Vec<PathBuf>) {
    let (mut of_modules, mut left) = (BTreeMap::<usize, Vec<Loose>>::new(), Vec::new());
    let called: Vec<String> = modules.iter().map(|it| alike(name_of(it))).collect();
    for path in loose {
        let names = names_in(system, &path);
        match owner(modules, &called, &path, &names).filter(|_| is_plain(&path)) {
            Some(owner) => of_modules.entry(owner).or_default().push(Loose { path, names }),
            None => left.push(path),
        }
    }
    for path in placed {
        let Some(place) = place(modules, &path) else { continue };
        if modules[place].has_inputs || is_automatic(&modules[place], &path) || !is_plain(&path) {
            continue;
        }
        let names = names_in(system, &path);
        let declared = |at: usize| modules[at].declared(&names);
        if declared(place) * 2 >= names.len() {
            continue;
        }
        let owner = owner(modules, &called, &path, &names);
        // `modules/vm/examples/a.tfvars` is not for the module `examples`.
        let is_named = |at: &usize| is_of_name(&alike(stem(file_name(&path))), &called[*at]);
        if let Some(owner) = owner.filter(|it| is_named(it) && declared(*it) > declared(place)) {
            modules[place].values.retain(|it| *it != path);
            of_modules.entry(owner).or_default().push(Loose { path, names });
        }
    }
    let of_module = |(at, module)| {
        let elsewhere = of_modules.remove(&at).unwrap_or_default();
        inputs_of(system, module, elsewhere)
    };
    (modules.iter().enumerate().flat_map(of_module).collect(), left)
}

/// The nearest module above a file, or beside it.
fn place(modules: &[Surveyed], path: &Path) -> Option<usize> {
    let is_above = |at: &usize| {
        let dir = &modules[*at].dir;
        dir == Path::new(".") || path.starts_with(dir)
    };
    (0..modules.len()).filter(is_above).max_by_key(|at| modules[*at].dir.components().count())
}

/// Whether Terraform takes the file without being told.
fn is_automatic(module: &Surveyed, path: &Path) -> bool {
    path.parent().map(paths::clean) == Some(paths::clean(&module.dir))
        && is_auto_file(file_name(path))
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|it| it.to_str()).unwrap_or_default()
}

/// Whether a configuration can name a path literally: no part is hidden or looks like a pattern.
fn is_plain(path: &Path) -> bool {
    let text = paths::display(path);
    !text.contains(['*', '?', '[', ']', '{', '}', '\\'])
        && !text.split('/').any(|it| it.starts_with('.'))
}

/// The variables that a values file sets; none where it does not parse.
fn names_in(system: &dyn System, path: &Path) -> BTreeSet<SmolStr> {
    let (file, _) =
        inputs::read_file(system, path, inputs::Format::OfName, &mut Sources::default());
    file.into_iter().flat_map(|it| it.entries.into_keys()).collect()
}

fn name_of(module: &Surveyed) -> &str {
    module.dir.file_name().and_then(|it| it.to_str()).unwrap_or_default()
}

/// A name in a form for comparison: letter case, `_` and `-` do not distinguish modules.
fn alike(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// The module of a file: the one whose name is in the file's path, or else the only root beside the
/// customary directory that holds the file. The module must declare at least half of the file's
/// variables.
fn owner(
    modules: &[Surveyed],
    called: &[String],
    path: &Path,
    names: &BTreeSet<SmolStr>,
) -> Option<usize> {
    let shown = paths::display(path);
    let parts: Vec<&str> = shown.split('/').collect();
    let (file, dirs) = parts.split_last()?;
    let (stem, alike_dirs) = (alike(stem(file)), dirs.iter().map(|it| alike(it)));
    let alike_dirs: Vec<String> = alike_dirs.collect();
    let declared = |it: &Surveyed| it.declared(names);
    let fits = |it: &&usize| {
        let module = &modules[**it];
        is_plain(&module.dir)
            && (names.is_empty() || declared(module) * 2 >= names.len())
            && (names.is_empty() || declared(module) > 0)
    };
    let all: Vec<usize> = (0..modules.len()).collect();
    let is_named = |at: &&usize| {
        let name = &called[**at];
        !name.is_empty() && (alike_dirs.contains(name) || is_of_name(&stem, name))
    };
    let named: Vec<usize> = all.iter().filter(is_named).filter(fits).copied().collect();
    let common = |it: &Path| {
        let shared = it.components().zip(path.components());
        shared.take_while(|(a, b)| a == b).count()
    };
    let rank = |at: usize| {
        let module = &modules[at];
        Reverse((!module.is_called, declared(module), common(&module.dir)))
    };
    if let Some(best) = only_best(&named, rank) {
        return Some(best);
    }
    let at = dirs.iter().position(|it| CUSTOMARY.contains(it))?;
    let beside: PathBuf = dirs[..at].iter().collect();
    let is_beside =
        |at: &&usize| !modules[**at].is_called && modules[**at].dir.starts_with(&beside);
    let mut beside: Vec<usize> = all.iter().filter(is_beside).filter(fits).copied().collect();
    if beside.len() > 1 {
        beside.retain(|it| !names.is_empty() && declared(&modules[*it]) == names.len());
    }
    if let [it] = beside[..] { Some(it) } else { None }
}

/// The position that ranks first; `None` if several share the rank.
fn only_best<R: Ord>(found: &[usize], rank: impl Fn(usize) -> R) -> Option<usize> {
    let mut ranked: Vec<(R, usize)> = found.iter().map(|it| (rank(*it), *it)).collect();
    ranked.sort();
    let is_tied = ranked.get(1).is_some_and(|second| second.0 == ranked[0].0);
    ranked.first().filter(|_| !is_tied).map(|it| it.1)
}

/// The file's name without the endings that all values files share.
fn stem(file: &str) -> &str {
    let file = file.strip_suffix(".json").unwrap_or(file);
    let file = file.strip_suffix(".tfvars").unwrap_or(file);
    file.strip_suffix(".auto").unwrap_or(file)
}

/// Whether a file is named after a module, alone or with a prefix or suffix: `network-prod`.
fn is_of_name(stem: &str, name: &str) -> bool {
    let is_end = |it: &str| it.is_empty() || it.starts_with(['-', '_', '.']);
    let is_begin = |it: &str| it.ends_with(['-', '_', '.']);
    stem.strip_prefix(name).is_some_and(is_end) || stem.strip_suffix(name).is_some_and(is_begin)
}

/// The sets of a module that needs a block: some of its files lie elsewhere, or its automatic files lack a
/// required variable, whose value then comes from outside of the repository. A module with a block is judged
/// by its blocks alone, so the files beside it get theirs, too.
fn inputs_of(system: &dyn System, module: &Surveyed, elsewhere: Vec<Loose>) -> Vec<FoundInput> {
    let read = |it: &PathBuf| Loose { path: it.clone(), names: names_in(system, it) };
    // A configuration that names some has decided about the files beside the module.
    let can_be_named = !module.has_inputs
        && (module.dir == Path::new(".") || is_plain(&module.dir))
        && module.values.iter().all(|it| is_plain(it));
    let (automatic, beside): (Vec<&PathBuf>, Vec<&PathBuf>) =
        module.values.iter().partition(|it| is_automatic(module, it));
    let automatic: Vec<Loose> = automatic.into_iter().map(read).collect();
    let given: BTreeSet<SmolStr> = automatic.iter().flat_map(|it| it.names.clone()).collect();
    let lacks = |files: &[&Loose]| {
        let has =
            |name: &SmolStr| given.contains(name) || files.iter().any(|it| it.names.contains(name));
        !module.required.iter().all(has)
    };
    let is_open = !automatic.is_empty() && lacks(&[]);
    if elsewhere.is_empty() && !(is_open && can_be_named) {
        return Vec::new();
    }
    let mut files = elsewhere;
    if can_be_named {
        let is_declared = |name: &str| module.names.contains(name);
        let is_for_backend = |it: &Loose| {
            configures_backend(&paths::display(&it.path), &it.names.iter(), is_declared)
        };
        files.extend(beside.into_iter().map(read).filter(|it| !is_for_backend(it)));
    }
    let mut sets = stacked(&files, lacks);
    // Complete ones may be used alone. Others are seen below every other set.
    if can_be_named && !automatic.is_empty() && (sets.is_empty() || !is_open) {
        sets.push(automatic.iter().collect());
    }
    as_inputs(module, sets, lacks)
}

/// The sets with names that differ: the file's, or its path where several files have that name.
fn as_inputs(
    module: &Surveyed,
    mut sets: Vec<Vec<&Loose>>,
    lacks: impl Fn(&[&Loose]) -> bool,
) -> Vec<FoundInput> {
    let last = |set: &[&Loose]| set.last().map(|it| it.path.clone()).unwrap_or_default();
    sets.sort_by_key(|it| last(it));
    let names: Vec<String> = sets.iter().map(|it| name(&last(it), false)).collect();
    let input = |(set, short): (&Vec<&Loose>, &String)| {
        let is_only = names.iter().filter(|it| *it == short).count() == 1;
        FoundInput {
            name: if is_only { short.clone() } else { name(&last(set), true) },
            module: module.dir.clone(),
            files: set.iter().map(|it| it.path.clone()).collect(),
            partial: lacks(set) || is_part(set, &sets),
        }
    };
    sets.iter().zip(&names).map(input).collect()
}

/// Whether a file looks like a part of what is used together, as for `check`: another one beside it sets other
/// variables, and none of its own.
fn is_part(set: &[&Loose], sets: &[Vec<&Loose>]) -> bool {
    let [own] = set else { return false };
    let is_beside = |it: &Loose| it.path.parent() == own.path.parent();
    let is_other = |it: &Loose| !it.names.is_empty() && it.names.is_disjoint(&own.names);
    let mut others = sets.iter().filter_map(|it| if let [one] = it[..] { Some(one) } else { None });
    !own.names.is_empty() && others.any(|it| is_beside(it) && is_other(it))
}

/// One set for each file; of one that lacks values, a shared file in the same directory or above comes
/// first in it.
fn stacked(files: &[Loose], lacks: impl Fn(&[&Loose]) -> bool) -> Vec<Vec<&Loose>> {
    let is_shared = |loose: &&Loose| SHARED.contains(&stem(file_name(&loose.path)));
    let (shared, own): (Vec<&Loose>, Vec<&Loose>) = files.iter().partition(is_shared);
    let (mut used, mut sets) = (BTreeSet::new(), Vec::new());
    for file in own {
        let is_above = |it: &&&Loose| {
            it.path
                .parent()
                .is_some_and(|dir| file.path.parent().is_some_and(|at| at.starts_with(dir)))
        };
        let mut set: Vec<&Loose> = Vec::new();
        if lacks(&[file]) {
            set.extend(shared.iter().filter(is_above));
            used.extend(set.iter().map(|it| &it.path));
        }
        set.push(file);
        sets.push(set);
    }
    sets.extend(shared.iter().filter(|it| !used.contains(&it.path)).map(|it| vec![*it]));
    sets
}

fn name(path: &Path, is_long: bool) -> String {
    let shown = paths::display(path);
    if is_long {
        return shown;
    }
    let file = shown.rsplit('/').next().unwrap_or_default();
    let (name, is_json) = (stem(file), is_json_file(file));
    if is_json { format!("{name}.json") } else { name.to_owned() }
}
