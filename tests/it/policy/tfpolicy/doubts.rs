//! Mistakes with which a policy can still be used.

use serde_json::json;

use super::{created, policy, said};

/// The summaries of the doubts about policies, for a plan with one `t.a`.
fn doubts(policies: &str) -> Vec<String> {
    let after = json!({"a": 1, "tags": {}, "blocks": [{"on": true}]});
    let found = said(policies, &[created(&after, &json!({}))]).1;
    let doubts = found.iter().filter_map(|it| it.strip_prefix("warning doubtful-policy "));
    doubts.map(str::to_owned).collect()
}

/// A policy with this condition.
fn with(condition: &str) -> String {
    policy(&format!("  enforce {{\n    condition = {condition}\n  }}"))
}

#[test]
fn each_mistake_is_a_warning() {
    for (condition, wanted) in [
        ("core::length(core::try(attrs.a, [])) > 0", "is null in a plan, so this fails"),
        ("[for it in core::try(attrs.a, []) : it] == []", "is null in a plan, so this fails"),
        ("attrs.blocks.on == true", "\"blocks\" is a list, so it has no members"),
        ("meta.address == \"t.a\"", "meta of a resource has no member \"address\""),
        ("core::getresources(\"t\", {})[0].attrs.a == attrs.a", "has its arguments without attrs"),
        ("core::length(attrs.tags) >= 0", "is always true"),
        ("true", "does not depend on the object"),
        ("1 > 2", "does not depend on the object"),
        ("local.fixed", "does not depend on the object"),
        ("meta.type < \"u\" || length(attrs.tags) == 1", "knows length only with its namespace"),
        ("core::contains(\"abc\", attrs.a)", "core::contains searches a list"),
        ("\"x\" + attrs.a == \"x1\"", "+ adds numbers, and this is a text"),
        ("core::file(attrs.a) == \"\"", "reads no file in a policy"),
    ] {
        let text = format!("locals {{\n  fixed = 1 == 1\n}}\n{}", with(condition));
        let found = doubts(&text);
        assert!(found.iter().any(|it| it.contains(wanted)), "{condition}: {found:?}");
    }
    let enforce =
        "  enforce {\n    condition = core::semvercmp(meta.version, \"1.0.0\") > 0\n  }\n}\n";
    for (header, wanted) in [
        ("provider_policy \"hashicorp/aws\" \"p\" {\n", "names a provider without its source"),
        ("module_policy \"vpc\" \"p\" {\n", "No module has the source \"vpc\""),
    ] {
        let found = doubts(&format!("{header}{enforce}"));
        assert!(found.iter().any(|it| it.contains(wanted)), "{header}: {found:?}");
    }
    let version =
        "provider_policy \"aws\" \"p\" {\n  enforce {\n    condition = meta.version > 5\n  }\n}\n";
    assert!(doubts(version)[0].contains("A version is a text"));
    let partial = policy(
        "  operations = [\"create\"]\n  enforce {\n    condition = core::length(core::getresources(\"t\", \
        {})) > 0\n  }",
    );
    assert!(doubts(&partial)[0].contains("Resources that do not change are not judged"));
}

#[test]
fn what_is_right_gets_no_warning() {
    for condition in [
        "core::try(core::length(core::try(attrs.a, [])), 0) > 0",
        "core::length(core::try(attrs.blocks[0].ports, [])) > 0",
        "attrs.blocks[0].on == true",
        "core::try(attrs.tags.env, \"\") == \"\"",
        "core::contains([\"a\"], attrs.a)",
        "local.asked",
        "meta.type == \"t\" && meta.tfe_workspace.tags == {}",
        "input.on",
        "core::length(core::getresources(\"t\", {})) > 0",
    ] {
        let text = format!(
            "input \"on\" {{\n  type = bool\n  default = true\n}}\nlocals {{\n  asked = \
            core::length(core::getresources(\"t\", {{}})) > 0\n}}\n{}",
            with(condition)
        );
        assert_eq!(doubts(&text), Vec::<String>::new(), "{condition}");
    }
}
