//! The archives of a release, and tflint with the plugin where `tflint --init` puts it.

use std::{fs, path::Path, process::Command};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{
    fake_host::PLUGIN,
    lint::Project,
    missing::{MissingProgram, trials},
};

trials![assets_have_the_names_that_tflint_looks_for, tflint_takes_the_installed_plugin,];

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/tflint-assets");
const NAME: &str = "tflint-ruleset-terraschema";

fn pack(out: &Path, targets: &[String]) -> std::process::Output {
    Command::new(SCRIPT).arg(out).args(targets).output().unwrap()
}

fn unpack(archive: &Path, into: &Path) {
    fs::create_dir_all(into).unwrap();
    let unzip = Command::new("unzip").arg("-q").arg(archive).arg("-d").arg(into).status();
    assert!(unzip.unwrap().success());
}

fn assets_have_the_names_that_tflint_looks_for() {
    let dir = TempDir::new().unwrap();
    let (binary, out) = (dir.path().join("built"), dir.path().join("out"));
    fs::write(&binary, "program").unwrap();
    let targets = ["x86_64-unknown-linux-musl", "aarch64-apple-darwin", "x86_64-pc-windows-msvc"];
    let targets = targets.map(|it| format!("{it}={}", binary.display()));
    assert!(pack(&out, &targets).status.success());
    let checksums = fs::read_to_string(out.join("checksums.txt")).unwrap();
    let mut names = Vec::new();
    for line in checksums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let digest = Sha256::digest(fs::read(out.join(name)).unwrap());
        let hex: Vec<String> = digest.iter().map(|it| format!("{it:02x}")).collect();
        assert_eq!(sum, hex.concat(), "{name}");
        names.push(name.strip_prefix(NAME).unwrap());
    }
    assert_eq!(names, ["_darwin_arm64.zip", "_linux_amd64.zip", "_windows_amd64.zip"]);
    for (asset, file) in
        [("linux_amd64", NAME.to_owned()), ("windows_amd64", format!("{NAME}.exe"))]
    {
        let into = dir.path().join(asset);
        unpack(&out.join(format!("{NAME}_{asset}.zip")), &into);
        assert_eq!(fs::read_to_string(into.join(file)).unwrap(), "program");
    }
    assert!(!pack(&out, &targets).status.success(), "a directory that is not empty");
    let unknown = pack(&dir.path().join("other"), &["sparc-unknown-none=x".to_owned()]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no platform for the target"));
}

fn tflint_takes_the_installed_plugin() -> Result<(), MissingProgram> {
    let project = Project::new(&[("main.tf", "variable \"a\" {}\n")])?;
    let out = project.dir.path().join("out");
    // The binary of a debug build takes long to pack.
    project.write("built", &format!("#!/bin/sh\nexec {PLUGIN}\n"));
    let built = project.dir.path().join("built");
    let target = format!("x86_64-unknown-linux-gnu={}", built.display());
    assert!(pack(&out, &[target]).status.success());
    let source = format!("github.com/terraschema/{NAME}");
    let installed = project.dir.path().join("plugins").join(&source).join("9.9.9");
    unpack(&out.join(format!("{NAME}_linux_amd64.zip")), &installed);
    project.write(
        ".tflint.hcl",
        &format!(
            "plugin \"terraform\" {{\n  enabled = false\n}}\nplugin \"terraschema\" {{\n  enabled = true\n  \
             version = \"9.9.9\"\n  source  = \"{source}\"\n}}\nconfig {{\n  plugin_dir = \"plugins\"\n}}\n"
        ),
    );
    assert_eq!(project.places(&[]), ["main.tf:1:1-1:13 terraschema_missing_schema"]);
    Ok(())
}
