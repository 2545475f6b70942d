//! `check` goes on behind errors: of several independent faults every one is reported, whichever of the others are
//! silenced, and repairing one uncovers no other.

use std::{collections::BTreeSet, fmt::Write, fs, path::Path, sync::LazyLock};

use serde_json::Value;
use system::{MemorySystem, System};
use terraschema::{Console, Exit};
use testkit::{random::Random, unpacked::unpacked};

/// All kinds of faults.
static FAULTS: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let written = include_str!("../data/faults.txt");
    LISTED.iter().copied().chain(written.split("\n= ").skip(1).map(written_fault)).collect()
});

/// A fault in a part of a module of its own. `N` is a number that no other part has.
#[derive(Clone, Copy)]
struct Fault {
    /// The rule that reports it.
    rule: &'static str,
    /// What the finding names: in its message or at one of its places.
    names: &'static str,
    /// The files of the part, each with its text: with the fault, and without.
    files: &'static [(&'static str, &'static str, &'static str)],
    /// The line of the values file: with the fault, and without.
    value: (&'static str, &'static str),
    /// The member of the values file in JSON: with the fault, and without.
    json: (&'static str, &'static str),
    /// A part of the configuration file.
    configuration: &'static str,
    /// Whether it leaves parts unread.
    hides: bool,
}

const NONE: Fault = Fault {
    rule: "",
    names: "",
    files: &[],
    value: ("", ""),
    json: ("", ""),
    configuration: "",
    hides: false,
};

/// A fault of `tests/data/faults.txt`: its rule and what it names, and its files.
fn written_fault(text: &'static str) -> Fault {
    let (heading, files) = text.split_once('\n').unwrap();
    let (rule, names) = heading.split_once(": ").unwrap();
    let mut fault = Fault { rule, names, ..NONE };
    let mut found = Vec::new();
    for file in format!("\n{files}").split("\n== ").skip(1) {
        let (name, text) = file.split_once('\n').unwrap();
        let text = text.replace("CHILD", CHILD.trim_end()) + "\n";
        let (bad, good) = (&*forms(&text, true).leak(), &*forms(&text, false).leak());
        match name {
            "terraform.tfvars" => fault.value = (bad, good),
            ".terraschema.hcl" => fault.configuration = bad,
            _ => found.push((&*name.to_owned().leak(), bad, good)),
        }
    }
    fault.files = found.leak();
    fault
}

/// A text with the form of each `«bad|good»` that is wanted.
fn forms(text: &str, is_bad: bool) -> String {
    let mut parts = text.split('«');
    let mut made = parts.next().unwrap().to_owned();
    for part in parts {
        let (forms, rest) = part.split_once('»').unwrap();
        let (bad, good) = forms.split_once('|').unwrap();
        made += if is_bad { bad } else { good };
        made += rest;
    }
    made
}

/// The text of a file of part `number`. A schema is that of the module which every called one is.
fn filled(text: &str, number: &str) -> String {
    static SCHEMA: LazyLock<String> = LazyLock::new(|| {
        let system = MemorySystem::new().file("main.tf", CHILD);
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let arguments = ["terraschema", "generate", "--stdout"].map(Into::into).to_vec();
        terraschema::run(arguments, &system, &mut Console::to(&mut stdout, &mut stderr));
        String::from_utf8(stdout).unwrap()
    });
    match text {
        "SCHEMA\n" => SCHEMA.replace('N', number),
        // A mark of the documentation.
        _ if text.contains("TERRASCHEMA") => text.to_owned(),
        _ => text.replace('N', number),
    }
}

const CHILD: &str = "variable \"size\" {\n  type = number\n  validation {\n    condition     = var.size < 10\n    \
                     error_message = \"Too big N.\"\n  }\n}\noutput \"size\" {\n  value = var.size\n}\n";

