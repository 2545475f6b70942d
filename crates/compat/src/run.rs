//! Pairs and compares all modules of two states.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    callers::{Callers, Changed},
    compare,
    contract::{ModuleContract, common_release},
    described::Described,
    findings::{Change, Sides, State, finding, folded, source},
    inclusion::Wants,
    older,
    pairs::{ModulePair, Pairs, described, pairs},
    tags::next_version,
};
use config::Configurations;
use diagnostics::{Finding, LevelReason, Sources, lints};
use rayon::prelude::*;
use release::{Release, Version, Wanted};
use report::{Bump, Compat, ContractChange, ModuleChanges, Report, ReportBody};
use system::{System, paths};
use tf_eval::Meter;

/// A state of all modules.
pub struct Revision<'a> {
    pub system: &'a dyn System,
    /// The directory that the modules lie below.
    pub root: PathBuf,
    /// Its name in the report.
    pub shown: String,
    /// The prefix of its files' paths in findings, such as `v1.2.3:`.
    pub prefix: String,
    /// The schema that replaces the one module of this state.
    pub described: Option<&'a Described>,
}

/// The states that are compared, and how.
pub struct CompatRequest<'a> {
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
    /// Whether modules below `examples`, `test` and `tests` are compared, too.
    pub examples: bool,
    /// Whether calls are shown that prove what breaks.
    pub witnesses: bool,
}

impl<'a> CompatRequest<'a> {
    /// All modules of two states.
    pub fn new(base: Revision<'a>, head: Revision<'a>) -> CompatRequest<'a> {
        let (paths, callers) = (Vec::new(), Vec::new());
        CompatRequest {
            base,
            head,
            paths,
            unlike: None,
            version: None,
            callers,
            examples: false,
            witnesses: true,
        }
    }
}

/// The result for a pair.
#[derive(Default)]
struct Outcome {
    module: Option<ModuleChanges>,
    findings: Vec<Finding>,
    failure: Option<String>,
}

/// Compares the contracts of all modules. Errors: a state that cannot be read at all.
pub fn run(request: &CompatRequest<'_>, configurations: &Configurations<'_>) -> io::Result<Report> {
    let problems = configurations.problems();
    if !problems.is_empty() {
        return Ok(Report { findings: problems, ..Report::default() });
    }
    let Pairs { pairs, left_out } = match described(request)? {
        Some(pair) => Pairs { pairs: vec![pair], left_out: Vec::new() },
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
    // The configuration files that govern the changed modules were read meanwhile.
    report.findings.extend(configurations.problems());
    modules.sort_by(|one, other| one.path.cmp(&other.path));
    let (base, head) = (request.base.shown.clone(), request.head.shown.clone());
    let left_out = left_out.iter().map(|it| paths::display(it)).collect();
    report.body = ReportBody::Compat(Compat { base, head, modules, left_out, history: None });
    report.sort();
    Ok(report)
}

/// Judges the calls of modules that changed.
fn calls<'o>(
    request: &CompatRequest<'_>,
    configurations: &Configurations<'_>,
    outcomes: impl Iterator<Item = (&'o ModulePair, &'o Outcome)>,
) -> io::Result<Vec<Finding>> {
    let changed = outcomes.filter_map(|(pair, outcome)| {
        let changes = outcome.module.as_ref().filter(|it| it.bump >= Bump::CannotTell)?;
        let base = pair.base.iter().map(|it| request.base.root.join(it));
        let head = pair.head.iter().map(|it| request.head.root.join(it));
        Some(Changed { dirs: base.chain(head).collect(), changes })
    });
    let changed: Vec<Changed<'_>> = changed.collect();
    Callers::new(request, configurations, &changed)?.findings(&request.callers)
}

fn outcome(
    request: &CompatRequest<'_>,
    configurations: &Configurations<'_>,
    pair: &ModulePair,
) -> Outcome {
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
        let release = chosen(settings.release, base.as_ref(), head.as_ref());
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
    let is_wanted = matches!(settings.release, Wanted::Newest(_)) && !is_described;
    let older = |release: Release| {
        let (base, head) = both(release).ok()?;
        base.zip(head)
    };
    let older: Option<older::Loader<'_, '_>> = if is_wanted { Some(&older) } else { None };
    reported(request, configurations, base.as_ref(), head.as_ref(), older, path, renamed)
}

fn load<'a>(
    at: &Revision<'a>,
    dir: Option<&Path>,
    release: Release,
    meter: &Meter,
) -> io::Result<Option<ModuleContract<'a>>> {
    let Some(dir) = dir else { return Ok(None) };
    let contract = ModuleContract::load(at.system, dir, release, meter)?;
    match at.described {
        Some(described) => contract.describe(described).map(Some),
        None => Ok(Some(contract)),
    }
}

