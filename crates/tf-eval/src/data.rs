//! The names that an evaluation may refer to.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::functions::Host;
use release::Release;
use tf_value::Value;

/// The kinds of names that a reference can have.
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

/// The names that only the expressions of one instance of a resource or call may refer to.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// `count.index`
    pub count: Option<Value>,
    /// `each.key` and `each.value`
    pub each: Option<(Value, Value)>,
    /// `self`
    pub this: Option<Value>,
    /// Whether references to `self` are checked, but nothing is known about its value.
    pub hides_this: bool,
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

/// The provider behind a name whose functions are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// The one that is built into Terraform.
    BuiltIn,
    Other,
}

/// An argument of a declared resource or data source.
#[derive(Clone, Copy, Debug)]
pub struct WrittenArgument<'a> {
    /// `TYPE`, `data.TYPE`
    pub kind: &'a str,
    pub name: &'a str,
    /// The instance's key, if the reference has one.
    pub key: Option<&'a Value>,
    pub argument: &'a str,
}

/// The source of values for references; implemented by `module`.
pub trait Data {
    /// The value of `var.NAME` or `local.NAME`; `None` if it is not declared. A value with an error that
    /// was reported already is a dynamic unknown.
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value>;
    /// Whether `var.NAME` or `local.NAME` is declared.
    fn has(&self, namespace: Namespace, name: &str) -> bool {
        self.value(namespace, name).is_some()
    }
    /// The first declared names, for "Did you mean".
    fn names(&self, namespace: Namespace) -> Vec<String>;
    /// Whether the module declares the resource, data source (`data.TYPE`) or module call.
    fn declares(&self, kind: &str, name: &str) -> bool;
    /// The value of a declared resource, data source or module call; `None` where only a plan knows it.
    /// Unknown parts that a plan knows are marked `Marks::UNDECIDED`.
    fn object(&self, _kind: &str, _name: &str) -> Option<Value> {
        None
    }
    /// The written value of an argument; `None` where it may not stay like this. Only a reading of what
    /// is written gives values here, never a verdict.
    fn written(&self, _asked: &WrittenArgument<'_>) -> Option<Value> {
        None
    }
    /// Whether [`Data::written`] gives values at all.
    fn tells_what_is_written(&self) -> bool {
        false
    }
    /// Whether a declared resource, data source or module call has `count` or `for_each`; `None` where
    /// that is unknown.
    fn is_repeated(&self, _kind: &str, _name: &str) -> Option<bool> {
        None
    }
    /// The check that contains a declared data source: only its assertions may refer to it.
    fn check_of(&self, _kind: &str, _name: &str) -> Option<String> {
        None
    }
    /// The values of `each`, `count` and `self`; `None` where there are none.
    fn instance(&self) -> Option<&Instance> {
        None
    }
    /// `path.module`, `path.root`, `path.cwd`, `terraform.workspace`; `None` for another name.
    fn builtin(&self, root: &str, name: &str) -> Option<Value>;
    /// Why names may be declared that are not known; `None` where an unknown name is an error.
    fn open(&self) -> Option<&str> {
        None
    }
    /// Whether all references were found to be sound before, so that
    /// [`check_references`](super::check_references) has nothing to do.
    fn is_checked(&self) -> bool {
        false
    }
    /// The provider with this name in `required_providers`; its functions can be called.
    fn provider(&self, _name: &str) -> Option<Provider> {
        None
    }
    /// The causes for a value marked `Marks::UNDECIDED`, such as `aws_vpc.main`, for the verdict to
    /// name; if empty, the reference itself is the cause.
    fn undecided(&self, _namespace: Namespace, _name: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Data without any declaration: for literals, functions and templates.
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

/// Data of given variables alone: `var.a` for one value, without a module.
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

/// The context of an evaluation.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub data: &'a dyn Data,
    pub host: &'a dyn Host,
    pub release: Release,
}
