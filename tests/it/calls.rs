//! Tests of module calls in `check` and `validate`: where the called module is found, what is judged,
//! at which level, and what no text shows.

use diagnostics::{Finding, lints};
use report::{NotJudgedKind, Report, from_json};
use system::{MemorySystem, System};
use terraschema::{Console, Exit, run};

/// Takes names of at least three letters, and outputs its own name.
const NAMED: &str = r#"
variable "name" {
  type = string
  validation {
    condition     = length(var.name) >= 3
    error_message = "The name ${var.name} is too short."
  }
}
output "name" {
  value = var.name
}
"#;

fn invoke(system: &dyn System, arguments: &[&str]) -> (Exit, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let arguments = ["terraschema"].iter().chain(arguments).map(Into::into).collect();
    let exit = run(arguments, system, &mut console);
    drop(console);
    (exit, String::from_utf8(stdout).unwrap())
}

fn report(system: &dyn System, arguments: &[&str]) -> Report {
    let (_, stdout) = invoke(system, &[arguments, &["--format", "json", "-v"]].concat());
    from_json(&stdout).unwrap_or_else(|it| panic!("{it}: {stdout}"))
}

/// `LEVEL RULE ADDRESS FILE:LINE` of each finding, except for those about schemas.
fn found(system: &dyn System, arguments: &[&str]) -> Vec<String> {
    let is_of_schema =
        |it: &&Finding| ["missing-schema", "null-crashes-validation"].contains(&it.rule.as_str());
    let report = report(system, arguments);
    let findings = report.findings.iter().filter(|it| !is_of_schema(it));
    let line = |it: &Finding| {
        let place = it.locations.first().map(|it| format!("{}:{}", it.file, it.line));
        format!("{} {} {} {}", it.level.as_str(), it.rule, it.address, place.unwrap_or_default())
    };
    findings.map(line).collect()
}

fn tree(root: &str) -> MemorySystem {
    MemorySystem::new()
        .file("/r/live/main.tf", root)
        .file("/r/named/main.tf", NAMED)
        .working_in("/r")
}

/// Each of the modules calls the next; the last refuses its argument.
#[test]
fn sixty_four_calls_in_a_row_are_followed() {
    let chain = |calls: usize| {
        let system = (0..calls).fold(MemorySystem::new(), |system, at| {
            let next =
                format!("module \"m\" {{\n  source = \"../m{}\"\n  name   = \"ab\"\n}}\n", at + 1);
            let takes = if at == 0 { "" } else { "variable \"name\" {}\n" };
            system.file(format!("/r/m{at}/main.tf"), takes.to_owned() + &next)
        });
        system.file(format!("/r/m{calls}/main.tf"), NAMED).working_in("/r")
    };
    let far = |calls: usize| {
        let found = found(&chain(calls), &["check", "m0"]);
        found.iter().any(|it| it.contains("failed-validation"))
    };
    assert_eq!([1, 63, 64, 65].map(far), [true, true, true, false]);
    let report = report(&chain(65), &["check", "m0"]);
    let left = format!("{:?}", report.not_judged);
    assert!(left.contains("more than 64 calls lead to it"), "{left}");
}

/// Some call a module by the place where `terraform init` puts what another call brings.
#[test]
fn a_path_into_what_init_writes_is_followed_where_init_has_run() {
    let root = "module \"m\" {\n  source = \"./.terraform/modules/all/named\"\n  name = \"x\"\n}\n";
    let away = tree(root);
    let left = report(&away, &["check"]).not_judged;
    let [left] = left.as_slice() else { panic!("{left:?}") };
    let NotJudgedKind::Call { reason, .. } = &left.what else { panic!("{left:?}") };
    assert!(reason.contains("exists only after `terraform init`"), "{reason}");
    assert_eq!(found(&away, &["check", "--initialised"]), Vec::<String>::new());
    let here = away.file("/r/live/.terraform/modules/all/named/main.tf", NAMED);
    assert_eq!(found(&here, &["check"]), Vec::<String>::new());
    let failed = ["error failed-validation module.m live/main.tf:3"];
    assert_eq!(found(&here, &["check", "--initialised"]), failed);
}

