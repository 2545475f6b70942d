//! `tobool`, `tolist`, `tomap`, `tonumber`, `toset`, `tostring`.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, always_converts,
};
use release::Release;
use tf_value::{ConvertError, Type, Value, convert, quoted};

const V: &[Param] = &[Param::new("v", Ty::Any).null().unknown().dynamic().marked()];

pub const TOBOOL: Function =
    to("tobool", "Converts a value to a bool; of strings, only \"true\" and \"false\".", |args| {
        target(args, Type::Bool)
    });

pub const TOLIST: Function = to(
    "tolist",
    "Converts a value to a list; the elements of a tuple get one type, and a set is sorted.",
    |args| target(args, Type::list(Type::Dynamic)),
);

pub const TOMAP: Function =
    to("tomap", "Converts a value to a map; the attributes of an object get one type.", |args| {
        target(args, Type::map(Type::Dynamic))
    });

pub const TONUMBER: Function =
    to("tonumber", "Converts a value to a number; of strings, only decimal numbers.", |args| {
        target(args, Type::Number)
    });

pub const TOSET: Function = to(
    "toset",
    "Converts a value to a set; the elements get one type, and duplicates are removed.",
    |args| target(args, Type::set(Type::Dynamic)),
);

pub const TOSTRING: Function =
    to("tostring", "Converts a value, such as a number or a bool, to a string.", |args| {
        target(args, Type::String)
    });

const fn to(
    name: &'static str,
    description: &'static str,
    target: fn(&[Value]) -> Result<Type, Failure>,
) -> Function {
    Function::pure(name, description, V, ReturnType::Of(target), apply)
        .refuses(Refuses::By(refused))
}

/// The refusals that the types do not show: a text may not parse, and elements may have unlike types.
fn refused(_: Release, args: &[Value], wanted: &Type) -> Refuses {
    let always = args.iter().all(|it| always_converts(it.ty(), wanted));
    if always { Refuses::Nothing } else { Refuses::SomeValues }
}

/// The wanted type, when the argument's type allows the conversion at all.
fn target(args: &[Value], wanted: Type) -> Result<Type, Failure> {
    let [value] = args else { return Ok(wanted) };
    let conversion = convert(&Value::unknown(value.ty().clone()), &wanted);
    conversion.map_err(|it| refuse(value, &wanted, &it))?;
    Ok(wanted)
}

fn apply(context: &CallContext<'_>, args: &[Value], wanted: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::null(wanted.clone())) };
    if !value.is_known() {
        // An unknown keeps nothing but its marks, and elements of the result have any type.
        return Ok(Value::unknown(wanted.clone()).with_marks(value.marks()));
    }
    if value.ty() != wanted {
        context.host.spend(4 * value.size())?;
    }
    convert(value, wanted).map_err(|it| explain(value, wanted, &it))
}

fn refuse(value: &Value, wanted: &Type, error: &ConvertError) -> Failure {
    let (given, wanted) = (value.ty().friendly_name(), wanted.constraint_name());
    Failure::argument(0, format!("cannot convert {given} to {wanted}{}", error.more()))
}

/// The failure of a value whose type fits: mostly a text that does not parse.
fn explain(value: &Value, wanted: &Type, error: &ConvertError) -> Failure {
    let message = match (value.as_str(), wanted) {
        (Some(text), Type::Bool) => {
            let text = quoted(text);
            format!("cannot convert {text} to bool; only \"true\" and \"false\" convert")
        }
        (Some(text), Type::Number) => {
            let text = quoted(text);
            format!("cannot convert {text} to number; it is not a decimal number")
        }
        _ => error.to_string(),
    };
    Failure::argument(0, message)
}
