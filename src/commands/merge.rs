//! `terraschema merge REPORT…`: joins the JSON reports of several shards, in any format.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use crate::{Console, Exit, output::OutputFlags};
use hcl::json;
use report::{Report, from_json};
use system::{System, paths};

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Reports that --format json or --output json=FILE wrote
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(
    args: &MergeArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let merged = joined(args, system).unwrap_or_else(|error| Report::failed(format!("{error:#}")));
    args.output.emit(merged, system, console)
}

fn joined(args: &MergeArgs, system: &dyn System) -> anyhow::Result<Report> {
    let mut reports = Vec::new();
    for path in &args.reports {
        let shown = paths::display(path);
        let bytes = system.read(path).with_context(|| format!("cannot read {shown}"))?;
        let text = json::decoded(&bytes)
            .map_err(|it| anyhow::anyhow!("{shown} is not {}", it.encoding))?;
        let report = from_json(&text).with_context(|| shown.clone())?;
        reports.push(report);
    }
    Ok(Report::join(reports)?)
}
