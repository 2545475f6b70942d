//! The types of terms.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use super::{expressions, outcomes};
use crate::{
    condition::{
        context::Context,
        quantifiers::Elements,
        symbolic::{Cases, Known, Nulls, Once, Sequence, Term, term, views::View},
    },
    sets::{Extent, Reason},
};
use diagnostics::Span;
use hcl::{Expr, ExprKind, UnaryOp};
use stack::guarded;
use tf_eval::functions::{self, KnownArgument, ReturnType, always_converts};
use tf_value::{Type, Value, convert, unify_unsafe};

/// The most types that are distinguished among the elements of a computed list.
const FEW: usize = 3;

/// The term as an argument of a function.
pub fn argument<'m>(term: &Term<'m>, context: &Context<'m>) -> KnownArgument {
    match term {
        Term::Constant(value) => KnownArgument::Constant(value.clone()),
        Term::Place(place) => KnownArgument::of(place.ty.clone()),
        Term::Bool(truth) if truth.null.is_nothing() => KnownArgument::not_null(Type::Bool),
        Term::Bool(_) => KnownArgument::of(Type::Bool),
        Term::Unknown(_, _, Some(Known { ty, null })) => {
            KnownArgument::Typed { ty: ty.clone(), null: *null }
        }
        Term::Unknown(_, _, None) => KnownArgument::of(Type::Dynamic),
        Term::Count(_)
        | Term::Shifted(..)
        | Term::Floor(_)
        | Term::Modulo(..)
        | Term::Sum(_)
        | Term::Tally(_)
        | Term::Total(_) => KnownArgument::not_null(Type::Number),
        Term::Parts(..) => KnownArgument::not_null(Type::list(Type::String)),
        Term::Matches(..) => KnownArgument::not_null(Type::list(Type::Dynamic)),
        Term::Object(members) => {
            let each = members.iter();
            let each = each
                .map(|(name, it)| (name.clone(), of_cases(it, context).unwrap_or(Type::Dynamic)));
            KnownArgument::not_null(Type::object(each.collect()))
        }
        Term::Sequence(it) => of_sequence(it, context),
    }
}

/// The type of an expression whose cases all have the same type; `Dynamic` for the parts that are not known.
pub fn of_cases<'m>(cases: &Cases<'m>, context: &Context<'m>) -> Option<Type> {
    let mut each = cases.list.iter().map(|(_, it)| of_term(it, context));
    let first = each.next()?;
    each.all(|it| it == first).then_some(first)
}

/// The type of a term; `Dynamic` where it may have one of several.
pub fn of_term<'m>(term: &Term<'m>, context: &Context<'m>) -> Type {
    match argument(term, context) {
        KnownArgument::Constant(value) => value.ty().clone(),
        KnownArgument::Typed { ty, .. } => ty.without_optional(),
        KnownArgument::OneOf(_) => Type::Dynamic,
    }
}

fn of_sequence<'m>(sequence: &Sequence<'m>, context: &Context<'m>) -> KnownArgument {
    let null = matches!(
        sequence,
        Sequence::Elements(_, Nulls::Stay) | Sequence::Distinct(_, Once::Converted)
    );
    let typed = |ty| KnownArgument::Typed { ty, null };
    let element = || match elements(sequence, context).as_slice() {
        [one] => one.clone(),
        _ => Type::Dynamic,
    };
    match sequence {
        Sequence::Elements(place, _) => {
            let element = place.ty.element().cloned().unwrap_or(Type::Dynamic);
            typed(Type::list(element.without_optional()))
        }
        Sequence::Slice { list, .. } => typed(list.ty.without_optional()),
        Sequence::Keys(_) | Sequence::Filtered { .. } => typed(Type::list(Type::String)),
        Sequence::Written(elements) => {
            let each =
                elements.iter().map(|(_, it)| of_cases(it, context).unwrap_or(Type::Dynamic));
            typed(Type::tuple(each.collect()))
        }
        Sequence::For(_, it) if it.key.is_some() => {
            // The keys are not known: a map may have any.
            let mut all = vec![Type::object([].into())];
            for ty in elements(sequence, context) {
                let ty = if it.group { Type::tuple(vec![ty]) } else { ty };
                all.extend([Type::object([("k".into(), ty.clone())].into()), Type::map(ty)]);
            }
            one_of(&all)
        }
        Sequence::Splat(_, source, _) if source.list.iter().all(|(_, it)| is_list(it, context)) => {
            typed(Type::list(element()))
        }
        Sequence::Joined(sources) if sources.len() == 1 => typed(Type::list(element())),
        Sequence::Joined(sources)
            if sources
                .iter()
                .all(|cases| cases.list.iter().all(|(_, it)| is_list(it, context))) =>
        {
            typed(Type::list(element()))
        }
        Sequence::For(..) | Sequence::Splat(..) | Sequence::Flattened(_) | Sequence::Joined(_) => {
            one_of(&made_lists(&of_loops(sequence).unwrap_or_else(|| elements(sequence, context))))
        }
        Sequence::Distinct(_, Once::List) => typed(Type::list(element())),
        Sequence::Distinct(_, _) => typed(Type::set(element())),
    }
}

