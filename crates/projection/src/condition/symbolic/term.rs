//! Symbolic values of expressions, by cases.

use std::rc::Rc;

use crate::{
    condition::symbolic::{
        place::{Place, Reached},
        truth::{Leaf, Truth},
    },
    sets::{ConstraintRoot, ExpressionKind, Extent, Reason},
};
use diagnostics::Span;
use hcl::{Expr, ForExpr};
use smol_str::SmolStr;
use stack::Depth;
use tf_value::{Type, Value, convert};

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

/// The most parts of the guards of all cases. The guard of each argument of `try` says that all before it fail.
const MOST_PARTS: usize = 4000;

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

// Operations on cases that do not depend on their terms.

impl<'m> Cases<'m> {
    pub fn one(term: Term<'m>) -> Cases<'m> {
        Cases { list: vec![(Extent::everything(), term)], error: Extent::nothing() }
    }

    pub fn constant(value: Value) -> Cases<'m> {
        Cases::one(Term::Constant(value))
    }

    pub fn failure() -> Cases<'m> {
        Cases { list: Vec::new(), error: Extent::everything() }
    }

    pub fn unknown(reason: Reason, span: Span) -> Cases<'m> {
        Cases::one(Term::Unknown(reason, span, None))
    }

    /// A value that is unknown except for its type and its presence: where it evaluates and where it fails.
    pub fn opaque(ok: Extent, error: Extent, known: Known) -> Cases<'m> {
        let term = Term::Unknown(Reason::Result, Span::default(), Some(known));
        Cases { list: vec![(ok, term)], error }
    }

    /// The constant, when it is one in every case.
    pub fn as_constant(&self) -> Option<&Value> {
        match self.list.as_slice() {
            [(_, Term::Constant(value))] if self.error.is_nothing() => Some(value),
            _ => None,
        }
    }

    /// Replaces the term of each case.
    pub fn map(&self, each: impl Fn(&Term<'m>) -> Cases<'m>) -> Cases<'m> {
        let mut out = Cases { list: Vec::new(), error: self.error.clone() };
        for (guard, term) in &self.list {
            out.add(guard, each(term));
        }
        out
    }

    /// Adds cases that hold under the guard.
    pub fn add(&mut self, guard: &Extent, cases: Cases<'m>) {
        for (inner, term) in cases.list {
            let both = guard.clone().and(inner);
            if both.parts().saturating_mul(self.list.len()) > MOST_PARTS {
                *self = Cases::given_up();
                return;
            }
            if !both.is_nothing() {
                self.list.push((both, term));
            }
        }
        let error = std::mem::replace(&mut self.error, Extent::nothing());
        self.error = error.or(guard.clone().and(cases.error));
    }

    /// Anything, since there are too many cases with too large guards.
    pub fn given_up() -> Cases<'m> {
        let (reason, span) = (Reason::TooManyCases, Span::default());
        let extent = Extent::unknown(reason.clone(), span);
        Cases { list: vec![(extent.clone(), Term::Unknown(reason, span, None))], error: extent }
    }

    /// Whether there were too many cases.
    pub fn is_given_up(&self) -> bool {
        matches!(self.list.as_slice(), [(_, Term::Unknown(Reason::TooManyCases, _, None))])
    }

    /// The conditions that `condition ? 1 : 0` counts, or a sum of those.
    pub fn summands(&self) -> Option<Vec<Truth>> {
        if let [(_, Term::Sum(parts))] = self.list.as_slice()
            && self.error.is_nothing()
        {
            return Some(parts.to_vec());
        }
        let mut out = Truth { error: self.error.clone(), ..Truth::never() };
        for (guard, term) in &self.list {
            let Term::Constant(value) = term else { return None };
            let set = match value.as_number()?.to_i64()? {
                0 => &mut out.when_false,
                1 => &mut out.when_true,
                _ => return None,
            };
            *set = set.clone().or(guard.clone());
        }
        Some(vec![out])
    }
}

