//! `chunklist`.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements, whole_number,
};
use release::Release;
use tf_value::{DYNAMIC, Type, Value};

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
