//! `check` goes on behind errors: of several independent faults every one is reported, whichever of the others are
//! silenced, and repairing one uncovers no other.

use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

use serde_json::Value;
use terraschema::{
    cli::{self, Console, Exit},
    system::MemorySystem,
};

use crate::random::Random;

/// A fault in a part of a module of its own. `N` is a number that no other part has.
struct Fault {
    /// The rule that reports it.
    rule: &'static str,
    /// What the finding names: in its message or at one of its places.
    names: &'static str,
    /// The files of the part, each with its text: with the fault, and without.
    files: &'static [(&'static str, &'static str, &'static str)],
    /// The line of the values file: with the fault, and without.
    value: (&'static str, &'static str),
    /// Whether it leaves parts unread.
    hides: bool,
}

const NONE: Fault = Fault { rule: "", names: "", files: &[], value: ("", ""), hides: false };

const CHILD: &str = "variable \"size\" {\n  type = number\n  validation {\n    condition     = var.size < 10\n    \
                     error_message = \"Too big N.\"\n  }\n}\noutput \"size\" {\n  value = var.size\n}\n";

const FAULTS: &[Fault] = &[
    Fault {
        rule: "type-mismatch",
        names: "aN",
        files: &[(
            "N.tf",
            "variable \"aN\" {\n  type = number\n}\n",
            "variable \"aN\" {\n  type = number\n}\n",
        )],
        value: ("aN = \"abc\"", "aN = 1"),
        ..NONE
    },
    Fault {
        rule: "failed-validation",
        names: "Too big N",
        files: &[("N.tf", RULE, RULE)],
        value: ("aN = 20", "aN = 2"),
        ..NONE
    },
    Fault {
        rule: "undeclared-reference",
        names: "noneN",
        files: &[(
            "N.tf",
            "output \"oN\" {\n  value = var.noneN\n}\n",
            "output \"oN\" {\n  value = 1\n}\n",
        )],
        ..NONE
    },
    Fault {
        rule: "missing-variable",
        names: "aN",
        files: &[(
            "N.tf",
            "variable \"aN\" {\n  type = string\n}\n",
            "variable \"aN\" {\n  type = string\n}\n",
        )],
        value: ("", "aN = \"x\""),
        ..NONE
    },
    Fault {
        rule: "missing-argument",
        names: "m",
        files: &[
            (
                "N.tf",
                "module \"mN\" {\n  source = \"./cN\"\n}\n",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\n",
            ),
            ("cN/main.tf", CHILD, CHILD),
        ],
        ..NONE
    },
    Fault {
        rule: "unsupported-argument",
        names: "otherN",
        files: &[
            (
                "N.tf",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n  otherN = 1\n}\n",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\n",
            ),
            ("cN/main.tf", CHILD, CHILD),
        ],
        ..NONE
    },
    Fault {
        rule: "type-mismatch",
        names: "module.mN",
        files: &[
            (
                "N.tf",
                "module \"mN\" {\n  source = \"./cN\"\n  size = \"abc\"\n}\n",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\n",
            ),
            ("cN/main.tf", CHILD, CHILD),
        ],
        ..NONE
    },
    Fault {
        rule: "failed-validation",
        names: "module.mN",
        files: &[("N.tf", PASSED, PASSED), ("cN/main.tf", CHILD, CHILD)],
        value: ("aN = 30", "aN = 3"),
        ..NONE
    },
    Fault {
        rule: "undeclared-output",
        names: "nopeN",
        files: &[
            (
                "N.tf",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\noutput \"oN\" {\n  value = module.mN.nopeN\n}\n",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\noutput \"oN\" {\n  value = module.mN.size\n}\n",
            ),
            ("cN/main.tf", CHILD, CHILD),
        ],
        ..NONE
    },
    Fault {
        rule: "failed-evaluation",
        names: "N.tf",
        files: &[("N.tf", INDEXED, INDEXED)],
        value: ("aN = 5", "aN = 0"),
        ..NONE
    },
    Fault {
        rule: "failed-evaluation",
        names: "Cycle",
        files: &[(
            "N.tf",
            "locals {\n  aN = local.bN\n  bN = local.aN\n}\n",
            "locals {\n  aN = local.bN\n  bN = 1\n}\n",
        )],
        ..NONE
    },
    Fault {
        rule: "failed-condition",
        names: "Not N",
        files: &[("N.tf", CONDITION, CONDITION)],
        value: ("aN = 0", "aN = 1"),
        ..NONE
    },
    Fault {
        rule: "invalid-count",
        names: "N.tf",
        files: &[("N.tf", COUNTED, COUNTED)],
        value: ("aN = -1", "aN = 1"),
        ..NONE
    },
    Fault {
        rule: "invalid-for-each",
        names: "N.tf",
        files: &[("N.tf", EACH, EACH)],
        value: ("aN = [1]", "aN = {}"),
        ..NONE
    },
    Fault {
        rule: "invalid-count",
        names: "N.tf",
        files: &[("N.tf", COUNTED_CALL, COUNTED_CALL), ("cN/main.tf", CHILD, CHILD)],
        value: ("aN = -1", "aN = 1"),
        ..NONE
    },
    Fault {
        rule: "null-not-allowed",
        names: "aN",
        files: &[(
            "N.tf",
            "variable \"aN\" {\n  nullable = false\n}\n",
            "variable \"aN\" {\n  nullable = false\n}\n",
        )],
        value: ("aN = null", "aN = 1"),
        ..NONE
    },
    Fault {
        rule: "unknown-attribute",
        names: "xN",
        files: &[("N.tf", OBJECT, OBJECT)],
        value: ("aN = { y = 1, xN = 2 }", "aN = { y = 1 }"),
        ..NONE
    },
    Fault { rule: "undeclared-variable", names: "zN", value: ("zN = 1", ""), ..NONE },
    Fault {
        rule: "missing-module",
        names: "absentN",
        files: &[("N.tf", "module \"mN\" {\n  source = \"./absentN\"\n}\n", "")],
        ..NONE
    },
    Fault {
        rule: "invalid-module",
        names: "oN",
        files: &[(
            "N.tf",
            "output \"oN\" {\n  value = 1\n}\noutput \"oN\" {\n  value = 1\n}\n",
            "output \"oN\" {\n  value = 1\n}\n",
        )],
        ..NONE
    },
    Fault {
        rule: "invalid-variable",
        names: "nubmer",
        files: &[(
            "N.tf",
            "variable \"aN\" {\n  type = nubmer\n}\n",
            "variable \"aN\" {\n  type = number\n}\n",
        )],
        value: ("aN = 1", "aN = 1"),
        hides: true,
    },
    Fault {
        rule: "invalid-syntax",
        names: "N.tf",
        files: &[("N.tf", "output \"oN\" {\n  value =\n}\n", "output \"oN\" {\n  value = 1\n}\n")],
        hides: true,
        ..NONE
    },
    Fault {
        rule: "invalid-input-syntax",
        names: "terraform.tfvars",
        files: &[("N.tf", "variable \"aN\" {\n}\n", "variable \"aN\" {\n}\n")],
        value: ("aN = ]", "aN = 1"),
        hides: true,
    },
    Fault {
        rule: "invalid-input-syntax",
        names: "upper",
        files: &[("N.tf", "variable \"aN\" {\n}\n", "variable \"aN\" {\n}\n")],
        value: ("aN = upper(\"x\")", "aN = 1"),
        ..NONE
    },
    Fault {
        rule: "failed-evaluation",
        names: "nosuchN",
        files: &[("N.tf", "locals {\n  aN = nosuchN(1)\n}\n", "locals {\n  aN = 1\n}\n")],
        ..NONE
    },
];

