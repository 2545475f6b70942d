//! `policy --config`: rules over what is written, before any plan.

use super::command;

/// The findings, `FILE:LINE:COL: LEVEL[RULE] MESSAGE`, each with the place of the argument.
fn said(files: &[(&str, &str)], rules: &str, options: &str) -> Vec<String> {
    let mut all = vec![("r/a.rules.hcl", rules)];
    all.extend(files.iter().map(|(path, text)| (*path, *text)));
    let words = format!("--config . r {options} --format concise -v");
    let (_, out, err) = command(&all, &words);
    assert!(!err.contains("Error") || options.contains("fails"), "{err}");
    out.lines().map(str::to_owned).collect()
}

fn of(main: &str, rules: &str) -> Vec<String> {
    said(&[("main.tf", main)], rules, "")
}

fn rule(body: &str) -> String {
    format!("rule \"r\" {{\n{body}\n}}\n")
}

#[test]
fn instances_blocks_and_modules_are_expanded() {
    let main = r#"variable "ports" {
  default = { http = 80, ssh = 22 }
}
resource "t" "counted" {
  count = length(var.ports)
  name  = "n${count.index}"
}
resource "t" "each" {
  for_each = var.ports
  name     = each.key
  dynamic "rule" {
    for_each = [each.value, 443]
    iterator = it
    content {
      port = it.value
    }
  }
  rule {
    port = 1
  }
}
module "m" {
  source = "./m"
  count  = 2
  name   = "m${count.index}"
}
"#;
    let child = "variable \"name\" {}\nresource \"t\" \"inner\" {\n  name = var.name\n}\n";
    let files = [("main.tf", main), ("m/main.tf", child)];
    let rules = rule("  resource \"t\" {\n    name = any(\"n0\", \"http\", \"m1\")\n  }");
    assert_eq!(
        said(&files, &rules, ""),
        [
            "m/main.tf:3:3: error[policy/r] module.m[0].t.inner: name: expected any(\"n0\", \"http\", \"m1\"), found \"m0\"",
            "main.tf:6:3: error[policy/r] t.counted[1]: name: expected any(\"n0\", \"http\", \"m1\"), found \"n1\"",
            "main.tf:10:3: error[policy/r] t.each[\"ssh\"]: name: expected any(\"n0\", \"http\", \"m1\"), found \"ssh\"",
        ]
    );
    let rules = rule(
        "  resource \"t\" {\n    where {\n      rule {}\n    }\n    rule {\n      port = any(80, 22)\n    }\n  }",
    );
    assert_eq!(
        said(&files, &rules, ""),
        [
            "main.tf:15:7: error[policy/r] t.each[\"http\"]: rule[1].port: expected any(80, 22), found 443",
            "main.tf:15:7: error[policy/r] t.each[\"ssh\"]: rule[1].port: expected any(80, 22), found 443",
            "main.tf:19:5: error[policy/r] t.each[\"http\"]: rule[2].port: expected any(80, 22), found 1",
            "main.tf:19:5: error[policy/r] t.each[\"ssh\"]: rule[2].port: expected any(80, 22), found 1",
        ]
    );
    let rules = rule("  resource \"t\" {\n    count = 2\n  }");
    assert_eq!(
        said(&files, &rules, ""),
        [
            "m/main.tf:2:1: error[policy/r] module.m[0].t.inner: count: expected 2, found 1",
            "m/main.tf:2:1: error[policy/r] module.m[1].t.inner: count: expected 2, found 1",
        ]
    );
}

