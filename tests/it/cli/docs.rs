//! `terraschema docs`, and `stale-docs` of `check`: what is written between the markers, and what is not.

use system::{MemorySystem, System};
use terraschema::Exit;

use super::terraschema;

const MODULE: &str = r#"
variable "rules" {
  description = "Rules | of\nthe <b>firewall</b>."
  type = list(object({
    # The port, a | b.
    port = number
    inner = optional(map(object({
      name = optional(string, "x|y")
    })), {})
  }))
  validation {
    condition     = length(var.rules) > 0 || length(var.other) > 1
    error_message = "One | two.\nThree."
  }
}
variable "other" {
  type    = string
  default = "a"
  validation {
    condition     = length(var.other) >= 3
    error_message = "Three."
  }
}
"#;

const PART: &str = "## Nested inputs

### rules

`list(object)`, required. Rules | of<br>the &lt;b>firewall&lt;/b>.

| Attribute | Type | Default | Required | Description |
|---|---|---|---|---|
| `[*].port` | `number` | n/a | yes | The port, a \\| b. |
| `[*].inner` | `map(object)` | `{}` | no | |
| `[*].inner.<key>.name` | `string` | `\"x\\|y\"` | no | |

## Rules

| Input | Rule | Message |
|---|---|---|
| rules | `length(var.rules) > 0 \\|\\| length(var.other) > 1` | One \\| two.<br>Three. |
| other | a string of at least 3 characters | Three. |
";

const BEGIN: &str = "<!-- BEGIN_TERRASCHEMA -->";
const END: &str = "<!-- END_TERRASCHEMA -->";

fn module() -> MemorySystem {
    let off = "rule \"missing-schema\" {\n  level = \"off\"\n}\nrule \"default-fails-validation\" {\n  level = \"off\"\n}\n";
    MemorySystem::new().file(".terraschema.hcl", off).file("m/main.tf", MODULE).working_in("/")
}

fn read(system: &MemorySystem, path: &str) -> String {
    String::from_utf8(system.read(path.as_ref()).unwrap()).unwrap()
}

#[test]
fn nested_inputs_and_rules_are_written_as_tables() {
    let (exit, text) = terraschema(&module(), "docs m");
    assert_eq!((exit, text.as_str()), (Exit::Clean, PART));
}

#[test]
fn write_adds_the_part_and_check_keeps_it_true() {
    let system = module().file("m/README.md", "# Title\n\nText.");
    let (exit, text) = terraschema(&system, "docs m --write");
    assert_eq!((exit, text.as_str()), (Exit::Clean, "Info: wrote m/README.md\n"));
    let whole = format!("# Title\n\nText.\n\n{BEGIN}\n{PART}{END}\n");
    assert_eq!(read(&system, "m/README.md"), whole);
    let (exit, text) = terraschema(&system, "check");
    assert_eq!(exit, Exit::Clean, "{text}");
    // A formatter aligned the tables and wrote other line ends.
    let aligned =
        whole.replace("|---|", "| :--- |").replace("| no |", "|   no   |").replace('\n', "\r\n");
    let other = module().file("m/README.md", &aligned);
    let (exit, text) = terraschema(&other, "check");
    assert_eq!(exit, Exit::Clean, "{text}");
    let system = module().file("m/README.md", aligned.replace("Three", "Four"));
    let (exit, text) = terraschema(&system, "check");
    assert_eq!(exit, Exit::Findings, "{text}");
    assert!(
        text.contains("error[stale-docs]: The documentation in m/README.md is out of date"),
        "{text}"
    );
    assert!(text.contains("2 lines differ") && text.contains("m/README.md:5:1"), "{text}");
    let (exit, text) = terraschema(&system, "check --fix");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("written: m/README.md"), "{text}");
    assert_eq!(read(&system, "m/README.md"), whole.replace('\n', "\r\n"));
}

