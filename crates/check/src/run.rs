//! One run: find the modules, check each in parallel, report in a stable order.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    io,
    path::{Path, PathBuf},
};

use super::{
    CheckRequest, Directories, Directory, Found, absent,
    baseline::Known,
    budget,
    changed::Changed,
    discover,
    discover::has_tofu_files,
    edits, levels, loose, module_run,
    module_run::{DeclaredValue, Outcome},
    ordered,
    policy_set::{Covered, Policies},
    readmes::{Reader, Readmes},
    shard::Shard,
    shared::Shared,
    subject::RunContext,
    suppress,
    units::Units,
};
use config::{Configurations, Globs};
use diagnostics::{Finding, Level, Role, lints};
use release::Product;
use report::{Checked, LeftOut, ModuleReport, Report, ReportBody, Status, UsedSuppression};
use system::{LimitedSystem, System, paths};
use verdict::tree::Library;

/// Checks every module that the request names. The report holds the findings, and the failures of single
/// modules, which do not keep others from being checked. An error means that the run itself failed: a
/// target that does not exist, a directory that cannot be read. With an invalid configuration nothing is
/// checked, and the report holds its errors only.
pub fn run(request: &CheckRequest, system: &dyn System) -> io::Result<Report> {
    let asked = [
        (request.fix_inputs, &edits::INPUTS),
        (request.fix_inputs, &edits::UNDECLARED),
        (request.fix_inputs, &edits::EXAMPLES),
        (request.fix_required_version, &edits::REQUIRED_VERSION),
    ];
    let asked: Vec<_> =
        asked.into_iter().filter_map(|(is_asked, it)| is_asked.then_some(it)).collect();
    if asked.is_empty() {
        return run_once(request, system, Settles::Yes);
    }
    let dry = CheckRequest { fix: false, write_baseline: None, keeps_all: true, ..request.clone() };
    let (mut edited, mut fixed) = (BTreeSet::new(), edits::Fixed::default());
    for _ in 0..FIX_ATTEMPTS {
        let found = run_once(&dry, system, Settles::No)?;
        fixed = edits::fix(&asked, &found.findings, system);
        edited.append(&mut fixed.written);
        if fixed.changed.is_empty() {
            break;
        }
    }
    let mut report = run_once(request, system, Settles::Yes)?;
    let keeps_changing = fixed.changed.iter().map(|it| {
        format!("{it} is not fixed, because another process is writing it; run the command again")
    });
    report.failures.extend(fixed.failures.into_iter().chain(keeps_changing));
    if let Some(checked) = report.checked_mut() {
        checked.edited.append(&mut edited);
    }
    Ok(report)
}

/// How often fixes of files are planned, where somebody else changes a file between the look at it and the
/// fix.
const FIX_ATTEMPTS: usize = 3;

/// Whether known findings leave the report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settles {
    No,
    Yes,
}

