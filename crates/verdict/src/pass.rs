//! One walk over the graph, with unknown values (stage 4) or the real ones (stage 5).

use std::{cell::OnceCell, collections::BTreeMap, sync::Arc, time::SystemTime};

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::{
    JudgeSetting, Rest,
    graph::{Graph, Node, Task},
    instance::{CALL, Kept, MemberInstance, Whole},
    members::Members,
    onward::{BlockedPart, Fate},
    repetition::Expansion,
};
use diagnostics::{Diagnostic, Diagnostics, Span, has_errors};
use module::{
    RuleWords,
    inputs::{Collected, GivenValue},
};
use tf_eval::EvalHost;
use tf_value::Value;

/// The values of the root module's variables during a walk.
#[derive(Clone, Copy)]
pub(super) enum Inputs<'a> {
    /// Unknown, of their declared types: Terraform's static pass.
    Unknown,
    /// Like `Unknown`, for a called module with any caller: its variables' rules are judged with each call.
    Anywhere,
    Given(&'a Collected),
    /// Their defaults; unknown where they have none. Nobody plans like this: an error may vanish with
    /// real values.
    Defaults,
    /// The given values, and `Rest` for the others. No rule is judged.
    Partly(&'a Collected, Rest),
}

impl Inputs<'_> {
    pub fn is_static(self) -> bool {
        matches!(self, Inputs::Unknown | Inputs::Anywhere)
    }
}

/// What a walk found.
pub(super) struct Result {
    pub diagnostics: Diagnostics,
    /// The parts that are not judged because of errors.
    pub blocked: Vec<BlockedPart>,
    /// The final values of the root module's variables.
    pub values: BTreeMap<SmolStr, Value>,
    /// Whether an expression asked for the time of the plan.
    pub is_timed: bool,
    /// The source of each given value.
    given: HashMap<SmolStr, Arc<GivenValue>>,
    pub is_static: bool,
    /// The values found for each instance of each member.
    pub kept: Vec<Vec<Kept>>,
    /// For each step, whether it was reached and produced no diagnostic.
    quiet: Vec<bool>,
    /// For each step, its work, without that on the values of calls; `None` if it was not evaluated.
    costs: Vec<Option<u64>>,
}

impl Result {
    /// The work of all steps.
    pub fn cost(&self) -> u64 {
        self.costs.iter().flatten().sum()
    }
}

/// How much of a graph is walked, and what is known before.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent<'a> {
    /// For each step, whether it is part of the walk, with all that it waits for; `None` for all steps.
    pub wanted: Option<&'a [bool]>,
    /// For each step, whether what is found in it is kept; `None` for all steps.
    pub told: Option<&'a [bool]>,
    /// The time of the plan, where it is known.
    pub plan_time: Option<SystemTime>,
    /// The result of a walk that differed in its values only; nodes whose dependencies did not change since are not
    /// evaluated again.
    pub before: Option<&'a Result>,
    /// Whether `before` is of an earlier run. What it spares is then charged, since the cost of a verdict must not
    /// depend on earlier verdicts.
    pub is_earlier: bool,
}

/// Walks the graph.
pub(super) fn run(
    members: &Members<'_>,
    graph: &Graph,
    inputs: Inputs<'_>,
    setting: JudgeSetting<'_>,
    extent: Extent<'_>,
) -> Result {
    let host = match extent.plan_time {
        Some(time) => setting.host().at(time),
        None => setting.host(),
    };
    let (pass, quiet, costs) = walk(members, graph, inputs, setting, &host, extent);
    let Pass { diagnostics, blocked, instances, .. } = pass;
    let kept: Vec<Vec<Kept>> = instances
        .into_iter()
        .map(|it| it.into_iter().map(MemberInstance::into_kept).collect())
        .collect();
    let given = match inputs {
        Inputs::Unknown | Inputs::Anywhere | Inputs::Defaults => HashMap::default(),
        Inputs::Given(it) | Inputs::Partly(it, _) => {
            it.iter().map(|(name, it)| (name.clone(), Arc::clone(&it.given))).collect()
        }
    };
    let values = kept[0][0].known.variables.clone();
    let (is_timed, is_static) = (host.is_timed(), inputs.is_static());
    Result { diagnostics, blocked, values, is_timed, given, is_static, kept, quiet, costs }
}

