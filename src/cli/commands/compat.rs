//! `terraschema compat`: which change of a module's contract breaks those who call it.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::history;
use crate::{
    cli::{
        Console, Exit,
        confine::{Asked, with_walls},
        limit_flags::LimitFlags,
        output::ShownFlags,
        release_flags::ReleaseFlags,
        words::Words,
    },
    compat::{self, Revision, version_of_tag},
    config::{Config, Configurations},
    diagnostic::Level,
    git::{IndexSystem, Repository, WorkTreeSystem},
    release::Version,
    report::{Bump, Report},
    system::{EntryKind, LimitedSystem, System, paths},
};

#[derive(Debug, Args)]
pub(crate) struct CompatArgs {
    /// What to compare with: a git revision or a directory [default: the newest version tag that
    /// HEAD descends from]
    #[arg(value_name = "BASE", conflicts_with = "base_flag")]
    base: Option<String>,
    /// What to compare: a git revision or a directory [default: the work tree]
    #[arg(value_name = "HEAD", conflicts_with = "head_flag")]
    head: Option<String>,
    /// The same as BASE
    #[arg(long = "base", id = "base_flag", value_name = "BASE")]
    base_flag: Option<String>,
    /// The same as HEAD
    #[arg(long = "head", id = "head_flag", value_name = "HEAD")]
    head_flag: Option<String>,
    /// Modules to compare, with all below them, as seen from HEAD [default: all]
    #[arg(last = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Lowest change that makes the exit code 1: major, minor
    #[arg(long, value_name = "CHANGE", default_value = "major",
          value_parser = Words { words: bump_names, parse: bump }, hide_possible_values = true)]
    fail_on: BumpFlag,
    /// Judge the calls below this directory, as seen from HEAD, that lead to changed modules, too
    #[arg(long, value_name = "DIR", num_args = 1..)]
    callers: Vec<PathBuf>,
    /// Compare each version tag with the one before, and with what its number says; fails on nothing
    #[arg(long, conflicts_with_all = ["base", "head", "base_flag", "head_flag", "callers"])]
    history: bool,
    /// Use this configuration instead of each directory's .terraschema.hcl; its paths start here
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
    let report = report(args, system).unwrap_or_else(|error| Report::failed(format!("{error:#}")));
    let lowest = args.fail_on.0;
    let levels = report.compat.iter().flat_map(|it| &it.modules).map(|it| it.level);
    // What is not known may be anything; a module that does not parse is no release.
    let fails = levels.into_iter().any(|it| it >= lowest)
        || report.findings.iter().any(|it| it.level == Level::Error);
    args.shown.with_notes().emit(report, fails, system, console)
}

/// Where a state comes from.
enum Source {
    Directory(PathBuf),
    Revision(String),
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
    let base = match base {
        Some(word) => source(word, "--base", system)?,
        None => Source::Revision(newest_tag(&head, system)?),
    };
    let named = [&base, &head]
        .into_iter()
        .filter_map(|it| if let Source::Directory(dir) = it { Some(dir.clone()) } else { None });
    let mut named: Vec<PathBuf> = named.chain(args.callers.iter().cloned()).collect();
    if !named.is_empty() && ![&base, &head].iter().all(|it| matches!(it, Source::Directory(_))) {
        named.push(PathBuf::from("."));
    }
    with_walls(system, &asked(args, &named), |system| compared(args, &base, &head, system))
}

/// The walls that the command line asks for.
fn asked<'a>(args: &'a CompatArgs, named: &'a [PathBuf]) -> Asked<'a> {
    let max_file_size = args.limits.max_file_size();
    Asked { named, root: None, files: args.config.as_slice(), max_file_size }
}

fn compared(
    args: &CompatArgs,
    base: &Source,
    head: &Source,
    system: &dyn System,
) -> anyhow::Result<Report> {
    let systems = [state(base, system)?, state(head, system)?];
    let max_file_size = args.limits.max_file_size();
    let systems = systems.each_ref().map(|it| LimitedSystem::new(it.system(system), max_file_size));
    let [base_system, head_system] = &systems;
    let version = match base {
        Source::Revision(name) => version_of_tag(name).map(|it| it.1),
        _ => None,
    };
    let configurations = Configurations::new(head_system, flags(args), args.config.as_deref())?;
    let request = compat::Request {
        base: revision(base, base_system),
        head: revision(head, head_system),
        paths: args.paths.iter().map(|it| paths::clean(it)).collect(),
        version,
        callers: args.callers.iter().map(|it| paths::clean(it)).collect(),
    };
    Ok(compat::run(&request, &configurations)?)
}

