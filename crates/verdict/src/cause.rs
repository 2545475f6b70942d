//! The given values that an error follows from, so that it can name their files.

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::{
    graph::{Graph, Node, Task, expressions},
    pass::{Inputs, Pass},
};
use diagnostics::{Diagnostic, Label, Role, Shift, Span, lints};
use hcl::Expr;
use module::{Module, inputs::Collected};
use tf_eval::{ReferenceStep, RootReference, references};

/// The number of values that a finding names.
const MOST_VALUES: usize = 8;

/// What the errors of a node may follow from, found once for all of them.
struct Background<'p> {
    /// By place, which none shares with another.
    exprs: Vec<&'p Expr>,
    shift: Shift,
    /// The `count` or `for_each` that `count`, `each` and `self` come from.
    repetitions: Vec<&'p Expr>,
    /// The variables that nodes depend on.
    variables: HashMap<Vec<usize>, Vec<&'p SmolStr>>,
}

impl<'a> Pass<'a> {
    /// Adds to the diagnostics of a node the places of the given values that they follow from.
    pub(super) fn add_values(&self, graph: &Graph, step: &Task, found: &mut [Diagnostic]) {
        let mut background = None;
        for it in found.iter_mut().filter(|it| it.rule != lints::UNDECIDED_VALIDATION) {
            (it.values, it.of_default) = match self.inputs {
                Inputs::Given(given) => {
                    let background = background.get_or_insert_with(|| self.background(step));
                    self.values_behind(given, graph, step, it, background)
                }
                _ => (Vec::new(), false),
            };
        }
    }

    /// The given values that an error follows from, and whether a variable without a given value may change it.
    fn values_behind<'g>(
        &self,
        given: &Collected,
        graph: &'g Graph,
        step: &'g Task,
        it: &Diagnostic,
        background: &mut Background<'g>,
    ) -> (Vec<Label>, bool) {
        let meant = self.meant(graph, step, it, background);
        let mut of = |next: Vec<usize>| {
            let known = background.variables.entry(next);
            known.or_insert_with_key(|next| self.variables_behind(graph, next.clone())).clone()
        };
        let all = of(step.waits_for.clone());
        let of_default = all.iter().any(|it| !given.contains_key(*it));
        let names = if meant.is_empty() { all } else { of(meant) };
        let mut values: Vec<Label> = Vec::new();
        for span in names.into_iter().filter_map(|it| Some(given.get(it)?.span())) {
            // A place in the same file names the file already.
            let is_named = it.labels.iter().any(|it| it.span.file == span.file);
            if !is_named && values.len() < MOST_VALUES {
                values.push(Label { role: Role::Value, span, text: String::new() });
            }
        }
        (values, of_default)
    }

    /// The variables of the root module that nodes depend on.
    fn variables_behind<'g>(&self, graph: &'g Graph, mut next: Vec<usize>) -> Vec<&'g SmolStr> {
        let (mut seen, mut found) = (HashSet::default(), Vec::new());
        next.reverse();
        while let Some(at) = next.pop() {
            if !seen.insert(at) || !self.setting.meter.charge(1) {
                continue;
            }
            let step = &graph.order[at];
            if let (0, Node::Value(name)) = (step.member, &step.node) {
                found.push(name);
            }
            next.extend(step.waits_for.iter().rev());
        }
        found
    }

    /// What the errors of a node may follow from.
    fn background<'g>(&self, step: &'g Task) -> Background<'g>
    where
        'a: 'g,
    {
        let member = self.members.get(step.member);
        let (mut exprs, mut shift) = (expressions(member.module, &step.node), member.shift);
        let of_call = |module: &'g Module, call: &SmolStr| {
            module.calls.get(call).and_then(|it| it.repetition.expr())
        };
        let mut repetitions: Vec<&Expr> = Vec::new();
        match (&step.node, member.caller) {
            (Node::Value(name), Some((caller, call))) => {
                let caller = self.members.get(caller);
                exprs.extend(call.arguments.get(name).map(|it| &*it.expr));
                shift = caller.shift;
                repetitions.extend(of_call(caller.module, &call.name));
            }
            (Node::Call(name), _) => repetitions.extend(of_call(member.module, name)),
            (Node::Resource(kind, name), _) => {
                let it = member.module.resources.get(&(kind.clone(), name.clone()));
                repetitions.extend(it.and_then(|it| it.repetition.expr()));
            }
            _ => (),
        }
        exprs.sort_by_key(|it| it.span);
        Background { exprs, shift, repetitions, variables: HashMap::default() }
    }

    /// The nodes that the marked parts of a node's expressions refer to.
    fn meant(
        &self,
        graph: &Graph,
        step: &Task,
        it: &Diagnostic,
        background: &Background<'_>,
    ) -> Vec<usize> {
        let shift = background.shift;
        let mut roots: Vec<RootReference<'_>> = Vec::new();
        for label in &it.labels {
            for expr in overlapping(&background.exprs, label.span, shift) {
                let is_marked = |it: &RootReference<'_>| {
                    let span = it.span.shifted(shift);
                    holds(label.span, span) || holds(span, label.span)
                };
                let all = references(expr);
                let marked: Vec<_> = all.iter().filter(|it| is_marked(it)).cloned().collect();
                roots.extend(if marked.is_empty() { all } else { marked });
            }
        }
        if roots.iter().any(|it| matches!(it.name, "each" | "count" | "self")) {
            roots.extend(background.repetitions.iter().flat_map(|it| references(it)));
        }
        if roots.is_empty() {
            return Vec::new();
        }
        let is_meant = |at: &usize| roots.iter().any(|it| self.refers(it, &graph.order[*at]));
        step.waits_for.iter().copied().filter(is_meant).collect()
    }

    /// Whether a reference leads to a node.
    fn refers(&self, root: &RootReference<'_>, step: &Task) -> bool {
        let Some(ReferenceStep::Attribute(first)) = root.first else { return false };
        match &step.node {
            Node::Value(name) | Node::Rules(name) => root.name == "var" && name == first,
            Node::Local(name) => root.name == "local" && name == first,
            Node::Call(name) | Node::Close(name) => root.name == "module" && name == first,
            Node::Output(_) => {
                let call = self.members.get(step.member).caller.map(|it| it.1);
                root.name == "module" && call.is_some_and(|it| it.name == first)
            }
            Node::Resource(kind, name) => match root.name {
                "data" | "ephemeral" | "resource" => {
                    matches!(root.steps().get(1), Some(ReferenceStep::Attribute(it)) if name == it)
                }
                it => kind == it && name == first,
            },
            Node::Check(_) | Node::Configuration(_) | Node::Import(_) => false,
        }
    }
}

/// Whether a place lies in another.
fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Those of some expressions, which are in the order of their places, that hold a place or lie in it.
pub(super) fn overlapping<'s, 'e>(
    exprs: &'s [&'e Expr],
    at: Span,
    shift: Shift,
) -> impl Iterator<Item = &'e Expr> + use<'s, 'e> {
    let span = move |it: &Expr| it.span.shifted(shift);
    let first = exprs.partition_point(|it| {
        let it = span(it);
        (it.file, it.end) < (at.file, at.start)
    });
    let rest = exprs[first..].iter().take_while(move |it| {
        let it = span(it);
        (it.file, it.start) <= (at.file, at.end)
    });
    let is_within = move |it: &&&Expr| holds(span(it), at) || holds(at, span(it));
    rest.filter(is_within).copied()
}
