//! The modules that a document is about.

use std::path::{Path, PathBuf};

use check::FileRole;
use config::{Config, Configurations};
use module::{LoadOptions, Module, inputs::is_json_file, is_override_file, load};
use smol_str::SmolStr;
use system::{System, paths};

/// A module, read from a system.
pub(crate) struct Contract {
    /// Absolute.
    pub dir: PathBuf,
    pub module: Module,
}

/// Where modules are looked up.
pub(crate) struct Modules<'a> {
    pub system: &'a dyn System,
    /// The current directory.
    pub root: &'a Path,
    pub configurations: Configurations<'a>,
}

impl<'a> Modules<'a> {
    /// Errors: the current directory is unknown.
    pub fn new(system: &'a dyn System, root: &'a Path) -> std::io::Result<Modules<'a>> {
        let flags = Config { initialised: true, ..Config::default() };
        let configurations = Configurations::new(system, flags, None)?;
        Ok(Modules { system, root, configurations })
    }

    /// The module in a directory (absolute).
    pub fn read(&self, dir: &Path) -> Option<Contract> {
        let release = self.configurations.settings(dir).release.first();
        let options = LoadOptions { release, ..LoadOptions::default() };
        let (module, _) = load(self.system, &paths::relative(self.root, dir), &options).ok()?;
        Some(Contract { dir: dir.to_owned(), module })
    }

    /// The module that a values file (absolute) is for: the one that a configuration names, or else the nearest one
    /// above it that declares variables.
    pub fn of_values(&self, file: &Path) -> Option<Contract> {
        let named = self.configurations.modules_of_input(&paths::relative(self.root, file));
        if let Some(dir) = named.first() {
            return self.read(&paths::clean(&self.root.join(dir)));
        }
        let above = file.ancestors().skip(1).take_while(|it| it.starts_with(self.root));
        let found = above.filter(|it| self.has_sources(it)).filter_map(|it| self.read(it));
        found.into_iter().find(|it| !it.module.variables.is_empty())
    }

    fn has_sources(&self, dir: &Path) -> bool {
        let is_source =
            |name: &str| FileRole::of(name) == FileRole::Source && !is_override_file(name);
        self.system.list(dir).is_ok_and(|entries| entries.iter().any(|it| is_source(&it.name)))
    }

    /// The directory of a called module, if it is here: a local path, a contract, or what `terraform init` installed.
    pub fn called(
        &self,
        caller: &Path,
        name: &str,
        source: &str,
        version: Option<&str>,
    ) -> Option<PathBuf> {
        if module::source_address::is_local(source) {
            return Some(paths::clean(&caller.join(source)));
        }
        let contract = self.configurations.settings(caller).contract(source, version);
        contract.or_else(|| self.installed(caller, name))
    }

    /// Where `terraform init` installed a module that a root module calls.
    fn installed(&self, caller: &Path, name: &str) -> Option<PathBuf> {
        let bytes = self.system.read(&caller.join(".terraform/modules/modules.json")).ok()?;
        let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        let modules = manifest.get("Modules")?.as_array()?;
        let found = modules.iter().find(|it| it["Key"] == name)?;
        Some(paths::clean(&caller.join(found["Dir"].as_str()?)))
    }

    /// The values files (absolute) of the module in a directory: by their place, and by `input` blocks.
    pub fn values_files(&self, dir: &Path) -> Vec<PathBuf> {
        let here = paths::relative(self.root, dir);
        let found = check::discover(self.system, &[here], &self.configurations, false, &|_| true);
        let directories = found.map(|it| it.directories).unwrap_or_default();
        let absolute = |it: &PathBuf| paths::clean(&self.root.join(it));
        let own = directories.iter().filter(|it| absolute(it.0) == dir);
        let mut files: Vec<PathBuf> = own.flat_map(|it| it.1.values.iter().map(absolute)).collect();
        let mut known = config::Expanded::default();
        for input in &self.configurations.settings(dir).inputs {
            if let Ok(expanded) = input.expand(self.system, &mut known) {
                files.extend(expanded.files.iter().chain(&expanded.each).map(absolute));
            }
        }
        files.sort_unstable();
        files.dedup();
        files
    }
}

/// Whether a file is JSON by its name.
pub(crate) fn is_json(path: &Path) -> bool {
    path.file_name().and_then(|it| it.to_str()).is_some_and(is_json_file)
}

/// The role of a file, by its name.
pub(crate) fn role(path: &Path) -> FileRole {
    FileRole::of(path.file_name().and_then(|it| it.to_str()).unwrap_or_default())
}

/// The text of a name that somebody wrote, if it can be a variable's.
pub(crate) fn as_name(text: &str) -> Option<SmolStr> {
    hcl::is_identifier(text).then(|| SmolStr::new(text))
}
