//! The Action: every `run:` step of `action.yml`, run as the runner does.
#![cfg(unix)]
#![allow(clippy::disallowed_methods)] // They look behind the layers' backs.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::Path};

use report::TOOL_VERSION;
use serde_json::Value;
use testkit::workspace::{Answer, Workspace, binary, isolated};

const MODULE: &str = "variable \"x\" {\n  type = string\n}\n";

/// What a job sees of the Action.
struct Outcome {
    answer: Answer,
    outputs: BTreeMap<String, String>,
    summary: String,
    /// Standard error of the steps before the last one.
    installing: String,
}

fn action() -> Value {
    let answer = Answer::new(
        isolated(binary(), ".".as_ref())
            .args(["eval", "--format", "json", "jsonencode(yamldecode(file(\"action.yml\")))"])
            .output()
            .unwrap(),
    );
    let report: Value = serde_json::from_str(&answer.stdout).unwrap();
    serde_json::from_str(report["results"][0]["value"].as_str().unwrap()).unwrap()
}

/// Runs the steps one after another, until one fails. `inputs` override the declared defaults.
fn run_action(it: &Workspace, inputs: &[(&str, &str)], env: &[(&str, &str)]) -> Outcome {
    run_steps(&it.path(""), inputs, env)
}

fn run_steps(dir: &Path, inputs: &[(&str, &str)], env: &[(&str, &str)]) -> Outcome {
    let action = action();
    let runner = Workspace::new();
    runner.write("output", "before=1\n").write("summary", "Before.\n").write("temp/x", "");
    let (mut last, mut installing) = (None::<Answer>, String::new());
    for (n, step) in action["runs"]["steps"].as_array().unwrap().iter().enumerate() {
        assert_eq!(step["shell"], "bash");
        let script = format!("step-{n}.sh");
        runner.write(&script, step["run"].as_str().unwrap());
        let mut command = isolated("bash", dir);
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail"]).arg(runner.path(&script));
        command.env("GITHUB_OUTPUT", runner.path("output"));
        command.env("GITHUB_STEP_SUMMARY", runner.path("summary"));
        command.env("RUNNER_TEMP", runner.path("temp"));
        command.env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"));
        command.env("GITHUB_WORKSPACE", dir);
        command.envs(env.iter().copied());
        for (name, value) in step["env"].as_object().unwrap() {
            command.env(name, expand(value.as_str().unwrap(), &action, inputs));
        }
        let answer = Answer::new(command.output().unwrap());
        let failed = answer.code != 0;
        installing += &last.map(|it| it.stderr).unwrap_or_default();
        last = Some(answer);
        if failed {
            break;
        }
    }
    let lines = runner.read("output");
    let pairs = lines.lines().map(|it| it.split_once('=').unwrap());
    let of_step: BTreeMap<&str, &str> = pairs.collect();
    assert_eq!(of_step["before"], "1", "what other steps wrote stays");
    let declared = action["outputs"].as_object().unwrap();
    let outputs = declared.iter().map(|(name, it)| {
        let source = it["value"].as_str().unwrap();
        let step = source.strip_prefix("${{ steps.check.outputs.").unwrap();
        let value = of_step.get(step.strip_suffix(" }}").unwrap()).copied().unwrap_or_default();
        (name.clone(), value.to_owned())
    });
    let outputs = outputs.collect();
    Outcome { answer: last.unwrap(), outputs, summary: runner.read("summary"), installing }
}

/// Runs the Action on a directory with the built command; all that it says and writes.
pub fn run_built(dir: &Path, env: &[(&str, &str)]) -> String {
    let outcome = run_steps(dir, &[built()], env);
    format!("{}{:?}{}", outcome.answer.text(), outcome.outputs, outcome.summary)
}

/// The kinds of expression that steps may use, in variables of the environment: inputs, and the token.
fn expand(text: &str, action: &Value, inputs: &[(&str, &str)]) -> String {
    if text == "${{ github.token }}" {
        return inputs.iter().find(|it| it.0 == "TOKEN").map_or("", |it| it.1).to_owned();
    }
    let name = text.strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
    let given = inputs.iter().find(|(it, _)| *it == name).map(|(_, value)| *value);
    let default = action["inputs"][name]["default"].as_str().unwrap();
    given.unwrap_or(default).to_owned()
}

