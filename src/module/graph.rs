//! Which rules and locals wait for which: Terraform's graph, as far as variables and locals go.

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::Module;
use crate::{
    diagnostic::{Diagnostic, Role},
    eval::{Root, Step, references},
    syntax::Expr,
};

/// The rule of a diagnostic about a cycle.
pub const CYCLIC_REFERENCE: &str = "cyclic-reference";

/// What waits and is waited for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A variable whose own rules have been checked.
    Variable(SmolStr),
    Local(SmolStr),
}

impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Node::Variable(name) => write!(f, "var.{name}"),
            Node::Local(name) => write!(f, "local.{name}"),
        }
    }
}

/// Variables and locals in an order in which each comes after all that it waits for.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    dependencies: IndexMap<Node, Vec<Node>>,
    order: Vec<Node>,
}

impl Graph {
    /// Builds the graph. A variable's rules wait for the rules of every other variable that they
    /// mention; a local waits for the rules of the variables that it reads. The error is the first
    /// cycle, or a local that refers to itself.
    pub fn new(module: &Module) -> Result<Graph, Box<Diagnostic>> {
        let mut graph = Graph::default();
        for (name, variable) in &module.variables {
            let rules = variable.validations.iter();
            let exprs =
                rules.flat_map(|it| std::iter::once(&it.condition).chain(&it.error_message));
            let own = Node::Variable(name.clone());
            let mut needed = dependencies(module, exprs);
            needed.retain(|it| *it != own);
            graph.dependencies.insert(own, needed);
        }
        for (name, local) in &module.locals {
            let needed = dependencies(module, [&local.expr]);
            graph.dependencies.insert(Node::Local(name.clone()), needed);
        }
        match graph.sort() {
            Ok(order) => Ok(Graph { order, ..graph }),
            Err(cycle) => Err(Box::new(describe(module, &cycle))),
        }
    }

    /// Every node, after all that it waits for; otherwise in declaration order.
    pub fn order(&self) -> &[Node] {
        &self.order
    }

    /// What a node waits for directly.
    pub fn dependencies(&self, node: &Node) -> &[Node] {
        self.dependencies.get(node).map_or(&[], Vec::as_slice)
    }

    /// Depth-first, with a stack of its own: chains of locals can be long. The error is a cycle, in
    /// the order of its references.
    fn sort(&self) -> Result<Vec<Node>, Vec<Node>> {
        let mut state = vec![State::New; self.dependencies.len()];
        let mut order = Vec::with_capacity(state.len());
        for start in 0..state.len() {
            let mut path = vec![(start, 0)];
            while let Some((at, next)) = path.pop() {
                if next == 0 {
                    if state[at] == State::Done {
                        continue;
                    }
                    state[at] = State::Open;
                }
                let Some((node, needed)) = self.dependencies.get_index(at) else { continue };
                let Some(dependency) = needed.get(next) else {
                    state[at] = State::Done;
                    order.push(node.clone());
                    continue;
                };
                path.push((at, next + 1));
                let Some(index) = self.dependencies.get_index_of(dependency) else { continue };
                if state[index] == State::Open {
                    return Err(self.cycle(&path, index));
                }
                path.push((index, 0));
            }
        }
        Ok(order)
    }

    fn cycle(&self, path: &[(usize, usize)], start: usize) -> Vec<Node> {
        let members = path.iter().map(|it| it.0).skip_while(|it| *it != start);
        members.filter_map(|it| self.dependencies.get_index(it)).map(|it| it.0.clone()).collect()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    /// On the way from the start to where the search stands.
    Open,
    Done,
}

/// The declared variables and locals that expressions refer to, each once.
pub fn dependencies<'e>(module: &Module, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<Node> {
    let mut found = Vec::new();
    for root in exprs.into_iter().flat_map(references) {
        if let Some(node) = node(module, &root)
            && !found.contains(&node)
        {
            found.push(node);
        }
    }
    found
}

fn node(module: &Module, root: &Root<'_>) -> Option<Node> {
    let Some(Step::Attribute(name)) = root.steps.first() else { return None };
    match root.name {
        "var" if module.variables.contains_key(*name) => Some(Node::Variable((*name).into())),
        "local" if module.locals.contains_key(*name) => Some(Node::Local((*name).into())),
        _ => None,
    }
}

fn describe(module: &Module, cycle: &[Node]) -> Diagnostic {
    let chain: Vec<String> = cycle.iter().chain(cycle.first()).map(ToString::to_string).collect();
    let chain = chain.join(" → ");
    let mut diagnostic = match cycle {
        [Node::Local(name)] => Diagnostic::error(CYCLIC_REFERENCE, "Self-referencing local value")
            .detail(format!("local.{name} refers to itself.")),
        _ => Diagnostic::error(CYCLIC_REFERENCE, format!("Cycle: {chain}")),
    };
    for node in cycle {
        let span = match node {
            Node::Variable(name) => module.variables.get(name).map(|it| it.span),
            Node::Local(name) => module.locals.get(name).map(|it| it.span),
        };
        if let Some(span) = span {
            diagnostic = diagnostic.at(Role::Declaration, span);
        }
    }
    diagnostic
}