#[test]
fn without_markers_and_configuration_nothing_is_said_or_written() {
    for text in [
        "# Title\n".to_owned(),
        format!("```markdown\n{BEGIN}\n{END}\n```\n"),
        format!("\u{feff}```markdown\n{BEGIN}\n{END}\n```\n"),
        format!("Write `{BEGIN}` and `{END}`.\n"),
    ] {
        let system = module().file("m/README.md", &text);
        let (exit, said) = terraschema(&system, "check --fix");
        assert_eq!(exit, Exit::Clean, "{said}");
        assert!(!said.contains("README"), "{said}");
        assert_eq!(read(&system, "m/README.md"), text);
    }
}

#[test]
fn markers_that_are_not_one_pair_are_reported_and_nothing_is_written() {
    for (text, said) in [
        (format!("{BEGIN}\nold\n"), "A marker lacks its counterpart"),
        (format!("old\n{END}\n"), "A marker lacks its counterpart"),
        (format!("{END}\nold\n{BEGIN}\n"), "A marker lacks its counterpart"),
        (format!("{BEGIN}\n{BEGIN}\nold\n{END}\n{END}\n"), "The markers occur more than once"),
        (format!("{BEGIN}\na\n{END}\n{BEGIN}\nb\n{END}\n"), "The markers occur more than once"),
    ] {
        let system = module().file("m/README.md", &text);
        let (exit, report) = terraschema(&system, "check --fix");
        assert_eq!(exit, Exit::Findings, "{report}");
        assert!(report.contains("error[stale-docs]") && report.contains(said), "{report}");
        let (exit, report) = terraschema(&system, "docs m --write");
        assert_eq!(exit, Exit::Failure, "{report}");
        assert_eq!(read(&system, "m/README.md"), text);
    }
}

/// What is written once is found by every later run, or it is not written.
#[test]
fn a_new_part_is_never_inside_of_code() {
    for text in [
        "",
        "```enabled = false```\n",
        "    ```\n",
        "1. Run\n    ```sh\n    make\n    ```\n",
        "\t```\n\tmake\n\t```\n",
        "````\n```\n````\n",
        "~~~ sh\n```\n~~~\n",
        "> ```\n> quoted\n",
        "- ```\n  of the item\n",
        "<details>\n\nText.\n",
        "Text.\r\n```\r\nmake\r\n```\r\n",
    ] {
        let system = module().file("m/README.md", text);
        let (exit, report) = terraschema(&system, "docs m --write");
        assert_eq!(exit, Exit::Clean, "{text:?}: {report}");
        let whole = read(&system, "m/README.md");
        assert!(whole.starts_with(text) && whole.contains(BEGIN), "{whole}");
        assert_eq!(
            terraschema(&system, "docs m --write"),
            (Exit::Clean, String::new()),
            "{text:?}"
        );
        assert_eq!(read(&system, "m/README.md"), whole);
    }
    for (text, line) in [
        ("# Title\n\n```sh\nmake\n", 3),
        ("````\n```\n", 1),
        ("```\na\n```\n```\nb\n~~~\n", 4),
        ("~~~~\r\n~~~\r\n", 1),
    ] {
        let system = module().file("m/README.md", text);
        let (exit, report) = terraschema(&system, "docs m --write");
        assert_eq!(exit, Exit::Failure, "{text:?}: {report}");
        let expected = format!("m/README.md:{line}: the code block that begins here is not closed");
        assert!(report.contains(&expected), "{text:?}: {report}");
        assert_eq!(read(&system, "m/README.md"), text);
    }
    // A part whose own text opens a block ends at its marker.
    let text = format!("{BEGIN}\n```\nold\n{END}\n\n```\n{BEGIN}\n```\n");
    let system = module().file("m/README.md", &text);
    let (exit, report) = terraschema(&system, "docs m --write");
    assert_eq!(exit, Exit::Clean, "{report}");
    let whole = format!("{BEGIN}\n{PART}{END}\n\n```\n{BEGIN}\n```\n");
    assert_eq!(read(&system, "m/README.md"), whole);
}

