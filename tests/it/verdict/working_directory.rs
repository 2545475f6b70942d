//! Where Terraform runs: `check` does not know, a plan of a root module with calls further down does.

use system::MemorySystem;
use terraschema::Exit;

use crate::cli::terraschema;

/// A module whose only local is this expression, called by the root above it.
fn called(expr: &str) -> MemorySystem {
    let local = format!("locals {{\n  a = {expr}\n}}\noutput \"a\" {{\n  value = local.a\n}}\n");
    MemorySystem::new()
        .file("/r/main.tf", "module \"env\" {\n  source = \"./modules/env\"\n}\n")
        .file("/r/users.json", "{}")
        .file("/r/modules/env/main.tf", local)
}

/// Terraform 1.11.4 plans the first four in /r, and refuses the others there.
#[test]
fn a_missing_file_that_is_there_further_up_is_left_open() {
    for (expr, errors) in [
        ("file(\"./users.json\")", 0),
        ("file(\"users.json\")", 0),
        ("file(\"${path.cwd}/users.json\")", 0),
        ("jsondecode(file(\"users.json\"))", 0),
        ("file(\"${path.module}/gone.json\")", 1),
        ("file(\"gone.json\")", 1),
    ] {
        for directory in ["/r", "/r/modules", "/"] {
            let system = called(expr).working_in(directory);
            let (exit, text) = terraschema(&system, "check --format concise");
            assert_eq!(exit == Exit::Findings, errors > 0, "{expr} in {directory}: {text}");
            assert_eq!(text.contains("error[failed-evaluation]"), errors > 0, "{expr}: {text}");
            assert!(!text.contains("/r/"), "no finding depends on the machine: {text}");
        }
        let (exit, text) = terraschema(&called(expr).working_in("/r"), "validate");
        assert_eq!(exit == Exit::Findings, errors > 0, "{expr}: {text}");
    }
}
