//! Results as one JSON document; numbers keep every digit.

use super::{Answer, Error, types::shown_type};
use diagnostics::visible_json;
use release::Release;
use stack::guarded;
use tf_eval::as_output;
use tf_value::{Value, ValueContent, json};

/// `{"results": […]}`, one for each expression in order.
pub(super) fn document(answers: &[Answer], release: Release) -> String {
    let results: Vec<String> = answers.iter().map(|it| result(it, release)).collect();
    visible_json(format!("{{\"results\":[{}]}}\n", results.join(",")))
}

fn result(answer: &Answer, release: Release) -> String {
    let expression = text(&answer.expression);
    if !answer.errors.is_empty() {
        let errors: Vec<String> = answer.errors.iter().map(error).collect();
        return format!("{{\"expr\":{expression},\"ok\":false,\"errors\":[{}]}}", errors.join(","));
    }
    let mut writer = Writer::default();
    writer.value(&as_output(&answer.value, release));
    let ty = json::type_to_json(&shown_type(&answer.value));
    let mut result = format!(
        "{{\"expr\":{expression},\"ok\":true,\"type\":{ty},\"value\":{}{}",
        writer.out,
        writer.flags()
    );
    if !answer.undecided.is_empty() {
        let reasons: Vec<String> = answer.undecided.iter().map(|it| text(it)).collect();
        result.push_str(&format!(",\"undecided\":[{}]", reasons.join(",")));
    }
    result.push('}');
    result
}

fn error(error: &Error) -> String {
    format!(
        "{{\"summary\":{},\"detail\":{},\"at\":{}}}",
        text(&error.summary),
        text(&error.detail),
        text(&error.at)
    )
}

fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes a value; a part that cannot be shown becomes null, and a flag says so.
#[derive(Default)]
struct Writer {
    out: String,
    sensitive: bool,
    unknown: bool,
    infinite: bool,
}

impl Writer {
    fn flags(&self) -> String {
        let flags =
            [("sensitive", self.sensitive), ("unknown", self.unknown), ("infinite", self.infinite)];
        let set = flags.iter().filter(|(_, is_set)| *is_set);
        let written: Vec<String> = set.map(|(name, _)| format!(",\"{name}\":true")).collect();
        written.concat()
    }

    fn value(&mut self, value: &Value) {
        guarded(|| self.descend(value));
    }

    fn descend(&mut self, value: &Value) {
        let marks = value.marks();
        if marks.is_hidden() {
            self.sensitive = true;
            self.out.push_str("null");
            return;
        }
        match value.content() {
            ValueContent::Unknown(_) => {
                self.unknown = true;
                self.out.push_str("null");
            }
            ValueContent::Number(number) if number.is_infinite() => {
                self.infinite = true;
                self.out.push_str("null");
            }
            ValueContent::Number(number) => self.out.push_str(&number.to_decimal()),
            ValueContent::Sequence(elements) => {
                self.out.push('[');
                for (index, it) in elements.iter().enumerate() {
                    self.comma(index);
                    self.value(it);
                }
                self.out.push(']');
            }
            ValueContent::Mapping(elements) => {
                self.out.push('{');
                for (index, (key, it)) in elements.iter().enumerate() {
                    self.comma(index);
                    self.out.push_str(&text(key));
                    self.out.push(':');
                    self.value(it);
                }
                self.out.push('}');
            }
            ValueContent::String(it) => self.out.push_str(&text(it)),
            ValueContent::Bool(it) => self.out.push_str(if *it { "true" } else { "false" }),
            ValueContent::Null => self.out.push_str("null"),
        }
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.out.push(',');
        }
    }
}
