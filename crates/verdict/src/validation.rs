//! The one judge of `validation` blocks, for values that are given, passed by a call, or only tried.

use super::{
    explain::{self, Explanation},
    regardless,
};
use diagnostics::{Diagnostic, Diagnostics, Role, Shift, Sources, lints};
use hcl::{Expr, ExprKind};
use module::{Module, Validation, Values, Variable, inputs::Input};
use release::changes;
use stack::guarded;
use tf_eval::{EvalHost, Evaluation, Scope, check_references, evaluate_in_detail};
use tf_value::{Path, Type, Value, ValueContent, convert};

/// Replaces the author's message where it cannot be shown.
const INVALID_VALUE: &str = "Invalid value for variable";

/// Judges the validations of a module's variables: in a walk over a tree of modules, for the arguments of a call, and
/// for values that nobody gave.
#[derive(Clone, Copy)]
pub(super) struct ValidationJudge<'a> {
    sources: &'a Sources,
    host: &'a EvalHost<'a>,
    /// Turns the module's places into those of the root, whose budgets the work is charged to.
    shift: Shift,
    /// Whether this is the static pass, in which every variable is unknown.
    is_static: bool,
}

impl<'a> ValidationJudge<'a> {
    /// A judge for given values in a module that is the root.
    pub fn new(module: &'a Module, host: &'a EvalHost<'a>) -> ValidationJudge<'a> {
        let (shift, is_static) = (Shift::default(), false);
        ValidationJudge { sources: &module.sources, host, shift, is_static }
    }

    /// The same judge in a pass over a tree of modules.
    pub fn in_pass(self, shift: Shift, is_static: bool) -> ValidationJudge<'a> {
        ValidationJudge { shift, is_static, ..self }
    }

    /// Begins the work that is charged to a validation.
    pub fn begin(&self, validation: &Validation) {
        self.host.begin(Some(validation.condition.span.shifted(self.shift)));
    }

    /// Evaluates the condition of a validation. `given`: the given value; `None` when the default is used.
    pub fn judge<'v, 'd>(
        &self,
        variable: &'v Variable,
        validation: &'v Validation,
        given: Option<&'v Input>,
        values: &'v Values<'d>,
    ) -> JudgedValidation<'v, 'd>
    where
        'a: 'v,
    {
        self.begin(validation);
        let ValidationJudge { sources, is_static, .. } = *self;
        let rule = Rule { variable, validation, given, sources, is_static };
        let condition = condition(&rule, values);
        JudgedValidation { rule, condition, values }
    }
}

/// A validation whose condition is evaluated.
pub(super) struct JudgedValidation<'v, 'd> {
    rule: Rule<'v>,
    condition: Evaluation,
    values: &'v Values<'d>,
}

impl JudgedValidation<'_, '_> {
    /// The diagnostics of the validation, with its error message; none when it holds.
    pub fn diagnostics(&self) -> Diagnostics {
        let Checked { of_rule, of_value } = checked(&self.rule, &self.condition, self.values);
        [of_rule, of_value].concat()
    }

    /// The error of a value that the rule refuses. That its message cannot be evaluated says nothing about the value.
    pub fn refusal(&self) -> Option<Diagnostic> {
        let Checked { of_rule, of_value } = checked(&self.rule, &self.condition, self.values);
        let exceeded = of_rule.into_iter().filter(|it| it.rule == lints::BUDGET_EXCEEDED);
        exceeded.chain(of_value).find(Diagnostic::is_error)
    }

    /// Whether the condition is unknown during the plan too: Terraform accepts it.
    pub fn is_unknown(&self) -> bool {
        truth(&self.condition.value) == Ok(Truth::Unknown)
    }

    /// The errors of the condition itself, which say nothing about the value; none when it can be evaluated.
    pub fn crash(&self) -> &Diagnostics {
        &self.condition.diagnostics
    }

    /// An error of the condition as the plan reports it.
    pub fn as_reported(&self, crash: Diagnostic) -> Diagnostic {
        crashed(&self.rule, crash)
    }

    /// Adds the value's demand to an error, if the demand is all that the validation says: `"name" must be a string of
    /// 3 to 63 characters`.
    pub fn add_demand(
        &self,
        found: &mut Diagnostics,
        demand: impl FnOnce(usize) -> Option<String>,
    ) {
        let Some(index) = self.rule.validation.index else { return };
        let error =
            found.iter_mut().find(|it| it.rule == lints::FAILED_VALIDATION && it.help.is_none());
        let Some(error) = error else { return };
        // A demand that no value meets does not help.
        let is_short = |it: &String| it.chars().count() <= LONGEST_DEMAND && !it.ends_with('…');
        let demand = demand(index).filter(|it| it != "nothing" && is_short(it));
        error.help = demand.map(|it| format!("\"{}\" must be {it}", self.rule.variable.name));
    }
}

/// A `validation` block in its place.
struct Rule<'a> {
    variable: &'a Variable,
    validation: &'a Validation,
    /// The given value; `None` when the default is used.
    given: Option<&'a Input>,
    sources: &'a Sources,
    is_static: bool,
}

