//! Values files that a configuration has to name: those that are not in the directory of their module, and those of a
//! module whose automatic files are incomplete. Names of directories, files and variables lead to the module of each.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{Surveyed, sets, trials::Trials};
use config::Configurations;
use diagnostics::Sources;
use module::inputs::{self, is_auto_file};
use system::{System, paths};

/// Names of directories that by custom hold the values of the root next to them.
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

/// Values files that are used together, as an `input` block says it. Paths are seen from the current directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundInput {
    pub name: String,
    /// One directory, or several directories and patterns of directories.
    pub modules: Vec<String>,
    /// In Terraform's order.
    pub files: Vec<PathBuf>,
    /// Patterns of files, each of which makes a set on top of `files`.
    pub each: Vec<String>,
    /// Required variables without a value, which a pipeline seems to give.
    pub given: Vec<SmolStr>,
    /// Whether the files are parts of something larger.
    pub partial: bool,
}

/// What a configuration has to say about values files.
#[derive(Debug, Default)]
pub(super) struct NeededInputs {
    pub inputs: Vec<FoundInput>,
    /// Required variables that no file sets for any module.
    pub given: Vec<SmolStr>,
    /// The files without a recognisable module.
    pub loose: Vec<PathBuf>,
}

/// A values file and the variables that it sets.
#[derive(Clone)]
pub(super) struct Loose {
    pub path: PathBuf,
    pub names: BTreeSet<SmolStr>,
}

/// The inputs that values files make up, and the files without a recognisable module. `loose` have no module
/// by their place, `placed` have one. One of these is for another module anyway if its own name is that of the other
/// one, which declares more of what the file sets, and the module of its place declares less than half of it:
/// `variables/prod/chat.tfvars` is for `deployments/chat`, although `variables/common.tf` declares variables.
///
/// Files next to a module of nothing but variables, which others link to, are for those others that accept the
/// values.
pub(super) fn assign(
    system: &dyn System,
    configurations: &Configurations<'_>,
    modules: &mut [Surveyed],
    loose: Vec<PathBuf>,
    placed: Vec<PathBuf>,
) -> NeededInputs {
    let all: BTreeSet<PathBuf> = loose.iter().chain(&placed).cloned().collect();
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
    let trials = &mut Trials::new(system, configurations);
    hand_over(system, trials, modules, &called, &mut of_modules);
    for (at, files) in &of_modules {
        modules[*at].elsewhere = files.iter().map(|it| it.path.clone()).collect();
    }
    let needed = sets::blocks(system, trials, modules, of_modules, &all);
    NeededInputs { loose: left, ..needed }
}

/// Gives the files of shared variables to the modules that link to them. A file that has the name of one of these
/// modules is for that module alone. Not every module has every environment: one that rejects a file which others
/// accept does not get it. A root without the link gets the files that set what it alone declares.
fn hand_over(
    system: &dyn System,
    trials: &mut Trials<'_>,
    modules: &mut [Surveyed],
    called: &[String],
    of_modules: &mut BTreeMap<usize, Vec<Loose>>,
) {
    for shared in 0..modules.len() {
        let dir = paths::clean(&modules[shared].dir);
        let links = |it: &Surveyed| it.links_to.as_ref() == Some(&dir) && !it.has_inputs;
        let linking: Vec<usize> = (0..modules.len()).filter(|at| links(&modules[*at])).collect();
        if linking.is_empty() || !modules[shared].is_only_variables || modules[shared].has_inputs {
            continue;
        }
        let (own, kept): (Vec<PathBuf>, Vec<PathBuf>) = std::mem::take(&mut modules[shared].values)
            .into_iter()
            .partition(|it| is_plain(it) && linking.iter().all(|at| is_plain(&modules[*at].dir)));
        modules[shared].values = kept;
        let mut files = of_modules.remove(&shared).unwrap_or_default();
        let read = |path: PathBuf| Loose { names: names_in(system, &path), path };
        files.extend(own.into_iter().map(read));
        let others = unlinked(modules, &linking, shared, &files);
        for file in files {
            let stem = alike(stem(file_name(&file.path)));
            let named = linking.iter().filter(|at| is_of_name(&stem, &called[**at]));
            // `chat-search.tfvars` is for `chat-search`, and not for `chat`.
            let takers = match named.max_by_key(|at| called[**at].len()) {
                Some(at) => vec![*at],
                None => {
                    let mut accepts = |at: &usize| trials.accepts(&modules[*at].dir, &file.path);
                    let accepting: Vec<usize> =
                        linking.iter().copied().filter(&mut accepts).collect();
                    let mut takers = if accepting.is_empty() { linking.clone() } else { accepting };
                    let wants = others.iter().filter(|(_, wanted)| wanted.is_subset(&file.names));
                    takers.extend(wants.map(|(at, _)| *at).filter(accepts));
                    takers
                }
            };
            for at in takers {
                of_modules.entry(at).or_default().push(file.clone());
            }
        }
    }
}

