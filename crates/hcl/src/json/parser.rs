//! The recursive-descent parser of JSON. It stops at the first error.

use super::{
    JsonMember, JsonValue, ValueKind,
    scanner::{Lexeme, Scanner, Token, decode},
};
use crate::{TOO_DEEP, number::fits, too_large};
use diagnostics::{Cause, Diagnostic, FileId, Role, Span, lints};
use smol_str::SmolStr;
use stack::{Depth, guarded};

/// The limit of Go's `encoding/json`, at which Terraform stops reading.
const MAX_DEPTH: u32 = 10_000;

/// The limit for the values of one text.
const MAX_VALUES: u32 = 2_000_000;

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The value, which may be followed by any text that begins with one of the tokens `before`.
pub fn parse(file: FileId, bytes: &[u8], before: &[Token]) -> Parsed<JsonValue> {
    Parser::new(file, bytes).whole(before)
}

/// Like [`parse`] without text behind the value. Behind an error, also returns the members of the outermost object
/// that were read before it.
pub fn parse_part(file: FileId, bytes: &[u8]) -> (Parsed<JsonValue>, Vec<JsonMember>) {
    let mut parser = Parser::new(file, bytes);
    let value = parser.whole(&[]);
    (value, parser.part)
}

struct Parser<'a> {
    file: FileId,
    scanner: Scanner<'a>,
    depth: Depth,
    values: u32,
    /// The members of the outermost object, if it has an error.
    part: Vec<JsonMember>,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, bytes: &'a [u8]) -> Parser<'a> {
        let (scanner, depth) = (Scanner::new(bytes), Depth::of(MAX_DEPTH));
        Parser { file, scanner, depth, values: 0, part: Vec::new() }
    }
}