#[test]
fn what_is_not_known_is_undecided_with_its_cause_and_the_rest_is_judged() {
    let main = "variable \"zone\" {}\nresource \"u\" \"x\" {}\nresource \"t\" \"a\" {\n  tags = { id = u.x.id, env = \"prod\" }\n  \
        zone = var.zone\n  to = u.x.id\n}\n";
    let rules = rule(
        "  resource \"t\" {\n    tags = { id = \"i\", env = \"dev\" }\n    zone = \"z\"\n    to = required\n  }",
    );
    assert_eq!(
        of(main, &rules),
        [
            "main.tf:4:12: warning[policy/r] t.a: tags.id: cannot be decided yet: expected \"i\", and it is not known before a plan (it depends on u.x)",
            "main.tf:4:25: error[policy/r] t.a: tags.env: expected \"dev\", found \"prod\"",
            "main.tf:5:3: warning[policy/r] t.a: zone: cannot be decided yet: expected \"z\", and it is not known before a plan (it depends on var.zone)",
        ]
    );
    let files = [("main.tf", main), ("x.tfvars", "zone = \"y\"\n")];
    let found = said(&files, &rules, "-var-file x.tfvars").join("\n");
    assert!(found.contains("error[policy/r] t.a: zone: expected \"z\", found \"y\""), "{found}");
    let found = said(&files, &rules, "-var-file x.tfvars -var zone=z").join("\n");
    assert!(!found.contains("zone"), "{found}");
}

#[test]
fn what_is_not_written_is_null_and_a_provider_may_fill_it_in() {
    let main = "resource \"t\" \"a\" {\n  name = \"a\"\n}\nresource \"t\" \"b\" {\n  size = 1\n}\nresource \"u\" \"c\" {}\n";
    let unwritten = "found no value, which a provider may set";
    let rules = rule(
        "  resource \"t\" {\n    size = required\n    sort = forbidden\n    kind = optional(\"x\")\n  }",
    );
    assert_eq!(
        of(main, &rules),
        [format!("main.tf:1:1: error[policy/r] t.a: size: expected required, {unwritten}")]
    );
    // In a `*` it is known that a type has what one of its blocks writes.
    let rules = rule("  resource \"*\" {\n    size = required\n  }");
    assert_eq!(
        of(main, &rules),
        [
            format!("main.tf:1:1: error[policy/r] t.a: size: expected required, {unwritten}"),
            "main.tf:7:1: warning[policy/r] u.c: size: cannot be decided yet: expected required, and no block of this type \
             sets it here, so terraschema cannot know whether the type has it".to_owned(),
        ]
    );
    // An absent block is an empty list in a plan; a rule for it works unchanged.
    let rules = rule("  resource \"u\" {\n    allow = list({ port = 1 })\n  }");
    assert_eq!(
        of(main, &rules),
        [
            "main.tf:7:1: warning[policy/r] u.c: allow: cannot be decided yet: expected list({ port = 1 }), and it is not set: null \
          for an argument, no element for a block"
        ]
    );
    let rules = rule("  resource \"u\" {\n    allow {\n      port = 1\n    }\n  }");
    assert_eq!(
        of(main, &rules),
        ["main.tf:7:1: error[policy/r] u.c: allow: expected allow, found no such block"]
    );
    // Expressions may ask for what is not written, too.
    let rules = rule(
        "  resource \"t\" {\n    name = parent.size == null ? required : forbidden\n    size = attrs.name == null ? 1 : forbidden\n  }\n  forbid \"*\" {\n    public = true\n  }",
    );
    assert_eq!(of(main, &rules), Vec::<String>::new());
}

#[test]
fn unknown_numbers_of_instances_are_undecided_once() {
    let main = "variable \"n\" {}\nresource \"t\" \"a\" {\n  count = var.n\n  name = \"a\"\n}\nresource \"t\" \"b\" {\n  \
        for_each = toset([t.c.id])\n  name = each.key\n}\nresource \"t\" \"c\" {\n  name = \"c\"\n}\nresource \"t\" \"many\" {\n  \
        count = 20000\n  name = \"m\"\n}\n";
    let rules = rule("  resource \"t\" {\n    name = \"c\"\n    size = optional(1)\n  }");
    assert_eq!(
        of(main, &rules),
        [
            "main.tf:2:1: warning[policy/r] t.a: cannot be decided yet: expected resource \"t\", and its instances are known \
             only to a plan: count depends on var.n",
            "main.tf:6:1: warning[policy/r] t.b: cannot be decided yet: expected resource \"t\", and its instances are known \
             only to a plan: for_each depends on t.c",
            "main.tf:13:1: warning[policy/r] t.many: cannot be decided yet: expected resource \"t\", and its instances are known \
             only to a plan: count gives more than 10000 instances",
        ]
    );
    // All instances pass, however many there are.
    let rules = rule(
        "  resource \"t\" {\n    where {\n      name = deny(\"m\")\n    }\n    size = forbidden\n  }",
    );
    assert_eq!(of(main, &rules), Vec::<String>::new());
}

