//! A module and all that it calls as they are written, evaluated with the values that are known before a plan:
//! every instance of a resource with its arguments, their spans and the objects that they refer to.
//!
//! The walk over the module is the verdict's. This one visits the same instances again, and keeps what
//! it finds.

mod blocks;
mod body;
mod origin;
mod part;

use std::rc::Rc;

use foldhash::HashMap;
use smol_str::SmolStr;

pub use blocks::{META, TopBlock};
pub use origin::ValueOrigin;
pub use part::WrittenPart;

use super::{
    instance::{CALL, MemberInstance},
    members::Members,
    pass::Pass,
    repetition::{Expansion, TOO_MANY},
};
use diagnostics::Span;
use hcl::Expr;
use module::{Module, Repetition, Resource, WrittenBlock};
use tf_eval::{EvalHost, Evaluation, Instance, Meter, evaluate_in_detail, evaluate_part};
use tf_value::{Number, Value, quoted};

/// The work of one more instance.
const INSTANCE: u64 = 200;

/// A walked module.
pub struct Written<'p> {
    members: &'p Members<'p>,
    /// The instances of each member.
    instances: &'p [Vec<MemberInstance<'p>>],
    host: &'p EvalHost<'p>,
    meter: &'p Meter,
    /// The address of each instance of each member, with its keys.
    addresses: Vec<Vec<SmolStr>>,
    pub objects: Vec<Object<'p>>,
    /// The blocks of each member by kind and labels, where the module kept them.
    by_address: Vec<HashMap<(&'p str, &'p str, &'p str), &'p WrittenBlock>>,
}

/// One instance of a resource, data source or ephemeral resource. If the number of instances is unknown, one
/// object represents all of them.
pub struct Object<'p> {
    pub resource: &'p Resource,
    pub module: SmolStr,
    pub key: Option<InstanceKey>,
    /// Why it is unknown whether it exists; `None` if that is known.
    pub doubt: Option<String>,
    /// Whether the same doubt holds for everything in its module.
    pub is_of_module: bool,
    env: Rc<Env<'p>>,
}

/// The key of an instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstanceKey {
    Index(u64),
    Name(SmolStr),
}

impl InstanceKey {
    /// The key as it is written in brackets.
    pub fn text(&self) -> String {
        match self {
            InstanceKey::Index(it) => it.to_string(),
            InstanceKey::Name(it) => quoted(it),
        }
    }

    pub fn value(&self) -> Value {
        match self {
            InstanceKey::Index(it) => Value::number(Number::from_u64(*it)),
            InstanceKey::Name(it) => Value::string(it),
        }
    }

    fn of(value: &Value) -> Option<InstanceKey> {
        if let Some(it) = value.as_str() {
            return Some(InstanceKey::Name(it.into()));
        }
        value.as_number().and_then(Number::to_u64).map(InstanceKey::Index)
    }
}

/// The environment of an expression.
#[derive(Clone)]
struct Env<'p> {
    member: usize,
    index: usize,
    instance: Instance,
    /// The collection that `each` iterates over.
    for_each: Option<&'p Expr>,
    /// The names that the surrounding `dynamic` blocks bind, innermost last.
    bound: Vec<Bound<'p>>,
    /// Arguments that are words instead of expressions.
    words: &'static [&'static str],
    /// The number of surrounding blocks.
    depth: u32,
}

/// The name that a `dynamic` block binds.
#[derive(Clone)]
struct Bound<'p> {
    name: SmolStr,
    /// The object `{key, value}`.
    value: Value,
    collection: &'p Expr,
}

impl<'p> Env<'p> {
    /// The environment of everything in a module that has no instances.
    fn of(member: usize, index: usize) -> Env<'p> {
        let (instance, bound) = (Instance::default(), Vec::new());
        Env { member, index, instance, for_each: None, bound, words: &[], depth: 0 }
    }
}

