//! Lists: `chunklist`, `concat`, `distinct`, `element`, `one`, `flatten`, `matchkeys`, `range`, `reverse`, `slice`, `compact` and `sort`.

use std::{cmp::Ordering, collections::HashSet, ops::Range};

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty,
    collection::identity::equality_key, elements, whole_number,
};
use release::{Release, changes};
use stack::guarded;
use tf_value::{
    DYNAMIC, Marks, Number, Type, Value, convert, convert::unify_unsafe, ops, ops::marks_of,
};

pub const CHUNKLIST: Function = Function::pure(
    "chunklist",
    "Splits a list into lists of a given size; size 0 gives one list.",
    &[Param::new("list", Ty::List(&Ty::Any)).marked(), Param::new("size", Ty::Number)],
    ReturnType::Of(|args| Ok(Type::list(args.first().map_or(Type::Dynamic, |it| it.ty().clone())))),
    chunklist,
)
.refuses(Refuses::By(unless_whole));

fn unless_whole(_: Release, args: &[Value], _: &Type) -> Refuses {
    match args.get(1) {
        Some(size) if size.is_known() => match whole_number(size) {
            Ok(0..) => Refuses::Nothing,
            _ => Refuses::Everything,
        },
        _ => Refuses::SomeValues,
    }
}

fn chunklist(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let ([list, size], Some(chunk)) = (args, ty.element()) else {
        return Ok(Value::null(ty.clone()));
    };
    let size = whole_number(size).map_err(|it| Failure::call(format!("invalid size: {it}")))?;
    let Ok(size) = usize::try_from(size) else {
        return Err(Failure::call("the size argument must be positive"));
    };
    let all = elements(list);
    let size = if size == 0 { all.len().max(1) } else { size };
    let element = chunk.element().unwrap_or(&DYNAMIC);
    let chunks = all.chunks(size).map(|it| Value::list(element.clone(), it.to_vec())).collect();
    Ok(Value::list(chunk.clone(), chunks).with_marks(list.marks()))
}

pub const CONCAT: Function = Function::pure(
    "concat",
    "Joins lists into one list.",
    &[],
    ReturnType::Of(concat_type),
    concat,
)
.variadic(Param::new("seqs", Ty::Any).marked())
.refuses(Refuses::By(unless_lists));

/// Refuses arguments that are not lists, also after a list of unknown length, where the return type does
/// not check them.
fn unless_lists(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_list = |it: &Value| matches!(it.ty(), Type::List(_) | Type::Tuple(_));
    if args.iter().all(is_list) { Refuses::Nothing } else { Refuses::Everything }
}

/// A list of the lists' common type; a tuple where one argument is a tuple or no common type exists.
fn concat_type(args: &[Value]) -> Result<Type, Failure> {
    if args.is_empty() {
        return Err(Failure::call("at least one argument is required"));
    }
    if args.iter().all(|it| matches!(it.ty(), Type::List(_))) {
        let types: Vec<Type> = args.iter().map(|it| it.ty().clone()).collect();
        match unify_unsafe(&types) {
            Some(it) if it.undetermined => return Ok(Type::Dynamic),
            Some(it) => return Ok(it.ty),
            None => (),
        }
    }
    let mut types = Vec::new();
    for (index, it) in args.iter().enumerate() {
        match it.ty() {
            Type::Tuple(elements) => types.extend(elements.iter().cloned()),
            Type::List(_) if !it.is_known() => return Ok(Type::Dynamic),
            Type::List(element) => {
                types.extend(elements(it).iter().map(|_| (**element).clone()));
            }
            other => {
                let given = other.friendly_name();
                let message = format!("all arguments must be lists or tuples; got {given}");
                return Err(Failure::argument(index, message));
            }
        }
    }
    Ok(Type::tuple(types))
}

fn concat(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    // Each element is rebuilt with its type.
    let sizes = args.iter().map(|it| it.size().saturating_mul(3));
    context.host.spend(sizes.fold(0, u64::saturating_add))?;
    let mut all = Vec::new();
    for (index, it) in args.iter().enumerate() {
        let converted = match ty {
            Type::List(_) => convert(it, ty),
            _ => Ok(it.clone()),
        };
        let it = converted.map_err(|it| Failure::argument(index, it.to_string()))?;
        all.extend(elements(&it).iter().cloned());
    }
    let result = match ty {
        Type::List(element) if **element == Type::Dynamic => list(all)?,
        Type::List(element) => Value::list((**element).clone(), all),
        _ => Value::tuple(all),
    };
    Ok(result.with_marks(marks_of(args)))
}

