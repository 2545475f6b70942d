//! Type constraints: `object({ a = optional(string, "x") })`, `any`, legacy types, and defaults.
//!
//! An expression goes in; a [`Constraint`] comes out: a type, and the defaults of its optional
//! attributes. They are kept apart because Terraform fills defaults in before it converts a value.

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter, Write},
};

use super::{Attributes, ConvertError, Type, Value, ValueContent, convert, nfc};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, did_you_mean, lints};
use hcl::{Expr, ExprKind, Ident, ObjectItem, ObjectKey};
use smol_str::SmolStr;
use stack::guarded;

/// A declared type: the constraint and the defaults of its optional attributes. For example: `object({ a
/// = optional(string, "x") })` has the type `object({ a = optional(string) })` and the default "x" for
/// `a`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// `Dynamic` for `any`; optional attributes are named in `ObjectType::optional`.
    pub ty: Type,
    pub defaults: Option<Defaults>,
}

/// The defaults of optional attributes in one place of a type, and below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// Attribute name to its default, converted to the attribute's type and complete with the
    /// defaults further in.
    pub values: BTreeMap<SmolStr, Value>,
    /// The same defaults as written, not converted, for display.
    pub written: BTreeMap<SmolStr, Value>,
    /// Defaults further in: by attribute name, by decimal tuple index, or `""` for the elements of
    /// a collection.
    pub children: BTreeMap<SmolStr, Defaults>,
}

impl Constraint {
    /// `any`: the constraint of a variable without a type.
    pub fn any() -> Constraint {
        Constraint { ty: Type::Dynamic, defaults: None }
    }

    /// The variable's final value: defaults are filled in first, then the value is converted.
    pub fn accept(&self, value: &Value) -> Result<Value, ConvertError> {
        match &self.defaults {
            Some(defaults) => convert(&defaults.apply(value), &self.ty),
            None => convert(value, &self.ty),
        }
    }
}

// Turns an expression into a type constraint.

/// Evaluates the default of an optional attribute, a constant expression.
pub type Fold<'a> = &'a dyn Fn(&Expr) -> Result<Value, Diagnostic>;

const QUOTED: &str = "Terraform 0.11 and earlier required types in quotes; later versions \
    reject them.";
const NEITHER: &str = "A type is string, number, bool, any, or a constructor such as \
    list(string), without quotes or parentheses.";

/// Reads a type constraint. An erroneous part is reported, and becomes `any` in the result.
///
/// `list` and `map` alone are lists and maps of `any`, as in Terraform 0.11; in quotes they are
/// reported, too. In `.tf.json` the expression is the content of the string.
pub fn parse_type(expr: &Expr, fold: Fold<'_>) -> (Constraint, Diagnostics) {
    let mut parser = Parser { fold, diagnostics: Vec::new() };
    let constraint = match &expr.kind {
        ExprKind::String(text) => {
            parser.diagnostics.push(quoted_type(text, expr.span));
            match text.as_str() {
                "string" => Constraint { ty: Type::String, defaults: None },
                "list" => legacy(Type::list),
                "map" => legacy(Type::map),
                _ => Constraint::any(),
            }
        }
        ExprKind::Variable(name) if name == "list" => legacy(Type::list),
        ExprKind::Variable(name) if name == "map" => legacy(Type::map),
        _ => parser.constraint(expr),
    };
    (constraint, parser.diagnostics)
}

/// Like [`parse_type`], without the forms of Terraform 0.11: the type that `convert` accepts.
pub fn parse_modern_type(expr: &Expr, fold: Fold<'_>) -> (Constraint, Diagnostics) {
    let mut parser = Parser { fold, diagnostics: Vec::new() };
    let constraint = parser.constraint(expr);
    (constraint, parser.diagnostics)
}

fn legacy(kind: fn(Type) -> Type) -> Constraint {
    Constraint { ty: kind(Type::Dynamic), defaults: None }
}

/// The error for a quoted type of Terraform 0.11. Terraform refuses it today, but the meaning of
/// `"string"`, `"list"` and `"map"` is clear, so it has another rule than an unreadable type.
fn quoted_type(text: &str, span: Span) -> Diagnostic {
    let instead = match text {
        "string" => "Write string without the quotes.",
        "list" => "Write list(string) without quotes.",
        "map" => "Write map(string) without quotes.",
        _ => {
            return Diagnostic::new(&lints::INVALID_VARIABLE, "Invalid legacy variable type hint")
                .detail(QUOTED)
                .help("Write the type without quotes, such as string or list(string).")
                .at(Role::Rule, span);
        }
    };
    Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, "Invalid quoted type constraints")
        .detail(QUOTED)
        .help(instead)
        .at(Role::Rule, span)
}

