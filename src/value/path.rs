//! A path from a value to one inside it.

use smol_str::SmolStr;

use super::{Number, Value};

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// An attribute of an object.
    Attribute(SmolStr),
    /// A list or tuple index, a map key, or a set element.
    Index(Value),
}

impl Step {
    /// An element of a list or tuple.
    pub fn index(index: usize) -> Step {
        Step::Index(Value::number(Number::from_u64(index as u64)))
    }
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

    /// Runs `body` with one more step, which is taken back unless it fails.
    pub(super) fn inside<T, E>(
        &mut self,
        step: Step,
        body: impl FnOnce(&mut Path) -> Result<T, E>,
    ) -> Result<T, E> {
        self.0.push(step);
        let result = body(self)?;
        self.0.pop();
        Ok(result)
    }
}
