//! The directories to check, and the values files of each module.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::readmes::{above, is_readme_path};
use config::{Configurations, FILE_NAME};
use module::{
    inputs::{example::is_example_file, is_values_file},
    is_override_file,
};
use system::{Enters, EntryKind, System, paths};

/// The role of a path, judged by its file name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// `.tf`, `.tf.json`, `.tofu`, `.tofu.json`
    Source,
    /// `.tfvars`, `.tfvars.json`, and examples of such files: `.tfvars.example`
    Values,
    /// Anything else; the schema and the configuration are known by their configured names.
    Other,
}

impl FileRole {
    /// The role of a file name. Terraform's suffixes are case-sensitive.
    pub fn of(name: &str) -> FileRole {
        const SOURCES: [&str; 4] = [".tf", ".tf.json", ".tofu", ".tofu.json"];
        if is_values_file(name) || is_example_file(name) {
            FileRole::Values
        } else if SOURCES.iter().any(|it| name.ends_with(it)) {
            FileRole::Source
        } else {
            FileRole::Other
        }
    }
}

/// A directory that may be a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directory {
    /// Whether it holds source files.
    pub has_sources: bool,
    /// Whether OpenTofu alone reads some of these.
    pub is_of_tofu: bool,
    /// Whether it holds a file with the schema's name.
    pub has_schema: bool,
    /// Values files in it, and below it where no nearer directory has source files.
    pub values: Vec<PathBuf>,
    /// Values files in it that an `input` block names in a file which is nearer than a policy.
    pub taken: Vec<PathBuf>,
    /// Whether only policies are checked: a configuration excludes the directory, but an outer one
    /// demands a policy's rules of it.
    pub is_of_policies: bool,
}

/// The directories to check, by path.
pub type Directories = BTreeMap<PathBuf, Directory>;

/// The directories and files to check.
#[derive(Debug, Default)]
pub struct Found {
    pub directories: Directories,
    /// Values files without source files next to or above them.
    pub ownerless: Vec<PathBuf>,
    /// The number of files by which Terragrunt runs modules.
    pub units: usize,
    /// READMEs in and above the targets.
    pub readmes: BTreeSet<PathBuf>,
}

/// Finds what the targets name: a directory means everything below it, a file the module that
/// owns it, and no target the current directory. Directories that the configuration excludes are
/// left out, unless a target names them and `force_exclude` is not set. Values files that the
/// configuration assigns to a module are left out too. Directories (absolute) that `enters` rejects are
/// skipped with everything below them.
///
/// Errors: a target that does not exist, a directory that cannot be read.
pub fn discover(
    system: &dyn System,
    targets: &[PathBuf],
    configurations: &Configurations<'_>,
    force_exclude: bool,
    enters: Enters<'_>,
) -> io::Result<Found> {
    let selection = Selection::new(system, targets, configurations)?;
    let current_dir = system.current_dir()?;
    let mut found = Directories::new();
    let mut ownerless = Vec::new();
    let (mut loose, mut all_taken, mut units) = (Vec::new(), Vec::new(), 0);
    let mut readmes = BTreeSet::new();
    for root in selection.roots() {
        let plain = paths::clean(&current_dir.join(root));
        readmes.extend(above(&plain, &current_dir, system));
        let base = system.canonicalize(&plain).unwrap_or(plain);
        let below = |dir: &Path| dir.strip_prefix(root).map_or(true, |it| enters(&base.join(it)));
        let files = system.walk(root, &below)?;
        units += files.iter().filter(|it| is_unit(it)).count();
        readmes.extend(files.iter().filter(|it| is_readme_path(it)).map(|it| paths::clean(it)));
        let parts: Vec<&[PathBuf]> = files.chunk_by(|a, b| a.parent() == b.parent()).collect();
        let parts: Vec<_> = parts.par_iter().map(|it| sort_out(it, configurations)).collect();
        for (dir, Directory { has_sources, is_of_tofu, has_schema, values, taken, .. }) in parts {
            loose.extend(values);
            all_taken.extend(taken);
            if has_sources || has_schema {
                let known = found.entry(dir).or_default();
                known.has_sources |= has_sources;
                known.is_of_tofu |= is_of_tofu;
                known.has_schema |= has_schema;
            }
        }
    }
    // A file that is named is not ignored.
    loose.extend(selection.values.iter().cloned());
    loose.sort_unstable();
    loose.dedup();
    // The files of one directory have one owner; it may have very many.
    let parts: Vec<&[PathBuf]> = loose.chunk_by(|a, b| a.parent() == b.parent()).collect();
    let owners: Vec<_> = parts
        .par_iter()
        .map(|it| owner(system, &found, &it[0]).map(|to| vec![to; it.len()]))
        .collect();
    let owners: Vec<Vec<Option<PathBuf>>> = owners.into_iter().collect::<io::Result<_>>()?;
    for (file, owner) in loose.into_iter().zip(owners.into_iter().flatten()) {
        if let Some(owner) = owner {
            let directory = found.entry(owner).or_default();
            directory.has_sources = true;
            directory.values.push(file);
        } else if selection.values.contains(&file) || configurations.includes(directory_of(&file)) {
            ownerless.push(file);
        }
    }
    for file in all_taken {
        if let Some(owner) = owner(system, &found, &file)?
            && let Some(directory) = found.get_mut(&owner)
        {
            directory.taken.push(file);
        }
    }
    let is_asked_for = |(dir, it): &(PathBuf, Directory)| {
        (it.has_sources || it.has_schema) && selection.includes(dir, it)
    };
    let asked_for: Vec<_> = found.into_iter().filter(is_asked_for).collect();
    let included: Vec<bool> =
        asked_for.par_iter().map(|it| configurations.includes(&it.0)).collect();
    let whole =
        if force_exclude { BTreeSet::new() } else { selection.whole(&asked_for, &included) };
    let is_named = |dir: &Path, it: &Directory| {
        !force_exclude && selection.names(dir, it) || whole.iter().any(|tree| is_below(dir, tree))
    };
    let mut directories = Directories::new();
    for ((dir, mut it), is_included) in asked_for.iter().cloned().zip(included) {
        it.is_of_policies = !is_included && !is_named(&dir, &it);
        if !it.is_of_policies || (it.has_sources && configurations.has_policy(&dir)) {
            directories.insert(dir, it);
        }
    }
    Ok(Found { directories, ownerless, units, readmes })
}

