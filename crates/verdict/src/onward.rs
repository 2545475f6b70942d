//! Judging behind errors: what a walk does with a part that failed, so that the rest is judged anyway.
//!
//! Terraform stops at the first stage that finds an error, and `validate` does the same. `check` and editors want
//! to know everything at once. With a [`JudgeSetting::onward`](super::JudgeSetting::onward), a value that failed is one that
//! only a plan knows: whatever depends on it is evaluated, and so is everything else. A part whose result depends on
//! such a value is [`BlockedPart`]: no finding about it is reported that may only follow from the failed one, and none
//! can be called absent either.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    Distrust,
    distrust::uncertain,
    graph::{Graph, Node, Task},
    instance::CALL,
    members::{Member, Members},
    pass::Pass,
    repetition::Expansion,
};
use diagnostics::{Diagnostic, Shift, Span, lints};
use module::Module;
use tf_eval::Evaluation;
use tf_value::{Marks, Type, Value};

/// Variables of the root module that have no usable value, with the span of the problem; without one, the value is
/// just not here.
pub type Unusable = BTreeMap<SmolStr, Option<Span>>;

/// A part of a module's files that was not read because of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    pub span: Span,
    /// The span of the problem.
    pub by: Span,
}

impl Hole {
    pub(super) fn shifted(self, shift: Shift) -> Hole {
        Hole { span: self.span.shifted(shift), by: self.by.shifted(shift) }
    }
}

/// What a walk has to know to go on behind errors.
#[derive(Clone, Copy, Debug)]
pub struct Onward<'a> {
    pub unusable: &'a Unusable,
    /// What the errors of the root module make uncertain.
    pub distrust: &'a Distrust,
    /// Whether the static pass found every reference to be sound.
    pub(super) is_checked: bool,
}

impl<'a> Onward<'a> {
    pub fn new(unusable: &'a Unusable, distrust: &'a Distrust) -> Onward<'a> {
        Onward { unusable, distrust, is_checked: false }
    }

    /// What the errors of a member make uncertain; the spans are among its own files.
    pub(super) fn distrust(self, member: &Member<'a>) -> &'a Distrust {
        member.shared.map_or(self.distrust, |it| &it.distrust)
    }

    /// Whether some module was read in part.
    pub(super) fn is_partial(self, members: &Members<'_>) -> bool {
        !members.holes.is_empty() || !self.distrust.holes.is_empty()
    }
}

/// A part that was not judged because of a problem elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedPart {
    /// Its address, such as `output.name` or `module.network.var.cidr (validation)`.
    pub part: String,
    /// The variable of the root module whose value is not completely judged.
    pub variable: Option<SmolStr>,
    /// The span of the problem.
    pub by: Span,
    /// Whether the problem is an error in the same value or block, so that the part is judged: it is refused.
    pub is_own: bool,
}

/// The result of a node, for those that wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Sound,
    /// It has no value, but that is not a problem.
    Open,
    /// Something that it depends on failed, at this span.
    Behind(Span),
    /// It failed because of what is at this span.
    Failed(Span),
}

impl Fate {
    /// The span of the problem for nodes that depend on this one.
    pub fn problem(self) -> Option<Span> {
        match self {
            Fate::Behind(by) | Fate::Failed(by) => Some(by),
            Fate::Sound | Fate::Open => None,
        }
    }

    pub fn is_failed(self) -> bool {
        matches!(self, Fate::Failed(_))
    }
}

/// Whether a span begins in a part that was not read.
pub fn in_hole(holes: &[Hole], span: Span) -> Option<Span> {
    let holds = |it: &&Hole| {
        it.span.file == span.file && it.span.start <= span.start && span.start < it.span.end
    };
    holes.iter().find(holds).map(|it| it.by)
}

