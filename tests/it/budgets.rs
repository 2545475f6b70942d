//! Counted work: what is too large is one finding, everything else goes on, and threads, shards and
//! repetition make no difference.

use serde_json::Value;
use testkit::workspace::{Answer, Workspace, binary, isolated};

/// A variable with rules that each evaluate about so many steps.
fn variable(name: &str, rules: usize, steps: usize) -> String {
    // A range has no more than 1024 numbers.
    let (outer, inner) = (steps.min(1_000), (steps / 1_000).max(1));
    let rule = |n| {
        let list = format!("[for i in range({outer}) : [for j in range({inner}) : {n}]]");
        format!(
            "  validation {{\n    condition     = length({list}) > var.{name}\n    \
             error_message = \"Too much.\"\n  }}\n"
        )
    };
    let rules: String = (0..rules).map(rule).collect();
    format!("variable \"{name}\" {{\n  type = number\n{rules}}}\n")
}

/// A module with its schema, small.
fn plain(it: &Workspace, dir: &str) {
    it.write(&format!("{dir}/main.tf"), "variable \"plain\" {\n  type = string\n}\n");
}

fn report(it: &Workspace, threads: &str, arguments: &str) -> (i32, Value) {
    let mut command = isolated(binary(), &it.path(""));
    command.env("RAYON_NUM_THREADS", threads);
    let arguments = format!("check --format json {arguments}");
    let answer = Answer::new(command.args(arguments.split_whitespace()).output().unwrap());
    let report = serde_json::from_str(&answer.stdout);
    (answer.code, report.unwrap_or_else(|error| panic!("{error}: {}", answer.text())))
}

/// Rule, module and message of each finding of these rules.
fn findings<'r>(report: &'r Value, rules: &[&str]) -> Vec<(&'r str, &'r str, &'r str)> {
    let text = |it: &'r Value, name: &str| it[name].as_str().unwrap_or_default();
    let found = report["findings"].as_array().unwrap().iter();
    let found = found.map(|it| (text(it, "rule"), text(it, "module"), text(it, "message")));
    found.filter(|it| rules.contains(&it.0)).collect()
}

fn statuses(report: &Value) -> Vec<(&str, &str)> {
    let modules = report["modules"].as_array().unwrap().iter();
    modules.map(|it| (it["path"].as_str().unwrap(), it["status"].as_str().unwrap())).collect()
}

const MODULE: &str = "The module exceeds the work limit, so a part of it was not checked";

#[test]
fn a_module_of_many_cheap_rules_is_one_finding() {
    let it = Workspace::new();
    it.write("many/main.tf", variable("x", 300, 2_000)).write("many/a.tfvars", "x = 1\n");
    plain(&it, "other");
    it.write("other/b.tfvars.json", "{ \"plain\": true, \"else\": 1 }\n");
    let (code, report) = report(&it, "2", "--max-work 1500000");
    assert_eq!(findings(&report, &["budget-exceeded"]), [("budget-exceeded", "many", MODULE)]);
    assert_eq!(code, 2, "a module that was not judged wholly is never clean");
    assert_eq!(statuses(&report), [("many", "skipped"), ("other", "missing")]);
    let others = findings(&report, &["undeclared-variable", "schema-violation"]);
    assert_eq!(others.len(), 2, "{others:?}");
}

/// The defaults: 300 rules, each within the budget of an evaluation, take more than a minute.
#[test]
fn the_defaults_end_a_run() {
    let it = Workspace::new();
    it.write("m/main.tf", variable("x", 300, 600_000)).write("m/a.tfvars", "x = 1\n");
    let (code, report) = report(&it, "2", "");
    assert_eq!(findings(&report, &["budget-exceeded"]), [("budget-exceeded", "m", MODULE)]);
    assert_eq!(code, 2);
}

