//! The functions of the provider that is part of Terraform: `provider::terraform::encode_expr` and others.

use super::{CallContext, Failure, Function, Param, ReturnType, Ty, grapheme_count, text};
use hcl::is_identifier;
use release::changes;
use stack::guarded;
use tf_value::{NumberStyle, Refinements, Type, Value, is_printable, quoted};

/// The functions of this family, sorted by name, without `provider::terraform::`.
pub const FUNCTIONS: &[Function] = &[FUNCTION, ENCODE_EXPR, ENCODE_TFVARS];

/// The function with this name behind `provider::terraform::`.
pub fn lookup(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|it| it.name == name)
}

const VALUE: Param = Param::new("value", Ty::Any).unknown().dynamic();

const ENCODE_EXPR: Function = Function::pure(
    "encode_expr",
    "Encodes a value as a Terraform expression.",
    &[VALUE],
    ReturnType::Fixed(Ty::String),
    encode_expr,
);

const ENCODE_TFVARS: Function = Function::pure(
    "encode_tfvars",
    "Encodes an object as the text of a values file.",
    &[VALUE],
    ReturnType::Fixed(Ty::String),
    encode_tfvars,
);

fn encode_expr(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::unknown_not_null(Type::String)) };
    check_known(context, value)?;
    if !value.is_wholly_known() {
        let prefix = beginning(value).into();
        let refinements = Refinements { not_null: true, prefix, ..Refinements::default() };
        return Ok(Value::unknown(Type::String).refined(refinements));
    }
    let mut writer = Writer::default();
    writer.value(value);
    finish(context, writer)
}

/// Refuses a value that is not completely known: OpenTofu does not write it, even though a plan may know it.
fn check_known(context: &CallContext<'_>, value: &Value) -> Result<(), Failure> {
    let is_partly_known =
        value.is_known() && !value.is_wholly_known() && !value.deep_marks().is_undecided();
    if is_partly_known && context.release.has(&changes::ENCODES_WHOLE_OBJECTS) {
        return Err(Failure::call("not all of the value is known"));
    }
    Ok(())
}

/// The certain beginning of the text of a value that is not completely known.
fn beginning(value: &Value) -> &'static str {
    let is_there = value.is_known() || value.refinements().is_some_and(|it| it.not_null);
    match value.ty() {
        Type::Object(_) | Type::Map(_) if is_there => "{",
        Type::Tuple(_) | Type::List(_) | Type::Set(_) if is_there => "[",
        Type::String if is_there => "\"",
        _ => "",
    }
}

fn encode_tfvars(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::unknown_not_null(Type::String)) };
    check_known(context, value)?;
    if !value.is_wholly_known() {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let takes_maps = !context.release.has(&changes::ENCODES_WHOLE_OBJECTS);
    let mapping =
        value.as_mapping().filter(|_| takes_maps || matches!(value.ty(), Type::Object(_)));
    let Some(mapping) = mapping else {
        let message = "the value must be an object, whose attributes' names become the variables'";
        return Err(Failure::call(message));
    };
    let mut writer = Writer::default();
    for (name, it) in mapping {
        if !is_identifier(name) {
            let message = format!("{} is not a valid name for a variable", quoted(name));
            return Err(Failure::Call(message));
        }
        writer.attribute(name, it);
    }
    finish(context, writer)
}

fn finish(context: &CallContext<'_>, writer: Writer) -> Result<Value, Failure> {
    context.host.spend(writer.size() as u64 / 8)?;
    let text = writer.finish();
    context.host.spend(text.len() as u64 / 16)?;
    Ok(Value::string(text))
}

// Writes values in HCL's native syntax, in its canonical format.

/// Writes line by line. Indents and the columns of equals signs depend on other lines and are added at
/// the end.
#[derive(Default)]
struct Writer {
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

pub const FUNCTION: Function = Function::pure(
    "decode_tfvars",
    "Decodes the text of a values file into an object.",
    &[Param::new("src", Ty::String)],
    ReturnType::Fixed(Ty::Any),
    decode_tfvars,
);

fn decode_tfvars(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    context.host.read_values(text(&args[0]))
}