/// The walk itself; returns its final state, and for each step whether it was reached and produced no
/// diagnostic, and its work.
pub(super) fn walk<'a>(
    members: &'a Members<'a>,
    graph: &'a Graph,
    inputs: Inputs<'a>,
    setting: JudgeSetting<'a>,
    host: &'a EvalHost<'a>,
    Extent { wanted, told, before, is_earlier, .. }: Extent<'_>,
) -> (Pass<'a>, Vec<bool>, Vec<Option<u64>>) {
    let mut pass = Pass::new(members, graph, inputs, setting, host);
    let mut costs = Vec::with_capacity(graph.order.len());
    // `same`: the same result as before.
    let (mut fates, mut same, mut quiet) = (Vec::<Fate>::new(), Vec::new(), Vec::new());
    let goes_on = setting.onward.is_some();
    for (position, step) in graph.order.iter().enumerate() {
        if wanted.is_some_and(|it| !it[position]) {
            // Nothing that is wanted waits for it.
            same.push(false);
            quiet.push(false);
            costs.push(None);
            fates.push(Fate::Open);
            continue;
        }
        let (count, spent) = (pass.diagnostics.len(), setting.meter.spent());
        let of_calls = pass.work_of_calls;
        // A written module is read even where something else fails.
        let is_partly = matches!(inputs, Inputs::Partly(..));
        let barrier = pass.barrier(graph, position, &fates);
        let is_reached = if goes_on {
            barrier.is_none()
        } else {
            is_partly || !step.waits_for.iter().any(|it| fates[*it].is_failed())
        };
        let unchanged = before.filter(|before| {
            before.quiet[position]
                && step.waits_for.iter().all(|it| same.get(*it).copied().unwrap_or_default())
                && (!before.is_static || pass.is_settled(step, before))
        });
        let mut is_evaluated = false;
        same.push(match unchanged.filter(|_| is_reached) {
            Some(before) => {
                if let Some(cost) = before.costs[position].filter(|_| is_earlier) {
                    pass.put_together(pass.scope(step));
                    // A value of the root module is converted again.
                    let is_root_value = step.member == 0 && matches!(step.node, Node::Value(_));
                    setting.meter.charge(if is_root_value { 0 } else { cost });
                    is_evaluated = true;
                }
                pass.repeat(step, before)
            }
            None if is_reached && pass.is_quiet(step) => false,
            None if is_reached => {
                pass.evaluate(graph, step);
                is_evaluated = true;
                false
            }
            None => false,
        });
        let found = &pass.diagnostics[count..];
        quiet.push(is_reached && found.is_empty());
        fates.push(match barrier {
            Some(fate) => {
                pass.open(step);
                fate
            }
            None if goes_on => pass.fate(step, count, &fates),
            None if !is_reached || has_errors(found) => Fate::Failed(Span::default()),
            None => Fate::Sound,
        });
        if told.is_some_and(|it| !it[position]) {
            pass.diagnostics.truncate(count);
        }
        if let (Node::Rules(name), false) = (&step.node, matches!(fates[position], Fate::Sound)) {
            // The others see an unknown value, which must not be taken for the variable's own in the next walk.
            let is_value = |at: &&usize| {
                let it = &graph.order[**at];
                it.member == step.member && matches!(&it.node, Node::Value(own) if own == name)
            };
            for at in step.waits_for.iter().filter(is_value) {
                // In a cycle it comes later, and is evaluated then.
                quiet.get_mut(*at).into_iter().for_each(|it| *it = false);
            }
        }
        let cost = setting.meter.spent() - spent - (pass.work_of_calls - of_calls);
        costs.push(is_evaluated.then_some(cost));
    }
    (pass, quiet, costs)
}

/// A walk in progress.
pub(super) struct Pass<'a> {
    pub members: &'a Members<'a>,
    pub inputs: Inputs<'a>,
    pub setting: JudgeSetting<'a>,
    pub host: &'a EvalHost<'a>,
    /// The instances of each member, with their values, in the order of their callers.
    pub instances: Vec<Vec<MemberInstance<'a>>>,
    /// For each member, the calls whose value must be rebuilt.
    stale: Vec<Vec<SmolStr>>,
    /// The work of rebuilding them. Which node it is done for depends on what was evaluated before.
    work_of_calls: u64,
    /// The members in which something refers to a call's value; only their calls get one.
    read_calls: &'a [bool],
    /// As in [`Graph`].
    pub used: &'a HashSet<(usize, usize)>,
    /// The demands of each member's rules in words, for error messages.
    pub words: Vec<OnceCell<Box<dyn RuleWords>>>,
    pub diagnostics: Diagnostics,
    /// The parts that are not judged because of errors.
    pub blocked: Vec<BlockedPart>,
}

