//! `yamlencode`: block style, texts in double quotes or, with line ends, as literal blocks.

use std::fmt::Write;

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use go_compat::yaml::{BOM, is_break};
use stack::guarded;
use tf_value::{Type, Value, ValueContent};

pub const YAMLENCODE: Function = Function::pure(
    "yamlencode",
    "Encodes a value as a YAML document.",
    &[Param::new("value", Ty::Any).null().unknown().dynamic()],
    ReturnType::Fixed(Ty::String),
    body,
)
.refuses(Refuses::Nothing);

/// YAML 1.1's line ends that are written unescaped.
const LINE_ENDS: [char; 3] = ['\n', '\u{2028}', '\u{2029}'];

/// A line is broken at the first space behind this column.
const WIDTH: usize = 80;

/// The length up to which a key without line ends is written plainly; any other key needs a question
/// mark.
const MAX_SIMPLE_KEY: usize = 128;

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let value = &args[0];
    if !value.is_wholly_known() {
        return Ok(Value::unknown(Type::String));
    }
    let mut writer = Writer { context, out: String::new(), line: 0 };
    writer.value(value, 0, Lead::Document)?;
    // A bare scalar leaves the document open.
    if matches!(
        value.content(),
        ValueContent::Null | ValueContent::Bool(_) | ValueContent::Number(_)
    ) {
        writer.out.push_str("...\n");
    }
    Ok(Value::string(writer.out))
}

/// The text before a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Nothing: the value begins the document.
    Document,
    /// A dash, or a question mark and its colon.
    Item,
    /// A key and a colon.
    Entry,
}

struct Writer<'a> {
    context: &'a CallContext<'a>,
    out: String,
    /// The offset of the current line's start.
    line: usize,
}