struct Parser<'a> {
    fold: Fold<'a>,
    diagnostics: Diagnostics,
}

/// Types without arguments.
const TYPES: [&str; 4] = ["string", "number", "bool", "any"];
/// Types with an argument.
const CONSTRUCTORS: [&str; 5] = ["list", "set", "map", "object", "tuple"];

impl Parser<'_> {
    fn error(&mut self, detail: impl Into<String>, span: Span) -> Constraint {
        let error = Diagnostic::new(&lints::INVALID_VARIABLE, "Invalid type specification");
        self.diagnostics.push(error.detail(detail).at(Role::Rule, span));
        Constraint::any()
    }

    fn constraint(&mut self, expr: &Expr) -> Constraint {
        guarded(|| match &expr.kind {
            ExprKind::Variable(name) => self.keyword(name, expr.span),
            ExprKind::Null => self.keyword("null", expr.span),
            ExprKind::Bool(true) => self.keyword("true", expr.span),
            ExprKind::Bool(false) => self.keyword("false", expr.span),
            ExprKind::Call { name, args, .. } => self.call(name, args, expr.span),
            ExprKind::Invalid => Constraint::any(),
            _ => self.error(NEITHER, expr.span),
        })
    }

    fn keyword(&mut self, name: &str, span: Span) -> Constraint {
        let ty = match name {
            "string" => Type::String,
            "number" => Type::Number,
            "bool" => Type::Bool,
            "any" => Type::Dynamic,
            "list" | "set" | "map" | "object" | "tuple" => {
                return self.error(missing_argument(name), span);
            }
            _ => {
                let hint = did_you_mean(name, TYPES.into_iter().chain(CONSTRUCTORS));
                return self
                    .error(format!("The keyword \"{name}\" is not a valid type.{hint}"), span);
            }
        };
        Constraint { ty, defaults: None }
    }

    fn call(&mut self, name: &Ident, args: &[Expr], span: Span) -> Constraint {
        let arguments = Span { start: name.span.end, ..span };
        match name.name.as_str() {
            "string" | "number" | "bool" | "any" => {
                let detail = format!("The type \"{}\" takes no arguments.", name.name);
                self.error(detail, arguments)
            }
            "optional" => {
                let detail = "\"optional\" is allowed only for the type of an object attribute.";
                self.error(detail, name.span)
            }
            kind @ ("list" | "set" | "map" | "object" | "tuple") => match args {
                [] => self.error(missing_argument(kind), arguments),
                [argument] => self.constructor(kind, argument),
                [_, second, rest @ ..] => {
                    let end = rest.last().unwrap_or(second).span.end;
                    self.error(missing_argument(kind), Span { end, ..second.span })
                }
            },
            other => {
                let hint = did_you_mean(other, CONSTRUCTORS);
                self.error(
                    format!("The keyword \"{other}\" is not a valid type constructor.{hint}"),
                    span,
                )
            }
        }
    }

    fn constructor(&mut self, kind: &str, argument: &Expr) -> Constraint {
        match (kind, &argument.kind) {
            ("object", ExprKind::Object(items)) => self.object(items),
            ("object", _) => self.error(
                "An object type needs its attributes in braces: object({ name = string }).",
                argument.span,
            ),
            ("tuple", ExprKind::Tuple(elements)) => self.tuple(elements),
            ("tuple", _) => self.error(
                "A tuple type needs its element types in brackets: tuple([string, number]).",
                argument.span,
            ),
            _ => {
                let Constraint { ty, defaults } = self.constraint(argument);
                let ty = match kind {
                    "list" => Type::list(ty),
                    "set" => Type::set(ty),
                    _ => Type::map(ty),
                };
                let children = defaults.map(|it| (SmolStr::default(), it)).into_iter().collect();
                constraint(ty, Defaults { children, ..Defaults::default() })
            }
        }
    }

    fn tuple(&mut self, elements: &[Expr]) -> Constraint {
        let mut types = Vec::with_capacity(elements.len());
        let mut defaults = Defaults::default();
        for (index, element) in elements.iter().enumerate() {
            let element = self.constraint(element);
            types.push(element.ty);
            if let Some(inner) = element.defaults {
                defaults.children.insert(index.to_string().into(), inner);
            }
        }
        constraint(Type::tuple(types), defaults)
    }

    fn object(&mut self, items: &[ObjectItem]) -> Constraint {
        let mut object = Attributes::default();
        let mut defaults = Defaults::default();
        for item in items {
            let name = match &item.key {
                ObjectKey::Name(name) => name,
                ObjectKey::Expr(key) | ObjectKey::Template(key) => {
                    self.error("Write the name of an attribute without quotes.", key.span);
                    continue;
                }
            };
            let key = nfc(&name.name);
            if object.attributes.contains_key(&key) {
                let detail = format!("The attribute \"{key}\" is declared more than once.");
                self.error(detail, name.span);
                continue;
            }
            self.attribute(key, &item.value, &mut object, &mut defaults);
        }
        constraint(object.into(), defaults)
    }

    /// The type of an attribute, which may be `optional(TYPE)` or `optional(TYPE, DEFAULT)`.
    fn attribute(
        &mut self,
        name: SmolStr,
        value: &Expr,
        object: &mut Attributes,
        defaults: &mut Defaults,
    ) {
        let (ty, default) = match &value.kind {
            ExprKind::Call { name: called, args, .. } if called.name == "optional" => {
                let Some(parts) = self.optional(called, args, value.span) else { return };
                object.optional.insert(name.clone());
                parts
            }
            _ => (value, None),
        };
        let inner = self.constraint(ty);
        if let Some((written, value)) = default.and_then(|it| self.default(it, &inner)) {
            defaults.written.insert(name.clone(), written);
            defaults.values.insert(name.clone(), value);
        }
        defaults.children.extend(inner.defaults.map(|it| (name.clone(), it)));
        object.attributes.insert(name, inner.ty);
    }

    fn optional<'e>(
        &mut self,
        name: &Ident,
        args: &'e [Expr],
        span: Span,
    ) -> Option<(&'e Expr, Option<&'e Expr>)> {
        match args {
            [ty] => Some((ty, None)),
            [ty, default] => Some((ty, Some(default))),
            _ => {
                let detail = "\"optional\" takes the type of the attribute and, optionally, its \
                    default value.";
                self.error(detail, Span { start: name.span.end, ..span });
                None
            }
        }
    }

    /// The default as written, and its final form: converted, and completed by the defaults further in.
    fn default(&mut self, expr: &Expr, attribute: &Constraint) -> Option<(Value, Value)> {
        let written = match (self.fold)(expr) {
            Ok(value) => value,
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                return None;
            }
        };
        match attribute.accept(&written) {
            Ok(value) => Some((written, value)),
            Err(error) => {
                let detail = format!(
                    "This default value is not compatible with the attribute's \
                    type constraint: {error}."
                );
                let summary = "Invalid default value for optional attribute";
                let error = Diagnostic::new(&lints::INVALID_VARIABLE, summary).detail(detail);
                self.diagnostics.push(error.at(Role::Rule, expr.span));
                None
            }
        }
    }
}

