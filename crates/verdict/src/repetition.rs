//! `count` and `for_each`: how many instances there are of a call or a resource.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use diagnostics::{Cause, Diagnostic, Diagnostics, Lint, Role, Span, lints};
use hcl::analysis::ConstantIndex;
use module::Repetition;
use release::changes;
use tf_eval::{Instance, Scope, evaluate_in_detail, functions::Failure};
use tf_value::{Marks, Type, Value, convert};

/// The work of one more instance.
const INSTANCE: u64 = 20;

/// Instances of a block with more than these are not reported one by one.
const MOST_REPORTED: u64 = 10_000;
/// The reason that the doubt about such a block gives.
pub(super) const TOO_MANY: &str = "more than 10000 instances";

/// The instances of a call or a resource. For example: `count = 2` is `Count(2)`, and `for_each =
/// toset(["a"])` is `Each` with the key `a`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expansion {
    /// One instance, without a key.
    Single,
    /// No instance of a block that could have one: its value is null.
    Disabled,
    /// This many instances, with the keys 0, 1, ….
    Count(u64),
    /// One instance for each key, with its value.
    Each(BTreeMap<SmolStr, Value>),
    /// An unknown number, in Terraform's static pass or here.
    Open { is_count: bool, reasons: Vec<String> },
}

impl Expansion {
    /// The instance names (`count`, `each`) that the expressions of each instance may refer to.
    pub fn instances(&self, is_static: bool) -> Vec<Instance> {
        let instance = Instance::default();
        match self {
            Expansion::Single => vec![instance],
            Expansion::Disabled => Vec::new(),
            // Terraform's static pass evaluates each body once, however many instances there are.
            Expansion::Count(_) if is_static => Expansion::open(true).instances(is_static),
            Expansion::Each(_) if is_static => Expansion::open(false).instances(is_static),
            Expansion::Count(count) => {
                let index = |it| Value::int(i64::try_from(it).unwrap_or(i64::MAX));
                (0..*count)
                    .map(|it| Instance { count: Some(index(it)), ..Instance::default() })
                    .collect()
            }
            Expansion::Each(elements) => {
                let each = |(key, value): (&SmolStr, &Value)| Instance {
                    each: Some((Value::string(key), value.clone())),
                    ..Instance::default()
                };
                elements.iter().map(each).collect()
            }
            Expansion::Open { is_count, .. } => {
                let marks = if is_static { Marks::NONE } else { Marks::UNDECIDED };
                // In the static pass even nullness is unknown.
                let unknown = |ty| {
                    if is_static {
                        Value::unknown(ty)
                    } else {
                        Value::unknown_not_null(ty).with_marks(marks)
                    }
                };
                vec![if *is_count {
                    Instance { count: Some(unknown(Type::Number)), ..instance }
                } else {
                    let value = Value::unknown(Type::Dynamic).with_marks(marks);
                    Instance { each: Some((unknown(Type::String), value)), ..instance }
                }]
            }
        }
    }

    /// The expansion for reports about each instance: one with too many instances, or with a number that
    /// could not be found, stays open as a whole.
    pub fn for_reports(found: Option<Expansion>, repetition: &Repetition) -> Expansion {
        let is_count = repetition.for_each.is_none();
        let open = |reasons| Expansion::Open { is_count, reasons };
        match found {
            None if repetition.expr().or(repetition.enabled.as_ref()).is_none() => {
                Expansion::Single
            }
            None => open(Vec::new()),
            Some(Expansion::Count(count)) if count > MOST_REPORTED => {
                open(vec![TOO_MANY.to_owned()])
            }
            Some(Expansion::Each(all)) if all.len() as u64 > MOST_REPORTED => {
                open(vec![TOO_MANY.to_owned()])
            }
            Some(found) => found,
        }
    }

    /// Whether the instance with this key, or without one, surely exists.
    pub fn has(&self, key: Option<&ConstantIndex>) -> bool {
        match (self, key) {
            (Expansion::Single, None) => true,
            (Expansion::Count(count), Some(ConstantIndex::Number(it))) => {
                it.parse::<u64>().is_ok_and(|it| it < *count)
            }
            (Expansion::Each(elements), Some(ConstantIndex::String(it))) => {
                elements.contains_key(it)
            }
            _ => false,
        }
    }

    fn open(is_count: bool) -> Expansion {
        Expansion::Open { is_count, reasons: Vec::new() }
    }

