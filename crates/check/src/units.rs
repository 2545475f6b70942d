//! Modules that units of Terragrunt elsewhere run by their `source`. Terragrunt copies such a module and may write files
//! into the copy, so a name that the module does not declare may be declared there. The same holds for a file that a
//! `generate` block writes into a module.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::discover::is_unit;
use diagnostics::{Cause, Diagnostic, Diagnostics, lints};
use module::{Completed, completed_by};
use release::{Product, Wanted};
use system::{System, paths};
use tf_eval::{Limits, Meter};

/// The units of the repository; they are looked for when a module has an undeclared name.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// The directories (absolute) of modules, each with what a unit does to it.
    modules: OnceLock<HashMap<PathBuf, String>>,
}

impl Units {
    /// Makes findings about undeclared names undecided in a module (its directory as seen from the current one) that a
    /// unit runs, or whose files it writes into another module.
    pub fn leave_open(&self, system: &dyn System, dir: &Path, found: &mut Diagnostics) {
        if !found.iter().any(is_undeclared) {
            return;
        }
        let Ok(current_dir) = system.current_dir() else { return };
        let modules = self.modules.get_or_init(|| read(system, &current_dir));
        let Some(why) = modules.get(&paths::clean(&current_dir.join(dir))) else { return };
        for it in found.iter_mut().filter(|it| is_undeclared(it)) {
            *it = it.clone().under(&lints::UNDECIDED_VALIDATION);
            it.summary += ", which Terragrunt may declare";
            it.detail += why;
            it.fix = None;
        }
    }
}

/// Makes errors about variables in sources undecided in a module next to a unit, where the configuration names no
/// release: Terragrunt prefers OpenTofu, which takes them, if both are there.
pub(super) fn leave_sources_open(
    system: &dyn System,
    dir: &Path,
    wanted: Wanted,
    found: &mut Diagnostics,
) {
    let is_of_variable = |it: &Diagnostic| it.cause == Some(Cause::VariableInSource);
    if wanted != Wanted::Newest(Product::Terraform) || !found.iter().any(is_of_variable) {
        return;
    }
    let entries = system.list(dir).unwrap_or_default();
    if !entries.iter().any(|it| is_unit(Path::new(&it.name))) {
        return;
    }
    for it in found.iter_mut().filter(|it| is_of_variable(it) && it.address.is_empty()) {
        *it = it.clone().under(&lints::UNDECIDED_VALIDATION);
        let detail = "Terragrunt runs this module, with OpenTofu if that is installed. OpenTofu \
            allows any variable here; Terraform does not.";
        detail.clone_into(&mut it.detail);
        it.help = Some("if OpenTofu runs it, set `opentofu = true` in .terraschema.hcl".to_owned());
    }
}

/// Whether it is about a name that the module does not declare: of a reference, or of a value in a file.
fn is_undeclared(it: &Diagnostic) -> bool {
    it.rule == lints::UNDECLARED_VARIABLE
        || it.rule == lints::UNDECLARED_REFERENCE
            && matches!(&it.cause, Some(Cause::Reference(error)) if error.is_undeclared())
}

/// Reads all units of the repository that the current directory is in.
fn read(system: &dyn System, current_dir: &Path) -> HashMap<PathBuf, String> {
    let is_root = |it: &&Path| system.kind(&it.join(".git")).is_ok();
    let root = current_dir.ancestors().find(is_root).unwrap_or(current_dir);
    let files = system.walk(&paths::relative(current_dir, root), &|_| true).unwrap_or_default();
    let meter = Meter::new(Limits::default());
    let mut found = HashMap::new();
    for file in files.iter().filter(|it| is_unit(it)) {
        if meter.is_exhausted() {
            break;
        }
        let Completed { modules, parts } = completed_by(system, file, &meter);
        let unit = paths::display(file);
        for module in modules {
            found.entry(module).or_insert_with(|| {
                format!(
                    " {unit} runs this module and generates files, which may declare it before \
                    the plan."
                )
            });
        }
        for part in parts {
            found.entry(part).or_insert_with(|| {
                format!(
                    " {unit} writes a file of this directory into a module, which may declare it."
                )
            });
        }
    }
    found
}
