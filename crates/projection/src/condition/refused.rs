//! Rules that fail while nothing is known of the variables: with an unknown function, a wrong number of
//! arguments, arguments of types that a function never takes, in the condition or in the message; and
//! conditions that are false already then, such as `!try(lower(var.x) != null, false)`, since `lower` never
//! gives null. Terraform's own `validate` refuses the module.

use std::cell::Cell;

use super::{constant::WORK, releases::Releases};
use diagnostics::{Cause, Diagnostic, Role, lints};
use hcl::{Expr, ExprKind};
use module::{Module, Validation, Variable};
use stack::Depth;
use system::DeniedSystem;
use tf_eval::{Data, EvalHost, Meter, Namespace, Provider, Scope};
use tf_value::{Type, Value};

/// How deep locals may refer to one another.
const MAX_DEPTH: u32 = 31;

/// The most locals that are evaluated for one rule.
const MAX_LOCALS: u32 = 200;

/// Terraform's reason to refuse the rule in every release that may run the module.
pub fn refusal(
    module: &Module,
    variable: &Variable,
    index: usize,
    validation: &Validation,
    releases: &Releases,
    meter: &Meter,
) -> Option<Diagnostic> {
    let of_condition = || match refusal_of(module, &validation.condition, releases, meter)? {
        Refusal::Error(it) => Some(*it),
        Refusal::False => Some(is_false(variable, &validation.condition)),
    };
    let of_message = || {
        let message = validation.error_message.as_ref()?;
        if matches!(message.kind, ExprKind::String(_)) {
            return None;
        }
        match refusal_of(module, message, releases, meter)? {
            Refusal::Error(it) => Some(*it),
            // A message that is `false` is not a string; that is an error of its own.
            Refusal::False => None,
        }
    };
    let found = of_condition().or_else(of_message)?;
    Some(found.variable(variable.name.clone()).validation(index))
}

fn is_false(variable: &Variable, condition: &Expr) -> Diagnostic {
    let summary = format!("Terraform rejects this rule of \"{}\"", variable.name);
    Diagnostic::new(&lints::FAILED_VALIDATION, summary)
        .detail(
            "Its condition is false while the variables are unknown, as in `terraform \
            validate`.",
        )
        .cause(Cause::FalseForUnknowns)
        .at(Role::Rule, condition.span)
}

/// The reason to refuse an expression when only the types of its variables are known.
enum Refusal {
    Error(Box<Diagnostic>),
    False,
}

/// Whether the expression is an error or false in every release while nothing is known of the variables.
fn refusal_of(module: &Module, expr: &Expr, releases: &Releases, meter: &Meter) -> Option<Refusal> {
    let mut found = None;
    for release in releases.to_ask(expr).iter().copied() {
        meter.begin_fixed(WORK);
        let host = EvalHost::metered(&DeniedSystem, ".", release, meter);
        let (left, is_clear) = (Cell::new(MAX_LOCALS), Cell::new(true));
        let unknowns = Unknowns {
            module,
            own: None,
            scope: (&host, release),
            depth: Depth::of(MAX_DEPTH),
            left: &left,
            is_clear: &is_clear,
        };
        let scope = Scope { data: &unknowns, host: &host, release };
        let (value, problems) = tf_eval::evaluate(expr, &scope);
        let is_told =
            is_clear.get() && problems.iter().all(|it| it.rule == lints::FAILED_EVALUATION);
        let is_false = problems.is_empty() && value.as_bool() == Some(false);
        let rule = (&lints::FAILED_VALIDATION).into();
        let error = problems.into_iter().next().map(|it| Box::new(Diagnostic { rule, ..it }));
        let refusal = error.map(Refusal::Error).or(is_false.then_some(Refusal::False));
        found = Some(refusal.filter(|_| is_told)?);
    }
    found
}

/// The variables of a module, which are unknown except for their types, and its locals.
pub struct Unknowns<'a> {
    module: &'a Module,
    /// The value of one of them.
    own: Option<(&'a str, &'a Value)>,
    scope: (&'a EvalHost<'a>, release::Release),
    depth: Depth,
    left: &'a Cell<u32>,
    /// Whether the evaluation asked for nothing that only a plan knows, and for nothing that is wrong itself.
    is_clear: &'a Cell<bool>,
}

impl Unknowns<'_> {
    /// Calls `ask` with a value for one variable and unknowns for all others; `false` if it asks for something
    /// that only a plan knows.
    pub fn beside(
        module: &Module,
        own: (&str, &Value),
        scope: (&EvalHost<'_>, release::Release),
        ask: impl FnOnce(&dyn Data) -> bool,
    ) -> bool {
        let (left, is_clear) = (Cell::new(MAX_LOCALS), Cell::new(true));
        let own = Some(own);
        let data = Unknowns {
            module,
            own,
            scope,
            depth: Depth::of(MAX_DEPTH),
            left: &left,
            is_clear: &is_clear,
        };
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
        let inner = Unknowns { depth: self.depth.inner()?, ..*self };
        let (host, release) = self.scope;
        let scope = Scope { data: &inner, host, release };
        let (value, problems) = tf_eval::evaluate(&local.expr, &scope);
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

    /// Does not evaluate the local.
    fn has(&self, namespace: Namespace, name: &str) -> bool {
        let is_declared = match namespace {
            Namespace::Local => self.module.locals.contains_key(name),
            Namespace::Variable => self.module.variables.contains_key(name),
        };
        if !is_declared {
            self.is_clear.set(false);
        }
        // An undeclared name has a finding of its own.
        true
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

    fn provider(&self, name: &str) -> Option<Provider> {
        self.module.provider_of_functions(name)
    }
}