/// Whether Terragrunt runs a module, or several, because of a file.
pub fn is_unit(file: &Path) -> bool {
    let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    matches!(name.strip_suffix(".json").unwrap_or(name), "terragrunt.hcl" | "terragrunt.stack.hcl")
}

fn directory_of(file: &Path) -> &Path {
    or_current(file.parent().unwrap_or(Path::new("")))
}

/// Sorts the files of one directory; its values files may belong to another. Files that the
/// configuration assigns to a module are left out.
fn sort_out(files: &[PathBuf], configurations: &Configurations<'_>) -> (PathBuf, Directory) {
    let dir = files.first().and_then(|it| it.parent()).map(paths::clean).unwrap_or_default();
    let schema_file = configurations.schema_file(&dir);
    let mut directory = Directory { is_of_tofu: has_tofu_files(files), ..Directory::default() };
    for file in files {
        let Some(name) = file.file_name().and_then(|it| it.to_str()) else { continue };
        match FileRole::of(name) {
            // Overrides alone are no module: they are copied to one.
            FileRole::Source => directory.has_sources |= !is_override_file(name),
            FileRole::Values => directory.values.push(paths::clean(file)),
            FileRole::Other => directory.has_schema |= name == schema_file,
        }
    }
    configurations.note_paths(&dir, files);
    directory.values.retain(|it| {
        let is_free = !configurations.is_input(it);
        if !is_free && configurations.is_taken_from_policy(it) {
            directory.taken.push(it.clone());
        }
        is_free
    });
    (dir, directory)
}

/// Whether there are files that OpenTofu alone reads, and none for Terraform in their place: `main.tofu` next to
/// `main.tf` serves users of both. The files are sorted.
pub fn has_tofu_files(files: &[PathBuf]) -> bool {
    let of_terraform = |name: &str| match name.strip_suffix(".json") {
        Some(it) => it.strip_suffix(".tofu").map(|it| format!("{it}.tf.json")),
        None => name.strip_suffix(".tofu").map(|it| format!("{it}.tf")),
    };
    files.iter().any(|file| {
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        of_terraform(name).is_some_and(|it| files.binary_search(&file.with_file_name(it)).is_err())
    })
}

/// The nearest directory with source files, from the file's own upwards: first in the walked tree, then
/// above it.
fn owner(system: &dyn System, found: &Directories, file: &Path) -> io::Result<Option<PathBuf>> {
    let has_sources = |dir: &Path| found.get(or_current(dir)).is_some_and(|it| it.has_sources);
    let above = file.ancestors().skip(1);
    if let Some(dir) = above.clone().find(|it| has_sources(it)) {
        return Ok(Some(or_current(dir).to_owned()));
    }
    let absolute = paths::clean(&system.current_dir()?.join(file));
    for dir in absolute.ancestors().skip(1) {
        let entries = system.list(dir).unwrap_or_default();
        if entries.iter().any(|it| FileRole::of(&it.name) == FileRole::Source) {
            return Ok(Some(paths::relative(&system.current_dir()?, dir)));
        }
        // A module never reaches beyond its repository.
        if entries.iter().any(|it| it.name == ".git") {
            break;
        }
    }
    Ok(None)
}

