//! Constant expressions: what is the same whatever the variables are.

use std::cell::Cell;

use super::context::WORK;
use crate::{
    eval::{self, Data, EvalHost, Meter, Namespace, NoData, Scope},
    module::Module,
    syntax::Expr,
    system::DeniedSystem,
    value::{Type, Value},
    version::Version,
};

/// How many locals one constant may take to evaluate, those that other locals need included.
const MAX_LOCALS: u32 = 200;

/// How deep locals may refer to one another: beyond, a cycle is taken for granted.
const MAX_DEPTH: u32 = 32;

/// The value of an expression without references; `None` for what is no constant.
///
/// What it comes to is in schemas, so no flag changes its budget.
pub fn fold(expr: &Expr, meter: &Meter) -> Option<Value> {
    meter.begin_fixed(WORK);
    evaluate(expr, &NoData, meter)
}

/// As [`fold`], with the module's constant locals in their places, as part of the evaluation under way.
pub fn fold_in(module: &Module, expr: &Expr, meter: &Meter) -> Option<Value> {
    let left = Cell::new(MAX_LOCALS);
    let locals = Locals { module, depth: 0, left: &left, meter, is_constant: Cell::new(true) };
    let value = evaluate(expr, &locals, meter)?;
    locals.is_constant.get().then_some(value)
}

pub(super) fn evaluate(expr: &Expr, data: &dyn Data, meter: &Meter) -> Option<Value> {
    let version = Version::NEWEST;
    let host = EvalHost::metered(&DeniedSystem, ".", version, meter);
    let (value, diagnostics) = eval::evaluate(expr, &Scope { data, host: &host, version });
    let constant = diagnostics.is_empty() && value.is_wholly_known();
    (constant && value.deep_marks().is_empty()).then_some(value)
}

/// The locals of a module; a reference to anything else makes the expression no constant.
struct Locals<'a> {
    module: &'a Module,
    /// Locals entered on the way here.
    depth: u32,
    /// Locals that may still be entered.
    left: &'a Cell<u32>,
    meter: &'a Meter,
    is_constant: Cell<bool>,
}

impl Locals<'_> {
    fn local(&self, name: &str) -> Option<Value> {
        let local = self.module.locals.get(name)?;
        self.left.set(self.left.get().checked_sub(1)?);
        let inner = Locals { depth: self.depth + 1, is_constant: Cell::new(true), ..*self };
        let value = (self.depth < MAX_DEPTH)
            .then(|| evaluate(&local.expr, &inner, self.meter))
            .flatten()?;
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
        false
    }

    fn builtin(&self, _root: &str, _name: &str) -> Option<Value> {
        self.is_constant.set(false);
        None
    }
}