#[test]
fn a_module_that_may_not_be_there_is_undecided_once() {
    let main =
        "variable \"on\" {}\nmodule \"m\" {\n  source = \"./m\"\n  count = var.on ? 1 : 0\n}\n";
    let child = "resource \"t\" \"a\" {\n  name = \"a\"\n}\nresource \"t\" \"b\" {\n  count = 2\n  name = \"b\"\n}\n";
    let rules = rule("  resource \"t\" {\n    name = \"c\"\n  }");
    assert_eq!(
        said(&[("main.tf", main), ("m/main.tf", child)], &rules, ""),
        [
            "m/main.tf:1:1: warning[policy/r] module.m: cannot be decided yet: expected resource \"t\", and its instances are known \
             only to a plan: its module depends on var.on"
        ]
    );
    // What has one instance has no key, whether it is there or not.
    let rules = rule(
        "  resource \"t\" {\n    where {\n      name = string({ condition = meta.key != null })\n    }\n    size = 1\n  }",
    );
    assert_eq!(
        said(&[("main.tf", main), ("m/main.tf", child)], &rules, ""),
        [
            "m/main.tf:4:1: warning[policy/r] module.m: cannot be decided yet: expected resource \"t\", and its instances are known \
             only to a plan: its module depends on var.on"
        ]
    );
}

#[test]
fn what_a_plan_would_do_is_not_known() {
    let main = "resource \"t\" \"a\" {\n  name = \"a\"\n}\n";
    let rules = |actions: &str| {
        rule(&format!(
            "  when = {{ actions = [{actions}] }}\n  resource \"t\" {{\n    name = \"b\"\n  }}"
        ))
    };
    let found = of(main, &rules("\"create\", \"update\"")).join("\n");
    assert!(
        found.contains("warning[policy/r] t.a: cannot be decided yet")
            && found.contains("its action is known only"),
        "{found}"
    );
    let found = of(main, &rules("\"create\", \"update\", \"replace\", \"no-op\"")).join("\n");
    assert!(found.contains("error[policy/r] t.a: name"), "{found}");
    let found = of(main, &rules("\"delete\""));
    let [note] = found.as_slice() else { panic!("{found:?}") };
    assert!(note.contains("note[nothing-judged]"), "{note}");
    let rules = rule("  resource \"t\" {\n    name = self == prior\n  }");
    assert!(of(main, &rules).join("").contains("warning"), "nobody knows the values before");
}

