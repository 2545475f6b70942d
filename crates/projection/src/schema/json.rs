//! JSON values whose numbers are exact.

use std::{cmp::Ordering, collections::BTreeMap, fmt::Write};

use stack::guarded;
use tf_value::{Number, Value, ValueContent};

/// A JSON value. Numbers keep every digit, so that no value changes on its way to a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaJson {
    Null,
    Bool(bool),
    Number(Decimal),
    String(String),
    Array(Vec<SchemaJson>),
    /// An object, written with its keys in bytewise order.
    Object(BTreeMap<String, SchemaJson>),
    /// An object, written with its keys in the order given.
    Record(Vec<(&'static str, SchemaJson)>),
}

impl Drop for SchemaJson {
    /// Nested values are dropped with enough stack.
    fn drop(&mut self) {
        match self {
            SchemaJson::Array(it) => drop_deeply(std::mem::take(it)),
            SchemaJson::Object(it) => drop_deeply(std::mem::take(it)),
            SchemaJson::Record(it) => drop_deeply(std::mem::take(it)),
            SchemaJson::Null
            | SchemaJson::Bool(_)
            | SchemaJson::Number(_)
            | SchemaJson::String(_) => (),
        }
    }
}

fn drop_deeply<T>(inner: T) {
    guarded(|| drop(inner));
}

impl SchemaJson {
    pub fn string(text: impl Into<String>) -> SchemaJson {
        SchemaJson::String(text.into())
    }

    pub fn integer(number: u64) -> SchemaJson {
        SchemaJson::Number(Decimal::from(number))
    }

    /// The JSON of a known value; marks are ignored, unknown parts become null.
    pub fn of(value: &Value) -> SchemaJson {
        guarded(|| match value.content() {
            ValueContent::Null | ValueContent::Unknown(_) => SchemaJson::Null,
            ValueContent::Bool(it) => SchemaJson::Bool(*it),
            ValueContent::Number(it) => SchemaJson::number(it),
            ValueContent::String(it) => SchemaJson::string(it.as_str()),
            ValueContent::Sequence(elements) => {
                SchemaJson::Array(elements.iter().map(SchemaJson::of).collect())
            }
            ValueContent::Mapping(elements) => SchemaJson::Object(
                elements.iter().map(|(key, it)| (key.to_string(), SchemaJson::of(it))).collect(),
            ),
        })
    }

    /// A number with every digit; an infinity, which JSON lacks, becomes null.
    pub fn number(number: &Number) -> SchemaJson {
        Decimal::parse(&number.to_literal()).map_or(SchemaJson::Null, SchemaJson::Number)
    }

    /// The text: tabs, sorted keys, no final newline. `escape_html` writes `<`, `>` and `&` as
    /// `\u003c`, `\u003e` and `\u0026`.
    pub fn to_text(&self, escape_html: bool) -> String {
        Writer::write(escape_html, |out| out.json(self, 0))
    }

    /// The value in `serde_json`'s model, whose numbers are 64-bit.
    pub fn to_serde(&self) -> serde_json::Value {
        guarded(|| match self {
            SchemaJson::Null => serde_json::Value::Null,
            SchemaJson::Bool(it) => (*it).into(),
            SchemaJson::Number(it) => it.to_serde(),
            SchemaJson::String(it) => it.as_str().into(),
            SchemaJson::Array(elements) => elements.iter().map(SchemaJson::to_serde).collect(),
            SchemaJson::Object(members) => {
                members.iter().map(|(key, it)| (key.clone(), it.to_serde())).collect()
            }
            SchemaJson::Record(members) => {
                members.iter().map(|(key, it)| ((*key).to_owned(), it.to_serde())).collect()
            }
        })
    }
}

/// The value of a parsed text; of duplicate keys the last one counts.
impl From<&hcl::json::JsonValue> for SchemaJson {
    fn from(tree: &hcl::json::JsonValue) -> Self {
        use hcl::json::ValueKind;
        guarded(|| match &tree.kind {
            ValueKind::Null | ValueKind::Invalid => SchemaJson::Null,
            ValueKind::Bool(it) => SchemaJson::Bool(*it),
            ValueKind::Number(text) => {
                Decimal::parse(text).map_or(SchemaJson::Null, SchemaJson::Number)
            }
            ValueKind::String(text) => SchemaJson::string(text.as_str()),
            ValueKind::Array(elements) => {
                SchemaJson::Array(elements.iter().map(SchemaJson::from).collect())
            }
            ValueKind::Object(members) => SchemaJson::Object(
                members
                    .iter()
                    .map(|it| (it.key.to_string(), SchemaJson::from(&it.value)))
                    .collect(),
            ),
        })
    }
}

impl From<serde_json::Value> for SchemaJson {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        guarded(|| match value {
            Value::Null => SchemaJson::Null,
            Value::Bool(it) => SchemaJson::Bool(it),
            Value::Number(it) => {
                Decimal::parse(&it.to_string()).map_or(SchemaJson::Null, SchemaJson::Number)
            }
            Value::String(it) => SchemaJson::String(it),
            Value::Array(elements) => {
                SchemaJson::Array(elements.into_iter().map(SchemaJson::from).collect())
            }
            Value::Object(members) => SchemaJson::Object(
                members.into_iter().map(|(key, it)| (key, SchemaJson::from(it))).collect(),
            ),
        })
    }
}

