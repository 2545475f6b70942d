//! The texts that inputs are made of: the project's own test data, and what fuzzing has found.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::mutate::MAX_SIZE;

/// Former findings: every file in the folder of a target is an input that it must bear.
pub const FINDINGS: &str = "tests/data/fuzz";

/// The findings of a target, with their paths.
pub fn findings(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let files = files_below(&Path::new(FINDINGS).join(target));
    files.into_iter().map(|it| (it.clone(), fs::read(it).unwrap())).collect()
}

/// The texts to begin with.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let texts = match target {
        "hcl" => [files(&[".tf"]), members("tests/data/syntax/native.jsonl", "input")].concat(),
        "hcl_json" => {
            [files(&[".json"]), members("tests/data/syntax/json.jsonl", "input")].concat()
        }
        "module" => files(&[".tf"]),
        "module_json" => {
            [files(&[".tf.json"]), members("tests/data/syntax/json.jsonl", "input")].concat()
        }
        "values" => [files(&[".tfvars"]), pieces(&[".tfvars"], b'\n')].concat(),
        "values_json" => files(&[".tfvars.json"]),
        "values_text" => [
            pieces(&[".tfvars"], b'='),
            ["name=web", "size=3", "tags={a=\"b\"}", "zones=[\"a\"]"].map(Vec::from).to_vec(),
        ]
        .concat(),
        "committed_schema" => files(&["schema.json"]),
        "configuration" => [files(&[".hcl"]), blocks("docs/configuration.md")].concat(),
        "condition" => expressions().into_iter().map(|it| [b"s", &it[..]].concat()).collect(),
        "evaluation" | "type_constraint" => expressions(),
        "functions" => functions(),
        "git_paths" => {
            let listed = files_below(Path::new("examples")).into_iter();
            listed.map(|it| it.to_string_lossy().into_owned().into_bytes()).collect()
        }
        "regex" => members("tests/data/re2/cases.jsonl", "pattern"),
        "report" => vec![fs::read("tests/spec/report/json.txt").unwrap()],
        "suppressions" => {
            let rules = diagnostics::LINTS.iter();
            rules.map(|it| format!("{} for a reason\nall\n", it.id).into_bytes()).collect()
        }
        // Choices, not texts.
        "trees" => {
            (0..64_u8).map(|n| (0..=255_u8).map(|it| it.wrapping_mul(n | 1)).collect()).collect()
        }
        "whole" => whole(),
        "versions" => {
            ["1.11.4", "~> 1.2", ">= 0.13, < 2.0.0, != 1.0.0-beta1"].map(Vec::from).to_vec()
        }
        _ => panic!("no corpus for {target}"),
    };
    let known = findings(target).into_iter().map(|(_, it)| it);
    let all: Vec<_> = texts.into_iter().chain(known).filter(|it| it.len() <= MAX_SIZE).collect();
    assert!(!all.is_empty(), "the corpus of {target} is empty");
    all
}

fn files(endings: &[&str]) -> Vec<Vec<u8>> {
    let all = ["tests/data", "tests/spec", "examples"].map(|it| files_below(Path::new(it)));
    let named = |it: &PathBuf| endings.iter().any(|end| it.to_string_lossy().ends_with(end));
    all.concat().into_iter().filter(named).map(|it| fs::read(it).unwrap()).collect()
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A string member of every line of a file.
fn members(file: &str, name: &str) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(file).unwrap();
    let objects = text.lines().map(|it| serde_json::from_str::<serde_json::Value>(it).unwrap());
    objects.filter_map(|it| Some(it[name].as_str()?.as_bytes().to_vec())).collect()
}

/// The parts between separators.
fn pieces(endings: &[&str], separator: u8) -> Vec<Vec<u8>> {
    let split = |it: Vec<u8>| it.split(|it| *it == separator).map(<[u8]>::to_vec).collect();
    files(endings).into_iter().flat_map::<Vec<_>, _>(split).filter(|it| !it.is_empty()).collect()
}

/// The code blocks of a page.
fn blocks(page: &str) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(page).unwrap();
    text.split("```").skip(1).step_by(2).map(|it| it[it.find('\n').unwrap()..].into()).collect()
}

/// What is asked in the transcripts, and what the modules of the test data are made of.
fn expressions() -> Vec<Vec<u8>> {
    let transcripts = files(&[".md"]);
    let asked = transcripts.iter().flat_map(|it| it.split(|it| *it == b'\n'));
    let asked = asked.filter_map(|it| it.strip_prefix(b"> ")).map(<[u8]>::to_vec);
    let modules = files(&[".tf"]);
    let lines = modules.iter().flat_map(|it| it.split(|it| *it == b'\n'));
    let values = lines.filter_map(|it| it.splitn(2, |it| *it == b'=').nth(1)).map(<[u8]>::to_vec);
    asked.chain(values).collect()
}

/// The modules of the test data, each with its first values and its schema, if it has one.
fn whole() -> Vec<Vec<u8>> {
    let dirs = ["tests/data", "examples"].map(|it| files_below(Path::new(it))).concat();
    let modules = dirs.iter().filter(|it| it.extension().is_some_and(|it| it == "tf"));
    let with_files = modules.map(|module| {
        let beside = files_below(module.parent().unwrap());
        let text = |ending: &str| {
            let found = beside.iter().find(|it| it.to_string_lossy().ends_with(ending));
            found.map_or_else(Vec::new, |it| fs::read(it).unwrap())
        };
        [fs::read(module).unwrap(), text(".tfvars"), text("schema.json")].join(&b"==="[..])
    });
    with_files.collect()
}

/// Every function with the strings of its transcript.
fn functions() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for (n, function) in tf_eval::functions::all().iter().enumerate() {
        let number = u8::try_from(n).unwrap();
        let page = fs::read_to_string(format!("tests/spec/functions/{}.md", function.name));
        for line in page.unwrap_or_default().lines().filter(|it| it.starts_with("> ")) {
            let texts: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
            let texts = texts.join("|").replace("\\n", "\n").replace("\\\\", "\\");
            found.push([&[number], texts.as_bytes()].concat());
        }
    }
    found
}
