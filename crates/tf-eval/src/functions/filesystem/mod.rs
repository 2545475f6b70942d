//! Paths and files. Files are read through the host's system, relative to its base directory.

mod fileset;
mod glob;

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use super::{CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, text};
use crate::functions::declaration::FunctionBody;
use base64::{Engine, engine::general_purpose::STANDARD};
use system::{EntryKind, Refusal, paths};
use tf_value::{Type, Value};

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    ABSPATH,
    BASENAME,
    DIRNAME,
    FILE,
    FILEBASE64,
    FILEEXISTS,
    fileset::FUNCTION,
    PATHEXPAND,
    TEMPLATEFILE,
];

// `file` and `filebase64`: the contents of a file.

pub const FILE: Function = Function::pure(
    "file",
    "Reads the contents of a text file.",
    &[Param::new("path", Ty::String)],
    ReturnType::Fixed(Ty::String),
    file,
)
.depends_on(DependsOn::Machine);

const FILEBASE64: Function = Function::pure(
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

// `fileexists`: whether there is a file.

const FILEEXISTS: Function = Function::pure(
    "fileexists",
    "Whether a file exists at a path.",
    &[Param::new("path", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    fileexists,
)
.depends_on(DependsOn::Machine);

fn fileexists(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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

// Functions on the text of a path, which touch no files.

const ABSPATH: Function = of_path(
    "abspath",
    "Converts a path to an absolute path, relative to the working directory.",
    abspath,
);

const BASENAME: Function =
    total(of_path("basename", "Returns the last part of a path.", |_, args, _| {
        Ok(Value::string(base(text(&args[0]))))
    }));

const DIRNAME: Function =
    total(of_path("dirname", "Returns a path without its last part.", |_, args, _| {
        Ok(Value::string(directory(text(&args[0]))))
    }));

const PATHEXPAND: Function =
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

// `templatefile`: a file rendered as a template.

const TEMPLATEFILE: Function = Function::pure(
    "templatefile",
    "Reads a file and renders its contents as a template with variables.",
    &[Param::new("path", Ty::String), Param::new("vars", Ty::Any)],
    ReturnType::Fixed(Ty::Any),
    templatefile,
)
.depends_on(DependsOn::Machine);

fn templatefile(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let path = text(&args[0]);
    let template = read_text(context, path)?;
    if !matches!(args[1].ty(), Type::Object(_) | Type::Map(_)) {
        return Err(Failure::argument(1, "the variables must be a map or an object"));
    }
    context.host.render_template(path, &template, &args[1])
}

// Resolves paths in expressions, and reads the files there.

/// The path from the base directory, with a leading `~` replaced by the home directory.
pub fn locate(context: &CallContext<'_>, path: &str) -> Result<PathBuf, Failure> {
    refuse_in_text(context)?;
    let expanded = expand_home(context, path).map_err(|it| match it {
        Failure::Undecided(reason) => Failure::Unread(reason),
        other => other,
    });
    let expanded = PathBuf::from(expanded?);
    Ok(paths::clean(&context.host.base_dir().join(expanded)))
}

/// Refuses to look at files inside the template of a `templatestring`.
pub fn refuse_in_text(context: &CallContext<'_>) -> Result<(), Failure> {
    if context.host.refuses_files() {
        let message = "the template of templatestring cannot look at files: read the file outside and hand its \
            content in as a variable";
        return Err(Failure::call(message));
    }
    Ok(())
}

/// The bytes of a file; the path is argument 0 of the call.
pub fn read(context: &CallContext<'_>, path: &str) -> Result<Vec<u8>, Failure> {
    // Only functions that read the file blame the path for an unknown home directory.
    refuse_in_text(context)?;
    let location = locate(context, path).map_err(|it| match it {
        Failure::Call(message) => Failure::argument(0, message),
        other => other,
    })?;
    let bytes = context.host.system().read(&location);
    let bytes = bytes
        .map_err(|it| refused(path, &it).unwrap_or_else(|| unreadable(path, &location, &it)))?;
    context.host.spend(bytes.len() as u64 / 16)?;
    Ok(bytes)
}

/// The text of a file; the path is argument 0 of the call.
fn read_text(context: &CallContext<'_>, path: &str) -> Result<String, Failure> {
    String::from_utf8(read(context, path)?).map_err(|_| {
        Failure::Call(format!("the contents of {path:?} are not valid UTF-8; use filebase64"))
    })
}

/// Replaces a leading `~` as shells do; `~user` is an error.
fn expand_home(context: &CallContext<'_>, path: &str) -> Result<String, Failure> {
    let Some(rest) = path.strip_prefix('~') else { return Ok(path.to_owned()) };
    if !rest.is_empty() && !rest.starts_with(['/', '\\']) {
        return Err(Failure::call("cannot expand the home directory of another user"));
    }
    let Ok(Some(home)) = context.host.system().home_dir() else {
        return Err(Failure::Undecided("the home directory is not known".to_owned()));
    };
    Ok(paths::slashes(&paths::clean(&Path::new(&home).join(rest.trim_start_matches('/')))))
}

/// The failure of a path that a confined run does not look at (undecided), or of a file that is too
/// large to read.
pub fn refused(path: &str, error: &io::Error) -> Option<Failure> {
    match Refusal::of(error)? {
        Refusal::TooLarge { .. } => Some(Failure::too_large(format!("{path:?}: {error}"))),
        Refusal::Denied => Some(Failure::Unread(format!("the file {path:?}"))),
        it if it.leaves_unknown() => Some(Failure::Unread(format!(
            "{path:?} is outside the root, where terraschema reads nothing"
        ))),
        _ => None,
    }
}

/// The failure of a question about files that git ignores: they may be made before the plan.
pub fn ignored(path: &str) -> Failure {
    Failure::Undecided(format!("{path:?} (Git ignores it, so it may be created before the plan)"))
}

fn unreadable(path: &str, location: &Path, error: &io::Error) -> Failure {
    let message = match error.kind() {
        ErrorKind::NotFound => {
            let message = format!("no file exists at {path:?}");
            return Failure::MissingFile { index: Some(0), message, path: location.to_owned() };
        }
        ErrorKind::IsADirectory => format!("{path:?} is a directory, not a file"),
        _ => format!("{path:?} cannot be read: {error}"),
    };
    Failure::argument(0, message)
}