fn constraint(ty: Type, defaults: Defaults) -> Constraint {
    Constraint { ty, defaults: Some(defaults).filter(|it| !it.is_empty()) }
}

fn missing_argument(kind: &str) -> String {
    let argument = match kind {
        "object" => "its attributes in braces: object({ name = string })",
        "tuple" => "its element types in brackets: tuple([string, number])",
        _ => return format!("The type \"{kind}\" needs exactly one argument: {kind}(string)."),
    };
    format!("The type \"{kind}\" needs exactly one argument, {argument}.")
}

// Types and their defaults as source text.

/// Writes the constraint on one line, as an author would: `list(object({ a = optional(string, "x") }))`.
impl Display for Constraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_type(&self.ty, self.defaults.as_ref(), f)
    }
}

/// A type without defaults, as an author would write it: `list(object({ a = optional(string) }))`.
pub fn type_source(ty: &Type) -> String {
    Constraint { ty: ty.clone(), defaults: None }.to_string()
}

/// A value as a literal: `{ a = ["x", 1] }`. Marks are ignored; an unknown is written as `(unknown)`.
pub fn value_source(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

fn write_type(ty: &Type, defaults: Option<&Defaults>, f: &mut impl Write) -> fmt::Result {
    let child = |key: &str| defaults.and_then(|it| it.children.get(key));
    let (kind, element) = match ty {
        Type::Dynamic => return f.write_str("any"),
        Type::String => return f.write_str("string"),
        Type::Number => return f.write_str("number"),
        Type::Bool => return f.write_str("bool"),
        Type::List(element) => ("list", element),
        Type::Set(element) => ("set", element),
        Type::Map(element) => ("map", element),
        Type::Tuple(elements) => {
            f.write_str("tuple([")?;
            for (index, element) in elements.iter().enumerate() {
                f.write_str(if index > 0 { ", " } else { "" })?;
                guarded(|| write_type(element, child(&index.to_string()), f))?;
            }
            return f.write_str("])");
        }
        Type::Object(object) if object.attributes.is_empty() => return f.write_str("object({})"),
        Type::Object(object) => {
            f.write_str("object({ ")?;
            for (index, (name, attribute)) in object.attributes.iter().enumerate() {
                f.write_str(if index > 0 { ", " } else { "" })?;
                let optional = object.optional.contains(name);
                write!(f, "{name} = {}", if optional { "optional(" } else { "" })?;
                guarded(|| write_type(attribute, child(name), f))?;
                if let Some(default) = defaults.and_then(|it| it.values.get(name)) {
                    write!(f, ", {}", value_source(default))?;
                }
                f.write_str(if optional { ")" } else { "" })?;
            }
            return f.write_str(" })");
        }
    };
    write!(f, "{kind}(")?;
    guarded(|| write_type(element, child(""), f))?;
    f.write_str(")")
}

fn write_value(value: &Value, text: &mut String) {
    match value.content() {
        ValueContent::Null => text.push_str("null"),
        ValueContent::Unknown(_) => text.push_str("(unknown)"),
        ValueContent::Bool(it) => text.push_str(if *it { "true" } else { "false" }),
        ValueContent::Number(it) => text.push_str(&it.to_decimal()),
        ValueContent::String(it) => write_string(it, text),
        ValueContent::Sequence(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                guarded(|| write_value(element, text));
            }
            text.push(']');
        }
        ValueContent::Mapping(elements) if elements.is_empty() => text.push_str("{}"),
        ValueContent::Mapping(elements) => {
            text.push_str("{ ");
            for (index, (key, element)) in elements.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                if is_plain_key(key) {
                    text.push_str(key);
                } else {
                    write_string(key, text);
                }
                text.push_str(" = ");
                guarded(|| write_value(element, text));
            }
            text.push_str(" }");
        }
    }
}

