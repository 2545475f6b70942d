//! The verdict of `terraform plan` on a module's inputs, in its own five stages.
//!
//! A module, what it calls and the sources of its values go in. A [`Judgement`] comes out: accept,
//! reject or undecided, the diagnostics, and the values of the variables.
//!
//! 1. Load the module (`module`) and the modules that it calls ([`tree`]): [`Loaded`].
//! 2. Read every source of values (`inputs`): [`Read`].
//! 3. Collect the winning value of each variable (`inputs`): [`Ready`].
//! 4. The static pass: a walk over all blocks in which every variable is unknown but typed. An error
//!    here occurs with any input.
//! 5. The real pass: the same walk with the values.
//!
//! An error in one stage hides the later ones, as in Terraform. For example: if one line of `prod.tfvars` does not
//! parse and another breaks a rule, both report only the first error. With [`JudgeSetting::onward`] a judge goes on
//! after errors instead, for `check` and editors: everything that can be judged is judged, and each part that an error
//! keeps from being judged is a [`BlockedPart`].
//!
//! The way through the stages is a chain of types, so that no command can leave one out: secrets are
//! hidden as soon as a [`Loaded`] or a [`Read`] exists. A [`PreparedJudge`] keeps what is the same for all
//! inputs of a module, the order of its blocks and the static pass; the second values file costs only
//! the real pass.
//!
//! A condition that depends on values which only a plan knows is *undecided*, never guessed; so is one that
//! exceeds its budget. In the last two stages a certain error outweighs both: the verdict is then reject. A
//! part that no verdict covers at all, such as the arguments of a provider's resource, is a [`NotJudged`].

mod apart;
mod arguments;
mod awaited;
mod body;
mod built_in;
mod budget;
mod call;
mod cause;
mod distrust;
mod explain;
mod graph;
mod hide;
mod imports;
mod members;
mod moves;
mod not_judged;
mod older;
mod onward;
mod operands;
mod output;
mod pass;
mod pipeline;
mod instance;
mod plan_time;
mod prepare;
mod probe;
mod providers;
mod regardless;
mod remote_state;
mod repetition;
mod resource;
mod state_file;
mod shapes;
mod statements;
mod step;
mod storing;
pub mod tree;
mod triggers;
mod undecided;
mod unfailing;
mod validation;
pub mod written;

pub use arguments::{ArgumentsVerdict, judge_arguments, judge_arguments_of};
pub use budget::{MORE_WORK, report_budgets};
pub use distrust::Distrust;
pub use graph::expressions_in_use;
pub use not_judged::NotJudged;
pub use older::leave_to_older;
pub use onward::{BlockedPart, Hole, Onward, Unusable, in_hole};
pub use pipeline::{Loaded, Read, Ready, plan, plan_all};
pub use probe::{Others, Probe, Trial};
pub use repetition::instances;
pub use shapes::{Shape, Shapes};

use graph::Graph;
use members::Members;
use pass::Extent;
use tree::ModuleTree;
use unfailing::Unfailing;

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use diagnostics::{
    Cause, Diagnostic, Diagnostics, LevelReason, LintId, Role, Span, Verdict, has_errors, lints,
};
use hcl::is_too_deep;
use module::{
    Module, WordsOf,
    inputs::{Collected, Input},
};
use release::Release;
use system::{PartialSystem, RecordingSystem, System, SystemAnswers};
use tf_eval::{EvalHost, Meter, MeteredWork};
use tf_value::Value;

/// The values of variables that were not given one, when a written module is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Their defaults, or unknown values where they have none.
    Default,
    /// Unknown values: everything that is derived then holds for any value.
    Unknown,
}

/// The verdict on a module's inputs.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Errors of the first stage that found any; warnings of all stages that ran.
    pub diagnostics: Diagnostics,
    /// The variables' final values; a variable whose value could not be found is missing.
    pub values: BTreeMap<SmolStr, Value>,
    /// The parts that were not judged because of errors, if the rest was judged behind them.
    pub blocked: Vec<BlockedPart>,
}

impl Judgement {
    /// A rejection before any variable has its value.
    pub fn rejected(diagnostics: Diagnostics) -> Judgement {
        Judgement::without_values(Verdict::Reject, diagnostics)
    }

