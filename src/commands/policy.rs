//! `terraschema policy --plan PLAN.json|--config DIR RULES…`: an organisation's rules over a plan, a state or
//! a configuration.

mod convert;
mod demands;
mod test;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{ArgGroup, Args, Subcommand};

use crate::{
    Console, Exit,
    confine::{Asked, with_walls, with_walls_for_reading},
    input_flags::InputFlags,
    limit_flags::LimitFlags,
    output::OutputFlags,
    release_flags::ReleaseFlags,
};
use config::Date;
use diagnostics::{Diagnostic, Finding, Role, Sources, lints};
use hcl::in_utf8;
use module::inputs::InputRequest;
use policy::{GivenContexts, GovernedModule, Policy, RuleFile};
use report::{NotJudged, PolicyRun, Report, ReportBody};
use system::{LimitedSystem, System, paths};
use tf_eval::{Limits, Meter};

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
    /// Judge the configuration in a module's directory, before any plan
    #[arg(long, value_name = "DIR", visible_alias = "chdir")]
    config: Option<PathBuf>,
    /// Directory of the module of the plan, to evaluate values that the plan leaves out
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    source: Option<PathBuf>,
    #[command(flatten)]
    inputs: InputFlags,
    /// Read nothing of the module outside its repository
    #[arg(long)]
    confined: bool,
    /// Files with rules, and directories with .rules.hcl and .policy.hcl files [default: those in the
    /// policy blocks of .terraschema.hcl]
    #[arg(value_name = "RULES")]
    rules: Vec<PathBuf>,
    /// Set a context of the rules, or an input of a .policy.hcl file (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = context)]
    context: Vec<(String, String)>,
    /// Read values of contexts from a file with lines of NAME = VALUE (repeatable)
    #[arg(long, value_name = "FILE")]
    context_file: Vec<PathBuf>,
    /// Text before every address, such as the name of a workspace
    #[arg(long, value_name = "TEXT")]
    namespace: Option<String>,
    /// Date, such as 2027-01-31, to compare with `until` of `ignore` blocks [default: today, in
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
    /// Run the test blocks of rules, and the tests of .policy.hcl files
    Test(test::TestArgs),
    /// Write a .policy.hcl file as rules, or a .rules.hcl file as policies
    Convert(convert::ConvertArgs),
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
    match &args.command {
        Some(PolicyCommand::Test(args)) => return test::run(args, system, console),
        Some(PolicyCommand::Convert(args)) => return convert::run(args, system, console),
        None => (),
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
        "set the contexts of configured policies in .terraschema.hcl"
    );
    // A configuration, and what it names, may come from a stranger.
    let dir = args.config.as_ref().or(args.source.as_ref());
    let mut named = vec![dir.cloned().unwrap_or_else(|| PathBuf::from("."))];
    named.extend(args.rules.iter().cloned());
    let walls = walls(&named, &args.limits);
    with_walls_for_reading(system, &walls, |walled| {
        match demands::read(args, meter, (system, walled))? {
            Ok(demands) => Job { args, demands: &demands, meter }.report(system, console),
            Err(findings) => Ok(unread(findings)),
        }
    })
}

/// The walls around what the command line names.
fn walls<'a>(named: &'a [PathBuf], limits: &LimitFlags) -> Asked<'a> {
    Asked { named, root: None, files: &[], max_file_size: limits.max_file_size() }
}

/// The report of configurations and rules that cannot be used, so that nothing was judged.
fn unread(mut findings: Vec<Finding>) -> Report {
    let mut failures = Vec::new();
    for it in findings.iter_mut().filter(|it| it.rule == lints::OUTSIDE_ROOT) {
        // Here no flag says another root.
        it.help = Some("replace the link with the file".to_owned());
        failures = vec!["nothing is judged, because some policies could not be read".to_owned()];
    }
    let body = ReportBody::Policy(PolicyRun { rules: 0, objects: 0 });
    Report { body, findings, failures, ..Report::default() }
}

/// What a run judges by.
#[derive(Clone, Copy)]
struct Job<'a, 's> {
    args: &'a PolicyArgs,
    demands: &'a Demands<'s>,
    /// Counts the work of the rules.
    meter: &'a Meter,
}

#[derive(Default)]
struct Found {
    /// Of each policy, in order.
    judged: Vec<policy::Judged>,
    /// The calls that were not followed.
    not_judged: Vec<NotJudged>,
    /// Findings about the plan as a whole.
    remarks: Vec<Finding>,
}

/// Judges a module by one policy.
type JudgeModule<'j> =
    &'j dyn Fn(&mut GovernedModule<'_>, &Policy, &dyn System) -> anyhow::Result<policy::Judged>;

