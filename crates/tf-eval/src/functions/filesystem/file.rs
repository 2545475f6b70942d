//! `file` and `filebase64`: the contents of a file.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::location::{read, read_text};
use crate::functions::{CallContext, DependsOn, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FILE: Function = Function::pure(
    "file",
    "Reads the contents of a text file.",
    &[Param::new("path", Ty::String)],
    ReturnType::Fixed(Ty::String),
    file,
)
.depends_on(DependsOn::Machine);

pub const FILEBASE64: Function = Function::pure(
    "filebase64",
    "Reads the contents of a file and encodes them with Base64.",
    &[Param::new("path", Ty::String)],
    ReturnType::Fixed(Ty::String),
    filebase64,
)
.depends_on(DependsOn::Machine);

fn file(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    read_text(context, text(&args[0])).map(Value::string)
}

fn filebase64(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let bytes = read(context, text(&args[0]))?;
    Ok(Value::string(STANDARD.encode(bytes)))
}