    fn without_values(verdict: Verdict, diagnostics: Diagnostics) -> Judgement {
        Judgement { verdict, diagnostics, values: BTreeMap::new(), blocked: Vec::new() }
    }
}

/// The surroundings of a judgement: everything that it needs besides the module and its inputs.
#[derive(Clone, Copy)]
pub struct JudgeSetting<'a> {
    pub system: &'a dyn System,
    /// Where relative paths of file functions start: Terraform's working directory.
    pub base_dir: &'a std::path::Path,
    pub release: Release,
    /// The selected workspace; `None` where nothing says how Terraform is run.
    pub workspace: Option<&'a str>,
    /// Whether missing things may be made before the plan: a file, as build artefacts are, or the configuration
    /// of a provider. A resource that uses such a file is then not judged, and neither is any other part that
    /// uses a missing file which git ignores, or which is there as seen from a directory further up.
    pub awaits: bool,
    /// Whether to judge everything that can be judged, whatever fails; `None` for Terraform's stages.
    pub onward: Option<Onward<'a>>,
    /// Counts the work.
    pub meter: &'a Meter,
    /// Puts the rules of a module in words, for the help of an error; `None` for errors without.
    pub words: Option<WordsOf>,
}

impl<'a> JudgeSetting<'a> {
    /// A setting in which no workspace is selected, and whatever is missing stays so.
    pub fn new(
        system: &'a dyn System,
        base_dir: &'a std::path::Path,
        release: Release,
        meter: &'a Meter,
    ) -> JudgeSetting<'a> {
        let (workspace, awaits, onward, words) = (None, false, None, None);
        JudgeSetting { system, base_dir, release, workspace, awaits, onward, meter, words }
    }

    /// Whether every reference is sound in the real pass, since the static pass checked it.
    fn has_checked_references(self) -> bool {
        self.onward.is_none_or(|it| it.is_checked)
    }

    /// The host for evaluations in this setting.
    pub fn host(self) -> EvalHost<'a> {
        EvalHost::metered(self.system, self.base_dir, self.release, self.meter)
            .awaiting(self.awaits)
    }
}

/// The parts of a judgement that are the same for all inputs of a module.
pub struct PreparedJudge {
    /// The order of evaluation.
    graph: Graph,
    /// The errors of cycles.
    cycles: Diagnostics,
    /// Errors in the names of calls, in what they hand over, and of provisioners, which no value changes.
    names: Diagnostics,
    /// Errors of `moved` and `removed` blocks.
    moves: Diagnostics,
    imports: Diagnostics,
    /// By Terraform's stages.
    staged: Memory,
    /// Behind all errors.
    onward: Memory,
    /// Whether a later run may use it.
    is_shared: bool,
}

/// What a judge keeps for the next inputs.
#[derive(Default)]
struct Memory {
    /// The static pass, once it has run.
    fixed: OnceCell<Fixed>,
    /// The static pass of an earlier run over the same module.
    earlier: Cell<Option<Fixed>>,
    /// The result of the last pass, if it did not depend on the time of the plan.
    last: RefCell<Option<Arc<pass::Result>>>,
    /// The passes with values of this run, in order; `None` where a later run cannot use one.
    passes: RefCell<Vec<Option<ValuedPass>>>,
    /// Those of an earlier run.
    earlier_passes: RefCell<VecDeque<Option<ValuedPass>>>,
}

impl Memory {
    /// What a later run may use.
    fn for_later(self) -> Memory {
        Memory {
            earlier: Cell::new(self.fixed.into_inner()),
            earlier_passes: RefCell::new(self.passes.into_inner().into()),
            ..Memory::default()
        }
    }

    /// The pass of an earlier run over the values that are judged next, if it would find the same with the same values.
    fn next_earlier(&self, setting: JudgeSetting<'_>) -> Option<ValuedPass> {
        let next = self.earlier_passes.borrow_mut().pop_front().flatten();
        next.filter(|it| it.grounds.are_same(setting))
    }

    /// A pass for a later run. It depended on `answers`, and where it used a pass of an earlier run on what that one
    /// depended on.
    fn valued(
        pass: Arc<pass::Result>,
        answers: SystemAnswers,
        earlier: Option<ValuedPass>,
        setting: JudgeSetting<'_>,
    ) -> Option<ValuedPass> {
        if pass.cost() > MOST_KEPT_WORK || setting.meter.is_exhausted() {
            return None;
        }
        let earlier = earlier.map(|it| it.grounds.answers).unwrap_or_default();
        let answers = answers.with_earlier(&earlier, MOST_KEPT_ANSWERS)?;
        let grounds = Grounds::new(answers, MeteredWork::default(), setting);
        Some(ValuedPass { pass, grounds })
    }
}

