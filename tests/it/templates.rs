//! Which expressions `templatestring` takes for a reference to a template, as Terraform 1.11.4 answered a plan with each.

use system::MemorySystem;
use terraschema::{Console, Exit};

const LOCALS: &str = r#"
variable "k" {
  default = "x"
}

locals {
  texts = { x = "hello $${n}", y = "bye $${n}" }
  rules = { x = { text = "x $${n}" }, y = { text = "y $${n}" } }
  list  = [{ text = "0 $${n}" }, { text = "1 $${n}" }]
  lines = ["0 $${n}", "1 $${n}"]
}
"#;

/// The exit code and the output of `validate` for a module with this template.
fn judged(template: &str) -> (Exit, String) {
    let text = format!(
        "{LOCALS}resource \"terraform_data\" \"each\" {{\n  for_each = local.texts\n  \
         input = templatestring({template}, {{ n = \"z\" }})\n}}\n"
    );
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", text);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let arguments = ["terraschema", "validate", "--terraform-version=1.11.4"];
    let arguments = arguments.iter().map(Into::into).collect();
    let exit = terraschema::run(arguments, &system, &mut Console::to(&mut stdout, &mut stderr));
    (exit, String::from_utf8(stdout).unwrap())
}

#[test]
fn a_template_may_stand_at_any_key() {
    let references = [
        "local.texts[\"x\"]",
        "local.texts[each.key]",
        "local.texts[var.k]",
        "local.texts[\"${each.key}\"]",
        "local.texts[lower(\"X\")]",
        "local.texts[each.key == \"x\" ? \"y\" : \"x\"]",
        "local.rules[each.key].text",
        "local.rules[each.key][(\"text\")]",
        "local.lines[length(local.lines) - 1]",
        "local.list.*.text[0]",
        "local.list.0.text",
        "each.value",
    ];
    for template in references {
        let (exit, output) = judged(template);
        assert_eq!(exit, Exit::Clean, "{template}:\n{output}");
    }
}

#[test]
fn a_template_is_a_reference_without_parentheses_calls_and_choices() {
    let others = [
        "(local.rules[each.key]).text",
        "tolist(local.lines)[0]",
        "{ x = local.texts[\"x\"] }[each.key]",
        "each.key == \"x\" ? local.texts[\"x\"] : local.texts[\"y\"]",
        "local.list[*].text",
        "\"${each.value}\"",
    ];
    others.into_iter().for_each(|it| assert_refused(it, ""));
}

#[test]
fn an_error_of_the_reference_is_one_of_the_template() {
    for template in ["local.texts[upper(\"x\")]", "local.texts[null]"] {
        assert_refused(template, ": the template cannot be read");
    }
}

/// Asserts that the template is refused as an argument, with these words behind.
fn assert_refused(template: &str, why: &str) {
    let (exit, output) = judged(template);
    assert_eq!(exit, Exit::Findings, "{template}:\n{output}");
    let expected = format!("Invalid value for \"template\" parameter{why}");
    assert!(output.contains(&expected), "{output}");
}