fn is_plain_key(key: &str) -> bool {
    let mut chars = key.chars();
    let starts = chars.next().is_some_and(unicode_ident::is_xid_start);
    starts && chars.all(|it| it == '-' || unicode_ident::is_xid_continue(it))
}

fn write_string(it: &str, text: &mut String) {
    text.push('"');
    let mut rest = it;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '$' | '%' if rest.starts_with('{') => text.extend([char, char]),
            char if char.is_control() => {
                let _ = write!(text, "\\u{:04x}", u32::from(char));
            }
            char => text.push(char),
        }
    }
    text.push('"');
}

// Filling in the defaults of optional attributes.

impl Defaults {
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.children.is_empty()
    }

    /// The value with every absent or null attribute that has a default filled in, at every depth.
    ///
    /// A null or unknown value stays as it is, also as an element of a collection. The result is
    /// still to be converted: where something was filled in, collections have become tuples and
    /// objects.
    pub fn apply(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        let filled = guarded(|| match value.content() {
            ValueContent::Sequence(elements) => self.apply_to_elements(value, elements),
            ValueContent::Mapping(elements) => self.apply_to_attributes(value, elements),
            _ => value.clone(),
        });
        filled.with_marks(value.marks())
    }

    fn apply_to_elements(&self, value: &Value, elements: &[Value]) -> Value {
        if elements.is_empty() {
            return value.clone();
        }
        let every = self.children.get("");
        let filled = elements.iter().enumerate().map(|(index, it)| {
            let child = every.or_else(|| self.children.get(index.to_string().as_str()));
            child.map_or_else(|| it.clone(), |child| child.apply(it))
        });
        Value::tuple(filled.collect())
    }

    fn apply_to_attributes(&self, value: &Value, given: &BTreeMap<SmolStr, Value>) -> Value {
        let every = self.children.get("");
        if every.is_some() && given.is_empty() && matches!(value.ty(), Type::Map(_)) {
            return value.clone();
        }
        let mut attributes = given.clone();
        for (name, attribute) in &mut attributes {
            if let Some(child) = every.or_else(|| self.children.get(name)) {
                *attribute = child.apply(attribute);
            }
        }
        // These are complete already. Completing them once more would take the square of the depth.
        for (name, default) in &self.values {
            if given.get(name).is_none_or(Value::is_null) {
                attributes.insert(name.clone(), default.clone());
            }
        }
        Value::object(attributes)
    }
}
