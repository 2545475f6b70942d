//! Two revisions of many modules beside a check of the same files: `cargo bench --bench compat [-- COUNT]` (10,000 modules).
//! A repository is written and committed twice: every module has another rule and other descriptions. The command runs as
//! a process of its own, in turns with `check`; last, one module is changed, beside git's own time for that.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used
)] // A bench, not the tool.

use std::{fs, path::Path, process::Command, time::Instant};

const RUNS: usize = 3;
const TYPES: [&str; 5] = [
    "string",
    "number",
    "list(string)",
    "object({ a = string, b = optional(number, 3) })",
    "map(string)",
];

fn main() {
    let count = std::env::args().find_map(|it| it.parse().ok()).unwrap_or(10_000);
    let space = tempfile::tempdir().unwrap();
    let dir = space.path();
    git(dir, &["init", "-q"]);
    for (most, tag) in [(20, "v1.0.0"), (30, "v2.0.0")] {
        (0..count).for_each(|it| write(dir, it, most));
        commit(dir, tag);
        git(dir, &["tag", tag]);
    }
    terraschema(dir, "check --fix");
    commit(dir, "Add the schemas");
    println!("{count} modules");
    for _ in 0..RUNS {
        let check = terraschema(dir, "check --format concise");
        let compat = terraschema(dir, "compat v1.0.0 v2.0.0 --format concise");
        println!("check {check:.2} s, compat {compat:.2} s: {:.2} times", compat / check);
    }
    write(dir, 7, 29);
    let ms = |it: f64| it * 1000.0;
    for _ in 0..RUNS {
        // The first finds new files, as compat does; the second looks at those only that git knows.
        let status = ms(git(dir, &["status", "--porcelain"]));
        let diff = ms(git(dir, &["diff", "--quiet", "HEAD"]));
        let compat = ms(terraschema(dir, "compat HEAD --format concise"));
        println!(
            "one changed module: git status {status:.0} ms, git diff {diff:.0} ms, compat {compat:.0} ms"
        );
    }
}

/// A module of eight variables, two rules and three outputs.
fn write(dir: &Path, at: usize, most: usize) {
    let dir = dir.join(format!("modules/m{at:05}"));
    fs::create_dir_all(&dir).unwrap();
    let mut text = String::new();
    for index in 0..8 {
        let ty = TYPES[index % TYPES.len()];
        text += &format!("variable \"v{index}\" {{\n  type        = {ty}\n");
        text += &format!("  description = \"Variable {index} of module {at}, {most}.\"\n");
        if index % 2 == 1 {
            text += "  default     = null\n";
        }
        let condition = match index {
            0 => format!("length(var.v0) <= {most} && can(regex(\"^[a-z]+$\", var.v0))"),
            1 => "var.v1 == null ? true : var.v1 > 3".to_owned(),
            _ => String::new(),
        };
        if !condition.is_empty() {
            text += &format!(
                "  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n"
            );
        }
        text += "}\n\n";
    }
    for index in 0..3 {
        text += &format!("output \"o{index}\" {{\n  value = var.v{index}\n}}\n\n");
    }
    fs::write(dir.join("main.tf"), text).unwrap();
}

fn commit(dir: &Path, subject: &str) {
    git(dir, &["add", "-A"]);
    git(dir, &["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", subject]);
}

/// Seconds that git takes.
fn git(dir: &Path, arguments: &[&str]) -> f64 {
    let start = Instant::now();
    Command::new("git").args(arguments).current_dir(dir).output().unwrap();
    start.elapsed().as_secs_f64()
}

/// Seconds that the command takes.
fn terraschema(dir: &Path, arguments: &str) -> f64 {
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_terraschema"));
    let output = command.args(arguments.split(' ')).current_dir(dir).output().unwrap();
    assert!(output.status.code().is_some_and(|it| it < 2), "{output:?}");
    start.elapsed().as_secs_f64()
}
