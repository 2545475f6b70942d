//! The scope of a translation: the variable, its module, and the names that are bound.

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use super::{
    constant,
    releases::Releases,
    symbolic::{Cases, Names, Place},
};
use crate::sets::{ConstraintRoot, Effort};
use diagnostics::{Diagnostics, Span, lints};
use hcl::{BinaryOp, Expr, ExprKind, Ident};
use module::{Module, Variable};
use release::changes;
use system::DeniedSystem;
use tf_eval::{EvalHost, Meter, Scope};
use tf_value::{Type, Value};

/// Work that one condition may cost, in expressions visited.
const FUEL: u32 = 20_000;

/// Comparisons of parts that cost as much as a visited expression.
const PARTS_SQUARED: usize = 5000;

/// The units of work of one step.
const STEP: u64 = 8;

/// The variable whose condition is translated, in its module, and what `for` and splats bind.
#[derive(Clone)]
pub struct Context<'m> {
    pub module: &'m Module,
    pub variable: &'m Variable,
    pub names: Names<Cases<'m>>,
    pub releases: Rc<Releases>,
    /// Whether the schema can say how many elements of an array are in a set.
    pub counts: bool,
    /// Whether the sets are for one release, whose `&&` and `||` are Kleene's.
    pub decides: bool,
    counters: Rc<Counters>,
}

struct Counters {
    roots: Cell<u32>,
    fuel: Cell<u32>,
    meter: Meter,
    /// Counts the work of joining sets.
    effort: Effort,
}

/// The result of an operation on constants.
#[derive(Clone, Debug, PartialEq)]
pub enum Folded {
    Value(Value),
    Error,
    Unclear,
}

impl<'m> Context<'m> {
    pub fn new(module: &'m Module, variable: &'m Variable, meter: &Meter) -> Self {
        let (roots, fuel) = (Cell::new(0), Cell::new(FUEL));
        let (meter, effort) = (meter.clone(), Effort::of(constant::WORK.0));
        let counters = Rc::new(Counters { roots, fuel, meter, effort });
        let it = Context {
            module,
            variable,
            names: Names::none(),
            releases: Releases::of(module),
            counts: false,
            decides: false,
            counters,
        };
        it.begin();
        it
    }

    /// Restores the whole budget, for another expression.
    pub fn begin(&self) {
        self.counters.meter.begin_fixed(constant::WORK);
        self.counters.effort.renew(constant::WORK.0);
    }

    /// Whether a release that may run the module has Kleene's `&&` and `||`.
    pub fn is_kleene(&self) -> bool {
        self.releases.some(|it| it.has(&changes::KLEENE_LOGIC))
    }

