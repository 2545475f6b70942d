//! All releases of a repository, each compared with the one before.

use testkit::workspace::Workspace;

use super::states::{NARROW, OLD, WIDER};

#[test]
fn each_release_is_held_against_its_number() {
    let space = Workspace::repository();
    for (text, tags) in [
        (NARROW, vec!["v0.9.0", "v0.9.1-rc1"]),
        (OLD, vec!["v1.0.0", "other"]),
        (NARROW, vec!["v1.0.1"]),
        (NARROW, vec!["1.1.0"]),
        (WIDER, vec!["v1.10.0"]),
        (OLD, vec!["v1.2.0"]),
    ] {
        space.write("m/main.tf", text).write("other", tags[0]);
        space.commit(tags[0]);
        for tag in tags {
            space.git(&["tag", tag]);
        }
    }
    let answer = space.terraschema("compat --history");
    let expected = "release  verdict      claimed\n\
        v1.0.0   minor        major\n\
        v1.0.1   major        patch  !\n\
        1.1.0    none         minor\n\
        v1.2.0   minor        minor\n\
        v1.10.0  minor        minor\n\
        5 releases: 1 break by our verdict, 1 by their version numbers, 1 without announcing it; undecided for 0 of 4 modules (0.0 %)\n";
    assert_eq!(answer.stdout, expected, "{}", answer.text());
    assert_eq!(answer.code, 0);
    let answer = space.terraschema("compat --history --format json");
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let schema = std::fs::read_to_string("docs/report.schema.json").unwrap();
    let schema = jsonschema::draft7::new(&serde_json::from_str(&schema).unwrap()).unwrap();
    assert!(schema.is_valid(&report), "{:?}", schema.iter_errors(&report).next());
    let history = &report["compat"]["history"];
    assert_eq!(history["summary"]["unannounced"], 1);
    assert_eq!(history["releases"][1]["base"], "v1.0.0");
    assert_eq!(history["releases"][1]["level"], "major");
}

#[test]
fn tags_with_a_name_are_a_history_of_their_own() {
    let space = Workspace::repository();
    space.write("modules/a/main.tf", OLD).write("modules/b/main.tf", OLD).commit("one");
    space.git(&["tag", "a/v0.1.0"]);
    space.git(&["tag", "b-1.0.0"]);
    space.write("modules/a/main.tf", NARROW).commit("two");
    space.git(&["tag", "a/v0.2.0"]);
    space.git(&["tag", "b-1.0.1"]);
    let answer = space.terraschema("compat --history");
    let rows = "a/v0.2.0  major        major\nb-1.0.1   none         patch\n2 releases: 1 break";
    assert!(answer.stdout.contains(rows), "{}", answer.text());
}

/// Modules that cannot be read, since they were written for Terraform 0.11, are counted separately.
#[test]
fn modules_that_cannot_be_read_are_counted_apart() {
    let space = Workspace::repository();
    for (text, tag) in [
        ("variable \"x\" {\n  type = \"strings\"\n}\n", "v0.1.0"),
        (OLD, "v0.2.0"),
        (WIDER, "v0.2.1"),
    ] {
        space.write("m/main.tf", text).commit(tag);
        space.git(&["tag", tag]);
    }
    let answer = space.terraschema("compat --history");
    let end = "undecided for 0 of 1 modules (0.0 %); 1 more cannot be read\n";
    assert!(answer.stdout.ends_with(end), "{}", answer.text());
}

#[test]
fn a_history_needs_two_releases() {
    let space = Workspace::repository();
    space.write("m/main.tf", OLD).commit("one");
    space.git(&["tag", "v1.0.0"]);
    let answer = space.terraschema("compat --history");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("--history needs two version tags"), "{}", answer.stderr);
    assert_eq!(space.terraschema("compat v1.0.0 --history").code, 2);
}

/// Tags of files and trees are not states, and what comes before a release is not one. Annotated tags are states.
#[test]
fn tags_of_every_kind_are_read() {
    let space = Workspace::repository();
    for (text, tag) in [(OLD, "v0.1.0"), (WIDER, "v0.2.0"), (OLD, "v0.2.1")] {
        space.write("m/main.tf", text).write("other", tag);
        space.commit(tag);
        space.git(&["tag", "-a", tag, "-m", "annotated"]);
    }
    for (tag, of) in [
        ("v0.3.0", "HEAD:m/main.tf"),
        ("v0.4.0", "HEAD^{tree}"),
        ("v0.2.2-0.3.7", "HEAD"),
        ("v0.2.2-rc.1", "HEAD"),
        ("v0.2", "HEAD"),
        ("0.2.1", "HEAD"),
    ] {
        space.git(&["tag", tag, of]);
    }
    let answer = space.terraschema("compat --history");
    let rows: Vec<Vec<&str>> =
        answer.stdout.lines().map(|it| it.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["v0.2.0", "minor", "major"], "{}", answer.text());
    assert_eq!(rows[2], ["0.2.1", "major", "patch", "!"], "{}", answer.text());
    assert!(answer.stdout.contains("\n2 releases: "), "{}", answer.text());
    let answer = space.terraschema("compat");
    assert!(answer.stdout.contains("0.2.1 → the work tree: none"), "{}", answer.text());
}
