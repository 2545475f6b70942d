//! Pairs the modules of two states, and finds those that may differ at all.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{
    renames::{self, Moved},
    run::{CompatRequest, Revision},
};
use check::FileRole;
use config::Configurations;
use system::{Enters, paths};

/// A module at both states, or at one of them; paths below the roots.
pub(super) struct ModulePair {
    pub base: Option<PathBuf>,
    pub head: Option<PathBuf>,
}

/// The modules that may differ.
pub(super) struct Pairs {
    pub pairs: Vec<ModulePair>,
    /// Directories that are callers of modules, and no contracts.
    pub left_out: Vec<PathBuf>,
}

/// The names of directories below which a module is called by people or tests, and by nobody's code.
const EXAMPLES: [&str; 3] = ["examples", "test", "tests"];

/// Whether a directory, as seen from the root of the comparison, is an example or a test.
fn is_example(dir: &Path) -> bool {
    dir.components().any(|it| it.as_os_str().to_str().is_some_and(|name| EXAMPLES.contains(&name)))
}

/// The directories with source files, and the names of these files; only directories that the walk enters.
fn directories(
    revision: &Revision<'_>,
    enters: Enters<'_>,
) -> io::Result<BTreeMap<PathBuf, Vec<PathBuf>>> {
    let files = revision.system.walk(&revision.root, enters)?;
    let mut out: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if FileRole::of(name) != FileRole::Source {
            continue;
        }
        let dir = file.parent().unwrap_or(Path::new(""));
        let below = paths::clean(dir.strip_prefix(&revision.root).unwrap_or(dir));
        out.entry(below).or_default().push(file);
    }
    Ok(out)
}

/// The paths at which two states may differ, so that a walk enters only these.
struct Unlike {
    paths: HashSet<PathBuf>,
    /// Directories on the way to them.
    ways: HashSet<PathBuf>,
}

impl Unlike {
    fn of(request: &CompatRequest<'_>) -> Option<Unlike> {
        let paths: HashSet<PathBuf> =
            request.unlike.as_ref()?.iter().map(|it| paths::clean(it)).collect();
        let ways = paths.iter().flat_map(|it| it.ancestors().skip(1)).map(paths::clean).collect();
        Some(Unlike { paths, ways })
    }

    /// Whether a directory (below a root) is one of them, inside of one, or on the way to one.
    fn leads_to(&self, dir: &Path) -> bool {
        let dir = paths::clean(dir);
        self.ways.contains(&dir) || dir.ancestors().any(|it| self.paths.contains(it))
    }
}

/// The only pair, if a schema replaces a module.
pub(super) fn described(request: &CompatRequest<'_>) -> io::Result<Option<ModulePair>> {
    let sides = [&request.base, &request.head];
    if sides.iter().all(|it| it.described.is_none()) {
        return Ok(None);
    }
    let dir = request.paths.first().cloned();
    let dir = dir.unwrap_or_else(|| paths::clean(Path::new("")));
    let dir_of = |it: &Revision<'_>| match it.described {
        Some(_) => Ok(paths::clean(Path::new(""))),
        None if directories(it, &|_| true)?.contains_key(&dir) => Ok(dir.clone()),
        None => {
            let path = paths::display(&it.root.join(&dir));
            let text = format!(
                "{path}: no module to compare the schema with; name its directory after `--`"
            );
            Err(io::Error::new(io::ErrorKind::NotFound, text))
        }
    };
    Ok(Some(ModulePair { base: Some(dir_of(sides[0])?), head: Some(dir_of(sides[1])?) }))
}

