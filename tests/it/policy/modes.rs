//! Both modes of policies agree on plans of real Terraform and the configurations for them, and what a plan knows is
//! mostly known before it. (`tests/outside/policy` plans modules of random expressions.)

use std::{fs, path::Path};

use policy::Judged;
use testkit::policy::{agree, of_configuration, of_plan};

const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/policy/modes");

#[test]
fn both_modes_agree_on_recorded_plans() {
    let dir = Path::new(MODULES).join("values");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    let (known, all) = agree(&dir, &plan);
    eprintln!("a configuration tells {known} of the {all} values that the plan knows");
    assert!(all >= 80 && known * 10 >= all * 9, "{known} of {all}");
}

#[test]
fn what_only_sources_tell_is_an_error_beside_a_plan_alone() {
    let dir = Path::new(MODULES).join("values");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    for (block, what) in [
        ("resource \"terraform_data\" {\n    lifecycle {}\n  }", "lifecycle"),
        ("resource \"terraform_data\" {\n    for_each = forbidden\n  }", "for_each"),
        ("module \"*\" {\n    count = forbidden\n  }", "count"),
        ("ephemeral \"*\" {}", "ephemeral blocks"),
        ("terraform {}", "terraform blocks"),
    ] {
        let rules = format!("rule \"r\" {{\n  {block}\n}}\n");
        let found = of_plan(&plan, None, &rules).findings;
        let wanted = format!("A plan does not contain {what}");
        let errors: Vec<_> =
            found.iter().filter(|it| it.rule.as_str() == "invalid-configuration").collect();
        assert!(errors.len() == 1 && errors[0].message == wanted, "{found:#?}");
        let help = errors[0].help.as_deref().unwrap_or_default();
        assert!(help.contains("--config") && help.contains("--source"), "{help}");
    }
}

#[test]
fn sources_tell_what_a_plan_leaves_out() {
    let dir = Path::new(MODULES).join("values");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    let rules = r#"
rule "partly" {
  when = { addresses = ["terraform_data.reference"] }
  resource "terraform_data" {
    input = { plain = "other", id = "i" }
    lifecycle = forbidden
  }
}
rule "link" {
  when = { addresses = ["module.network[\"a\"].module.subnet"] }
  resource "terraform_data" {
    input = { vpc = reference("terraform_data", { input = { name = "prod-b" } }) }
  }
}
rule "keys" {
  when = { addresses = ["terraform_data.set", "terraform_data.counted"] }
  resource "terraform_data" {
    for_each = forbidden
  }
}
rule "settings" {
  terraform {
    required_version = required
  }
  module "network" {
    for_each = forbidden
    size     = 1
  }
  module "subnet" {
    count = forbidden
  }
  variable "env" {
    nullable = false
    value    = "dev"
  }
  output "id" {
    depends_on = required
  }
}
"#;
    let found = of_plan(&plan, Some(&dir), rules).findings;
    let mut said: Vec<String> = found
        .iter()
        .map(|it| {
            let place = &it.locations[0];
            let file = place.file.rsplit('/').next().unwrap();
            format!("{} {file}:{}:{}: {}", it.level.as_str(), place.line, place.column, it.message)
        })
        .collect();
    said.sort();
    assert_eq!(
        said,
        [
            "error main.tf:113:5: terraform_data.reference (create): input.plain: expected \"other\", found \"kept\"",
            "error main.tf:123:3: module.network: for_each: expected forbidden, found {\"a\":1,\"b\":2}",
            "error main.tf:139:1: output.id (create): depends_on: expected required, found nothing (null)",
            "error main.tf:15:5: module.network[\"a\"].module.subnet[0].terraform_data.subnet (create): input.vpc: expected \
             reference(\"terraform_data\", { input = { name = \"prod-b\" } }), found terraform_data.vpc, whose input.name is \"prod-a\"",
            "error main.tf:1:1: terraform: required_version: expected required, found nothing (null)",
            "error main.tf:29:3: module.network[\"a\"].module.subnet: count: expected forbidden, found 1",
            "error main.tf:29:3: module.network[\"b\"].module.subnet: count: expected forbidden, found 2",
            "error main.tf:3:1: var.env: nullable: expected false, found nothing (null)",
            "error main.tf:3:1: var.env: value: expected \"dev\", found \"prod\"",
            "error main.tf:89:3: terraform_data.set[\"http\"] (create): for_each: expected forbidden, found [\"http\"]",
            "warning main.tf:108:5: terraform_data.reference (create): input.id: cannot be decided yet: expected \"i\", and it is \
             known after apply",
            "warning main.tf:125:3: module.network: size: cannot be decided yet: expected 1, and it is known after apply",
        ]
    );
}

#[test]
fn references_are_the_same_in_every_mode() {
    let rules = r#"
rule "protected" {
  resource "terraform_data" {
    where {
      input = any("bucket", "inner")
    }
  }
  needs "terraform_data" {
    input            = "block"
    triggers_replace = subject
  }
}
rule "to-buckets" {
  resource "terraform_data" {
    where {
      input = "block"
    }
    triggers_replace = reference("terraform_data", { input = "bucket" })
  }
}
rule "to-keys" {
  resource "terraform_data" {
    where {
      input = "block"
    }
    triggers_replace = reference("terraform_data", { input = string({ condition = meta.key == "b.c" }) })
  }
}
"#;
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/policy/needs");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    let outcomes = |judged: &Judged| {
        let one = |it: &diagnostics::Finding| {
            (it.rule.as_str().to_owned(), it.address.to_string(), it.level.as_str())
        };
        let mut found: Vec<_> = judged.findings.iter().map(one).collect();
        found.sort();
        found
    };
    let planned = outcomes(&of_plan(&plan, None, rules));
    assert!(planned.iter().any(|it| it.2 == "error") && planned.iter().any(|it| it.2 == "warning"));
    assert_eq!(outcomes(&of_plan(&plan, Some(&dir), rules)), planned);
    assert_eq!(outcomes(&of_configuration(&dir, rules)), planned);
}
