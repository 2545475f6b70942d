//! The dependency graph of a module and of all that it calls: variables, their rules, locals, outputs,
//! calls and resources, in the order of evaluation.
//!
//! A reference to `var.b` waits for b's value *and* b's rules, as in Terraform: a rule of another
//! variable, a local or an output sees b only when all of b's own rules have passed.

use foldhash::HashSet;
use smol_str::SmolStr;

use super::{members::Members, tree::ModuleTree};
use diagnostics::Span;
use hcl::Expr;
use module::{Module, Validation};
use tf_eval::{RootReference, references};

/// Something that is evaluated in a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Node {
    /// A variable's value: conversion, null and default.
    Value(SmolStr),
    /// All `validation` blocks of a variable.
    Rules(SmolStr),
    Local(SmolStr),
    Output(SmolStr),
    Check(SmolStr),
    /// The number of instances of a called module.
    Call(SmolStr),
    /// The end of a called module: everything in it is done.
    Close(SmolStr),
    /// A resource, by kind (`TYPE`, `data.TYPE`, `ephemeral.TYPE`) and name.
    Resource(SmolStr, SmolStr),
    /// A provider's configuration or an action, by its index in the module.
    Configuration(usize),
    /// An `import` block, by its index in the module.
    Import(usize),
}

impl Node {
    /// The node's name in a message; `None` for a part of another node.
    pub fn name(&self) -> Option<String> {
        match self {
            Node::Value(it) => Some(format!("var.{it}")),
            Node::Rules(it) => Some(format!("var.{it} (validation)")),
            Node::Local(it) => Some(format!("local.{it}")),
            Node::Output(it) => Some(format!("output.{it}")),
            Node::Check(it) => Some(format!("check.{it}")),
            Node::Call(it) => Some(format!("module.{it}")),
            Node::Resource(kind, name) => Some(format!("{kind}.{name}")),
            Node::Close(_) | Node::Configuration(_) | Node::Import(_) => None,
        }
    }

    /// The name that its declaration has.
    pub fn label(&self) -> &str {
        match self {
            Node::Value(it) | Node::Rules(it) | Node::Local(it) | Node::Output(it) => it,
            Node::Check(it) | Node::Call(it) | Node::Close(it) | Node::Resource(_, it) => it,
            Node::Configuration(_) => "provider",
            Node::Import(_) => "import",
        }
    }

    /// The span of the node's declaration.
    pub fn span(&self, module: &Module) -> Option<Span> {
        match self {
            Node::Value(it) | Node::Rules(it) => module.variables.get(it).map(|it| it.span),
            Node::Local(it) => module.locals.get(it).map(|it| it.span),
            Node::Output(it) => module.outputs.get(it).map(|it| it.span),
            Node::Check(it) => module.checks.get(it).map(|it| it.span),
            Node::Call(it) | Node::Close(it) => module.calls.get(it).map(|it| it.span),
            Node::Resource(kind, name) => {
                module.resources.get(&(kind.clone(), name.clone())).map(|it| it.span)
            }
            Node::Configuration(at) => module.configurations.get(*at).map(|it| it.span),
            Node::Import(at) => module.imports.get(*at).map(|it| it.span),
        }
    }
}

/// The nodes of a tree in the order of their evaluation.
pub(super) struct Graph {
    /// Every node comes after those that it waits for.
    pub order: Vec<Task>,
    /// The members in which something refers to a `module`.
    pub read_calls: Vec<bool>,
    /// The configurations of providers that some resource uses: the module that has each, and its index there.
    pub used: HashSet<(usize, usize)>,
    /// Each cycle, as the positions of its nodes in the order. A node of a cycle may come before one that it
    /// waits for.
    pub cycles: Vec<Vec<usize>>,
    /// Whether each node is part of a cycle.
    pub is_cyclic: Vec<bool>,
}