impl Job<'_, '_> {
    fn report(self, system: &dyn System, console: &mut Console<'_>) -> anyhow::Result<Report> {
        let Job { args, demands, .. } = self;
        let Found { judged, not_judged, remarks } = match &args.config {
            Some(dir) => self.of_configuration(dir, system)?,
            None => self.of_plan(system, console)?,
        };
        let (mut findings, mut failures, mut objects) = (Vec::new(), Vec::new(), 0);
        findings.extend(remarks.into_iter().filter_map(|it| demands.configurations.adjust(it)));
        for (demand, judged) in demands.all.iter().zip(judged) {
            let remarks = demand.policy.idle(&judged.coverage).into_iter();
            findings.extend(remarks.filter_map(|it| demands.configurations.adjust(it)));
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
        let body = ReportBody::Policy(PolicyRun { rules, objects });
        Ok(Report { body, findings, not_judged, failures, ..Report::default() })
    }

    fn of_configuration(self, dir: &PathBuf, system: &dyn System) -> anyhow::Result<Found> {
        self.with_module(dir, system, &|configuration, policy, system| {
            let request = InputRequest {
                dir: dir.clone(),
                environment: true,
                auto_files: true,
                arguments: self.args.inputs.with_environment("plan", dir, system)?,
            };
            Ok(configuration.judge(policy, &request))
        })
    }

    /// Judges with the module in a directory, behind walls if asked. Also returns the calls that were not
    /// followed.
    fn with_module(
        self,
        dir: &PathBuf,
        system: &dyn System,
        judge: JudgeModule<'_>,
    ) -> anyhow::Result<Found> {
        let Job { args, demands, meter } = self;
        let work = |system: &dyn System| {
            let shown = paths::display(dir);
            let mut engines = Vec::new();
            for release in demands.releases() {
                let read = GovernedModule::read(system, dir, release, meter);
                engines.push((release, read.with_context(|| format!("cannot read {shown}"))?));
            }
            // Where one engine has no files, the other one is meant.
            if engines.iter().any(|it| !it.1.is_empty()) {
                engines.retain(|it| !it.1.is_empty());
            }
            let mut all = Vec::new();
            for demand in &demands.all {
                let wanted = demands.releases_of(demand);
                let is_wanted = engines.iter().any(|it| wanted.contains(&it.0));
                let of = engines.iter_mut().filter(|it| !is_wanted || wanted.contains(&it.0));
                let of = of.map(|it| judge(&mut it.1, &demand.policy, system));
                all.push(joined(of.collect::<anyhow::Result<_>>()?));
            }
            let mut left: Vec<NotJudged> = Vec::new();
            for (_, configuration) in &engines {
                let sources = configuration.sources();
                let further = configuration.not_judged();
                left.extend(further.iter().map(|it| NotJudged::new(it, &shown, sources)));
            }
            Ok(Found { judged: all, not_judged: left, ..Found::default() })
        };
        if !args.confined {
            return work(system);
        }
        let (named, files) = (std::slice::from_ref(dir), &args.inputs.files()[..]);
        let max_file_size = args.limits.max_file_size();
        with_walls(system, &Asked { named, root: None, files, max_file_size }, work)
    }

    fn of_plan(self, system: &dyn System, console: &mut Console<'_>) -> anyhow::Result<Found> {
        let Job { args, demands, meter } = self;
        anyhow::ensure!(
            args.inputs.arguments.is_empty(),
            "-var and -var-file need --config: a plan already has its values"
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
        let remarks: Vec<Finding> = plan.remark(&shown).into_iter().collect();
        let Some(dir) = &args.source else {
            let all = demands.all.iter().map(|it| policy::judge(&it.policy, &plan, meter));
            return Ok(Found { judged: all.collect(), remarks, ..Found::default() });
        };
        anyhow::ensure!(!plan.is_state, "{shown} is a state, and --source needs a plan");
        let found = self.with_module(dir, system, &|configuration, policy, _| {
            Ok(configuration.judge_plan(policy, &plan))
        });
        Ok(Found { remarks, ..found? })
    }
}

/// What one policy found with each engine. What only one of them cannot read is not planned by it.
fn joined(mut all: Vec<policy::Judged>) -> policy::Judged {
    let is_any_sound = all.iter().any(|it| it.failures.is_empty());
    for it in all.iter_mut().filter(|it| is_any_sound && !it.failures.is_empty()) {
        it.failures.clear();
        it.findings.retain(|finding| {
            let first = finding.locations.first().map(|it| it.role);
            finding.policy.is_some() || first == Some(Role::Rule)
        });
    }
    let mut all = all.into_iter();
    let mut joined = all.next().unwrap_or_default();
    for it in all {
        joined.findings.extend(it.findings);
        joined.failures.extend(it.failures);
        joined.objects = joined.objects.max(it.objects);
        joined.coverage.join(it.coverage);
    }
    joined
}

/// The texts of all rule files, or findings about links that lead outside. Errors: a name that leads to no rules.
fn rule_files(
    named: &[PathBuf],
    system: &dyn System,
) -> anyhow::Result<Result<Vec<RuleFile>, Vec<Finding>>> {
    let shown = |it: &Path| paths::display(it);
    let error = match policy::rule_files(named.iter().cloned(), &shown, system) {
        Ok(files) => return Ok(Ok(files)),
        Err(error) => error,
    };
    let mut sources = Sources::new();
    let invalid = || Diagnostic::new(&lints::INVALID_CONFIGURATION, error.to_string());
    let problem = error.diagnostic(&mut sources, invalid);
    anyhow::ensure!(problem.rule != lints::INVALID_CONFIGURATION, "{error}");
    Ok(Err(vec![Finding::new(&problem, "", &sources)]))
}

/// The names of environment variables that set inputs of `.policy.hcl` files begin so.
const INPUT_PREFIX: &str = "TFPOLICY_INPUT_";

/// The values of `--context`, of `--context-file` and of the environment.
fn given(
    context: &[(String, String)],
    context_files: &[PathBuf],
    system: &dyn System,
) -> anyhow::Result<GivenContexts> {
    let mut files = Vec::new();
    for path in context_files {
        let shown = paths::display(path);
        let bytes = system.read(path).with_context(|| format!("cannot read {shown}"))?;
        files.push((shown, in_utf8(bytes).into()));
    }
    let environment = system.env_with_prefix(INPUT_PREFIX).into_iter();
    let environment = environment.map(|(name, text)| {
        let name = name.strip_prefix(INPUT_PREFIX).map(str::to_owned);
        (name.unwrap_or_default(), text)
    });
    Ok(GivenContexts {
        files,
        environment: environment.collect(),
        texts: context.to_vec(),
        ..GivenContexts::default()
    })
}
