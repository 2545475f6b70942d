//! `terraschema policy test RULES…`: whether rules say what their `test` blocks expect.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::{context, given, rule_files, unread, walls};
use crate::{
    Console, Exit, confine::with_walls_for_reading, limit_flags::LimitFlags, output::OutputFlags,
};
use policy::{GivenContexts, RuleFile};
use report::{PolicyTests, Report, ReportBody};
use system::{LimitedSystem, System, paths};
use tf_eval::{Limits, Meter};

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

pub(super) fn run(
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
