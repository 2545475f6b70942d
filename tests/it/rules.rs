//! Rules about modules and inputs, as `terraschema check` reports them.

use system::{MemorySystem, System};
use terraschema::Console;

/// Runs `check` in `/m` and gives the findings in the concise format, except for those about
/// schemas.
fn check(flags: &[&str], system: &MemorySystem) -> Vec<String> {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let arguments = ["terraschema", "check", "--format=concise", "-v"].iter().chain(flags);
    let arguments = arguments.map(Into::into).collect();
    terraschema::run(arguments, system, &mut Console::to(&mut stdout, &mut stderr));
    let output = String::from_utf8(stdout).unwrap();
    let about_schemas = ["[missing-schema]", "[untranslated-", "[weakened-"];
    let kept = output.lines().filter(|line| !about_schemas.iter().any(|it| line.contains(it)));
    kept.map(str::to_owned).collect()
}

fn module(text: &str) -> MemorySystem {
    MemorySystem::new().working_in("/m").file("/m/variables.tf", text)
}

/// A variable with a type, a default if any, and one rule.
fn variable(ty: &str, default: &str, condition: &str) -> String {
    let default =
        if default.is_empty() { String::new() } else { format!("  default = {default}\n") };
    format!(
        "variable \"x\" {{\n  type = {ty}\n{default}  validation {{\n    condition = {condition}\n    \
         error_message = \"No.\"\n  }}\n}}\n"
    )
}

fn found(rule: &str, module_text: &str) -> usize {
    let findings = check(&[], &module(module_text));
    findings.iter().filter(|it| it.contains(&format!("[{rule}]"))).count()
}

#[test]
fn defaults_are_tried_against_their_own_rules() {
    let cases = [
        // type, default, condition, findings
        ("number", "5", "var.x >= 10", 1),
        ("number", "15", "var.x >= 10", 0),
        // Converted first.
        ("string", "5", "var.x == \"5\"", 0),
        ("number", "\"5\"", "var.x >= 10", 1),
        ("object({ a = optional(string, \"q\") })", "{}", "var.x.a == \"p\"", 1),
        ("object({ a = optional(string, \"q\") })", "{ a = \"p\" }", "var.x.a == \"p\"", 1),
        ("object({ a = optional(string, \"p\") })", "", "var.x.a == \"p\"", 0),
        (
            "list(object({ a = optional(number, 0) }))",
            "[]",
            "alltrue([for it in var.x : it.a > 0])",
            1,
        ),
        (
            "map(object({ o = optional(object({ a = optional(number, 0) }), {}) }))",
            "{}",
            "alltrue([for it in var.x : it.o.a > 0])",
            1,
        ),
        // The sample's own shape is not to blame.
        ("list(object({ a = optional(number, 0) }))", "", "length(var.x) > 5", 0),
        (
            "map(object({ a = optional(number, 0) }))",
            "",
            "alltrue([for k, it in var.x : k == \"p\"])",
            0,
        ),
        // What is unknown decides.
        (
            "object({ a = optional(number, 0), b = string })",
            "",
            "var.x.a > 0 || var.x.b == \"p\"",
            0,
        ),
        // A rule that crashes for every value is another finding.
        ("string", "\"q\"", "var.x == tostring(tonumber(\"q\"))", 0),
    ];
    for (ty, default, condition, count) in cases {
        let text = variable(ty, default, condition);
        assert_eq!(found("default-fails-validation", &text), count, "{text}");
    }
}

#[test]
fn other_variables_have_their_defaults_or_are_unknown() {
    let other = |default: &str| format!("variable \"y\" {{\n  type = number\n{default}}}\n");
    let rule = variable("number", "5", "var.x > var.y");
    let with_default = other("  default = 9\n") + &rule;
    assert_eq!(found("default-fails-validation", &with_default), 0);
    assert_eq!(found("conditionally-required", &with_default), 1);
    assert_eq!(found("conditionally-required", &(other("") + &rule)), 0);
    // Whatever the other is.
    let alone = variable("number", "5", "var.x > 6 && var.x > var.y");
    assert_eq!(found("default-fails-validation", &(other("  default = 9\n") + &alone)), 1);
}

