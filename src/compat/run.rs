//! All modules of two states, paired and compared.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{
    callers::{Callers, Changed},
    change::{Change, State},
    compare,
    contract::{Contract, common_release},
    described::Described,
    findings::{Sides, effective, finding, folded, source},
    next::next_version,
    renames::{self, Moved},
};
use crate::{
    check::FileRole,
    config::Configurations,
    diagnostic::{Finding, Level, Sources, rules},
    eval::Meter,
    release::{Constraints, Release, Version, Wanted},
    report::{Bump, Compat, ContractChange, ModuleChanges, Report},
    system::{Enters, System, paths},
};

/// A state of all modules.
pub struct Revision<'a> {
    pub system: &'a dyn System,
    /// The directory that the modules lie below.
    pub root: PathBuf,
    /// As the report names it.
    pub shown: String,
    /// What stands before the paths of its files, such as `v1.2.3:`.
    pub prefix: String,
    /// The schema that stands for the one module of this state.
    pub described: Option<&'a Described>,
}

/// What is compared.
pub struct Request<'a> {
    pub base: Revision<'a>,
    pub head: Revision<'a>,
    /// Module directories as seen from the root of the head; none is all.
    pub paths: Vec<PathBuf>,
    /// Below the roots: outside of these files and directories both states are alike. `None`: not known.
    pub unlike: Option<Vec<PathBuf>>,
    /// The version of the base.
    pub version: Option<Version>,
    /// Directories whose calls of changed modules are judged, too.
    pub callers: Vec<PathBuf>,
}

/// A module at both states, or at one of them; paths below the roots.
struct Pair {
    base: Option<PathBuf>,
    head: Option<PathBuf>,
}

/// What came of a pair.
#[derive(Default)]
struct Outcome {
    module: Option<ModuleChanges>,
    findings: Vec<Finding>,
    failure: Option<String>,
}

/// Compares the contracts of all modules. Errors: a state that cannot be read at all.
pub fn run(request: &Request<'_>, configurations: &Configurations<'_>) -> io::Result<Report> {
    let problems = configurations.problems();
    if !problems.is_empty() {
        return Ok(Report { findings: problems, ..Report::default() });
    }
    let pairs = match described(request)? {
        Some(pair) => vec![pair],
        None => pairs(request, configurations)?,
    };
    let outcomes: Vec<Outcome> =
        pairs.par_iter().map(|it| outcome(request, configurations, it)).collect();
    let (mut report, mut modules) = (Report::default(), Vec::new());
    if !request.callers.is_empty() {
        report.findings = calls(request, configurations, pairs.iter().zip(&outcomes))?;
    }
    for it in outcomes {
        modules.extend(it.module);
        report.findings.extend(it.findings);
        report.failures.extend(it.failure);
    }
    // Of the files that govern what changed.
    report.findings.extend(configurations.problems());
    modules.sort_by(|one, other| one.path.cmp(&other.path));
    let (base, head) = (request.base.shown.clone(), request.head.shown.clone());
    report.compat = Some(Compat { base, head, modules, history: None });
    report.sort();
    Ok(report)
}

/// What becomes of the calls of modules that changed.
fn calls<'o>(
    request: &Request<'_>,
    configurations: &Configurations<'_>,
    outcomes: impl Iterator<Item = (&'o Pair, &'o Outcome)>,
) -> io::Result<Vec<Finding>> {
    let changed = outcomes.filter_map(|(pair, outcome)| {
        let changes = outcome.module.as_ref().filter(|it| it.level >= Bump::CannotTell)?;
        let base = pair.base.iter().map(|it| request.base.root.join(it));
        let head = pair.head.iter().map(|it| request.head.root.join(it));
        Some(Changed { dirs: base.chain(head).collect(), changes })
    });
    let changed: Vec<Changed<'_>> = changed.collect();
    Callers::new(request, configurations, &changed)?.findings(&request.callers)
}

/// The directories with source files, and the names of these; only those that a walk leads to.
fn directories(
    revision: &Revision<'_>,
    enters: Enters<'_>,
) -> io::Result<BTreeMap<PathBuf, Vec<PathBuf>>> {
    let files = revision.system.walk(&revision.root, enters)?;
    let mut out: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if FileRole::of(name) != FileRole::Source {
            continue;
        }
        let dir = file.parent().unwrap_or(Path::new(""));
        let below = paths::clean(dir.strip_prefix(&revision.root).unwrap_or(dir));
        out.entry(below).or_default().push(file);
    }
    Ok(out)
}

