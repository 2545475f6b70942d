//! What is read of policy files, and what is refused with its place.

use std::sync::Arc;

use policy::{GivenContexts, Policy};
use tf_eval::Meter;

fn read(text: &str) -> (Policy, Vec<String>) {
    let files = vec![("p/my_file.policy.hcl".to_owned(), Arc::from(text.as_bytes()))];
    let (policy, problems) = policy::read(files, &GivenContexts::default(), &Meter::default());
    let one = |it: &diagnostics::Diagnostic| {
        let place =
            it.span().map_or(String::new(), |it| policy.sources.display(it).replace(',', ":"));
        format!("{}: {}", place.trim_start_matches("p/my_file.policy.hcl:"), it.message())
    };
    let problems = problems.iter().map(one).collect();
    (policy, problems)
}

#[test]
fn each_policy_is_a_rule() {
    let enforce = "  enforce {\n    condition = true\n  }\n";
    let text = [
        "resource_policy \"aws_*\" \"my_file\" {\n  enforcement_level = \"advisory\"\n",
        enforce,
        "}\nmodule_policy \"*\" \"Some Name\" {\n",
        enforce,
        "}\nprovider_policy \"aws\" \"p\" {\n  enforcement_level = \"mandatory_overridable\"\n",
        enforce,
        "}\n",
    ];
    let (policy, problems) = read(&text.concat());
    assert_eq!(problems, Vec::<String>::new());
    let found: Vec<_> = policy
        .rules
        .iter()
        .map(|it| (it.id.as_str(), it.level.unwrap().as_str(), it.demands[0].target.kind.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("my-file", "warning", "resource"),
            ("my-file-some-name", "error", "module"),
            ("my-file-p", "error", "provider"),
        ]
    );
}

#[test]
fn a_level_and_operations_may_depend_on_inputs_and_locals() {
    let text = r#"
input "level" {
  type    = string
  default = "advisory"
}
locals {
  chosen = input.level
  all    = ["create"]
}
resource_policy "t" "p" {
  enforcement_level = local.chosen
  operations        = local.all
  enforce {
    condition = true
  }
}
"#;
    let (policy, problems) = read(text);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(policy.rules[0].level.unwrap().as_str(), "warning");
    let actions = policy.rules[0].when.actions.as_ref().unwrap();
    let words: Vec<&str> = actions.iter().map(|it| it.as_str()).collect();
    assert_eq!(words, ["create", "replace"]);
}

/// A policy with this body; the body begins in line 2.
fn with(body: &str) -> String {
    format!(
        "resource_policy \"t\" \"p\" {{\n{body}\n  enforce {{\n    condition = true\n  }}\n}}\n"
    )
}

#[test]
fn what_the_language_does_not_have_is_refused_with_its_place() {
    let cases = [
        ("x = 1\n", "1:1: Argument outside of a block"),
        ("data_policy \"t\" \"p\" {}\n", "1:1: Unknown block \"data_policy\""),
        ("rule \"a\" {}\n", "1:1: Unknown block \"rule\""),
        ("resource_polcy \"t\" \"p\" {}\n", "Did you mean \"resource_policy\""),
        ("policy {\n  required_provider {}\n}\n", "2:3: Unknown setting \"required_provider\""),
        ("module_policy \"*\" {\n}\n", "1:1: module_policy must have two labels"),
        ("resource_policy \"t\" \"p\" {\n}\n", "1:1: A policy without enforce blocks"),
        ("resource_policy \"t\" \"p\" {\n  enforce {\n  }\n}\n", "2:3: An enforce block must have"),
        (&with("  enforcement_level = \"high\""), "2:23: \"high\" is not an enforcement level"),
        (&with("  operations = [\"destroy\"]"), "2:16: Unknown operation \"destroy\""),
        (&with("  operations = [\"create\", \"delete\"]"), "2:16: delete cannot be combined"),
        (&with("  operations = [\"delete\", \"no-op\"]"), "2:16: delete cannot be combined"),
        (&with("  filter = prior_attrs.a == 1"), "1:1: A policy that reads prior_attrs needs"),
        (
            &with("  operations = [\"create\", \"update\"]\n  filter = prior_attrs.a == 1"),
            "2:16: prior_attrs with create or no-op",
        ),
        (&with("  filter = attr.a == 1"), "2:12: Unknown name \"attr\""),
        (&with("  filter = var.a"), "2:12: Unknown name \"var\": Write input.NAME."),
        (&with("  filter = local.a"), "2:12: Reference to an undeclared local"),
        (&with("  filter = input.a"), "2:12: Reference to an undeclared input"),
        (&with("  filter = core::lenght(attrs.a) > 0"), "2:12: Unknown function \"core::lenght\""),
        (&with("  filter = json::unmarshal(attrs.a)"), "2:12: Unknown function"),
        (&with("  connected \"t\" {\n  }"), "2:3: Unknown name \"connected\" in a policy"),
        (&with("  level = 1"), "2:3: Unknown name \"level\" in a policy"),
        (&with("  locals {\n    a = local.b\n    b = local.a\n  }"), "3:9: Locals refer to each"),
        ("locals {\n  a = attrs.b\n}\n", "2:7: Unknown name \"attrs\": It is known only inside"),
        ("locals {\n  a = local.a\n}\n", "2:7: Locals refer to each other in a cycle"),
        (
            &format!("locals {{\n  a = 1\n}}\n{}", with("  locals {\n    a = 2\n  }")),
            "6:5: Duplicate local \"a\"",
        ),
        (&format!("{0}{0}", with("")), "7:21: Duplicate policy \"p\" for \"t\""),
        (
            "module_policy \"*\" \"p\" {\n  operations = []\n  enforce {\n    condition = true\n  }\n}\n",
            "2:3: Unknown name \"operations\" in a policy: Only resources have operations.",
        ),
        ("resource_policy \"t\" {", "1:"),
    ];
    for (text, wanted) in cases {
        let (_, problems) = read(text);
        assert!(problems.iter().any(|it| it.contains(wanted)), "{text}\n{problems:#?}");
    }
}

#[test]
fn an_input_needs_a_value_of_its_type() {
    let text = "input \"n\" {\n  type = number\n}\n";
    let (_, problems) = read(text);
    assert!(problems[0].starts_with("1:1: The input \"n\" has no value"), "{problems:?}");
    let text = "input \"n\" {\n  type    = number\n  default = \"x\"\n}\n";
    let (_, problems) = read(text);
    assert!(problems[0].contains("The input \"n\" has another type"), "{problems:?}");
}

#[test]
fn names_of_both_languages_are_known_together() {
    let own = "context \"a\" {\n  default = 1\n}\nrule \"r\" {\n  resource \"t\" {\n    x = context.a\n  }\n}\n";
    let theirs = "input \"b\" {\n  type = number\n  default = 1\n}\nresource_policy \"t\" \"p\" {\n  enforce {\n    condition = attrs.x == input.b\n  }\n}\n";
    let files = || {
        let one = |(path, text): (&str, &str)| (path.to_owned(), Arc::from(text.as_bytes()));
        [("a.rules.hcl", own), ("b.policy.hcl", theirs)].map(one).to_vec()
    };
    let given = |names: &[&str]| {
        let texts = names.iter().map(|it| ((*it).to_owned(), "2".to_owned())).collect();
        GivenContexts { texts, ..GivenContexts::default() }
    };
    let (policy, problems) = policy::read(files(), &given(&["a", "b"]), &Meter::default());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(policy.rules.len(), 2);
    let (_, problems) = policy::read(files(), &given(&["c"]), &Meter::default());
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].message().contains("\"c\" is not declared"), "{problems:?}");
}
