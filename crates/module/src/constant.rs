//! Constant expressions: Terraform refuses references and function calls in defaults, `nullable` and
//! values files.

use diagnostics::{Diagnostic, Diagnostics, Lint, Role};
use hcl::{Expr, ExprKind};
use release::Release;
use system::DeniedSystem;
use tf_eval::{EvalHost, Meter};
use tf_value::{Type, Value, convert};

/// Evaluates an expression that may use operators, templates and `for`, but neither references nor
/// calls; on an error the value is a dynamic unknown. Diagnostics are of `rule` and show values.
pub fn evaluate_constant(
    expr: &Expr,
    rule: &'static Lint,
    release: Release,
    meter: &Meter,
) -> (Value, Diagnostics) {
    meter.begin(None);
    let host = EvalHost::metered(&DeniedSystem, ".", release, meter);
    let (value, mut diagnostics) = tf_eval::evaluate_constant(expr, &host, release);
    for it in &mut diagnostics {
        it.rule = rule.into();
        it.labels.iter_mut().for_each(|label| label.role = Role::Value);
    }
    (value, diagnostics)
}

/// Evaluates a constant and converts it to a primitive type, as arguments such as `nullable` need
/// it; null is refused. `None` when there is a diagnostic.
pub(super) fn primitive(
    expr: &Expr,
    ty: &Type,
    rule: &'static Lint,
    release: Release,
    meter: &Meter,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    if let (ExprKind::String(text), Type::String) = (&expr.kind, ty) {
        return Some(Value::string(text));
    }
    let (value, problems) = evaluate_constant(expr, rule, release, meter);
    let failed = !problems.is_empty();
    diagnostics.extend(problems);
    let reason = if failed {
        "its value is not known".to_owned()
    } else if value.is_null() {
        "it must not be null".to_owned()
    } else {
        match convert(&value, ty) {
            Ok(value) => return Some(value),
            Err(error) => error.reason,
        }
    };
    let diagnostic = Diagnostic::new(rule, "Unsuitable value type");
    let detail = format!("A value of this type cannot be used here: {reason}.");
    diagnostics.push(diagnostic.detail(detail).at(Role::Value, expr.span));
    None
}
