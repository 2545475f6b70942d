//! `terraschema policy --plan PLAN.json|--config DIR RULES…`: an organisation's rules over a plan, a state or
//! a configuration.

use std::path::{Path, PathBuf};

use crate::{
    Console, Exit,
    confine::{Asked, with_walls, with_walls_for_reading},
    flags::{InputFlags, LimitFlags, ReleaseFlags},
    output::OutputFlags,
};
use anyhow::Context as _;
use check_policy::read_policy;
use clap::{ArgGroup, Args, Subcommand};
use config::{Config, Configurations, Date};
use diagnostics::{Diagnostic, Finding, Role, Sources, lints, visible_line};
use hcl::in_utf8;
use module::inputs::InputRequest;
use policy::{
    GivenContexts, GovernedModule, Policy, RuleFile,
    tfpolicy::{convert, other_name},
};
use release::Wanted;
use report::{NotJudged, PolicyRun, PolicyTests, Report, ReportBody};
use system::{LimitedSystem, System, paths};
use tf_eval::{Limits, Meter};

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
    Test(TestArgs),
    /// Write a .policy.hcl file as rules, or a .rules.hcl file as policies
    Convert(ConvertArgs),
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
        Some(PolicyCommand::Test(args)) => return run_test(args, system, console),
        Some(PolicyCommand::Convert(args)) => return run_convert(args, system, console),
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
    with_walls_for_reading(system, &walls, |walled| match read(args, meter, system, walled)? {
        Ok(demands) => Job { args, demands: &demands, meter }.report(system, console),
        Err(findings) => Ok(unread(findings)),
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

// `terraschema policy convert FILE`: HashiCorp's policies as rules, and rules as their policies.

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A file that ends in .policy.hcl or .rules.hcl
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    limits: LimitFlags,
}

fn run_convert(
    args: &ConvertArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let limited = LimitedSystem::new(system, args.limits.max_file_size());
    let shown = paths::display(&args.file);
    let other = other_name(&shown).with_context(|| {
        format!("{} does not end in .policy.hcl or .rules.hcl", visible_line(&shown))
    })?;
    let bytes = limited.read(&args.file);
    let bytes = in_utf8(bytes.with_context(|| format!("cannot read {}", visible_line(&shown)))?);
    let converted = convert(&shown, &bytes).map_err(|(problems, sources)| {
        let first = problems.first();
        let place = first.and_then(diagnostics::Diagnostic::span).map(|it| sources.display(it));
        let message = first.map(diagnostics::Diagnostic::message).unwrap_or_default();
        anyhow::anyhow!("{}: {message}", visible_line(&place.unwrap_or(shown.clone())))
    })?;
    console.out(&converted.text);
    for (name, why) in &converted.left {
        console.warning(&format!("{} stays, because {why}", visible_line(name)));
    }
    let (count, left) = (converted.count, converted.left.len());
    console.info(&format!("{count} converted for {}, {left} left", visible_line(&other)));
    Ok(if converted.left.is_empty() { Exit::Clean } else { Exit::Findings })
}

// The policies of a run: of the rules that the command line names, or of the configurations that govern
// the judged directory.

/// A policy, and the directory that demands it.
struct Demand {
    pub policy: Policy,
    /// The directory (absolute) of the configuration that names it; `None` where the command line does.
    by: Option<PathBuf>,
}

/// All policies of a run.
struct Demands<'s> {
    pub all: Vec<Demand>,
    pub configurations: Configurations<'s>,
    /// The judged directory: the module's, or the current one.
    dir: PathBuf,
}

