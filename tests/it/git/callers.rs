//! Tests of `--changed` and `--staged`: which modules are touched though nothing in them changed.

use testkit::workspace::Workspace;

use super::{Case, X, X_NUMBER, changed, modules};

/// A module with a variable that calls others.
fn calling(sources: &[&str]) -> String {
    let call = |(at, source): (usize, &&str)| {
        format!("module \"m{at}\" {{\n  source = \"{source}\"\n  x      = \"1\"\n}}\n")
    };
    X.to_owned() + &sources.iter().enumerate().map(call).collect::<String>()
}

/// Fresh schemas, committed.
fn committed(it: Workspace) -> Workspace {
    let answer = it.terraschema("check --fix --no-calls");
    assert!(answer.code < 2, "{}", answer.text());
    it.commit("First");
    it
}

/// What a change selects, in the work tree and in the index; both are as before afterwards.
fn selects(it: &Workspace, (what, change, expected): Case) {
    change();
    assert_eq!(changed(it, "--changed"), expected, "{what}");
    it.git(&["add", "-A"]);
    assert_eq!(changed(it, "--changed"), expected, "{what}, added");
    assert_eq!(changed(it, "--staged"), expected, "{what}, staged");
    it.git(&["reset", "-q", "--hard"]);
    it.git(&["clean", "-qfd"]);
}

/// `leaf` is called by `mid`, which is called by `live/a`; nobody calls `lone`.
fn repository() -> Workspace {
    let it = Workspace::repository();
    it.write("modules/leaf/main.tf", X).write("modules/leaf/README.md", "");
    it.write("modules/lone/main.tf", X);
    it.write("modules/mid/main.tf", calling(&["../leaf"]));
    it.write("live/a/main.tf", calling(&["../../modules/mid"]));
    it.write("live/b/main.tf", calling(&["../../modules/lone", "org/name/aws"]));
    it
}

#[test]
fn a_changed_rule_touches_what_its_policy_governs() {
    let it = repository();
    let rule = "rule \"names\" {\n  resource \"t\" {\n    name = required\n  }\n}\n";
    it.write("live/.terraschema.hcl", "policy {\n  rules = [\"../rules\", \"own.rules.hcl\"]\n}\n");
    it.write("rules/deep/a.rules.hcl", rule).write("others/b.rules.hcl", rule);
    it.write("live/own.rules.hcl", rule.replace("names", "own"));
    let it = committed(it);
    let all: &[&str] = &["live/a", "live/b"];
    let new = rule.replace("required", "\"x\"");
    let cases: [Case; 4] = [
        ("in a directory", &|| _ = it.write("rules/deep/a.rules.hcl", &new), all),
        ("a new file", &|| _ = it.write("rules/c.rules.hcl", new.replace("names", "more")), all),
        ("a file", &|| _ = it.write("live/own.rules.hcl", new.replace("names", "own")), all),
        ("another", &|| _ = it.write("others/b.rules.hcl", &new), &[]),
    ];
    cases.into_iter().for_each(|case| selects(&it, case));
}

#[test]
fn callers_are_touched_through_callers() {
    let it = committed(repository());
    let all: &[&str] = &["live/a", "modules/leaf", "modules/mid"];
    let cases: [Case; 9] = [
        ("a source file", &|| _ = it.write("modules/leaf/main.tf", X_NUMBER), all),
        ("a new file", &|| _ = it.write("modules/leaf/new.tf", ""), all),
        ("a new JSON file", &|| _ = it.write("modules/leaf/new.tf.json", "{}"), all),
        ("a caller", &|| _ = it.write("modules/mid/new.tf", ""), &["live/a", "modules/mid"]),
        ("the outermost", &|| _ = it.write("live/a/new.tf", ""), &["live/a"]),
        ("another", &|| _ = it.write("modules/lone/new.tf", ""), &["live/b", "modules/lone"]),
        ("a page", &|| _ = it.write("modules/leaf/README.md", "New"), &["modules/leaf"]),
        ("a schema", &|| _ = it.write("modules/leaf/schema.json", "{}"), &["modules/leaf"]),
        ("values", &|| _ = it.write("modules/leaf/x.tfvars", "x = 1"), &["modules/leaf"]),
    ];
    cases.into_iter().for_each(|case| selects(&it, case));
}

