//! Every completion that is offered passes type and rules, where they are decided.
//!
//! In modules made at random and in the examples of the pages, what is offered at each of many positions is put in,
//! and the text judged. `TERRASCHEMA_EDITS` is the number of modules, `TERRASCHEMA_SEED` chooses others.

use std::{collections::BTreeSet, env, fs};

use diagnostics::LINTS;
use serde_json::{Value, json};
use testkit::{client::Client, random::Random};

use super::{Texts, pages};

/// Findings about a value that a completion must not bring.
const OF_VALUES: &[&str] = &[
    "type-mismatch",
    "failed-validation",
    "null-not-allowed",
    "unknown-attribute",
    "undeclared-variable",
    "invalid-input-syntax",
    "invalid-syntax",
    "unsupported-argument",
];

/// The kinds of items that the module of a value decides, in the protocol.
const KEY: u64 = 10;
const VALUE: u64 = 12;

/// A type at random, and values of it.
fn kind(random: &mut Random, depth: usize) -> (String, Vec<String>) {
    let simple = if depth > 2 { 3 } else { 8 };
    match random.below(simple) {
        0 => ("string".into(), texts(&["\"a\"", "\"b-c\"", "\"${\\\"é💥\\\"}\"", "\"\""])),
        1 => ("number".into(), texts(&["1", "-2.5", "\"7\"", "0"])),
        2 => ("bool".into(), texts(&["true", "false", "\"true\""])),
        3 => {
            let (inner, values) = kind(random, depth + 1);
            (format!("list({inner})"), vec![format!("[{}]", values.join(", ")), "[]".into()])
        }
        4 => {
            let (inner, values) = kind(random, depth + 1);
            (format!("map({inner})"), vec![format!("{{ k = {} }}", values[0]), "{}".into()])
        }
        5 => {
            let ((one, ones), (two, twos)) = (kind(random, depth + 1), kind(random, depth + 1));
            (format!("tuple([{one}, {two}])"), vec![format!("[{}, {}]", ones[0], twos[0])])
        }
        6 => ("any".into(), texts(&["1", "[\"x\"]", "{ a = null }"])),
        _ => {
            let ((one, ones), (two, twos)) = (kind(random, depth + 1), kind(random, depth + 1));
            let of_two = match random.below(3) {
                0 => two.clone(),
                1 => format!("optional({two})"),
                _ => format!("optional({two}, {})", twos[0]),
            };
            let whole = format!("{{ one = {}, two = {} }}", ones[0], twos[twos.len() - 1]);
            let part =
                if of_two == two { whole.clone() } else { format!("{{ one = {} }}", ones[0]) };
            (format!("object({{ one = {one}, two = {of_two} }})"), vec![whole, part])
        }
    }
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|it| (*it).to_owned()).collect()
}

/// A module at random, and values for it. Some of them are refused.
pub(super) fn module(random: &mut Random) -> Texts {
    let (mut declared, mut given, mut arguments) = (String::new(), String::new(), String::new());
    for at in 0..4 + random.below(3) {
        let (ty, values) = kind(random, 0);
        let value = random.pick(&values).clone();
        let mut body = format!("  type = {ty}\n");
        if random.chance(40) {
            body += &format!("  default = {value}\n");
        }
        if random.chance(20) {
            body += "  nullable = false\n";
        }
        let condition = match &*ty {
            "string" => Some(format!("contains([\"a\", \"b-c\", \"d\"], var.v{at})")),
            "number" => Some(format!("contains([1, 2, 4], var.v{at}) || var.v{at} > 100")),
            "bool" => Some(format!("var.v{at}")),
            it if it.starts_with("list") => Some(format!("length(var.v{at}) > 0")),
            it if it.starts_with("object({ one = string") => {
                Some(format!("contains([\"a\", \"z\"], var.v{at}.one)"))
            }
            _ => None,
        };
        if let Some(it) = condition.filter(|_| random.chance(70)) {
            body += &format!(
                "  validation {{\n    condition = {it}\n    error_message = \"No v{at}.\"\n  }}\n"
            );
        }
        declared += &format!("variable \"v{at}\" {{\n{body}}}\n");
        match random.below(5) {
            0 => (),
            1 => given += &format!("v{at} = \"x\"\n"),
            _ => given += &format!("v{at} = {value}\n"),
        }
        if random.chance(70) {
            arguments += &format!("  v{at} = {value}\n");
        }
    }
    let call = format!("module \"m\" {{\n  source = \"./m\"\n{arguments}}}\n");
    let json = "{\n  \"v0\": \"x\",\n  \"v1\": {\"one\": \"a\"}\n}\n";
    Texts::from([
        ("m/variables.tf".into(), declared),
        ("m/prod.tfvars".into(), given),
        ("m/test.tfvars.json".into(), json.into()),
        ("main.tf".into(), call),
    ])
}

/// The examples of the pages about rules.
pub(super) fn examples() -> Vec<(String, Texts)> {
    let pages = LINTS.iter().map(|rule| (rule.id.to_owned(), format!("docs/rules/{}.md", rule.id)));
    let pages = pages.map(|(id, path)| (id, pages::example(&fs::read_to_string(path).unwrap()).0));
    pages.collect()
}

