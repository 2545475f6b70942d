//! `terraschema compat`: which change of a module's contract breaks those who call it.

use std::path::{Path, PathBuf};

use super::{
    compat_bases::{newest_tags, of_each},
    history,
};
use crate::{
    Console, Exit,
    confine::{Asked, with_walls},
    flags::{LimitFlags, ReleaseFlags, Words},
    output::ShownFlags,
};
use anyhow::bail;
use check::FileRole;
use clap::Args;
use compat::{Described, Revision, version_of_tag};
use config::{Config, Configurations};
use diagnostics::{Finding, Level};
use git::{GitError, IndexFiles, IndexSystem, Repository, WorkTreeSystem};
use report::{Bump, ModuleChanges, Report};
use system::{EntryKind, LimitedSystem, System, paths};

#[derive(Debug, Args)]
pub(crate) struct CompatArgs {
    /// Old version: a Git revision, a directory, or a schema.json with annotations [default: the
    /// newest version tag that HEAD descends from, or that of each module]
    #[arg(value_name = "BASE", conflicts_with = "base_flag")]
    base: Option<String>,
    /// New version: a Git revision, a directory, or a schema.json with annotations [default: the
    /// work tree]
    #[arg(value_name = "HEAD", conflicts_with = "head_flag")]
    head: Option<String>,
    /// The same as BASE
    #[arg(long = "base", id = "base_flag", value_name = "BASE")]
    base_flag: Option<String>,
    /// The same as HEAD
    #[arg(long = "head", id = "head_flag", value_name = "HEAD")]
    head_flag: Option<String>,
    /// Modules to compare, with their subdirectories, relative to HEAD [default: all]
    #[arg(last = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Smallest change that makes the exit code 1: major, minor
    #[arg(long, value_name = "CHANGE", default_value = "major",
          value_parser = Words { words: bump_names, parse: bump }, hide_possible_values = true)]
    fail_on: BumpFlag,
    /// Also compare modules below examples, test and tests
    #[arg(long)]
    pub(super) examples: bool,
    /// Also judge the calls of changed modules below this directory, relative to HEAD
    #[arg(long, value_name = "DIR", num_args = 1..)]
    callers: Vec<PathBuf>,
    /// Compare each version tag with the previous one, and with the claim of its number; never
    /// fails
    #[arg(long, conflicts_with_all = ["base", "head", "base_flag", "head_flag", "callers"])]
    history: bool,
    /// Use this configuration instead of any .terraschema.hcl; its paths are relative to the
    /// current directory
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    release: ReleaseFlags,
    #[command(flatten)]
    pub(super) limits: LimitFlags,
    #[command(flatten)]
    shown: ShownFlags,
}

#[derive(Clone, Copy, Debug)]
struct BumpFlag(Bump);

fn bump(text: &str) -> Result<BumpFlag, String> {
    match text {
        "major" => Ok(BumpFlag(Bump::Major)),
        "minor" => Ok(BumpFlag(Bump::Minor)),
        _ => Err("one of major, minor".to_owned()),
    }
}

fn bump_names() -> Vec<&'static str> {
    vec!["major", "minor"]
}

pub(crate) fn run(
    args: &CompatArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let report = report(args, system).unwrap_or_else(|error| Report::failed(explained(&error)));
    let fails = report.findings.iter().any(|it| fails(it, args.fail_on.0))
        || unread(&report).any(|it| it.bump >= args.fail_on.0);
    args.shown.with_notes().emit(report, fails, system, console)
}

/// Whether a finding makes the exit code 1: as an error, or by its bump unless its level was lowered.
fn fails(finding: &Finding, lowest: Bump) -> bool {
    let is_lowered = finding.rule.declared().is_some_and(|it| finding.level < it.level);
    finding.level == Level::Error || finding.bump.is_some_and(|it| it >= lowest) && !is_lowered
}

/// The modules that do not parse in one of the states: what changed is unknown.
fn unread(report: &Report) -> impl Iterator<Item = &ModuleChanges> {
    let modules = report.compat().into_iter().flat_map(|it| &it.modules);
    modules.filter(|it| it.changes.is_empty())
}

/// What keeps the states from being compared, with what can be done about it here.
fn explained(error: &anyhow::Error) -> String {
    match error.downcast_ref::<GitError>() {
        Some(GitError::NoRepository(dir)) => {
            format!("{dir} is not in a git repository: name two directories, BASE and HEAD")
        }
        _ => format!("{error:#}"),
    }
}