/// A node, and the positions in the order of the nodes that it waits for.
#[derive(Clone)]
pub(super) struct Task {
    /// The index of its module in the tree.
    pub member: usize,
    pub node: Node,
    /// Where it is declared, among the files of its module.
    pub span: Option<Span>,
    pub waits_for: Vec<usize>,
}

impl Graph {
    /// The same graph where the values of the root's calls are read from outside.
    pub fn read_from_outside(&self) -> Graph {
        let mut read_calls = self.read_calls.clone();
        read_calls[0] = true;
        let (used, cycles) = (self.used.clone(), self.cycles.clone());
        let (order, is_cyclic) = (self.order.clone(), self.is_cyclic.clone());
        Graph { order, read_calls, used, cycles, is_cyclic }
    }

    /// For each step, whether it is one of the root's variables, or of their rules, or depends on a variable that is
    /// given a value.
    pub fn behind(&self, is_given: impl Fn(&str) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.order.len()];
        let mut depends = vec![false; self.order.len()];
        for (place, step) in self.order.iter().enumerate() {
            let (is_own, is_start) = match &step.node {
                Node::Value(name) if step.member == 0 => (true, is_given(name)),
                Node::Rules(_) if step.member == 0 => (true, false),
                _ => (false, false),
            };
            depends[place] = is_start || step.waits_for.iter().any(|it| depends[*it]);
            found[place] = is_own || depends[place];
        }
        found
    }

    /// For each step, whether it is one of some steps, or one of them needs it.
    pub fn with_needs(&self, steps: &[bool]) -> Vec<bool> {
        let mut next: Vec<usize> = (0..self.order.len()).filter(|it| steps[*it]).collect();
        let mut wanted = vec![false; self.order.len()];
        while let Some(position) = next.pop() {
            if !std::mem::replace(&mut wanted[position], true) {
                next.extend(&self.order[position].waits_for);
            }
        }
        wanted
    }

    /// Builds the graph, in which each cycle is cut at one place.
    pub fn new(members: &Members<'_>) -> Graph {
        let nodes = Nodes::new(members);
        let count = nodes.list.len();
        let mut read_calls = vec![false; members.len()];
        let edges: Vec<Vec<usize>> =
            (0..count).map(|it| needs(members, &nodes, it, &mut read_calls)).collect();
        let mut used = HashSet::default();
        for (member, node) in &nodes.list {
            used.extend(configuration_of(members, *member, node));
        }
        let (order, state) = (Vec::new(), vec![None; count]);
        let mut sort = Sort { edges: &edges, order, state, cycles: Vec::new() };
        (0..count).for_each(|start| sort.visit(start));
        let mut positions = vec![0; count];
        sort.order.iter().enumerate().for_each(|(position, it)| positions[*it] = position);
        let step = |index: &usize| {
            let (member, node) = nodes.list[*index].clone();
            Task {
                member,
                span: node.span(members.get(member).module),
                node,
                waits_for: edges[*index].iter().map(|it| positions[*it]).collect(),
            }
        };
        let in_order = |members: &Vec<usize>| members.iter().map(|it| positions[*it]).collect();
        let cycles: Vec<Vec<usize>> = sort.cycles.iter().map(in_order).collect();
        let mut is_cyclic = vec![false; count];
        cycles.iter().flatten().for_each(|it| is_cyclic[*it] = true);
        Graph { order: sort.order.iter().map(step).collect(), read_calls, used, cycles, is_cyclic }
    }
}

/// All nodes, member by member, sorted within each member.
struct Nodes {
    list: Vec<(usize, Node)>,
    /// Where the nodes of each member begin, and where the last ones end.
    starts: Vec<usize>,
}

impl Nodes {
    fn new(members: &Members<'_>) -> Nodes {
        let (mut list, mut starts) = (Vec::new(), vec![0]);
        for (position, member) in members.iter().enumerate() {
            let own = match member.leaf {
                Some(leaf) => leaf.nodes.clone(),
                None => nodes(member.module),
            };
            list.extend(own.into_iter().map(|it| (position, it)));
            starts.push(list.len());
        }
        Nodes { list, starts }
    }