#[test]
fn references_are_followed_through_everything_that_is_written() {
    let main = r#"resource "b" "single" {}
resource "b" "counted" {
  count = 2
}
resource "b" "each" {
  for_each = toset(["x", "y"])
}
resource "b" "bare" {}
resource "b" "called" {}
resource "b" "inner" {}
locals {
  id   = b.single.id
  ids  = b.counted[*].id
  keys = { for key, it in b.each : key => it.id }
}
resource "p" "single" {
  to = local.id
}
resource "p" "counted" {
  count = 2
  to    = local.ids[count.index]
}
resource "p" "each" {
  for_each = b.each
  to       = each.value.id
}
module "m" {
  source = "./m"
  to     = b.called.id
}
resource "p" "output" {
  to = module.m.back
}
resource "p" "inner" {
  dynamic "rule" {
    for_each = [b.inner]
    content {
      to = rule.value.id
    }
  }
}
"#;
    let child = "variable \"to\" {}\nresource \"p\" \"called\" {\n  to = var.to\n}\noutput \"back\" {\n  value = \"${var.to}/x\"\n}\n";
    let files = [("main.tf", main), ("m/main.tf", child)];
    let rules = rule("  resource \"b\" {}\n  needs \"p\" {\n    to = subject\n  }");
    let missing = |place: &str, name: &str| {
        format!(
            "main.tf:{place}: error[policy/r] b.{name}: expected needs \"p\", found no matching object that refers to it"
        )
    };
    assert_eq!(said(&files, &rules, ""), [missing("8:1", "bare"), missing("10:1", "inner")]);
    let rules = rule(
        "  resource \"b\" {}\n  any_of {\n    needs \"p\" {\n      to = subject\n    }\n    needs \"p\" {\n      rule {\n        to = subject\n      }\n    }\n  }",
    );
    let none =
        "main.tf:8:1: error[policy/r] b.bare: expected needs \"p\", found none of the alternatives";
    assert_eq!(said(&files, &rules, ""), [none]);
}

#[test]
fn a_reference_is_to_an_object_like_this() {
    let main = "resource \"b\" \"small\" {\n  size = 1\n}\nresource \"b\" \"large\" {\n  size = 2\n}\nresource \"c\" \"other\" {}\nvariable \"id\" {}\n\
        resource \"p\" \"a\" {\n  to = [b.small.id, b.large.id]\n}\nresource \"p\" \"b\" {\n  to = [c.other.id]\n}\nresource \"p\" \"c\" {\n  to = [var.id]\n}\n";
    let rules = rule("  resource \"p\" {\n    to = list(reference(\"b\", { size = 1 }))\n  }");
    assert_eq!(
        of(main, &rules),
        [
            "main.tf:10:21: error[policy/r] p.a: to[1]: expected reference(\"b\", { size = 1 }), found b.large, whose size is 2",
            "main.tf:13:9: error[policy/r] p.b: to[0]: expected reference(\"b\", { size = 1 }), found a reference to c.other",
            "main.tf:16:9: warning[policy/r] p.c: to[0]: cannot be decided yet: expected reference(\"b\", { size = 1 }), and its \
             reference is not known before a plan (it depends on var.id)",
        ]
    );
    let rules = rule("  resource \"b\" {}\n  needs \"p\" {\n    to = some(subject)\n  }");
    assert_eq!(of(main, &rules), Vec::<String>::new());
}

