//! Evaluation of expressions, exactly as Terraform does it.

use crate::{
    diagnostic::{Diagnostics, Span},
    functions::Host,
    syntax::Expr,
    value::Value,
    version::Version,
};

/// What a reference can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    Variable,
    Local,
}

/// Where references get their values: implemented by `module`.
pub trait Data {
    /// The value of `var.NAME` or `local.NAME`; `None` when it is not declared. A value that could
    /// not be computed for a reason already reported is a dynamic unknown.
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value>;
    /// Declared names, for "Did you mean".
    fn names(&self, namespace: Namespace) -> Vec<String>;
    /// Whether the module declares the resource, data source (`data.TYPE`) or module call.
    fn declares(&self, kind: &str, name: &str) -> bool;
    /// `path.module`, `path.root`, `path.cwd`, `terraform.workspace`; `None` when there is no such.
    fn builtin(&self, root: &str, name: &str) -> Option<Value>;
}

/// Everything that an evaluation needs beside the expression.
pub struct Scope<'a> {
    pub data: &'a dyn Data,
    pub host: &'a dyn Host,
    pub version: Version,
}

/// Evaluates; on an error the value is a dynamic unknown.
pub fn evaluate(_expr: &Expr, _scope: &Scope<'_>) -> (Value, Diagnostics) {
    let _: Span;
    todo!()
}