fn run_once(request: &CheckRequest, system: &dyn System, settles: Settles) -> io::Result<Report> {
    let configurations =
        Configurations::new(system, request.flags.clone(), request.config_file.as_deref())?;
    let Found { mut directories, mut ownerless, units: unit_files, readmes: mut readme_files } =
        found(request, system, &configurations)?;
    let decided = decide_product(request, system, &configurations, &directories)?;
    if let Some(shard) = request.shard {
        directories.retain(|dir, _| shard.holds(dir));
    }
    let (policies, found) = Policies::read(request.policies.as_deref(), &configurations);
    let (known, unreadable) = Known::read(request, system, &configurations)?;
    let mut problems = configurations.problems();
    problems.extend(unreadable);
    problems.extend(found);
    let part = request.shard.map(Shard::part);
    let body = ReportBody::Check(Checked { part, ..Checked::default() });
    let mut report = Report { body, ..Report::default() };
    if let Some(globs) = &request.exclude {
        exclude(globs, &mut directories, &mut ownerless, &mut report.left_out);
        readme_files.retain(|it| !globs.covers(it));
    }
    if !problems.is_empty() {
        report.findings = problems;
        report.sort();
        return Ok(report);
    }
    let library = &Library::sharing(request.kept_modules.clone());
    let (configurations, policies) = (&configurations, &policies);
    let here = configurations.settings(Path::new("."));
    let left = here.limits.run_over(directories.len());
    let limited = &LimitedSystem::new(system, here.max_file_size);
    let readmes =
        &read_readmes(&readme_files, &directories, configurations, request, limited, left)?;
    let units = &Units::default();
    let context =
        &RunContext { request, system, configurations, library, policies, units, readmes };
    let asks_for_all = !known.is_empty() || request.fix_inputs || request.fix_required_version;
    let lowest = request.lowest.filter(|_| !asks_for_all).unwrap_or(Level::Note);
    let declared = check_all(context, &directories, left, lowest, &mut report);
    report.judged_as.remarks.extend(decided);
    report.judged_as.remarks.extend(remark_on_terragrunt(unit_files, &report));
    report.judged_as.remarks.extend(remark_on_tofu(configurations, &directories));
    let ownerless = ownerless.iter().map(|it| paths::display(it));
    report.values_files.without_module.extend(ownerless);
    let named = absent::named(request, &report.values_files, system)?;
    let unread = budget::of_patterns(system).into_iter();
    let unread = unread.chain(budget::of_readmes(readmes.left_out, readme_files.len()));
    let further = named.into_iter().chain(configurations.expired()).chain(unread);
    report.findings.extend(further.filter_map(|it| levels::adjust(configurations, it)));
    report.drop_repeated();
    report.sort();
    report.findings.dedup_by(|it, before| is_same_of_configuration(it, before));
    spare_shared(&mut report, &declared, configurations);
    if settles == Settles::Yes {
        let is_whole = is_whole(request, &report);
        known.settle(&mut report, is_whole);
    }
    report.settle_blocked();
    if let Some(select) = &request.select {
        select.narrow(&mut report.findings, &mut report.left_out);
    }
    Ok(report)
}

/// Reads the READMEs, within the work that is left, for the code in them about the modules to check. One in a directory
/// that the configuration excludes is left out, as everything in it is.
fn read_readmes(
    files: &BTreeSet<PathBuf>,
    directories: &Directories,
    configurations: &Configurations<'_>,
    request: &CheckRequest,
    system: &dyn System,
    left: u64,
) -> io::Result<Readmes> {
    if directories.is_empty() {
        return Ok(Readmes::default());
    }
    let current_dir = system.current_dir()?;
    let modules = directories.iter().filter(|it| !it.1.is_of_policies);
    let modules = modules.map(|it| paths::clean(&current_dir.join(it.0)));
    let modules: HashSet<PathBuf> = modules.collect();
    let files: Vec<PathBuf> = files.iter().cloned().collect();
    let reader = Reader::new(system, &request.remotes, current_dir);
    let is_excluded = |dir: &Path| !modules.contains(dir) && configurations.excludes(dir);
    Ok(Readmes::read(&files, &reader, left, &|it| modules.contains(it), &is_excluded))
}

/// Leaves out the directories and values files that a pattern covers, and lists them. The inputs that a
/// configuration names are left out when they are judged.
fn exclude(
    globs: &Globs,
    directories: &mut Directories,
    ownerless: &mut Vec<PathBuf>,
    left_out: &mut LeftOut,
) {
    left_out.exclude = globs.patterns().to_vec();
    let (modules, files) = (&mut left_out.modules, &mut left_out.values_files);
    let mut leave_out = |file: &PathBuf| {
        let is_covered = globs.covers(file);
        if is_covered {
            files.insert(paths::display(file));
        }
        !is_covered
    };
    ownerless.retain(&mut leave_out);
    directories.retain(|dir, directory| {
        directory.values.retain(&mut leave_out);
        let is_covered = globs.covers(&paths::clean(dir));
        if is_covered {
            modules.insert(paths::display(dir));
        }
        !is_covered
    });
}

