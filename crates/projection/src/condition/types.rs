//! The types of terms.

use std::cell::{Cell, RefCell};

use super::{
    context::Context,
    expressions,
    quantifiers::Elements,
    symbolic::{Cases, Known, Nulls, Once, Sequence, Term},
};
use crate::sets::Reason;
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use stack::guarded;
use tf_eval::functions::{self, KnownArgument, ReturnType};
use tf_value::{Type, Value};

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
    let told = match sequence {
        Sequence::For(_, it) => of_form(&it.value),
        Sequence::Flattened(source) => of_flattened(source),
        _ => None,
    };
    if let Some(ty) = told {
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
    match &expr.kind {
        ExprKind::Number(_) => Some(Type::Number),
        ExprKind::Bool(_) => Some(Type::Bool),
        ExprKind::String(_) | ExprKind::Template(_) => Some(Type::String),
        ExprKind::Conditional { then, otherwise, .. } => {
            guarded(|| of_form(then).filter(|it| of_form(otherwise).as_ref() == Some(it)))
        }
        ExprKind::Paren(inner) => guarded(|| of_form(inner)),
        ExprKind::Unary { op: UnaryOp::Not, .. } => Some(Type::Bool),
        ExprKind::Unary { op: UnaryOp::Negate, .. } => Some(Type::Number),
        ExprKind::Binary { op, .. } => Some(match op {
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo => Type::Number,
            _ => Type::Bool,
        }),
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
    let told = Cell::new(true);
    let seen = expressions::elements(source, context, span, &|element, _| {
        told.set(told.get() && !element.list.iter().any(|(_, it)| it.may_be_list()));
        Elements::none()
    });
    told.get() && seen.clean.losses.is_empty()
}