#[test]
fn required_if_is_a_note_that_names_the_others() {
    let on = "variable \"on\" {\n  default = true\n}\nlocals {\n  is_on = var.on\n}\n";
    let cases = [
        ("string", "null", "!var.on || var.x != null", "x"),
        ("string", "null", "!local.is_on || var.x != null", "x"),
        ("object({ a = optional(string, \"q\") })", "", "!var.on || var.x.a != \"q\"", "x.a"),
    ];
    for (ty, default, condition, what) in cases {
        let findings = check(&[], &module(&(on.to_owned() + &variable(ty, default, condition))));
        let expected = format!(
            "note[conditionally-required] \"{what}\" is required while \"on\" has its default value: No."
        );
        assert!(findings.iter().any(|it| it.ends_with(&expected)), "{condition}: {findings:?}");
        assert_eq!(findings.iter().filter(|it| it.contains("[default-fails")).count(), 0);
    }
}

/// Five of them are named, and so is how many more there are.
#[test]
fn many_others_are_named_or_counted() {
    for (count, expected) in [
        (5, "\"a\" and \"b\" and \"c\" and \"d\" and \"e\" have their default values"),
        (7, "\"a\", \"b\", \"c\", \"d\", \"e\" and 2 more have their default values"),
    ] {
        let names = &["a", "b", "c", "d", "e", "f", "g"][..count];
        let others = names.iter().map(|it| format!("variable \"{it}\" {{\n  default = true\n}}\n"));
        let all: Vec<String> = names.iter().map(|it| format!("var.{it}")).collect();
        let rule = variable("string", "null", &format!("!({}) || var.x != null", all.join(" && ")));
        let findings = check(&[], &module(&(others.collect::<String>() + &rule)));
        assert!(findings.iter().any(|it| it.contains(expected)), "{findings:?}");
    }
}

#[test]
fn nulls_that_crash_are_one_finding_a_variable() {
    let text = "variable \"x\" {\n  type = object({ a = optional(string), b = optional(string), c = string })\n  \
                validation {\n    condition     = length(var.x.a) > 1 && length(var.x.b) > 1\n    \
                error_message = \"No.\"\n  }\n  validation {\n    condition     = length(var.x.c) > \
                1\n    error_message = \"No.\"\n  }\n}\n";
    let findings = check(&[], &module(text));
    let crashes: Vec<_> = findings.iter().filter(|it| it.contains("null-crashes-")).collect();
    assert_eq!(crashes.len(), 1, "{findings:?}");
    let of_a = "warning[null-crashes-validation] Leaving out \"x.a\" makes a rule of \"x\" fail";
    assert!(crashes[0].contains(of_a), "{findings:?}");
    let others = "The same happens with null, leaving out \"x.b\". 2 rules of the variable have this problem.";
    assert!(crashes[0].contains(others), "{findings:?}");
}

