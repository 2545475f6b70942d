//! The pages about CI do what they say, and several machines say what one would.
#![cfg(unix)]

use report::Format;
use serde_json::Value;
use testkit::{
    workspace::{Answer, Workspace, binary, isolated},
    yaml::ci_blocks,
};

/// Modules with findings of every level, with places that need several formats' care: secrets, long
/// values, letters that are not one code point, one values file of several modules.
fn repository() -> Workspace {
    let it = Workspace::repository();
    it.git(&["remote", "add", "origin", "."]);
    let rule = "  validation {\n    condition     = length(var.x) > 2\n    error_message = \"Short.\"\n  }\n";
    for n in 0..9 {
        let secret = if n % 3 == 0 { "  sensitive = true\n" } else { "" };
        let module = format!("variable \"x\" {{\n  type = string\n{secret}{rule}}}\n");
        it.write(&format!("modules/m{n}/main.tf"), module);
        let value = ["\"e\u{301}👩‍👩‍👧\"", "<<EOT\n1\n2\n3\n4\n5\n6\n7\n8\nEOT", "[true]"][n % 3];
        let values = format!("x = {value}\n/* é */ unknown{n} = {{ a = 1 }}\n");
        it.write(&format!("modules/m{n}/env |`*/prod.tfvars"), values);
        if n % 2 == 0 {
            it.terraschema(&format!("check --fix modules/m{n}"));
        }
    }
    it.write("modules/m2/main.tf", "variable \"x\" {\n  type = list(string)\n}\n");
    it.write("modules/m4/main.tf", "variable \"x\" {\n");
    it.write("shared.tfvars", "x = \"a\"\n");
    let input = |n: usize| {
        format!(
            "input \"all\" {{\n  module = \"modules/m{n}\"\n  files = [\"shared.tfvars\"]\n}}\n"
        )
    };
    // Of use to one module, to none, and to a values file in another directory.
    let ignore = |name: &str| {
        format!(
            "ignore \"undeclared-variable\" {{\n  reason = \"old\"\n  variable = \"{name}\"\n}}\n"
        )
    };
    let ignores = ["unknown1", "nowhere"].map(ignore).concat();
    it.write(".terraschema.hcl", [5, 6, 7].map(input).concat() + &ignores);
    for (n, rule) in [(1, "type-mismatch"), (3, "stale-schema")] {
        let path = format!("modules/m{n}/main.tf");
        let module = it.read(&path);
        it.write(&path, format!("# terraschema:ignore {rule} known\n{module}"));
        it.write(&format!("modules/m{n}/sub/main.tf"), "locals {}\n");
        it.write(&format!("modules/m{n}/sub/a.tfvars"), "x = []\n");
    }
    it.commit("Everything");
    it
}

#[test]
fn shards_say_what_one_run_says_in_every_format() {
    let it = repository();
    compare_shards(&it, &["", "--verbose", "--quiet"], &[1, 2, 3, 7, 20]);
    // Now everything can be looked at, so unused suppressions are reported.
    it.write("modules/m4/main.tf", "variable \"x\" {}\n");
    let told = it.terraschema("check --format concise").stdout;
    assert_eq!(told.matches("[unused-suppression]").count(), 2, "{told}");
    compare_shards(&it, &["", "--quiet"], &[1, 4, 5]);
    it.write("modules/m5/schema.json/x", "").write("modules/m7/schema.json/x", "");
    compare_shards(&it, &[""], &[3]);
}

#[test]
fn a_shard_without_a_report_is_an_error() {
    let it = repository();
    for shard in [1, 3] {
        it.terraschema(&format!("check --shard {shard}/3 --output json=report-{shard}.json"));
    }
    let answer = it.terraschema("merge report-1.json report-3.json --format json");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("the report of shard 2/3 is missing"), "{}", answer.stderr);
    let report: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(report["failures"].as_array().map(Vec::len), Some(1));
}

