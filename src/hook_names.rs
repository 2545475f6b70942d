//! Names of files that would act as options of a hook.
//!
//! pre-commit puts a user's `args` behind a hook's `entry`, and the names of files behind those, all in one list.
//! The names come from the tree: a file called `--config=x.tf` would choose the configuration that judges it.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use diagnostics::visible_line;
use system::{EntryKind, System};

/// Why the arguments of a run with `--hook` cannot be trusted; `None` if they can be. Behind `--` there are no options.
/// Before it an argument that begins with a dash is refused if the tree has a file of that name: nobody knows
/// whether the user or pre-commit wrote it. An option is text, so that any other argument with a dash is a name.
pub(super) fn refused(arguments: &[OsString], system: &dyn System) -> Option<String> {
    let options: Vec<&OsString> = arguments.iter().skip(1).take_while(|it| *it != "--").collect();
    if !options.iter().any(|it| *it == "--hook") {
        return None;
    }
    let with_dash = options.into_iter().filter(|it| it.as_encoded_bytes().starts_with(b"-"));
    let mut names = with_dash.filter(|it| it.to_str().is_none() || is_there(Path::new(it), system));
    let name = visible_line(&names.next()?.to_string_lossy()).into_owned();
    Some(format!(
        "\"{name}\" may be an option or a file name, so nothing was checked: end the hook's \
        `args` with \"--\" (`args: [\"--\"]`), or rename the file"
    ))
}

/// Why a path behind `--` is not that of a file: options that were written there would be silently lost.
pub(super) fn misplaced(path: &Path, system: &dyn System) -> Option<String> {
    let is_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    (is_option && !is_there(path, system)).then(|| {
        let shown = visible_line(&path.to_string_lossy()).into_owned();
        format!(
            "the file \"{shown}\" does not exist: write options before the \"--\" in the \
            hook's `args`"
        )
    })
}

/// Whether there is something at the path, if only a link that leads to nothing.
fn is_there(path: &Path, system: &dyn System) -> bool {
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_directory = matches!(system.kind(parent), Ok(EntryKind::Directory));
    system.kind(path).is_ok()
        || is_directory
            && path.file_name().and_then(OsStr::to_str).is_some_and(|name| {
                let entries = system.list(parent).unwrap_or_default();
                entries.iter().any(|it| it.name == name)
            })
}
