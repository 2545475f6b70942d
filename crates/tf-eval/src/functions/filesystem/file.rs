//! `file` and `filebase64`: the contents of a file.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::location::{read, read_text};
use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, text,
};
use tf_value::{Type, Value};

pub const FILE: Function = Function {
    name: "file",
    description: "Reads the contents of a text file.",
    params: &[Param::new("path", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Machine,
    body: file,
};

pub const FILEBASE64: Function = Function {
    name: "filebase64",
    description: "Reads the contents of a file and encodes them with Base64.",
    params: &[Param::new("path", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Machine,
    body: filebase64,
};

fn file(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    read_text(context, text(&args[0])).map(Value::string)
}

fn filebase64(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let bytes = read(context, text(&args[0]))?;
    Ok(Value::string(STANDARD.encode(bytes)))
}