/// The release that both are judged as: the newest that both admit, and all modules that they call.
fn chosen(
    wanted: Wanted,
    base: Option<&ModuleContract<'_>>,
    head: Option<&ModuleContract<'_>>,
) -> Release {
    let product = match wanted {
        Wanted::Release(it) => return it,
        Wanted::Newest(product) => product,
    };
    let all =
        |it: Option<&ModuleContract<'_>>| it.map(ModuleContract::constraints).unwrap_or_default();
    let own = |it: Option<&ModuleContract<'_>>| {
        it.map(ModuleContract::own_constraints).unwrap_or_default()
    };
    // Where nothing is admitted by everybody, the new state decides, then its root alone.
    common_release(product, &all(base), &all(head))
        .or_else(|| common_release(product, &[], &all(head)))
        .or_else(|| common_release(product, &[], &own(head)))
        .unwrap_or(product.newest())
}

fn reported(
    request: &CompatRequest<'_>,
    configurations: &Configurations<'_>,
    base: Option<&ModuleContract<'_>>,
    head: Option<&ModuleContract<'_>>,
    older: Option<older::Loader<'_, '_>>,
    path: String,
    renamed_from: Option<String>,
) -> Outcome {
    let has_contract = |it: &ModuleContract<'_>| {
        !it.module.variables.is_empty() || !it.module.outputs.is_empty() || !it.problems.is_empty()
    };
    if !base.into_iter().chain(head).any(has_contract) {
        return Outcome::default();
    }
    let none = Sources::new();
    let mut sources = [none.clone(), none];
    let mut findings = Vec::new();
    let changes = match (base, head) {
        (Some(base), Some(head)) => {
            sources = [base.sources(head), head.sources(base)];
            findings.extend(unread(request, [base, head], &sources, &path));
            if findings.is_empty() { compared(request, [base, head], older) } else { Vec::new() }
        }
        (Some(_), None) => {
            let summary = format!("The module {path} was removed");
            vec![Change::new(&lints::MODULE_REMOVED, Bump::Major, summary)]
        }
        _ => {
            let summary = format!("The module {path} is new");
            vec![Change::new(&lints::MODULE_ADDED, Bump::Minor, summary)]
        }
    };
    let mut greatest = if findings.is_empty() { Bump::None } else { Bump::CannotTell };
    let (mut listed, mut major_before) = (Vec::new(), None);
    let described = [request.base.described, request.head.described];
    let prefix = [request.base.prefix.as_str(), request.head.prefix.as_str()];
    let sides = Sides { sources: &sources, prefix, described };
    let reported = changes.into_iter().filter(|it| !sides.is_ignored(it)).collect();
    for change in folded(reported) {
        let Some(found) = configurations.adjust(finding(&change, &sides, &path)) else { continue };
        let bump = found.bump.unwrap_or(change.bump);
        greatest = greatest.max(bump);
        major_before = major_before.max(change.major_before.as_deref().and_then(Version::parse));
        listed.push(ContractChange {
            rule: found.rule.clone(),
            bump,
            major_before: change.major_before.clone(),
            message: found.message.clone(),
            variable: found.variable.clone(),
            output: change.output.as_ref().map(ToString::to_string),
            witness: change.witness.as_ref().map(|it| it.block(&source(&path))),
        });
        findings.push(found);
    }
    let next = request.version.and_then(|it| next_version(it, greatest)).map(|it| it.to_string());
    let major_before = major_before.map(|it| format!("{}.{}", it.major, it.minor));
    let module =
        ModuleChanges { path, renamed_from, bump: greatest, major_before, changes: listed, next };
    Outcome { module: Some(module), findings, failure: None }
}

/// The changes of a module, as the release that was chosen and as older ones.
fn compared(
    request: &CompatRequest<'_>,
    [base, head]: [&ModuleContract<'_>; 2],
    older: Option<older::Loader<'_, '_>>,
) -> Vec<Change> {
    let wants = if request.witnesses { Wants::Shown } else { Wants::Found };
    let mut changes = compare::changes(base, head, wants);
    let older = older.map(|load| older::changes(base, head, &changes, load, wants));
    changes.extend(older.unwrap_or_default());
    changes
}

/// Findings about the errors that keep one of the states from being read.
fn unread(
    request: &CompatRequest<'_>,
    contracts: [&ModuleContract<'_>; 2],
    sources: &[Sources; 2],
    path: &str,
) -> Vec<Finding> {
    let prefixes = [&request.base.prefix, &request.head.prefix];
    let each = contracts.iter().zip(sources).zip(prefixes);
    each.flat_map(|((contract, sources), prefix)| {
        contract.problems.iter().map(move |it| {
            let mut finding = Finding::new(it, path, sources);
            // The old state cannot be mended any more.
            if !std::ptr::eq(*contract, contracts[1]) {
                finding.level = LevelReason::NotCompared.level(finding.level);
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
    /// Its index in arrays of both states.
    pub(super) fn index(self) -> usize {
        usize::from(self == State::Head)
    }
}
