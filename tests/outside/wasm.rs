//! The library builds for WebAssembly, where a program has no files, processes and clock but those of its own `System`.

use std::process::Command;

use testkit::missing::{MissingProgram, trials};

trials![the_library_builds_without_a_machine];

const TARGET: &str = "wasm32-unknown-unknown";

fn the_library_builds_without_a_machine() -> Result<(), MissingProgram> {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let is_target = |it: &str| it == TARGET;
    if !installed.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).lines().any(is_target)) {
        return Err(MissingProgram::option(format!("`rustup target add {TARGET}` was not run")));
    }
    let cargo = Command::new(env!("CARGO"))
        .args(["check", "--locked", "--package", "terraschema-api", "--target", TARGET])
        .args(["--target-dir", "target/wasm"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    Ok(())
}