/// The source of a state.
pub(super) enum Source {
    Directory(PathBuf),
    Revision(String),
    /// A schema in place of a module.
    Schema(PathBuf),
    WorkTree,
}

fn report(args: &CompatArgs, system: &dyn System) -> anyhow::Result<Report> {
    if args.history {
        return with_walls(system, &asked(args, &[]), |system| history::report(args, system));
    }
    let base = args.base.as_ref().or(args.base_flag.as_ref());
    let head = args.head.as_ref().or(args.head_flag.as_ref());
    let head = match head {
        Some(word) => source(word, "--head", system)?,
        None => Source::WorkTree,
    };
    let base = if let Some(word) = base {
        source(word, "--base", system)?
    } else {
        let tags = newest_tags(&head, system)?;
        match tags.get("") {
            Some(tag) => Source::Revision(tag.clone()),
            None => {
                let asked = asked(args, &[]);
                return with_walls(system, &asked, |it| of_each(args, &tags, &head, it));
            }
        }
    };
    let named = [&base, &head]
        .into_iter()
        .filter_map(|it| if let Source::Directory(dir) = it { Some(dir.clone()) } else { None });
    let mut named: Vec<PathBuf> = named.chain(args.callers.iter().cloned()).collect();
    let sources = [&base, &head];
    let is_here = |it: &&Source| matches!(it, Source::Revision(_) | Source::WorkTree);
    if !named.is_empty() && sources.iter().any(is_here) {
        named.push(PathBuf::from("."));
    }
    let schemas = sources.into_iter().filter_map(|it| match it {
        Source::Schema(file) => Some(file.clone()),
        _ => None,
    });
    let schemas: Vec<PathBuf> = schemas.collect();
    if !schemas.is_empty() && !args.callers.is_empty() {
        bail!(
            "--callers needs the files of both states, and {} is a schema",
            paths::display(&schemas[0])
        );
    }
    let files: Vec<PathBuf> = args.config.iter().chain(&schemas).cloned().collect();
    let asked = Asked { files: &files, ..asked(args, &named) };
    let paths: Vec<PathBuf> = args.paths.iter().map(|it| paths::clean(it)).collect();
    with_walls(system, &asked, |system| compared(args, &base, &head, paths, system))
}

/// The walls for a command line.
fn asked<'a>(args: &'a CompatArgs, named: &'a [PathBuf]) -> Asked<'a> {
    let max_file_size = args.limits.max_file_size();
    Asked { named, root: None, files: args.config.as_slice(), max_file_size }
}

/// Compares two states of these modules, or of all.
pub(super) fn compared(
    args: &CompatArgs,
    base: &Source,
    head: &Source,
    mut paths: Vec<PathBuf>,
    system: &dyn System,
) -> anyhow::Result<Report> {
    let (unlike, index) = unlike(base, head, system)?.unzip();
    let head_state = match (head, index) {
        // The index is not read again.
        (Source::WorkTree, Some(index)) => State::WorkTree(WorkTreeSystem::of(system, index)),
        _ => state(head, true, system)?,
    };
    let systems = [state(base, false, system)?, head_state];
    let max_file_size = args.limits.max_file_size();
    let described = systems.each_ref().map(State::described);
    let systems = systems.each_ref().map(|it| LimitedSystem::new(it.system(system), max_file_size));
    let [base_system, head_system] = &systems;
    let version = match base {
        Source::Revision(name) => version_of_tag(name).map(|it| it.1),
        _ => None,
    };
    // Whatever is compared, the configuration is that of the work tree.
    let configurations = Configurations::new(system, flags(args), args.config.as_deref())?;
    if let (Source::Schema(file), Source::Revision(_) | Source::WorkTree)
    | (Source::Revision(_) | Source::WorkTree, Source::Schema(file)) = (base, head)
    {
        match paths.len() {
            0 => paths.push(paths::clean(file.parent().unwrap_or(Path::new("")))),
            1 => (),
            _ => bail!("a schema describes one module: name one directory after `--`"),
        }
    }
    let request = compat::CompatRequest {
        base: revision(base, base_system, described[0]),
        head: revision(head, head_system, described[1]),
        paths,
        unlike,
        version,
        callers: args.callers.iter().map(|it| paths::clean(it)).collect(),
        examples: args.examples,
        witnesses: true,
    };
    Ok(compat::run(&request, &configurations)?)
}

