//! A directory of its own on the real disk, for tests that need git, links or processes.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

/// The built command, under a name of its own: making the wheel takes cargo's away for a moment.
pub fn binary() -> &'static str {
    static BINARY: LazyLock<String> = LazyLock::new(keep_binary);
    &BINARY
}

fn keep_binary() -> String {
    let built = profile().join(format!("terraschema{}", env::consts::EXE_SUFFIX));
    let dir = tempfile::tempdir_in(scratch()).unwrap();
    let new = dir.path().join(built.file_name().unwrap());
    if fs::hard_link(&built, &new).is_err() {
        fs::copy(&built, &new).unwrap();
    }
    let kept = scratch().join("bin");
    fs::create_dir_all(&kept).unwrap();
    let kept = kept.join(built.file_name().unwrap());
    fs::rename(new, &kept).unwrap();
    kept.into_os_string().into_string().unwrap()
}

/// The directory of the build's profile, where the built command is. A test is in the directory `deps` below it.
fn profile() -> PathBuf {
    let test = env::current_exe().unwrap();
    test.ancestors().nth(2).unwrap().to_owned()
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A directory below the build directory, for what the next run finds again.
pub fn scratch() -> PathBuf {
    let scratch = profile().join("tmp");
    fs::create_dir_all(&scratch).unwrap();
    scratch
}

/// A fresh directory, removed with its value.
pub struct Workspace {
    dir: tempfile::TempDir,
}

/// What a process said.
#[derive(Debug)]
pub struct Answer {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    pub fn new(output: Output) -> Answer {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Answer {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Both streams.
    pub fn text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl Workspace {
    pub fn new() -> Workspace {
        Workspace { dir: tempfile::tempdir().unwrap() }
    }

    /// With an empty repository in it, whose branch is `main`.
    pub fn repository() -> Workspace {
        let it = Workspace::new();
        it.git(&["init", "-q", "-b", "main"]);
        it
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub fn remove(&self, path: &str) -> &Self {
        let path = self.path(path);
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        removed.unwrap();
        self
    }

    /// Runs git, which must succeed; its standard output.
    pub fn git(&self, arguments: &[&str]) -> String {
        let answer =
            Answer::new(isolated("git", self.dir.path()).args(arguments).output().unwrap());
        assert_eq!(answer.code, 0, "git {arguments:?}: {}", answer.text());
        answer.stdout
    }

    /// Stages everything and commits it, past any hook.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--no-verify", "--allow-empty", "-m", message]);
    }

    /// Runs the command here; the arguments are separated by blanks.
    pub fn terraschema(&self, arguments: &str) -> Answer {
        self.terraschema_in("", arguments)
    }

    /// Runs the command in a directory of this one.
    pub fn terraschema_in(&self, dir: &str, arguments: &str) -> Answer {
        let mut command = isolated(binary(), &self.path(dir));
        Answer::new(command.args(arguments.split_whitespace()).output().unwrap())
    }
}

/// A command that no configuration of the machine or of a calling git hook reaches.
pub fn isolated(program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir);
    let of_git = std::env::vars_os().map(|(name, _)| name);
    let of_git = of_git.filter(|it| it.to_string_lossy().starts_with("GIT_"));
    of_git.for_each(|it| _ = command.env_remove(it));
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Test");
        command.env(format!("GIT_{who}_EMAIL"), "test@example.com");
    }
    command
}
