//! What a configuration says about the values files of each module: which are used together, and which variables
//! a pipeline gives. Files whose names follow one pattern make one `input` block, and so do modules with the same files.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{
    Surveyed,
    backend_config::configures_backend,
    trials::Trials,
    unnamed_values::{
        FoundInput, Loose, NeededInputs, file_name, is_automatic, is_plain, names_in, stem,
    },
};
use config::FilePattern;
use diagnostics::suggestion;
use module::inputs::is_json_file;
use system::{System, paths};

/// Names of files that are the base for others.
const SHARED: [&str; 9] =
    ["all", "base", "common", "default", "defaults", "general", "global", "globals", "shared"];

/// The most variables that a pipeline gives: a file that lacks more, or more than it gives, is a part of something
/// larger.
const MOST_GIVEN: usize = 8;

/// Files that are used together.
#[derive(Clone)]
struct Set {
    files: Vec<PathBuf>,
    /// The required variables without a value.
    lacking: BTreeSet<SmolStr>,
    /// The names of its values that the module does not declare.
    undeclared: BTreeSet<SmolStr>,
    /// The number of variables that it gives.
    count: usize,
    /// Whether it looks like a part of what is used together.
    is_part: bool,
}

impl Set {
    /// Whether it gives so much that a pipeline may give the rest.
    fn is_whole(&self) -> bool {
        !self.is_part && self.lacking.len() <= MOST_GIVEN.min(self.count.max(1))
    }

    /// Whether it lacks a variable, and not because the name is mistyped in a file.
    fn leaves_out(&self, name: &SmolStr) -> bool {
        let near = || suggestion(name, self.undeclared.iter().map(SmolStr::as_str));
        self.lacking.contains(name) && near().is_none()
    }
}

/// A module with its sets.
struct Owned {
    dir: PathBuf,
    sets: Vec<Set>,
    /// Whether blocks must say whose the files are.
    needs_blocks: bool,
    /// Whether blocks can name the files.
    can_be_named: bool,
    required: BTreeSet<SmolStr>,
    /// Files that a pattern may match as well: automatic ones, and those for a backend.
    harmless: BTreeSet<PathBuf>,
}

/// The blocks for all modules. `elsewhere` are the files of a module that do not belong to it by their place, `all` are
/// all values files.
pub(super) fn blocks(
    system: &dyn System,
    trials: &mut Trials<'_>,
    modules: &[Surveyed],
    mut elsewhere: BTreeMap<usize, Vec<Loose>>,
    all: &BTreeSet<PathBuf>,
) -> NeededInputs {
    let own = |(at, module)| owned(system, module, elsewhere.remove(&at).unwrap_or_default());
    let owned: Vec<Owned> = modules.iter().enumerate().map(own).collect();
    let given = given_everywhere(&owned);
    let mut tries = MOST_TRIES;
    let inputs =
        owned.iter().flat_map(|it| of_module(it, &given, all, &mut tries, trials)).collect();
    let inputs = merged(inputs, modules);
    NeededInputs { inputs, given: given.into_iter().collect(), ..NeededInputs::default() }
}

