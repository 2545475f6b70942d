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

    /// The path with one more step.
    pub fn with(&self, step: Step) -> Path {
        let mut steps = self.0.clone();
        steps.push(step);
        Path(steps)
    }

    /// Runs `body` with one more step, which is removed again unless `body` fails.
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

impl Path {
    /// The place as a JSON pointer (RFC 6901). An element of a set has no place of its own, so its step
    /// is left out.
    pub fn json_pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            let Some(key) = step.key() else { continue };
            pointer.push('/');
            pointer += &key.replace('~', "~0").replace('/', "~1");
        }
        pointer
    }
}

impl Step {
    /// The step as text: an attribute's name, a list index or a map key.
    fn key(&self) -> Option<String> {
        match self {
            Step::Attribute(name) => Some(name.to_string()),
            Step::Index(key) => match key.as_number() {
                Some(number) => Some(number.to_decimal()),
                None => key.as_str().map(str::to_owned),
            },
        }
    }
}

/// The path as in an expression: `.ports[0]["a b"].number`.
impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for step in &self.0 {
            match (step, step.key()) {
                (Step::Attribute(name), _) => write!(f, ".{name}")?,
                (Step::Index(key), Some(text)) if key.as_number().is_some() => {
                    write!(f, "[{text}]")?;
                }
                (Step::Index(_), Some(text)) => write!(f, "[{text:?}]")?,
                (Step::Index(_), None) => write!(f, "[…]")?,
            }
        }
        Ok(())
    }
}
