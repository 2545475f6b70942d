//! One instance of a module in the tree, with the values that are known there.

use std::collections::BTreeMap;

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{JudgeSetting, graph::Node, members::Member, repetition::Expansion};
use module::{Address, ByName, Known, Output, Values, Variable, inputs::Input};
use tf_eval::{EvalHost, Instance, Meter};
use tf_value::{Marks, Type, Value, nfc};

/// The kind of a call, where calls are listed among resources.
pub(super) const CALL: SmolStr = SmolStr::new_static("module");

/// An instance of a member.
pub(super) struct MemberInstance<'a> {
    pub values: Values<'a>,
    /// The position of the caller's instance that this one belongs to.
    pub caller: usize,
    /// The instance names (`count`, `each`) that the arguments of its call may refer to.
    pub instance: Instance,
    /// Why this instance may not exist, if that is open.
    pub doubt: Option<Vec<String>>,
    /// The variables' values that its call gives.
    pub inputs: HashMap<SmolStr, Input>,
    /// In Terraform's static pass: the values that a variable's own rules see.
    pub own: HashMap<SmolStr, Value>,
    pub outputs: HashMap<SmolStr, Value>,
    /// The expansion of each of its calls (`module`, NAME) and resources (kind, name).
    pub expansions: HashMap<(SmolStr, SmolStr), Expansion>,
    /// What each of its imports imports, by the import's position.
    pub imports: HashMap<usize, Vec<Target>>,
}

/// One thing that an import is to.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// `None` where only a plan knows its keys.
    pub address: Option<Address>,
    /// Whether it is certainly imported.
    pub is_certain: bool,
    /// Whether its keys must not be printed.
    pub is_hidden: bool,
}

/// The part of an instance that is kept for another walk.
#[derive(Debug)]
pub(super) struct Kept {
    pub known: Known,
    caller: usize,
    instance: Instance,
    doubt: Option<Vec<String>>,
    inputs: HashMap<SmolStr, Input>,
    own: HashMap<SmolStr, Value>,
    outputs: HashMap<SmolStr, Value>,
    pub expansions: HashMap<(SmolStr, SmolStr), Expansion>,
    pub imports: HashMap<usize, Vec<Target>>,
}

impl<'a> MemberInstance<'a> {
    /// An instance without any known value.
    pub fn new(
        member: Member<'a>,
        setting: JudgeSetting<'a>,
        host: &'a EvalHost<'a>,
    ) -> MemberInstance<'a> {
        let (module, release) = (member.module, setting.release);
        let values = Values::new(module, BTreeMap::new(), setting.workspace, host, release);
        MemberInstance {
            values: values.at(member.path),
            caller: 0,
            instance: Instance::default(),
            doubt: None,
            inputs: HashMap::default(),
            own: HashMap::default(),
            outputs: HashMap::default(),
            expansions: HashMap::default(),
            imports: HashMap::default(),
        }
    }

    pub fn into_kept(self) -> Kept {
        let MemberInstance {
            values,
            caller,
            instance,
            doubt,
            inputs,
            own,
            outputs,
            expansions,
            imports,
        } = self;
        let known = values.into_known();
        Kept { known, caller, instance, doubt, inputs, own, outputs, expansions, imports }
    }

    /// The same instance as in the walk before, with its caller and keys.
    pub fn like(mut self, kept: &Kept, is_checked: bool) -> Self {
        if is_checked {
            self.values = self.values.checked();
        }
        self.caller = kept.caller;
        self.instance = kept.instance.clone();
        self.doubt.clone_from(&kept.doubt);
        self
    }

    /// Takes over the result of the static pass for a called module's variable, whose value no other
    /// variable's rule saw.
    pub fn settle(&mut self, variable: &Variable, kept: &Kept) {
        let name = &variable.name;
        self.values.set(variable, kept.own[name].clone());
        self.inputs.extend(kept.inputs.get(name).map(|it| (name.clone(), it.clone())));
    }

    /// Takes over a node's result from the walk before.
    pub fn take(&mut self, node: &Node, kept: &Kept) {
        match node {
            Node::Value(name) => {
                if let Some(value) = kept.known.variables.get(name) {
                    self.values.set_marked(name, value.clone());
                }
                self.inputs.extend(kept.inputs.get(name).map(|it| (name.clone(), it.clone())));
            }
            Node::Local(name) => {
                let known = kept.known.locals.get(name);
                known.into_iter().for_each(|it| self.values.set_local(name, it.clone()));
            }
            Node::Output(name) => {
                self.outputs.extend(kept.outputs.get(name).map(|it| (name.clone(), it.clone())));
            }
            Node::Resource(kind, name) => {
                let key = (kind.clone(), name.clone());
                if let Some(value) = kept.known.objects.get(&key) {
                    self.values.set_object(kind, name, value.clone());
                }
                let known = kept.expansions.get(&key);
                self.expansions.extend(known.map(|it| (key.clone(), it.clone())));
            }
            Node::Call(name) => {
                let key = (CALL, name.clone());
                let known = kept.expansions.get(&key);
                self.expansions.extend(known.map(|it| (key.clone(), it.clone())));
            }
            Node::Import(at) => {
                let known = kept.imports.get_key_value(at);
                self.imports.extend(known.map(|(at, it)| (*at, it.clone())));
            }
            Node::Rules(_) | Node::Check(_) | Node::Close(_) | Node::Configuration(_) => (),
        }
    }
}

impl Kept {
    /// Whether the instance exists, whatever the plan says.
    pub fn is_certain(&self) -> bool {
        self.doubt.is_none()
    }

    /// Whether the static pass found everything about a called module's variable, so that no later walk
    /// finds more.
    pub fn is_settled(&self, name: &str) -> bool {
        self.own.get(name).is_some_and(|it| it.is_wholly_known() && it.deep_marks() == Marks::NONE)
    }
}

/// The parts of the value of `module.NAME`.
pub(super) struct Whole<'v> {
    pub outputs: &'v ByName<Output>,
    /// The expansion of the call; `None` after an error.
    pub expansion: Option<&'v Expansion>,
    pub is_static: bool,
}

impl Whole<'_> {
    /// The value of the call; `None` where only a plan knows it. Terraform's static pass knows only the
    /// names of outputs, and whether the instances have keys.
    pub fn value<'p, 'a: 'p>(
        &self,
        instances: impl Iterator<Item = &'p MemberInstance<'a>>,
        meter: &Meter,
    ) -> Option<Value> {
        let expansion = self.expansion?;
        if self.is_static {
            let outputs = self.outputs.keys().map(|it| (nfc(it), Type::Dynamic)).collect();
            let object = Type::object(outputs);
            return Some(Value::unknown(match expansion {
                Expansion::Single | Expansion::Disabled => object,
                Expansion::Count(_) | Expansion::Open { is_count: true, .. } => Type::list(object),
                Expansion::Each(_) | Expansion::Open { .. } => Type::map(object),
            }));
        }
        if let Expansion::Open { .. } = expansion {
            return None;
        }
        let object = |place: &MemberInstance<'_>| {
            // An output without a value is not evaluated yet, or failed; no node that is reached refers
            // to it.
            let output = |name: &SmolStr| {
                let value = place.outputs.get(name).cloned();
                (nfc(name), value.unwrap_or_else(|| Value::unknown(Type::Dynamic)))
            };
            Value::object(self.outputs.keys().map(output).collect())
        };
        let objects: Vec<Value> = instances.map(object).collect();
        meter.charge((objects.len() * self.outputs.len()) as u64 / 4);
        Some(expansion.whole(objects))
    }
}
