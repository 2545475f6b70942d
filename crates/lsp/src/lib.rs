//! The language server: `check` and what it knows, while somebody types.
//!
//! Messages of the language server protocol (3.17) go in; diagnostics and answers come out. [`serve`] takes a
//! [`Connection`], so that tests drive it in process; the command gives it standard input and output.
//!
//! - `server` owns the state. It is one loop on one thread, which takes messages and finished work in order.
//! - `work` runs everything else on other threads, on a `snapshot::Snapshot` of the state. A panic ends one task.
//! - `overlay` is a [`system::System`] in which the texts of open documents replace those on the disk. All verdicts
//!   come from `check` on that system, so that they are the same as the command's on the same text.
//! - `unit` groups open documents by the module that they belong to, as `check` does, and judges them together.
//! - `text` turns positions of the protocol into bytes and back; `convert` findings into diagnostics.

mod candidates;
mod contract;
mod convert;
mod inbox;
mod input_sets;
mod overlay;
mod refresh;
mod requests;
mod server;
mod settings;
mod site;
mod snapshot;
mod snippet;
mod symbol;
mod test_file;
mod text;
mod types;
mod unit;
mod uri;
mod work;

pub use lsp_server::Connection;

use std::io;

/// How a client left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientExit {
    /// After `shutdown`.
    Orderly,
    /// It closed the connection, or sent `exit` without `shutdown`.
    Abruptly,
}

/// Serves one client until it leaves. Errors: the connection breaks before the client has introduced itself.
pub fn serve(connection: &Connection) -> io::Result<ClientExit> {
    server::serve(connection)
}

/// Serves the client at standard input and output.
pub fn serve_stdio() -> io::Result<ClientExit> {
    let (connection, threads) = Connection::stdio();
    let left = serve(&connection)?;
    drop(connection);
    // Of a client that did not say goodbye the reader may wait forever for more.
    if left == ClientExit::Orderly {
        threads.join()?;
    }
    Ok(left)
}