impl<'m> Sequence<'m> {
    /// Elements with their indexes.
    pub fn written(elements: Vec<Cases<'m>>) -> Sequence<'m> {
        let keyed = elements.into_iter().zip(0_i64..).map(|(it, index)| (Value::int(index), it));
        Sequence::Written(keyed.collect())
    }
}

// Attributes of the value at a place, as terms.

/// The cases of a step to an attribute, key or index.
pub fn reached<'m>(it: Reached, span: Span) -> Cases<'m> {
    match it {
        Reached::Place(place) => Cases::one(Term::Place(*place)),
        Reached::Missing => Cases::failure(),
        Reached::Far => Cases::unknown(Reason::FarElement, span),
        Reached::Unclear => Cases::unknown(Reason::PartOfAny, span),
    }
}

/// The attributes of an object at a place, one by one.
pub fn attributes<'m>(place: &Place) -> Option<Vec<(Value, Cases<'m>)>> {
    let object = place.ty.as_object()?;
    let member =
        |name: &SmolStr| (Value::string(name), reached(place.member(name), Span::default()));
    Some(object.attributes.keys().map(member).collect())
}

// The names in scope where an expression is read.

/// How deep locals may refer to one another.
const MAX_DEPTH: u32 = 15;

/// The names that `for` and splats bind around an expression, innermost first, and the number of locals that
/// the expression is inside of. An expression that is read later keeps them.
#[derive(Clone)]
pub struct Names<V> {
    bound: Option<Rc<Binding<V>>>,
    /// The element of a splat.
    item: Option<Rc<V>>,
    depth: Depth,
}

struct Binding<V> {
    name: SmolStr,
    value: V,
    next: Option<Rc<Binding<V>>>,
}

impl<V: Clone> Names<V> {
    pub fn none() -> Names<V> {
        Names { bound: None, item: None, depth: Depth::of(MAX_DEPTH) }
    }

    pub fn bind(&self, name: &SmolStr, value: V) -> Names<V> {
        let binding = Binding { name: name.clone(), value, next: self.bound.clone() };
        Names { bound: Some(Rc::new(binding)), ..self.clone() }
    }

    pub fn with_item(&self, item: V) -> Names<V> {
        Names { item: Some(Rc::new(item)), ..self.clone() }
    }

    /// The value that a `for` binds to the name.
    pub fn bound(&self, name: &str) -> Option<V> {
        let mut next = self.bound.as_ref();
        while let Some(binding) = next {
            if binding.name == name {
                return Some(binding.value.clone());
            }
            next = binding.next.as_ref();
        }
        None
    }

    /// The element of a splat.
    pub fn item(&self) -> Option<V> {
        self.item.as_deref().cloned()
    }

    /// The names inside a local: none of these. `None` if locals nest too deeply.
    pub fn inside_local(&self) -> Option<Names<V>> {
        Some(Names { depth: self.depth.inner()?, ..Names::none() })
    }
}

// Values used as conditions: `var.enabled` in `alltrue([var.enabled])`.

/// Takes a value for a condition, case by case.
pub fn as_condition(cases: &Cases<'_>, span: Span) -> Truth {
    let each = cases.list.iter().map(|(guard, term)| (guard.clone(), of_term(term, span)));
    let mut out = Truth::of_cases(each.collect());
    out.error = out.error.or(cases.error.clone());
    out
}

fn of_term(term: &Term<'_>, span: Span) -> Truth {
    match term {
        Term::Bool(truth) => (**truth).clone(),
        Term::Constant(value) => constant(value),
        Term::Place(place) if place.ty == Type::Bool => place.truth(Leaf::of_bool()),
        Term::Place(_) => Truth::unknown(Reason::ConversionToBool, span),
        // A list is not a condition: an error.
        Term::Sequence(_) | Term::Object(_) => Truth::failure(),
        Term::Unknown(reason, span, _) => Truth::unknown(reason.clone(), *span),
        _ => Truth::unknown(Reason::AsCondition(term.form()), span),
    }
}

fn constant(value: &Value) -> Truth {
    if value.is_null() {
        return Truth::null();
    }
    match convert(value, &Type::Bool).ok().and_then(|it| it.as_bool()) {
        Some(it) => Truth::constant(it),
        None => Truth::failure(),
    }
}