/// A position in the protocol's default units.
fn position(text: &str, at: usize) -> Value {
    super::edits::position(text, at, super::Units::Utf16)
}

/// The byte of a position.
pub(super) fn offset(text: &str, at: &Value) -> usize {
    let number = |key: &str| usize::try_from(at[key].as_u64().unwrap()).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start: usize = lines[..number("line").min(lines.len())].iter().map(|it| it.len()).sum();
    let mut left = number("character");
    let rest = text[start..].char_indices().find(|(_, it)| {
        let is_there = left == 0;
        left = left.saturating_sub(it.len_utf16());
        is_there
    });
    rest.map_or(text.len(), |it| start + it.0)
}

/// What is wrong with values, as rule and message, and whether it is about these bytes. What is about a value around
/// them may be older: another attribute is missing.
fn found(
    client: &mut Client,
    name: &str,
    text: &str,
    place: (usize, usize),
) -> Vec<(String, bool)> {
    let diagnostics = client.diagnostics(name);
    let of_values =
        diagnostics.iter().filter(|it| OF_VALUES.contains(&it["code"].as_str().unwrap()));
    let found = of_values.map(|it| {
        let (start, end) = (offset(text, &it["range"]["start"]), offset(text, &it["range"]["end"]));
        let message = it["message"].as_str().unwrap().lines().next().unwrap();
        let is_own = place.0 <= start && end <= place.1;
        (format!("{}: {message}", it["code"].as_str().unwrap()), is_own)
    });
    found.collect()
}

/// Puts in what is offered at one position, one after the other. Returns the number of items.
fn try_all(client: &mut Client, name: &str, text: &str, at: usize, what: &str) -> usize {
    let uri = client.uri(name);
    let params = json!({"textDocument": {"uri": uri}, "position": position(text, at)});
    let items = client.request("textDocument/completion", params);
    let before: BTreeSet<String> =
        found(client, name, text, (0, 0)).into_iter().map(|it| it.0).collect();
    let is_broken = before.iter().any(|it| it.contains("syntax"));
    let mut count = 0;
    for item in items.as_array().into_iter().flatten() {
        let kind = item["kind"].as_u64().unwrap();
        if kind != KEY && kind != VALUE {
            continue;
        }
        let (range, new) =
            (&item["textEdit"]["range"], item["textEdit"]["newText"].as_str().unwrap());
        let (start, end) = (offset(text, &range["start"]), offset(text, &range["end"]));
        let mut after = text.to_owned();
        after.replace_range(start..end, new);
        client.edit(name, &after);
        let now = found(client, name, &after, (start, start + new.len()));
        // A key that has no value comes with one to be filled in, which need not pass the rules.
        let is_filler = kind == KEY && new.contains([':', '=']);
        for (it, is_own) in now {
            let is_of_filler = is_filler && it.starts_with("failed-validation");
            let is_new = !is_broken && !before.contains(&it) || is_own && kind == VALUE;
            assert!(
                !is_new || is_of_filler,
                "{what}: at byte {at} of {name}, {new:?} brings {it}\nbefore {before:?}\n{text}\n---\n{after}"
            );
        }
        count += 1;
    }
    client.edit(name, text);
    count
}

/// Tries a number of positions in each file.
fn try_in(texts: &Texts, random: &mut Random, positions: usize, what: &str) -> usize {
    let mut client = Client::new(&[]);
    texts.iter().for_each(|(name, text)| client.write(name, text));
    let mut count = 0;
    for (name, text) in texts {
        let is_asked = name.contains(".tfvars") || text.contains("module \"");
        if !is_asked || name.ends_with(".example") {
            continue;
        }
        client.open_text(name, text);
        let places: Vec<usize> = (0..=text.len()).filter(|it| text.is_char_boundary(*it)).collect();
        for _ in 0..positions {
            let at = *random.pick(&places);
            // Half of a text is what is there while somebody types.
            let is_whole = random.chance(70);
            let end = text[at..].find('\n').map_or(text.len(), |it| at + it);
            let typed = format!("{}{}", &text[..at], &text[end..]);
            let text = if is_whole { text } else { &typed };
            client.edit(name, text);
            count += try_all(&mut client, name, text, at, what);
        }
        client.close(name);
    }
    count
}

#[test]
fn what_is_offered_passes() {
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let (modules, seed) =
        (number("TERRASCHEMA_EDITS").unwrap_or(6), number("TERRASCHEMA_SEED").unwrap_or(1));
    let mut count = 0;
    for at in 0..modules {
        let mut random = Random::new(seed * 10_000 + at);
        let texts = module(&mut random);
        count += try_in(&texts, &mut random, 12, &format!("seed {seed}, module {at}"));
    }
    let mut random = Random::new(seed);
    let positions = usize::try_from(modules).unwrap().div_ceil(2);
    let has_values = |texts: &Texts| texts.keys().any(|it| it.contains(".tfvars"));
    for (page, texts) in examples().into_iter().filter(|it| has_values(&it.1)) {
        count += try_in(&texts, &mut random, positions, &page);
    }
    eprintln!("{count} completions");
    assert!(count > 100, "{count}");
}
