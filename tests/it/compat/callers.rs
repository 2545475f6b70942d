//! Calls of changed modules.

use system::MemorySystem;
use terraschema::Exit;
use testkit::workspace::Workspace;

use super::compat;

const BEFORE: &str = "variable \"name\" {\n  type = string\n}\n\nvariable \"n\" {\n  type    = number\n  default = 1\n}\n\noutput \"id\" {\n  value = 1\n}\n";

fn after() -> String {
    let rule = "  validation {\n    condition     = length(var.name) <= 5\n    error_message = \"Short.\"\n  }\n";
    let text = BEFORE.replacen("string\n", &format!("string\n{rule}"), 1);
    text.replace("default = 1", "default = 1\n  nullable = false").replace("\"id\"", "\"key\"")
}

/// The findings about callers.
fn told(system: MemorySystem) -> String {
    let system = system.working_in("/r").file("/r/before/main.tf", BEFORE);
    let system = system.file("/r/after/main.tf", after());
    let (_, text, problems) = compat(&system, "before after --callers live --format concise");
    assert_eq!(problems, "");
    text.lines().filter(|it| it.contains("-call]")).map(|it| format!("{it}\n")).collect()
}

fn caller(text: &str) -> MemorySystem {
    MemorySystem::new().file("/r/live/main.tf", text)
}

#[test]
fn each_broken_call_is_told_with_its_place() {
    let text = told(caller(
        "locals {\n  long = \"production\"\n}\nvariable \"stage\" {\n  default = \"development\"\n}\nmodule \"a\" {\n  source = \"../after\"\n  name   = \
         local.long\n}\nmodule \"b\" {\n  source = \"../before\"\n  name   = var.stage\n}\nmodule \"c\" {\n  source = \"../after\"\n  name   = \
         \"x\"\n  n      = null\n}\nmodule \"d\" {\n  source = \"../after\"\n  name   = \"x\"\n}\nmodule \"e\" {\n  source = \"../after\"\n  \
         name   = []\n}\n",
    ));
    let expected = [
        "live/main.tf:9:12: error[broken-call] The change breaks a call: Short. (in module.a)",
        "live/main.tf:13:12: error[broken-call] The change breaks a call: Short. (in module.b)",
        "live/main.tf:18:12: error[broken-call] The change breaks a call: a null becomes the default (n) (in module.c)",
    ];
    for line in expected {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(text.lines().count(), expected.len(), "{text}");
}

#[test]
fn what_refers_to_an_output_that_is_gone_is_told() {
    let text = told(caller(
        "module \"d\" {\n  source = \"../after\"\n  name   = \"x\"\n}\noutput \"o\" {\n  value = module.d.id\n}\n",
    ));
    let line =
        "live/main.tf:6:20: error[broken-call] The change breaks a call: Unsupported attribute";
    assert!(text.starts_with(line) && text.lines().count() == 1, "{text}");
}

#[test]
fn what_only_a_plan_knows_is_told() {
    let text = told(caller(
        "variable \"stage\" {\n  type = string\n}\nmodule \"a\" {\n  source = \"../after\"\n  name   = var.stage\n}\n",
    ));
    let line = "live/main.tf:6:12: warning[undecided-call] Cannot decide whether the change breaks this call: the value of \"name\" is known only to a plan. A rule of \"name\" rejects";
    assert!(text.starts_with(line) && text.lines().count() == 1, "{text}");
}

#[test]
fn calls_through_other_modules_are_judged() {
    let wrapper = "variable \"stage\" {\n  type = string\n}\nmodule \"a\" {\n  source = \"../after\"\n  name   = var.stage\n}\n";
    let system =
        caller("module \"w\" {\n  source = \"../wrapper\"\n  stage  = \"production\"\n}\n");
    let text = told(system.file("/r/wrapper/main.tf", wrapper));
    assert!(
        text.contains("broken-call] The change breaks a call: Short. (in module.w.module.a)"),
        "{text}"
    );
}

#[test]
fn comments_accept_a_broken_call_and_secrets_are_not_shown() {
    let call = "module \"a\" {\n  source = \"../after\"\n  # terraschema:ignore broken-call meant so\n  name   = \"production\"\n}\n";
    assert_eq!(told(caller(call)), "");
    let secret = BEFORE.replacen("string", "string\n  sensitive = true", 1);
    let system = caller("module \"a\" {\n  source = \"../after\"\n  name   = \"hunter2222\"\n}\n");
    let system = system.working_in("/r").file("/r/before/main.tf", secret);
    let system = system.file("/r/after/main.tf", after().replace("Short.", "No ${var.name}."));
    for format in ["human", "json", "sarif"] {
        let (exit, text, _) =
            compat(&system, &format!("before after --callers live --format {format}"));
        assert!(exit == Exit::Findings && text.contains("broken-call"), "{text}");
        assert!(!text.contains("hunter2222"), "{format}: {text}");
    }
}

#[test]
fn callers_are_judged_with_the_module_at_a_revision() {
    let space = Workspace::repository();
    space.write("m/main.tf", BEFORE);
    let call = "module \"a\" {\n  source = \"../m\"\n  name   = \"production\"\n}\n";
    space.write("live/main.tf", call).commit("one");
    space.write("m/main.tf", after());
    let answer = space.terraschema("compat HEAD --callers live --format concise");
    assert!(answer.stdout.contains("live/main.tf:3:12: error[broken-call]"), "{}", answer.text());
    assert_eq!(answer.code, 1);
    let answer = space.terraschema("compat HEAD --callers nowhere");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("nowhere"), "{}", answer.stderr);
}

/// Each instance has its own arguments: `count.index` and `each.value` are known, where the number is.
#[test]
fn each_instance_of_a_call_is_judged() {
    let text = r#"
module "counted" {
  source = "../after"
  count  = 3
  name   = "n${count.index}"
}

module "long" {
  source = "../after"
  count  = 3
  name   = "long-long-long-${count.index}"
}

module "each" {
  source   = "../after"
  for_each = { a = "fine", b = "much-too-long-for-it" }
  name     = each.value
}

module "open" {
  source   = "../after"
  for_each = toset([null_resource.r.id])
  name     = each.key
}

resource "null_resource" "r" {}
"#;
    let text = told(caller(text));
    let lines: Vec<&str> = text.lines().filter(|it| it.contains("-call]")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].contains("broken-call") && lines[0].contains("module.long"), "{text}");
    assert!(lines[1].contains("broken-call") && lines[1].contains("module.each"), "{text}");
    assert!(lines[2].contains("undecided-call") && lines[2].contains("module.open"), "{text}");
}
