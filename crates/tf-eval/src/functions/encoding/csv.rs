//! `csvdecode`: records by the strict rules of RFC 4180 and Go's reader.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, text,
};
use tf_value::{Type, Value, nfc};

pub const FUNCTION: Function = Function {
    name: "csvdecode",
    description: "Reads records with commas; the first line names the attributes.",
    params: &[Param::new("str", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Any),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Arguments,
    body,
};

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    let mut reader = CsvReader { rest: text, line: 0 };
    let Some(header) = reader.record()? else {
        return Err(Failure::call("there is no header line"));
    };
    let names: Vec<SmolStr> = header.iter().map(|it| nfc(it)).collect();
    let mut seen = BTreeSet::new();
    if let Some(twice) = names.iter().find(|it| !seen.insert(*it)) {
        return Err(Failure::Call(format!("the column name {twice:?} occurs twice")));
    }
    let mut records = Vec::new();
    while let Some(fields) = reader.record()? {
        context.host.spend(8 + 4 * names.len() as u64)?;
        if fields.len() != names.len() {
            return Err(reader.failure("has another number of fields than the header"));
        }
        let attributes = names.iter().cloned().zip(fields.iter().map(Value::string)).collect();
        records.push(Value::object(attributes));
    }
    let attributes: BTreeMap<_, _> = names.into_iter().map(|it| (it, Type::String)).collect();
    Ok(Value::list(Type::object(attributes), records))
}

struct CsvReader<'a> {
    rest: &'a str,
    /// The number, from 1, of the last line that was read.
    line: usize,
}

impl<'a> CsvReader<'a> {
    /// The next record's fields; `None` at the end. Empty lines are skipped.
    fn record(&mut self) -> Result<Option<Vec<String>>, Failure> {
        let (mut line, mut end) = loop {
            let Some((line, end)) = self.line() else { return Ok(None) };
            if !line.is_empty() {
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
        self.line += 1;
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
        if field.contains('"') {
            return Err(self.failure("has a quote in a field that does not begin with one"));
        }
        Ok((field.to_owned(), after))
    }

    /// A field after its opening quote; it may span several lines.
    fn quoted(
        &mut self,
        line: &'a str,
        end: &mut &'static str,
    ) -> Result<(String, Option<&'a str>), Failure> {
        const UNBALANCED: &str = "has a quotation that does not end before a comma";
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
                line = after.strip_prefix('"').ok_or_else(|| self.failure(UNBALANCED))?;
                field.push('"');
            } else {
                field.push_str(line);
                field.push_str(end);
                (line, *end) = self.line().ok_or_else(|| self.failure(UNBALANCED))?;
            }
        }
    }

    fn failure(&self, what: &str) -> Failure {
        Failure::Call(format!("line {} {what}", self.line))
    }
}
