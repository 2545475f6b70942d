//! `textDocument/publishDiagnostics`

use std::process::Command;

use serde_json::json;
use testkit::client::Client;

const MODULE: &str = r#"variable "name" {
  type = string
}

variable "size" {
  type    = number
  default = 2
  validation {
    condition     = var.size > 1
    error_message = "At least two."
  }
}
"#;

#[test]
fn a_values_file_has_all_its_problems_at_once() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "size = 1\nnmae = 2\n");
    assert_eq!(
        client.lines("prod.tfvars"),
        [
            "0:0-0:0 warning[missing-variable] No value for the required variable \"name\": \
                It has no default, and no value in prod.tfvars.",
            "0:7-0:8 error[failed-validation] At least two.",
            "1:0-1:4 warning[undeclared-variable] Value for undeclared variable: \
                The module declares no variable \"nmae\".",
        ]
    );
    client.edit("prod.tfvars", "size = 3\nname = \"a\"\n");
    assert_eq!(client.lines("prod.tfvars"), [""; 0]);
}

#[test]
fn a_diagnostic_has_its_rule_the_other_end_and_a_page() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "name = \"a\"\nsize = 1\nother = 1\n");
    let found = client.diagnostics("prod.tfvars");
    let [failed, dropped] = &found[..] else { panic!("{found:?}") };
    let related = &failed["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], client.uri("variables.tf"));
    assert_eq!(related["location"]["range"]["start"], json!({"line": 8, "character": 20}));
    assert_eq!(related["message"], "var.size is 1");
    let page = failed["codeDescription"]["href"].as_str().unwrap();
    assert!(page.ends_with("/docs/rules/failed-validation.md"), "{page}");
    assert_eq!(failed["source"], "terraschema");
    assert_eq!(dropped["tags"], json!([1]), "what Terraform drops is superfluous");
}

#[test]
fn what_an_author_advises_against_is_deprecated() {
    let app = "variable \"old\" {\n  default    = 1\n  deprecated = \"Use new.\"\n}\n\
        output \"gone\" {\n  value      = 1\n  deprecated = \"Use stay.\"\n}\n";
    let root = "variable \"zone\" {\n  default    = 1\n  deprecated = \"Use zones.\"\n}\n\
        module \"app\" {\n  source = \"./app\"\n  old    = 2\n}\n\
        output \"o\" {\n  value = module.app.gone\n}\n";
    let mut client = Client::new(&[("app/main.tf", app), ("main.tf", root)]);
    client.open("main.tf");
    client.open_text("prod.tfvars", "zone = 2\n");
    let mut found = client.diagnostics("main.tf");
    found.extend(client.diagnostics("prod.tfvars"));
    let advice = |it: &serde_json::Value| {
        assert_eq!(it["tags"], json!([2]), "{it}");
        let text = it["message"].as_str().unwrap();
        text[text.find("Use").unwrap()..].lines().next().unwrap().to_owned()
    };
    let advice: Vec<String> = found.iter().map(advice).collect();
    assert_eq!(advice, ["Use new.", "Use stay.", "Use zones."]);
}

#[test]
fn an_unsaved_declaration_counts() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "name = \"a\"\nzone = 1\n");
    assert_eq!(client.lines("prod.tfvars").len(), 1);
    client.open("variables.tf");
    client.edit("variables.tf", &format!("{MODULE}variable \"zone\" {{}}\n"));
    client.diagnostics("variables.tf");
    client.until(|it| it.pushed("prod.tfvars").is_empty());
    client.close("variables.tf");
    client.until(|it| it.pushed("prod.tfvars").len() == 1);
}

#[test]
fn files_that_are_not_open_show_what_an_edit_breaks() {
    let mut client =
        Client::new(&[("variables.tf", MODULE), ("terraform.tfvars", "name = \"a\"\n")]);
    client.open("variables.tf");
    assert_eq!(client.lines("variables.tf"), [""; 0]);
    client.edit("variables.tf", &MODULE.replace("string", "list(string)"));
    client.until(|it| it.pushed("terraform.tfvars").len() == 1);
    client.edit("variables.tf", MODULE);
    client.until(|it| it.pushed("terraform.tfvars").is_empty());
    client.edit("variables.tf", &MODULE.replace("string", "list(string)"));
    client.until(|it| it.pushed("terraform.tfvars").len() == 1);
    client.close("variables.tf");
    client.until(|it| it.pushed("terraform.tfvars").is_empty());
}

