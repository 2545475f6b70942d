//! `terraschema eval`

use terraschema::{
    cli::{self, Console, Exit},
    system::MemorySystem,
};

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
    let exit = cli::run(arguments, &system, &mut console);
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
