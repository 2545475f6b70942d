//! The walk over an expression's tree: state, dispatch, and helpers of several forms.

use smol_str::SmolStr;

use super::{Evaluation, Scope};
use crate::functions::Failure;
use diagnostics::{
    Bound, Cause, Diagnostic, Diagnostics, EvalError, Lint, Role, Span, has_errors, lints,
};
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use release::changes;
use stack::guarded;
use tf_value::{Number, Type, Value};

/// The work of an error: a loop may report one for each element.
const ERROR: u64 = 40;

/// The limit for the size of a value that an expression makes. Values share their parts, so little work
/// can make a value that takes too long to walk once.
const MAX_SIZE: u64 = 8_000_000;

/// One evaluation in progress.
pub(super) struct Evaluator<'s> {
    pub(super) scope: &'s Scope<'s>,
    /// Names bound by `for` expressions and template loops, innermost last.
    pub(super) names: Vec<(SmolStr, Value)>,
    /// Elements of the surrounding splats, innermost last.
    pub(super) items: Vec<Value>,
    /// Whether references and calls are forbidden.
    is_constant: bool,
    /// The errors, and the doubts about calls that may fail.
    pub(super) errors: Diagnostics,
    pub(super) undecided: Vec<String>,
    /// Set once the work or memory is used up: evaluation ends, and no `can` hides it.
    stopped: Option<Diagnostic>,
}

