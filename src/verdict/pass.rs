//! One walk over the graph, with unknown values (stage 4) or the real ones (stage 5).

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    Setting,
    graph::{Graph, Node},
    known::Known,
    prepare,
    rule::{self, Rule},
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, has_errors},
    eval::{EvalHost, FAILED_EVALUATION, Scope, Trace, evaluate_in_detail},
    inputs::Collected,
    module::{Module, Output, Variable},
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
}

pub(super) fn run(
    module: &Module,
    graph: &Graph,
    inputs: Inputs<'_>,
    setting: Setting<'_>,
) -> Result {
    let known = Known {
        module,
        variables: BTreeMap::new(),
        locals: BTreeMap::new(),
        undecided: BTreeMap::new(),
        current_dir: setting
            .system
            .current_dir()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };
    let host = EvalHost::new(setting.system, setting.base_dir, setting.version);
    let mut pass = Pass {
        module,
        inputs,
        setting,
        host,
        known,
        failed: BTreeSet::new(),
        diagnostics: Vec::new(),
    };
    for node in &graph.order {
        let waits_for = graph.waits_for.get(node);
        if waits_for.is_some_and(|it| it.iter().any(|it| pass.failed.contains(it))) {
            pass.failed.insert(node.clone());
            continue;
        }
        let before = pass.diagnostics.len();
        pass.evaluate(node);
        if has_errors(&pass.diagnostics[before..]) {
            pass.failed.insert(node.clone());
        }
    }
    Result { diagnostics: pass.diagnostics, values: pass.known.variables }
}

struct Pass<'a> {
    module: &'a Module,
    inputs: Inputs<'a>,
    setting: Setting<'a>,
    host: EvalHost<'a>,
    known: Known<'a>,
    /// What gave an error, and what waits for it.
    failed: BTreeSet<Node>,
    diagnostics: Diagnostics,
}

impl Pass<'_> {
    fn evaluate(&mut self, node: &Node) {
        self.host.refill();
        match node {
            Node::Value(name) => self.value(name),
            Node::Rules(name) => self.rules(name),
            Node::Local(name) => self.local(name),
            Node::Output(name) => {
                if let Some(output) = self.module.outputs.get(name) {
                    self.output(output);
                }
            }
        }
    }

    fn value(&mut self, name: &SmolStr) {
        let Some(variable) = self.module.variables.get(name) else { return };
        let value = match self.inputs {
            Inputs::Unknown => Ok(Value::unknown(plain_type(variable))),
            Inputs::Given(given) => prepare::prepare(variable, given.get(name)),
        };
        match value {
            Ok(value) => {
                let value = value.with_marks(prepare::marks(variable));
                self.known.variables.insert(name.clone(), value);
            }
            Err(diagnostic) => self.diagnostics.push(diagnostic),
        }
    }

    fn rules(&mut self, name: &SmolStr) {
        let Some(variable) = self.module.variables.get(name) else { return };
        for (index, validation) in variable.validations.iter().enumerate() {
            self.host.refill();
            let given = match self.inputs {
                Inputs::Unknown => None,
                Inputs::Given(given) => given.get(name),
            };
            let rule = Rule {
                variable,
                index,
                validation,
                given,
                sources: &self.module.sources,
                is_static: matches!(self.inputs, Inputs::Unknown),
            };
            let found = rule::check(&rule, &self.known, &self.host, self.setting.version);
            self.diagnostics.extend(found);
        }
    }

    fn local(&mut self, name: &SmolStr) {
        let Some(local) = self.module.locals.get(name) else { return };
        let scope = self.scope();
        let evaluation = evaluate_in_detail(&local.expr, &scope, Trace::Off);
        self.diagnostics.extend(evaluation.diagnostics);
        self.known.undecided.insert(name.clone(), evaluation.undecided);
        self.known.locals.insert(name.clone(), evaluation.value);
    }

    fn output(&mut self, output: &Output) {
        let scope = self.scope();
        let mut found = Vec::new();
        for precondition in &output.preconditions {
            found.extend(rule::check_precondition(precondition, &scope));
        }
        // A precondition that fails keeps the value from being looked at.
        if let (Some(expr), false) = (&output.value, has_errors(&found)) {
            let evaluation = evaluate_in_detail(expr, &scope, Trace::Off);
            found.extend(evaluation.diagnostics);
            found.extend(exposes(output, &evaluation.value));
        }
        self.diagnostics.extend(found);
    }

    fn scope(&self) -> Scope<'_> {
        Scope { data: &self.known, host: &self.host, version: self.setting.version }
    }
}

/// The type constraint as a value's type: what is declared optional is an ordinary attribute.
fn plain_type(variable: &Variable) -> crate::value::Type {
    variable.constraint.ty.without_optional()
}

/// A root module's output must say that it is sensitive when it is.
fn exposes(output: &Output, value: &Value) -> Option<Diagnostic> {
    let marks = value.deep_marks();
    let (summary, detail) = if marks.is_sensitive() && output.sensitive != Some(true) {
        (
            "Output refers to sensitive values",
            "To show that this is meant, annotate the output: sensitive = true.",
        )
    } else if marks.is_ephemeral() && output.ephemeral != Some(true) {
        ("Ephemeral value not allowed", "The output is not declared ephemeral.")
    } else {
        return None;
    };
    let diagnostic = Diagnostic::error(FAILED_EVALUATION, summary).detail(detail);
    Some(diagnostic.at(Role::Declaration, output.span))
}
