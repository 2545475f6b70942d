//! The life of the process: handshake, one connection, end.

#[cfg(unix)]
use std::path::PathBuf;
use std::{
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    time::timeout,
};

use super::server::{GRACE, Server};
use diagnostics::visible_line;
#[cfg(unix)]
use system::survive_file_limits;
use system::{OsSystem, System};

/// What tflint sets for its plugins. If it is missing, somebody started the plugin by hand, and gets a message.
const COOKIE: (&str, &str) =
    ("TFLINT_RULESET_PLUGIN", "5adSn1bX8nrDfgBqiAqqEkC6OE1h3iD8SqbMc5UUONx8x3xCF0KlPDsBRNDjoYDP");
/// go-plugin's own protocol, and tflint's on top of it.
const PROTOCOLS: (u32, u32) = (1, 11);
/// A host that died before it connected leaves nothing behind.
const CONNECT_LIMIT: Duration = Duration::from_mins(1);

/// Serves tflint until it says goodbye or hangs up.
pub fn main() -> ExitCode {
    #[cfg(unix)]
    survive_file_limits();
    if OsSystem.env(COOKIE.0).as_deref() != Some(COOKIE.1) {
        let _ = writeln!(
            io::stderr(),
            "This is a tflint plugin; run tflint instead.\nTo enable it, copy it to \
            ~/.tflint.d/plugins and write plugin \"terraschema\" {{ enabled = true }} in \
            .tflint.hcl."
        );
        return ExitCode::FAILURE;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let served = runtime.and_then(|it| it.block_on(serve()));
    if let Err(error) = served {
        log("ERROR", &error.to_string());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Writes a line to tflint's log, which users ask for with `TFLINT_LOG`.
pub(super) fn log(level: &str, message: &str) {
    if OsSystem.env("TFLINT_LOG").is_some() {
        let message = message.replace('\n', " ");
        let _ = writeln!(io::stderr(), "[{level}] {}", visible_line(&message));
    }
}

async fn serve() -> io::Result<()> {
    // The terminal sends Ctrl-C to tflint too, which then shuts us down.
    #[cfg(unix)]
    let _interrupt = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt());
    #[cfg(unix)]
    if let Some((listener, socket)) = bind_socket() {
        shake_hands("unix", &socket.0.to_string_lossy())?;
        let (stream, _) = timeout(CONNECT_LIMIT, listener.accept()).await??;
        connected(stream).await;
        return Ok(());
    }
    let listener = bind_port().await?;
    shake_hands("tcp", &listener.local_addr()?.to_string())?;
    let (stream, _) = timeout(CONNECT_LIMIT, listener.accept()).await??;
    connected(stream).await;
    Ok(())
}

/// tflint opens one connection; when that goes, nobody is left to serve.
async fn connected<S>(stream: S)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let server = Server::default();
    let (broker, finished) = (server.broker.clone(), server.finished.clone());
    tokio::spawn(async move {
        let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        let finished = server.finished.clone();
        let ended = http.serve_connection(TokioIo::new(stream), server).await;
        log("DEBUG", &format!("tflint closed the connection: {ended:?}"));
        tokio::time::sleep(GRACE).await;
        finished.notify_one();
    });
    finished.notified().await;
    broker.clean_up();
}

/// The one line that tflint waits for; nothing else may ever go to standard output.
fn shake_hands(network: &str, address: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}|{}|{network}|{address}|grpc|", PROTOCOLS.0, PROTOCOLS.1)?;
    out.flush()
}

/// A socket's file, removed in the end.
#[cfg(unix)]
struct Socket(PathBuf);

#[cfg(unix)]
impl Drop for Socket {
    #[expect(clippy::disallowed_methods, reason = "the socket does not belong to the current user")]
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The name is no longer than those of tflint's own sockets, whose paths are bounded as well.
#[cfg(unix)]
fn bind_socket() -> Option<(tokio::net::UnixListener, Socket)> {
    let dir = OsSystem.env("PLUGIN_UNIX_SOCKET_DIR").filter(|it| !it.is_empty());
    let dir = dir.map_or_else(std::env::temp_dir, PathBuf::from);
    (0..8).find_map(|attempt| {
        let path = dir.join(format!("plugin{}-{attempt}", std::process::id()));
        let listener = tokio::net::UnixListener::bind(&path).ok()?;
        Some((listener, Socket(path)))
    })
}

/// A free port of the range that tflint names; any free one where it names none.
async fn bind_port() -> io::Result<TcpListener> {
    let port = |name: &str| OsSystem.env(name).and_then(|it| it.parse::<u16>().ok()).unwrap_or(0);
    let mut result = Err(io::Error::other("no free port to listen on"));
    for port in port("PLUGIN_MIN_PORT")..=port("PLUGIN_MAX_PORT") {
        result = TcpListener::bind(("127.0.0.1", port)).await;
        if result.is_ok() {
            break;
        }
    }
    result
}
