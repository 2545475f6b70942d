//! Plans of a provider with every kind of argument and block (`tests/provider`), recorded next to their modules in
//! `tests/data/policy/provider`: `first` creates everything, `second` changes it. `tests/outside/policy` makes them
//! again.

mod leaves;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use policy::Judged;
use report::Format;

use super::command;
use leaves::{leaves, said};
use testkit::policy::{of_configuration, of_plan};

/// What the SDK makes something else of than is written, against the assumption that a provider keeps it: an
/// empty set or map is null, a null list in a block that changes is an empty one, and what is only written is null.
const CHANGED: [&str; 9] = [
    "first shapes_machine.empty ports",
    "first shapes_machine.empty tags",
    "first shapes_machine.empty weights",
    "first shapes_machine.full seed",
    "second shapes_machine.dynamic[0] rule[1].cidrs",
    "second shapes_machine.empty ports",
    "second shapes_machine.empty tags",
    "second shapes_machine.empty weights",
    "second shapes_machine.full seed",
];

fn module(name: &str) -> (PathBuf, String) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/policy/provider");
    let dir = data.join(name);
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    (dir, plan)
}

#[test]
fn both_modes_agree_on_every_kind_of_argument() {
    let (mut changed, mut told) = (BTreeSet::new(), (0, 0));
    for name in ["first", "second"] {
        let (dir, plan) = module(name);
        let leaves = leaves(&serde_json::from_str(&plan).unwrap());
        let rules: String = leaves.iter().enumerate().map(|(at, it)| it.rules(at)).collect();
        for source in [None, Some(dir.as_path())] {
            for (leaf, it) in leaves.iter().zip(said(&of_plan(&plan, source, &rules), leaves.len()))
            {
                let both = (it.is.as_str(), it.not.as_str());
                assert_eq!(both, ("pass", "error"), "{name} {source:?} {leaf:?}");
            }
        }
        let (mut known, mut open, mut filled) = (0, 0, 0);
        let judged = of_configuration(&dir, &rules);
        for (leaf, it) in leaves.iter().zip(said(&judged, leaves.len())) {
            match (it.is.as_str(), it.not.as_str()) {
                ("pass", "error") => known += 1,
                ("pass", _) | (_, "pass") => _ = changed.insert(format!("{name} {leaf}")),
                _ if it.is_filled => filled += 1,
                ("warning", "warning") => open += 1,
                _ => _ = changed.insert(format!("{name} {leaf}")),
            }
        }
        let written = leaves.len() - filled;
        eprintln!(
            "{name}: the plan knows {} values; a configuration tells {known} of the {written} that are written or null, \
             {open} are undecided, and of {filled} it says that a provider may fill them in",
            leaves.len()
        );
        told = (told.0 + known, told.1 + written);
    }
    assert!(told.1 >= 400 && told.0 * 10 >= told.1 * 9, "{told:?}");
    assert_eq!(changed.iter().map(String::as_str).collect::<Vec<_>>(), CHANGED);
}

fn messages(judged: &Judged) -> Vec<String> {
    assert_eq!(judged.failures, Vec::<String>::new());
    let one = |it: &diagnostics::Finding| format!("{} {}", it.level.as_str(), it.message);
    let mut all: Vec<String> = judged.findings.iter().map(one).collect();
    all.sort();
    all
}

/// What a block of a rule about the machines says about them, without the parts that are the same
/// in every message.
fn of_machines(plan: &str, block: &str) -> Vec<String> {
    let rule = format!("rule \"r\" {{\n  resource \"shapes_machine\" {{\n{block}\n  }}\n}}\n");
    let is_it = |it: &String| {
        ["full", "bare", "empty", "later"]
            .iter()
            .any(|name| it.contains(&format!("machine.{name} ")))
    };
    let all = messages(&of_plan(plan, None, &rule)).into_iter().filter(is_it);
    all.map(|it| it.replace("shapes_machine.", "").replace(" (create)", "")).collect()
}

