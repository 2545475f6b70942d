//! Random pairs of contracts: no verdict contradicts what values show.
//!
//! `TERRASCHEMA_PAIRS` is how many pairs are made (20), `TERRASCHEMA_SEED` makes other ones.

use std::collections::BTreeMap;

use hcl::Expr;
use module::Module;
use rayon::prelude::*;
use release::Release;
use serde_json::Value as Json;
use smol_str::SmolStr;
use system::DeniedSystem;
use testkit::{
    condition::{
        evidence::read,
        random::{number, written},
        values::{Pool, Random},
    },
    modules::{is_module, module},
};
use tf_eval::Meter;
use tf_value::{Type, Value};
use verdict::{ArgumentsVerdict, JudgeSetting, judge_arguments};

use super::report;

/// Values of each variable that are tried.
const VALUES: usize = 120;

/// What a contract says about arguments.
pub fn accepts(module: &Module, arguments: &BTreeMap<SmolStr, Value>) -> Option<bool> {
    let meter = Meter::default();
    let setting = JudgeSetting::new(&DeniedSystem, ".".as_ref(), Release::NEWEST, &meter);
    match judge_arguments(module, arguments, setting) {
        ArgumentsVerdict::Accepts(_) => Some(true),
        ArgumentsVerdict::Refuses(_) => Some(false),
        ArgumentsVerdict::Undecided(_) => None,
    }
}

/// The contract with something changed: a part of a rule, a type, or another rule next to the first one.
fn changed(text: &str, random: &mut Random) -> String {
    match random.below(10) {
        0 => with_other_type(text, random),
        1 => with_other_type(&with_other_words(text, random), random),
        2 => with_other_rule(text, random),
        3..5 => with_other_attributes(text, random),
        5 => with_other_attributes(&with_other_words(text, random), random),
        6 => with_other_flag(&with_other_words(text, random), random),
        _ => with_other_words(text, random),
    }
}

/// The contract with an attribute that is added, gone, optional, required, or of another type or default, at any depth.
fn with_other_attributes(text: &str, random: &mut Random) -> String {
    let changes: [(&str, &str); 16] = [
        ("t = optional(string), ", ""),
        ("t = optional(string)", "t = string"),
        ("k = optional(number, 3)", "k = optional(number)"),
        ("n = optional(number)", "n = optional(number, 2)"),
        ("n = optional(number)", "n = number"),
        ("b = optional(bool)", "b = optional(string)"),
        ("l = optional(list(string))", "l = optional(set(string))"),
        ("e = optional(set(string))", "e = optional(list(string), [])"),
        ("s = string", "s = optional(string)"),
        ("s = string", "s = any"),
        ("s = optional(string)", "s = optional(string, \"a\")"),
        ("object({ ", "object({ z = optional(string, \"a\"), "),
        ("object({ ", "object({ z = string, "),
        ("n = number", "n = optional(number)"),
        ("n = number", "n = string"),
        ("optional(list(number), [1])", "optional(tuple([number]), [1])"),
    ];
    for _ in 0..6 {
        let (from, to) = *random.pick(&changes);
        let Some((at, _)) = text.match_indices(from).last() else { continue };
        let after = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
        if is_module(&after) {
            return after;
        }
    }
    with_other_words(text, random)
}

/// The contract with a sensitive or ephemeral variable, or one that is never null.
fn with_other_flag(text: &str, random: &mut Random) -> String {
    let flag = ["sensitive = true", "ephemeral = true", "nullable = false"][random.below(3)];
    let after = text.replacen("variable \"x\" {\n", &format!("variable \"x\" {{\n  {flag}\n"), 1);
    if is_module(&after) { after } else { text.to_owned() }
}

/// A set becomes a list, or a list a set, or something becomes `any`.
fn with_other_type(text: &str, random: &mut Random) -> String {
    let changes: [(&str, &str); 6] = [
        ("type = set(", "type = list("),
        ("(set(", "(list("),
        ("= set(", "= list("),
        ("type = list(", "type = set("),
        ("type = string\n", "type = any\n"),
        ("type = number\n", "type = string\n"),
    ];
    let known: Vec<_> = changes.iter().filter(|it| text.contains(it.0)).collect();
    if known.is_empty() {
        return with_other_words(text, random);
    }
    let (from, to) = **random.pick(&known);
    text.replacen(from, to, 1)
}

/// The rule of `x` twice, once changed.
fn with_other_rule(text: &str, random: &mut Random) -> String {
    let (before, rest) = text.split_once("  validation {\n").unwrap();
    let (rule, after) = rest.split_once("\n  }\n").unwrap();
    let rule = format!("  validation {{\n{rule}\n  }}\n");
    let other = with_other_words(&rule, random);
    let rules =
        if random.below(2) == 0 { other + &rule } else { with_other_words(&rule, random) + &other };
    format!("{before}{rules}{after}")
}

/// The contract with one of its words changed.
fn with_other_words(text: &str, random: &mut Random) -> String {
    let changes: [(&str, &str); 15] = [
        (" && ", " || "),
        (" || ", " && "),
        (" < ", " <= "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" >= ", " > "),
        (" == ", " != "),
        (" 1", " 2"),
        (" 2", " 3"),
        (" 3", " 2"),
        ("\"a\"", "\"b\""),
        ("\"b\"", "\"a\""),
        ("\"^a\"", "\"^[ab]\""),
        ("nullable = false", "default = null"),
        ("  default  = null", "  nullable = false"),
    ];
    for _ in 0..6 {
        let (from, to) = *random.pick(&changes);
        let count = text.matches(from).count();
        if count == 0 {
            continue;
        }
        let chosen = random.below(count);
        let (at, _) = text.match_indices(from).nth(chosen).unwrap();
        return format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
    }
    text.replacen("No.", "Not so.", 1)
}

