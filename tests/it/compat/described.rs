//! A `schema.json` in the place of a module: the verdict is that of the module, or *undecided*.

use std::fs;

use projection::schema::{SchemaOptions, generate};
use serde_json::Value as Json;
use system::MemorySystem;
use terraschema::Exit;
use testkit::{compat::compat, modules::module};

fn schema(text: &str) -> String {
    let options = SchemaOptions { annotations: true, ..SchemaOptions::default() };
    generate(&module(text), &options).schema.to_text(false)
}

/// The report about `/r/before` and `/r/after`, each a module or its schema, by the rule `schema-lacks` or without it.
fn said(before: &str, after: &str, schemas: [bool; 2], configuration: &str) -> Json {
    let mut system =
        MemorySystem::new().working_in("/r").file("/r/.terraschema.hcl", configuration);
    let mut names = Vec::new();
    for (name, text, is_schema) in [("before", before, schemas[0]), ("after", after, schemas[1])] {
        let file = if is_schema { "schema.json" } else { "main.tf" };
        let content = if is_schema { schema(text) } else { text.to_owned() };
        system = system.file(format!("/r/{name}/{file}"), content);
        names.push(if is_schema { format!("{name}/{file}") } else { name.to_owned() });
    }
    let (_, text, problems) = compat(&system, &format!("{} --format=json", names.join(" ")));
    assert_eq!(problems, "", "{before}\n{after}");
    serde_json::from_str(&text).unwrap()
}

fn level(report: &Json) -> String {
    report["compat"]["modules"][0]["level"].as_str().unwrap_or("none").to_owned()
}

/// The pairs of modules in `tests/spec/compat` whose difference a schema can show.
fn pairs() -> Vec<(String, String, String)> {
    let mut out = Vec::new();
    for page in ["types", "variables", "rules"] {
        let text = fs::read_to_string(format!("tests/spec/compat/{page}.md")).unwrap();
        for section in text.split("\n## ").skip(1) {
            let (title, rest) = section.split_once('\n').unwrap();
            let blocks = rest.split("```").skip(1).step_by(2);
            let mut blocks = blocks.map(|it| it.split_once('\n').unwrap().1.to_owned());
            let (before, after) = (blocks.next().unwrap(), blocks.next().unwrap());
            out.push((format!("{page}: {title}"), before, after));
        }
    }
    out
}

