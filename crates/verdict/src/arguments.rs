//! Arguments of a call, judged by the variables that they are for and by the rules of these alone. The
//! rest of the module is ignored.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use smol_str::SmolStr;

use super::{JudgeSetting, is_limit, prepare::prepare, validation::ValidationJudge};
use diagnostics::{Diagnostic, Diagnostics, Span, lints};
use hcl::{Expr, ExprKind};
use module::{
    Module, Values, Variable,
    inputs::{Collected, GivenValue, Input, InputSource},
};
use tf_value::Value;

/// The answer of a module's variables and their rules to arguments.
#[derive(Clone, Debug)]
pub enum ArgumentsVerdict {
    /// All variables and rules accept them; the variables' final values.
    Accepts(BTreeMap<SmolStr, Value>),
    /// The errors: of conversion, or where all arguments convert, of rules.
    Refuses(Diagnostics),
    /// Undecided: the verdict depends on something else, named here.
    Undecided(String),
}

/// Judges the arguments of a call; a variable without an argument is one that the call leaves out.
pub fn judge_arguments(
    module: &Module,
    given: &BTreeMap<SmolStr, Value>,
    setting: JudgeSetting<'_>,
) -> ArgumentsVerdict {
    judge_arguments_of(module, None, given, setting)
}

/// Like [`judge_arguments`], by these variables alone. No rule of theirs may read another one.
pub fn judge_arguments_of(
    module: &Module,
    only: Option<&BTreeSet<SmolStr>>,
    given: &BTreeMap<SmolStr, Value>,
    setting: JudgeSetting<'_>,
) -> ArgumentsVerdict {
    let judged: Vec<&Variable> = match only {
        Some(only) => only.iter().filter_map(|it| module.variables.get(it)).collect(),
        None => module.variables.values().collect(),
    };
    let is_unknown = |it: &&SmolStr| !module.variables.contains_key(*it);
    let unsupported = |it: &SmolStr| {
        let problem = Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, "Unsupported argument");
        let detail = format!("An argument named \"{it}\" is not expected here.");
        problem.detail(detail).variable(it.clone())
    };
    let mut problems: Diagnostics = given.keys().filter(is_unknown).map(unsupported).collect();
    let given: Collected = given.iter().map(|(name, it)| (name.clone(), input(it))).collect();
    let mut values = BTreeMap::new();
    for variable in &judged {
        let name = &variable.name;
        match prepare(variable, given.get(name), setting.meter) {
            Some(Ok(value)) => _ = values.insert(name.clone(), value),
            Some(Err(problem)) => problems.push(problem),
            None => {
                return ArgumentsVerdict::Undecided("the run reached its work limit".to_owned());
            }
        }
    }
    if !problems.is_empty() {
        return ArgumentsVerdict::Refuses(problems);
    }
    let host = setting.host();
    let known = Values::new(module, values.clone(), setting.workspace, &host, setting.release);
    let judge = ValidationJudge::new(module, &host);
    let mut undecided = None;
    for variable in judged {
        for validation in &variable.validations {
            let judged = judge.judge(variable, validation, None, &known);
            let found = judged.diagnostics();
            let open =
                found.iter().find(|it| is_limit(it) || it.rule == lints::UNDECIDED_VALIDATION).map(
                    |it| if it.detail.is_empty() { it.summary.clone() } else { it.detail.clone() },
                );
            match found.into_iter().find(Diagnostic::is_error) {
                Some(error) if !is_limit(&error) => problems.push(error),
                _ if open.is_some() => undecided = undecided.or(open),
                _ if judged.is_unknown() => {
                    let what = || format!("a rule of \"{}\" was not known before", variable.name);
                    undecided = undecided.or_else(|| Some(what()));
                }
                _ => (),
            }
        }
    }
    if !problems.is_empty() {
        return ArgumentsVerdict::Refuses(problems);
    }
    undecided.map_or(ArgumentsVerdict::Accepts(values), ArgumentsVerdict::Undecided)
}

fn input(value: &Value) -> Input {
    let span = Span::default();
    let given = Arc::new(GivenValue::Expr(Expr { kind: ExprKind::Null, span }));
    Input { value: value.clone(), origin: InputSource::Call, name_span: span, given }
}
