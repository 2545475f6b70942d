//! `check --write-baseline` and `baseline`: known findings are silent, new ones are loud, and those
//! that have gone are reported. None of this depends on the place of a run, or on the part that it
//! covers.

use report::Format;
use serde_json::Value;
use testkit::workspace::Workspace;

const CONFIGURATION: &str = "baseline = \"known.jsonl\"\n";
const BAD: &str = "variable \"size\" {\n  type     = number\n  nullable = false\n  default  = 5\n  validation {\n    condition     = var.size > 9\n    error_message = \"More.\"\n  }\n}\n";
const GOOD: &str = "variable \"size\" {\n  type     = number\n  nullable = false\n  default  = 50\n  validation {\n    condition     = var.size > 9\n    error_message = \"More.\"\n  }\n}\n";

/// Two modules without schemas; the value of one is wrong, and of one a default.
fn repository() -> Workspace {
    let it = Workspace::repository();
    it.write("a/main.tf", "variable \"name\" {\n  type = number\n}\n")
        .write("a/prod.tfvars", "name = \"x\"\n")
        .write("b/main.tf", BAD)
        .write(".terraschema.hcl", CONFIGURATION);
    it
}

fn known() -> Workspace {
    let it = repository();
    let answer = it.terraschema("check --write-baseline known.jsonl");
    assert_eq!(answer.code, 0, "{}", answer.text());
    it.commit("Everything");
    it
}

