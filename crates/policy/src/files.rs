//! Files with rules, as the command line and configurations name them.

use std::{
    collections::BTreeSet,
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{GivenContexts, Policy, language, language::SUFFIX, tfpolicy};
use diagnostics::{Diagnostic, Diagnostics, Role, Sources};
use hcl::in_utf8;
use system::{EntryKind, System, paths, unreadable};
use tf_eval::Meter;

/// A file with rules: its path as shown, and its text.
pub type RuleFile = (String, Arc<[u8]>);

/// Why a name leads to no rules.
#[derive(Debug)]
pub struct NoRules {
    /// The path as people see it.
    shown: String,
    /// `None` if it is a directory without files of rules.
    error: Option<io::Error>,
}

impl NoRules {
    fn unreadable(shown: &str, error: io::Error) -> NoRules {
        NoRules { shown: shown.to_owned(), error: Some(error) }
    }

    /// The diagnostic; `otherwise` makes the one for everything but a link that leads outside, and a file that
    /// is too large.
    pub fn diagnostic(
        &self,
        sources: &mut Sources,
        otherwise: impl FnOnce() -> Diagnostic,
    ) -> Diagnostic {
        let Some(error) = &self.error else { return otherwise() };
        unreadable(error, &self.shown, Role::Declaration, sources, otherwise)
    }
}

impl fmt::Display for NoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            Some(error) => write!(f, "cannot read {}: {error}", self.shown),
            None => {
                let theirs = tfpolicy::SUFFIX;
                write!(f, "{} contains no {SUFFIX} or {theirs} file", self.shown)
            }
        }
    }
}

/// Every file below a directory, except in hidden directories. Files that git ignores are included: a line in
/// `.gitignore` does not disable a rule.
fn files_below(dir: &Path, system: &dyn System) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut pending) = (Vec::new(), vec![dir.to_owned()]);
    while let Some(dir) = pending.pop() {
        for entry in system.list(&dir)? {
            let path = dir.join(&entry.name);
            match entry.kind {
                EntryKind::Directory if entry.name.starts_with('.') => (),
                EntryKind::Directory => pending.push(path),
                _ => files.push(path),
            }
        }
    }
    Ok(files)
}

/// Whether a file has rules, or tests of them, by its name.
pub fn is_rules(path: &Path) -> bool {
    let path = path.to_string_lossy();
    path.ends_with(SUFFIX) || tfpolicy::is_theirs(&path)
}

/// Reads the rules of some files (path as shown, text) with the values that are given for their contexts and
/// inputs. The name of a file says which language it is written in.
pub fn read(files: Vec<RuleFile>, given: &GivenContexts, meter: &Meter) -> (Policy, Diagnostics) {
    let (theirs, own): (Vec<RuleFile>, Vec<RuleFile>) =
        files.into_iter().partition(|it| tfpolicy::is_theirs(&it.0));
    let theirs = tfpolicy::ParsedPolicies::new(theirs, meter);
    let given = &GivenContexts { elsewhere: theirs.inputs(), ..given.clone() };
    let (mut policy, mut problems) = language::read(own, given, meter);
    problems.extend(theirs.add_to(&mut policy, given));
    (policy, problems)
}

/// Reads all files with rules (path as shown, text): each file once, sorted by path. A name is a file, or a
/// directory in which every file that [`is_rules`] counts, at any depth. `shown` writes a path as people
/// see it. Errors: a name that leads to no rules.
pub fn rule_files(
    named: impl IntoIterator<Item = PathBuf>,
    shown: &dyn Fn(&Path) -> String,
    system: &dyn System,
) -> Result<Vec<RuleFile>, NoRules> {
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    for path in named {
        let name = shown(&path);
        let kind = system.kind(&path).map_err(|it| NoRules::unreadable(&name, it))?;
        if kind != EntryKind::Directory {
            found.insert(paths::clean(&path));
            continue;
        }
        let files = files_below(&path, system).map_err(|it| NoRules::unreadable(&name, it))?;
        if !files.iter().any(|it| is_rules(it)) {
            return Err(NoRules { shown: name, error: None });
        }
        found.extend(files.iter().filter(|it| is_rules(it)).map(|it| paths::clean(it)));
    }
    let read = |path: PathBuf| {
        let name = shown(&path);
        let bytes = system.read(&path).map_err(|it| NoRules::unreadable(&name, it))?;
        Ok((name, in_utf8(bytes).into()))
    };
    found.into_iter().map(read).collect()
}
