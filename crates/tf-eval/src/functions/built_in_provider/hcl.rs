//! Writes values in HCL's native syntax, in its canonical format.

use crate::functions::grapheme_count;
use hcl::is_identifier;
use stack::guarded;
use tf_value::{NumberStyle, Type, Value, is_printable};

/// Writes line by line. Indents and the columns of equals signs depend on other lines and are added at
/// the end.
#[derive(Default)]
pub(super) struct Writer {
    lines: Vec<Line>,
    /// The current line.
    line: Line,
    size: usize,
}

/// A line without its indent and its line break.
#[derive(Default)]
struct Line {
    /// The text before the equals sign; the whole line where there is none.
    lead: String,
    /// The width of `lead` in columns.
    columns: usize,
    /// The text from the equals sign on.
    value: Option<String>,
    /// The number of brackets that it opens, less those that it closes.
    opens: isize,
}

impl Writer {
    /// `NAME = VALUE` and a line break.
    pub fn attribute(&mut self, name: &str, value: &Value) {
        if is_identifier(name) {
            self.put(name);
            self.line.columns = grapheme_count(name);
        } else {
            let text = escaped(name);
            self.line.columns = 2 + grapheme_count(&text);
            self.put(&format!("\"{text}\""));
        }
        self.line.value = Some(String::new());
        self.put("= ");
        self.value(value);
        self.end_line();
    }

    pub fn value(&mut self, value: &Value) {
        guarded(|| match value.ty() {
            _ if value.is_null() => self.put("null"),
            Type::Bool => self.put(if value.as_bool() == Some(true) { "true" } else { "false" }),
            Type::Number => {
                let number = value.as_number();
                let text = number.map(|it| it.to_text(NumberStyle::Plain, None));
                self.put(&text.unwrap_or_default());
            }
            Type::String => {
                let text = escaped(value.as_str().unwrap_or_default());
                self.put(&format!("\"{text}\""));
            }
            Type::Object(_) | Type::Map(_) => self.mapping(value),
            _ => self.sequence(value),
        });
    }

    fn sequence(&mut self, value: &Value) {
        self.bracket("[", 1);
        for (index, it) in value.as_sequence().unwrap_or_default().iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.value(it);
        }
        self.bracket("]", -1);
    }

    fn mapping(&mut self, value: &Value) {
        self.bracket("{", 1);
        if let Some(mapping) = value.as_mapping().filter(|it| !it.is_empty()) {
            self.end_line();
            for (key, it) in mapping {
                self.attribute(key, it);
            }
        }
        self.bracket("}", -1);
    }

    fn bracket(&mut self, text: &str, change: isize) {
        self.put(text);
        self.line.opens += change;
    }

    fn put(&mut self, text: &str) {
        self.size += text.len();
        match &mut self.line.value {
            Some(value) => value.push_str(text),
            None => self.line.lead.push_str(text),
        }
    }

    fn end_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line));
    }

    /// About the length of the text without its indents.
    pub fn size(&self) -> usize {
        self.size + 4 * self.lines.len()
    }

    /// The text; an unfinished line has no line break.
    pub fn finish(mut self) -> String {
        self.end_line();
        let indents = indents(&self.lines);
        let mut text = String::with_capacity(self.size());
        let columns = columns(&self.lines);
        for (index, (line, indent)) in self.lines.iter().zip(indents).enumerate() {
            if index > 0 {
                text.push('\n');
            }
            if line.lead.is_empty() {
                continue;
            }
            text.extend(std::iter::repeat_n(' ', indent));
            text.push_str(&line.lead);
            if let Some(value) = &line.value {
                text.extend(std::iter::repeat_n(' ', 1 + columns[index] - line.columns));
                text.push_str(value);
            }
        }
        text
    }
}

/// The indent of each line: two columns for each earlier line that opens more brackets than it closes
/// and is not closed itself.
fn indents(lines: &[Line]) -> Vec<usize> {
    let mut open: Vec<isize> = Vec::new();
    let indent = |line: &Line| {
        let mut closes = -line.opens;
        while closes > 0 {
            let Some(last) = open.last_mut() else { break };
            if closes < *last {
                *last -= closes;
                break;
            }
            closes -= *last;
            open.pop();
        }
        let indent = 2 * open.len();
        if line.opens > 0 {
            open.push(line.opens);
        }
        indent
    };
    lines.iter().map(indent).collect()
}

/// The column of each line's equals sign: neighbours with values of one line share it.
fn columns(lines: &[Line]) -> Vec<usize> {
    let is_aligned = |it: &Line| it.value.is_some() && it.opens == 0;
    let mut columns = Vec::with_capacity(lines.len());
    for chain in lines.chunk_by(|one, next| is_aligned(one) && is_aligned(next)) {
        let most = chain.iter().map(|it| it.columns).max().unwrap_or_default();
        columns.extend(std::iter::repeat_n(most, chain.len()));
    }
    columns
}

/// The text, escaped for quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '"' | '\\' => escaped.extend(['\\', char]),
            '$' | '%' if chars.peek() == Some(&'{') => escaped.extend([char, char]),
            _ if is_printable(char) => escaped.push(char),
            _ if u32::from(char) > 0xffff => {
                escaped.push_str(&format!("\\U{:08x}", u32::from(char)));
            }
            _ => escaped.push_str(&format!("\\u{:04x}", u32::from(char))),
        }
    }
    escaped
}
