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
        ("core::length(core::try(attrs.tags, {})) > 0", "so this fails if tags is not set"),
        ("core::contains(core::try(attrs.a, []), \"x\")", "so this fails if a is not set"),
        ("core::join(\",\", core::try(attrs.a, [])) == \"\"", "so this fails if a is not set"),
        ("[for it in local.list : it if it != \"x\"] == []", "so this fails if a is not set"),
        ("[for it in local.all : it if it.b == attrs.id] == []", "id is known after apply"),
        ("core::regex(\"^a\", attrs.a) != null", "core::regex fails if nothing matches"),
        ("attrs.a < \"v1.2\"", "A text has no order, so this fails"),
        ("core::contains(attrs.a, [\"x\"])", "core::contains are in the wrong order"),
        ("core::join(attrs.a, \",\") == \"\"", "core::join are in the wrong order"),
        ("core::regexall(attrs.a, \"^a\") == []", "core::regexall are in the wrong order"),
        ("core::split(attrs.a, \",\") == []", "core::split are in the wrong order"),
        ("core::startswith(\"arn:\", attrs.a)", "core::startswith are in the wrong order"),
        ("core::endswith(\".com\", attrs.a)", "core::endswith are in the wrong order"),
        ("meta.type == \"u\"", "No resource \"t\" has the type \"u\""),
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
        let text = policy(&format!(
            "  locals {{\n    list = core::try(attrs.a, [])\n    all = core::getresources(\"t\", {{}})\n  \
            }}\n  enforce {{\n    condition = {condition}\n  }}"
        ));
        let text = format!("locals {{\n  fixed = 1 == 1\n}}\n{text}");
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
    let constraint = "provider_policy \"aws\" \"p\" {\n  enforce {\n    condition = !core::startswith(meta.\
        version, \">\") && meta.version != \"~> 5.0\"\n  }\n}\n";
    let found = doubts(constraint);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("meta.version is the selected version"), "{found:?}");
    let fixed = policy("  filter = 1 == 1\n  enforce {\n    condition = attrs.a == 1\n  }");
    assert!(doubts(&fixed)[0].contains("The filter does not depend on the object"));
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
        // A list of nested blocks is never null.
        "core::length(core::try(attrs.blocks, [])) > 0",
        "[for it in core::try(attrs.blocks, []) : it if it.on] == []",
        "core::contains([for it in core::try(attrs.blocks, []) : it][*].on, true)",
        "attrs.a == null ? true : core::contains(core::try(attrs.a, []), \"x\")",
        "core::contains(core::try(attrs.vpc_security_group_ids, []), \"x\")",
        "core::try(core::regex(\"^a\", attrs.a), null) != null",
        "core::length(core::getresources(\"t\", { b = attrs.id })) > 0",
        "[for it in core::getresources(\"t\", {}) : it if it.b == attrs.b] == []",
        "attrs.a > \"10\"",
        "core::contains_substring(\"a,b\", attrs.a)",
        "core::startswith(attrs.a, \"arn:\")",
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
