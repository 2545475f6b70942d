//! Maps and objects: `keys`, `values`, `lookup`, `merge`, `transpose` and `zipmap`.

use std::collections::BTreeMap;

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, always_converts, elements, text,
};
use release::{Release, changes};
use smol_str::SmolStr;
use tf_value::{Type, Value, convert, ops, ops::marks_of, quoted};

pub const KEYS: Function = Function::pure(
    "keys",
    "Returns the keys of a map or the attribute names of an object, sorted.",
    &[Param::new("inputMap", Ty::Any).unknown().marked()],
    ReturnType::Of(keys_type),
    keys,
)
.refuses(Refuses::Nothing);

pub const VALUES: Function = Function::pure(
    "values",
    "Returns the values of a map or of an object, in the order of the keys.",
    &[Param::new("mapping", Ty::Any).marked()],
    ReturnType::Of(values_type),
    values,
)
.refuses(Refuses::Nothing);

fn keys_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::Map(_)) => Ok(Type::list(Type::String)),
        Some(Type::Object(object)) => Ok(Type::tuple(vec![Type::String; object.attributes.len()])),
        _ => Err(Failure::argument(0, "must have map or object type")),
    }
}

/// Keys carry no marks, so the marks of the elements are ignored. An object's names are known even where
/// the object is not.
fn keys(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [map] = args else { return Ok(Value::null(ty.clone())) };
    let keys = match (map.ty(), map.as_mapping()) {
        (Type::Object(object), _) => {
            Value::tuple(object.attributes.keys().map(Value::string).collect())
        }
        (_, Some(elements)) => {
            Value::list(Type::String, elements.keys().map(Value::string).collect())
        }
        _ => Value::unknown_not_null(ty.clone()),
    };
    Ok(keys.with_marks(map.marks()))
}

fn values_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::Map(element)) => Ok(Type::list((**element).clone())),
        Some(Type::Object(object)) => {
            Ok(Type::tuple(object.attributes.values().cloned().collect()))
        }
        _ => Err(Failure::call("values() requires a map as the first argument")),
    }
}

fn values(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [map] = args else { return Ok(Value::null(ty.clone())) };
    let elements: Vec<Value> =
        map.as_mapping().into_iter().flat_map(|it| it.values().cloned()).collect();
    let values = match ty {
        Type::List(element) => Value::list((**element).clone(), elements),
        _ => Value::tuple(elements),
    };
    Ok(values.with_marks(map.marks()))
}

pub const LOOKUP: Function = Function::pure(
    "lookup",
    "Returns the value of a key in a map or an object, or the default, converted \
        to the element type of a map.",
    &[
        Param::new("inputMap", Ty::Any).unknown().marked(),
        Param::new("key", Ty::String).unknown().marked(),
    ],
    ReturnType::Of(lookup_type),
    lookup,
)
.variadic(Param::new("default", Ty::Any).null().unknown().dynamic().marked())
.refuses(Refuses::By(unless_there));

/// Refuses nothing for a known key of an object, or for a map with a default that always converts.
fn unless_there(_: Release, args: &[Value], ty: &Type) -> Refuses {
    let ([map, key], rest) = args.split_at(args.len().min(2)) else { return Refuses::SomeValues };
    let is_certain = match (map.ty(), rest.first()) {
        (Type::Object(_), _) if key.is_known() => true,
        (Type::Map(_), Some(default)) => always_converts(default.ty(), ty),
        _ => false,
    };
    if is_certain { Refuses::Nothing } else { Refuses::SomeValues }
}