/// The path, cleaned. A path that leaves the current directory and comes back is written without the
/// detour.
fn inward(current_dir: &Path, path: &Path) -> PathBuf {
    let path = paths::clean(path);
    if path.starts_with("..") {
        return paths::relative(current_dir, &current_dir.join(path));
    }
    path
}

/// The directories and files that the targets select.
struct Selection {
    /// Directories that are selected with everything below.
    trees: BTreeSet<PathBuf>,
    /// Single directories.
    modules: BTreeSet<PathBuf>,
    /// Values files that are selected with the module that owns them.
    values: BTreeSet<PathBuf>,
}

impl Selection {
    fn new(
        system: &dyn System,
        targets: &[PathBuf],
        configurations: &Configurations<'_>,
    ) -> io::Result<Selection> {
        let none = BTreeSet::new();
        let mut it = Selection { trees: none.clone(), modules: none.clone(), values: none };
        if targets.is_empty() {
            it.trees.insert(PathBuf::from("."));
        }
        for target in targets {
            let target = inward(&system.current_dir()?, target);
            if kind(system, &target)? == EntryKind::Directory {
                it.trees.insert(target);
            } else {
                it.add_file(system, target, configurations);
            }
        }
        Ok(it)
    }

    fn add_file(
        &mut self,
        system: &dyn System,
        file: PathBuf,
        configurations: &Configurations<'_>,
    ) {
        let named = configurations.modules_of_input(&file);
        if !named.is_empty() {
            self.modules.extend(named.into_iter().filter(|it| system.kind(it).is_ok()));
            return;
        }
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let parent = file.parent().filter(|it| !it.as_os_str().is_empty());
        let dir = parent.unwrap_or(Path::new(".")).to_owned();
        match FileRole::of(name) {
            FileRole::Values => _ = self.values.insert(file),
            // A configuration governs everything below it.
            FileRole::Other if name == FILE_NAME => _ = self.trees.insert(dir),
            FileRole::Other => {
                let of_schema = configurations.module_of_schema(&file);
                self.modules.insert(of_schema.unwrap_or(dir));
            }
            FileRole::Source => _ = self.modules.insert(dir),
        }
    }

    /// The directories to walk, none inside another.
    fn roots(&self) -> Vec<&Path> {
        let of_values = self.values.iter().filter_map(|it| it.parent());
        let all = self.trees.iter().chain(&self.modules).map(PathBuf::as_path).chain(of_values);
        let all: BTreeSet<&Path> = all.map(or_current).collect();
        let current = Path::new(".");
        let is_above = |up: &Path| up != Path::new("") && all.contains(up);
        let covered = |it: &Path| it.ancestors().skip(1).any(is_above);
        let relative = |it: &Path| !it.has_root() && !it.starts_with("..");
        let has_current = all.contains(current);
        let inside_current = |it: &Path| it != current && has_current && relative(it);
        all.iter().copied().filter(|it| !covered(it) && !inside_current(it)).collect()
    }

    /// Whether a file of the module is a target, so that no configuration excludes it.
    fn names(&self, dir: &Path, directory: &Directory) -> bool {
        let has_value = |it: &PathBuf| self.values.contains(&paths::clean(it));
        self.modules.contains(&paths::clean(dir)) || directory.values.iter().any(has_value)
    }

    /// The trees that the configuration excludes completely: a target that names one overrides that.
    fn whole(&self, found: &[(PathBuf, Directory)], included: &[bool]) -> BTreeSet<&Path> {
        let is_left = |tree: &Path| {
            let mut both = found.iter().zip(included);
            both.any(|((dir, _), included)| *included && is_below(&paths::clean(dir), tree))
        };
        let named = self.trees.iter().map(PathBuf::as_path).filter(|it| *it != Path::new("."));
        named.filter(|it| !is_left(it)).collect()
    }

    fn includes(&self, dir: &Path, directory: &Directory) -> bool {
        let dir = paths::clean(dir);
        let is_chosen = |path: &Path| self.trees.iter().any(|tree| is_below(path, tree));
        let has_value = |it: &PathBuf| self.values.contains(&paths::clean(it));
        self.modules.contains(&dir)
            || is_chosen(&dir)
            || directory.values.iter().any(|it| has_value(it) || is_chosen(it))
    }
}

/// Whether a path is a tree's root or below it, both as seen from the current directory.
fn is_below(path: &Path, tree: &Path) -> bool {
    path.starts_with(tree)
        || (tree == Path::new(".") && !path.has_root() && !path.starts_with(".."))
}

pub(super) fn or_current(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

fn kind(system: &dyn System, target: &Path) -> io::Result<EntryKind> {
    system.kind(target).map_err(|error| {
        let what = if error.kind() == io::ErrorKind::NotFound {
            "no such file or directory".to_owned()
        } else {
            error.to_string()
        };
        io::Error::new(error.kind(), format!("{}: {what}", paths::display(target)))
    })
}