#[test]
fn a_file_that_is_not_text_is_left_alone() {
    let bytes = [BEGIN.as_bytes(), b"\n\xff\n", END.as_bytes(), b"\n"].concat();
    let system = module().file("m/README.md", bytes.clone());
    let (exit, text) = terraschema(&system, "check --fix");
    assert_eq!(exit, Exit::Findings, "{text}");
    assert!(text.contains("m/README.md is not UTF-8"), "{text}");
    assert_eq!(system.read("m/README.md".as_ref()).unwrap(), bytes);
}

#[cfg(unix)]
#[test]
#[allow(clippy::disallowed_methods)]
fn a_link_is_reported_and_kept() {
    use testkit::workspace::Workspace;
    let workspace = Workspace::new();
    workspace.write("m/main.tf", MODULE);
    let text = format!("{BEGIN}\nold\n{END}\n");
    workspace.write("shared.md", &text);
    std::os::unix::fs::symlink("../shared.md", workspace.path("m/README.md")).unwrap();
    let answer = workspace.terraschema("check --fix").text();
    assert!(answer.contains("m/README.md is a symbolic link"), "{answer}");
    assert_eq!(std::fs::read_to_string(workspace.path("shared.md")).unwrap(), text);
}

#[test]
fn the_configuration_takes_over_other_markers() {
    let docs = "docs {\n  begin = \"<!-- BEGIN_TF_DOCS -->\"\n  end = \"<!-- END_TF_DOCS -->\"\n  \
        sections = [\"inputs\", \"outputs\"]\n  heading_level = 3\n  style = \"list\"\n}\n";
    let system = module().file("m/.terraschema.hcl", docs).file(
        "m/outputs.tf",
        "output \"ids\" {\n  description = \"The ids.\"\n  value = { count = length(var.rules), name = var.other }\n}\n",
    );
    let system = system.file("m/README.md", "<!-- BEGIN_TF_DOCS -->\nold\n<!-- END_TF_DOCS -->\n");
    let (exit, text) = terraschema(&system, "check --fix");
    assert_eq!(exit, Exit::Clean, "{text}");
    let text = read(&system, "m/README.md");
    assert!(text.contains(
            "### Inputs\n\n- <a name=\"input_other\"></a> [other](#input_other)\n  - Type: `string`\n"
        ), "{text}");
    assert!(
        text.contains(
            "[ids](#output_ids)\n  - Description: The ids.\n  - Type: `object({ count = number, name = string })`\n"
        ),
        "{text}"
    );
    for (wrong, said) in [
        ("file = \"a.sh\"", "a name that ends in .md is expected"),
        ("begin = \"x\"", "a comment in one line is expected"),
        ("sections = [\"x\"]", "a list of header, requirements"),
        ("header_from = \"a.sh\"", "a name that ends in .tf"),
        ("footer_from = \"../a.md\"", "a path inside the directory of the module is expected"),
        ("sort = \"x\"", "one of name, required, type, none is expected"),
        ("heading_level = 9", "a whole number from 1 to 5 is expected"),
    ] {
        let system = module().file("m/.terraschema.hcl", format!("docs {{\n  {wrong}\n}}\n"));
        let (exit, text) = terraschema(&system, "check");
        assert!(exit != Exit::Clean && text.contains(said), "{text}");
    }
}

#[test]
fn a_configured_file_that_lacks_its_part_is_a_finding() {
    let system = module().file("m/.terraschema.hcl", "docs {\n  file = \"docs.md\"\n}\n");
    let (exit, text) = terraschema(&system, "check");
    assert_eq!(exit, Exit::Findings);
    assert!(text.contains("m/docs.md does not exist") && text.contains("docs --write m"), "{text}");
    let (exit, text) = terraschema(&system, "docs m --write");
    assert_eq!(exit, Exit::Clean, "{text}");
    let (exit, text) = terraschema(&system, "check");
    assert_eq!(exit, Exit::Clean, "{text}");
}