/// Where two states of one repository differ, below the current directory, and what its index holds; `None` where
/// that is not known.
fn unlike(
    base: &Source,
    head: &Source,
    system: &dyn System,
) -> anyhow::Result<Option<(Vec<PathBuf>, IndexFiles)>> {
    let (Source::Revision(base), head) = (
        base,
        match head {
            Source::Revision(it) => Some(it.as_str()),
            Source::WorkTree => None,
            _ => return Ok(None),
        },
    ) else {
        return Ok(None);
    };
    let repository = Repository::here(system)?;
    let is_source = |it: &str| FileRole::of(it) == FileRole::Source;
    let here = system.canonicalize(&system.current_dir()?)?;
    let Ok(here) = here.strip_prefix(repository.root()) else { return Ok(None) };
    let Some(paths) = repository.unlike(base, head, &is_source)? else { return Ok(None) };
    // All of it may have become something else.
    if paths.iter().any(|it| here.starts_with(it) && *it != here) {
        return Ok(None);
    }
    let paths = paths.iter().filter_map(|it| Some(it.strip_prefix(here).ok()?.to_owned()));
    Ok(Some((paths.collect(), repository.into_tracked())))
}

/// The configuration that the command line sets.
pub(super) fn flags(args: &CompatArgs) -> Config {
    Config {
        terraform_version: args.release.terraform_version,
        opentofu: args.release.opentofu,
        limits: args.limits.settings(),
        ..Config::default()
    }
}

/// The means of reading the files of a state.
pub(super) enum State<'a> {
    Same,
    Commit(IndexSystem<'a>),
    WorkTree(WorkTreeSystem<'a>),
    Schema(Described),
}

impl State<'_> {
    pub(super) fn system<'s>(&'s self, outside: &'s dyn System) -> &'s dyn System {
        match self {
            State::Same => outside,
            State::Commit(it) => it,
            State::WorkTree(it) => it,
            State::Schema(it) => &it.system,
        }
    }

    fn described(&self) -> Option<&Described> {
        if let State::Schema(it) = self { Some(it) } else { None }
    }
}

pub(super) fn state<'a>(
    source: &Source,
    is_head: bool,
    system: &'a dyn System,
) -> anyhow::Result<State<'a>> {
    Ok(match source {
        Source::Directory(_) => State::Same,
        Source::Schema(file) => State::Schema(Described::read(system, file, is_head)?),
        Source::WorkTree => State::WorkTree(WorkTreeSystem::new(system)),
        Source::Revision(name) => {
            State::Commit(IndexSystem::at(Repository::here(system)?, name, system)?)
        }
    })
}

fn revision<'a>(
    source: &Source,
    system: &'a dyn System,
    described: Option<&'a Described>,
) -> Revision<'a> {
    let (root, shown, prefix) = match source {
        Source::Directory(dir) => (dir.clone(), paths::display(dir), String::new()),
        Source::WorkTree => (PathBuf::from("."), "the work tree".to_owned(), String::new()),
        Source::Revision(name) => (PathBuf::from("."), name.clone(), format!("{name}:")),
        Source::Schema(file) => {
            let dir = file.parent().unwrap_or(Path::new(""));
            (paths::clean(dir), paths::display(file), String::new())
        }
    };
    Revision { system, root, shown, prefix, described }
}

/// The source that an argument names. Errors: it names nothing, or both a directory and a revision.
fn source(word: &str, flag: &str, system: &dyn System) -> anyhow::Result<Source> {
    let dir = PathBuf::from(word);
    let kind = system.kind(&dir);
    let is_directory = matches!(kind, Ok(EntryKind::Directory));
    if matches!(kind, Ok(EntryKind::File)) && dir.extension().is_some_and(|it| it == "json") {
        return Ok(Source::Schema(paths::clean(&dir)));
    }
    let is_path = word.starts_with(['.', '/']) || word.ends_with('/');
    if is_path && is_directory {
        return Ok(Source::Directory(paths::clean(&dir)));
    }
    let repository = Repository::here(system);
    let is_revision = !is_path && repository.as_ref().is_ok_and(|it| it.has_revision(word));
    match (is_directory, is_revision) {
        (true, true) => bail!(
            "{word} is both a directory and a revision: write `{flag} ./{word}` for the \
            directory, or `{flag} {word}^0` for the revision"
        ),
        (true, false) => Ok(Source::Directory(paths::clean(&dir))),
        (false, true) => Ok(Source::Revision(word.to_owned())),
        (false, false) if is_path => {
            bail!("{word}: no such directory")
        }
        (false, false) => {
            repository?.check_revision(word)?;
            bail!("{word} is not a directory, a revision or a schema (a .json file)")
        }
    }
}