const RULE: &str = "variable \"aN\" {\n  type = number\n  validation {\n    condition     = var.aN < 10\n    \
                    error_message = \"Too big N.\"\n  }\n}\n";
const PASSED: &str = "variable \"aN\" {\n  type = number\n}\nmodule \"mN\" {\n  source = \"./cN\"\n  size = var.aN\n}\n";
const INDEXED: &str =
    "variable \"aN\" {\n  type = number\n}\noutput \"oN\" {\n  value = [\"a\"][var.aN]\n}\n";
const CONDITION: &str = "variable \"aN\" {\n  type = number\n}\noutput \"oN\" {\n  value = 1\n  precondition {\n    \
                         condition     = var.aN > 0\n    error_message = \"Not N.\"\n  }\n}\n";
const COUNTED: &str = "variable \"aN\" {\n  type = number\n}\nresource \"terraform_data\" \"rN\" {\n  count = var.aN\n}\n";
const EACH: &str =
    "variable \"aN\" {\n}\nresource \"terraform_data\" \"rN\" {\n  for_each = var.aN\n}\n";
const COUNTED_CALL: &str = "variable \"aN\" {\n  type = number\n}\nmodule \"mN\" {\n  source = \"./cN\"\n  count = var.aN\n  size = 1\n}\n";
const OBJECT: &str = "variable \"aN\" {\n  type = object({ y = number })\n}\n";

