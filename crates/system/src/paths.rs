//! Paths as text: everything here is lexical and touches no file.

use std::path::{Component, Path, PathBuf};

/// The shortest path with the same meaning that needs no file system: no `.`, no `a/..`, no `..` above
/// the root. An empty path becomes `.`.
pub fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::with_capacity(path.as_os_str().len());
    for component in path.components() {
        match component {
            Component::CurDir => (),
            Component::ParentDir => step_up(&mut cleaned),
            other => cleaned.push(other),
        }
    }
    if cleaned.as_os_str().is_empty() {
        cleaned.push(Component::CurDir);
    }
    cleaned
}

/// The path as people and reports see it: cleaned, forward slashes, no leading `./`, U+FFFD for bytes
/// that are not UTF-8.
pub fn display(path: &Path) -> String {
    slashes(&clean(path))
}

/// The text of a path with forward slashes, otherwise unchanged.
pub fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        return text.into_owned();
    }
    text.replace(std::path::MAIN_SEPARATOR, "/")
}

/// The path from the directory `base` to `path`, both absolute or both relative to the same place. If
/// there is none (another drive, one of them absolute, a base above an unknown directory), `path`
/// itself, cleaned.
pub fn relative(base: &Path, path: &Path) -> PathBuf {
    let (base, path) = (clean(base), clean(path));
    if base.has_root() != path.has_root() {
        return path;
    }
    let mut from = base.components().filter(|it| *it != Component::CurDir).peekable();
    let mut to = path.components().filter(|it| *it != Component::CurDir).peekable();
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let rest: Vec<Component> = from.collect();
    if rest.iter().any(|it| !matches!(it, Component::Normal(_))) {
        return path;
    }
    let up = rest.iter().map(|_| Component::ParentDir);
    clean(&up.chain(to).collect::<PathBuf>())
}

/// One step up from a path that is already clean.
fn step_up(path: &mut PathBuf) {
    match path.components().next_back() {
        Some(Component::Normal(_)) => {
            path.pop();
        }
        Some(Component::RootDir | Component::Prefix(_)) => (),
        _ => path.push(Component::ParentDir),
    }
}
