//! `policy` blocks of `.terraschema.hcl`: what `check` holds modules to, and who may lower it.

use std::ffi::OsString;

use system::MemorySystem;
use terraschema::{Console, run};

/// Rules about one type, which want `zone` to be `"eu"`.
const ZONES: &str = "rule \"zones\" {\n  resource \"t\" {\n    zone = \"eu\"\n  }\n}\n";
const DEMAND: &str = "policy {\n  rules = [\"rules\"]\n}\n";
const QUIET: &str = "rule \"missing-schema\" {\n  level = \"off\"\n}\n";
const WRONG: &str = "resource \"t\" \"a\" {\n  zone = \"us\"\n}\n";

/// Exit code and both streams of a command, with the schema's rule off.
fn terraschema(files: &[(&str, &str)], arguments: &str) -> (u8, String) {
    let mut system = MemorySystem::new();
    for (path, text) in files {
        // The outermost configuration.
        let text =
            if *path == ".terraschema.hcl" { format!("{text}{QUIET}") } else { (*text).into() };
        system = system.file(path, text);
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
    let exit = run(words.map(OsString::from).collect(), &system, &mut console);
    drop(console);
    (exit.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

pub fn check(files: &[(&str, &str)]) -> (u8, Vec<String>) {
    let (code, out) = terraschema(files, "check --format concise -v --today 2026-11-23");
    let lines = out.lines().filter(|it| !it.starts_with("Info: "));
    (code, lines.map(str::to_owned).collect())
}

/// A tree with the usual demand and rules.
fn demanded<'a>(files: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let usual = [(".terraschema.hcl", DEMAND), ("rules/a.rules.hcl", ZONES)];
    let is_new = |it: &&(&str, &str)| files.iter().all(|file| file.0 != it.0);
    files.iter().chain(usual.iter().filter(is_new)).copied().collect()
}

const FOUND: &str = "m/main.tf:2:3: error[policy/zones] t.a: zone: expected \"eu\", found \"us\"";

#[test]
fn a_module_is_held_to_the_rules_of_its_configuration() {
    assert_eq!(check(&demanded(&[("m/main.tf", WRONG)])), (1, vec![FOUND.to_owned()]));
    let right = "resource \"t\" \"a\" {\n  zone = \"eu\"\n}\n";
    assert_eq!(check(&demanded(&[("m/main.tf", right)])).0, 0);
    // Nothing demands anything elsewhere.
    let elsewhere = [("org/.terraschema.hcl", DEMAND), ("org/rules/a.rules.hcl", ZONES)];
    let files = [&elsewhere[..], &[(".terraschema.hcl", ""), ("m/main.tf", WRONG)]].concat();
    assert_eq!(check(&files).0, 0);
}

#[test]
fn findings_have_their_places_and_facts_in_json() {
    let files = demanded(&[("m/main.tf", WRONG)]);
    let (_, out) = terraschema(&files, "check --format json");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let it = &report["findings"][0];
    assert_eq!(it["rule"], "policy/zones");
    assert_eq!(it["module"], "m");
    assert_eq!(it["address"], "t.a");
    assert_eq!(it["path"], "/zone");
    assert_eq!((&it["outcome"], &it["expected"]), (&"fail".into(), &"\"eu\"".into()));
    assert_eq!(it["found"], "\"us\"");
    let place =
        |at: usize| (it["locations"][at]["file"].as_str(), it["locations"][at]["line"].as_u64());
    assert_eq!(place(0), (Some("m/main.tf"), Some(2)));
    assert_eq!(place(1), (Some("rules/a.rules.hcl"), Some(3)));
}

/// `version` judges versions; what a `module` block has there admits some.
#[test]
fn a_constraint_is_no_version_and_the_finding_says_so() {
    let rules = "rule \"pinned\" {\n  module \"*\" {\n    version = version(\"~> 5.0\")\n  }\n}\n";
    let module = "module \"m\" {\n  source  = \"a/b/c\"\n  version = \"~> 5.0\"\n}\n";
    let files = demanded(&[("rules/a.rules.hcl", rules), ("m/main.tf", module)]);
    let (code, out) = terraschema(&files, "check");
    assert_eq!(code, 1, "{out}");
    let help = "help: \"~> 5.0\" is a version constraint, not a version: compare it as a string";
    assert!(out.contains(help), "{out}");
}

#[test]
fn each_set_of_inputs_is_judged_through_local_modules() {
    let main = "variable \"zone\" {\n  type = string\n}\nmodule \"m\" {\n  source = \"../m\"\n  zone   = var.zone\n}\n";
    let m =
        "variable \"zone\" {\n  type = string\n}\nresource \"t\" \"a\" {\n  zone = var.zone\n}\n";
    let files = demanded(&[
        ("live/main.tf", main),
        ("m/main.tf", m),
        ("live/good.tfvars", "zone = \"eu\"\n"),
        ("live/bad.tfvars", "zone = \"us\"\n"),
    ]);
    let found =
        "m/main.tf:5:3: error[policy/zones] module.m.t.a: zone: expected \"eu\", found \"us\"";
    assert_eq!(check(&files), (1, vec![found.to_owned()]));
    let (_, out) = terraschema(&files, "check");
    assert!(out.contains("= help: called from live; with the values of live/bad.tfvars"), "{out}");
    // What depends on the values of callers is not known of the module by itself.
    assert!(out.contains("not judged: 1 rule that only a plan can decide"), "{out}");
}

#[test]
fn what_a_rule_says_twice_is_told_with_its_values_files_once() {
    let rules = "rule \"zones\" {\n  resource \"t\" {\n    zone = \"eu\"\n  }\n  resource \"*\" {\n    zone = \"eu\"\n  }\n}\n";
    let files = demanded(&[
        (
            "m/main.tf",
            "variable \"zone\" {\n  type = string\n}\nresource \"t\" \"a\" {\n  zone = var.zone\n}\n",
        ),
        ("m/good.tfvars", "zone = \"eu\"\n"),
        ("m/bad.tfvars", "zone = \"us\"\n"),
        ("rules/a.rules.hcl", rules),
    ]);
    let (_, out) = terraschema(&files, "check");
    assert!(out.contains("= help: with the values of m/bad.tfvars\n"), "{out}");
}

#[test]
fn defaults_are_what_a_root_is_planned_with() {
    let main = "variable \"zone\" {\n  default = \"us\"\n}\nresource \"t\" \"a\" {\n  zone = var.zone\n}\n";
    let line = |level: &str| {
        format!("m/main.tf:5:3: {level}[policy/zones] t.a: zone: expected \"eu\", found \"us\"")
    };
    // Nobody says that it is planned by itself.
    let of_any =
        "terraform {\n  required_providers {\n    p = {\n      source = \"a/p\"\n    }\n  }\n}\n";
    for more in ["", of_any] {
        let files = demanded(&[("m/main.tf", main), ("m/b.tf", more)]);
        assert_eq!(check(&files), (0, vec![line("note")]), "{more}");
    }
    for (path, more) in [
        ("m/.terraform.lock.hcl", ""),
        ("m/b.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        ("m/b.tf", "provider \"p\" {}\n"),
    ] {
        let files = demanded(&[("m/main.tf", main), (path, more)]);
        assert_eq!(check(&files), (1, vec![line("error")]), "{path} {more}");
    }
    // With a required variable nobody plans it like this.
    let files =
        demanded(&[("m/main.tf", main), ("m/b.tf", "provider \"p\" {}\nvariable \"x\" {}\n")]);
    assert_eq!(check(&files), (0, vec![line("note")]));
    // Whatever the values are.
    let always = format!("{main}resource \"t\" \"b\" {{\n  zone = \"x\"\n}}\n");
    let (code, lines) = check(&demanded(&[("m/main.tf", &always)]));
    assert_eq!((code, lines.len()), (1, 2), "{lines:?}");
}

#[test]
fn files_that_are_incomplete_leave_open_what_depends_on_defaults() {
    let main = "variable \"zone\" {\n  default = \"us\"\n}\nvariable \"x\" {}\nresource \"t\" \"a\" {\n  zone = var.zone\n}\n";
    let files = demanded(&[("m/main.tf", main), ("m/a.tfvars", "")]);
    let (code, out) = terraschema(&files, "check --format concise");
    assert!(code == 0 && !out.contains("policy/zones"), "{code} {out}");
    let files = demanded(&[("m/main.tf", main), ("m/a.tfvars", "zone = \"us\"\n")]);
    let (code, out) = terraschema(&files, "check --format concise");
    assert!(code == 1 && out.contains("error[policy/zones]"), "{code} {out}");
}

#[test]
fn what_a_plan_will_tell_is_counted_and_no_finding() {
    let main = "resource \"t\" \"a\" {\n  zone = u.x.id\n}\nresource \"u\" \"x\" {}\n";
    let files = demanded(&[("m/main.tf", main)]);
    let (code, out) = terraschema(&files, "check");
    assert_eq!(code, 0, "{out}");
    assert!(
        out.contains("not judged: 1 rule that only a plan can decide (list them with -v)"),
        "{out}"
    );
    let (_, out) = terraschema(&files, "check -v");
    assert!(out.contains("t.a: zone: cannot be decided yet: expected \"eu\""), "{out}");
    // The author insists.
    let rules = ZONES.replace("rule \"zones\" {", "rule \"zones\" {\n  undecided = \"error\"");
    let files = demanded(&[("m/main.tf", main), ("rules/a.rules.hcl", &rules)]);
    assert_eq!(check(&files).0, 1);
}

#[test]
fn the_file_that_demands_a_rule_lowers_it() {
    for (level, code, count) in [("error", 1, 1), ("warning", 0, 1), ("note", 0, 1), ("off", 0, 0)]
    {
        let lowered = format!("{DEMAND}rule \"policy/zones\" {{\n  level = \"{level}\"\n}}\n");
        let files = demanded(&[(".terraschema.hcl", &lowered), ("m/main.tf", WRONG)]);
        let (exit, lines) = check(&files);
        assert_eq!((exit, lines.len()), (code, count), "{level} {lines:?}");
        assert!(lines.iter().all(|it| it.contains(&format!("{level}[policy/zones]"))), "{lines:?}");
    }
    let of_paths = format!(
        "{DEMAND}rule \"policy/zones\" {{\n  level = \"off\"\n  paths = [\"legacy\"]\n}}\n"
    );
    let files =
        [(".terraschema.hcl", of_paths.as_str()), ("m/main.tf", WRONG), ("legacy/main.tf", WRONG)];
    assert_eq!(check(&demanded(&files)), (1, vec![FOUND.to_owned()]));
}

#[test]
fn nothing_nearer_removes_or_lowers_what_an_outer_file_demands() {
    let reason = "  reason = \"we know better\"\n";
    for inner in [
        "rule \"policy/zones\" {\n  level = \"off\"\n}\n",
        "rule \"policy/zones\" {\n  level = \"note\"\n}\n",
        &format!("ignore \"policy/zones\" {{\n{reason}}}\n"),
        &format!(
            "ignore \"policy/zones\" {{\n{reason}  address = \"t.a\"\n  until = \"2099-01-01\"\n}}\n"
        ),
        "policy {\n  rules = []\n}\n",
        "policy {\n  rules = []\n  context = {}\n}\nrule \"policy/zones\" {\n  level = \"off\"\n}\n",
        "modules {\n  exclude = [\".\", \"**\"]\n}\n",
        "modules {\n  include = [\"nothing\"]\n}\n",
        "calls = false\n",
        "baseline = \"known.jsonl\"\n",
        "rule \"invalid-configuration\" {\n  level = \"off\"\n}\n",
    ] {
        let known = "{\"terraschema_baseline\":1}\n";
        let files = [("m/.terraschema.hcl", inner), ("m/main.tf", WRONG), ("m/known.jsonl", known)];
        let (code, lines) = check(&demanded(&files));
        assert!(code >= 1 && lines.iter().any(|it| it == FOUND), "{inner}\n{code} {lines:#?}");
    }
    let comment = WRONG.replace("  zone", "  # terraschema:ignore policy/zones because\n  zone");
    let (code, lines) = check(&demanded(&[("m/main.tf", &comment)]));
    assert_eq!(code, 1, "{lines:?}");
    assert!(
        lines.iter().any(|it| it.contains("A comment cannot silence a policy rule")),
        "{lines:?}"
    );
}

#[test]
fn an_error_that_a_nearer_file_turns_off_hides_nothing() {
    let newer = format!("terraform {{\n  required_version = \">= 1.5\"\n}}\n{WRONG}");
    let wrong = format!("{WRONG}variable \"x\" {{\n  unknown = 1\n  default = 1\n}}\n");
    for (main, inner) in [
        (
            &newer,
            "terraform_version = \"1.0\"\nrule \"unsupported-version\" {\n  level = \"off\"\n}\n",
        ),
        (&wrong, "rule \"unsupported-argument\" {\n  level = \"off\"\n}\n"),
    ] {
        let (code, lines) = check(&demanded(&[("m/main.tf", main), ("m/.terraschema.hcl", inner)]));
        let is_found = lines.iter().any(|it| it.contains("error[policy/zones] t.a: zone"));
        assert!(code == 1 && is_found, "{main}{inner}{code} {lines:#?}");
    }
}

#[test]
fn a_baseline_lists_only_what_its_own_file_or_a_nearer_one_demands() {
    let write = |at: &str, files: &[(&str, &str)]| {
        let mut system = MemorySystem::new();
        for (path, text) in files {
            system = system.file(path, *text);
        }
        let run_in = |words: &str| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let words = words.split_whitespace().map(OsString::from).collect();
            let exit = run(words, &system, &mut Console::to(&mut out, &mut err));
            (exit.code(), String::from_utf8([out, err].concat()).unwrap())
        };
        run_in(&format!("terraschema check --write-baseline {at}"));
        run_in("terraschema check --format concise").0
    };
    let rules = ("rules/a.rules.hcl", ZONES);
    let outer = format!("{DEMAND}{QUIET}baseline = \"known.jsonl\"\n");
    let known = ("known.jsonl", "{\"terraschema_baseline\":1}\n");
    let files = [(".terraschema.hcl", outer.as_str()), rules, known, ("m/main.tf", WRONG)];
    assert_eq!(write("known.jsonl", &files), 0);
    let outer = format!("{DEMAND}{QUIET}");
    let inner = ("m/.terraschema.hcl", "baseline = \"known.jsonl\"\n");
    let known = ("m/known.jsonl", "{\"terraschema_baseline\":1}\n");
    let files = [(".terraschema.hcl", outer.as_str()), rules, inner, known, ("m/main.tf", WRONG)];
    assert_eq!(write("m/known.jsonl", &files), 1);
}

#[test]
fn a_nearer_file_cannot_hide_values_or_calls() {
    let variable = "variable \"zone\" {}\n";
    let main = format!("{variable}resource \"t\" \"a\" {{\n  zone = var.zone\n}}\n");
    let inner = "input \"good\" {\n  files = [\"good.tfvars\"]\n}\n";
    let files = demanded(&[
        ("m/main.tf", &main),
        ("m/good.tfvars", "zone = \"eu\"\n"),
        ("m/bad.tfvars", "zone = \"us\"\n"),
        ("m/.terraschema.hcl", inner),
    ]);
    let (code, lines) = check(&files);
    assert!(code == 1 && lines[0].contains("found \"us\""), "{code} {lines:?}");
    let main = "module \"n\" {\n  source = \"../n\"\n  zone = \"us\"\n}\n";
    let called = format!("{variable}resource \"t\" \"a\" {{\n  zone = var.zone\n}}\n");
    let files = demanded(&[
        ("m/main.tf", main),
        ("n/main.tf", &called),
        ("m/.terraschema.hcl", "calls = false\n"),
    ]);
    let (code, lines) = check(&files);
    assert!(code == 1 && lines[0].contains("module.n.t.a: zone"), "{code} {lines:?}");
}

#[test]
fn nearer_files_raise_and_add() {
    let note = format!("{DEMAND}rule \"policy/zones\" {{\n  level = \"note\"\n}}\n");
    let off = note.replace("note", "off");
    let raise = "rule \"policy/zones\" {\n  level = \"error\"\n}\n";
    for outer in [&note, &off] {
        let files = [
            (".terraschema.hcl", outer.as_str()),
            ("m/.terraschema.hcl", raise),
            ("m/main.tf", WRONG),
        ];
        assert_eq!(check(&demanded(&files)), (1, vec![FOUND.to_owned()]));
    }
    let names = "rule \"names\" {\n  resource \"t\" {\n    name = required\n  }\n}\n";
    let inner = "policy {\n  rules = [\"own.rules.hcl\"]\n}\n";
    let files = [("m/.terraschema.hcl", inner), ("m/own.rules.hcl", names), ("m/main.tf", WRONG)];
    let (code, lines) = check(&demanded(&files));
    assert_eq!((code, lines.len()), (1, 2), "{lines:?}");
    // What it demands itself it may lower.
    let inner = format!("{inner}rule \"policy/names\" {{\n  level = \"off\"\n}}\n");
    let files = [("m/.terraschema.hcl", inner.as_str()), files[1], files[2]];
    assert_eq!(check(&demanded(&files)), (1, vec![FOUND.to_owned()]));
}

#[test]
fn the_context_of_a_file_is_for_its_own_rules() {
    let rules = "context \"env\" {\n  type = string\n}\nrule \"zones\" {\n  level = context.env == \"prod\" ? \"error\" : \"off\"\n  resource \"t\" {\n    zone = \"eu\"\n  }\n}\n";
    let of = |env: &str, rules: &str| {
        format!("policy {{\n  rules = [\"{rules}\"]\n  context = {{ env = \"{env}\" }}\n}}\n")
    };
    let (outer, inner) = (of("prod", "rules"), of("dev", "../rules"));
    let files = [
        (".terraschema.hcl", outer.as_str()),
        ("rules/a.rules.hcl", rules),
        ("m/.terraschema.hcl", inner.as_str()),
        ("m/main.tf", WRONG),
    ];
    assert_eq!(check(&files), (1, vec![FOUND.to_owned()]));
    // Without a value.
    let (code, lines) = check(&demanded(&[("rules/a.rules.hcl", rules), ("m/main.tf", WRONG)]));
    assert_eq!(code, 2);
    assert!(
        lines[0].starts_with(
            "rules/a.rules.hcl:1:1: error[invalid-configuration] The context \"env\" has no value"
        ),
        "{lines:?}"
    );
    // One that no rule has.
    let unknown = outer.replace("env", "enw");
    let (code, lines) = check(&[(".terraschema.hcl", &unknown), files[1], files[3]]);
    assert_eq!(code, 2);
    assert!(
        lines.iter().any(|it| it.starts_with(
            ".terraschema.hcl:3:15: error[invalid-configuration] The context \"enw\" is not declared."
        )),
        "{lines:?}"
    );
}

#[test]
fn a_sensitive_context_is_not_shown() {
    let rules = "context \"key\" {\n  type = number\n  sensitive = true\n}\nrule \"zones\" {\n  resource \"t\" {\n    zone = \"eu\"\n  }\n}\n";
    let outer = "policy {\n  rules = [\"rules\"]\n  context = { key = \"hunter2\" }\n}\n";
    let files = [(".terraschema.hcl", outer), ("rules/a.rules.hcl", rules), ("m/main.tf", WRONG)];
    for format in ["human", "json", "sarif"] {
        let (code, out) = terraschema(&files, &format!("check --format {format}"));
        assert!(code == 2 && !out.contains("hunter2"), "{out}");
    }
}

#[test]
fn ignores_silence_until_their_day() {
    let ignore = |more: &str| {
        format!("{DEMAND}ignore \"policy/zones\" {{\n  reason = \"moved in spring\"\n{more}}}\n")
    };
    let with = |config: &str, today: &str| {
        let files = demanded(&[(".terraschema.hcl", config), ("m/main.tf", WRONG)]);
        terraschema(&files, &format!("check --format concise --today {today}"))
    };
    let all = ignore("");
    assert_eq!(with(&all, "2026-11-23").0, 0);
    let one = ignore("  address = \"t.a\"\n  until = \"2027-01-31\"\n");
    let (code, out) = with(&one, "2027-01-31");
    assert!(code == 0 && !out.contains("policy/"), "{out}");
    let (code, out) = with(&one, "2027-02-01");
    assert_eq!(code, 1);
    assert!(out.contains(FOUND), "{out}");
    assert!(out.contains(".terraschema.hcl:7:11: warning[expired-suppression] An ignore block of policy/zones expired on 2027-01-31: Its reason was: moved in spring"), "{out}");
    let other = ignore("  address = \"t.b\"\n");
    let (code, out) = with(&other, "2026-11-23");
    assert!(code == 1 && out.contains("An ignore block of policy/zones has no effect"), "{out}");
    for (until, why) in [("\"soon\"", "a day is expected"), ("\"2027-02-30\"", "a day is expected")]
    {
        let (code, out) = with(&ignore(&format!("  until = {until}\n")), "2026-11-23");
        assert!(code == 2 && out.contains(why), "{out}");
    }
    let without = "ignore \"policy/zones\" {}\n";
    let (code, out) = with(&format!("{DEMAND}{without}"), "2026-11-23");
    assert!(code == 2 && out.contains("needs \"reason\""), "{out}");
    let (code, out) = with(&all.replace("zones", "zonez"), "2026-11-23");
    assert!(
        code == 2 && out.contains("No policy here has a rule \"zonez\". Did you mean \"zones\"?"),
        "{out}"
    );
}

#[test]
fn ignores_count_for_the_command_as_well() {
    let ignore = "ignore \"policy/zones\" {\n  reason  = \"moved in spring\"\n  address = \"t.a\"\n  until = \"2027-01-31\"\n}\n";
    let config = format!("{DEMAND}{ignore}");
    let plan = "{\"format_version\": \"1.2\", \"resource_changes\": [{\"address\": \"t.a\", \"mode\": \"managed\", \"type\": \"t\", \"name\": \"a\", \"change\": {\"actions\": [\"create\"], \"before\": null, \"after\": {\"zone\": \"us\"}, \"after_unknown\": {}}}]}";
    let files = demanded(&[(".terraschema.hcl", &config), ("m/main.tf", WRONG), ("p.json", plan)]);
    for judged in ["--config m", "--plan p.json"] {
        for rules in ["rules", ""] {
            let say = |today: &str| {
                let words = format!("policy {judged} {rules} --format concise --today {today}");
                terraschema(&files, &words)
            };
            assert_eq!(say("2027-01-31"), (0, String::new()), "{judged} {rules}");
            let (code, out) = say("2027-02-01");
            assert!(code == 1 && out.contains("expired-suppression"), "{judged} {rules}: {out}");
        }
    }
    // The command line makes the demand, and a file next to the module does not override it.
    let inner = [
        (".terraschema.hcl", ""),
        ("m/.terraschema.hcl", ignore),
        ("m/main.tf", WRONG),
        ("rules/a.rules.hcl", ZONES),
    ];
    assert_eq!(terraschema(&inner, "policy --config m rules").0, 1);
    let none = [("m/main.tf", WRONG)];
    let (code, out) = terraschema(&none, "policy --config m");
    assert!(code == 2 && out.contains("name files with rules"), "{out}");
}

#[test]
fn what_is_wrong_with_a_policy_is_told_with_its_place() {
    for (config, place, why) in [
        ("policy {}\n", "1:1", "needs \"rules\""),
        ("policy {\n  rules = [\"none\"]\n}\n", "2:11", "cannot read none"),
        (
            "policy {\n  rules = [\"m\"]\n}\n",
            "2:11",
            "m contains no .rules.hcl or .policy.hcl file",
        ),
        ("policy {\n  rules = [\"/etc\"]\n}\n", "2:11", "a relative path is expected"),
        ("policy {\n  rules = [\".git\"]\n}\n", "2:11", "a path inside .git is not allowed"),
        (
            "policy {\n  rules = [\"rules\"]\n  context = \"x\"\n}\n",
            "3:13",
            "an object is expected",
        ),
        (
            "policy {\n  rules = [\"rules\"]\n  contexts = {}\n}\n",
            "3:3",
            "Unknown argument \"contexts\"",
        ),
        (
            "policy {\n  rules = [\"rules\"]\n}\npolicy {\n  rules = []\n}\n",
            "4:1",
            "a file can have only one",
        ),
        ("rule \"policy/Zones\" {\n  level = \"off\"\n}\n", "1:1", "Unknown rule"),
    ] {
        let (code, lines) = check(&demanded(&[(".terraschema.hcl", config), ("m/main.tf", WRONG)]));
        let is_it = |it: &String| {
            it.starts_with(&format!(".terraschema.hcl:{place}: error[invalid-configuration]"))
                && it.contains(why)
        };
        assert!(code == 2 && lines.iter().any(is_it), "{config}{code} {lines:#?}");
    }
    let level = ZONES.replace(
        "rule \"zones\" {",
        "locals {\n  x = \"off\"\n}\nrule \"zones\" {\n  level = local.x",
    );
    let (code, lines) = check(&demanded(&[("rules/a.rules.hcl", &level), ("m/main.tf", WRONG)]));
    assert!(code == 2 && lines[0].starts_with("rules/a.rules.hcl:5:"), "{lines:?}");
}

#[test]
fn opentofu_reads_its_own_files() {
    let files =
        [("m/main.tf", "resource \"t\" \"a\" {\n  zone = \"eu\"\n}\n"), ("m/main.tofu", WRONG)];
    assert_eq!(check(&demanded(&files)).0, 0);
    let found = FOUND.replace("main.tf", "main.tofu");
    let config = format!("opentofu = true\n{DEMAND}");
    let of_tofu = demanded(&[(".terraschema.hcl", config.as_str()), files[0], files[1]]);
    assert_eq!(check(&of_tofu), (1, vec![found.clone()]));
    let (code, out) =
        terraschema(&demanded(&files), "policy --config m rules --opentofu --format concise");
    assert_eq!((code, out.trim_end()), (1, found.as_str()));
    let (_, out) = terraschema(&of_tofu, "policy --config m rules --format concise");
    assert_eq!(out.trim_end(), found);
    let (code, _) =
        terraschema(&of_tofu, "policy --config m rules --opentofu=false --format concise");
    assert_eq!(code, 0);
}

/// A provider is named with its registry: that of the module's `required_providers` and product.
#[test]
fn the_address_of_a_provider_is_that_of_the_product() {
    let main = "terraform {\n  required_providers {\n    t = {\n      source = \"acme/t\"\n    }\n  }\n}\nresource \"t\" \"a\" {\n  zone = \"us\"\n}\nresource \"t\" \"b\" {\n  provider = other\n  zone = \"us\"\n}\n";
    let rules = "rule \"zones\" {\n  resource \"t\" {\n    zone = string({ condition = false, error_message = \"of ${meta.provider}.\" })\n  }\n}\n";
    let opentofu = format!("opentofu = true\n{DEMAND}");
    for (config, host) in [(DEMAND, "terraform.io"), (&*opentofu, "opentofu.org")] {
        let files = demanded(&[
            (".terraschema.hcl", config),
            ("rules/a.rules.hcl", rules),
            ("m/main.tf", main),
        ]);
        let (_, lines) = check(&files);
        for (line, provider) in lines.iter().zip(["acme/t", "hashicorp/other"]) {
            assert!(line.ends_with(&format!("of registry.{host}/{provider}.")), "{line}");
        }
        assert_eq!(lines.len(), 2, "{lines:?}");
    }
}

/// A values file next to an example belongs to the module around it, and is one of its sets of inputs.
#[test]
fn values_files_of_examples_are_held_to_the_rules_of_their_module() {
    let main = "variable \"zone\" {}\nresource \"t\" \"a\" {\n  zone = var.zone\n}\n";
    for (zone, errors) in [("us", 1), ("eu", 0)] {
        let given = format!("zone = \"{zone}\"\n");
        let files = demanded(&[
            ("m/main.tf", main),
            ("m/examples/prod/outputs.tf", "output \"o\" {\n  value = 1\n}\n"),
            ("m/examples/prod/x.tfvars", &given),
        ]);
        let (code, lines) = check(&files);
        let found = lines.iter().filter(|it| it.contains("error[policy/zones]")).count();
        assert_eq!((code, found), (errors, usize::from(errors)), "{lines:?}");
    }
}
