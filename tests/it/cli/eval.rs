//! `terraschema eval`

use system::MemorySystem;
use terraschema::{Console, Exit};

const MODULE: &str = r#"
variable "a" {
  type    = number
  default = 5
}
variable "secret" {
  type      = string
  sensitive = true
  default   = "hush"
}
variable "required" { type = list(string) }
locals { double = var.a * 2 }
resource "aws_vpc" "main" {}
"#;

fn run(arguments: &[&str], input: &str) -> (Exit, String, String) {
    let system = MemorySystem::new().file("/m/main.tf", MODULE).working_in("/m");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr).with_input(input);
    let arguments = ["terraschema", "eval"].iter().chain(arguments).map(Into::into).collect();
    let exit = terraschema::run(arguments, &system, &mut console);
    drop(console);
    let text = |it: Vec<u8>| String::from_utf8(it).expect("text");
    (exit, text(stdout), text(stderr))
}

#[test]
fn values_are_printed_as_terraform_does() {
    let (exit, stdout, stderr) =
        run(&["-var", "a=7", "local.double", "{a = [1], \"b c\" = null}", "var.secret"], "");
    assert_eq!(stderr, "");
    assert_eq!(stdout, "14\n{\n  \"a\" = [\n    1,\n  ]\n  \"b c\" = null\n}\n(sensitive value)\n");
    assert_eq!(exit, Exit::Clean);
}

#[test]
fn json_has_a_result_for_each_expression() {
    let (exit, stdout, _) = run(
        &[
            "--format",
            "json",
            "1 / 3 > 0.3",
            "upper()",
            "var.secret",
            "var.required",
            "aws_vpc.main.id",
        ],
        "",
    );
    assert_eq!(exit, Exit::Findings);
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let expected = serde_json::json!([
        {"expr": "1 / 3 > 0.3", "ok": true, "type": "bool", "value": true},
        {"expr": "upper()", "ok": false, "errors": [{
            "summary": "Not enough function arguments",
            "detail": document["results"][1]["errors"][0]["detail"],
            "at": "1,1-1,8",
        }]},
        {"expr": "var.secret", "ok": true, "type": "string", "value": null, "sensitive": true},
        {"expr": "var.required", "ok": true, "type": ["list", "string"], "value": null, "unknown": true},
        {"expr": "aws_vpc.main.id", "ok": true, "type": "dynamic", "value": null, "unknown": true,
            "undecided": ["aws_vpc.main"]},
    ]);
    assert_eq!(document["results"], expected);
}

#[test]
fn a_pipe_holds_an_expression_a_line() {
    let (exit, stdout, stderr) = run(&[], "1 + 1\n\nvar.b\n\"x\"\n");
    assert_eq!(stdout, "2\n\"x\"\n");
    assert!(stderr.contains("Reference to undeclared input variable"), "{stderr}");
    assert_eq!(exit, Exit::Findings);
}

#[test]
fn the_version_decides_about_logic() {
    let expression = "length(null) > 2 || true";
    let (exit, stdout, _) = run(&[expression], "");
    assert_eq!((exit, stdout.as_str()), (Exit::Clean, "true\n"));
    let (exit, _, _) = run(&["--terraform-version", "1.11", expression], "");
    assert_eq!(exit, Exit::Findings);
}

#[test]
fn flags_stand_anywhere_and_expressions_may_begin_with_a_dash() {
    let arguments = ["1 + 1", "-var", "a=7", "-1 + 2", "--format", "json", "--", "-var.a"];
    let (exit, stdout, stderr) = run(&arguments, "");
    assert_eq!(stderr, "");
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let values: Vec<i64> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["value"].as_i64().unwrap())
        .collect();
    assert_eq!(values, [2, 1, -7]);
    assert_eq!(exit, Exit::Clean);
}

/// As in Terraform 1.11.4, whose console prints the same.
#[test]
fn input_flags_count_in_their_order_after_those_of_the_environment() {
    let system = || {
        let system = MemorySystem::new().file("/m/main.tf", MODULE).working_in("/m");
        system.file("/m/six.tfvars", "a = 6\n")
    };
    let value = |system: MemorySystem, flags: &[&str]| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let all = ["terraschema", "eval", "var.a"].iter().chain(flags).map(Into::into).collect();
        terraschema::run(all, &system, &mut Console::to(&mut stdout, &mut stderr));
        assert_eq!(String::from_utf8(stderr).expect("text"), "");
        String::from_utf8(stdout).expect("text").trim_end().to_owned()
    };
    assert_eq!(value(system(), &["-var=a=7", "-var-file=six.tfvars"]), "6");
    assert_eq!(value(system(), &["-var-file=six.tfvars", "-var=a=7"]), "7");
    let system = || {
        let of_console = "-var=a=8 -var-file=six.tfvars";
        system()
            .with_env("TF_CLI_ARGS_console", of_console)
            .with_env("TF_CLI_ARGS_plan", "-var=a=0")
    };
    assert_eq!(value(system(), &[]), "6");
    assert_eq!(value(system().with_env("TF_CLI_ARGS", "-var a=9"), &[]), "9");
    assert_eq!(value(system().with_env("TF_CLI_ARGS", "-var a=9"), &["-var=a=7"]), "7");
    let broken = MemorySystem::new().file("/m/main.tf", MODULE).working_in("/m");
    let broken = broken.with_env("TF_CLI_ARGS", "-var 'a=9");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let all = ["terraschema", "eval", "var.a"].iter().map(Into::into).collect();
    let exit = terraschema::run(all, &broken, &mut Console::to(&mut stdout, &mut stderr));
    assert_eq!(exit, Exit::Failure);
}