/// The roots without a link to the shared variables that declare what none of those with a link does, although some
/// of the files set it. With each come the variables that a file for it sets: those that it requires, if any of
/// the files sets it.
fn unlinked(
    modules: &[Surveyed],
    linking: &[usize],
    shared: usize,
    files: &[Loose],
) -> Vec<(usize, BTreeSet<SmolStr>)> {
    let set: BTreeSet<SmolStr> = files.iter().flat_map(|it| it.names.iter().cloned()).collect();
    let is_known = |name: &&SmolStr| linking.iter().any(|at| modules[*at].names.contains(*name));
    let unknown: BTreeSet<SmolStr> = set.iter().filter(|it| !is_known(it)).cloned().collect();
    let is_open = |at: &usize| {
        let it = &modules[*at];
        !linking.contains(at) && *at != shared && !it.is_called && !it.has_inputs
    };
    let open = (0..modules.len()).filter(is_open);
    let wanted = open.map(|at| {
        let wanted: BTreeSet<SmolStr> = modules[at].required.intersection(&set).cloned().collect();
        (at, wanted)
    });
    wanted.filter(|(_, wanted)| !wanted.is_disjoint(&unknown)).collect()
}

/// The nearest module above a file, or next to it.
fn place(modules: &[Surveyed], path: &Path) -> Option<usize> {
    let is_above = |at: &usize| {
        let dir = &modules[*at].dir;
        dir == Path::new(".") || path.starts_with(dir)
    };
    (0..modules.len()).filter(is_above).max_by_key(|at| modules[*at].dir.components().count())
}

/// Whether Terraform loads the file automatically.
pub(super) fn is_automatic(module: &Surveyed, path: &Path) -> bool {
    path.parent().map(paths::clean) == Some(paths::clean(&module.dir))
        && is_auto_file(file_name(path))
}

pub(super) fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|it| it.to_str()).unwrap_or_default()
}

/// Whether a configuration can name a path literally: no part is hidden or looks like a pattern.
pub(super) fn is_plain(path: &Path) -> bool {
    let text = paths::display(path);
    !text.contains(['*', '?', '[', ']', '{', '}', '\\'])
        && !text.split('/').any(|it| it.starts_with('.'))
}

/// The variables that a values file sets; none where it does not parse.
pub(super) fn names_in(system: &dyn System, path: &Path) -> BTreeSet<SmolStr> {
    let (file, _) =
        inputs::read_file(system, path, inputs::ValuesFormat::OfName, &mut Sources::default());
    file.into_iter().flat_map(|it| it.entries.into_keys()).collect()
}

pub(super) fn name_of(module: &Surveyed) -> &str {
    module.dir.file_name().and_then(|it| it.to_str()).unwrap_or_default()
}

/// A name in a form for comparison: letter case, `_` and `-` do not distinguish modules.
fn alike(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// The module of a file: the one whose name is in the file's path, or else the only root next to the
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
pub(super) fn stem(file: &str) -> &str {
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