/// Reads the policies, and returns errors in them. What the command line names comes from the first system; rules
/// and configurations come from the second one, which has walls. Errors: a file that the command line names cannot be
/// read.
fn read<'s>(
    args: &PolicyArgs,
    meter: &Meter,
    system: &dyn System,
    walled: &'s dyn System,
) -> anyhow::Result<Result<Demands<'s>, Vec<Finding>>> {
    let flags = Config {
        terraform_version: args.release.terraform_version,
        opentofu: args.release.opentofu,
        today: args.today,
        ..Config::default()
    };
    let configurations = Configurations::new(walled, flags, None)?;
    let dir = args.config.as_ref().or(args.source.as_ref());
    let dir = dir.cloned().unwrap_or_else(|| PathBuf::from("."));
    let mut it = Demands { all: Vec::new(), configurations, dir };
    let found = if args.rules.is_empty() {
        it.add_configured()
    } else {
        it.add_named(args, meter, system, walled)?
    };
    // What governs the module says by which engine it is judged.
    if args.config.is_some() || args.source.is_some() {
        it.configurations.settings(&it.dir);
    }
    let mut problems = it.configurations.problems();
    problems.extend(found);
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    let rules: usize = it.all.iter().map(|it| it.policy.rules.len()).sum();
    let is_named = !args.rules.is_empty();
    anyhow::ensure!(rules > 0 || !is_named, "the named files contain no rules");
    anyhow::ensure!(
        rules > 0,
        "name files with rules on the command line, or in the policy \
        block of .terraschema.hcl"
    );
    Ok(Ok(it))
}

impl Demands<'_> {
    /// The releases by which a module is judged for a policy: the one that the policy's own file and those
    /// further out say. A nearer file may say another engine, which reads other files: both are judged.
    pub fn releases_of(&self, demand: &Demand) -> Vec<Wanted> {
        let outer = match &demand.by {
            Some(by) => self.configurations.settings_for(&self.dir, by).release,
            None => {
                let rule = demand.policy.rules.first().map(|it| it.span.file);
                let file = rule.map(|it| PathBuf::from(&demand.policy.sources.file(it).path));
                let dir = file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
                self.configurations.settings(dir).release
            }
        };
        let nearest = self.configurations.settings(&self.dir).release;
        // Where a file demands the rules, a nearer one that says another release of the same engine says nothing.
        let is_same = match &demand.by {
            Some(_) => nearest.product() == outer.product(),
            None => nearest == outer,
        };
        if is_same { vec![outer] } else { vec![outer, nearest] }
    }

    /// The releases by which the module is judged for any policy.
    pub fn releases(&self) -> Vec<Wanted> {
        let mut all: Vec<Wanted> = Vec::new();
        for it in self.all.iter().flat_map(|it| self.releases_of(it)) {
            if !all.contains(&it) {
                all.push(it);
            }
        }
        all
    }

    /// Adds the rules that the command line names; returns errors in them.
    fn add_named(
        &mut self,
        args: &PolicyArgs,
        meter: &Meter,
        system: &dyn System,
        walled: &dyn System,
    ) -> anyhow::Result<Vec<Finding>> {
        let files = match rule_files(&args.rules, walled)? {
            Ok(it) => it,
            Err(found) => return Ok(found),
        };
        let (policy, problems) =
            policy::read(files, &given(&args.context, &args.context_file, system)?, meter);
        // Configurations that govern the rules are read before anything is judged.
        for rule in &policy.rules {
            let file = &policy.sources.file(rule.span.file).path;
            self.configurations.settings(Path::new(file).parent().unwrap_or(Path::new("")));
        }
        let found = problems.iter().map(|it| Finding::new(it, "", &policy.sources)).collect();
        self.all.push(Demand { policy, by: None });
        Ok(found)
    }

    /// Adds the policies that configurations demand of the judged directory; returns errors in them.
    fn add_configured(&mut self) -> Vec<Finding> {
        let mut problems = Vec::new();
        for named in self.configurations.policies(&self.dir) {
            match read_policy(&self.configurations, &named) {
                Ok(policy) => self.all.push(Demand { policy, by: Some(named.dir) }),
                Err(found) => problems.extend(found),
            }
        }
        if problems.is_empty() {
            let ids = |dir: &Path| {
                let by = self.all.iter().filter(|it| it.by.as_deref() == Some(dir));
                by.flat_map(|it| &it.policy.rules).map(|it| it.id.clone()).collect()
            };
            problems = self.configurations.unknown_policy_rules(&ids);
        }
        problems
    }

    /// A finding of a policy at its configured level; `None` where it is ignored or its rule is off.
    pub fn adjust(&self, demand: &Demand, finding: Finding) -> Option<Finding> {
        if finding.policy.is_none() {
            return Some(finding);
        }
        if let Some(by) = &demand.by {
            let module = paths::display(&self.dir);
            let of_module = Finding { module, ..finding };
            let adjusted = self.configurations.adjust_policy(of_module, by)?;
            return Some(Finding { module: String::new(), ..adjusted });
        }
        let declared = |id: &str| demand.policy.rules.iter().find(|it| it.id == id);
        let Some(rule) = finding.rule.policy().and_then(declared) else { return Some(finding) };
        let file = &demand.policy.sources.file(rule.span.file).path;
        self.configurations.adjust_named_rule(finding, Path::new(file))
    }
}

