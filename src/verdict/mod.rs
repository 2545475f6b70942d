//! What `terraform plan` says of a module's inputs, in its own five stages.
//!
//! Each stage hides the later ones: loading, reading values files, collecting values, a static
//! pass with every variable unknown but typed, and the pass with the real values. The first two
//! and the third are the work of `module` and `inputs`; the last two are here.

mod explain;
mod graph;
mod known;
mod pass;
mod prepare;
mod rule;

use std::{collections::BTreeMap, path::PathBuf};

use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span, Verdict, has_errors},
    module::Module,
    system::System,
    value::{Path, Value},
    version::Version,
};

/// A value that some source gives to a variable, not converted yet.
pub struct Given<'a> {
    pub value: Value,
    pub source: Source,
    /// The place of the value, or of what a path leads to inside it; `None` where there is no
    /// text with places (an environment variable).
    pub locate: Box<dyn Fn(&Path) -> Option<Span> + 'a>,
}

/// Where a value came from, as far as a message needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    File,
    /// `TF_VAR_NAME`
    Environment,
    /// `-var`
    CommandLine,
}

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
}

/// Stages 4 and 5. The earlier ones must have found no error.
pub fn judge(
    module: &Module,
    given: &BTreeMap<SmolStr, Given<'_>>,
    setting: Setting<'_>,
) -> Judgement {
    let graph = match graph::Graph::new(module) {
        Ok(it) => it,
        Err(nodes) => return rejected(vec![cycle(module, &nodes)]),
    };
    let fixed = pass::run(module, &graph, &pass::Inputs::Unknown, setting);
    if has_errors(&fixed.diagnostics) {
        return rejected(fixed.diagnostics);
    }
    let real = pass::run(module, &graph, &pass::Inputs::Given(given), setting);
    let verdict = if has_errors(&real.diagnostics) {
        Verdict::Reject
    } else if real.diagnostics.iter().any(|it| it.rule == UNDECIDED) {
        Verdict::Undecided
    } else {
        Verdict::Accept
    };
    Judgement { verdict, diagnostics: real.diagnostics, values: real.values }
}

/// The rule of a validation that only a plan can decide.
pub(crate) const UNDECIDED: &str = "undecided-validation";

/// A judgement that ends before stage 5.
pub fn rejected(diagnostics: Diagnostics) -> Judgement {
    Judgement { verdict: Verdict::Reject, diagnostics, values: BTreeMap::new() }
}

fn cycle(module: &Module, nodes: &[graph::Node]) -> Diagnostic {
    use graph::Node;
    let name = |node: &Node| match node {
        Node::Value(it) => Some(format!("var.{it}")),
        Node::Rules(it) => Some(format!("var.{it} (validation)")),
        Node::Local(it) => Some(format!("local.{it}")),
        Node::Output(it) => Some(format!("output.{it}")),
    };
    let span = |node: &Node| match node {
        Node::Value(it) | Node::Rules(it) => module.variables.get(it).map(|it| it.span),
        Node::Local(it) => module.locals.get(it).map(|it| it.span),
        Node::Output(it) => module.outputs.get(it).map(|it| it.span),
    };
    let names: Vec<String> = nodes.iter().filter_map(name).collect();
    let mut diagnostic = Diagnostic::error("failed-evaluation", "Cycle").detail(names.join(" -> "));
    for span in nodes.iter().filter_map(span) {
        diagnostic = diagnostic.at(Role::Declaration, span);
    }
    diagnostic
}

/// Terraform's own directory-relative names.
pub(crate) fn current_dir(system: &dyn System) -> PathBuf {
    system.current_dir().unwrap_or_default()
}
