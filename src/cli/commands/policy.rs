//! `terraschema policy --plan PLAN.json|--config DIR RULES…`: an organisation's rules over a plan, a state or
//! a configuration.

mod test;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use clap::{ArgGroup, Args, Subcommand};

use crate::{
    cli::{
        Console, Exit,
        confine::{Asked, with_walls},
        input_flags::InputFlags,
        limit_flags::LimitFlags,
        output::OutputFlags,
    },
    diagnostic::Finding,
    eval::{Limits, Meter},
    inputs::Request,
    policy::{self, Configuration, Given, Policy, language::SUFFIX},
    report::{NotJudged, PolicyRun, Report},
    system::{EntryKind, LimitedSystem, System, paths},
};

#[derive(Debug, Args)]
// `test` behind other arguments is a directory of that name.
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group = ArgGroup::new("judged").args(["plan", "config"]).required(true))]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    command: Option<PolicyCommand>,
    /// What `terraform show -json` says of a plan or a state; - reads standard input
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Judge what is written in a module's directory, before any plan
    #[arg(long, value_name = "DIR", visible_alias = "chdir")]
    config: Option<PathBuf>,
    /// Directory of the module that the plan is of: tells what the plan leaves out
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    source: Option<PathBuf>,
    #[command(flatten)]
    inputs: InputFlags,
    /// Read nothing of the module outside of its repository
    #[arg(long)]
    confined: bool,
    /// Files with rules, and directories with files that end in .rules.hcl
    #[arg(value_name = "RULES", required = true)]
    rules: Vec<PathBuf>,
    /// Give a context of the rules its value (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = context)]
    context: Vec<(String, String)>,
    /// Take values of contexts from a file with NAME = VALUE in each line (repeatable)
    #[arg(long, value_name = "FILE")]
    context_file: Vec<PathBuf>,
    /// Text in front of every address, such as the name of a workspace
    #[arg(long, value_name = "TEXT")]
    namespace: Option<String>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    /// Tell whether rules say what their test blocks expect
    Test(test::TestArgs),
}