    /// The value of the whole, from the values of the instances: an object, a tuple of them, or an
    /// object of them by key.
    pub fn whole(&self, mut values: Vec<Value>) -> Value {
        match self {
            Expansion::Single if values.len() == 1 => values.swap_remove(0),
            Expansion::Disabled => Value::null(Type::Dynamic),
            Expansion::Count(_) => Value::tuple(values),
            Expansion::Each(elements) => {
                Value::object(elements.keys().cloned().zip(values).collect())
            }
            Expansion::Single | Expansion::Open { .. } => {
                Value::unknown(Type::Dynamic).with_marks(Marks::UNDECIDED)
            }
        }
    }
}

/// The instance names that the expressions of each instance may refer to; one instance with unknown keys, if
/// only a plan knows how many there are.
pub fn instances(repetition: &Repetition, scope: &Scope<'_>) -> Vec<Instance> {
    Expansion::for_reports(expand(repetition, scope, false).0, repetition).instances(false)
}

/// Evaluates `count` or `for_each`, whose expressions cannot use `count` or `each`. `None` after an
/// error. In the static pass (`is_static`) an unknown number is not an error.
pub(super) fn expand(
    repetition: &Repetition,
    scope: &Scope<'_>,
    is_static: bool,
) -> (Option<Expansion>, Diagnostics) {
    let Some(expr) = repetition.expr().or(repetition.enabled.as_ref()) else {
        return (Some(Expansion::Single), Vec::new());
    };
    let evaluation = evaluate_in_detail(expr, scope);
    if !evaluation.diagnostics.is_empty() {
        return (None, evaluation.diagnostics);
    }
    let asked = Asked {
        value: evaluation.value,
        reasons: evaluation.undecided,
        span: expr.span,
        is_static,
        takes_ephemeral: !scope.release.has(&changes::COUNT_EPHEMERAL),
    };
    let found = match repetition {
        Repetition { count: Some(_), .. } => asked.count(),
        Repetition { for_each: Some(_), .. } => asked.for_each(),
        Repetition { .. } => asked.enabled(),
    };
    let found = found.and_then(|it| afford(it, scope, expr.span));
    match found {
        Ok(it) => (Some(it), Vec::new()),
        Err(problem) => (None, vec![*problem]),
    }
}

/// Charges the work of the instances.
fn afford(found: Expansion, scope: &Scope<'_>, span: Span) -> Result<Expansion, Box<Diagnostic>> {
    let count = match &found {
        Expansion::Count(it) => *it,
        Expansion::Each(it) => it.len() as u64,
        Expansion::Single | Expansion::Disabled | Expansion::Open { .. } => 1,
    };
    match scope.host.spend(count.saturating_mul(INSTANCE)) {
        Err(Failure::Budget { bound, message }) => {
            let problem = Diagnostic::new(&lints::BUDGET_EXCEEDED, "Too many instances");
            let problem = problem.cause(Cause::Budget(bound)).detail(message);
            Err(problem.at(Role::Rule, span).into())
        }
        Ok(()) | Err(_) => Ok(found),
    }
}

/// The value of a `count`, `enabled` or `for_each` expression.
struct Asked {
    value: Value,
    /// The plan's values that it depends on.
    reasons: Vec<String>,
    span: Span,
    is_static: bool,
    /// Whether an ephemeral value is accepted.
    takes_ephemeral: bool,
}

type Found = Result<Expansion, Box<Diagnostic>>;

impl Asked {
    fn error(
        &self,
        rule: &'static Lint,
        summary: &str,
        detail: impl Into<String>,
    ) -> Box<Diagnostic> {
        let problem = Diagnostic::new(rule, summary).detail(detail);
        problem.at(Role::Declaration, self.span).into()
    }

    /// A `count`: a whole number that is not negative; it may be sensitive.
    fn count(self) -> Found {
        let refuse =
            |detail: &str| self.error(&lints::INVALID_COUNT, "Invalid count argument", detail);
        let (value, marks) = self.value.clone().unmark();
        if marks.is_ephemeral() && !self.takes_ephemeral {
            return Err(refuse("The number of instances cannot depend on an ephemeral value."));
        }
        if value.is_known() && value.is_null() {
            return Err(refuse(
                "The given \"count\" argument value is null. An integer is required.",
            ));
        }
        let number = convert(&value, &Type::Number).map_err(|it| {
            let detail =
                format!("The given \"count\" argument value is unsuitable: {}.", it.reason);
            self.error(&lints::INVALID_COUNT, "Incorrect value type", detail)
        })?;
        if !number.is_known() {
            return self.open(true, &lints::INVALID_COUNT, "Invalid count argument");
        }
        let number = number.as_number().cloned();
        match number {
            Some(it) if it.is_negative() && !it.is_zero() => Err(refuse(
                "The given \"count\" argument value is unsuitable: must be greater \
                    than or equal to zero.",
            )),
            Some(it) => match it.to_u64().filter(|_| it.is_integer()) {
                Some(count) if i64::try_from(count).is_ok() => Ok(Expansion::Count(count)),
                _ => Err(refuse(
                    "The given \"count\" argument value is unsuitable: a whole \
                    number is required.",
                )),
            },
            None => Err(refuse(
                "The given \"count\" argument value is unsuitable: a number is \
                required.",
            )),
        }
    }