fn lookup_type(args: &[Value]) -> Result<Type, Failure> {
    let ([map, key], rest) = args.split_at(args.len().min(2)) else { return Ok(Type::Dynamic) };
    if rest.len() > 1 {
        let given = args.len();
        return Err(Failure::call(format!("lookup() takes two or three arguments, got {given}")));
    }
    match (map.ty(), rest.first()) {
        (Type::Object(_), _) if !key.is_known() => Ok(Type::Dynamic),
        (Type::Object(object), default) => {
            let found = object.attributes.get(text(key)).or(default.map(Value::ty));
            found.cloned().ok_or_else(|| {
                let key = quoted(text(key));
                Failure::argument(0, format!("the given object has no attribute {key}"))
            })
        }
        (Type::Map(element), default) => {
            if default.is_some_and(|it| convert(it, element).is_err()) {
                let message = "the default value must have the same type as the map elements";
                return Err(Failure::argument(2, message));
            }
            Ok((**element).clone())
        }
        _ => Err(Failure::argument(0, "lookup() requires a map as the first argument")),
    }
}

/// The marks of the default count only when it is the result.
fn lookup(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let ([map, key], rest) = args.split_at(args.len().min(2)) else {
        return Ok(Value::null(ty.clone()));
    };
    let marks = map.marks() | key.marks();
    if !map.is_known() || !key.is_known() {
        return Ok(Value::unknown(ty.clone()).with_marks(marks));
    }
    let found = map.as_mapping().and_then(|it| it.get(text(key)));
    let result = match (found, rest.first()) {
        (Some(it), _) => it.clone(),
        (None, Some(default)) => {
            convert(default, ty).map_err(|it| Failure::argument(2, it.to_string()))?
        }
        (None, None) => {
            let key = quoted(text(key));
            return Err(Failure::call(format!("lookup failed to find key {key}")));
        }
    };
    Ok(result.with_marks(marks))
}

pub const MERGE: Function = Function::pure(
    "merge",
    "Merges maps or objects; later values win, and nulls are skipped.",
    &[],
    ReturnType::OfRelease(merge_type),
    merge,
)
.variadic(Param::new("maps", Ty::Any).null().dynamic().marked())
.refuses(Refuses::By(unless_typed));

/// A null argument without a type ends the check of the later ones; the attributes of a null object are
/// missed.
fn unless_typed(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_certain = |arg: &Value| match arg.ty() {
        Type::Dynamic => false,
        Type::Object(_) if arg.is_known() => !arg.is_null(),
        Type::Object(_) => arg.refinements().is_some_and(|it| it.not_null),
        _ => true,
    };
    if args.iter().all(is_certain) { Refuses::Nothing } else { Refuses::SomeValues }
}

/// The type of all arguments if they share one, otherwise an object with all their keys.
fn merge_type(release: Release, args: &[Value]) -> Result<Type, Failure> {
    let mut attributes = BTreeMap::new();
    let mut keys_known = true;
    for it in args {
        match it.ty() {
            Type::Dynamic => return Ok(Type::Dynamic),
            Type::Object(object) if !it.is_null() => {
                attributes.extend(object.attributes.clone());
            }
            Type::Map(element) if it.is_known() => {
                let keys = it.as_mapping().into_iter().flat_map(BTreeMap::keys);
                attributes.extend(keys.map(|key| (key.clone(), (**element).clone())));
            }
            Type::Map(_) => keys_known = false,
            Type::Object(_) => (),
            other => {
                let given = other.friendly_name();
                let message = format!("arguments must be maps or objects, got \"{given}\"");
                return Err(Failure::call(message));
            }
        }
    }
    let are_null_objects =
        || args.iter().all(|it| it.is_null() && matches!(it.ty(), Type::Object(_)));
    if release.has(&changes::MERGE_NULL_OBJECTS) && are_null_objects() {
        return Ok(Type::object(BTreeMap::new()));
    }
    match args.split_first() {
        Some((first, rest)) if rest.iter().all(|it| it.ty() == first.ty()) => {
            Ok(first.ty().clone())
        }
        _ if !keys_known => Ok(Type::Dynamic),
        _ => Ok(Type::object(attributes)),
    }
}

