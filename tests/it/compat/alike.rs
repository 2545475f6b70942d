//! Only what differs between two states is listed, by the ids of git's trees.

use testkit::workspace::Workspace;

use super::states::{NARROW, OLD, WIDER};

fn levels(space: &Workspace, arguments: &str) -> Vec<String> {
    let answer = space.terraschema(&arguments.replacen("compat", "compat --format json", 1));
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let modules =
        report["compat"]["modules"].as_array().unwrap_or_else(|| panic!("{}", answer.text()));
    let told = |it: &serde_json::Value| {
        format!("{} {}", it["path"].as_str().unwrap(), it["level"].as_str().unwrap())
    };
    modules.iter().map(told).collect()
}

#[test]
fn whatever_differs_is_found() {
    let space = Workspace::repository();
    for dir in ["a", "a/deep/er", "b", "b-c", "gone", "moved/in"] {
        space.write(&format!("{dir}/main.tf"), OLD);
    }
    space.write("moved/in/main.tf", "output \"o\" {\n  value = 1\n}\n");
    space.write(".gitignore", "ignored\n").commit("one");
    space.write("a/deep/er/main.tf", NARROW).write("b-c/main.tf", WIDER);
    space.remove("gone/main.tf").write("new/er/main.tf", NARROW).write("ignored/main.tf", NARROW);
    space.write(".hidden/main.tf", NARROW);
    std::fs::rename(space.path("moved"), space.path("went")).unwrap();
    let expected = ["a/deep/er major", "b-c minor", "gone major", "new/er minor", "went/in none"]
        .map(String::from);
    assert_eq!(levels(&space, "compat HEAD"), expected);
    assert_eq!(levels(&space, "compat HEAD -- a"), ["a/deep/er major"]);
    // Alike, and a module for all that.
    assert_eq!(levels(&space, "compat HEAD -- b"), [""; 0]);
    let answer = space.terraschema("compat HEAD -- nowhere");
    assert!(answer.stderr.contains("nowhere: no module in either version"), "{}", answer.text());
    let inside = space.terraschema_in("a/deep", "compat HEAD --format concise");
    assert!(inside.stdout.contains("er/main.tf:"), "{}", inside.text());
    space.git(&["add", "-A"]);
    space.commit("two");
    let expected = ["a/deep/er major", "b-c minor", "gone major", "new/er minor", "went/in none"]
        .map(String::from);
    assert_eq!(levels(&space, "compat HEAD~1 HEAD"), expected);
    assert_eq!(levels(&space, "compat HEAD"), [""; 0]);
}

/// A link says the same at both states, and what it leads to does not.
#[cfg(unix)]
#[test]
fn what_links_lead_to_is_compared() {
    let space = Workspace::repository();
    space.write("common/main.tf", OLD);
    std::fs::create_dir_all(space.path("linked/more")).unwrap();
    std::os::unix::fs::symlink("../../common/main.tf", space.path("linked/more/main.tf")).unwrap();
    space.commit("one");
    space.write("common/main.tf", NARROW);
    let expected = ["common major", "linked/more major"];
    assert_eq!(levels(&space, "compat HEAD"), expected);
    space.commit("two");
    assert_eq!(levels(&space, "compat HEAD~1 HEAD"), expected);
    // The index may hold something else altogether.
    space.git(&["rm", "-rq", "--cached", "linked"]);
    assert_eq!(levels(&space, "compat HEAD~1 HEAD"), expected);
}
