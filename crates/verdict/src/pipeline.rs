//! The way from a module and the sources of its values to a verdict, the same for every command:
//! [`Loaded`], [`Read`], [`Ready`], [`Judgement`]. Secrets are hidden when a state is entered, so that
//! no caller can forget it. Diagnostics are kept on the way, and the caller decides which of them stop
//! it.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    ops::Deref,
    sync::Arc,
};

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use smol_str::SmolStr;

use super::{
    Distrust, JudgeSetting, Judgement, NotJudged, Onward, PreparedJudge, Rest, Shapes, Unusable,
    hide, not_judged, prepare,
    tree::{
        ContractDirectories, KeptJudge, KnownInputs, Library, Link, Locator, ModuleTree, Reading,
        Shared,
    },
    unread,
    written::Written,
};
use diagnostics::{Diagnostic, Diagnostics, Shift, Sources, Span, has_errors, lints};
use module::{
    LoadOptions, Module, ModuleCall,
    inputs::{self, Collected, Input, InputRequest, Layer, ValuesEntry},
    selected_workspace,
};
use release::{Product, Release, changes};
use system::System;
use tf_value::Value;

/// A module whose declared secrets no excerpt shows. From here on only its sources change: they take in
/// the texts of the inputs.
pub struct Loaded {
    module: Module,
    /// The called modules that could be read.
    tree: ModuleTree,
    /// Made with the first inputs; serves all later ones.
    judge: OnceCell<PreparedJudge>,
    /// What its own errors make uncertain.
    distrust: Distrust,
    /// What it is a copy of, where later runs share what a judge found with every input.
    original: Option<Arc<Shared>>,
}

/// Leaves the judge to the next run.
impl Drop for Loaded {
    fn drop(&mut self) {
        if let (Some(original), Some(judge)) = (self.original.take(), self.judge.take())
            && judge.is_shared
        {
            let (judge, tree) = (judge.for_later(), std::mem::take(&mut self.tree));
            original.keep_judge(KeptJudge { judge, tree });
        }
    }
}

impl Loaded {
    pub fn new(mut module: Module) -> Loaded {
        hide::declared(&mut module);
        let (tree, judge, distrust) = (ModuleTree::default(), OnceCell::new(), Distrust::default());
        Loaded { module, tree, judge, distrust, original: None }
    }

    /// Like [`Loaded::new`], for a copy of a module without errors.
    pub fn copy_of(original: Option<Arc<Shared>>, module: Module) -> Loaded {
        let mut loaded = Loaded::new(module);
        loaded.original = original;
        loaded
    }

    /// Makes it what it was when it was new, with the sources that the module was read with: what a verdict took in is
    /// gone.
    pub fn restart(&mut self, sources: &Sources) {
        self.module.sources.clone_from(sources);
        hide::declared(&mut self.module);
        (self.tree, self.judge, self.distrust, self.original) = Default::default();
    }

    /// Notes the errors of loading the module, for verdicts that go on after them. Leaves out of them what only
    /// follows from an error of syntax in the same place.
    pub fn distrust(&mut self, found: &mut Diagnostics) {
        self.distrust = Distrust::of(&self.module, found);
        found.retain(|it| !it.address.is_empty() || self.distrust.admits(it));
    }

    /// What its own errors make uncertain.
    pub fn distrusted(&self) -> &Distrust {
        &self.distrust
    }

