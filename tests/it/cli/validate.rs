//! `terraschema validate`

use system::MemorySystem;
use terraschema::{Console, Exit};

/// The message shows what the value is.
const MODULE: &str = r#"
variable "a" {
  type    = string
  default = "default"

  validation {
    condition     = var.a == "x"
    error_message = "It is >${var.a}<."
  }
}
"#;

fn run(system: MemorySystem, arguments: &[&str]) -> (Exit, String) {
    let system = system.working_in("/m").file("/m/main.tf", MODULE);
    let system = system.file("/m/a file.tfvars", "a = \"of a file\"\n");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let all = ["terraschema"].iter().chain(arguments).map(Into::into).collect();
    let exit = terraschema::run(all, &system, &mut Console::to(&mut stdout, &mut stderr));
    (exit, String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
}

fn told(system: MemorySystem, arguments: &[&str]) -> String {
    let (exit, output) = run(system, arguments);
    assert_eq!(exit, Exit::Findings, "{output}");
    let told = output.split_once('>').and_then(|it| it.1.split_once("<."));
    told.unwrap_or_else(|| panic!("{output}")).0.to_owned()
}

/// Each text as Terraform 1.11.4 takes it apart.
#[test]
fn flags_of_the_environment_are_read_as_terraform_reads_them() {
    for (text, value) in [
        ("-var=a=q", "q"),
        ("-var a=q", "q"),
        ("--var=a=q", "q"),
        ("-var=a=q -var=a=r", "r"),
        ("-var=a='q r'", "q r"),
        ("-var=a=q\\ r", "q r"),
        (r#"-var=a="q\"r""#, "q\"r"),
        (r"-var=a='q\r'", r"q\r"),
        (r#"-var=a="q\r""#, "qr"),
        (r"-var=a=q\\r", r"q\r"),
        ("-var=a=\"\"", ""),
        ("-var=a=$HOME", "$HOME"),
        ("-var=a=`echo q`", "`echo q`"),
        ("-var=a=$(echo q)", "$(echo q)"),
        ("-var=a=q;r", "q"),
        ("-var=a=q&&r", "q"),
        ("-var=a=q#c", "q#c"),
        ("-var=a={x=\"y\"}", "{x=y}"),
        ("-var=a=q\n-no-color", "q"),
        ("-target x.y -parallelism=1 -var=a=q", "q"),
        ("-var-file='a file.tfvars'", "of a file"),
        ("", "default"),
    ] {
        let system = || MemorySystem::new();
        assert_eq!(told(system().with_env("TF_CLI_ARGS", text), &["validate"]), value, "{text}");
        assert_eq!(told(system().with_env("TF_CLI_ARGS_plan", text), &["validate"]), value);
    }
}

#[test]
fn the_command_line_wins_over_the_environment() {
    let system = || {
        let system = MemorySystem::new().with_env("TF_VAR_a", "of TF_VAR_a");
        system.with_env("TF_CLI_ARGS_plan", "-var=a=plan")
    };
    assert_eq!(told(system(), &["validate"]), "plan");
    assert_eq!(told(system().with_env("TF_CLI_ARGS", "-var=a=all"), &["validate"]), "all");
    assert_eq!(told(system(), &["validate", "-var=a=flag"]), "flag");
    assert_eq!(told(system(), &["validate", "-var-file=a file.tfvars"]), "of a file");
}

#[test]
fn what_terraform_cannot_take_apart_is_an_error() {
    for text in ["-var='a=x", "-var=a=x \\", "-var=a=q(r)", "SECRET", "-var=a=x # c", "-var", "--"]
    {
        let system = MemorySystem::new().with_env("TF_CLI_ARGS_plan", text);
        let (exit, output) = run(system, &["validate"]);
        assert_eq!(exit, Exit::Failure, "{text}: {output}");
        assert!(output.contains("cannot read TF_CLI_ARGS_plan"), "{output}");
        assert!(!output.contains("SECRET"), "{output}");
    }
}

#[test]
fn check_never_looks_at_the_environment() {
    let system = MemorySystem::new().file("/m/terraform.tfvars", "a = \"file\"\n");
    let system = system.with_env("TF_VAR_a", "x").with_env("TF_CLI_ARGS", "-var=a=x");
    let system = system.with_env("TF_CLI_ARGS_plan", "-var=a=x");
    let (_, output) = run(system, &["check", "--format", "concise"]);
    assert!(output.contains("It is >file<."), "{output}");
}

/// What Terraform 1.11 plans is true or unknown; both pass.
#[test]
fn what_only_a_plan_knows_counts_where_it_makes_a_difference() {
    for (condition, value, expected) in [
        ("var.z == \"\" || data.x.y.name == var.z", "", "accept"),
        ("var.z == \"\" || data.x.y.name == var.z", "q", "undecided"),
        ("!(data.x.y.a != 1) || (var.z == \"\" && true)", "", "accept"),
        ("var.z == \"\" || can(data.x.y.names[5])", "", "accept"),
        ("var.z == \"\" || contains(data.x.y.names, var.z)", "", "undecided"),
        ("var.z == \"\" || data.x.y.list[0] == 1", "", "undecided"),
        ("var.z == \"\" && data.x.y.name == var.z", "q", "undecided"),
        ("!(var.z == \"\" || data.x.y.name == var.z)", "", "undecided"),
        // Each operand of the other side counts, and no deeper path, which may meet null.
        ("var.z == \"\" || (data.x.y.name == var.z && data.x.y.id != var.z)", "", "accept"),
        ("var.z == \"\" || (data.x.y.name == var.z && data.x.y.list[0] == 1)", "", "undecided"),
        ("var.z == \"\" || (data.x.y.list[0] == 1 || data.x.y.name == var.z)", "", "undecided"),
        ("(data.x.y.name == var.z || data.x.y.id == var.z) || var.z == \"\"", "", "accept"),
        ("data.x.y.list[0] == 1 || var.z == \"\"", "", "undecided"),
        ("var.z == \"\" || !(data.x.y.name == var.z)", "", "accept"),
        ("var.z == \"\" || !data.x.y.name", "", "undecided"),
        ("var.z == \"\" && (data.x.y.name == var.z || var.z == \"\")", "", "accept"),
        ("var.z == \"\" && (data.x.y.name == var.z || var.z == \"q\")", "", "undecided"),
        ("((var.z == \"\" || data.x.y.name == var.z) && true)", "", "accept"),
        ("var.z == \"\" || data.x.y.a.b == var.z", "", "undecided"),
        ("var.z == \"\" || x.y.name == var.z", "", "accept"),
        ("var.z == \"\" || x.y.a.b == var.z", "", "undecided"),
        ("var.z == \"\" || length(data.x.y.name) == 1", "", "undecided"),
    ] {
        let module = format!(
            "variable \"z\" {{\n  validation {{\n    condition = {condition}\n    error_message = \"No.\"\n  }}\n}}\n\
             data \"x\" \"y\" {{}}\nresource \"x\" \"y\" {{}}\n"
        );
        let system = MemorySystem::new().file("/m/z.tf", module);
        let flags = ["validate", "--terraform-version=1.11", "--format=json", "-var=a=x"];
        let (_, output) = run(system, &[&flags[..], &[&format!("-var=z={value}")]].concat());
        let verdict = format!("\"verdict\": \"{expected}\"");
        assert!(output.contains(&verdict), "{condition} with {value:?}: {output}");
    }
}

/// What came before 1.5 is known by every release: older ones are judged as 1.5.7.
#[test]
fn what_a_version_does_not_know_is_refused() {
    let rule = |condition: &str| {
        let text = "validation {\n    condition = CONDITION\n    error_message = \"No.\"\n  }";
        text.replace("CONDITION", condition)
    };
    for (body, first, before) in [
        (rule("startswith(var.z, \"x\")"), "1.2", ""),
        (rule("can(templatestring(var.z, {}))"), "1.9", "1.8"),
        (rule("var.z == \"x\" && var.a != 1"), "1.9", "1.8"),
        (rule("convert(var.z, string) == \"x\""), "1.15", "1.14"),
        ("type = object({ a = optional(string) })\n  default = {}".to_owned(), "1.3", ""),
        ("ephemeral = true".to_owned(), "1.10", "1.9"),
    ] {
        let module = format!("variable \"z\" {{\n  {body}\n}}\n");
        let given = if body.contains("optional") { "-var=z={}" } else { "-var=z=x" };
        let exit = |version: &str| {
            let system = MemorySystem::new().file("/m/z.tf", &*module);
            let version = format!("--terraform-version={version}");
            run(system, &["validate", &version, "-var=a=x", given])
        };
        assert_eq!(exit(first).0, Exit::Clean, "{first}: {module}{}", exit(first).1);
        if !before.is_empty() {
            assert_eq!(exit(before).0, Exit::Findings, "{before}: {module}");
        }
    }
}

#[test]
fn the_selected_workspace_counts() {
    let module = "variable \"a\" {\n  default = 1\n  validation {\n    condition = \
                  [var.a, terraform.workspace][1] == \"prod\"\n    error_message = \"m\"\n  }\n}\n";
    let system = || MemorySystem::new().file("/m/w/main.tf", module);
    let exit = |it: MemorySystem| run(it, &["validate", "-i", "w"]).0;
    assert_eq!(exit(system()), Exit::Findings);
    assert_eq!(exit(system().file("/m/w/.terraform/environment", "prod")), Exit::Clean);
    assert_eq!(exit(system().file("/m/.terraform/environment", "prod")), Exit::Findings);
    assert_eq!(exit(system().with_env("TF_WORKSPACE", "prod")), Exit::Clean);
}

#[test]
fn a_values_file_without_a_name_is_refused_as_an_input() {
    let system = MemorySystem::new().file("/m/main.tf", "variable \"a\" {\n  default = 1\n}\n");
    let (exit, output) = run(system, &["validate", "-var-file="]);
    assert_eq!(exit, Exit::Findings, "{output}");
    assert!(output.contains("unreadable-input"), "{output}");
}

/// Terraform reads any depth of them, but cannot store deep values: what it says hangs on more.
#[test]
fn what_nests_too_deeply_is_undecided_and_nothing_else_is_said() {
    let nested = |open: &str, close: &str| open.repeat(10_001) + "1" + &close.repeat(10_001);
    let list = nested("[", "]");
    let deep = |name: &str, text: String| MemorySystem::new().file(format!("/m/{name}"), text);
    let variable = "variable \"b\" {\n  type = any\n";
    let cases = [
        deep("terraform.tfvars", format!("b = {list}\n")).file("/m/b.tf", format!("{variable}}}")),
        deep("a.auto.tfvars.json", format!("{{\"b\": {list}}}")),
        deep("b.tf", format!("{variable}  default = {list}\n}}\n")),
        deep("b.tf", format!("locals {{\n  b = {}\n}}\n", nested("(", ")"))),
        deep(
            "b.tf",
            format!(
                "variable \"b\" {{\n  validation {{\n    condition = {}var.b\n    error_message = \"m\"\n  }}\n}}\n",
                "!".repeat(10_001)
            ),
        ),
        deep("b.tf.json", format!("{{\"locals\": {{\"b\": {list}}}}}")),
        deep(
            "b.tf",
            format!(
                "output \"b\" {{\n  value = {}\n}}\nvariable \"c\" {{}}\n",
                "[".repeat(1_000_000)
            ),
        ),
    ];
    for system in cases {
        let (exit, output) = run(system, &["validate", "-var=a=x", "--format=json"]);
        let report: serde_json::Value = serde_json::from_str(&output).expect("JSON");
        assert_eq!(report["verdict"], "undecided", "{}", report["findings"]);
        let findings = report["findings"].as_array().expect("findings");
        assert_eq!(findings.len(), 1, "{findings:?}");
        let message = findings[0]["message"].as_str().expect("a message");
        assert!(message.starts_with("Nested too deeply"), "{message}");
        assert_eq!(exit, Exit::Findings, "what was not read is not clean");
    }
    let (_, output) = run(MemorySystem::new(), &["validate", &format!("-var=a={list}")]);
    assert!(output.contains("rejected"), "a string is no expression: {output}");
    let system = MemorySystem::new().file("/m/b.tf", format!("{variable}}}"));
    let (_, output) = run(system, &["validate", "-var=a=x", &format!("-var=b={list}")]);
    assert!(output.contains("undecided") && !output.contains("No value for"), "{output}");
}

#[test]
fn a_decoded_text_that_nests_too_deeply_is_undecided() {
    let text = "[".repeat(20_001) + &"]".repeat(20_001);
    for function in ["jsondecode", "yamldecode"] {
        let rule = format!(
            "variable \"b\" {{\n  default = \"x\"\n  validation {{\n    condition = var.b == \"x\" && \
             length({function}(\"{text}\")) == 1\n    error_message = \"m\"\n  }}\n}}\n"
        );
        let system = MemorySystem::new().file("/m/b.tf", rule);
        let (exit, output) = run(system, &["validate", "-var=a=x"]);
        assert!(output.contains("exceeds the nesting limit"), "{}", output.len());
        assert!(
            output.ends_with("undecided: only a plan can decide (judged as Terraform 1.15.9)\n"),
            "{}",
            output.len()
        );
        assert_eq!(exit, Exit::Clean);
    }
}

#[test]
fn a_value_that_is_missing_is_reported_once() {
    let system = MemorySystem::new().file("/m/b.tf", "variable \"b\" {\n  default =\n}\n");
    let (_, output) = run(system, &["validate", "-var=a=x"]);
    assert_eq!(output.matches("error[").count(), 1, "{output}");
    assert!(output.starts_with("error[invalid-syntax]: Invalid expression"), "{output}");
}

/// The last lines for a module, and its JSON report.
fn accepted(files: &[(&str, &str)], flags: &[&str]) -> (String, serde_json::Value) {
    let system = || {
        let system = MemorySystem::new().working_in("/n");
        files.iter().fold(system, |it, (path, text)| it.file(format!("/n/{path}"), *text))
    };
    let run = |further: &[&str]| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let all = ["terraschema", "validate"].iter().chain(flags).chain(further);
        let all = all.map(Into::into).collect();
        let exit = terraschema::run(all, &system(), &mut Console::to(&mut stdout, &mut stderr));
        assert_eq!(exit, Exit::Clean, "{}", String::from_utf8_lossy(&stdout));
        String::from_utf8(stdout).unwrap()
    };
    (run(&[]), serde_json::from_str(&run(&["--format=json"])).unwrap())
}

const RESOURCE: &str = "resource \"null_resource\" \"a\" {}\ndata \"http\" \"b\" {}\n";
const AWAY: &str = "module \"vpc\" {\n  source = \"terraform-aws-modules/vpc/aws\"\n}\n";

#[test]
fn accept_says_what_it_leaves_out() {
    let here = "module \"here\" {\n  source = \"./here\"\n  a      = 1\n}\n";
    let whole = [("main.tf", here), ("here/main.tf", "variable \"a\" {}\n")];
    let (text, json) = accepted(&whole, &[]);
    assert_eq!(
        text,
        "accepted: Terraform would accept these inputs (judged as Terraform 1.15.9)\n"
    );
    assert_eq!(json["not_judged"], serde_json::json!([]));

    let (text, json) = accepted(&[("main.tf", RESOURCE)], &[]);
    assert_eq!(
        text,
        "accepted, apart from what providers check: Terraform would accept these inputs (judged as Terraform 1.15.9)\n"
    );
    let resources = serde_json::json!({"kind": "resources", "module": ".", "count": 2});
    assert_eq!(json["not_judged"], serde_json::json!([resources]));

    let nested = [("main.tf", here), ("here/main.tf", &format!("variable \"a\" {{}}\n{AWAY}"))];
    let (text, json) = accepted(&nested, &[]);
    assert_eq!(
        text,
        "not judged: module.here.module.vpc (its source \"terraform-aws-modules/vpc/aws\" is not \
         here)\naccepted, apart from modules that are not available: Terraform would accept these inputs (judged as Terraform 1.15.9)\n"
    );
    let call = &json["not_judged"][0];
    assert_eq!(
        (&call["kind"], &call["module"], &call["address"], &call["reason"]),
        (
            &"call".into(),
            &".".into(),
            &"module.here.module.vpc".into(),
            &"its source \"terraform-aws-modules/vpc/aws\" is not here".into()
        )
    );
    let at = &call["locations"][0];
    assert_eq!((&at["file"], &at["line"]), (&"here/main.tf".into(), &3.into()));
    assert_eq!(json["not_judged"].as_array().unwrap().len(), 1);
}

/// What a state holds, only a plan reads; that it is there is seen.
#[test]
fn of_the_built_in_provider_only_what_takes_anything_is_judged() {
    let data = |body: &str| format!("resource \"terraform_data\" \"a\" {{\n  {body}\n}}\n");
    let state = "data \"terraform_remote_state\" \"a\" {\n  backend = \"local\"\n}\n".to_owned();
    // Terraform refuses an empty file: "Unable to find remote state".
    let empty = "{\"version\": 4, \"terraform_version\": \"1.11.4\", \"serial\": 1, \
        \"lineage\": \"x\", \"outputs\": {}, \"resources\": []}";
    for (module, count) in [(data("input = 1"), 0), (state, 1)] {
        let (_, json) = accepted(&[("main.tf", &module), ("terraform.tfstate", empty)], &[]);
        assert_eq!(json["not_judged"].as_array().unwrap().len(), count, "{module}");
    }
}

#[test]
fn verbose_shows_each_place_that_is_not_judged() {
    let files = [("main.tf", AWAY), ("resources.tf", RESOURCE)];
    let (text, _) = accepted(&files, &["-v"]);
    assert_eq!(
        text,
        "note: not judged: module.vpc (its source \"terraform-aws-modules/vpc/aws\" is not here)\n \
         --> main.tf:2:12\n  |\n2 |   source = \"terraform-aws-modules/vpc/aws\"\n  |            \
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n\n\
         note: not judged: 2 resources, whose arguments only their providers know\n--> .\n\n\
         accepted, apart from what providers check and modules that are not available: Terraform would accept these \
         inputs (judged as Terraform 1.15.9)\n"
    );
    let (text, _) = accepted(&files, &["-q"]);
    assert_eq!(
        text,
        "accepted, apart from what providers check and modules that are not available: Terraform would accept these \
         inputs (judged as Terraform 1.15.9)\n"
    );
    let (text, _) = accepted(&files, &["--format=markdown"]);
    assert_eq!(
        text,
        "## terraschema: accepted, apart from what providers check and modules that are not available; 0 errors, 0 \
         warnings, judged as Terraform 1.15.9\n\n<details><summary>not judged: 1 call of a module that is not available</summary>\n\n\
         - `main.tf:2`: `module.vpc (its source \"terraform-aws-modules/vpc/aws\" is not here)`\n\
         - `.`: `2 resources, whose arguments only their providers know`\n\n</details>\n\n"
    );
}

/// A finding in a called module says which.
#[test]
fn a_finding_names_the_called_module() {
    let root = "module \"a\" {\n  source = \"./a\"\n  n      = 1\n}\n";
    let called = "variable \"n\" {\n  validation {\n    condition     = var.n > 1\n    \
                  error_message = \"No.\"\n  }\n}\n";
    let system = || {
        let system = MemorySystem::new().file("/m/a/main.tf", called);
        system.file("/m/z.tf", root)
    };
    let (_, text) = run(system(), &["validate", "-var=a=x"]);
    assert!(text.contains("\n  = note: in module.a\n"), "{text}");
    let (_, text) = run(system(), &["validate", "-var=a=x", "--format=concise"]);
    assert_eq!(text, "z.tf:3:12: error[failed-validation] No. (in module.a)\n");
}
