//! The hooks, run by the real pre-commit in fresh repositories.
#![allow(clippy::disallowed_methods)] // They look behind the layers' backs.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Answer, Workspace, binary, isolated},
};

use crate::tools;

trials![
    each_kind_of_drift_is_refused_and_repaired,
    a_bad_values_file_is_refused_and_not_repaired,
    a_reordered_or_crlf_schema_passes_in_silence,
    a_missing_or_untracked_schema_is_refused,
    only_what_is_staged_counts,
    a_deleted_file_is_noticed,
    all_files_and_ranges,
    the_rust_hook_installs_and_runs,
    a_change_that_breaks_callers_is_refused,
    all_hooks_look_at_the_same_files,
    the_hook_that_init_writes_works,
    names_that_begin_with_dashes_are_names,
];

const MODULE: &str = r#"variable "size" {
  description = "How many."
  type        = number
  default     = 3
  validation {
    condition     = var.size < 10
    error_message = "Too many."
  }
}

variable "name" {
  type = string
}
"#;

/// A fresh repository whose commits run the hooks.
struct Project {
    it: Workspace,
    python: PathBuf,
    /// Holds pre-commit's own files and the repository that the hooks come from.
    outside: Workspace,
}

impl Project {
    /// One module, its schema and its values, committed. There may be no pre-commit.
    fn new(hooks: &[&str]) -> Result<Project, MissingProgram> {
        let hook_files = [(".pre-commit-hooks.yaml".to_owned(), ".pre-commit-hooks.yaml".into())];
        Project::with_hooks_from(&hook_files, hooks)
    }

    fn with_hooks_from(
        files: &[(String, PathBuf)],
        hooks: &[&str],
    ) -> Result<Project, MissingProgram> {
        let python = tools::python()?;
        let outside = Workspace::repository();
        for (name, path) in files {
            outside.write(name, fs::read(path).unwrap());
        }
        outside.commit("The hooks");
        let revision = outside.git(&["rev-parse", "HEAD"]);
        let project = Project { it: Workspace::repository(), python, outside };
        let mut config = format!(
            "repos:\n  - repo: {}\n    rev: {revision}    hooks:\n",
            project.outside.path("").display()
        );
        hooks.iter().for_each(|it| config += &format!("      - id: {it}\n"));
        project.it.write(".pre-commit-config.yaml", config);
        project.it.write("modules/a b/variables.tf", MODULE);
        project.it.write("modules/a b/prod.tfvars", "name = \"é\"\n");
        project.it.write("modules/other/main.tf", "variable \"x\" {\n  type = string\n}\n");
        project.it.write("README.md", "A project.\n");
        assert_eq!(project.it.terraschema("check --fix").code, 0);
        project.it.commit("First");
        assert_eq!(project.pre_commit(&["install"]).code, 0);
        Ok(project)
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = isolated(program, &self.it.path(""));
        let mut path = vec![Path::new(binary()).parent().unwrap().to_owned()];
        path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
        command.env("PATH", env::join_paths(path).unwrap());
        command.env("PRE_COMMIT_HOME", self.outside.path("home"));
        // The hook in Rust is built for a look, not for speed, and once.
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
        command.env("CARGO_TARGET_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/target/tools/hook"));
        command
    }

    fn pre_commit(&self, arguments: &[&str]) -> Answer {
        let mut command = self.command(&self.python);
        Answer::new(command.args(["-m", "pre_commit"]).args(arguments).output().unwrap())
    }

    /// Commits what is staged, through the hooks.
    fn commit_staged(&self) -> Answer {
        let mut command = self.command("git");
        Answer::new(command.args(["commit", "-q", "-m", "Next"]).output().unwrap())
    }

    /// Stages everything and commits it through the hooks.
    fn commit(&self) -> Answer {
        self.it.git(&["add", "-A"]);
        self.commit_staged()
    }

    #[track_caller]
    fn refuses(&self, parts: &[&str]) {
        let answer = self.commit();
        assert_ne!(answer.code, 0, "{}", answer.text());
        for part in parts {
            assert!(answer.text().contains(part), "{part}: {}", answer.text());
        }
    }

    #[track_caller]
    fn accepts(&self) {
        let answer = self.commit();
        assert_eq!(answer.code, 0, "{}", answer.text());
    }

    fn reset(&self) {
        self.it.git(&["reset", "-q", "--hard"]);
        self.it.git(&["clean", "-qfd"]);
    }
}

