//! `terraschema validate`: Terraform's verdict on one module and its inputs, with its own flags.

use std::path::PathBuf;

use super::one_module;
use crate::{
    Console, Exit,
    confine::{Asked, with_walls, with_walls_for_reading},
    flags::{InputFlags, LimitFlags, ReleaseFlags},
    output::OutputFlags,
};
use anyhow::Context as _;
use check::{Judging, ReadModule};
use clap::Args;
use config::{Configurations, Settings};
use diagnostics::{Level, Verdict};
use module::inputs::InputRequest;
use report::Report;
use system::{LimitedSystem, System, paths};

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Directory of the module, as --input
    #[arg(value_name = "DIR", conflicts_with = "input")]
    dir: Option<PathBuf>,
    /// Directory of the module; relative paths start there, as with Terraform's -chdir, and
    /// path.cwd is the current directory
    #[arg(short, long, visible_alias = "chdir", value_name = "DIR", default_value = ".")]
    input: PathBuf,
    #[command(flatten)]
    inputs: InputFlags,
    #[command(flatten)]
    release: ReleaseFlags,
    /// Read nothing outside the module's repository; an expression that needs more is undecided
    #[arg(long)]
    confined: bool,
    /// After a rejection, also list the errors that would follow (default: only in the human
    /// format)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    all: Option<bool>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl ValidateArgs {
    fn module(&self) -> &PathBuf {
        self.dir.as_ref().unwrap_or(&self.input)
    }
}

pub(crate) fn run(
    args: &ValidateArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let max_file_size = args.limits.max_file_size();
    let input = args.module();
    let report = if args.confined {
        let (named, files) = (std::slice::from_ref(input), &args.inputs.files()[..]);
        let asked = Asked { named, root: None, files, max_file_size };
        with_walls(system, &asked, |it| judged(args, it, it))
    } else {
        let system = &LimitedSystem::new(system, max_file_size);
        // Terraform reads no configuration of ours, so that it may come from a stranger.
        let asked =
            Asked { named: std::slice::from_ref(input), root: None, files: &[], max_file_size };
        with_walls_for_reading(system, &asked, |walled| judged(args, system, walled))
    };
    let report = report.unwrap_or_else(|error| Report::failed(format!("{error:#}")));
    let verdict = report.verdict();
    // Something that is too large or out of reach is never clean.
    let has_errors = report.findings.iter().any(|it| it.level == Level::Error);
    let exit = args.output.emit(report, system, console)?;
    // A rejection counts as a finding whatever level the flags fail on.
    let is_undecided = verdict == Some(Verdict::Undecided);
    let passes = verdict == Some(Verdict::Accept)
        || (is_undecided && !has_errors && args.output.lowest_failing() == Level::Error);
    Ok(if passes { Exit::Clean } else { exit })
}

/// Judges the module. `walled`: the system for what only this program reads.
fn judged(args: &ValidateArgs, system: &dyn System, walled: &dyn System) -> anyhow::Result<Report> {
    let dir = args.module();
    let flags = one_module::flags(args.release, args.limits);
    let configurations = Configurations::new(walled, flags, None)?;
    let Settings { release, limits, .. } = configurations.settings(dir);
    let findings = configurations.problems();
    if !findings.is_empty() {
        return Ok(Report { findings, ..Report::default() });
    }
    let module = ReadModule::read(system, dir, release, limits, Some(&configurations))
        .with_context(|| format!("cannot read {}", paths::display(dir)))?;
    let request = InputRequest {
        environment: true,
        auto_files: true,
        arguments: args.inputs.with_environment("plan", dir, system)?,
        dir: dir.to_owned(),
    };
    let goes_on = args.all.unwrap_or_else(|| args.output.is_human());
    let judging = Judging { contracts: Some(&configurations), goes_on };
    Ok(module.judge(system, &request, judging))
}
