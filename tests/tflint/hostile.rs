//! Modules of strangers inside tflint: nothing outside of the repository is shown.

use std::{fs, os::unix::fs::symlink};

use tflint_ruleset::wire::GlobalConfig;

use crate::{
    fake_host::{FakeHost, RunnerFacts, run},
    lint::{CONFIGURATION, Project},
    missing::{MissingProgram, trials},
    random::Random,
    slips::{MODULES, SOUND, VALUES, broken, leak, number},
};

trials![nothing_outside_is_shown, broken_files_show_no_secret,];

const SECRET: &str = "S3CR3T-outside";

fn module(expression: &str) -> String {
    format!(
        "variable \"x\" {{\n  type    = string\n  default = \"d\"\n  validation {{\n    condition     = var.x == \"\"\n    \
         error_message = \"${{{expression}}} ${{var.x}}.\"\n  }}\n}}\n"
    )
}

fn nothing_outside_is_shown() -> Result<(), MissingProgram> {
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
        let said = crate::lint::output_of(command);
        let told = format!("{}{}", said.out, said.err);
        assert!(!told.contains(SECRET), "{what}: {told}");
        let refused = told.contains("is outside the root") || told.contains("is absolute");
        assert!(what == "a message" || refused, "{what}: {told}");
    }
    Ok(())
}

/// `TERRASCHEMA_FUZZ=20000` tries more, `TERRASCHEMA_SEED` others.
fn broken_files_show_no_secret() {
    let count = number("TERRASCHEMA_FUZZ").unwrap_or(40);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let of_modules = MODULES.iter().map(|it| (it, false));
    let texts = of_modules.chain(VALUES.iter().map(|it| (it, true)));
    run(async {
        for (which, ((name, text), has_module)) in (0..).zip(texts) {
            // Files of one text are not those of the next.
            let mut host = FakeHost::new().await;
            host.apply_global(GlobalConfig::default()).await;
            let mut issues = 0;
            for round in 0..count {
                let start = seed.wrapping_mul(1_000_003).wrapping_add(round * 7 + which);
                let text = broken(text, &mut Random::new(start));
                host.write(name, &text);
                let mut files = vec![(*name, text.as_str())];
                if has_module {
                    host.write("main.tf", SOUND);
                    files = vec![("main.tf", SOUND)];
                }
                let found = host.check(RunnerFacts::files(&files)).await;
                issues += found.as_ref().map_or(1, Vec::len);
                let said = format!("{found:?}");
                assert_eq!(leak(&said), None, "{name}:\n{text}\n--- round {round}\n{said}");
            }
            assert!(issues > 0, "{name}: nothing is found");
        }
    });
}