#[test]
fn terraforms_own_arguments_and_blocks_are_judged_as_written() {
    let main = r#"terraform {
  required_version = ">= 1.5"
  required_providers {
    x = { source = "a/x", version = "1.0" }
  }
  backend "s3" {
    encrypt = false
  }
}
provider "x" {
  alias  = "west"
  region = "planted"
}
ephemeral "x_secret" "e" {
  length = 3
}
resource "x_t" "a" {
  provider   = x.west
  depends_on = [x_t.b]
  for_each   = toset(["k"])
  lifecycle {
    prevent_destroy = false
    ignore_changes  = [tags, name]
  }
  provisioner "local-exec" {
    when    = destroy
    command = "true"
  }
}
resource "x_t" "b" {}
module "m" {
  source    = "./m"
  providers = { x = x.west }
}
variable "v" {
  type     = list(string)
  nullable = false
}
output "o" {
  description = "said"
  value       = 1
}
"#;
    let files = [("main.tf", main), ("m/main.tf", "")];
    let rules = rule(
        "  terraform {\n    required_version = \">= 1.6\"\n    backend {\n      encrypt = true\n      type = \"gcs\"\n    }\n    \
         required_providers {\n      x = { version = \"2.0\" }\n    }\n  }\n  ephemeral \"x_secret\" {\n    length = 8\n  }\n  \
         resource \"x_t\" {\n    provider = \"x.east\"\n    depends_on = forbidden\n    for_each = forbidden\n    lifecycle {\n      \
         prevent_destroy = true\n      ignore_changes = deny(some(\"tags\"))\n    }\n    provisioner = forbidden\n  }\n  module \"m\" {\n    \
         providers = { x = \"x.east\" }\n    version = required\n  }\n  provider \"x\" {\n    alias = \"east\"\n    region = \"r\"\n  }\n  \
         variable \"v\" {\n    type = \"string\"\n    nullable = true\n    description = required\n  }\n  output \"o\" {\n    description = \"x\"\n  }",
    );
    let found: Vec<String> = said(&files, &rules, "")
        .iter()
        .map(|it| {
            it.replace("main.tf:", "").replace(" error[policy/r]", "").replace(": expected", "")
        })
        .collect();
    assert_eq!(
        found,
        [
            "2:3: terraform: required_version \">= 1.6\", found \">= 1.5\"",
            "4:27: terraform: required_providers[0].x.version \"2.0\", found \"1.0\"",
            "6:3: terraform: backend[0].type \"gcs\", found \"s3\"",
            "7:5: terraform: backend[0].encrypt true, found false",
            "11:3: provider.x.west: alias \"east\", found \"west\"",
            "12:3: provider.x.west: region \"r\", found a sensitive value",
            "15:3: ephemeral.x_secret.e: length 8, found 3",
            "18:3: x_t.a[\"k\"]: provider \"x.east\", found \"x.west\"",
            "19:3: x_t.a[\"k\"]: depends_on forbidden, found [\"x_t.b\"]",
            "20:3: x_t.a[\"k\"]: for_each forbidden, found [\"k\"]",
            "22:5: x_t.a[\"k\"]: lifecycle[0].prevent_destroy true, found false",
            "23:5: x_t.a[\"k\"]: lifecycle[0].ignore_changes deny(some(\"tags\")), found [\"tags\",\"name\"]",
            "25:3: x_t.a[\"k\"]: provisioner forbidden, found [{\"command\":\"true\",\"type\":\"local-exec\",\"when\":\"destroy\"}]",
            "30:1: x_t.b: lifecycle lifecycle, found no such block",
            "30:1: x_t.b: provider \"x.east\", found no value, which a provider may set",
            "31:1: module.m: version required, found nothing (null)",
            "33:17: module.m: providers.x \"x.east\", found \"x.west\"",
            "35:1: var.v: description required, found nothing (null)",
            "36:3: var.v: type \"string\", found \"list(string)\"",
            "37:3: var.v: nullable true, found false",
            "40:3: output.o: description \"x\", found \"said\"",
        ]
    );
}

#[test]
fn secrets_are_in_no_output() {
    let main = r#"variable "secret" {
  type      = string
  sensitive = true
  default   = "planted-default"
}
variable "given" {
  sensitive = true
}
locals {
  hidden = sensitive("planted-local")
}
provider "x" {
  token = "planted-token"
}
resource "t" "a" {
  one   = var.secret
  two   = sensitive("planted-call")
  three = { a = local.hidden, b = "shown" }
  four  = "x${var.given}"
  rule {
    five = nonsensitive(var.secret)
  }
}
module "m" {
  source = "./m"
  pass   = "planted-argument"
}
output "o" {
  sensitive = true
  value     = "planted-output"
}
"#;
    let child =
        "variable \"pass\" {\n  sensitive = true\n}\nresource \"t\" \"b\" {\n  one = var.pass\n}\n";
    let rules = rule(
        "  resource \"t\" {\n    one = 1\n    two = 1\n    three = { a = 1, b = 1 }\n    four = 1\n    rule {\n      five = 1\n    }\n  }\n  \
         module \"*\" {\n    pass = 1\n  }\n  provider \"*\" {\n    token = 1\n  }\n  variable \"*\" {\n    value = 1\n    default = 1\n  }\n  \
         output \"*\" {\n    value = 1\n  }",
    );
    let files = [("main.tf", main), ("m/main.tf", child), ("r/a.rules.hcl", rules.as_str())];
    for format in ["human", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown"] {
        let words = format!("--config . r -var given=planted-given --format {format} -v");
        let (code, out, err) = command(&files, &words);
        assert_eq!(code, 1, "{err}");
        assert!(!out.contains("planted") && !err.contains("planted"), "{format}\n{out}");
        assert!(out.contains("a sensitive value"), "{format}\n{out}");
    }
}