#[test]
fn callers_of_what_is_deleted_or_renamed_are_touched() {
    let it = committed(repository());
    let cases: [Case; 4] = [
        (
            "a deleted module",
            &|| _ = it.git(&["rm", "-qr", "modules/leaf"]),
            &["live/a", "modules/mid"],
        ),
        (
            "a renamed module",
            &|| _ = it.git(&["mv", "modules/leaf", "modules/other"]),
            &["live/a", "modules/mid", "modules/other"],
        ),
        (
            "a renamed file",
            &|| _ = it.git(&["mv", "modules/leaf/main.tf", "modules/leaf/variables.tf"]),
            &["live/a", "modules/leaf", "modules/mid"],
        ),
        (
            "a deleted page",
            &|| _ = it.git(&["rm", "-q", "modules/leaf/README.md"]),
            &["modules/leaf"],
        ),
    ];
    cases.into_iter().for_each(|case| selects(&it, case));
}

#[test]
fn every_way_to_write_a_local_source_counts_and_nothing_else_does() {
    let it = repository();
    let leaf = "../../modules/leaf";
    it.write("modules/leaf/examples/up/main.tf", calling(&["../.."]));
    it.write("live/around/main.tf", calling(&["../around/../../modules/./leaf/"]));
    let json = |source: &str| {
        format!(
            "{{\"variable\": {{\"x\": {{}}}}, \"module\": [{{\"m\": {{\"source\": \"{source}\", \"x\": \"1\"}}}}]}}"
        )
    };
    it.write("live/json/main.tf.json", json(leaf));
    it.write("live/slashes/main.tf.json", json("..\\/..\\/modules\\/leaf"));
    it.write("live/escapes/main.tf.json", json("..\\u002f..\\u002fmodules\\u002fleaf"));
    it.write("live/native/main.tf", calling(&["\\u002e./../modules/leaf"]));
    it.write(
        "live/paren/main.tf",
        calling(&[leaf]).replace("= \"..", "= ((\"..").replace("leaf\"", "leaf\"))"),
    );
    it.write("live/over/main.tf", calling(&["../../modules/lone"]));
    it.write("live/over/override.tf", format!("module \"m0\" {{\n  source = \"{leaf}\"\n}}\n"));
    it.write("live/tofu/main.tofu", calling(&[leaf]));
    it.write("live/tofu/.terraschema.hcl", "opentofu = true\n");
    // Nothing of this is a call.
    it.write(
        "live/not/main.tf",
        format!("{X}# module source = \"{leaf}\"\nlocals {{\n  x = \"{leaf}\"\n}}\n"),
    );
    it.write("live/overridden/main.tf", calling(&[leaf]));
    it.write(
        "live/overridden/override.tf",
        "module \"m0\" {\n  source = \"../../modules/lone\"\n}\n",
    );
    it.write("live/no-tofu/main.tofu", calling(&[leaf])).write("live/no-tofu/variables.tf", X);
    it.write(".terraschema.hcl", "opentofu = false\n");
    it.write("live/similar/main.tf", calling(&["../../modules/leaf-2", "./modules/leaf"]));
    let it = committed(it);
    let expected = [
        "live/a",
        "live/around",
        "live/escapes",
        "live/json",
        "live/native",
        "live/over",
        "live/paren",
        "live/slashes",
        "live/tofu",
        "modules/leaf",
        "modules/leaf/examples/up",
        "modules/mid",
    ];
    selects(&it, ("leaf", &|| _ = it.write("modules/leaf/new.tf", ""), &expected));
    let answer = it.terraschema_in("live", "check --changed --format json");
    assert_eq!(modules(&answer), Vec::<String>::new());
    it.write("modules/leaf/new.tf", "");
    let answer = it.terraschema_in("live/a", "check --changed --format json");
    assert_eq!(modules(&answer), ["."], "through a module outside of what is asked for");
    it.write("live/new/main.tf", calling(&["../../modules/leaf"]));
    let answer = it.terraschema("check --changed --format json live/new live/similar");
    assert_eq!(modules(&answer), ["live/new"]);
}

#[test]
fn a_cycle_ends() {
    let it = repository();
    it.write("modules/leaf/main.tf", calling(&["../mid", "./", "../leaf"]));
    let it = committed(it);
    let all: &[&str] = &["live/a", "modules/leaf", "modules/mid"];
    selects(&it, ("a module of a cycle", &|| _ = it.write("modules/mid/new.tf", ""), all));
}

