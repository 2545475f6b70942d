//! What depends on what: variables, their rules, locals and outputs, in the order of evaluation.
//!
//! A reference to `var.b` waits for b's value *and* b's rules, as in Terraform: a rule of another
//! variable, a local or an output sees b only when all of b's own rules have passed.

use smol_str::SmolStr;

use crate::{
    eval::{self, references},
    module::{Module, Validation},
    syntax::Expr,
};

/// Something that is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Node {
    /// A variable's value: conversion, null and default.
    Value(SmolStr),
    /// All `validation` blocks of a variable.
    Rules(SmolStr),
    Local(SmolStr),
    Output(SmolStr),
    Check(SmolStr),
}

/// The nodes of a module in the order of their evaluation.
pub(super) struct Graph {
    /// Every node stands behind those that it waits for.
    pub order: Vec<Step>,
}

/// A node and the places, in the order, of those that it waits for.
pub(super) struct Step {
    pub node: Node,
    pub waits_for: Vec<usize>,
}

impl Graph {
    /// Errors: the nodes of a cycle, in its order.
    pub fn new(module: &Module) -> Result<Graph, Vec<Node>> {
        let nodes = nodes(module);
        let edges: Vec<Vec<usize>> = nodes.iter().map(|it| needs(module, &nodes, it)).collect();
        let mut sort = Sort { edges: &edges, order: Vec::new(), state: vec![None; nodes.len()] };
        for start in 0..nodes.len() {
            let visited = sort.visit(start);
            visited.map_err(|it| it.into_iter().map(|it| nodes[it].clone()).collect::<Vec<_>>())?;
        }
        let mut places = vec![0; nodes.len()];
        sort.order.iter().enumerate().for_each(|(place, it)| places[*it] = place);
        let step = |it: &usize| Step {
            node: nodes[*it].clone(),
            waits_for: edges[*it].iter().map(|it| places[*it]).collect(),
        };
        Ok(Graph { order: sort.order.iter().map(step).collect() })
    }
}

/// All nodes, sorted.
fn nodes(module: &Module) -> Vec<Node> {
    let mut nodes = Vec::new();
    nodes.extend(module.variables.keys().cloned().map(Node::Value));
    nodes.extend(module.variables.keys().cloned().map(Node::Rules));
    nodes.extend(module.locals.keys().cloned().map(Node::Local));
    nodes.extend(module.outputs.keys().cloned().map(Node::Output));
    nodes.extend(module.checks.keys().cloned().map(Node::Check));
    nodes.sort_unstable();
    nodes
}

/// The places, among the sorted nodes, of those that a node waits for; sorted.
fn needs(module: &Module, nodes: &[Node], node: &Node) -> Vec<usize> {
    let mut found = Vec::new();
    for it in expressions(module, node) {
        for reference in references(it) {
            match (reference.name, reference.first) {
                ("var", Some(eval::Step::Attribute(name))) => found.push(Node::Rules(name.into())),
                ("local", Some(eval::Step::Attribute(name))) => {
                    found.push(Node::Local(name.into()));
                }
                _ => (),
            }
        }
    }
    if let Node::Rules(name) = node {
        // Its own value is what the rules are about; they do not wait for themselves.
        found.retain(|it| it != node);
        found.push(Node::Value(name.clone()));
    }
    // What is not declared is the evaluation's to report.
    let mut places: Vec<usize> =
        found.iter().filter_map(|it| nodes.binary_search(it).ok()).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// What is evaluated for a node.
fn expressions<'m>(module: &'m Module, node: &Node) -> Vec<&'m Expr> {
    let of_rules = |rules: &'m [Validation]| {
        rules.iter().flat_map(|it| std::iter::once(&it.condition).chain(&it.error_message))
    };
    match node {
        Node::Value(_) => Vec::new(),
        Node::Rules(name) => {
            module.variables.get(name).map_or(Vec::new(), |it| of_rules(&it.validations).collect())
        }
        Node::Local(name) => module.locals.get(name).map(|it| &it.expr).into_iter().collect(),
        Node::Output(name) => module.outputs.get(name).map_or(Vec::new(), |it| {
            it.value.iter().chain(of_rules(&it.preconditions)).chain(&it.depends_on).collect()
        }),
        Node::Check(name) => {
            module.checks.get(name).map_or(Vec::new(), |it| of_rules(&it.asserts).collect())
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

struct Sort<'a> {
    edges: &'a [Vec<usize>],
    order: Vec<usize>,
    state: Vec<Option<State>>,
}

impl Sort<'_> {
    /// Depth first, with a stack of its own: a chain of locals may be long.
    fn visit(&mut self, start: usize) -> Result<(), Vec<usize>> {
        if self.state[start].is_some() {
            return Ok(());
        }
        self.state[start] = Some(State::Open);
        // Each with how many of those that it waits for are done.
        let mut stack = vec![(start, 0)];
        while let Some((node, done)) = stack.last_mut() {
            let Some(next) = self.edges[*node].get(*done).copied() else {
                self.state[*node] = Some(State::Done);
                self.order.push(*node);
                stack.pop();
                continue;
            };
            *done += 1;
            match self.state[next] {
                Some(State::Done) => (),
                Some(State::Open) => {
                    let cycle = stack.iter().map(|it| it.0).skip_while(|it| *it != next);
                    return Err(cycle.collect());
                }
                None => {
                    self.state[next] = Some(State::Open);
                    stack.push((next, 0));
                }
            }
        }
        Ok(())
    }
}