    /// What is known of values without a plan.
    pub fn shapes(&self) -> Shapes<'_> {
        Shapes { module: &self.module, tree: &self.tree }
    }

    /// The errors that kept called modules from being read, each once.
    pub fn broken_calls(&self) -> BTreeSet<Span> {
        let inner = self.tree.called.iter().flat_map(|it| it.calls.values());
        let all = self.tree.calls.values().chain(inner);
        let broken = all.filter_map(|it| match it {
            Link::Broken(by) => Some(*by),
            Link::To(_) | Link::Away(_) => None,
        });
        broken.collect()
    }

    /// The values that the request gives, where sources of calls may depend on them. Errors in them are
    /// reported when they are read for the verdict.
    pub fn given_before(
        &self,
        request: &InputRequest,
        setting: JudgeSetting<'_>,
    ) -> Option<KnownInputs> {
        if !setting.release.has(&changes::SOURCE_VARIABLES) {
            return None;
        }
        let is_needed = match setting.release.product() {
            Product::Terraform => self.variables.values().any(|it| it.constant == Some(true)),
            // Arguments carry the values to sources of calls further down.
            Product::OpenTofu => !self.calls.is_empty(),
        };
        if !is_needed {
            return Some(KnownInputs::new());
        }
        let (layers, _) =
            inputs::read(setting.system, &mut Sources::new(), request, setting.release);
        let (values, _) =
            inputs::collect(&self.module.variables, layers, setting.release, setting.meter);
        Some(prepare::all(&self.module, &values, setting.meter).0)
    }

    /// Reads the called modules; returns their errors, which belong to stage 1.
    pub fn follow_calls(&mut self, reading: Reading<'_>) -> Diagnostics {
        let (tree, found) = ModuleTree::read(&mut self.module, reading, &self.distrust);
        (self.tree, self.judge) = (tree, OnceCell::new());
        found
    }

    /// Reads the called modules for commands that run where Terraform does: by their paths, from what
    /// `terraform init` wrote into `.terraform` (`TF_DATA_DIR` where that is set), and by the contracts that
    /// replace others. Returns the errors.
    pub fn follow_initialised(
        &mut self,
        request: &InputRequest,
        contracts: Option<&dyn ContractDirectories>,
        setting: JudgeSetting<'_>,
    ) -> Diagnostics {
        let JudgeSetting { system, release, meter, .. } = setting;
        let given = self.given_before(request, setting);
        let locator = &Locator::in_directory(system, &self.module.dir, contracts);
        self.follow_calls(Reading {
            system,
            options: &LoadOptions {
                release,
                keeps_blocks: self.module.blocks.is_some(),
                ..LoadOptions::default()
            },
            library: &Library::default(),
            locator,
            given: given.as_ref(),
            enters_broken: true,
            meter,
        })
    }

    /// The calls whose modules are here: each with the called module, and the shift of its files among
    /// these sources.
    pub fn called(&self) -> impl Iterator<Item = (&ModuleCall, &Shared, Shift)> {
        self.module.calls.values().filter_map(|call| {
            let Some(Link::To(place)) = self.tree.calls.get(&call.name) else { return None };
            let called = &self.tree.called[*place];
            Some((call, &*called.module, called.shift))
        })
    }

    /// The parts of the module that no verdict covers.
    pub fn not_judged(&self) -> Vec<NotJudged> {
        not_judged::of(&self.module, &self.tree)
    }

    pub fn sources_mut(&mut self) -> &mut Sources {
        &mut self.module.sources
    }

    pub fn judge(&self) -> &PreparedJudge {
        self.judge.get_or_init(|| {
            let original = self.original.as_ref();
            let is_shared = original.is_some() && self.distrust.is_empty();
            let kept = original.filter(|_| is_shared).and_then(|it| it.take_judge(&self.tree));
            let new = || PreparedJudge::new(&self.module, &self.tree);
            PreparedJudge { is_shared, ..kept.unwrap_or_else(new) }
        })
    }

    /// Judges the module without any inputs: errors that occur with every input, and, as notes, errors
    /// that occur with its defaults.
    pub fn judge_alone(&self, setting: JudgeSetting<'_>) -> Judgement {
        let none = Collected::new();
        // A module without variables is planned like this.
        let given = self.module.variables.is_empty().then_some(&none);
        self.judge().judge(&self.module, &self.tree, given, setting)
    }

    /// Like [`Loaded::judge_alone`], and goes on behind errors.
    pub fn judge_all_alone(&self, setting: JudgeSetting<'_>) -> Judgement {
        let mut unusable = self.distrust.variables.clone();
        unusable.extend(self.distrust.defaults.clone());
        let onward = Some(Onward::new(&unusable, &self.distrust));
        self.judge_alone(JudgeSetting { onward, ..setting })
    }

    /// Hides the secrets that the kept blocks of the module, and of what it calls, write down: arguments
    /// of `sensitive`, arguments of providers, values of sensitive outputs.
    pub fn hide_written(&mut self) {
        let modules = self.tree.called.iter().map(|it| (&it.module.module, it.shift));
        let modules = std::iter::once((&self.module, Shift::default())).chain(modules);
        let mut spans = Vec::new();
        for (module, shift) in modules {
            spans.extend(
                hide::written(module)
                    .into_iter()
                    .map(|(span, is_sensitive)| (span.shifted(shift), is_sensitive)),
            );
        }
        hide::hide_all(&mut self.module.sources, spans);
    }

    /// Stage 2: reads the sources of values, and hides their secrets.
    pub fn read(&mut self, system: &dyn System, request: &InputRequest) -> Read {
        let (layers, mut diagnostics) =
            inputs::read(system, &mut self.module.sources, request, self.module.release);
        hide::given(&mut self.module, &layers, &mut diagnostics);
        Read { layers, diagnostics }
    }

    /// Like [`Loaded::read`], for values that `read` gets from elsewhere: examples, and texts about the module. It adds
    /// their files to the sources.
    pub fn read_by(
        &mut self,
        read: impl FnOnce(&mut Sources) -> (Vec<Layer>, Diagnostics),
    ) -> Read {
        let (layers, mut diagnostics) = read(&mut self.module.sources);
        hide::given(&mut self.module, &layers, &mut diagnostics);
        Read { layers, diagnostics }
    }
}

