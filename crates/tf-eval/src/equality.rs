//! `==` and `!=`.

use super::{evaluator::Evaluator, logic::negation};
use diagnostics::Span;
use hcl::{BinaryOp, Expr};
use tf_value::{Type, Value, ops};

impl Evaluator<'_> {
    /// Compares both operands as they are: nothing is converted, and null is an ordinary value.
    pub(super) fn equality(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Value {
        let before = self.mark();
        let left = self.eval(left);
        let right = self.eval(right);
        if self.failed_since(before) {
            return Value::unknown(Type::Bool);
        }
        if !self.spend(u64::midpoint(left.size(), right.size()), span) {
            return Value::unknown(Type::Bool);
        }
        let equal = ops::equals(&left, &right);
        if op == BinaryOp::Equal { equal } else { negation(&equal) }
    }
}
