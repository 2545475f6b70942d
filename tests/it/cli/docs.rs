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
    use crate::workspace::Workspace;
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
    assert!(text.contains("### Inputs\n\n- other\n  - Type: `string`\n"), "{text}");
    assert!(
        text.contains("- ids\n  - Description: The ids.\n  - Type: `object({ count = number, name = string })`\n"),
        "{text}"
    );
    for (wrong, said) in [
        ("file = \"a.sh\"", "a name that ends in .md is expected"),
        ("begin = \"x\"", "a comment in one line is expected"),
        ("sections = [\"x\"]", "a list of requirements"),
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
        ("sort.enabled", "true", "false"),
        ("sort.by", "name", "required"),
        ("settings.default", "true", "false"),
        ("settings.escape", "true", "false"),
        ("settings.html", "true", "false"),
        ("settings.read-comments", "false", "true"),
        ("settings.required", "true", "false"),
        ("settings.sensitive", "true", "false"),
        ("settings.type", "true", "false"),
        ("settings.anchor", "false", "true"),
        ("settings.description", "false", "true"),
        ("settings.hide-empty", "false", "true"),
        ("settings.lockfile", "false", "true"),
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
        ("header-from", "\"\"", "main.tf"),
        ("footer-from", "\"\"", "footer.md"),
        ("content", "\"\"", "\"{{ .Inputs }}\""),
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
    for (value, said) in [
        ("[inputs, all]", None),
        ("[inputs, resources, data-sources]", None),
        ("[header, inputs]", Some("sections.show header")),
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
