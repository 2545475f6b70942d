//! The way to a value, which takes no memory until somebody needs it as a path.

use smol_str::SmolStr;

use super::outcome::ShownPath;
use tf_value::{Path, Step, Value};

/// The way from a block's object to a value in it: for `labels.env` the step `env`, and the trail to `labels`.
/// Most values pass and need no place; a [`Path`] is made only for a finding.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'t> {
    /// The last step, and the trail before it; `None` at the object itself.
    last: Option<(&'t Trail<'t>, StepInside<'t>)>,
    /// Whether the value here is sensitive, and so are the keys and the number of its elements.
    is_hidden: bool,
}

#[derive(Clone, Copy, Debug)]
enum StepInside<'t> {
    Attribute(&'t SmolStr),
    Element(usize),
    Key(&'t SmolStr),
}

impl<'t> Trail<'t> {
    /// Where the object itself is.
    pub const START: Trail<'static> = Trail { last: None, is_hidden: false };

    pub fn is_start(&self) -> bool {
        self.last.is_none()
    }

    pub fn attribute(&'t self, name: &'t SmolStr) -> Trail<'t> {
        self.step(StepInside::Attribute(name))
    }

    pub fn element(&'t self, index: usize) -> Trail<'t> {
        self.step(StepInside::Element(index))
    }

    pub fn key(&'t self, key: &'t SmolStr) -> Trail<'t> {
        self.step(StepInside::Key(key))
    }

    fn step(&'t self, step: StepInside<'t>) -> Trail<'t> {
        Trail { last: Some((self, step)), is_hidden: self.is_hidden }
    }

    /// The same trail, the steps behind which are not shown if the value here is sensitive.
    pub fn hiding(&self, is_hidden: bool) -> Trail<'t> {
        Trail { is_hidden: self.is_hidden || is_hidden, ..*self }
    }

    pub fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// The number of steps that may be shown.
    pub fn shown(&self) -> usize {
        let (mut shown, mut trail) = (0, self);
        while let Some((outer, _)) = &trail.last {
            shown += usize::from(!outer.is_hidden);
            trail = outer;
        }
        shown
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

impl From<&Trail<'_>> for ShownPath {
    fn from(trail: &Trail<'_>) -> ShownPath {
        ShownPath { path: trail.path(), shown: trail.shown() }
    }
}
