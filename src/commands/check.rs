//! `terraschema check [PATH|FILE…]`: drift and inputs of every module that the paths name.

use std::{path::PathBuf, sync::Arc};

use crate::{
    Console, Exit,
    confine::{Asked, with_walls},
    flags::{LimitFlags, ReleaseFlags, SchemaFlags, written_file},
    hook_names::misplaced,
    output::OutputFlags,
    progress::drawn,
};
use anyhow::bail;
use check::{ChangedFiles, CheckRequest, FileRole, Progress, Remotes, Select, Shard};
use clap::Args;
use config::{Config, Date, FILE_NAME, Globs};
use git::{IndexSystem, Repository, RevisionRange, WorkTreeSystem};
use report::{Checked, Report, ReportBody, Status, WrittenBaseline};
use system::{System, paths};

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Directories to check, with their subdirectories, or files whose modules to check
    #[arg(value_name = "PATH|FILE")]
    paths: Vec<PathBuf>,
    /// Update stale schemas and create missing ones
    #[arg(long)]
    fix: bool,
    /// Remove attributes that Terraform drops, and values of undeclared variables, from values
    /// files, examples and the code of READMEs
    #[arg(long)]
    fix_inputs: bool,
    /// Raise required_version if it allows a release without a feature that the module uses
    #[arg(long, conflicts_with = "hook")]
    fix_required_version: bool,
    /// Check only modules with staged changes, as they are in the Git index
    #[arg(long, conflicts_with_all = ["fix", "fix_inputs", "fix_required_version", "changed"])]
    staged: bool,
    /// Check only modules that changed since the merge base with the default branch or with REV, or
    /// from A to B (A...B, A..B)
    #[arg(long, value_name = "REV", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    changed: Option<String>,
    /// Run as a pre-commit hook: check the modules of the given and the deleted files, treat
    /// untracked schemas as missing, and exit with 1 if a schema was written
    #[arg(long, conflicts_with_all = ["staged", "changed"])]
    hook: bool,
    /// Check only shard I of N of the modules; merge the JSON reports of all shards with `merge`
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Write all findings to this baseline; to silence them, set `baseline = "FILE"` in
    /// .terraschema.hcl
    #[arg(long, value_name = "FILE", conflicts_with_all = ["staged", "hook", "shard"],
          value_parser = written_file)]
    write_baseline: Option<PathBuf>,
    /// Report only findings of these rules, by id or pattern (repeatable, or with commas), and the
    /// number of others
    #[arg(long, value_name = "RULE", conflicts_with = "write_baseline")]
    select: Vec<String>,
    /// Exclude modules and values files by path, such as 'legacy/**' (repeatable); the report lists
    /// them
    #[arg(long, value_name = "PATTERN", conflicts_with = "write_baseline")]
    exclude: Vec<String>,
    /// Exclude what a configuration excludes, even if the command line names it
    #[arg(long)]
    force_exclude: bool,
    /// Use this configuration instead of any .terraschema.hcl; its paths are relative to the
    /// current directory
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Read and write only below this directory [default: the repository's work tree]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(flatten)]
    release: ReleaseFlags,
    /// Do not judge module blocks by the rules of the called modules
    #[arg(long)]
    no_calls: bool,
    /// Also read called modules that `terraform init` installed (.terraform/modules)
    #[arg(long)]
    initialised: bool,
    /// Date, such as 2027-01-31, to compare with `until` of `ignore` blocks [default: today, in
    /// UTC]
    #[arg(long, value_name = "DATE", value_parser = today)]
    today: Option<Date>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    schema: SchemaFlags,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(
    args: &CheckArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let progress = Arc::new(Progress::default());
    let shown = Arc::clone(&progress);
    let work = || report(args, system, progress);
    let is_shown = console.shows_progress && !args.output.is_quiet();
    let report = if is_shown { drawn(&shown, work) } else { work() };
    let report = report.unwrap_or_else(|error| Report {
        body: ReportBody::Check(Checked {
            part: args.shard.map(Shard::part),
            ..Checked::default()
        }),
        ..Report::failed(format!("{error:#}"))
    });
    if report.modules().is_empty() && report.findings.is_empty() && report.failures.is_empty() {
        let is_narrowed = args.staged || args.hook || args.changed.is_some();
        let why = if is_narrowed { "no changed module has variables" } else { NO_MODULE };
        console.info(&format!("{why}; no schema to check"));
    }
    let checked = report.checked();
    if let Some((number, WrittenBaseline { file, is_configured })) =
        checked.and_then(|it| Some((it.baselined, it.baseline.as_ref()?)))
    {
        let further = if *is_configured {
            String::new()
        } else {
            format!("; to use it, write `baseline = \"{file}\"` in {FILE_NAME}")
        };
        console.info(&format!("{file} now lists all {number} findings{further}"));
        if let Some(excluded) = unreadable(&report) {
            console.info(&format!(
                "it does not list files that cannot be read; to exclude them, write `exclude = \
                [{excluded}]` in the `modules` block of {FILE_NAME}"
            ));
        }
    }
    // The other formats are for machines, whose logs people read.
    if !args.output.is_human() {
        report.left_out.lines().iter().for_each(|it| console.info(it));
    }
    let wrote = report.modules().iter().any(|it| it.status == Status::Written);
    let exit = args.output.emit(report, system, console)?;
    Ok(if args.hook && wrote && exit == Exit::Clean { Exit::Findings } else { exit })
}

/// Modules that cannot be read, as patterns.
fn unreadable(report: &Report) -> Option<String> {
    let skipped = report.modules().iter().filter(|it| it.status == Status::Skipped);
    let patterns = skipped.map(|it| format!("{:?}", Globs::literal(&it.path)));
    Some(patterns.collect::<Vec<_>>().join(", ")).filter(|it| !it.is_empty())
}

const NO_MODULE: &str = "found no module with variables";

fn report(
    args: &CheckArgs,
    system: &dyn System,
    progress: Arc<Progress>,
) -> anyhow::Result<Report> {
    let flags = Config {
        terraform_version: args.release.terraform_version,
        opentofu: args.release.opentofu,
        calls: args.no_calls.then_some(false),
        initialised: args.initialised,
        schema: args.schema.settings(),
        limits: args.limits.settings(),
        today: args.today,
        ..Config::default()
    };
    let remotes = git::remotes(system, &args.paths);
    let request = CheckRequest {
        targets: args.paths.clone(),
        flags,
        config_file: args.config.clone(),
        shard: args.shard,
        force_exclude: args.force_exclude,
        fix: args.fix,
        fix_inputs: args.fix_inputs,
        fix_required_version: args.fix_required_version,
        select: selected(&args.select)?,
        exclude: excluded(&args.exclude)?,
        lowest: Some(args.output.lowest()),
        remotes: Remotes::new(|| remotes),
        write_baseline: args.write_baseline.clone(),
        policies: check_policy::reader(),
        progress,
        ..CheckRequest::default()
    };
    if let (Some(_), Some(it)) =
        (&args.changed, args.paths.iter().find(|it| system.kind(it).is_err()))
    {
        let path = paths::display(it);
        bail!(
            "{path}: no such file or directory; to compare with a revision, write \
            `--changed={path}`"
        );
    }
    let asked = Asked {
        // The files that pre-commit passes are paths of the checked tree.
        named: if args.hook { &[] } else { &args.paths },
        root: args.root.as_deref(),
        files: args.config.as_slice(),
        max_file_size: args.limits.max_file_size(),
    };
    with_walls(system, &asked, |it| {
        if args.hook { hook(request, it) } else { narrowed(args, request, it) }
    })
}

/// Checks everything, or what changed.
fn narrowed(
    args: &CheckArgs,
    request: CheckRequest,
    system: &dyn System,
) -> anyhow::Result<Report> {
    let Some(range) = range(args) else {
        return Ok(check::run(&request, &WorkTreeSystem::new(system))?);
    };
    let repository = Repository::here(system)?;
    let paths = absolute(&repository, &repository.changed(&range)?, system);
    let change = Some(change(&repository, paths)?);
    let request = CheckRequest { change, ..request };
    if range == RevisionRange::Staged {
        return Ok(check::run(&request, &IndexSystem::new(repository, system)?)?);
    }
    Ok(check::run(&request, &WorkTreeSystem::of(system, repository.into_tracked()))?)
}

/// Runs as a hook. pre-commit does not name deleted files: its environment names the compared revisions,
/// otherwise it is a commit.
fn hook(request: CheckRequest, system: &dyn System) -> anyhow::Result<Report> {
    if let Some(why) = request.targets.iter().find_map(|it| misplaced(it, system)) {
        bail!(why);
    }
    let current_dir = system.current_dir()?;
    let repository = Repository::here(system)?;
    let refs = (system.env("PRE_COMMIT_FROM_REF"), system.env("PRE_COMMIT_TO_REF"));
    let range = match refs {
        (Some(from), Some(to)) => RevisionRange::SinceMergeBase(from, to),
        _ => RevisionRange::Staged,
    };
    let mut paths = absolute(&repository, &repository.deleted(&range)?, system);
    paths.extend(request.targets.iter().map(|it| paths::clean(&current_dir.join(it))));
    let change = Some(change(&repository, paths)?);
    let tracked = repository.into_tracked();
    let work_tree = WorkTreeSystem::of(system, tracked.clone());
    let request =
        CheckRequest { targets: Vec::new(), change, tracked: Some(Arc::new(tracked)), ..request };
    Ok(check::run(&request, &work_tree)?)
}

fn change(repository: &Repository, paths: Vec<PathBuf>) -> anyhow::Result<ChangedFiles> {
    let mut change =
        ChangedFiles { root: repository.root().to_owned(), paths, ..ChangedFiles::default() };
    repository.each_tracked(&mut |path, is_link| {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if name == FILE_NAME {
            change.configurations.push(path.to_owned());
        } else if FileRole::of(name) == FileRole::Source {
            change.sources.push(path.to_owned());
        } else if check::is_readme(name) {
            change.readmes.push(path.to_owned());
        }
        if is_link {
            change.links.push(path.to_owned());
        }
    })?;
    Ok(change)
}

fn selected(rules: &[String]) -> anyhow::Result<Option<Select>> {
    if rules.is_empty() {
        return Ok(None);
    }
    Select::new(rules).map(Some).map_err(|it| anyhow::anyhow!("--select: {it}"))
}

fn excluded(patterns: &[String]) -> anyhow::Result<Option<Globs>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    Globs::new(patterns).map(Some).map_err(|it| anyhow::anyhow!("--exclude: {it}"))
}

fn shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text).ok_or_else(|| "write I/N with I from 1 to N, such as 1/4".to_owned())
}

pub(super) fn today(text: &str) -> Result<Date, String> {
    Date::parse(text).ok_or_else(|| "write a day, such as 2027-01-31".to_owned())
}

fn range(args: &CheckArgs) -> Option<RevisionRange> {
    if args.staged {
        return Some(RevisionRange::Staged);
    }
    args.changed.as_deref().map(RevisionRange::parse)
}

/// Paths as the file system spells them; the index may use other letter case.
fn absolute(repository: &Repository, changed: &[PathBuf], system: &dyn System) -> Vec<PathBuf> {
    let written = |changed: &PathBuf| {
        let path = repository.root().join(changed);
        let parent = path.parent().and_then(|it| system.canonicalize(it).ok());
        parent.zip(path.file_name()).map_or(path.clone(), |(dir, name)| dir.join(name))
    };
    changed.iter().map(written).collect()
}
