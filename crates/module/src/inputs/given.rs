//! A value as it was given, before it is evaluated.

use std::sync::Arc;

use smol_str::SmolStr;

use super::{example, json_value, sealed::sealed, text};
use crate::evaluate_constant;
use diagnostics::{Diagnostic, Diagnostics, Span, lints};
use hcl::{Expr, is_too_large, json};
use release::Release;
use tf_eval::Meter;
use tf_value::{Type, Value};

/// A value that is not evaluated yet. For example: `-var ports=[80]` gives the text `"[80]"`.
#[derive(Clone, Debug, PartialEq)]
pub enum GivenValue {
    /// From HCL: an expression without references and calls.
    Expr(Expr),
    /// An argument of a `module` block, which is evaluated in the calling module.
    Argument(Arc<Expr>),
    /// From JSON: templates are text.
    Json(json::JsonValue),
    /// From a JSON file in which SOPS has encrypted some texts: these are unknown. SOPS refuses the file after any
    /// change by others.
    Sealed(json::JsonValue),
    /// From an example, whose placeholders are unknown: a values file, or an argument in a text about calls
    /// (`is_call`), where references are unknown, too.
    Example { given: Box<GivenValue>, is_call: bool },
    /// From the environment or the command line: the variable's type decides how the text is read.
    Text { text: String, span: Span },
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputSource {
    /// A values file, by its path as shown.
    File(String),
    /// `TF_VAR_NAME`
    Environment(String),
    /// `-var`
    CommandLine,
    /// An argument of a `module` block.
    Call,
}

impl GivenValue {
    /// Where the value is.
    pub fn span(&self) -> Span {
        match self {
            GivenValue::Expr(it) => it.span,
            GivenValue::Argument(it) => it.span,
            GivenValue::Json(it) | GivenValue::Sealed(it) => it.span,
            GivenValue::Text { span, .. } => *span,
            GivenValue::Example { given, .. } => given.span(),
        }
    }

    /// Whether it is written in JSON.
    pub fn is_json(&self) -> bool {
        match self {
            GivenValue::Json(_) | GivenValue::Sealed(_) => true,
            GivenValue::Example { given, .. } => given.is_json(),
            GivenValue::Expr(_) | GivenValue::Argument(_) | GivenValue::Text { .. } => false,
        }
    }

    /// Evaluates the value; with `is_literal` a text is a string (see `text::is_literal`). With
    /// diagnostics the value is a dynamic unknown.
    pub fn evaluate(
        &self,
        is_literal: bool,
        release: Release,
        meter: &Meter,
    ) -> (Value, Diagnostics) {
        match self {
            GivenValue::Expr(it) => {
                evaluate_constant(it, &lints::INVALID_INPUT_SYNTAX, release, meter)
            }
            GivenValue::Argument(it) => {
                evaluate_constant(it, &lints::INVALID_INPUT_SYNTAX, release, meter)
            }
            GivenValue::Json(it) => json_value::evaluate(it, &|_| None),
            GivenValue::Sealed(it) => json_value::evaluate(it, &sealed),
            GivenValue::Example { given, is_call } => {
                example::evaluate(given, *is_call, release, meter)
            }
            GivenValue::Text { text, .. } if is_literal => (Value::string(text), Vec::new()),
            GivenValue::Text { text, span } => {
                let (expr, diagnostics) = text::parse(text, *span);
                if diagnostics.is_empty() {
                    return evaluate_constant(&expr, &lints::INVALID_INPUT_SYNTAX, release, meter);
                }
                (Value::unknown(Type::Dynamic), diagnostics)
            }
        }
    }
}

/// Diagnostics of the syntax layer under this layer's rule.
pub(super) fn as_input_syntax(diagnostics: Diagnostics) -> Diagnostics {
    let relabel = |it: Diagnostic| {
        let rule = &lints::INVALID_INPUT_SYNTAX;
        if is_too_large(&it) { it } else { Diagnostic { rule: rule.into(), ..it } }
    };
    diagnostics.into_iter().map(relabel).collect()
}

/// The name of the text source for a value on the command line or in the environment.
pub(super) fn text_source(name: &SmolStr) -> String {
    format!("<value for var.{name}>")
}
