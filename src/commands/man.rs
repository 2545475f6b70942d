//! `terraschema man [COMMAND]`: one page for the command and every subcommand, or the page of one.

use std::io::{self, Write as _};

use crate::{Console, Exit, args::Arguments, flags::Words};
use clap::{Args, CommandFactory};
use clap_mangen::Man;

/// In the order of `--help`.
const COMMANDS: &[&str] = &[
    "generate",
    "check",
    "compat",
    "eval",
    "explain",
    "init",
    "validate",
    "skeleton",
    "docs",
    "policy",
    #[cfg(feature = "lsp")]
    "lsp",
    "merge",
    "completions",
    "man",
];

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Command, such as check [default: one page for all commands]
    #[arg(value_name = "COMMAND", value_parser = Words { words: commands, parse: command },
          hide_possible_values = true)]
    command: Option<String>,
}

pub(crate) fn run(args: &ManArgs, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let mut command = Arguments::command();
    command.build();
    let page = match args.command.as_deref().and_then(|it| command.find_subcommand(it)) {
        Some(it) => own_page(it)?,
        None => whole_page(&command)?,
    };
    console.out(&String::from_utf8_lossy(&page));
    Ok(Exit::Clean)
}

fn commands() -> Vec<&'static str> {
    COMMANDS.to_vec()
}

fn command(text: &str) -> Result<String, String> {
    if COMMANDS.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(format!("unknown command; use {}", COMMANDS.join(", ")))
}

fn whole_page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let whole = Man::new(command.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    for subcommand in command.get_subcommands().filter(|it| it.get_name() != "help") {
        let name = subcommand.get_name().to_uppercase();
        writeln!(page, ".SH \"TERRASCHEMA {name}\"")?;
        page.extend(section(subcommand)?);
        page.extend(inner(subcommand, &name)?);
    }
    whole.render_version_section(&mut page)?;
    Ok(page)
}

fn own_page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let name = format!("terraschema-{}", command.get_name());
    let man = Man::new(command.clone().display_name(name.clone())).title(name.to_uppercase());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    page.extend(inner(command, &command.get_name().to_uppercase())?);
    writeln!(page, ".SH \"SEE ALSO\"\n\\fBterraschema\\fR(1)")?;
    Ok(page)
}

/// The pages of a subcommand's own subcommands.
fn inner(command: &clap::Command, above: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for it in command.get_subcommands().filter(|it| it.get_name() != "help") {
        let name = it.get_name().to_uppercase();
        writeln!(text, ".SH \"TERRASCHEMA {above} {name}\"")?;
        text.extend(section(it)?);
    }
    Ok(text)
}

/// The content of a subcommand's page, as subsections.
fn section(subcommand: &clap::Command) -> io::Result<Vec<u8>> {
    let (man, mut text) = (Man::new(subcommand.clone()), Vec::new());
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    Ok(String::from_utf8_lossy(&text)
        .replace("\n.SH ", "\n.SS ")
        .replacen(".SH ", ".SS ", 1)
        .into_bytes())
}
