//! `base.name` and `base[key]`.

use smol_str::SmolStr;

use super::{
    WrittenArgument,
    evaluator::{Evaluator, dynamic},
    references::{self, Reference},
};
use diagnostics::{EvalError, Span, did_you_mean, lints};
use hcl::{Expr, ExprKind, Ident};
use release::changes;
use tf_value::{Marks, Number, ObjectType, Type, Value, convert, nfc, quoted};

const NO_SUCH_ELEMENT: &str = "The given key does not identify an element in this collection value";

impl Evaluator<'_> {
    pub(super) fn attribute(&mut self, base: &Expr, name: &Ident, span: Span) -> Value {
        let reference = references::of(base, name, self.scope.release, |root| self.is_bound(root));
        if let (Some(reference), false) = (reference, self.is_constant()) {
            return self.refer(&reference);
        }
        if self.scope.data.tells_what_is_written()
            && let Some(value) = self.written(base, name)
        {
            return value;
        }
        let value = self.eval(base);
        let place = if name.span == Span::default() { span } else { name.span };
        self.get_attribute(base, &value, name, place)
    }

    /// The written value of `TYPE.NAME.argument` or `TYPE.NAME[KEY].argument`, if it is known to stay.
    fn written(&mut self, base: &Expr, argument: &Ident) -> Option<Value> {
        let (object, key) = match &base.kind {
            ExprKind::Index { base, key, .. } => (&**base, Some(&**key)),
            _ => (base, None),
        };
        let ExprKind::GetAttr { base, name } = &object.kind else { return None };
        let release = self.scope.release;
        let reference = references::of(base, name, release, |root| self.is_bound(root))?;
        let Reference::Object { kind, name } = &reference else { return None };
        if self.is_constant() {
            return None;
        }
        let key = key.map(|it| self.eval(it));
        let (key, argument) = (key.as_ref(), &*nfc(&argument.name));
        self.scope.data.written(&WrittenArgument { kind, name, key, argument })
    }

    /// The value of a reference, which the check before the evaluation has found declared.
    fn refer(&mut self, reference: &Reference<'_>) -> Value {
        match reference {
            Reference::Value(namespace, name) => {
                let value = self.scope.data.value(*namespace, name).unwrap_or_else(dynamic);
                if value.deep_marks().is_undecided() {
                    self.note_undecided_value(*namespace, name);
                }
                value
            }
            Reference::Builtin(root, name) => {
                let value = self.scope.data.builtin(root, name).unwrap_or_else(dynamic);
                if value.marks().is_undecided() {
                    self.note_undecided(reference.to_string());
                }
                value
            }
            Reference::Instance(root, name) => {
                let value = self.scope.data.instance().and_then(|it| it.get(root, name));
                let value = value.cloned().unwrap_or_else(dynamic);
                if value.deep_marks().is_undecided() {
                    self.note_undecided(reference.to_string());
                }
                value
            }
            Reference::Object { kind, name } => {
                let is_opened = kind.starts_with("ephemeral.");
                let of_kind =
                    if is_opened { Marks::EPHEMERAL | Marks::OPENED } else { Marks::NONE };
                let Some(value) = self.scope.data.object(kind, name) else {
                    return self.undecided_value(reference.to_string()).with_marks(of_kind);
                };
                if value.deep_marks().is_undecided() {
                    self.note_undecided(reference.to_string());
                }
                value.with_marks(of_kind)
            }
            Reference::Prefix => dynamic(),
        }
    }

    fn get_attribute(&mut self, expr: &Expr, base: &Value, name: &Ident, span: Span) -> Value {
        if base.is_null() {
            let detail = "This value is null, so it does not have any attributes.";
            self.error(EvalError::AttributeOfNull, detail, span);
            return dynamic();
        }
        let marks = base.marks();
        let name = nfc(&name.name);
        let result = match base.ty() {
            Type::Object(object) => {
                if let Some(ty) = object.attributes.get(&name) {
                    member(base, &name).unwrap_or_else(|| Value::unknown(ty.clone()))
                } else {
                    self.no_attribute(expr, object, &name, span)
                }
            }
            Type::Map(element) if !base.is_known() => Value::unknown((**element).clone()),
            Type::Map(_) => member(base, &name).unwrap_or_else(|| {
                let name = quoted(&name);
                let detail = format!("This map does not have an element with the key {name}.");
                self.error(EvalError::MissingElement, detail, span);
                dynamic()
            }),
            Type::Dynamic => dynamic(),
            ty => {
                let hint = match ty {
                    Type::List(_) | Type::Tuple(_) => {
                        " Write [0] before the attribute for the first element, or [*] for all \
                         elements."
                    }
                    Type::Set(_) => " Write [*] before the attribute for all elements.",
                    _ => "",
                };
                let name = ty.friendly_name();
                let detail =
                    format!("This value is a {name}, so it does not have any attributes.{hint}");
                self.error(EvalError::UnsupportedAttribute, detail, span);
                dynamic()
            }
        };
        result.with_marks(marks)
    }

    /// The error for an attribute that an object lacks. The attributes of a called module's instance are
    /// its outputs.
    fn no_attribute(&mut self, base: &Expr, object: &ObjectType, name: &str, span: Span) -> Value {
        let (rule, hint) = if self.is_called_module(base) {
            let outputs = object.attributes.keys().map(SmolStr::as_str);
            (&lints::UNDECLARED_OUTPUT, did_you_mean(name, outputs))
        } else {
            (&lints::FAILED_EVALUATION, String::new())
        };
        let name = quoted(name);
        let detail = format!("This object does not have an attribute named {name}.{hint}");
        self.error_of(rule, EvalError::UnsupportedAttribute, detail, span);
        dynamic()
    }

    /// Whether an expression is one instance of a called module: `module.NAME`, or `module.NAME[KEY]`
    /// where the call has `count` or `for_each`.
    fn is_called_module(&self, expr: &Expr) -> bool {
        let (call, has_key) = match &expr.kind {
            ExprKind::Index { base, .. } => (&**base, true),
            _ => (expr, false),
        };
        let ExprKind::GetAttr { base, name } = &call.kind else { return false };
        let ExprKind::Variable(root) = &base.kind else { return false };
        root == "module"
            && !self.is_bound(root)
            && self.scope.data.is_repeated(root, &name.name) == Some(has_key)
    }

    pub(super) fn index(&mut self, base: &Expr, key: &Expr, span: Span) -> Value {
        let base_value = self.eval(base);
        let key = self.eval(key);
        // The marks of a key count only where it names an element of a collection or a tuple.
        let counts = key.is_known() && !matches!(base_value.ty(), Type::Object(_) | Type::Dynamic);
        let of_key = if counts { key.marks() } else { key.marks().of_ours() };
        self.get_index(&base_value, &key, span).with_marks(base_value.marks() | of_key)
    }

    fn get_index(&mut self, base: &Value, key: &Value, span: Span) -> Value {
        if base.is_null() {
            let detail = "This value is null, so it does not have any elements.";
            self.error(EvalError::IndexOfNull, detail, span);
            return dynamic();
        }
        if key.is_null() {
            let detail = "Can't use a null value as an indexing key.";
            self.error(EvalError::InvalidIndex, detail, span);
            return dynamic();
        }
        if *key.ty() == Type::Dynamic || *base.ty() == Type::Dynamic {
            return dynamic();
        }
        match base.ty() {
            Type::List(_) | Type::Tuple(_) => self.element_at(base, key, span),
            Type::Map(_) | Type::Object(_) => self.element_named(base, key, span),
            Type::Set(_) => {
                let detail = "Elements of a set are identified only by their value; use a 'for' \
                    expression to go over them.";
                self.error(EvalError::InvalidIndex, detail, span);
                dynamic()
            }
            _ => {
                let detail = "This value does not have any indices.";
                self.error(EvalError::InvalidIndex, detail, span);
                dynamic()
            }
        }
    }

    fn converted_key(&mut self, key: &Value, ty: &Type, span: Span) -> Option<Value> {
        match convert(key, ty) {
            Ok(it) => Some(it),
            Err(error) => {
                self.error(
                    EvalError::InvalidIndex,
                    format!("{NO_SUCH_ELEMENT}: {}.", error.reason),
                    span,
                );
                None
            }
        }
    }

    fn element_at(&mut self, base: &Value, key: &Value, span: Span) -> Value {
        let Some(key) = self.converted_key(key, &Type::Number, span) else { return dynamic() };
        let Some(number) = key.as_number() else {
            return unknown_element(base);
        };
        // Nothing is refused of an unknown list, not even a negative index.
        let length = match base.ty() {
            Type::Tuple(types) => Some(types.len()),
            _ => base.as_sequence().map(<[Value]>::len),
        };
        let index = number.to_i64().and_then(|it| usize::try_from(it).ok());
        match (index, length) {
            (_, None) => unknown_element(base),
            (Some(index), Some(length)) if index < length => element(base, index),
            (_, Some(length)) => {
                self.error(EvalError::InvalidIndex, no_such_index(number, length), span);
                dynamic()
            }
        }
    }

    fn element_named(&mut self, base: &Value, key: &Value, span: Span) -> Value {
        let Some(key) = self.converted_key(key, &Type::String, span) else { return dynamic() };
        let Some(name) = key.as_str() else { return unknown_element(base) };
        match base.ty() {
            Type::Map(ty) if !base.is_known() => return Value::unknown((**ty).clone()),
            Type::Object(object) if !base.is_known() => {
                if !self.scope.release.has(&changes::INDEX_OF_UNKNOWN_OBJECT) {
                    return dynamic();
                }
                if let Some(ty) = object.attributes.get(name) {
                    return Value::unknown(ty.clone());
                }
            }
            _ => (),
        }
        member(base, name).unwrap_or_else(|| {
            self.error(EvalError::InvalidIndex, format!("{NO_SUCH_ELEMENT}."), span);
            dynamic()
        })
    }
}

fn member(base: &Value, name: &str) -> Option<Value> {
    base.as_mapping()?.get(name).cloned()
}

fn element(base: &Value, index: usize) -> Value {
    if let Some(it) = base.as_sequence().and_then(|it| it.get(index)) {
        return it.clone();
    }
    match base.ty() {
        Type::Tuple(types) => {
            types.get(index).map_or_else(dynamic, |it| Value::unknown(it.clone()))
        }
        _ => dynamic(),
    }
}

/// The result for an element that is not known yet.
fn unknown_element(base: &Value) -> Value {
    base.ty().element().map_or_else(dynamic, |it| Value::unknown(it.clone()))
}

fn no_such_index(index: &Number, length: usize) -> String {
    let reason = if index.is_negative() && !index.is_zero() {
        ": a negative number is not a valid index for a sequence"
    } else if !index.is_integer() {
        ": indexing a sequence requires a whole number, but the given index has a fractional part"
    } else if length == 0 {
        ": the collection has no elements"
    } else {
        ": the given index is greater than or equal to the length of the collection"
    };
    format!("{NO_SUCH_ELEMENT}{reason}.")
}
