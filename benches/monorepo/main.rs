//! A monorepo of thousands of modules: `cargo bench --bench monorepo [-- COUNT]`, 10,000 modules if no count is given.
//!
//! These runs are measured:
//! - all modules checked
//! - one changed module
//! - four shards merged
//! - a program that only reads the same files, on one core
//! - an earlier version (its binary is named by `TERRASCHEMA_EARLIER`)
//! - where they are installed, the Go tool once for each module (its binary is named by `TERRASCHEMA_GO`) and
//!   `check-jsonschema` over the same inputs
//!
//! Then come as many modules with three calls for each, with and without `--no-calls`; and as many modules with and
//! without examples.
//!
//! `cargo bench --bench monorepo -- --examples COUNT` measures only the examples, and `cargo bench --bench monorepo -- DIR`
//! checks a copy of the modules below a directory instead.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::too_many_lines,
    clippy::unwrap_used
)] // A bench, not the tool.

mod row;
mod tree;

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use row::Row;
use tempfile::TempDir;

/// Runs of each program, in turns.
const RUNS: usize = 5;
/// Modules for the programs that are started again for each; their time is scaled to all of them.
const SAMPLE: usize = 500;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    if let [flag, dir] = args.as_slice()
        && flag == "--read"
    {
        std::hint::black_box(read_below(Path::new(dir)));
        return;
    }
    if let [flag, count] = args.as_slice()
        && flag == "--examples"
    {
        return measure_examples(count.parse().unwrap());
    }
    let count = match args.first().map(|it| (it, it.parse())) {
        None => 10_000,
        Some((_, Ok(count))) => count,
        Some((dir, Err(_))) => return measure_copy(Path::new(dir)),
    };
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    tree::write(root, count).unwrap();
    done(ours(root, &["check", "--fix", "--quiet"]));
    done(git(root, &["init", "-q"]));
    done(git(root, &["add", "."]));
    let author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
    done(git(root, &[&author[..], &["commit", "-q", "-m", "All modules"]].concat()));
    change(&root.join(CHANGED));
    let earlier = earlier(|root| tree::write(root, count).unwrap());
    let base = measure(root, count, earlier.as_ref());
    peers(root, count, base);
    drop(dir);
    measure_calls(count);
    measure_examples(count);
}

/// The file that differs from the commit.
const CHANGED: &str = "team-000/service-007/prod.tfvars.json";

fn change(path: &Path) {
    let text = fs::read_to_string(path).unwrap().replace("\"replicas\": 3", "\"replicas\": 2");
    fs::write(path, text).unwrap();
}

/// An earlier version, and a tree for it with the schemas that it writes.
struct Earlier {
    program: OsString,
    dir: TempDir,
}

impl Earlier {
    fn check(&self, args: &[&str]) -> Command {
        let args: Vec<&str> = ["check"].iter().chain(args).copied().collect();
        command(&self.program, self.dir.path(), &args)
    }
}

/// The earlier version that is named, where one is. `write` makes its tree.
fn earlier(write: impl FnOnce(&Path)) -> Option<Earlier> {
    let program = std::env::var_os("TERRASCHEMA_EARLIER")?;
    let earlier = Earlier { program, dir: tempfile::tempdir().unwrap() };
    write(earlier.dir.path());
    assert!(earlier.check(&["--fix", "--quiet"]).status().is_ok());
    Some(earlier)
}

fn reader(root: &Path) -> Row {
    let mut reader = Command::new(std::env::current_exe().unwrap());
    reader.arg("--read").arg(root);
    Row::new("a program that only reads the same files, on one core", vec![reader])
}

/// The whole of a tree: `check` without and with calls, and the earlier version.
fn whole(root: &Path, earlier: Option<&Earlier>) -> Vec<Row> {
    let mut rows = vec![
        reader(root),
        Row::new("`check --no-calls`", vec![ours(root, &["check", "--quiet", "--no-calls"])]),
        Row::new("`check`", vec![ours(root, &["check", "--quiet"])]),
    ];
    rows.extend(
        earlier.map(|it| Row::new("`check` of the earlier version", vec![it.check(&["--quiet"])])),
    );
    rows
}

/// Runs the rows in turns, prints them as a table, and gives the time of the first in seconds.
fn table(mut rows: Vec<Row>, what: &str) -> f64 {
    for _ in 0..RUNS {
        rows.iter_mut().for_each(Row::run);
    }
    let base = rows[0].median();
    println!("\n| {what} | seconds | of the first row | peak memory |");
    println!("|---|---|---|---|");
    rows.iter().for_each(|it| it.print(base));
    base
}

/// Checks a copy of the modules below a directory, with fresh schemas.
fn measure_copy(dir: &Path) {
    let copy = tempfile::tempdir().unwrap();
    copy_below(dir, copy.path());
    // Modules with errors stay as they are.
    assert!(ours(copy.path(), &["check", "--fix", "--quiet"]).status().is_ok());
    let earlier = earlier(|root| copy_below(dir, root));
    table(whole(copy.path(), earlier.as_ref()), &dir.display().to_string());
}