impl Writer<'_> {
    /// Writes a value and its line end; the value's own lines are indented by `indent`.
    fn value(&mut self, value: &Value, indent: usize, place: Lead) -> Result<(), Failure> {
        guarded(|| match value.content() {
            ValueContent::Sequence(it) if !it.is_empty() => self.sequence(it, indent, place),
            ValueContent::Mapping(it) if !it.is_empty() => {
                if place == Lead::Entry {
                    self.end_line()?;
                }
                for (index, (key, it)) in it.iter().enumerate() {
                    self.start_item(index, indent, place);
                    self.entry(key, it, indent)?;
                }
                Ok(())
            }
            _ => {
                self.space(place);
                self.scalar(value, indent)
            }
        })
    }

    /// A sequence below a key is not indented.
    fn sequence(&mut self, elements: &[Value], indent: usize, place: Lead) -> Result<(), Failure> {
        let indent = if place == Lead::Entry { indent.saturating_sub(2) } else { indent };
        if place == Lead::Entry {
            self.end_line()?;
        }
        for (index, element) in elements.iter().enumerate() {
            self.start_item(index, indent, place);
            self.out.push('-');
            if is_nested(element) {
                self.out.push(' ');
            }
            self.value(element, indent + 2, Lead::Item)?;
        }
        Ok(())
    }

    fn entry(&mut self, key: &str, value: &Value, indent: usize) -> Result<(), Failure> {
        let is_simple = !key.contains(|it| is_break(Some(it))) && key.len() <= MAX_SIMPLE_KEY;
        if is_simple {
            self.quoted(key, None);
            self.out.push(':');
            return self.value(value, indent + 2, Lead::Entry);
        }
        self.out.push_str("? ");
        self.scalar(&Value::string(key), indent + 2)?;
        let _ = write!(self.out, "{:indent$}:", "");
        if is_nested(value) {
            self.out.push(' ');
        }
        self.value(value, indent + 2, Lead::Item)
    }

    /// Begins an item. The first item of a document, or of a value behind a dash, is on the current line
    /// already.
    fn start_item(&mut self, index: usize, indent: usize, place: Lead) {
        if index > 0 || place == Lead::Entry {
            let _ = write!(self.out, "{:indent$}", "");
        }
    }

    fn space(&mut self, place: Lead) {
        if place != Lead::Document {
            self.out.push(' ');
        }
    }

    fn scalar(&mut self, value: &Value, indent: usize) -> Result<(), Failure> {
        match value.content() {
            ValueContent::Bool(it) => self.out.push_str(if *it { "true" } else { "false" }),
            ValueContent::Number(it) => self.out.push_str(&it.to_decimal()),
            ValueContent::String(it) if is_literal(it) => return self.literal(it, indent),
            ValueContent::String(it) => self.quoted(it, Some(indent)),
            ValueContent::Sequence(_) => self.out.push_str("[]"),
            ValueContent::Mapping(_) => self.out.push_str("{}"),
            ValueContent::Null | ValueContent::Unknown(_) => self.out.push_str("null"),
        }
        self.end_line()
    }

    /// Writes a block after `|`: with an indentation indicator if the text begins with white space, and
    /// with a chomping indicator for its last line ends.
    fn literal(&mut self, text: &str, indent: usize) -> Result<(), Failure> {
        let indent = indent.max(2);
        self.out.push('|');
        if text.starts_with(' ') || text.starts_with(LINE_ENDS) {
            self.out.push('2');
        }
        match text.strip_suffix(LINE_ENDS) {
            None => self.out.push('-'),
            Some(rest) if rest.is_empty() || rest.ends_with(LINE_ENDS) => self.out.push('+'),
            Some(_) => (),
        }
        self.end_line()?;
        for line in text.split_inclusive(LINE_ENDS) {
            let content = line.strip_suffix(LINE_ENDS).unwrap_or(line);
            if !content.is_empty() {
                let _ = write!(self.out, "{:indent$}{content}", "");
            }
            self.end_line_by(line[content.len()..].chars().next().unwrap_or('\n'))?;
        }
        Ok(())
    }

    /// Writes a text in double quotes; a long one that is not a key is broken at spaces. If it begins
    /// with a byte order mark, the library takes every character for one and escapes it.
    fn quoted(&mut self, text: &str, indent: Option<usize>) {
        let indent = indent.map(|it| it.max(2));
        self.out.push('"');
        let mut chars = text.char_indices().peekable();
        let mut after_space = false;
        let escapes_all = text.starts_with(BOM);
        while let Some((at, char)) = chars.next() {
            let can_break =
                char == ' ' && !escapes_all && !after_space && at > 0 && chars.peek().is_some();
            match indent {
                Some(indent) if can_break && self.column() > WIDTH => {
                    self.out.push('\n');
                    self.line = self.out.len();
                    let _ = write!(self.out, "{:indent$}", "");
                    if chars.peek().is_some_and(|(_, next)| *next == ' ') {
                        self.out.push('\\');
                    }
                }
                _ if escapes_all || is_escaped(char) => {
                    escape(&mut self.out, char);
                }
                _ => self.out.push(char),
            }
            after_space = char == ' ';
        }
        self.out.push('"');
    }

    fn column(&self) -> usize {
        self.out.get(self.line..).map_or(0, |it| it.chars().count())
    }

    fn end_line(&mut self) -> Result<(), Failure> {
        self.end_line_by('\n')
    }

    fn end_line_by(&mut self, end: char) -> Result<(), Failure> {
        self.out.push(end);
        let written = self.out.len() - self.line;
        self.line = self.out.len();
        self.context.host.spend(1 + written as u64 / 16)
    }
}

fn is_nested(value: &Value) -> bool {
    match value.content() {
        ValueContent::Sequence(it) => !it.is_empty(),
        ValueContent::Mapping(it) => !it.is_empty(),
        _ => false,
    }
}

/// Whether a text is written as a block: it has line ends, nothing to escape, and no space before a line
/// end or at its own end.
fn is_literal(text: &str) -> bool {
    text.contains('\n')
        && text.split(LINE_ENDS).all(|line| !line.ends_with(' '))
        && text.chars().all(|it| it == '\n' || !is_special(it))
}

fn is_special(char: char) -> bool {
    !matches!(char, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Whether a character must be escaped in double quotes.
fn is_escaped(char: char) -> bool {
    is_special(char) || is_break(Some(char)) || matches!(char, '"' | '\\')
}

fn escape(out: &mut String, char: char) {
    let name = match char {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(char);
            let _ = match code {
                ..=0xff => write!(out, "\\x{code:02X}"),
                0x100..=0xffff => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.extend(['\\', name]);
}
