//! `merge`.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use release::{Release, changes};
use tf_value::{Type, Value, ops};

pub const MERGE: Function = Function::pure(
    "merge",
    "Merges maps or objects; later values win, and nulls are skipped.",
    &[],
    ReturnType::OfRelease(return_type),
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
fn return_type(release: Release, args: &[Value]) -> Result<Type, Failure> {
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
