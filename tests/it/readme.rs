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

#[test]
fn readmes_anywhere_are_judged_for_the_modules_that_they_name() {
    let it = Workspace::repository();
    it.write("modules/a/main.tf", MODULE).write("modules/b/main.tf", "locals {\n  x = 1\n}\n");
    it.terraschema("check --fix");
    it.git(&["remote", "add", "origin", "https://example.com/acme/terraform-aws-network"]);
    let lines = |arguments: &str| {
        let answer = it.terraschema(&format!("check --format concise {arguments}"));
        let lines = answer.stdout.lines().filter(|it| it.contains("[stale-example]"));
        lines.map(|it| it.split(": ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (readme, source) in [
        ("modules/a/examples/simple/README.md", "../../"),
        ("modules/a/docs/readme.md", "./.."),
        ("docs/guide/README.md", "../../modules/a"),
        ("docs/README.md", "acme/network/aws//modules/a"),
        ("modules/b/README.md", "../a"),
        ("modules/b/deep/README.md", "../"),
    ] {
        it.write(readme, call(source));
        assert_eq!(lines(""), [format!("{readme}:6:3")], "{source}");
        it.remove(readme);
    }
    for (readme, source) in [
        ("docs/README.md", "../nowhere"),
        ("docs/README.md", "../../../../../.."),
        ("docs/README.md", "../modules"),
        ("docs/README.md", "acme/other/aws//modules/a"),
        (".hidden/README.md", "../modules/a"),
    ] {
        it.write(readme, call(source));
        assert_eq!(lines(""), [""; 0], "{readme}: {source}");
        it.remove(readme);
    }
    // One README about two modules, and another about one of them.
    it.write("docs/README.md", call("../modules/a") + &call("../modules/b"));
    it.write("examples/README.md", call("../modules/a"));
    let both = ["docs/README.md:14:3", "docs/README.md:6:3", "examples/README.md:6:3"];
    let mut found = lines("");
    found.sort();
    assert_eq!(found, both);
    assert_eq!(lines("--exclude docs/**"), ["examples/README.md:6:3"]);
    assert_eq!(lines("modules/b"), [""; 0], "the README is neither below nor above it");
    it.write(".terraschema.hcl", "modules {\n  exclude = [\"docs\"]\n}\n");
    assert_eq!(lines(""), ["examples/README.md:6:3"]);
    it.remove(".terraschema.hcl");
    let answer = it.terraschema("check --fix-inputs");
    assert_eq!(answer.code, 0, "{}", answer.text());
    assert_eq!(lines(""), [""; 0]);
    assert_eq!(it.read("examples/README.md"), call("../modules/a").replace("sise  ", "size  "));
}

#[cfg(unix)]
#[test]
#[allow(clippy::disallowed_methods)] // It makes links.
fn a_link_to_a_readme_is_not_a_second_one() {
    let it = Workspace::repository();
    it.write("m/main.tf", MODULE).write("README.md", call("acme/network/aws//m"));
    it.terraschema("check --fix");
    it.git(&["remote", "add", "origin", "https://example.com/acme/terraform-aws-network"]);
    for link in ["a/README.md", "z/README.md"] {
        let path = it.path(link);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("../README.md", path).unwrap();
    }
    let answer = it.terraschema("check --format concise");
    assert_eq!(answer.stdout.matches("[stale-example]").count(), 1, "{}", answer.text());
    assert!(answer.stdout.starts_with("README.md:6:3"), "{}", answer.text());
}

#[test]
fn a_change_reaches_readmes_elsewhere() {
    let it = Workspace::repository();
    it.write("modules/a/main.tf", MODULE).write("modules/b/main.tf", MODULE);
    it.write("docs/use/README.md", "# Use\n").write("docs/other/README.md", "# Use\n");
    it.terraschema("check --fix");
    it.commit("first");
    it.write("docs/use/README.md", call("../../modules/a"));
    it.git(&["add", "-A"]);
    assert_eq!(found(&it, "--staged"), 1);
    assert_eq!(found(&it, "--hook -- docs/use/README.md"), 1);
    let answer = it.terraschema("check --changed=HEAD");
    assert!(answer.stdout.contains("in 1 module,"), "{}", answer.text());
    it.commit("second");
    assert_eq!(found(&it, "--changed=HEAD"), 0);
    it.write("modules/a/main.tf", format!("# New.\n{MODULE}"));
    assert_eq!(found(&it, "--changed=HEAD"), 1, "the module changed, and not the README");
    assert_eq!(found(&it, "--hook -- modules/a/main.tf"), 1);
    assert_eq!(found(&it, "--hook -- modules/b/main.tf"), 0);
}
