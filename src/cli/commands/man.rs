//! `terraschema man`

use clap::CommandFactory;

use crate::cli::{Console, Exit, args::Arguments};

pub(crate) fn run(console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut text)?;
    console.out(&String::from_utf8_lossy(&text));
    Ok(Exit::Clean)
}