const LISTED: &[Fault] = &[
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
        ..NONE
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
        ..NONE
    },
    Fault {
        rule: "invalid-input-syntax",
        names: "Function calls",
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
    // A called module with a fault of its own, which is not the one that is looked for.
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
            ("cN/more.tf", CUT_OFF, CUT_OFF),
        ],
        ..NONE
    },
    Fault {
        rule: "failed-validation",
        names: "module.mN",
        files: &[
            ("N.tf", PASSED, PASSED),
            ("cN/main.tf", CHILD, CHILD),
            ("cN/more.tf", UNDECLARED, UNDECLARED),
        ],
        value: ("aN = 30", "aN = 3"),
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
            ("cN/more.tf", CUT_OFF, CUT_OFF),
        ],
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
            ("cN/more.tf", CUT_OFF, CUT_OFF),
        ],
        ..NONE
    },
    // A called module with the fault that is looked for.
    Fault {
        rule: "invalid-syntax",
        names: "cN/more.tf",
        files: &[
            (
                "N.tf",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\n",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\n",
            ),
            ("cN/main.tf", CHILD, CHILD),
            ("cN/more.tf", CUT_OFF, ""),
        ],
        hides: true,
        ..NONE
    },
    Fault {
        rule: "undeclared-reference",
        names: "cN/more.tf",
        files: &[
            (
                "N.tf",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\n",
                "module \"mN\" {\n  source = \"./cN\"\n  size = 1\n}\n",
            ),
            ("cN/main.tf", CHILD, CHILD),
            ("cN/more.tf", UNDECLARED, ""),
        ],
        ..NONE
    },
    Fault {
        rule: "failed-evaluation",
        names: "cN/more.tf",
        files: &[
            ("N.tf", PASSED, PASSED),
            ("cN/main.tf", CHILD, CHILD),
            ("cN/more.tf", "output \"of\" {\n  value = [\"a\"][var.size]\n}\n", ""),
        ],
        value: ("aN = 5", "aN = 0"),
        ..NONE
    },
    Fault {
        rule: "invalid-variable",
        names: "nubmer",
        files: &[
            ("N.tf", PASSED, PASSED),
            (
                "cN/main.tf",
                "variable \"size\" {\n  type = nubmer\n}\n",
                "variable \"size\" {\n  type = number\n}\n",
            ),
        ],
        value: ("aN = 5", "aN = 0"),
        hides: true,
        ..NONE
    },
    // A name with two values.
    Fault {
        rule: "type-mismatch",
        names: "aN",
        files: &[("N.tf", RULE, RULE)],
        value: ("aN = 1\naN = \"abc\"", "aN = 1\naN = 1"),
        ..NONE
    },
    Fault {
        rule: "failed-validation",
        names: "Too big N",
        files: &[("N.tf", RULE, RULE)],
        value: ("aN = 1\naN = 20", "aN = 1\naN = 1"),
        ..NONE
    },
    Fault {
        rule: "invalid-input-syntax",
        names: "aN",
        files: &[("N.tf", RULE, RULE)],
        value: ("aN = 1\naN = 2", "aN = 2\n"),
        ..NONE
    },
    // Conditions that fail, with something else in their block.
    Fault {
        rule: "failed-evaluation",
        names: "N.tf",
        files: &[(
            "N.tf",
            "output \"oN\" {\n  value = [\"a\"][3]\n  precondition {\n    condition     = 1 > 2\n    error_message = \"Never.\"\n  }\n}\n",
            "output \"oN\" {\n  value = [\"a\"][0]\n  precondition {\n    condition     = 1 > 2\n    error_message = \"Never.\"\n  }\n}\n",
        )],
        ..NONE
    },
    Fault {
        rule: "failed-evaluation",
        names: "N.tf",
        files: &[("N.tf", RESOURCE, RESOURCE)],
        value: ("aN = 5", "aN = 1"),
        ..NONE
    },
    Fault {
        rule: "failed-condition",
        names: "Second N",
        files: &[("N.tf", RESOURCE, RESOURCE)],
        value: ("aN = 0", "aN = 1"),
        ..NONE
    },
    // Values in JSON.
    Fault {
        rule: "type-mismatch",
        names: "aN",
        files: &[("N.tf", RULE, RULE)],
        json: ("\"aN\": \"abc\"", "\"aN\": 1"),
        ..NONE
    },
    Fault {
        rule: "failed-validation",
        names: "Too big N",
        files: &[("N.tf", RULE, RULE)],
        json: ("\"aN\": 20", "\"aN\": 2"),
        ..NONE
    },
    Fault {
        rule: "type-mismatch",
        names: "aN",
        files: &[("N.tf", RULE, RULE)],
        json: ("\"aN\": 1, \"aN\": \"abc\"", "\"aN\": 1, \"aN\": 1"),
        ..NONE
    },
    Fault { rule: "undeclared-variable", names: "zN", json: ("\"zN\": 1", ""), ..NONE },
    Fault {
        rule: "invalid-input-syntax",
        names: "zz.auto.tfvars.json",
        files: &[("N.tf", "variable \"aN\" {\n}\n", "variable \"aN\" {\n}\n")],
        json: ("\"aN\": ]", "\"aN\": 1"),
        hides: true,
        ..NONE
    },
    // Modules in JSON.
    Fault {
        rule: "undeclared-reference",
        names: "noneN",
        files: &[(
            "N.tf.json",
            "{\"output\": {\"oN\": {\"value\": \"${var.noneN}\"}}}",
            "{\"output\": {\"oN\": {\"value\": \"1\"}}}",
        )],
        ..NONE
    },
    Fault {
        rule: "failed-validation",
        names: "Too big N",
        files: &[("N.tf.json", JSON_RULE, JSON_RULE)],
        value: ("aN = 20", "aN = 2"),
        ..NONE
    },
    Fault {
        rule: "invalid-syntax",
        names: "N.tf.json",
        files: &[(
            "N.tf.json",
            "{\"output\": {\"oN\": ]}",
            "{\"output\": {\"oN\": {\"value\": 1}}}",
        )],
        hides: true,
        ..NONE
    },
];

