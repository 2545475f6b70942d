//! Every command in `README.md`, `CONTRIBUTING.md` and `docs` runs as it is written, in a fresh copy of
//! `examples/monorepo`, or next to the examples if the block names one. It has to exit with 0, or with
//! the code in its comment (`# exits with 1`), and to print the lines that the page shows below it.
//! Pages of rules run theirs themselves (`tests/it/cli/explain.rs`).
#![allow(clippy::disallowed_methods)] // It looks behind the layers' backs.

use std::{cell::RefCell, collections::BTreeSet, env, fs, path::Path};

use testkit::workspace::{Answer, Workspace, binary, isolated};

/// Commands with these beginnings are not run, each with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("bash tests/run", "runs all tests, this one among them"),
    ("cargo ", "builds something or runs tests"),
    ("git clone ", "needs a network"),
    ("UPDATE=1 cargo ", "rewrites what the tests compare"),
    ("TERRASCHEMA_GO_TOOL=", "needs a checkout of the Go tool"),
    ("TERRASCHEMA_MODULES=", "needs a directory of modules"),
    ("terraform plan -out plan.bin", "needs providers; tests/it/policy has plans"),
    ("terraschema policy ", "is about plans and rules; tests/it/policy/page.rs runs the page"),
    ("terraschema check org", "is about files of the page; tests/it/policy/page.rs runs it"),
    ("tests/cases ", "is a script for Python; tests/outside/cases.rs runs it"),
    ("mkdir trees/", "is a step between these"),
    ("tests/record-trees ", "asks Terraform"),
    ("check-jsonschema ", "is another program; tests/outside/consumers runs it"),
    ("jv ", "is another program; tests/outside/consumers runs it"),
    ("mkdir -p ~/.tflint.d", "is for tflint, in the user's home; tests/tflint runs it"),
    ("ln -s ~/.tflint.d", "is for tflint, in the user's home; tests/tflint runs it"),
    ("tflint ", "is another program; tests/tflint runs it"),
];

/// What a page says in words that you do before a command.
const BEFORE: &[(&str, &str)] = &[
    (
        "terraschema merge report-*.json --format sarif",
        "for i in 1 3 4; do terraschema check --shard $i/4 --format json > report-$i.json; done",
    ),
    (
        "terraschema -i modules/network -o modules/network/schema.json",
        "rm modules/network/schema.json",
    ),
];

/// A command of a page, and the lines that the page shows below it.
struct Command {
    line: String,
    output: Vec<String>,
}

/// The commands in the fenced blocks `sh` and `console` of a page, block by block.
fn blocks(page: &str) -> Vec<Vec<Command>> {
    let (mut blocks, mut inside) = (Vec::<Vec<Command>>::new(), false);
    for line in page.lines() {
        match line.trim() {
            "```sh" | "```console" | "```bash" | "```shell" => {
                inside = true;
                blocks.push(Vec::new());
            }
            "```" => inside = false,
            it if inside => {
                let block = blocks.last_mut().unwrap();
                if let Some(command) = it.strip_prefix("$ ") {
                    block.push(Command { line: command.to_owned(), output: Vec::new() });
                } else if let Some(command) = block.last_mut() {
                    command.output.push(line.trim_end().to_owned());
                }
            }
            _ => (),
        }
    }
    blocks
}

/// Cargo would build the command first. Its command line is the same.
fn built(command: &str) -> String {
    let arguments = command.strip_prefix("cargo run --release -- ");
    let arguments = arguments.or_else(|| command.strip_prefix("cargo run -- "));
    arguments.map_or_else(|| command.to_owned(), |it| format!("terraschema {it}"))
}

/// The exit code in the comment of a command.
fn expected_code(command: &str) -> i32 {
    let code = command.split_once("exits with ").map_or("0", |it| it.1);
    code.split(|it: char| !it.is_ascii_digit()).next().unwrap().parse().unwrap()
}

/// The lines that a page shows are in the output, in the same order. `…` replaces any number of lines.
fn assert_shows(page: &str, command: &Command, text: &str) {
    let mut lines = text.lines().map(str::trim_end);
    for shown in command.output.iter().filter(|it| *it != "…" && !it.is_empty()) {
        let is_printed = lines.any(|it| it == shown);
        assert!(is_printed, "{page}: {} does not print\n{shown}\nin\n{text}", command.line);
    }
}

fn copy(it: &Workspace, from: &Path, to: &str) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let to = if to.is_empty() { name } else { format!("{to}/{name}") };
        if entry.path().is_dir() {
            copy(it, &entry.path(), &to);
        } else {
            it.write(&to, fs::read(entry.path()).unwrap());
        }
    }
}

/// A committed copy of what a block is about, with a release, and a branch with a change.
fn workspace(commands: &[Command]) -> Workspace {
    let it = Workspace::repository();
    if commands.iter().any(|it| it.line.contains("examples/")) {
        copy(&it, Path::new("examples"), "examples");
    } else {
        copy(&it, Path::new("examples/monorepo"), "");
    }
    it.commit("Everything");
    it.git(&["tag", "v1.2.0"]);
    it.git(&["checkout", "-q", "-b", "change"]);
    it
}

/// Runs commands one after another in one shell.
fn run(it: &Workspace, commands: &str) -> Answer {
    let mut shell = isolated("bash", &it.path(""));
    let mut path = vec![Path::new(binary()).parent().unwrap().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    shell.env("PATH", env::join_paths(path).unwrap());
    Answer::new(shell.args(["-c", commands]).output().unwrap())
}

/// The command without the comment after it.
fn bare(command: &str) -> &str {
    command.split("  # ").next().unwrap().split(" # ").next().unwrap().trim()
}

#[test]
fn every_command_of_the_pages_runs_as_it_is_written() {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for directory in ["docs", "docs/contributing"] {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it == "md") {
                pages.push(path.to_str().unwrap().to_owned());
            }
        }
    }
    pages.sort();
    let used: RefCell<BTreeSet<&str>> = RefCell::default();
    let find = |list: &'static [(&str, &str)], is_it: &dyn Fn(&str) -> bool| {
        let found = list.iter().find(|(it, _)| is_it(it));
        found.inspect(|it| _ = used.borrow_mut().insert(it.0))
    };
    let mut count = 0;
    for page in &pages {
        for commands in blocks(&fs::read_to_string(page).unwrap()) {
            let it = workspace(&commands);
            for command in &commands {
                let line = built(&command.line);
                if find(NOT_RUN, &|it| line.starts_with(it)).is_some() {
                    continue;
                }
                let before = find(BEFORE, &|it| bare(&line) == it);
                let before = before.map(|it| format!("{} && ", it.1)).unwrap_or_default();
                let answer = run(&it, &format!("{before}{line}"));
                let code = expected_code(&line);
                assert_eq!(answer.code, code, "{page}: {line}\n{}", answer.text());
                assert_shows(page, command, &answer.text());
                count += 1;
            }
        }
    }
    assert!(count > 20, "only {count} commands were found");
    for (it, reason) in NOT_RUN.iter().chain(BEFORE) {
        assert!(used.borrow().contains(it), "no page has {it:?} any more ({reason})");
    }
}