/// Where the common type was left open, the elements' own types must be equal.
fn list(elements: Vec<Value>) -> Result<Value, Failure> {
    let message = "the elements have different types, and no common type was found";
    Value::list_of_equals(elements).ok_or_else(|| Failure::call(message))
}

pub const DISTINCT: Function = Function::pure(
    "distinct",
    "Removes duplicate elements from a list.",
    &[Param::new("list", Ty::List(&Ty::Any))],
    ReturnType::Of(|args| Ok(args.first().map_or(Type::Dynamic, |it| it.ty().clone()))),
    distinct,
)
.refuses(Refuses::Nothing);

fn distinct(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let ([list], Some(element)) = (args, ty.element()) else {
        return Ok(Value::null(ty.clone()));
    };
    if !list.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    context.host.spend(4 * list.size())?;
    let mut seen = HashSet::new();
    let kept = elements(list).iter().filter(|it| seen.insert(equality_key(it)));
    Ok(Value::list(element.clone(), kept.cloned().collect()))
}

pub const ELEMENT: Function = Function::pure(
    "element",
    "Returns the element at an index, which wraps around the list.",
    &[Param::new("list", Ty::Any).marked(), Param::new("index", Ty::Number)],
    ReturnType::OfRelease(element_type),
    element,
);

pub const ONE: Function = Function::pure(
    "one",
    "Returns the only element of a list, set or tuple, or null if it is empty.",
    &[Param::new("list", Ty::Any)],
    ReturnType::Of(only_type),
    one,
)
.refuses(Refuses::By(unless_one));

fn unless_one(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_tuple = args.first().is_some_and(|it| matches!(it.ty(), Type::Tuple(_)));
    if is_tuple { Refuses::Nothing } else { Refuses::SomeValues }
}

fn element_type(release: Release, args: &[Value]) -> Result<Type, Failure> {
    let [list, index] = args else { return Ok(Type::Dynamic) };
    match list.ty() {
        Type::List(element) => Ok((**element).clone()),
        Type::Tuple(_) if !index.is_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => {
            let index = whole_index(index, release)?;
            let wrapped = wrap(index, types.len())?;
            if index < 0 && wrapped != 0 && !release.has(&changes::ELEMENT_NEGATIVE_TUPLE) {
                // Terraform's implementation panics here, for tuples only, and recovers.
                return Err(Failure::call(format!("index out of range [{index}]")));
            }
            Ok(types.get(wrapped).cloned().unwrap_or(Type::Dynamic))
        }
        other => {
            let given = other.friendly_name();
            Err(Failure::call(format!("cannot read elements from {given}")))
        }
    }
}

fn element(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list, index] = args else { return Ok(Value::null(ty.clone())) };
    let list_elements = elements(list);
    let index = wrap(whole_index(index, context.release)?, list_elements.len())?;
    let found = list_elements.get(index).cloned().unwrap_or_else(|| Value::null(ty.clone()));
    Ok(found.with_marks(list.marks()))
}

fn whole_index(index: &Value, release: Release) -> Result<i64, Failure> {
    let is_negative = index.as_number().is_some_and(|it| it.is_negative() && !it.is_zero());
    if is_negative && !release.has(&changes::ELEMENT_NEGATIVE) {
        return Err(Failure::call("cannot use element function with a negative index"));
    }
    whole_number(index).map_err(|it| Failure::call(format!("invalid index: {it}")))
}

fn wrap(index: i64, length: usize) -> Result<usize, Failure> {
    let wrapped = i64::try_from(length).ok().and_then(|it| index.checked_rem_euclid(it));
    wrapped
        .and_then(|it| usize::try_from(it).ok())
        .ok_or_else(|| Failure::call("cannot use element function with an empty list"))
}

fn only_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::List(element) | Type::Set(element)) => Ok((**element).clone()),
        Some(Type::Tuple(types)) if types.len() < 2 => {
            Ok(types.first().cloned().unwrap_or(Type::Dynamic))
        }
        _ => Err(not_one()),
    }
}

