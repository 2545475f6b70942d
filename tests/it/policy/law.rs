//! A decided outcome holds however the unknowns turn out: random validators, values and unknowns.
//!
//! `TERRASCHEMA_POLICY=100000` asks more pairs, `TERRASCHEMA_SEED` others.

use std::fmt::Write as _;

use diagnostics::Level;
use serde_json::{Value, json};
use testkit::condition::values::Random;

use super::judged;

/// How often each unknown is replaced.
const TRIES: usize = 4;

#[derive(Debug, PartialEq, Clone, Copy)]
enum Outcome {
    Pass,
    Fail,
    Undecided,
}

fn pick<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len())]
}

/// A value without unknowns.
fn value(random: &mut Random, depth: usize) -> Value {
    let most = if depth == 0 { 6 } else { 9 };
    match random.below(most) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(4)),
        3 | 4 => {
            json!(pick(random, &["", "a", "b", "22", "10.0.0.0/8", "true", "1h", "{\"a\":1}"]))
        }
        5 => {
            json!(pick(random, &["1.2.3", "example.com", "10.0.0.1", "https://a.b", "YQ==", "2kb"]))
        }
        6 => (0..random.below(3)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let mut members = serde_json::Map::new();
            for name in ["a", "b", "c"] {
                if random.below(3) > 0 {
                    members.insert(name.into(), value(random, depth - 1));
                }
            }
            Value::Object(members)
        }
    }
}

/// What is unknown of a value: `true`, or the same shape.
fn unknown(random: &mut Random, of: &Value) -> Value {
    if random.below(4) == 0 {
        return json!(true);
    }
    match of {
        Value::Array(all) => all.iter().map(|it| unknown(random, it)).collect(),
        Value::Object(all) => Value::Object(
            all.iter().map(|(name, it)| (name.clone(), unknown(random, it))).collect(),
        ),
        _ => json!(false),
    }
}

/// The value with each unknown as null, as a plan has it.
fn masked(value: &Value, unknown: &Value, replace: &mut dyn FnMut() -> Value) -> Value {
    match (value, unknown) {
        (_, Value::Bool(true)) => replace(),
        (Value::Array(all), Value::Array(unknown)) => {
            all.iter().zip(unknown).map(|(it, unknown)| masked(it, unknown, replace)).collect()
        }
        (Value::Object(all), Value::Object(unknown)) => {
            let one =
                |(name, it): (&String, &Value)| (name.clone(), masked(it, &unknown[name], replace));
            Value::Object(all.iter().map(one).collect())
        }
        _ => value.clone(),
    }
}

const LEAVES: &[&str] = &[
    "required",
    "forbidden",
    "string",
    "number",
    "bool",
    "list",
    "map",
    "hostname",
    "uri",
    "ip",
    "cidr",
    "base64",
    "json",
    "null",
    "true",
    "22",
    "\"22\"",
    "\"a\"",
    "1",
    "version(\"~> 1.0\")",
    "byte_size({ min = \"1kb\" })",
    "duration({ max = \"30m\" })",
    "string({ min_length = 1, max_length = 2 })",
    "string({ pattern = \"^[0-9]+$\" })",
    "number({ min = 1, integer = true })",
    "(length(self) < 2)",
    "(self != \"a\")",
    "(can(self.a))",
    "(try(self.b, null) == null)",
    "(self == parent.x)",
    "(contains(self, \"a\"))",
    "(self == null || self == \"a\")",
    "(tostring(self) == \"22\")",
    "(alltrue([for it in self : it != \"b\"]))",
    "(parent.x)",
    "(attrs.y)",
    "([\"a\", \"b\"])",
    "(toset([\"a\", \"b\"]))",
    "({ a = \"a\", b = 2 })",
    "string({ condition = self != \"b\" })",
    "required({ condition = can(self[0]), error_message = \"no\" })",
];

fn validator(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(3) == 0 {
        return pick(random, LEAVES).to_owned();
    }
    let mut inner = || validator(random, depth - 1);
    let (a, b) = (inner(), inner());
    match random.below(17) {
        0 | 1 => format!("any({a}, {b})"),
        2 | 3 => format!("all({a}, {b})"),
        4 => format!("deny({a}, {b})"),
        5 => format!("optional({a})"),
        6 => format!("list({a}, {{ min_items = 1 }})"),
        7 => format!("map({a}, {{ keys = {b} }})"),
        8 => format!("{{ a = {a}, b = {b} }}"),
        9 => format!("object({{ a = {a}, b = {b} }}, {{ unknowns = \"forbid\" }})"),
        10 => format!("[{a}, {b}]"),
        11 => format!("some({a})"),
        12 => format!("json({a})"),
        13 => format!("parent.x == \"a\" ? {a} : {b}"),
        14 => format!("matches(parent.y, {a}) ? {b} : required"),
        15 => format!("optional({a}, parent.x)"),
        _ => format!("list({a}, {{ max_items = 2 }})"),
    }
}

