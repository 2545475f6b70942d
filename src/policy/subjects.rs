//! What rules judge: one model of objects, whether a plan tells of them or a configuration.

use std::{collections::BTreeSet, rc::Rc};

use smol_str::SmolStr;

use super::language::{Action, BlockKind};
use crate::{
    diagnostic::Location,
    value::{Path, Type, Value},
    verdict::written::Origin,
};

/// What has objects: a plan, or a configuration.
pub(super) trait World {
    /// How many resources, data sources and ephemeral resources there are.
    fn len(&self) -> usize;

    /// What one of them is found by.
    fn head(&self, at: usize) -> Head<'_>;

    /// The key of its instance as it stands in brackets.
    fn key(&self, at: usize) -> Option<String>;

    /// Whether it exists after the plan; `None` where nobody knows.
    fn stays(&self, at: usize) -> Option<bool>;

    /// Errors: what keeps it from being judged.
    fn subject(&self, at: usize) -> Result<Subject<'_>, String>;

    /// The names of its arguments that no rule speaks of.
    fn unasked(&self, _at: usize) -> Vec<SmolStr> {
        Vec::new()
    }

    /// The text that an argument of it is, where that is known.
    fn text(&self, at: usize, name: &str) -> Option<SmolStr>;

    /// What the value at a path of it may refer to; one of them is right.
    fn origins(&self, at: usize, path: &Path) -> Vec<Origin>;

    /// Everything else. Errors: what keeps it from being judged.
    fn others(&self) -> Result<Vec<Subject<'_>>, String>;

    /// Whether it tells what Terraform itself reads in a resource, and of `terraform` blocks.
    fn tells_what_is_written(&self) -> bool;
}

/// What an object is found by, before anything of it is read.
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

/// One object.
pub(super) struct Subject<'w> {
    pub kind: BlockKind,
    /// The type, or the name where the kind has no types.
    pub label: SmolStr,
    pub address: SmolStr,
    pub acting: Acting,
    /// What it is like after, or before where it goes.
    pub attrs: Value,
    pub prior: Value,
    /// What is known of it beside its arguments; made for who asks.
    pub meta: Box<dyn Fn() -> Value + 'w>,
    pub absent: Absent,
    /// Arguments that nobody here knows, whether they are written or not.
    pub untold: &'static [&'static str],
    /// Why nobody knows whether there is such an object.
    pub doubt: Option<String>,
    /// The module of which all objects are in doubt for that.
    pub doubtful_module: Option<SmolStr>,
    /// Where it is written, if the sources are here.
    pub source: Option<Box<dyn Source + 'w>>,
}

/// What happens to an object.
#[derive(Clone, Copy)]
pub(super) enum Acting {
    /// Nothing happens to such things.
    Nothing,
    Known {
        action: Action,
        is_moved: bool,
        is_imported: bool,
    },
    /// One of these, and nobody knows which.
    OneOf(&'static [Action]),
}

/// What it means that an argument is not among those of an object.
pub(super) enum Absent {
    /// Every argument that there is stands there: its type has no such argument.
    Mistake,
    /// It is null.
    Null,
    /// It is not written, and a provider may fill it in. With the names that any object of its type has.
    Unwritten(Rc<BTreeSet<SmolStr>>),
}

/// Where an object is written.
pub(super) trait Source {
    /// Where the value at a path is written, or what is around it.
    fn location(&self, path: &Path) -> Location;

    /// What the value at a path refers to.
    fn origin(&self, path: &Path) -> Origin;

    /// Whether the path names an argument that its block, which is written, leaves out.
    fn is_left_out(&self, path: &Path) -> bool;

    /// What the value at a path depends on that is not known before a plan.
    fn undecided(&self, path: &Path) -> Vec<String>;
}

impl Subject<'_> {
    /// An object of a kind to which nothing happens, and of which not everything is known.
    pub fn plain(kind: BlockKind, label: &str, address: &str, attrs: Value) -> Self {
        let (label, address) = (SmolStr::from(label), SmolStr::from(address));
        let named = (label.clone(), address.clone());
        Subject {
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
        }
    }

    /// Whether one of the actions happens to it; `None` where nobody knows.
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

    /// What happens to it, in a word, where that is known.
    pub fn action(&self) -> Option<&'static str> {
        match self.acting {
            Acting::Known { action, .. } => Some(action.as_str()),
            Acting::Nothing | Acting::OneOf(_) => None,
        }
    }

    /// Whether a plan tells of it.
    pub fn is_planned(&self) -> bool {
        !matches!(self.absent, Absent::Unwritten(_))
    }
}

/// An object of these members.
pub(super) fn object<const N: usize>(members: [(&'static str, Value); N]) -> Value {
    Value::object(members.map(|(name, it)| (SmolStr::new_static(name), it)).into())
}