#[test]
fn modules_that_are_not_here_are_named_and_installed_ones_are_followed() {
    let main = "module \"far\" {\n  source = \"a/b/c\"\n  version = \"1.0.0\"\n}\n";
    let rules = rule("  resource \"t\" {\n    name = \"b\"\n  }");
    let files = [("main.tf", main), ("r/a.rules.hcl", rules.as_str())];
    let (code, out, _) = command(&files, "--config . r -v");
    assert_eq!(code, 0);
    assert!(
        out.contains("module.far") && out.contains("its source \"a/b/c\" is not here"),
        "{out}"
    );
    let manifest = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"far","Source":"registry.terraform.io/a/b/c","Version":"1.0.0","Dir":".terraform/modules/far"}]}"#;
    let mut files = files.to_vec();
    files.push((".terraform/modules/modules.json", manifest));
    files.push((".terraform/modules/far/main.tf", "resource \"t\" \"x\" {\n  name = \"a\"\n}\n"));
    let (code, out, _) = command(&files, "--config . r --format concise");
    assert_eq!(code, 1);
    assert!(
        out.contains(".terraform/modules/far/main.tf:2:3: error[policy/r] module.far.t.x: name"),
        "{out}"
    );
}

#[test]
fn hostile_modules_end() {
    let doubled: String = (0..60)
        .map(|at| format!("  l{at} = var.c ? local.l{} : [local.l{}]\n", at + 1, at + 1))
        .collect();
    let conditions = format!(
        "variable \"c\" {{}}\nlocals {{\n{doubled}  l60 = b.x.id\n}}\nresource \"b\" \"x\" {{}}\nresource \"p\" \"y\" {{\n  to = local.l0\n}}\n"
    );
    let nested = "dynamic \"r\" {\nfor_each = range(900)\ncontent {\n".repeat(4);
    let blocks = format!("resource \"p\" \"y\" {{\n{nested}{}}}\n", "}\n}\n".repeat(4));
    let deep =
        format!("resource \"p\" \"y\" {{\n{}{}}}\n", "r {\n".repeat(3000), "}\n".repeat(3000));
    let counted =
        "resource \"p\" \"y\" {\n  count = 1000000000\n  to = b.x.id\n}\nresource \"b\" \"x\" {}\n"
            .to_owned();
    let looped =
        "locals {\n  a = local.b\n  b = local.a\n}\nresource \"b\" \"x\" {\n  to = local.a\n}\n"
            .to_owned();
    let recursive = "module \"m\" {\n  source = \"./.\"\n}\n".to_owned();
    let rules = "rule \"r\" {\n  resource \"b\" {}\n  needs \"p\" {\n    to = some(subject)\n  }\n}\nrule \"s\" {\n  \
        forbid \"p\" {\n    r {\n      x = 1\n    }\n  }\n}\n";
    for (main, code) in
        [(conditions, 0), (blocks, 2), (deep, 0), (counted, 0), (looped, 2), (recursive, 2)]
    {
        let files = [("main.tf", main.as_str()), ("r/a.rules.hcl", rules)];
        let (found, out, err) =
            command(&files, "--config . r --format concise -v --max-work 5000000");
        let start: String = main.chars().take(60).collect();
        let said: String = out.chars().take(600).collect();
        assert_eq!(found, code, "{start}\n{said}\n{err}");
    }
}