#[test]
fn an_argument_that_breaks_a_rule_is_an_error_without_any_inputs() {
    let system = tree("module \"a\" {\n  source = \"../named\"\n  name   = \"ab\"\n}\n");
    let found = report(&system, &["check"]);
    let finding = found.findings.iter().find(|it| it.rule == lints::FAILED_VALIDATION).unwrap();
    assert_eq!((finding.level.as_str(), finding.address.as_str()), ("error", "module.a"));
    assert_eq!(finding.message, "The name ab is too short.");
    let places: Vec<_> = finding.locations.iter().map(|it| (it.file.as_str(), it.line)).collect();
    assert_eq!(places, [("live/main.tf", 3), ("named/main.tf", 5)]);
    assert_eq!(report(&system, &["check", "--no-calls"]).count(finding.level), 1, "the schema");
    let system = system.file("/r/.terraschema.hcl", "calls = false\n");
    assert_eq!(report(&system, &["check"]).count(finding.level), 1, "the schema");
}

#[test]
fn values_flow_through_calls_and_back() {
    let root = r#"
variable "prefix" {
  type = string
}
module "a" {
  source = "../named"
  name   = var.prefix
}
module "b" {
  source   = "../named"
  for_each = toset(["x", "yyy"])
  name     = "${each.key}${module.a.name}"
}
output "all" {
  value = [for it in module.b : it.name]
  precondition {
    condition     = module.b["yyy"].name != "yyyabc"
    error_message = "Taken."
  }
}
"#;
    let system = tree(root).file("/r/live/terraform.tfvars", "prefix = \"a\"\n");
    let a = "error failed-validation module.a live/main.tf:7";
    assert_eq!(found(&system, &["check"]), [a], "what depends on it is not judged");
    let system = system.file("/r/live/terraform.tfvars", "prefix = \"abc\"\n");
    assert_eq!(found(&system, &["check"]), ["error failed-condition  live/main.tf:17"]);
    let system = system.file("/r/live/terraform.tfvars", "prefix = \"abcd\"\n");
    assert_eq!(found(&system, &["check"]), Vec::<String>::new());
    let report = report(&system, &["validate", "-i", "live"]);
    assert_eq!(report.verdict().unwrap().as_str(), "accept");
    assert!(report.not_judged.is_empty());
}

#[test]
fn what_fails_with_defaults_alone_is_a_note() {
    let root = "variable \"n\" {\n  default = \"\"\n}\nmodule \"a\" {\n  source = \"../named\"\n  name   = var.n\n}\n";
    let note = "note failed-validation module.a live/main.tf:6";
    assert_eq!(found(&tree(root), &["check"]), [note]);
    let given = tree(root).file("/r/live/terraform.tfvars", "n = \"\"\n");
    assert_eq!(found(&given, &["check"]), [note.replace("note", "error")]);
    let required = root.replace("  default = \"\"\n", "");
    assert_eq!(found(&tree(&required), &["check"]), Vec::<String>::new(), "it is not known");
}

#[test]
fn what_is_wrong_in_a_called_module_is_said_once() {
    let calls = "module \"a\" {\n  source = \"../broken\"\n}\nmodule \"b\" {\n  source = \"../broken\"\n}\n";
    let broken = "output \"o\" {\n  value = local.nope\n}\n";
    let system = tree(calls).file("/r/broken/main.tf", broken).file("/r/other/main.tf", calls);
    assert_eq!(found(&system, &["check"]), ["error undeclared-reference  broken/main.tf:2"]);
    // Where only the caller is asked for, it is said there.
    let at = ["error undeclared-reference module.a broken/main.tf:2"];
    assert_eq!(found(&system, &["check", "live"]), at);
    let silent =
        broken.replace("local.nope", "local.nope # terraschema:ignore undeclared-reference why");
    let system = system.file("/r/broken/main.tf", silent);
    assert_eq!(found(&system, &["check"]), Vec::<String>::new());
    assert_eq!(found(&system, &["check", "live"]), Vec::<String>::new());
    let system = system.file("/r/broken/main.tf", "variable \"x\" {\n  type =\n}\n");
    assert_eq!(found(&system, &["check"]), ["error invalid-syntax  broken/main.tf:2"]);
}