#[test]
fn what_is_missing_is_one_finding_of_each_input_set() {
    let module_text = "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\nvariable \"d\" {\n  \
                default = 1\n  validation {\n    condition     = var.d > 1 || var.c == 1\n    \
                error_message = \"No.\"\n  }\n}\n";
    let told = |system: &MemorySystem| {
        let found = check(&[], system).into_iter();
        found
            .filter(|it| it.contains("missing-variable") || it.contains("failed-"))
            .collect::<Vec<_>>()
    };
    // The environment or `-var` may give what the automatic values files lack.
    let system = module(module_text).file("/m/terraform.tfvars", "a = 1\n");
    let automatic = "terraform.tfvars:1:1: warning[missing-variable] No values for 2 required variables: \
                     \"b\", \"c\" have no defaults, and no values in the automatic values files.";
    assert_eq!(told(&system), [automatic]);
    // More may come with any other file, also for what has a default.
    let system = module(module_text).file("/m/x.tfvars", "a = 1\nc = 2\n");
    let open = "x.tfvars:1:1: warning[missing-variable] No value for the required variable \"b\": It has no \
                default, and no value in x.tfvars.";
    assert_eq!(told(&system), [open]);
    // So for an expression, unless it fails whatever is given.
    let local = |text: &str| {
        let system = module(module_text).file("/m/x.tfvars", "a = 1\nc = 2\n");
        system.file("/m/l.tf", format!("locals {{\n  l = {text}\n}}\n"))
    };
    assert_eq!(told(&local("var.d == 1 ? tonumber(\"x\") : 1")), [open]);
    assert_eq!(told(&local("tonumber(\"x\")")).len(), 2);
    // An `input` block says that nothing else does.
    let block = "input \"x\" {\n  files = [\"x.tfvars\"]\n}\n";
    let system = system.file("/m/.terraschema.hcl", block);
    assert_eq!(told(&system), [open.replace("warning", "error")]);
    let partial = block.replace("\n}", "\n  partial = true\n}");
    let system = system.file("/m/.terraschema.hcl", partial);
    assert_eq!(told(&system), [""; 0]);
}

#[test]
fn a_file_that_a_resource_awaits_is_not_judged() {
    let resource = "resource \"a\" \"b\" {\n  x = filesha256(\"${path.module}/build.zip\")\n  y = file(\"no.pem\")\n}\n";
    let rule = variable("number", "5", "var.x >= 10");
    let told = |text: &str| {
        let found = check(&[], &module(text)).into_iter();
        found.filter(|it| it.contains("failed-evaluation")).count()
    };
    assert_eq!(told(resource), 0);
    assert_eq!(found("default-fails-validation", &(resource.to_owned() + &rule)), 1);
    let all = check(&["--format=json"], &module(resource)).join("");
    assert_eq!(all.matches("Only a plan can decide whether a file exists").count(), 2, "{all}");
    // A rule needs the file, and so do an argument of a call and a local.
    let call = "module \"c\" {\n  source = \"./c\"\n  x      = file(\"no.pem\")\n}\n";
    let system = module(call).file("/m/c/v.tf", "variable \"x\" {}\n");
    let told = check(&[], &system);
    assert!(told.iter().any(|it| it.contains("failed-evaluation")), "{told:?}");
}

/// Terragrunt and pipelines write the configurations of providers before the plan.
#[test]
fn a_configuration_that_a_root_module_awaits_is_not_judged() {
    let main = "resource \"a_b\" \"c\" {\n  provider = a.there\n}\n\nmodule \"d\" {\n  source    = \"./d\"\n  \
                providers = { a.x = a.far }\n}\n";
    let demand = "terraform {\n  required_providers {\n    a = {\n      source = \"x/a\"\n      \
                  configuration_aliases = [a.x]\n    }\n  }\n}\n";
    let of = |main: &str, called: &str| module(main).file("/m/d/main.tf", called);
    let open = of(main, demand);
    assert_eq!(check(&[], &open), [""; 0]);
    let told = check(&["--format=json"], &open).join("");
    for name in ["a.there", "a.far"] {
        let open = format!("Only a plan can decide whether {name} is configured");
        assert_eq!(told.matches(&open).count(), 1, "{told}");
    }
    // What a call has to give is written in the call.
    let without = main.replace("  providers = { a.x = a.far }\n", "");
    let told = check(&[], &of(&without, demand));
    let lacks = |it: &String| it.contains("Missing required provider configuration");
    assert!(told.iter().any(lacks), "{told:?}");
    // A called module has the aliases that it demands.
    let told = check(&[], &of(main, "resource \"a_b\" \"c\" {\n  provider = a.none\n}\n"));
    let lacks = |it: &String| it.contains("There is no provider configuration a.none here.");
    assert!(told.iter().any(lacks), "{told:?}");
}