/// The types of the elements if each is a loop of its own:
/// `[for it in var.rules : [for port in it.ports : port > 0]]`.
fn of_loops(sequence: &Sequence<'_>) -> Option<Vec<Type>> {
    let Sequence::For(_, outer) = sequence else { return None };
    let ExprKind::For(inner) = &outer.value.kind else { return None };
    let ty = of_form(&inner.value).filter(|it| it.is_primitive() && inner.key.is_none())?;
    Some(made_lists(&[ty]))
}

/// The types that a list of such elements may have if their number is not known: tuples of none, one and two of
/// them, and a list, which may have any number.
fn made_lists(elements: &[Type]) -> Vec<Type> {
    let one = elements.iter().map(|it| Type::tuple(vec![it.clone()]));
    let two = elements.iter().flat_map(|it| {
        elements.iter().map(move |other| Type::tuple(vec![it.clone(), other.clone()]))
    });
    let any = elements.iter().map(|it| Type::list(it.clone()));
    one.chain(two).chain([Type::tuple(Vec::new())]).chain(any).collect()
}

fn one_of(types: &[Type]) -> KnownArgument {
    KnownArgument::OneOf(types.iter().cloned().map(KnownArgument::not_null).collect())
}

/// Whether the term is a list or a set with the elements of a tuple of unknown length. If there are no elements,
/// nothing shows their type.
pub fn may_lack_elements<'m>(term: &Term<'m>, context: &Context<'m>) -> bool {
    let Term::Sequence(sequence) = term else { return false };
    let any = |cases: &Cases<'m>| {
        let mut terms = cases.list.iter().map(|(_, term)| term);
        terms.any(|term| guarded(|| may_lack_elements(term, context)))
    };
    match &**sequence {
        Sequence::For(_, it) => it.key.is_none(),
        Sequence::Splat(_, source, _) => source.list.iter().any(|(_, it)| !is_list(it, context)),
        Sequence::Flattened(_) => true,
        Sequence::Joined(sources) => sources.iter().any(any),
        Sequence::Distinct(source, _) => any(source),
        _ => false,
    }
}

/// Whether the term is a list or a set, but not a tuple.
fn is_list<'m>(term: &Term<'m>, context: &Context<'m>) -> bool {
    matches!(of_term(term, context), Type::List(_) | Type::Set(_))
}

/// The types of the elements, each once; `Dynamic` alone if there are many types or one is not known.
fn elements<'m>(sequence: &Sequence<'m>, context: &Context<'m>) -> Vec<Type> {
    collected(sequence, context, false)
}

/// Like `elements`, for a conversion. Next to primitives, untyped nulls become nulls of their type and do not
/// count. Next to other types, Terraform finds no common type for them: `toset([[1], null])` fails.
pub fn converted_elements<'m>(sequence: &Sequence<'m>, context: &Context<'m>) -> Vec<Type> {
    collected(sequence, context, true)
}

