//! The value that a completed key begins with.

use super::types::Attribute;
use stack::guarded;
use tf_value::Type;

/// The form of a snippet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snippet {
    pub is_json: bool,
    /// Whether the client knows tab stops.
    pub has_stops: bool,
}

/// Attributes that nest deeper are not written.
const LEVELS: usize = 5;

/// A value of a place's type: its required attributes, and a tab stop for each value.
pub(crate) fn snippet(place: &Attribute, form: Snippet) -> String {
    let mut writer = Writer { form, stops: 0, text: String::new() };
    writer.value(&place.ty, 0);
    writer.text
}

struct Writer {
    form: Snippet,
    stops: usize,
    text: String,
}

impl Writer {
    fn stop(&mut self) {
        if self.form.has_stops {
            self.stops += 1;
            self.text += &format!("${}", self.stops);
        }
    }

    fn around(&mut self, open: &str, close: &str) {
        self.text += open;
        self.stop();
        self.text += close;
    }

    fn value(&mut self, ty: &Type, level: usize) {
        // A brace is special in a snippet only after `$`, and a closing one inside of a stop.
        match ty {
            Type::String => self.around("\"", "\""),
            Type::Tuple(elements) if !elements.is_empty() && level < LEVELS => {
                self.text.push('[');
                for (at, it) in elements.iter().enumerate() {
                    self.text += if at > 0 { ", " } else { "" };
                    guarded(|| self.value(it, level + 1));
                }
                self.text.push(']');
            }
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => self.around("[", "]"),
            Type::Map(_) => self.around("{", "}"),
            Type::Object(object) if level < LEVELS => {
                let names = object.attributes.iter();
                let required = names.filter(|it| !object.optional.contains(it.0));
                let required: Vec<_> = required.collect();
                if required.is_empty() {
                    return self.around("{ ", " }");
                }
                self.text.push('{');
                for (at, (name, ty)) in required.iter().enumerate() {
                    if self.form.is_json && at > 0 {
                        self.text.push(',');
                    }
                    self.line(level + 1);
                    self.text += &self.key(name);
                    guarded(|| self.value(ty, level + 1));
                }
                self.line(level);
                self.text.push('}');
            }
            Type::Object(_) => self.around("{ ", " }"),
            Type::Bool if !self.form.has_stops => self.text += "false",
            Type::Number if !self.form.has_stops => self.text.push('0'),
            // Not every variable takes null.
            Type::Dynamic if !self.form.has_stops => self.text += "\"\"",
            Type::Bool | Type::Number | Type::Dynamic => self.stop(),
        }
    }

    fn key(&self, name: &str) -> String {
        let quoted = serde_json::to_string(name).unwrap_or_default().replace('$', "\\$");
        match self.form.is_json {
            true => format!("{quoted}: "),
            false if hcl::is_identifier(name) => format!("{name} = "),
            false => format!("{quoted} = "),
        }
    }

    /// Clients indent the lines of an item as the first one.
    fn line(&mut self, level: usize) {
        self.text.push('\n');
        self.text += &"  ".repeat(level);
    }
}