fn repository() -> Workspace {
    let it = Workspace::repository();
    it.write("modules/a b/main.tf", MODULE).write("modules/b/main.tf", MODULE);
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.commit("First");
    it
}

fn built() -> (&'static str, &'static str) {
    ("binary", binary())
}

/// Contracts are compared where that is asked for, and what breaks callers fails the step.
#[test]
fn contracts_are_compared() {
    let it = repository();
    it.git(&["tag", "v1.0.0"]);
    let wider = MODULE.replace("string", "any");
    it.write("modules/b/main.tf", wider);
    assert_eq!(it.terraschema("check --fix").code, 0);
    let outcome = run_action(&it, &[built(), ("compat", "true")], &[]);
    let log = outcome.answer.text();
    assert_eq!(outcome.answer.code, 0, "{log}");
    assert!(log.contains("modules/b: minor (1 minor), next version 1.1.0"), "{log}");
    it.commit("Wider");
    it.git(&["tag", "v1.1.0"]);
    it.write("modules/b/main.tf", MODULE);
    assert_eq!(it.terraschema("check --fix").code, 0);
    let outcome = run_action(&it, &[built(), ("compat", "v1.1.0")], &[]);
    let log = outcome.answer.text();
    assert_eq!(outcome.answer.code, 1, "{log}");
    assert!(log.contains("::error") && log.contains("type-narrowed"), "{log}");
    assert_eq!(outcome.outputs["exit-code"], "1");
    assert!(outcome.summary.contains("type-narrowed"), "{}", outcome.summary);
    let outcome = run_action(&it, &[built(), ("compat", "nowhere")], &[]);
    assert_eq!(outcome.answer.code, 2, "{}", outcome.answer.text());
    assert!(outcome.answer.text().contains("\"nowhere\" is not a revision"));
    let outcome = run_action(&it, &[built(), ("compat", "false")], &[]);
    assert_eq!(outcome.answer.code, 0, "{}", outcome.answer.text());
}

#[test]
fn a_clean_repository() {
    let it = repository();
    let outcome = run_action(&it, &[built()], &[]);
    assert_eq!(outcome.answer.code, 0, "{}", outcome.answer.text());
    assert_eq!(outcome.outputs["drifted-modules"], "[]");
    assert_eq!(outcome.outputs["findings"], "0");
    assert_eq!(outcome.outputs["exit-code"], "0");
    assert!(!outcome.answer.stdout.contains("::error"));
    assert!(
        outcome.summary.starts_with("Before.\n## terraschema: 0 errors"),
        "{}",
        outcome.summary
    );
}

#[test]
fn a_drifted_repository() {
    let it = repository();
    it.write("modules/a b/main.tf", MODULE.replace("string", "number"));
    let outcome = run_action(&it, &[built()], &[]);
    assert_eq!(outcome.answer.code, 1);
    assert_eq!(outcome.outputs["drifted-modules"], "[\"modules/a b\"]");
    assert_eq!(outcome.outputs["findings"], "1");
    assert_eq!(outcome.outputs["exit-code"], "1");
    let stdout = &outcome.answer.stdout;
    assert!(stdout.starts_with("::error file=modules/a b/main.tf,line=2,endLine=2,"), "{stdout}");
    assert!(stdout.contains("title=terraschema stale-schema::"), "{stdout}");
    let log = stdout.find("::stop-commands::").unwrap();
    assert!(
        stdout[log..].contains(" --> modules/a b/main.tf:2:10"),
        "the log has the rest: {stdout}"
    );
    assert!(outcome.summary.contains("| [stale-schema]("), "{}", outcome.summary);
    assert!(outcome.summary.contains("```diff"), "{}", outcome.summary);
}

#[test]
fn a_broken_repository() {
    let it = repository();
    it.write("modules/b/main.tf", "variable \"x\" {\n");
    let outcome = run_action(&it, &[built()], &[]);
    assert_eq!(outcome.answer.code, 2);
    assert_eq!(outcome.outputs["exit-code"], "2");
    assert_eq!(outcome.outputs["drifted-modules"], "[]");
    assert!(outcome.answer.stdout.contains("title=terraschema invalid-syntax::"));
    let config = it.write(".terraschema.hcl", "nonsense = 1\n");
    let outcome = run_action(config, &[built()], &[]);
    assert_eq!((outcome.answer.code, &*outcome.outputs["exit-code"]), (2, "2"));
    assert!(outcome.answer.stdout.contains("::error file=.terraschema.hcl,line=1"));
}