/// Where two states may differ: what a walk has to go through.
struct Unlike {
    paths: HashSet<PathBuf>,
    /// Directories on the way to them.
    ways: HashSet<PathBuf>,
}

impl Unlike {
    fn of(request: &Request<'_>) -> Option<Unlike> {
        let paths: HashSet<PathBuf> =
            request.unlike.as_ref()?.iter().map(|it| paths::clean(it)).collect();
        let ways = paths.iter().flat_map(|it| it.ancestors().skip(1)).map(paths::clean).collect();
        Some(Unlike { paths, ways })
    }

    /// Whether a directory (below a root) is one of them, inside of one, or on the way to one.
    fn leads_to(&self, dir: &Path) -> bool {
        let dir = paths::clean(dir);
        self.ways.contains(&dir) || dir.ancestors().any(|it| self.paths.contains(it))
    }
}

/// Where a schema stands for a module, that one alone.
fn described(request: &Request<'_>) -> io::Result<Option<Pair>> {
    let sides = [&request.base, &request.head];
    if sides.iter().all(|it| it.described.is_none()) {
        return Ok(None);
    }
    let dir = request.paths.first().cloned();
    let dir = dir.unwrap_or_else(|| paths::clean(Path::new("")));
    let dir_of = |it: &Revision<'_>| match it.described {
        Some(_) => Ok(paths::clean(Path::new(""))),
        None if directories(it, &|_| true)?.contains_key(&dir) => Ok(dir.clone()),
        None => {
            let path = paths::display(&it.root.join(&dir));
            let text = format!(
                "{path}: there is no module to compare the schema with: name its directory behind `--`"
            );
            Err(io::Error::new(io::ErrorKind::NotFound, text))
        }
    };
    Ok(Some(Pair { base: Some(dir_of(sides[0])?), head: Some(dir_of(sides[1])?) }))
}

fn pairs(request: &Request<'_>, configurations: &Configurations<'_>) -> io::Result<Vec<Pair>> {
    let unlike = Unlike::of(request);
    let of = |it: &Revision<'_>| {
        let below = |dir: &Path| dir.strip_prefix(&it.root).unwrap_or(dir).to_owned();
        directories(it, &|dir| unlike.as_ref().is_none_or(|it| it.leads_to(&below(dir))))
    };
    let (base, head) = (of(&request.base)?, of(&request.head)?);
    let is_asked_for = |dir: &Path| {
        request.paths.is_empty()
            || request.paths.iter().any(|it| dir.starts_with(it) || *it == Path::new("."))
    };
    let is_included = |dir: &Path| configurations.includes(&request.head.root.join(dir));
    let mut out = Vec::new();
    let (mut gone, mut new) = (BTreeSet::new(), BTreeSet::new());
    let mut files = [Vec::new(), Vec::new()];
    let all: BTreeSet<&PathBuf> = base.keys().chain(head.keys()).collect();
    for dir in all {
        let none = Vec::new();
        let both = [base.get(dir), head.get(dir)];
        let [before, after] = both.map(|it| it.unwrap_or(&none));
        // Mostly nearly all are, which is soon known.
        if is_unchanged(request, before, after) {
            continue;
        }
        for (side, (own, other)) in [(before, after), (after, before)].into_iter().enumerate() {
            let is_there = |it: &&PathBuf| other.iter().any(|at| at.file_name() == it.file_name());
            files[side].extend(own.iter().filter(|it| !is_there(it)).cloned());
        }
        if !is_included(dir) {
            continue;
        }
        match both {
            [Some(_), Some(_)] if is_asked_for(dir) => {
                out.push(Pair { base: Some(dir.clone()), head: Some(dir.clone()) });
            }
            [Some(_), None] => _ = gone.insert(dir.clone()),
            [None, Some(_)] => _ = new.insert(dir.clone()),
            _ => (),
        }
    }
    for path in &request.paths {
        let mut found = base.keys().chain(head.keys());
        if *path != Path::new(".") && !found.any(|it| it.starts_with(path)) {
            is_somewhere(request, path)?;
        }
    }
    let moved = |at: &Revision<'_>, all: &[PathBuf]| -> Vec<Moved> {
        let read = |it: &PathBuf| {
            let path = paths::clean(it.strip_prefix(&at.root).unwrap_or(it));
            Some(Moved { path, bytes: at.system.read(it).ok()? })
        };
        all.par_iter().filter_map(read).collect()
    };
    if !gone.is_empty() && !new.is_empty() {
        let before = moved(&request.base, &files[0]);
        let after = moved(&request.head, &files[1]);
        let is_gone = |it: &Path| gone.contains(&paths::clean(it));
        let is_new = |it: &Path| new.contains(&paths::clean(it));
        for (from, to) in renames::directories(&before, &after, &is_gone, &is_new) {
            let (from, to) = (paths::clean(&from), paths::clean(&to));
            gone.remove(&from);
            new.remove(&to);
            if is_asked_for(&from) || is_asked_for(&to) {
                out.push(Pair { base: Some(from), head: Some(to) });
            }
        }
    }
    let asked = |all: BTreeSet<PathBuf>| all.into_iter().filter(|it| is_asked_for(it));
    out.extend(asked(gone).map(|it| Pair { base: Some(it), head: None }));
    out.extend(asked(new).map(|it| Pair { base: None, head: Some(it) }));
    Ok(out)
}