impl Parser<'_> {
    fn whole(&mut self, before: &[Token]) -> Parsed<JsonValue> {
        let parser = self;
        let value = parser.value()?;
        let next = parser.scanner.peek();
        if next.token != Token::End && !before.contains(&next.token) {
            let detail = "The JSON value is complete, but more text follows it.";
            return Err(parser.error(next, "Extra characters after the JSON value", detail));
        }
        Ok(value)
    }

    fn value(&mut self) -> Parsed<JsonValue> {
        let next = self.scanner.peek();
        self.values += 1;
        if self.values > MAX_VALUES {
            let detail = format!("The limit is {MAX_VALUES} keys and values.");
            return Err(Box::new(too_large(*self.error(next, "JSON too large", detail))));
        }
        let kind = match next.token {
            Token::OpenBrace => return self.nested(Self::object),
            Token::OpenBracket => return self.nested(Self::array),
            Token::String => ValueKind::String(self.string(next)?),
            Token::Number => ValueKind::Number(self.number(next)?),
            Token::Word => self.word(next)?,
            _ => return Err(self.no_value(next)),
        };
        self.scanner.next();
        Ok(JsonValue { kind, span: self.span(next) })
    }

    fn nested(&mut self, parse: fn(&mut Self) -> Parsed<JsonValue>) -> Parsed<JsonValue> {
        let Some(inner) = self.depth.inner() else {
            let detail = format!("The limit is {MAX_DEPTH} levels of nesting.");
            let error = self.error(self.scanner.peek(), TOO_DEEP, detail);
            return Err(Box::new(error.cause(Cause::TooDeep)));
        };
        let outer = std::mem::replace(&mut self.depth, inner);
        let value = guarded(|| parse(self));
        self.depth = outer;
        value
    }

    fn object(&mut self) -> Parsed<JsonValue> {
        let is_outermost = self.values == 1;
        let open = self.scanner.next();
        let mut members = Vec::new();
        match self.members(open, &mut members) {
            Ok(close) => {
                Ok(JsonValue { kind: ValueKind::Object(members), span: self.between(open, close) })
            }
            Err(error) => {
                if is_outermost {
                    self.part = members;
                }
                Err(error)
            }
        }
    }

    /// Reads the members of an object; returns its closing brace.
    fn members(&mut self, open: Lexeme, members: &mut Vec<JsonMember>) -> Parsed<Lexeme> {
        if self.scanner.peek().token != Token::CloseBrace {
            loop {
                members.push(self.member()?);
                let next = self.scanner.peek();
                match next.token {
                    Token::CloseBrace => break,
                    Token::Comma => self.scanner.next(),
                    Token::End => {
                        return Err(self.error(
                            open,
                            "Unclosed object",
                            "This brace is never closed.",
                        ));
                    }
                    Token::CloseBracket => {
                        return Err(self.opened(
                            next,
                            open,
                            "Bracket instead of a brace",
                            "the object",
                        ));
                    }
                    _ => return Err(self.missing_comma(next, open, "members of an object")),
                };
                if self.scanner.peek().token == Token::CloseBrace {
                    return Err(self.trailing_comma(next, "an object"));
                }
            }
        }
        Ok(self.scanner.next())
    }

    fn member(&mut self) -> Parsed<JsonMember> {
        let name = self.scanner.peek();
        let key = self.value()?;
        let ValueKind::String(text) = &key.kind else {
            let at = Lexeme { end: name.start + key.start().range().len(), ..name };
            let detail = "Write the keys of a JSON object in double quotes.";
            return Err(self.error(at, "Invalid JSON key", detail));
        };
        let colon = self.scanner.next();
        match colon.token {
            Token::Colon => {}
            Token::CloseBrace | Token::Comma => {
                let detail = "Each key of a JSON object needs a colon and a value.";
                return Err(self.error(colon, "Missing value of a JSON key", detail));
            }
            Token::Equals => {
                let detail = "Write a colon between a key and its value: JSON has no equals sign.";
                return Err(self.error(colon, "Missing colon", detail));
            }
            _ => {
                let detail = "A colon is expected between a key and its value.";
                return Err(self.error(colon, "Missing colon", detail));
            }
        }
        Ok(JsonMember { key: text.clone(), key_span: key.span, value: self.value()? })
    }

    fn array(&mut self) -> Parsed<JsonValue> {
        let open = self.scanner.next();
        let mut elements = Vec::new();
        if self.scanner.peek().token != Token::CloseBracket {
            loop {
                elements.push(self.value()?);
                let next = self.scanner.peek();
                match next.token {
                    Token::CloseBracket => break,
                    Token::Comma => self.scanner.next(),
                    Token::End => {
                        return Err(self.error(
                            open,
                            "Unclosed array",
                            "This bracket is never closed.",
                        ));
                    }
                    Token::CloseBrace => {
                        return Err(self.opened(
                            next,
                            open,
                            "Brace instead of a bracket",
                            "the array",
                        ));
                    }
                    Token::Colon => {
                        return Err(self.opened(next, open, "Colon in an array", "the array"));
                    }
                    _ => return Err(self.missing_comma(next, open, "elements of an array")),
                };
                if self.scanner.peek().token == Token::CloseBracket {
                    return Err(self.trailing_comma(next, "an array"));
                }
            }
        }
        let close = self.scanner.next();
        Ok(JsonValue { kind: ValueKind::Array(elements), span: self.between(open, close) })
    }

    fn string(&self, at: Lexeme) -> Parsed<SmolStr> {
        decode(&self.scanner.bytes[at.start..at.end]).map_err(|wrong| {
            let start = at.start + wrong;
            let place = Lexeme { start, end: start + 1, ..at };
            let detail = if start < at.end {
                "This backslash does not begin a JSON escape sequence."
            } else {
                "The string is not closed on its line, or contains a control character."
            };
            self.opened_with(place, at, "Invalid JSON string", detail, "the string")
        })
    }

    fn number(&self, at: Lexeme) -> Parsed<SmolStr> {
        let text = self.text(at);
        if !is_json_number(text) || !fits(text) {
            let detail = format!("\"{text}\" is not a JSON number.");
            return Err(self.error(at, "Invalid JSON number", detail));
        }
        Ok(SmolStr::new(text))
    }

    fn word(&self, at: Lexeme) -> Parsed<ValueKind> {
        match self.text(at) {
            "true" => Ok(ValueKind::Bool(true)),
            "false" => Ok(ValueKind::Bool(false)),
            "null" => Ok(ValueKind::Null),
            other => {
                let detail = format!(
                    "\"{other}\" is not a JSON value: the only words are true, \
                    false and null."
                );
                Err(self.error(at, "Invalid JSON word", detail).into_help(other))
            }
        }
    }

    fn no_value(&self, at: Lexeme) -> Box<Diagnostic> {
        match at.token {
            Token::CloseBrace => self.error(at, "Missing JSON value", "A value is expected here."),
            Token::CloseBracket => {
                self.error(at, "Missing array element", "A value is expected here.")
            }
            Token::End => {
                self.error(at, "Missing JSON value", "The text ends where a value is expected.")
            }
            _ => {
                let detail = match self.scanner.bytes.get(at.start..) {
                    Some([b'\'', ..]) => "Write JSON strings in double quotes.",
                    Some([0xef, 0xbb, 0xbf, ..]) => {
                        "A JSON file cannot begin with a byte order mark: save the file as \
                        UTF-8 without it."
                    }
                    Some([b'/' | b'#', ..]) => "JSON has no comments.",
                    _ => "This character cannot begin a JSON value.",
                };
                let summary = match self.scanner.bytes.get(at.start..) {
                    Some([0xef, 0xbb, 0xbf, ..]) => "Byte order mark in a JSON file",
                    _ => "Invalid start of a JSON value",
                };
                self.error(at, summary, detail)
            }
        }
    }

    fn missing_comma(&self, at: Lexeme, open: Lexeme, what: &str) -> Box<Diagnostic> {
        let detail = format!("Separate the {what} with commas.");
        self.opened_with(at, open, "Missing comma", &detail, "it")
    }

    fn trailing_comma(&self, at: Lexeme, what: &str) -> Box<Diagnostic> {
        let detail = format!("JSON does not allow a comma after the last value of {what}.");
        self.error(at, "Comma after the last value", detail)
    }

    fn opened(&self, at: Lexeme, open: Lexeme, summary: &str, what: &str) -> Box<Diagnostic> {
        let detail = format!("This is not expected here, because {what} is not closed yet.");
        self.opened_with(at, open, summary, &detail, what)
    }

    fn opened_with(
        &self,
        at: Lexeme,
        open: Lexeme,
        summary: &str,
        detail: &str,
        what: &str,
    ) -> Box<Diagnostic> {
        let diagnostic = *self.error(at, summary, detail);
        let bracket = Lexeme { end: open.start + 1, ..open };
        let text = format!("{what} begins here");
        Box::new(diagnostic.at_with(Role::Value, self.span(bracket), text))
    }

    fn error(&self, at: Lexeme, summary: &str, detail: impl Into<String>) -> Box<Diagnostic> {
        let diagnostic = Diagnostic::new(&lints::INVALID_SYNTAX, summary).detail(detail);
        Box::new(diagnostic.at(Role::Value, self.span(at)))
    }

    fn text(&self, at: Lexeme) -> &str {
        // Words and numbers are ASCII.
        std::str::from_utf8(&self.scanner.bytes[at.start..at.end]).unwrap_or_default()
    }

    fn span(&self, at: Lexeme) -> Span {
        Span::new(self.file, at.start, at.end)
    }

    fn between(&self, open: Lexeme, close: Lexeme) -> Span {
        Span::new(self.file, open.start, close.end)
    }
}

trait IntoHelp {
    /// Adds a suggestion for the misspelt word.
    fn into_help(self, word: &str) -> Self;
}

impl IntoHelp for Box<Diagnostic> {
    fn into_help(self, word: &str) -> Self {
        let lower = word.to_ascii_lowercase();
        let meant = match lower.chars().next() {
            Some('t') => "true",
            Some('f') => "false",
            Some('n' | 'u') => "null",
            _ => return self,
        };
        Box::new(self.help(format!("Did you mean {meant}?")))
    }
}

/// `-`, digits without a superfluous zero, a fraction, an exponent.
fn is_json_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|it| digits(it.strip_prefix(['+', '-']).unwrap_or(it)))
}