/// Copies the files and directories below one directory into another; links stay behind.
fn copy_below(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (kind, target) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&target).unwrap();
            copy_below(&entry.path(), &target);
        } else if kind.is_file() {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Gives the time of the bare read in seconds.
fn measure(root: &Path, count: usize, earlier: Option<&Earlier>) -> f64 {
    let reports: Vec<String> = (1..=4).map(|it| format!("{}.{it}.json", root.display())).collect();
    let mut rows = whole(root, earlier);
    rows.extend([
        Row::new("`check --shard I/4`, I from 1 to 4, and `merge`", shards(root, &reports)),
        Row::new("`git status`, one module changed", vec![git(root, &["status", "--porcelain"])]),
        Row::new(
            "`check --changed=HEAD`, one module changed",
            vec![ours(root, &["check", "--changed=HEAD"])],
        ),
        Row::new(
            "`check --hook FILE`, the same module",
            vec![ours(root, &["check", "--hook", CHANGED])],
        ),
    ]);
    let base = table(rows, &format!("{count} modules"));
    reports.iter().for_each(|it| fs::remove_file(it).unwrap());
    base
}

/// What `module` blocks add to a check.
fn measure_calls(count: usize) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    tree::write(root, count).unwrap();
    let calls = tree::write_calls(root, count).unwrap();
    done(ours(root, &["check", "--fix", "--quiet"]));
    table(whole(root, None), &format!("{count} modules, {calls} calls"));
}

/// What examples of values files and the code of READMEs add to a check, with values files and without them.
fn measure_examples(count: usize) {
    let dirs = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [plain, full] = [dirs[0].path(), dirs[1].path()];
    for root in [plain, full] {
        tree::write(root, count).unwrap();
    }
    tree::write_examples(full, count).unwrap();
    for root in [plain, full] {
        done(ours(root, &["check", "--fix", "--quiet"]));
    }
    let rows = || {
        vec![
            Row::new("`check`", vec![ours(plain, &["check", "--quiet"])]),
            Row::new("`check`, with examples", vec![ours(full, &["check", "--quiet"])]),
        ]
    };
    table(rows(), &format!("{count} modules, an example and a call in the README of each"));
    for root in [plain, full] {
        tree::remove_values(root, count).unwrap();
    }
    table(rows(), "the same without values files");
}

fn ours(root: &Path, args: &[&str]) -> Command {
    command(env!("CARGO_BIN_EXE_terraschema"), root, args)
}

fn git(root: &Path, args: &[&str]) -> Command {
    command("git", root, args)
}

fn command(program: impl AsRef<OsStr>, root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root).args(args).stdout(Stdio::null());
    command
}

fn done(mut command: Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}

fn shards(root: &Path, reports: &[String]) -> Vec<Command> {
    let of_one = |(number, report): (usize, &String)| {
        let (shard, output) = (format!("{}/4", number + 1), format!("json={report}"));
        ours(root, &["check", "--quiet", "--shard", &shard, "--output", &output])
    };
    let mut commands: Vec<Command> = reports.iter().enumerate().map(of_one).collect();
    let mut merge = ours(root, &["merge", "--quiet"]);
    merge.args(reports);
    commands.push(merge);
    commands
}

/// The bytes of all files that a check reads, below a directory.
fn read_below(dir: &Path) -> u64 {
    let wanted = |it: &Path| {
        let name = it.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        [".tf", ".tf.json", ".tfvars", ".tfvars.json"].iter().any(|it| name.ends_with(it))
            || name == "schema.json"
    };
    let entries: Vec<_> = fs::read_dir(dir).unwrap().map(Result::unwrap).collect();
    let size = |entry: &fs::DirEntry| {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            read_below(&path)
        } else if wanted(&path) {
            fs::read(&path).unwrap().len() as u64
        } else {
            0
        }
    };
    entries.iter().map(size).sum()
}

/// Programs that do a part of the same, over a sample of the modules, scaled to all of them.
fn peers(root: &Path, count: usize, base: f64) {
    let modules: Vec<PathBuf> =
        (0..count.min(SAMPLE)).map(|it| root.join(tree::module_path(it))).collect();
    let scale = count as f64 / modules.len() as f64;
    if let Some(program) = std::env::var_os("TERRASCHEMA_GO") {
        let of_one = |dir: &PathBuf| {
            let mut command = Command::new(&program);
            command.arg("-i").arg(dir).arg("--stdout").stdout(Stdio::null());
            command
        };
        let mut row =
            Row::new("the Go tool, once for each module", modules.iter().map(of_one).collect());
        row.run();
        row.print_scaled(scale, base);
    }
    let of_one = |dir: &PathBuf| {
        let mut command = Command::new("check-jsonschema");
        command.arg("--schemafile").arg(dir.join("schema.json")).arg(dir.join("prod.tfvars.json"));
        command.stdout(Stdio::null());
        command
    };
    if Command::new("check-jsonschema").arg("--version").stdout(Stdio::null()).status().is_ok() {
        let mut row = Row::new(
            "`check-jsonschema`, once for each module",
            modules.iter().map(of_one).collect(),
        );
        row.run();
        row.print_scaled(scale, base);
    }
}
