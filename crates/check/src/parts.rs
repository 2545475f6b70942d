//! Values files that look like parts of what is used together: they lie next to one another, and no two of them give
//! the same variable. `dev.tfvars` and `prod.tfvars` give the same ones; `network.tfvars` and `database.tfvars` do not.

use std::{
    cell::{OnceCell, RefCell},
    path::PathBuf,
    rc::Rc,
};

use foldhash::HashSet;
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
}

/// A directory, the variables that a file in it gives, and those that files next to it may add.
struct Group {
    dir: PathBuf,
    names: Vec<SmolStr>,
    beside: RefCell<Option<Rc<HashSet<SmolStr>>>>,
}

impl Parts {
    /// The variables of all files that look like parts of what is used together with a set's only file.
    pub fn beside(
        &self,
        at: usize,
        sets: &[InputSet],
        subject: &CheckedModule<'_>,
    ) -> Rc<HashSet<SmolStr>> {
        let Given { of_sets, groups } = self.given.get_or_init(|| Given::read(subject, sets));
        if sets.get(at).is_some_and(|it| it.files.is_empty()) {
            // Every other file comes on top of the automatic ones.
            return Rc::new(groups.iter().flat_map(|it| it.names.iter().cloned()).collect());
        }
        let Some(group) = of_sets.get(at).copied().flatten().and_then(|it| groups.get(it)) else {
            return Rc::default();
        };
        let mut known = group.beside.borrow_mut();
        let found = || {
            let own: HashSet<&SmolStr> = group.names.iter().collect();
            let mut all = HashSet::default();
            for other in groups.iter().filter(|it| it.dir == group.dir) {
                if !subject.meter.charge(1 + other.names.len() as u64 / 4) {
                    break;
                }
                if other.names.iter().all(|it| !own.contains(it)) {
                    all.extend(other.names.iter().cloned());
                }
            }
            Rc::new(all)
        };
        Rc::clone(known.get_or_insert_with(found))
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
        let group = |((dir, names), ())| Group { dir, names, beside: RefCell::default() };
        Given { of_sets, groups: groups.into_iter().map(group).collect() }
    }
}
