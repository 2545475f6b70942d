//! Which values a validator is about: single ones (texts, numbers, bools), or collections.

use super::{Valid, Validator};
use hcl::{Expr, ExprKind};
use stack::guarded;
use tf_eval::functions::{self, Function, Ty};
use tf_value::{Value, ValueContent};

/// The values that a validator is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Texts, numbers, bools.
    Single,
    /// Lists, maps, objects.
    Collection,
    /// Both.
    Either,
    /// It cannot be determined.
    Unclear,
}

impl Shape {
    /// Whether a validator of this shape certainly is about such a value.
    pub fn fits(self, value: &Value) -> bool {
        let is_collection =
            matches!(value.content(), ValueContent::Sequence(_) | ValueContent::Mapping(_));
        match self {
            Shape::Single => !is_collection,
            Shape::Collection => is_collection,
            Shape::Either => true,
            Shape::Unclear => false,
        }
    }

    pub fn and(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::Either, it) | (it, Shape::Either) => it,
            (one, other) if one == other => one,
            _ => Shape::Unclear,
        }
    }
}

impl Valid {
    /// Whether it is a validator of single values, such as `string` and `cidr`, whatever its options are.
    pub fn is_scalar(&self) -> bool {
        matches!(
            self,
            Valid::String { .. }
                | Valid::Number { .. }
                | Valid::Bool
                | Valid::Hostname
                | Valid::Uri(_)
                | Valid::Ip
                | Valid::Cidr
                | Valid::Base64
                | Valid::Json(_)
                | Valid::Version(_)
                | Valid::ByteSize(_)
                | Valid::Duration(_)
        )
    }
}

/// The shape of the values that a validator is about.
pub fn of(validator: &Validator) -> Shape {
    let shape = guarded(|| of_kind(&validator.kind));
    let condition = validator.condition.as_ref();
    condition.map_or(shape, |it| shape.and(of_self(&it.condition)))
}

fn of_kind(kind: &Valid) -> Shape {
    match kind {
        Valid::Required | Valid::Forbidden => Shape::Either,
        Valid::Optional(it, _) => of(it),
        Valid::Any(all) | Valid::All(all) | Valid::Deny(all) => {
            all.iter().fold(Shape::Either, |shape, it| shape.and(of(it)))
        }
        Valid::If(_, then, otherwise) => of(then).and(of(otherwise)),
        Valid::Equal(value, _) => match value.content() {
            ValueContent::Sequence(_) | ValueContent::Mapping(_) => Shape::Collection,
            _ => Shape::Single,
        },
        Valid::Predicate(expr) => of_self(expr),
        Valid::List { .. }
        | Valid::Map { .. }
        | Valid::Object { .. }
        | Valid::Tuple(_)
        | Valid::Some(_) => Shape::Collection,
        it if it.is_scalar() => Shape::Single,
        _ => Shape::Unclear,
    }
}

/// The shape that the uses of `self` in an expression ask for.
fn of_self(expr: &Expr) -> Shape {
    if is_self(expr) {
        return Shape::Unclear;
    }
    let used = match &expr.kind {
        ExprKind::GetAttr { base, .. } | ExprKind::Index { base, .. } if is_self(base) => {
            Shape::Collection
        }
        ExprKind::Splat { source, .. } if is_self(source) => Shape::Collection,
        ExprKind::For(it) if is_self(&it.collection) => Shape::Collection,
        ExprKind::Call { name, args, .. } => {
            let function =
                functions::lookup(name.name.strip_prefix("core::").unwrap_or(&name.name));
            let of =
                |(at, _): (usize, &Expr)| function.map_or(Shape::Unclear, |it| of_param(it, at));
            let used = args.iter().enumerate().filter(|it| is_self(it.1)).map(of);
            used.fold(Shape::Either, Shape::and)
        }
        ExprKind::Binary { .. } | ExprKind::Unary { .. } | ExprKind::Template(_) => {
            let mut has_self = false;
            expr.for_each_child(&mut |it| has_self |= is_self(it));
            if has_self { Shape::Single } else { Shape::Either }
        }
        _ => Shape::Either,
    };
    let mut shape = used;
    guarded(|| {
        expr.for_each_child(&mut |it| {
            if !is_self(it) {
                shape = shape.and(of_self(it));
            } else if matches!(expr.kind, ExprKind::Conditional { .. } | ExprKind::Tuple(_)) {
                shape = Shape::Unclear;
            }
        });
    });
    shape
}

/// The shape of a function's parameter.
fn of_param(function: &Function, at: usize) -> Shape {
    // The element that is looked for.
    if (function.name, at) == ("contains", 1) {
        return Shape::Single;
    }
    let param = function.params.get(at).copied().or(function.variadic);
    match param.map(|it| it.ty) {
        Some(Ty::String | Ty::Number | Ty::Bool) => Shape::Single,
        Some(Ty::List(_) | Ty::Set(_) | Ty::Map(_)) => Shape::Collection,
        Some(Ty::Any) | None => Shape::Unclear,
    }
}

fn is_self(expr: &Expr) -> bool {
    matches!(&expr.bare().kind, ExprKind::Variable(name) if name == "self")
}
