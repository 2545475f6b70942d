//! Calls in a README: which repository an address names, and which modules a changed README touches.

use testkit::workspace::Workspace;

const MODULE: &str = "variable \"size\" {\n  type    = number\n  default = 1\n}\n";

fn call(source: &str) -> String {
    format!("# Use\n\n```hcl\nmodule \"x\" {{\n  source = \"{source}\"\n  sise   = 2\n}}\n```\n")
}

/// The number of findings about examples.
fn found(it: &Workspace, arguments: &str) -> usize {
    let answer = it.terraschema(&format!("check --format concise {arguments}"));
    assert_eq!(answer.code, 0, "{arguments}: {}", answer.text());
    answer.stdout.lines().filter(|it| it.contains("[stale-example]")).count()
}

#[test]
fn an_address_names_the_repository_of_a_remote() {
    let it = Workspace::repository();
    it.write("modules/a/main.tf", MODULE);
    it.terraschema("check --fix");
    it.git(&["remote", "add", "origin", "git@github.com:Acme/terraform-aws-network.git"]);
    for (source, count) in [
        ("acme/network/aws//modules/a", 1),
        ("git::https://github.com/acme/terraform-aws-network.git//modules/a?ref=v1", 1),
        ("github.com/Acme/terraform-aws-network//modules/a", 1),
        ("acme/network/aws", 0),
        ("other/network/aws//modules/a", 0),
        ("acme/other/aws//modules/a", 0),
    ] {
        it.write("README.md", call(source));
        assert_eq!(found(&it, ""), count, "{source}");
    }
    it.git(&["remote", "set-url", "origin", "/mirrors/terraform-aws-network.git"]);
    it.write("README.md", call("acme/network/aws//modules/a"));
    assert_eq!(found(&it, ""), 0, "the directory has another name");
}

#[test]
fn a_changed_readme_touches_the_modules_that_it_names() {
    let it = Workspace::repository();
    for name in ["a", "b"] {
        it.write(&format!("modules/{name}/main.tf"), MODULE);
    }
    it.write("README.md", "# Use\n");
    it.terraschema("check --fix");
    it.commit("first");
    it.write("README.md", call("./modules/a"));
    it.write("modules/b/terraform.tfvars.example", "sise = 2\n");
    it.git(&["add", "README.md"]);
    assert_eq!(found(&it, "--staged"), 1);
    assert_eq!(found(&it, "--hook -- README.md"), 1);
    assert_eq!(found(&it, "--hook -- modules/b/terraform.tfvars.example"), 1);
    it.git(&["add", "-A"]);
    assert_eq!(found(&it, "--changed=HEAD"), 2);
    let answer = it.terraschema("check --changed=HEAD");
    assert!(answer.stdout.contains("in 2 modules and 1 values file"), "{}", answer.text());
}