/// A file that ends too early.
const CUT_OFF: &str = "output \"cut\" {\n  value =\n}\n";
const UNDECLARED: &str = "output \"undeclared\" {\n  value = local.nowhere\n}\n";
const JSON_RULE: &str = "{\"variable\": {\"aN\": {\"type\": \"number\", \"validation\": {\"condition\": \"${var.aN < 10}\", \
                         \"error_message\": \"Too big N.\"}}}}";
/// Its precondition always fails.
const RESOURCE: &str = "variable \"aN\" {\n  type = number\n}\nresource \"terraform_data\" \"rN\" {\n  \
                        input = [\"a\", \"b\"][var.aN]\n  lifecycle {\n    precondition {\n      \
                        condition     = 1 > 2\n      error_message = \"Never.\"\n    }\n    \
                        precondition {\n      condition     = var.aN > 0\n      \
                        error_message = \"Second N.\"\n    }\n  }\n}\n";

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
    let (mut values, mut json) = (String::new(), Vec::new());
    let mut configuration = String::new();
    for (number, (fault, is_there)) in parts.iter().enumerate() {
        let (it, number) = (&FAULTS[*fault], (number + 1).to_string());
        for (name, bad, good) in it.files {
            let text = if *is_there { bad } else { good };
            let name = format!("/m/{}", name.replace('N', &number));
            system = system.file(&name, filled(text, &number).as_str());
        }
        configuration += &it.configuration.replace('N', &number);
        let line = if *is_there { it.value.0 } else { it.value.1 };
        values += &(line.replace('N', &number) + "\n");
        let member = if *is_there { it.json.0 } else { it.json.1 };
        json.extend(Some(member.replace('N', &number)).filter(|it| !it.is_empty()));
    }
    for rule in ["missing-schema", "null-crashes-validation"].iter().chain(off) {
        _ = writeln!(configuration, "rule \"{rule}\" {{\n  level = \"off\"\n}}");
    }
    let system = system.file("/m/main.tf", "variable \"base\" {\n  default = 1\n}\n");
    let system = system.file("/m/.terraschema.hcl", configuration.as_str());
    let json = format!("{{{}}}", json.join(", "));
    let system = system.file("/m/zz.auto.tfvars.json", json.as_str());
    system.file("/m/terraform.tfvars", values.as_str())
}