    /// The position of a node; `None` for a node that does not exist, which the evaluation reports.
    fn find(&self, member: usize, node: &Node) -> Option<usize> {
        let start = self.starts[member];
        let own = &self.list[start..self.starts[member + 1]];
        own.binary_search_by(|(_, it)| it.cmp(node)).ok().map(|it| start + it)
    }

    fn of_member(&self, member: usize) -> std::ops::Range<usize> {
        self.starts[member]..self.starts[member + 1]
    }
}

/// The nodes of a module, sorted.
fn nodes(module: &Module) -> Vec<Node> {
    let mut nodes = Vec::new();
    nodes.extend(module.variables.keys().cloned().map(Node::Value));
    nodes.extend(module.variables.keys().cloned().map(Node::Rules));
    nodes.extend(module.locals.keys().cloned().map(Node::Local));
    nodes.extend(module.outputs.keys().cloned().map(Node::Output));
    nodes.extend(module.checks.keys().cloned().map(Node::Check));
    nodes.extend(module.calls.keys().cloned().map(Node::Call));
    nodes.extend(module.calls.keys().cloned().map(Node::Close));
    let resources = module.resources.keys().cloned();
    nodes.extend(resources.map(|(kind, name)| Node::Resource(kind, name)));
    nodes.extend((0..module.configurations.len()).map(Node::Configuration));
    nodes.extend((0..module.imports.len()).map(Node::Import));
    nodes.sort_unstable();
    nodes
}

/// The nodes of a module that calls no other, and the nodes in it that each waits for. They are the same for
/// every caller.
#[derive(Debug)]
pub(super) struct Leaf {
    nodes: Vec<Node>,
    /// For each node, the positions of those that it waits for.
    needs: Vec<Vec<usize>>,
}

impl Leaf {
    pub fn new(module: &Module) -> Leaf {
        let tree = ModuleTree::default();
        let members = Members::new(module, &tree);
        let nodes = Nodes::new(&members);
        let needs =
            (0..nodes.list.len()).map(|it| needs(&members, &nodes, it, &mut [false])).collect();
        Leaf { nodes: nodes.list.into_iter().map(|it| it.1).collect(), needs }
    }
}

/// The positions of the nodes that a node waits for; sorted.
fn needs(
    members: &Members<'_>,
    nodes: &Nodes,
    position: usize,
    read_calls: &mut [bool],
) -> Vec<usize> {
    let (member, node) = &nodes.list[position];
    let mut needs = Needs { members, nodes, read_calls, found: Vec::new() };
    let module = members.get(*member).module;
    if let Some(leaf) = members.get(*member).leaf {
        let start = nodes.starts[*member];
        needs.found.extend(leaf.needs[position - start].iter().map(|it| start + it));
    } else {
        for it in expressions(module, node) {
            references(it).iter().for_each(|it| needs.refer(*member, it));
        }
    }
    if let Some((caller, call)) = members.get(*member).caller {
        needs.add(caller, &Node::Call(call.name.clone()));
        if let Node::Value(name) = node
            && let Some(argument) = call.arguments.get(name)
        {
            references(&argument.expr).iter().for_each(|it| needs.refer(caller, it));
        }
    }
    match node {
        Node::Rules(name) => needs.add(*member, &Node::Value(name.clone())),
        Node::Resource(kind, name) => {
            if let Some((owner, at)) = configuration_of(members, *member, node) {
                needs.add(owner, &Node::Configuration(at));
            }
            for (owner, import) in members.imports_to(*member, kind, name) {
                let exprs = import.for_each.iter().chain(&import.id).chain(&import.identity);
                exprs.flat_map(references).for_each(|it| needs.refer(owner, &it));
            }
        }
        Node::Close(name) => {
            needs.add(*member, &Node::Call(name.clone()));
            if let Some(called) = members.called(*member, name) {
                needs.found.extend(nodes.of_member(called));
            } else if let Some(call) = module.calls.get(name) {
                let all = call.arguments.values().flat_map(|it| references(&it.expr));
                all.for_each(|it| needs.refer(*member, &it));
            }
        }
        _ => (),
    }
    // A variable's rules are about its own value, and a resource that refers to itself is reported
    // elsewhere.
    let is_about_itself = matches!(node, Node::Rules(_) | Node::Resource(..));
    let mut found = needs.found;
    found.retain(|it| !(is_about_itself && *it == position));
    found.sort_unstable();
    found.dedup();
    found
}