/// Reads a module's values files and finds its sets.
fn owned(system: &dyn System, module: &Surveyed, elsewhere: Vec<Loose>) -> Owned {
    let read = |it: &PathBuf| Loose { path: it.clone(), names: names_in(system, it) };
    // A configuration that names some has decided about the files at the module's place.
    let can_be_named = !module.has_inputs
        && (module.dir == Path::new(".") || is_plain(&module.dir))
        && module.values.iter().all(|it| is_plain(it));
    let needs_blocks = !elsewhere.is_empty();
    let (automatic, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        module.values.iter().partition(|it| is_automatic(module, it));
    let automatic: Vec<Loose> = automatic.into_iter().map(read).collect();
    let mut harmless: BTreeSet<PathBuf> = automatic.iter().map(|it| it.path.clone()).collect();
    let mut files = elsewhere;
    if can_be_named {
        let is_declared = |name: &str| module.names.contains(name);
        let is_for_backend = |it: &Loose| {
            configures_backend(&paths::display(&it.path), &it.names.iter(), is_declared)
        };
        let (backend, values): (Vec<Loose>, Vec<Loose>) =
            others.into_iter().map(read).partition(is_for_backend);
        harmless.extend(backend.into_iter().map(|it| it.path));
        files.extend(values);
    }
    let given: BTreeSet<SmolStr> = automatic.iter().flat_map(|it| it.names.clone()).collect();
    let lacking = |files: &[&Loose]| -> BTreeSet<SmolStr> {
        let has =
            |name: &SmolStr| given.contains(name) || files.iter().any(|it| it.names.contains(name));
        module.required.iter().filter(|it| !has(it)).cloned().collect()
    };
    let mut sets = stacked(&files, |it| !lacking(it).is_empty());
    let is_open = !lacking(&[]).is_empty();
    // Complete ones may be used alone. Others are seen below every other set.
    if can_be_named && !automatic.is_empty() && (sets.is_empty() || !is_open) {
        sets.push(automatic.iter().collect());
    }
    let neighbours = Neighbours::of(&sets);
    let set = |set: &Vec<&Loose>| {
        let names: BTreeSet<&SmolStr> = set.iter().flat_map(|it| &it.names).collect();
        let is_declared = |it: &&&SmolStr| module.names.contains(**it);
        Set {
            files: set.iter().map(|it| it.path.clone()).collect(),
            lacking: lacking(set),
            count: names.iter().filter(is_declared).count(),
            undeclared: names
                .into_iter()
                .filter(|it| !module.names.contains(*it))
                .cloned()
                .collect(),
            is_part: neighbours.has_part(set),
        }
    };
    let mut sets: Vec<Set> = sets.iter().map(set).collect();
    sets.sort_by_key(|it| it.files.last().cloned());
    let required = module.required.clone();
    Owned { dir: module.dir.clone(), sets, needs_blocks, can_be_named, required, harmless }
}

/// The required variables that no set of any module gives, so that a pipeline seems to.
fn given_everywhere(owned: &[Owned]) -> BTreeSet<SmolStr> {
    let whole = owned.iter().flat_map(|it| &it.sets).filter(|it| it.is_whole());
    let names: BTreeSet<&SmolStr> = whole.flat_map(|it| &it.lacking).collect();
    let is_lacking = |name: &&SmolStr| {
        let mut requiring = owned.iter().filter(|it| it.required.contains(*name));
        requiring.all(|module| module.sets.iter().all(|it| it.leaves_out(name)))
    };
    names.into_iter().filter(is_lacking).cloned().collect()
}

/// The blocks of a module; none where convention says enough. `everywhere` are variables that the configuration says
/// are given for all modules.
fn of_module(
    module: &Owned,
    everywhere: &BTreeSet<SmolStr>,
    all: &BTreeSet<PathBuf>,
    tries: &mut usize,
    trials: &mut Trials<'_>,
) -> Vec<FoundInput> {
    let lacks = |set: &Set| -> BTreeSet<SmolStr> { &set.lacking - everywhere };
    let mut whole = module.sets.iter().filter(|it| it.is_whole());
    let mut given = whole.next().map(lacks).unwrap_or_default();
    given
        .retain(|name| module.sets.iter().filter(|it| it.is_whole()).all(|it| it.leaves_out(name)));
    let is_unsaid = |it: &Set| !it.is_part && !it.is_whole() && !lacks(it).is_empty();
    let is_helped = !given.is_empty() || module.sets.iter().any(is_unsaid);
    if !(module.needs_blocks || module.can_be_named && is_helped) {
        return Vec::new();
    }
    let mut groups: BTreeMap<(Vec<PathBuf>, bool), Vec<PathBuf>> = BTreeMap::new();
    for set in &module.sets {
        let Some((own, below)) = set.files.split_last() else { continue };
        // A file that lacks what others of its kind have is used with something else.
        let is_partial = set.is_part
            || !(&lacks(set) - &given).is_empty()
            || !set.lacking.is_empty() && trials.fails_by_default(&module.dir, &set.files);
        groups.entry((below.to_vec(), is_partial)).or_default().push(own.clone());
    }
    let mut found = Vec::new();
    for ((below, partial), files) in groups {
        let given: Vec<SmolStr> = given.iter().filter(|_| !partial).cloned().collect();
        let harmless: BTreeSet<PathBuf> = module.harmless.iter().chain(&below).cloned().collect();
        let (patterns, rest) = patterns(&files, &harmless, all, tries);
        let block = |name: String, files: Vec<PathBuf>, each: Vec<String>| {
            let modules = vec![paths::display(&module.dir)];
            FoundInput { name, modules, files, each, given: given.clone(), partial }
        };
        found.extend(patterns.into_iter().map(|it| block(it.name, below.clone(), vec![it.text])));
        for file in rest {
            found.push(block(name(&file), [below.clone(), vec![file]].concat(), Vec::new()));
        }
    }
    found
        .sort_by_key(|it| (it.each.is_empty(), it.each.first().cloned(), it.files.last().cloned()));
    distinguish(&mut found);
    found
}

/// Gives blocks with the same name the path or pattern of their files as a name.
fn distinguish(found: &mut [FoundInput]) {
    let mut counts = BTreeMap::<String, usize>::new();
    found.iter().for_each(|it| *counts.entry(it.name.clone()).or_default() += 1);
    for input in found {
        if counts[&input.name] > 1 {
            let file = input.files.last().map(|it| paths::display(it)).unwrap_or_default();
            input.name = input.each.first().cloned().unwrap_or(file);
        }
    }
}

/// A pattern of files, and a name for what it matches.
#[derive(Clone)]
struct Pattern {
    text: String,
    name: String,
}

/// How many times a file is compared with a pattern at most, for all modules together.
const MOST_TRIES: usize = 20_000_000;

/// The patterns that match several of the files and none that is not harmless, and the files that are left.
fn patterns(
    files: &[PathBuf],
    harmless: &BTreeSet<PathBuf>,
    all: &BTreeSet<PathBuf>,
    tries: &mut usize,
) -> (Vec<Pattern>, Vec<PathBuf>) {
    let (mut found, mut rest): (Vec<Pattern>, Vec<PathBuf>) = (Vec::new(), files.to_vec());
    loop {
        let mut best: Option<(usize, Pattern, FilePattern)> = None;
        let mut tried = BTreeSet::new();
        for candidate in rest.iter().flat_map(|it| candidates(it)) {
            if !tried.insert(candidate.text.clone()) {
                continue;
            }
            *tries = tries.saturating_sub(rest.len());
            if *tries == 0 {
                return (found, rest);
            }
            let Ok(pattern) = FilePattern::new(Path::new(""), &candidate.text) else { continue };
            let count = rest.iter().filter(|it| pattern.names(it)).count();
            if count < 2 || best.as_ref().is_some_and(|it| count <= it.0) {
                continue;
            }
            *tries = tries.saturating_sub(all.len());
            let mut matched = all.iter().filter(|it| pattern.names(it));
            if matched.all(|it| rest.contains(it) || harmless.contains(it)) {
                best = Some((count, candidate, pattern));
            }
        }
        let Some((_, candidate, pattern)) = best else { break };
        rest.retain(|it| !pattern.names(it));
        found.push(candidate);
    }
    (found, rest)
}

/// Patterns that a file may be one match of, the plainest first.
fn candidates(file: &Path) -> Vec<Pattern> {
    let dir = file.parent().map(paths::display).filter(|it| it != ".").unwrap_or_default();
    let full = file_name(file);
    let own = stem(full);
    let ending = &full[own.len()..];
    let at = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    let last = |dir: &str| dir.rsplit('/').next().unwrap_or_default().to_owned();
    let pattern = |text: String, name: String| {
        let name = if name.is_empty() { "all".to_owned() } else { name };
        Pattern { text, name }
    };
    let mut found = vec![pattern(format!("{at}*{ending}"), last(&dir))];
    for separator in ['-', '_', '.'] {
        if let Some((begin, _)) = own.split_once(separator) {
            found.push(pattern(format!("{at}{begin}{separator}*{ending}"), begin.to_owned()));
        }
        if let Some((_, end)) = own.rsplit_once(separator) {
            found.push(pattern(format!("{at}*{separator}{end}{ending}"), end.to_owned()));
        }
    }
    if let Some((parent, _)) = dir.rsplit_once('/') {
        found.push(pattern(format!("{parent}/*/{full}"), name(file)));
        found.push(pattern(format!("{parent}/*/*{ending}"), last(parent)));
    } else if !dir.is_empty() {
        found.push(pattern(format!("*/{full}"), name(file)));
    }
    found
}

/// Makes one block of blocks that say the same about several modules.
fn merged(inputs: Vec<FoundInput>, modules: &[Surveyed]) -> Vec<FoundInput> {
    type Key = (String, Vec<PathBuf>, Vec<String>, bool);
    let mut places: BTreeMap<Key, usize> = BTreeMap::new();
    let mut found: Vec<FoundInput> = Vec::new();
    for input in inputs {
        let key = (input.name.clone(), input.files.clone(), input.each.clone(), input.partial);
        match places.get(&key) {
            Some(place) => {
                let it = &mut found[*place];
                it.modules.extend(input.modules);
                it.given.extend(input.given);
                it.given.sort();
                it.given.dedup();
            }
            None => {
                places.insert(key, found.len());
                found.push(input);
            }
        }
    }
    for input in &mut found {
        if let Some(pattern) = pattern_of(&input.modules, modules) {
            input.modules = vec![pattern];
        }
    }
    found
}

/// The pattern that matches these of all modules, and no other.
fn pattern_of(named: &[String], modules: &[Surveyed]) -> Option<String> {
    let (first, _) = named.split_first().filter(|it| !it.1.is_empty())?;
    let (parent, _) = first.rsplit_once('/')?;
    let text = format!("{parent}/*");
    let pattern = FilePattern::new(Path::new(""), &text).ok()?;
    let matched = modules.iter().filter(|it| pattern.names(&it.dir));
    let matched: BTreeSet<String> = matched.map(|it| paths::display(&it.dir)).collect();
    (matched == named.iter().cloned().collect()).then_some(text)
}

/// The sets of one file each that set anything, by their directory.
struct Neighbours<'s>(BTreeMap<Option<&'s Path>, Neighbourhood<'s>>);

/// What the files of a directory set.
#[derive(Default)]
struct Neighbourhood<'s> {
    /// Each once, however many files set the same.
    distinct: BTreeSet<&'s BTreeSet<SmolStr>>,
    /// In how many of those each variable is.
    counts: BTreeMap<&'s SmolStr, usize>,
}