#[test]
fn settings_of_terraform_docs_are_read_and_the_rest_is_named() {
    let yaml = "formatter: markdown document\nversion: \"\"\nsections:\n  hide: [providers, requirements]\n  show: []\n\
        settings:\n  indent: 4\n  anchor: false\nsort:\n  by: name\n";
    let system = module().file("m/.terraform-docs.yml", yaml);
    let (exit, text) = terraschema(&system, "docs m --all");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(
        text.starts_with("#### Modules\n") && text.contains("- other\n  - Type: `string`"),
        "{text}"
    );
    assert!(!text.contains("Requirements") && !text.contains("Providers"), "{text}");
    assert!(!text.contains("no meaning"), "{text}");
}

#[test]
fn comments_above_calls_and_resources_are_a_column_if_terraform_docs_has_one() {
    let root = "variable \"p\" {\n  default   = \"hunter2222\"\n  sensitive = true\n}\n# The *network*.\nmodule \"net\" {\n  \
        source = \"acme/net/aws\"\n}\n// A bucket | a place.\nresource \"aws_s3_bucket\" \"b\" {}\n\
        # It is hunter2222.\ndata \"aws_ami\" \"a\" {}\n";
    let of = |yaml: &str| {
        let system =
            MemorySystem::new().file("m/main.tf", root).file("m/.terraform-docs.yml", yaml);
        let (exit, text) = terraschema(&system, "docs m --all");
        assert_eq!(exit, Exit::Clean, "{text}");
        text
    };
    let text = of("settings:\n  description: true\n");
    assert!(text.contains("| Name | Source | Version | Description |"), "{text}");
    assert!(text.contains("| Name | Type | Description |"), "{text}");
    assert!(text.contains("| The *network*. |\n"), "{text}");
    assert!(text.contains("| resource | A bucket \\| a place. |\n"), "{text}");
    assert!(text.contains("| data source | |\n") && !text.contains("hunter"), "{text}");
    for yaml in [
        "settings:\n  description: false\n",
        "settings:\n  description: true\n  read-comments: false\n",
    ] {
        assert!(!of(yaml).contains("network*"), "{yaml}");
    }
}

