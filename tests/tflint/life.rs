//! How the plugin's process begins and ends.

use std::{
    fs,
    process::{Child, Command, ExitStatus},
    time::Duration,
};

use tempfile::TempDir;
use tflint_ruleset::wire::Empty;

use crate::{
    fake_host::{FakeHost, PLUGIN, handshake, run, start},
    missing::trials,
};

trials![
    alone_it_says_what_it_is,
    answers_shutdown_and_ends,
    ends_when_the_host_hangs_up,
    leaves_interrupts_to_the_host_and_survives_file_limits,
    listens_on_a_port_where_it_cannot_make_a_socket,
];

fn ended(process: &mut Child) -> Option<ExitStatus> {
    // A process that does not end is a test that does not.
    process.wait().ok()
}

fn entries(dir: &TempDir) -> usize {
    fs::read_dir(dir.path()).unwrap().count()
}

fn alone_it_says_what_it_is() {
    let output = Command::new(PLUGIN).env_remove("TFLINT_RULESET_PLUGIN").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("tflint plugin"));
}

fn answers_shutdown_and_ends() {
    run(async {
        let mut host = FakeHost::new().await;
        let _: Empty =
            host.channel.call("/plugin.GRPCController/Shutdown", Empty {}).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(ended(&mut host.process).unwrap().success());
        assert_eq!(entries(&host.sockets), 0);
    });
}

fn ends_when_the_host_hangs_up() {
    let mut host = {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // The connection goes with its runtime, as it goes with a host that was killed.
        runtime.block_on(FakeHost::new())
    };
    assert!(ended(&mut host.process).unwrap().success());
    assert_eq!(entries(&host.sockets), 0);
}

#[cfg(unix)]
fn leaves_interrupts_to_the_host_and_survives_file_limits() {
    run(async {
        let mut host = FakeHost::new().await;
        let id = host.process.id().to_string();
        // The other one comes where a file grows beyond its limit, such as a log on standard error.
        for signal in ["-INT", "-XFSZ"] {
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(host.ask("/proto.RuleSet/GetName").await, "terraschema");
    });
}

fn listens_on_a_port_where_it_cannot_make_a_socket() {
    let dir = TempDir::new().unwrap();
    let mut process = start(dir.path(), &dir.path().join("none"));
    let line = handshake(&mut process);
    let fields: Vec<&str> = line.trim_end().split('|').collect();
    assert_eq!(fields[2], "tcp", "{line}");
    let stream = std::net::TcpStream::connect(fields[3]).unwrap();
    drop(stream);
    assert!(ended(&mut process).unwrap().success());
}
