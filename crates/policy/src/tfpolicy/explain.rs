//! The values that led to an outcome, for its message.

use super::judge::{Env, Memory};
use crate::validate::{Around, LocatedValue, shown};
use hcl::Expr;
use smol_str::SmolStr;
use tf_value::{Path, Step, Type, Value};

/// A description of the values that made a condition false, and the place of the value if it is only one.
pub(super) fn found(expr: &Expr, env: &Env<'_>, memory: &Memory) -> (Path, String) {
    const MOST: usize = 3;
    let mut all = mentioned(expr, env, memory);
    // A value that did not matter for the outcome explains nothing.
    all.retain(|it| it.1.is_wholly_known());
    let text = |path: &Path, value: &Value| {
        let is_unwritten = match (env.object, path.0.first()) {
            (Some(object), Some(Step::Attribute(name))) => object.unwritten.contains(name),
            _ => false,
        };
        if is_unwritten && value.is_null() {
            return "no value, which a provider may set".to_owned();
        }
        let around = Around::unknown(value);
        let text = shown(LocatedValue { value, around, is_hidden: false });
        if is_unwritten { format!("{text}, where a provider may set more") } else { text }
    };
    match all.as_slice() {
        [] => (Path::default(), "false".to_owned()),
        [(path, value)] => (path.clone(), text(path, value)),
        _ => {
            let one = |(path, value): &(Path, Value)| {
                let name = path.to_string();
                format!("{} = {}", name.trim_start_matches('.'), text(path, value))
            };
            let all: Vec<String> = all.iter().take(MOST).map(one).collect();
            (Path::default(), all.join(", "))
        }
    }
}

/// The arguments that an expression and the locals in it mention, each with its value.
pub(super) fn mentioned(expr: &Expr, env: &Env<'_>, memory: &Memory) -> Vec<(Path, Value)> {
    /// More than this say nothing more.
    const MOST: usize = 16;
    let mut found: Vec<(Path, Value)> = Vec::new();
    let Some(object) = env.object else { return found };
    for it in memory.referred(expr, env.conditions).iter().filter(|it| it.root == "attrs") {
        let Some(names) = &it.names else { continue };
        let (path, value) = reached(&object.attrs, names);
        if !found.iter().any(|known| known.0 == path) {
            found.push((path, value));
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// The longest part of a path that leads to a value, and the value.
fn reached(attrs: &Value, names: &[SmolStr]) -> (Path, Value) {
    let (mut value, mut known) = (attrs.clone(), Path::default());
    for name in names {
        let inside = value.as_mapping().and_then(|it| it.get(name)).cloned();
        let (step, marks) = (Step::Attribute(name.clone()), value.marks());
        match inside {
            Some(it) => value = it.with_marks(marks),
            None if known.is_empty() => {
                return (Path(vec![step]), Value::null(Type::Dynamic).with_marks(marks));
            }
            None => break,
        }
        known = known.with(step);
    }
    (known, value)
}