#[test]
fn only_attributes_that_are_written_out_are_dropped_ones() {
    let typed = "variable \"x\" {\n  type = object({ a = string })\n}\n";
    let call = "locals {\n  wide = { a = \"1\", b = \"2\" }\n}\nmodule \"a\" {\n  source = \"../typed\"\n  x      = VALUE\n}\n";
    let dropped = |value: &str| {
        let system = tree(&call.replace("VALUE", value)).file("/r/typed/main.tf", typed);
        found(&system, &["check"])
    };
    assert_eq!(dropped("local.wide"), Vec::<String>::new());
    assert_eq!(
        dropped("{ a = \"1\", b = \"2\" }"),
        ["error unknown-attribute module.a live/main.tf:6"]
    );
}

#[test]
fn a_secret_is_hidden_across_calls() {
    let secret = "variable \"pw\" {\n  type      = string\n  sensitive = true\n  validation {\n    condition     = length(var.pw) > 20\n    error_message = \"bad ${var.pw}\"\n  }\n}\nmodule \"n\" {\n  source = \"../named\"\n  name   = substr(var.pw, 0, 2)\n}\n";
    let root = "variable \"own\" {\n  default   = \"own-hunter2\"\n  sensitive = true\n}\nmodule \"a\" {\n  source = \"../secret\"\n  pw     = \"hunter2\" # was hunter1\n}\nmodule \"b\" {\n  source = \"../named\"\n  name   = substr(var.own, 0, 2)\n}\nmodule \"c\" {\n  source = \"../secret\"\n  pw     = \"hunter2 and twenty more\"\n}\n";
    let system = tree(root).file("/r/secret/main.tf", secret);
    for format in ["human", "concise", "json", "sarif", "github", "junit", "gitlab", "markdown"] {
        for command in [&["check"][..], &["validate", "-i", "live"]] {
            let (_, stdout) = invoke(&system, &[command, &["--format", format, "-v"]].concat());
            assert!(!stdout.contains("hunter") && !stdout.contains(" ow"), "{format}: {stdout}");
        }
    }
    let errors = found(&system, &["validate", "-i", "live"]);
    assert_eq!(errors, ["error failed-validation module.a live/main.tf:7"]);
}

#[test]
fn modules_from_elsewhere_are_found_or_named() {
    let root = "module \"vpc\" {\n  source  = \"terraform-aws-modules/vpc/aws\"\n  version = \"~> 5.0\"\n  name    = \"ab\"\n}\n";
    let away = tree(root);
    let report = report(&away, &["check"]);
    let [left] = report.not_judged.as_slice() else { panic!("{:?}", report.not_judged) };
    assert!(matches!(&left.what, NotJudgedKind::Call { address, .. } if address == "module.vpc"));
    let error = ["error failed-validation module.vpc live/main.tf:4"];
    let contract = "contract \"terraform-aws-modules/vpc/aws\" {\n  version = \"~> 5.0\"\n  path    = \"named\"\n}\n";
    let system = tree(root).file("/r/.terraschema.hcl", contract);
    assert_eq!(found(&system, &["check"]), error);
    assert_eq!(found(&system, &["validate", "-i", "live"]), error);
    let manifest = r#"{"Modules": [{"Key": "", "Source": "", "Dir": "."}, {"Key": "vpc", "Source": "registry.terraform.io/terraform-aws-modules/vpc/aws", "Version": "5.1.0", "Dir": ".terraform/modules/vpc"}]}"#;
    let installed = tree(root)
        .file("/r/live/.terraform/modules/modules.json", manifest)
        .file("/r/live/.terraform/modules/vpc/main.tf", NAMED);
    assert_eq!(found(&installed, &["check"]), Vec::<String>::new(), "only where it is asked for");
    assert_eq!(found(&installed, &["check", "--initialised"]), error);
    assert_eq!(found(&installed, &["validate", "-i", "live"]), error);
    let moved = tree(root)
        .file("/r/live/data/modules/modules.json", manifest)
        .file("/r/live/.terraform/modules/vpc/main.tf", NAMED)
        .with_env("TF_DATA_DIR", "data");
    assert_eq!(found(&moved, &["validate", "-i", "live"]), error);
}

