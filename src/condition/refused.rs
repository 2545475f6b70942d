//! Rules that fail whatever the variables are: with an unknown function, a wrong number of arguments,
//! arguments of types that a function never takes; in the condition or in the message. Terraform's own `validate` refuses the module.

use std::cell::Cell;

use super::{constant::WORK, releases::Releases};
use crate::{
    diagnostic::{Diagnostic, rules},
    eval::{self, Data, EvalHost, Meter, Namespace, Scope},
    module::{Module, Validation, Variable},
    syntax::Expr,
    system::DeniedSystem,
    value::{Type, Value},
};

/// How deep locals may refer to one another.
const MAX_DEPTH: u32 = 32;

/// How many locals one rule may take to evaluate.
const MAX_LOCALS: u32 = 200;

/// Terraform's reason to refuse the rule in every release that may run the module.
pub fn refusal(
    module: &Module,
    variable: &Variable,
    validation: (usize, &Validation),
    releases: &Releases,
    meter: &Meter,
) -> Option<Diagnostic> {
    let (index, validation) = validation;
    let parts = [Some(&validation.condition), validation.error_message.as_ref()];
    let mut all = parts.into_iter().flatten();
    let found = all.find_map(|it| refusal_of(module, it, releases, meter))?;
    Some(found.variable(variable.name.clone()).validation(index))
}

/// The reason that lies in the condition, or in the message: Terraform evaluates both.
fn refusal_of(
    module: &Module,
    expr: &Expr,
    releases: &Releases,
    meter: &Meter,
) -> Option<Diagnostic> {
    let mut found = None;
    for release in releases.to_ask(expr).iter().copied() {
        meter.begin_fixed(WORK);
        let host = EvalHost::metered(&DeniedSystem, ".", release, meter);
        let (left, is_clear) = (Cell::new(MAX_LOCALS), Cell::new(true));
        let unknowns = Unknowns {
            module,
            own: None,
            scope: (&host, release),
            depth: 0,
            left: &left,
            is_clear: &is_clear,
        };
        let scope = Scope { data: &unknowns, host: &host, release };
        let (_, problems) = eval::evaluate(expr, &scope);
        let is_told =
            is_clear.get() && problems.iter().all(|it| it.rule == rules::FAILED_EVALUATION);
        found = Some(problems.into_iter().next().filter(|_| is_told)?);
    }
    let mut found = found?;
    found.rule = (&rules::FAILED_VALIDATION).into();
    Some(found)
}

/// The variables of a module, of which nothing but their types is known, and its locals.
pub struct Unknowns<'a> {
    module: &'a Module,
    /// The value of one of them.
    own: Option<(&'a str, &'a Value)>,
    scope: (&'a EvalHost<'a>, crate::release::Release),
    depth: u32,
    left: &'a Cell<u32>,
    /// Nothing was asked for that only a plan knows, or that is wrong itself.
    is_clear: &'a Cell<bool>,
}

impl Unknowns<'_> {
    /// What `ask` says where one variable has a value and nothing else is known; `false` where it asks
    /// for what only a plan knows.
    pub fn beside(
        module: &Module,
        own: (&str, &Value),
        scope: (&EvalHost<'_>, crate::release::Release),
        ask: impl FnOnce(&dyn Data) -> bool,
    ) -> bool {
        let (left, is_clear) = (Cell::new(MAX_LOCALS), Cell::new(true));
        let own = Some(own);
        let data = Unknowns { module, own, scope, depth: 0, left: &left, is_clear: &is_clear };
        ask(&data) && is_clear.get()
    }

    fn variable(&self, name: &str) -> Option<Value> {
        if let Some((_, value)) = self.own.filter(|it| it.0 == name) {
            return Some(value.clone());
        }
        let variable = self.module.variables.get(name)?;
        let ty = variable.constraint.ty.without_optional();
        Some(if variable.is_nullable() { Value::unknown(ty) } else { Value::unknown_not_null(ty) })
    }

    fn local(&self, name: &str) -> Option<Value> {
        let local = self.module.locals.get(name)?;
        self.left.set(self.left.get().checked_sub(1)?);
        let depth = self.depth + 1;
        let inner = (depth < MAX_DEPTH).then_some(Unknowns { depth, ..*self })?;
        let (host, release) = self.scope;
        let scope = Scope { data: &inner, host, release };
        let (value, problems) = eval::evaluate(&local.expr, &scope);
        problems.is_empty().then_some(value)
    }
}

impl Data for Unknowns<'_> {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        let value = match namespace {
            Namespace::Local => self.local(name),
            Namespace::Variable => self.variable(name),
        };
        if value.is_none() {
            self.is_clear.set(false);
        }
        value.or_else(|| Some(Value::unknown(Type::Dynamic)))
    }

    fn names(&self, _namespace: Namespace) -> Vec<String> {
        Vec::new()
    }

    fn declares(&self, _kind: &str, _name: &str) -> bool {
        self.is_clear.set(false);
        false
    }

    fn builtin(&self, _root: &str, _name: &str) -> Option<Value> {
        self.is_clear.set(false);
        None
    }
}
