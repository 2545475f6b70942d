//! Decides whether findings are coloured: by the command line, then the environment, then the terminal.

use clap::{Args, ValueEnum};

use system::System;

// Flags for colours. (A doc comment would become the description of the commands that flatten
// this.)
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ColorFlags {
    /// Colour the human output; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    color: When,
    /// Same as --color never, for compatibility with Terraform
    #[arg(long, conflicts_with = "color")]
    no_color: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl ColorFlags {
    /// Whether output is coloured; `is_terminal` says whether it goes to a terminal.
    pub fn are_wanted(self, is_terminal: bool, system: &dyn System) -> bool {
        match self.color {
            _ if self.no_color => false,
            When::Never => false,
            When::Always => true,
            When::Auto => are_usual(is_terminal, system),
        }
    }
}

/// The conventions of no-color.org and of CLICOLOR, in their order.
fn are_usual(is_terminal: bool, system: &dyn System) -> bool {
    let set = |name| system.env(name).filter(|it| !it.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|it| it != "0") {
        return true;
    }
    let is_refused = set("CLICOLOR").is_some_and(|it| it == "0");
    is_terminal && !is_refused && set("TERM").is_none_or(|it| it != "dumb")
}
