//! The values of one run, spread over every source that Terraform reads, in many spellings.

use std::collections::BTreeMap;

use module::{Module, inputs::InputArgument};
use serde_json::{Map, Value as Json};
use testkit::random::Random;
use tf_value::Type;

/// What a run is given besides the module.
#[derive(Debug, Default)]
pub struct Given {
    /// Texts of values files by their names.
    pub files: BTreeMap<&'static str, String>,
    pub env: BTreeMap<String, String>,
    pub args: Vec<String>,
    /// The arguments as we read them.
    pub arguments: Vec<InputArgument>,
}

/// Sources by precedence; behind the automatic ones in the order of the arguments.
const SOURCES: &[&str] = &[
    "env",
    "terraform.tfvars",
    "terraform.tfvars.json",
    "x.auto.tfvars",
    "y.auto.tfvars.json",
    "given.tfvars",
    "given.tfvars.json",
    "var",
];
/// The first of those that arguments name.
const FIRST_ARGUMENT: usize = 5;

/// Each value in its last source, and sometimes another one in an earlier source, which must not
/// count.
pub fn spread(values: &Map<String, Json>, module: &Module, random: &mut Random) -> Given {
    let mut given = Given::default();
    let mut texts: BTreeMap<usize, Vec<(String, Json)>> = BTreeMap::new();
    for (name, value) in values {
        let last = random.below(SOURCES.len());
        texts.entry(last).or_default().push((name.clone(), value.clone()));
        if last > 0 && random.chance(25) {
            let earlier = random.below(last);
            let other = random.pick(&[Json::Null, Json::from("no"), Json::from(7)]).clone();
            texts.entry(earlier).or_default().push((name.clone(), other));
        }
    }
    for (source, members) in texts {
        let name = SOURCES[source];
        if name == "env" || name == "var" {
            for (variable, value) in members {
                let text = argument(&variable, &value, module, random);
                if name == "env" {
                    given.env.insert(format!("TF_VAR_{variable}"), text);
                } else {
                    given.add_var(&format!("{variable}={text}"), random);
                }
            }
            continue;
        }
        let text = if name.contains(".json") {
            json_file(&members, random)
        } else {
            hcl_file(&members, random)
        };
        given.files.insert(name, text);
        if source >= FIRST_ARGUMENT {
            let dashes = *random.pick(&["-", "--"]);
            given.args.push(format!("{dashes}var-file={name}"));
            given.arguments.push(InputArgument::File(name.into()));
        }
    }
    given
}

impl Given {
    fn add_var(&mut self, text: &str, random: &mut Random) {
        match random.below(3) {
            0 => self.args.push(format!("-var={text}")),
            1 => self.args.push(format!("--var={text}")),
            _ => self.args.extend(["-var".to_owned(), text.to_owned()]),
        }
        self.arguments.push(InputArgument::Value(text.to_owned()));
    }
}

/// A value as text: as it is for a primitive or undeclared type, else an expression.
fn argument(name: &str, value: &Json, module: &Module, random: &mut Random) -> String {
    let variable = &module.variables[name];
    let is_text = match &variable.constraint.ty {
        Type::String | Type::Number | Type::Bool => true,
        _ => variable.type_span.is_none(),
    };
    match value {
        Json::String(text) if is_text => text.replace('\0', ""),
        _ => hcl(value, random),
    }
}

fn json_file(members: &[(String, Json)], random: &mut Random) -> String {
    let mut all: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}{name:?}: {}", gap(random), json(value, random)))
        .collect();
    if random.chance(8) {
        all.push("\"//\": {\"x\": 1, \"x\": 2}".to_owned());
    }
    if random.chance(4) {
        all.push("\"unknown\": 1".to_owned());
    }
    if random.chance(1) {
        all.extend(all.first().cloned());
    }
    format!("{{{}{}}}\n", all.join(","), gap(random))
}

fn gap(random: &mut Random) -> &'static str {
    let gaps = ["", " ", "\n", "\r\n\t"];
    gaps[random.below(gaps.len())]
}