/// A pass with values, which a later run with other values can use in part.
struct ValuedPass {
    pass: Arc<pass::Result>,
    grounds: Grounds,
}

/// The work of a pass that is kept for a later run. Its values take memory, and work on them stays far below every
/// bound.
const MOST_KEPT_WORK: u64 = 1 << 20;

/// The answers of the system that a kept pass may depend on: each is asked for again before the pass is used.
const MOST_KEPT_ANSWERS: usize = 1000;

/// The static pass, which is the same for all inputs.
struct Fixed {
    diagnostics: Diagnostics,
    pass: Arc<pass::Result>,
    /// What a later run needs to use it; `None` where there is none.
    grounds: Option<Grounds>,
}

/// What a pass depended on besides the module and the values, and its work.
struct Grounds {
    answers: SystemAnswers,
    work: MeteredWork,
    awaits: bool,
    workspace: Option<String>,
}

impl Grounds {
    fn new(answers: SystemAnswers, work: MeteredWork, setting: JudgeSetting<'_>) -> Grounds {
        let JudgeSetting { awaits, workspace, .. } = setting;
        Grounds { answers, work, awaits, workspace: workspace.map(str::to_owned) }
    }

    /// Whether the pass would find the same now. Charges its work if it would.
    fn hold(&self, setting: JudgeSetting<'_>) -> bool {
        self.are_same(setting) && setting.meter.replay(&self.work)
    }

    /// Whether all that the pass depended on is the same now.
    fn are_same(&self, setting: JudgeSetting<'_>) -> bool {
        (self.awaits, self.workspace.as_deref()) == (setting.awaits, setting.workspace)
            && self.answers.hold(setting.system)
    }
}

impl PreparedJudge {
    pub fn new(module: &Module, tree: &ModuleTree) -> PreparedJudge {
        let members = Members::new(module, tree);
        let graph = Graph::new(&members);
        let cycles = graph.cycles.iter().map(|nodes| cycle(&members, &graph, nodes)).collect();
        let mut names = call::check_names(&members);
        names.extend(providers::check_calls(&members));
        for (index, it) in members.iter().enumerate() {
            let mut missing = built_in::missing_provisioners(it.module);
            missing.extend(built_in::constrained_configurations(it.module));
            missing.extend(built_in::metadata(it.module));
            names.extend(missing.into_iter().map(|it| members.own(index, it)));
        }
        let (moves, imports) = (moves::check(&members), moves::check_imports(&members));
        let (staged, onward) = (Memory::default(), Memory::default());
        let is_shared = false;
        PreparedJudge { graph, cycles, names, moves, imports, staged, onward, is_shared }
    }

    /// The same judge for a later run over the same module.
    fn for_later(self) -> PreparedJudge {
        let (staged, onward) = (self.staged.for_later(), self.onward.for_later());
        PreparedJudge { staged, onward, ..self }
    }

    /// The verdict where a call lacks an argument, or has one that the called module does not know.
    fn misnamed(&self) -> Option<Judgement> {
        (!self.names.is_empty()).then(|| Judgement::rejected(self.names.clone()))
    }

    /// The errors in the names of calls, without those that a part may explain which was not read.
    fn certain_names(
        &self,
        members: &Members<'_>,
        onward: Onward<'_>,
        blocked: &mut Vec<BlockedPart>,
    ) -> Diagnostics {
        let mut names = self.names.clone();
        names.retain(|it| {
            let Some(by) = distrust::uncertain_argument(members, onward, it) else { return true };
            let name = it.variable.as_deref().unwrap_or_default();
            let part = format!("{}.var.{name}", it.address);
            blocked.push(BlockedPart { part, variable: None, by, is_own: false });
            false
        });
        names
    }

    /// The first cycle, which ends Terraform's work.
    fn cycle(&self) -> Option<Diagnostics> {
        self.cycles.first().map(|it| vec![it.clone()])
    }

