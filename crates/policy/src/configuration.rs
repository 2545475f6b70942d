//! Judges a module's directory by rules: alone, before any plan, or together with a plan of it.

use std::{io, path::Path};

use super::{
    Judged, LockedProviders, Plan, Policy, configured::Configured, judge::judge_world,
    planned::Planned, sourced::Sourced, subjects::World,
};
use diagnostics::{Diagnostics, Finding, Omission, Sources};
use module::{
    LoadOptions,
    inputs::{InputArgument, InputRequest},
    selected_workspace,
};
use release::{Release, Wanted};
use system::{System, paths};
use tf_eval::Meter;
use verdict::{
    JudgeSetting, Loaded, Ready, Rest,
    tree::{Library, Locator, Reach},
    written::Written,
};

/// Judges a module and everything that it calls by each policy, in this order, with the input values that
/// `ready` holds. The module must have been loaded with `keeps_blocks`; `locked` is of its lock file. `meter`
/// counts the work of the rules.
/// Errors: the module has a dependency cycle, so that nothing can be judged.
pub fn judge_written(
    policies: &[&Policy],
    ready: &Ready<'_>,
    rest: Rest,
    sources: &Sources,
    locked: &LockedProviders,
    meter: &Meter,
) -> Result<Vec<Judged>, Diagnostics> {
    ready.written(rest, |written| {
        let world = Configured::new(written, sources, ready.release(), locked);
        policies.iter().map(|it| judge_world(it, &world, meter, false)).collect()
    })
}

/// A module that was read for rules.
pub struct GovernedModule<'s> {
    system: &'s dyn System,
    module: Loaded,
    release: Release,
    locked: LockedProviders,
    found: Diagnostics,
    meter: &'s Meter,
}

impl<'s> GovernedModule<'s> {
    /// Reads the module in a directory, for the release that is wanted. Errors: it cannot be read.
    pub fn read(
        system: &'s dyn System,
        dir: &Path,
        wanted: Wanted,
        meter: &'s Meter,
    ) -> io::Result<Self> {
        let load = |options: &LoadOptions| {
            let options = LoadOptions { keeps_blocks: true, ..*options };
            module::load_metered(system, dir, &options, meter)
        };
        let reach = Reach {
            system,
            library: &Library::default(),
            locator: &Locator::in_directory(system, dir, None),
            keeps_blocks: true,
            meter,
        };
        let (module, found, release) = reach.load(wanted, load)?;
        let locked = LockedProviders::read(system, dir);
        Ok(GovernedModule { system, module: Loaded::new(module), release, locked, found, meter })
    }

    /// Judges what is written, with these values of variables. A variable without a value has its default or,
    /// without a default, is unknown.
    pub fn judge(&mut self, policy: &Policy, request: &InputRequest) -> Judged {
        self.judge_asked(policy, request, false)
    }

    /// Like [`GovernedModule::judge`]; `covers` also collects the addresses that each rule judged.
    pub(super) fn judge_asked(
        &mut self,
        policy: &Policy,
        request: &InputRequest,
        covers: bool,
    ) -> Judged {
        let (meter, locked) = (self.meter, self.locked.clone());
        self.written(request, |written, sources, release| {
            let configured = Configured::new(written, sources, release, &locked);
            judge_world(policy, &configured, meter, covers)
        })
    }

    /// Judges a plan of this module.
    pub fn judge_plan(&mut self, policy: &Policy, plan: &Plan) -> Judged {
        // The values that the plan was made with.
        let text = plan.variables_text();
        let arguments = vec![InputArgument::Text("plan.tfvars.json".to_owned(), text)];
        let dir = self.module.dir.clone();
        let request = InputRequest { dir, arguments, ..InputRequest::default() };
        let (meter, locked) = (self.meter, self.locked.clone());
        self.written(&request, |written, sources, release| {
            let configured = Configured::new(written, sources, release, &locked);
            let world: &dyn World = &Sourced::new(Planned::new(plan), configured);
            judge_world(policy, world, meter, false)
        })
    }

    /// The calls of modules that are not on this machine; known only after judging.
    pub fn not_judged(&self) -> Vec<Omission> {
        let is_call = |it: &Omission| matches!(it, Omission::Call { .. });
        self.module.not_judged().into_iter().filter(is_call).collect()
    }

    /// The texts of the module and of what it calls.
    pub fn sources(&self) -> &Sources {
        &self.module.sources
    }

    /// Whether the directory has no files of a module: then no rule may pass.
    pub fn is_empty(&self) -> bool {
        self.module.sources.files().next().is_none()
    }

    fn written(
        &mut self,
        request: &InputRequest,
        judge: impl FnOnce(&Written<'_>, &Sources, Release) -> Judged,
    ) -> Judged {
        if self.is_empty() {
            let shown = paths::display(&self.module.dir);
            let why = "it contains no .tf or .tf.json file";
            let failures = vec![format!("{shown} is not a module: {why}")];
            return Judged { failures, ..Judged::default() };
        }
        let selected = || selected_workspace(self.system, &request.dir, self.release);
        let workspace = request.environment.then(|| selected().ok().flatten()).flatten();
        let dir = self.module.dir.clone();
        let setting = JudgeSetting {
            system: self.system,
            base_dir: &dir,
            release: self.release,
            workspace: workspace.as_deref(),
            awaits: true,
            onward: None,
            meter: self.meter,
            words: None,
        };
        let mut diagnostics = self.found.clone();
        diagnostics.extend(self.module.follow_initialised(request, None, setting));
        self.module.hide_written();
        let read = self.module.read(self.system, request);
        let ready = read.collect(&self.module, setting);
        diagnostics.extend(ready.diagnostics.iter().cloned());
        let sources = &self.module.sources;
        let judged = ready.written(Rest::Default, |written| judge(written, sources, self.release));
        let mut judged = judged.unwrap_or_else(|cycle| {
            diagnostics.extend(cycle);
            Judged::default()
        });
        let shown = paths::display(&dir);
        let errors = diagnostics.iter().filter(|it| it.is_error());
        let before = judged.findings.len();
        judged.findings.extend(errors.map(|it| Finding::new(it, &shown, sources)));
        if judged.findings.len() > before {
            let why = "its errors may hide objects that the rules judge";
            judged.failures.push(format!("{shown} is judged only in part: {why}"));
        }
        judged
    }
}
