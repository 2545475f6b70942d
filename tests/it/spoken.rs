//! Whatever a repository says, and whichever command repeats it: a terminal shows it, a runner of CI
//! prints it, and neither does anything.
#![cfg(unix)]

use report::Format;
use testkit::workspace::{Answer, Workspace, binary, isolated};

/// An escape sequence, a bell, a return, C1, directions, invisible ones, and commands to a runner.
const RAW: &str =
    "\x1b[2J\x07\r\x7f\u{9b}31m\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}\u{e0041} ##[error]x";

/// A repository that says it in every place where a text can be.
fn hostile() -> Workspace {
    let it = Workspace::repository();
    let name = "a\x1b[2J\u{202e}\n::error::x\n##[error]y";
    let rule = "  validation {\n    condition     = var.x == \"1\"\n    error_message = \"A.\\n::error::b \\n  ##[error]c RAW\"\n  }\n";
    let variable = format!(
        "variable \"x\" {{ # RAW\n  type        = string\n  description = \"RAW\"\n  default     = \"RAW\\n::error::d\"\n{rule}}}\n"
    );
    // A return would end the line that holds the string, so it is written as its escape.
    let soft = RAW.replace('\r', "\\r");
    let module = variable
        + "variable \"y\" {\n  type = \"RAW\"\n  nonsense = \"RAW\"\n}\nlocals {\n  RAW = 1\n}\n";
    it.write(&format!("{name}/main.tf"), module.replace("RAW", &soft));
    it.write(
        &format!("{name}/{name}.tfvars"),
        format!("x = \"{soft}\"\nz = 1 # {RAW}\n\"{soft}\" = 1\n"),
    );
    it.write(&format!("{name}/b.tfvars"), format!("x = {RAW}\n::error::x::\n"));
    let schema =
        serde_json::json!({"$schema": format!("{RAW}\n::error::e"), "properties": {RAW: {}}});
    it.write(&format!("{name}/schema.json"), schema.to_string());
    it.write(
        "good/main.tf",
        "variable \"x\" {\n  type = string\n}\n".to_owned() + &rule.replace("RAW", &soft),
    );
    it.write("good/terraform.tfvars", format!("x = \"{soft}\\n::error::x\"\n"));
    it.write("broken/main.tf", format!("variable \"{RAW}\" {{\n::error::x\n{RAW}\n"));
    it.write("taken/main.tf", "variable \"x\" {}\n")
        .write(&format!("taken/schema.json/{name}"), "");
    it
}

#[track_caller]
fn acts_on_nothing(what: &str, text: &str, is_github: bool) {
    for (n, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let is_command = start.starts_with("::") && !start.starts_with(":::");
        assert!(!is_command || is_github, "{what}: line {n} is a command: {line:?}");
        assert!(is_github || !line.contains("##["), "{what}: line {n} is a command: {line:?}");
    }
    shows_everything(what, text);
}

#[track_caller]
fn shows_everything(what: &str, text: &str) {
    let is_raw =
        |it: &char| *it != '\n' && (it.is_control() || (RAW.contains(*it) && !it.is_ascii()));
    let raw = text.chars().find(is_raw).filter(|it| *it != '\t');
    assert_eq!(raw, None, "{what}: {text:?}");
}

#[test]
fn nothing_that_a_repository_says_acts() {
    let it = hostile();
    let run = |arguments: &[&str]| {
        Answer::new(isolated(binary(), &it.path("")).args(arguments).output().unwrap())
    };
    let check = |arguments: &[&str]| {
        let answer = run(arguments);
        let is_github = arguments.contains(&"github");
        acts_on_nothing(&format!("{arguments:?}, stdout"), &answer.stdout, is_github);
        acts_on_nothing(&format!("{arguments:?}, stderr"), &answer.stderr, false);
        answer
    };
    let name = "a\x1b[2J\u{202e}\n::error::x\n##[error]y";
    it.git(&["add", "-A"]);
    for (format, _) in Format::ALL {
        for how in [&["check", "--verbose"][..], &["check", "--staged"], &["check", name]] {
            let answer = check(&[how, &["--format", format]].concat());
            assert_eq!(answer.code, 2, "{}", answer.text());
            let is_told = ["202e", "%E2%80%AE"].iter().any(|it| answer.stdout.contains(it))
                || format == "github-output";
            assert!(
                is_told,
                "{format} names no place, or hides what is in its name: {}",
                answer.stdout
            );
        }
        for dir in [name, "good", "broken"] {
            check(&["validate", "--input", dir, "--format", format]);
        }
        std::fs::write(it.path("report.json"), check(&["check", "--format", "json"]).stdout)
            .unwrap();
        check(&["merge", "report.json", "--format", format]);
        it.remove("report.json");
    }
    for dir in [name, "good", "broken", "taken"] {
        for report in ["--debug", "--report", "--report=json"] {
            check(&["generate", "--input", dir, report, "--output", "out.json", "--overwrite"]);
        }
        for expression in ["var.x", "[var.x, {(var.x) = 1}]", "nonsense(", RAW, "\"a\u{202e}\\nb\""]
        {
            check(&["eval", "--input", dir, "--format", "json", expression]);
            // As Terraform prints it a value may have lines of its own.
            let answer = run(&["eval", "--input", dir, expression]);
            acts_on_nothing("eval, stderr", &answer.stderr, false);
            assert!(!answer.stdout.contains(['\x1b', '\u{202e}', '\r']), "{:?}", answer.stdout);
        }
    }
    check(&["explain", RAW]);
    check(&["merge", name]);
    check(&["check", "--changed=\x1b[2J\u{202e}"]);
    check(&["check", "--hook", "good/main.tf", name]);
    let property = format!("title={RAW}");
    let of_good = ["generate", "--input", "good", "--output", "good/schema.json", "--property"];
    check(&[&of_good[..], &[&property]].concat());
    let told = check(&["init"]).stdout;
    assert!(told.contains(r"\u{202e}") && told.contains(r"\U0000202e"), "{told}");
    shows_everything("the new configuration", &it.read(".terraschema.hcl"));
    // It means what the schema says.
    it.remove("good/schema.json");
    check(&["check", "--fix", "good"]);
    let schema: serde_json::Value = serde_json::from_str(&it.read("good/schema.json")).unwrap();
    assert_eq!(schema["title"], RAW);
    it.remove(".terraschema.hcl");
    check(&["check", "--fix"]);
    it.write("configured/main.tf", "variable \"x\" {}\n");
    it.write(
        "configured/.terraschema.hcl",
        format!("rule \"{RAW}\" {{\n  level = \"{RAW}\"\n}}\n::error::x::\n"),
    );
    check(&["check"]);
}

#[test]
fn a_pipe_gets_the_schema_that_a_file_would() {
    let it = hostile();
    let printed = it.terraschema("generate --input good --stdout").stdout;
    it.terraschema("generate --input good --output out.json");
    assert_eq!(printed.trim_end(), it.read("out.json").trim_end());
}