impl<'p> Written<'p> {
    pub(super) fn new(pass: &'p Pass<'p>) -> Written<'p> {
        let Pass { members, instances, host, .. } = pass;
        let mut written = Written {
            members,
            instances,
            host,
            meter: pass.setting.meter,
            addresses: addresses(members, instances),
            objects: Vec::new(),
            by_address: members.iter().map(|it| by_address(it.module)).collect(),
        };
        for (member, instances) in instances.iter().enumerate() {
            for index in 0..instances.len() {
                written.add(member, index);
            }
        }
        written
    }

    /// The first call, as an address, whose module is not here, so that its objects are missing.
    pub fn unfollowed(&self) -> Option<String> {
        for (index, member) in self.members.iter().enumerate() {
            let mut calls = member.module.calls.keys();
            if let Some(name) = calls.find(|it| self.members.called(index, it).is_none()) {
                let separator = if member.address.is_empty() { "" } else { "." };
                return Some(format!("{}{separator}module.{name}", member.address));
            }
        }
        None
    }

    /// Adds what one instance of a module declares.
    fn add(&mut self, member: usize, index: usize) {
        let module = self.members.get(member).module;
        for ((kind, name), resource) in &module.resources {
            let here = &self.instances[member][index];
            let expansion = here.expansions.get(&(kind.clone(), name.clone()));
            let (instances, why) = Self::instances(expansion, &resource.repetition);
            let of_module = here.doubt.as_ref().map(|it| depends("its module", it));
            let (is_of_module, why) = (of_module.is_some(), of_module.or(why));
            for (key, instance) in instances {
                if !self.meter.charge(INSTANCE) {
                    // An exhausted budget is reported elsewhere.
                    return;
                }
                let for_each = resource.repetition.for_each.as_ref();
                let env = Env { instance, for_each, ..Env::of(member, index) };
                self.objects.push(Object {
                    resource,
                    module: self.addresses[member][index].clone(),
                    key,
                    doubt: why.clone(),
                    is_of_module,
                    env: Rc::new(env),
                });
            }
        }
    }

    /// The instances, and why it is unknown whether they exist; `None` if that is known.
    fn instances(
        expansion: Option<&Expansion>,
        repetition: &Repetition,
    ) -> (Vec<(Option<InstanceKey>, Instance)>, Option<String>) {
        let known = Expansion::for_reports(expansion.cloned(), repetition);
        let why = match &known {
            Expansion::Open { is_count, reasons } => {
                Some(depends(if *is_count { "count" } else { "for_each" }, reasons))
            }
            _ => None,
        };
        let instances = known.instances(false).into_iter();
        (instances.map(|it| (key_of(&it), it)).collect(), why)
    }

    /// The arguments and blocks of an object.
    pub fn part(&self, object: &Object<'p>) -> WrittenPart<'p> {
        self.body(&object.resource.body, object.resource.span, &object.env)
    }

    /// The module that contains an object.
    pub fn module_of(&self, object: &Object<'p>) -> &'p Module {
        self.members.get(object.env.member).module
    }

    /// The root module.
    fn root(&self) -> &'p Module {
        self.members.get(0).module
    }

    /// The value of an expression.
    fn evaluate(&self, expr: &Expr, env: &Env<'p>) -> Evaluation {
        let values = &self.instances[env.member][env.index].values;
        let data = values.in_instance(&env.instance);
        let scope = values.scope_of(&data);
        self.host.begin(None);
        if env.bound.is_empty() {
            return evaluate_in_detail(expr, &scope);
        }
        let names: Vec<(SmolStr, Value)> =
            env.bound.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
        evaluate_part(expr, &scope, &names)
    }

    /// Maps a span in a member's files to one among the root's.
    fn shifted(&self, span: Span, env: &Env<'p>) -> Span {
        span.shifted(self.members.get(env.member).shift)
    }
}

fn depends(what: &str, reasons: &[String]) -> String {
    if reasons.is_empty() {
        return format!("{what} cannot be evaluated here");
    }
    let gives = if reasons == [TOO_MANY] { "gives" } else { "depends on" };
    format!("{what} {gives} {}", reasons.join(", "))
}

fn by_address(module: &Module) -> HashMap<(&'_ str, &'_ str, &'_ str), &'_ WrittenBlock> {
    let blocks = module.blocks.iter().flatten();
    let two = blocks.filter_map(|it| match it.labels.as_slice() {
        [ty, name] => Some(((it.kind.as_str(), ty.as_str(), name.as_str()), it)),
        _ => None,
    });
    two.collect()
}

fn key_of(instance: &Instance) -> Option<InstanceKey> {
    let key = instance.count.as_ref().or(instance.each.as_ref().map(|it| &it.0));
    key.and_then(InstanceKey::of)
}

/// The address of each instance of each member; callers come first.
fn addresses(members: &Members<'_>, all: &[Vec<MemberInstance<'_>>]) -> Vec<Vec<SmolStr>> {
    let mut found: Vec<Vec<SmolStr>> = Vec::with_capacity(all.len());
    for (member, instances) in all.iter().enumerate() {
        let address = |instance: &MemberInstance<'_>| {
            let Some((caller, call)) = members.get(member).caller else {
                return SmolStr::default();
            };
            let outer = &found[caller][instance.caller];
            let separator = if outer.is_empty() { "" } else { "." };
            let key =
                key_of(&instance.instance).map_or(String::new(), |it| format!("[{}]", it.text()));
            SmolStr::new(format!("{outer}{separator}module.{}{key}", call.name))
        };
        let all = instances.iter().map(address).collect();
        found.push(all);
    }
    found
}
