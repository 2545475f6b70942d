//! The arguments for which a function gives a value. This is the one place that knows, and it derives
//! its answer from the declaration: the number of parameters, their types, whether they take null, the
//! return type for unknown arguments of these types, and the refusals of the body.

#[cfg(test)]
mod laws;

use std::{
    cell::RefCell,
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::LazyLock,
};

use super::{Function, Refuses, Ty, call};
use release::Release;
use stack::guarded;
use tf_value::{
    Type, Unified, Value, convert,
    convert::{Conversion, unify_unsafe},
};

/// The knowledge about an argument. For example: a variable of type `list(string)` is `Typed`.
#[derive(Clone, Debug)]
pub enum KnownArgument {
    Constant(Value),
    /// Any value of the type. Its elements and attributes may be null. An `any` inside the type means any one type.
    Typed {
        ty: Type,
        /// Whether the value itself may be null.
        null: bool,
    },
    /// One of several kinds of arguments.
    OneOf(Vec<KnownArgument>),
}

impl KnownArgument {
    /// A value that may be null.
    pub fn of(ty: Type) -> KnownArgument {
        KnownArgument::Typed { ty, null: true }
    }

    pub fn not_null(ty: Type) -> KnownArgument {
        KnownArgument::Typed { ty, null: false }
    }

    /// The types that the argument may have, with `any` replaced by types of every kind. `None` where there
    /// are too many: a tuple of two objects with two attributes of `any` has 50,625.
    pub fn types(&self) -> Option<Vec<Type>> {
        let count = ways(self);
        if count > MOST {
            return None;
        }
        let of = |it: KnownArgument| match it {
            KnownArgument::Constant(value) => value.ty().clone(),
            KnownArgument::Typed { ty, .. } => ty,
            KnownArgument::OneOf(_) => Type::Dynamic,
        };
        Some((0..count).map(|index| of(nth(self, index))).collect())
    }
}

/// The arguments, among those of certain types, for which a function gives a value. For example:
/// `length` of a list is `FailsOnNull([0])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All of them.
    Total,
    /// All of them, except null as one of these arguments, counted from 0.
    FailsOnNull(Vec<usize>),
    /// None of them.
    Always,
    /// Some of them. The types do not say which.
    Partial,
}

/// The limit for the types that replace `any`, and for their combinations.
const MOST: usize = 1000;

/// The domain of the function for such arguments; `Domain::Partial` where it is not known.
pub fn domain(function: &Function, release: Release, arguments: &[KnownArgument]) -> Domain {
    remembered_domain(function, release, arguments, || derived(function, release, arguments))
}

/// Like [`domain`], but derived again.
fn derived(function: &Function, release: Release, arguments: &[KnownArgument]) -> Domain {
    if call::check_count(function, arguments.len()).is_err() {
        return Domain::Always;
    }
    let mut joined: Option<Domain> = None;
    each(arguments, &mut |exact| {
        let one = of_exact(function, release, exact);
        joined = Some(match joined.take() {
            None => one,
            Some(joined) => joined.or(&one),
        });
        joined != Some(Domain::Partial)
    });
    joined.unwrap_or_else(|| whatever(function, release, arguments.len()))
}

/// The type of the function's result; `Dynamic` where several are possible.
pub fn result_type(function: &Function, release: Release, arguments: &[KnownArgument]) -> Type {
    let mut joined: Option<Type> = None;
    each(arguments, &mut |exact| {
        let Some(values) = unknown(function, exact) else { return true };
        let ty = call::return_type(release, function, &values);
        let ty = ty.ok().flatten().unwrap_or(Type::Dynamic);
        if joined.as_ref().is_some_and(|joined| *joined != ty) {
            joined = Some(Type::Dynamic);
            return false;
        }
        joined = Some(ty);
        true
    });
    joined.unwrap_or(Type::Dynamic)
}