impl Rule<'_> {
    fn blame(&self, diagnostic: Diagnostic) -> Diagnostic {
        let diagnostic = diagnostic.variable(self.variable.name.clone());
        match self.validation.index {
            Some(index) => diagnostic.validation(index),
            None => diagnostic,
        }
    }

    /// Adds the places to a diagnostic about the value: the value's first, then the rule's.
    fn at_value(&self, diagnostic: Diagnostic) -> Diagnostic {
        let place = self.given.map(Input::span);
        let diagnostic = match place {
            Some(span) => diagnostic.at(Role::Value, span),
            None => diagnostic.at(Role::Declaration, self.variable.span),
        };
        self.blame(diagnostic.at(Role::Rule, self.validation.condition.span))
    }
}

/// The errors of a rule whose condition was evaluated; none when it holds.
struct Checked {
    /// Of the condition or the message, which cannot be evaluated.
    of_rule: Diagnostics,
    /// Of the value that the rule refuses.
    of_value: Diagnostics,
}

fn checked(rule: &Rule<'_>, condition: &Evaluation, values: &Values<'_>) -> Checked {
    let data = values.in_rules_of(&rule.variable.name);
    let scope = values.scope_of(&data);
    if let Some(problem) = unknown_function(&rule.validation.condition, &scope) {
        return Checked { of_rule: vec![crashed(rule, problem)], of_value: Vec::new() };
    }
    let message = rule.validation.error_message.as_ref();
    // A plain text cannot have errors.
    let message = message.filter(|it| !matches!(it.kind, ExprKind::String(_)));
    let message = message.map(|it| evaluate_message(rule, it, &scope));
    let mut found = condition.diagnostics.clone();
    // An exhausted budget ends all evaluation.
    let is_stopped = found.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED);
    if let (Some(message), false) = (&message, is_stopped) {
        found.extend(message.diagnostics.clone());
    }
    let of_rule = found.into_iter().map(|it| crashed(rule, it)).collect();
    let is_open = truth(&condition.value) == Ok(Truth::Undecided);
    let holds = is_open && regardless::holds(&rule.validation.condition, &scope);
    let is_judged = condition.diagnostics.is_empty() && !holds;
    let of_value = is_judged.then(|| judge(rule, condition, message.as_ref(), &values.scope()));
    Checked { of_rule, of_value: of_value.unwrap_or_default() }
}

/// The longest demand that is shown, in characters; a longer one is harder to read than the condition.
const LONGEST_DEMAND: usize = 160;

/// The error for a function of an undeclared provider, in releases that check it before any evaluation.
fn unknown_function(expr: &Expr, scope: &Scope<'_>) -> Option<Diagnostic> {
    if !scope.release.has(&changes::PROVIDER_FUNCTIONS_CHECKED) {
        return None;
    }
    if let ExprKind::Call { name, .. } = &expr.kind
        && let Some(rest) = name.name.strip_prefix("provider::")
        && let Some((provider, _)) = rest.split_once("::")
        && scope.data.provider(provider).is_none()
    {
        let problem = Diagnostic::new(&lints::FAILED_VALIDATION, "Unknown function provider");
        let detail = format!("required_providers does not list {provider:?}.");
        return Some(problem.detail(detail).at(Role::Rule, expr.span));
    }
    guarded(|| {
        let mut found = None;
        expr.for_each_child(&mut |child| {
            if found.is_none() {
                found = unknown_function(child, scope);
            }
        });
        found
    })
}

/// Evaluates a message. In JSON a message that cannot be evaluated is taken literally, unless it refers
/// to something undeclared.
fn evaluate_message(rule: &Rule<'_>, expr: &Expr, scope: &Scope<'_>) -> Evaluation {
    let mut evaluation = evaluate_in_detail(expr, scope);
    let plain = rule.validation.plain_message.as_ref();
    if let (Some(text), true) = (plain, check_references(expr, scope).is_empty())
        && !evaluation.diagnostics.is_empty()
    {
        evaluation.diagnostics.clear();
        evaluation.value = Value::string(text);
    }
    evaluation
}

/// Evaluates the condition.
fn condition(rule: &Rule<'_>, values: &Values<'_>) -> Evaluation {
    let data = values.in_rules_of(&rule.variable.name);
    evaluate_in_detail(&rule.validation.condition, &values.scope_of(&data))
}

/// Reports an error inside the condition or the message as itself.
fn crashed(rule: &Rule<'_>, mut diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.rule != lints::BUDGET_EXCEEDED {
        diagnostic.rule = (&lints::FAILED_VALIDATION).into();
    }
    if let Some(span) = rule.given.map(Input::span) {
        diagnostic = diagnostic.at(Role::Value, span);
    }
    rule.blame(diagnostic)
}

fn judge(
    rule: &Rule<'_>,
    condition: &Evaluation,
    message: Option<&Evaluation>,
    shown: &Scope<'_>,
) -> Diagnostics {
    match truth(&condition.value) {
        Ok(Truth::True) => Vec::new(),
        Ok(Truth::Unknown) => Vec::new(),
        Ok(Truth::Undecided) => vec![undecided(rule, &condition.undecided)],
        Ok(Truth::False) => failed(rule, message, shown),
        Err(reason) => {
            let diagnostic =
                Diagnostic::new(&lints::FAILED_VALIDATION, "Invalid variable validation result");
            vec![rule.at_value(diagnostic.detail(reason))]
        }
    }
}