/// Arguments for both modules.
fn arguments(modules: [&Module; 2], random: &mut Random) -> Vec<BTreeMap<SmolStr, Value>> {
    let rules = modules.iter().flat_map(|it| it.variables.values()).flat_map(|it| &it.validations);
    let conditions: Vec<&Expr> = rules.map(|it| &it.condition).collect();
    let pool = Pool::of(modules[0], &conditions, &Json::Null);
    let draw = |ty: &Type, random: &mut Random| {
        let value = read(&pool.value(ty, random, 0));
        // Callers also write a set with duplicates.
        match value.as_sequence() {
            Some(elements) if !elements.is_empty() && random.below(3) == 0 => {
                let more = vec![elements[0].clone(); 1 + random.below(3)];
                Value::tuple(elements.iter().cloned().chain(more).collect())
            }
            _ => value,
        }
    };
    let (x, y) = (&modules[0].variables["x"], &modules[0].variables["y"]);
    let mut out = Vec::new();
    for at in 0..VALUES {
        let mut given = BTreeMap::new();
        if at > 0 || x.default.is_none() {
            let value = if at == 1 && x.nullable != Some(false) {
                Value::null(Type::Dynamic)
            } else {
                draw(&x.constraint.ty, random)
            };
            given.insert("x".into(), value);
        }
        given.insert("y".into(), draw(&y.constraint.ty, random));
        out.push(given);
    }
    out
}

/// The lines of rules that the report says something about. It may also say that the answer is not known.
fn told(report: &Json) -> Vec<u64> {
    let findings = report["findings"].as_array().unwrap();
    let told = findings.iter().filter(|it| {
        ["rule-tightened", "undecided-change", "type-narrowed", "value-lost"]
            .contains(&it["rule"].as_str().unwrap())
    });
    told.map(|it| it["locations"][0]["line"].as_u64().unwrap()).collect()
}

/// Whether a rule refuses arguments that were accepted, and the report lists only other rules of the variable.
fn is_untold(module: &Module, given: &BTreeMap<SmolStr, Value>, told: &[u64]) -> bool {
    let meter = Meter::default();
    let setting = JudgeSetting::new(&DeniedSystem, ".".as_ref(), Release::NEWEST, &meter);
    let ArgumentsVerdict::Refuses(problems) = judge_arguments(module, given, setting) else {
        return false;
    };
    let x = &module.variables["x"];
    let rules = x.validations.iter().map(|it| it.condition.span);
    let line = |span: diagnostics::Span| {
        u64::from(module.sources.file(span.file).position(span.start).line)
    };
    let lines: Vec<u64> = rules.map(line).collect();
    let refusing = problems.iter().filter_map(|it| lines.get(it.validation?).copied());
    let is_of_rule = |it: &u64| lines.contains(it);
    told.iter().any(is_of_rule) && refusing.into_iter().any(|it| !told.contains(&it))
}

#[test]
fn no_verdict_contradicts_values() {
    let count = number("TERRASCHEMA_PAIRS").unwrap_or(20);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let judged: Vec<(String, Option<String>, bool)> = (0..count)
        .into_par_iter()
        .map(|index| {
            let seed = (seed << 32 | index).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut random = Random::new(seed.rotate_left(17));
            let before = written(seed);
            let after = changed(&before, &mut random);
            let (old, new) = (module(&before), module(&after));
            let found = report(&before, &after);
            let level = found["compat"]["modules"][0]["level"].as_str().unwrap_or("none");
            let told = told(&found);
            let (mut wrong, mut breaks) = (None, false);
            for given in arguments([&old, &new], &mut random) {
                let both = (accepts(&old, &given), accepts(&new, &given));
                breaks |= both == (Some(true), Some(false));
                let contradicts = match both {
                    (Some(true), Some(false)) => !["major", "cannot-tell"].contains(&level),
                    (Some(false), Some(true)) => ["none", "patch"].contains(&level),
                    _ => false,
                };
                let contradicts =
                    contradicts || both.0 == Some(true) && is_untold(&new, &given, &told);
                if contradicts {
                    wrong = Some(format!("{level}\n{before}---\n{after}{given:?} {both:?}\n"));
                    break;
                }
            }
            let is_open = level == "cannot-tell";
            if is_open && std::env::var_os("TERRASCHEMA_SHOW").is_some() {
                for said in found["compat"]["modules"][0]["changes"].as_array().unwrap() {
                    eprintln!("{}: {}", said["level"], said["message"]);
                }
                eprintln!("values show that it breaks: {breaks}\n{before}---\n{after}\n");
            }
            (level.to_owned(), wrong, is_open && breaks)
        })
        .collect();
    let told = |level: &str| judged.iter().filter(|it| it.0 == level).count();
    let levels = ["none", "patch", "minor", "cannot-tell", "major"];
    let levels = levels.map(|it| format!("{it} {}", told(it)));
    let shown = judged.iter().filter(|it| it.2).count();
    let levels = levels.join(", ");
    eprintln!(
        "seed {seed}: {count} pairs; {levels} (values break {shown} of which nobody can tell)"
    );
    let wrong: Vec<&String> = judged.iter().filter_map(|it| it.1.as_ref()).collect();
    let mut shown: Vec<&str> = wrong.iter().map(|it| it.as_str()).collect();
    shown.sort_by_key(|it| it.len());
    shown.truncate(8);
    assert!(wrong.is_empty(), "seed {seed}: {} wrong\n{}", wrong.len(), shown.join("\n"));
}
