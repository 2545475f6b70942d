//! What a person at a terminal sees of a long run, and what a pipe gets.
//!
//! Nothing here measures time: the run is one that never ends by itself, and it is ended when the person has seen what
//! there is to see. (`cli::progress` tests with a clock of its own that short runs show nothing.)
#![cfg(unix)]

use std::{
    io::Read,
    process::{Child, Command, Stdio},
};

use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Workspace, binary, isolated},
};

trials![a_long_run_shows_how_far_it_is_and_takes_it_away,];

/// Runs its arguments at a terminal of their own, prints what they print, and types Ctrl-C when standard input ends.
const AT_A_TERMINAL: &str = r#"
import os, pty, select, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
watched = [terminal, 0]
while True:
    ready, _, _ = select.select(watched, [], [])
    if 0 in ready and not os.read(0, 1):
        watched.remove(0)
        os.write(terminal, b"\x03")
    if terminal in ready:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            part = b""
        if not part:
            break
        os.write(1, part)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"#;

/// A module whose check takes days.
fn endless() -> Workspace {
    let it = Workspace::new();
    let deep =
        (0..6).fold("1".to_owned(), |it, n| format!("length([for i{n} in range(1000) : {it}])"));
    it.write("m/main.tf", format!("variable \"x\" {{}}\noutput \"o\" {{\n  value = {deep}\n}}\n"));
    it
}

const FOREVER: &str = "check --max-work 100000000000000000";
const BAR: &str = "] 0/1 modules";

fn at_a_terminal(it: &Workspace, arguments: &str) -> Child {
    let mut command = isolated("python3", &it.path(""));
    command.args(["-c", AT_A_TERMINAL, binary()]).args(arguments.split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("NO_COLOR").env("TERM", "xterm").spawn().unwrap()
}

/// Ends a run at a terminal, and gives what it still prints, and its exit code.
fn ended(mut run: Child) -> (String, Option<i32>) {
    drop(run.stdin.take());
    let output = run.wait_with_output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

fn a_long_run_shows_how_far_it_is_and_takes_it_away() -> Result<(), MissingProgram> {
    if !Command::new("python3").arg("--version").output().is_ok_and(|it| it.status.success()) {
        return Err(MissingProgram::tool("no python3 to make a terminal with"));
    }
    let it = endless();
    // These begin before the one that is waited for, so that they have had their time, too.
    let quiet = at_a_terminal(&it, &format!("{FOREVER} --quiet"));
    let mut piped = isolated(binary(), &it.path(""));
    piped.args(FOREVER.split(' ')).stdin(Stdio::null());
    let mut piped = piped.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut loud = at_a_terminal(&it, FOREVER);
    let (mut seen, mut byte) = (Vec::new(), [0]);
    let mut screen = loud.stdout.take().unwrap();
    while !String::from_utf8_lossy(&seen).contains(BAR) {
        assert_eq!(screen.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&seen));
        seen.push(byte[0]);
    }
    drop(loud.stdin.take());
    screen.read_to_end(&mut seen).unwrap();
    assert_eq!(loud.wait().unwrap().code(), Some(130));
    let seen = String::from_utf8_lossy(&seen);
    assert_eq!(seen.matches(BAR).count(), 1, "drawn when it changes: {seen:?}");
    let after = seen.split(BAR).nth(1).unwrap();
    assert!(after.trim_start_matches("^C").trim().is_empty(), "taken away: {seen:?}");
    assert!(after.ends_with('\r'), "{seen:?}");
    let (quiet, code) = ended(quiet);
    assert_eq!((quiet.trim_end_matches("^C"), code), ("", Some(130)));
    piped.kill().unwrap();
    let piped = piped.wait_with_output().unwrap();
    assert_eq!((piped.stdout, piped.stderr), (Vec::new(), Vec::new()));
    Ok(())
}