#[test]
fn reports_of_several_commands_are_not_joined() {
    let it = Workspace::new();
    it.write("m/main.tf", "variable \"x\" {\n  type = number\n}\n");
    it.terraschema("check m --output json=check.json");
    for (value, name) in [("1", "accept"), ("a", "reject")] {
        let code =
            it.terraschema(&format!("validate -i m -var x={value} --output json={name}.json")).code;
        assert_eq!(code, i32::from(name == "reject"));
    }
    let answer = it.terraschema("merge check.json accept.json");
    assert_eq!(answer.code, 2);
    let why = "a report of `check` and one of `validate` cannot be joined";
    assert!(answer.stderr.contains(why), "{}", answer.stderr);
    let answer = it.terraschema("merge accept.json reject.json");
    assert_eq!(answer.code, 1);
    assert!(answer.stdout.contains("rejected: Terraform would reject"), "{}", answer.stdout);
}

fn compare_shards(it: &Workspace, verbosities: &[&str], counts: &[usize]) {
    for verbosity in verbosities {
        for count in counts.iter().copied() {
            let mut reports = Vec::new();
            for index in 1..=count {
                let report = format!("report-{index}.json");
                let written = format!(
                    "check --shard {index}/{count} {verbosity} --exit-zero --output json={report}"
                );
                assert!([0, 2].contains(&it.terraschema(&written).code));
                reports.insert(index / 2, report);
            }
            let reports = reports.join(" ");
            for (format, _) in Format::ALL {
                let one =
                    it.terraschema(&format!("check {verbosity} --color always --format {format}"));
                let merged = it.terraschema(&format!(
                    "merge {verbosity} --color always --format {format} {reports}"
                ));
                assert_eq!(merged.stdout, one.stdout, "{count} shards, {format} {verbosity}");
                assert_eq!(merged.code, one.code);
                assert_eq!(merged.stderr, one.stderr);
            }
        }
    }
    assert_eq!(it.terraschema("merge report-1.json report-21.json").code, 2, "one is missing");
}

/// The commands of a job, of either system.
fn commands(job: &Value) -> Vec<String> {
    let steps = job["steps"].as_array().into_iter().flatten().filter_map(|it| it["run"].as_str());
    let script = job["script"].as_array().into_iter().flatten().filter_map(Value::as_str);
    steps.chain(script).map(str::to_owned).collect()
}

/// Runs the commands as the shard of a number; `pip install` is what makes the command be there.
fn run(it: &Workspace, commands: &[String], shard: &str) -> Answer {
    let script = commands.join("\n").replace("${{ matrix.shard }}", shard);
    assert!(script.contains("pip install terraschema=="), "{script}");
    let script = script.replace("pip install", "true");
    let mut command = isolated("sh", &it.path(""));
    let bin = std::path::Path::new(binary()).parent().unwrap().display();
    command.env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()));
    command.env("GITHUB_STEP_SUMMARY", it.path("summary.md"));
    command.env("CI_NODE_INDEX", shard).env("CI_NODE_TOTAL", "4").env("CI_DEFAULT_BRANCH", "main");
    Answer::new(command.args(["-ec", &script]).output().unwrap())
}

#[test]
fn the_documented_jobs_run() {
    let it = repository();
    let formats = ["github", "markdown", "gitlab", "junit"];
    let [github, markdown, gitlab, junit] =
        formats.map(|it_is| it.terraschema(&format!("check --format {it_is}")).stdout);
    let mut matrices = 0;
    for (_, page) in ci_blocks() {
        let jobs = page.get("jobs").unwrap_or(&page);
        let Some(report) = jobs.get("report") else {
            it.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
            let answer = run(&it, &commands(&jobs["check"]), "1");
            assert_eq!(answer.code, 0, "{}", answer.text());
            assert_eq!(it.read("codequality.json"), "[]\n", "nothing changed");
            continue;
        };
        for shard in ["1", "2", "3", "4"] {
            let answer = run(&it, &commands(&jobs["check"]), shard);
            assert!([0, 2].contains(&answer.code), "{}", answer.text());
        }
        let answer = run(&it, &commands(report), "1");
        assert_eq!(answer.code, 2, "one module does not parse: {}", answer.text());
        if page.get("jobs").is_some() {
            assert_eq!(answer.stdout, github);
            assert_eq!(it.read("summary.md"), markdown);
        } else {
            assert_eq!(
                (it.read("codequality.json"), it.read("junit.xml")),
                (gitlab.clone(), junit.clone())
            );
        }
        (1..=4).for_each(|shard| _ = it.remove(&format!("report-{shard}.json")));
        matrices += 1;
    }
    assert_eq!(matrices, 2, "one of GitHub, one of GitLab");
}