fn one(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    if ops::length(list).is_some_and(|it| !it.is_known()) {
        return Ok(Value::unknown(ty.clone()));
    }
    match elements(list) {
        [] => Ok(Value::null(ty.clone())),
        [it] => Ok(it.clone()),
        _ => Err(not_one()),
    }
}

fn not_one() -> Failure {
    let message = "must be a list, set, or tuple value with either zero or one elements";
    Failure::argument(0, message)
}

pub const FLATTEN: Function = Function::pure(
    "flatten",
    "Replaces nested lists, sets and tuples with their elements, at every depth.",
    &[Param::new("list", Ty::Any).unknown().dynamic().marked()],
    ReturnType::Of(flatten_type),
    flatten,
)
.refuses(Refuses::By(unless_nested));

/// The result of walking the nested lists.
#[derive(Default)]
struct Flat {
    elements: Vec<Value>,
    /// The marks of the lists; an element keeps its own.
    marks: Marks,
    /// Whether an element has unknown length, or may yet turn out to be a list.
    undetermined: bool,
}

fn unless_nested(_: Release, args: &[Value], _: &Type) -> Refuses {
    if args.iter().all(|it| is_nested(it.ty())) { Refuses::Nothing } else { Refuses::Everything }
}

fn flatten_type(args: &[Value]) -> Result<Type, Failure> {
    let Some(list) = args.first() else { return Ok(Type::Dynamic) };
    // Only a value that is completely known is refused for its type.
    if !list.is_wholly_known() {
        return Ok(Type::Dynamic);
    }
    if !is_nested(list.ty()) {
        return Err(Failure::call("can only flatten lists, sets and tuples"));
    }
    let mut flat = Flat::default();
    collect(&mut flat, list);
    if flat.undetermined {
        return Ok(Type::Dynamic);
    }
    Ok(Type::tuple(flat.elements.iter().map(|it| it.ty().clone()).collect()))
}

fn flatten(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    // Each element is visited twice, and rebuilt with its type.
    context.host.spend(args.first().map_or(0, |it| it.size().saturating_mul(3)))?;
    let mut flat = Flat::default();
    for it in args {
        collect(&mut flat, it);
    }
    let result =
        if flat.undetermined { Value::unknown(ty.clone()) } else { Value::tuple(flat.elements) };
    Ok(result.with_marks(flat.marks))
}

fn collect(flat: &mut Flat, list: &Value) {
    flat.marks |= list.marks();
    if !ops::length(list).is_some_and(|it| it.is_known()) || !list.is_known() {
        flat.undetermined = true;
        return;
    }
    for (_, it) in ops::elements(list).into_iter().flatten() {
        // Terraform takes one with marks for a single element, though it may turn out to be a list.
        if !it.is_known() && *it.ty() == Type::Dynamic && it.marks() == Marks::NONE {
            flat.undetermined = true;
        }
        if is_nested(it.ty()) && !it.is_null() {
            guarded(|| collect(flat, it));
        } else {
            flat.elements.push(it.clone());
        }
    }
}

fn is_nested(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_))
}

const ANY_LIST: Ty = Ty::List(&Ty::Any);

pub const MATCHKEYS: Function = Function::pure(
    "matchkeys",
    "Returns the elements of a list whose counterparts in a second list are in a \
        third.",
    &[
        Param::new("values", ANY_LIST),
        Param::new("keys", ANY_LIST),
        Param::new("searchset", ANY_LIST),
    ],
    ReturnType::Of(matchkeys_type),
    matchkeys,
);

fn matchkeys_type(args: &[Value]) -> Result<Type, Failure> {
    let [values, keys, searchset] = args else { return Ok(Type::Dynamic) };
    key_type(keys, searchset)?;
    Ok(values.ty().clone())
}

fn key_type(keys: &Value, searchset: &Value) -> Result<Type, Failure> {
    let unified = unify_unsafe(&[keys.ty().clone(), searchset.ty().clone()]);
    let message = "keys and searchset must be of the same type";
    unified.map(|it| it.ty).ok_or_else(|| Failure::call(message))
}