#[test]
fn calls_are_judged_by_the_called_module() {
    let call = "module \"app\" {\n  source = \"./app\"\n  size   = 1\n  nmae   = \"a\"\n}\n";
    let mut client = Client::new(&[("app/variables.tf", MODULE), ("main.tf", call)]);
    client.open("main.tf");
    let lines = client.lines("main.tf");
    for rule in ["[missing-argument]", "[failed-validation]", "[unsupported-argument]"] {
        assert!(lines.iter().any(|it| it.contains(rule)), "{rule}: {lines:?}");
    }
    // The called module changes, and the caller with it.
    client.open("app/variables.tf");
    client.edit("app/variables.tf", &MODULE.replace("> 1", "> 0"));
    client.diagnostics("app/variables.tf");
    client.until(|it| !it.pushed("main.tf").iter().any(|it| it.contains("[failed-validation]")));
}

#[test]
fn json_is_judged_in_both_kinds_of_files() {
    let module = r#"{"variable": {"size": {"type": "number"}}}"#;
    let mut client = Client::new(&[("variables.tf.json", module)]);
    client.open_text("prod.tfvars.json", "{\"size\": \"many\", \"sze\": 1}");
    let lines = client.lines("prod.tfvars.json");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("0:9-0:15 error[type-mismatch]"), "{lines:?}");
    client.open_text("variables.tf.json", "{\"variable\": {\"size\": {\"type\": \"nmber\"}}}");
    let lines = client.lines("variables.tf.json");
    assert!(lines[0].contains("[invalid-variable]"), "{lines:?}");
}

#[test]
fn the_configuration_decides_which_module_a_file_belongs_to() {
    let config = "input \"prod\" {\n  module = \"app\"\n  files  = [\"live/prod.tfvars\"]\n}\n";
    let files = [("app/variables.tf", MODULE), (".terraschema.hcl", config)];
    let mut client = Client::new(&files);
    client.open_text("live/prod.tfvars", "size = 1\n");
    let lines = client.lines("live/prod.tfvars");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("error[missing-variable]"), "{lines:?}");
    client.open(".terraschema.hcl");
    client.edit(".terraschema.hcl", "input \"prod\" {\n  module = 1\n}\n");
    let lines = client.lines(".terraschema.hcl");
    assert!(lines[0].contains("[invalid-configuration]"), "{lines:?}");
}

#[test]
fn a_schema_is_asked_for_only_where_somebody_configures_them() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open("variables.tf");
    assert_eq!(client.lines("variables.tf"), [""; 0]);
    client.open_text(".terraschema.hcl", "");
    client.until(|it| it.pushed("variables.tf").len() == 1);
    assert!(client.pushed("variables.tf")[0].contains("[missing-schema]"));
}

#[test]
fn sensitive_values_are_in_no_message() {
    let module = "variable \"key\" {\n  type = number\n  sensitive = true\n}\n";
    let mut client = Client::new(&[("variables.tf", module)]);
    client.open_text("prod.tfvars", "key = \"hunter2\"\n");
    let found = client.diagnostics("prod.tfvars");
    assert_eq!(found.len(), 1);
    assert!(!found[0].to_string().contains("hunter2"), "{found:?}");
}

#[test]
fn notes_are_shown_to_those_who_ask_for_them() {
    let module = "variable \"a\" {\n  type = string\n  default = \"\"\n  validation {\n    condition = \
        regex(\"^(a+)+$\", var.a) != \"\"\n    error_message = \"No.\"\n  }\n}\n";
    let count = |options| {
        let mut client = Client::with(&[("variables.tf", module)], json!({}), options);
        client.open("variables.tf");
        client.lines("variables.tf").iter().filter(|it| it.contains(" note[")).count()
    };
    assert_eq!(count(json!({})), 0);
    assert!(count(json!({"notes": true})) > 0);
}

#[test]
fn nothing_is_reported_twice_next_to_another_server() {
    let open = |options| {
        let mut client = Client::with(&[("variables.tf", MODULE)], json!({}), options);
        client.open_text("terraform.tfvars", "name = \"a\"\nsize = 1\nother = 1\n");
        client.lines("terraform.tfvars").len()
    };
    assert_eq!(open(json!({})), 2);
    assert_eq!(open(json!({"alongside": "terraform-ls"})), 1);
}

