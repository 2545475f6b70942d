//! A module with open documents, and what `check` reports about it.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use lsp_types::Diagnostic;

use super::{
    contract::{Modules, role},
    convert::{Files, diagnostic, is_shown},
    overlay::{Overlay, Touched, Within},
    server::MACHINE,
    snapshot::Snapshot,
};
use check::{CheckRequest, FileRole, Remotes};
use config::{Config, FILE_NAME};
use diagnostics::{Finding, Level, lints};
use report::Report;
use system::{System, paths};

/// The open documents of one module.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// The directory that `check` would run in.
    pub root: PathBuf,
    /// The documents, absolute.
    pub targets: Vec<PathBuf>,
}

/// A finding with its diagnostic.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub finding: Arc<Finding>,
    pub diagnostic: Diagnostic,
}

/// What is known about a unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// By file, absolute.
    pub files: BTreeMap<PathBuf, Vec<Shown>>,
    /// The paths that the verdict depends on, absolute.
    pub touched: Touched,
    /// Values files that belong to no module, absolute. Nothing is wrong with them: nobody has said yet whose they are.
    pub orphans: Vec<PathBuf>,
    /// Why something could not be done.
    pub failures: Vec<String>,
}

/// Judges the modules of some documents.
pub(crate) fn judge(machine: &dyn System, snapshot: &Snapshot, unit: &Unit) -> Judged {
    let walks_root = unit.targets.iter().any(|it| it.parent() == Some(&unit.root));
    let judged = snapshot.with_system(machine, &unit.root, walks_root, &unit.targets, |system| {
        let is_configured = is_configured(&system, unit);
        if is_configured {
            follow_inputs(&system, unit);
        }
        let lowest = if snapshot.settings.notes { Level::Note } else { Level::Warning };
        let report = checked(&system, snapshot, unit, lowest);
        let mut judged = Judged { failures: report.failures.clone(), ..Judged::default() };
        let mut files = Files::new(&system, &unit.root, snapshot.encoding);
        for finding in report.findings {
            if finding.rule == lints::ORPHAN_INPUT {
                judged.orphans.extend(finding.locations.first().map(|it| files.path(&it.file)));
                continue;
            }
            // Nobody asked for schemas where nothing configures them.
            let is_for_nothing = finding.rule == lints::MISSING_SCHEMA && !is_configured;
            if is_for_nothing || !is_shown(&finding, &snapshot.settings) {
                continue;
            }
            if let Some((path, diagnostic)) = diagnostic(&finding, &mut files) {
                let shown = Shown { finding: Arc::new(finding), diagnostic };
                judged.files.entry(path).or_default().push(shown);
            }
        }
        drop(files);
        judged.touched = system.into_touched();
        judged
    });
    judged.unwrap_or_else(|error| Judged {
        failures: vec![format!("{}: {error}", paths::display(&unit.root))],
        ..Judged::default()
    })
}

/// The report of `check` on one document with its present text, with all notes: what was not decided must not look as
/// if it passed. `None` if it cannot be judged.
pub(crate) fn whole_report(
    machine: &dyn System,
    snapshot: &Snapshot,
    root: &Path,
    document: &Path,
) -> Option<Report> {
    let unit = Unit { root: root.to_owned(), targets: vec![document.to_owned()] };
    let walks_root = document.parent() == Some(root);
    let judged = snapshot.with_system(machine, root, walks_root, &unit.targets, |system| {
        if is_configured(&system, &unit) {
            follow_inputs(&system, &unit);
        }
        checked(&system, snapshot, &unit, Level::Note)
    });
    judged.ok()
}

/// The schemas that `check --fix` would write for the module of a document, by their absolute paths.
pub(crate) fn schemas(
    machine: &dyn System,
    snapshot: &Snapshot,
    root: &Path,
    document: &Path,
) -> BTreeMap<PathBuf, Vec<u8>> {
    let walks_root = document.parent() == Some(root);
    let targets = [document.to_owned()];
    let written = snapshot.with_system(machine, root, walks_root, &targets, |system| {
        let system = system.keeping_writes();
        let request = CheckRequest {
            targets: targets.iter().map(|it| paths::relative(root, it)).collect(),
            flags: Config { initialised: true, ..Config::default() },
            fix: true,
            policies: check_policy::reader(),
            ..CheckRequest::default()
        };
        _ = check::run(&request, &system);
        system.into_written()
    });
    let mut written = written.unwrap_or_default();
    written.retain(|path, _| path.extension().is_some_and(|it| it == "json"));
    written
}

/// The report of `check` on the targets of a unit.
fn checked(system: &dyn System, snapshot: &Snapshot, unit: &Unit, lowest: Level) -> Report {
    let relative = |it: &PathBuf| paths::relative(&unit.root, it);
    let root = unit.root.clone();
    let find = move || git::remotes(&Within { inner: &MACHINE, current_dir: root }, &[]);
    let request = CheckRequest {
        targets: unit.targets.iter().map(relative).collect(),
        flags: Config { initialised: true, ..Config::default() },
        lowest: Some(lowest),
        remotes: Remotes::new(find),
        kept_modules: snapshot.modules.clone(),
        policies: check_policy::reader(),
        ..CheckRequest::default()
    };
    check::run(&request, system).unwrap_or_else(|it| Report::failed(it.to_string()))
}

/// Has the module in the root walked if an `input` block gives it the values of a target, wherever that is.
fn follow_inputs(system: &Overlay<'_>, unit: &Unit) {
    let values = || unit.targets.iter().filter(|it| role(it) == FileRole::Values);
    if values().next().is_none() || !system.has_sources(&unit.root) {
        return;
    }
    let Ok(modules) = Modules::new(system, &unit.root) else { return };
    let is_for_root = |file: &PathBuf| {
        let named = modules.configurations.modules_of_input(&paths::relative(&unit.root, file));
        named.iter().any(|it| paths::clean(&unit.root.join(it)) == unit.root)
    };
    if values().any(is_for_root) {
        system.walk_root();
    }
}

/// Whether a configuration governs the unit.
fn is_configured(system: &dyn System, unit: &Unit) -> bool {
    let has_file = |dir: &Path| system.kind(&dir.join(FILE_NAME)).is_ok();
    let dirs = unit.targets.iter().filter_map(|it| it.parent());
    let above = dirs.flat_map(|dir| dir.ancestors().take_while(|it| it.starts_with(&unit.root)));
    above.collect::<HashSet<_>>().into_iter().any(has_file)
}
