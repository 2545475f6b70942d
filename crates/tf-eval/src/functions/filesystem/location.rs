//! Resolves paths in expressions, and reads the files there.

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use crate::functions::{CallContext, Failure};
use system::{Refusal, paths};

/// The path from the base directory, with a leading `~` replaced by the home directory.
pub fn locate(context: &CallContext<'_>, path: &str) -> Result<PathBuf, Failure> {
    refuse_in_text(context)?;
    let expanded = PathBuf::from(expand_home(context, path)?);
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
pub fn read_text(context: &CallContext<'_>, path: &str) -> Result<String, Failure> {
    String::from_utf8(read(context, path)?).map_err(|_| {
        Failure::Call(format!("the contents of {path:?} are not valid UTF-8; use filebase64"))
    })
}

/// Replaces a leading `~` as shells do; `~user` is an error.
pub fn expand_home(context: &CallContext<'_>, path: &str) -> Result<String, Failure> {
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
        Refusal::Denied => Some(Failure::Undecided(format!("the file {path:?}"))),
        it if it.leaves_unknown() => Some(Failure::Undecided(format!(
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