/// A directory may be called by a module elsewhere, which may have sensitive outputs of it.
#[test]
fn an_output_that_only_a_root_module_has_to_mark_is_not_judged() {
    let child = "variable \"p\" {\n  sensitive = true\n  type      = string\n}\noutput \"o\" {\n  value = var.p\n}\n";
    let told = check(&[], &module(child));
    assert_eq!(told, [""; 0]);
    let told = check(&["--format=json"], &module(child)).join("");
    let open = "Only a plan can decide whether output \\\"o\\\" must be sensitive";
    assert_eq!(told.matches(open).count(), 1, "{told}");
}

/// What one of them gives, the others do not lack.
#[test]
fn a_part_of_the_values_lacks_what_no_other_part_gives() {
    let main = "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\nvariable \"d\" {}\n";
    let system = |names: &[&str]| {
        let files = names.iter().zip(["a = 1\n", "b = 1\n", "c = 1\n"]);
        files.fold(module(main), |system, (name, text)| system.file(format!("/m/{name}"), text))
    };
    let lacking = |system: &MemorySystem| {
        let told = check(&[], system);
        let missing = told.into_iter().filter(|it| it.contains("missing-variable"));
        missing
            .map(|it| ["a", "b", "c", "d"].map(|name| it.contains(&format!("\"{name}\""))))
            .collect::<Vec<_>>()
    };
    let parts = system(&["one.tfvars", "two.tfvars", "three.tfvars"]);
    assert_eq!(lacking(&parts), [[false, false, false, true]; 3]);
    // Files of other directories belong to other environments.
    let apart = system(&["dev/x.tfvars", "prod/x.tfvars"]);
    assert_eq!(lacking(&apart), [[false, true, true, true], [true, false, true, true]]);
}

/// Files that give none of each other's variables look like parts of one set of values.
#[test]
fn what_a_part_of_the_values_leaves_to_defaults_is_open() {
    let main =
        "variable \"a\" {}\nvariable \"b\" {\n  default = {}\n}\nlocals {\n  c = var.b.x\n}\n";
    let of = |one: (&str, &str), other: (&str, &str)| {
        let system = module(main).file(format!("/m/{}", one.0), one.1);
        system.file(format!("/m/{}", other.0), other.1)
    };
    let told = |one, other| check(&[], &of(one, other));
    let error = "error[failed-evaluation] Unsupported attribute";
    let has_error = |told: &[String]| told.iter().any(|it| it.contains(error));
    let b = "b = { x = 1 }\n";
    let parts = of(("one.tfvars", "a = 1\n"), ("two.tfvars", b));
    assert!(!has_error(&check(&[], &parts)), "{:?}", check(&[], &parts));
    let open = "These files do not set all required variables, and the missing values may change this: With the values in these files \
                the plan fails: Unsupported attribute";
    let all = check(&["--format=json"], &parts).join("");
    assert_eq!(all.matches(open).count(), 1, "{all}");
    // One of them gives what the other gives: each is used alone.
    let both = format!("a = 2\n{b}");
    assert!(has_error(&told(("dev.tfvars", "a = 1\n"), ("prod.tfvars", &both))));
    // Files of other directories belong to other environments.
    assert!(has_error(&told(("dev/x.tfvars", "a = 1\n"), ("prod/x.tfvars", b))));
    assert!(has_error(&told(("dev.tfvars", "a = 1\n"), ("empty.tfvars", ""))));
}

