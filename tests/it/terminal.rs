//! Which colours a person at a terminal sees. (`tests/outside/terminal.rs` has a real one.)

use system::MemorySystem;
use terraschema::{Console, Exit, run};

/// Whether `check` with these arguments and this environment colours its findings.
fn colors(arguments: &str, env: &[(&str, &str)], is_terminal: bool) -> bool {
    let mut system = MemorySystem::new().file("/m/main.tf", "variable \"x\" {}\n").working_in("/m");
    for (name, value) in env {
        system = system.with_env(*name, *value);
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    console.is_terminal = is_terminal;
    let arguments = format!("terraschema check {arguments}");
    let exit = run(arguments.split_whitespace().map(Into::into).collect(), &system, &mut console);
    drop(console);
    assert_eq!(exit, Exit::Findings, "{}", String::from_utf8_lossy(&stderr));
    stdout.contains(&b'\x1b')
}

#[test]
fn colors_follow_the_flags_then_the_environment_then_the_terminal() {
    for (is_terminal, usual) in [(true, true), (false, false)] {
        assert_eq!(colors("", &[], is_terminal), usual);
        assert_eq!(colors("", &[("NO_COLOR", "")], is_terminal), usual, "empty is unset");
        assert_eq!(colors("", &[("CLICOLOR", "1")], is_terminal), usual);
        assert_eq!(colors("", &[("CLICOLOR_FORCE", "0")], is_terminal), usual);
        assert!(!colors("", &[("NO_COLOR", "1")], is_terminal));
        assert!(!colors("", &[("CLICOLOR", "0")], is_terminal));
        assert!(!colors("", &[("TERM", "dumb")], is_terminal));
        assert!(colors("", &[("CLICOLOR_FORCE", "1")], is_terminal));
        assert!(colors("", &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], is_terminal));
        assert!(!colors("", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], is_terminal));
        assert!(colors("--color always", &[("NO_COLOR", "1")], is_terminal));
        assert!(!colors("--color never", &[("CLICOLOR_FORCE", "1")], is_terminal));
        assert!(!colors("--no-color", &[("CLICOLOR_FORCE", "1")], is_terminal));
        assert!(!colors("-no-color", &[], is_terminal), "for compatibility with Terraform");
    }
}

#[test]
fn machines_never_get_colors() {
    for format in ["concise", "json", "sarif", "github", "gitlab", "junit", "markdown"] {
        assert!(!colors(&format!("--color always --format {format}"), &[], true), "{format}");
    }
}
