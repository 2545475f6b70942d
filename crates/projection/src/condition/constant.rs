//! Constant expressions: those with the same value whatever the variables are, such as `["a", lower("B")]`.

use std::cell::Cell;

use super::releases::Releases;
use hcl::{Expr, ExprKind};
use module::Module;
use release::Release;
use stack::Depth;
use system::DeniedSystem;
use tf_eval::{Budget, Data, EvalHost, Meter, Namespace, Provider, Scope};
use tf_value::{Type, Value};

/// The work that one condition may cost, by the size of the sets and values that it builds; its constants
/// count, too.
pub(super) const WORK: Budget = Budget(2_000_000);

/// The most locals that are evaluated for one constant, including those that other locals need.
const MAX_LOCALS: u32 = 200;

/// How deep locals may refer to one another; deeper chains count as cycles.
const MAX_DEPTH: u32 = 32;

/// The value of an expression without references; `None` for other expressions.
///
/// The value goes into schemas, so no flag changes the budget of its evaluation.
pub fn fold(expr: &Expr, meter: &Meter) -> Option<Value> {
    meter.begin_fixed(WORK);
    fold_beside(None, expr, &Releases::only(Release::NEWEST), meter)
}

/// Like [`fold`], but with the module's constant locals, and as a part of the evaluation under way. An
/// expression is not a constant if the releases disagree on its value.
pub fn fold_in(module: &Module, expr: &Expr, releases: &Releases, meter: &Meter) -> Option<Value> {
    fold_beside(Some(module), expr, releases, meter)
}

/// Like [`fold_in`], with the locals of a module or of none.
pub(super) fn fold_beside(
    module: Option<&Module>,
    expr: &Expr,
    releases: &Releases,
    meter: &Meter,
) -> Option<Value> {
    let left = Cell::new(MAX_LOCALS);
    let is_constant = Cell::new(true);
    let locals =
        Locals { module, depth: Depth::of(MAX_DEPTH), left: &left, releases, meter, is_constant };
    let value = evaluate(expr, &locals, releases, meter)?;
    locals.is_constant.get().then_some(value)
}

fn evaluate(expr: &Expr, data: &dyn Data, releases: &Releases, meter: &Meter) -> Option<Value> {
    if let Some(value) = literal(expr) {
        return Some(value);
    }
    let mut agreed = None;
    for release in releases.to_ask(expr).iter().copied() {
        let host = EvalHost::metered(&DeniedSystem, ".", release, meter);
        let (value, diagnostics) = tf_eval::evaluate(expr, &Scope { data, host: &host, release });
        let constant = diagnostics.is_empty() && value.is_wholly_known();
        if !constant || !value.deep_marks().is_empty() {
            return None;
        }
        if *agreed.get_or_insert_with(|| value.clone()) != value {
            return None;
        }
    }
    agreed
}

/// The value of a text, a bool, or a tuple of these, which needs no evaluation.
pub(super) fn literal(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::String(text) => Some(Value::string(text)),
        ExprKind::Bool(it) => Some(Value::bool(*it)),
        ExprKind::Tuple(elements) => {
            let each = elements.iter().filter(|it| it.is_leaf()).map(literal);
            let values = each.collect::<Option<Vec<_>>>()?;
            (values.len() == elements.len()).then(|| Value::tuple(values))
        }
        _ => None,
    }
}

/// The locals of a module, or of none; a reference to anything else makes the expression no constant.
struct Locals<'a> {
    module: Option<&'a Module>,
    /// Locals that may be entered from here on.
    depth: Depth,
    /// Locals that may still be entered.
    left: &'a Cell<u32>,
    releases: &'a Releases,
    meter: &'a Meter,
    is_constant: Cell<bool>,
}

impl Locals<'_> {
    fn local(&self, name: &str) -> Option<Value> {
        let local = self.module?.locals.get(name)?;
        self.left.set(self.left.get().checked_sub(1)?);
        let inner = Locals { depth: self.depth.inner()?, is_constant: Cell::new(true), ..*self };
        let value = evaluate(&local.expr, &inner, self.releases, self.meter)?;
        inner.is_constant.get().then_some(value)
    }
}

impl Data for Locals<'_> {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        let value = match namespace {
            Namespace::Local => self.local(name),
            Namespace::Variable => None,
        };
        if value.is_none() {
            self.is_constant.set(false);
        }
        value.or_else(|| Some(Value::unknown(Type::Dynamic)))
    }

    fn names(&self, _namespace: Namespace) -> Vec<String> {
        Vec::new()
    }

    fn declares(&self, _kind: &str, _name: &str) -> bool {
        self.is_constant.set(false);
        false
    }

    fn builtin(&self, _root: &str, _name: &str) -> Option<Value> {
        self.is_constant.set(false);
        None
    }

    /// What a provider returns is not a constant.
    fn provider(&self, _name: &str) -> Option<Provider> {
        self.is_constant.set(false);
        None
    }
}
