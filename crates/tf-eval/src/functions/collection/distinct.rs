//! `distinct`.

use std::collections::HashSet;

use super::identity::equality_key;
use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements};
use tf_value::{Type, Value};

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