fn collected<'m>(sequence: &Sequence<'m>, context: &Context<'m>, but_nulls: bool) -> Vec<Type> {
    // The form of an operator or a call shows its type without its operands. The operands are read again for
    // their meaning, so reading them here would double the work with each nested `for`.
    let ty = match sequence {
        Sequence::For(_, it) => of_form(&it.value),
        Sequence::Flattened(source) => of_flattened(source),
        _ => None,
    };
    if let Some(ty) = ty {
        return vec![ty];
    }
    let found: RefCell<Vec<Type>> = RefCell::new(Vec::new());
    let has_null = Cell::new(false);
    let is_null = |it: &Value| it.is_null() && *it.ty() == Type::Dynamic;
    let note = |value: &Cases<'m>| {
        for (_, term) in &value.list {
            if but_nulls && matches!(term, Term::Constant(it) if is_null(it)) {
                has_null.set(true);
                continue;
            }
            let ty = of_term(term, context);
            let mut found = found.borrow_mut();
            if !found.contains(&ty) {
                found.push(ty);
            }
        }
    };
    expressions::elements_of(sequence, context, Span::default(), &|value, _| {
        note(value);
        Elements::none()
    });
    if found.borrow().is_empty()
        && let Sequence::For(names, it) = sequence
    {
        // The elements of its source are not known; the type of the value may be.
        let unknown = || Cases::unknown(Reason::Element, Span::default());
        let mut inside = context.within(names).bind(&it.value_name.name, unknown());
        if let Some(name) = &it.key_name {
            inside = inside.bind(&name.name, unknown());
        }
        note(&expressions::cases(&it.value, &inside));
    }
    let found = found.into_inner();
    let is_told = !found.is_empty()
        && found.len() <= FEW
        && !found.contains(&Type::Dynamic)
        && (!has_null.get() || found.iter().all(Type::is_primitive));
    if is_told { found } else { vec![Type::Dynamic] }
}

/// The type of the elements of nested lists, if their `for`s show it. For example: a string for
/// `flatten([for it in var.rules : [for port in it.ports : upper(port)]])`.
fn of_flattened(source: &Cases<'_>) -> Option<Type> {
    let mut each = source.list.iter().map(|(_, term)| match term {
        Term::Sequence(it) => match &**it {
            Sequence::For(_, it) if it.key.is_none() => of_leaf(&it.value),
            _ => None,
        },
        _ => None,
    });
    let first = each.next()??;
    each.all(|it| it.as_ref() == Some(&first)).then_some(first)
}

/// The type of an expression's elements after all nested lists are taken apart.
fn of_leaf(expr: &Expr) -> Option<Type> {
    match &expr.kind {
        ExprKind::For(it) if it.key.is_none() => guarded(|| of_leaf(&it.value)),
        _ => of_form(expr).filter(Type::is_primitive),
    }
}

/// The type that the form of an expression shows, whatever values it contains: that of an operator, a function,
/// a literal, or a conditional with branches of one type.
fn of_form(expr: &Expr) -> Option<Type> {
    match &expr.bare().kind {
        ExprKind::Number(_) => Some(Type::Number),
        ExprKind::Bool(_) => Some(Type::Bool),
        ExprKind::String(_) | ExprKind::Template(_) => Some(Type::String),
        ExprKind::Conditional { then, otherwise, .. } => {
            guarded(|| of_form(then).filter(|it| of_form(otherwise).as_ref() == Some(it)))
        }
        ExprKind::Unary { op: UnaryOp::Not, .. } => Some(Type::Bool),
        ExprKind::Unary { op: UnaryOp::Negate, .. } => Some(Type::Number),
        ExprKind::Binary { op, .. } => {
            Some(if op.is_arithmetic() { Type::Number } else { Type::Bool })
        }
        ExprKind::Call { name, .. } => {
            let name = name.name.strip_prefix("core::").unwrap_or(&name.name);
            if name == "can" {
                return Some(Type::Bool);
            }
            let ReturnType::Fixed(ty) = functions::lookup(name)?.returns else { return None };
            Some(ty.to_type()).filter(|it| !it.has_dynamic())
        }
        _ => None,
    }
}