impl<'a> Pass<'a> {
    fn new(
        members: &'a Members<'a>,
        graph: &'a Graph,
        inputs: Inputs<'a>,
        setting: JudgeSetting<'a>,
        host: &'a EvalHost<'a>,
    ) -> Pass<'a> {
        let mut instances: Vec<Vec<MemberInstance<'a>>> =
            (0..members.len()).map(|_| Vec::new()).collect();
        let stale = vec![Vec::new(); members.len()];
        let mut root = MemberInstance::new(members.get(0), setting, host);
        if matches!(inputs, Inputs::Partly(..)) {
            root.values = root.values.following_written();
        }
        if !inputs.is_static() && setting.has_checked_references() {
            // References are the same in both passes.
            root.values = root.values.checked();
        }
        instances[0].push(root);
        let read_calls = graph.read_calls.as_slice();
        let words = members.iter().map(|_| OnceCell::new()).collect();
        let used = &graph.used;
        let (diagnostics, blocked) = (Vec::new(), Vec::new());
        Pass {
            members,
            inputs,
            setting,
            host,
            instances,
            stale,
            work_of_calls: 0,
            read_calls,
            used,
            words,
            diagnostics,
            blocked,
        }
    }

    /// Whether the static pass found everything about a node: a call with one instance, or an argument
    /// of constants.
    fn is_settled(&self, step: &Task, before: &Result) -> bool {
        match &step.node {
            Node::Value(name) if step.member > 0 => {
                let (instances, kept) = (&self.instances[step.member], &before.kept[step.member]);
                let (1, [kept]) = (instances.len(), kept.as_slice()) else { return false };
                kept.is_settled(name)
            }
            Node::Call(name) => {
                let [kept] = before.kept[step.member].as_slice() else { return false };
                let expansion = kept.expansions.get(&(CALL, name.clone()));
                let call = self.members.get(step.member).module.calls.get(name);
                call.is_some_and(|it| it.repetition.enabled.is_none())
                    && matches!(expansion, Some(Expansion::Single))
                    && self.members.called(step.member, name).is_some()
            }
            _ => false,
        }
    }

    /// Reuses a node's earlier result, since its dependencies did not change; returns whether it did not
    /// change itself.
    fn repeat(&mut self, step: &Task, before: &Result) -> bool {
        let Task { member, node, .. } = step;
        let kept = &before.kept[*member];
        match node {
            Node::Value(name) if *member == 0 => {
                let found = self.root_value(name);
                self.diagnostics.extend(found);
                return self.is_as_before(name, before);
            }
            Node::Value(name) if before.is_static => {
                let variable = self.members.get(*member).module.variables.get(name);
                let instances = self.instances[*member].iter_mut().zip(kept);
                for ((instance, kept), variable) in instances.zip(variable) {
                    instance.settle(variable, kept);
                }
            }
            _ => {
                for (instance, kept) in self.instances[*member].iter_mut().zip(kept) {
                    instance.take(node, kept);
                }
            }
        }
        match node {
            Node::Output(_) => self.outputs_changed(*member),
            Node::Call(name) => {
                if let Some(called) = self.members.called(*member, name) {
                    for it in &before.kept[called] {
                        let instance =
                            MemberInstance::new(self.members.get(called), self.setting, self.host);
                        let is_checked = self.setting.has_checked_references();
                        self.instances[called].push(instance.like(it, is_checked));
                    }
                }
                self.make_stale(*member, name);
            }
            _ => (),
        }
        true
    }

    /// Whether a variable of the root module has the identical value as before.
    fn is_as_before(&self, name: &SmolStr, before: &Result) -> bool {
        let Inputs::Given(given) = self.inputs else { return false };
        let given = (given.get(name).map(|it| &it.given), before.given.get(name));
        let is_same_source = match given {
            (Some(now), Some(before)) => Arc::ptr_eq(now, before),
            (now, before) => now.is_none() && before.is_none(),
        };
        let values = (self.instances[0][0].values.variable(name), before.values.get(name));
        // Why a value is unknown depends on its source.
        let is_same =
            |(now, before): (&Value, &Value)| now.is_wholly_known() && now.is_identical(before);
        is_same_source || values.0.zip(values.1).is_some_and(is_same)
    }

    /// Whether a node surely produces no diagnostic: the static pass finds the same in a called module for
    /// every caller, apart from its variables' values and rules.
    fn is_quiet(&self, step: &Task) -> bool {
        let is_of_caller = matches!(step.node, Node::Value(_) | Node::Rules(_));
        let shared = self.members.get(step.member).shared;
        let (true, false, Some(shared)) = (self.inputs.is_static(), is_of_caller, shared) else {
            return false;
        };
        let release = self.setting.release;
        shared.is_quiet(|| super::apart::is_quiet(shared, release))
    }

    /// The module in which a node is evaluated: an argument in the one that has the call.
    fn scope(&self, step: &Task) -> usize {
        match (&step.node, self.members.get(step.member).caller) {
            (Node::Value(_), Some((caller, _))) => caller,
            _ => step.member,
        }
    }

    fn evaluate(&mut self, graph: &Graph, step: &Task) {
        if self.setting.meter.is_exhausted() {
            return;
        }
        let Task { member, node, .. } = step;
        let scope = self.scope(step);
        self.put_together(scope);
        for index in 0..self.instances[*member].len() {
            if self.setting.meter.is_exhausted() {
                return;
            }
            // What explains an error may ask again for what it is about.
            self.host.take_doubts();
            let mut found = self.evaluate_in(*member, index, node);
            if found.is_empty() {
                let doubts = self.host.take_doubts().into_iter();
                found.extend(doubts.map(|it| self.members.own(scope, it)));
            }
            let mut found = self.await_files(*member, index, node, found);
            self.add_operands(step, index, &mut found);
            self.add_values(graph, step, &mut found);
            self.say(*member, index, found);
        }
        if let Node::Output(_) = node {
            self.outputs_changed(*member);
        }
        if let Node::Call(name) = node {
            self.make_stale(*member, name);
        }
    }

    /// Keeps the diagnostics of a node. If the instance may not exist, they become doubts, since a real
    /// plan may have none of them.
    fn say(&mut self, member: usize, index: usize, found: Diagnostics) {
        match &self.instances[member][index].doubt {
            None => self.diagnostics.extend(found),
            Some(reasons) => {
                let doubt = |it: Diagnostic| super::undecided::instance(it, reasons);
                self.diagnostics.extend(found.into_iter().map(doubt));
            }
        }
    }

    fn make_stale(&mut self, member: usize, call: &SmolStr) {
        if self.read_calls[member] && !self.stale[member].contains(call) {
            self.stale[member].push(call.clone());
        }
    }

    pub(super) fn outputs_changed(&mut self, member: usize) {
        if let Some((caller, call)) = self.members.get(member).caller {
            self.make_stale(caller, &call.name);
        }
    }

    /// Rebuilds the value of `module.NAME` from the outputs that are known.
    fn put_together(&mut self, member: usize) {
        let spent = self.setting.meter.spent();
        for call in std::mem::take(&mut self.stale[member]) {
            let Some(called) = self.members.called(member, &call) else { continue };
            let outputs = &self.members.get(called).module.outputs;
            let mut wholes = Vec::new();
            for (index, here) in self.instances[member].iter().enumerate() {
                let all = self.instances[called].as_slice();
                let start = all.partition_point(|it| it.caller < index);
                let instances = all[start..].iter().take_while(|it| it.caller == index);
                let expansion = here.expansions.get(&(CALL, call.clone()));
                let whole = Whole { outputs, expansion, is_static: self.inputs.is_static() };
                wholes.push(whole.value(instances, self.setting.meter));
            }
            for (instance, whole) in self.instances[member].iter_mut().zip(wholes) {
                if let Some(it) = whole {
                    instance.values.set_object("module", &call, it);
                }
            }
        }
        self.work_of_calls += self.setting.meter.spent() - spent;
    }
}
