//! `terraschema validate`: Terraform's verdict on one module and its inputs, with its own flags.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use crate::{
    cli::{
        Console, Exit, calls,
        confine::{Asked, with_walls},
        input_flags::InputFlags,
        limit_flags::LimitFlags,
        output::OutputFlags,
        release_flags::ReleaseFlags,
    },
    config::{Config, Configurations, Settings},
    diagnostic::{Diagnostic, Finding, Level, Verdict},
    eval::Meter,
    inputs::Request,
    module,
    report::{NotJudged, Report},
    system::{LimitedSystem, System, paths},
    verdict::{self, Loaded, Setting},
};

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Directory of the module; relative paths start there, as with Terraform's -chdir
    #[arg(short, long, visible_alias = "chdir", value_name = "DIR", default_value = ".")]
    input: PathBuf,
    #[command(flatten)]
    inputs: InputFlags,
    #[command(flatten)]
    release: ReleaseFlags,
    /// Read nothing outside of the module's repository; a condition that needs more is undecided
    #[arg(long)]
    confined: bool,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(
    args: &ValidateArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let max_file_size = args.limits.max_file_size();
    let report = if args.confined {
        let (named, files) = (std::slice::from_ref(&args.input), &args.inputs.files()[..]);
        let asked = Asked { named, root: None, files, max_file_size };
        with_walls(system, &asked, |it| judged(args, it))
    } else {
        judged(args, &LimitedSystem::new(system, max_file_size))
    };
    let report = report.unwrap_or_else(|error| Report::failed(format!("{error:#}")));
    let verdict = report.verdict;
    // Something was too large, or out of reach: that is never clean.
    let has_errors = report.findings.iter().any(|it| it.level == Level::Error);
    let exit = args.output.emit(report, system, console)?;
    // A rejection is a finding whatever else the flags ask to fail on.
    let is_undecided = verdict == Some(Verdict::Undecided);
    let passes = verdict == Some(Verdict::Accept)
        || (is_undecided && !has_errors && args.output.lowest_failing() == Level::Error);
    Ok(if passes { Exit::Clean } else { exit })
}

fn judged(args: &ValidateArgs, system: &dyn System) -> anyhow::Result<Report> {
    let dir = &args.input;
    let flags = Config {
        terraform_version: args.release.terraform_version,
        opentofu: args.release.opentofu,
        limits: args.limits.settings(),
        ..Config::default()
    };
    let configurations = Configurations::new(system, flags, None)?;
    let Settings { release, limits, .. } = configurations.settings(dir);
    let meter = &Meter::new(limits);
    let findings = configurations.problems();
    if !findings.is_empty() {
        return Ok(Report { findings, ..Report::default() });
    }
    let (module, mut loading, release) =
        module::load_wanted(release, |it| module::load_metered(system, dir, it, meter))
            .with_context(|| format!("cannot read {}", paths::display(dir)))?;
    let request = Request {
        dir: dir.clone(),
        environment: true,
        auto_files: true,
        arguments: args.inputs.with_environment("plan", dir, system)?,
    };
    let setting =
        Setting { system, base_dir: dir, release, workspace: None, awaits_files: false, meter };
    let options = module::Options { release, ..module::Options::default() };
    let mut module = Loaded::new(module);
    let given = module.given_before(&request, setting);
    let given = given.as_ref();
    loading.extend(calls::follow(&mut module, &options, system, meter, &configurations, given));
    let judgement = verdict::plan(&mut module, loading, &request, setting);
    let (diagnostics, _) = verdict::tell_budgets(judgement.diagnostics, meter);
    // What was not judged wholly is not accepted.
    let verdict = if meter.is_exhausted() { Verdict::Undecided } else { judgement.verdict };
    let shown = paths::display(dir);
    let finding = |it: &Diagnostic| Finding::new(it, &shown, &module.sources);
    let not_judged = module.not_judged();
    let not_judged = not_judged.iter().map(|it| NotJudged::new(it, &shown, &module.sources));
    let mut report = Report {
        verdict: Some(verdict),
        findings: diagnostics.iter().map(finding).collect(),
        not_judged: not_judged.collect(),
        ..Report::default()
    };
    report.judged_as.add(release);
    report.sort();
    Ok(report)
}
