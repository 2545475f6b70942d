//! Everything that a plan knows of the tests' provider, and rules that say so and deny it.

use std::fmt;

use policy::Judged;
use serde_json::Value;

/// Arguments and blocks that are sets: a plan sorts them, and a configuration has them as they are written.
const SETS: [&str; 5] = ["ports", "groups", "tag", "port", "machines"];

/// A value that a plan knows: whose, where, and what it is.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub address: String,
    kind: &'static str,
    ty: String,
    path: Vec<Step>,
    value: Value,
    /// Whether it is an element of the set at the path.
    is_element: bool,
}

#[derive(Clone, Debug)]
enum Step {
    Member(String),
    /// Of a list of that length.
    Index(usize, usize),
}

/// What a plan or a configuration says about the rules for a leaf.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Whether it is what it is: `pass`, `error` (no) or `warning` (undecided).
    pub is: String,
    /// Whether it is something else.
    pub not: String,
    /// Whether it says that a provider may fill it in.
    pub is_filled: bool,
}

const ANYTHING: &str = "any(null, required)";

impl Leaf {
    /// The rules `is-NUMBER` and `not-NUMBER`.
    pub fn rules(&self, number: usize) -> String {
        let (is, not) = match &self.value {
            it if self.is_element => {
                (format!("some({})", literal(it)), format!("deny(some({}))", literal(it)))
            }
            Value::Null => ("null".to_owned(), "required".to_owned()),
            Value::Array(it) if it.is_empty() => {
                ("[]".to_owned(), "list({ min_items = 1 })".to_owned())
            }
            Value::Object(it) if it.is_empty() => {
                ("map({ max_items = 0 })".to_owned(), "map({ min_items = 1 })".to_owned())
            }
            it => (literal(it), format!("deny({})", literal(it))),
        };
        let (address, kind, ty) = (literal(&self.address.as_str().into()), self.kind, &self.ty);
        let rule = |id: &str, inner: &str| {
            let argument = self.validator(inner);
            format!(
                "rule \"{id}-{number}\" {{\n  when = {{ addresses = [{address}], actions = [\"create\", \"update\", \"replace\", \
                 \"no-op\", \"read\"] }}\n  {kind} \"{ty}\" {{\n    {argument}\n  }}\n}}\n"
            )
        };
        rule("is", &is) + &rule("not", &not)
    }

    /// `ARGUMENT = VALIDATOR`, where a validator says something about the leaf.
    pub fn validator(&self, of_leaf: &str) -> String {
        let [Step::Member(argument), rest @ ..] = self.path.as_slice() else { unreachable!() };
        let inner = rest.iter().rev().fold(of_leaf.to_owned(), |inner, step| match step {
            Step::Member(name) => format!("{{ {} = {inner} }}", literal(&name.as_str().into())),
            Step::Index(at, of) => {
                let one = |it| if it == *at { inner.clone() } else { ANYTHING.to_owned() };
                format!("[{}]", (0..*of).map(one).collect::<Vec<_>>().join(", "))
            }
        });
        format!("{argument} = {inner}")
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.address)?;
        for (at, step) in self.path.iter().enumerate() {
            match step {
                Step::Member(name) if at == 0 => write!(f, "{name}")?,
                Step::Member(name) => write!(f, ".{name}")?,
                Step::Index(at, _) => write!(f, "[{at}]")?,
            }
        }
        Ok(())
    }
}

fn literal(value: &Value) -> String {
    let text = match value {
        Value::Object(all) => {
            let one = |(name, it): (&String, &Value)| {
                format!("{} = {}", literal(&name.as_str().into()), literal(it))
            };
            return format!("{{ {} }}", all.iter().map(one).collect::<Vec<_>>().join(", "));
        }
        Value::Array(all) => {
            return format!("[{}]", all.iter().map(literal).collect::<Vec<_>>().join(", "));
        }
        it => it.to_string(),
    };
    text.replace("${", "$${").replace("%{", "%%{")
}

/// Everything that a plan knows of what exists after it.
pub fn leaves(plan: &Value) -> Vec<Leaf> {
    let mut found = Vec::new();
    for change in plan["resource_changes"].as_array().unwrap() {
        let (after, unknown) = (&change["change"]["after"], &change["change"]["after_unknown"]);
        let Value::Object(all) = after else { continue };
        let text = |name: &str| change[name].as_str().unwrap().to_owned();
        let kind = if text("mode") == "data" { "data" } else { "resource" };
        for (name, value) in all {
            let empty = Leaf {
                address: text("address"),
                kind,
                ty: text("type"),
                path: vec![Step::Member(name.clone())],
                value: Value::Null,
                is_element: false,
            };
            add(empty, value, &unknown[name], &mut found);
        }
    }
    found
}

/// `at`: a leaf for the value's place.
fn add(at: Leaf, value: &Value, unknown: &Value, found: &mut Vec<Leaf>) {
    let is_set = matches!(at.path.last(), Some(Step::Member(it)) if SETS.contains(&it.as_str()));
    let with = |step| Leaf { path: at.path.iter().cloned().chain([step]).collect(), ..at.clone() };
    match value {
        _ if *unknown == Value::Bool(true) => (),
        Value::Object(all) if !all.is_empty() => {
            for (name, value) in all {
                add(with(Step::Member(name.clone())), value, &unknown[name], found);
            }
        }
        Value::Array(all) if !all.is_empty() && is_set => {
            for (index, it) in all.iter().enumerate() {
                let value = known(it, &unknown[index]);
                found.push(Leaf { value, is_element: true, ..at.clone() });
            }
        }
        Value::Array(all) if !all.is_empty() => {
            for (index, it) in all.iter().enumerate() {
                add(with(Step::Index(index, all.len())), it, &unknown[index], found);
            }
        }
        _ => found.push(Leaf { value: value.clone(), ..at }),
    }
}

/// What is known of an element of a set.
fn known(value: &Value, unknown: &Value) -> Value {
    let Value::Object(all) = value else { return value.clone() };
    // A set has an empty text where nothing is written.
    let is_known =
        |(name, it): &(&String, &Value)| unknown[name.as_str()] != Value::Bool(true) && *it != "";
    let all = all.iter().filter(is_known);
    Value::Object(all.map(|(name, it)| (name.clone(), it.clone())).collect())
}

/// What is said about each of the first `count` leaves.
pub fn said(judged: &Judged, count: usize) -> Vec<Verdicts> {
    assert_eq!(judged.failures, Vec::<String>::new());
    let pass = Verdicts { is: "pass".to_owned(), not: "pass".to_owned(), is_filled: false };
    let mut all = vec![pass; count];
    for it in &judged.findings {
        let id = it.rule.as_str().trim_start_matches("policy/");
        let (which, number) = id.split_once('-').unwrap_or_else(|| panic!("{it:#?}"));
        let said = &mut all[number.parse::<usize>().unwrap()];
        let level = it.level.as_str().to_owned();
        said.is_filled |= it.message.contains("which a provider may set");
        *(if which == "is" { &mut said.is } else { &mut said.not }) = level;
    }
    all
}
