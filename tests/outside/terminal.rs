//! What a person at a terminal sees of a long run, and what a pipe gets.
#![cfg(unix)]

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    missing::{Missing, trials},
    workspace::{Answer, Workspace, binary, isolated},
};

trials![a_long_run_shows_how_far_it_is_and_takes_it_away, a_pipe_gets_nothing_but_findings,];

/// Runs its arguments at a terminal of their own.
const AT_A_TERMINAL: &str = "import os, pty, sys\n\
    sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

/// A module whose check takes longer than it takes to show how far it is, on any machine.
struct Slow(Workspace);

impl Slow {
    fn new() -> Slow {
        let mut outputs = 1;
        loop {
            let it = Slow::with(outputs);
            let begin = Instant::now();
            assert_eq!(it.0.terraschema(LARGE).code, 0);
            if begin.elapsed() > LONG {
                return it;
            }
            outputs *= 2;
        }
    }

    /// With so many outputs of about half a million units of work.
    fn with(outputs: usize) -> Slow {
        let it = Workspace::new();
        let output = |n| {
            format!(
                "output \"o{n}\" {{\n  value = length([for i in range(1000) : [for j in range(100) : j if i \
                 == j]])\n}}\n"
            )
        };
        let outputs: String = (0..outputs).map(output).collect();
        it.write("m/main.tf", format!("variable \"x\" {{\n  type = number\n}}\n{outputs}"));
        it.write("m/x.tfvars", "x = 1\n");
        assert_eq!(it.terraschema(&format!("{LARGE} --fix")).code, 0);
        Slow(it)
    }

    fn at_a_terminal(&self, arguments: &str) -> String {
        let mut command = isolated("python3", &self.0.path(""));
        command.args(["-c", AT_A_TERMINAL, binary()]).args(arguments.split(' '));
        command.stdin(Stdio::null()).env_remove("NO_COLOR").env("TERM", "xterm");
        let answer = Answer::new(command.output().unwrap());
        assert_eq!(answer.code, 0, "{}", answer.text());
        answer.text()
    }
}

const LARGE: &str = "check --max-work 100000000000";
const LONG: Duration = Duration::from_millis(2500);
const BAR: &str = "] 0/1 modules";

fn a_long_run_shows_how_far_it_is_and_takes_it_away() -> Result<(), Missing> {
    if !Command::new("python3").arg("--version").output().is_ok_and(|it| it.status.success()) {
        return Err(Missing::tool("no python3 to make a terminal with"));
    }
    let slow = Slow::new();
    let long = slow.at_a_terminal(LARGE);
    assert_eq!(long.matches(BAR).count(), 1, "drawn when it changes: {long:?}");
    let last = long.rsplit('\r').find(|it| !it.trim().is_empty()).unwrap();
    assert!(last.contains("0 errors"), "the findings come after it: {long:?}");
    let quiet = slow.at_a_terminal(&format!("{LARGE} --quiet"));
    assert!(!quiet.contains(BAR), "{quiet:?}");
    let short = Workspace::new();
    short.write("m/main.tf", "variable \"x\" {}\n");
    assert_eq!(short.terraschema("check --fix").code, 0);
    let short = Slow(short).at_a_terminal("check");
    assert!(!short.contains(BAR), "{short:?}");
    Ok(())
}

fn a_pipe_gets_nothing_but_findings() {
    let slow = Slow::new();
    let mut command = isolated(binary(), &slow.0.path(""));
    let answer = Answer::new(command.args(LARGE.split(' ')).output().unwrap());
    assert_eq!(answer.stderr, "");
    assert_eq!(
        answer.stdout,
        "0 errors, 0 warnings in 1 module and 1 values file, judged as Terraform 1.15.9\n"
    );
}