#[test]
fn a_contract_stands_for_modules_of_the_same_registry() {
    let call = |source: &str| {
        tree(&format!(
            "module \"m\" {{\n  source  = \"{source}\"\n  version = \"1.0.0\"\n  name    = \"ab\"\n}}\n"
        ))
    };
    let contract = |source: &str| format!("contract \"{source}\" {{\n  path = \"named\"\n}}\n");
    for (source, other) in [
        ("app.terraform.io/org/name/aws", "org/name/aws"),
        ("org/name/aws", "app.terraform.io/org/name/aws"),
        ("app.terraform.io/org/name/aws", "registry.example.com/org/name/aws"),
    ] {
        let system = call(source).file("/r/.terraschema.hcl", contract(source));
        let failed = ["error failed-validation module.m live/main.tf:4"];
        assert_eq!(found(&system, &["check"]), failed, "{source}");
        let system = call(source).file("/r/.terraschema.hcl", contract(other));
        let failed = found(&system, &["check"]).iter().any(|it| it.contains("failed-validation"));
        assert!(!failed, "{source}, {other}");
    }
}

#[test]
fn calls_that_lead_nowhere_or_back_are_told_at_their_source() {
    let call = |source: &str| format!("module \"a\" {{\n  source = \"{source}\"\n}}\n");
    let system = tree(&call("../nowhere"));
    assert_eq!(found(&system, &["check"]), ["error missing-module  live/main.tf:2"]);
    let system = tree(&call("../back")).file("/r/back/main.tf", call("../live"));
    let expected = ["error missing-module  back/main.tf:2", "error missing-module  live/main.tf:2"];
    assert_eq!(found(&system, &["check"]), expected);
    let report = report(&system, &["validate", "-i", "live"]);
    assert_eq!(report.verdict().unwrap().as_str(), "reject");
}

#[test]
fn a_tree_that_grows_without_end_ends_in_the_budget() {
    let mut system = MemorySystem::new().working_in("/r/m0");
    for n in 0..40 {
        let call = |name: &str| format!("module \"{name}\" {{\n  source = \"../m{}\"\n}}\n", n + 1);
        let text = if n == 39 { String::new() } else { call("l") + &call("r") };
        system = system.file(format!("/r/m{n}/main.tf"), text);
    }
    let report = report(&system, &["validate"]);
    assert_eq!(report.verdict().unwrap().as_str(), "undecided");
    assert!(report.findings.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED));
    assert!(report.not_judged.len() < 10);
}

#[test]
fn a_chain_of_fifty_calls_is_judged_to_its_end() {
    let mut system = MemorySystem::new().file("/r/m50/main.tf", NAMED).working_in("/r/m0");
    for n in 0..50 {
        let (variable, value) = match n {
            0 => ("", "\"ab\""),
            _ => ("variable \"name\" {}\n", "var.name"),
        };
        let call =
            format!("module \"n\" {{\n  source = \"../m{}\"\n  name   = {value}\n}}\n", n + 1);
        system = system.file(format!("/r/m{n}/main.tf"), format!("{variable}{call}"));
    }
    let address = vec!["module.n"; 50].join(".");
    let expected = format!("error failed-validation {address} ../m49/main.tf:4");
    assert_eq!(found(&system, &["validate"]), [expected]);
}

#[test]
fn eval_knows_what_modules_give() {
    let root = "module \"a\" {\n  source = \"../named\"\n  name   = \"abc\"\n}\nmodule \"b\" {\n  source = \"../named\"\n  count  = 2\n  name   = \"b${count.index}x\"\n}\n";
    let system = tree(root).working_in("/r/live");
    let (_, stdout) = invoke(&system, &["eval", "module.a.name"]);
    assert_eq!(stdout, "\"abc\"\n");
    let (_, stdout) = invoke(&system, &["eval", "--format", "json", "module.b[*].name"]);
    assert!(stdout.contains("b0x") && stdout.contains("b1x"), "{stdout}");
}