/// Whether two findings, of different modules, are about the same setting that both have.
fn is_same_of_configuration(it: &Finding, before: &Finding) -> bool {
    it.rule == lints::UNREADABLE_INPUT
        && it.locations.first().is_some_and(|it| it.role == Role::Declaration)
        && (&it.message, &it.locations) == (&before.message, &before.locations)
}

/// Checks the directories within the work that is left, and keeps the findings of a level and above. The
/// modules beyond the work are one finding.
fn check_all(
    context: &RunContext<'_>,
    directories: &Directories,
    left: u64,
    lowest: Level,
    report: &mut Report,
) -> HashSet<DeclaredValue> {
    let RunContext { request, configurations, .. } = *context;
    request.progress.begin(directories.len());
    let listed: Vec<_> = directories.iter().collect();
    let done = ordered::run(listed.len(), left, |index| {
        let (dir, directory) = listed[index];
        let outcome = module_run::check(context, dir, directory);
        request.progress.step();
        let outcome = outcome.unwrap_or_else(|it| module_run::failed(context, dir, &it));
        let work = outcome.work;
        (adjusted(configurations, outcome, lowest), work)
    });
    let (work, mut loose, mut declared) = (done.work, Vec::new(), HashSet::new());
    let mut shared = Shared::default();
    let left_out = listed.len() - done.within.len();
    let (mut used, mut covered) = (Vec::new(), BTreeMap::<PathBuf, Covered>::new());
    let mut cover = |outcome: &mut Outcome| {
        for (dir, it) in std::mem::take(&mut outcome.covered) {
            covered.entry(dir).or_default().add(it);
        }
    };
    for mut outcome in done.within {
        cover(&mut outcome);
        used.append(&mut outcome.suppressions);
        declared.extend(std::mem::take(&mut outcome.declared));
        shared.count(&outcome.values_files);
        merge(report, &mut loose, outcome);
    }
    // Written files are reported even where the budget ended.
    let written = done.beyond.into_iter().filter_map(|it| it.module);
    if let Some(checked) = report.checked_mut() {
        checked.modules.extend(written.filter(|it| it.status == Status::Written));
    }
    report.work = work;
    let mut is_over = left_out > 0;
    let (groups, others) = loose::grouped(context, loose);
    if !is_over {
        let done = ordered::run(groups.len(), left.saturating_sub(work), |index| {
            let outcomes = loose::check(context, &groups[index]).into_iter();
            let outcomes: Vec<_> =
                outcomes.map(|it| adjusted(configurations, it, lowest)).collect();
            let work = outcomes.iter().map(|it| it.work).fold(0, u64::saturating_add);
            (outcomes, work)
        });
        report.work = work.saturating_add(done.work);
        is_over = done.within.len() < groups.len();
        for mut outcome in done.within.into_iter().flatten().chain(others) {
            cover(&mut outcome);
            used.append(&mut outcome.suppressions);
            declared.extend(std::mem::take(&mut outcome.declared));
            merge(report, &mut Vec::new(), outcome);
        }
    }
    let is_of_all = request.targets.is_empty() && request.change.is_none();
    let users = |file: &str| {
        if is_of_all {
            return 0;
        }
        configurations.modules_of_input(Path::new(file)).len()
    };
    shared.settle(&mut report.findings, users);
    // A suppression that silences something in a run over a caller or over inputs is used.
    let used: HashSet<UsedSuppression> = used.into_iter().collect();
    report.findings.retain(|it| !suppress::is_about(it, &used));
    if is_over {
        report.findings.push(budget::of_run(left_out, listed.len()));
    }
    let unused = is_whole(request, report).then(|| unused(context));
    // A part of a run does not know what the rules are about in the others.
    if unused.is_some() && report.part().is_none() {
        report.findings.extend(idle(context, &covered));
    }
    match report.checked_mut().and_then(|it| it.part.as_mut()) {
        Some(part) => {
            let mut used: Vec<UsedSuppression> = used.into_iter().collect();
            used.sort();
            (part.unused, part.used) = (unused, used);
        }
        None => report.findings.extend(unused.into_iter().flatten()),
    }
    declared
}

