//! `terraschema policy --plan PLAN.json|--config DIR RULES…`: an organisation's rules over a plan, a state or
//! a configuration.

mod demands;
mod test;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{ArgGroup, Args, Subcommand};

use crate::{
    cli::{
        Console, Exit,
        confine::{Asked, with_walls},
        input_flags::InputFlags,
        limit_flags::LimitFlags,
        output::OutputFlags,
        release_flags::ReleaseFlags,
    },
    config::Date,
    eval::{Limits, Meter},
    inputs::Request,
    policy::{self, Configuration, Given, RuleFile},
    report::{NotJudged, PolicyRun, Report},
    system::{LimitedSystem, System, paths},
};

use demands::Demands;

#[derive(Debug, Args)]
// `test` behind other arguments is a directory of that name.
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group = ArgGroup::new("judged").args(["plan", "config"]).required(true))]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    command: Option<PolicyCommand>,
    /// The output of `terraform show -json` of a plan or a state; - reads standard input
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
    /// Files with rules, and directories with files that end in .rules.hcl [default: those that the policy
    /// blocks of .terraschema.hcl name]
    #[arg(value_name = "RULES")]
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
    /// The day, such as 2027-01-31, that `until` of an `ignore` block is compared with [default: today, in
    /// UTC]
    #[arg(long, value_name = "DATE", value_parser = super::check::today)]
    today: Option<Date>,
    #[command(flatten)]
    release: ReleaseFlags,
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
    // A rule may take the work of the whole run, since there is only one.
    let Limits { run, evaluation, .. } = args.limits.limits();
    let meter = &Meter::new(Limits { evaluation, rule: run, module: run, run });
    anyhow::ensure!(
        !args.rules.is_empty() || (args.context.is_empty() && args.context_file.is_empty()),
        "contexts of configured policies have their values in .terraschema.hcl"
    );
    let demands = match demands::read(args, meter, system)? {
        Ok(it) => it,
        Err(findings) => {
            let policy = Some(PolicyRun { rules: 0, objects: 0 });
            return Ok(Report { findings, policy, ..Report::default() });
        }
    };
    let (judged, not_judged) = match &args.config {
        Some(dir) => of_configuration(args, dir, &demands, meter, system)?,
        None => of_plan(args, &demands, meter, system, console)?,
    };
    let (mut findings, mut failures, mut objects) = (Vec::new(), Vec::new(), 0);
    for (demand, judged) in demands.all.iter().zip(judged) {
        let found = judged.findings.into_iter();
        findings.extend(found.filter_map(|it| demands.adjust(demand, it)));
        failures.extend(judged.failures);
        objects = objects.max(judged.objects);
    }
    if let Some(namespace) = &args.namespace {
        for it in findings.iter_mut().filter(|it| !it.address.is_empty()) {
            it.address = format!("{namespace}/{}", it.address).into();
            it.message = format!("{namespace}/{}", it.message);
        }
    }
    findings.extend(demands.configurations.expired());
    let rules = demands.all.iter().map(|it| it.policy.rules.len()).sum();
    let policy = Some(PolicyRun { rules, objects });
    Ok(Report { findings, not_judged, failures, policy, ..Report::default() })
}

/// The findings of each policy, in order, and the calls that were not followed.
type Found = (Vec<policy::Judged>, Vec<NotJudged>);

fn of_configuration(
    args: &PolicyArgs,
    dir: &PathBuf,
    demands: &Demands<'_>,
    meter: &Meter,
    system: &dyn System,
) -> anyhow::Result<Found> {
    with_module(args, dir, (demands, meter), system, |configuration, system| {
        let request = Request {
            dir: dir.clone(),
            environment: true,
            auto_files: true,
            arguments: args.inputs.with_environment("plan", dir, system)?,
        };
        let all = demands.all.iter().map(|it| configuration.judge(&it.policy, &request));
        Ok(all.collect())
    })
}

/// Judges with the module in a directory, behind walls if asked. Also returns the calls that were not
/// followed.
fn with_module(
    args: &PolicyArgs,
    dir: &PathBuf,
    (demands, meter): (&Demands<'_>, &Meter),
    system: &dyn System,
    judge: impl FnOnce(&mut Configuration<'_>, &dyn System) -> anyhow::Result<Vec<policy::Judged>>,
) -> anyhow::Result<Found> {
    let wanted = demands.configurations.settings(dir).release;
    let work = |system: &dyn System| {
        let shown = paths::display(dir);
        let read = Configuration::read(system, dir, wanted, meter);
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
    demands: &Demands<'_>,
    meter: &Meter,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Found> {
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
    let asked = policy::Asked::by_all(demands.all.iter().map(|it| &it.policy));
    let plan = policy::plan::read(&bytes, &asked);
    let plan = plan.map_err(|why| anyhow::anyhow!("{shown} cannot be judged: {why}"))?;
    drop(bytes);
    let Some(dir) = &args.source else {
        let all = demands.all.iter().map(|it| policy::judge(&it.policy, &plan, meter));
        return Ok((all.collect(), Vec::new()));
    };
    anyhow::ensure!(!plan.is_state, "{shown} is a state, which has no sources");
    with_module(args, dir, (demands, meter), system, |configuration, _| {
        let all = demands.all.iter().map(|it| configuration.judge_plan(&it.policy, &plan));
        Ok(all.collect())
    })
}

/// The texts of all rule files.
fn rule_files(named: &[PathBuf], system: &dyn System) -> anyhow::Result<Vec<RuleFile>> {
    let shown = |it: &Path| paths::display(it);
    policy::rule_files(named.iter().cloned(), &shown, system).map_err(anyhow::Error::msg)
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