#[test]
#[cfg(unix)]
fn sources_lead_over_links() {
    use std::os::unix::fs::symlink;
    let it = repository();
    symlink("leaf", it.path("modules/current")).unwrap();
    symlink("modules", it.path("m")).unwrap();
    it.write("live/linked/main.tf", calling(&["../../modules/current"]));
    it.write("live/twice/main.tf", calling(&["../../m/current"]));
    // Starting from the link, `../next` is next to the link, not next to its target.
    it.write("deep/inside/it/main.tf", calling(&["../next"])).write("deep/inside/next/main.tf", X);
    it.write("deep/inside/it/n/main.tf", X);
    it.write(
        "deep/inside/it/z.tf",
        "module \"z\" {\n  source = \"../../../modules/mid\"\n  x      = \"1\"\n}\n",
    );
    it.write("live/next/main.tf", X);
    symlink("../deep/inside/it", it.path("live/it")).unwrap();
    it.write("live/beside/main.tf", calling(&["../it"]));
    it.write("shared/common.tf", "").write("live/shares/main.tf", X);
    symlink("../../shared/common.tf", it.path("live/shares/common.tf")).unwrap();
    it.write("live/of-shares/main.tf", calling(&["../shares"]));
    let it = committed(it);
    let relink = |link: &str, to: &str| {
        it.remove(link);
        symlink(to, it.path(link)).unwrap();
    };
    let cases: [Case; 7] = [
        (
            "a module behind links",
            &|| _ = it.write("modules/leaf/new.tf", ""),
            &[
                "deep/inside/it",
                "live/a",
                "live/beside",
                "live/linked",
                "live/twice",
                "modules/leaf",
                "modules/mid",
            ],
        ),
        (
            "a link leads elsewhere, and all that lead over links are taken",
            &|| relink("modules/current", "lone"),
            &["live/beside", "live/linked", "live/twice"],
        ),
        ("a deleted link", &|| _ = it.remove("modules/current"), &["live/linked", "live/twice"]),
        ("a deleted link on the way", &|| _ = it.remove("m"), &["live/twice"]),
        (
            "what is beside a link",
            &|| _ = it.write("live/next/new.tf", ""),
            &["live/beside", "live/next"],
        ),
        (
            "what is beside the linked directory",
            &|| _ = it.write("deep/inside/next/new.tf", ""),
            &["deep/inside/it", "deep/inside/next", "live/beside"],
        ),
        (
            "a file that a link in a module leads to",
            &|| _ = it.write("shared/common.tf", "# New\n"),
            &["live/of-shares", "live/shares"],
        ),
    ];
    cases.into_iter().for_each(|case| selects(&it, case));
}

#[test]
fn a_contract_is_what_is_called() {
    let it = repository();
    it.write("contracts/vpc/main.tf", X).write("contracts/vpc/modules/inner/main.tf", X);
    it.write("contracts/old/main.tf", X);
    let block = |version: &str, path: &str| {
        format!("contract \"org/vpc/aws\" {{\n  version = \"{version}\"\n  path = \"{path}\"\n}}\n")
    };
    it.write(
        ".terraschema.hcl",
        block("~> 5.0", "contracts/vpc") + &block("~> 4.0", "contracts/old"),
    );
    let versioned = |source: &str, version: &str| {
        let version = format!("  version = \"{version}\"\n  x ");
        calling(&[source]).replace("  x ", &version)
    };
    it.write("live/five/main.tf", versioned("org/vpc/aws", "5.1.0"));
    it.write("live/four/main.tf", versioned("registry.terraform.io/org/vpc/aws", "~> 4.2"));
    it.write("live/inner/main.tf", versioned("org/vpc/aws//modules/inner", "~> 5.0"));
    it.write("live/other/main.tf", versioned("org/vpc2/aws", "~> 5.0"));
    it.write("live/outer/main.tf", calling(&["../five"]));
    let it = committed(it);
    let cases: [Case; 5] = [
        (
            "a configuration of what is called",
            &|| {
                it.write("live/five/.terraschema.hcl", "");
                it.write("modules/lone/.terraschema.hcl", "");
            },
            &["live/five", "live/outer", "modules/lone"],
        ),
        (
            "a contract",
            &|| _ = it.write("contracts/vpc/new.tf", ""),
            &["contracts/vpc", "live/five", "live/outer"],
        ),
        (
            "another release's",
            &|| _ = it.write("contracts/old/new.tf", ""),
            &["contracts/old", "live/four"],
        ),
        (
            "a module inside",
            &|| _ = it.write("contracts/vpc/modules/inner/new.tf", ""),
            &["contracts/vpc/modules/inner", "live/inner"],
        ),
        ("a page", &|| _ = it.write("contracts/vpc/README.md", ""), &["contracts/vpc"]),
    ];
    cases.into_iter().for_each(|case| selects(&it, case));
}

