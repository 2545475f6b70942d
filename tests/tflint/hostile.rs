//! Modules of strangers inside tflint: nothing outside of the repository is shown.

use std::{fs, os::unix::fs::symlink};

use crate::{
    lint::{CONFIGURATION, Project},
    missing::{Missing, trials},
};

trials![nothing_outside_is_shown,];

const SECRET: &str = "S3CR3T-outside";

fn module(expression: &str) -> String {
    format!(
        "variable \"x\" {{\n  type    = string\n  default = \"d\"\n  validation {{\n    condition     = var.x == \"\"\n    \
         error_message = \"${{{expression}}} ${{var.x}}.\"\n  }}\n}}\n"
    )
}

fn nothing_outside_is_shown() -> Result<(), Missing> {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, format!("{SECRET}\n")).unwrap();
    let secret = secret.to_str().unwrap();
    let var_files = |file: &str| {
        CONFIGURATION.replace(
            "\"terraschema\" {",
            &format!("\"terraschema\" {{\n  var_files = [\"{file}\"]"),
        )
    };
    let cases = [
        ("a message", module(&format!("file(\"{secret}\")")), "", CONFIGURATION.to_owned()),
        ("a link as values file", module("1"), "prod.tfvars", var_files("prod.tfvars")),
        ("a link as schema", module("1"), "schema.json", CONFIGURATION.to_owned()),
        ("a link as configuration", module("1"), ".terraschema.hcl", CONFIGURATION.to_owned()),
        ("a values file of tflint's configuration", module("1"), "", var_files(secret)),
    ];
    for (what, text, link, configuration) in cases {
        let files = [("main.tf", text.as_str()), (".tflint.hcl", configuration.as_str())];
        let project = Project::new(&files)?;
        if !link.is_empty() {
            symlink(secret, project.dir.path().join(link)).unwrap();
        }
        let mut command = project.command(&["--format=json"]);
        command.env("TERRASCHEMA_SECRET", SECRET);
        let said = crate::lint::said(command);
        let told = format!("{}{}", said.out, said.err);
        assert!(!told.contains(SECRET), "{what}: {told}");
        let refused = told.contains("outside of the root") || told.contains("is absolute");
        assert!(what == "a message" || refused, "{what}: {told}");
    }
    Ok(())
}