#[test]
fn the_verdict_on_schemas_is_that_on_modules_or_cannot_tell() {
    let off = "rule \"schema-lacks\" {\n  level = \"off\"\n}\n";
    let (mut wrong, mut same, mut open) = (Vec::new(), 0, Vec::new());
    for (title, before, after) in pairs() {
        let whole = level(&said(&before, &after, [false, false], ""));
        for schemas in [[true, true], [true, false], [false, true]] {
            let told = level(&said(&before, &after, schemas, ""));
            if told != "cannot-tell" && (told != whole || told != "major") {
                wrong.push(format!("{title} {schemas:?}: {whole}, but {told}"));
            }
            // Without the note that outputs are missing, variables are judged as in the module.
            let report = said(&before, &after, schemas, off);
            let told = level(&report);
            if told == whole {
                same += 1;
            } else if told == "cannot-tell" {
                let changes = report["compat"]["modules"][0]["changes"].to_string();
                open.push(format!("{title} {schemas:?}: {changes}"));
            } else {
                wrong.push(format!("{title} {schemas:?} without outputs: {whole}, but {told}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let is_stated = |it: &&String| it.contains("the schema does not contain");
    let unstated: Vec<&String> = open.iter().filter(|it| !is_stated(it)).collect();
    assert!(unstated.is_empty(), "{unstated:#?}");
    assert!(same > 200, "only {same} are the same");
}

#[test]
fn what_a_schema_lacks_is_told() {
    let rule = |condition: &str| {
        format!(
            "locals {{\n  most = 3\n}}\nvariable \"x\" {{\n  type = string\n  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let told = |before: &str, after: &str| {
        let report = said(before, after, [true, true], "");
        (level(&report), report["compat"]["modules"][0]["changes"].to_string())
    };
    let (level, changes) =
        told(&rule("length(var.x) < local.most"), &rule("length(var.x) < local.most"));
    assert_eq!(level, "cannot-tell");
    assert!(
        changes.contains("the schema does not contain `local.most`, which a rule reads"),
        "{changes}"
    );
    let (_, changes) = told(&rule("fileexists(var.x)"), &rule("fileexists(var.x)"));
    assert!(
        changes.contains("the files or the time that a rule reads with `fileexists`"),
        "{changes}"
    );
    let secret = |default: &str| {
        format!(
            "variable \"x\" {{\n  type      = string\n  sensitive = true\n  default   = \"{default}\"\n}}\n"
        )
    };
    let (level, changes) = told(&secret("one"), &secret("other"));
    assert_eq!(level, "cannot-tell");
    assert!(
        changes.contains("the schema does not contain the default, because it is hidden"),
        "{changes}"
    );
    let attribute = |default: &str| {
        format!(
            "variable \"x\" {{\n  type      = object({{ a = optional(string{default}) }})\n  sensitive = true\n}}\n"
        )
    };
    let (_, changes) = told(&attribute(", \"one\""), &attribute(""));
    assert!(
        changes.contains("does not contain the defaults of attributes, because they are hidden"),
        "{changes}"
    );
    let outputs = |text: &str| format!("variable \"x\" {{}}\n{text}");
    let (level, changes) = told(&outputs("output \"o\" {\n  value = 1\n}\n"), &outputs(""));
    assert_eq!(level, "cannot-tell");
    assert!(changes.contains("Outputs, versions and providers are not compared"), "{changes}");
}

#[test]
fn what_is_no_annotated_schema_is_told_with_its_place() {
    let bare = "{\n  \"properties\": {\n    \"x\": { \"type\": \"string\" }\n  }\n}\n";
    let wrong =
        "{\n  \"properties\": {\n    \"x\": { \"x-terraform\": { \"type\": \"strin\" } }\n  }\n}\n";
    let system = MemorySystem::new().working_in("/r").file("/r/m/main.tf", "variable \"x\" {}\n");
    let system = system.file("/r/bare.json", bare).file("/r/wrong.json", wrong);
    let system = system.file("/r/broken.json", "{\n").file("/r/list.json", "[]\n");
    let system = system.file("/r/main.json", schema("variable \"x\" {}\n"));
    for (arguments, text) in [
        (
            "bare.json m",
            "bare.json:3:5: the schema does not fully describe \"x\": write it with `terraschema generate --annotations`",
        ),
        ("m bare.json", "bare.json:3:5: the schema does not fully describe \"x\""),
        ("wrong.json m", "wrong.json:3:5: "),
        ("broken.json m", "broken.json:"),
        (
            "list.json m",
            "list.json:1:1: it is not the schema of a module: it has no object `properties`",
        ),
        (
            "main.json m --callers m",
            "--callers needs the files of both states, and main.json is a schema",
        ),
    ] {
        let (exit, _, problems) = compat(&system, arguments);
        assert_eq!(exit, Exit::Failure, "{arguments}");
        assert!(problems.contains(text), "{arguments}: {problems}");
    }
}

#[test]
fn a_schema_is_compared_with_the_module_beside_it() {
    let space = testkit::workspace::Workspace::repository();
    space.write("m/main.tf", "variable \"x\" {\n  type = any\n}\n");
    space.write("other/main.tf", "variable \"y\" {}\n");
    space.write("m/old.json", schema("variable \"x\" {\n  type = any\n}\n"));
    space.commit("one");
    space.write("m/main.tf", "variable \"x\" {\n  type = string\n}\n");
    let answer = space.terraschema("compat m/old.json");
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert!(answer.stdout.contains("m: major (1 major, 1 undecided)"), "{}", answer.stdout);
    assert!(answer.stdout.contains("m/old.json:"), "{}", answer.stdout);
    let answer = space.terraschema("compat m/old.json -- other");
    assert!(answer.stdout.contains("error[variable-renamed]"), "{}", answer.stdout);
    let answer = space.terraschema("compat m/old.json HEAD");
    assert!(answer.stdout.ends_with("m/old.json → HEAD: undecided\n"), "{}", answer.stdout);
    let answer = space.terraschema("compat m/old.json -- nowhere");
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("nowhere: no module to compare the schema with"),
        "{}",
        answer.stderr
    );
}
