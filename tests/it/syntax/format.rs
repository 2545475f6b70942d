//! The layout of files, as `terraform fmt` 1.11.4 writes it.
//!
//! `tests/data/format.jsonl` has recorded answers, where `null` is a text that Terraform refuses. `TERRASCHEMA_FORMAT`
//! names another file of that form.

use std::{env, fs, path::Path};

use hcl::formatted;
use serde::Deserialize;

#[derive(Deserialize)]
struct Record {
    input: String,
    output: Option<String>,
}

#[test]
fn recorded_layouts() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format.jsonl");
    let file = env::var_os("TERRASCHEMA_FORMAT").map_or(recorded, Into::into);
    let (mut same, mut others) = (0, Vec::new());
    for line in fs::read_to_string(file).unwrap().lines() {
        let Record { input, output } = serde_json::from_str(line).unwrap();
        let found = formatted(input.as_bytes());
        if found == output {
            same += 1;
        } else {
            others.push((input, output, found));
        }
    }
    let shown: Vec<_> = others.iter().take(5).collect();
    assert!(others.is_empty(), "{} of {} differ: {shown:#?}", others.len(), same + others.len());
    assert!(same >= 400, "{same}");
}

#[test]
fn a_layout_stays_as_it_is() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format.jsonl");
    let mut count = 0;
    for line in fs::read_to_string(recorded).unwrap().lines() {
        let Record { output, .. } = serde_json::from_str(line).unwrap();
        let Some(once) = output.and_then(|it| formatted(it.as_bytes())) else { continue };
        // Terraform itself needs a second run for some comments between lines that close brackets.
        let Some(twice) = formatted(once.as_bytes()) else { panic!("{once}") };
        assert_eq!(formatted(twice.as_bytes()).as_deref(), Some(&*twice), "{once}");
        count += 1;
    }
    assert!(count > 300, "{count}");
}
