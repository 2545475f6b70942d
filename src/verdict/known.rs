//! What is known while a pass goes through the graph: the data of its evaluations.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::{
    eval::{Data, Namespace},
    module::Module,
    value::{Type, Value},
};

/// The values so far. What failed before is a dynamic unknown; nothing that waits for it is
/// evaluated.
pub(super) struct Known<'a> {
    pub module: &'a Module,
    pub variables: BTreeMap<SmolStr, Value>,
    pub locals: BTreeMap<SmolStr, Value>,
    /// What an undecided local depends on.
    pub undecided: BTreeMap<SmolStr, Vec<String>>,
    /// The working directory, for `path.cwd`.
    pub current_dir: String,
}

impl Data for Known<'_> {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        let (found, declared) = match namespace {
            Namespace::Variable => {
                (self.variables.get(name), self.module.variables.contains_key(name))
            }
            Namespace::Local => (self.locals.get(name), self.module.locals.contains_key(name)),
        };
        declared.then(|| found.cloned().unwrap_or_else(|| Value::unknown(Type::Dynamic)))
    }

    fn names(&self, namespace: Namespace) -> Vec<String> {
        match namespace {
            Namespace::Variable => self.module.variables.keys().map(ToString::to_string).collect(),
            Namespace::Local => self.module.locals.keys().map(ToString::to_string).collect(),
        }
    }

    fn declares(&self, kind: &str, name: &str) -> bool {
        self.module.declared.contains_key(&(kind.into(), name.into()))
    }

    fn builtin(&self, root: &str, name: &str) -> Option<Value> {
        match (root, name) {
            ("path", "module" | "root") => Some(Value::string(".")),
            ("path", "cwd") => Some(Value::string(&self.current_dir)),
            ("terraform", "workspace") => Some(Value::string("default")),
            _ => None,
        }
    }

    fn undecided(&self, namespace: Namespace, name: &str) -> Vec<String> {
        match namespace {
            Namespace::Variable => Vec::new(),
            Namespace::Local => self.undecided.get(name).cloned().unwrap_or_default(),
        }
    }
}

/// The same data with another value for one variable.
pub(super) struct With<'a> {
    pub data: &'a dyn Data,
    pub name: &'a str,
    pub value: Value,
}

impl Data for With<'_> {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        if namespace == Namespace::Variable && name == self.name {
            return Some(self.value.clone());
        }
        self.data.value(namespace, name)
    }

    fn names(&self, namespace: Namespace) -> Vec<String> {
        self.data.names(namespace)
    }

    fn declares(&self, kind: &str, name: &str) -> bool {
        self.data.declares(kind, name)
    }

    fn builtin(&self, root: &str, name: &str) -> Option<Value> {
        self.data.builtin(root, name)
    }

    fn undecided(&self, namespace: Namespace, name: &str) -> Vec<String> {
        self.data.undecided(namespace, name)
    }
}