fn entries(it: &Workspace) -> Vec<String> {
    let text = it.read("known.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "{\"terraschema_baseline\":1}");
    let entry = |line: &&str| {
        let it: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| it[key].as_str().unwrap_or("-").to_owned();
        assert_eq!(text("message").len(), 16, "{line}");
        format!("{} {} {} {}", text("module"), text("rule"), text("variable"), it["count"])
    };
    lines[1..].iter().map(entry).collect()
}

#[test]
fn what_is_known_is_silent_and_what_is_new_is_loud() {
    let it = known();
    let expected = [
        "a missing-schema - 1",
        "a type-mismatch name 1",
        "b default-fails-validation size 1",
        "b missing-schema - 1",
    ];
    assert_eq!(entries(&it), expected);
    let answer = it.terraschema("check");
    assert_eq!(
        answer.stdout,
        "0 errors, 0 warnings in 2 modules and 1 values file, judged as Terraform 1.15.9; 4 more in \
         the baseline\n"
    );
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    // Places do not matter.
    it.write("b/main.tf", format!("# moved\n\n\n{BAD}"));
    assert_eq!(it.terraschema("check").code, 0);
    // A second finding with a known key is one too many.
    it.write("a/test.tfvars", "name = \"x\"\n");
    let answer = it.terraschema("check --format concise");
    assert_eq!(answer.code, 1);
    assert_eq!(answer.stdout.lines().count(), 1, "{}", answer.stdout);
    assert!(answer.stdout.starts_with("a/test.tfvars:1:8: error[type-mismatch]"));
    it.write("c/main.tf", "variable \"x\" {}\n");
    let answer = it.terraschema("check --format concise");
    assert!(answer.stdout.contains("error[missing-schema]"), "{}", answer.stdout);
    assert_eq!(answer.stdout.lines().count(), 2, "{}", answer.stdout);
}

#[test]
fn what_has_gone_is_told_and_taken_out() {
    let it = known();
    it.write("b/main.tf", GOOD);
    let answer = it.terraschema("check --format concise");
    let gone =
        "known.jsonl:1:1: warning[unused-suppression] 1 finding in the baseline no longer occurs\n";
    assert_eq!(answer.stdout, gone);
    assert_eq!(answer.code, 0);
    assert_eq!(it.terraschema("check --fail-on warning").code, 1);
    let human = it.terraschema("check").stdout;
    let help = "help: run `terraschema check --write-baseline known.jsonl` to remove them";
    assert!(human.contains(help), "{human}");
    // Levels are configured as for every rule.
    let off = "rule \"unused-suppression\" {\n  level = \"off\"\n}\n";
    it.write(".terraschema.hcl", format!("{CONFIGURATION}{off}"));
    assert_eq!(it.terraschema("check --format concise").stdout, "");
    it.write(".terraschema.hcl", CONFIGURATION);
    assert_eq!(it.terraschema("check --write-baseline known.jsonl").code, 0);
    assert_eq!(entries(&it).len(), 3);
    assert_eq!(it.terraschema("check --format concise").stdout, "");
}

#[test]
fn a_run_over_a_part_neither_tells_nor_drops_what_it_did_not_check() {
    let it = known();
    let before = it.read("known.jsonl");
    it.write("b/main.tf", GOOD);
    for arguments in
        ["check a", "check b", "check --changed", "check --shard 1/2", "check --hook b/main.tf"]
    {
        let answer = it.terraschema(&format!("{arguments} --format concise"));
        assert_eq!((answer.code, answer.stdout.as_str()), (0, ""), "{arguments}");
    }
    let answer = it.terraschema_in("b", "check --format concise");
    assert_eq!((answer.code, answer.stdout.as_str()), (0, ""));
    for arguments in ["a", "b", "--changed"] {
        let answer = it.terraschema(&format!("check {arguments} --write-baseline known.jsonl"));
        assert_eq!(answer.code, 0, "{}", answer.text());
        assert_eq!(it.read("known.jsonl"), before, "{arguments}");
    }
    it.write("a/test.tfvars", "name = \"x\"\n");
    it.terraschema("check a --write-baseline known.jsonl");
    assert!(entries(&it).contains(&"a type-mismatch name 2".to_owned()));
    assert_eq!(entries(&it).len(), 4);
    it.git(&["add", "-A"]);
    assert_eq!(it.terraschema("check --staged --format concise").stdout, "");
}

#[test]
fn a_change_of_the_baseline_is_a_change_of_what_it_governs() {
    let it = known();
    let text = it.read("known.jsonl");
    let fewer: Vec<&str> = text.lines().filter(|it| !it.contains("\"b\"")).collect();
    it.write("known.jsonl", fewer.join("\n"));
    let answer = it.terraschema("check --changed=HEAD --format concise");
    assert_eq!(answer.code, 1);
    assert_eq!(answer.stdout.lines().count(), 2, "{}", answer.stdout);
}

/// The file is the same from wherever it is written, and whatever a secret is.
#[test]
fn it_holds_neither_places_nor_values() {
    let it = known();
    let before = it.read("known.jsonl");
    for (dir, file) in [("a", "../known.jsonl"), ("b", "../known.jsonl")] {
        it.terraschema_in(dir, &format!("check .. --write-baseline {file}"));
        assert_eq!(it.read("known.jsonl"), before, "{dir}");
    }
    let written = |secret: &str| {
        let it = Workspace::repository();
        let module = "variable \"pin\" {\n  type = object({ a = number })\n  sensitive = true\n  validation {\n    condition = length(var.pin) < 3\n    error_message = \"Too long: ${jsonencode(var.pin)}\"\n  }\n}\nvariable \"key\" {\n  type = string\n  sensitive = true\n  validation {\n    condition = length(var.key) < 3\n    error_message = \"Too long: ${var.key}\"\n  }\n}\n";
        it.write("main.tf", module);
        let values = format!("pin = \"{secret}\"\nkey = \"{secret}\"\nother = \"{secret}\"\n");
        it.write("terraform.tfvars", values)
            .write("b.tfvars", format!("key = {{ {secret} = 1 }}\n"));
        let answer = it.terraschema("check -v --write-baseline known.jsonl --format json");
        assert!(answer.text().contains("\"baselined\""), "{}", answer.text());
        it.read("known.jsonl")
    };
    let file = written("swordfish");
    assert_eq!(file, written("bluewhale"));
    assert!(file.lines().count() > 4, "{file}");
    assert!(!file.contains("sword"), "{file}");
}

#[test]
fn two_branches_merge() {
    let it = known();
    it.git(&["checkout", "-q", "-b", "one"]);
    it.write("aa/main.tf", BAD);
    it.terraschema("check --write-baseline known.jsonl");
    it.commit("One");
    it.git(&["checkout", "-q", "main"]);
    it.write("z/main.tf", BAD);
    it.terraschema("check --write-baseline known.jsonl");
    it.commit("Two");
    it.git(&["merge", "-q", "one", "-m", "Both"]);
    let answer = it.terraschema("check --format concise");
    assert_eq!((answer.code, answer.stdout.as_str()), (0, ""));
    let before = it.read("known.jsonl");
    it.terraschema("check --write-baseline known.jsonl");
    assert_eq!(it.read("known.jsonl"), before);
    // What `merge=union` leaves counts as well.
    it.write("known.jsonl", format!("{before}{}\n", before.lines().last().unwrap()));
    assert_eq!(it.terraschema("check --format concise").stdout, "");
}

#[test]
fn a_baseline_that_is_none_is_an_error_with_its_place() {
    let it = known();
    let header = "{\"terraschema_baseline\":1}\n";
    let cases = [
        (String::new(), "known.jsonl:1:1", "The baseline is empty"),
        (
            "variable \"x\" {}\n".to_owned(),
            "known.jsonl:1:1",
            "the first line of every baseline is",
        ),
        (
            "{\"terraschema_baseline\":2}\n".to_owned(),
            "known.jsonl:1:1",
            "the first line of every baseline is",
        ),
        (
            format!("{header}<<<<<<< HEAD\n"),
            "known.jsonl:2:1",
            "the line is a conflict marker of a merge",
        ),
        (format!("{header}{{\n"), "known.jsonl:2:1", "the line is not JSON"),
        (format!("{header}{{}}\n"), "known.jsonl:2:1", "missing field `count`"),
        (
            format!("{header}\n{{\"module\":\"a\",\"rule\":\"x\",\"message\":\"\",\"count\":0}}\n"),
            "known.jsonl:3:1",
            "\"count\" is zero",
        ),
    ];
    let written = it.read("known.jsonl");
    for (text, place, why) in cases {
        it.write("known.jsonl", &text);
        let refused = |arguments: &str| {
            let answer = it.terraschema(&format!("{arguments} --format concise"));
            assert_eq!(answer.code, 2, "{}", answer.text());
            let line = format!("{place}: error[invalid-configuration] ");
            assert!(answer.stdout.starts_with(&line), "{}", answer.stdout);
            assert!(answer.stdout.contains(why), "{}", answer.stdout);
            assert_eq!(it.read("known.jsonl"), text);
        };
        refused("check");
        let anew = "check --write-baseline known.jsonl";
        let is_offered = it.terraschema("check").text().contains(&format!("`terraschema {anew}`"));
        assert_eq!(is_offered, !why.starts_with("the first line of every baseline"), "{text}");
        if is_offered {
            assert_eq!(it.terraschema(anew).code, 0, "{text}");
            assert_eq!(it.read("known.jsonl"), written, "{text}");
        } else {
            refused(anew);
        }
    }
    it.remove("known.jsonl");
    let answer = it.terraschema("check --format concise");
    let expected = ".terraschema.hcl:1:12: error[invalid-configuration] Unsuitable value for \"baseline\": the file \"known.jsonl\" does not exist.\n";
    assert_eq!((answer.code, answer.stdout.as_str()), (2, expected));
    // Other files are not overwritten.
    let answer = it.terraschema("check --write-baseline b/main.tf --format concise");
    assert_eq!(answer.code, 2);
    assert_eq!(it.read("b/main.tf"), BAD);
    for outside in ["../known.jsonl", "/known.jsonl"] {
        it.write(".terraschema.hcl", format!("baseline = \"{outside}\"\n"));
        assert_eq!(it.terraschema("check").code, 2);
    }
}

/// What could not be read has not been seen by anybody.
#[test]
fn what_cannot_be_read_is_never_known() {
    let it = repository();
    it.write("c/main.tf", "variable \"x\" {\n");
    let answer = it.terraschema("check --write-baseline known.jsonl --format concise");
    assert_eq!(answer.code, 2);
    assert!(answer.stdout.contains("error[invalid-syntax]"), "{}", answer.stdout);
    assert_eq!(answer.stdout.lines().count(), 1, "{}", answer.stdout);
    assert!(!it.read("known.jsonl").contains("invalid-syntax"));
}

#[test]
fn shards_say_what_one_run_says() {
    let it = known();
    it.write("a/test.tfvars", "name = \"x\"\n");
    it.write("b/main.tf", GOOD);
    // Both call the broken module, and each reports it at its own place.
    for caller in ["c", "d", "e", "f"] {
        it.write(
            &format!("{caller}/main.tf"),
            "module \"m\" {\n  source = \"../g\"\n  n      = []\n}\n",
        );
    }
    it.write(
        "g/main.tf",
        "variable \"n\" {\n  type = string\n}\noutput \"o\" {\n  value = var.m\n}\n",
    );
    it.write("h/main.tf", BAD);
    it.write(
        "h/schema.json",
        "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"properties\": {}}\n",
    );
    it.terraschema("check h c g --write-baseline known.jsonl");
    for fixed in [false, true] {
        if fixed {
            it.write("h/main.tf", "variable \"other\" {}\n");
        }
        for count in 1..=4 {
            for quiet in ["", "--quiet", "--verbose"] {
                let reports: Vec<String> =
                    (1..=count).map(|it| format!("report-{it}.json")).collect();
                for (index, report) in (1..).zip(&reports) {
                    it.terraschema(&format!(
                        "check --shard {index}/{count} {quiet} --output json={report}"
                    ));
                }
                for (format, _) in Format::ALL {
                    let one = it.terraschema(&format!("check {quiet} --format {format}"));
                    let merge = format!("merge {quiet} --format {format} {}", reports.join(" "));
                    let merged = it.terraschema(&merge);
                    assert_eq!(merged.stdout, one.stdout, "{count} {format} {quiet}");
                    assert_eq!((merged.code, merged.stderr), (one.code, one.stderr));
                }
            }
        }
    }
}

#[test]
fn formats_with_a_summary_count_what_is_known() {
    let it = known();
    let said = |format: &str| it.terraschema(&format!("check --format {format}")).stdout;
    let json: Value = serde_json::from_str(&said("json")).unwrap();
    assert_eq!(json["summary"]["baselined"], 4);
    assert_eq!(json["findings"], Value::Array(Vec::new()));
    let sarif: Value = serde_json::from_str(&said("sarif")).unwrap();
    let counts = &sarif["runs"][0]["properties"];
    assert_eq!(
        (&counts["baselined"], &counts["modules"], &counts["valuesFiles"]),
        (&4.into(), &2.into(), &1.into())
    );
    assert!(
        said("markdown").starts_with(
            "## terraschema: 0 errors, 0 warnings in 2 modules and 1 values file, judged as Terraform 1.15.9; 4 \
             more in the baseline"
        )
    );
    assert!(said("github-output").contains("\nbaselined=4\n"));
    for format in ["concise", "github"] {
        assert_eq!(said(format), "", "{format}");
    }
    assert_eq!(said("gitlab"), "[]\n");
    assert!(said("junit").contains("failures=\"0\""));
}

#[test]
fn the_difference_of_a_known_drift_is_not_shown() {
    let it = repository();
    it.remove(".terraschema.hcl").write("b/main.tf", GOOD);
    it.terraschema("check --fix b");
    it.write("b/main.tf", BAD).write(".terraschema.hcl", "baseline = \"known.jsonl\"\n");
    it.write("known.jsonl", "{\"terraschema_baseline\":1}\n");
    assert!(it.terraschema("check").stdout.contains("+++"));
    it.terraschema("check --write-baseline known.jsonl");
    let answer = it.terraschema("check").stdout;
    assert!(!answer.contains("+++"), "{answer}");
}

#[test]
fn a_new_baseline_says_how_it_counts() {
    let it = repository();
    it.remove(".terraschema.hcl");
    let answer = it.terraschema("check --write-baseline known.jsonl");
    assert_eq!(answer.code, 0);
    let told = "known.jsonl now lists all 4 findings; to use it, write `baseline = \"known.jsonl\"` in .terraschema.hcl";
    assert!(answer.stderr.contains(told), "{}", answer.stderr);
    assert_eq!(it.terraschema("check").code, 1);
    for wrong in ["--staged", "--hook", "--shard 1/2"] {
        assert_eq!(it.terraschema(&format!("check {wrong} --write-baseline x")).code, 2);
    }
}

/// The nearest file's counts.
/// From another directory the same paths are other words: `common.tfvars`, `../lib/net`, `net`.
#[test]
fn paths_in_messages_are_the_same_from_every_directory() {
    let it = Workspace::repository();
    let module = "variable \"name\" {}\nmodule \"net\" {\n  source = \"../lib/net\"\n}\n";
    let inputs = "input \"prod\" {\n  module = \"app\"\n  files = [\"envs/common.tfvars\", \"envs/prod.tfvars\", \"envs/none.tfvars\"]\n}\n";
    it.write("app/main.tf", module)
        .write("lib/other/main.tf", "locals {}\n")
        .write("envs/common.tfvars", "\n")
        .write("envs/prod.tfvars", "\n")
        .write("none/main.tf", "variable \"name\" {\n  type = string\n}\n")
        .write(".terraschema.hcl", format!("{CONFIGURATION}{inputs}"));
    it.terraschema("check --write-baseline known.jsonl");
    let before = it.read("known.jsonl");
    assert!(before.lines().count() > 4, "{before}");
    for dir in ["app", "envs", "lib", "lib/other", "none"] {
        let up = if dir.contains('/') { "../.." } else { ".." };
        it.remove("known.jsonl");
        let answer =
            it.terraschema_in(dir, &format!("check {up} --write-baseline {up}/known.jsonl"));
        assert_eq!(it.read("known.jsonl"), before, "{dir}: {}", answer.text());
    }
}

/// Only a path of a directory that is there is one: the rest of such a word counts.
#[test]
fn a_word_with_a_slash_is_not_always_a_path() {
    let it = known();
    it.write("b/main.tf", BAD.replace("More.", "More than team/b.")).commit("Name a team");
    assert_eq!(it.terraschema("check --write-baseline known.jsonl").code, 0);
    assert_eq!(it.terraschema("check").code, 0);
    it.write("b/main.tf", BAD.replace("More.", "More than other/b."));
    let answer = it.terraschema("check");
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert!(answer.stdout.contains("default-fails-validation"), "{}", answer.text());
}

#[test]
fn a_nearer_file_may_name_one_of_its_own() {
    let it = known();
    it.write("b/.terraschema.hcl", "baseline = \"mine.jsonl\"\n");
    it.write("b/mine.jsonl", "{\"terraschema_baseline\":1}\n");
    let answer = it.terraschema("check --format concise");
    assert_eq!(answer.code, 1);
    let loud = answer.stdout.lines().filter(|it| it.contains("error[")).count();
    assert_eq!(loud, 2, "{}", answer.stdout);
    it.terraschema("check --write-baseline b/mine.jsonl");
    assert_eq!(it.read("b/mine.jsonl").lines().count(), 3);
    it.terraschema("check --write-baseline known.jsonl");
    assert_eq!(entries(&it).len(), 2);
    assert_eq!(it.terraschema("check --format concise").stdout, "");
}

#[test]
fn reports_with_a_baseline_follow_the_published_schema() {
    let it = known();
    let schema = std::fs::read_to_string("docs/report.schema.json").unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    for arguments in ["", "--shard 1/1"] {
        let report = it.terraschema(&format!("check --format json {arguments}")).stdout;
        assert!(report.contains("\"baselined\": 4"), "{report}");
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["shard"].is_null(), arguments.is_empty());
        let found: Vec<String> = validator.iter_errors(&report).map(|it| it.to_string()).collect();
        assert_eq!(found, Vec::<String>::new());
    }
}