#[test]
fn nulls_are_tried_under_both_semantics() {
    let guarded = "var.x == null || length(var.x) > 2";
    let version = |it: &str| format!("terraform {{\n  required_version = \"{it}\"\n}}\n");
    // Where null is not the default, it is a note.
    let required = |condition: &str| variable("string", "", condition);
    assert_eq!(found("null-crashes-validation", &required(guarded)), 1);
    let rule = |condition: &str| variable("string", "null", condition);
    let warned = |text: &str| {
        let findings = check(&[], &module(text));
        findings.iter().filter(|it| it.contains("warning[null-crashes-validation]")).count()
    };
    assert_eq!(warned(&rule(guarded)), 1);
    assert_eq!(warned(&(rule(guarded) + &version(">= 1.5"))), 1);
    assert_eq!(warned(&(rule(guarded) + &version(">= 1.12"))), 0);
    assert_eq!(warned(&rule("var.x == null ? true : length(var.x) > 2")), 0);
    assert_eq!(
        warned(&required(guarded).replace("type = string", "type = string\n  nullable = false")),
        0
    );
    // Without a guard null is refused in every version: a note.
    assert_eq!(warned(&required("length(var.x) > 2")), 0);
    assert_eq!(found("null-crashes-validation", &required("length(var.x) > 2")), 1);
    let list = "list(object({ a = optional(number) }))";
    let each = |it: &str| variable(list, "[]", &format!("alltrue([for it in var.x : {it}])"));
    assert_eq!(warned(&each("it.a == null || it.a > 2")), 1);
    assert_eq!(warned(&(each("it.a == null || it.a > 2") + &version(">= 1.12"))), 0);
    assert_eq!(warned(&(each("it.a > 2") + &version(">= 1.12"))), 1);
    assert_eq!(warned(&each("it.a == null ? true : it.a > 2")), 0);
}

#[test]
fn features_are_compared_with_required_version() {
    let cases = [
        ("sensitive = true", "0.13", true),
        ("sensitive = true", "0.14", false),
        ("nullable = false", "1.0", true),
        ("nullable = false", "1.1", false),
        ("type = object({ a = optional(string) })", "1.2", true),
        ("type = object({ a = optional(string) })", "1.3", false),
        ("ephemeral = true", "1.9", true),
        ("ephemeral = true", "1.10", false),
        ("deprecated = \"x\"", "1.14", true),
        ("deprecated = \"x\"", "1.15", false),
    ];
    for (argument, version, is_found) in cases {
        let text = format!(
            "terraform {{\n  required_version = \">= {version}\"\n}}\nvariable \"x\" {{\n  {argument}\n}}\n"
        );
        assert_eq!(found("required-version-too-low", &text) == 1, is_found, "{text}");
    }
    let rule = |condition: &str, version: &str| {
        let terraform = format!("terraform {{\n  required_version = \"{version}\"\n}}\n");
        terraform + "variable \"y\" {}\n" + &variable("string", "", condition)
    };
    let cases = [
        ("var.x != var.y", ">= 1.8", 1),
        ("var.x != var.y", "~> 1.9", 0),
        ("var.x != path.cwd", ">= 1.8", 0),
        ("startswith(var.x, \"a\")", ">= 1.2", 1),
        ("startswith(var.x, \"a\")", ">= 1.3, < 2.0", 0),
        ("alltrue([for it in [1] : strcontains(var.x, \"a\")])", ">= 1.4", 1),
    ];
    for (condition, version, count) in cases {
        let text = rule(condition, version);
        assert_eq!(found("required-version-too-low", &text), count, "{text}");
    }
}

#[test]
fn comments_silence_a_rule_where_they_stand() {
    let text = variable("number", "5", "var.x >= 10");
    let silences = |text: &str| found("default-fails-validation", text) == 0;
    let unused = |text: &str| found("unused-suppression", text);
    let comment = "terraschema:ignore default-fails-validation it is tried elsewhere";
    for comment in [format!("# {comment}"), format!("// {comment}"), format!("/* {comment} */")] {
        let before_block = format!("{comment}\n{text}");
        let on_header = text.replacen("{\n", &format!("{{ {comment}\n"), 1);
        let before_line = text.replace("  default", &format!("  {comment}\n  default"));
        let on_line = text.replace("= 5\n", &format!("= 5 {comment}\n"));
        for text in [before_block, on_header, before_line, on_line] {
            assert!(silences(&text), "{text}");
            assert_eq!(unused(&text), 0, "{text}");
        }
    }
    let elsewhere = format!("{text}\n# {comment}\nvariable \"y\" {{}}\n");
    let in_string = text.replace("\"No.\"", &format!("\"# {comment}\""));
    let without_reason = format!("# terraschema:ignore default-fails-validation\n{text}");
    let unknown_rule = format!("# terraschema:ignore default-fail because\n{text}");
    for (text, problems) in [(elsewhere, 1), (in_string, 0), (without_reason, 1), (unknown_rule, 1)]
    {
        assert!(!silences(&text), "{text}");
        assert_eq!(unused(&text), problems, "{text}");
    }
}

