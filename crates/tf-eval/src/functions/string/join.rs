//! `join`.

use super::text;
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty};
use tf_value::{Type, Value};

pub const JOIN: Function = Function::pure(
    "join",
    "Joins the elements of lists with a separator.",
    &[Param::new("separator", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
)
.variadic(Param::new("lists", Ty::List(&Ty::String)));

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let separator = text(args, 0);
    let Some(lists) = args.get(1..).filter(|it| !it.is_empty()) else {
        return Err(Failure::call("at least one list is required"));
    };
    if !lists.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let mut joined = String::new();
    let mut first = true;
    for (list_index, list) in lists.iter().enumerate() {
        for (index, element) in list.as_sequence().unwrap_or_default().iter().enumerate() {
            let Some(element) = element.as_str() else {
                let of = if lists.len() > 1 { of_list(list_index) } else { String::new() };
                let message =
                    format!("element {index}{of} is null; cannot concatenate null values");
                return Err(Failure::argument(list_index + 1, message));
            };
            if !std::mem::take(&mut first) {
                joined.push_str(separator);
            }
            context.host.spend((separator.len() + element.len()) as u64 / 16)?;
            joined.push_str(element);
        }
    }
    Ok(Value::string(joined))
}

fn of_list(index: usize) -> String {
    format!(" of list {}", index + 1)
}