impl Pass<'_> {
    /// The fate of a node that is not evaluated; `None` for all others.
    pub(super) fn barrier(&mut self, graph: &Graph, at: usize, fates: &[Fate]) -> Option<Fate> {
        let onward = self.setting.onward?;
        let step = &graph.order[at];
        let member = self.members.get(step.member);
        let distrust = onward.distrust(&member);
        let own = step.span;
        let hides = |it: Span| distrust.hides(step.node.label(), it);
        if let Some(by) = own.and_then(hides) {
            let by = by.shifted(member.shift);
            self.block(step, by, true);
            return Some(Fate::Failed(by));
        }
        if graph.is_cyclic[at] {
            let by = own.unwrap_or_default().shifted(member.shift);
            self.block(step, by, true);
            return Some(Fate::Failed(by));
        }
        match &step.node {
            Node::Value(name) if step.member == 0 => match onward.unusable.get(name)? {
                _ if self.inputs.is_static() => None,
                Some(by) => Some(Fate::Failed(*by)),
                None => Some(Fate::Open),
            },
            Node::Value(name) => {
                let (caller, call) = member.caller?;
                let is_given = call.arguments.contains_key(name);
                let by = distrust.variables.get(name);
                let by = by.or_else(|| distrust.defaults.get(name).filter(|_| !is_given));
                if let Some(by) = by.copied().flatten() {
                    return Some(Fate::Failed(by.shifted(member.shift)));
                }
                // The call lacks the argument, which is reported.
                let is_missing = !is_given && member.module.variables.get(name)?.is_required();
                is_missing.then(|| Fate::Failed(call.span.shifted(self.members.get(caller).shift)))
            }
            Node::Rules(name) => {
                let is_value = |it: &&usize| {
                    let it = &graph.order[**it];
                    it.member == step.member && it.node == Node::Value(name.clone())
                };
                let value = step.waits_for.iter().find(is_value)?;
                match fates.get(*value).copied().unwrap_or(Fate::Sound) {
                    Fate::Failed(by) => {
                        self.block(step, by, true);
                        Some(Fate::Failed(by))
                    }
                    Fate::Open => Some(Fate::Open),
                    Fate::Sound | Fate::Behind(_) => None,
                }
            }
            _ => None,
        }
    }

    /// The fate of a node that was evaluated. `before`: the number of diagnostics before that.
    pub(super) fn fate(&mut self, step: &Task, before: usize, fates: &[Fate]) -> Fate {
        let doubt = self.take_out_doubtful(before);
        if let Some(by) = doubt {
            self.block(step, by, false);
        }
        let found = &self.diagnostics[before..];
        let member = self.members.get(step.member);
        let own = step.span.map(|it| it.shifted(member.shift));
        if let Some(error) = found.iter().find(|it| it.is_error()) {
            let by = error.span().or(own).unwrap_or_default();
            self.open(step);
            if self.has_conditions(step) {
                self.block(step, by, true);
            }
            return Fate::Failed(by);
        }
        if let Some(by) = doubt {
            self.open(step);
            return Fate::Behind(by);
        }
        let of_others = step.waits_for.iter().find_map(|it| fates.get(*it)?.problem());
        let of_called = || match &step.node {
            Node::Call(name) => self.members.broken(step.member, name),
            _ => None,
        };
        let Some(by) = of_others.or_else(of_called) else { return Fate::Sound };
        let is_undecided = |it: &Diagnostic| it.rule == lints::UNDECIDED_VALIDATION;
        let mut at = 0;
        self.diagnostics.retain(|it| {
            at += 1;
            at <= before || !is_undecided(it)
        });
        self.block(step, by, false);
        Fate::Behind(by)
    }

    /// Takes out errors that a part may explain which was not read, and returns the first such part's problem.
    fn take_out_doubtful(&mut self, before: usize) -> Option<Span> {
        let onward = self.setting.onward.filter(|it| it.is_partial(self.members))?;
        let mut doubt = None;
        for it in self.diagnostics.split_off(before) {
            match uncertain(self.members, onward, &it) {
                Some(by) => _ = doubt.get_or_insert(by),
                None => self.diagnostics.push(it),
            }
        }
        doubt
    }

    /// Whether a failed condition keeps the rest of a node from being judged.
    fn has_conditions(&self, step: &Task) -> bool {
        let module = self.members.get(step.member).module;
        match &step.node {
            Node::Output(name) => {
                module.outputs.get(name).is_some_and(|it| !it.preconditions.is_empty())
            }
            Node::Resource(kind, name) => module
                .resources
                .get(&(kind.clone(), name.clone()))
                .is_some_and(|it| !it.preconditions.is_empty() || !it.postconditions.is_empty()),
            _ => false,
        }
    }

    /// Notes that a node is not judged.
    fn block(&mut self, step: &Task, by: Span, is_own: bool) {
        let member = self.members.get(step.member);
        let is_void = match &step.node {
            Node::Rules(name) => {
                member.module.variables.get(name).is_none_or(|it| it.validations.is_empty())
            }
            Node::Close(_) => true,
            _ => false,
        };
        if is_void || self.inputs.is_static() {
            return;
        }
        let separator = if member.address.is_empty() { "" } else { "." };
        let part = format!("{}{separator}{}", member.address, name(&step.node, member.module));
        let variable = match &step.node {
            Node::Rules(name) | Node::Value(name) if step.member == 0 => Some(name.clone()),
            _ => None,
        };
        self.blocked.push(BlockedPart { part, variable, by, is_own });
    }

    /// Makes the result of a node one that only a plan knows.
    pub(super) fn open(&mut self, step: &Task) {
        let Task { member, node, .. } = step;
        let module = self.members.get(*member).module;
        let distrust = self.setting.onward.map(|it| it.distrust(&self.members.get(*member)));
        let open = |ty| Value::unknown(ty).with_marks(Marks::UNDECIDED);
        for here in &mut self.instances[*member] {
            match node {
                Node::Value(name) | Node::Rules(name) => {
                    let Some(it) = module.variables.get(name) else { continue };
                    if distrust.is_some_and(|it| it.variables.contains_key(name)) {
                        here.values.set(it, open(Type::Dynamic));
                    } else if !self.inputs.is_static() {
                        // The static pass sees no value of a variable.
                        here.values.set(it, open(it.constraint.ty.without_optional()));
                    }
                }
                Node::Local(name) => {
                    let value = open(Type::Dynamic);
                    let (diagnostics, undecided) = Default::default();
                    let evaluation = Evaluation { value, diagnostics, undecided };
                    here.values.set_local(name, evaluation);
                }
                Node::Output(name) => _ = here.outputs.insert(name.clone(), open(Type::Dynamic)),
                Node::Resource(kind, name) => here.values.forget_object(kind, name),
                Node::Call(name) => {
                    let call = module.calls.get(name);
                    let hides = |span| distrust?.hides(name, span);
                    if call.and_then(|it| hides(it.span)).is_some() {
                        // Nobody knows whether its instances have keys.
                        here.values.set_object("module", name, open(Type::Dynamic));
                        continue;
                    }
                    let is_count = call.is_some_and(|it| it.repetition.count.is_some());
                    let key = (CALL, name.clone());
                    let all = || Expansion::Open { is_count, reasons: Vec::new() };
                    here.expansions.entry(key).or_insert_with(all);
                }
                Node::Check(_) | Node::Close(_) | Node::Configuration(_) | Node::Import(_) => (),
            }
        }
        if let Node::Output(_) = node {
            self.outputs_changed(*member);
        }
    }
}

/// The name of a node.
fn name(node: &Node, module: &Module) -> String {
    let plain = match node {
        Node::Configuration(at) => module.configurations.get(*at).map(|it| it.address.clone()),
        Node::Import(_) => Some("import".to_owned()),
        _ => node.name(),
    };
    plain.unwrap_or_default()
}
