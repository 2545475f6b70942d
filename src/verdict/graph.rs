//! What depends on what: variables, their rules, locals and outputs, in the order of evaluation.
//!
//! A reference to `var.b` waits for b's value *and* b's rules, as in Terraform: a rule of another
//! variable, a local or an output sees b only when all of b's own rules have passed.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use crate::{
    module::Module,
    syntax::{
        Expr,
        analysis::{PathStep, references},
    },
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

/// The nodes of a module, each with the nodes that it waits for.
pub(super) struct Graph {
    /// Every node stands behind those that it waits for.
    pub order: Vec<Node>,
    pub waits_for: BTreeMap<Node, BTreeSet<Node>>,
}

impl Graph {
    /// Errors: the nodes of a cycle, in its order.
    pub fn new(module: &Module) -> Result<Graph, Vec<Node>> {
        let waits_for = edges(module);
        let mut sort = Sort { waits_for: &waits_for, order: Vec::new(), state: BTreeMap::new() };
        for node in waits_for.keys() {
            sort.visit(node)?;
        }
        Ok(Graph { order: sort.order, waits_for })
    }
}

fn edges(module: &Module) -> BTreeMap<Node, BTreeSet<Node>> {
    let mut edges = BTreeMap::new();
    for (name, variable) in &module.variables {
        let value = Node::Value(name.clone());
        let mut needed = BTreeSet::from([value.clone()]);
        for rule in &variable.validations {
            let parts = [Some(&rule.condition), rule.error_message.as_ref()];
            parts.into_iter().flatten().for_each(|it| needed.extend(needs(module, it)));
        }
        // Its own value is what the rules are about; it does not wait for itself.
        needed.remove(&Node::Rules(name.clone()));
        edges.insert(value, BTreeSet::new());
        edges.insert(Node::Rules(name.clone()), needed);
    }
    for (name, local) in &module.locals {
        edges.insert(Node::Local(name.clone()), needs(module, &local.expr));
    }
    for (name, output) in &module.outputs {
        let rules = output.preconditions.iter();
        let rules = rules.flat_map(|it| [Some(&it.condition), it.error_message.as_ref()]);
        let parts = std::iter::once(output.value.as_ref()).chain(rules).flatten();
        let parts = parts.chain(&output.depends_on);
        edges.insert(Node::Output(name.clone()), parts.flat_map(|it| needs(module, it)).collect());
    }
    for (name, check) in &module.checks {
        let rules = check.asserts.iter();
        let parts = rules.flat_map(|it| [Some(&it.condition), it.error_message.as_ref()]).flatten();
        edges.insert(Node::Check(name.clone()), parts.flat_map(|it| needs(module, it)).collect());
    }
    edges
}

/// The nodes that an expression refers to; what is not declared is the evaluation's to report.
fn needs(module: &Module, expr: &Expr) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    for reference in references(expr) {
        let Some(PathStep::Attr(name)) = reference.steps.first() else { continue };
        match reference.root.name.as_str() {
            "var" if module.variables.contains_key(name) => found.insert(Node::Rules(name.clone())),
            "local" if module.locals.contains_key(name) => found.insert(Node::Local(name.clone())),
            _ => false,
        };
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

struct Sort<'a> {
    waits_for: &'a BTreeMap<Node, BTreeSet<Node>>,
    order: Vec<Node>,
    state: BTreeMap<&'a Node, State>,
}

impl<'a> Sort<'a> {
    /// Depth first, with a stack of its own: a chain of locals may be long.
    fn visit(&mut self, start: &'a Node) -> Result<(), Vec<Node>> {
        let mut stack = vec![(start, self.next_of(start))];
        if self.state.contains_key(start) {
            return Ok(());
        }
        self.state.insert(start, State::Open);
        while let Some((node, rest)) = stack.last_mut() {
            let Some(next) = rest.pop() else {
                self.state.insert(node, State::Done);
                self.order.push((*node).clone());
                stack.pop();
                continue;
            };
            match self.state.get(next) {
                Some(State::Done) => (),
                Some(State::Open) => return Err(cycle(&stack, next)),
                None => {
                    self.state.insert(next, State::Open);
                    let rest = self.next_of(next);
                    stack.push((next, rest));
                }
            }
        }
        Ok(())
    }

    fn next_of(&self, node: &Node) -> Vec<&'a Node> {
        self.waits_for.get(node).map(|it| it.iter().rev().collect()).unwrap_or_default()
    }
}

fn cycle(stack: &[(&Node, Vec<&Node>)], from: &Node) -> Vec<Node> {
    stack.iter().map(|(it, _)| (*it).clone()).skip_while(|it| it != from).collect()
}
