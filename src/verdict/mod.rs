//! What `terraform plan` says of a module's inputs, in its own five stages.
//!
//! Each stage hides the later ones: loading, reading values files, collecting values, a static
//! pass with every variable unknown but typed, and the pass with the real values. The first three
//! are the work of `module` and `inputs`; the last two are here, and so is the way through all.

mod budget;
mod explain;
mod graph;
mod hide;
mod output;
mod pass;
mod pipeline;
mod plan_time;
mod prepare;
mod probe;
mod regardless;
mod rule;
mod storing;

pub use budget::{MORE_WORK, tell_budgets};
pub use pipeline::{Loaded, Read, Ready, plan};
pub use probe::{Probe, Trial};

use graph::Graph;

use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
};

use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Verdict},
    eval::{BUDGET_EXCEEDED, EvalHost, FAILED_EVALUATION, Meter},
    inputs::Collected,
    module::Module,
    syntax::is_too_deep,
    system::{OUTSIDE_ROOT, System},
    value::Value,
    version::Version,
};

/// The rule of a validation that only a plan can decide.
pub const UNDECIDED: &str = "undecided-validation";

/// What the inputs come to.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Errors of the first stage that found any; warnings of all stages that ran.
    pub diagnostics: Diagnostics,
    /// The variables' final values, as far as they have one.
    pub values: BTreeMap<SmolStr, Value>,
}

/// What a judgement needs beside the module and its inputs.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub system: &'a dyn System,
    /// Where relative paths of file functions start: Terraform's working directory.
    pub base_dir: &'a std::path::Path,
    pub version: Version,
    /// The selected workspace; `None` where nothing tells.
    pub workspace: Option<&'a str>,
    /// Counts the work.
    pub meter: &'a Meter,
}

impl<'a> Setting<'a> {
    /// The host of its evaluations.
    pub fn host(self) -> EvalHost<'a> {
        EvalHost::metered(self.system, self.base_dir, self.version, self.meter)
    }
}

/// What is the same for all inputs of a module.
pub struct Judge {
    /// The order of evaluation; errors where there is none.
    graph: Result<Graph, Diagnostics>,
    /// What the static pass says, once it has run.
    fixed: OnceCell<Diagnostics>,
    /// What the last real pass found, where the time makes no difference.
    last: RefCell<Option<pass::Result>>,
}

impl Judge {
    pub fn new(module: &Module) -> Judge {
        let graph = Graph::new(module).map_err(|nodes| vec![cycle(module, &nodes)]);
        Judge { graph, fixed: OnceCell::new(), last: RefCell::default() }
    }

    /// Stages 4 and 5; `module` is the one that the judge is for, `setting` the same every time. The
    /// earlier stages must have found no error.
    pub fn judge(&self, module: &Module, collected: &Collected, setting: Setting<'_>) -> Judgement {
        let graph = match &self.graph {
            Ok(it) => it,
            Err(cycle) => return rejected(cycle.clone()),
        };
        let unknown = pass::Inputs::Unknown;
        let fixed = || pass::run(module, graph, unknown, setting, None, None).diagnostics;
        let fixed = self.fixed.get_or_init(fixed);
        let is_error = |it: &&Diagnostic| it.is_error();
        // What is too large for the budget keeps nothing else from being judged.
        if fixed.iter().filter(is_error).any(|it| it.rule != BUDGET_EXCEEDED) {
            return rejected(fixed.clone());
        }
        let given = pass::Inputs::Given(collected);
        let last = self.last.take();
        let real = pass::run(module, graph, given, setting, None, last.as_ref());
        let timed = real.is_timed.then(|| plan_time::run(module, graph, given, setting)).flatten();
        let mut real = timed.unwrap_or(real);
        let values = real.values.clone();
        let mut diagnostics = fixed.iter().filter(is_error).cloned().collect::<Diagnostics>();
        diagnostics.append(&mut real.diagnostics);
        if !real.is_timed {
            self.last.replace(Some(real));
        }
        diagnostics.extend(storing::check(module, collected));
        let verdict = if diagnostics.iter().any(|it| it.is_error() && !is_limit(it)) {
            Verdict::Reject
        } else if diagnostics.iter().any(|it| it.rule == UNDECIDED || is_limit(it)) {
            Verdict::Undecided
        } else {
            Verdict::Accept
        };
        Judgement { verdict, diagnostics, values }
    }
}

/// Whether a diagnostic says only that we went no further: Terraform may take it all the same.
fn is_limit(diagnostic: &Diagnostic) -> bool {
    [BUDGET_EXCEEDED, OUTSIDE_ROOT].contains(&diagnostic.rule) || is_too_deep(diagnostic)
}

/// What errors of reading come to. Where something was not read, what else is wrong may come of that.
fn unread(said: Diagnostics) -> Judgement {
    let (limits, others): (Diagnostics, Diagnostics) = said.into_iter().partition(is_limit);
    if limits.is_empty() {
        return rejected(others);
    }
    Judgement { verdict: Verdict::Undecided, diagnostics: limits, values: BTreeMap::new() }
}

fn rejected(diagnostics: Diagnostics) -> Judgement {
    Judgement { verdict: Verdict::Reject, diagnostics, values: BTreeMap::new() }
}

fn cycle(module: &Module, nodes: &[graph::Node]) -> Diagnostic {
    use graph::Node;
    let name = |node: &Node| match node {
        Node::Value(it) => Some(format!("var.{it}")),
        Node::Rules(it) => Some(format!("var.{it} (validation)")),
        Node::Local(it) => Some(format!("local.{it}")),
        Node::Output(it) => Some(format!("output.{it}")),
        Node::Check(it) => Some(format!("check.{it}")),
    };
    let span = |node: &Node| match node {
        Node::Value(it) | Node::Rules(it) => module.variables.get(it).map(|it| it.span),
        Node::Local(it) => module.locals.get(it).map(|it| it.span),
        Node::Output(it) => module.outputs.get(it).map(|it| it.span),
        Node::Check(it) => module.checks.get(it).map(|it| it.span),
    };
    let names: Vec<String> = nodes.iter().filter_map(name).collect();
    let mut diagnostic = Diagnostic::error(FAILED_EVALUATION, "Cycle").detail(names.join(" -> "));
    for span in nodes.iter().filter_map(span) {
        diagnostic = diagnostic.at(Role::Declaration, span);
    }
    diagnostic
}