    /// The declared type, attributes that may be null marked; `Dynamic` for `any`.
    pub fn ty(&self) -> &'m Type {
        self.variable.type_with_null_attributes()
    }

    /// Whether the expression is the variable itself: `var.NAME`, in parentheses or not.
    pub fn is_subject(&self, expr: &Expr) -> bool {
        let ExprKind::GetAttr { base, name } = &expr.bare().kind else { return false };
        matches!(&base.kind, ExprKind::Variable(root) if root == "var")
            && name.name == self.variable.name
    }

    /// Whether the place is the whole value of the variable.
    pub fn is_whole_variable(&self, place: &Place) -> bool {
        place.is_root() && place.root == ConstraintRoot::Variable(self.variable.name.clone())
    }

    /// The value of an expression that depends on nothing but constants (locals may be some).
    pub fn constant(&self, expr: &Expr) -> Option<Value> {
        constant::fold_in(self.module, expr, &self.releases, &self.counters.meter)
    }

    /// Whether an expression without references is a constant.
    pub fn is_constant(&self, expr: &Expr) -> bool {
        constant::fold_beside(None, expr, &self.releases, &self.counters.meter).is_some()
    }

    /// Counts a step of work; `false` when there was too much of it.
    pub fn spend(&self) -> bool {
        let left = self.counters.fuel.get();
        self.counters.fuel.set(left.saturating_sub(1));
        left > 0 && self.pay(STEP)
    }

    /// Counts work by its size, and that of the joins before it; `false` when there was too much of it, so that
    /// no more sets are joined either.
    pub fn pay(&self, units: u64) -> bool {
        let Counters { meter, effort, .. } = &*self.counters;
        let is_paid = meter.spend(units.saturating_add(effort.taken())).is_ok();
        if !is_paid {
            effort.end();
        }
        is_paid
    }

    /// Calls a function with constants.
    pub fn fold_call(&self, function: &Ident, args: &[Value], span: Span) -> Folded {
        let build = |args| ExprKind::Call { name: function.clone(), args, expand: false };
        fold(args, build, span, &self.releases, &self.counters.meter)
    }

    pub fn fold_binary(&self, op: BinaryOp, left: &Value, right: &Value, span: Span) -> Folded {
        let build = |args: Vec<Expr>| {
            let [left, right] = <[Expr; 2]>::try_from(args).ok()?;
            Some(ExprKind::Binary { op, left: left.into(), right: right.into(), op_span: span })
        };
        let values = [left.clone(), right.clone()];
        let build = |args| build(args).unwrap_or(ExprKind::Invalid);
        fold(&values, build, span, &self.releases, &self.counters.meter)
    }

    /// Counts the work of joining sets of so many parts, which is up to the square.
    pub fn spend_on_parts(&self, parts: usize) -> bool {
        let work = parts.saturating_mul(parts) / PARTS_SQUARED;
        let left = u32::try_from(work).ok().and_then(|it| self.counters.fuel.get().checked_sub(it));
        self.counters.fuel.set(left.unwrap_or(0));
        left.is_some_and(|it| it > 0)
    }

    /// New roots for the element and the key of a collection.
    pub fn fresh(&self) -> (ConstraintRoot, ConstraintRoot) {
        let number = self.counters.roots.get();
        self.counters.roots.set(number + 1);
        (ConstraintRoot::Element(number), ConstraintRoot::Key(number))
    }

    /// The context with these names in scope.
    pub fn within(&self, names: &Names<Cases<'m>>) -> Context<'m> {
        Context { names: names.clone(), ..self.clone() }
    }

    pub fn bind(&self, name: &SmolStr, value: Cases<'m>) -> Context<'m> {
        self.within(&self.names.bind(name, value))
    }

    /// The place of an input variable.
    pub fn variable_place(&self, name: &str) -> Option<Place> {
        let variable = self.module.variables.get(name)?;
        Some(Place::of_variable(variable))
    }
}

/// The arguments of a plain call of `function` with `N` arguments.
pub fn call<'e, const N: usize>(expr: &'e Expr, function: &str) -> Option<&'e [Expr; N]> {
    let ExprKind::Call { name, args, expand: false } = &expr.bare().kind else { return None };
    if name.name != function {
        return None;
    }
    args.as_slice().try_into().ok()
}

fn fold(
    args: &[Value],
    build: impl FnOnce(Vec<Expr>) -> ExprKind,
    span: Span,
    releases: &Releases,
    meter: &Meter,
) -> Folded {
    let mut data: BTreeMap<SmolStr, Value> = BTreeMap::new();
    let mut exprs = Vec::new();
    for (index, value) in args.iter().enumerate() {
        let name: SmolStr = format!("a{index}").into();
        data.insert(name.clone(), value.clone());
        let base = Expr { kind: ExprKind::Variable("var".into()), span };
        let kind = ExprKind::GetAttr { base: base.into(), name: Ident { name, span } };
        exprs.push(Expr { kind, span });
    }
    let expr = Expr { kind: build(exprs), span };
    let mut agreed = None;
    for release in releases.to_ask(&expr).iter().copied() {
        let host = EvalHost::metered(&DeniedSystem, ".", release, meter);
        let scope = Scope { data: &data, host: &host, release };
        let folded = outcome(tf_eval::evaluate(&expr, &scope));
        if *agreed.get_or_insert_with(|| folded.clone()) != folded {
            return Folded::Unclear;
        }
    }
    agreed.unwrap_or(Folded::Unclear)
}

fn outcome((value, diagnostics): (Value, Diagnostics)) -> Folded {
    if diagnostics.is_empty() {
        let is_clear = value.is_wholly_known() && value.deep_marks().is_empty();
        return if is_clear { Folded::Value(value) } else { Folded::Unclear };
    }
    let is_failure = diagnostics.iter().all(|it| it.rule == lints::FAILED_EVALUATION);
    if is_failure { Folded::Error } else { Folded::Unclear }
}
