//! Expressions: predicates, and values to equal.

use std::path::Path;

use smol_str::SmolStr;

use super::{LocatedValue, RELEASE, SYSTEM, ValueJudge};
use hcl::Expr;
use tf_eval::{EvalHost, NoData, Scope, evaluate_part};
use tf_value::{Type, Value, convert};

/// Whether a condition holds.
pub(super) enum Truth {
    True,
    False,
    /// Not known yet; with reasons, if there are any.
    Unknown(Vec<String>),
    /// It cannot be evaluated, whatever the unknowns are.
    Failed(String),
}

fn is_function(name: &str) -> bool {
    tf_eval::functions::lookup(name).is_some()
}

impl ValueJudge<'_> {
    pub(super) fn truth(&self, expr: &Expr, at: LocatedValue<'_>) -> Truth {
        let value = match self.evaluate(expr, at) {
            Ok(it) => it,
            Err(why) => return why,
        };
        let Ok(value) = convert(&value, &Type::Bool) else {
            return Truth::Failed(super::advice::NO_BOOL.to_owned());
        };
        if !value.is_known() || value.marks().is_undecided() {
            return Truth::Unknown(Vec::new());
        }
        match value.as_bool() {
            Some(true) => Truth::True,
            Some(false) => Truth::False,
            None => Truth::Failed("the condition gives null".to_owned()),
        }
    }

    /// The value of an expression. Errors: why there is none.
    pub(super) fn evaluate(&self, expr: &Expr, at: LocatedValue<'_>) -> Result<Value, Truth> {
        let host = EvalHost::metered(&SYSTEM, Path::new(""), RELEASE, self.meter);
        let scope = Scope { data: &NoData, host: &host, release: RELEASE };
        let around = at.around;
        let named = |name: &str| {
            Some(match name {
                "self" => at.value.clone(),
                "prior" => around.prior.clone(),
                "parent" => around.parent.clone(),
                "attrs" => around.attrs.clone(),
                "meta" => (around.meta)(),
                "context" => self.names.context.clone(),
                "local" => self.names.local.clone(),
                _ => return None,
            })
        };
        let mut bound: Vec<(SmolStr, Value)> = Vec::new();
        for it in tf_eval::references(expr) {
            if !bound.iter().any(|known| known.0 == it.name) {
                bound.extend(named(it.name).map(|value| (it.name.into(), value)));
            }
        }
        let evaluation = evaluate_part(expr, &scope, &bound);
        let Some(first) = evaluation.diagnostics.first() else { return Ok(evaluation.value) };
        if first.rule == diagnostics::lints::BUDGET_EXCEEDED {
            self.is_exceeded.set(true);
            return Err(Truth::Unknown(vec![super::TOO_MUCH.to_owned()]));
        }
        // With unknown values an error proves nothing: their real values may not cause it.
        let is_open = |value: &Value| !value.is_wholly_known() || value.deep_marks().is_undecided();
        if bound.iter().any(|it| is_open(&it.1)) {
            return Err(Truth::Unknown(Vec::new()));
        }
        // The details are left out, since they may quote values.
        let function = first.detail.strip_prefix("Call to function \"");
        let function = function.and_then(|it| it.split('"').next()).filter(|it| is_function(it));
        Err(Truth::Failed(match function {
            Some("regex") => "the pattern of regex does not match".to_owned(),
            Some(name) => format!("the condition cannot be evaluated: {name} fails"),
            None => format!("the condition cannot be evaluated: {}", first.summary),
        }))
    }

    /// The author's message for this value; `None` if it would reveal a secret.
    pub(super) fn author_message(
        &self,
        message: Option<&Expr>,
        at: LocatedValue<'_>,
    ) -> Option<String> {
        let value = self.evaluate(message?, at).ok()?;
        if at.is_hidden || super::hidden(value.deep_marks()) {
            return None;
        }
        value.as_str().map(str::to_owned)
    }
}