fn merge(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let mut merged = BTreeMap::new();
    for it in args.iter().filter(|it| !it.is_null()) {
        // After a null without a type Terraform checks no types: an empty list passes, and so does a set
        // of strings. An argument without keys makes Terraform's implementation panic and recover.
        let refused = || Failure::call("arguments must be maps or objects");
        for (key, element) in ops::elements(it).ok_or_else(refused)? {
            context.host.spend(4)?;
            let key = key.as_str().ok_or_else(refused)?;
            merged.insert(SmolStr::new(key), element.clone());
        }
    }
    let result = match ty {
        Type::Map(element) => Value::map((**element).clone(), merged),
        _ => Value::object(merged),
    };
    Ok(result.with_marks(ops::marks_of(args.iter().filter(|it| !it.is_null()))))
}

const LISTS: Ty = Ty::Map(&Ty::List(&Ty::String));

pub const TRANSPOSE: Function = Function::pure(
    "transpose",
    "Swaps the keys and values of a map of lists of strings.",
    &[Param::new("values", LISTS)],
    ReturnType::Fixed(LISTS),
    transpose,
);

fn transpose(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [map] = args else { return Ok(Value::null(ty.clone())) };
    if !map.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    let mut transposed: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
    for (key, list) in map.as_mapping().into_iter().flatten() {
        if list.is_null() {
            return Err(Failure::call("input must not contain null list"));
        }
        context.host.spend(4 * elements(list).len() as u64)?;
        for it in elements(list) {
            let Some(text) = it.as_str() else {
                return Err(Failure::call("input list must not contain null string"));
            };
            transposed.entry(text.into()).or_default().push(Value::string(key));
        }
    }
    let lists =
        transposed.into_iter().map(|(value, keys)| (value, Value::list(Type::String, keys)));
    Ok(Value::map(Type::list(Type::String), lists.collect()))
}

pub const ZIPMAP: Function = Function::pure(
    "zipmap",
    "Builds a map from a list of keys and a list of values; an object if the \
        values are a tuple.",
    &[Param::new("keys", Ty::List(&Ty::String)).marked(), Param::new("values", Ty::Any).marked()],
    ReturnType::Of(zipmap_type),
    zipmap,
);

fn zipmap_type(args: &[Value]) -> Result<Type, Failure> {
    let [keys, values] = args else { return Ok(Type::Dynamic) };
    match values.ty() {
        Type::List(element) => Ok(Type::map((**element).clone())),
        Type::Tuple(_) if !keys.is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => pair(keys, types).map(Type::object),
        _ => Err(Failure::call("values argument must be a list or tuple value")),
    }
}

fn zipmap(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [keys, values] = args else { return Ok(Value::null(ty.clone())) };
    let marks = marks_of(args);
    if !keys.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()).with_marks(marks));
    }
    context.host.spend(4 * elements(keys).len() as u64)?;
    let pairs = pair(keys, elements(values))?;
    let result = match ty {
        Type::Map(element) => Value::map((**element).clone(), pairs),
        _ => Value::object(pairs),
    };
    // Keys cannot carry marks, so the whole result carries those of the keys.
    Ok(result.with_marks(marks | marks_of(elements(keys))))
}

/// Pairs each key with its counterpart; of equal keys the last wins.
fn pair<T: Clone>(keys: &Value, others: &[T]) -> Result<BTreeMap<SmolStr, T>, Failure> {
    let keys = elements(keys);
    if keys.len() != others.len() {
        let (keys, values) = (keys.len(), others.len());
        let message = format!("number of keys ({keys}) does not match number of values ({values})");
        return Err(Failure::call(message));
    }
    let mut pairs = BTreeMap::new();
    for (index, (key, it)) in keys.iter().zip(others).enumerate() {
        let Some(key) = key.as_str() else {
            return Err(Failure::call(format!("keys list has null value at index {index}")));
        };
        pairs.insert(SmolStr::new(key), it.clone());
    }
    Ok(pairs)
}
