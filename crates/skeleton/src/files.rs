//! Texts that name files which are there, for paths that lead to none: `file(var.key)`, `"${path.module}/${var.kind}.json"`.

use std::{collections::BTreeSet, ffi::OsStr, path::Path};

use smol_str::SmolStr;

use diagnostics::Finding;
use system::{EntryKind, System, paths};

/// The most candidates, and the most entries of directories that are looked at.
const MOST: usize = 6;
const MOST_ENTRIES: usize = 2_000;

/// How deep below the module files are looked for.
const DEEPEST: usize = 3;

/// The words of functions and names that say what a file is, with the ends of such files.
const KINDS: [(&[&str], &[&str]); 7] = [
    (&["jsondecode", "json"], &["json"]),
    (&["yamldecode", "yaml", "yml"], &["yaml", "yml"]),
    (&["csvdecode", "csv"], &["csv"]),
    (&["templatefile", "template", "tpl"], &["tpl", "tftpl", "tmpl"]),
    (&["ssh", "public_key"], &["pub"]),
    (&["cert", "pem", "private_key"], &["pem", "crt", "key"]),
    (&["script", "user_data"], &["sh", "ps1"]),
];

/// The path that is missing where an error is about a missing file, as seen from the module.
pub fn missing(error: &Finding, dir: &Path) -> Option<String> {
    let path = error.cause.as_ref()?.missing_file()?;
    Some(paths::display(&paths::relative(dir, path))).filter(|it| !it.is_empty())
}

/// Texts that, in the place of one of `texts` in the path, make a path that leads to a file. `excerpt`: the line with
/// the path, which may say what kind of file is meant.
pub fn candidates(
    system: &dyn System,
    dir: &Path,
    path: &str,
    excerpt: &str,
    texts: &BTreeSet<SmolStr>,
) -> Vec<SmolStr> {
    let is_file =
        |it: &str| matches!(system.kind(&paths::clean(&dir.join(it))), Ok(EntryKind::File));
    let mut out: Vec<SmolStr> = Vec::new();
    for text in texts {
        // The path has no such steps.
        let text = paths::display(Path::new(text.as_str()));
        if text == "." {
            continue;
        }
        for (at, _) in path.match_indices(text.as_str()) {
            let (before, after) = (&path[..at], &path[at + text.len()..]);
            let (parent, beginning) = before.rsplit_once('/').unwrap_or(("", before));
            let listed = system.list(&paths::clean(&dir.join(parent))).unwrap_or_default();
            let names = listed.into_iter().take(MOST_ENTRIES).map(|it| it.name);
            let names = names.filter_map(|it| it.strip_prefix(beginning).map(str::to_owned));
            let mut found: Vec<String> = names.collect();
            if before.is_empty() {
                // The text may have several steps.
                files(system, dir, "", DEEPEST, &mut found);
            }
            for name in found {
                let name = match after.split('/').next().unwrap_or_default() {
                    "" => name.as_str(),
                    end => name.strip_suffix(end).unwrap_or(&name),
                };
                if !name.is_empty() && is_file(&format!("{before}{name}{after}")) {
                    out.push(name.into());
                }
            }
        }
    }
    let lower = excerpt.to_lowercase();
    let meant = KINDS.iter().filter(|it| it.0.iter().any(|word| lower.contains(word)));
    let ends: Vec<&str> = meant.flat_map(|it| it.1).copied().collect();
    out.sort_by_key(|it| {
        let end = Path::new(it.as_str()).extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_code = matches!(end, "tf" | "tofu" | "tfvars" | "hcl");
        (!ends.contains(&end), is_code, it.starts_with('.'), it.matches('/').count(), it.clone())
    });
    out.dedup();
    out.truncate(MOST);
    out
}

/// The files in a directory and below it, as seen from the module; none that begins with a dot.
fn files(system: &dyn System, dir: &Path, inside: &str, levels: usize, out: &mut Vec<String>) {
    let Some(levels) = levels.checked_sub(1) else { return };
    let listed = system.list(&paths::clean(&dir.join(inside))).unwrap_or_default();
    for entry in listed.into_iter().filter(|it| !it.name.starts_with('.')) {
        if out.len() >= MOST_ENTRIES {
            return;
        }
        let path = if inside.is_empty() { entry.name } else { format!("{inside}/{}", entry.name) };
        match entry.kind {
            EntryKind::File => out.push(path),
            EntryKind::Directory => files(system, dir, &path, levels, out),
            _ => (),
        }
    }
}