/// Ephemeral and deprecated outputs are for callers. Whether a module is called is not known in `check`,
/// and `validate` plans it.
#[test]
fn what_no_root_module_may_have_is_told_where_it_is_planned() {
    for output in ["deprecated = \"Use ids.\"\n  value = 1", "ephemeral = true\n  value = 1"] {
        let system = MemorySystem::new()
            .file("/m/main.tf", format!("output \"id\" {{\n  {output}\n}}\n"))
            .working_in("/m");
        assert_eq!(found(&system, &["check"]), [""; 0], "{output}");
        let told = ["error failed-evaluation  main.tf:1"];
        assert_eq!(found(&system, &["validate"]), told, "{output}");
    }
}

/// A module is read once for all of its callers, and a value that passed its rules is not judged again; but a
/// relative path starts at each caller.
#[test]
fn a_rule_that_looks_at_files_is_judged_for_each_caller() {
    let named = "variable \"name\" {\n  type = string\n  validation {\n    condition = var.name == \"x\" && fileexists(\"yes\")\n    error_message = \"No.\"\n  }\n}\n";
    let call = "module \"m\" {\n  source = \"../named\"\n  name = \"x\"\n}\n";
    let system = MemorySystem::new().working_in("/r").file("/r/named/main.tf", named);
    let system = ["a", "b", "c", "d", "e", "f"].iter().fold(system, |system, dir| {
        let system = system.file(format!("/r/{dir}/main.tf"), call);
        // Whichever is judged first, one without the file is judged behind one with it.
        let has_file = ["a", "c", "d", "f"].contains(dir);
        if has_file { system.file(format!("/r/{dir}/yes"), "") } else { system }
    });
    let of_callers = found(&system, &["check"]).into_iter().filter(|it| it.contains("module.m"));
    let failed =
        ["b", "e"].map(|it| format!("error failed-validation module.m {it}/main.tf:3")).to_vec();
    assert_eq!(of_callers.collect::<Vec<_>>(), failed);
}

/// `terraform init` writes down where a module came from, with the host of its registry.
#[test]
fn what_was_installed_from_another_source_is_not_judged() {
    for (source, installed, is_same) in [
        ("a/b/c", "registry.terraform.io/a/b/c", true),
        ("registry.terraform.io/a/b/c", "a/b/c", true),
        ("a/b/c", "registry.terraform.io/a/b/d", false),
        ("a/b/c", "x.example/a/b/c", false),
        ("x.example/a/b/c", "x.example/a/b/c", true),
        ("x.example/a/b/c", "x.example/a/b/d", false),
        ("a/b/c//named", "registry.terraform.io/a/b/c//named", true),
        ("a/b/c//named", "registry.terraform.io/a/b/c//other", false),
        // Nobody knows what else it writes for the same place.
        ("github.com/a/b", "git::https://github.com/a/b.git", true),
        ("git::https://github.com/a/b", "git::https://github.com/a/c", true),
    ] {
        let root = format!("module \"m\" {{\n  source = \"{source}\"\n  name   = \"ab\"\n}}\n");
        let manifest = format!(
            r#"{{"Modules": [{{"Key": "m", "Source": "{installed}", "Dir": ".terraform/modules/m"}}]}}"#
        );
        let system = tree(&root)
            .file("/r/live/.terraform/modules/modules.json", manifest)
            .file("/r/live/.terraform/modules/m/main.tf", NAMED);
        let found = found(&system, &["check", "--initialised"]);
        let is_judged = found == ["error failed-validation module.m live/main.tf:3"];
        assert!(is_judged || found.is_empty(), "{source}: {found:?}");
        assert_eq!(is_judged, is_same, "{source}, {installed}");
    }
}

#[test]
fn an_argument_that_names_no_variable_is_told_of_the_called_module() {
    let root = "module \"m\" {\n  source = \"../named\"\n  name   = \"abc\"\n  other  = 1\n}\n";
    let error = ["error unsupported-argument module.m live/main.tf:4"];
    assert_eq!(found(&tree(root), &["check"]), error);
}