/// As in Terraform 1.11.4, whose console reports the same places and then crashes over `var.a`.
#[test]
fn values_are_prepared_as_for_a_plan() {
    let module = "variable \"a\" {\n  type = number\n  nullable = false\n}\n\
        variable \"b\" {\n  type = list(string)\n  default = [\"d\"]\n  nullable = false\n}\n\
        variable \"c\" {\n  type = map(number)\n  default = {}\n  sensitive = true\n}\n";
    let told = |values: &str| {
        let system = MemorySystem::new().file("/m/main.tf", module).working_in("/m");
        let system = system.file("/m/terraform.tfvars", values);
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let all = ["terraschema", "eval", "[var.a, one(var.b)]"].iter().map(Into::into).collect();
        terraschema::run(all, &system, &mut Console::to(&mut stdout, &mut stderr));
        [stdout, stderr].map(|it| String::from_utf8(it).expect("text"))
    };
    let unknown = "[\n  (known after apply),\n  \"d\",\n]\n";
    assert_eq!(told(""), [unknown, ""]);
    let null = "The variable \"a\" is required, so the value must not be null.";
    let null = format!("Error: terraform.tfvars:1,5: Required variable not set: {null}\n");
    assert_eq!(told("a = null"), [unknown, &null]);
    assert_eq!(told("a = 1\nb = null"), ["[\n  1,\n  \"d\",\n]\n", ""]);
    let wrong = "The given value is not suitable for var.a: a number is required.";
    let wrong = format!("Error: terraform.tfvars:1,5: Invalid value for input variable: {wrong}\n");
    assert_eq!(told("a = \"x\""), [unknown, &wrong]);
    let secret = "(no details, because it is sensitive).";
    let secret = format!(
        "Error: terraform.tfvars:1,5: Invalid value for input variable: The given value is not suitable for var.c {secret}\n"
    );
    assert_eq!(told("c = { hush = \"x\" }"), [unknown, &secret]);
}

#[test]
fn what_a_plan_does_not_know_has_the_form_of_terraforms() {
    let (_, stdout, _) = run(&["timestamp()", "uuid()", "bcrypt(\"a\", 4)"], "");
    let [time, uuid, hash] = stdout.lines().collect::<Vec<_>>()[..] else { panic!("{stdout}") };
    let shape = |text: &str| -> String {
        text.chars().map(|it| if it.is_ascii_alphanumeric() { 'x' } else { it }).collect()
    };
    assert_eq!(shape(time), "\"xxxx-xx-xxxxx:xx:xxx\"");
    assert_eq!(shape(uuid), "\"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\"");
    assert!(hash.starts_with("\"$2a$04$") && hash.len() == 62, "{hash}");
    let (exit, _, stderr) = run(&["bcrypt(\"a\", 31)"], "");
    assert!(stderr.contains("too much work"), "{stderr}");
    assert_eq!(exit, Exit::Findings);
}

#[test]
fn type_stands_alone_and_tells_nothing_of_secrets() {
    let (_, stdout, _) = run(&["type({(var.secret) = 1})", "type(var.required)"], "");
    assert_eq!(stdout, "dynamic\nlist(string)\n");
    for wrong in ["[type(1)]", "type(type(1))", "type()", "type(1, 2)", "[for x in [1] : type(x)]"]
    {
        let (exit, stdout, stderr) = run(&[wrong], "");
        assert_eq!((exit, &*stdout), (Exit::Findings, ""), "{wrong}");
        assert!(stderr.contains("Invalid use of type function"), "{stderr}");
    }
    let (_, stdout, _) = run(&["--format=json", "type([1])"], "");
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(document["results"][0]["value"], "tuple([\n    number,\n])");
}

/// Unlike in Terraform, whose console prints them as they are.
#[test]
fn characters_that_are_not_seen_are_escaped_in_texts_of_several_lines() {
    let (_, stdout, _) = run(&[r#""a\n\u202eb""#, r#"{"a\n\u200bb" = 1}"#], "");
    assert_eq!(stdout, "\"a\\n\\u202eb\"\n{\n  \"a\\n\\u200bb\" = 1\n}\n");
}

#[test]
fn errors_end_in_one_full_stop() {
    for text in
        ["jsondecode(\"[1\")", "jsondecode(\"\")", "jsondecode(\"{\")", "jsondecode(\"1 x\")"]
    {
        let (_, _, stderr) = run(&[text], "");
        assert!(stderr.ends_with('.') || stderr.ends_with(".\n"), "{stderr}");
        assert!(!stderr.contains(".."), "{stderr}");
    }
}
