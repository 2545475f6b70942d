//! `csvdecode`: records by the strict rules of RFC 4180 and Go's reader.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::at_offset;
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value, nfc};

pub const FUNCTION: Function = Function::pure(
    "csvdecode",
    "Decodes CSV; the first line names the attributes.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::Any),
    body,
);

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    let mut reader = CsvReader { text, rest: text, record: 0 };
    let Some(header) = reader.record()? else {
        return Err(Failure::call("missing header line"));
    };
    let names: Vec<SmolStr> = header.iter().map(|it| nfc(it)).collect();
    let mut seen = BTreeSet::new();
    if let Some(twice) = names.iter().find(|it| !seen.insert(*it)) {
        return Err(Failure::Call(format!("duplicate column name {twice:?}")));
    }
    let mut records = Vec::new();
    while let Some(fields) = reader.record()? {
        context.host.spend(8 + 4 * names.len() as u64)?;
        if fields.len() != names.len() {
            return Err(
                reader.failure(reader.record, "a different number of fields than the header")
            );
        }
        let attributes = names.iter().cloned().zip(fields.iter().map(Value::string)).collect();
        records.push(Value::object(attributes));
    }
    let attributes: BTreeMap<_, _> = names.into_iter().map(|it| (it, Type::String)).collect();
    Ok(Value::list(Type::object(attributes), records))
}

struct CsvReader<'a> {
    text: &'a str,
    rest: &'a str,
    /// Where the last record begins, in bytes.
    record: usize,
}

impl<'a> CsvReader<'a> {
    /// The next record's fields; `None` at the end. Empty lines are skipped.
    fn record(&mut self) -> Result<Option<Vec<String>>, Failure> {
        let (mut line, mut end) = loop {
            let Some((line, end)) = self.line() else { return Ok(None) };
            if !line.is_empty() {
                self.record = self.offset(line);
                break (line, end);
            }
        };
        let mut fields = Vec::new();
        loop {
            let (field, after) = match line.strip_prefix('"') {
                Some(quoted) => self.quoted(quoted, &mut end)?,
                None => self.bare(line)?,
            };
            fields.push(field);
            match after {
                Some(after) => line = after,
                None => return Ok(Some(fields)),
            }
        }
    }

    /// The next line and its line end; the last line has none.
    fn line(&mut self) -> Option<(&'a str, &'static str)> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest, end) = match self.rest.split_once('\n') {
            Some((line, rest)) => (line, rest, "\n"),
            None => (self.rest, "", ""),
        };
        self.rest = rest;
        Some((line.strip_suffix('\r').unwrap_or(line), end))
    }

    /// A field without quotes, and the text behind its comma.
    fn bare(&self, line: &'a str) -> Result<(String, Option<&'a str>), Failure> {
        let (field, after) = match line.split_once(',') {
            Some((field, after)) => (field, Some(after)),
            None => (line, None),
        };
        if let Some(quote) = field.find('"') {
            let at = self.offset(line) + quote;
            return Err(self.failure(at, "a quote in a field that is not quoted"));
        }
        Ok((field.to_owned(), after))
    }

    /// A field after its opening quote; it may span several lines.
    fn quoted(
        &mut self,
        line: &'a str,
        end: &mut &'static str,
    ) -> Result<(String, Option<&'a str>), Failure> {
        let opening = self.offset(line).saturating_sub(1);
        let mut line = line;
        let mut field = String::new();
        loop {
            if let Some((part, after)) = line.split_once('"') {
                field.push_str(part);
                if after.is_empty() {
                    return Ok((field, None));
                }
                if let Some(after) = after.strip_prefix(',') {
                    return Ok((field, Some(after)));
                }
                line = after.strip_prefix('"').ok_or_else(|| {
                    self.failure(self.offset(after), "text after the closing quote of a field")
                })?;
                field.push('"');
            } else {
                field.push_str(line);
                field.push_str(end);
                (line, *end) = self
                    .line()
                    .ok_or_else(|| self.failure(opening, "the quote of a field is not closed"))?;
            }
        }
    }

    /// Where a part of the text begins, in bytes.
    fn offset(&self, part: &str) -> usize {
        part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr())
    }

    fn failure(&self, at: usize, what: &str) -> Failure {
        Failure::Call(at_offset(self.text, at, what))
    }
}
