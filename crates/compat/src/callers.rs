//! Calls of changed modules by local paths: judged with the module as it was, and as it is.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use smol_str::SmolStr;

use super::{call::Arguments, run::CompatRequest, view::View};
use check::{FileRole, is_silenced};
use config::Configurations;
use diagnostics::{
    Diagnostic, Diagnostics, Excerpt, Finding, Level, LevelReason, Lint, has_errors, lints,
};
use module::{LoadOptions, Module};
use projection::schema::words_of;
use release::Release;
use report::{Bump, ModuleChanges};
use system::{LimitedSystem, paths};
use tf_eval::Meter;
use verdict::{
    JudgeSetting, Loaded,
    tree::{Library, Locator, Reach, Reading},
};

/// How often a caller is judged. A broken call hides other problems, so it is left out the next time.
const ROUNDS: usize = 6;

/// The most levels of calls between a caller and a changed module.
const DEEPEST: usize = 64;

/// A module whose contract changed.
pub struct Changed<'m> {
    /// Absolute, at either state.
    pub dirs: Vec<PathBuf>,
    pub changes: &'m ModuleChanges,
}

/// The calls below some directories.
pub struct Callers<'r, 'a> {
    request: &'r CompatRequest<'a>,
    configurations: &'r Configurations<'a>,
    changed: HashMap<PathBuf, &'r ModuleChanges>,
    /// For each state, the files that calls lead to, and the modules that were read there.
    sides: [(View<'r>, Library); 2],
    /// Variables of changed modules whose values are hidden at either state.
    hidden: HashSet<SmolStr>,
}

/// A directory that calls something.
struct Caller {
    dir: PathBuf,
    shown: String,
    module: Module,
    release: Release,
    meter: Meter,
}

/// Lint, address, variable, and the file, line and column of a problem.
type Key = (String, SmolStr, Option<SmolStr>, Option<(String, u32, u32)>);

/// Something wrong with a caller, with a key that distinguishes it from other problems.
struct Problem {
    key: Key,
    /// The call with the problem.
    call: Option<SmolStr>,
    is_ignored: bool,
    finding: Finding,
}

impl<'r, 'a> Callers<'r, 'a> {
    pub fn new(
        request: &'r CompatRequest<'a>,
        configurations: &'r Configurations<'a>,
        changed: &[Changed<'r>],
    ) -> io::Result<Callers<'r, 'a>> {
        let (base, head) = (&request.base, &request.head);
        let mut before = View::new(head.system)?.with(&head.root, base.system, &base.root);
        let mut after = View::new(head.system)?;
        // With two directories, calls may name either.
        if base.prefix.is_empty() && !head.root.starts_with(&base.root) {
            before = before.with(&base.root, base.system, &base.root);
            after = after.with(&base.root, head.system, &head.root);
        }
        for it in changed {
            if let Some(was) = &it.changes.renamed_from {
                let (is, was) = (Path::new(&it.changes.path), Path::new(was));
                before = before.with(is, base.system, &base.root.join(was));
            }
        }
        let dirs = changed.iter().flat_map(|it| it.dirs.iter().map(|dir| (dir, it.changes)));
        let changed: HashMap<PathBuf, &ModuleChanges> =
            dirs.map(|(dir, it)| (after.absolute(dir), it)).collect();
        let mut hidden = HashSet::new();
        for dir in changed.keys() {
            for view in [&before, &after] {
                let options = LoadOptions::default();
                if let Ok((module, _)) = module::load(view, dir, &options) {
                    let variables = module.variables.into_iter().filter(|it| it.1.is_hidden());
                    hidden.extend(variables.map(|it| it.0));
                }
            }
        }
        let sides = [(before, Library::default()), (after, Library::default())];
        Ok(Callers { request, configurations, changed, sides, hidden })
    }

    /// The broken calls, and the calls that nobody can judge, in all modules below the directories. Errors: a
    /// directory that cannot be read.
    pub fn findings(&self, dirs: &[PathBuf]) -> io::Result<Vec<Finding>> {
        let system = self.request.head.system;
        let mut modules = BTreeSet::new();
        for dir in dirs {
            let with_path =
                |it: io::Error| io::Error::new(it.kind(), format!("{}: {it}", paths::display(dir)));
            for file in system.walk(dir, &|_| true).map_err(with_path)? {
                let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
                if FileRole::of(name) == FileRole::Source {
                    modules.extend(file.parent().map(paths::clean));
                }
            }
        }
        let modules: Vec<PathBuf> = modules.into_iter().collect();
        let found: Vec<io::Result<Vec<Finding>>> =
            modules.par_iter().map(|it| self.of_module(it)).collect();
        let found: Vec<Vec<Finding>> = found.into_iter().collect::<io::Result<_>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    fn of_module(&self, dir: &Path) -> io::Result<Vec<Finding>> {
        let settings = self.configurations.settings(dir);
        if !settings.included {
            return Ok(Vec::new());
        }
        let system = LimitedSystem::new(self.request.head.system, settings.max_file_size);
        let meter = Meter::new(settings.limits);
        let load = |options: &LoadOptions| module::load_metered(&system, dir, options, &meter);
        let (view, library) = &self.sides[1];
        let reach = Reach {
            system: view,
            library,
            locator: &Locator::of_sources(self.configurations),
            keeps_blocks: false,
            meter: &Meter::new(settings.limits),
        };
        let (module, diagnostics, release) = reach.load(settings.release, load)?;
        let caller =
            Caller { shown: paths::display(dir), dir: dir.to_owned(), module, release, meter };
        if !self.leads_to_change(&caller.module, dir, release, &mut HashSet::new(), DEEPEST) {
            return Ok(Vec::new());
        }
        if has_errors(&diagnostics) {
            let module = Loaded::new(caller.module);
            let errors = diagnostics.iter().filter(|it| it.is_error());
            let finding = |it| Finding::new(it, &caller.shown, &module.sources);
            let quiet =
                |it: Finding| Finding { level: LevelReason::NotCompared.level(it.level), ..it };
            return Ok(errors.map(finding).map(quiet).map(|it| self.placed(it)).collect());
        }
        Ok(self.broken(&caller))
    }

    /// Whether a call of the module leads to a changed one, also through other modules.
    fn leads_to_change(
        &self,
        module: &Module,
        dir: &Path,
        release: Release,
        seen: &mut HashSet<PathBuf>,
        depth: usize,
    ) -> bool {
        let options = LoadOptions { release, ..LoadOptions::default() };
        let mut targets =
            module.calls.values().filter_map(|call| target(&call.source.as_ref()?.0, dir));
        targets.any(|target| {
            let (view, library) = &self.sides[1];
            let absolute = view.absolute(&target);
            if self.changed.contains_key(&absolute) {
                return true;
            }
            if depth == 0 || !seen.insert(absolute) {
                return false;
            }
            let meter = Meter::default();
            let called = library.load(view, &target, &options, &meter);
            called
                .is_ok_and(|it| self.leads_to_change(&it.module, &target, release, seen, depth - 1))
        })
    }

    /// Problems that the caller has now and did not have before.
    fn broken(&self, caller: &Caller) -> Vec<Finding> {
        let [before, after] = [0, 1].map(|side| self.problems(caller, side));
        let known: HashSet<_> = before.iter().map(|it| &it.key).collect();
        let (mut out, mut reported) = (Vec::new(), HashSet::new());
        for it in &after {
            if known.contains(&it.key) || !reported.insert(&it.key) || it.is_ignored {
                continue;
            }
            let rule = &lints::BROKEN_CALL;
            let message = format!("The change breaks a call: {}", it.finding.message);
            let finding =
                Finding { rule: rule.into(), level: rule.level, message, ..it.finding.clone() };
            out.extend(self.configurations.adjust(self.placed(finding)));
        }
        if caller.meter.is_exhausted() {
            let summary = "Cannot decide whether the change breaks the calls of this module";
            let diagnostic = Diagnostic::new(&lints::UNDECIDED_CALL, summary)
                .detail("The run reached its work limit.");
            let finding = Finding::new(&diagnostic, &caller.shown, &caller.module.sources);
            out.extend(self.configurations.adjust(finding));
        }
        let broken = before.iter().chain(&after).filter_map(|it| it.call.as_ref());
        let broken: HashSet<&SmolStr> = broken.collect();
        out.extend(self.by_arguments(caller, &|name| !broken.contains(name)));
        out
    }

    /// Findings about arguments whose variables changed: values that only a plan knows, and parts that are
    /// lost.
    fn by_arguments(&self, caller: &Caller, is_judged: &dyn Fn(&SmolStr) -> bool) -> Vec<Finding> {
        let (loaded, _) = self.followed(caller, caller.module.clone(), 1);
        let arguments = Arguments::new(&caller.module, self.setting(caller, 1));
        let mut out = Vec::new();
        for call in caller.module.calls.values().filter(|it| is_judged(&it.name)) {
            let Some(target) = call.source.as_ref().and_then(|it| target(&it.0, &caller.dir))
            else {
                continue;
            };
            let [(was, before), (is, after)] = &self.sides;
            let Some(changes) = self.changed.get(&is.absolute(&target)) else { continue };
            let options = LoadOptions { release: caller.release, ..LoadOptions::default() };
            let (Ok(was), Ok(is)) = (
                before.load(was, &target, &options, &caller.meter),
                after.load(is, &target, &options, &caller.meter),
            ) else {
                continue;
            };
            let open = changes.changes.iter().filter(|it| it.bump >= Bump::CannotTell);
            for it in arguments.judge(call, [&was.module, &is.module], open) {
                if is_silenced(it.clone(), &caller.module.sources) {
                    continue;
                }
                let finding = Finding::new(&it, &caller.shown, &loaded.sources);
                out.extend(self.configurations.adjust(self.placed(finding)));
            }
        }
        out
    }

    fn setting<'s>(&'s self, caller: &'s Caller, side: usize) -> JudgeSetting<'s> {
        JudgeSetting {
            system: &self.sides[side].0,
            base_dir: &caller.dir,
            release: caller.release,
            workspace: None,
            awaits: true,
            onward: None,
            meter: &caller.meter,
            words: Some(words_of),
        }
    }

    /// The caller with the modules that it calls at one of the states, and the problems of these.
    fn followed(&self, caller: &Caller, module: Module, side: usize) -> (Loaded, Diagnostics) {
        let (view, library) = &self.sides[side];
        let mut loaded = Loaded::new(module);
        let diagnostics = loaded.follow_calls(Reading {
            system: view,
            options: &LoadOptions { release: caller.release, ..LoadOptions::default() },
            library,
            locator: &Locator::of_sources(self.configurations),
            given: None,
            enters_broken: false,
            meter: &caller.meter,
        });
        (loaded, diagnostics)
    }

    /// The problems of the caller if its calls lead to one of the states.
    fn problems(&self, caller: &Caller, side: usize) -> Vec<Problem> {
        let (mut module, mut out) = (caller.module.clone(), Vec::new());
        for _ in 0..ROUNDS {
            let (loaded, mut diagnostics) = self.followed(caller, module.clone(), side);
            if !has_errors(&diagnostics) {
                diagnostics.extend(loaded.judge_alone(self.setting(caller, side)).diagnostics);
            }
            let problems = diagnostics.iter().filter(|it| is_problem(it));
            let problems: Vec<Problem> =
                problems.map(|it| Problem::new(it, &loaded, &caller.shown)).collect();
            let broken: BTreeSet<SmolStr> =
                problems.iter().filter_map(|it| it.call.clone()).collect();
            out.extend(problems);
            for name in &broken {
                if let Some(call) = module.calls.get_mut(name) {
                    let span = call.source.as_ref().map_or(call.span, |it| it.1);
                    call.source = Some((AWAY.into(), span));
                }
            }
            if broken.is_empty() {
                break;
            }
        }
        out
    }

    /// The finding with its files named as in the new state, and without values that are hidden.
    fn placed(&self, mut finding: Finding) -> Finding {
        if finding.variable.as_ref().is_some_and(|it| self.hidden.contains(it.as_str())) {
            let (message, _) = finding.message.split_once(": ").unwrap_or((&finding.message, ""));
            finding.message = format!("{message} (no details, because the variable is hidden)");
            finding.help = None;
            for at in &mut finding.locations {
                (at.text, at.excerpt) = (String::new(), Excerpt::default());
            }
        }
        for at in &mut finding.locations {
            at.file = format!("{}{}", self.request.head.prefix, at.file);
        }
        finding
    }
}

/// A source for a call that is left out: it leads nowhere from here.
const AWAY: &str = "terraschema.invalid/left/out";

/// The directory of a local source.
fn target(source: &str, dir: &Path) -> Option<PathBuf> {
    let is_local = source.starts_with("./") || source.starts_with("../");
    is_local.then(|| paths::clean(&dir.join(source)))
}

/// Whether Terraform refuses this, even if only defaults are known.
fn is_problem(it: &Diagnostic) -> bool {
    let is_of_errors = |it: &Lint| it.level == Level::Error;
    it.is_error() || it.rule.declared().is_some_and(is_of_errors) && it.level() == Level::Note
}

impl Problem {
    fn new(it: &Diagnostic, module: &Loaded, shown: &str) -> Problem {
        let finding = Finding::new(it, shown, &module.sources);
        let named = it.address.strip_prefix("module.").map(|it| {
            let end = it.find(['.', '[']).unwrap_or(it.len());
            SmolStr::new(&it[..end])
        });
        let is_here = |span: diagnostics::Span| it.labels.iter().any(|it| it.span == span);
        let is_of = |call: &&module::ModuleCall| {
            is_here(call.span) || call.source.as_ref().is_some_and(|it| is_here(it.1))
        };
        let call = named.or_else(|| module.calls.values().find(is_of).map(|it| it.name.clone()));
        let at = finding.locations.first().map(|it| (it.file.clone(), it.line, it.column));
        let key = (it.rule.to_string(), it.address.clone(), it.variable.clone(), at);
        let silenced = Diagnostic { rule: (&lints::BROKEN_CALL).into(), ..it.clone() };
        let is_ignored = is_silenced(silenced, &module.sources);
        Problem { key, call, is_ignored, finding }
    }
}