#[test]
fn inputs_choose_what_is_checked() {
    let it = repository();
    it.write("modules/a b/main.tf", MODULE.replace("string", "number"));
    let code =
        |inputs: &[(&str, &str)]| run_action(&it, &[inputs, &[built()]].concat(), &[]).answer.code;
    assert_eq!(code(&[("paths", "modules/b\n")]), 0);
    assert_eq!(code(&[("paths", "modules/b\nmodules/a b\n")]), 1);
    assert_eq!(code(&[("changed", "true")]), 1);
    assert_eq!(code(&[("changed", "HEAD...HEAD")]), 0);
    assert_eq!(code(&[("changed", "nowhere")]), 2);
    assert_eq!(code(&[("fail-on", "nothing")]), 2);
    it.write("ci/levels.hcl", "rule \"stale-schema\" {\n  level = \"warning\"\n}\n");
    assert_eq!(code(&[("config", "ci/levels.hcl")]), 0);
    assert_eq!(code(&[("config", "ci/levels.hcl"), ("fail-on", "warning")]), 1);
    let silent = run_action(&it, &[built(), ("summary", "false")], &[]);
    assert_eq!(silent.summary, "Before.\n");
}

#[test]
fn inputs_are_never_taken_for_code() {
    let it = repository();
    let evil = "$(touch gone)`touch gone`; touch gone; \"'${{ github.token }}";
    for name in ["paths", "changed", "config", "fail-on", "summary"] {
        run_action(&it, &[built(), (name, evil)], &[]);
        assert!(!it.path("gone").exists(), "{name}");
    }
    for step in action()["runs"]["steps"].as_array().unwrap() {
        assert!(!step["run"].as_str().unwrap().contains("${{"), "inputs go through env alone");
    }
}

#[test]
fn inputs_are_never_taken_for_options() {
    let it = repository();
    it.write("modules/b/main.tf", MODULE.replace("string", "number"));
    let code = |inputs: &[(&str, &str)]| {
        let outcome = run_action(&it, &[inputs, &[built()]].concat(), &[]);
        (outcome.answer.code, outcome.answer.stdout)
    };
    for name in ["--exit-zero.tf", "--config=evil.tf", "-rf.tfvars", "@file.tf"] {
        it.write(name, "");
        let (code, text) = code(&[("paths", &format!("{name}\nmodules/b\n"))]);
        assert_eq!(code, 1, "{name}: {text}");
        assert!(text.contains("stale-schema"), "{name}: {text}");
        it.remove(name);
    }
    for name in ["config", "fail-on", "changed", "compat"] {
        let (code, text) = code(&[(name, "--exit-zero")]);
        assert_eq!(code, 2, "{name}: {text}");
    }
}

/// What the runner takes for a command in a line: `::` at its start, blanks aside, or `##[` anywhere.
fn is_command(line: &str) -> bool {
    let start = line.trim_start();
    (start.starts_with("::") && !start.starts_with(":::")) || line.contains("##[")
}

/// The text before the fence, the text inside it, and its token.
fn fenced(stdout: &str) -> (&str, &str, &str) {
    let (before, rest) = stdout.split_once("::stop-commands::").unwrap();
    let (token, rest) = rest.split_once('\n').unwrap();
    let log = rest.strip_suffix(&format!("\n::{token}::\n")).unwrap();
    (before, log, token)
}

#[test]
fn findings_cannot_speak_to_the_runner() {
    let it = repository();
    let rule = "validation {\n condition = var.x == \"1\"\n error_message = \"A.\\n::warning::forged\\n##[warning]forged\\r::warning::forged.\"\n}\n";
    it.write("modules/b/main.tf", MODULE.replace("string\n", &format!("string\n{rule}")));
    it.write("modules/b/prod.tfvars", "x = \"2\"\n");
    // A failure is reported on standard error, which the runner reads, too.
    it.write("modules/c\n::warning::forged/main.tf", MODULE);
    it.write("modules/c\n::warning::forged/schema.json/x", "");
    let outcome = run_action(&it, &[built()], &[]);
    let stdout = &outcome.answer.stdout;
    let (commands, log, _) = fenced(stdout);
    assert!(commands.lines().all(|it| it.starts_with("::error ")), "{stdout}");
    assert!(commands.contains("%0A::warning::forged"), "{stdout}");
    assert!(log.contains("forged") && log.contains("Error: "), "{stdout}");
    assert!(!log.lines().any(is_command), "not even without the fence: {stdout}");
    assert_eq!(outcome.answer.stderr, "");
    let drifted = &outcome.outputs["drifted-modules"];
    assert_eq!(drifted, "[\"modules/b\"]");
    it.remove("modules/c\n::warning::forged/schema.json");
    let outcome = run_action(&it, &[built()], &[]);
    let drifted: Value = serde_json::from_str(&outcome.outputs["drifted-modules"]).unwrap();
    assert_eq!(drifted[1], "modules/c\n::warning::forged", "one line, whatever the name");
}