impl Deref for Loaded {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.module
    }
}

/// Values as their sources give them, and the errors of the sources.
#[derive(Clone, Debug)]
pub struct Read {
    /// The sources of values; a later one wins.
    pub layers: Vec<Layer>,
    pub diagnostics: Diagnostics,
}

impl Read {
    /// Puts further sources on top, whose values win.
    pub fn overlaid(mut self, further: Read) -> Read {
        self.layers.extend(further.layers);
        self.diagnostics.extend(further.diagnostics);
        self
    }

    /// Sources without errors.
    pub fn of(layers: Vec<Layer>) -> Read {
        Read { layers, diagnostics: Vec::new() }
    }

    /// The same sources with the second value instead of the first for each name that a file sets twice, and these
    /// names. `None` if no file sets a name twice.
    pub fn with_second_values(&self) -> Option<(Read, HashSet<SmolStr>)> {
        if self.layers.iter().all(|it| it.repeated.is_empty()) {
            return None;
        }
        let (Read { mut layers, mut diagnostics }, mut names) = (self.clone(), HashSet::default());
        for layer in &mut layers {
            let mut seconds: IndexMap<SmolStr, ValuesEntry> = IndexMap::new();
            for (name, it) in layer.repeated.drain(..) {
                seconds.entry(name).or_insert(it);
            }
            // The error of each is that it is the second.
            diagnostics
                .retain(|it| seconds.values().all(|second| it.span() != Some(second.name_span)));
            names.extend(seconds.keys().cloned());
            layer.entries.extend(seconds);
        }
        (!names.is_empty()).then_some((Read { layers, diagnostics }, names))
    }

