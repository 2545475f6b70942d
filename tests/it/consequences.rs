//! A finding that only follows from a reported one is left out: one fault in a value, and any use of the value.

use serde_json::Value;
use system::MemorySystem;
use terraschema::Console;

/// A called module.
const CHILD: &str = "variable \"v\" {\n  type = number\n  validation {\n    condition     = var.v < 10\n    \
                     error_message = \"Too big.\"\n  }\n}\noutput \"v\" {\n  value = var.v\n}\n\
                     resource \"terraform_data\" \"r\" {\n  count = var.v\n}\n";

/// What is wrong: a file, the values, and how the wrong value is referred to.
const FAULTS: &[(&str, &str, &str)] = &[
    ("locals {\n  a = [\"a\"][3]\n}\n", "", "local.a"),
    ("locals {\n  a = local.b\n  b = [\"a\"][3]\n}\n", "", "local.a"),
    ("locals {\n  a = var.none\n}\n", "", "local.a"),
    ("locals {\n  a = nosuch(1)\n}\n", "", "local.a"),
    ("locals {\n  a = \"x\" + 1\n}\n", "", "local.a"),
    ("locals {\n  a = local.a\n}\n", "", "local.a"),
    ("locals {\n  a = 1\n  a = 2\n}\n", "", "local.a"),
    ("locals {\n  a = module.none.x\n}\n", "", "local.a"),
    ("locals {\n  a = terraform_data.none.id\n}\n", "", "local.a"),
    ("locals {\n  a = { b = 1 }.c\n}\n", "", "local.a"),
    ("locals {\n  a = null + 1\n}\n", "", "local.a"),
    ("locals {\n  a = length(file(\"nope\"))\n}\n", "", "local.a"),
    ("variable \"a\" {\n  type = number\n}\n", "", "var.a"),
    ("variable \"a\" {\n  type = number\n}\n", "a = \"abc\"\n", "var.a"),
    ("variable \"a\" {\n  nullable = false\n}\n", "a = null\n", "var.a"),
    (
        "variable \"a\" {\n  validation {\n    condition     = var.a > 5\n    error_message = \"No.\"\n  }\n}\n",
        "a = 1\n",
        "var.a",
    ),
    ("variable \"a\" {\n  type    = number\n  default = \"abc\"\n}\n", "", "var.a"),
    ("variable \"a\" {\n  type = nubmer\n}\n", "a = 1\n", "var.a"),
    ("variable \"a\" {}\nvariable \"a\" {}\n", "a = 1\n", "var.a"),
    ("variable \"a\" {}\n", "a = upper(\"x\")\n", "var.a"),
    ("variable \"a\" {\n  nope = 1\n}\n", "a = 1\n", "var.a"),
    ("variable \"a\" {\n  type = object({ n = number })\n}\n", "a = { n = \"q\" }\n", "var.a.n"),
    ("variable \"a\" {\n  type = object({ n = number })\n}\n", "a = {}\n", "var.a.n"),
    ("variable \"a\" {\n  type = list(number)\n}\n", "a = [1, \"q\"]\n", "var.a[0]"),
    ("module \"a\" {\n  source = \"./absent\"\n}\n", "", "module.a.v"),
    ("module \"a\" {\n  source = \"./c\"\n}\n", "", "module.a.v"),
    ("module \"a\" {\n  source = \"./c\"\n  v      = \"abc\"\n}\n", "", "module.a.v"),
    ("module \"a\" {\n  source = \"./c\"\n  v      = 20\n}\n", "", "module.a.v"),
    ("module \"a\" {\n  source = \"./c\"\n  v      = 1\n  z      = 1\n}\n", "", "module.a.v"),
    ("module \"a\" {\n  v = 1\n}\n", "", "module.a.v"),
    ("module \"a\" {\n  source = \"./c\"\n  count  = -1\n  v      = 1\n}\n", "", "module.a[0].v"),
    (
        "module \"a\" {\n  source   = \"./c\"\n  for_each = [1]\n  v        = 1\n}\n",
        "",
        "module.a[\"k\"].v",
    ),
    (
        "resource \"terraform_data\" \"a\" {\n  count = -1\n  input = 1\n}\n",
        "",
        "terraform_data.a[0].input",
    ),
    ("resource \"terraform_data\" \"a\" {\n  input = [1][9]\n}\n", "", "terraform_data.a.input"),
    (
        "resource \"terraform_data\" \"a\" {\n  input = 1\n  nope  = 1\n}\n",
        "",
        "terraform_data.a.input",
    ),
    (
        "data \"terraform_remote_state\" \"a\" {\n  backend = \"nope\"\n}\n",
        "",
        "data.terraform_remote_state.a.outputs.v",
    ),
];

