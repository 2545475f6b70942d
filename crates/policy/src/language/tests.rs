//! `test "NAME" { … }`: an example, and the outcomes of rules for it.

use std::collections::{BTreeMap, BTreeSet};

use super::{label, problem};
use crate::language::contexts::constant;
use diagnostics::{Decision, Diagnostics, Sources, Span, did_you_mean};
use hcl::{Attribute, Block, Expr, ExprKind, Item, ObjectItem, ObjectKey, analysis};
use smol_str::SmolStr;
use tf_eval::Meter;
use tf_value::Value;

pub(super) const ARGUMENTS: [&str; 4] = ["context", "config", "plan", "expect"];

/// The declared rules, which tests may name.
pub(super) struct Declared<'a> {
    pub rules: BTreeSet<&'a str>,
    pub sources: &'a Sources,
    pub meter: &'a Meter,
}

pub(super) fn read(blocks: &[&Block], declared: &Declared<'_>) -> (Vec<RuleTest>, Diagnostics) {
    let mut reader = RuleTestReader { declared, problems: Vec::new() };
    let mut names = BTreeSet::new();
    let mut tests = Vec::new();
    for block in blocks {
        let Some((name, span)) = label(block, "NAME", &mut reader.problems) else { continue };
        if !names.insert(name) {
            reader.error(format!("Duplicate test {name:?}"), "", span);
        }
        tests.extend(reader.test(name, block));
    }
    (tests, reader.problems)
}

struct RuleTestReader<'a> {
    declared: &'a Declared<'a>,
    problems: Diagnostics,
}

