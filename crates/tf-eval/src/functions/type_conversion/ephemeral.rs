//! `ephemeralasnull`.

use std::collections::BTreeMap;

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use stack::guarded;
use tf_value::{Marks, Type, Value, ValueContent};

pub const EPHEMERALASNULL: Function = Function::pure(
    "ephemeralasnull",
    "Replaces every ephemeral value inside a value with null.",
    &[Param::new("value", Ty::Any).null().unknown().dynamic().marked()],
    ReturnType::Of(|args| Ok(args.first().map_or(Type::Dynamic, |it| it.ty().clone()))),
    ephemeral_as_null,
)
.refuses(Refuses::Nothing);

fn ephemeral_as_null(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::null(ty.clone())) };
    Ok(if value.deep_marks().is_ephemeral() { without_ephemeral(value) } else { value.clone() })
}

fn without_ephemeral(value: &Value) -> Value {
    guarded(|| {
        let ty = value.ty().clone();
        let marks = value.marks().without(Marks::EPHEMERAL);
        let replaced = match value.content() {
            // The final type of an unknown may be more precise than that of its null.
            ValueContent::Unknown(_) if value.marks().is_ephemeral() => Value::unknown(ty),
            _ if value.marks().is_ephemeral() => Value::null(ty),
            ValueContent::Sequence(elements) => {
                let elements = elements.iter().map(without_ephemeral).collect();
                sequence(&ty, elements)
            }
            ValueContent::Mapping(elements) => {
                let elements: BTreeMap<_, _> =
                    elements.iter().map(|(key, it)| (key.clone(), without_ephemeral(it))).collect();
                match &ty {
                    Type::Map(element) => Value::map((**element).clone(), elements),
                    _ => Value::object(elements),
                }
            }
            _ => return value.clone(),
        };
        replaced.with_marks(marks)
    })
}

fn sequence(ty: &Type, elements: Vec<Value>) -> Value {
    match ty {
        Type::List(element) => Value::list((**element).clone(), elements),
        Type::Set(element) => Value::set((**element).clone(), elements),
        _ => Value::tuple(elements),
    }
}