    /// Leaves out the values that contain a reading error. Returns the variables that these values are for, and the
    /// first error that may hide further values.
    pub fn trusted(&mut self) -> (Unusable, Option<Span>) {
        let (mut unusable, mut rest) = (Unusable::new(), None);
        for error in self.diagnostics.iter().filter(|it| it.is_error()) {
            let Some(by) = error.span() else { continue };
            let mut names = self.layers.iter().flat_map(|it| it.entries.values());
            // A name that is given twice keeps its first value.
            let first = error.labels.get(1).map(|it| it.span);
            if first.is_some() && names.any(|it| Some(it.name_span) == first) {
                continue;
            }
            rest.get_or_insert(by);
            let holds = |it: &ValuesEntry| {
                let value = it.given.span();
                it.name_span.file == by.file
                    && it.name_span.start <= by.start
                    && by.start <= value.end.max(it.name_span.end)
            };
            for layer in &mut self.layers {
                let first = layer.entries.values().next();
                if first.is_none_or(|it| it.name_span.file != by.file) {
                    continue;
                }
                layer.entries.retain(|name, it| {
                    let is_sound = !holds(it);
                    if !is_sound {
                        unusable.insert(name.clone(), Some(by));
                    }
                    is_sound
                });
            }
        }
        (unusable, rest)
    }

    /// Stage 3: evaluates the winning value of each variable. `module` is the one that the values were
    /// read for.
    pub fn collect<'a>(self, module: &'a Loaded, setting: JudgeSetting<'a>) -> Ready<'a> {
        let Read { layers, mut diagnostics } = self;
        let spans = layers.iter().flat_map(|it| &it.entries);
        let spans = spans.map(|(name, it)| (name.clone(), it.given.span())).collect();
        let (values, mut found) =
            inputs::collect(&module.variables, layers, setting.release, setting.meter);
        found.iter_mut().for_each(|it| hide::name(&module.sources, it));
        diagnostics.extend(found);
        let missing = inputs::without_value(&module.variables, &values);
        let missing = missing.map(|it| it.name.clone()).collect();
        Ready { module, setting, values, diagnostics, missing, spans }
    }
}

/// A module with the values that its variables are given, before conversion.
pub struct Ready<'a> {
    module: &'a Loaded,
    setting: JudgeSetting<'a>,
    pub values: Collected,
    /// Diagnostics of reading and collecting.
    pub diagnostics: Diagnostics,
    /// The required variables without a value, in the order of declaration. Each caller decides whether that is an
    /// error.
    pub missing: Vec<SmolStr>,
    /// Where each winning value is, whether or not it can be evaluated.
    spans: HashMap<SmolStr, Span>,
}

