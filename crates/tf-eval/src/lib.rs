//! Evaluation of expressions, exactly as Terraform does it.
//!
//! An expression and a scope go in; a value and diagnostics come out. An unknown gives a typed unknown,
//! so that one evaluation serves both the static pass, where every variable is unknown but typed, and
//! the exact one. Each expression form has its file. References are checked before anything is
//! evaluated, as Terraform does, so an undeclared one is an error in an untaken branch too.
//!
//! ```
//! use diagnostics::{Cause, EvalError, FileId};
//! use tf_eval::{EvalHost, NoData, Scope, evaluate};
//! use hcl::parse_expression;
//! use system::MemorySystem;
//! use release::Release;
//!
//! let (expr, _) = parse_expression(FileId::default(), br#"length(null) > 2 || true"#, 0);
//! let system = MemorySystem::new();
//! let fails = |release| {
//!     let host = EvalHost::new(&system, "/", release);
//!     let (_, errors) = evaluate(&expr, &Scope { data: &NoData, host: &host, release });
//!     errors.iter().any(|it| it.cause == Some(Cause::Evaluation(EvalError::InvalidArgument)))
//! };
//! assert!(fails(Release::V1_11));
//! assert!(!fails(Release::NEWEST), "an operand that decides hides errors in the other");
//! ```

pub mod functions;
mod access;
mod builtin;
mod conditional;
mod constructors;
mod data;
mod evaluator;
mod for_expr;
mod guard;
mod call;
mod host;
mod meter;
mod names;
mod nested;
mod operators;
mod output;
mod references;
mod render;
mod splat;
mod template;

pub use builtin::{is_text, shape};
pub use data::{Data, Instance, Namespace, NoData, Provider, Scope, WrittenArgument};
pub use host::EvalHost;
pub use meter::{Budget, Limits, Meter, MeteredWork};
pub use output::as_output;
pub use references::{ReferenceStep, RootReference};

use smol_str::SmolStr;

use crate::functions::Host;
use diagnostics::{Diagnostics, has_errors};
use evaluator::Evaluator;
use hcl::Expr;
use release::Release;
use tf_value::{Type, Value};

/// The result of an evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// A dynamic unknown when there are errors.
    pub value: Value,
    pub diagnostics: Diagnostics,
    /// The plan's values that this evaluation met: `aws_vpc.main`, `provider::x::y()`. The value depends
    /// on them exactly if it carries `Marks::UNDECIDED`. In order, distinct.
    pub undecided: Vec<String>,
}

/// Evaluates; on an error the value is a dynamic unknown.
pub fn evaluate(expr: &Expr, scope: &Scope<'_>) -> (Value, Diagnostics) {
    let evaluation = evaluate_in_detail(expr, scope);
    (evaluation.value, evaluation.diagnostics)
}

/// Evaluates, and reports everything that it met on the way.
pub fn evaluate_in_detail(expr: &Expr, scope: &Scope<'_>) -> Evaluation {
    let mut diagnostics = check_references(expr, scope);
    if has_errors(&diagnostics) {
        let value = Value::unknown(Type::Dynamic);
        return Evaluation { value, diagnostics, undecided: Vec::new() };
    }
    let mut evaluation = Evaluator::new(scope).run(expr);
    if !diagnostics.is_empty() {
        diagnostics.append(&mut evaluation.diagnostics);
        evaluation.diagnostics = diagnostics;
    }
    evaluation
}

/// Evaluates a constant: Terraform refuses references and calls in it, so each one that is evaluated is
/// an error. Names that a `for` binds are fine.
pub fn evaluate_constant(expr: &Expr, host: &dyn Host, release: Release) -> (Value, Diagnostics) {
    let scope = Scope { data: &NoData, host, release };
    let Evaluation { value, diagnostics, .. } = Evaluator::of_constant(&scope).run(expr);
    (value, diagnostics)
}

/// Evaluates a part of an expression whose references were checked before. `names` are those that the
/// surrounding iterations bind, innermost last.
pub fn evaluate_part(expr: &Expr, scope: &Scope<'_>, names: &[(SmolStr, Value)]) -> Evaluation {
    let mut evaluator = Evaluator::new(scope);
    evaluator.names = names.to_vec();
    evaluator.run(expr)
}

/// Runs only Terraform's static check of references: undeclared ones, and those that make no sense here.
/// [`evaluate`] begins with it and stops if it finds anything.
pub fn check_references(expr: &Expr, scope: &Scope<'_>) -> Diagnostics {
    references::check(expr, scope, &[])
}

/// Like [`check_references`], in an assertion of a check.
pub fn check_references_in_check(expr: &Expr, scope: &Scope<'_>, check: &str) -> Diagnostics {
    let mut found = references::check(expr, scope, &[]);
    found.retain(|it| !references::is_within(it, check));
    found
}

/// Like [`check_references`], with bound names that are not references.
pub fn check_references_within(expr: &Expr, scope: &Scope<'_>, bound: &[&str]) -> Diagnostics {
    references::check(expr, scope, bound)
}

/// The references of an expression, in order of appearance, without names that a `for` binds.
pub fn references(expr: &Expr) -> Vec<RootReference<'_>> {
    let mut found = Vec::new();
    references::for_each_root(expr, &[], &mut |root| found.push(root));
    found
}
