//! The objects that rules judge: one model for those of a plan and those of a configuration.

use std::{collections::BTreeSet, rc::Rc};

use smol_str::SmolStr;

use super::{
    inferred::Inferred,
    language::{Action, BlockKind},
};
use diagnostics::Location;
use tf_value::{Path, Type, Value};
use verdict::written::ValueOrigin;

/// A set of objects: a plan, a configuration, or both. `at` is the number of a resource, data source or
/// ephemeral resource.
pub(super) trait World {
    /// How many resources, data sources and ephemeral resources there are.
    fn len(&self) -> usize;

    /// The kind, type, name and module of one of them.
    fn head(&self, at: usize) -> Head<'_>;

    /// The key of its instance as written in brackets: `0`, `"a"`.
    fn key(&self, at: usize) -> Option<String>;

    /// Whether it exists after the plan; `None` if that is not known.
    fn stays(&self, at: usize) -> Option<bool>;

    /// The object itself. Errors: a sentence about why it cannot be judged.
    fn subject(&self, at: usize) -> Result<PolicySubject<'_>, String>;

    /// The names of its arguments that no rule mentions.
    fn unasked(&self, _at: usize) -> Vec<SmolStr> {
        Vec::new()
    }

    /// The text of an argument; `None` if it is not a known text.
    fn text(&self, at: usize, name: &str) -> Option<SmolStr>;

    /// The possible origins of the value at a path of it; one of them is right.
    fn origins(&self, at: usize, path: &Path) -> Vec<ValueOrigin>;

    /// All other objects: outputs, variables, providers, calls. Errors: a sentence about why they cannot be
    /// judged.
    fn others(&self) -> Result<Vec<PolicySubject<'_>>, String>;

    /// The types of resources and data sources that it has, even those that no rule asks for.
    fn types(&self) -> Vec<(BlockKind, SmolStr)>;

    /// Why it may hold more objects than these; `None` if it does not.
    fn further(&self) -> Option<String> {
        None
    }

    /// Whether it has what Terraform itself reads in a resource, such as `lifecycle`, and `terraform` blocks.
    fn tells_what_is_written(&self) -> bool;
}

/// The identity of an object, known before its arguments are read.
pub(super) struct Head<'w> {
    pub kind: BlockKind,
    pub ty: &'w str,
    pub name: &'w str,
    /// The address of its module's instance.
    pub module: &'w str,
}

impl Head<'_> {
    /// `TYPE.NAME`, `data.TYPE.NAME`
    pub fn block(&self) -> String {
        let prefix = match self.kind {
            BlockKind::Data => "data.",
            BlockKind::Ephemeral => "ephemeral.",
            _ => "",
        };
        format!("{prefix}{}.{}", self.ty, self.name)
    }
}

/// An object: an instance of a resource, an output, a call and so on.
pub(super) struct PolicySubject<'w> {
    pub kind: BlockKind,
    /// The type, or the name where the kind has no types.
    pub label: SmolStr,
    pub address: SmolStr,
    pub acting: Acting,
    /// The values after the plan; for an object that is deleted, those before it.
    pub attrs: Value,
    pub prior: Value,
    /// The object `meta` (address, type, action and so on); made on demand.
    pub meta: Box<dyn Fn() -> Value + 'w>,
    pub absent: Absent,
    /// Arguments that are never known in this world, whether they are written or not.
    pub untold: &'static [&'static str],
    /// Why it is not known whether the object exists.
    pub doubt: Option<String>,
    /// The module whose objects are all in doubt for the same reason.
    pub doubtful_module: Option<SmolStr>,
    /// Where it is written, if the sources are here.
    pub source: Option<Box<dyn Source + 'w>>,
    /// The address of the provider, of a `provider` block: `registry.terraform.io/hashicorp/aws`.
    pub provider: Option<SmolStr>,
    /// The version of the provider that the lock file selects, of a `provider` block.
    pub selected: Option<SmolStr>,
    /// The block of a provider or a call, if a plan without sources has only references of its arguments.
    pub inferred: Option<Inferred<'w>>,
}

/// The action that happens to an object.
#[derive(Clone, Copy)]
pub(super) enum Acting {
    /// The kind has no actions; a variable, for example.
    Nothing,
    Known {
        action: Action,
        is_moved: bool,
        is_imported: bool,
    },
    /// One of these; it is not known which.
    OneOf(&'static [Action]),
}

/// The meaning of an argument that an object lacks.
pub(super) enum Absent {
    /// The object has every argument of its type, so its type has no such argument.
    Mistake,
    /// It is null.
    Null,
    /// The argument is not written, and a provider may fill it in. Holds the names that at least one object of
    /// the type writes.
    Unwritten(Rc<BTreeSet<SmolStr>>),
}

/// Where an object is written.
pub(super) trait Source {
    /// The place where the value at a path is written, or the nearest place around it.
    fn location(&self, path: &Path) -> Location;

    /// The origin of the value at a path.
    fn origin(&self, path: &Path) -> ValueOrigin;

    /// Whether the path is an argument that its written block leaves out.
    fn is_left_out(&self, path: &Path) -> bool;

    /// The causes why the value at a path is not known before a plan.
    fn undecided(&self, path: &Path) -> Vec<String>;
}

impl PolicySubject<'_> {
    /// An object of a kind without actions, whose missing arguments are null.
    pub fn plain(kind: BlockKind, label: &str, address: &str, attrs: Value) -> Self {
        let (label, address) = (SmolStr::from(label), SmolStr::from(address));
        let named = (label.clone(), address.clone());
        PolicySubject {
            kind,
            label,
            address,
            acting: Acting::Nothing,
            prior: Value::unknown(Type::Dynamic),
            attrs,
            meta: Box::new(move || {
                object([("address", Value::string(&named.1)), ("name", Value::string(&named.0))])
            }),
            absent: Absent::Null,
            untold: &[],
            doubt: None,
            doubtful_module: None,
            source: None,
            provider: None,
            selected: None,
            inferred: None,
        }
    }

    /// Whether one of the actions happens to it or, without a list, whether it exists after the plan; `None` if
    /// not known.
    pub fn has_action(&self, actions: Option<&[Action]>) -> Option<bool> {
        match (self.acting, actions) {
            (Acting::Nothing, _) | (Acting::OneOf(_), None) => Some(true),
            (Acting::Known { action, .. }, None) => Some(action.keeps()),
            (Acting::Known { action, is_moved, is_imported }, Some(all)) => Some(
                all.contains(&action)
                    || (is_moved && all.contains(&Action::Move))
                    || (is_imported && all.contains(&Action::Import)),
            ),
            (Acting::OneOf(some), Some(all)) => {
                let may_be = |it: &Action| some.contains(it);
                let is_beside = |it: &Action| matches!(it, Action::Move | Action::Import);
                match some.iter().all(|it| all.contains(it)) {
                    true => Some(true),
                    false if all.iter().any(|it| may_be(it) || is_beside(it)) => None,
                    false => Some(false),
                }
            }
        }
    }

    /// The word for the action that happens to it, if that is known.
    pub fn action(&self) -> Option<&'static str> {
        match self.acting {
            Acting::Known { action, .. } => Some(action.as_str()),
            Acting::Nothing | Acting::OneOf(_) => None,
        }
    }

    /// Whether the object comes from a plan.
    pub fn is_planned(&self) -> bool {
        !matches!(self.absent, Absent::Unwritten(_))
    }
}

/// An object value with these members.
pub(super) fn object<const N: usize>(members: [(&'static str, Value); N]) -> Value {
    Value::object(members.map(|(name, it)| (SmolStr::new_static(name), it)).into())
}