/// The rows of the table in the documentation, tried as they are written: each setting with what is used, and with
/// what is named.
#[test]
fn the_page_lists_which_settings_of_terraform_docs_are_used() {
    let page = include_str!("../../../docs/docs.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .skip_while(|it| !it.starts_with("| setting | used |"))
        .skip(2)
        .take_while(|it| it.starts_with('|'))
        .map(|it| it.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let code = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let row = |setting: &str| {
        let row = rows.iter().find(|row| code(row[0]).iter().any(|it| it == setting));
        let row = row.unwrap_or_else(|| panic!("the page has no row for {setting}"));
        (code(row[1]), code(row[2]))
    };
    let named = |setting: &str, value: &str| {
        let yaml = match setting.split_once('.') {
            Some((outer, inner)) => format!("{outer}:\n  {inner}: {value}\n"),
            None => format!("{setting}: {value}\n"),
        };
        let system = module().file("m/.terraform-docs.yml", &yaml);
        let (exit, text) = terraschema(&system, "docs m --all");
        assert_eq!(exit, Exit::Clean, "{yaml}{text}");
        let said = text.split_once("no meaning here: ").map(|it| it.1);
        said.map(|it| it.lines().next().unwrap_or_default().to_owned())
    };
    let mut tried = 0;
    for (setting, used, unused) in [
        ("formatter", "markdown table", "asciidoc"),
        ("output.mode", "inject", "replace"),
        ("recursive.enabled", "false", "true"),
        ("output-values.enabled", "false", "true"),
        ("settings.default", "true", "false"),
        ("settings.escape", "true", "false"),
        ("settings.html", "true", "false"),
        ("settings.required", "true", "false"),
        ("settings.sensitive", "true", "false"),
        ("settings.type", "true", "false"),
    ] {
        let (ours, others) = row(setting);
        assert!(
            ours.iter().any(|it| it == used) && others.iter().any(|it| it == unused),
            "{setting}"
        );
        assert_eq!(named(setting, used), None, "{setting}");
        assert_eq!(named(setting, unused).as_deref(), Some(setting));
        tried += 1;
    }
    for (setting, used, unused) in [
        ("header-from", "docs/header.md", "../header.md"),
        ("footer-from", "FOOTER.txt", "footer.adoc"),
        ("content", "\"{{ .Inputs }}\\n\\n{{- .Outputs -}}\"", "\"{{ .Inputs }} and more\""),
        ("sort.by", "required", "position"),
        ("settings.indent", "3", "9"),
        ("output.file", "docs/README.md", "../README.md"),
        (
            "output.template",
            "\"<!-- A -->\\n{{ .Content }}\\n<!-- B -->\"",
            "\"<!-- A -->\\nHi\\n<!-- B -->\"",
        ),
    ] {
        row(setting);
        assert_eq!(named(setting, used), None, "{setting}");
        assert_eq!(named(setting, unused).as_deref(), Some(setting));
        tried += 1;
    }
    for (setting, value) in [("version", "\"> 0.1\""), ("settings.color", "false")] {
        row(setting);
        assert_eq!(named(setting, value), None, "{setting}");
        tried += 1;
    }
    for setting in [
        "sort.enabled",
        "settings.anchor",
        "settings.description",
        "settings.hide-empty",
        "settings.lockfile",
        "settings.read-comments",
    ] {
        assert_eq!(row(setting).0, ["true", "false"], "{setting}");
        for value in ["true", "false"] {
            assert_eq!(named(setting, value), None, "{setting}");
        }
        assert_eq!(named(setting, "perhaps").as_deref(), Some(setting));
        tried += 1;
    }
    for (value, said) in [
        ("[inputs, all]", None),
        ("[inputs, resources, data-sources]", None),
        ("[header, inputs]", None),
        ("[resources]", Some("sections.show resources")),
        ("[nothing]", Some("sections.show nothing")),
    ] {
        assert_eq!(named("sections.show", value).as_deref(), said, "{value}");
    }
    for (value, said) in
        [("[header, footer, inputs]", None), ("[data-sources]", Some("sections.hide data-sources"))]
    {
        assert_eq!(named("sections.hide", value).as_deref(), said, "{value}");
    }
    assert_eq!(named("settings.other", "1").as_deref(), Some("settings.other"));
    assert_eq!(named("other", "1").as_deref(), Some("other"));
    let all: usize = rows.iter().map(|it| code(it[0]).len()).sum();
    assert_eq!(all, tried + 2, "the sections are tried apart");
}

const WITH_CRLF: &str =
    "# M\r\n<!-- BEGIN_TERRASCHEMA -->\r\nold\r\n<!-- END_TERRASCHEMA -->\r\nend\r\n";

#[test]
fn a_file_that_cannot_be_written_stays_as_it_is() {
    for read_only in ["m", "m/README.md"] {
        let system = MemorySystem::new()
            .file("m/main.tf", MODULE)
            .file("m/README.md", WITH_CRLF)
            .read_only(read_only)
            .working_in("/");
        let (exit, text) = terraschema(&system, "docs m --write");
        assert_eq!(exit, Exit::Failure, "{read_only}: {text}");
        assert!(text.contains("cannot write m/README.md"), "{text}");
        let (exit, text) = terraschema(&system, "check --fix");
        assert_eq!(exit, Exit::Failure, "{read_only}: {text}");
        assert!(text.contains("m/README.md: "), "{text}");
        assert_eq!(read(&system, "m/README.md"), WITH_CRLF, "{read_only}");
    }
}

#[test]
fn a_file_keeps_its_line_ends_and_what_is_outside_of_the_markers() {
    let system = MemorySystem::new()
        .file("m/main.tf", MODULE)
        .file("m/README.md", WITH_CRLF)
        .working_in("/");
    let (_, text) = terraschema(&system, "docs m --write");
    assert!(text.contains("wrote m/README.md"), "{text}");
    let written = read(&system, "m/README.md");
    assert!(written.starts_with("# M\r\n") && written.ends_with("\r\nend\r\n"), "{written}");
    assert_eq!(written.matches('\n').count(), written.matches("\r\n").count(), "{written:?}");
    assert!(!written.contains("old"), "{written}");
    assert_eq!(system.list("m".as_ref()).unwrap().len(), 2, "nothing else is left");
}

#[test]
fn no_section_has_a_hidden_default_or_ends_the_part() {
    let text = "variable \"secret\" {\n  type = object({\n    a = optional(string, \"hunter2-hunter2\")\n  })\n  \
        default   = { a = \"hunter3-hunter3\" }\n  sensitive = true\n}\n\
        variable \"other\" {\n  type        = string\n  description = \"Not hunter2-hunter2.\"\n  validation {\n    \
        condition     = var.other != \"hunter3-hunter3\"\n    error_message = \"No hunter3-hunter3.\"\n  }\n}\n\
        variable \"end\" {\n  type = string\n  description = \"`<!-- END_TERRASCHEMA -->`\\n<!-- END_TERRASCHEMA -->\"\n  \
        validation {\n    condition     = var.end != \"<!-- END_TERRASCHEMA -->\"\n    error_message = <<-EOT\n      a\n      <!-- END_TERRASCHEMA -->\n    EOT\n  }\n}\n";
    let others = "output \"o\" {\n  value       = 1\n  description = \"Not hunter2-hunter2.\"\n  deprecated  = \"hunter3-hunter3\"\n}\n\
        module \"c\" {\n  source = \"git::https://hunter2-hunter2@example.com/c.git\"\n}\n";
    let system =
        module().file("m/main.tf", text).file("m/others.tf", others).file("m/README.md", "");
    let (exit, said) = terraschema(&system, "docs m --all --write");
    assert_eq!(exit, Exit::Clean, "{said}");
    let text = read(&system, "m/README.md");
    assert!(!text.contains("hunter") && text.contains("*sensitive*"), "{text}");
    assert_eq!(text.matches(END).count(), 1, "{text}");
}

/// A module with everything that terraform-docs shows: a header, comments, locked versions, links.
fn whole() -> MemorySystem {
    let text = "/**\n * # Title\n *\n * ```hcl\n * x = 1\n * <!-- END_TERRASCHEMA -->\n */\n\n\
        terraform {\n  required_version = \">= 1.5\"\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      version = \">= 5.0\"\n    }\n    own = {\n      source  = \"example.com/acme/own\"\n      version = \"1.2.3\"\n    }\n  }\n}\n\n\
        resource \"aws_vpc\" \"this\" {}\ndata \"random_id\" \"one\" {}\nresource \"own_thing\" \"it\" {}\n\
        # terraform-docs-ignore\nresource \"azurerm_x\" \"hidden\" {}\n\
        module \"vpc\" {\n  source  = \"terraform-aws-modules/vpc/aws\"\n  version = \"5.1.0\"\n}\n\
        module \"near\" {\n  source = \"./near\"\n}\n";
    let variables = "# What the copies\n# are called.\nvariable \"name\" {\n  type = string\n}\n\n\
        variable \"box\" {\n  description = \"A box.\"\n  type = object({\n    # How wide it is.\n    width = optional(number, 3)\n    inner = optional(object({ a = optional(string, \"x\") }), {})\n  })\n  default = {}\n}\n\n\
        # terraform-docs-ignore\nvariable \"hidden\" {}\n";
    let lock = "provider \"registry.terraform.io/hashicorp/aws\" {\n  version     = \"5.31.0\"\n  constraints = \">= 5.0\"\n}\n";
    MemorySystem::new()
        .file("m/main.tf", text)
        .file("m/variables.tf", variables)
        .file("m/outputs.tf", "// The id.\noutput \"id\" {\n  value = 1\n}\n")
        .file("m/.terraform.lock.hcl", lock)
        .working_in("/")
}

#[test]
fn the_whole_documentation_has_header_comments_links_and_types_as_written() {
    let (exit, text) = terraschema(&whole(), "docs m --all");
    assert_eq!(exit, Exit::Clean, "{text}");
    let header =
        "# Title\n\n```hcl\nx = 1\n&lt;!-- END_TERRASCHEMA -->\n```\n\n## Requirements\n\n";
    assert!(text.starts_with(header), "{text}");
    for part in [
        "| <a name=\"requirement_terraform\"></a> [terraform](#requirement_terraform) | >= 1.5 |",
        "[aws](#provider_aws) | [hashicorp/aws](https://registry.terraform.io/providers/hashicorp/aws/latest/docs) | 5.31.0 |",
        "[own](#provider_own) | example.com/acme/own | 1.2.3 |",
        "[random](#provider_random) | [hashicorp/random](https://registry.terraform.io/providers/hashicorp/random/latest/docs) | n/a |",
        "[vpc](#module_vpc) | [terraform-aws-modules/vpc/aws](https://registry.terraform.io/modules/terraform-aws-modules/vpc/aws/5.1.0) | 5.1.0 |",
        "[near](#module_near) | ./near | n/a |",
        "| [aws\\_vpc.this](https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/vpc) | resource |",
        "| [random\\_id.one](https://registry.terraform.io/providers/hashicorp/random/latest/docs/data-sources/id) | data source |",
        "| own\\_thing.it | resource |",
        "[name](#input_name) | What the copies are called. | `string` | n/a | yes |",
        "| A box. | <pre>object({<br>  # How wide it is.<br>  width = optional(number, 3)<br>  inner = optional(object({ a = optional(string, \"x\") }), {})<br>})</pre> |",
        "[id](#output_id) | The id. | `number` |",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("hidden") && !text.contains("azurerm"), "{text}");
}

#[test]
fn settings_of_terraform_docs_choose_order_anchors_comments_and_texts() {
    let yaml = "header-from: docs/top.md\nfooter-from: missing.md\ncontent: |-\n  {{ .Header }}\n  <!-- markdownlint-disable -->\n\
        \x20 {{ .Outputs }}\n\n  {{ .Inputs }}\nsort:\n  by: required\nsettings:\n  anchor: false\n  read-comments: false\n  lockfile: false\n  hide-empty: true\n";
    let system =
        whole().file("m/.terraform-docs.yml", yaml).file("m/docs/top.md", "# Top\n\nText.\n");
    let (exit, text) = terraschema(&system, "docs m --all");
    assert_eq!(exit, Exit::Clean, "{text}");
    let start = "# Top\n\nText.\n\n## Outputs\n\n| Name | Description | Type |\n|---|---|---|\n| id | | `number` |\n\n\
        ## Inputs\n\n| Name | Description | Type | Default | Required |\n|---|---|---|---|---|\n| name | | `string` | n/a | yes |\n| box |";
    assert!(text.starts_with(start), "{text}");
    assert!(!text.contains("## Rules") && !text.contains("Requirements"), "{text}");
    assert!(text.contains("names missing.md, which does not exist"), "{text}");
    assert!(!text.contains("no meaning"), "{text}");
}

#[test]
fn no_header_or_comment_shows_a_hidden_default() {
    let text = "/* Not hunter2-hunter2. */\n\nvariable \"secret\" {\n  default   = \"hunter2-hunter2\"\n  sensitive = true\n}\n\
        # Never hunter2-hunter2.\nvariable \"other\" {\n  type = object({\n    # As hunter2-hunter2.\n    a = string\n  })\n}\n\
        # And hunter2-hunter2.\noutput \"o\" {\n  value = 1\n}\n";
    let system = MemorySystem::new().file("m/main.tf", text).working_in("/");
    let (exit, text) = terraschema(&system, "docs m --all");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(!text.contains("hunter2") && text.contains("[other](#input_other)"), "{text}");
}