fn each_kind_of_drift_is_refused_and_repaired() -> Result<(), MissingProgram> {
    let check = Project::new(&["terraschema-check-system"])?;
    let fix = Project::new(&["terraschema-fix-system", "terraschema-check-system"])?;
    let module = "modules/a b/variables.tf";
    let removed = MODULE[MODULE.find("variable \"name\"").unwrap()..].to_owned();
    let added = format!("{MODULE}variable \"new\" {{\n  default = true\n}}\n");
    let cases = [
        ("type", MODULE.replace("type = string", "type = bool"), "variable \"name\""),
        ("default", MODULE.replace("= 3", "= 4"), "variable \"size\""),
        ("description", MODULE.replace("How many", "So many"), "variable \"size\""),
        ("condition", MODULE.replace("< 10", "< 9"), "variable \"size\""),
        ("an added variable", added, "variable \"new\""),
        ("a removed variable", removed, "variable \"size\""),
    ];
    for (what, text, finding) in cases {
        check.it.write(module, &text);
        check.it.write(
            "modules/a b/prod.tfvars",
            if what == "type" { "name = true\n" } else { "name = \"é\"\n" },
        );
        check.refuses(&["stale-schema", finding, "modules/a b/schema.json"]);
        let before = check.it.read("modules/a b/schema.json");
        check.reset();
        assert_eq!(before, check.it.read("modules/a b/schema.json"), "check never writes");

        fix.it.write(module, &text);
        fix.it.write(
            "modules/a b/prod.tfvars",
            if what == "type" { "name = true\n" } else { "name = \"é\"\n" },
        );
        fix.refuses(&["written: modules/a b/schema.json"]);
        fix.accepts();
    }
    Ok(())
}

fn a_bad_values_file_is_refused_and_not_repaired() -> Result<(), MissingProgram> {
    for hook in ["terraschema-check-system", "terraschema-fix-system"] {
        let project = Project::new(&[hook])?;
        project.it.write("modules/a b/prod.tfvars", "name = \"x\"\nsize = 12\n");
        project.refuses(&["failed-validation", "modules/a b/prod.tfvars:2:8", "Too many."]);
        assert_eq!(project.it.read("modules/a b/prod.tfvars"), "name = \"x\"\nsize = 12\n");
    }
    Ok(())
}

fn a_reordered_or_crlf_schema_passes_in_silence() -> Result<(), MissingProgram> {
    let project = Project::new(&["terraschema-check-system"])?;
    let path = "modules/a b/schema.json";
    let text = project.it.read(path);
    project.it.write(path, text.replace('\n', "\r\n"));
    project.accepts();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let reordered: Vec<String> =
        value.as_object().unwrap().iter().rev().map(|(k, v)| format!("{k:?}: {v}")).collect();
    project.it.write(path, format!("{{{}}}", reordered.join(", ")));
    project.accepts();
    Ok(())
}

fn a_missing_or_untracked_schema_is_refused() -> Result<(), MissingProgram> {
    for hook in ["terraschema-check-system", "terraschema-fix-system"] {
        let project = Project::new(&[hook])?;
        project.it.write("new/main.tf", "variable \"x\" {\n  type = string\n}\n");
        project.it.git(&["add", "-A"]);
        assert_ne!(project.commit_staged().code, 0, "there is none");
        project.it.terraschema("check --fix");
        let answer = project.commit_staged();
        assert_ne!(answer.code, 0, "there is one, but not in the commit");
        assert!(answer.text().contains("is not tracked by Git"), "{}", answer.text());
        project.accepts();
    }
    Ok(())
}

fn only_what_is_staged_counts() -> Result<(), MissingProgram> {
    let project = Project::new(&["terraschema-check-system"])?;
    let module = "modules/a b/variables.tf";
    project.it.write("README.md", "Changed.\n").git(&["add", "-A"]);
    project.it.write(module, "nonsense {");
    assert_eq!(project.commit_staged().code, 0, "an unstaged edit does not fail a commit");
    project.it.write(module, MODULE.replace("= 3", "= 4")).git(&["add", "-A"]);
    project.it.write(module, MODULE);
    assert_ne!(project.commit_staged().code, 0, "and does not pass one");
    assert_eq!(project.it.read(module), MODULE);
    Ok(())
}

fn a_deleted_file_is_noticed() -> Result<(), MissingProgram> {
    let project = Project::new(&["terraschema-check-system"])?;
    project.it.write("modules/a b/more.tf", "variable \"more\" {\n  default = 1\n}\n");
    project.it.terraschema("check --fix");
    project.accepts();
    project.it.remove("modules/a b/more.tf");
    project.refuses(&["stale-schema", "\"more\""]);
    project.reset();
    project.it.remove("modules/a b/schema.json");
    project.refuses(&["missing-schema"]);
    project.reset();
    project.it.remove("README.md");
    project.accepts();
    Ok(())
}

fn all_files_and_ranges() -> Result<(), MissingProgram> {
    let project = Project::new(&["terraschema-check-system"])?;
    assert_eq!(project.pre_commit(&["run", "--all-files"]).code, 0);
    project.it.write("modules/other/main.tf", "variable \"x\" {\n  type = number\n}\n");
    project.it.commit("Without the hooks");
    project.it.write("README.md", "Changed.\n");
    project.accepts();
    let all = project.pre_commit(&["run", "--all-files"]);
    assert!(all.code != 0 && all.text().contains("modules/other/schema.json"), "{}", all.text());
    let range =
        |from: &str, to: &str| project.pre_commit(&["run", "--from-ref", from, "--to-ref", to]);
    assert_eq!(range("HEAD~1", "HEAD").code, 0);
    assert_ne!(range("HEAD~2", "HEAD").code, 0);
    project.it.remove("modules/a b/schema.json").commit("A deletion");
    let deleted = range("HEAD~1", "HEAD");
    assert!(deleted.code != 0 && deleted.text().contains("missing-schema"), "{}", deleted.text());
    Ok(())
}