/// Visits every combination of types that the arguments may have, until `visit` stops it; none where
/// there are too many.
fn each(arguments: &[KnownArgument], visit: &mut dyn FnMut(&[&KnownArgument]) -> bool) {
    let counts: Vec<usize> = arguments.iter().map(ways).collect();
    if counts.iter().copied().fold(1, usize::saturating_mul) > MOST {
        return;
    }
    // A combination is made when it is visited, since most visitors stop after a few.
    let mut chosen = vec![0; counts.len()];
    let mut exact: Vec<KnownArgument> = arguments.iter().map(|it| nth(it, 0)).collect();
    loop {
        let goes_on = visit(&exact.iter().collect::<Vec<_>>());
        if !goes_on
            || !advance(&mut chosen, &counts, |index, number| {
                exact[index] = nth(&arguments[index], number);
            })
        {
            return;
        }
    }
}

/// The converted arguments; all but constants are unknowns.
fn unknown(function: &Function, arguments: &[&KnownArgument]) -> Option<Vec<Value>> {
    let value = |(index, argument): (usize, &&KnownArgument)| {
        let value = match argument {
            KnownArgument::Constant(value) => value.clone(),
            KnownArgument::Typed { ty, null: true } => Value::unknown(ty.clone()),
            KnownArgument::Typed { ty, null: false } => Value::unknown_not_null(ty.clone()),
            KnownArgument::OneOf(_) => Value::unknown(Type::Dynamic),
        };
        call::convert_argument(function, index, &value).ok()
    };
    arguments.iter().enumerate().map(value).collect()
}

/// Advances to the next combination, if there is one; calls `choose` for each argument that changes.
fn advance(chosen: &mut [usize], counts: &[usize], mut choose: impl FnMut(usize, usize)) -> bool {
    for (index, (number, count)) in chosen.iter_mut().zip(counts).enumerate() {
        *number = (*number + 1) % count;
        choose(index, *number);
        if *number > 0 {
            return true;
        }
    }
    false
}

impl Domain {
    /// The domain of arguments that are of one kind or of the other.
    fn or(self, other: &Domain) -> Domain {
        let nulls = |it: &Domain| match it {
            Domain::Total => Some(Vec::new()),
            Domain::FailsOnNull(them) => Some(them.clone()),
            Domain::Always | Domain::Partial => None,
        };
        match (nulls(&self), nulls(other)) {
            (Some(one), Some(other)) => on_null([one, other].concat()),
            _ if self == *other => self,
            _ => Domain::Partial,
        }
    }
}

fn on_null(mut arguments: Vec<usize>) -> Domain {
    arguments.sort_unstable();
    arguments.dedup();
    if arguments.is_empty() { Domain::Total } else { Domain::FailsOnNull(arguments) }
}

/// The domain for arguments of whatever types: all, where the declaration rules none out.
fn whatever(function: &Function, release: Release, count: usize) -> Domain {
    let takes_any = |index| {
        let param = call::param(function, index);
        param.is_some_and(|it| matches!(it.ty, Ty::Any) && it.takes_null(release))
    };
    let is_total = matches!(function.returns, super::ReturnType::Fixed(_))
        && matches!(function.refuses, Refuses::Nothing)
        && (0..count).all(takes_any);
    if is_total { Domain::Total } else { Domain::Partial }
}

/// The domain for arguments whose types are completely known.
fn of_exact(function: &Function, release: Release, arguments: &[&KnownArgument]) -> Domain {
    let Some(values) = unknown(function, arguments) else { return Domain::Always };
    let mut nulls = Vec::new();
    let mut is_partial = false;
    for (index, argument) in arguments.iter().enumerate() {
        let Some(param) = call::param(function, index) else { return Domain::Always };
        if let KnownArgument::Typed { ty, null } = argument {
            if *null && !param.takes_null(release) {
                nulls.push(index);
            }
            is_partial |= !always_converts(ty, &param.ty.to_type());
        }
    }
    let Ok(ty) = call::return_type(release, function, &values) else { return Domain::Always };
    // An argument without a type does not reach the body.
    let ty = ty.unwrap_or(Type::Dynamic);
    match function.refuses.of(release, &values, &ty) {
        Refuses::Everything => Domain::Always,
        Refuses::Nothing if !is_partial => on_null(nulls),
        _ => Domain::Partial,
    }
}

/// The number of arguments that result from replacing each `any` in the type, by types that functions
/// distinguish.
fn ways(argument: &KnownArgument) -> usize {
    match argument {
        KnownArgument::Constant(_) => 1,
        KnownArgument::Typed { ty: Type::Dynamic, null } => KINDS.len() + usize::from(*null),
        KnownArgument::Typed { ty, .. } => ways_of(ty),
        KnownArgument::OneOf(them) => them.iter().map(ways).fold(0, usize::saturating_add).max(1),
    }
}

