//! The way to a value, which takes no memory until somebody needs it as a path.

use super::LocatedValue;
use crate::validate::outcome::ShownPath;
use smol_str::SmolStr;
use tf_value::{Path, Step, Type, Value, ValueContent, json};

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

// Shows a value in a few words, unless it is sensitive.

/// The most characters of a value that are shown.
const MOST: usize = 80;

/// Whether the value must not be shown.
pub(super) fn is_hidden(at: LocatedValue<'_>) -> bool {
    at.is_hidden || at.value.deep_marks().is_hidden()
}

/// Whether somebody has marked the value as sensitive or ephemeral. Arguments of providers are not shown either
/// way, since a plan does not say which of them are secrets.
fn is_sensitive(value: &Value) -> bool {
    let marks = value.deep_marks();
    marks.is_sensitive() || marks.is_ephemeral()
}

pub fn found(at: LocatedValue<'_>) -> String {
    if is_hidden(at) {
        // Whether a sensitive map has a key is part of the secret.
        return if at.value.is_null() && !at.is_hidden {
            "nothing (null)".to_owned()
        } else {
            match at.is_hidden || is_sensitive(at.value) {
                true => "a sensitive value".to_owned(),
                false => "a value that is not shown".to_owned(),
            }
        };
    }
    of(at.value)
}

/// The value as JSON, or its known part.
fn of(value: &Value) -> String {
    match value.content() {
        ValueContent::Null => "nothing (null)".to_owned(),
        ValueContent::Unknown(_) => "a value that is known after apply".to_owned(),
        _ => match json::value_to_json_start(value, 4 * MOST) {
            Ok(text) => shortened(&text),
            Err(_) => partly(value),
        },
    }
}

fn partly(value: &Value) -> String {
    match value.ty() {
        Type::Object(_) | Type::Map(_) => "an object with parts that are known after apply",
        _ => "a list with parts that are known after apply",
    }
    .to_owned()
}

/// The first characters of a long text.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