/// Whether no element is a list, so that `flatten` changes nothing; `false` if an element is not known.
pub fn is_flat<'m>(source: &Cases<'m>, context: &Context<'m>, span: Span) -> bool {
    let is_flat = Cell::new(true);
    let seen = expressions::elements(source, context, span, &|element, _| {
        is_flat.set(is_flat.get() && !element.list.iter().any(|(_, it)| it.may_be_list()));
        Elements::none()
    });
    is_flat.get() && seen.clean.losses.is_empty()
}

// Finds the type that values of several types have in common, as the evaluator does, and converts them to it:
// the branches of `var.a ? 1 : "x"` become strings.

/// The most combinations of types that are tried.
const MOST: usize = 256;

/// The result for values that must have one type.
pub enum Common<'m> {
    /// Each of them as a value of that type, in their order.
    Of {
        values: Vec<Cases<'m>>,
        /// Whether no element is converted.
        kept: bool,
        /// Whether every value of their types converts.
        always: bool,
    },
    /// They have no type in common, which is an error.
    None,
    /// Their types are not known.
    Unclear,
}

/// Converts the values to the type that all have in common.
pub fn common<'m>(values: &[&Cases<'m>], span: Span, context: &Context<'m>) -> Common<'m> {
    let types: Option<Vec<Vec<Type>>> = values.iter().map(|it| of_one(it, context)).collect();
    let Some(types) = types else { return Common::Unclear };
    let count = types.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if count == 0 || count > MOST {
        return Common::Unclear;
    }
    let (mut failed, mut targets) = (0, Vec::new());
    for number in 0..count {
        let mut rest = number;
        let chosen: Vec<Type> = types
            .iter()
            .map(|of| {
                let it = of[rest % of.len()].clone();
                rest /= of.len();
                it
            })
            .collect();
        match unify_unsafe(&chosen) {
            None => failed += 1,
            Some(it) if it.undetermined => (),
            Some(it) if !targets.contains(&it.ty) => targets.push(it.ty),
            Some(_) => (),
        }
    }
    let kept = |target: &&Type| types.iter().flatten().all(|it| keeps(it, target));
    let target = match targets.as_slice() {
        [only] => Some((only, kept(&only))),
        several => several.iter().find(kept).map(|it| (it, true)),
    };
    match (failed, target) {
        (0, Some((target, kept))) => {
            let each =
                values.iter().map(|types| types.map(|it| converted(it, target, span, context)));
            let always = types.iter().flatten().all(|it| always_converts(it, target));
            Common::Of { values: each.collect(), kept, always }
        }
        (0, None) if !targets.is_empty() => Common::Unclear,
        (0, None) => {
            let values = values.iter().map(|it| (*it).clone()).collect();
            Common::Of { values, kept: true, always: true }
        }
        (failed, _) if failed == count => Common::None,
        _ => Common::Unclear,
    }
}

/// The types that a value may have, those of its nulls included; `None` where there are too many.
fn of_one<'m>(value: &Cases<'m>, context: &Context<'m>) -> Option<Vec<Type>> {
    let mut out: Vec<Type> = Vec::new();
    for (_, term) in &value.list {
        for ty in argument(term, context).types()? {
            if !out.contains(&ty) {
                out.push(ty);
            }
        }
    }
    Some(out)
}

/// Whether a conversion leaves each element and attribute as it is. A value of any type may be a
/// number where a string is wanted.
pub fn keeps(from: &Type, to: &Type) -> bool {
    guarded(|| match (from, to) {
        (_, Type::Dynamic) => true,
        (Type::List(from), Type::List(to))
        | (Type::Set(from), Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => keeps(from, to),
        (Type::Tuple(from), Type::List(to)) => from.iter().all(|it| keeps(it, to)),
        (Type::Object(from), Type::Map(to)) => from.attributes.values().all(|it| keeps(it, to)),
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.len() == to.len() && from.iter().zip(to.iter()).all(|(from, to)| keeps(from, to))
        }
        (Type::Object(from), Type::Object(to)) => {
            from.attributes.keys().eq(to.attributes.keys())
                && from.attributes.values().zip(to.attributes.values()).all(|(a, b)| keeps(a, b))
        }
        (from, to) => from == to,
    })
}