/// Uses of a number; `@` is a reference to it.
const USES: &[&str] = &[
    "output \"u\" {\n  value = @\n}\n",
    "locals {\n  u = @\n}\noutput \"u\" {\n  value = local.u\n}\n",
    "output \"u\" {\n  value = @ + 1\n}\n",
    "output \"u\" {\n  value = @ > 1 ? \"a\" : \"b\"\n}\n",
    "output \"u\" {\n  value = [\"a\", \"b\"][@]\n}\n",
    "output \"u\" {\n  value = \"x${@}\"\n}\n",
    "output \"u\" {\n  value = range(@)\n}\n",
    "output \"u\" {\n  value = { (@) = 1 }\n}\n",
    "output \"u\" {\n  value = [@][*]\n}\n",
    "output \"u\" {\n  value = try(@, 1)\n}\n",
    "output \"u\" {\n  value = can(@)\n}\n",
    "output \"u\" {\n  value = nonsensitive(sensitive(@))\n}\n",
    "resource \"terraform_data\" \"u\" {\n  count = @\n}\n",
    "resource \"terraform_data\" \"u\" {\n  for_each = toset([tostring(@)])\n}\n",
    "resource \"terraform_data\" \"u\" {\n  input = @\n}\noutput \"u\" {\n  value = terraform_data.u.output\n}\n",
    "resource \"terraform_data\" \"u\" {\n  triggers_replace = [@]\n}\n",
    "output \"u\" {\n  value = 1\n  precondition {\n    condition     = @ < 100\n    error_message = \"No.\"\n  }\n}\n",
    "resource \"terraform_data\" \"u\" {\n  lifecycle {\n    postcondition {\n      condition     = @ < 100\n      \
     error_message = \"No.\"\n    }\n  }\n}\n",
    "check \"u\" {\n  assert {\n    condition     = @ < 100\n    error_message = \"No.\"\n  }\n}\n",
    "module \"u\" {\n  source = \"./c\"\n  v      = @\n}\noutput \"u\" {\n  value = module.u.v\n}\n",
    "module \"u\" {\n  source = \"./c\"\n  count  = @\n  v      = 1\n}\noutput \"u\" {\n  value = module.u[*].v\n}\n",
    "module \"u\" {\n  source   = \"./c\"\n  for_each = { k = @ }\n  v        = each.value\n}\n\
     output \"u\" {\n  value = module.u[\"k\"].v\n}\n",
    "variable \"u\" {\n  default = 1\n  validation {\n    condition     = var.u < 100 && @ < 100\n    \
     error_message = \"No.\"\n  }\n}\n",
    "resource \"x_y\" \"u\" {\n  dynamic \"b\" {\n    for_each = range(@)\n    content {\n      n = b.value + @\n    }\n  }\n}\n",
    "provider \"x\" {\n  n = @\n}\n",
    "resource \"terraform_data\" \"u\" {\n  provisioner \"local-exec\" {\n    command = \"echo ${@}\"\n  }\n}\n",
    "resource \"terraform_data\" \"u\" {\n  for_each = toset([\"x1\"])\n}\nimport {\n  for_each = toset([\"x${@}\"])\n  \
     to       = terraform_data.u[each.key]\n  id       = each.key\n}\n",
];

/// What `check` finds, except for what it says about a rule's schema.
fn findings(files: &[(&str, &str)]) -> Vec<String> {
    let mut system = MemorySystem::new().working_in("/m");
    let off = ["missing-schema", "null-crashes-validation", "weakened-validation"];
    let off = off.map(|it| format!("rule \"{it}\" {{\n  level = \"off\"\n}}\n")).concat();
    system = system.file("/m/.terraschema.hcl", off.as_str()).file("/m/c/main.tf", CHILD);
    for (path, text) in files {
        system = system.file(format!("/m/{path}"), *text);
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let words = ["terraschema", "check", "--format", "json"].map(Into::into).to_vec();
    terraschema::run(words, &system, &mut Console::to(&mut stdout, &mut stderr));
    let report: Value = serde_json::from_slice(&stdout).unwrap();
    let of = |it: &Value| format!("{}: {} {}", it["rule"], it["message"], it["locations"][0]);
    report["findings"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn what_follows_from_a_fault_is_not_reported_again() {
    let mut wrong = Vec::new();
    for (fault, values, reference) in FAULTS {
        let alone = findings(&[("a.tf", fault), ("terraform.tfvars", values)]);
        assert_eq!(alone.len(), 1, "{fault}: {alone:#?}");
        let step = format!("locals {{\n  step = {reference}\n}}\n");
        for (chain, reference) in [("", *reference), (step.as_str(), "local.step")] {
            for used in USES {
                let used = used.replace('@', reference);
                let files = [
                    ("a.tf", *fault),
                    ("s.tf", chain),
                    ("u.tf", &used),
                    ("terraform.tfvars", values),
                ];
                let all = findings(&files);
                if all != alone {
                    wrong.push(format!("{fault}{chain}{used}: {all:#?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The condition or the message of a rule cannot be evaluated, whatever the value is, and the default is refused or
/// not.
#[test]
fn an_error_in_a_part_of_a_rule_is_reported_once() {
    const BROKEN: &[(&str, &str)] = &[
        ("[] ? \"a\" : \"b\"", "Incorrect condition type"),
        ("\"%{ if {} }a%{ endif }\"", "Incorrect condition type"),
        ("[\"a\"][3]", "Invalid index"),
        ("upper(1, 2)", "Too many function arguments"),
        ("\"a${tonumber(\"x\")}\"", "Invalid function argument"),
        ("null + 1", "Operation failed"),
    ];
    let rule = |condition: &str, message: &str| {
        format!(
            "variable \"x\" {{\n  default = 1\n  validation {{\n    condition     = {condition}\n    \
             error_message = {message}\n  }}\n}}\n"
        )
    };
    for (broken, error) in BROKEN {
        for (condition, is_refused) in [("var.x > 5", true), ("var.x < 5", false)] {
            for values in ["", "x = 9\n", "x = 0\n"] {
                let files = [("a.tf", rule(condition, broken)), ("a.tfvars", values.to_owned())];
                let all = findings(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
                let count = |text: &str| all.iter().filter(|it| it.contains(text)).count();
                assert_eq!(count(error), 1, "{broken}, {condition}, {values}: {all:#?}");
                let refused = count("default-fails-validation");
                assert_eq!(refused == 1, is_refused, "{broken}, {condition}, {values}: {all:#?}");
            }
        }
        let text = rule(&format!("var.x > 0 && ({broken}) == \"a\""), "\"No.\"");
        let all = findings(&[("a.tf", text.as_str())]);
        let count = all.iter().filter(|it| it.contains(error)).count();
        assert_eq!(count, 1, "{broken}: {all:#?}");
    }
}