#[test]
fn comments_silence_in_values_files_too() {
    let values = "# terraschema:ignore undeclared-variable other modules share the file\nshared = 1\nother = 1\n";
    let system = module("variable \"x\" {\n  default = 1\n}\n").file("/m/terraform.tfvars", values);
    let findings = check(&[], &system);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].starts_with("terraform.tfvars:3:1: warning[undeclared-variable]"));
}

#[test]
fn comments_silence_the_whole_value_or_block_that_begins_there() {
    let comment = "# terraschema:ignore unknown-attribute another tool reads it";
    let silent = |text: &str| {
        let findings = check(&[], &module(TYPE).file("/m/terraform.tfvars", text));
        assert!(findings.is_empty(), "{text}\n{findings:?}");
    };
    silent(&format!("{comment}\nx = {{\n  a = 1\n  q = 2\n}}\n"));
    silent(&format!("x = {{ {comment}\n  a = 1\n  q = 2\n}}\n"));
    silent(&format!("x = {{\n  {comment}\n  o = {{\n    c = 1\n    q = 2\n  }}\n  a = 1\n}}\n"));
    silent(&format!("{comment}\nx = merge(\n  {{ q = 2 }}\n)\n").replace("merge", ""));
    let beyond = format!("x = {{\n  {comment}\n  o = {{\n    q = 2\n  }}\n  r = 1\n}}\n");
    let findings = check(&[], &module(TYPE).file("/m/terraform.tfvars", beyond));
    assert!(matches!(findings.as_slice(), [it] if it.contains("\"r\"")), "{findings:?}");
}

#[test]
fn a_comment_that_only_values_files_elsewhere_need_is_used() {
    let module = "variable \"x\" {\n  validation {\n    # terraschema:ignore failed-validation known\n    \
                  condition = var.x == 1\n    error_message = \"No.\"\n  }\n}\n";
    let system = MemorySystem::new().working_in("/m").file("/m/variables.tf", module);
    assert!(check(&[], &system)[0].contains("[unused-suppression]"));
    let system = system.file("/m/envs/main.tf", "locals {}\n").file("/m/envs/a.tfvars", "x = 2\n");
    assert_eq!(check(&[], &system), Vec::<String>::new());
}

const TYPE: &str = "variable \"x\" {\n  type = object({ a = optional(number), b = optional(number), o = optional(object({ c = optional(number) })) })\n}\n";

/// The file after `--fix-inputs`.
fn fixed(name: &str, text: &str) -> String {
    let system = module(TYPE).file(format!("/m/{name}"), text);
    let findings = check(&["--fix-inputs"], &system);
    let left: Vec<_> = findings.iter().filter(|it| it.contains("[unknown-attribute]")).collect();
    assert!(left.is_empty(), "{text}\n{left:?}");
    String::from_utf8(system.read(format!("/m/{name}").as_ref()).unwrap()).unwrap()
}