    /// Stages 4 and 5. `module` and `tree` are those that the judge was made for, and `setting` is the
    /// same every time. The earlier stages must have found no error, unless the setting goes on behind errors.
    /// Without inputs the variables have their defaults, and an error that follows from them is a note.
    pub fn judge(
        &self,
        module: &Module,
        tree: &ModuleTree,
        collected: Option<&Collected>,
        setting: JudgeSetting<'_>,
    ) -> Judgement {
        let goes_on = setting.onward.is_some();
        let memory = if goes_on { &self.onward } else { &self.staged };
        if !goes_on && let Some(judgement) = self.misnamed() {
            return judgement;
        }
        if !goes_on && let Some(cycle) = self.cycle() {
            return Judgement::rejected(cycle);
        }
        let members = Members::new(module, tree);
        let fixed = self.fixed(&members, memory, setting);
        let is_sound = is_sound(fixed);
        if !goes_on && !is_sound {
            return Judgement::rejected(fixed.clone());
        }
        if !goes_on && !self.moves.is_empty() {
            return Judgement::rejected(self.moves.clone());
        }
        let setting = checked(setting, is_sound, &members);
        let given = collected.map_or(pass::Inputs::Defaults, pass::Inputs::Given);
        let last = memory.last.take().filter(|it| it.is_static || collected.is_some());
        let earlier = collected.and_then(|_| memory.next_earlier(setting));
        let (before, is_earlier) = (earlier.as_ref().map(|it| &it.pass), earlier.is_some());
        let before = before.or(last.as_ref()).map(|it| &**it);
        let extent = Extent { before, is_earlier, ..Extent::default() };
        let recording = RecordingSystem::new(setting.system);
        let system: &dyn System = if self.is_shared { &recording } else { setting.system };
        let own = JudgeSetting { system, ..setting };
        let mut real = self.real(&members, given, own, extent);
        let moved = moves::check_instances(&members, &real.kept);
        if !goes_on && !moved.is_empty() {
            return Judgement::rejected(moved);
        }
        let (values, mut blocked) = (real.values.clone(), std::mem::take(&mut real.blocked));
        // What no value changes, and what one may change.
        let (mut certain, mut open) = (Diagnostics::new(), Diagnostics::new());
        if let Some(onward) = setting.onward {
            certain.extend(self.certain_names(&members, onward, &mut blocked));
            certain.extend(self.cycles.iter().cloned());
        }
        let is_kept = |it: &&Diagnostic| it.is_error() || is_open_reference(it);
        certain.extend(fixed.iter().filter(is_kept).cloned());
        if goes_on {
            certain.extend(self.moves.iter().cloned());
            // An error that no value changes may be found again, in other words.
            let found: HashSet<_> = certain.iter().chain(&moved).map(identity).collect();
            real.diagnostics.retain(|it| !it.is_error() || !found.contains(&identity(it)));
            open.extend(moved);
        }
        open.extend(self.imports.iter().cloned());
        open.extend(moves::check_imported(&members, &real.kept));
        if let Some(onward) = setting.onward.filter(|it| it.is_partial(&members)) {
            let is_trusted = |it: &Diagnostic| distrust::uncertain(&members, onward, it).is_none();
            certain.retain(is_trusted);
            open.retain(is_trusted);
        }
        if setting.awaits {
            open.extend(providers::awaited(&members));
        }
        open.append(&mut real.diagnostics);
        if collected.is_some() {
            let real = (!real.is_timed).then(|| Arc::new(real));
            if self.is_shared {
                let answers = recording.into_answers();
                let known = |real| Memory::valued(real, answers, earlier, setting);
                memory.passes.borrow_mut().push(real.clone().and_then(known));
            }
            if let Some(real) = real {
                memory.last.replace(Some(real));
            }
        }
        if let Some(collected) = collected {
            open.extend(storing::check(module, collected));
        }
        // Instances may give the same diagnostic, which is reported once.
        let mut seen = HashSet::default();
        certain.retain(|it| seen.insert(it.clone()));
        open.retain(|it| seen.insert(it.clone()));
        if collected.is_none() && has_errors(&open) {
            let lasting = self.lasting(module, &members, setting);
            let lasts = |it: &Diagnostic| lasting.errors.contains(&identity(it));
            let of_defaults = |it| if lasts(&it) { it } else { of_defaults(it) };
            open = open.into_iter().map(of_defaults).collect();
        }
        let mut diagnostics = certain;
        diagnostics.append(&mut open);
        let verdict = verdict_of(&diagnostics);
        Judgement { verdict, diagnostics, values, blocked }
    }