#[test]
fn errors_of_the_module_are_told_with_the_rest() {
    let main = "resource \"t\" \"a\" {\n  name = \"a\"\n}\nresource \"t\" {\n}\n";
    let rules = rule("  resource \"t\" {\n    name = \"b\"\n  }");
    let files = [("main.tf", main), ("r/a.rules.hcl", rules.as_str())];
    let (code, out, err) = command(&files, "--config . r --format concise");
    assert_eq!(code, 2);
    assert!(
        out.contains("main.tf:2:3: error[policy/r] t.a: name: expected \"b\", found \"a\""),
        "{out}"
    );
    assert!(out.contains("main.tf:4:") && err.contains(". is judged only in part"), "{out}\n{err}");
    // What is in a module whose number of instances is wrong is judged anyway.
    let main = "module \"m\" {\n  source = \"./m\"\n  count = [][0]\n}\nmodule \"n\" {\n  source = \"./m\"\n  count = 9999999999\n}\n";
    let inner = [("main.tf", main), ("m/main.tf", "resource \"t\" \"a\" {}\n"), files[1]];
    let (code, out, err) = command(&inner, "--config . r --format concise");
    assert_eq!((code, err.as_str()), (1, ""));
    for name in ["m", "n"] {
        let said = format!("error[policy/r] module.{name}.t.a: name: expected \"b\"");
        assert!(out.contains(&said), "{out}");
    }
    let (code, _, err) = command(&files, "--config nowhere r");
    assert!(code == 2 && err.contains("cannot read nowhere"), "{err}");
    let (code, _, err) = command(&files, "--plan x --config . r");
    assert!(code == 2 && err.contains("cannot be used with"), "{err}");
    let (code, _, err) = command(&files, "--config . --source . r");
    assert!(code == 2 && err.contains("cannot be used with"), "{err}");
}

#[test]
fn json_and_override_files_are_read_as_terraform_reads_them() {
    let main = r#"{"resource": {"t": {"a": {
        "name": "a",
        "rule": [{"port": 1}, {"port": 2}],
        "single": {"port": 3},
        "depends_on": ["t.b"],
        "provider": "x.west",
        "lifecycle": {"prevent_destroy": true},
        "dynamic": {"made": {"for_each": ["p"], "content": {"v": "${made.value}"}}}
    }, "b": {"name": "${upper(\"b\")}"}}}}"#;
    let rules = rule(
        "  resource \"t\" {\n    where {\n      name = \"a\"\n    }\n    rule {\n      port = 1\n    }\n    single {\n      port = 1\n    }\n    \
         depends_on = [\"t.c\"]\n    provider = \"x.east\"\n    lifecycle {\n      prevent_destroy = false\n    }\n    made {\n      v = \"q\"\n    }\n  }",
    );
    let found = said(&[("main.tf.json", main)], &rules, "");
    let messages: Vec<&str> = found.iter().map(|it| it.split_once("] ").unwrap().1).collect();
    assert_eq!(
        messages,
        [
            "t.a: rule[1].port: expected 1, found 2",
            "t.a: single.port: expected 1, found 3",
            "t.a: depends_on[0]: expected \"t.c\", found \"t.b\"",
            "t.a: provider: expected \"x.east\", found \"x.west\"",
            "t.a: lifecycle.prevent_destroy: expected false, found true",
            "t.a: made[0].v: expected \"q\", found \"p\"",
        ]
    );
    let main = "resource \"t\" \"a\" {\n  name = \"a\"\n  lifecycle {\n    prevent_destroy = true\n    ignore_changes  = [name]\n  }\n}\n";
    let other = "resource \"t\" \"a\" {\n  name = \"b\"\n  lifecycle {\n    prevent_destroy = false\n  }\n}\n";
    let rules = rule(
        "  resource \"t\" {\n    name = \"a\"\n    lifecycle {\n      prevent_destroy = true\n      ignore_changes = [\"name\"]\n    }\n  }",
    );
    assert_eq!(
        said(&[("main.tf", main), ("override.tf", other)], &rules, ""),
        [
            "override.tf:2:3: error[policy/r] t.a: name: expected \"a\", found \"b\"",
            "override.tf:4:5: error[policy/r] t.a: lifecycle[0].prevent_destroy: expected true, found false",
        ]
    );
}

