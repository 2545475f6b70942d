//! What does not parse is judged where possible, or is reported as not judged: no error hides what a policy forbids,
//! and none makes a rule fail that may hold.

use super::outer::said;

const BY_VARIABLE: &str = "variable \"zone\" {\n  type = string\n}\nvariable \"other\" {\n  default = \"\"\n}\nresource \"t\" \"a\" {\n  zone = var.zone\n}\n";
const WRONG: &str = "resource \"t\" \"a\" {\n  zone = \"us\"\n}\n";
const QUIET: &str = "rule \"invalid-syntax\" {\n  level = \"off\"\n}\nrule \"invalid-variable\" {\n  level = \"off\"\n}\nrule \"missing-schema\" {\n  level = \"off\"\n}\n";

const FAILS: &str = "error[policy/zones]";

/// Whether a report says that a problem keeps the rule from being judged. One line lists all that the problem keeps
/// from being judged, so a resource may be in it too.
fn is_blocked(out: &str, problem: &str) -> bool {
    let mut lines = out.lines().filter(|line| line.contains("not judged: policy/zones"));
    lines.any(|line| line.contains(&format!(", because of {problem}")))
}

/// A set of values with an error next to the value that the rule is about.
#[test]
fn values_with_an_error_are_judged_as_far_as_they_can_be() {
    for (what, values) in [
        ("another value of a wrong type", "zone = \"us\"\nother = {\n"),
        ("no value", "zone = \"us\"\nother =\n"),
        ("a function", "zone = \"us\"\nother = upper(\"a\")\n"),
        ("a reference", "other = local.nope\nzone = \"us\"\n"),
        ("a block", "zone = \"us\"\nother {\n}\n"),
        ("twice", "zone = \"us\"\nother = 1\nother = 2\n"),
    ] {
        let (code, out) =
            said(&[("m/main.tf", BY_VARIABLE), ("m/terraform.tfvars", values)], "check -v");
        assert_ne!(code, 0, "{what}: {out}");
        assert!(out.contains(FAILS), "{what}: {out}");
    }
}

/// The value that the rule is about has the error: whether the rule holds is not known.
#[test]
fn a_rule_about_a_value_with_an_error_is_blocked() {
    for (what, values, place) in [
        ("a function", "zone = upper(\"eu\")\n", "m/terraform.tfvars:1"),
        ("a reference", "other = 1\nzone = local.nope\n", "m/terraform.tfvars:2"),
        ("no value", "zone =\n", "m/terraform.tfvars:1"),
        ("a text without an end", "other = 1\nzone = \"eu\n", "m/terraform.tfvars:2"),
    ] {
        let (code, out) =
            said(&[("m/main.tf", BY_VARIABLE), ("m/terraform.tfvars", values)], "check -v");
        assert_ne!(code, 0, "{what}: {out}");
        assert!(is_blocked(&out, place), "{what}: {out}");
        assert!(!out.contains(FAILS), "{what}: {out}");
    }
}

/// Whatever a nearer file silences, the line says what was not judged.
#[test]
fn a_module_that_does_not_parse_blocks_every_rule() {
    for (what, main, place) in [
        ("a text without an end", "resource \"t\" \"a\" {\n  zone = \"us\n}\n", "m/main.tf:2"),
        ("no brace", "resource \"t\" \"b\" {\n  zone = \"us\"\n", "m/main.tf:1"),
        ("a broken type", "variable \"x\" {\n  type = strin\n}\n", "m/main.tf:2"),
    ] {
        let broken = [("m/main.tf", main), ("m/other.tf", "resource \"u\" \"a\" {\n}\n")];
        for silenced in ["", QUIET] {
            let files = [&broken[..], &[("m/.terraschema.hcl", silenced)]].concat();
            let (_, out) = said(&files, "check -v");
            assert!(is_blocked(&out, place), "{what}: {out}");
        }
    }
}

