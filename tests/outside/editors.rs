//! Real editors, with the configurations of docs/editors.md.

use std::{env, ffi::OsString, fs, path::Path, process::Command};

use crate::{
    missing::{MissingProgram, trials},
    tools,
    workspace::binary,
};

trials![neovim_shows_completes_renames_and_formats];

const MODULE: &str = r#"variable "size" {
  type = number
  validation {
    condition     = contains([2, 4], var.size)
    error_message = "Two or four."
  }
}
"#;

fn neovim_shows_completes_renames_and_formats() -> Result<(), MissingProgram> {
    let nvim = tools::python_program("nvim")?;
    let dir = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(dir.path()).unwrap().join("module");
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join("variables.tf"), MODULE).unwrap();
    fs::write(root.join("prod.tfvars"), "size = 1\nnmae = \"x\"\n").unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(repository.join("docs/editors.md")).unwrap();
    let (_, config) = page.split_once("```lua\n").unwrap();
    let config = config.split("```").next().unwrap();
    fs::write(dir.path().join("init.lua"), config).unwrap();
    let mut path = OsString::from(Path::new(binary()).parent().unwrap());
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let output = Command::new(nvim)
        .args(["--clean", "--headless", "-l"])
        .arg(repository.join("tests/consumers/nvim.lua"))
        .arg(dir.path().join("init.lua"))
        .arg(&root)
        .env("PATH", path)
        .env("HOME", dir.path())
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).replace('\r', "");
    let expected = "diagnostics: 0 failed-validation, 1 undeclared-variable\n\
                    completion: 2, 4\n\
                    renamed: count_of = 1\n\
                    formatted: count_of = 2";
    assert_eq!(said.trim(), expected);
    Ok(())
}
