//! tflint as a language server: one plugin process for many checks, and its end.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
    thread::sleep,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    fake_host::PLUGIN,
    lint::Project,
    missing::{MissingProgram, trials},
};

trials![
    checks_again_and_again_what_the_editor_has,
    a_killed_host_leaves_no_process_and_no_socket,
    a_run_leaves_no_socket,
    many_checks_at_once_end_well,
];

const WRONG: &str = "variable \"a\" {\n  default = 1\n  validation {\n    condition     = var.a > 3\n    \
                     error_message = \"Low.\"\n  }\n}\n";
const ONLY: &str = "--only=terraschema_default_fails_validation";

struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn new(project: &Project) -> Server {
        let mut command = project.command(&["--langserver", ONLY]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut server = Server { process, input, output };
        let root = format!("file://{}", project.dir.path().display());
        let parameters = json!({"processId": null, "rootUri": root, "capabilities": {}});
        server.send(&json!({"id": 1, "method": "initialize", "params": parameters}));
        while server.receive()["id"] != 1 {}
        server.notify("initialized", &json!({}));
        server
    }

    fn send(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn notify(&mut self, method: &str, parameters: &Value) {
        self.send(&json!({"method": method, "params": parameters}));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server hung up");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", it)) => length = it.parse().unwrap(),
                Some(_) => (),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Messages of the next diagnostics.
    fn diagnostics(&mut self) -> Vec<String> {
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                let found = message["params"]["diagnostics"].as_array().cloned();
                let text = |it: &Value| it["message"].as_str().unwrap().to_owned();
                return found.unwrap_or_default().iter().map(text).collect();
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn project() -> Result<Project, MissingProgram> {
    Project::new(&[("main.tf", WRONG)])
}

fn open(server: &mut Server, uri: &str) {
    let document = json!({"uri": uri, "languageId": "terraform", "version": 1, "text": WRONG});
    server.notify("textDocument/didOpen", &json!({"textDocument": document}));
}

fn checks_again_and_again_what_the_editor_has() -> Result<(), MissingProgram> {
    let project = project()?;
    let mut server = Server::new(&project);
    let uri = format!("file://{}/main.tf", project.dir.path().display());
    open(&mut server, &uri);
    assert_eq!(server.diagnostics().len(), 1);
    for (version, low) in [(2, false), (3, true), (4, false)] {
        let text = if low { WRONG.to_owned() } else { WRONG.replace("= 1", "= 7") };
        let document = json!({"uri": uri, "version": version});
        let change = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        server.notify("textDocument/didChange", &change);
        let expected = usize::from(low);
        assert_eq!(server.diagnostics().len(), expected, "version {version}");
    }
    assert_eq!(plugins(project.dir.path()).len(), 1);
    Ok(())
}

fn a_killed_host_leaves_no_process_and_no_socket() -> Result<(), MissingProgram> {
    let project = project()?;
    let mut server = Server::new(&project);
    let uri = format!("file://{}/main.tf", project.dir.path().display());
    open(&mut server, &uri);
    assert_eq!(server.diagnostics().len(), 1);
    assert_eq!(plugins(project.dir.path()).len(), 1);
    server.process.kill().unwrap();
    server.process.wait().unwrap();
    // A plugin that stays is a test that does not end.
    while !plugins(project.dir.path()).is_empty() {
        sleep(Duration::from_millis(5));
    }
    let left: Vec<_> = fs::read_dir(project.sockets.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    Ok(())
}

fn a_run_leaves_no_socket() -> Result<(), MissingProgram> {
    let project = project()?;
    for _ in 0..10 {
        assert_eq!(project.tflint(&[]).code, 2);
        assert_eq!(plugins(project.dir.path()), [0; 0]);
        assert_eq!(fs::read_dir(project.sockets.path()).unwrap().count(), 0);
    }
    Ok(())
}

fn many_checks_at_once_end_well() -> Result<(), MissingProgram> {
    let call = |n| format!("module \"m{n}\" {{\n  source = \"./m\"\n  a = {{ b = 1 }}\n}}\n");
    let calls: String = (0..80).map(call).collect();
    let called = "variable \"a\" {\n  type = object({})\n}\n";
    let project = Project::new(&[("main.tf", &calls), ("m/main.tf", called)])?;
    for _ in 0..3 {
        assert_eq!(project.issues(&["--call-module-type=local"]).len(), 80);
        assert_eq!(fs::read_dir(project.sockets.path()).unwrap().count(), 0);
    }
    Ok(())
}

/// Processes of the plugin that work in a directory.
fn plugins(dir: &Path) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    let plugin = fs::canonicalize(PLUGIN).unwrap();
    let dir = fs::canonicalize(dir).unwrap();
    let links = |id: &u32, name: &str| fs::read_link(format!("/proc/{id}/{name}")).ok();
    ids.filter(|id| links(id, "exe").as_ref() == Some(&plugin))
        .filter(|id| links(id, "cwd").as_ref() == Some(&dir))
        .collect()
}