/// Takes the fix away from values that another module declares, or may declare: one that the configuration gives
/// the file to, but this run does not check.
fn spare_shared(
    report: &mut Report,
    declared: &HashSet<DeclaredValue>,
    configurations: &Configurations<'_>,
) {
    let named: HashSet<(&str, &str)> =
        declared.iter().map(|it| (it.file.as_str(), it.name.as_str())).collect();
    let owned: HashSet<(&str, &str)> =
        declared.iter().map(|it| (it.file.as_str(), it.module.as_str())).collect();
    let mut findings = std::mem::take(&mut report.findings);
    let checked: HashSet<&str> = report.modules().iter().map(|it| it.path.as_str()).collect();
    let mut are_all_checked: HashMap<String, bool> = HashMap::new();
    for it in findings.iter_mut().filter(|it| it.rule == lints::UNDECLARED_VARIABLE) {
        let Some(file) = it.locations.first().map(|at| &at.file) else { continue };
        let is_whole = *are_all_checked.entry(file.clone()).or_insert_with(|| {
            let modules = configurations.modules_of_input(Path::new(file));
            modules.iter().all(|it| checked.contains(paths::display(it).as_str()))
        });
        let is_declared = match &it.variable {
            Some(name) => named.contains(&(file.as_str(), name.as_str())),
            // Names that are only counted may be those of any other module.
            None => owned.iter().any(|(of, module)| of == file && *module != it.module),
        };
        if !is_whole || is_declared {
            it.fix = None;
        }
    }
    report.findings = findings;
}

/// Decides that OpenTofu runs the modules where nothing says which product does, and files below the current
/// directory are for OpenTofu alone. Returns the remark about it.
fn decide_product(
    request: &CheckRequest,
    system: &dyn System,
    configurations: &Configurations<'_>,
    directories: &Directories,
) -> io::Result<Option<String>> {
    if !configurations.leaves_product_open() {
        return Ok(None);
    }
    let is_of_tofu = if let Some(change) = &request.change {
        let current_dir = system.current_dir()?;
        let sources = change.sources.iter().filter(|it| it.starts_with(&current_dir));
        let mut sources: Vec<PathBuf> = sources.cloned().collect();
        sources.sort_unstable();
        has_tofu_files(&sources)
    } else if request.targets.is_empty() {
        directories.values().any(|it| it.is_of_tofu)
    } else {
        // The answer must not depend on which modules are named.
        directories.values().any(|it| it.is_of_tofu)
            || has_tofu_files(&system.walk(Path::new("."), &|_| true).unwrap_or_default())
    };
    if !is_of_tofu {
        return Ok(None);
    }
    configurations.assume_opentofu();
    let remark = "the modules are judged as OpenTofu, because there are .tofu files; set \
        `opentofu` or `terraform_version` in .terraschema.hcl to choose the product";
    Ok(Some(remark.to_owned()))
}

/// What a run cannot judge of Terragrunt's files.
fn remark_on_terragrunt(units: usize, report: &Report) -> Option<String> {
    let files = match units {
        0 => return None,
        1 => "1 Terragrunt file is".to_owned(),
        _ => format!("{units} Terragrunt files are"),
    };
    Some(if report.modules().is_empty() {
        format!(
            "{files} here, and no module has variables: Terragrunt downloads the modules, so \
            neither they nor their `inputs` are judged"
        )
    } else {
        let their = if units == 1 { "its" } else { "their" };
        format!("{files} here; {their} `inputs` are not judged")
    })
}

