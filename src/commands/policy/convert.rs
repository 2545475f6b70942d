//! `terraschema policy convert FILE`: HashiCorp's policies as rules, and rules as their policies.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use crate::{Console, Exit, limit_flags::LimitFlags};
use diagnostics::visible_line;
use hcl::in_utf8;
use policy::tfpolicy::{convert, other_name};
use system::{LimitedSystem, System, paths};

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A file that ends in .policy.hcl or .rules.hcl
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn run(
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