fn the_rust_hook_installs_and_runs() -> Result<(), MissingProgram> {
    if env::var_os("TERRASCHEMA_TEST_RUST_HOOK").is_none() {
        let reason = "TERRASCHEMA_TEST_RUST_HOOK=1 builds the crate as pre-commit does";
        return Err(MissingProgram::option(reason));
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(here).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let is_data = |it: &str| it.starts_with("tests/data/") || it.starts_with("tests/spec/");
    let files: Vec<(String, PathBuf)> = listed
        .split('\0')
        .filter(|it| !it.is_empty() && !is_data(it) && here.join(it).is_file())
        .map(|it| (it.to_owned(), here.join(it)))
        .collect();
    let project = Project::with_hooks_from(&files, &["terraschema-check"])?;
    project.it.write("README.md", "Changed.\n");
    project.accepts();
    project.it.write("modules/other/main.tf", "variable \"x\" {\n  type = number\n}\n");
    project.refuses(&["stale-schema"]);
    Ok(())
}

fn a_change_that_breaks_callers_is_refused() -> Result<(), MissingProgram> {
    let project = Project::new(&["terraschema-compat-system"])?;
    project.it.git(&["tag", "v1.0.0"]);
    project.it.write("modules/new/main.tf", "variable \"x\" {\n  type = any\n}\n");
    project.accepts();
    project.it.git(&["tag", "v1.1.0"]);
    project.it.write("modules/new/main.tf", "variable \"x\" {\n  type = number\n}\n");
    project.refuses(&["type-narrowed"]);
    Ok(())
}

fn all_hooks_look_at_the_same_files() {
    let text = fs::read_to_string(".pre-commit-hooks.yaml").unwrap();
    let pattern = text.split("&files '").nth(1).unwrap().split('\'').next().unwrap();
    let pattern = regex_automata::meta::Regex::new(pattern).unwrap();
    let wanted = [
        "main.tf",
        "a b/é.tofu",
        "x.tf.json",
        "x.tofu.json",
        "prod.tfvars",
        "envs/x.auto.tfvars.json",
        "schema.json",
        "m/schema.json",
        ".terraschema.hcl",
        "m/.terraschema.hcl",
        "a.rules.hcl",
        "root.hcl",
        "m/terragrunt.hcl.json",
    ];
    let others =
        ["main.tf.bak", "package.json", "my-schema.json", "x.hcl.json", "hcl", "main.tfstate"];
    wanted.iter().for_each(|it| assert!(pattern.is_match(it), "{it}"));
    others.iter().for_each(|it| assert!(!pattern.is_match(it), "{it}"));
    assert_eq!(text.matches("files: ").count(), text.matches("- id: ").count());
}

fn names_that_begin_with_dashes_are_names() -> Result<(), MissingProgram> {
    let project = Project::new(&["terraschema-check-system"])?;
    let it = &project.it;
    it.write("evil.tf", "modules {\n  exclude = [\"**\"]\n}\n");
    for name in ["--config=evil.tf", "--exit-zero.tf", "-rf.tfvars", "@file.tf", "$(touch x).tf"] {
        it.write(name, "").write("modules/a b/prod.tfvars", "name = []\n");
        project.refuses(&["type-mismatch", "modules/a b/prod.tfvars"]);
        let all = project.pre_commit(&["run", "--all-files"]);
        assert_ne!(all.code, 0, "{name}: {}", all.text());
        assert!(all.text().contains("type-mismatch"), "{name}: {}", all.text());
        project.reset();
    }
    Ok(())
}

/// What `init` writes needs nothing but the command and pre-commit.
fn the_hook_that_init_writes_works() -> Result<(), MissingProgram> {
    for has_schemas in [false, true] {
        let project = Project::new(&["terraschema-check-system"])?;
        let it = &project.it;
        it.remove(".pre-commit-config.yaml");
        if !has_schemas {
            it.remove("modules/a b/schema.json").remove("modules/other/schema.json");
        }
        let answer = it.terraschema("init");
        assert_eq!(answer.code, 0, "{}", answer.text());
        project.accepts();
        let all = project.pre_commit(&["run", "--all-files"]);
        assert_eq!(all.code, 0, "{}", all.text());
        let again = it.terraschema("init").stdout;
        assert!(again.ends_with("Nothing was changed.\n"), "{again}");
        it.write("modules/a b/prod.tfvars", "name = []\n");
        project.refuses(&["type-mismatch", "modules/a b/prod.tfvars"]);
        project.reset();
        it.write("modules/a b/variables.tf", MODULE.replace("= 3", "= 4"));
        if has_schemas {
            project.refuses(&["written: modules/a b/schema.json"]);
        }
        project.accepts();
        assert_eq!(it.path("modules/a b/schema.json").exists(), has_schemas);
    }
    Ok(())
}
