//! Real editors, with the configurations of docs/editors.md.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use testkit::{
    missing::{MissingProgram, trials},
    workspace::{binary, isolated},
};

use crate::tools;

trials![
    neovim_shows_completes_renames_and_formats,
    emacs_shows_completes_fixes_renames_and_formats,
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    vs_code_shows_completes_and_fixes,
];

const MODULE: &str = r#"variable "size" {
  type = number
  validation {
    condition     = contains([2, 4], var.size)
    error_message = "Two or four."
  }
}
variable "name" {
  type    = string
  default = "x"
}
"#;

/// A directory with a module, in which an editor finds the built command on its path.
struct Desk {
    dir: tempfile::TempDir,
    root: PathBuf,
    path: OsString,
}

impl Desk {
    fn new(values: &str) -> Desk {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap().join("module");
        fs::create_dir_all(&root).unwrap();
        let git = isolated("git", &root).args(["init", "-q"]).output().unwrap();
        assert!(git.status.success(), "{git:?}");
        fs::write(root.join("variables.tf"), MODULE).unwrap();
        fs::write(root.join("prod.tfvars"), values).unwrap();
        let mut path = OsString::from(Path::new(binary()).parent().unwrap());
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        Desk { dir, root, path }
    }

    /// The file with the first code of a language on the page about editors.
    fn configuration(&self, language: &str) -> PathBuf {
        let page = fs::read_to_string(repository().join("docs/editors.md")).unwrap();
        let (_, code) = page.split_once(&format!("```{language}\n")).unwrap();
        let file = self.dir.path().join(format!("init.{language}"));
        fs::write(&file, code.split("```").next().unwrap()).unwrap();
        file
    }

    /// What the editor prints.
    fn run(&self, mut editor: Command) -> String {
        editor.env("PATH", &self.path).env("HOME", self.dir.path());
        editor.env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
        let output = editor.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&said).replace('\r', "")
    }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn neovim_shows_completes_renames_and_formats() -> Result<(), MissingProgram> {
    let nvim = tools::python_program("nvim")?;
    let desk = Desk::new("size = 1\nnmae = \"x\"\n");
    let mut editor = Command::new(nvim);
    editor
        .args(["--clean", "--headless", "-l"])
        .arg(repository().join("tests/consumers/nvim.lua"))
        .arg(desk.configuration("lua"))
        .arg(&desk.root);
    let expected = "diagnostics: 0 failed-validation, 1 undeclared-variable\n\
                    completion: 2, 4\n\
                    renamed: count_of = 1\n\
                    formatted: count_of = 2";
    assert_eq!(desk.run(editor).trim(), expected);
    Ok(())
}

/// An Emacs whose packages have eglot. Only a package manager of the system installs it, so that no machine has to have
/// it.
fn emacs() -> Result<Command, MissingProgram> {
    let program = || {
        let mut emacs = Command::new("emacs");
        emacs.args(["--batch", "-q"]);
        emacs
    };
    let look = "(progn (require 'package) (package-initialize) (require 'eglot))";
    let has_eglot = program().args(["--eval", look]).output().is_ok_and(|it| it.status.success());
    let missing = || MissingProgram::option("no Emacs with eglot on the path");
    if has_eglot { Ok(program()) } else { Err(missing()) }
}

fn emacs_shows_completes_fixes_renames_and_formats() -> Result<(), MissingProgram> {
    let mut editor = emacs()?;
    let desk = Desk::new("size = 1\nsiez = \"x\"\n");
    editor
        .arg("-l")
        .arg(repository().join("tests/consumers/emacs.el"))
        .arg(desk.configuration("elisp"))
        .arg(&desk.root);
    let said = desk.run(editor);
    // What Debian loads is said before.
    let (_, said) = said.split_once("diagnostics:").unwrap_or_else(|| panic!("{said}"));
    let expected = " 1 2\n\
                    completion: 2, 4\n\
                    quick fix: Change to \"size\"\n\
                    renamed: count_of = 1\n\
                    formatted: size = 2\n";
    assert!(said.starts_with(expected), "{said}");
    Ok(())
}

/// By keys and mouse, in Chromium. `TERRASCHEMA_PICTURES=DIR` takes pictures.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn vs_code_shows_completes_and_fixes() -> Result<(), MissingProgram> {
    let browser = tools::browser()?;
    let tools::Workbench { node, code_server, extension } = tools::workbench()?;
    let desk = Desk::new("size = 1\nnmae = \"x\"\n");
    let mut editor = Command::new(node);
    editor.arg(browser.with_file_name("workbench.mjs")).args([code_server, extension]);
    editor.arg(binary()).args([desk.dir.path(), &desk.root]);
    let expected = "squiggles: an error and a warning\n\
                    problems: failed-validation, undeclared-variable\n\
                    completion: 2, 4\n\
                    quick fixes: Change to \"name\", Ignore undeclared-variable here\n\
                    saved: size = 2, name = \"x\"";
    assert_eq!(desk.run(editor).trim(), expected);
    Ok(())
}
