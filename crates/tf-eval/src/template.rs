//! `"text ${interpolation} %{ if … } %{ for … }"` and heredocs.

use super::{evaluator::Evaluator, for_expr::Bindings};
use diagnostics::{EvalError, Span};
use hcl::{Expr, TemplatePart};
use stack::guarded;
use tf_value::{Marks, Refinements, Type, Value, convert};

/// The text rendered so far.
#[derive(Default)]
struct Text {
    /// The text before the first unknown part.
    known: String,
    unknown: bool,
    marks: Marks,
}

impl Text {
    fn push(&mut self, text: &str) {
        if !self.unknown {
            self.known.push_str(text);
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn template(&mut self, parts: &[TemplatePart]) -> Value {
        let before = self.mark();
        let mut text = Text::default();
        for part in parts {
            self.part(part, &mut text);
        }
        let place = parts.first().map(span_of).unwrap_or_default();
        self.spend(text.known.len() as u64 / 16, place);
        if self.failed_since(before) {
            return Value::unknown(Type::String).with_marks(text.marks);
        }
        finish(&text)
    }

    fn part(&mut self, part: &TemplatePart, text: &mut Text) {
        match part {
            TemplatePart::Literal { text: literal, .. } => text.push(literal),
            TemplatePart::Interpolation(expr) => {
                let value = self.eval(expr);
                self.interpolate(value, expr.span, text);
            }
            TemplatePart::If { condition, then, otherwise, span } => {
                let then = |it: &mut Self| it.nested(then);
                let otherwise = |it: &mut Self| it.nested(otherwise);
                let value = self.conditional_text(condition, then, otherwise, *span);
                self.interpolate(value, *span, text);
            }
            TemplatePart::For { key, value, collection, body, .. } => {
                let names = Bindings { key: key.as_ref(), value };
                self.repeat(names, collection, body, text);
            }
        }
    }

    fn nested(&mut self, parts: &[TemplatePart]) -> Value {
        guarded(|| self.template(parts))
    }

    fn interpolate(&mut self, value: Value, span: Span, text: &mut Text) {
        let (value, marks) = value.unmark();
        if value.is_null() {
            let detail = "The expression result is null. Cannot include a null value in a \
                string template.";
            self.error(EvalError::InvalidInterpolation, detail, span);
            return;
        }
        text.marks |= marks;
        self.spend(value.size(), span);
        if !value.is_known() {
            text.unknown = true;
            return;
        }
        match convert(&value, &Type::String) {
            Ok(it) if it.is_known() => text.push(it.as_str().unwrap_or_default()),
            Ok(_) => text.unknown = true,
            Err(error) => {
                let detail = format!(
                    "Cannot include the given value in a string template: {}.",
                    error.reason
                );
                self.error(EvalError::InvalidInterpolation, detail, span);
            }
        }
    }

    /// `%{ for }`
    fn repeat(
        &mut self,
        names: Bindings<'_>,
        collection: &Expr,
        body: &[TemplatePart],
        text: &mut Text,
    ) {
        let (elements, marks) = match self.collection(collection, None) {
            Ok(it) => it,
            Err(value) => {
                text.unknown = true;
                text.marks |= value.marks();
                return;
            }
        };
        text.marks |= marks;
        for (key, value) in elements {
            let piece = self.bound(names, key, value, |it| it.nested(body));
            self.interpolate(piece, collection.span, text);
            if self.is_stopped() {
                return;
            }
        }
    }
}

fn span_of(part: &TemplatePart) -> Span {
    match part {
        TemplatePart::Literal { span, .. }
        | TemplatePart::If { span, .. }
        | TemplatePart::For { span, .. } => *span,
        TemplatePart::Interpolation(expr) => expr.span,
    }
}

fn finish(text: &Text) -> Value {
    let value = if text.unknown {
        let refinements = Refinements::beginning_with(&text.known);
        Value::unknown(Type::String).refined(refinements)
    } else {
        Value::string(&text.known)
    };
    value.with_marks(text.marks)
}