/// What is to be known where Terraform judges modules with files that OpenTofu alone reads.
fn remark_on_tofu(
    configurations: &Configurations<'_>,
    directories: &Directories,
) -> Option<String> {
    let is_left_out = |(dir, directory): (&PathBuf, &Directory)| {
        directory.is_of_tofu && configurations.settings(dir).release.product() == Product::Terraform
    };
    let remark = ".tofu files are skipped, because Terraform does not read them; use \
        --opentofu, or `opentofu = true` in .terraschema.hcl, to judge them";
    directories.iter().any(is_left_out).then(|| remark.to_owned())
}

/// Findings about settings of the configurations that had no effect.
fn unused(context: &RunContext<'_>) -> Vec<Finding> {
    let RunContext { request, configurations, .. } = *context;
    let unused = configurations.unused(&trees(request)).into_iter();
    unused.filter_map(|it| levels::adjust(configurations, it)).collect()
}

/// Remarks on rules of policies that judged nothing.
fn idle(context: &RunContext<'_>, covered: &BTreeMap<PathBuf, Covered>) -> Vec<Finding> {
    let RunContext { request, configurations, policies, system, .. } = *context;
    let Ok(current) = system.current_dir() else { return Vec::new() };
    let trees: Vec<PathBuf> =
        trees(request).iter().map(|it| paths::clean(&current.join(it))).collect();
    let idle = policies.idle(covered, &trees).into_iter();
    idle.filter_map(|it| levels::adjust(configurations, it)).collect()
}

/// The trees that a run checks.
fn trees(request: &CheckRequest) -> Vec<PathBuf> {
    if request.targets.is_empty() { vec![PathBuf::from(".")] } else { request.targets.clone() }
}

fn found(
    request: &CheckRequest,
    system: &dyn System,
    configurations: &Configurations<'_>,
) -> io::Result<Found> {
    let (targets, force) = (&request.targets, request.force_exclude);
    let Some(change) = &request.change else {
        return discover(system, targets, configurations, force, &|_| true);
    };
    let changed = Changed::new(system, change, request, configurations)?;
    let enters = |dir: &Path| changed.may_lie_below(dir);
    let mut found = discover(system, targets, configurations, force, &enters)?;
    found.ownerless.retain(|it| changed.holds(it));
    found.readmes.extend(changed.readmes());
    let directories = changed.select(found.directories, configurations);
    Ok(Found { directories, ..found })
}

/// Whether everything below the targets was checked, so that a setting without a match is superfluous.
fn is_whole(request: &CheckRequest, report: &Report) -> bool {
    let is_read = |it: &ModuleReport| it.status != Status::Skipped;
    request.change.is_none()
        && request.exclude.is_none()
        && !request.fix
        && report.failures.is_empty()
        && report.modules().iter().all(is_read)
        && !report.findings.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED)
}

fn merge(report: &mut Report, loose: &mut Vec<PathBuf>, outcome: Outcome) {
    if let Some(checked) = report.checked_mut() {
        checked.modules.extend(outcome.module);
        checked.edited.extend(outcome.documented);
        checked.without_variables += usize::from(outcome.is_without_variables);
    }
    report.findings.extend(outcome.findings);
    report.not_judged.extend(outcome.not_judged);
    report.failures.extend(outcome.failure);
    report.left_out.values_files.extend(outcome.left_out);
    loose.extend(outcome.loose);
    report.values_files.judged.extend(outcome.values_files.judged);
    report.values_files.without_module.extend(outcome.values_files.without_module);
    if let Some(release) = outcome.release {
        report.judged_as.add(release);
    }
}

/// Gives the findings of an outcome their configured levels, and drops those below `lowest` at once: the notes
/// of a large repository are most of what a run would keep. Sorting them here, on many threads, saves work at
/// the end.
fn adjusted(configurations: &Configurations<'_>, outcome: Outcome, lowest: Level) -> Outcome {
    let findings = outcome.findings.into_iter().filter_map(|it| levels::adjust(configurations, it));
    let mut findings: Vec<Finding> = findings.filter(|it| it.level >= lowest).collect();
    findings.shrink_to_fit();
    findings.sort_by(report::compare);
    Outcome { findings, ..outcome }
}
