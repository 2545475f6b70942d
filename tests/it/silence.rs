//! Nothing passes in silence: what no run looks at is counted and reported, and many missing schemas are one block.

use report::{Format, Style, from_json, render};
use system::MemorySystem;
use terraschema::{Console, Exit};

fn check(system: &MemorySystem, flags: &[&str]) -> (Exit, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let arguments = ["terraschema", "check"].iter().chain(flags).map(Into::into).collect();
    let exit = terraschema::run(arguments, system, &mut Console::to(&mut stdout, &mut stderr));
    (exit, String::from_utf8(stdout).unwrap())
}

const ANY: &str = "variable \"x\" {}\n";
const OFF: &str = "rule \"missing-schema\" {\n  level = \"off\"\n}\n";

fn modules() -> MemorySystem {
    let system = MemorySystem::new().working_in("/r").file("/r/.terraschema.hcl", OFF);
    system.file("/r/m/main.tf", ANY).file("/r/m/terraform.tfvars", "x = 1\n")
}

#[test]
fn values_files_without_a_module_are_counted() {
    let system = modules().file("/r/envs/a.tfvars", "x = \n").file("/r/envs/b.tfvars", "x = 1\n");
    let (exit, text) = check(&system, &[]);
    let expected = "not judged: 2 values files belong to no module (list them with -v)\n\
                    0 errors, 0 warnings in 1 module and 1 values file, judged as Terraform 1.15.9\n";
    assert_eq!((exit, text.as_str()), (Exit::Clean, expected));
    let (_, text) = check(&system, &["-v"]);
    let expected =
        "not judged: 2 values files belong to no module:\n  envs/a.tfvars\n  envs/b.tfvars\n";
    assert!(text.contains(expected), "{text}");
    let (_, json) = check(&system, &["--format=json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["summary"]["values_files"], 1);
    assert_eq!(json["summary"]["values_files_without_module"], 2);
    assert_eq!(json["values_files"]["judged"], serde_json::json!(["m/terraform.tfvars"]));
    let (_, text) = check(&system, &["--format=markdown"]);
    assert!(text.contains("in 1 module and 1 values file, judged as Terraform 1.15.9\n"), "{text}");
    assert!(text.contains("<summary>not judged: 2 values files belong to no module</summary>"));
    let (_, text) = check(&system, &["--format=github-output"]);
    assert!(text.ends_with("modules=1\nvalues-files=1\nvalues-files-without-module=2\n"), "{text}");
    let (_, text) = check(&system, &["--format=sarif"]);
    let log: serde_json::Value = serde_json::from_str(&text).unwrap();
    let counts = serde_json::json!({"modules": 1, "valuesFiles": 1, "valuesFilesWithoutModule": 2});
    assert_eq!(log["runs"][0]["properties"], counts);
}

#[test]
fn a_values_file_without_a_module_is_an_error_where_it_is_named() {
    let system = modules().file("/r/envs/a.tfvars", "x = \n").file("/r/envs/b.tfvars", "x = 1\n");
    let (exit, text) = check(&system, &["envs/a.tfvars", "--format=concise"]);
    let expected = "envs/a.tfvars:1:1: error[orphan-input] envs/a.tfvars belongs to no module, so it \
                    was not judged: Neither its directory nor any above it declares variables.\n";
    assert_eq!((exit, text.as_str()), (Exit::Findings, expected));
    // Next to sources it is theirs, although they declare nothing.
    let beside = system.file("/r/envs/main.tf", "locals {}\n");
    let (_, text) = check(&beside, &["./envs/a.tfvars", "--format=concise"]);
    assert!(text.contains("envs/a.tfvars:1:5: error[invalid-input-syntax]"), "{text}");
    assert!(text.contains("envs/b.tfvars:1:1: warning[undeclared-variable]"), "{text}");
    assert!(!text.contains("orphan-input"), "{text}");
    let system = modules().file("/r/envs/a.tfvars", "x = \n");
    let named = "input \"a\" {\n  module = \"m\"\n  files  = [\"envs/a.tfvars\"]\n}\n";
    let system = system.file("/r/.terraschema.hcl", OFF.to_owned() + named);
    let (_, text) = check(&system, &["envs/a.tfvars", "--format=concise"]);
    assert!(text.contains("invalid-input-syntax") && !text.contains("orphan-input"), "{text}");
}

#[test]
fn parts_of_a_run_count_values_files_as_the_whole_does() {
    let system = modules().file("/r/n/main.tf", ANY).file("/r/n/b.tfvars", "x = 1\n");
    let system = system.file("/r/envs/a.tfvars", "x = 1\n");
    let (_, whole) = check(&system, &["--format=json"]);
    let part = |it: &str| from_json(&check(&system, &["--format=json", "--shard", it]).1).unwrap();
    let joined = report::Report::join([part("1/2"), part("2/2")]).unwrap();
    assert_eq!(render(&joined, Format::Json, Style::default()), whole);
    assert_eq!(joined.values_files.judged.len(), 2);
    assert_eq!(joined.values_files.without_module.len(), 1);
}

#[test]
fn patterns_that_match_nothing_are_told() {
    let of = |text: &str| {
        let system = modules().file("/r/.terraschema.hcl", OFF.to_owned() + text);
        check(&system, &["--format=concise"])
    };
    let (exit, text) = of("modules {\n  include = [\"modulez/**\"]\n}\n");
    let expected = "error[invalid-configuration] \"modulez/**\" in include matches nothing: None of its patterns \
                    matches anything, so nothing is checked.\n";
    assert!(exit == Exit::Failure && text.ends_with(expected), "{text}");
    let cases = [
        ("modules {\n  include = [\"m\", \"n\"]\n}\n", "\"n\" in include"),
        ("modules {\n  exclude = [\"**/exampels\"]\n}\n", "\"**/exampels\" in exclude"),
        (
            "rule \"orphan-schema\" {\n  level = \"note\"\n  paths = [\"m/*.tfvars\", \"old\"]\n}\n",
            "\"old\" in paths",
        ),
    ];
    for (text, what) in cases {
        let (exit, told) = of(text);
        let expected = format!("warning[unused-suppression] {what} matches nothing\n");
        assert!(told.ends_with(&expected), "{told}");
        assert_eq!((exit, told.lines().count()), (Exit::Clean, 1), "{told}");
    }
    assert_eq!(of("modules {\n  include = [\".\", \"m\"]\n}\n").1, "");
    // Who checks a part does not know.
    let config = OFF.to_owned() + "modules {\n  exclude = [\"n\"]\n}\n";
    let system = modules().file("/r/.terraschema.hcl", config);
    assert_eq!(check(&system, &["m", "--format=concise"]).1, "");
}

#[test]
fn many_missing_schemas_are_one_block() {
    let system = MemorySystem::new().working_in("/r").file("/r/a/main.tf", ANY);
    assert!(check(&system, &[]).1.contains("a/schema.json is missing"));
    let system = system.file("/r/b/main.tf", ANY).file("/r/c/main.tf", ANY);
    let (exit, text) = check(&system, &[]);
    let expected = "error[missing-schema]: 3 modules have no schema\n |\n = help: run `terraschema check --fix` \
                    to write them; list them with -v\n\n3 errors, 0 warnings in 3 modules, judged as Terraform 1.15.9\n";
    assert_eq!((exit, text.as_str()), (Exit::Findings, expected));
    let (_, text) = check(&system, &["-v"]);
    assert_eq!(text.matches("schema.json is missing").count(), 3, "{text}");
    let (_, text) = check(&system, &["--format=markdown"]);
    assert!(
        text.contains("3 modules have no schema; run `terraschema check --fix` to write them"),
        "{text}"
    );
    assert!(!text.contains("is missing"), "{text}");
    assert_eq!(check(&system, &["-v", "--format=markdown"]).1.matches("is missing").count(), 3);
    for format in ["concise", "json", "sarif", "github", "gitlab", "junit"] {
        let (_, text) = check(&system, &["--format", format]);
        let count = ["a", "b", "c"]
            .iter()
            .filter(|it| text.contains(&format!("{it}/schema.json is missing")));
        assert_eq!(count.count(), 3, "{format}: {text}");
    }
}

#[test]
fn the_hooks_leave_out_what_a_configuration_excludes() {
    let hooks = std::fs::read_to_string(".pre-commit-hooks.yaml").unwrap();
    let entries: Vec<&str> =
        hooks.lines().filter(|it| it.contains("entry: terraschema check")).collect();
    assert_eq!(entries.len(), 4);
    for entry in entries {
        assert!(entry.contains("check --hook --force-exclude"), "{entry}");
    }
    assert!(std::fs::read_to_string("hooks/action.sh").unwrap().contains("check --force-exclude "));
}

#[test]
fn sarif_says_what_its_rules_are_and_knows_findings_again() {
    let log = |text: &str| -> serde_json::Value {
        let system = modules().file("/r/m/main.tf", text);
        let (_, text) = check(&system, &["-v", "--format=sarif"]);
        serde_json::from_str(&text).unwrap()
    };
    let rule = "variable \"y\" {\n  default = 1\n  validation {\n    condition     = var.y > 3\n    \
                error_message = \"No.\"\n  }\n}\n";
    let before = log(&format!("{ANY}{rule}"));
    let run = &before["runs"][0];
    assert_eq!(run["automationDetails"]["id"], "terraschema/");
    for rule in run["tool"]["driver"]["rules"].as_array().unwrap() {
        let known = diagnostics::Lint::find(rule["id"].as_str().unwrap()).unwrap();
        assert_eq!(rule["shortDescription"]["text"], known.summary);
        assert_eq!(rule["defaultConfiguration"]["level"], known.level.as_str());
        let page = std::fs::read_to_string(format!("docs/rules/{}.md", known.id)).unwrap();
        assert_eq!(rule["help"]["markdown"], page.as_str());
        let full = rule["fullDescription"]["text"].as_str().unwrap();
        assert!(!full.is_empty() && full.chars().count() <= 1024, "{full}");
    }
    let fingerprints = |log: &serde_json::Value| -> Vec<String> {
        let results = log["runs"][0]["results"].as_array().unwrap().iter();
        let of =
            |it: &serde_json::Value| it["partialFingerprints"]["terraschemaFinding/v1"].to_string();
        results.map(of).collect()
    };
    let known = fingerprints(&before);
    assert!(!known.is_empty());
    assert_eq!(fingerprints(&log(&format!("\n\n{ANY}\n{rule}"))), known, "lines move");
    let distinct: std::collections::BTreeSet<&String> = known.iter().collect();
    assert_eq!(distinct.len(), known.len());
}

/// Dashboards and annotations know the repository, and not where the command ran.
#[test]
fn places_beside_code_start_at_the_root_of_the_repository() {
    let system = MemorySystem::new().file("/r/.git/HEAD", "").file("/r/live/m/main.tf", ANY);
    let system = system.working_in("/r/live");
    let of = |format: &str| check(&system, &["--format", format]).1;
    assert!(of("github").contains("file=live/m/main.tf,"), "{}", of("github"));
    assert!(of("gitlab").contains("\"path\": \"live/m/main.tf\""), "{}", of("gitlab"));
    assert!(of("sarif").contains("\"uri\": \"live/m/main.tf\""), "{}", of("sarif"));
    assert!(of("concise").starts_with("m/main.tf:1:1: "), "{}", of("concise"));
    // A report that is read elsewhere keeps its places.
    let elsewhere = MemorySystem::new().file("/e/report.json", of("json")).working_in("/e");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let arguments = ["terraschema", "merge", "--format=sarif", "report.json"];
    let arguments = arguments.iter().map(Into::into).collect();
    terraschema::run(arguments, &elsewhere, &mut Console::to(&mut stdout, &mut stderr));
    assert_eq!(String::from_utf8(stdout).unwrap(), of("sarif"));
}

#[test]
fn a_file_with_the_name_of_a_schema_is_no_error_where_none_is_expected() {
    const TABLE: &str = "[{\"name\": \"id\", \"type\": \"STRING\"}]\n";
    let system = modules().file("/r/m/schema.json", TABLE);
    let clean = "0 errors, 0 warnings in 1 module and 1 values file, judged as Terraform 1.15.9\n";
    assert_eq!(check(&system, &[]), (Exit::Clean, clean.to_owned()));
    // In a directory without variables it belongs to nobody here, whatever is expected elsewhere.
    let bare = MemorySystem::new().working_in("/r").file("/r/t/main.tf", "locals {}\n");
    let bare = bare.file("/r/t/schema.json", TABLE);
    assert_eq!(check(&bare, &[]).0, Exit::Clean);
    // Where schemas are expected, it takes the place of one.
    let system = system.file("/r/.terraschema.hcl", "");
    let (exit, text) = check(&system, &["--format=concise"]);
    assert_eq!(exit, Exit::Findings);
    let expected = "m/schema.json:1:1: error[foreign-schema] m/schema.json is not a JSON Schema";
    assert!(text.starts_with(expected), "{text}");
}

/// The errors of a module, each with its rule and message.
fn errors(files: &[(&str, &str)]) -> Vec<String> {
    let mut system = MemorySystem::new().working_in("/r").file("/r/.terraschema.hcl", OFF);
    for (path, text) in files {
        system = system.file(format!("/r/{path}"), *text);
    }
    let (_, json) = check(&system, &["--format=json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let found = report["findings"].as_array().unwrap().iter();
    let found = found.filter(|it| it["level"] == "error");
    found.map(|it| format!("{}: {}", it["rule"], it["message"]).replace('"', "")).collect()
}

#[test]
fn what_only_follows_from_another_error_is_left_out() {
    let unclosed = |rest: &str| format!("locals {{\n  a = 1\n{rest}\n");
    let all = "variable \"v\" {\n  default = 1\n}\noutput \"o\" {\n  value = 1\n}\nmodule \"m\" {\n  source = \"./m\"\n}\nresource \"terraform_data\" \"r\" {}\ndata \"terraform_remote_state\" \"d\" {\n  backend = \"local\"\n}\nlocals {\n  z = 1\n}\n";
    let held = unclosed(all);
    let broken = |name: &str, value: &str| {
        format!("module \"m\" {{\n  source = \"a/b/c\"\n  {name} = {value}\n}}\n")
            .replace("source = \"a/b/c\"\n  source", "source")
    };
    // What a file declares that was not read to its end can be overridden.
    let cases: Vec<Vec<(&str, String)>> = vec![
        vec![("main.tf", held), ("x_override.tf", all.to_owned())],
        vec![("main.tf", broken("source", ""))],
        vec![("main.tf", broken("source", "1 +"))],
        vec![("main.tf", broken("source", "\"${local.a}${\""))],
        vec![("main.tf", broken("version", ""))],
        vec![
            ("main.tf", "module \"m\" {\n  source = \"./m\"\n}\n".to_owned()),
            ("x_override.tf", broken("source", "")),
        ],
        // An override file gives the source; the directory of the other one is not there.
        vec![
            ("main.tf", broken("source", "\"./nope\"")),
            ("x_override.tf", "zz = <<EOT\nmodule \"m\" {\n  source = \"./m\"\n}\n".to_owned()),
        ],
    ];
    for files in cases {
        let mut files: Vec<_> = files.iter().map(|(path, it)| (*path, it.as_str())).collect();
        files.push(("m/main.tf", "output \"o\" {\n  value = 1\n}\n"));
        let found = errors(&files);
        let is_all = found.iter().all(|it| it.starts_with("invalid-syntax"));
        assert!(is_all && !found.is_empty(), "{files:?}: {found:#?}");
    }
    // A name that no other file can declare is missed.
    let found = errors(&[("main.tf", &unclosed("")), ("x_override.tf", all)]);
    assert!(found.iter().any(|it| it.contains("Missing base variable")), "{found:#?}");
    // Other files replace no source.
    let call = broken("source", "\"./nope\"");
    let found = errors(&[("main.tf", &call), ("other.tf", "locals {\n  m = @\n}\n")]);
    assert!(found.iter().any(|it| it.starts_with("missing-module")), "{found:#?}");
}

#[test]
fn a_variable_that_nothing_can_name_is_not_missed_as_well() {
    let text = |name: &str| format!("variable \"{name}\" {{}}\n");
    let call = "module \"m\" {\n  source = \"./m\"\n}\n";
    for name in ["count", "source", "version", "lifecycle", "_", "a b", "1a"] {
        let declared = text(name);
        for files in [
            &[("main.tf", &*declared), ("terraform.tfvars", "")][..],
            &[("main.tf", call), ("m/main.tf", &declared)],
        ] {
            let found = errors(files);
            assert_eq!(found.len(), 1, "{files:?}: {found:#?}");
            assert!(found[0].starts_with("invalid-variable"), "{found:#?}");
        }
    }
}
