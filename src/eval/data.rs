//! What an evaluation may refer to.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::{functions::Host, release::Release, value::Value};

/// What a reference can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    Variable,
    Local,
}

impl Namespace {
    /// The root name of its references.
    pub fn root(self) -> &'static str {
        match self {
            Namespace::Variable => "var",
            Namespace::Local => "local",
        }
    }
}

/// What the expressions of one instance of a resource or call may refer to beside all others.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Instance {
    /// `count.index`
    pub count: Option<Value>,
    /// `each.key` and `each.value`
    pub each: Option<(Value, Value)>,
    /// `self`
    pub this: Option<Value>,
}

impl Instance {
    /// `count.index`, `each.key`, `each.value`.
    pub fn get(&self, root: &str, name: &str) -> Option<&Value> {
        match (root, name) {
            ("count", "index") => self.count.as_ref(),
            ("each", "key") => self.each.as_ref().map(|it| &it.0),
            ("each", "value") => self.each.as_ref().map(|it| &it.1),
            _ => None,
        }
    }
}

/// Who has the functions that are called by a provider's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// The one that is part of Terraform.
    BuiltIn,
    Other,
}

/// An argument of a declared resource or data source.
#[derive(Clone, Copy, Debug)]
pub struct WrittenArgument<'a> {
    /// `TYPE`, `data.TYPE`
    pub kind: &'a str,
    pub name: &'a str,
    /// The instance's, where a reference names one.
    pub key: Option<&'a Value>,
    pub argument: &'a str,
}

/// Where references get their values: implemented by `module`.
pub trait Data {
    /// The value of `var.NAME` or `local.NAME`; `None` when it is not declared. A value that could
    /// not be computed for a reason already reported is a dynamic unknown.
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value>;
    /// Whether `var.NAME` or `local.NAME` is declared.
    fn has(&self, namespace: Namespace, name: &str) -> bool {
        self.value(namespace, name).is_some()
    }
    /// The first declared names, for "Did you mean".
    fn names(&self, namespace: Namespace) -> Vec<String>;
    /// Whether the module declares the resource, data source (`data.TYPE`) or module call.
    fn declares(&self, kind: &str, name: &str) -> bool;
    /// What a declared resource, data source or module call is; `None` where only a plan knows. What
    /// it shows of it, its unknown parts marked, is `Marks::UNDECIDED` where a plan knows more.
    fn object(&self, _kind: &str, _name: &str) -> Option<Value> {
        None
    }
    /// What an argument is written as; `None` where nothing says that it is kept like this. Told only where
    /// what is written is asked for, and not what a plan says.
    fn written(&self, _asked: &WrittenArgument<'_>) -> Option<Value> {
        None
    }
    /// Whether [`Data::written`] tells anything.
    fn tells_what_is_written(&self) -> bool {
        false
    }
    /// Whether a declared resource, data source or module call has `count` or `for_each`; `None` where
    /// nothing tells.
    fn is_repeated(&self, _kind: &str, _name: &str) -> Option<bool> {
        None
    }
    /// The check that a declared data source stands in: only its assertions may refer to it.
    fn check_of(&self, _kind: &str, _name: &str) -> Option<String> {
        None
    }
    /// What `each`, `count` and `self` stand for; `None` where there are none of them.
    fn instance(&self) -> Option<&Instance> {
        None
    }
    /// `path.module`, `path.root`, `path.cwd`, `terraform.workspace`; `None` when there is no such.
    fn builtin(&self, root: &str, name: &str) -> Option<Value>;
    /// Whether every reference that will be met was found to be sound before, so that
    /// [`check_references`](super::check_references) has nothing to look for.
    fn is_checked(&self) -> bool {
        false
    }
    /// The provider that `required_providers` names so; its functions can be called.
    fn provider(&self, _name: &str) -> Option<Provider> {
        None
    }
    /// What a value marked `Marks::UNDECIDED` depends on, such as `aws_vpc.main`, so that a verdict
    /// can name it; nothing makes the reference itself the reason.
    fn undecided(&self, _namespace: Namespace, _name: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Nothing is declared: literals, functions and templates only.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoData;

impl Data for NoData {
    fn value(&self, _namespace: Namespace, _name: &str) -> Option<Value> {
        None
    }

    fn names(&self, _namespace: Namespace) -> Vec<String> {
        Vec::new()
    }

    fn declares(&self, _kind: &str, _name: &str) -> bool {
        false
    }

    fn builtin(&self, _root: &str, _name: &str) -> Option<Value> {
        None
    }
}

/// Given variables and nothing else: `var.a` for one value, without a module.
impl Data for BTreeMap<SmolStr, Value> {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        (namespace == Namespace::Variable).then(|| self.get(name).cloned()).flatten()
    }

    fn names(&self, namespace: Namespace) -> Vec<String> {
        match namespace {
            Namespace::Variable => self.keys().map(ToString::to_string).collect(),
            Namespace::Local => Vec::new(),
        }
    }

    fn declares(&self, _kind: &str, _name: &str) -> bool {
        false
    }

    fn builtin(&self, _root: &str, _name: &str) -> Option<Value> {
        None
    }
}

/// Everything that an evaluation needs beside the expression.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub data: &'a dyn Data,
    pub host: &'a dyn Host,
    pub release: Release,
}
