//! Modules that moved are paired as git pairs their files.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use testkit::{condition::values::Random, workspace::Workspace};

use super::states::OLD;

/// A module of so many outputs. Some are other ones, and the lines have many lengths.
fn text(module: usize, count: usize, other: &dyn Fn(usize) -> bool) -> String {
    let mut out = String::new();
    for at in 0..count {
        let pad = "x".repeat((at * 37 + module) % 90);
        let word = if other(at) { "other" } else { "same" };
        out += &format!("output \"o{at}\" {{\n  value = \"{module} {at} {word} {pad}\"\n}}\n");
    }
    out
}

/// Not every file ends with a line's end, and some lines end as on Windows.
fn ended(mut text: String, random: &mut Random) -> String {
    if random.below(4) == 0 {
        text.pop();
    }
    if random.below(6) == 0 { text.replace('\n', "\r\n") } else { text }
}

/// Pairs of directories in the report.
fn told(space: &Workspace, arguments: &str) -> BTreeSet<(String, String)> {
    let answer = space.terraschema(arguments);
    let report: Json =
        serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{}", answer.text()));
    let modules = report["compat"]["modules"].as_array().unwrap().iter();
    let pair = |it: &Json| {
        Some((it["renamed_from"].as_str()?.to_owned(), it["path"].as_str().unwrap().to_owned()))
    };
    modules.filter_map(pair).collect()
}

/// The renames that git reports for the files.
fn by_git(space: &Workspace, states: &[&str]) -> BTreeSet<(String, String)> {
    let arguments = [
        &[
            "-c",
            "diff.renameLimit=1000",
            "diff",
            "--find-renames",
            "--name-status",
            "--diff-filter=R",
        ],
        states,
    ];
    let text = space.git(&arguments.concat());
    let dir = |it: &str| it.rsplit_once('/').unwrap().0.to_owned();
    let pair = |it: &str| {
        let parts: Vec<&str> = it.split('\t').collect();
        (dir(parts[1]), dir(parts[2]))
    };
    text.lines().map(pair).collect()
}

/// Modules of one file each, so that a file's way is its module's.
#[test]
fn modules_are_paired_as_git_pairs_files() {
    let mut random = Random::new(0x51ed_270b);
    for round in 0..12 {
        let space = Workspace::repository();
        let count = 3 + random.below(5);
        let sizes: Vec<usize> = (0..count).map(|_| 2 + random.below(14)).collect();
        // Some look alike.
        let kinds: Vec<usize> =
            (0..count).map(|at| if random.below(3) == 0 { 0 } else { at }).collect();
        let name = |at: usize| if at % 3 == 2 { format!("f{at}.tf") } else { "main.tf".to_owned() };
        for at in 0..count {
            let text = ended(text(kinds[at], sizes[at], &|_| false), &mut random);
            space.write(&format!("old{at}/{}", name(at)), text);
        }
        space.commit("one");
        for at in 0..count {
            space.remove(&format!("old{at}/{}", name(at)));
            let (most, shift) = (random.below(11), random.below(10));
            let changed = |line: usize| (line * 7 + shift) % 10 < most;
            let file = name(if random.below(4) == 0 { at + 1 } else { at });
            let longer = sizes[at] + random.below(4);
            let text = ended(text(kinds[at], longer, &changed), &mut random);
            space.write(&format!("new{at}/{file}"), text);
        }
        space.commit("two");
        let expected = by_git(&space, &["HEAD~1", "HEAD"]);
        let found = told(&space, "compat HEAD~1 HEAD --format json");
        assert_eq!(found, expected, "round {round}");
        // The same, where the work tree is the new state.
        space.git(&["reset", "-q", "HEAD~1"]);
        assert_eq!(told(&space, "compat HEAD --format json"), expected, "round {round}");
    }
}

/// A module went where most of its files went. A directory that stays has not moved.
#[test]
fn a_module_went_where_most_of_it_went() {
    let space = Workspace::repository();
    space.write("a/main.tf", text(1, 12, &|_| false)).write("a/variables.tf", OLD);
    space
        .write("stays/main.tf", text(2, 5, &|_| false))
        .write("stays/more.tf", text(3, 6, &|_| false));
    space.commit("one");
    space.git(&["mv", "a/main.tf", "whole.tf"]);
    std::fs::create_dir_all(space.path("b")).unwrap();
    std::fs::create_dir_all(space.path("c")).unwrap();
    space.git(&["mv", "whole.tf", "b/main.tf"]);
    space.git(&["mv", "a/variables.tf", "c/variables.tf"]);
    space.git(&["mv", "stays/more.tf", "c/more.tf"]);
    let pairs = told(&space, "compat HEAD --format json");
    assert_eq!(pairs, [("a".to_owned(), "b".to_owned())].into());
    // Also where the new place alone is asked for.
    assert_eq!(told(&space, "compat HEAD --format json -- b"), pairs);
    let answer = space.terraschema("compat HEAD --format json -- c");
    assert!(answer.stdout.contains("module-added"), "{}", answer.stdout);
}