    /// What fails whatever the variables and the files are: the errors that a plan of unknown values finds too.
    fn lasting(
        &self,
        module: &Module,
        members: &Members<'_>,
        setting: JudgeSetting<'_>,
    ) -> Failures {
        let system = PartialSystem::new(setting.system);
        let setting = JudgeSetting { system: &system, ..setting };
        let opened = opened(module, &Collected::default(), |_| true);
        let inputs = pass::Inputs::Given(&opened);
        let mut found = self.real(members, inputs, setting, Extent::default());
        found.diagnostics.extend(self.imports.iter().cloned());
        found.diagnostics.extend(moves::check_imported(members, &found.kept));
        Failures::of(&found)
    }

    /// The verdict on partial inputs, behind errors: on the given values, their rules, and what depends on them. Errors
    /// that no other value mends are left out. Those that a variable which is not set may mend are
    /// [of a default](Diagnostic::of_default). Files that are missing may be there elsewhere. `module`, `tree` and
    /// `setting` are as in [`PreparedJudge::judge`].
    fn judge_partial(
        &self,
        module: &Module,
        tree: &ModuleTree,
        collected: &Collected,
        setting: JudgeSetting<'_>,
    ) -> Judgement {
        let members = Members::new(module, tree);
        let fixed = self.fixed(&members, &self.onward, setting);
        let system = PartialSystem::new(setting.system);
        let setting =
            JudgeSetting { system: &system, ..checked(setting, is_sound(fixed), &members) };
        let unusable = setting.onward.map(|it| it.unusable);
        let is_broken =
            |name: &str| unusable.and_then(|it| it.get(name)).is_some_and(Option::is_some);
        let is_known = |name: &str| collected.get(name).is_some_and(|it| it.value.is_known());
        let mut told = self.graph.behind(|name| is_known(name) || is_broken(name));
        // What is behind a broken value is listed as not judged.
        let is_any_broken = unusable.is_some_and(|it| it.values().any(Option::is_some));
        let barred = if is_any_broken { self.graph.behind(is_broken) } else { Vec::new() };
        let JudgeSetting { release, awaits: is_called, .. } = setting;
        let unfailing = Unfailing { module, given: collected, release, is_called };
        for (at, step) in self.graph.order.iter().enumerate() {
            let is_barred = barred.get(at).copied().unwrap_or_default();
            told[at] = told[at] && (is_barred || !unfailing.holds(step));
        }
        let wanted = self.graph.with_needs(&told);
        let last = self.onward.last.borrow();
        let (wanted, told) = (Some(&*wanted), Some(&*told));
        let extent = Extent { wanted, told, before: last.as_deref(), ..Extent::default() };
        let run =
            |given: &Collected| self.real(&members, pass::Inputs::Given(given), setting, extent);
        let mut real = run(collected);
        let (values, blocked) = (real.values.clone(), std::mem::take(&mut real.blocked));
        let mut diagnostics = std::mem::take(&mut real.diagnostics);
        if has_errors(&diagnostics) {
            let others = Failures::of(&run(&opened(module, collected, |is_set| is_set)));
            diagnostics.retain(|it| !it.is_error() || !others.hold(it));
            if has_errors(&diagnostics) {
                let certain = Failures::of(&run(&opened(module, collected, |is_set| !is_set)));
                diagnostics.iter_mut().for_each(|it| it.of_default = !certain.hold(it));
            }
        }
        diagnostics.extend(storing::check(module, collected));
        let mut seen = HashSet::default();
        diagnostics.retain(|it| seen.insert(it.clone()));
        Judgement { verdict: verdict_of(&diagnostics), diagnostics, values, blocked }
    }

    /// The pass with values.
    fn real(
        &self,
        members: &Members<'_>,
        inputs: pass::Inputs<'_>,
        setting: JudgeSetting<'_>,
        extent: Extent<'_>,
    ) -> pass::Result {
        let run = |extent| pass::run(members, &self.graph, inputs, setting, extent);
        let real = run(extent);
        let at = |time| run(Extent { plan_time: Some(time), before: None, ..extent });
        let timed = real.is_timed.then(|| plan_time::run(setting.system.now(), at));
        timed.flatten().unwrap_or(real)
    }