/// Converts a value to another type. The conversion must not fail.
pub fn converted<'m>(term: &Term<'m>, to: &Type, span: Span, context: &Context<'m>) -> Cases<'m> {
    let of = argument(term, context).types().unwrap_or_else(|| vec![Type::Dynamic]);
    let is_kept = of.iter().all(|it| keeps(it, to));
    match term {
        Term::Constant(value) => match convert(value, to) {
            Ok(it) => Cases::constant(it),
            Err(_) => Cases::failure(),
        },
        Term::Sequence(_)
            if is_kept
                && of.iter().any(|it| matches!(it, Type::Tuple(_)))
                && matches!(to, Type::List(_)) =>
        {
            let source = vec![Cases::one(term.clone())];
            Cases::one(Term::Sequence(Rc::new(Sequence::Joined(source))))
        }
        // An object that becomes a map is an object no more, even if no attribute is converted.
        Term::Place(place)
            if let (Some(attributes), Type::Map(element)) = (term::attributes(place), to) =>
        {
            let each = attributes.into_iter().filter_map(|(key, value)| {
                let it = value.map(|it| converted(it, element, span, context));
                Some((key.as_str()?.into(), it))
            });
            let members = Term::Object(Rc::new(each.collect()));
            let mut out = Cases { list: vec![(place.not_null(), members)], error: place.failing() };
            out.add(&place.null(), Cases::constant(Value::null(to.clone())));
            out
        }
        _ if is_kept => Cases::one(term.clone()),
        Term::Place(place) if place.ty == Type::Number && *to == Type::String => {
            Cases::one(Term::Place(place.seen(View::Text)))
        }
        _ => {
            let cases = Cases::one(term.clone());
            let is_safe = of.iter().all(|it| always_converts(it, to));
            if !is_safe {
                return Cases::unknown(Reason::Converted, span);
            }
            let null = !outcomes::null(term).is_nothing();
            let known = Known { ty: to.clone(), null };
            let term = Term::Unknown(Reason::Converted, span, Some(known));
            Cases {
                list: vec![(outcomes::defined(&cases, context), term)],
                error: outcomes::failing(&cases, context),
            }
        }
    }
}

/// The value if it may be converted to a type that is not known: texts, lists and maps of them, and nulls stay what
/// they are; everything else may change, and a set may become a list.
pub fn unclear<'m>(value: &Cases<'m>, reason: &Reason, span: Span) -> Cases<'m> {
    value.map(|term| match term {
        Term::Constant(it) if it.is_null() || it.as_str().is_some() => Cases::one(term.clone()),
        Term::Constant(it) if is_empty(it) => Cases::one(term.clone()),
        Term::Place(it) if stays(&it.ty) => Cases::one(term.clone()),
        Term::Unknown(_, _, Some(known)) if known.ty == Type::String => Cases::one(term.clone()),
        Term::Unknown(reason, span, _) => Cases::unknown(reason.clone(), *span),
        _ => Cases::unknown(reason.clone(), span),
    })
}

fn stays(ty: &Type) -> bool {
    match ty {
        Type::List(element) | Type::Map(element) => **element == Type::String,
        ty => *ty == Type::String,
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_sequence().is_some_and(<[Value]>::is_empty)
        || value.as_mapping().is_some_and(std::collections::BTreeMap::is_empty)
}

/// Restricts nothing, but marks that evaluation may fail everywhere.
pub fn may_fail<'m>(mut value: Cases<'m>, reason: &Reason, span: Span) -> Cases<'m> {
    for (guard, _) in &mut value.list {
        *guard = guard.clone().losing(reason.clone(), span);
    }
    value.error = value.error.or(Extent::unknown(reason.clone(), span));
    value
}

/// Whether it is a null that takes any type.
pub fn is_untyped_null(cases: &Cases<'_>) -> bool {
    let is_null = |it: &Value| it.is_null() && *it.ty() == Type::Dynamic;
    cases.as_constant().is_some_and(is_null)
}