impl RuleTestReader<'_> {
    fn error(&mut self, summary: impl Into<String>, detail: impl Into<String>, span: Span) {
        self.problems.push(problem(summary, detail, span));
    }

    fn test(&mut self, name: &str, block: &Block) -> Option<RuleTest> {
        let mut found: BTreeMap<&str, &Attribute> = BTreeMap::new();
        for item in &block.body.items {
            match item {
                Item::Block(it) => self.error("A test can contain only arguments", "", it.header),
                Item::Attribute(it) if ARGUMENTS.contains(&it.name.name.as_str()) => {
                    if found.insert(&it.name.name, it).is_some() {
                        self.error(format!("Duplicate {:?}", it.name.name), "", it.span);
                    }
                }
                Item::Attribute(it) => {
                    let name = &it.name.name;
                    let hint = did_you_mean(name, ARGUMENTS);
                    let detail = format!("A test can contain {}.{hint}", ARGUMENTS.join(", "));
                    self.error(
                        format!("Unknown argument {name:?} in a test"),
                        detail,
                        it.name.span,
                    );
                }
            }
        }
        let context = match found.get("context") {
            Some(it) => self.context(&it.value)?,
            None => Vec::new(),
        };
        let input = self.input(block, &found);
        let Some(expect) = found.get("expect") else {
            let detail = "Write expect = { RULE = \"fail\" }.";
            self.error(format!("The test {name:?} expects nothing"), detail, block.header);
            return None;
        };
        let expect = self.expectations(&expect.value)?;
        Some(RuleTest { name: name.into(), span: block.header, context, input: input?, expect })
    }

    fn input(&mut self, block: &Block, found: &BTreeMap<&str, &Attribute>) -> Option<TestInput> {
        match (found.get("plan"), found.get("config")) {
            (Some(it), None) => {
                self.text(&it.value).map(|text| TestInput::Plan(text, it.value.span))
            }
            (None, Some(it)) => {
                let text = self.heredoc(&it.value).or_else(|| self.text(&it.value));
                text.map(|text| TestInput::Config(text, it.value.span))
            }
            (Some(_), Some(it)) => {
                self.error("A test judges a plan or a configuration, not both", "", it.span);
                None
            }
            (None, None) => {
                let detail = "Write plan = \"FILE\", the JSON of a plan, or config = <<EOT … EOT.";
                self.error("The test has nothing to judge", detail, block.header);
                None
            }
        }
    }

    fn text(&mut self, expr: &Expr) -> Option<SmolStr> {
        let (value, found) = constant(expr, self.declared.meter);
        let text = value.as_str().map(SmolStr::new);
        if text.is_none() || !found.is_empty() {
            let detail = "Write a constant string, without references.";
            self.error("A string is expected", detail, expr.span);
            return None;
        }
        text
    }

    /// The lines of a heredoc as written: `${…}` in them belongs to the configuration.
    fn heredoc(&self, expr: &Expr) -> Option<SmolStr> {
        let text = self.declared.sources.snippet(expr.span);
        let is_flush = text.starts_with("<<-");
        let (_, rest) = text.strip_prefix("<<")?.split_once('\n')?;
        let mut lines: Vec<&str> = rest.trim_end().lines().collect();
        // The closing marker.
        lines.pop();
        let indents = lines.iter().filter(|it| !it.trim().is_empty());
        let indent = indents.map(|it| it.len() - it.trim_start_matches(' ').len()).min();
        let cut = if is_flush { indent.unwrap_or(0) } else { 0 };
        let shown = lines.iter().map(|it| it.get(cut..).unwrap_or("").to_owned() + "\n");
        Some(shown.collect::<String>().into())
    }

    fn context(&mut self, expr: &Expr) -> Option<Vec<(SmolStr, tf_value::Value, Span)>> {
        let mut values = Vec::new();
        for (name, span, value) in self.members(expr, "context = { NAME = VALUE }")? {
            let (value, found) = constant(value, self.declared.meter);
            if let Some(first) = found.first() {
                self.error("The value of a context must be a constant", first.message(), span);
                return None;
            }
            values.push((name, value, span));
        }
        Some(values)
    }

    fn expectations(&mut self, expr: &Expr) -> Option<Vec<Expectation>> {
        let members = self.members(expr, "expect = { RULE = \"fail\" }")?;
        if members.is_empty() {
            self.error(
                "The test expects nothing",
                "Write expect = { RULE = \"fail\" }.",
                expr.span,
            );
            return None;
        }
        let mut found = Vec::new();
        for (rule, span, value) in members {
            if !self.declared.rules.contains(rule.as_str()) {
                let hint = did_you_mean(&rule, self.declared.rules.iter().copied());
                self.error(format!("Unknown rule {rule:?}.{hint}"), "", span);
                continue;
            }
            let span = span.to(value.span);
            let wanted = match analysis::as_map(value) {
                Some(_) => {
                    let form = "RULE = { \"ADDRESS\" = \"fail\" }";
                    let mut each = Vec::new();
                    for (address, at, outcome) in self.members(value, form)? {
                        each.push((address, self.decision(outcome)?, at.to(outcome.span)));
                    }
                    ExpectedOutcome::Each(each)
                }
                None => ExpectedOutcome::All(self.decision(value)?),
            };
            found.push(Expectation { rule, span, wanted });
        }
        Some(found)
    }

    fn decision(&mut self, expr: &Expr) -> Option<Decision> {
        let word = match &expr.kind {
            ExprKind::String(it) => it.as_str(),
            _ => analysis::as_keyword(expr).unwrap_or_default(),
        };
        let found = Decision::ALL.iter().find(|it| it.0 == word);
        if let (Some(it), ExprKind::String(_)) = (found, &expr.kind) {
            return Some(it.1);
        }
        let known = Decision::ALL.map(|it| it.0);
        let hint = match found {
            Some(_) => format!(" Write \"{word}\", with quotes."),
            None => did_you_mean(word, known),
        };
        let detail = format!("Use \"{}\".{hint}", known.join("\", \""));
        self.error("This is not an outcome", detail, expr.span);
        None
    }

    /// Names, their places and values; each name once.
    fn members<'e>(
        &mut self,
        expr: &'e Expr,
        form: &str,
    ) -> Option<Vec<(SmolStr, Span, &'e Expr)>> {
        let Some(items) = analysis::as_map(expr) else {
            self.error("An object is expected", format!("Write {form}."), expr.span);
            return None;
        };
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for ObjectItem { key, value } in items {
            let (name, span) = match key {
                ObjectKey::Name(it) => (it.name.clone(), it.span),
                ObjectKey::Expr(Expr { kind: ExprKind::String(it), span }) => (it.clone(), *span),
                ObjectKey::Expr(it) | ObjectKey::Template(it) => {
                    let detail = "Write it in quotes, unless it is a single word.";
                    self.error("A name must be a constant", detail, it.span);
                    return None;
                }
            };
            if !seen.insert(name.clone()) {
                self.error(format!("Duplicate {name:?}"), "", span);
            }
            found.push((name, span, value));
        }
        Some(found)
    }
}

// The model of `test` blocks.

/// A `test "NAME"` block.
#[derive(Debug)]
pub struct RuleTest {
    pub name: SmolStr,
    /// The block's header.
    pub span: Span,
    /// The values of contexts, each with the place of its name.
    pub context: Vec<(SmolStr, Value, Span)>,
    pub input: TestInput,
    /// Not empty; each rule once.
    pub expect: Vec<Expectation>,
}

/// The input of a test.
#[derive(Debug)]
pub enum TestInput {
    /// The file with the JSON of a plan, as seen from the file of the test.
    Plan(SmolStr, Span),
    /// The text of a root module's only file.
    Config(SmolStr, Span),
}

/// The outcome that a test expects of one rule.
#[derive(Debug)]
pub struct Expectation {
    pub rule: SmolStr,
    /// From the rule's name to the end of what is expected.
    pub span: Span,
    pub wanted: ExpectedOutcome,
}

#[derive(Debug)]
pub enum ExpectedOutcome {
    /// The worst outcome for any object.
    All(Decision),
    /// The outcome for each address, with its place; all other objects pass.
    Each(Vec<(SmolStr, Decision, Span)>),
}