#[test]
fn fixes_remove_what_terraform_drops_and_nothing_else() {
    let native = [
        ("x = { a = 1, q = 2 }\n", "x = { a = 1 }\n"),
        ("x = { q = 2, a = 1 }\n", "x = { a = 1 }\n"),
        ("x = { a = 1, q = 2, b = 3 }\n", "x = { a = 1, b = 3 }\n"),
        ("x = { q = 2 }\n", "x = { }\n"),
        ("x = { q = 2, r = 3 }\n", "x = { }\n"),
        ("x = {\n  a = 1\n  q = 2\n  b = 3\n}\n", "x = {\n  a = 1\n  b = 3\n}\n"),
        ("x = {\n  a = 1,\n  q = 2,\n}\n", "x = {\n  a = 1,\n}\n"),
        ("x = {\r\n  a = 1\r\n  q = [\r\n    2,\r\n  ]\r\n}\r\n", "x = {\r\n  a = 1\r\n}\r\n"),
        (
            "# one\nx = {\n  # two\n  q = 2 # three\n  a = 1 # four\n}\n",
            "# one\nx = {\n  # two\n  # three\n  a = 1 # four\n}\n",
        ),
        (
            "x = {\n  o = { c = 1, q = 2 }\n  q = <<EOT\ntext\nEOT\n  a = 1\n}\n",
            "x = {\n  o = { c = 1 }\n  a = 1\n}\n",
        ),
        ("x = { a = 1 /* b */, q = 2 /* c */, b = 3 }\n", "x = { a = 1 /* b */, /* c */ b = 3 }\n"),
        ("\u{feff}x = { q = \"}, {\", a = 1 }\n", "\u{feff}x = { a = 1 }\n"),
        ("x = {\n  q = <<EOT\n}\nEOT\n}\n", "x = {\n}\n"),
        ("x = {\n  \"q\" : 2, \"a\" : 1\n}\n", "x = {\n  \"a\" : 1\n}\n"),
    ];
    for (text, expected) in native {
        assert_eq!(fixed("terraform.tfvars", text), expected, "{text}");
    }
    let json = [
        ("{\"x\": {\"a\": 1, \"q\": 2}}\n", "{\"x\": {\"a\": 1}}\n"),
        ("{\"x\": {\"q\": 2, \"a\": 1}}\n", "{\"x\": {\"a\": 1}}\n"),
        ("{\"x\": {\"q\": 2, \"r\": 3}}\n", "{\"x\": {}}\n"),
        ("{\"x\": {\"a\": 1\n, \"q\": 2\n, \"b\": 3}}\n", "{\"x\": {\"a\": 1\n, \"b\": 3}}\n"),
        ("{\"x\": {\"q\": 2\n, \"b\": 3}}\n", "{\"x\": { \"b\": 3}}\n"),
        ("{\"x\": {\"q\": \"},{\", \"o\": {\"q\": {\"q\": 1}}}}\n", "{\"x\": {\"o\": {}}}\n"),
        (
            "{\n  \"x\": {\n    \"a\": 1,\n    \"q\": [\n      2\n    ]\n  }\n}\n",
            "{\n  \"x\": {\n    \"a\": 1\n  }\n}\n",
        ),
        (
            "{\n  \"x\": {\n    \"q\": 2,\n    \"a\": 1\n  }\n}\n",
            "{\n  \"x\": {\n    \"a\": 1\n  }\n}\n",
        ),
        (
            "{\n  \"x\": {\n    \"a\": 1,\n    \"q\": 2,\n    \"r\": 2\n  }\n}\n",
            "{\n  \"x\": {\n    \"a\": 1\n  }\n}\n",
        ),
    ];
    for (text, expected) in json {
        assert_eq!(fixed("terraform.tfvars.json", text), expected, "{text}");
    }
}

#[test]
fn nothing_else_is_fixed() {
    let text = "x = { a = [] }\n";
    assert_eq!(fixed("terraform.tfvars", text), text);
}