/// What a repository knows is not a promise of Terraform's.
#[test]
fn a_verdict_knows_no_baseline() {
    let it = known();
    assert_eq!(it.terraschema("check").code, 0);
    let answer = it.terraschema("validate --input a -var-file=a/prod.tfvars");
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert!(answer.text().contains("rejected"), "{}", answer.text());
}

#[test]
fn another_set_of_missing_variables_is_new_as_far_as_its_variables_are() {
    let it = Workspace::repository();
    let declared = |names: &[&str]| {
        names.iter().fold(String::new(), |all, it| all + &format!("variable \"{it}\" {{}}\n"))
    };
    it.write("a/main.tf", declared(&["one", "two", "three"]))
        .write("a/terraform.tfvars", "\n")
        .write(".terraschema.hcl", CONFIGURATION);
    let answer = it.terraschema("check --fix --write-baseline known.jsonl");
    assert_eq!(answer.code, 0, "{}", answer.text());
    let listed = ["one", "three", "two"].map(|it| format!("a missing-variable {it} 1"));
    assert_eq!(entries(&it), listed);

    it.write("a/terraform.tfvars", "two = 1\n");
    let answer = it.terraschema("check --format concise");
    let expected = "known.jsonl:1:1: warning[unused-suppression] 1 finding in the baseline no longer occurs\n\
                    a/terraform.tfvars:1:1: note[not-judged] var.one and var.three, because of a/terraform.tfvars:1\n";
    assert_eq!(answer.stdout, expected);

    it.write("a/terraform.tfvars", "\n");
    it.write("a/main.tf", declared(&["one", "two", "three", "four"]));
    it.terraschema("check --fix");
    let answer = it.terraschema("check --format concise");
    let new = "a/terraform.tfvars:1:1: warning[missing-variable] No value for the required variable \"four\": It has no \
               default, and no value in the automatic values files.\n";
    assert!(answer.stdout.starts_with(new), "{answer:?}");
}
