//! Expressions as text through our own evaluation, in the recorded results' terms.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use diagnostics::{Diagnostic, FileId};
use hcl::{Body, Expr, Item, parse_body, parse_value};
use release::Release;
use smol_str::SmolStr;
use system::OsSystem;
use tf_eval::{Data, EvalHost, Namespace, NoData, Provider, Scope, as_output, evaluate};
use tf_value::{Type, Value, ValueContent, json, typeexpr::parse_type};

use super::json::Json;
use crate::workspace;

/// What file functions read, and the working directory where no other is set.
pub fn files() -> PathBuf {
    workspace::root().join("tests/spec/functions/files")
}

/// What an expression gave.
#[derive(Clone, Debug, PartialEq)]
pub enum ApplyOutcome {
    Value {
        ty: Json,
        value: Json,
    },
    /// A number that JSON cannot write is in it.
    Infinite,
    Unknown {
        ty: Json,
    },
    Undecided,
    /// The summaries of the errors.
    Error(Vec<String>),
}

/// What an expression gives where no variable is known.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanOutcome {
    /// With marks where it is not known.
    Value(Json),
    Infinite,
    Error,
}

impl PlanOutcome {
    /// The placeholder for a value that is not known.
    pub fn unknown() -> Json {
        Json::String("(known after apply)".to_string())
    }
}

/// The variables of a prelude: their defaults, converted to their types.
pub struct Prelude {
    variables: BTreeMap<SmolStr, Value>,
    directory: String,
}

impl Prelude {
    pub fn parse(text: &str) -> Prelude {
        let (body, errors) = parse_body(FileId(0), text.as_bytes());
        assert_eq!(errors, [], "the prelude");
        let variables = body.items.iter().map(variable).collect();
        Prelude { variables, directory: files().display().to_string() }
    }

    /// The variables as Terraform's static pass has them: of a type, but unknown.
    fn unknown(&self) -> Prelude {
        let unknown = |(name, it): (&SmolStr, &Value)| (name.clone(), unknown(it));
        let variables = self.variables.iter().map(unknown).collect();
        Prelude { variables, directory: self.directory.clone() }
    }

    /// Changes the working directory of the expressions.
    pub fn working_in(self, directory: &Path) -> Prelude {
        Prelude { directory: directory.display().to_string(), ..self }
    }
}

fn variable(item: &Item) -> (SmolStr, Value) {
    let Item::Block(block) = item else { panic!("the prelude has a block for each variable") };
    let constant = |expr: &Expr| {
        let host = EvalHost::new(&OsSystem, ".", Release::V1_11);
        let scope = Scope { data: &NoData, host: &host, release: Release::V1_11 };
        let (value, mut errors) = evaluate(expr, &scope);
        errors.pop().map_or(Ok(value), Err)
    };
    let attribute = |name: &str| attribute(&block.body, name);
    let (constraint, errors) = parse_type(attribute("type"), &constant);
    assert_eq!(errors, [], "types in the prelude");
    let value = constant(attribute("default")).expect("a default in the prelude");
    let value = constraint.accept(&value).expect("a default of the variable's type");
    (block.labels[0].text.clone(), value)
}

fn unknown(value: &Value) -> Value {
    Value::unknown(value.ty().clone()).with_marks(value.marks())
}

fn attribute<'b>(body: &'b Body, name: &str) -> &'b Expr {
    let found = body.items.iter().find_map(|it| match it {
        Item::Attribute(it) if it.name.name == name => Some(&it.value),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{name} in the prelude"))
}

impl Data for Prelude {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        self.variables.value(namespace, name)
    }

    fn names(&self, namespace: Namespace) -> Vec<String> {
        self.variables.names(namespace)
    }

    fn declares(&self, _kind: &str, _name: &str) -> bool {
        false
    }

    fn provider(&self, name: &str) -> Option<Provider> {
        (name == "terraform").then_some(Provider::BuiltIn)
    }

    fn builtin(&self, root: &str, name: &str) -> Option<Value> {
        match (root, name) {
            ("path", "module" | "root") => Some(Value::string(".")),
            ("path", "cwd") => Some(Value::string(&self.directory)),
            ("terraform", "workspace") => Some(Value::string("default")),
            _ => None,
        }
    }
}

/// Evaluates the text as the value of an attribute, so that line ends count as they do in a file:
/// with unknown variables first, as Terraform does, and then with theirs.
pub fn evaluate_text(text: &str, data: &Prelude, release: Release) -> ApplyOutcome {
    let (expr, errors) = parse_value(FileId(0), format!("{text}\n").as_bytes(), 0);
    if !errors.is_empty() {
        return failure(&errors);
    }
    let host = EvalHost::new(&OsSystem, &data.directory, release);
    let run = |data: &Prelude| evaluate(&expr, &Scope { data, host: &host, release });
    let (_, errors) = run(&data.unknown());
    if !errors.is_empty() {
        return failure(&errors);
    }
    let (value, errors) = run(data);
    if errors.is_empty() { outcome(&value, release) } else { failure(&errors) }
}

/// Evaluates the text with unknown variables only.
pub fn plan_text(text: &str, data: &Prelude, release: Release) -> PlanOutcome {
    let (expr, errors) = parse_value(FileId(0), format!("{text}\n").as_bytes(), 0);
    if !errors.is_empty() {
        return PlanOutcome::Error;
    }
    let host = EvalHost::new(&OsSystem, &data.directory, release);
    let unknown = data.unknown();
    let (value, errors) = evaluate(&expr, &Scope { data: &unknown, host: &host, release });
    if !errors.is_empty() {
        return PlanOutcome::Error;
    }
    planned(&as_output(&value.unmark_deep().0, release))
        .map_or(PlanOutcome::Infinite, PlanOutcome::Value)
}

/// The value with marks for what is not known; nothing when there is an infinity in it.
fn planned(value: &Value) -> Option<Json> {
    match value.content() {
        ValueContent::Unknown(_) => Some(PlanOutcome::unknown()),
        ValueContent::Sequence(it) => {
            it.iter().map(planned).collect::<Option<_>>().map(Json::Array)
        }
        ValueContent::Mapping(it) => {
            let members = it.iter().map(|(name, it)| Some((name.to_string(), planned(it)?)));
            members.collect::<Option<_>>().map(Json::Object)
        }
        _ => Some(Json::parse(&json::value_to_json(value).ok()?)),
    }
}

fn failure(errors: &[Diagnostic]) -> ApplyOutcome {
    ApplyOutcome::Error(errors.iter().map(|it| it.summary.clone()).collect())
}

fn outcome(value: &Value, release: Release) -> ApplyOutcome {
    let (value, marks) = value.clone().unmark_deep();
    let ty = type_json(value.ty());
    if !value.is_wholly_known() {
        return if marks.is_undecided() {
            ApplyOutcome::Undecided
        } else {
            ApplyOutcome::Unknown { ty }
        };
    }
    match json::value_to_json(&as_output(&value, release)) {
        Ok(text) => ApplyOutcome::Value { ty, value: Json::parse(&text) },
        Err(_) => ApplyOutcome::Infinite,
    }
}

fn type_json(ty: &Type) -> Json {
    Json::parse(&json::type_to_json(ty).to_string())
}