/// A module of parts; the fault of each is there, or repaired.
fn module(parts: &[(usize, bool)], off: &[&str]) -> MemorySystem {
    let mut system = MemorySystem::new().working_in("/m");
    let mut values = String::new();
    for (number, (fault, is_there)) in parts.iter().enumerate() {
        let (it, number) = (&FAULTS[*fault], (number + 1).to_string());
        for (name, bad, good) in it.files {
            let text = if *is_there { bad } else { good };
            let name = format!("/m/{}", name.replace('N', &number));
            system = system.file(&name, text.replace('N', &number).as_str());
        }
        let line = if *is_there { it.value.0 } else { it.value.1 };
        values += &(line.replace('N', &number) + "\n");
    }
    let mut configuration = String::new();
    for rule in ["missing-schema", "null-crashes-validation"].iter().chain(off) {
        _ = writeln!(configuration, "rule \"{rule}\" {{\n  level = \"off\"\n}}");
    }
    let system = system.file("/m/main.tf", "variable \"base\" {\n  default = 1\n}\n");
    let system = system.file("/m/.terraschema.hcl", configuration.as_str());
    system.file("/m/terraform.tfvars", values.as_str())
}

/// The report of `check` as JSON.
fn report(system: &MemorySystem, target: &str) -> (Exit, Value) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let arguments = ["terraschema", "check", "--format", "json", "-v", target];
    let exit = cli::run(arguments.map(Into::into).to_vec(), system, &mut console);
    drop(console);
    let text = String::from_utf8_lossy(&stdout);
    let errors = String::from_utf8_lossy(&stderr);
    (exit, serde_json::from_str(&text).unwrap_or_else(|it| panic!("{it}: {text}\n{errors}")))
}

/// A finding of the module itself: its rule, place and words.
fn findings(report: &Value) -> BTreeSet<(String, String, String)> {
    let all = report["findings"].as_array().unwrap().iter();
    let of_root = all.filter(|it| it["module"] == ".");
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let of = |it: &Value| {
        let at = &it["locations"][0];
        let place = format!("{}:{} {}", text(&at["file"]), at["line"], text(&it["address"]));
        (text(&it["rule"]), place, text(&it["message"]))
    };
    of_root.map(of).collect()
}

fn is_reported(report: &Value, fault: usize, number: usize) -> bool {
    let it = &FAULTS[fault];
    let name = it.names.replace('N', &number.to_string());
    let all = report["findings"].as_array().unwrap();
    all.iter().any(|finding| finding["rule"] == it.rule && holds(&finding.to_string(), &name))
}

/// Whether a text holds a name, of which it is not only the beginning.
fn holds(text: &str, name: &str) -> bool {
    let ends = |at: usize| !text[at + name.len()..].starts_with(|it: char| it.is_ascii_digit());
    text.match_indices(name).any(|(at, _)| ends(at))
}

