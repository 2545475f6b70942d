//! Symbolic values of expressions, by cases.

use std::rc::Rc;

use smol_str::SmolStr;

use super::{names::Names, place::Place, truth::Truth};
use crate::sets::{ConstraintRoot, ExpressionKind, Extent, Reason};
use diagnostics::Span;
use hcl::{Expr, ForExpr};
use tf_value::{Type, Value};

/// A symbolic value: `var.x` is `Place`, `length(var.x)` is `Count(Place)`, `"a"` is `Constant`.
#[derive(Clone)]
pub enum Term<'m> {
    Constant(Value),
    /// The value at a place.
    Place(Place),
    Bool(Box<Truth>),
    Sequence(Rc<Sequence<'m>>),
    /// An object or map with known names.
    Object(Rc<Vec<(SmolStr, Cases<'m>)>>),
    /// `length(…)` of a sequence or place.
    Count(Box<Term<'m>>),
    /// A length plus a constant: `length(var.x) + 1`.
    Shifted(Box<Term<'m>>, i64),
    /// `regexall(pattern, place)`
    Matches(String, Place),
    /// `split(separator, place)`
    Parts(String, Place),
    Floor(Place),
    Modulo(Place, u64),
    /// How many of these are true: a sum of `? 1 : 0`.
    Sum(Rc<Vec<Truth>>),
    /// A sum of `? 1 : 0` of a collection: true where it is above zero, false where it is zero.
    Tally(Box<Truth>),
    /// A sum of lengths.
    Total(Rc<Vec<Term<'m>>>),
    /// Not translated, for this reason. With `Known` it evaluates, and has that type.
    Unknown(Reason, Span, Option<Known>),
}

/// The type of a value that is there but not known, and whether it may be null.
#[derive(Clone, Debug)]
pub struct Known {
    pub ty: Type,
    /// Whether it may be null.
    pub null: bool,
}

impl Known {
    /// Whether it is not equal to the constant, whatever it is: `==` never converts.
    pub fn is_unlike(&self, constant: &Value) -> bool {
        if constant.is_null() {
            return !self.null;
        }
        self.ty.is_primitive() && constant.ty().is_primitive() && self.ty != *constant.ty()
    }
}

/// A sequence of elements that a `for`, `alltrue` or `length` visits.
pub enum Sequence<'m> {
    /// The elements of a list, set or map.
    Elements(Place, Nulls),
    /// The keys of a map.
    Keys(Place),
    /// The elements of a list from an index on, up to another or to its end.
    Slice {
        list: Place,
        from: usize,
        to: Option<usize>,
    },
    /// Elements written one by one, with their keys.
    Written(Vec<(Value, Cases<'m>)>),
    /// A `for`, and the names that are in scope there. It is read when its elements are asked for.
    For(Names<Cases<'m>>, &'m ForExpr),
    /// `source[*].…`
    Splat(Names<Cases<'m>>, Cases<'m>, &'m Expr),
    Flattened(Cases<'m>),
    Joined(Vec<Cases<'m>>),
    /// Elements that are, or are not, among constants.
    Filtered {
        source: Cases<'m>,
        among: Vec<Value>,
        kept: bool,
        span: Span,
    },
    /// Each element once: `distinct`, `toset`. Its length differs from that of the source.
    Distinct(Cases<'m>, Once),
}

/// The effect of a null in the place of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    Fail,
    /// A conversion leaves it as it is.
    Stay,
}

/// The kind of a sequence that has each element once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once {
    List,
    Set,
    /// By `toset`.
    Converted,
}

/// Disjoint guards with a term each; where none holds, evaluation fails. Failures of a place are
/// the place's own, not in `error`.
#[derive(Clone)]
pub struct Cases<'m> {
    pub list: Vec<(Extent, Term<'m>)>,
    pub error: Extent,
}

impl Term<'_> {
    /// Its name in reports.
    pub fn form(&self) -> ExpressionKind {
        match self {
            Term::Constant(_) => ExpressionKind::Constant,
            Term::Place(_) | Term::Unknown(..) => ExpressionKind::Value,
            Term::Bool(_) => ExpressionKind::Condition,
            Term::Sequence(_) => ExpressionKind::ComputedList,
            Term::Object(_) => ExpressionKind::Object,
            Term::Count(_) | Term::Shifted(..) => ExpressionKind::Length,
            Term::Matches(..) => ExpressionKind::Matches,
            Term::Parts(..) => ExpressionKind::SplitString,
            Term::Floor(_) => ExpressionKind::Rounded,
            Term::Modulo(..) => ExpressionKind::Remainder,
            Term::Sum(_) | Term::Tally(_) => ExpressionKind::SumOfConditionals,
            Term::Total(_) => ExpressionKind::SumOfLengths,
        }
    }

    /// The root of a place.
    pub fn root(&self) -> Option<&ConstraintRoot> {
        if let Term::Place(place) = self { Some(&place.root) } else { None }
    }

    /// Whether it is a list, which `flatten` takes apart.
    pub fn is_list(&self) -> bool {
        match self {
            Term::Place(place) => is_list(&place.ty),
            Term::Sequence(it) => !matches!(&**it, Sequence::For(_, it) if it.key.is_some()),
            Term::Constant(value) => value.as_sequence().is_some(),
            Term::Matches(..) | Term::Parts(..) => true,
            Term::Unknown(.., Some(known)) => is_list(&known.ty),
            _ => false,
        }
    }

    /// Whether some of its values may be lists; a value of type `any` may be one.
    pub fn may_be_list(&self) -> bool {
        let is_open = match self {
            Term::Place(place) => place.ty == Type::Dynamic,
            Term::Unknown(.., known) => known.as_ref().is_none_or(|it| it.ty == Type::Dynamic),
            _ => false,
        };
        is_open || self.is_list()
    }
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_))
}