fn json(value: &Json, random: &mut Random) -> String {
    match value {
        Json::Array(all) => {
            let all: Vec<String> = all.iter().map(|it| json(it, random)).collect();
            format!("[{}{}]", all.join(", "), gap(random))
        }
        Json::Object(all) => {
            let mut members: Vec<String> = all
                .iter()
                .map(|(key, it)| format!("{}: {}", Json::from(key.as_str()), json(it, random)))
                .collect();
            if random.chance(2) {
                members.extend(members.first().cloned());
            }
            format!("{{{}}}", members.join(", "))
        }
        Json::String(text) if random.chance(10) => {
            let units = text.encode_utf16().map(|it| format!("\\u{it:04X}"));
            format!("\"{}\"", units.collect::<String>())
        }
        Json::Number(it) if random.chance(15) => {
            let text = it.to_string();
            if text.contains(['e', 'E']) { text } else { text + "E0" }
        }
        it => it.to_string(),
    }
}

fn hcl_file(members: &[(String, Json)], random: &mut Random) -> String {
    let heads = ["", "", "\u{feff}", "# c\n", "/* c */ "];
    let mut text = heads[random.below(heads.len())].to_owned();
    for (name, value) in members {
        let value = match value {
            Json::String(it) if random.chance(8) && it.is_ascii() && !it.contains(['$', '%']) => {
                format!("<<-E\n    {it}\n  E")
            }
            it => hcl(it, random),
        };
        text += &format!("{name} = {value}\n");
    }
    let others = ["", "", "unknown = upper(\"x\")\n", "other = { x = 1, x = 2 }\n"];
    text + others[random.below(others.len())]
}

/// An expression of the value.
fn hcl(value: &Json, random: &mut Random) -> String {
    let text = match value {
        Json::Null => "null".to_owned(),
        Json::Bool(it) if random.chance(15) => format!("!{}", !it),
        Json::Bool(it) => it.to_string(),
        Json::Number(it) => number(&it.to_string(), random),
        Json::String(it) => string(it, random),
        Json::Array(all) => {
            let all: Vec<String> = all.iter().map(|it| hcl(it, random)).collect();
            match random.below(8) {
                0 => format!("[for e in [{}] : e]", all.join(", ")),
                1 if !all.is_empty() => format!("[\n  {},\n]", all.join(",\n  ")),
                _ => format!("[{}]", all.join(", ")),
            }
        }
        Json::Object(all) => {
            let mut members: Vec<String> = Vec::new();
            for (key, it) in all {
                let (key, sign) = (string(key, random), *random.pick(&["=", ":"]));
                if random.chance(4) {
                    members.push(format!("{key} {sign} \"earlier\""));
                }
                members.push(format!("{key} {sign} {}", hcl(it, random)));
            }
            let comma = if random.chance(20) && !members.is_empty() { "," } else { "" };
            format!("{{ {}{comma} }}", members.join(", "))
        }
    };
    match random.below(30) {
        0 => format!("({text})"),
        1 => format!("true ? {text} : null"),
        2 => format!("[{text}][0]"),
        3 => format!("{{ k = {text} }}.k"),
        4 => format!("\"${{{text}}}\""),
        _ => text,
    }
}

fn number(text: &str, random: &mut Random) -> String {
    let is_plain = text.bytes().all(|it| it.is_ascii_digit());
    match random.below(12) {
        0 if is_plain => format!("00{text}"),
        1 if is_plain => format!("{text}.000"),
        2 if is_plain => format!("{text}e0"),
        3 if is_plain => format!("{text}0E-1"),
        4 => format!("{text} * 1"),
        5 => format!("\"{text}\""),
        _ => text.to_owned(),
    }
}

fn string(text: &str, random: &mut Random) -> String {
    let mut quoted = String::new();
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            it if it.is_control() || random.chance(3) => {
                quoted += &format!("\\U{:08x}", u32::from(it));
            }
            it => quoted.push(it),
        }
    }
    let quoted = quoted.replace("${", "$${").replace("%{", "%%{");
    match random.below(20) {
        0 => format!("\"%{{ if true }}{quoted}%{{ endif }}\""),
        1 => format!("\"${{\"{quoted}\"}}\""),
        _ => format!("\"{quoted}\""),
    }
}