fn cases(usual: usize) -> usize {
    std::env::var("TERRASCHEMA_FAULTS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

fn seed() -> u64 {
    std::env::var("TERRASCHEMA_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(47)
}

fn some_faults(random: &mut Random) -> Vec<(usize, bool)> {
    let count = 2 + random.below(4);
    (0..count).map(|_| (random.below(FAULTS.len()), true)).collect()
}

#[test]
fn every_fault_is_reported_whichever_of_the_others_are_silenced() {
    let mut random = Random::new(seed());
    for _ in 0..cases(300) {
        let parts = some_faults(&mut random);
        let mut off: Vec<&str> = Vec::new();
        for (fault, _) in &parts {
            if random.chance(40) {
                off.push(FAULTS[*fault].rule);
            }
        }
        off.sort_unstable();
        off.dedup();
        let (_, report) = report(&module(&parts, &off), ".");
        for (at, (fault, _)) in parts.iter().enumerate() {
            let is_silenced = off.contains(&FAULTS[*fault].rule);
            let rules: Vec<&str> = parts.iter().map(|it| FAULTS[it.0].rule).collect();
            // Values that cannot be read may give what is missing otherwise.
            let is_unread = FAULTS[*fault].rule == "missing-variable"
                && parts.iter().any(|it| FAULTS[it.0].names == "terraform.tfvars");
            if !is_silenced && !is_unread {
                assert!(
                    is_reported(&report, *fault, at + 1),
                    "{} of part {} is not reported among {rules:?}, with {off:?} off: {report:#}",
                    FAULTS[*fault].rule,
                    at + 1
                );
            }
        }
    }
}

#[test]
fn repairing_a_fault_uncovers_no_other() {
    let mut random = Random::new(seed() + 1);
    for _ in 0..cases(200) {
        let mut parts = some_faults(&mut random);
        let (_, before) = report(&module(&parts, &[]), ".");
        let repaired = random.below(parts.len());
        parts[repaired].1 = false;
        let (_, after) = report(&module(&parts, &[]), ".");
        let rules: Vec<&str> = parts.iter().map(|it| FAULTS[it.0].rule).collect();
        // One finding names all missing variables, so its words change.
        let new: Vec<_> = findings(&after).difference(&findings(&before)).cloned().collect();
        let is_declared =
            FAULTS[parts[repaired].0].hides && !before["not_judged"].as_array().unwrap().is_empty();
        let new: Vec<_> = new.into_iter().filter(|it| it.0 != "missing-variable").collect();
        assert!(
            new.is_empty() || is_declared,
            "repairing {} of {rules:?} uncovers {new:#?}",
            FAULTS[parts[repaired].0].rule
        );
    }
}

/// A fault that is added to a recorded tree: a file, and the same without the fault.
const INJECTED: &[(&str, &str, &str, &str)] = &[
    (
        "undeclared-reference",
        "zz.tf",
        "output \"zz\" {\n  value = var.zz_none\n}\n",
        "output \"zz\" {\n  value = 1\n}\n",
    ),
    (
        "failed-evaluation",
        "zz.tf",
        "output \"zz\" {\n  value = [\"a\"][3]\n}\n",
        "output \"zz\" {\n  value = 1\n}\n",
    ),
    ("failed-evaluation", "zz.tf", "locals {\n  zz = local.zz\n}\n", "locals {\n  zz = 1\n}\n"),
    (
        "invalid-count",
        "zz.tf",
        "resource \"terraform_data\" \"zz\" {\n  count = -1\n}\n",
        "resource \"terraform_data\" \"zz\" {\n  count = 1\n}\n",
    ),
    (
        "missing-module",
        "zz.tf",
        "module \"zz\" {\n  source = \"./zz\"\n}\n",
        "output \"zz\" {\n  value = 1\n}\n",
    ),
    (
        "invalid-syntax",
        "zz.tf",
        "output \"zz\" {\n  value =\n}\n",
        "output \"zz\" {\n  value = 1\n}\n",
    ),
    ("type-mismatch", "zz.auto.tfvars", "zz = \"abc\"\n", "zz = 1\n"),
    ("failed-validation", "zz.auto.tfvars", "zz = 20\n", "zz = 1\n"),
];

fn read_into(mut system: MemorySystem, dir: &Path, to: &str) -> MemorySystem {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|it| it.unwrap()).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for it in entries {
        let path = format!("{to}/{}", it.file_name().to_string_lossy());
        let kind = it.file_type().unwrap();
        if kind.is_dir() {
            system = read_into(system, &it.path(), &path);
        } else if kind.is_file() {
            system = system.file(&path, fs::read(it.path()).unwrap());
        }
    }
    system
}

#[test]
fn a_fault_in_a_recorded_tree_hides_nothing_else_in_it() {
    let cases_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/trees");
    let mut names: Vec<_> =
        fs::read_dir(&cases_dir).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    let all = std::env::var_os("TERRASCHEMA_FAULTS").is_some();
    let mut asked = 0;
    for (at, dir) in names.iter().filter(|it| it.join("expected.json").is_file()).enumerate() {
        let tree = |name: &str, text: &str| {
            let system = read_into(MemorySystem::new().working_in("/t"), dir, "/t");
            let declared = "variable \"zz\" {\n  type = number\n  default = 1\n  validation {\n    condition     = \
                            var.zz < 10\n    error_message = \"Too big.\"\n  }\n}\n";
            let system = system.file("/t/zy.tf", declared).file("/t/zz.auto.tfvars", "zz = 1\n");
            let off = ["missing-schema", "null-crashes-validation"];
            let off: String =
                off.map(|it| format!("rule \"{it}\" {{\n  level = \"off\"\n}}\n")).concat();
            let system = system.file("/t/.terraschema.hcl", off.as_str());
            report(&system.file(format!("/t/{name}"), text), ".").1
        };
        for (number, (rule, name, bad, good)) in INJECTED.iter().enumerate() {
            if !all && number != at % INJECTED.len() {
                continue;
            }
            asked += 1;
            let (good, bad) = (tree(name, good), tree(name, bad));
            let case = dir.file_name().unwrap().to_string_lossy();
            let lost: Vec<_> = findings(&good).difference(&findings(&bad)).cloned().collect();
            assert!(lost.is_empty(), "{case}: {rule} hides {lost:#?}");
            let is_there = findings(&bad).iter().any(|it| it.0 == *rule && it.1.contains("zz"));
            assert!(is_there, "{case}: {rule} is not reported: {bad:#}");
        }
    }
    assert!(asked >= 200, "only {asked} trees were found");
}