#[test]
fn blocks_of_each_kind_are_judged_alike() {
    let (_, plan) = module("first");
    let absent = |name: &str, of: &[&str]| -> Vec<String> {
        of.iter()
            .map(|it| format!("error {it}: {name}: expected {name}, found no such block"))
            .collect()
    };
    let of = |block: &str| of_machines(&plan, block);
    // A list with a set in it: an absent one is refused, with `where` and as a list it is not.
    let mut expected = absent("rule", &["bare", "empty"]);
    expected.push("error full: rule[1].port: expected port, found no such block".to_owned());
    expected.push(
        "warning later: rule[0].port[0].number: cannot be decided yet: expected 1, and it is known after apply".to_owned(),
    );
    assert_eq!(of("rule {\n port {\n number = any(number({ min = 80 }))\n }\n }").len(), 4);
    assert_eq!(
        of("rule {\n port {\n where { name = \"later\" }\n number = 1\n }\n }"),
        [absent("rule", &["bare", "empty"]), vec![expected[3].clone()]].concat()
    );
    assert_eq!(
        of("rule {\n where {\n protocol = \"tcp\"\n }\n allow = true\n }"),
        ["error full: rule[0].allow: expected true, found false"]
    );
    assert_eq!(
        of("rule = list({ allow = bool, protocol = string({ min_length = 3 }) })"),
        [
            "warning later: rule[0].protocol: cannot be decided yet: expected string({ min_length = 3 }), and it is known after apply"
        ]
    );
    // A set, a single one, one of the SDK itself, and one that is written as an argument.
    assert_eq!(of("tag {\n value = string({ pattern = \"^[12k]\" })\n }"), [
        absent("tag", &["bare", "empty"]),
        vec!["warning later: tag[0].value: cannot be decided yet: expected string({ pattern = \"^[12k]\" }), and it is known after apply".to_owned()],
    ].concat());
    assert_eq!(
        of("logging {\n filter {\n suffix = \".log\"\n }\n }"),
        absent("logging", &["bare", "empty"])
    );
    assert_eq!(
        of("timeouts {\n create = \"10m\"\n }"),
        absent("timeouts", &["bare", "empty", "later"])
    );
    assert_eq!(
        of("access = list({ role = any(\"reader\", \"writer\") })"),
        [
            "warning bare: access: cannot be decided yet: expected list({ role = any(\"reader\", \"writer\") }), and it is known after apply",
            "warning later: access: cannot be decided yet: expected list({ role = any(\"reader\", \"writer\") }), and it is known after apply",
        ]
    );
    assert_eq!(
        of("logging = []"),
        [
            "error full: logging: expected [], found 1 element",
            "error later: logging: expected [], found 1 element",
        ]
    );
    // Order counts in lists, and not in sets.
    let other = |block: &str| of(block).iter().any(|it| it.contains(" full: "));
    assert!(!other("ports = toset([443, 22, 80])") && other("ports = [443, 80, 22]"));
    assert!(!other("zones = [\"z-b\", \"z-a\"]") && other("zones = [\"z-a\", \"z-b\"]"));
    assert!(!other("tag = all(some({ key = \"b\", value = \"2\" }), some({ key = \"a\" }))"));
}

#[test]
fn defaults_and_computed_arguments_are_those_of_the_plan() {
    let (_, plan) = module("first");
    let of = |block: &str| of_machines(&plan, block);
    assert_eq!(of("size = any(8, 16)\n enabled = bool"), [""; 0]);
    assert_eq!(
        of("kind = required"),
        [
            "error bare: kind: expected required, found nothing (null)",
            "error empty: kind: expected required, found nothing (null)",
        ]
    );
    let open = |name: &str, what: &str| {
        format!(
            "warning {name}: {what}: cannot be decided yet: expected \"south\", and it is known after apply"
        )
    };
    assert_eq!(of("region = \"south\""), ["bare", "empty", "later"].map(|it| open(it, "region")));
    assert_eq!(of("tags_all = { made-by = \"terraform\" }").len(), 1, "one is unknown");
    assert_eq!(
        of(
            "ratio = any(null, 0.1)\n weights = any(null, map(number))\n matrix = any(null, list(list(number)))"
        ),
        [""; 0]
    );
    let judged = of_plan(
        &plan,
        None,
        "rule \"r\" {\n  resource \"shapes_machine\" {\n    sise = 1\n  }\n}\n",
    );
    assert!(
        judged.findings[0].message.ends_with("Did you mean \"size\"?"),
        "{:#?}",
        judged.findings
    );
}

#[test]
fn each_action_is_the_one_of_the_plan() {
    let (_, plan) = module("second");
    let of = |action: &str| {
        let rule = |kind: &str| format!("  forbid {kind}\"*\" {{}}\n");
        let rules = format!(
            "rule \"r\" {{\n  when = {{ actions = [{action}] }}\n{}{}}}\n",
            rule(""),
            rule("data ")
        );
        let judged = of_plan(&plan, None, &rules);
        let mut all: Vec<String> =
            judged.findings.iter().map(|it| it.address.replace("shapes_", "")).collect();
        all.sort();
        all.join(" ")
    };
    assert_eq!(of("\"create\""), "disk.each[\"d\"]");
    assert_eq!(
        of("\"replace\""),
        "disk.each[\"a\"] machine.full module.group[\"db\"].disk.shared module.group[\"web\"].disk.shared"
    );
    assert_eq!(
        of("\"delete\""),
        "disk.counted[1] disk.each[\"b.c\"] label.gone machine.dynamic[1] module.group[\"web\"].machine.member[1]"
    );
    assert_eq!(of("\"forget\""), "label.forgotten");
    assert_eq!(of("\"move\""), "label.new");
    assert_eq!(of("\"import\""), "label.imported");
    assert_eq!(of("\"read\""), "data.zone.later data.zone.main");
    assert_eq!(of("\"no-op\""), "label.imported label.new machine.empty");
    // What goes is judged by what it was, and what is replaced by what it will be.
    let rules = "rule \"r\" {\n  when = { actions = [\"delete\", \"replace\"] }\n  resource \"shapes_disk\" {\n    \
                 zone = any(null, \"Z\")\n    machine = self == prior\n  }\n}\n";
    let replaced = [
        "module.group[\"db\"].shapes_disk.shared",
        "module.group[\"web\"].shapes_disk.shared",
        "shapes_disk.each[\"a\"]",
    ];
    let open = replaced.map(|it| {
        format!("warning {it} (replace): machine: cannot be decided yet: expected self == prior, and something in it is known after apply")
    });
    assert_eq!(messages(&of_plan(&plan, None, rules)), open);
    let rules = "rule \"r\" {\n  resource \"shapes_label\" {\n    text = meta.previous_address == \"shapes_label.old\" ? \"moves\" : null\n  }\n}\n";
    assert_eq!(messages(&of_plan(&plan, None, rules)), [""; 0]);
}

