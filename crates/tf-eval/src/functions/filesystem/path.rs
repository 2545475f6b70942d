//! Functions on the text of a path, which touch no files.

use std::path::Path;

use super::location::expand_home;
use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty,
    declaration::FunctionBody, text,
};
use system::{Refusal, paths};
use tf_value::{Type, Value};

pub const ABSPATH: Function = of_path(
    "abspath",
    "Converts a path to an absolute path, relative to the working directory.",
    abspath,
);

pub const BASENAME: Function =
    total(of_path("basename", "Returns the last part of a path.", |_, args, _| {
        Ok(Value::string(base(text(&args[0]))))
    }));

pub const DIRNAME: Function =
    total(of_path("dirname", "Returns a path without its last part.", |_, args, _| {
        Ok(Value::string(directory(text(&args[0]))))
    }));

pub const PATHEXPAND: Function =
    of_path("pathexpand", "Replaces a leading ~ with the home directory.", |context, args, _| {
        expand_home(context, text(&args[0])).map(Value::string)
    });

const PATH: &[Param] = &[Param::new("path", Ty::String)];

const fn of_path(name: &'static str, description: &'static str, body: FunctionBody) -> Function {
    let (returns, refuses) = (ReturnType::Fixed(Ty::String), Refuses::SomeValues);
    let depends_on = DependsOn::Machine;
    Function::pure(name, description, PATH, returns, body).refuses(refuses).depends_on(depends_on)
}

/// The same function, declared to depend on its arguments alone and to refuse nothing.
const fn total(function: Function) -> Function {
    function.refuses(Refuses::Nothing).depends_on(DependsOn::Arguments)
}

fn abspath(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let here = context.host.system().current_dir();
    let here = here.map_err(|it| match Refusal::of(&it) {
        Some(Refusal::Denied) => Failure::Undecided("the working directory".to_owned()),
        _ => Failure::Call(format!("the working directory is not known: {it}")),
    })?;
    let path = here.join(context.host.base_dir()).join(text(&args[0]));
    Ok(Value::string(paths::slashes(&paths::clean(&path))))
}

/// The last part, without trailing slashes; `.` if there is none.
fn base(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "." } else { "/" };
    }
    trimmed.rsplit('/').next().unwrap_or(trimmed)
}

/// The text up to the last slash, cleaned.
fn directory(path: &str) -> String {
    let end = path.rfind('/').map_or(0, |it| it + 1);
    paths::slashes(&paths::clean(Path::new(&path[..end])))
}