/// The rule fails for what was read, whatever else does not parse.
#[test]
fn what_was_read_of_a_broken_module_is_judged() {
    let broken = ("m/broken.tf", "locals {\n  a = \"x\n}\n");
    let (code, out) = said(&[("m/main.tf", WRONG), broken], "check -v");
    assert_ne!(code, 0, "{out}");
    assert!(out.contains(FAILS), "{out}");
    assert!(is_blocked(&out, "m/"), "{out}");
    // What an unread override or an unread local may change is not known.
    let by_local = "resource \"t\" \"a\" {\n  zone = local.a\n}\n";
    for files in [
        [("m/main.tf", WRONG), ("m/override.tf", "resource \"t\" \"a\" {\n  zone = \"eu\n}\n")],
        [("m/main.tf", by_local), broken],
        [("m/main.tf", "resource \"t\" \"a\" {\n  zone = \"us\"\n  b = \"\n}\n"), ("m/z.tf", "")],
    ] {
        let (_, out) = said(&files, "check -v");
        assert!(!out.contains(FAILS) && is_blocked(&out, "m/"), "{out}");
    }
}

/// The configuration excludes the module; the outer policy judges it with each of the values files below it.
#[test]
fn values_below_an_excluded_module_are_judged() {
    let exclude = ("m/.terraschema.hcl", "modules {\n  exclude = [\".\"]\n}\n");
    for values in ["m/envs/prod.tfvars", "m/envs/a/b/prod.tfvars", "m/prod.tfvars"] {
        let files = [("m/main.tf", BY_VARIABLE), (values, "zone = \"us\"\n"), exclude];
        let (code, out) = said(&files, "check -v");
        assert_eq!(code, 1, "{values}: {out}");
        assert!(out.contains(FAILS), "{values}: {out}");
    }
}

/// `check` says so, as `policy` does, where it has judged the whole tree of the policy.
#[test]
fn a_rule_that_judged_nothing_is_reported() {
    let near = "resource \"tt\" \"a\" {\n  zone = \"us\"\n}\n";
    let (code, out) = said(&[("m/main.tf", near)], "check");
    assert_eq!(code, 0, "{out}");
    let note = "warning[nothing-judged]: There is no resource \"t\", so this judges nothing";
    assert!(out.contains(note), "{out}");
    // Any module of the tree may have it, called ones too.
    let call = "module \"n\" {\n  source = \"./n\"\n}\n";
    let fine = "resource \"t\" \"a\" {\n  zone = \"eu\"\n}\n";
    let files = [("m/main.tf", near), ("n/main.tf", call), ("n/n/main.tf", fine)];
    let (_, out) = said(&files, "check");
    assert!(!out.contains("nothing-judged"), "{out}");
    // A part of the tree says nothing about the whole, and what does not parse may hold it.
    let (_, out) = said(&files, "check m");
    assert!(!out.contains("nothing-judged"), "{out}");
    let (_, out) = said(&[("m/main.tf", near), ("n/main.tf", "locals {\n")], "check");
    assert!(!out.contains("nothing-judged"), "{out}");
}

/// A report holds a thousand findings of a rule, and the number of the others.
#[test]
fn findings_of_a_rule_are_bounded() {
    for number in [1000, 1001, 1002, 3000] {
        let main: String = (0..number)
            .map(|it| format!("resource \"t\" \"a{it}\" {{\n  zone = \"us\"\n}}\n"))
            .collect();
        let (code, out) = said(&[("m/main.tf", &main)], "check --format json");
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(code, 1);
        assert_eq!(findings.len(), number.min(1001));
        let last = findings
            .iter()
            .find(|it| it["message"].as_str().unwrap().contains(" more findings of policy/zones"));
        let said = last.map(|it| it["message"].as_str().unwrap().to_owned());
        let expected = format!("{} more findings of policy/zones", number - 1000);
        let is_right = said.is_some_and(|it| it.starts_with(&expected));
        assert_eq!(is_right, number > 1001, "{number}");
    }
}

/// Each of many values files has findings of its own; the report of the module is bounded.
#[test]
fn findings_of_many_sets_are_bounded() {
    let main = "variable \"zone\" {\n  type = string\n}\nresource \"t\" \"a\" {\n  count = 500\n  zone  = \"${var.zone}-${count.index}\"\n}\n";
    let values: Vec<(String, String)> =
        (0..6).map(|it| (format!("m/v{it}.tfvars"), format!("zone = \"z{it}\"\n"))).collect();
    let mut files = vec![("m/main.tf", main)];
    files.extend(values.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let (code, out) = said(&files, "check --format json");
    assert_eq!(code, 1, "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 2 * 1001 + 1);
    let counts = |it: &&serde_json::Value| {
        it["message"].as_str().unwrap().starts_with("998 more findings of policy/zones")
    };
    assert_eq!(findings.iter().filter(counts).count(), 1, "{out:.2000}");
}