#[test]
fn what_is_repaired_by_closing_is_taken_back_by_the_clients_name() {
    let values = "name = \"a\"\n";
    let mut client = Client::new(&[("variables.tf", MODULE), ("ä.auto.tfvars", values)]);
    client.open("variables.tf");
    // This client writes the letter as it is, and we would write it with percent signs.
    assert!(client.uri("ä.auto.tfvars").contains('ä'));
    client.open("ä.auto.tfvars");
    client.edit("ä.auto.tfvars", "name = \"a\"\nsize = 1\n");
    assert_eq!(client.lines("ä.auto.tfvars"), ["1:7-1:8 error[failed-validation] At least two."]);
    client.close("ä.auto.tfvars");
    client.rest();
    let left: Vec<_> = client.pushed.values().filter(|it| it["diagnostics"] != json!([])).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Git tracks a file that was added by force, whatever is ignored, and `check` judges it.
#[test]
fn files_that_git_tracks_are_judged_though_they_are_ignored() {
    let mut client = Client::new(&[
        (".gitignore", "*.tfvars\n"),
        ("main.tf", "variable \"a\" {\n  type = number\n}\n"),
        ("tracked.tfvars", "a = \"x\"\n"),
        ("other.tfvars", "b = 1\n"),
    ]);
    let root = client.path("");
    for arguments in [&["init", "-q"][..], &["add", "-f", "tracked.tfvars"]] {
        let status = Command::new("git").args(arguments).current_dir(&root).status().unwrap();
        assert!(status.success());
    }
    client.open("main.tf");
    client.diagnostics("main.tf");
    client.rest();
    assert_eq!(client.pushed("tracked.tfvars").len(), 1);
    assert_eq!(client.pushed("other.tfvars"), [""; 0]);
    client.write(".gitignore", "");
    let changes = json!([{"uri": client.uri(".gitignore"), "type": 2}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    client.until(|it| !it.pushed("other.tfvars").is_empty());
}

/// A pattern of modules names those that have source files, into which no walk for a single module goes.
#[test]
fn patterns_of_a_configuration_go_into_modules() {
    let configuration = "input \"all\" {\n  modules = [\"services/*\"]\n  files   = [\"env/prod.tfvars\"]\n}\n\
        input \"parts\" {\n  module = \".\"\n  files  = [\"parts/*/own.tfvars\"]\n}\n";
    let files = [
        ("services/a/main.tf", "variable \"size\" {\n  type = number\n}\n"),
        ("services/b/main.tf", "variable \"size\" {\n  type = bool\n}\n"),
        ("main.tf", "variable \"all\" {\n  type = number\n}\n"),
        ("parts/x/main.tf", "variable \"part\" {}\n"),
        ("parts/x/own.tfvars", ""),
        (".terraschema.hcl", configuration),
        ("env/prod.tfvars", ""),
    ];
    let mut client = Client::new(&files);
    client.open_text("env/prod.tfvars", "size = \"x\"\n");
    let found = client.lines("env/prod.tfvars").join("\n");
    assert!(found.contains("a number is required"), "{found}");
    // The module in the root is one like any other.
    client.open_text("parts/x/own.tfvars", "all = \"x\"\n");
    let found = client.lines("parts/x/own.tfvars").join("\n");
    assert!(found.contains("suitable for var.all"), "{found}");
    let configuration = "input \"parts\" {\n  files = [\"env/prod.tfvars\"]\n}\n";
    let files = [files[2], (".terraschema.hcl", configuration), ("env/prod.tfvars", "")];
    let mut client = Client::new(&files);
    client.open_text("env/prod.tfvars", "all = \"x\"\n");
    let found = client.lines("env/prod.tfvars").join("\n");
    assert!(found.contains("suitable for var.all"), "{found}");
}

/// Terragrunt may declare what a module lacks that a unit anywhere in the repository runs. Such files are looked for while
/// the module is judged.
#[test]
fn what_terragrunt_may_declare_is_no_error() {
    let unit = "terraform {\n  source = \"../../modules/app\"\n}\ngenerate \"x\" {\n  path = \"x.tf\"\n  if_exists = \"overwrite\"\n  \
        contents = \"\"\n}\n";
    let files = [("modules/app/main.tf", ""), ("live/app/terragrunt.hcl", unit)];
    let text = "output \"x\" {\n  value = var.nope\n}\n";
    let mut client = Client::new(&files);
    client.open_text("modules/app/main.tf", text);
    client.diagnostics("modules/app/main.tf");
    client.until(|it| it.pushed("modules/app/main.tf").is_empty());
    let mut client = Client::new(&files[..1]);
    client.open_text("modules/app/main.tf", text);
    let found = client.lines("modules/app/main.tf").join("\n");
    assert!(found.contains(diagnostics::lints::UNDECLARED_REFERENCE.id), "{found}");
}
