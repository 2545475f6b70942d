//! Which directory is the root of a run.

use std::fs;

use testkit::workspace::{Answer, Workspace, binary};

use super::{Hostile, MODULE, isolated};

fn rules(answer: &Answer) -> Vec<String> {
    let rule = |it: &str| Some(it.split_once('[')?.1.split_once(']')?.0.to_owned());
    answer.stdout.lines().filter_map(rule).collect()
}

#[test]
fn the_work_tree_is_the_root_from_wherever_it_is_checked() {
    let it = Hostile::new();
    it.write("shared/x.tfvars", "x = { b = 1 }\n").link("../shared/x.tfvars", "m/prod.tfvars");
    it.link("../../home/x.tfvars", "m/other.tfvars");
    let (all, below) = (it.run("check --format concise"), it.run_in("m", "check --format concise"));
    let (named, absolute) = (
        it.run_in("shared", "check ../m --format concise"),
        it.run_in("shared", &format!("check {} --format concise", it.path("m").display())),
    );
    for answer in [all, below, named, absolute] {
        let found = rules(&answer);
        let count = |rule: &str| found.iter().filter(|it| *it == rule).count();
        // A link to another directory of the repository is followed, one that leaves it is not.
        assert_eq!(
            (count("unknown-attribute"), count("outside-root")),
            (1, 1),
            "{}",
            answer.text()
        );
    }
    // From outside of the repository.
    let mut command = isolated(binary(), &it.outside(""));
    let answer =
        Answer::new(command.args(["check", "repo/m", "--format", "concise"]).output().unwrap());
    assert!(
        answer.stdout.contains("repo/m/other.tfvars:1:1: error[outside-root]"),
        "{}",
        answer.text()
    );
}

#[test]
fn root_widens_and_narrows() {
    let it = Hostile::new();
    it.link("../../home/x.tfvars", "m/prod.tfvars");
    let widened = it.run("check --root .. --format concise");
    assert!(!rules(&widened).contains(&"outside-root".to_owned()), "{}", widened.text());
    it.write("shared/x.tfvars", "x = {}\n").link("../shared/x.tfvars", "m/near.tfvars");
    let narrowed = it.run("check m --root m --format concise");
    let count = rules(&narrowed).iter().filter(|it| *it == "outside-root").count();
    assert_eq!(count, 2, "{}", narrowed.text());
    let outside = it.run("check m --root shared");
    assert_eq!(outside.code, 2);
    assert!(outside.stderr.contains("is outside the root"), "{}", outside.stderr);
    assert_eq!(it.run("check --root nowhere").code, 2);
    // A file of the tree cannot set it.
    it.write(".terraschema.hcl", "root = \"..\"\n");
    assert_eq!(it.findings(""), ["invalid-configuration .terraschema.hcl:1:1"]);
}

#[test]
fn outside_of_a_repository_the_current_directory_or_what_is_named() {
    let place = Workspace::new();
    place
        .write("a/main.tf", MODULE)
        .write("b/main.tf", MODULE)
        .write("b/x.tfvars", "x = { c = 1 }\n");
    std::os::unix::fs::symlink("../b/x.tfvars", place.path("a/prod.tfvars")).unwrap();
    let here = place.terraschema("check --format concise");
    assert!(!rules(&here).contains(&"outside-root".to_owned()), "{}", here.text());
    let named = place.terraschema_in("b", "check ../a --format concise");
    assert!(rules(&named).contains(&"outside-root".to_owned()), "{}", named.text());
    let inner = place.terraschema_in("a", "check --format concise");
    assert!(rules(&inner).contains(&"outside-root".to_owned()), "{}", inner.text());
    // A configuration above the root does not count.
    place.write(".terraschema.hcl", "nonsense = 1\n");
    assert_eq!(rules(&place.terraschema("check --format concise")), ["invalid-configuration"]);
    assert!(
        !rules(&place.terraschema_in("b", "check --format concise"))
            .contains(&"invalid-configuration".to_owned())
    );
}

#[test]
fn what_the_user_names_may_lie_anywhere() {
    let it = Hostile::new();
    fs::write(it.outside("levels.hcl"), "rule \"missing-schema\" {\n  level = \"off\"\n}\n")
        .unwrap();
    let answer = it.run("check --config ../levels.hcl --output json=../report.json");
    assert_eq!(answer.code, 0, "{}", answer.text());
    assert!(it.outside("report.json").exists());
    let answer = it.run("generate -i m -o ../schema.json");
    assert_eq!(answer.code, 0, "{}", answer.text());
    assert!(it.outside("schema.json").exists());
    let answer = it.run("validate --confined -i m -var-file ../home/x.tfvars");
    assert!(!answer.text().contains("outside"), "{}", answer.text());
}

/// What nobody looked at may fail, whatever its value is used for. Where something makes up for the failure, nothing is
/// open.
#[test]
fn a_file_outside_is_never_taken_as_read() {
    let it = Workspace::new();
    it.write("outside.txt", "text").write("repo/.git/HEAD", "ref: refs/heads/main\n");
    let resource =
        |value: &str| format!("resource \"terraform_data\" \"x\" {{\n  input = {value}\n}}\n");
    let module = "variable \"a\" {}\noutput \"o\" {\n  value = filemd5(\"../outside.txt\")\n}\n";
    for (text, is_open) in [
        (resource("file(\"../outside.txt\")"), true),
        (resource("[for it in [1, 2] : filebase64(\"../outside.txt\")]"), true),
        (resource("fileexists(\"../outside.txt\") ? 1 : 2"), true),
        (resource("file(\"~/key\")"), true),
        (resource("pathexpand(\"~/key\")"), false),
        ("locals {\n  a = templatefile(\"../outside.txt\", {})\n}\n".to_owned(), true),
        ("output \"o\" {\n  value = file(\"../outside.txt\")\n}\n".to_owned(), true),
        ("module \"m\" {\n  source = \"./m\"\n  a = 1\n}\n".to_owned(), true),
        (resource("try(file(\"../outside.txt\"), \"\")"), false),
        (resource("can(file(\"../outside.txt\"))"), false),
        (resource("false ? file(\"../outside.txt\") : \"\""), false),
        (resource("file(\"m/main.tf\")"), false),
    ] {
        it.write("repo/main.tf", &text).write("repo/m/main.tf", module);
        let answer = it.terraschema_in("repo", "validate --confined .");
        let said = if is_open { "undecided: only a plan can decide" } else { "accepted: " };
        assert!(answer.text().contains(said), "{text}{}", answer.text());
        let fails = answer.text().contains("() fails: ");
        assert_eq!(fails, is_open, "{text}{}", answer.text());
    }
}