#[test]
fn what_may_be_null_after_all_is_not_taken_for_something() {
    let main = "data \"d\" \"x\" {}\nresource \"b\" \"n\" {\n  count = 2\n}\nvariable \"on\" {}\nresource \"t\" \"a\" {\n  \
        plain = data.d.x.id\n  maybe = data.d.x.on ? data.d.x.id : null\n  tried = try(data.d.x.id, null)\n  \
        given = var.on ? data.d.x.id : b.n[0].id\n  text  = \"x-${data.d.x.id}\"\n}\n";
    let names = ["plain", "maybe", "tried", "given", "text"];
    let body: String = names.iter().map(|it| format!("    {it} = required\n")).collect();
    let found = of(main, &rule(&format!("  resource \"t\" {{\n{body}  }}")));
    let open: Vec<&str> = names
        .into_iter()
        .filter(|it| found.iter().any(|said| said.contains(&format!("t.a: {it}: "))))
        .collect();
    assert_eq!(open, ["maybe", "tried", "given"], "{found:#?}");
    assert!(found.iter().all(|it| it.contains("warning")), "{found:#?}");
}

#[test]
fn references_are_followed_through_functions_and_expressions() {
    let ways = [
        "one(b.OBJECT[*].id)",
        "element(b.OBJECT[*].id, 0)",
        "(b.OBJECT[*].id)[0]",
        "join(\"\", b.OBJECT[*].id)",
        "b.OBJECT[0].parts.key",
        "[for it in b.OBJECT : it.id][0]",
        "{ for name, it in { k = b.OBJECT[0] } : name => it.id }[\"k\"]",
        "lookup({ k = b.OBJECT[0].id }, \"k\", \"\")",
        "try(b.OBJECT[1].id, b.OBJECT[0].id)",
        "tolist([b.bare.id, b.OBJECT[0].id])[1]",
        "local.yes ? b.OBJECT[0].id : b.bare.id",
        "\"arn:${b.OBJECT[0].id}/*\"",
        "jsonencode({ Resource = b.OBJECT[0].id })",
        "{ a = [{ b = b.OBJECT[0] }] }.a[0].b.id",
        "format(\"%s\", b.OBJECT[local.zero].id)",
    ];
    let mut main =
        String::from("locals {\n  yes = true\n  zero = 0\n}\nresource \"b\" \"bare\" {}\n");
    for (at, expr) in ways.iter().enumerate() {
        let to = expr.replace("OBJECT", &format!("o{at}"));
        main += &format!(
            "resource \"b\" \"o{at}\" {{\n  count = 1\n}}\nresource \"p\" \"o{at}\" {{\n  to = {to}\n}}\n"
        );
    }
    let rules = rule("  resource \"b\" {}\n  needs \"p\" {\n    to = subject\n  }");
    let found = of(&main, &rules);
    assert_eq!(
        found,
        [
            "main.tf:5:1: error[policy/r] b.bare: expected needs \"p\", found no matching object that refers to it"
        ]
    );
}

/// Nothing passes because nothing is there.
#[test]
fn a_directory_without_a_module_is_an_error() {
    let rules = rule("  resource \"*\" {\n    name = required\n  }");
    let files = [("r/a.rules.hcl", rules.as_str()), ("empty/README.md", "")];
    let (code, _, err) = command(&files, "--config empty r");
    let wanted = "empty is not a module: it contains no .tf or .tf.json file";
    assert!(code == 2 && err.contains(wanted), "{code}: {err}");
    let (code, _, err) = command(&files, "r");
    assert!(code == 2 && err.contains("<--plan <FILE>|--config <DIR>>"), "{code}: {err}");
}