fn context(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as env=prod")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

pub(crate) fn run(
    args: &PolicyArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    if let Some(PolicyCommand::Test(args)) = &args.command {
        return test::run(args, system, console);
    }
    let limited = LimitedSystem::new(system, args.limits.max_file_size());
    let report = judged(args, &limited, console);
    let mut report = report.unwrap_or_else(|error| Report::failed(format!("{error:#}")));
    report.sort();
    args.output.emit(report, system, console)
}

fn judged(
    args: &PolicyArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Report> {
    // One run, so that a rule may take all of it.
    let Limits { run, evaluation, .. } = args.limits.limits();
    let meter = &Meter::new(Limits { evaluation, rule: run, module: run, run });
    let files = rule_files(&args.rules, system)?;
    let given = given(args, system)?;
    let (policy, problems) = policy::read(files, &given, meter);
    let findings: Vec<Finding> =
        problems.iter().map(|it| Finding::new(it, "", &policy.sources)).collect();
    let rules = policy.rules.len();
    if !findings.is_empty() {
        let policy = Some(PolicyRun { rules, objects: 0 });
        return Ok(Report { findings, policy, ..Report::default() });
    }
    anyhow::ensure!(rules > 0, "there is no rule in the files that are named");
    let (judged, not_judged) = match &args.config {
        Some(dir) => of_configuration(args, dir, &policy, meter, system)?,
        None => of_plan(args, &policy, meter, system, console)?,
    };
    let mut findings = judged.findings;
    if let Some(namespace) = &args.namespace {
        for it in findings.iter_mut().filter(|it| !it.address.is_empty()) {
            it.address = format!("{namespace}/{}", it.address).into();
            it.message = format!("{namespace}/{}", it.message);
        }
    }
    let policy = Some(PolicyRun { rules, objects: judged.objects });
    let failures = judged.failures;
    Ok(Report { findings, not_judged, failures, policy, ..Report::default() })
}

fn of_configuration(
    args: &PolicyArgs,
    dir: &PathBuf,
    policy: &Policy,
    meter: &Meter,
    system: &dyn System,
) -> anyhow::Result<(policy::Judged, Vec<NotJudged>)> {
    with_module(args, dir, meter, system, |configuration, system| {
        let request = Request {
            dir: dir.clone(),
            environment: true,
            auto_files: true,
            arguments: args.inputs.with_environment("plan", dir, system)?,
        };
        Ok(configuration.judge(policy, &request))
    })
}

/// Judges with the module in a directory, behind walls where that is asked for. Gives also the calls that
/// were not looked into.
fn with_module(
    args: &PolicyArgs,
    dir: &PathBuf,
    meter: &Meter,
    system: &dyn System,
    judge: impl FnOnce(&mut Configuration<'_>, &dyn System) -> anyhow::Result<policy::Judged>,
) -> anyhow::Result<(policy::Judged, Vec<NotJudged>)> {
    let work = |system: &dyn System| {
        let shown = paths::display(dir);
        let read = Configuration::read(system, dir, meter);
        let mut configuration = read.with_context(|| format!("cannot read {shown}"))?;
        let judged = judge(&mut configuration, system)?;
        let left = configuration.not_judged();
        let sources = configuration.sources();
        let left = left.iter().map(|it| NotJudged::new(it, &shown, sources)).collect();
        Ok((judged, left))
    };
    if !args.confined {
        return work(system);
    }
    let (named, files) = (std::slice::from_ref(dir), &args.inputs.files()[..]);
    let max_file_size = args.limits.max_file_size();
    with_walls(system, &Asked { named, root: None, files, max_file_size }, work)
}

fn of_plan(
    args: &PolicyArgs,
    policy: &Policy,
    meter: &Meter,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<(policy::Judged, Vec<NotJudged>)> {
    anyhow::ensure!(
        args.inputs.arguments.is_empty(),
        "-var and -var-file belong to --config: a plan has its values"
    );
    let path = args.plan.as_deref().unwrap_or(Path::new("-"));
    let (shown, bytes) = if path == Path::new("-") {
        let bytes = console.input(args.limits.max_file_size());
        ("standard input".to_owned(), bytes.context("cannot read standard input")?)
    } else {
        let shown = paths::display(path);
        let bytes = system.read(path).with_context(|| format!("cannot read {shown}"))?;
        (shown, bytes)
    };
    let asked = policy::Asked::new(policy);
    let plan = policy::plan::read(&bytes, &asked);
    let plan = plan.map_err(|why| anyhow::anyhow!("{shown} cannot be judged: {why}"))?;
    drop(bytes);
    let Some(dir) = &args.source else {
        return Ok((policy::judge(policy, &plan, meter), Vec::new()));
    };
    anyhow::ensure!(!plan.is_state, "{shown} is a state, which has no sources");
    with_module(args, dir, meter, system, |configuration, _| {
        Ok(configuration.judge_plan(policy, &plan))
    })
}

/// The texts of all files with rules, each file once, by path.
fn rule_files(named: &[PathBuf], system: &dyn System) -> anyhow::Result<Vec<(String, Arc<[u8]>)>> {
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    for path in named {
        let shown = paths::display(path);
        let kind = system.kind(path).with_context(|| format!("cannot read {shown}"))?;
        if kind != EntryKind::Directory {
            found.insert(paths::clean(path));
            continue;
        }
        let files = system.walk(path, &|_| true).with_context(|| format!("cannot list {shown}"))?;
        let is_rules = |it: &&PathBuf| it.to_string_lossy().ends_with(SUFFIX);
        let before = found.len();
        found.extend(files.iter().filter(is_rules).map(|it| paths::clean(it)));
        let is_empty = found.len() == before && !files.iter().any(|it| is_rules(&it));
        anyhow::ensure!(!is_empty, "{shown} holds no file that ends in {SUFFIX}");
    }
    let read = |path: PathBuf| {
        let shown = paths::display(&path);
        let bytes = system.read(&path).with_context(|| format!("cannot read {shown}"))?;
        Ok((shown, bytes.into()))
    };
    found.into_iter().map(read).collect()
}

fn given(args: &PolicyArgs, system: &dyn System) -> anyhow::Result<Given> {
    let mut files = Vec::new();
    for path in &args.context_file {
        let shown = paths::display(path);
        let bytes = system.read(path).with_context(|| format!("cannot read {shown}"))?;
        files.push((shown, bytes.into()));
    }
    Ok(Given { files, texts: args.context.clone(), ..Given::default() })
}
