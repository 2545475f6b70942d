//! Two revisions of many modules, compared with a check of the same files: `cargo bench --bench compat [-- COUNT]`
//! (10,000 modules). A repository is written and committed twice: every module has another rule and other descriptions.
//! The command runs as a process of its own, in turns with `check`; last, one module is changed, compared with git's
//! own time for that.
//!
//! `cargo bench --bench compat -- DIR…`: `compat --history` in each of these clones, in turns with a `check` of every
//! release in a copy of it.
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
    let clones: Vec<String> =
        std::env::args().skip(1).filter(|it| Path::new(it).is_dir()).collect();
    if !clones.is_empty() {
        clones.iter().for_each(|it| history(Path::new(it)));
        return;
    }
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

/// Compares all releases of a clone, and checks each of them.
fn history(clone: &Path) {
    let report = command(clone, "compat --history --format json").output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let rows = report["compat"]["history"]["releases"].as_array().unwrap();
    let first = rows.first().map(|it| &it["base"]);
    let tags = first.into_iter().chain(rows.iter().map(|it| &it["head"]));
    let tags: Vec<&str> = tags.map(|it| it.as_str().unwrap()).collect();
    let space = tempfile::tempdir().unwrap();
    let copy = space.path();
    git(
        copy,
        &["clone", "-q", "--no-checkout", &clone.canonicalize().unwrap().to_string_lossy(), "."],
    );
    for _ in 0..RUNS {
        let history = terraschema(clone, "compat --history");
        let checks: f64 = tags
            .iter()
            .map(|tag| {
                git(copy, &["checkout", "-q", "--force", tag]);
                terraschema(copy, "check")
            })
            .sum();
        println!(
            "{}: {} releases, history {history:.2} s, checks {checks:.2} s: {:.2} times",
            clone.display(),
            tags.len(),
            history / checks
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
    let output = command(dir, arguments).output().unwrap();
    assert!(output.status.code().is_some_and(|it| it < 2), "{output:?}");
    start.elapsed().as_secs_f64()
}

fn command(dir: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terraschema"));
    command.args(arguments.split(' ')).current_dir(dir);
    command
}