#[test]
fn a_module_is_judged_by_the_newest_release_that_it_admits() {
    let cross = "variable \"y\" {\n  default  = 1\n  nullable = false\n}\nvariable \"x\" {\n  \
                 default  = 2\n  nullable = false\n  validation {\n    \
                 condition     = var.x > var.y\n    error_message = \"No.\"\n  }\n}\n";
    let rules = |required: &str, flags: &[&str]| -> Vec<String> {
        let text = format!("terraform {{\n  required_version = \"{required}\"\n}}\n{cross}");
        let findings = check(flags, &module(&text)).into_iter();
        let rule = |it: String| it.split(['[', ']']).nth(1).map(str::to_owned);
        findings.filter_map(rule).filter(|it| it != "required-version-too-low").collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(rules(">= 1.9", &[]), none);
    assert_eq!(rules("~> 1.9.3", &[]), none);
    // Other variables came with 1.9.
    assert_eq!(rules("~> 1.8.0", &[]), ["invalid-variable"]);
    assert_eq!(rules("~> 1.8.0, != 1.8.0", &[]), ["invalid-variable"]);
    assert_eq!(rules(">= 9.0", &[]), ["unsupported-version"]);
    assert_eq!(rules("~> 1.9.0", &["--terraform-version", "1.11"]), ["unsupported-version"]);
    assert_eq!(rules("< 1.9, > 1.10", &[]), ["unsupported-version"]);
}

#[test]
fn an_output_that_a_called_module_lacks_is_told_as_that_with_the_nearest_name() {
    let cases = [
        // repetition, reference, rule, hint
        ("", "module.n.ids", "undeclared-output", "Did you mean \"id\"?"),
        ("", "module.n.colour", "undeclared-output", "named \"colour\"."),
        ("  count = 2\n", "module.n[0].ids", "undeclared-output", "Did you mean \"id\"?"),
        ("  for_each = { a = 1 }\n", "module.n[\"a\"].ids", "undeclared-output", "Did you mean"),
        // A key is not an output.
        ("  for_each = { a = 1 }\n", "module.n.id", "failed-evaluation", "named \"id\"."),
        // Nor is an attribute of an output's value.
        ("", "module.n.object.b", "failed-evaluation", "named \"b\"."),
    ];
    let called = "output \"id\" {\n  value = 1\n}\noutput \"object\" {\n  value = { a = 1 }\n}\n";
    for (repetition, reference, rule, hint) in cases {
        let text = format!(
            "module \"n\" {{\n  source = \"./n\"\n{repetition}}}\noutput \"o\" {{\n  value = {reference}\n}}\n"
        );
        let system = MemorySystem::new().working_in("/m").file("/m/main.tf", &text);
        let findings = check(&[], &system.file("/m/n/main.tf", called));
        let [finding] = findings.as_slice() else { panic!("{text}\n{findings:?}") };
        assert!(finding.contains(&format!("[{rule}]")), "{text}\n{finding}");
        assert!(finding.contains(hint), "{text}\n{finding}");
    }
    // Terraform evaluates it, unlike other references, so `try` hides it.
    let text = "module \"n\" {\n  source = \"./n\"\n}\noutput \"o\" {\n  value = try(module.n.ids, 1)\n}\n";
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", text);
    assert_eq!(check(&[], &system.file("/m/n/main.tf", called)), [""; 0]);
}

#[test]
fn what_is_wrong_in_a_called_modules_own_files_is_told_once() {
    let caller = "module \"n\" {\n  source = \"../n\"\n}\n";
    let system = MemorySystem::new().working_in("/m");
    let system = system.file("/m/a/main.tf", caller).file("/m/b/main.tf", caller);
    let told = ["n/main.tf:1:14: error[invalid-syntax]"];
    let places = |flags: &[&str], system: &MemorySystem| -> Vec<String> {
        // Each caller says that its call is not judged.
        let starts = check(flags, system).into_iter().filter(|it| !it.contains("note[not-judged]"));
        starts.map(|it| it.split(']').next().unwrap().to_owned() + "]").collect()
    };
    let system = system.file("/m/n/main.tf", "locals { x = }\n");
    assert_eq!(places(&[], &system), told);
    assert_eq!(places(&["a", "b"], &system), told);
}