    /// The diagnostics of the static pass.
    fn fixed<'m>(
        &self,
        members: &Members<'_>,
        memory: &'m Memory,
        setting: JudgeSetting<'_>,
    ) -> &'m Diagnostics {
        let fixed = memory.fixed.get_or_init(|| {
            let earlier = memory.earlier.take();
            let holds =
                |it: &Fixed| it.grounds.as_ref().is_some_and(|grounds| grounds.hold(setting));
            let fixed = earlier.filter(holds).unwrap_or_else(|| {
                // Later passes rest on this one.
                memory.earlier_passes.borrow_mut().clear();
                self.found(members, setting)
            });
            memory.last.replace(Some(Arc::clone(&fixed.pass)));
            fixed
        });
        &fixed.diagnostics
    }

    /// Runs the static pass.
    fn found(&self, members: &Members<'_>, setting: JudgeSetting<'_>) -> Fixed {
        let recording = RecordingSystem::new(setting.system);
        let system: &dyn System = if self.is_shared { &recording } else { setting.system };
        let (inputs, own) = (pass::Inputs::Unknown, JudgeSetting { system, ..setting });
        let run = || pass::run(members, &self.graph, inputs, own, Extent::default());
        let (mut pass, work) = setting.meter.noting(run);
        let mut diagnostics = std::mem::take(&mut pass.diagnostics);
        diagnostics.extend(moves::check_import_keys(members));
        diagnostics.extend(providers::check(members, setting.awaits));
        // What a budget cut short is not all.
        let is_whole = self.is_shared && !setting.meter.is_exhausted();
        let grounds = is_whole.then(|| Grounds::new(recording.into_answers(), work, setting));
        Fixed { diagnostics, pass: Arc::new(pass), grounds }
    }

    /// Walks the module with the known values and hands the result to `read`. Errors: a cycle, which
    /// stops the walk.
    fn written<T>(
        &self,
        module: &Module,
        tree: &ModuleTree,
        collected: &Collected,
        rest: Rest,
        setting: JudgeSetting<'_>,
        read: impl FnOnce(&written::Written<'_>) -> T,
    ) -> Result<T, Diagnostics> {
        if let Some(cycle) = self.cycle() {
            return Err(cycle);
        }
        let graph = &self.graph.read_from_outside();
        let members = Members::new(module, tree);
        let host = setting.host();
        let inputs = pass::Inputs::Partly(collected, rest);
        let (pass, ..) = pass::walk(&members, graph, inputs, setting, &host, Extent::default());
        Ok(read(&written::Written::new(&pass)))
    }

    /// The values of resources, data sources and calls, by kind and name, where the inputs determine them. A
    /// value whose evaluation fails is unknown.
    pub fn objects(
        &self,
        module: &Module,
        tree: &ModuleTree,
        collected: &Collected,
        setting: JudgeSetting<'_>,
    ) -> HashMap<(SmolStr, SmolStr), Value> {
        if !self.cycles.is_empty() {
            return HashMap::default();
        }
        let members = Members::new(module, tree);
        let given = pass::Inputs::Given(collected);
        let graph = &self.graph.read_from_outside();
        let mut found = pass::run(&members, graph, given, setting, Extent::default());
        std::mem::take(&mut found.kept[0][0].known.objects)
    }
}

/// Whether the static pass found no error. A part that exceeds the budget does not keep the rest from being judged.
fn is_sound(fixed: &Diagnostics) -> bool {
    !fixed.iter().any(|it| it.is_error() && it.rule != lints::BUDGET_EXCEEDED)
}

/// The setting of the pass with values, which follows the static one. A reference to something that was not read is
/// not an error, but it is not sound either.
fn checked<'a>(
    setting: JudgeSetting<'a>,
    is_sound: bool,
    members: &Members<'_>,
) -> JudgeSetting<'a> {
    let is_checked = |it: Onward<'_>| is_sound && !it.is_partial(members);
    let onward = setting.onward.map(|it| Onward { is_checked: is_checked(it), ..it });
    JudgeSetting { onward, ..setting }
}

