//! Every quick fix makes its diagnostic go away, and breaks nothing.
//!
//! In modules made at random and in the examples of the pages, all that is offered at each diagnostic is done, one after
//! the other. `TERRASCHEMA_EDITS` is the number of modules, `TERRASCHEMA_SEED` chooses others.

use std::env;

use serde_json::{Value, json};
use testkit::{client::Client, random::Random};

use super::{Texts, completions};

/// Rules whose findings no quick fix may bring.
const OF_SYNTAX: [&str; 2] = ["invalid-syntax", "invalid-input-syntax"];

fn is_document(name: &str) -> bool {
    let endings =
        [".tf", ".tofu", ".tfvars", ".tf.json", ".tfvars.json", ".terraschema.hcl", ".rules.hcl"];
    endings.iter().any(|it| name.ends_with(it)) || name.contains(".tfvars.")
}

/// The rule and the first line of the message.
fn headline(it: &Value) -> String {
    let message = it["message"].as_str().unwrap().lines().next().unwrap();
    format!("{}: {message}", it["code"].as_str().unwrap())
}

/// A text with the edits of a quick fix.
fn edited(text: &str, edits: &Value) -> String {
    let place = |it: &Value| completions::offset(text, it);
    let edit = |it: &Value| {
        let (start, end) = (place(&it["range"]["start"]), place(&it["range"]["end"]));
        (start, end, it["newText"].as_str().unwrap().to_owned())
    };
    let mut edits: Vec<_> = edits.as_array().unwrap().iter().map(edit).collect();
    edits.sort();
    let mut text = text.to_owned();
    for (start, end, new) in edits.iter().rev() {
        text.replace_range(*start..*end, new);
    }
    text
}

/// Does what is offered at each diagnostic. Returns the number of quick fixes; adds those that fail.
fn fix_all(texts: &Texts, what: &str, failed: &mut Vec<String>) -> usize {
    let mut client = Client::new(&[]);
    texts.iter().for_each(|(name, text)| client.write(name, text));
    let open: Texts = texts
        .iter()
        .filter(|it| is_document(it.0))
        .map(|it| (it.0.clone(), it.1.clone()))
        .collect();
    open.iter().for_each(|(name, text)| client.open_text(name, text));
    let mut count = 0;
    for name in open.keys() {
        client.rest();
        let before = client.diagnostics(name);
        for found in &before {
            let params = json!({
                "textDocument": {"uri": client.uri(name)},
                "range": found["range"],
                "context": {"diagnostics": [found]},
            });
            let actions = client.request("textDocument/codeAction", params);
            for action in actions.as_array().into_iter().flatten() {
                // Those at the same place belong to another diagnostic.
                let is_own = |it: &Value| headline(it) == headline(found);
                let Some(own) = action["diagnostics"].get(0).filter(|it| is_own(it)) else {
                    continue;
                };
                count += 1;
                let problem = check(&mut client, &open, (name, own, &before), action);
                failed.extend(problem.map(|it| format!("{what}: {it}")));
            }
        }
    }
    count
}

/// Does one thing, looks, and undoes it. Returns what is wrong.
fn check(
    client: &mut Client,
    open: &Texts,
    (name, own, before): (&str, &Value, &[Value]),
    action: &Value,
) -> Option<String> {
    let mut changed = Vec::new();
    for (file, text) in open {
        let edits = &action["edit"]["changes"][client.uri(file)];
        if !edits.is_null() {
            client.edit(file, &edited(text, edits));
            changed.push(file);
        }
    }
    if changed.is_empty() {
        return Some(format!("changes nothing: {action:#}"));
    }
    client.rest();
    let after = client.diagnostics(name);
    let count = |all: &[Value]| all.iter().filter(|it| headline(it) == headline(own)).count();
    let is_left = count(&after) >= count(before);
    let breaks = |it: &&Value| OF_SYNTAX.contains(&it["code"].as_str().unwrap());
    let known: Vec<String> = before.iter().map(headline).collect();
    let broken = after.iter().filter(breaks).map(headline).find(|it| !known.contains(it));
    changed.iter().for_each(|it| client.edit(it, &open[*it]));
    client.rest();
    let title = &action["title"];
    let edit = &action["edit"]["changes"];
    match broken {
        Some(it) => Some(format!("{title} brings {it}: {edit}")),
        None => is_left.then(|| format!("{title} leaves {}: {edit}", headline(own))),
    }
}

#[test]
fn a_quick_fix_fixes() {
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let (modules, seed) =
        (number("TERRASCHEMA_EDITS").unwrap_or(6), number("TERRASCHEMA_SEED").unwrap_or(1));
    let (mut count, mut failed) = (0, Vec::new());
    for at in 0..modules {
        let texts = completions::module(&mut Random::new(seed * 10_000 + at));
        count += fix_all(&texts, &format!("seed {seed}, module {at}"), &mut failed);
    }
    for (page, texts) in completions::examples() {
        count += fix_all(&texts, &page, &mut failed);
    }
    eprintln!("{count} quick fixes");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count > 50, "{count}");
}
