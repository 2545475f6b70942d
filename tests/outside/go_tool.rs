//! The schemas that the Go tool publishes for its own test modules, byte for byte.
//!
//! `TERRASCHEMA_GO_TOOL` names a checkout of that tool's repository; nothing of it is kept here.

use std::{collections::BTreeSet, fs, path::Path};

use projection::schema::{self, CarriedConditions, SchemaOptions};
use system::OsSystem;
use testkit::missing::{MissingProgram, trials};
use tf_eval::Meter;

trials![the_published_files_are_reproduced,];

/// Files whose bytes differ on purpose, with `--conditions basic` too; `docs/differences.md` gives the reasons.
const DIFFERENCES: [&str; 3] = [
    "complex-types/schema-nullable-all.json",
    "custom-validation/schema-disallow-additional.json",
    "custom-validation/variables.json",
];

/// Files whose bytes differ on purpose where rules are carried over in full.
const IN_FULL: [&str; 1] = ["custom-validation/schema-nullable-all.json"];

fn the_published_files_are_reproduced() -> Result<(), MissingProgram> {
    let root = std::env::var_os("TERRASCHEMA_GO_TOOL");
    let missing = || MissingProgram::option("TERRASCHEMA_GO_TOOL names no checkout of the Go tool");
    let root = root.ok_or_else(missing)?;
    let root = Path::new(&root).join("test");
    let (mut differing, mut in_full) = (BTreeSet::new(), BTreeSet::new());
    let mut compared = 0;
    for name in ["simple", "simple-types", "complex-types", "custom-validation"] {
        let dir = root.join("modules").join(name);
        let (module, _) = module::load(&OsSystem, &dir, &module::LoadOptions::default()).unwrap();
        for (file, options) in variants() {
            let expected = root.join("expected").join(name).join(file);
            let expected = fs::read_to_string(expected).unwrap();
            let text = |conditions| {
                let options = SchemaOptions { conditions, ..options.clone() };
                let json = if file == "variables.json" {
                    schema::export_variables(&module, &options, &Meter::default())
                } else {
                    schema::generate(&module, &options).schema.to_json()
                };
                json.to_text(false) + "\n"
            };
            compared += 1;
            let (basic, full) = (text(CarriedConditions::Basic), text(CarriedConditions::Full));
            if full != basic {
                in_full.insert(format!("{name}/{file}"));
            }
            if basic != expected {
                differing.insert(format!("{name}/{file}"));
                let changes = similar::TextDiff::from_lines(&expected, &basic);
                eprintln!("{name}/{file}\n{}", changes.unified_diff());
            }
        }
    }
    assert_eq!(compared, 16);
    assert_eq!(differing, DIFFERENCES.map(str::to_owned).into());
    assert_eq!(in_full, IN_FULL.map(str::to_owned).into());
    Ok(())
}

fn variants() -> Vec<(&'static str, SchemaOptions)> {
    let plain = SchemaOptions::default();
    vec![
        ("schema.json", plain.clone()),
        ("schema-nullable-all.json", SchemaOptions { nullable_all: true, ..plain.clone() }),
        (
            "schema-disallow-additional.json",
            SchemaOptions { disallow_additional_properties: true, ..plain.clone() },
        ),
        ("variables.json", plain),
    ]
}
