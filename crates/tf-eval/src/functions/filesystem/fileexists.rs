//! `fileexists`: whether there is a file.

use std::io::ErrorKind;

use super::location::{ignored, locate, refused};
use crate::functions::{CallContext, DependsOn, Failure, Function, Param, ReturnType, Ty, text};
use system::EntryKind;
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "fileexists",
    "Whether a file exists at a path.",
    &[Param::new("path", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    body,
)
.depends_on(DependsOn::Machine);

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let path = text(&args[0]);
    let location = locate(context, path)?;
    match context.host.system().kind(&location) {
        Ok(EntryKind::File) => Ok(Value::bool(true)),
        Ok(EntryKind::Directory) => {
            Err(Failure::Call(format!("{path:?} is a directory, not a file")))
        }
        Ok(_) => Err(Failure::Call(format!("{path:?} is not a regular file"))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if context.host.may_be_made(&location) {
                return Err(ignored(path));
            }
            Ok(Value::bool(false))
        }
        Err(error) => Err(refused(path, &error)
            .unwrap_or_else(|| Failure::Call(format!("{path:?} cannot be looked at: {error}")))),
    }
}
