//! Turns an expression into a type constraint.

use smol_str::SmolStr;

use super::{Constraint, Defaults};
use crate::{Attributes, Type, Value, nfc};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, did_you_mean, lints};
use hcl::{Expr, ExprKind, Ident, ObjectItem, ObjectKey};
use stack::guarded;

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
