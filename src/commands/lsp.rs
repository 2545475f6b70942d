//! `terraschema lsp`: the language server at standard input and output.

use clap::Args;

use crate::Exit;
use lsp::ClientExit;

#[derive(Debug, Args)]
pub(crate) struct LspArgs {
    /// Accepted for clients that pass it; standard input and output are always used
    #[arg(long)]
    stdio: bool,
}

pub(crate) fn run(args: &LspArgs) -> anyhow::Result<Exit> {
    let LspArgs { stdio: _ } = args;
    // The protocol wants an exit code of 1 from a server that was not shut down.
    Ok(match lsp::serve_stdio()? {
        ClientExit::Orderly => Exit::Clean,
        ClientExit::Abruptly => Exit::Findings,
    })
}
