//! Written files that git ignores, so that nobody else gets them.

use std::path::Path;

use ignore::gitignore::GitignoreBuilder;

use git::WorkTreeSystem;
use system::{System, paths};

/// The most lines of an ignore file that are looked at.
const MOST_LINES: usize = 10_000;

/// The warning for a file (in the current directory) that git ignores and does not track; `None` for any other.
pub(super) fn warning(system: &dyn System, file: &str) -> Option<String> {
    let listed = WorkTreeSystem::new(system).walk(Path::new("."), &|_| false).ok()?;
    if listed.iter().any(|it| paths::clean(it) == Path::new(file))
        || !system.is_ignored(file.as_ref())
    {
        return None;
    }
    let place = match line(system, file) {
        Some((place, text)) => format!("{place}: `{text}`"),
        None => "a rule outside of the repository's .gitignore files".to_owned(),
    };
    Some(format!(
        "warning: Git ignores {file}, because of {place}\n  Git does not commit it, so CI, \
        colleagues and `check --staged` do not see it. Add it with `git add --force {file}`, or \
        write `!{file}` below that line.\n"
    ))
}

/// The line that makes git ignore a file of the current directory: its place, and its text.
fn line(system: &dyn System, file: &str) -> Option<(String, String)> {
    let here = system.current_dir().ok()?;
    let path = paths::clean(&here.join(file));
    for dir in here.ancestors() {
        let is_root = system.kind(&dir.join(".git")).is_ok();
        let of_repository = is_root.then(|| dir.join(".git/info/exclude"));
        for list in [Some(dir.join(".gitignore")), of_repository].into_iter().flatten() {
            // Git's own directory may be out of reach.
            let Ok(bytes) = system.read(&list) else { continue };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let lines = text.trim_start_matches('\u{feff}').lines().take(MOST_LINES).enumerate();
            // The last line that matches decides.
            for (number, text) in lines.collect::<Vec<_>>().into_iter().rev() {
                let mut one = GitignoreBuilder::new(dir);
                if one.add_line(None, text).is_err() {
                    continue;
                }
                let Ok(one) = one.build() else { continue };
                let matched = one.matched_path_or_any_parents(&path, false);
                if matched.is_ignore() {
                    let shown = paths::display(&paths::relative(&here, &list));
                    return Some((format!("{shown}:{}", number + 1), text.trim().to_owned()));
                }
                if matched.is_whitelist() {
                    return None;
                }
            }
        }
        if is_root {
            break;
        }
    }
    None
}