// Exact decimal numbers and their text in JSON.

/// An exact decimal number: the digits of its significand and its decimal exponent. Two spellings
/// of one number (`1.0`, `1`, `10e-1`) are equal.
#[derive(Clone, Debug, Eq)]
pub struct Decimal {
    negative: bool,
    /// Significant digits without leading or trailing zeros; empty for zero.
    digits: String,
    /// The position of the point, counted from before the first digit: `0.DIGITS × 10^point`.
    point: i64,
}

impl From<u64> for Decimal {
    fn from(number: u64) -> Self {
        Decimal::normalised(false, &number.to_string(), 0)
    }
}

impl Decimal {
    /// Reads a decimal with an optional sign, fraction and exponent, as JSON and HCL write them.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], rest[at + 1..].parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        let scale = i64::try_from(fraction.len()).ok()?;
        Some(Decimal::normalised(negative, &digits, exponent.checked_sub(scale)?))
    }

    /// The decimal `digits × 10^exponent`, normalised.
    fn normalised(negative: bool, digits: &str, exponent: i64) -> Decimal {
        let point = exponent.saturating_add(i64::try_from(digits.len()).unwrap_or(i64::MAX));
        let significant = digits.trim_start_matches('0');
        let leading = i64::try_from(digits.len() - significant.len()).unwrap_or(i64::MAX);
        let significant = significant.trim_end_matches('0');
        if significant.is_empty() {
            return Decimal { negative, digits: String::new(), point: 0 };
        }
        Decimal { negative, digits: significant.to_owned(), point: point - leading }
    }

    /// Whether a double holds the number so that its shortest text is exactly this decimal.
    pub fn is_double(&self) -> bool {
        let Ok(double) = self.to_string().parse::<f64>() else { return false };
        Decimal::parse(&format!("{double:e}")).as_ref() == Some(self)
    }

    /// The number in `serde_json`'s model: 64-bit integers, else a double.
    pub fn to_serde(&self) -> serde_json::Value {
        let text = self.to_string();
        if let Ok(integer) = text.parse::<i64>() {
            return integer.into();
        }
        if let Ok(integer) = text.parse::<u64>() {
            return integer.into();
        }
        text.parse::<f64>().map_or(serde_json::Value::Null, Into::into)
    }

    fn plain(&self) -> String {
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        if self.point <= 0 {
            let zeros = usize::try_from(-self.point).unwrap_or(0);
            return format!("0.{}{}", "0".repeat(zeros), self.digits);
        }
        if self.point >= length {
            let zeros = usize::try_from(self.point - length).unwrap_or(0);
            return format!("{}{}", self.digits, "0".repeat(zeros));
        }
        let (whole, fraction) = self.digits.split_at(usize::try_from(self.point).unwrap_or(0));
        format!("{whole}.{fraction}")
    }
}

impl std::fmt::Display for Decimal {
    /// Writes the number like Go's `encoding/json` writes a float64 with these shortest digits: plain
    /// from 1e-6 up to 1e21, otherwise with an exponent that has a sign and no leading zero.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        if (-5..=21).contains(&self.point) || self.digits.is_empty() {
            return write!(f, "{sign}{}", self.plain());
        }
        let (first, rest) = self.digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent = self.point - 1;
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        write!(f, "{sign}{first}{dot}{rest}e{exponent_sign}{}", exponent.unsigned_abs())
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sign().cmp(&other.sign()).then_with(|| {
            let size = self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits));
            if self.negative { size.reverse() } else { size }
        })
    }
}