impl Ready<'_> {
    /// Makes variables unknown whose values come from elsewhere, such as a pipeline, unless these inputs give them
    /// a value. What depends on one is undecided.
    pub fn leave_open(&mut self, comes_from_elsewhere: impl Fn(&str) -> bool) {
        for (name, variable) in &self.module.variables {
            if !comes_from_elsewhere(name) || self.values.contains_key(name) {
                continue;
            }
            self.missing.retain(|it| it != name);
            // A value with an error is reported, and does not become unknown.
            if self.diagnostics.iter().any(|it| it.is_error() && it.variable.as_ref() == Some(name))
            {
                continue;
            }
            self.values.insert(name.clone(), Input::open(variable));
        }
    }

    /// Stages 4 and 5; they are skipped after errors of the earlier ones.
    pub fn judge(&self) -> Judgement {
        let diagnostics = self.diagnostics.iter().cloned();
        if self.has_errors() {
            return unread(diagnostics.chain(self.of_missing()).collect());
        }
        let mut judgement = self.module.judge().judge(
            self.module,
            &self.module.tree,
            Some(&self.values),
            self.setting,
        );
        judgement.diagnostics.splice(0..0, diagnostics);
        judgement
    }

    /// Whether Terraform judges nothing with these values.
    fn has_errors(&self) -> bool {
        !self.missing.is_empty() || has_errors(&self.diagnostics)
    }

    /// The errors about the missing variables.
    fn of_missing(&self) -> impl Iterator<Item = Diagnostic> {
        let missing = self.missing.iter().filter_map(|it| self.module.variables.get(it));
        missing.map(inputs::missing)
    }

    /// Leaves out the values that cannot be used, and adds those in which an error was found when they were
    /// evaluated.
    pub fn leave_out(&mut self, unusable: &mut Unusable) {
        self.values.retain(|name, _| !unusable.contains_key(name));
        for (name, variable) in &self.module.variables {
            let Some(span) = self.spans.get(name).filter(|_| !self.values.contains_key(name))
            else {
                continue;
            };
            // Of a secret only the declaration is shown.
            let is_about = |it: &Span| {
                *it == variable.span
                    || it.file == span.file && span.start <= it.start && it.end <= span.end
            };
            let errors =
                self.diagnostics.iter().filter(|it| it.rule == lints::INVALID_INPUT_SYNTAX);
            let by = errors.filter_map(Diagnostic::span).find(is_about).unwrap_or(*span);
            unusable.entry(name.clone()).or_insert(Some(by));
        }
    }

    /// Adds the variables whose values are uncertain because of the module's own errors: those of uncertain types, and
    /// those that are not given and have uncertain defaults.
    pub fn add_distrusted(&self, unusable: &mut Unusable) {
        let Distrust { variables, defaults, .. } = &self.module.distrust;
        let unset = defaults.iter().filter(|it| !self.values.contains_key(it.0));
        unusable.extend(unset.chain(variables).map(|(name, by)| (name.clone(), *by)));
    }

    /// Everything that can be judged, whatever failed in any stage. `unusable`: the variables whose given values
    /// cannot be used, which are left out of the values. Diagnostics of the earlier stages are not repeated.
    pub fn judge_all(&self, unusable: &Unusable) -> Judgement {
        self.judge_onward(unusable, |judge, module, setting| {
            judge.judge(module, &module.tree, Some(&self.values), setting)
        })
    }

    /// Like [`Ready::judge_all`], for values that somebody completes: what does not follow from the given values is
    /// left out. That is cheaper where little depends on them.
    pub fn judge_partial(&self, unusable: &Unusable) -> Judgement {
        self.judge_onward(unusable, |judge, module, setting| {
            judge.judge_partial(module, &module.tree, &self.values, setting)
        })
    }

    fn judge_onward(
        &self,
        unusable: &Unusable,
        judge: impl FnOnce(&PreparedJudge, &Loaded, JudgeSetting<'_>) -> Judgement,
    ) -> Judgement {
        let mut unusable = unusable.clone();
        self.add_distrusted(&mut unusable);
        for (name, variable) in &self.module.variables {
            if variable.is_required() && !self.values.contains_key(name) {
                unusable.entry(name.clone()).or_insert(None);
            }
        }
        let onward = Some(Onward::new(&unusable, &self.module.distrust));
        judge(self.module.judge(), self.module, JudgeSetting { onward, ..self.setting })
    }

    /// The values of resources, data sources and calls, by kind and name, where the inputs determine them.
    pub fn objects(&self) -> HashMap<(SmolStr, SmolStr), Value> {
        let Loaded { module, tree, .. } = self.module;
        self.module.judge().objects(module, tree, &self.values, self.setting)
    }

    /// The release whose verdict this is.
    pub fn release(&self) -> Release {
        self.setting.release
    }

    /// Reads the module, and all that it calls, as they are written, with the known values. What a part that was
    /// not read gives is undecided. Errors: a cycle.
    pub fn written<T>(
        &self,
        rest: Rest,
        read: impl FnOnce(&Written<'_>) -> T,
    ) -> Result<T, Diagnostics> {
        let Loaded { module, tree, distrust, .. } = self.module;
        let none = Unusable::new();
        let onward = (!distrust.holes.is_empty()).then(|| Onward::new(&none, distrust));
        let setting = JudgeSetting { onward, ..self.setting };
        self.module.judge().written(module, tree, &self.values, rest, setting, read)
    }

    /// The variables' values after conversion, and the errors of variables that have none. Rules are not
    /// judged.
    pub fn final_values(&self) -> (BTreeMap<SmolStr, Value>, Diagnostics) {
        prepare::all(self.module, &self.values, self.setting.meter)
    }
}

/// All five stages. `loading` holds the diagnostics of loading the module (stage 1).
pub fn plan(
    module: &mut Loaded,
    loading: Diagnostics,
    request: &InputRequest,
    setting: JudgeSetting<'_>,
) -> Judgement {
    // The release is checked after the values are collected, and before any is judged.
    let is_unmet = |it: &Diagnostic| it.rule == lints::UNSUPPORTED_VERSION;
    let (unmet, mut diagnostics): (Diagnostics, Diagnostics) =
        loading.into_iter().partition(is_unmet);
    if has_errors(&diagnostics) {
        // Releases that read the values first report the errors of the values alone.
        if setting.release.has(&changes::VALUES_FIRST) {
            let read = module.read(setting.system, request);
            if has_errors(&read.diagnostics) {
                return unread(read.diagnostics);
            }
        }
        return unread(diagnostics);
    }
    if module.release.has(&changes::CALLS_AT_INIT)
        && let Some(judgement) = module.judge().misnamed()
    {
        return judgement;
    }
    let selected = request
        .environment
        .then(|| selected_workspace(setting.system, &request.dir, setting.release));
    let workspace = match selected.transpose() {
        Ok(it) => it.flatten(),
        Err(problem) => {
            diagnostics.push(problem);
            return Judgement::rejected(diagnostics);
        }
    };
    let has_files = module.sources.files().next().is_some();
    let mut read = module.read(setting.system, request);
    read.diagnostics.splice(0..0, diagnostics);
    read.diagnostics.extend((!has_files).then(no_files));
    if has_errors(&read.diagnostics) {
        return unread(read.diagnostics);
    }
    let mut ready =
        read.collect(module, JudgeSetting { workspace: workspace.as_deref(), ..setting });
    if !ready.has_errors() {
        ready.diagnostics.extend(unmet);
    }
    ready.judge()
}

/// Everything that can be judged, whatever stage fails first; as [`plan`] otherwise.
pub fn plan_all(
    module: &mut Loaded,
    mut loading: Diagnostics,
    request: &InputRequest,
    setting: JudgeSetting<'_>,
) -> Judgement {
    module.distrust(&mut loading);
    let selected = request
        .environment
        .then(|| selected_workspace(setting.system, &request.dir, setting.release));
    let workspace = selected.and_then(Result::ok).flatten();
    let mut read = module.read(setting.system, request);
    let (mut unusable, unread) = read.trusted();
    let setting = JudgeSetting { workspace: workspace.as_deref(), ..setting };
    let mut ready = read.collect(module, setting);
    ready.leave_out(&mut unusable);
    let mut diagnostics = std::mem::take(&mut ready.diagnostics);
    // What is missing may be in a part that was not read.
    ready.missing.retain(|it| unread.is_none() && !unusable.contains_key(it));
    for it in ready.of_missing() {
        if let Some(name) = &it.variable {
            unusable.insert(name.clone(), it.span());
        }
        diagnostics.push(it);
    }
    if let Some(by) = unread {
        let others = module.variables.keys().filter(|it| !ready.values.contains_key(*it));
        others.for_each(|it| _ = unusable.entry(it.clone()).or_insert(Some(by)));
    }
    let mut judgement = ready.judge_all(&unusable);
    judgement.diagnostics.splice(0..0, loading.into_iter().chain(diagnostics));
    judgement
}

/// The error for a directory without a module; Terraform plans nothing there.
fn no_files() -> Diagnostic {
    let detail = "The directory contains no Terraform configuration files.";
    Diagnostic::new(&lints::INVALID_MODULE, "No configuration files").detail(detail)
}
