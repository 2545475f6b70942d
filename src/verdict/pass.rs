//! One walk over the graph, with unknown values (stage 4) or the real ones (stage 5).

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::SystemTime,
};

use smol_str::SmolStr;

use super::{
    Setting,
    graph::{Graph, Node},
    output, prepare,
    rule::{self, Rule},
};
use crate::{
    diagnostic::{Diagnostics, Span, has_errors},
    eval::{EvalHost, Evaluation, Meter},
    inputs::{Collected, Given},
    module::{Module, Values},
    value::Value,
};

/// What the variables are.
#[derive(Clone, Copy)]
pub(super) enum Inputs<'a> {
    /// Unknown, of their declared types.
    Unknown,
    Given(&'a Collected),
}

/// What a walk found.
pub(super) struct Result {
    pub diagnostics: Diagnostics,
    pub values: BTreeMap<SmolStr, Value>,
    /// Something asked when the plan is made.
    pub is_timed: bool,
    /// Where each value that was given stands.
    given: HashMap<SmolStr, Arc<Given>>,
    locals: HashMap<SmolStr, Evaluation>,
    /// Of each step, whether it was reached and nothing was said about it.
    quiet: Vec<bool>,
}

/// `plan_time`: when the plan is made, where that is known. `before`: what a walk with other values,
/// and all else alike, found; what depends on nothing that changed since is not evaluated again.
pub(super) fn run(
    module: &Module,
    graph: &Graph,
    inputs: Inputs<'_>,
    setting: Setting<'_>,
    plan_time: Option<SystemTime>,
    before: Option<&Result>,
) -> Result {
    let host = match plan_time {
        Some(time) => setting.host().at(time),
        None => setting.host(),
    };
    let values = Values::new(module, BTreeMap::new(), setting.workspace, &host, setting.version);
    // References are the same in both passes.
    let values = match inputs {
        Inputs::Unknown => values,
        Inputs::Given(_) => values.checked(),
    };
    let mut pass =
        Pass { module, inputs, host: &host, meter: setting.meter, values, diagnostics: Vec::new() };
    // What gave an error, and what waits for it; what came to the same as before.
    let (mut failed, mut same, mut quiet) = (Vec::new(), Vec::new(), Vec::new());
    for (place, step) in graph.order.iter().enumerate() {
        let said = pass.diagnostics.len();
        let is_reached = !step.waits_for.iter().any(|it| failed[*it]);
        let unchanged =
            before.filter(|it| it.quiet[place] && step.waits_for.iter().all(|it| same[*it]));
        same.push(match unchanged.filter(|_| is_reached) {
            Some(before) => pass.repeat(&step.node, before),
            None if is_reached => {
                pass.evaluate(&step.node);
                false
            }
            None => false,
        });
        let found = &pass.diagnostics[said..];
        quiet.push(is_reached && found.is_empty());
        failed.push(!is_reached || has_errors(found));
    }
    let Pass { diagnostics, values, .. } = pass;
    let (values, locals) = values.into_known();
    let given = match inputs {
        Inputs::Unknown => HashMap::new(),
        Inputs::Given(it) => {
            it.iter().map(|(name, it)| (name.clone(), Arc::clone(&it.given))).collect()
        }
    };
    Result { diagnostics, values, is_timed: host.is_timed(), given, locals, quiet }
}

struct Pass<'a> {
    module: &'a Module,
    inputs: Inputs<'a>,
    host: &'a EvalHost<'a>,
    meter: &'a Meter,
    values: Values<'a>,
    diagnostics: Diagnostics,
}

impl Pass<'_> {
    /// Takes over what a node came to before, all that it waits for being the same. Whether it is.
    fn repeat(&mut self, node: &Node, before: &Result) -> bool {
        match node {
            Node::Value(name) => {
                self.value(name);
                return self.is_given_as(name, before);
            }
            Node::Local(name) => {
                let known = before.locals.get(name);
                known.into_iter().for_each(|it| self.values.set_local(name, it.clone()));
            }
            Node::Rules(_) | Node::Output(_) | Node::Check(_) => (),
        }
        true
    }

    /// Whether a variable has the very value that it had. (Equal ones may differ: -0 and 0.)
    fn is_given_as(&self, name: &SmolStr, before: &Result) -> bool {
        let Inputs::Given(given) = self.inputs else { return false };
        match (given.get(name), before.given.get(name)) {
            (Some(now), Some(before)) => Arc::ptr_eq(&now.given, before),
            (now, before) => now.is_none() && before.is_none(),
        }
    }

    fn evaluate(&mut self, node: &Node) {
        if self.meter.is_exhausted() {
            return;
        }
        self.host.begin(self.span(node));
        match node {
            Node::Value(name) => self.value(name),
            Node::Rules(name) => self.rules(name),
            Node::Local(name) => self.local(name),
            Node::Output(name) => {
                if let Some(output) = self.module.outputs.get(name) {
                    let is_static = matches!(self.inputs, Inputs::Unknown);
                    let found = output::check(output, &self.values.scope(), is_static);
                    self.diagnostics.extend(found);
                }
            }
            Node::Check(name) => {
                let asserts = self.module.checks.get(name).map(|it| it.asserts.as_slice());
                let scope = self.values.scope();
                let found = asserts.unwrap_or_default().iter();
                let is_static = matches!(self.inputs, Inputs::Unknown);
                let found = found.flat_map(|it| output::assertion(it, &scope, is_static));
                self.diagnostics.extend(found.collect::<Diagnostics>());
            }
        }
    }

    /// What the work of a node counts to beside the module's; each rule counts by itself.
    fn span(&self, node: &Node) -> Option<Span> {
        match node {
            Node::Value(_) | Node::Rules(_) => None,
            Node::Local(name) => self.module.locals.get(name).map(|it| it.span),
            Node::Output(name) => self.module.outputs.get(name).map(|it| it.span),
            Node::Check(name) => self.module.checks.get(name).map(|it| it.span),
        }
    }

    fn value(&mut self, name: &SmolStr) {
        let Some(variable) = self.module.variables.get(name) else { return };
        let Inputs::Given(given) = self.inputs else { return };
        match prepare::prepare(variable, given.get(name), self.meter) {
            Some(Ok(value)) => self.values.set(variable, value),
            Some(Err(diagnostic)) => self.diagnostics.push(diagnostic),
            None => (),
        }
    }

    fn rules(&mut self, name: &SmolStr) {
        let Some(variable) = self.module.variables.get(name) else { return };
        for validation in &variable.validations {
            if self.meter.is_exhausted() {
                return;
            }
            self.host.begin(Some(validation.condition.span));
            let given = match self.inputs {
                Inputs::Unknown => None,
                Inputs::Given(given) => given.get(name),
            };
            let rule = Rule {
                variable,
                validation,
                given,
                sources: &self.module.sources,
                is_static: matches!(self.inputs, Inputs::Unknown),
            };
            self.diagnostics.extend(rule::check(&rule, &self.values));
        }
    }

    fn local(&mut self, name: &SmolStr) {
        let found = self.values.local(name).map(|it| it.diagnostics);
        self.diagnostics.extend(found.into_iter().flatten());
    }
}
