//! The schemas that the Go tool publishes for its own test modules, byte for byte.
//!
//! `TERRASCHEMA_GO_TOOL` names a checkout of that tool's repository; nothing of it is kept here.

use std::{collections::BTreeSet, fs, path::Path};

use terraschema::{
    eval::Meter,
    module,
    schema::{self, Conditions, Options},
    system::OsSystem,
};

use crate::missing::{Missing, trials};

trials![the_published_files_are_reproduced,];

/// Files whose bytes differ on purpose; `docs/differences.md` gives the reasons.
const DIFFERENCES: [&str; 1] = ["custom-validation/schema-disallow-additional.json"];

fn the_published_files_are_reproduced() -> Result<(), Missing> {
    let root = std::env::var_os("TERRASCHEMA_GO_TOOL");
    let missing = || Missing::option("TERRASCHEMA_GO_TOOL names no checkout of the Go tool");
    let root = root.ok_or_else(missing)?;
    let root = Path::new(&root).join("test");
    let mut differing = BTreeSet::new();
    let mut compared = 0;
    for name in ["simple", "simple-types", "complex-types", "custom-validation"] {
        let dir = root.join("modules").join(name);
        let (module, _) = module::load(&OsSystem, &dir, &module::Options::default()).unwrap();
        for (file, options) in variants() {
            let expected = root.join("expected").join(name).join(file);
            let expected = fs::read_to_string(expected).unwrap();
            let json = if file == "variables.json" {
                schema::export_variables(&module, &options, &Meter::default())
            } else {
                schema::generate(&module, &options).schema.to_json()
            };
            compared += 1;
            let basic = Options { conditions: Conditions::Basic, ..options.clone() };
            if file != "variables.json" {
                let basic = schema::generate(&module, &basic).schema.to_json();
                assert_eq!(basic, json, "{name}/{file}: these are the basic forms");
            }
            if json.to_text(false) + "\n" != expected {
                differing.insert(format!("{name}/{file}"));
                eprintln!(
                    "{name}/{file}\n{}",
                    similar::TextDiff::from_lines(&expected, &(json.to_text(false) + "\n"))
                        .unified_diff()
                );
            }
        }
    }
    assert_eq!(compared, 16);
    assert_eq!(differing, DIFFERENCES.map(str::to_owned).into());
    Ok(())
}

fn variants() -> Vec<(&'static str, Options)> {
    let plain = Options::default();
    vec![
        ("schema.json", plain.clone()),
        ("schema-nullable-all.json", Options { nullable_all: true, ..plain.clone() }),
        (
            "schema-disallow-additional.json",
            Options { disallow_additional_properties: true, ..plain.clone() },
        ),
        ("variables.json", plain),
    ]
}
