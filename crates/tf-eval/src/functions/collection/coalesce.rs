//! `coalesce`, `coalescelist`.

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, elements};
use tf_value::{Type, Value, convert, convert::unify_unsafe};

const VALS: Param = Param::new("vals", Ty::Any).null().unknown().dynamic();

pub const COALESCE: Function = Function::pure(
    "coalesce",
    "Returns the first argument that is not null or an empty string, converted to \
        the common type.",
    &[],
    ReturnType::Of(common_type),
    coalesce,
)
.variadic(VALS);

pub const COALESCELIST: Function = Function::pure(
    "coalescelist",
    "Returns the first argument that is not null or an empty list.",
    &[],
    ReturnType::Of(common_list),
    coalescelist,
)
.variadic(VALS);

fn common_type(args: &[Value]) -> Result<Type, Failure> {
    let types: Vec<Type> = args.iter().map(|it| it.ty().clone()).collect();
    match unify_unsafe(&types) {
        Some(it) if it.undetermined => Ok(Type::Dynamic),
        Some(it) => Ok(it.ty),
        None => Err(Failure::call("all arguments must have the same type")),
    }
}

fn coalesce(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    for it in args {
        // Terraform skips what does not convert, such as a set of texts next to a list of bools.
        let Ok(it) = convert(it, ty) else { continue };
        if !it.is_known() {
            return Ok(Value::unknown_not_null(ty.clone()));
        }
        if !it.is_null() && it.as_str() != Some("") {
            return Ok(it);
        }
    }
    Err(Failure::call("no non-null, non-empty-string arguments"))
}

/// The common type of all arguments, if it is one; unknown arguments may have any type.
fn common_list(args: &[Value]) -> Result<Type, Failure> {
    let Some(first) = args.first() else {
        return Err(Failure::call("at least one argument is required"));
    };
    for it in args {
        if !it.is_known() {
            return Ok(Type::Dynamic);
        }
        if !matches!(it.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(Failure::call("coalescelist arguments must be lists or tuples"));
        }
    }
    let same = args.iter().all(|it| it.ty() == first.ty());
    Ok(if same { first.ty().clone() } else { Type::Dynamic })
}

fn coalescelist(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    for it in args {
        if !it.is_known() {
            return Ok(Value::unknown(ty.clone()));
        }
        if !elements(it).is_empty() {
            return Ok(it.clone());
        }
    }
    Err(Failure::call("no non-null arguments"))
}