// `terraschema policy test RULES…`: whether rules say what their `test` blocks expect.

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Files with rules and tests, and directories with files that end in .rules.hcl, .policy.hcl or
    /// .policytest.hcl
    #[arg(value_name = "RULES", required = true)]
    rules: Vec<PathBuf>,
    /// Set an input of the tested .policy.hcl files (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = context)]
    context: Vec<(String, String)>,
    /// Read values of inputs from a file with lines of NAME = VALUE (repeatable)
    #[arg(long, value_name = "FILE")]
    context_file: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

fn run_test(
    args: &TestArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let limited = LimitedSystem::new(system, args.limits.max_file_size());
    let report = tested(args, &limited);
    let mut report = report.unwrap_or_else(|error| Report::failed(format!("{error:#}")));
    report.sort();
    args.output.emit(report, system, console)
}

fn tested(args: &TestArgs, limited: &dyn System) -> anyhow::Result<Report> {
    let Limits { run, evaluation, .. } = args.limits.limits();
    let meter = &Meter::new(Limits { evaluation, rule: run, module: run, run });
    with_walls_for_reading(limited, &walls(&args.rules, &args.limits), |system| {
        let files = match rule_files(&args.rules, system)? {
            Ok(files) => files,
            Err(findings) => return Ok(unread(findings)),
        };
        // The user names these files, so that they need not be in a repository.
        let given = given(&args.context, &args.context_file, limited)?;
        run_tests(&files, &given, meter, system)
    })
}

fn run_tests(
    files: &[RuleFile],
    given: &GivenContexts,
    meter: &Meter,
    system: &dyn System,
) -> anyhow::Result<Report> {
    let read_file = |path: &Path| {
        let shown = paths::display(path);
        let bytes = system.read(path).with_context(|| format!("cannot read {shown}"));
        bytes.map(Into::into).map_err(|error| format!("{error:#}"))
    };
    let find_files = |path: &Path| {
        let found = policy::rule_files([path.to_owned()], &|it| paths::display(it), system);
        found.map_err(|error| error.to_string())
    };
    let (theirs, own): (Vec<RuleFile>, Vec<RuleFile>) =
        files.iter().cloned().partition(|it| policy::tfpolicy::is_theirs(&it.0));
    let mut tested = policy::test(&own, &read_file, meter);
    tested.join(policy::tfpolicy::test(&theirs, &find_files, given, meter));
    let is_sound = tested.findings.is_empty() && tested.failures.is_empty();
    anyhow::ensure!(tested.total > 0 || !is_sound, "the named files contain no tests");
    let body = ReportBody::PolicyTests(PolicyTests { total: tested.total, failed: tested.failed });
    let (mut findings, failures) = (tested.findings, tested.failures);
    findings.extend(tested.remarks);
    Ok(Report { body, findings, failures, ..Report::default() })
}