/// The result of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    True,
    False,
    /// Unknown during the plan too: Terraform accepts it.
    Unknown,
    Undecided,
}

/// Reads a condition's value. Errors: why it is not a truth value.
pub(super) fn truth(value: &Value) -> Result<Truth, String> {
    // A collection is never a truth value, whatever it contains.
    let is_collection =
        matches!(value.content(), ValueContent::Sequence(_) | ValueContent::Mapping(_));
    let is_settled = is_collection && !value.marks().is_undecided();
    if !is_settled && value.deep_marks().is_undecided() {
        return Ok(Truth::Undecided);
    }
    if !value.is_known() {
        return Ok(Truth::Unknown);
    }
    if value.is_null() {
        return Err("Validation condition expression must return either true or false, not null."
            .to_owned());
    }
    let value = convert(value, &Type::Bool)
        .map_err(|it| format!("Invalid validation condition result value: {}.", it.reason))?;
    Ok(if value.as_bool() == Some(true) { Truth::True } else { Truth::False })
}

fn undecided(rule: &Rule<'_>, reasons: &[String]) -> Diagnostic {
    let name = &rule.variable.name;
    let summary = format!("Only a plan can decide whether a rule of \"{name}\" holds");
    let diagnostic = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
    let diagnostic = diagnostic.detail(format!("It depends on {}.", reasons.join(", ")));
    rule.blame(diagnostic.at(Role::Rule, rule.validation.condition.span))
}

fn failed(rule: &Rule<'_>, message: Option<&Evaluation>, shown: &Scope<'_>) -> Diagnostics {
    let unknown = message.is_some_and(|it| !it.value.is_wholly_known());
    if unknown && rule.is_static {
        // The real pass reports it, with a message.
        return Vec::new();
    }
    let condition = &rule.validation.condition;
    let name = &rule.variable.name;
    let Explanation { text, path } = explain::explain(condition, name, shown, rule.sources);
    // The place of a fault inside a sensitive value would reveal something about it.
    let path = if rule.variable.is_hidden() { Path::default() } else { path };
    let failure = Diagnostic::new(&lints::FAILED_VALIDATION, message_text(rule, shown));
    let failure = match rule.given {
        Some(given) => failure.at(Role::Value, given.locate(&path).value),
        None => failure.at(Role::Declaration, rule.variable.span),
    };
    let failure = rule.blame(failure.at_with(Role::Rule, condition.span, text));
    let failure = if path.is_empty() { failure } else { failure.path(path.json_pointer()) };
    std::iter::once(failure).chain(no_message(rule, message)).collect()
}

/// The error for a message that is not a string. Its value may be a secret and is not shown.
fn no_message(rule: &Rule<'_>, message: Option<&Evaluation>) -> Option<Diagnostic> {
    let message = message.filter(|it| it.diagnostics.is_empty())?;
    convert(&message.value, &Type::String).err()?;
    let place = rule.validation.error_message.as_ref()?.span;
    let diagnostic = Diagnostic::new(&lints::FAILED_VALIDATION, "Invalid error message");
    let diagnostic = diagnostic.detail("The error message must be a string.");
    Some(rule.blame(diagnostic.at(Role::Rule, place)))
}

/// The author's message with secrets hidden. The variable's own value counts as marked here; Terraform
/// prints a sensitive value that the message interpolates.
fn message_text(rule: &Rule<'_>, shown: &Scope<'_>) -> String {
    let plain = || format!("{INVALID_VALUE} \"{}\"", rule.variable.name);
    let Some(expr) = &rule.validation.error_message else { return plain() };
    let message = evaluate_message(rule, expr, shown);
    let (value, marks) = (&message.value, message.value.deep_marks());
    if marks.is_hidden() {
        let is_sensitive = marks.is_sensitive() || !marks.is_ephemeral();
        let of = if is_sensitive { "a sensitive" } else { "an ephemeral" };
        return plain() + ": the error message contains " + of + " value, so it is not shown";
    }
    if let Some(reason) = no_text(&message) {
        return format!("{}: the error message {reason}", plain());
    }
    let text = convert(value, &Type::String).ok();
    let text = text.as_ref().and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if text.is_empty() { plain() } else { text.to_owned() }
}

/// Why there is no text of a message, after "the error message"; `None` if it is known.
pub(super) fn no_text(message: &Evaluation) -> Option<String> {
    let Evaluation { value, diagnostics, undecided } = message;
    if !diagnostics.is_empty() {
        return Some("cannot be evaluated".to_owned());
    }
    if value.is_known() {
        return None;
    }
    Some(match (value.deep_marks().is_undecided(), &**undecided) {
        (false, _) => "is known only after apply".to_owned(),
        (true, []) => "is known only to a plan".to_owned(),
        (true, reasons) => format!("depends on {}", reasons.join(", ")),
    })
}
