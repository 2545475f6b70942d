//! Does Terraform still write values files as `tests/data/format.jsonl` has it?

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use testkit::{
    missing::{MissingProgram, trials},
    program::Program,
    workspace::isolated,
};

trials![recorded_layouts_are_those_of_terraform];

fn recorded_layouts_are_those_of_terraform() -> Result<(), MissingProgram> {
    let program = Program::recorded().ok_or_else(MissingProgram::terraform)?;
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format.jsonl");
    let text = fs::read_to_string(recorded).unwrap();
    let records: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let dir = tempfile::tempdir().unwrap();
    let file = |at: usize| dir.path().join(format!("{at}.tfvars"));
    for (at, record) in records.iter().enumerate() {
        fs::write(file(at), record["input"].as_str().unwrap()).unwrap();
    }
    let mut fmt: Command = isolated(&program.path, dir.path());
    let output = fmt.args(["fmt", "-list=false", "-no-color", "."]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    for (at, record) in records.iter().enumerate() {
        let is_refused = errors.contains(&format!("on {at}.tfvars line"));
        assert_eq!(is_refused, record["output"].is_null(), "{record}");
        // A file with errors stays as it is.
        let expected = record["output"].as_str().or(record["input"].as_str()).unwrap();
        assert_eq!(fs::read_to_string(file(at)).unwrap(), expected, "{record}");
    }
    Ok(())
}
