//! `terraschema man`: one page for the command and every subcommand.

use std::io::{self, Write as _};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::{Console, Exit, args::Arguments};

pub(crate) fn run(console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let mut command = Arguments::command();
    command.build();
    let mut page = Vec::new();
    let whole = Man::new(command.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    for subcommand in command.get_subcommands().filter(|it| it.get_name() != "help") {
        writeln!(page, ".SH \"TERRASCHEMA {}\"", subcommand.get_name().to_uppercase())?;
        page.extend(section(subcommand)?);
    }
    whole.render_version_section(&mut page)?;
    console.out(&String::from_utf8_lossy(&page));
    Ok(Exit::Clean)
}

/// What a page of its own would say, as subsections.
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
