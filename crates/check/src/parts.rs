//! Values files that look like parts of what is used together: they lie next to one another, and no two of them give
//! the same variable. `dev.tfvars` and `prod.tfvars` give the same ones; `network.tfvars` and `database.tfvars` do not.

use std::{cell::OnceCell, path::PathBuf};

use foldhash::HashMap;
use indexmap::IndexMap;
use smol_str::SmolStr;

use super::{
    backend_config::configures_backend,
    inputs::{FILE, InputSet},
    subject::CheckedModule,
};
use diagnostics::Sources;
use module::inputs::{self, ValuesFormat};
use system::paths;

/// What the files of a module's sets give; they are read when somebody asks.
#[derive(Default)]
pub(super) struct Parts {
    given: OnceCell<Given>,
}

/// Most files of a directory give the same variables as others, so each group of names is compared once.
struct Given {
    /// The group of each set's file; `None` for a set of several files, or of none, or of one that configures a
    /// backend.
    of_sets: Vec<Option<usize>>,
    groups: Vec<Group>,
    directories: HashMap<PathBuf, Directory>,
}

/// A directory, and the variables that a file in it gives.
struct Group {
    dir: PathBuf,
    names: Vec<SmolStr>,
    has_parts: OnceCell<bool>,
}

/// The groups of a directory, and those that give each variable.
#[derive(Default)]
struct Directory {
    groups: Vec<usize>,
    givers: HashMap<SmolStr, Vec<usize>>,
}

/// The files that look like parts of what is used together with a set's only file.
pub(super) struct Beside<'p> {
    parts: &'p Parts,
    sets: &'p [InputSet],
    at: usize,
}

impl Parts {
    /// `at`: the set.
    pub fn beside<'p>(&'p self, at: usize, sets: &'p [InputSet]) -> Beside<'p> {
        Beside { parts: self, sets, at }
    }
}

impl Beside<'_> {
    fn given(&self, subject: &CheckedModule<'_>) -> &Given {
        self.parts.given.get_or_init(|| Given::read(subject, self.sets))
    }

    /// Whether one of them gives the variable.
    pub fn gives(&self, name: &str, subject: &CheckedModule<'_>) -> bool {
        let given = self.given(subject);
        let mut directories = given.directories.values();
        if self.sets.get(self.at).is_some_and(|it| it.files.is_empty()) {
            // Every other file comes on top of the automatic ones.
            return directories.any(|it| it.givers.contains_key(name));
        }
        let Some((group, directory)) = given.of_set(self.at) else { return false };
        let givers = directory.givers.get(name).into_iter().flatten();
        given.any_is_part(givers, group, subject)
    }

    /// Whether there are any.
    pub fn are_any(&self, subject: &CheckedModule<'_>) -> bool {
        let given = self.given(subject);
        if self.sets.get(self.at).is_some_and(|it| it.files.is_empty()) {
            return !given.groups.is_empty();
        }
        let Some((group, directory)) = given.of_set(self.at) else { return false };
        *group.has_parts.get_or_init(|| given.any_is_part(directory.groups.iter(), group, subject))
    }
}

impl Given {
    fn read(subject: &CheckedModule<'_>, sets: &[InputSet]) -> Given {
        let mut groups: IndexMap<(PathBuf, Vec<SmolStr>), ()> = IndexMap::new();
        let mut of_sets = Vec::with_capacity(sets.len());
        for set in sets {
            let [file] = set.files.as_slice() else {
                of_sets.push(None);
                continue;
            };
            let (mut sources, system) = (Sources::default(), subject.system());
            if !subject.meter.charge(FILE) {
                break;
            }
            let (read, _) = inputs::read_file(system, file, ValuesFormat::OfName, &mut sources);
            let mut names: Vec<SmolStr> =
                read.into_iter().flat_map(|it| it.entries.into_keys()).collect();
            subject.meter.charge(1 + names.len() as u64);
            let is_declared = |name: &str| subject.module.variables.contains_key(name);
            let is_of_backend =
                configures_backend(&paths::display(file), &names.iter(), is_declared);
            let dir = file.parent().filter(|_| !names.is_empty() && !is_of_backend);
            of_sets.push(dir.map(|dir| {
                names.sort_unstable();
                groups.insert_full((dir.to_owned(), names), ()).0
            }));
        }
        let mut directories: HashMap<PathBuf, Directory> = HashMap::default();
        for (at, ((dir, names), ())) in groups.iter().enumerate() {
            let directory = directories.entry(dir.clone()).or_default();
            directory.groups.push(at);
            for name in names {
                directory.givers.entry(name.clone()).or_default().push(at);
            }
        }
        let group = |((dir, names), ())| Group { dir, names, has_parts: OnceCell::new() };
        Given { of_sets, groups: groups.into_iter().map(group).collect(), directories }
    }

    fn of_set(&self, at: usize) -> Option<(&Group, &Directory)> {
        let group = self.groups.get((*self.of_sets.get(at)?)?)?;
        Some((group, self.directories.get(&group.dir)?))
    }

    /// Whether one of the groups gives none of the variables of this one.
    fn any_is_part<'g>(
        &self,
        mut others: impl Iterator<Item = &'g usize>,
        group: &Group,
        subject: &CheckedModule<'_>,
    ) -> bool {
        let own = &group.names;
        others.any(|at| {
            let other = &self.groups[*at].names;
            // Both are sorted.
            let (fewer, more) = if own.len() < other.len() { (own, other) } else { (other, own) };
            subject.meter.charge(1 + fewer.len() as u64 / 4)
                && fewer.iter().all(|it| more.binary_search(it).is_err())
        })
    }
}
