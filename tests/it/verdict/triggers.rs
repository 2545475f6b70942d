//! What `replace_triggered_by` and `action_trigger` may name, in releases that look at it before any instance and in
//! others.

use super::doubt::{report_of, verdict};

fn judged(release: &str, trigger: &str) -> String {
    let main = format!(
        "resource \"terraform_data\" \"b\" {{\n  input = {{ a = 1 }}\n}}\nresource \"terraform_data\" \"terraform_data\" {{}}\nresource \"terraform_data\" \"c\" {{\n  count = 1\n}}\nresource \"x_y\" \"z\" {{}}\nresource \"terraform_data\" \"a\" {{\n  lifecycle {{\n    replace_triggered_by = [{trigger}]\n  }}\n}}\n"
    );
    report_of(release, &[("main.tf", &main)])["verdict"].as_str().unwrap().to_owned()
}

const RELEASES: [&str; 3] =
    ["--terraform-version=1.11", "--terraform-version=1.15", "--opentofu=1.12"];

#[test]
fn a_resource_an_instance_and_an_attribute_may_trigger() {
    for trigger in [
        "terraform_data.b",
        "terraform_data.b.id",
        "terraform_data.b.input.a",
        "terraform_data.c[0]",
        "terraform_data.c[0].output",
        "terraform_data.terraform_data.id",
        "resource.terraform_data.b",
        "resource.terraform_data.b.id",
        "x_y.z",
        "x_y.z.only_its_provider_knows",
    ] {
        for release in RELEASES {
            assert_eq!(judged(release, trigger), "accept", "{trigger}, {release}");
        }
    }
}

#[test]
fn what_is_not_there_triggers_nothing() {
    for trigger in ["terraform_data.none", "resource.terraform_data.none", "terraform_data.c[1]"] {
        for release in RELEASES {
            assert_eq!(judged(release, trigger), "reject", "{trigger}, {release}");
        }
    }
    // Only OpenTofu looks at attributes.
    for trigger in [
        "terraform_data.b.nope",
        "resource.terraform_data.b.nope",
        "terraform_data.c[0].nope",
        "terraform_data.terraform_data.nope",
    ] {
        assert_eq!(judged("--terraform-version=1.11", trigger), "accept", "{trigger}");
        assert_eq!(judged("--opentofu=1.12", trigger), "reject", "{trigger}");
    }
}

/// Where nothing is replaced, only references themselves are looked at.
#[test]
fn only_references_with_known_keys_trigger() {
    let judged = |own: &str, trigger: &str| {
        let main = format!(
            "resource \"terraform_data\" \"r\" {{\n  input = [1]\n}}\nresource \"terraform_data\" \"rs\" {{\n  \
             count = 1\n}}\nresource \"terraform_data\" \"f\" {{\n  for_each = {{ a = 1 }}\n}}\n\
             resource \"terraform_data\" \"a\" {{\n  {own}\n  lifecycle {{\n    \
             replace_triggered_by = [{trigger}]\n  }}\n}}\n"
        );
        verdict(&[("main.tf", &main)])
    };
    let each = "for_each = { a = 1 }";
    for (own, trigger, expected) in [
        ("", "terraform_data.rs[*]", "reject"),
        ("count = 0", "terraform_data.rs[*]", "accept"),
        ("", "(terraform_data.r)", "reject"),
        ("count = 0", "(terraform_data.r)", "accept"),
        ("", "length(terraform_data.rs)", "reject"),
        ("", "terraform_data.f[\"${\"a\"}\"]", "reject"),
        ("", "terraform_data.rs[-1]", "reject"),
        ("", "terraform_data.rs[1 - 1]", "reject"),
        ("", "terraform_data.rs[\"0\"]", "reject"),
        ("", "terraform_data.f[0]", "reject"),
        ("", "terraform_data.rs.0", "accept"),
        ("", "terraform_data.f[\"a\"][\"id\"]", "accept"),
        ("", "terraform_data.r.input[null]", "accept"),
        ("count = 1", "terraform_data.rs[count.index]", "accept"),
        ("", "terraform_data.rs[count.index]", "reject"),
        (each, "terraform_data.f[each.key]", "accept"),
        (each, "terraform_data.rs[each.key]", "reject"),
        (each, "terraform_data.f[each.key.x]", "reject"),
        ("count = 0", "terraform_data.rs[true]", "reject"),
        ("count = 0", "terraform_data.rs[1.5]", "reject"),
        ("count = 0", "resource.terraform_data", "reject"),
        ("", "data.terraform_remote_state", "reject"),
        ("count = 0", "data.terraform_remote_state", "reject"),
        ("count = 0", "ephemeral.x.y", "accept"),
        ("", "ephemeral.x.y", "reject"),
    ] {
        assert_eq!(judged(own, trigger), expected, "{trigger} with {own:?}");
    }
}

#[test]
fn an_action_that_is_declared_may_be_triggered() {
    for (action, expected) in [("x_y.z", "accept"), ("x_y.none", "reject"), ("none.z", "reject")] {
        let main = format!(
            "action \"x_y\" \"z\" {{}}\nresource \"terraform_data\" \"a\" {{\n  lifecycle {{\n    action_trigger {{\n      events = [after_create]\n      actions = [action.{action}]\n    }}\n  }}\n}}\n"
        );
        let report = report_of("--terraform-version=1.15", &[("main.tf", &main)]);
        assert_eq!(report["verdict"], expected, "{action}");
    }
}

/// A data source changes nothing if the plan reads it, and who knows whether it does.
#[test]
fn a_data_source_may_trigger_if_it_is_read_later() {
    for (trigger, expected) in [
        ("data.x_y.d", "undecided"),
        ("data.x_y.d.id", "undecided"),
        ("data.x_y.d[0]", "undecided"),
        ("data.x_y.none", "reject"),
        ("data.x_y.none[0].id", "reject"),
    ] {
        let main = |count: u32| {
            format!(
                "data \"x_y\" \"d\" {{}}\nresource \"terraform_data\" \"a\" {{\n  count = {count}\n  lifecycle {{\n    replace_triggered_by = [{trigger}]\n  }}\n}}\n"
            )
        };
        let judged = |count| verdict(&[("main.tf", &main(count))]);
        assert_eq!(judged(1), expected, "{trigger}");
        // Nothing is replaced then.
        assert_eq!(judged(0), "accept", "{trigger}");
    }
}