/// OpenTofu takes a source from variables; without inputs it may be anything.
#[test]
fn a_source_that_hangs_on_inputs_is_open_without_them() {
    let main = |default: &str| {
        format!(
            "variable \"v\" {{\n{default}}}\nmodule \"m\" {{\n  source = \"../${{var.v}}\"\n  name   = \"ab\"\n}}\n"
        )
    };
    let of_tofu = |main: &str| tree(main).file("/r/.terraschema.hcl", "opentofu = true\n");
    let open = of_tofu(&main(""));
    assert_eq!(found(&open, &["check"]), Vec::<String>::new());
    let [left] = &report(&open, &["check"]).not_judged[..] else { panic!("nothing is left") };
    assert!(matches!(&left.what, NotJudgedKind::Call { address, .. } if address == "module.m"));
    let given = open.file("/r/live/terraform.tfvars", "v = \"named\"\n");
    let failed = "error failed-validation module.m live/main.tf:5";
    assert_eq!(found(&given, &["validate", "-i", "live"]), [failed]);
}

/// As Terraform 1.15.9 and OpenTofu 1.12.6 warned, apart from values that a `for` hands on.
#[test]
fn deprecated_variables_and_outputs_are_reported_where_they_are_used() {
    const CALLED: &str = r#"
variable "old" {
  default    = "d"
  deprecated = "Use new."
}
variable "new" {
  default = 1
}
output "gone" {
  value      = var.old
  deprecated = "Use stay."
}
output "stay" {
  value = 1
}
"#;
    let uses = |root: &str, values: &str| -> Vec<String> {
        let system = MemorySystem::new()
            .file("/r/live/main.tf", root)
            .file("/r/live/terraform.tfvars", values)
            .file("/r/m/main.tf", CALLED)
            .working_in("/r");
        let all = found(&system, &["check", "live"]);
        let of_use = all.iter().filter(|it| it.contains("deprecated-"));
        of_use
            .map(|it| it.replace("live/main.tf:", "").replace("warning deprecated-", ""))
            .collect()
    };
    let call = |rest: &str| format!("module \"n\" {{\n  source = \"../m\"\n{rest}}}\n");
    let argument = ["variable module.n 3".to_owned()];
    for argued in ["old = \"x\"\n", "old = local.a\n"] {
        assert_eq!(uses(&(call(argued) + "locals {\n  a = 1\n}\n"), ""), argument, "{argued}");
    }
    let repeated = "old = \"x\"\nfor_each = toset([])\n";
    assert_eq!(uses(&call(repeated), ""), argument, "without an instance");
    for silent in ["old = null\n", "old = (null)\n", "new = 2\n", ""] {
        assert_eq!(uses(&call(silent), ""), [""; 0], "{silent}");
    }
    for (repetition, value) in [
        ("", "module.n.gone"),
        ("", "length(module.n.gone)"),
        ("", "\"${module.n[\"gone\"]}!\""),
        ("", "false ? module.n.gone : 1"),
        ("", "try(module.n.gone, 1)"),
        ("", "{ (module.n.gone) = 1 }"),
        ("", "module.n.*.gone"),
        ("count = 2\n", "module.n[*].gone"),
        ("count = 2\n", "module.n[0].gone"),
        ("for_each = toset([\"a\"])\n", "[for it in [\"a\"] : module.n[it].gone]"),
    ] {
        for block in ["output \"o\" {\n  value", "locals {\n  o"] {
            let text = format!("{block} = {value}\n}}\n{}", call(repetition));
            assert_eq!(uses(&text, ""), ["output  2"], "{value}");
        }
    }
    for value in ["module.n.stay", "keys(module.n)", "[for gone in [1] : gone]"] {
        let text = format!("output \"o\" {{\n  value = {value}\n}}\n{}", call(""));
        assert_eq!(uses(&text, ""), [""; 0], "{value}");
    }
    let own = "variable \"old\" {\n  default    = 1\n  deprecated = \"Use new.\"\n}\n";
    let text = own.to_owned() + "output \"o\" {\n  value = var.old\n}\n";
    assert_eq!(uses(&text, "old = 2\n"), ["variable  live/terraform.tfvars:1"]);
    assert_eq!(uses(&text, "old = null\n"), [""; 0]);
    assert_eq!(uses(&text, ""), [""; 0], "reading its own variable is no use of it");
    // Terraform warns where the value is used further, which is not in this module.
    let handed_on = "output \"o\" {\n  value      = module.n.gone\n  deprecated = \"No.\"\n}\n";
    assert_eq!(uses(&(handed_on.to_owned() + &call("")), ""), [""; 0]);
}