#[test]
fn nobody_can_know_the_token_that_ends_the_fence() {
    let it = repository();
    let token = || {
        let outcome = run_action(&it, &[built()], &[]);
        let (_, log, token) = fenced(&outcome.answer.stdout);
        assert!(token.len() == 32 && token.chars().all(|it| it.is_ascii_hexdigit()), "{token}");
        assert!(!log.contains(token), "{log}");
        token.to_owned()
    };
    assert_ne!(token(), token());
    // It is drawn when the log is complete.
    let script = fs::read_to_string("hooks/action.sh").unwrap();
    assert!(script.find("\"$@\" 2>").unwrap() < script.find("/dev/urandom").unwrap());
}

#[test]
fn without_random_numbers_there_is_no_log() {
    let it = repository();
    for od in ["exit 1", "echo ' 00 01'", "echo '::stop  commands::0123456789abcdef01234567'"] {
        let tools = Workspace::new();
        tool(&tools, "od", od);
        let path = format!("{}:/usr/bin:/bin", tools.path("").display());
        let outcome = run_action(&it, &[built()], &[("PATH", &path)]);
        assert_eq!((outcome.answer.code, &*outcome.outputs["exit-code"]), (2, "2"), "{od}");
        let stdout = &outcome.answer.stdout;
        assert!(stdout.starts_with("::error title=terraschema::The log is not shown"), "{stdout}");
        assert_eq!(stdout.lines().count(), 1, "{stdout}");
    }
}

