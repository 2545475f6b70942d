//! `tobool`, `tolist`, `tomap`, `tonumber`, `toset`, `tostring`.

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, always_converts,
};
use release::Release;
use tf_value::{ConvertError, Type, Value, convert, quoted};

const V: &[Param] = &[Param::new("v", Ty::Any).null().unknown().dynamic().marked()];

pub const TOBOOL: Function =
    to("tobool", "The value as a bool: only the texts of the two bools convert.", |args| {
        target(args, Type::Bool)
    });

pub const TOLIST: Function = to(
    "tolist",
    "The value as a list: elements of a tuple are converted to one type, a set is sorted.",
    |args| target(args, Type::list(Type::Dynamic)),
);

pub const TOMAP: Function =
    to("tomap", "The value as a map: attributes of an object are converted to one type.", |args| {
        target(args, Type::map(Type::Dynamic))
    });

pub const TONUMBER: Function =
    to("tonumber", "The value as a number: texts in decimal notation convert.", |args| {
        target(args, Type::Number)
    });

pub const TOSET: Function = to(
    "toset",
    "The value as a set: elements are converted to one type, duplicates removed.",
    |args| target(args, Type::set(Type::Dynamic)),
);

pub const TOSTRING: Function =
    to("tostring", "The value as a string: numbers and bools convert.", |args| {
        target(args, Type::String)
    });

const fn to(
    name: &'static str,
    description: &'static str,
    target: fn(&[Value]) -> Result<Type, Failure>,
) -> Function {
    Function {
        name,
        description,
        params: V,
        variadic: None,
        returns: ReturnType::Of(target),
        refuses: Refuses::By(refused),
        depends_on: DependsOn::Arguments,
        body: apply,
    }
}

/// The refusals that the types do not tell: a text may not parse, and elements may have unlike types.
fn refused(_: Release, args: &[Value], wanted: &Type) -> Refuses {
    let always = args.iter().all(|it| always_converts(it.ty(), wanted));
    if always { Refuses::Nothing } else { Refuses::SomeValues }
}

/// The wanted type, when the argument's type allows the conversion at all.
fn target(args: &[Value], wanted: Type) -> Result<Type, Failure> {
    let [value] = args else { return Ok(wanted) };
    let conversion = convert(&Value::unknown(value.ty().clone()), &wanted);
    conversion.map_err(|_| refuse(value, &wanted))?;
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

fn refuse(value: &Value, wanted: &Type) -> Failure {
    let (given, wanted) = (value.ty().friendly_name(), wanted.constraint_name());
    Failure::argument(0, format!("cannot convert {given} to {wanted}"))
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
            format!("cannot convert {text} to number; it is no decimal number")
        }
        _ => error.to_string(),
    };
    Failure::argument(0, message)
}
