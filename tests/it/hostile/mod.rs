//! Repositories of strangers: whatever they contain, a run shows, reads and writes nothing outside.
#![cfg(unix)]
#![allow(clippy::disallowed_methods)] // They look behind the layers' backs.

mod reading;
mod roots;
mod steering;
mod unseen;
mod writing;

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use report::Format;
use testkit::workspace::{Answer, Workspace, binary, isolated};

/// A secret in the files outside, in git's configuration and in the environment.
const SECRET: &str = "S3CR3T-outside";

/// `S3CR3T-outside` in Base64, at each of the three places that it can have in a group of bytes.
const IN_BASE64: [&str; 3] = ["UzNDUjNULW91dHNpZG", "MzQ1IzVC1vdXRzaWRl", "TM0NSM1Qtb3V0c2lkZ"];

const MODULE: &str = "variable \"x\" {\n  description = \"$(id >&2)\"\n  type        = object({ a = optional(string) })\n}\n";

/// A repository in a directory of its own, with secrets next to it.
pub struct Hostile {
    place: Workspace,
}

impl Hostile {
    pub fn new() -> Hostile {
        let place = Workspace::new();
        place.write("secret", format!("{SECRET}\n")).write("home/.bashrc", format!("# {SECRET}\n"));
        place.write("home/x.tfvars", format!("x = {{ a = \"{SECRET}\", b = 1 }}\n"));
        place.write("home/main.tf", format!("variable \"y\" {{\n  default = \"{SECRET}\"\n}}\n"));
        place.write("repo/m/main.tf", MODULE);
        let it = Hostile { place };
        it.git(&["init", "-q", "-b", "main"]);
        it.git(&["config", "http.extraheader", SECRET]);
        it.commit();
        it
    }

    pub fn write(&self, path: &str, text: &str) -> &Self {
        self.place.write(&format!("repo/{path}"), text);
        self
    }

    pub fn link(&self, target: impl AsRef<Path>, path: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
        self
    }

    /// A path inside of the repository.
    pub fn path(&self, path: &str) -> PathBuf {
        self.place.path("repo").join(path)
    }

    pub fn outside(&self, path: &str) -> PathBuf {
        self.place.path(path)
    }

    fn git(&self, arguments: &[&str]) {
        let answer = Answer::new(isolated("git", &self.path("")).args(arguments).output().unwrap());
        assert_eq!(answer.code, 0, "git {arguments:?}: {}", answer.text());
    }

    pub fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--no-verify", "--allow-empty", "-m", "x"]);
    }

    fn command(&self, dir: &str) -> Command {
        let mut command = isolated(binary(), &self.path(dir));
        command.env("TERRASCHEMA_SECRET", SECRET).env("HOME", self.outside("home"));
        command
    }

    /// Runs the command in the repository; the arguments are separated by blanks.
    pub fn run(&self, arguments: &str) -> Answer {
        Answer::new(self.command("").args(arguments.split_whitespace()).output().unwrap())
    }

    pub fn run_in(&self, dir: &str, arguments: &str) -> Answer {
        Answer::new(self.command(dir).args(arguments.split_whitespace()).output().unwrap())
    }

    /// Lines `RULE FILE:LINE:COLUMN` of everything that `check` finds.
    pub fn findings(&self, arguments: &str) -> Vec<String> {
        let answer = self.run(&format!("check -v --format concise {arguments}"));
        let line = |it: &str| {
            let (place, rest) = it.split_once(": ")?;
            let rule = rest.split_once('[')?.1.split_once(']')?.0;
            Some(format!("{rule} {place}"))
        };
        answer.stdout.lines().filter_map(line).collect()
    }

    /// Everything outside of the repository, and git's own files: path, mode, content.
    fn outer(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
        let mut found = Vec::new();
        let mut pending = vec![self.place.path(""), self.path(".git")];
        while let Some(dir) = pending.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let about = fs::symlink_metadata(&path).unwrap();
                // Git renews its index on the way.
                if path == self.path("") || path.ends_with("index") {
                    continue;
                }
                if about.is_dir() {
                    pending.push(path);
                } else {
                    let content = fs::read(&path).unwrap_or_default();
                    found.push((path, about.permissions().mode(), content));
                }
            }
        }
        found.sort();
        found
    }

    /// Runs every command that works on a tree, in every format. Nothing outside changes, no secret
    /// is shown, and each run ends with an exit code of ours.
    pub fn attack(&self) {
        self.git(&["add", "-A"]);
        let rules = self.place.path("all.rules.hcl");
        fs::write(&rules, RULES).unwrap();
        let before = self.outer();
        let files = "m/main.tf .terraschema.hcl m/prod.tfvars m/schema.json";
        let named: Vec<&str> =
            files.split(' ').filter(|it| self.path(it).symlink_metadata().is_ok()).collect();
        let named = named.join(" ");
        let mut commands = Vec::new();
        for (format, _) in Format::ALL {
            let base = format!("--format {format} -v");
            commands.push(format!("check {base}"));
            commands.push(format!("check --staged {base}"));
            commands.push(format!("check --hook {named} {base}"));
        }
        for rest in [
            "check --fix -v --format json",
            "check --fix --fix-inputs --fix-required-version -v",
            "check --hook --fix m/main.tf",
            "check --fix m",
            "check --changed=HEAD --fix",
            "generate -i m --stdout",
            "generate -i m --stdout --export-variables",
            "init",
            "validate --confined -i m",
            "validate --confined -i m -var x={} --format json",
            "eval --confined -i m var.x",
        ] {
            commands.push(rest.to_owned());
        }
        for (format, _) in Format::ALL {
            let rules = rules.display();
            commands.push(format!("policy --confined --config m {rules} --format {format} -v"));
        }
        for command in commands {
            let answer = self.run(&command);
            assert!((0..=2).contains(&answer.code), "{command}: {answer:?}");
            assert_silent(&command, &answer.text());
            assert_eq!(self.outer(), before, "{command} changed something outside");
        }
        let outcome = crate::action::run_built(&self.path(""), &[("TERRASCHEMA_SECRET", SECRET)]);
        assert_silent("the Action", &outcome);
        assert_eq!(self.outer(), before, "the Action changed something outside");
    }
}

/// Rules that show every value.
const RULES: &str = r#"
rule "all" {
  variable "*" {
    value   = self == ""
    default = self == ""
  }
  output "*" {
    value = self == ""
  }
  resource "*" {
    input            = self == ""
    triggers_replace = self == ""
  }
}
"#;

/// No secret, in plain or in Base64, is in what was said.
fn assert_silent(what: &str, text: &str) {
    for form in [SECRET].iter().chain(&IN_BASE64) {
        assert!(!text.contains(form), "{what} tells {form}:\n{text}");
    }
}
