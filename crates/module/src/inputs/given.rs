//! A value as it was given, before it is evaluated.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::example;
use crate::{Variable, evaluate_constant, inputs::values_file::sealed};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use hcl::{
    Expr, is_too_large, json,
    json::{JsonMember, JsonValue as Json, ValueKind},
    parse_expression,
};
use release::Release;
use smol_str::SmolStr;
use stack::guarded;
use tf_eval::Meter;
use tf_value::{Number, Type, Value, nfc};

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
    /// (`is_call`), where references are unknown, too. Comments at `left_out` say that something is missing there.
    Example { given: Box<GivenValue>, is_call: bool, left_out: Arc<[Span]> },
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

    /// Evaluates the value; with `is_literal` a text is a string (see `is_literal`). With
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
            GivenValue::Json(it) => evaluate(it, &|_| None),
            GivenValue::Sealed(it) => evaluate(it, &sealed),
            GivenValue::Example { given, is_call, left_out } => {
                example::evaluate(given, *is_call, left_out, release, meter)
            }
            GivenValue::Text { text, .. } if is_literal => (Value::string(text), Vec::new()),
            GivenValue::Text { text, span } => {
                let (expr, diagnostics) = parse(text, *span);
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

// Values given as text: `TF_VAR_NAME` and `-var NAME=TEXT`.

/// Whether a text for this variable is a string itself: for a primitive type, and without a declared
/// type. For every other type, also for `any`, it is an HCL expression.
pub(super) fn is_literal(variable: &Variable) -> bool {
    variable.type_span.is_none() || variable.constraint.ty.is_primitive()
}

/// Parses text as an HCL expression.
pub(super) fn parse(text: &str, span: Span) -> (Expr, Diagnostics) {
    let (expr, diagnostics) = parse_expression(span.file, text.as_bytes(), span.start);
    (expr, as_input_syntax(diagnostics))
}

// JSON of a values file as a Terraform value.

/// Evaluates JSON. Arrays become tuples, and objects become objects. Strings and keys are normalised to NFC and are
/// never templates. A repeated key is an error; the value is then unknown. `behind` knows texts that mean other values.
pub(super) fn evaluate(json: &Json, behind: Behind<'_>) -> (Value, Diagnostics) {
    let mut diagnostics = Vec::new();
    let value = value(json, behind, &mut diagnostics);
    if diagnostics.is_empty() {
        return (value, diagnostics);
    }
    (Value::unknown(Type::Dynamic), diagnostics)
}

/// The value that a text means. `None` if it is only a text.
type Behind<'a> = &'a dyn Fn(&str) -> Option<Value>;

fn value(json: &Json, behind: Behind<'_>, diagnostics: &mut Diagnostics) -> Value {
    match &json.kind {
        ValueKind::Null => Value::null(Type::Dynamic),
        ValueKind::Bool(it) => Value::bool(*it),
        ValueKind::String(it) => behind(it).unwrap_or_else(|| Value::string(it)),
        ValueKind::Number(it) => match Number::parse(it) {
            Some(it) => Value::number(it),
            None => Value::unknown(Type::Number),
        },
        ValueKind::Array(elements) => {
            let mut value = |it| value(it, behind, diagnostics);
            guarded(|| Value::tuple(elements.iter().map(&mut value).collect()))
        }
        ValueKind::Object(members) => guarded(|| object(members, behind, diagnostics)),
        ValueKind::Invalid => Value::unknown(Type::Dynamic),
    }
}

fn object(members: &[JsonMember], behind: Behind<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut attributes = BTreeMap::new();
    let mut first = HashMap::with_capacity(members.len());
    for member in members {
        let key = nfc(&member.key);
        let value = value(&member.value, behind, diagnostics);
        if let Some(first) = first.get(&key).copied() {
            let problem =
                Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, "Duplicate object attribute")
                    .detail(format!("The key \"{key}\" occurs twice in this object."))
                    .at(Role::Value, member.key_span)
                    .at_with(Role::Value, first, "first here");
            diagnostics.push(problem);
            continue;
        }
        first.insert(key.clone(), member.key_span);
        attributes.insert(key, value);
    }
    Value::object(attributes)
}