#[test]
fn a_rule_with_many_inputs_is_one_finding_and_the_others_go_on() {
    let it = Workspace::new();
    let other = "variable \"y\" {\n  type = number\n  validation {\n    condition     = var.y < \
                 300\n    error_message = \"Too large.\"\n  }\n}\n";
    it.write("m/main.tf", variable("x", 1, 4_000) + other);
    for n in 0..302 {
        it.write(&format!("m/{n:03}.tfvars"), format!("x = {n}\ny = {n}\n"));
    }
    let (code, report) = report(&it, "2", "--max-work 9000000");
    let found = findings(&report, &["budget-exceeded"]);
    let [(_, "m", message)] = found.as_slice() else { panic!("{found:?}") };
    assert!(message.contains("the rule takes too much work with all its inputs"), "{message}");
    let place = &report["findings"].as_array().unwrap().iter();
    let place = place.clone().find(|it| it["rule"] == "budget-exceeded").unwrap();
    assert!(place["locations"].to_string().contains("main.tf"), "{place}");
    assert_eq!(findings(&report, &["failed-validation"]).len(), 2, "300 and 301 are too large");
    assert_eq!(code, 1);
}

/// The findings about the run itself.
fn of_run(report: &Value) -> Vec<&str> {
    let found = findings(report, &["budget-exceeded"]);
    found.into_iter().filter(|it| it.1.is_empty()).map(|it| it.2).collect()
}

/// Modules that each take about all that a module may.
fn fleet(count: usize) -> Workspace {
    let it = Workspace::new();
    for n in 0..count {
        it.write(&format!("m/{n:04}/main.tf"), variable("x", 20, 400))
            .write(&format!("m/{n:04}/a.tfvars"), "x = 1\n");
    }
    it
}

#[test]
fn a_run_ends_at_the_same_module_on_any_number_of_threads() {
    let it = fleet(1000);
    let (code, one) = report(&it, "1", "--max-work 2000000");
    assert_eq!(code, 2);
    let found = of_run(&one);
    let [message] = found.as_slice() else { panic!("{found:?}") };
    let checked = one["modules"].as_array().unwrap().len();
    assert!((2..200).contains(&checked), "{checked}");
    let left_out = 1000 - checked;
    assert!(
        message.starts_with(&format!(
            "The run reached its work limit, so {left_out} of 1000 modules were not checked"
        )),
        "{message}"
    );
    for threads in ["1", "2", "2", "7"] {
        assert_eq!(report(&it, threads, "--max-work 2000000"), (2, one.clone()), "{threads}");
    }
}

/// Each shard is a run of its own.
#[test]
fn a_shard_ends_at_the_same_module_each_time() {
    let it = fleet(12);
    for shard in ["1/2", "2/2"] {
        let arguments = format!("--max-work 2000000 --shard {shard}");
        let (code, one) = report(&it, "1", &arguments);
        assert_eq!((code, of_run(&one).len()), (2, 1));
        for threads in ["2", "3"] {
            assert_eq!(report(&it, threads, &arguments), (2, one.clone()), "{shard}");
        }
    }
    let larger = "--max-work 1000000000";
    assert_eq!(report(&it, "2", larger).0, 1, "only the schemas are missing");
}

#[test]
fn no_file_of_the_tree_hides_a_budget() {
    let it = Workspace::new();
    let ignored = "# terraschema:ignore budget-exceeded nobody should see this\n";
    let rule =
        variable("x", 1, 600_000).replace("  validation", &format!("  {ignored}  validation"));
    it.write("rule/main.tf", format!("{ignored}{rule}"));
    it.write("module/main.tf", format!("{ignored}{}", variable("x", 300, 2_000)));
    it.write(
        ".terraschema.hcl",
        "rule \"budget-exceeded\" {\n  level = \"off\"\n}\nignore \"budget-exceeded\" {\n  \
         reason = \"none\"\n}\n",
    );
    it.write("module/.terraschema.hcl", "rule \"budget-exceeded\" {\n  level = \"note\"\n}\n");
    let (code, report) = report(&it, "2", "--max-work 1500000");
    let found = findings(&report, &["budget-exceeded"]);
    // The rule's module is judged by itself too, with what work is left.
    let mut modules: Vec<&str> = found.iter().map(|it| it.1).collect();
    modules.dedup();
    assert_eq!(modules, ["module", "rule"], "{found:?}");
    let all = report["findings"].as_array().unwrap().iter();
    let levels = all.filter(|it| it["rule"] == "budget-exceeded").map(|it| &it["level"]);
    assert!(levels.into_iter().all(|it| it == "error"));
    assert_eq!(code, 2);
}