/// The argument number `index` among the [`ways`].
fn nth(argument: &KnownArgument, index: usize) -> KnownArgument {
    let (ty, null) = match argument {
        KnownArgument::Constant(_) => return argument.clone(),
        KnownArgument::Typed { ty, null } => (ty, *null),
        KnownArgument::OneOf(them) => {
            let mut index = index;
            for it in them {
                match index.checked_sub(ways(it)) {
                    Some(rest) => index = rest,
                    None => return nth(it, index),
                }
            }
            return KnownArgument::of(Type::Dynamic);
        }
    };
    let ty = match ty {
        Type::Dynamic => match KINDS.get(index) {
            Some(kind) => kind.clone(),
            None => return KnownArgument::Constant(Value::null(Type::Dynamic)),
        },
        ty => nth_of(&ty.without_optional(), index),
    };
    KnownArgument::Typed { ty, null }
}

/// Types of every kind: empty ones, and some that have no common type.
static KINDS: LazyLock<Vec<Type>> = LazyLock::new(|| {
    let object = |ty: Type| Type::object([("a".into(), ty)].into());
    let unlike = || vec![Type::Bool, Type::list(Type::String)];
    vec![
        Type::String,
        Type::Number,
        Type::Bool,
        Type::list(Type::String),
        Type::set(Type::Number),
        Type::map(Type::Bool),
        Type::tuple(Vec::new()),
        Type::tuple(vec![Type::String]),
        Type::tuple(unlike()),
        Type::tuple(vec![object(Type::Number), Type::Dynamic]),
        Type::object([].into()),
        object(Type::String),
        Type::object([("a".into(), Type::Bool), ("b".into(), Type::list(Type::Number))].into()),
        Type::list(Type::Dynamic),
    ]
});

/// The number of types that result from putting a kind in the place of each `any`; a value of no type is
/// null or empty.
fn ways_of(ty: &Type) -> usize {
    if *ty == Type::Dynamic {
        return KINDS.len() + 1;
    }
    if !ty.has_dynamic() {
        return 1;
    }
    let product =
        |all: &mut dyn Iterator<Item = &Type>| all.map(ways_of).fold(1, usize::saturating_mul);
    guarded(|| match ty {
        Type::List(it) | Type::Set(it) | Type::Map(it) => ways_of(it),
        Type::Tuple(elements) => product(&mut elements.iter()),
        Type::Object(object) => product(&mut object.attributes.values()),
        _ => 1,
    })
}

/// The type number `index` among those that [`ways_of`] counts.
fn nth_of(ty: &Type, index: usize) -> Type {
    if *ty == Type::Dynamic {
        return KINDS.get(index).cloned().unwrap_or(Type::Dynamic);
    }
    if !ty.has_dynamic() {
        return ty.clone();
    }
    // The digits of the index, one for each member.
    let mut rest = index;
    let mut member = |ty: &Type| {
        let count = ways_of(ty);
        let digit = rest % count;
        rest /= count;
        nth_of(ty, digit)
    };
    guarded(|| match ty {
        Type::List(it) => Type::list(nth_of(it, index)),
        Type::Set(it) => Type::set(nth_of(it, index)),
        Type::Map(it) => Type::map(nth_of(it, index)),
        Type::Tuple(elements) => Type::tuple(elements.iter().map(member).collect()),
        Type::Object(object) => {
            let each = object.attributes.iter().map(|(name, it)| (name.clone(), member(it)));
            Type::object(each.collect())
        }
        _ => ty.clone(),
    })
}

/// Whether every value of a type converts to another type. A value whose type contains `any` is null
/// there, or empty.
pub fn always_converts(from: &Type, to: &Type) -> bool {
    let every = |from: &Type, to: &Type| guarded(|| always_converts(from, to));
    match (from, to) {
        (_, Type::Dynamic) | (Type::Dynamic, _) => true,
        (Type::Number | Type::Bool, Type::String) => true,
        (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => every(from, to),
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.len() == to.len() && from.iter().zip(to.iter()).all(|(from, to)| every(from, to))
        }
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => all_convert(from.iter(), to),
        (Type::Object(from), Type::Map(to)) => all_convert(from.attributes.values(), to),
        (Type::Object(from), Type::Object(to)) => to
            .attributes
            .iter()
            .all(|(name, to)| from.attributes.get(name).is_some_and(|from| every(from, to))),
        (from, to) => from == to,
    }
}

