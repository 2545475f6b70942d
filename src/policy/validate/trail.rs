//! The way to a value, which takes no memory until somebody needs it as a path.

use smol_str::SmolStr;

use crate::value::{Path, Step, Value};

/// The way from a block's object to a value in it: for `labels.env` the step `env`, and the trail to `labels`.
/// Most values pass and need no place; a [`Path`] is made only for a finding.
#[derive(Clone, Copy, Debug)]
pub(in crate::policy) struct Trail<'t> {
    /// The last step, and the trail before it; `None` at the object itself.
    last: Option<(&'t Trail<'t>, StepInside<'t>)>,
}

#[derive(Clone, Copy, Debug)]
enum StepInside<'t> {
    Attribute(&'t SmolStr),
    Element(usize),
    Key(&'t SmolStr),
}

impl<'t> Trail<'t> {
    /// Where the object itself is.
    pub const START: Trail<'static> = Trail { last: None };

    pub fn is_start(&self) -> bool {
        self.last.is_none()
    }

    pub fn attribute(&'t self, name: &'t SmolStr) -> Trail<'t> {
        Trail { last: Some((self, StepInside::Attribute(name))) }
    }

    pub fn element(&'t self, index: usize) -> Trail<'t> {
        Trail { last: Some((self, StepInside::Element(index))) }
    }

    pub fn key(&'t self, key: &'t SmolStr) -> Trail<'t> {
        Trail { last: Some((self, StepInside::Key(key))) }
    }

    pub fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut trail = self;
        while let Some((outer, step)) = &trail.last {
            steps.push(match step {
                StepInside::Attribute(name) => Step::Attribute((*name).clone()),
                StepInside::Element(index) => Step::index(*index),
                StepInside::Key(key) => Step::Index(Value::string(key)),
            });
            trail = outer;
        }
        steps.reverse();
        Path(steps)
    }
}

impl From<&Trail<'_>> for Path {
    fn from(trail: &Trail<'_>) -> Path {
        trail.path()
    }
}