#[test]
fn a_configuration_lowers_limits_and_never_raises_them() {
    let it = Workspace::new();
    it.write("m/main.tf", variable("x", 20, 2_000)).write("m/a.tfvars", "x = 1\n");
    let budget = |report: &Value| findings(report, &["budget-exceeded"]).len();
    assert_eq!(budget(&report(&it, "2", "").1), 0);
    it.write("m/.terraschema.hcl", "limits {\n  max_work = 100000\n}\n");
    assert_eq!(budget(&report(&it, "2", "").1), 1);
    assert_eq!(budget(&report(&it, "2", "--max-work 100000000").1), 1);
    it.write(
        "m/.terraschema.hcl",
        "limits {\n  max_work      = 144000001\n  max_file_size = \"65MiB\"\n}\n",
    );
    let (code, refused) = report(&it, "2", "");
    assert_eq!(code, 2);
    let found = findings(&refused, &["invalid-configuration"]);
    let messages: Vec<&str> = found.iter().map(|it| it.2).collect();
    assert_eq!(
        messages,
        [
            "A configuration cannot raise \"max_work\": The limit of this run is 144000000; use \
             --max-work to raise it.",
            "A configuration cannot raise \"max_file_size\": The limit of this run is 67108864; use \
             --max-file-size to raise it.",
        ]
    );
    let (code, _) = report(&it, "2", "--max-work 144000001 --max-file-size 65MiB");
    assert_eq!(code, 1);
    it.write("m/.terraschema.hcl", "limits {\n  max_file_size = \"much\"\n  max_work = -1\n}\n");
    assert_eq!(findings(&report(&it, "2", "").1, &["invalid-configuration"]).len(), 2);
}

/// The page about security names both numbers, and the longest pattern.
#[test]
fn input_blocks_and_long_patterns_count() {
    let it = Workspace::new();
    it.write("m/main.tf", "variable \"x\" {}\n");
    let problems = |configuration: String| {
        it.write("m/.terraschema.hcl", configuration);
        let (code, report) = report(&it, "2", "");
        let found = findings(&report, &["invalid-configuration"]);
        (code, found.iter().map(|it| it.2.to_owned()).collect::<Vec<_>>())
    };
    let blocks = |count: usize| -> String {
        (0..count)
            .map(|it| format!("input \"i{it}\" {{\n  files = [\"v*.tfvars\"]\n}}\n"))
            .collect()
    };
    assert_eq!(problems(blocks(4_500)).1.len(), 0);
    let (code, found) = problems(blocks(6_000));
    assert_eq!(code, 2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("The configuration exceeds the work limit"), "{found:?}");
    for text in [
        "input \"i\" {\n  files = [\"P\"]\n}\n",
        "input \"i\" {\n  modules = [\"P\"]\n  files   = [\"a.tfvars\"]\n}\n",
        "given = [\"P\"]\n",
        "modules {\n  exclude = [\"P\"]\n}\n",
    ] {
        assert_eq!(problems(text.replace('P', &"?".repeat(4_096))).1.len(), 0, "{text}");
        let (code, found) = problems(text.replace('P', &"?".repeat(300_000)));
        assert_eq!((code, found.len()), (2, 1), "{text}: {found:?}");
        assert!(found[0].ends_with("a pattern has at most 4096 bytes"), "{text}: {found:?}");
    }
}

