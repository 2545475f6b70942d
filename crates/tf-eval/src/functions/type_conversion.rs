//! Conversions, marks, `can` and `try`.

use std::collections::BTreeMap;

use super::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, always_converts,
};
use release::{Release, changes};
use stack::guarded;
use tf_value::{ConvertError, Marks, Type, Value, ValueContent, convert, quoted};

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    CAN,
    CONVERT,
    EPHEMERALASNULL,
    ISSENSITIVE,
    NONSENSITIVE,
    SENSITIVE,
    TOBOOL,
    TOLIST,
    TOMAP,
    TONUMBER,
    TOSET,
    TOSTRING,
    TRY,
];

const V: &[Param] = &[Param::new("v", Ty::Any).null().unknown().dynamic().marked()];

const TOBOOL: Function =
    to("tobool", "Converts a value to a bool; of strings, only \"true\" and \"false\".", |args| {
        target(args, Type::Bool)
    });

const TOLIST: Function = to(
    "tolist",
    "Converts a value to a list; the elements of a tuple get one type, and a set is sorted.",
    |args| target(args, Type::list(Type::Dynamic)),
);

const TOMAP: Function =
    to("tomap", "Converts a value to a map; the attributes of an object get one type.", |args| {
        target(args, Type::map(Type::Dynamic))
    });

const TONUMBER: Function =
    to("tonumber", "Converts a value to a number; of strings, only decimal numbers.", |args| {
        target(args, Type::Number)
    });

const TOSET: Function = to(
    "toset",
    "Converts a value to a set; the elements get one type, and duplicates are removed.",
    |args| target(args, Type::set(Type::Dynamic)),
);

const TOSTRING: Function =
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

const EPHEMERALASNULL: Function = Function::pure(
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
        let marks = value.marks().without(Marks::EPHEMERAL | Marks::OPENED);
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

// `can`, `convert`, `try`: declarations only. Their arguments are evaluated, and may fail, inside the
// function, so `eval` implements them.

const CAN: Function = Function::pure(
    "can",
    "Returns whether an expression evaluates without an error.",
    &[Param::new("expression", Ty::Any).unknown().dynamic()],
    ReturnType::Fixed(Ty::Bool),
    not_here,
)
.depends_on(DependsOn::Expressions);

/// The second argument is a type as written in source.
const CONVERT: Function = Function::pure(
    "convert",
    "Converts a value to a type, as for a variable of that type.",
    &[
        Param::new("value", Ty::Any).null().unknown().dynamic().marked(),
        Param::new("type", Ty::Any),
    ],
    ReturnType::Of(|_| Ok(Type::Dynamic)),
    not_here,
)
.depends_on(DependsOn::Expressions);

const TRY: Function = Function::pure(
    "try",
    "Returns the value of the first expression that evaluates without an error.",
    &[],
    ReturnType::Of(|_| Ok(Type::Dynamic)),
    not_here,
)
.variadic(Param::new("expressions", Ty::Any))
.depends_on(DependsOn::Expressions);

fn not_here(_: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    Err(Failure::call("its arguments must not be evaluated before the call"))
}

const VALUE: &[Param] = &[Param::new("value", Ty::Any).null().unknown().dynamic().marked()];

const ISSENSITIVE: Function = Function::pure(
    "issensitive",
    "Returns whether the value itself, not only a part of it, is marked as sensitive.",
    VALUE,
    ReturnType::Fixed(Ty::Bool),
    is_sensitive,
)
.refuses(Refuses::Nothing);

const NONSENSITIVE: Function = Function::pure(
    "nonsensitive",
    "Removes the sensitive mark of a value; marks inside it stay.",
    VALUE,
    ReturnType::Of(same),
    non_sensitive,
)
.refuses(Refuses::By(unless_sensitive));

pub const SENSITIVE: Function = Function::pure(
    "sensitive",
    "Marks a value as sensitive, so that it is not shown.",
    VALUE,
    ReturnType::Of(same),
    |_, args, ty| Ok(map(args, ty, |it| it.with_marks(Marks::SENSITIVE))),
)
.refuses(Refuses::Nothing);

/// A value's type does not show its marks.
fn unless_sensitive(release: Release, _: &[Value], _: &Type) -> Refuses {
    if release.has(&changes::NONSENSITIVE_OF_ANY) { Refuses::Nothing } else { Refuses::SomeValues }
}

fn non_sensitive(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let is_redundant = |it: &Value| it.is_known() && !it.marks().is_sensitive();
    if !context.release.has(&changes::NONSENSITIVE_OF_ANY) && args.iter().any(is_redundant) {
        return Err(Failure::argument(0, "the value is not sensitive"));
    }
    Ok(map(args, ty, |it| {
        let (it, marks) = it.unmark();
        it.with_marks(marks.without(Marks::SENSITIVE))
    }))
}

/// The type of the only argument.
fn same(args: &[Value]) -> Result<Type, Failure> {
    Ok(args.first().map_or(Type::Dynamic, |it| it.ty().clone()))
}

fn map(args: &[Value], ty: &Type, operation: fn(Value) -> Value) -> Value {
    args.first().cloned().map_or_else(|| Value::null(ty.clone()), operation)
}

fn is_sensitive(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::null(ty.clone())) };
    let marks = value.marks();
    let known = marks.is_sensitive() || value.is_known();
    // An unknown value may still turn out to be sensitive.
    let answer = if known { Value::bool(marks.is_sensitive()) } else { Value::unknown(Type::Bool) };
    // The answer reveals nothing of the value.
    let undecided =
        marks.without(Marks::SENSITIVE | Marks::EPHEMERAL | Marks::SECRET | Marks::OPENED);
    Ok(answer.with_marks(undecided))
}