/// Whether elements of several types convert to elements of one type; `any` lets them choose it.
fn all_convert<'t>(from: impl Iterator<Item = &'t Type> + Clone, to: &Type) -> bool {
    if *to != Type::Dynamic {
        return from.clone().all(|it| guarded(|| always_converts(it, to)));
    }
    let types: Vec<Type> = from.cloned().collect();
    if types.is_empty() {
        return true;
    }
    let Some(Unified { ty, undetermined: false, .. }) = unify_unsafe(&types) else { return false };
    ty != Type::Dynamic
        && types.iter().all(|it| {
            let exists = it == &ty || Conversion::find(it, &ty).is_some();
            exists && guarded(|| always_converts(it, &ty))
        })
        && convert(&Value::unknown(Type::tuple(types.clone())), &Type::list(Type::Dynamic)).is_ok()
}

// Domains that were derived before. A module asks the same of many rules (`can` of a `regex` of a string),
// and a remembered_domain of types alone holds for every module.

/// The most domains that a thread keeps.
const KEPT: usize = 2000;

/// The largest type that is kept, in types inside of it: what a stranger writes must not fill the memory.
const LARGEST: u64 = 100;

/// A question and its answer. The key is the question's hash, since the caller only lends the
/// arguments.
struct Known {
    name: &'static str,
    release: Release,
    arguments: Vec<KnownArgument>,
    domain: Domain,
}

thread_local! {
    static KNOWN: RefCell<HashMap<u64, Known>> = RefCell::default();
}

/// What was derived for the same question, or else what `derive` gives.
fn remembered_domain(
    function: &Function,
    release: Release,
    arguments: &[KnownArgument],
    derive: impl FnOnce() -> Domain,
) -> Domain {
    if !arguments.iter().all(is_small) {
        return derive();
    }
    let mut hasher = DefaultHasher::new();
    (function.name, release).hash(&mut hasher);
    arguments.iter().for_each(|it| hash(it, &mut hasher));
    let key = hasher.finish();
    let is_same = |it: &Known| {
        it.name == function.name
            && it.release == release
            && it.arguments.len() == arguments.len()
            && it.arguments.iter().zip(arguments).all(|(one, other)| same(one, other))
    };
    let known =
        KNOWN.with_borrow(|all| all.get(&key).filter(|it| is_same(it)).map(|it| it.domain.clone()));
    known.unwrap_or_else(|| {
        let remembered_domain = derive();
        let known = Known {
            name: function.name,
            release,
            arguments: arguments.to_vec(),
            domain: remembered_domain.clone(),
        };
        KNOWN.with_borrow_mut(|all| {
            if all.len() >= KEPT {
                all.clear();
            }
            all.insert(key, known);
        });
        remembered_domain
    })
}

/// Whether the argument consists of small types only. There are as many constants as modules.
fn is_small(argument: &KnownArgument) -> bool {
    match argument {
        KnownArgument::Constant(_) => false,
        KnownArgument::Typed { ty, .. } => ty.size() <= LARGEST,
        KnownArgument::OneOf(them) => guarded(|| them.iter().all(is_small)),
    }
}

fn hash(argument: &KnownArgument, hasher: &mut DefaultHasher) {
    match argument {
        KnownArgument::Constant(_) => (),
        KnownArgument::Typed { ty, null } => (ty, null).hash(hasher),
        KnownArgument::OneOf(them) => guarded(|| them.iter().for_each(|it| hash(it, hasher))),
    }
}

fn same(one: &KnownArgument, other: &KnownArgument) -> bool {
    match (one, other) {
        (
            KnownArgument::Typed { ty, null },
            KnownArgument::Typed { ty: of_other, null: is_null },
        ) => null == is_null && ty == of_other,
        (KnownArgument::OneOf(one), KnownArgument::OneOf(other)) => guarded(|| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }),
        _ => false,
    }
}
