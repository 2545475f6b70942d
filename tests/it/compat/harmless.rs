//! The changes in `tests/spec/compat` that break nobody: what the old module accepts of many inputs near the
//! limits, the new one accepts, too.

use std::{collections::BTreeMap, fs};

use hcl::Expr;
use serde_json::Value as Json;
use testkit::{
    condition::{
        evidence::read,
        values::{Pool, Random},
    },
    modules::module,
};
use tf_value::{Type, Value};

use super::random::accepts;

/// Inputs of each change.
const INPUTS: usize = 300;

/// How often inputs are drawn until so many are accepted.
const DRAWN: usize = 6000;

/// The old and the new module of each harmless change, with its title.
fn changes() -> Vec<(String, String, String)> {
    let mut out = Vec::new();
    for page in ["types", "variables", "rules", "outputs"] {
        let text = fs::read_to_string(format!("tests/spec/compat/{page}.md")).unwrap();
        for section in text.split("\n## ").skip(1) {
            let (title, rest) = section.split_once('\n').unwrap();
            if !["none", "patch", "minor"].iter().any(|it| title.ends_with(&format!(": {it}"))) {
                continue;
            }
            let blocks = rest.split("```").skip(1).step_by(2);
            let mut blocks = blocks.map(|it| it.split_once('\n').unwrap().1.to_owned());
            let (before, after) = (blocks.next().unwrap(), blocks.next().unwrap());
            out.push((format!("{page}: {title}"), before, after));
        }
    }
    out
}

/// How many inputs the old module accepted, and one that the new one refuses.
fn tried(before: &str, after: &str) -> (usize, Option<String>) {
    let (old, new) = (module(before), module(after));
    let variables = || [&old, &new].into_iter().flat_map(|it| it.variables.values());
    let conditions: Vec<&Expr> =
        variables().flat_map(|it| &it.validations).map(|it| &it.condition).collect();
    let pool = Pool::of(&old, &conditions, &Json::Null);
    let (mut random, mut count) = (Random::new(7), 0);
    for _ in 0..DRAWN {
        if count == INPUTS {
            break;
        }
        let mut given = BTreeMap::new();
        for it in old.variables.values() {
            let value = match random.below(8) {
                0 if !it.is_required() => continue,
                1 => Value::null(Type::Dynamic),
                _ => read(&pool.value(&it.constraint.ty, &mut random, 0)),
            };
            given.insert(it.name.clone(), value);
        }
        if accepts(&old, &given) == Some(true) {
            count += 1;
            if accepts(&new, &given) == Some(false) {
                return (count, Some(format!("{given:?}")));
            }
        }
    }
    (count, None)
}

#[test]
fn what_is_harmless_refuses_nothing() {
    let changes = changes();
    assert!(changes.len() > 40, "only {} changes", changes.len());
    let (mut wrong, mut few) = (Vec::new(), Vec::new());
    for (title, before, after) in &changes {
        let (count, refused) = tried(before, after);
        wrong.extend(refused.map(|it| format!("{title}: {it}")));
        // Of a module that accepts nothing there are none.
        if count < INPUTS && !before.contains("\"Not ${var.x}.\"") {
            few.push(format!("{title}: {count}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(few.is_empty(), "fewer than {INPUTS} inputs:\n{}", few.join("\n"));
}