#[test]
fn without_calls_only_what_is_read_counts() {
    let it = repository();
    it.write("live/quiet/.terraschema.hcl", "calls = false\n");
    it.write(
        "live/quiet/main.tf",
        calling(&["../../modules/leaf"])
            + "locals {\n  l = file(\"../../modules/leaf/main.tf\")\n}\n",
    );
    it.write("live/still/main.tf", calling(&["../../modules/leaf"]));
    it.write("live/still/.terraschema.hcl", "calls = false\n");
    it.write("live/top/main.tf", calling(&["../still"]));
    let it = committed(it);
    it.write("modules/leaf/main.tf", X_NUMBER);
    let all = ["live/a", "live/quiet", "live/top", "modules/leaf", "modules/mid"];
    assert_eq!(changed(&it, "--changed"), all, "{}", "through one that is not judged itself");
    assert_eq!(changed(&it, "--changed --no-calls"), ["live/quiet", "modules/leaf"]);
    it.git(&["add", "-A"]);
    assert_eq!(changed(&it, "--staged"), all);
    assert_eq!(changed(&it, "--staged --no-calls"), ["live/quiet", "modules/leaf"]);
}

#[test]
fn readers_of_a_changed_file_are_touched() {
    let it = Workspace::repository();
    let reading = |dir: &str, expression: &str| {
        it.write(&format!("{dir}/main.tf"), format!("{X}locals {{\n  l = {expression}\n}}\n"));
    };
    it.write("data/a.json", "{}").write("data/b.json", "{}").write("data/sub/c.json", "{}");
    reading("r/file", "jsondecode(file(\"${path.module}/../../data/a.json\"))");
    reading("r/plain", "upper(filebase64( \"../../data/a.json\"))");
    reading("r/hash", "filesha256((\"../../data/a.json\"))");
    reading("r/template", "templatefile(\"${path.module}/../../data/a.json\", {})");
    reading("r/exists", "core::fileexists(\"../../data/a.json\")");
    reading("r/set", "[for it in fileset(\"${path.module}/../../data\", \"*.json\") : it]");
    reading("r/module-set", "fileset(path.module, \"../../data/**\")");
    reading("r/some", "file(\"${path.module}/../../data/${var.x}.json\")");
    reading("r/sub-set", "fileset(\"../../data\", \"sub/*.json\")");
    reading("r/none", "file(var.x)");
    reading("r/local", "file(\"${local.dir}/../../data/a.json\")");
    reading("r/text", "\"file(../../data/a.json)\"");
    reading("r/b", "file(\"../../data/b.json\")");
    reading("r/own", "file(\"${path.module}/own.txt\")");
    it.write("r/own/own.txt", "").write("r/caller/main.tf", calling(&["../file"]));
    it.write(
        "r/json/main.tf.json",
        "{\"variable\": {\"x\": {}}, \"locals\": {\"l\": \"${file(\\\"../../data/a.json\\\")}\"}}",
    );
    let it = committed(it);
    let below = ["r/module-set", "r/set", "r/some"];
    let mut of_a =
        vec!["r/caller", "r/exists", "r/file", "r/hash", "r/json", "r/plain", "r/template"];
    of_a.extend(below);
    of_a.sort_unstable();
    let of_b = [&["r/b"][..], &below].concat();
    let of_c = [&below[..], &["r/sub-set"]].concat();
    let mut of_c = of_c;
    of_c.sort_unstable();
    let cases: [Case; 5] = [
        ("a file", &|| _ = it.write("data/a.json", "[]"), &of_a),
        ("a deleted file", &|| _ = it.remove("data/a.json"), &of_a),
        ("another", &|| _ = it.write("data/b.json", "[]"), &of_b),
        ("one in a directory below", &|| _ = it.write("data/sub/d.json", "[]"), &of_c),
        ("a file of the module's own", &|| _ = it.write("r/own/own.txt", "New"), &["r/own"]),
    ];
    cases.into_iter().for_each(|case| selects(&it, case));
}