impl<'s> Neighbours<'s> {
    fn of(sets: &[Vec<&'s Loose>]) -> Neighbours<'s> {
        let mut all = BTreeMap::<Option<&Path>, Neighbourhood<'s>>::new();
        let single = sets.iter().filter_map(|it| if let [one] = it[..] { Some(one) } else { None });
        for it in single.filter(|it| !it.names.is_empty()) {
            let here = all.entry(it.path.parent()).or_default();
            if here.distinct.insert(&it.names) {
                it.names.iter().for_each(|name| *here.counts.entry(name).or_default() += 1);
            }
        }
        Neighbours(all)
    }

    /// Whether a file looks like a part of what is used together, as for `check`: another one next to it sets other
    /// variables, and none of its own.
    fn has_part(&self, set: &[&Loose]) -> bool {
        let [own] = set else { return false };
        let Some(here) = self.0.get(&own.path.parent()) else { return false };
        let is_in_all = |it: &SmolStr| here.counts.get(it) == Some(&here.distinct.len());
        !own.names.is_empty()
            && !own.names.iter().any(is_in_all)
            && here.distinct.iter().any(|it| it.is_disjoint(&own.names))
    }
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

/// The name of a file's set.
fn name(path: &Path) -> String {
    let file = file_name(path);
    let (name, is_json) = (stem(file), is_json_file(file));
    if is_json { format!("{name}.json") } else { name.to_owned() }
}
