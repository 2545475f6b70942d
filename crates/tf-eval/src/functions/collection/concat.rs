//! `concat`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements};
use release::Release;
use tf_value::{Type, Value, convert, convert::unify_unsafe, ops::marks_of};

pub const CONCAT: Function = Function::pure(
    "concat",
    "Joins lists into one list.",
    &[],
    ReturnType::Of(return_type),
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
fn return_type(args: &[Value]) -> Result<Type, Failure> {
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
