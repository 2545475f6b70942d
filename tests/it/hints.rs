//! What is mistyped brings the nearest word, or the flag that was meant.

use system::{MemorySystem, System};
use terraschema::{Console, Exit, run};

/// The exit, and all that is said.
fn said(system: &dyn System, line: &str) -> (Exit, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let arguments = ["terraschema"].into_iter().chain(line.split(' ')).map(Into::into).collect();
    let exit = run(arguments, system, &mut console);
    drop(console);
    let text = [stdout, stderr].map(|it| String::from_utf8(it).unwrap()).concat();
    (exit, text)
}

fn module(text: &str) -> MemorySystem {
    MemorySystem::new().file("main.tf", text)
}

#[test]
fn blocks_arguments_and_types_bring_the_nearest_word() {
    let cases = [
        ("variabel \"a\" {}", "did you mean \"variable\"?"),
        ("variable \"a\" {\n  tpye = string\n}", "did you mean \"type\"?"),
        ("variable \"a\" {\n  validatoin {\n  }\n}", "did you mean \"validation\"?"),
        (
            "variable \"a\" {\n  type = sting\n}",
            "The keyword \"sting\" is not a valid type. Did you mean \"string\"?",
        ),
        ("variable \"a\" {\n  type = lst(string)\n}", "Did you mean \"list\"?"),
        ("modul \"a\" {}", "did you mean \"module\"?"),
    ];
    for (text, hint) in cases {
        let (exit, said) = said(&module(text), "check");
        assert_ne!(exit, Exit::Clean);
        assert!(said.contains(hint), "{text}: {said}");
    }
    let json =
        MemorySystem::new().file("main.tf.json", r#"{"variable": {"a": {"tpye": "string"}}}"#);
    let (_, text) = said(&json, "check");
    assert!(text.contains("did you mean \"type\"?"), "{text}");
    // Two letters are near to nearly all.
    let (_, text) = said(&module("variable \"a\" {\n  xy = 1\n}"), "check");
    assert!(!text.contains("did you mean"), "{text}");
}

#[test]
fn a_mistyped_variable_does_not_orphan_its_schema() {
    let system = module("variabel \"a\" {}").file("schema.json", "{}");
    let (_, text) = said(&system, "check");
    assert!(text.contains("unsupported-argument") && !text.contains("orphan-schema"), "{text}");
}

#[test]
fn a_directory_where_none_is_taken_brings_the_flag() {
    let system = module("variable \"a\" {}");
    let (exit, text) = said(&system, "modules/network");
    assert_eq!(exit, Exit::Failure);
    assert!(text.contains("'-i modules/network' names the directory of a module"), "{text}");
    // The commands take it.
    let system = system.file("modules/network/main.tf", "variable \"b\" {}");
    for line in ["generate modules/network --stdout", "generate -i modules/network --stdout"] {
        let (exit, text) = said(&system, line);
        assert_eq!((exit, text.contains("\"b\"")), (Exit::Clean, true), "{line}: {text}");
    }
    let (exit, text) = said(&system, "validate modules/network -var b=1");
    assert_eq!((exit, text.contains("accepted")), (Exit::Clean, true), "{text}");
    for command in ["generate", "validate"] {
        let (exit, text) = said(&system, &format!("{command} -i modules/network modules/network"));
        assert_eq!((exit, text.contains("cannot be used with")), (Exit::Failure, true), "{text}");
    }
    let (_, text) = said(&system, "validate --formt json");
    assert!(text.contains("'--format'") && !text.contains("-i "), "{text}");
    let (_, text) = said(&system, "chek");
    assert!(text.contains("'check'"), "{text}");
}

#[test]
fn a_revision_behind_changed_brings_the_equals_sign() {
    let (exit, text) = said(&module("variable \"a\" {}"), "check --changed main");
    assert_eq!(exit, Exit::Failure);
    assert!(text.contains("to compare with a revision, write `--changed=main`"), "{text}");
}

#[test]
fn a_part_of_a_rule_brings_the_rules_that_have_it() {
    let (exit, text) = said(&module(""), "explain stale");
    assert_eq!(exit, Exit::Failure);
    assert!(
        text.contains(
            "unknown rule \"stale\"; did you mean one of stale-docs, stale-example, stale-schema?"
        ),
        "{text}"
    );
}

#[test]
fn a_schema_that_check_will_not_find_is_told() {
    let system = MemorySystem::new().file("modules/network/main.tf", "variable \"a\" {}");
    let (exit, text) = said(&system, "-i modules/network");
    assert_eq!(exit, Exit::Clean);
    let expected = "schema written to \"schema.json\"; `terraschema check` looks for \"modules/network/schema.json\"";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_report_makes_its_directory() {
    let system = module("variable \"a\" {}");
    let (exit, text) = said(&system, "check --output sarif=reports/new/all.sarif");
    assert_eq!(exit, Exit::Findings, "{text}");
    let written = system.read("reports/new/all.sarif".as_ref()).unwrap();
    assert!(String::from_utf8(written).unwrap().contains("missing-schema"));
}

/// Elements that should have one type: which two differ, and where in them.
#[test]
fn elements_of_several_types_say_where_they_differ() {
    let cases = [
        (
            "map(any)",
            "{ web = { port = 80, tags = [\"a\"] }, db = { port = [80], tags = [\"a\"] } }",
            "all map elements must have the same type: `.port` is tuple in \"db\" and number in \"web\".",
        ),
        (
            "list(any)",
            "[1, \"a\", [2]]",
            "all list elements must have the same type: element 0 is number, and element 2 is tuple.",
        ),
        (
            "object({ rules = map(any) })",
            "{ rules = { a = 1, b = { c = 2 } } }",
            "at .rules: all map elements must have the same type: \"a\" is number, and \"b\" is object.",
        ),
    ];
    for (ty, value, expected) in cases {
        let space = testkit::workspace::Workspace::new();
        space.write("main.tf", format!("variable \"x\" {{\n  type = {ty}\n}}\n"));
        space.write("terraform.tfvars", format!("x = {value}\n"));
        let text = space.terraschema("check --format concise").text();
        assert!(text.contains(expected), "{text}");
    }
}
