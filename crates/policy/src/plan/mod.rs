//! Reads the JSON that `terraform show -json` writes for a plan or a state.

mod configuration;
mod json;
mod read;
mod values;

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

pub(super) use configuration::{Module, PlanConfiguration, Resource, without_keys};
pub use json::PlanJson;
pub(super) use read::Values;
pub(super) use values::{Parts, blocks_of};

use super::{Asked, asked::Names, language::Action};
use diagnostics::{Diagnostic, Finding, Sources, lints};
use hcl::json::decoded;

/// A plan, or a state as a plan that changes nothing.
#[derive(Debug, Default)]
pub struct Plan {
    pub(super) changes: Vec<Change>,
    pub(super) outputs: BTreeMap<String, Values>,
    pub(super) variables: BTreeMap<String, Variable>,
    pub(super) configuration: PlanConfiguration,
    /// Whether it is a state, which has neither outputs to change nor a configuration.
    pub is_state: bool,
    /// Whether nothing was left out of the plan: by `-target`, or by changes that are deferred.
    pub(super) is_complete: bool,
    /// The types of data sources (`true`) and resources, even those that no rule asks for.
    pub(super) types: std::collections::BTreeSet<(bool, SmolStr)>,
}

#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Variable {
    pub value: PlanJson,
}

/// An instance of a resource or data source, and what happens to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    pub address: SmolStr,
    pub previous_address: Option<SmolStr>,
    pub module: SmolStr,
    pub is_data: bool,
    pub ty: SmolStr,
    pub name: SmolStr,
    pub index: PlanJson,
    pub provider: SmolStr,
    pub values: Values,
    /// The arguments of its type that rules ask for; `None` if no rule asks for the type.
    pub names: Option<Rc<Names>>,
    /// Whether it comes from a state, so that nothing happens to it.
    pub is_stored: bool,
}

impl Values {
    /// The one action for the plan's list of actions: `["delete", "create"]` is a replacement. `None` if the
    /// list is not known here.
    pub fn action(&self) -> Option<Action> {
        let words: Vec<&str> = self.actions.iter().map(SmolStr::as_str).collect();
        Some(match words.as_slice() {
            ["create"] => Action::Create,
            ["update"] => Action::Update,
            ["delete"] => Action::Delete,
            ["no-op"] => Action::NoOp,
            ["read"] => Action::Read,
            ["forget"] => Action::Forget,
            ["delete", "create"] | ["create", "delete" | "forget"] => Action::Replace,
            _ => return None,
        })
    }
}

/// The major format versions that are known: of plans and of states.
const FORMAT: &str = "1";

/// Reads the JSON of a plan or a state. Errors: a sentence about what the text is instead.
pub fn read(bytes: &[u8], asked: &Asked) -> Result<Plan, String> {
    if bytes.starts_with(b"PK") {
        return Err("it is a binary plan; convert it with `terraform show -json PLAN`".to_owned());
    }
    let text = decoded(bytes).map_err(|it| match it.line {
        Some(line) => format!("it is not JSON: line {line} has bytes that are not UTF-8"),
        None => {
            format!("it is not JSON: it begins like {}, and has bytes that are not", it.encoding)
        }
    })?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    let read = serde::de::DeserializeSeed::deserialize(read::Top(asked), &mut reader);
    let document =
        read.and_then(|it| reader.end().map(|()| it)).map_err(|it| described(&it, &text))?;
    let is_known = |it: &String| it.split('.').next() == Some(FORMAT);
    match &document.format_version {
        Some(it) if is_known(it) => (),
        Some(it) => {
            let seen = diagnostics::visible_line(it);
            return Err(format!("its format version is {seen:?}; terraschema reads {FORMAT}.x"));
        }
        None => {
            return Err("it is neither a plan nor a state: it has no format_version".to_owned());
        }
    }
    if document.errored {
        return Err(
            "the plan is errored: Terraform could not finish it, so it is incomplete".to_owned()
        );
    }
    if !document.is_plan && !document.is_state {
        return Err("it has neither resource_changes nor values: it is empty, or not a plan or \
            state"
            .to_owned());
    }
    if let Some(problem) = document.problem {
        return Err(problem);
    }
    if document.planned > 0 && !document.has_changes {
        return Err("it has planned_values with resources, but no resource_changes: write the \
            whole output of `terraform show -json`"
            .to_owned());
    }
    let mut plan = document.plan;
    plan.is_state = !document.is_plan;
    plan.is_complete = plan.is_state || document.complete != Some(false);
    plan.drop_repeated();
    Ok(plan)
}

fn described(error: &serde_json::Error, text: &str) -> String {
    if text.trim_ascii().is_empty() {
        return "it is empty".to_owned();
    }
    if error.is_eof() {
        return format!("it is truncated at line {}", error.line());
    }
    let first = text.lines().next().unwrap_or_default();
    if first.starts_with('{') && first.contains("\"@level\":") {
        return "it is the log of `terraform plan -json`; write the plan with `terraform plan \
            -out PLAN`, and convert it with `terraform show -json PLAN`"
            .to_owned();
    }
    // Serde's message is left out, since it may quote a value.
    let (line, column) = (error.line(), error.column());
    if error.is_data() {
        format!("it is not a plan or state: line {line}, column {column} has another type")
    } else {
        format!("it is not JSON, or nests too deeply: line {line}, column {column}")
    }
}

impl Plan {
    /// A finding if something was left out of the plan, which is shown as `shown`.
    pub fn remark(&self, shown: &str) -> Option<Finding> {
        let summary = format!("{shown} does not contain all changes of its configuration");
        let problem = Diagnostic::new(&lints::INCOMPLETE_PLAN, summary)
            .detail(
                "The missing changes are not judged. The plan was made with -target or \
                -exclude, or Terraform defers changes.",
            )
            .help("judge the plan with the other changes too");
        (!self.is_complete).then(|| Finding::new(&problem, "", &Sources::new()))
    }

    /// The values of the root module's variables, as a values file in JSON.
    pub(super) fn variables_text(&self) -> String {
        let values = self.variables.iter();
        let values = values.map(|(name, it)| (name.clone(), it.value.to_serde()));
        serde_json::Value::Object(values.collect()).to_string()
    }

    /// Drops a data source of the prior state if the plan reads it again.
    fn drop_repeated(&mut self) {
        if self.is_state {
            return;
        }
        let mut seen = std::collections::HashSet::new();
        self.changes.sort_by_key(|it| it.is_data && it.is_stored);
        self.changes.retain(|it| !it.is_data || seen.insert(it.address.clone()));
    }
}
