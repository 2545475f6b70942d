//! What reading one file's blocks needs, and the arguments that many blocks share.

use super::{
    INVALID_MODULE, Options, UNSUPPORTED_ARGUMENT,
    constant::{evaluate_constant, primitive},
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span},
    syntax::{Attribute, Expr},
    value::{Type, Value},
    version::Version,
};

/// Reads the blocks of one file and collects what is wrong with them.
pub(super) struct Reader<'a> {
    pub options: &'a Options,
    pub is_override: bool,
    /// The rule of what is found: `invalid-variable` inside a `variable` block.
    pub rule: &'static str,
    pub diagnostics: Diagnostics,
}

impl<'a> Reader<'a> {
    pub fn new(options: &'a Options, is_override: bool) -> Self {
        Reader { options, is_override, rule: INVALID_MODULE, diagnostics: Vec::new() }
    }

    pub fn error(&mut self, summary: &str, detail: impl Into<String>, span: Span) {
        let diagnostic = Diagnostic::error(self.rule, summary).detail(detail);
        self.diagnostics.push(diagnostic.at(Role::Declaration, span));
    }

    /// A constant of any type; `None` when there is a diagnostic.
    pub fn constant(&mut self, expr: &Expr) -> Option<Value> {
        let (value, problems) = evaluate_constant(expr, self.rule, self.options.version);
        let is_sound = problems.is_empty();
        self.diagnostics.extend(problems);
        is_sound.then_some(value)
    }

    /// A constant bool, as `sensitive` takes it.
    pub fn bool(&mut self, argument: Option<&Attribute>) -> Option<bool> {
        self.primitive(argument, &Type::Bool)?.as_bool()
    }

    /// A constant string, as `description` takes it.
    pub fn string(&mut self, argument: Option<&Attribute>) -> Option<String> {
        self.primitive(argument, &Type::String)?.as_str().map(ToOwned::to_owned)
    }

    /// Says so where the chosen Terraform does not know an argument yet. It is read all the same.
    pub fn since(&mut self, argument: Option<&Attribute>, first: Version) {
        let Some(argument) = argument else { return };
        if self.options.opentofu || self.options.version >= first {
            return;
        }
        let version = self.options.version;
        let diagnostic = Diagnostic::error(UNSUPPORTED_ARGUMENT, "Unsupported argument");
        let name = &argument.name.name;
        let detail =
            format!("Terraform {version} does not know \"{name}\", which came with {first}.");
        self.diagnostics.push(diagnostic.detail(detail).at(Role::Declaration, argument.name.span));
    }

    fn primitive(&mut self, argument: Option<&Attribute>, ty: &Type) -> Option<Value> {
        let expr = &argument?.value;
        primitive(expr, ty, self.rule, self.options.version, &mut self.diagnostics)
    }
}