fn matchkeys(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let ([values, keys, searchset], Some(element)) = (args, ty.element()) else {
        return Ok(Value::null(ty.clone()));
    };
    if elements(values).len() != elements(keys).len() {
        return Err(Failure::call("length of keys and values should be equal"));
    }
    let key_type = key_type(keys, searchset)?;
    let keys = convert(keys, &key_type).map_err(|it| Failure::argument(1, it.to_string()))?;
    let searchset =
        convert(searchset, &key_type).map_err(|it| Failure::argument(2, it.to_string()))?;
    if elements(&searchset).is_empty() {
        return Ok(Value::list(element.clone(), Vec::new()));
    }
    if !values.is_wholly_known() || !keys.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    context.host.spend(4 * (keys.size() + searchset.size()))?;
    let found = matching(elements(values), elements(&keys), elements(&searchset));
    Ok(Value::list(element.clone(), found))
}

/// The values whose keys are in the search set. If a key meets an unknown before an equal key, Terraform
/// gives an empty list.
fn matching(values: &[Value], keys: &[Value], searchset: &[Value]) -> Vec<Value> {
    let known = searchset.iter().take_while(|it| it.is_wholly_known());
    let wanted: HashSet<String> = known.map(equality_key).collect();
    let all_known = searchset.iter().all(Value::is_wholly_known);
    let mut found = Vec::new();
    for (value, key) in values.iter().zip(keys) {
        if wanted.contains(&equality_key(key)) {
            found.push(value.clone());
        } else if !all_known {
            return Vec::new();
        }
    }
    found
}

/// Terraform's own bound on the result.
const MAX_LENGTH: usize = 1024;

pub const RANGE: Function = Function::pure(
    "range",
    "Returns the numbers from a start (default 0) to an end, exclusive, by a step \
        (default 1 or -1).",
    &[],
    ReturnType::Fixed(Ty::List(&Ty::Number)),
    range,
)
.variadic(Param::new("params", Ty::Number));

fn range(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let numbers: Vec<&Number> = args.iter().filter_map(Value::as_number).collect();
    let zero = Number::from_i64(0);
    let (start, end, step) = match *numbers {
        [end] => (&zero, end, unit_step(&zero, end)),
        [start, end] => (start, end, unit_step(start, end)),
        [start, end, step] => (start, end, step.clone()),
        _ => return Err(Failure::call("must have one, two, or three arguments")),
    };
    let down = step.compare(&zero) == Ordering::Less;
    match end.compare(start) {
        Ordering::Greater if down => {
            let message = "end must be less than start when step is negative";
            return Err(Failure::argument(1, message));
        }
        Ordering::Less if !down => {
            let message = "end must be greater than start when step is positive";
            return Err(Failure::argument(1, message));
        }
        _ => (),
    }
    let numbers = count(start, end, &step, down)?;
    context.host.spend(numbers.len() as u64)?;
    Ok(Value::list(Type::Number, numbers))
}

fn unit_step(start: &Number, end: &Number) -> Number {
    let down = end.compare(start) == Ordering::Less;
    Number::from_i64(if down { -1 } else { 1 })
}

fn count(start: &Number, end: &Number, step: &Number, down: bool) -> Result<Vec<Value>, Failure> {
    let passed = if down { Ordering::Less } else { Ordering::Greater };
    let mut numbers = Vec::new();
    let mut number = start.clone();
    while number.compare(end) != passed && number != *end {
        if numbers.len() == MAX_LENGTH {
            let message = format!("the range has more than {MAX_LENGTH} numbers");
            return Err(Failure::call(message));
        }
        numbers.push(Value::number(number.clone()));
        number = number.add(step).map_err(Failure::call)?;
    }
    Ok(numbers)
}

pub const REVERSE: Function = Function::pure(
    "reverse",
    "Reverses the order of a list, tuple or set.",
    &[Param::new("list", Ty::Any).marked()],
    ReturnType::Of(reverse_type),
    reverse,
)
.refuses(Refuses::Nothing);

fn reverse_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::Tuple(types)) => Ok(Type::tuple(types.iter().rev().cloned().collect())),
        Some(Type::List(element) | Type::Set(element)) => Ok(Type::list((**element).clone())),
        other => {
            let given = other.map(Type::friendly_name).unwrap_or_default();
            let message = format!("can only reverse list or tuple values, not {given}");
            Err(Failure::argument(0, message))
        }
    }
}

fn reverse(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    let reversed = elements(list).iter().rev().cloned().collect();
    let result = match ty {
        Type::List(element) => Value::list((**element).clone(), reversed),
        _ => Value::tuple(reversed),
    };
    Ok(result.with_marks(list.marks()))
}