/// A rule of each form for a block with the arguments `v`, `x`, `y`, and nested blocks.
fn rule(random: &mut Random) -> String {
    let mut text = "rule \"r\" {\n".to_owned();
    let keyword = if random.below(4) == 0 { "forbid" } else { "resource" };
    _ = writeln!(text, "{keyword} \"t\" {{");
    if random.below(4) == 0 {
        _ = writeln!(text, "where {{\n y = {}\n}}", validator(random, 1));
    }
    _ = writeln!(text, "v = {}", validator(random, 3));
    if random.below(3) == 0 {
        _ = writeln!(
            text,
            "x = optional({}, \"a\")",
            pick(random, &["string", "required", "\"a\""])
        );
    }
    if random.below(4) == 0 {
        _ = writeln!(text, "block \"n\" {{\n m = {}\n}}", validator(random, 2));
    }
    text + "}\n}\n"
}

fn plan(after: &Value, unknown: &Value, referred: &[&str]) -> String {
    let expressions: serde_json::Map<_, _> = referred
        .iter()
        .map(|it| ((*it).to_owned(), json!({"references": ["other.x.id", "other.x"]})))
        .collect();
    json!({
        "format_version": "1.2",
        "resource_changes": [{
            "address": "t.a", "mode": "managed", "type": "t", "name": "a",
            "change": {"actions": ["create"], "before": null, "after": after, "after_unknown": unknown},
        }],
        "configuration": {"root_module": {"resources": [
            {"address": "t.a", "expressions": expressions},
        ]}},
    })
    .to_string()
}

fn outcome(rule: &str, plan: &str) -> Option<Outcome> {
    let judged = judged(rule, plan);
    let findings = &judged.findings;
    if findings.iter().any(|it| it.rule.as_str() == "invalid-configuration") {
        return None;
    }
    Some(if findings.iter().any(|it| it.level == Level::Error) {
        Outcome::Fail
    } else if findings.is_empty() {
        Outcome::Pass
    } else {
        Outcome::Undecided
    })
}

#[test]
fn a_decided_outcome_holds_however_the_unknowns_turn_out() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let pairs: usize = number("TERRASCHEMA_POLICY").unwrap_or(1500);
    let mut random = Random::new(number("TERRASCHEMA_SEED").unwrap_or(1) as u64);
    let mut counts = [0; 4];
    for _ in 0..pairs {
        let rule = rule(&mut random);
        let block = |random: &mut Random| json!({"m": value(random, 1)});
        let blocks: Vec<Value> = (0..random.below(3)).map(|_| block(&mut random)).collect();
        let whole = json!({
            "v": value(&mut random, 2), "x": value(&mut random, 0), "y": value(&mut random, 1),
            "n": blocks,
        });
        let open = Value::Object(
            whole
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, it)| (name.clone(), unknown(&mut random, it)))
                .collect(),
        );
        let referred: &[&str] = if random.below(2) == 0 { &["v", "y"] } else { &[] };
        let seen = plan(&masked(&whole, &open, &mut || Value::Null), &open, referred);
        let Some(before) = outcome(&rule, &seen) else {
            counts[3] += 1;
            continue;
        };
        counts[before as usize] += 1;
        if before == Outcome::Undecided {
            continue;
        }
        for _ in 0..TRIES {
            let may_be_null = referred.is_empty();
            let mut known = whole.clone();
            for (name, of) in known.as_object_mut().unwrap() {
                let is_referred = !may_be_null && referred.contains(&name.as_str());
                *of = masked(&whole[name], &open[name], &mut || loop {
                    let it = value(&mut random, 2);
                    if !(is_referred && it.is_null()) {
                        break it;
                    }
                });
            }
            let all = plan(&known, &json!({}), &[]);
            if let Some(after) = outcome(&rule, &all) {
                assert_eq!(before, after, "{rule}\n{seen}\n{all}");
            }
        }
    }
    println!("pass, fail, undecided, wrong rules: {counts:?}");
    assert!(counts[..3].iter().all(|it| *it * 50 > pairs), "{counts:?}");
}