/// The report of `check` as JSON.
fn report(system: &MemorySystem, target: &str) -> (Exit, Value) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let arguments = ["terraschema", "check", "--format", "json", "-v", target];
    let exit = terraschema::run(arguments.map(Into::into).to_vec(), system, &mut console);
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
        let message = text(&it["message"]);
        // What may show a value of a variable that is not declared is left out.
        let words = message.split_once(": ").map_or(message.as_str(), |it| it.0);
        // Its name is hidden in a file that does not parse, except for the first one.
        let is_cut = it["rule"] == "invalid-input-syntax" || it["rule"] == "undeclared-variable";
        let message = if is_cut { words.to_owned() } else { message };
        (text(&it["rule"]), place, message)
    };
    of_root.map(of).collect()
}

/// The first place of each, as a file and a line.
fn places(all: &Value) -> impl Iterator<Item = String> {
    let place = |it: &Value| {
        let at = &it["locations"][0];
        format!("{}:{}", at["file"].as_str().unwrap_or_default(), at["line"])
    };
    all.as_array().into_iter().flatten().map(place)
}

fn is_reported(report: &Value, fault: usize, number: usize) -> bool {
    let it = &FAULTS[fault];
    let name = it.names.replace('N', &number.to_string());
    let all = report["findings"].as_array().unwrap();
    all.iter().any(|finding| finding["rule"] == it.rule && holds(&finding.to_string(), &name))
}

/// Whether a value of an undeclared variable is reported whose name is not shown.
fn is_reported_without_name(report: &Value) -> bool {
    let all = report["findings"].as_array().unwrap();
    all.iter().any(|it| it["rule"] == "undeclared-variable" && it["variable"].is_null())
}

/// Whether a text holds a name as a whole, not only as the beginning of a longer one.
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