/// A position in the list of errors.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl<'s> Evaluator<'s> {
    pub(super) fn new(scope: &'s Scope<'s>) -> Self {
        Evaluator {
            scope,
            names: Vec::new(),
            items: Vec::new(),
            is_constant: false,
            errors: Vec::new(),
            undecided: Vec::new(),
            stopped: None,
        }
    }

    /// An evaluator that forbids references and calls.
    pub(super) fn of_constant(scope: &'s Scope<'s>) -> Self {
        Evaluator { is_constant: true, ..Evaluator::new(scope) }
    }

    /// Evaluates the whole expression.
    pub(super) fn run(mut self, expr: &Expr) -> Evaluation {
        let mut value = self.eval(expr);
        if let Some(stopped) = self.stopped.take() {
            self.errors = vec![stopped];
        }
        let (diagnostics, doubts): (Diagnostics, Diagnostics) =
            self.errors.into_iter().partition(Diagnostic::is_error);
        if diagnostics.is_empty() {
            doubts.into_iter().for_each(|it| self.scope.host.doubt(it));
        } else {
            value = Value::unknown(Type::Dynamic);
        }
        Evaluation { value, diagnostics, undecided: self.undecided }
    }

    /// The value of an expression; after an error an unknown replaces it.
    pub(super) fn eval(&mut self, expr: &Expr) -> Value {
        if self.stopped.is_some() || !self.spend(1, expr.span) {
            return dynamic();
        }
        let mut dispatch = || self.dispatch(&expr.kind, expr.span);
        let value = if expr.is_leaf() { dispatch() } else { guarded(dispatch) };
        let value = self.as_known(value);
        if makes(&expr.kind) && value.size() > MAX_SIZE {
            self.stop(Bound::Evaluation, "the value is too large".to_string(), expr.span);
            return dynamic();
        }
        value
    }

    /// Removes facts about an unknown value that a release does not know.
    fn as_known(&self, value: Value) -> Value {
        if value.refinements().is_none() || self.scope.release.has(&changes::REFINEMENTS) {
            return value;
        }
        Value::unknown(value.ty().clone()).with_marks(value.marks())
    }

    fn dispatch(&mut self, kind: &ExprKind, span: Span) -> Value {
        match kind {
            ExprKind::Number(text) => {
                let work = Number::parse_work(text);
                if work > 0 && !self.spend(work, span) {
                    return dynamic();
                }
                Number::parse(text).map_or_else(dynamic, Value::number)
            }
            ExprKind::Bool(it) => Value::bool(*it),
            ExprKind::Null => Value::null(Type::Dynamic),
            ExprKind::String(text) => Value::string(text),
            ExprKind::Template(parts) => self.template(parts),
            ExprKind::Wrap(inner) | ExprKind::Paren(inner) => self.eval(inner),
            ExprKind::Variable(name) => self.bound_name(name, span),
            ExprKind::GetAttr { base, name } => self.attribute(base, name, span),
            ExprKind::Index { base, key, .. } => self.index(base, key, span),
            ExprKind::Splat { source, each, marker, .. } => self.splat(source, each, *marker),
            ExprKind::SplatItem => self.items.last().cloned().unwrap_or_else(dynamic),
            ExprKind::Call { .. } if self.is_constant => self.forbidden_call(span),
            ExprKind::Call { name, args, expand } => self.call(name, args, *expand, span),
            ExprKind::Unary { op: UnaryOp::Negate, operand } => self.negate(operand, span),
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.not(operand, span),
            ExprKind::Binary { op, left, right, .. } => self.binary(*op, left, right, span),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, span)
            }
            ExprKind::Tuple(elements) => self.tuple(elements),
            ExprKind::Object(items) => self.object(items, span),
            ExprKind::For(it) => self.for_expr(it),
            // The parser reported the syntax error.
            ExprKind::Invalid => dynamic(),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Value {
        match op {
            BinaryOp::And | BinaryOp::Or => self.logic(op, left, right, span),
            BinaryOp::Equal | BinaryOp::NotEqual => self.equality(op, left, right, span),
            _ => self.arithmetic(op, left, right, span),
        }
    }

    fn forbidden_call(&mut self, span: Span) -> Value {
        self.error(EvalError::ForbiddenCall, "Functions may not be called here.", span);
        dynamic()
    }

    pub(super) fn error(&mut self, error: EvalError, detail: impl Into<String>, span: Span) {
        self.error_of(&lints::FAILED_EVALUATION, error, detail, span);
    }

    /// Like [`Evaluator::error`], with another rule.
    pub(super) fn error_of(
        &mut self,
        rule: &'static Lint,
        error: EvalError,
        detail: impl Into<String>,
        span: Span,
    ) {
        self.spend(ERROR, span);
        let diagnostic = Diagnostic::new(rule, error.to_string()).detail(detail);
        self.errors.push(diagnostic.cause(Cause::Evaluation(error)).at(Role::Rule, span));
    }

    pub(super) fn is_constant(&self) -> bool {
        self.is_constant
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.errors.len())
    }

    /// Whether an error was found since `mark`.
    pub(super) fn failed_since(&self, mark: Mark) -> bool {
        self.stopped.is_some() || has_errors(self.errors.get(mark.0..).unwrap_or_default())
    }

    /// Notes a call that may fail. The doubt goes where an error of the call would go.
    pub(super) fn doubt(&mut self, call: &str, reason: &str, span: Span) {
        let summary = format!("Only a plan can decide whether {call}() fails");
        let doubt = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
        self.errors.push(doubt.detail(format!("{reason}.")).at(Role::Rule, span));
    }

    /// Removes the errors found since `mark`, and returns them.
    pub(super) fn errors_since(&mut self, mark: Mark) -> Diagnostics {
        self.errors.split_off(mark.0.min(self.errors.len()))
    }

    /// Whether the budget is used up, so that every value is meaningless.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Charges work; `false` if the budget is used up.
    pub(super) fn spend(&mut self, units: u64, span: Span) -> bool {
        match self.scope.host.spend(units) {
            Err(Failure::Budget { bound, message }) => {
                self.stop(bound, message, span);
                false
            }
            Ok(()) | Err(_) => true,
        }
    }

    /// Ends the evaluation; the first reason is kept.
    pub(super) fn stop(&mut self, bound: Bound, reason: String, span: Span) {
        self.stopped.get_or_insert_with(|| {
            Diagnostic::new(&lints::BUDGET_EXCEEDED, EvalError::TooLarge.to_string())
                .cause(Cause::Budget(bound))
                .detail(reason)
                .at(Role::Rule, span)
        });
    }

    /// Notes that the evaluation met something only a plan knows.
    pub(super) fn note_undecided(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        if !self.undecided.contains(&reason) {
            self.undecided.push(reason);
        }
    }
}

/// Whether an expression of this kind may give a value larger than its parts.
fn makes(kind: &ExprKind) -> bool {
    !matches!(
        kind,
        ExprKind::Variable(_)
            | ExprKind::GetAttr { .. }
            | ExprKind::Index { .. }
            | ExprKind::SplatItem
            | ExprKind::Paren(_)
    )
}

/// The unknown in place of a value about which nothing is known.
pub(super) fn dynamic() -> Value {
    Value::unknown(Type::Dynamic)
}