/// Errors: there is no module below the path at either state.
fn is_somewhere(request: &Request<'_>, path: &Path) -> io::Result<()> {
    for it in [&request.base, &request.head] {
        let below = |dir: &Path| paths::clean(dir.strip_prefix(&it.root).unwrap_or(dir));
        let enters = |dir: &Path| path.starts_with(below(dir)) || below(dir).starts_with(path);
        if directories(it, &enters)?.keys().any(|it| it.starts_with(path)) {
            return Ok(());
        }
    }
    let text = format!("{}: there is no module at either state", paths::display(path));
    Err(io::Error::new(io::ErrorKind::NotFound, text))
}

fn is_unchanged(request: &Request<'_>, before: &[PathBuf], after: &[PathBuf]) -> bool {
    let names = |all: &[PathBuf]| -> Vec<Option<std::ffi::OsString>> {
        all.iter().map(|it| it.file_name().map(ToOwned::to_owned)).collect()
    };
    let same = |(one, other): (&PathBuf, &PathBuf)| {
        // Where few files are looked at, they are read; for their ids all of the work tree would be looked at.
        let ids = match request.unlike {
            Some(_) => [None, None],
            None => [(&request.base, one), (&request.head, other)]
                .map(|it| it.0.system.content_id(it.1)),
        };
        if let [Some(one), Some(other)] = ids {
            return one == other;
        }
        let (one, other) = (request.base.system.read(one), request.head.system.read(other));
        matches!((one, other), (Ok(one), Ok(other)) if one == other)
    };
    names(before) == names(after) && before.iter().zip(after).all(same)
}

fn outcome(request: &Request<'_>, configurations: &Configurations<'_>, pair: &Pair) -> Outcome {
    let root = |at: &Revision<'_>, dir: &Path| paths::clean(&at.root.join(dir));
    let base_dir = pair.base.as_ref().map(|it| root(&request.base, it));
    let head_dir = pair.head.as_ref().map(|it| root(&request.head, it));
    let Some(dir) = head_dir.as_ref().or(base_dir.as_ref()) else { return Outcome::default() };
    let settings = configurations.settings(dir);
    let meter = Meter::new(settings.limits);
    let both = |release: Release| -> io::Result<_> {
        let base = load(&request.base, base_dir.as_deref(), release, &meter)?;
        let head = load(&request.head, head_dir.as_deref(), release, &meter)?;
        Ok((base, head))
    };
    let first = settings.release.first();
    let loaded = both(first).and_then(|(base, head)| {
        let constraints =
            |it: &Option<Contract<'_>>| it.as_ref().map(Contract::constraints).unwrap_or_default();
        let release = chosen(settings.release, &constraints(&base), &constraints(&head));
        if release == first { Ok((base, head)) } else { both(release) }
    });
    let (base, head) = match loaded {
        Ok(it) => it,
        Err(error) => {
            let failure = Some(format!("{}: {error}", paths::display(dir)));
            return Outcome { failure, ..Outcome::default() };
        }
    };
    let path = paths::display(dir);
    let is_described = request.base.described.is_some() || request.head.described.is_some();
    let renamed = pair.base.as_ref().zip(pair.head.as_ref());
    let renamed = renamed.filter(|(base, head)| base != head && !is_described);
    let renamed = renamed.map(|it| paths::display(it.0));
    told(request, configurations, (base, head), (path, renamed))
}