/// Whether values that cannot be read, or those that a partial set of inputs does not have, may give what is missing
/// otherwise.
fn may_be_given(parts: &[(usize, bool)]) -> bool {
    let may_give = |it: &Fault| it.names.contains("tfvars") || !it.configuration.is_empty();
    parts.iter().any(|it| may_give(&FAULTS[it.0]))
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
            let is_given = FAULTS[*fault].rule == "missing-variable" && may_be_given(&parts);
            // Of a text in JSON only what comes before an error is read.
            let is_after = FAULTS[*fault].json != NONE.json
                && parts[..at].iter().any(|it| FAULTS[it.0].names == "zz.auto.tfvars.json");
            // A name before an error in its file may be a part of a secret.
            let is_nameless = FAULTS[*fault].rule == "undeclared-variable"
                && rules.contains(&"invalid-input-syntax");
            if !is_silenced && !is_given && !is_after {
                let is_reported = is_reported(&report, *fault, at + 1)
                    || is_nameless && is_reported_without_name(&report);
                assert!(
                    is_reported,
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

/// A recorded tree with a part of its own in the root, which has a fault or is repaired.
fn with_part(mut system: MemorySystem, fault: &Fault, is_there: bool) -> MemorySystem {
    let filled = |text: &str| filled(text, "77");
    for (name, bad, good) in fault.files {
        let text = filled(if is_there { bad } else { good });
        system = system.file(format!("/t/{}", filled(name)), text);
    }
    let path = Path::new("/t/.terraschema.hcl");
    let rules =
        system.read(path).map_or_else(|_| String::new(), |it| String::from_utf8(it).unwrap());
    let system = system.file(path, rules + &filled(fault.configuration));
    let value = filled(if is_there { fault.value.0 } else { fault.value.1 });
    let member = filled(if is_there { fault.json.0 } else { fault.json.1 });
    system
        .file("/t/zz.auto.tfvars", value + "\n")
        .file("/t/zz.auto.tfvars.json", format!("{{{member}}}"))
}

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
    let cases_dir = unpacked("trees");
    let mut names: Vec<_> =
        fs::read_dir(&cases_dir).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    let all = std::env::var_os("TERRASCHEMA_FAULTS").is_some();
    let off = ["missing-schema", "null-crashes-validation"];
    let off: String = off.map(|it| format!("rule \"{it}\" {{\n  level = \"off\"\n}}\n")).concat();
    let seed = usize::try_from(seed()).unwrap_or_default();
    let (mut asked, mut wrong) = (0, Vec::new());
    for (at, dir) in names.iter().filter(|it| it.join("expected.json").is_file()).enumerate() {
        let tree = |name: &str, text: &str| {
            let system = read_into(MemorySystem::new().working_in("/t"), dir, "/t");
            let declared = "variable \"zz\" {\n  type = number\n  default = 1\n  validation {\n    condition     = \
                            var.zz < 10\n    error_message = \"Too big.\"\n  }\n}\n";
            let system = system.file("/t/zy.tf", declared).file("/t/zz.auto.tfvars", "zz = 1\n");
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
        for (number, fault) in FAULTS.iter().enumerate() {
            if !all && number != (at + seed) % FAULTS.len() {
                continue;
            }
            let tree = |is_there| {
                let system = read_into(MemorySystem::new().working_in("/t"), dir, "/t");
                let system = system.file("/t/.terraschema.hcl", off.as_str());
                report(&with_part(system, fault, is_there), ".").1
            };
            let (good, bad) = (tree(false), tree(true));
            let (case, rule) = (dir.file_name().unwrap().to_string_lossy(), fault.rule);
            let mut lost: Vec<_> = findings(&good).difference(&findings(&bad)).cloned().collect();
            if rule == "missing-variable" {
                // One finding names all of them, and what may follow from defaults is left open.
                let open: Vec<String> = places(&bad["not_judged"]).collect();
                lost.retain(|it| {
                    !findings(&bad).iter().any(|other| other.1 == it.1)
                        && !open.iter().any(|place| it.1.split(' ').next() == Some(place))
                });
            }
            if !(lost.is_empty() || fault.hides) {
                wrong.push(format!("{case}: {rule} {:?} hides {lost:#?}", fault.names));
            }
            // The values are in another file than those of the random modules.
            let is_there = is_reported(&bad, number, 77)
                || findings(&bad).iter().any(|it| it.0 == rule && it.1.contains("zz.auto.tfvars"));
            // Values next to no module belong to nobody.
            let has_module = |report: &Value| {
                report["modules"].as_array().unwrap().iter().any(|it| it["path"] == ".")
            };
            if !is_there && has_module(&bad) {
                wrong.push(format!("{case}: {rule} {:?} is not reported", fault.names));
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
    assert!(asked >= 200, "only {asked} trees were found");
}

/// Each rule that reports something in a recorded tree with a fault is silenced alone; in the long form, in every tree
/// and for every fault.
#[test]
fn a_silenced_rule_of_a_recorded_tree_hides_no_other() {
    let cases_dir = unpacked("trees");
    let mut names: Vec<_> =
        fs::read_dir(&cases_dir).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    let all = std::env::var_os("TERRASCHEMA_FAULTS").is_some();
    let mut random = Random::new(seed() + 4);
    let (mut asked, mut wrong) = (0, Vec::new());
    for dir in names.iter().filter(|it| it.join("expected.json").is_file()) {
        let chosen = random.below(FAULTS.len());
        for (number, fault) in FAULTS.iter().enumerate() {
            if !all && number != chosen {
                continue;
            }
            let run = |silenced: Option<&str>| {
                let off = ["missing-schema", "null-crashes-validation"].into_iter().chain(silenced);
                let off = off.map(|it| format!("rule \"{it}\" {{\n  level = \"off\"\n}}\n"));
                let system = read_into(MemorySystem::new().working_in("/t"), dir, "/t");
                let system = system.file("/t/.terraschema.hcl", off.collect::<String>());
                report(&with_part(system, fault, true), ".").1
            };
            let loud = run(None);
            let before = findings(&loud);
            let rules: BTreeSet<&str> = before.iter().map(|it| it.0.as_str()).collect();
            let only = random.below(rules.len().max(1));
            for (_, rule) in rules.iter().enumerate().filter(|(at, _)| all || *at == only) {
                asked += 1;
                let quiet = run(Some(rule));
                // What cannot be read is reported in any case.
                let of_others = |all: &BTreeSet<(String, String, String)>| -> BTreeSet<_> {
                    all.iter().filter(|it| it.0 != **rule).cloned().collect()
                };
                let (wanted, after) = (of_others(&before), of_others(&findings(&quiet)));
                let case = dir.file_name().unwrap().to_string_lossy();
                let case = format!("{case}: {} {:?}", fault.rule, fault.names);
                let lost: Vec<_> = wanted.difference(&after).collect();
                let new: Vec<_> = after.difference(&wanted).collect();
                if !lost.is_empty() || !new.is_empty() {
                    wrong.push(format!("{case}: without {rule} lost {lost:?}, new {new:?}"));
                }
                let open: Vec<_> = blocked(&loud).difference(&blocked(&quiet)).cloned().collect();
                if !open.is_empty() {
                    wrong.push(format!("{case}: without {rule} these count as judged: {open:?}"));
                }
            }
        }
    }
    println!("{asked} cases, {} differences", wrong.len());
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked >= 200, "only {asked} trees were found");
}

/// What is not judged because of problems, by part and place.
fn blocked(report: &Value) -> BTreeSet<(String, String)> {
    let all = report["not_judged"].as_array().unwrap().iter();
    let all = all.filter(|it| it["kind"] == "blocked" && it["module"] == ".");
    let of = |it: &Value| {
        let at = &it["locations"][0];
        let place = format!("{}:{}", at["file"].as_str().unwrap_or_default(), at["line"]);
        let parts = it["parts"].as_array().unwrap().iter();
        parts.map(move |it| (it.as_str().unwrap().to_owned(), place.clone())).collect::<Vec<_>>()
    };
    all.flat_map(of).collect()
}

#[test]
fn what_is_not_judged_stays_so_whatever_is_silenced() {
    let mut random = Random::new(seed() + 2);
    for _ in 0..cases(200) {
        let parts = some_faults(&mut random);
        let off: BTreeSet<&str> = parts.iter().map(|it| FAULTS[it.0].rule).collect();
        let off: Vec<&str> = off.into_iter().filter(|_| random.chance(60)).collect();
        let (_, loud) = report(&module(&parts, &[]), ".");
        let (_, quiet) = report(&module(&parts, &off), ".");
        let lost: Vec<_> = blocked(&loud).difference(&blocked(&quiet)).cloned().collect();
        assert!(lost.is_empty(), "with {off:?} off, these count as judged: {lost:#?}");
        for (number, (fault, _)) in parts.iter().enumerate() {
            let it = &FAULTS[*fault];
            if it.rule != "missing-variable" || !off.contains(&it.rule) {
                continue;
            }
            let name = format!("var.a{}", number + 1);
            let is_listed = blocked(&quiet).iter().any(|it| it.0 == name);
            let is_given = may_be_given(&parts);
            assert!(is_listed || is_given, "{name} is not listed: {quiet:#}");
        }
        let judged = quiet["values_files"]["judged"].as_array().unwrap();
        let all = quiet["not_judged"].as_array().unwrap().iter();
        let open = all.flat_map(|it| it["values_files"].as_array().into_iter().flatten());
        for it in open {
            assert!(!judged.contains(it), "{it} counts as judged: {quiet:#}");
        }
    }
}

/// The files of a module and of what it calls.
fn module_files(dir: &Path, to: &str, found: &mut Vec<String>) {
    for it in fs::read_dir(dir).unwrap().map(|it| it.unwrap()) {
        let path = format!("{to}/{}", it.file_name().to_string_lossy());
        if it.file_type().unwrap().is_dir() {
            module_files(&it.path(), &path, found);
        } else if path.ends_with(".tf") {
            found.push(path);
        }
    }
    found.sort();
}

/// Lines that are errors everywhere except in a text.
const CUTS: [&str; 7] =
    ["@ @", "zz = {", "}", "zz = \"", "zz = <<EOT", "zz {", "variable \"zz\" { type = "];

#[test]
fn a_syntax_error_makes_no_other_finding() {
    let cases_dir = unpacked("trees");
    let mut names: Vec<_> =
        fs::read_dir(&cases_dir).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    let mut random = Random::new(seed() + 3);
    let rounds = if std::env::var_os("TERRASCHEMA_FAULTS").is_some() { 10 } else { 1 };
    let (mut asked, mut wrong) = (0, Vec::new());
    for dir in names.iter().filter(|it| it.join("expected.json").is_file()) {
        let mut files = Vec::new();
        module_files(dir, "/t", &mut files);
        let off = ["missing-schema", "null-crashes-validation"];
        let off = off.map(|it| format!("rule \"{it}\" {{\n  level = \"off\"\n}}\n")).concat();
        let whole = || {
            let system = read_into(MemorySystem::new().working_in("/t"), dir, "/t");
            system.file("/t/.terraschema.hcl", off.as_str())
        };
        let good = report(&whole(), ".").1;
        let has =
            |rule: &str| good["findings"].as_array().unwrap().iter().any(|it| it["rule"] == rule);
        // If text is an error already, it is not known how another line changes it.
        if files.is_empty() || has("invalid-syntax") {
            continue;
        }
        for _ in 0..rounds {
            let file = &files[random.below(files.len())];
            let relative = file.strip_prefix("/t/").unwrap();
            let text = fs::read_to_string(dir.join(relative)).unwrap();
            let mut lines: Vec<&str> = text.lines().collect();
            let at = random.below(lines.len() + 1);
            let cut = CUTS[random.below(CUTS.len())];
            lines.insert(at, cut);
            let bad = report(&whole().file(file, lines.join("\n").as_str()), ".").1;
            asked += 1;
            let line = u64::try_from(at).unwrap() + 1;
            // Lines after it have moved.
            let words = |report: &Value| {
                let all = report["findings"].as_array().unwrap().iter();
                // A note says what is not translated or fails with the defaults, and the line may hide their names.
                let all = all.filter(|it| it["rule"] != "invalid-syntax" && it["level"] != "note");
                // The message of a rule may need what was not read, and so may the way to its module.
                let message = |it: &Value| match it["rule"].as_str() {
                    Some("failed-validation") => format!("{} {}", it["variable"], it["validation"]),
                    // A text is hidden where it is not known whether its variable is sensitive.
                    Some("invalid-input-syntax") => {
                        format!("{} {}", it["locations"][0]["file"], it["locations"][0]["line"])
                    }
                    // The line may declare a name that is near.
                    _ => {
                        let message = it["message"].as_str().unwrap();
                        message.split(" Did you mean").next().unwrap().to_owned()
                    }
                };
                // A precondition that fails keeps the postconditions from being judged, and a part that fails keeps
                // what depends on it from being judged; one that is not read does neither.
                let blocks = ["failed-condition", "failed-evaluation"];
                let is_behind =
                    |it: &Value| blocks.iter().any(|rule| it["rule"] == *rule && has(rule));
                let all = all.filter(|it| !is_behind(it));
                all.map(|it| format!("{}: {}", it["rule"], message(it))).collect::<BTreeSet<_>>()
            };
            let (before, after) = (words(&good), words(&bad));
            let new: Vec<_> = after.difference(&before).collect();
            // It may be part of a text.
            let all = bad["findings"].as_array().unwrap();
            let is_read = all.iter().all(|it| it["rule"] != "invalid-syntax");
            if !new.is_empty() && !is_read {
                let case = dir.file_name().unwrap().to_string_lossy();
                wrong.push(format!("{case} {relative}:{line} `{cut}`: {new:?}"));
            }
        }
    }
    assert!(asked >= 200, "only {asked} trees were found");
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}