pub const SLICE: Function = Function::pure(
    "slice",
    "Returns the elements of a list from a start index to an end index, exclusive.",
    &[
        Param::new("list", Ty::Any).marked(),
        Param::new("start_index", Ty::Number),
        Param::new("end_index", Ty::Number),
    ],
    ReturnType::Of(slice_type),
    slice,
);

fn slice_type(args: &[Value]) -> Result<Type, Failure> {
    let Some(list) = args.first() else { return Ok(Type::Dynamic) };
    match list.ty() {
        Type::List(_) => indices(args).map(|_| list.ty().clone()),
        Type::Tuple(types) => {
            let types = indices(args)?.and_then(|it| types.get(it));
            Ok(types.map_or(Type::Dynamic, |it| Type::tuple(it.to_vec())))
        }
        Type::Set(_) => {
            let message = "cannot slice a set, because its elements do not have indices; convert \
                           it to a list if the order does not matter";
            Err(Failure::argument(0, message))
        }
        _ => Err(Failure::argument(0, "must be a list or tuple value")),
    }
}

fn slice(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let Some(list) = args.first() else { return Ok(Value::null(ty.clone())) };
    let part = indices(args)?.and_then(|it| elements(list).get(it)).unwrap_or_default().to_vec();
    let result = match ty {
        Type::List(element) => Value::list((**element).clone(), part),
        _ => Value::tuple(part),
    };
    Ok(result.with_marks(list.marks()))
}

/// The range of indices. It is checked where the bounds and the length are known.
fn indices(args: &[Value]) -> Result<Option<Range<usize>>, Failure> {
    let [list, start, end] = args else { return Ok(None) };
    let length = ops::length(list).and_then(|it| it.as_number()?.to_i64());
    let start = index("start", 1, start, length)?;
    let end = index("end", 2, end, length)?;
    let (Some(start), Some(end)) = (start, end) else { return Ok(None) };
    if start > end {
        return Err(Failure::argument(1, "start index must not be greater than end index"));
    }
    Ok(Some(start..end))
}

fn index(
    name: &str,
    position: usize,
    value: &Value,
    length: Option<i64>,
) -> Result<Option<usize>, Failure> {
    if !value.is_known() {
        return Ok(None);
    }
    let fail = |message: String| Failure::argument(position, message);
    let index = whole_number(value).map_err(|it| fail(format!("invalid {name} index: {it}")))?;
    if length.is_some_and(|it| index > it) {
        let message = format!("{name} index must not be greater than the length of the list");
        return Err(fail(message));
    }
    usize::try_from(index)
        .map(Some)
        .map_err(|_| fail(format!("{name} index must not be less than zero")))
}

// `compact`, `sort`: lists of strings.

const LIST: &[Param] = &[Param::new("list", Ty::List(&Ty::String))];

pub const COMPACT: Function = Function::pure(
    "compact",
    "Removes nulls and empty strings from a list.",
    LIST,
    ReturnType::Fixed(Ty::List(&Ty::String)),
    compact,
)
.refuses(Refuses::Nothing);

pub const SORT: Function = Function::pure(
    "sort",
    "Sorts a list of strings by their bytes.",
    LIST,
    ReturnType::Fixed(Ty::List(&Ty::String)),
    sort,
);

fn compact(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    if !list.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    let kept =
        elements(list).iter().filter(|value| value.as_str().is_some_and(|it| !it.is_empty()));
    Ok(Value::list(Type::String, kept.cloned().collect()))
}

fn sort(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    if !list.is_wholly_known() {
        if !context.release.has(&changes::REFINEMENTS) {
            return Ok(Value::unknown(ty.clone()));
        }
        // The length is known even though the elements are not.
        let unknown = vec![Value::unknown(Type::String); elements(list).len()];
        return Ok(Value::list(Type::String, unknown));
    }
    let mut sorted = elements(list).to_vec();
    if let Some(index) = sorted.iter().position(Value::is_null) {
        let message = format!("list element {index} is null; a null string cannot be sorted");
        return Err(Failure::call(message));
    }
    sorted.sort_by(|left, right| left.as_str().cmp(&right.as_str()));
    Ok(Value::list(Type::String, sorted))
}
