//! `terraschema check [PATH|FILE…]`: drift and inputs of every module that the paths name.

use std::path::PathBuf;

use clap::Args;

use crate::{
    check::{self, Request, Settings},
    cli::{
        Console, Exit, output::OutputFlags, output::terraform_version, schema_flags::SchemaFlags,
    },
    system::System,
};

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Directories to check with everything below them, or files whose modules to check
    #[arg(value_name = "PATH|FILE")]
    paths: Vec<PathBuf>,
    /// Rewrite stale schemas and create missing ones, and nothing else
    #[arg(long)]
    fix: bool,
    /// Judge as this Terraform version would [default: the newest known]
    #[arg(long, value_name = "VERSION")]
    terraform_version: Option<String>,
    /// Read .tofu files too, as OpenTofu does
    #[arg(long)]
    opentofu: bool,
    #[command(flatten)]
    schema: SchemaFlags,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(
    args: &CheckArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let mut settings = Settings {
        schema: args.schema.options(),
        escape_json: args.schema.escape_json,
        opentofu: args.opentofu,
        ..Settings::default()
    };
    if let Some(version) = &args.terraform_version {
        settings.version = terraform_version(version)?;
    }
    let request = Request { targets: args.paths.clone(), settings, fix: args.fix };
    let report = check::run(&request, system)?;
    if report.modules.is_empty() && report.findings.is_empty() {
        console.info("no module with variables here; nothing to check");
    }
    args.output.emit(report, system, console)
}