#[test]
fn references_of_blocks_are_those_of_the_right_block() {
    // A plan sorts the two tags, whose keys are the ids of other machines, by their values.
    let rules = r#"
rule "none" {
  resource "shapes_machine" {
    where {
      name = any("full-prod", "bare")
    }
  }
  needs "shapes_machine" {
    tag = some({ key = subject, value = "z" })
  }
}
rule "types" {
  when = { addresses = ["shapes_machine.linked"] }
  resource "shapes_machine" {
    tag {
      where {
        value = "z"
      }
      key = reference("shapes_machine", { kind = any("large", "huge") })
    }
  }
}
rule "open" {
  when = { addresses = ["shapes_machine.linked"] }
  resource "shapes_machine" {
    rule = list({ protocol = reference("shapes_machine", { name = "bare" }) })
  }
}
"#;
    let short = |judged: &Judged| -> Vec<String> {
        let one = |it: &diagnostics::Finding| {
            let (rule, path) =
                (it.rule.as_str().trim_start_matches("policy/"), it.path.as_deref().unwrap_or(""));
            format!(
                "{} {rule} {}{path}",
                it.level.as_str(),
                it.address.replace("shapes_machine.", "")
            )
        };
        judged.findings.iter().map(one).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let first = ["warning none bare", "warning none later/name"];
    let of_texts = ["warning open linked/rule/0/protocol", "warning open linked/rule/1/protocol"];
    let of_third = "warning open linked/rule/2/protocol";
    let (dir, plan) = module("first");
    for source in [None, Some(dir.as_path())] {
        let expected = [first.as_slice(), of_texts.as_slice(), &[of_third]].concat();
        assert_eq!(
            short(&of_plan(&plan, source, rules)),
            expected,
            "some may be a block that `dynamic` made"
        );
    }
    assert_eq!(short(&of_configuration(&dir, rules)), [first, of_texts].concat());
    let (dir, plan) = module("second");
    let none = ["error none bare"];
    assert_eq!(
        short(&of_plan(&plan, None, rules)),
        [none.as_slice(), &of_texts, &[of_third]].concat()
    );
    assert_eq!(short(&of_plan(&plan, Some(&dir), rules)), [none.as_slice(), &of_texts].concat());
}

#[test]
fn what_a_schema_calls_sensitive_is_in_no_output() {
    let rules = "rule \"r\" {\n  resource \"shapes_machine\" {\n    password = \"x\"\n    user = list({ password = \"x\" })\n    \
                 seed = \"x\"\n  }\n  provider \"shapes\" {\n    token = \"x\"\n  }\n  variable \"password\" {\n    value = \"x\"\n  }\n  \
                 output \"password\" {\n    value = \"x\"\n  }\n}\n";
    for name in ["first", "second"] {
        let (dir, plan) = module(name);
        let mut files =
            vec![("plan.json".to_owned(), plan), ("a.rules.hcl".to_owned(), rules.to_owned())];
        for path in ["main.tf", "group/main.tf"] {
            files.push((format!("src/{path}"), fs::read_to_string(dir.join(path)).unwrap()));
        }
        let files: Vec<(&str, &str)> =
            files.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
        for (format, _) in Format::ALL {
            for source in ["", "--source src"] {
                let (code, out, err) = command(
                    &files,
                    &format!("--plan plan.json {source} a.rules.hcl -v --format {format}"),
                );
                assert_eq!(code, 1, "{out}{err}");
                let text = out + &err;
                let lines: Vec<&str> = text.lines().filter(|it| it.contains("planted")).collect();
                assert!(lines.is_empty(), "{name} {format} {source}: {lines:#?}");
            }
        }
    }
}
