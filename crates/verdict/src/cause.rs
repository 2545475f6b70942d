//! The given values that an error follows from, so that it can name their files.

use foldhash::HashSet;
use smol_str::SmolStr;

use super::{
    graph::{Graph, Node, Task, expressions},
    pass::{Inputs, Pass},
};
use diagnostics::{Diagnostic, Label, Role, Span, lints};
use hcl::Expr;
use module::Module;
use tf_eval::{ReferenceStep, RootReference, references};

/// The number of values that a finding names.
const MOST_VALUES: usize = 8;

impl Pass<'_> {
    /// Adds to the diagnostics of a node the places of the given values that they follow from.
    pub(super) fn add_values(&self, graph: &Graph, step: &Task, found: &mut [Diagnostic]) {
        for it in found.iter_mut().filter(|it| it.rule != lints::UNDECIDED_VALIDATION) {
            (it.values, it.of_default) = self.values_behind(graph, step, it);
        }
    }

    /// The given values that an error follows from, and whether a variable without a given value may change it.
    fn values_behind(&self, graph: &Graph, step: &Task, it: &Diagnostic) -> (Vec<Label>, bool) {
        let Inputs::Given(given) = self.inputs else { return (Vec::new(), false) };
        let all = self.variables_behind(graph, step.waits_for.clone());
        let of_default = all.iter().any(|it| !given.contains_key(*it));
        let meant = self.meant(graph, step, it);
        let names = if meant.is_empty() { all } else { self.variables_behind(graph, meant) };
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

    /// The nodes that the marked parts of a node's expressions refer to.
    fn meant(&self, graph: &Graph, step: &Task, it: &Diagnostic) -> Vec<usize> {
        let member = self.members.get(step.member);
        let (mut exprs, mut shift) = (expressions(member.module, &step.node), member.shift);
        let mut repetitions = Vec::new();
        let mut add = |module: &'_ Module, call: &SmolStr| {
            repetitions.extend(module.calls.get(call).and_then(|it| it.repetition.expr().cloned()));
        };
        match (&step.node, member.caller) {
            (Node::Value(name), Some((caller, call))) => {
                let caller = self.members.get(caller);
                exprs.extend(call.arguments.get(name).map(|it| &*it.expr));
                shift = caller.shift;
                add(caller.module, &call.name);
            }
            (Node::Call(name), _) => add(member.module, name),
            (Node::Resource(kind, name), _) => {
                let it = member.module.resources.get(&(kind.clone(), name.clone()));
                repetitions.extend(it.and_then(|it| it.repetition.expr().cloned()));
            }
            _ => (),
        }
        let holds = |outer: Span, inner: Span| {
            outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
        };
        let mut roots: Vec<RootReference<'_>> = Vec::new();
        for label in &it.labels {
            let within = |it: &&&Expr| {
                let span = it.span.shifted(shift);
                holds(span, label.span) || holds(label.span, span)
            };
            for expr in exprs.iter().filter(within) {
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
            roots.extend(repetitions.iter().flat_map(references));
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