#[test]
fn a_size_has_a_unit_or_none() {
    use config::parse_size;
    for (text, expected) in [
        ("0", Some(0)),
        ("1000", Some(1000)),
        ("10MB", Some(10_000_000)),
        ("64MiB", Some(64 << 20)),
        ("64 mib", Some(64 << 20)),
        ("1KiB", Some(1024)),
        ("2GB", Some(2_000_000_000)),
        ("", None),
        ("MiB", None),
        ("1.5MB", None),
        ("-1", None),
        ("10TB", None),
        ("99999999999999999999", None),
        ("99999999999GiB", None),
    ] {
        assert_eq!(parse_size(text), expected, "{text}");
    }
}

/// What keeps a run from ending in other places than rules.
#[test]
fn everything_counts() {
    let numbers: Vec<String> = (0..50).map(|it| it.to_string()).collect();
    let list = format!("[{}]", numbers.join(", "));
    // No call, which a constant may not have.
    let constant = format!("[for i in {list} : [for j in {list} : j]]");
    let defaults: String =
        (0..200).map(|n| format!("variable \"v{n}\" {{\n  default = {constant}\n}}\n")).collect();
    let values: String = (0..200).map(|n| format!("v{n} = {constant}\n")).collect();
    let declared: String = (0..200).map(|n| format!("variable \"v{n}\" {{}}\n")).collect();
    let locals =
        (0..200).map(|n| format!("  l{n} = [for i in range(1000) : i]\n")).collect::<String>();
    let cases = [
        ("defaults", defaults, String::new()),
        ("values", declared, values),
        ("locals", format!("variable \"v0\" {{}}\nlocals {{\n{locals}}}\n"), "v0 = 1\n".to_owned()),
    ];
    let it = Workspace::new();
    for (name, module, values) in cases {
        it.write(&format!("{name}/main.tf"), module).write(&format!("{name}/a.tfvars"), values);
        let (code, report) = report(&it, "2", &format!("--max-work 400000 {name}"));
        let found = findings(&report, &["budget-exceeded"]);
        assert_eq!(found, [("budget-exceeded", name, MODULE)], "{name}");
        assert_eq!(code, 2, "{name}");
    }
}

#[test]
fn the_other_commands_have_the_budget_too() {
    let it = Workspace::new();
    it.write("main.tf", variable("x", 300, 2_000)).write("terraform.tfvars", "x = 1\n");
    let answer = it.terraschema("validate --max-work 1500000");
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert!(answer.stdout.contains(MODULE), "{}", answer.text());
    let answer = it.terraschema("eval --max-work 9000 length(range(1000))");
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(answer.stderr.contains("takes too much work"), "{}", answer.text());
    let answer = it.terraschema("generate --stdout --max-work 9000");
    assert_eq!((answer.code, answer.stdout.as_str()), (2, ""), "{}", answer.text());
    assert!(answer.stderr.contains("the module takes too much work"), "{}", answer.text());
    let answer = it.terraschema("check --max-file-size lots");
    assert_eq!(answer.code, 2);
}

#[test]
fn readmes_that_name_every_module_end_at_the_same_one_on_any_number_of_threads() {
    let it = Workspace::new();
    for number in 0..20 {
        plain(&it, &format!("m{number}"));
    }
    it.terraschema("check --fix");
    let call = |number: usize| {
        let source = format!("../../m{number}");
        format!("```hcl\nmodule \"x\" {{\n  source = \"{source}\"\n  y      = 1\n}}\n```\n\n")
    };
    let all: String = (0..20).map(call).collect();
    for number in 0..50 {
        it.write(&format!("r/{number:02}/README.md"), &all);
    }
    let (code, all) = report(&it, "2", "");
    assert_eq!((code, findings(&all, &["stale-example"]).len()), (0, 20 * 50));
    let (code, one) = report(&it, "1", "--max-work 100000");
    let message = "The run reached its work limit, so 10 of 50 READMEs were not read";
    assert_eq!((code, of_run(&one)), (2, vec![message]));
    assert_eq!(report(&it, "2", "--max-work 100000"), (2, one));
}