/// The configuration of a provider that a resource uses, if it is written.
fn configuration_of(members: &Members<'_>, member: usize, node: &Node) -> Option<(usize, usize)> {
    let Node::Resource(kind, name) = node else { return None };
    let resource = members.get(member).module.resources.get(&(kind.clone(), name.clone()))?;
    super::providers::configuration_of(members, member, resource)
}

struct Needs<'a> {
    members: &'a Members<'a>,
    nodes: &'a Nodes,
    /// For each member, whether something in it refers to a `module`.
    read_calls: &'a mut [bool],
    found: Vec<usize>,
}

impl Needs<'_> {
    /// Adds a node to wait for. An undeclared one is reported by the evaluation.
    fn add(&mut self, member: usize, node: &Node) {
        self.found.extend(self.nodes.find(member, node));
    }

    fn refer(&mut self, member: usize, root: &RootReference<'_>) {
        let Some(tf_eval::ReferenceStep::Attribute(name)) = root.first else { return };
        match root.name {
            "var" => self.add(member, &Node::Rules(name.into())),
            "local" => self.add(member, &Node::Local(name.into())),
            "module" => self.call(member, name, &root.steps()),
            "path" | "terraform" | "tofu" | "each" | "count" | "self" => (),
            "resource" => self.qualified(member, "", &root.steps()),
            "data" => self.qualified(member, "data.", &root.steps()),
            "ephemeral" => self.qualified(member, "ephemeral.", &root.steps()),
            kind => self.add(member, &Node::Resource(kind.into(), name.into())),
        }
    }

    /// Adds an output of a called module, or all of its outputs.
    fn call(&mut self, member: usize, name: &str, steps: &[tf_eval::ReferenceStep<'_>]) {
        self.read_calls[member] = true;
        self.add(member, &Node::Call(name.into()));
        let rest = match steps.get(1) {
            Some(tf_eval::ReferenceStep::Index) => &steps[2..],
            _ => &steps[1..],
        };
        let output = match rest.first() {
            Some(tf_eval::ReferenceStep::Attribute(output)) => Some(Node::Output((*output).into())),
            _ => None,
        };
        let called = self.members.called(member, name);
        let position = called.zip(output).and_then(|(at, it)| self.nodes.find(at, &it));
        match position {
            Some(it) => self.found.push(it),
            None if called.is_some() => self.add(member, &Node::Close(name.into())),
            // Nobody knows what the outputs of a module that is not here depend on.
            None => (),
        }
    }

    fn qualified(&mut self, member: usize, prefix: &str, steps: &[tf_eval::ReferenceStep<'_>]) {
        if let [
            tf_eval::ReferenceStep::Attribute(kind),
            tf_eval::ReferenceStep::Attribute(name),
            ..,
        ] = steps
        {
            let kind = SmolStr::new(format!("{prefix}{kind}"));
            self.add(member, &Node::Resource(kind, (*name).into()));
        }
    }
}

/// The expressions of a module outside of deprecated outputs, with the arguments of its calls.
pub fn expressions_in_use(module: &Module) -> Vec<&Expr> {
    let outputs = module.outputs.values().filter(|it| it.deprecated.is_none());
    let mut nodes: Vec<Node> = module.variables.keys().cloned().map(Node::Rules).collect();
    nodes.extend(module.locals.keys().cloned().map(Node::Local));
    nodes.extend(outputs.map(|it| Node::Output(it.name.clone())));
    nodes.extend(module.checks.keys().cloned().map(Node::Check));
    nodes.extend(module.calls.keys().cloned().map(Node::Call));
    nodes.extend(module.resources.keys().cloned().map(|(kind, name)| Node::Resource(kind, name)));
    nodes.extend((0..module.configurations.len()).map(Node::Configuration));
    nodes.extend((0..module.imports.len()).map(Node::Import));
    let arguments = module.calls.values().flat_map(|it| it.arguments.values());
    let own = nodes.iter().flat_map(|it| expressions(module, it));
    own.chain(arguments.map(|it| &*it.expr)).collect()
}

/// The expressions that a node evaluates in its own module; a call's arguments belong to the caller.
pub(super) fn expressions<'m>(module: &'m Module, node: &Node) -> Vec<&'m Expr> {
    let of_rules = |rules: &'m [Validation]| {
        rules.iter().flat_map(|it| std::iter::once(&it.condition).chain(&it.error_message))
    };
    let mut found = Vec::new();
    match node {
        Node::Value(_) | Node::Close(_) => (),
        Node::Rules(name) => {
            let variable = module.variables.get(name);
            found.extend(variable.into_iter().flat_map(|it| of_rules(&it.validations)));
        }
        Node::Local(name) => found.extend(module.locals.get(name).map(|it| &it.expr)),
        Node::Output(name) => {
            let Some(it) = module.outputs.get(name) else { return found };
            found.extend(it.value.iter().chain(of_rules(&it.preconditions)).chain(&it.depends_on));
        }
        Node::Check(name) => {
            let check = module.checks.get(name);
            found.extend(check.into_iter().flat_map(|it| of_rules(&it.asserts)));
        }
        Node::Call(name) => {
            let Some(it) = module.calls.get(name) else { return found };
            found.extend(it.repetition.expr().into_iter().chain(&it.depends_on));
        }
        Node::Resource(kind, name) => {
            let key = (kind.clone(), name.clone());
            let Some(it) = module.resources.get(&key) else { return found };
            found.extend(it.repetition.expr());
            it.body.expressions(&mut found);
            found.extend(of_rules(&it.preconditions).chain(of_rules(&it.postconditions)));
            found.extend(it.depends_on.iter().chain(&it.replace_triggered_by));
            let common = it.connection.iter();
            let own = it.provisioners.iter().flat_map(|it| &it.connection);
            common.chain(own).for_each(|it| it.body.expressions(&mut found));
            it.provisioners.iter().for_each(|it| it.body.expressions(&mut found));
        }
        Node::Configuration(position) => {
            let it = &module.configurations[*position];
            found.extend(it.repetition.expr());
            it.body.expressions(&mut found);
        }
        Node::Import(position) => {
            let it = &module.imports[*position];
            found.extend(it.for_each.iter().chain(&it.id).chain(&it.identity));
        }
    }
    found
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
    /// The nodes of each cycle that was met.
    cycles: Vec<Vec<usize>>,
}

/// The number of cycles that are reported; one mistake can make very many.
const MOST_CYCLES: usize = 20;

impl Sort<'_> {
    /// Sorts depth first, with an explicit stack, since a chain of locals may be long.
    fn visit(&mut self, start: usize) {
        if self.state[start].is_some() {
            return;
        }
        self.state[start] = Some(State::Open);
        // Each node with the number of its dependencies that are done.
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
                    if self.cycles.len() < MOST_CYCLES {
                        let cycle = stack.iter().map(|it| it.0).skip_while(|it| *it != next);
                        self.cycles.push(cycle.collect());
                    }
                }
                None => {
                    self.state[next] = Some(State::Open);
                    stack.push((next, 0));
                }
            }
        }
    }
}
