//! The values of the variables for which a rule holds, and those for which it does not. Both sets are upper
//! bounds: if one of them does not intersect another set, no value is in both.

use super::{context::Context, error_message, expressions};
use crate::sets::{Extent, Reason};
use hcl::{BinaryOp, Expr, ExprKind};
use module::{Module, Variable};
use release::changes;
use stack::guarded;
use tf_eval::Meter;

/// The inputs for which a rule holds, and those that it refuses. They may overlap if something was lost.
#[derive(Clone, Debug)]
pub struct Extents {
    pub holds: Extent,
    /// Its condition is false, null or an error.
    pub fails: Extent,
    /// Its message cannot be evaluated.
    pub is_mute: Extent,
}

/// Reads one `validation` block of a variable, for the releases that may run the module; `None` where it
/// has no such block.
pub fn extents(
    module: &Module,
    variable: &Variable,
    validation: usize,
    meter: &Meter,
) -> Option<Extents> {
    let block = variable.validations.get(validation)?;
    let mut context = Context::new(module, variable, meter);
    context.counts = true;
    context.decides = context.releases.all(|it| it.has(&changes::KLEENE_LOGIC));
    let truth = expressions::truth(&block.condition, &context);
    let truth = if context.is_kleene() { truth } else { truth.before_kleene() };
    // If every release has Kleene's operators, a side that decides hides a failure of the other side.
    let is_lossy = !truth.error.losses.is_empty();
    let parts = is_lossy && context.releases.all(|it| it.has(&changes::KLEENE_LOGIC));
    let fails = if parts {
        by_parts(&block.condition, &context)
    } else {
        truth.when_false.or(truth.null).or(truth.error)
    };
    let mut holds = truth.when_true;
    let mut is_mute = Extent::nothing();
    // In JSON a message that cannot be evaluated is taken as a plain text.
    if let (Some(message), None) = (&block.error_message, &block.plain_message) {
        context.begin();
        let evaluates = error_message::evaluates(message, &context);
        let lost = || Extent::unknown(Reason::ErrorMessage, message.span);
        is_mute = evaluates.complement().unwrap_or_else(lost);
        holds = holds.and(evaluates);
    }
    Some(Extents { holds, fails, is_mute })
}

/// The inputs for which a condition is not true: for `||` neither side is, for `&&` one side is not.
fn by_parts<'m>(condition: &'m Expr, context: &Context<'m>) -> Extent {
    guarded(|| {
        let condition = condition.bare();
        match &condition.kind {
            ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => {
                by_parts(left, context).and(by_parts(right, context))
            }
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                by_parts(left, context).or(by_parts(right, context))
            }
            _ => {
                let truth = expressions::truth(condition, context);
                truth.when_false.or(truth.null).or(truth.error)
            }
        }
    })
}

/// The values for which a part of a condition is true, false, null or an error. None of the sets is too small.
#[derive(Clone, Debug)]
pub struct Outcomes {
    pub yes: Extent,
    pub no: Extent,
    pub null: Extent,
    pub error: Extent,
}

/// Reads a part of a condition of a variable, as [`extents`] reads the whole.
pub fn outcomes(module: &Module, variable: &Variable, part: &Expr, meter: &Meter) -> Outcomes {
    let mut context = Context::new(module, variable, meter);
    context.counts = true;
    context.decides = context.releases.all(|it| it.has(&changes::KLEENE_LOGIC));
    let truth = expressions::truth(part, &context);
    let truth = if context.is_kleene() { truth } else { truth.before_kleene() };
    Outcomes { yes: truth.when_true, no: truth.when_false, null: truth.null, error: truth.error }
}