/// What fails in a pass.
struct Failures {
    errors: HashSet<(LintId, Option<Span>, SmolStr, Option<usize>)>,
    /// Errors of instances that may not exist.
    of_instances: HashSet<(Option<Span>, SmolStr)>,
}

impl Failures {
    fn of(found: &pass::Result) -> Failures {
        let errors = found.diagnostics.iter().filter(|it| it.is_error()).map(identity).collect();
        let is_of_instance = |it: &&Diagnostic| it.cause == Some(Cause::Instance);
        let of_instances = found.diagnostics.iter().filter(is_of_instance);
        let of_instances = of_instances.map(|it| (it.span(), it.address.clone())).collect();
        Failures { errors, of_instances }
    }

    /// Whether the error is one of them.
    fn hold(&self, it: &Diagnostic) -> bool {
        self.errors.contains(&identity(it))
            || self.of_instances.contains(&(it.span(), it.address.clone()))
    }
}

/// The same values, and unknown ones for some variables: those that are set, or the others. Null sets nothing.
fn opened(module: &Module, collected: &Collected, is_open: impl Fn(bool) -> bool) -> Collected {
    let mut opened = collected.clone();
    for (name, variable) in &module.variables {
        if is_open(collected.get(name).is_some_and(|it| !it.value.is_null())) {
            opened.insert(name.clone(), Input::open(variable));
        }
    }
    opened
}

/// The verdict that follows from the diagnostics.
pub fn verdict_of(diagnostics: &Diagnostics) -> Verdict {
    if diagnostics.iter().any(|it| it.is_error() && !is_limit(it)) {
        Verdict::Reject
    } else if diagnostics.iter().any(|it| it.rule == lints::UNDECIDED_VALIDATION || is_limit(it)) {
        Verdict::Undecided
    } else {
        Verdict::Accept
    }
}

/// Makes an error a note: it fails with defaults alone, and may hold with values that somebody gives.
fn of_defaults(it: Diagnostic) -> Diagnostic {
    if !it.is_error() || is_limit(&it) {
        return it;
    }
    let help = "it fails with the defaults alone; a value may change that";
    it.because(LevelReason::OfDefaults).help(help)
}

/// Whether a diagnostic leaves open whether a name is declared. Only the static pass checks references.
fn is_open_reference(it: &Diagnostic) -> bool {
    it.rule == lints::UNDECIDED_VALIDATION && matches!(it.cause, Some(Cause::Reference(_)))
}

/// Whether a diagnostic says only that our work ended here; Terraform may accept the input.
fn is_limit(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.is_one_of(&[&lints::BUDGET_EXCEEDED, &lints::OUTSIDE_ROOT])
        || is_too_deep(diagnostic)
}

/// The verdict after errors of reading. Where something could not be read, the other errors may follow
/// from that.
fn unread(diagnostics: Diagnostics) -> Judgement {
    let (limits, others): (Diagnostics, Diagnostics) = diagnostics.into_iter().partition(is_limit);
    if limits.is_empty() {
        return Judgement::rejected(others);
    }
    Judgement::without_values(Verdict::Undecided, limits)
}

/// What distinguishes two errors that one mistake causes.
fn identity(it: &Diagnostic) -> (LintId, Option<Span>, SmolStr, Option<usize>) {
    (it.rule.clone(), it.span(), it.address.clone(), it.validation)
}

fn cycle(members: &Members<'_>, graph: &Graph, nodes: &[usize]) -> Diagnostic {
    let nodes = nodes.iter().map(|it| &graph.order[*it]);
    let name = |it: &graph::Task| {
        let address = members.get(it.member).address;
        let separator = if address.is_empty() { "" } else { "." };
        Some(format!("{address}{separator}{}", it.node.name()?))
    };
    let names: Vec<String> = nodes.clone().filter_map(name).collect();
    let called = nodes.clone().map(|it| members.get(it.member).address);
    let called = called.filter(|it| !it.is_empty()).map(SmolStr::from).collect();
    let mut diagnostic =
        Diagnostic::new(&lints::FAILED_EVALUATION, "Cycle").detail(names.join(" -> "));
    diagnostic = diagnostic.cause(Cause::Cycle(called));
    for it in nodes {
        let member = members.get(it.member);
        if let Some(span) = it.node.span(member.module) {
            diagnostic = diagnostic.at(Role::Declaration, span.shifted(member.shift));
        }
    }
    diagnostic
}