/// A program for the script to find on its path.
fn tool(at: &Workspace, name: &str, script: &str) {
    at.write(name, format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(at.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "fedcba9876543210fedcba9876543210fedcba98";
const ARCHIVE: &str = "terraschema-x86_64-unknown-linux-musl.tar.gz";

/// What the installation finds: the release that fits the source, with an archive of the built command, and
/// programs that write down what they are asked.
struct Site {
    repository: Workspace,
    tools: Workspace,
}

impl Site {
    fn new() -> Site {
        let (repository, tools) = (repository(), Workspace::new());
        let release = tools.path(&format!("release/v{TOOL_VERSION}"));
        // A script instead of the command itself, whose unoptimised build takes seconds to pack and to unpack.
        tool(&tools, "built", &format!("exec '{}' \"$@\"", binary()));
        let pack = isolated("scripts/release-archive", ".".as_ref())
            .arg(&release)
            .arg("x86_64-unknown-linux-musl")
            .arg(tools.path("built"))
            .output();
        assert_eq!(Answer::new(pack.unwrap()).code, 0);
        let it = Site { repository, tools };
        let curl = format!(
            "while [ $# -gt 1 ]; do [ \"$1\" = --output ] && out=$2; shift; done\n\
             exec cp '{}'/\"${{1#*/terraschema/terraschema/releases/download/}}\" \"$out\"",
            it.tools.path("release").display()
        );
        it.tool("curl", &curl);
        let cargo = format!(
            "while [ $# -gt 0 ]; do [ \"$1\" = --root ] && root=$2; shift; done\n\
             pwd -P >>'{0}'\nenv >>'{0}'\n\
             mkdir -p \"$root/bin\" && cp '{1}' \"$root/bin/terraschema\"",
            it.tools.path("cargo.log").display(),
            binary()
        );
        it.tool("cargo", &cargo);
        // The tag is an object of its own, and a branch of another name ends alike.
        it.tag_at(&format!(
            "{OTHER}\trefs/heads/refs/tags/v{TOOL_VERSION}\n{OTHER}\trefs/tags/v{TOOL_VERSION}\n\
             {COMMIT}\trefs/tags/v{TOOL_VERSION}^{{}}\n"
        ));
        it
    }

    fn tool(&self, name: &str, script: &str) {
        tool(&self.tools, &format!("bin/{name}"), script);
    }

    /// What `git ls-remote` answers.
    fn tag_at(&self, answer: &str) {
        self.tools.write("ls-remote", answer);
        let answer = self.tools.path("ls-remote");
        let asked = "[ \"$1 $2\" = 'ls-remote https://github.com/terraschema/terraschema' ]";
        self.tool("git", &format!("{asked} && exec cat '{}'", answer.display()));
    }

    /// A gh that knows the flags, and verifies or not.
    fn gh(&self, verifies: bool) {
        let log = self.tools.path("gh.log");
        self.tool(
            "gh",
            &format!(
                "case $* in\n*--help) echo ' --source-digest string' ;;\n\
                 'api --hostname github.com rate_limit') [ \"$GH_TOKEN\" = secret ] ;;\n\
                 *) echo \"$GH_TOKEN $*\" >>'{}'; {verifies} ;;\nesac",
                log.display()
            ),
        );
    }

    /// Runs the Action as the runner keeps it for `uses: OWNER/REPOSITORY@REF`.
    fn run(&self, uses: &str, arch: &str, token: &str) -> Outcome {
        for log in ["cargo.log", "gh.log"] {
            self.tools.write(log, "");
        }
        let action = self.tools.path(&format!("_actions/{}", uses.replace('@', "/")));
        fs::create_dir_all(action.parent().unwrap()).unwrap();
        let made = std::os::unix::fs::symlink(env!("CARGO_MANIFEST_DIR"), &action);
        assert!(made.is_ok() || action.exists());
        // Nothing else of the machine: it may have a gh.
        let path = format!("{}:{}", self.tools.path("bin").display(), plain_path(&self.tools));
        let env = [
            ("PATH", path.as_str()),
            ("RUNNER_OS", "Linux"),
            ("RUNNER_ARCH", arch),
            ("GITHUB_ACTION_PATH", action.to_str().unwrap()),
        ];
        run_action(&self.repository, &[("TOKEN", token)], &env)
    }

    /// Whether cargo built it.
    fn is_built(&self) -> bool {
        !self.tools.read("cargo.log").is_empty()
    }
}

/// A directory with the ordinary programs of a shell, and neither gh nor git nor cargo nor curl.
fn plain_path(tools: &Workspace) -> String {
    let dir = tools.path("plain");
    if !dir.exists() {
        fs::create_dir(&dir).unwrap();
        for name in
            ["sh", "bash", "cat", "cp", "mv", "mkdir", "sed", "head", "awk", "grep", "env", "od"]
        {
            link(name, &dir);
        }
        for name in ["tr", "tar", "gzip", "sha256sum", "shasum", "basename", "touch", "rm"] {
            link(name, &dir);
        }
    }
    dir.display().to_string()
}

fn link(name: &str, dir: &std::path::Path) {
    let found = ["/usr/bin", "/bin"].map(|it| std::path::Path::new(it).join(name));
    if let Some(program) = found.iter().find(|it| it.exists()) {
        std::os::unix::fs::symlink(program, dir.join(name)).unwrap();
    }
}

#[test]
fn without_a_binary_it_is_built_by_cargo() {
    let site = Site::new();
    // rustup would take the toolchain, and with it a compiler, from here.
    site.repository.write("rust-toolchain.toml", "[toolchain]\npath = \"evil\"\n");
    let outcome = run_from_checkout(&site);
    assert_eq!(outcome.answer.code, 0, "{}", outcome.answer.text());
    assert_eq!(outcome.outputs["exit-code"], "0");
    let log = site.tools.read("cargo.log");
    let here = fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap();
    assert_eq!(log.lines().next(), here.to_str(), "not in the repository that is checked");
    assert!(!log.contains("secret"), "what cargo builds gets no token: {log}");
}

/// As `uses: ./` does.
fn run_from_checkout(site: &Site) -> Outcome {
    let path = format!("{}:{}", site.tools.path("bin").display(), plain_path(&site.tools));
    run_action(&site.repository, &[("TOKEN", "secret")], &[("PATH", &path)])
}

#[test]
fn a_release_is_used_by_its_tag_and_by_the_tags_commit() {
    let site = Site::new();
    let tag = format!("v{TOOL_VERSION}");
    let own = "terraschema/terraschema";
    for (uses, is_built) in [
        (format!("{own}@{tag}"), false),
        (format!("{own}@{COMMIT}"), false),
        // Another commit than that of the tag, which may have moved; the tag object itself.
        (format!("{own}@{OTHER}"), true),
        (format!("{own}@main"), true),
        (format!("{own}@v9.9.9"), true),
        (format!("{own}@release/{tag}"), true),
        (format!("{own}@{}", &COMMIT[..12]), true),
        (format!("somebody/terraschema@{tag}"), true),
    ] {
        let outcome = site.run(&uses, "X64", "");
        assert_eq!(outcome.outputs["exit-code"], "0", "{uses}: {}", outcome.answer.text());
        assert_eq!(site.is_built(), is_built, "{uses}");
    }
    let outcome = site.run(&format!("{own}@{tag}"), "S390X", "");
    assert!(outcome.outputs["exit-code"] == "0" && site.is_built(), "no archive for the machine");
    // A tag that is not an object of its own, and an answer that is missing.
    site.tag_at(&format!("{COMMIT}\trefs/tags/{tag}\n"));
    site.run(&format!("{own}@{COMMIT}"), "X64", "");
    assert!(!site.is_built());
    for answer in ["", "nonsense\n"] {
        site.tag_at(answer);
        site.run(&format!("{own}@{COMMIT}"), "X64", "");
        assert!(site.is_built(), "it is not known whether that commit is the release");
        site.run(&format!("{own}@{tag}"), "X64", "secret");
        assert!(!site.is_built(), "the tag is the tag");
    }
    site.tools.write(&format!("release/{tag}/{ARCHIVE}"), "broken off");
    site.run(&format!("{own}@{tag}"), "X64", "");
    assert!(site.is_built(), "it is not what the checksum is of");
}

#[test]
fn an_attestation_that_fails_is_an_error_and_one_that_cannot_be_verified_is_said() {
    let site = Site::new();
    let tag = format!("v{TOOL_VERSION}");
    for reference in [tag.as_str(), COMMIT] {
        let uses = format!("terraschema/terraschema@{reference}");
        let installed = |token: &str| {
            let answer = install(&site, &uses, token);
            assert!(!site.is_built(), "{}", answer.text());
            (answer.code, answer.stderr)
        };
        site.gh(true);
        let (code, said) = installed("secret");
        assert!(code == 0 && said.contains("is verified: made from 0123456789"), "{said}");
        let asked = format!(
            "secret attestation verify {ARCHIVE} --hostname github.com --repo terraschema/terraschema \
             --signer-workflow terraschema/terraschema/.github/workflows/release.yml \
             --source-ref refs/tags/{tag} --source-digest {COMMIT} --deny-self-hosted-runners\n"
        );
        assert_eq!(site.tools.read("gh.log"), asked);
        site.gh(false);
        let (code, said) = installed("secret");
        assert!(code == 2 && said.contains("does not verify"), "{said}");
        // A failure that is not caused by tampering: the checksum counts.
        for token in ["", "expired"] {
            let (code, said) = installed(token);
            assert!(code == 0 && said.contains("is not verified (gh "), "{said}");
            assert_eq!(site.tools.read("gh.log"), "");
        }
        site.tool("gh", "[ \"$1\" = attestation ] && echo 'unknown flag'");
        let (code, said) = installed("secret");
        assert!(code == 0 && said.contains("(this gh is too old)"), "{said}");
        site.tools.remove("bin/gh");
        let (code, said) = installed("secret");
        assert!(code == 0 && said.contains("(there is no gh)"), "{said}");
    }
}

/// The first step alone.
fn install(site: &Site, uses: &str, token: &str) -> Answer {
    let outcome = site.run(uses, "X64", token);
    assert_eq!(outcome.outputs["exit-code"].is_empty(), outcome.answer.code == 2);
    Answer { stderr: outcome.installing + &outcome.answer.stderr, ..outcome.answer }
}

#[test]
fn the_action_asks_for_no_write_permission() {
    for file in ["action.yml", "hooks/workflow.yml", ".github/workflows/ci.yml"] {
        let text = fs::read_to_string(file).unwrap();
        assert!(!text.contains(": write"), "{file}");
    }
}
