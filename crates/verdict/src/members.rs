//! The modules of a tree as the judge sees them: the root first, each behind its caller.

use std::sync::Arc;

use super::{
    graph::Leaf,
    imports,
    onward::Hole,
    tree::{Link, Links, ModuleTree, Shared},
};
use diagnostics::{Diagnostic, Shift, Span};
use foldhash::HashSet;
use module::{Import, Module, ModuleCall};

/// A module in the tree, as one of its calls reaches it.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub module: &'a Module,
    /// `None` for the root.
    pub shared: Option<&'a Shared>,
    /// The module's part of the graph, where it is known already.
    pub leaf: Option<&'a Leaf>,
    links: &'a Links,
    /// The member that calls it, and how; `None` for the root.
    pub caller: Option<(usize, &'a ModuleCall)>,
    /// Maps spans in the module's files to spans in the root's sources.
    pub shift: Shift,
    /// `module.NAME.module.NAME`; empty for the root.
    pub address: &'a str,
    /// `path.module`
    pub path: &'a str,
}

/// The root first, each module behind the one that calls it.
pub(super) struct Members<'a> {
    all: Vec<Member<'a>>,
    /// The parts of called modules that were not read, among the root's sources.
    pub holes: Vec<Hole>,
}

impl<'a> Members<'a> {
    pub fn new(root: &'a Module, tree: &'a ModuleTree) -> Members<'a> {
        let mut members = Vec::with_capacity(1 + tree.called.len());
        let (shift, address, path) = (Shift::default(), "", ".");
        members.push(Member {
            module: root,
            shared: None,
            leaf: None,
            links: &tree.calls,
            caller: None,
            shift,
            address,
            path,
        });
        for it in &tree.called {
            let caller = it.parent.map_or(0, |it| it + 1);
            let call = &members[caller].module.calls[&it.call];
            members.push(Member {
                module: &it.module.module,
                shared: Some(&it.module),
                leaf: it.module.leaf(),
                links: &it.calls,
                caller: Some((caller, call)),
                shift: it.shift,
                address: &it.address,
                path: &it.path,
            });
        }
        Members { all: members, holes: holes(tree) }
    }

    /// The tree of a called module that calls no other, judged by itself.
    pub fn of_leaf(shared: &'a Shared, nothing: &'a ModuleTree) -> Members<'a> {
        let mut members = Members::new(&shared.module, nothing);
        members.all[0].leaf = shared.leaf();
        members
    }

    pub fn get(&self, index: usize) -> Member<'a> {
        self.all[index]
    }

    /// The index of the member with an address.
    pub fn find(&self, address: &str) -> Option<usize> {
        self.all.iter().position(|it| it.address == address)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Member<'a>> {
        self.all.iter()
    }

    /// The member that a call leads to; `None` where that module is not here.
    pub fn called(&self, index: usize, call: &str) -> Option<usize> {
        match self.all[index].links.get(call)? {
            Link::To(it) => Some(it + 1),
            Link::Away(_) | Link::Broken(_) => None,
        }
    }

    /// The span of the error that keeps a call from leading anywhere.
    pub fn broken(&self, index: usize, call: &str) -> Option<Span> {
        match self.all[index].links.get(call)? {
            Link::Broken(it) => Some(*it),
            Link::To(_) | Link::Away(_) => None,
        }
    }

    /// The imports to a resource, each with the member that has it.
    pub fn imports_to(
        &self,
        index: usize,
        kind: &str,
        name: &str,
    ) -> impl Iterator<Item = (usize, &'a Import)> {
        let owners = self.all.iter().enumerate().filter(|(_, it)| !it.module.imports.is_empty());
        let all =
            owners.flat_map(|(at, it)| it.module.imports.iter().map(move |import| (at, import)));
        all.filter(move |(owner, it)| self.is_to(*owner, it, index, kind, name))
    }

    /// Whether an import is to a resource, with whatever keys.
    fn is_to(&self, owner: usize, import: &Import, index: usize, kind: &str, name: &str) -> bool {
        let names = imports::names(&import.to);
        let (mut at, mut rest) = (owner, names.as_slice());
        while let ["module", call, others @ ..] = rest {
            let Some(called) = self.called(at, call) else { return false };
            (at, rest) = (called, others);
        }
        let rest = rest.strip_prefix(&["resource"]).filter(|it| it.len() > 1).unwrap_or(rest);
        at == index && rest == [kind, name]
    }

    /// Maps a diagnostic whose spans all lie in the member's own files.
    pub fn own(&self, index: usize, it: Diagnostic) -> Diagnostic {
        let member = &self.all[index];
        let address =
            if it.address.is_empty() { member.address.into() } else { it.address.clone() };
        Diagnostic { address, ..it.shifted(member.shift, member.shift) }
    }

    /// Whether a call that leads to a member has `depends_on`.
    pub fn waits(&self, mut member: usize) -> bool {
        while let Some((caller, call)) = self.all[member].caller {
            if !call.depends_on.is_empty() {
                return true;
            }
            member = caller;
        }
        false
    }

    /// Maps a diagnostic about a variable of a member; the value's span lies in the caller's files.
    pub fn of_variable(&self, index: usize, it: Diagnostic) -> Diagnostic {
        let member = &self.all[index];
        let values = member.caller.map_or(Shift::default(), |(caller, _)| self.all[caller].shift);
        Diagnostic { address: member.address.into(), ..it.shifted(values, member.shift) }
    }
}

/// The parts of called modules that were not read; those of a module that is called several times once.
fn holes(tree: &ModuleTree) -> Vec<Hole> {
    let mut seen = HashSet::default();
    let broken = tree.called.iter().filter(|it| !it.module.distrust.holes.is_empty());
    let once = broken.filter(|it| seen.insert(Arc::as_ptr(&it.module)));
    let all =
        once.flat_map(|it| it.module.distrust.holes.iter().map(|hole| hole.shifted(it.shift)));
    all.collect()
}

impl<'a> Member<'a> {
    /// The calls whose modules are not here, with the reason.
    pub fn away(&self) -> impl Iterator<Item = (&'a ModuleCall, &'a str)> {
        self.module.calls.values().filter_map(|call| match self.links.get(&call.name)? {
            Link::Away(reason) => Some((call, reason.as_str())),
            Link::To(_) | Link::Broken(_) => None,
        })
    }
}