    /// An `enabled`: true or false, without marks.
    fn enabled(self) -> Found {
        let refuse =
            |detail: &str| self.error(&lints::INVALID_COUNT, "Invalid enabled argument", detail);
        let (value, marks) = self.value.clone().unmark();
        if marks.is_sensitive() || marks.is_ephemeral() {
            return Err(refuse(
                "It cannot come from a sensitive or ephemeral value, because Terraform shows it.",
            ));
        }
        if value.is_known() && value.is_null() {
            return Err(refuse(
                "The given \"enabled\" argument value is null. True or false is \
                required.",
            ));
        }
        let Ok(value) = convert(&value, &Type::Bool) else {
            return Err(refuse("The given \"enabled\" argument value is neither true nor false."));
        };
        match value.as_bool() {
            Some(false) if !self.is_static => Ok(Expansion::Disabled),
            None if !self.is_static => {
                self.open(true, &lints::INVALID_COUNT, "Invalid enabled argument")
            }
            _ => Ok(Expansion::Single),
        }
    }

    /// A `for_each`: a map, an object, or a set of strings.
    fn for_each(self) -> Found {
        let summary = "Invalid for_each argument";
        let refuse = |detail: &str| self.error(&lints::INVALID_FOR_EACH, summary, detail);
        let marks = match self.value.ty() {
            // Only the keys of a map are shown, so its elements may be sensitive.
            Type::Set(_) => self.value.deep_marks(),
            _ => self.value.marks(),
        };
        if marks.is_sensitive() || marks.is_ephemeral() {
            return Err(refuse(
                "Sensitive or ephemeral values cannot be used as for_each keys, because \
                Terraform shows the keys.",
            ));
        }
        let (value, _) = self.value.clone().unmark();
        if value.is_known() && value.is_null() {
            return Err(refuse(
                "The given \"for_each\" argument value is null. A map, or set of strings is \
                allowed.",
            ));
        }
        match value.ty() {
            Type::Map(_) | Type::Object(_) => match value.as_mapping() {
                Some(it) => Ok(Expansion::Each(it.clone())),
                None => self.open(false, &lints::INVALID_FOR_EACH, summary),
            },
            Type::Set(element) => self.set(&value, element),
            Type::Dynamic => self.open(false, &lints::INVALID_FOR_EACH, summary),
            ty => {
                let detail = format!(
                    "The given \"for_each\" argument value is unsuitable: it must be a map, or \
                    set of strings, but it is a {}.",
                    ty.friendly_name()
                );
                Err(refuse(&detail))
            }
        }
    }

    /// The keys of a set. Terraform ignores the element type of a set that is empty or not completely known.
    fn set(&self, value: &Value, element: &Type) -> Found {
        let refuse = |detail: String| {
            Err(self.error(&lints::INVALID_FOR_EACH, "Invalid for_each set argument", detail))
        };
        let elements = match value.as_sequence() {
            Some(it) if it.iter().all(Value::is_known) => it,
            _ => return self.open(false, &lints::INVALID_FOR_EACH, "Invalid for_each argument"),
        };
        if !elements.is_empty() && !matches!(element, Type::String | Type::Dynamic) {
            let ty = element.friendly_name();
            return refuse(format!("The set must contain strings, but it is a set of {ty}."));
        }
        if elements.iter().any(Value::is_null) {
            return refuse("\"for_each\" sets must not contain null values.".to_owned());
        }
        let keys = elements.iter().filter_map(|it| Some((it.as_str()?.into(), it.clone())));
        Ok(Expansion::Each(keys.collect()))
    }

    /// An unknown number: an error in the real pass, unless the plan knows it.
    fn open(&self, is_count: bool, rule: &'static Lint, summary: &str) -> Found {
        if self.is_static || self.value.deep_marks().is_undecided() {
            return Ok(Expansion::Open { is_count, reasons: self.reasons.clone() });
        }
        let detail = "It depends on values that are known only after apply.";
        Err(self.error(rule, summary, detail))
    }
}