fn load<'a>(
    at: &Revision<'a>,
    dir: Option<&Path>,
    release: Release,
    meter: &Meter,
) -> io::Result<Option<Contract<'a>>> {
    let Some(dir) = dir else { return Ok(None) };
    let contract = Contract::load(at.system, dir, release, meter)?;
    match at.described {
        Some(described) => contract.describe(described).map(Some),
        None => Ok(Some(contract)),
    }
}

/// The release that both are judged as.
fn chosen(wanted: Wanted, base: &[Constraints], head: &[Constraints]) -> Release {
    match wanted {
        Wanted::Release(it) => it,
        Wanted::Newest(product) => {
            let alone = || common_release(product, &[], head);
            common_release(product, base, head).or_else(alone).unwrap_or(product.newest())
        }
    }
}

fn told(
    request: &Request<'_>,
    configurations: &Configurations<'_>,
    (base, head): (Option<Contract<'_>>, Option<Contract<'_>>),
    (path, renamed_from): (String, Option<String>),
) -> Outcome {
    let has_contract = |it: &Contract<'_>| {
        !it.module.variables.is_empty() || !it.module.outputs.is_empty() || !it.problems.is_empty()
    };
    if !base.iter().chain(&head).any(has_contract) {
        return Outcome::default();
    }
    let none = Sources::new();
    let mut sources = [none.clone(), none];
    let mut findings = Vec::new();
    let changes = match (&base, &head) {
        (Some(base), Some(head)) => {
            sources = [base.sources(head), head.sources(base)];
            findings.extend(unread(request, [base, head], &sources, &path));
            if findings.is_empty() { compare::compare(base, head) } else { Vec::new() }
        }
        (Some(_), None) => {
            let summary = format!("The module {path} is gone");
            vec![Change::new(&rules::MODULE_REMOVED, Bump::Major, summary)]
        }
        _ => {
            let summary = format!("The module {path} is new");
            vec![Change::new(&rules::MODULE_ADDED, Bump::Minor, summary)]
        }
    };
    let mut level = if findings.is_empty() { Bump::None } else { Bump::CannotTell };
    let mut listed = Vec::new();
    let described = [request.base.described, request.head.described];
    let prefix = [request.base.prefix.as_str(), request.head.prefix.as_str()];
    let sides = Sides { sources: &sources, prefix, described };
    let told = changes.into_iter().filter(|it| !sides.is_ignored(it)).collect();
    for change in folded(told) {
        let Some(found) = configurations.adjust(finding(&change, &sides, &path)) else { continue };
        let bump = effective(&change, found.level);
        level = level.max(bump);
        listed.push(ContractChange {
            rule: found.rule.clone(),
            level: bump,
            message: found.message.clone(),
            variable: found.variable.clone(),
            output: change.output.as_ref().map(ToString::to_string),
            witness: change.witness.as_ref().map(|it| it.block(&source(&path))),
        });
        findings.push(found);
    }
    let next = request.version.and_then(|it| next_version(it, level));
    let next = next.map(|it| it.to_string());
    let module = ModuleChanges { path, renamed_from, level, changes: listed, next };
    Outcome { module: Some(module), findings, failure: None }
}

/// What keeps one of the states from being read.
fn unread(
    request: &Request<'_>,
    contracts: [&Contract<'_>; 2],
    sources: &[Sources; 2],
    path: &str,
) -> Vec<Finding> {
    let prefixes = [&request.base.prefix, &request.head.prefix];
    let each = contracts.iter().zip(sources).zip(prefixes);
    each.flat_map(|((contract, sources), prefix)| {
        contract.problems.iter().map(move |it| {
            let mut finding = Finding::new(it, path, sources);
            // Nobody can mend what was.
            if !std::ptr::eq(*contract, contracts[1]) {
                finding.level = finding.level.min(Level::Warning);
            }
            for at in &mut finding.locations {
                at.file = format!("{prefix}{}", at.file);
            }
            finding
        })
    })
    .collect()
}

impl State {
    /// Its place in pairs of both.
    pub(super) fn index(self) -> usize {
        usize::from(self == State::Head)
    }
}