/// The modules that may differ, as they were and as they are.
pub(super) fn pairs(
    request: &CompatRequest<'_>,
    configurations: &Configurations<'_>,
) -> io::Result<Pairs> {
    let unlike = Unlike::of(request);
    let of = |revision: &Revision<'_>| {
        let below = |dir: &Path| dir.strip_prefix(&revision.root).unwrap_or(dir).to_owned();
        directories(revision, &|dir| unlike.as_ref().is_none_or(|it| it.leads_to(&below(dir))))
    };
    let (base, head) = (of(&request.base)?, of(&request.head)?);
    let is_asked_for = |dir: &Path| {
        request.paths.is_empty()
            || request.paths.iter().any(|it| dir.starts_with(it) || *it == Path::new("."))
    };
    let is_included = |dir: &Path| configurations.includes(&request.head.root.join(dir));
    let is_wanted = |dir: &Path| {
        let is_named = |path: &PathBuf| is_example(path) && dir.starts_with(path);
        request.examples || !is_example(dir) || request.paths.iter().any(is_named)
    };
    let (mut out, mut left_out) = (Vec::new(), Vec::new());
    let (mut gone, mut new) = (BTreeSet::new(), BTreeSet::new());
    let mut files = [Vec::new(), Vec::new()];
    let all: BTreeSet<&PathBuf> = base.keys().chain(head.keys()).collect();
    for dir in all {
        let none = Vec::new();
        let both = [base.get(dir), head.get(dir)];
        let [before, after] = both.map(|it| it.unwrap_or(&none));
        // Nearly all modules are unchanged, which is quick to find out.
        if is_unchanged(request, before, after) {
            continue;
        }
        for (side, (own, other)) in [(before, after), (after, before)].into_iter().enumerate() {
            let is_there = |it: &&PathBuf| other.iter().any(|at| at.file_name() == it.file_name());
            files[side].extend(own.iter().filter(|it| !is_there(it)).cloned());
        }
        if !is_included(dir) {
            continue;
        }
        if !is_wanted(dir) {
            left_out.extend(Some(dir.clone()).filter(|it| is_asked_for(it)));
            continue;
        }
        match both {
            [Some(_), Some(_)] if is_asked_for(dir) => {
                out.push(ModulePair { base: Some(dir.clone()), head: Some(dir.clone()) });
            }
            [Some(_), None] => _ = gone.insert(dir.clone()),
            [None, Some(_)] => _ = new.insert(dir.clone()),
            _ => (),
        }
    }
    for path in &request.paths {
        let mut found = base.keys().chain(head.keys());
        if *path != Path::new(".") && !found.any(|it| it.starts_with(path)) {
            is_somewhere(request, path)?;
        }
    }
    let moved = |at: &Revision<'_>, all: &[PathBuf]| -> Vec<Moved> {
        let read = |it: &PathBuf| {
            let path = paths::clean(it.strip_prefix(&at.root).unwrap_or(it));
            Some(Moved { path, bytes: at.system.read(it).ok()? })
        };
        all.par_iter().filter_map(read).collect()
    };
    if !gone.is_empty() && !new.is_empty() {
        let before = moved(&request.base, &files[0]);
        let after = moved(&request.head, &files[1]);
        let is_gone = |it: &Path| gone.contains(&paths::clean(it));
        let is_new = |it: &Path| new.contains(&paths::clean(it));
        for (from, to) in renames::directories(&before, &after, &is_gone, &is_new) {
            let (from, to) = (paths::clean(&from), paths::clean(&to));
            gone.remove(&from);
            new.remove(&to);
            if is_asked_for(&from) || is_asked_for(&to) {
                out.push(ModulePair { base: Some(from), head: Some(to) });
            }
        }
    }
    let asked = |all: BTreeSet<PathBuf>| all.into_iter().filter(|it| is_asked_for(it));
    out.extend(asked(gone).map(|it| ModulePair { base: Some(it), head: None }));
    out.extend(asked(new).map(|it| ModulePair { base: None, head: Some(it) }));
    Ok(Pairs { pairs: out, left_out })
}

/// Checks that a path of the request exists. Errors: there is no module below it at either state.
fn is_somewhere(request: &CompatRequest<'_>, path: &Path) -> io::Result<()> {
    for it in [&request.base, &request.head] {
        let below = |dir: &Path| paths::clean(dir.strip_prefix(&it.root).unwrap_or(dir));
        let enters = |dir: &Path| path.starts_with(below(dir)) || below(dir).starts_with(path);
        if directories(it, &enters)?.keys().any(|it| it.starts_with(path)) {
            return Ok(());
        }
    }
    let text = format!("{}: no module in either version", paths::display(path));
    Err(io::Error::new(io::ErrorKind::NotFound, text))
}

fn is_unchanged(request: &CompatRequest<'_>, before: &[PathBuf], after: &[PathBuf]) -> bool {
    let names = |all: &[PathBuf]| -> Vec<Option<std::ffi::OsString>> {
        all.iter().map(|it| it.file_name().map(ToOwned::to_owned)).collect()
    };
    let same = |(one, other): (&PathBuf, &PathBuf)| {
        // If few files are compared, they are read: git would look at the whole work tree for their ids.
        let ids = match request.unlike {
            Some(_) => [None, None],
            None => [(&request.base, one), (&request.head, other)]
                .map(|it| it.0.system.content_id(it.1)),
        };
        if let [Some(one), Some(other)] = ids {
            return one == other;
        }
        let (one, other) = (request.base.system.read(one), request.head.system.read(other));
        matches!((one, other), (Ok(one), Ok(other)) if one == other)
    };
    names(before) == names(after) && before.iter().zip(after).all(same)
}