impl Decimal {
    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

// Writes JSON text like Go's `encoding/json`.

/// The initial capacity, enough for the text of most schemas.
const TYPICAL: usize = 4096;

/// Whether a character that begins with this byte may need an escape.
const MAY_NEED_ESCAPE: [bool; 256] = {
    const LINE_SEPARATORS: u8 = 0xe2;
    let mut table = [false; 256];
    let mut byte = u8::MAX;
    while byte > 0 {
        table[byte as usize] =
            matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&' | 0..=0x1f | LINE_SEPARATORS);
        byte -= 1;
    }
    table[0] = true;
    table
};

/// Writes values at a depth, by which their lines are indented.
pub(super) struct Writer {
    text: String,
    escape_html: bool,
}

impl Writer {
    /// The text that `write` writes.
    pub fn write(escape_html: bool, write: impl FnOnce(&mut Writer)) -> String {
        let mut out = Writer { text: String::with_capacity(TYPICAL), escape_html };
        write(&mut out);
        out.text
    }

    pub fn json(&mut self, value: &SchemaJson, depth: usize) {
        guarded(|| match value {
            SchemaJson::Null => self.text.push_str("null"),
            SchemaJson::Bool(it) => self.bool(*it),
            SchemaJson::Number(it) => self.number(it),
            SchemaJson::String(it) => self.string(it),
            SchemaJson::Array(elements) => self.array(elements, depth, Writer::json),
            SchemaJson::Object(members) => {
                let members = members.iter().map(|(key, it)| (key.as_str(), it));
                self.object(members, depth, Writer::json);
            }
            SchemaJson::Record(members) => {
                self.object(members.iter().map(|(key, it)| (*key, it)), depth, Writer::json);
            }
        });
    }

    pub fn bool(&mut self, it: bool) {
        self.text.push_str(if it { "true" } else { "false" });
    }

    pub fn number(&mut self, it: &Decimal) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "{it}");
    }

    /// Writes an array; `element` writes one element at its depth.
    pub fn array<T>(
        &mut self,
        elements: impl IntoIterator<Item = T>,
        depth: usize,
        element: impl Fn(&mut Writer, T, usize),
    ) {
        self.block(('[', ']'), elements, depth, |out, it| element(out, it, depth + 1));
    }

    /// Writes an object; `value` writes the value of one member at its depth.
    pub fn object<'k, T>(
        &mut self,
        members: impl IntoIterator<Item = (&'k str, T)>,
        depth: usize,
        value: impl Fn(&mut Writer, T, usize),
    ) {
        self.block(('{', '}'), members, depth, |out, (key, it)| {
            out.string(key);
            out.text.push_str(": ");
            value(out, it, depth + 1);
        });
    }

    fn block<T>(
        &mut self,
        (open, close): (char, char),
        items: impl IntoIterator<Item = T>,
        depth: usize,
        item: impl Fn(&mut Writer, T),
    ) {
        self.text.push(open);
        let mut empty = true;
        for it in items {
            if !empty {
                self.text.push(',');
            }
            empty = false;
            self.line(depth + 1);
            item(self, it);
        }
        if !empty {
            self.line(depth);
        }
        self.text.push(close);
    }

    fn line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n('\t', depth));
    }

    pub fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        // Almost all characters need no escape.
        while let Some(at) = rest.bytes().position(|it| MAY_NEED_ESCAPE[usize::from(it)]) {
            let (plain, special) = rest.split_at(at);
            self.text.push_str(plain);
            let mut chars = special.chars();
            chars.next().into_iter().for_each(|it| self.character(it));
            rest = chars.as_str();
        }
        self.text.push_str(rest);
        self.text.push('"');
    }

    fn character(&mut self, c: char) {
        match c {
            '"' => self.text.push_str("\\\""),
            '\\' => self.text.push_str("\\\\"),
            '\n' => self.text.push_str("\\n"),
            '\r' => self.text.push_str("\\r"),
            '\t' => self.text.push_str("\\t"),
            '\u{8}' => self.text.push_str("\\b"),
            '\u{c}' => self.text.push_str("\\f"),
            '<' | '>' | '&' if self.escape_html => self.unicode_escape(c),
            '\0'..='\u{1f}' | '\u{2028}' | '\u{2029}' => self.unicode_escape(c),
            _ => self.text.push(c),
        }
    }

    fn unicode_escape(&mut self, c: char) {
        let _ = write!(self.text, "\\u{:04x}", c as u32);
    }
}
