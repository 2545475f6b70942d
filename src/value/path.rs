//! A path from a value to one inside it.

use smol_str::SmolStr;

use super::Value;

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// An attribute of an object.
    Attribute(SmolStr),
    /// A list or tuple index, a map key, or a set element.
    Index(Value),
}

/// Steps from the outside in; empty is the value itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(pub Vec<Step>);

impl Path {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `self` and one more step.
    pub fn with(&self, step: Step) -> Path {
        let mut steps = self.0.clone();
        steps.push(step);
        Path(steps)
    }
}
