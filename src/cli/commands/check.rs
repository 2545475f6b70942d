//! `terraschema check [PATH|FILE…]`: drift and inputs of every module that the paths name.

use std::path::PathBuf;

use clap::Args;

use crate::{
    check::{self, Request},
    cli::{
        Console, Exit, output::OutputFlags, output::terraform_version, schema_flags::SchemaFlags,
    },
    config::Config,
    git::{GitError, IndexSystem, Range, Repository},
    report::Report,
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
    /// Check only modules that the index changes, as the index holds them
    #[arg(long, conflicts_with_all = ["fix", "changed"])]
    staged: bool,
    /// Check only modules that changed: since the merge base with the default branch, with REV, or
    /// from A to B (A...B, A..B)
    #[arg(long, value_name = "REV", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    changed: Option<String>,
    /// Use this configuration instead of each directory's .terraschema.hcl; its paths start here
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Judge as this Terraform version would [default: the newest known]
    #[arg(long, value_name = "VERSION")]
    terraform_version: Option<String>,
    /// Read .tofu files too, as OpenTofu does
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    opentofu: Option<bool>,
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
    let report = report(args, system)?;
    if report.modules.is_empty() && report.findings.is_empty() {
        let selected = args.staged || args.changed.is_some();
        let why = if selected {
            "no module with variables changed"
        } else {
            "no module with variables here"
        };
        console.info(&format!("{why}; nothing to check"));
    }
    args.output.emit(report, system, console)
}

fn report(args: &CheckArgs, system: &dyn System) -> anyhow::Result<Report> {
    let version = args.terraform_version.as_deref().map(terraform_version).transpose()?;
    let flags = Config {
        terraform_version: version,
        opentofu: args.opentofu,
        schema: args.schema.settings(),
        ..Config::default()
    };
    let request = Request {
        targets: args.paths.clone(),
        flags,
        config_file: args.config.clone(),
        changed: None,
        fix: args.fix,
    };
    let Some(range) = range(args) else { return Ok(check::run(&request, system)?) };
    let repository = Repository::discover(&system.current_dir()?)?;
    let changed = Some(absolute(&repository, &range)?);
    let request = Request { changed, ..request };
    if range == Range::Staged {
        return Ok(check::run(&request, &IndexSystem::new(&repository, system)?)?);
    }
    Ok(check::run(&request, system)?)
}

fn range(args: &CheckArgs) -> Option<Range> {
    if args.staged {
        return Some(Range::Staged);
    }
    args.changed.as_deref().map(Range::parse)
}

fn absolute(repository: &Repository, range: &Range) -> Result<Vec<PathBuf>, GitError> {
    let changed = repository.changed(range)?;
    Ok(changed.into_iter().map(|it| repository.root().join(it)).collect())
}