/// What the command line says of the configuration.
pub(super) fn flags(args: &CompatArgs) -> Config {
    Config {
        terraform_version: args.release.terraform_version,
        opentofu: args.release.opentofu,
        limits: args.limits.settings(),
        ..Config::default()
    }
}

/// What the files of a state are read through.
enum State<'a> {
    Same,
    Commit(IndexSystem<'a>),
    WorkTree(WorkTreeSystem<'a>),
}

impl State<'_> {
    fn system<'s>(&'s self, outside: &'s dyn System) -> &'s dyn System {
        match self {
            State::Same => outside,
            State::Commit(it) => it,
            State::WorkTree(it) => it,
        }
    }
}

fn state<'a>(source: &Source, system: &'a dyn System) -> anyhow::Result<State<'a>> {
    Ok(match source {
        Source::Directory(_) => State::Same,
        Source::WorkTree => State::WorkTree(WorkTreeSystem::new(system)),
        Source::Revision(name) => {
            State::Commit(IndexSystem::at(Repository::here(system)?, name, system)?)
        }
    })
}

fn revision<'a>(source: &Source, system: &'a dyn System) -> Revision<'a> {
    let (root, shown, prefix) = match source {
        Source::Directory(dir) => (dir.clone(), paths::display(dir), String::new()),
        Source::WorkTree => (PathBuf::from("."), "the work tree".to_owned(), String::new()),
        Source::Revision(name) => (PathBuf::from("."), name.clone(), format!("{name}:")),
    };
    Revision { system, root, shown, prefix }
}

/// What a word names. Errors: nothing, or a directory and a revision.
fn source(word: &str, flag: &str, system: &dyn System) -> anyhow::Result<Source> {
    let dir = PathBuf::from(word);
    let is_directory = matches!(system.kind(&dir), Ok(EntryKind::Directory));
    let is_path = word.starts_with(['.', '/']) || word.ends_with('/');
    if is_path && is_directory {
        return Ok(Source::Directory(paths::clean(&dir)));
    }
    let repository = Repository::here(system);
    let is_revision = !is_path && repository.as_ref().is_ok_and(|it| it.has_revision(word));
    match (is_directory, is_revision) {
        (true, true) => bail!(
            "{word} is a directory and a revision: write `{flag} ./{word}` for the directory, or `{flag} {word}^0` for the revision"
        ),
        (true, false) => Ok(Source::Directory(paths::clean(&dir))),
        (false, true) => Ok(Source::Revision(word.to_owned())),
        (false, false) if is_path => {
            bail!("{word}: there is no such directory")
        }
        (false, false) => {
            repository?.check_revision(word)?;
            bail!("{word} is neither a directory nor a revision")
        }
    }
}

/// The newest version tag that the head descends from.
fn newest_tag(head: &Source, system: &dyn System) -> anyhow::Result<String> {
    let revision = match head {
        Source::Directory(_) => bail!("BASE is missing: what to compare the directory with"),
        Source::Revision(name) => name.as_str(),
        Source::WorkTree => "HEAD",
    };
    let repository = Repository::here(system)?;
    let is_wanted = |it: &str| version_of_tag(it).is_some();
    let tags = repository.tags_before(revision, &is_wanted)?;
    let mut versions: Vec<(&str, Version, &str)> = tags
        .iter()
        .filter_map(|tag| version_of_tag(tag).map(|(name, version)| (name, version, tag.as_str())))
        .collect();
    let is_plain = versions.iter().any(|it| it.0.is_empty());
    versions.retain(|it| !is_plain || it.0.is_empty());
    let mut names: Vec<&str> = versions.iter().map(|it| it.0).collect();
    names.sort_unstable();
    names.dedup();
    if let [one, other, ..] = names.as_slice() {
        bail!("there are version tags of several modules ({one}, {other}): name BASE");
    }
    match versions.iter().max_by_key(|it| it.1) {
        Some((_, _, tag)) => Ok((*tag).to_owned()),
        None => bail!(
            "no version tag such as v1.2.3 that {revision} descends from: name BASE{}",
            repository.depth_hint()
        ),
    }
}
