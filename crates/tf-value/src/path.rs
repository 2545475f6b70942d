//! A path from a value to one inside it.

use std::{borrow::Cow, fmt::Write as _};

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
            match key.contains('~') || key.contains('/') {
                true => pointer += &key.replace('~', "~0").replace('/', "~1"),
                false => pointer += &key,
            }
        }
        pointer
    }
}

impl Step {
    /// The step as text: an attribute's name, a list index or a map key.
    fn key(&self) -> Option<Cow<'_, str>> {
        match self {
            Step::Attribute(name) => Some(name.as_str().into()),
            Step::Index(key) => match key.as_number() {
                Some(number) => Some(number.to_decimal().into()),
                None => key.as_str().map(Cow::from),
            },
        }
    }
}

/// The longest path, and the longest name in one, that a text shows in full; in bytes. Values choose the names, and each of a
/// thousand findings may contain them.
const LONGEST: usize = 1024;
/// What is shown of the beginning and the end of a longer one.
const SHOWN: usize = LONGEST / 4;

/// The text; of a longer one, its beginning and its end.
fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return text.into();
    }
    let beginning = &text[..text.floor_char_boundary(SHOWN)];
    let ending = &text[text.ceil_char_boundary(text.len() - SHOWN)..];
    format!("{beginning}…{ending}").into()
}

/// The path as in an expression: `.ports[0]["a b"].number`. It is for people: the middle of a long one is left out.
impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                Step::Attribute(name) => write!(text, ".{}", shortened(name))?,
                Step::Index(key) => match (key.as_number(), key.as_str()) {
                    (Some(number), _) => write!(text, "[{}]", number.to_decimal())?,
                    (None, Some(key)) => write!(text, "[{:?}]", shortened(key))?,
                    (None, None) => text += "[…]",
                },
            }
        }
        f.write_str(&shortened(&text))
    }
}
