//! A keystroke in a workspace of many modules: `cargo bench --bench editor [-- COUNT…]`, for 100, 1,000 and 10,000
//! modules if no count is given.
//!
//! A client opens a values file, changes it again and again, and waits for the diagnostics of each change. It does so
//! once for a module that calls nothing, and once for the same module with calls of twenty others. `TERRAFORM_LS` names
//! the binary of terraform-ls, which then gets the same changes.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used
)] // A bench, not the tool.

#[expect(dead_code, reason = "the other bench needs more of it")]
mod tree;

use std::{
    ffi::OsString,
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// The module whose values are changed.
const EDITED: usize = 0;
const CALLS: usize = 20;
/// Changes for our server, and for the other one, which is slower.
const CHANGES: usize = 200;
const CHANGES_OF_PEER: usize = 66;
/// A server that says nothing for so long is broken.
const PATIENCE: Duration = Duration::from_mins(2);
/// Between two changes, so that what one leaves to do does not count for the next.
const PAUSE: Duration = Duration::from_millis(20);
/// Time for a server to look at the workspace.
const START: Duration = Duration::from_secs(3);

fn main() {
    let args = std::env::args().skip(1).filter(|it| it != "--bench");
    let mut counts: Vec<usize> = args.map(|it| it.parse().unwrap()).collect();
    if counts.is_empty() {
        counts = vec![100, 1_000, 10_000];
    }
    println!("| modules, calls | server | first | median | 99 % | processor | memory, peak |");
    println!("|---|---|---|---|---|---|---|");
    for count in counts {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        tree::write(&root, count).unwrap();
        for calls in [0, CALLS] {
            if calls > 0 {
                let module = root.join(tree::module_path(EDITED));
                fs::write(module.join("calls.tf"), calls_of_others(count)).unwrap();
            }
            let ours = Command::new(env!("CARGO_BIN_EXE_terraschema"));
            measure(&format!("{count}, {calls}"), "terraschema", ours, "lsp", &root, CHANGES);
            if let Some(binary) = std::env::var_os("TERRAFORM_LS") {
                let peer = Command::new::<OsString>(binary);
                let what = format!("{count}, {calls}");
                measure(&what, "terraform-ls", peer, "serve", &root, CHANGES_OF_PEER);
            }
        }
    }
}

fn calls_of_others(count: usize) -> String {
    let number = |place: usize| (EDITED + 1 + place * (count / CALLS).max(1)) % count;
    let call = |place: usize| {
        let (path, number) = (tree::module_path(number(place)), number(place));
        format!(
            "module \"m{place}\" {{\n  source = \"../../{path}\"\n  name = \"s{number}-api\"\n  \
             environment = var.environment\n  tags = var.tags\n  container = {{ image = \
             var.container.image }}\n}}\n"
        )
    };
    (0..CALLS).map(call).collect()
}

/// Prints the row of one server.
fn measure(
    what: &str,
    name: &str,
    mut command: Command,
    argument: &str,
    root: &Path,
    changes: usize,
) {
    command.arg(argument);
    let mut server = Server::start(command, root);
    thread::sleep(START);
    let file = root.join(tree::module_path(EDITED)).join("terraform.tfvars");
    let sound = fs::read_to_string(&file).unwrap();
    let uri = format!("file://{}", file.display());
    let broken = |at: usize| format!("{sound}undeclared = {at}\n");
    // What the server says without being asked after the opening.
    let start = Instant::now();
    server.notify(
        "textDocument/didOpen",
        &json!({"textDocument": {
            "uri": uri, "languageId": "terraform-vars", "version": 1, "text": broken(0),
        }}),
    );
    let first = server.wait(&uri, true, Duration::from_secs(2)).then(|| start.elapsed());
    // One more change of each kind, which is not measured.
    let before = server.processor_time();
    let mut times: Vec<Duration> = Vec::new();
    for at in 0..changes + 2 {
        let is_broken = at % 2 == 1;
        let text = if is_broken { broken(at) } else { sound.replace("-api", &format!("-api{at}")) };
        let start = Instant::now();
        server.notify(
            "textDocument/didChange",
            &json!({
                "textDocument": {"uri": uri, "version": at + 2},
                "contentChanges": [{"text": text}],
            }),
        );
        assert!(server.wait(&uri, is_broken, PATIENCE), "{name} does not answer");
        times.push(start.elapsed());
        thread::sleep(PAUSE);
    }
    let spent =
        server.processor_time().saturating_sub(before) / u32::try_from(changes + 2).unwrap();
    let mut times = times.split_off(2);
    times.sort_unstable();
    let at = |share: usize| milliseconds(times[(times.len() * share / 100).min(times.len() - 1)]);
    let first = first.map_or("nothing".to_owned(), milliseconds);
    let [memory, peak] = server.memory();
    println!(
        "| {what} | {name} | {first} | {} | {} | {} | {memory} MiB, {peak} MiB |",
        at(50),
        at(99),
        milliseconds(spent)
    );
    server.stop();
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// A server on its standard input and output.
struct Server {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    asked: usize,
}

impl Server {
    fn start(mut command: Command, root: &Path) -> Server {
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = streams.spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = receive(&mut output) {
                _ = sender.send(message);
            }
        });
        let mut server = Server { process, input, messages, asked: 0 };
        let uri = format!("file://{}", root.display());
        server.request(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": "workspace"}],
                "capabilities": {
                    "textDocument": {"publishDiagnostics": {"versionSupport": true}},
                    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
                },
            }),
        );
        server.notify("initialized", &json!({}));
        server
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn request(&mut self, method: &str, params: &Value) {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            if message["method"].is_null() && message["id"] == id {
                return;
            }
            self.answer(&message);
        }
    }

    /// Answers a request of the server with nothing.
    fn answer(&mut self, message: &Value) {
        if message["method"].is_string() && !message["id"].is_null() {
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
        }
    }

    /// Waits until the server has diagnostics of a file, or none; whether it does in time.
    fn wait(&mut self, uri: &str, has_any: bool, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = self.messages.recv_timeout(left) else { return false };
            let params = &message["params"];
            let is_about = message["method"] == "textDocument/publishDiagnostics";
            let found = params["diagnostics"].as_array().filter(|_| is_about);
            if params["uri"] == uri && found.is_some_and(|it| it.is_empty() != has_any) {
                return true;
            }
            self.answer(&message);
        }
    }

    /// What the server took of the processors so far.
    fn processor_time(&self) -> Duration {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.process.id()));
        let text = text.unwrap_or_default();
        // The fields after the name, from the state on; a tick is a hundredth of a second.
        let fields: Vec<&str> =
            text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = [11, 12].iter().filter_map(|it| fields.get(*it)?.parse::<u64>().ok());
        Duration::from_millis(ticks.sum::<u64>() * 10)
    }

    /// What the server holds now, and what it held at most, in MiB.
    fn memory(&self) -> [u64; 2] {
        let text = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let text = text.unwrap_or_default();
        ["VmRSS:", "VmHWM:"].map(|name| {
            let line = text.lines().find_map(|it| it.strip_prefix(name));
            let kib = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
            kib.unwrap_or(0_u64) / 1024
        })
    }

    fn stop(mut self) {
        self.request("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        drop(self.input);
        self.process.wait().unwrap();
    }
}

/// The next message; `None` at the end.
fn receive(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()?;
            }
            Some(_) => (),
            None => break,
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
