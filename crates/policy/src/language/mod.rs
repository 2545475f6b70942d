//! The language of `*.rules.hcl`, read by static analysis: no rule is a program.
//!
//! A rule looks like the blocks that it judges. [`read`] turns files into a [`Policy`]; every mistake in them
//! is a diagnostic with its place, and a policy with errors is not used.

mod blocks;
pub(super) mod contexts;
mod counts;
mod locals;
mod mentions;
mod model;
mod options;
mod reader;
mod settings;
pub(super) mod shape;
mod tests;
mod validator;
pub mod vocabulary;
mod words;

use std::{collections::BTreeMap, sync::Arc};

use diagnostics::{Diagnostics, Sources, Span};
use hcl::{Attribute, Block, Body, Item, parse_body};
use reader::{RuleFileReader, problem};
use smol_str::SmolStr;
use tf_eval::Meter;

pub use contexts::GivenContexts;
pub use model::{
    Action, BlockKind, BlockPattern, Bounds, ConditionValidator, Count, Demand, Fallback,
    LabelPattern, MemberValidator, Names, NestedBlock, Policy, PolicyRule, RuleTarget, Test, Valid,
    Validator, When,
};
pub use tests::{Expectation, ExpectedOutcome, RuleTest, TestInput};

pub(super) use settings::{bytes, milliseconds};
pub(super) use shape::Shape;

/// The end of the name of a file with rules.
pub const SUFFIX: &str = ".rules.hcl";

/// Reads the rules of some files (path as shown, text) with the values that are given for their contexts.
pub fn read(
    files: Vec<(String, Arc<[u8]>)>,
    given: &GivenContexts,
    meter: &Meter,
) -> (Policy, Diagnostics) {
    ParsedRules::new(files, meter).policy(given, meter)
}

/// Files of rules that were parsed, to be read for one set of contexts or for many.
pub struct ParsedRules {
    pub sources: Sources,
    bodies: Vec<Body>,
    /// Errors of parsing. With any of them nothing is read, since rules in the broken part would be missed
    /// silently.
    problems: Diagnostics,
}

impl ParsedRules {
    /// Parses some files (path as shown, text).
    pub fn new(files: Vec<(String, Arc<[u8]>)>, meter: &Meter) -> ParsedRules {
        let (sources, bodies, problems) = parsed(files, meter);
        ParsedRules { sources, bodies, problems }
    }

    /// Reads the rules with the values that are given for their contexts.
    pub fn policy(&self, given: &GivenContexts, meter: &Meter) -> (Policy, Diagnostics) {
        let mut sources = self.sources.clone();
        if !self.problems.is_empty() {
            return (Policy { sources, ..Policy::default() }, self.problems.clone());
        }
        let mut problems = Vec::new();
        let document = Document::new(&self.bodies, &mut problems);
        let (context, found) = contexts::values(&document.contexts, given, &mut sources, meter);
        problems.extend(found);
        let names = Names { context, ..Names::default() };
        let declared = document.locals.keys().cloned().collect();
        let mut reader = RuleFileReader::new(names, declared, meter);
        locals::read(&mut reader, &document.locals);
        let rules = blocks::rules(&mut reader, &document.rules);
        let RuleFileReader { names, referred, written, problems: found, .. } = reader;
        problems.extend(found);
        problems.extend(document.tests(&sources, meter).1);
        (Policy { sources, rules, names, referred, written }, problems)
    }

    /// Reads the tests, which do not depend on contexts; errors in other blocks are not reported.
    pub fn tests(&self, meter: &Meter) -> (Vec<RuleTest>, Diagnostics) {
        if !self.problems.is_empty() {
            return (Vec::new(), self.problems.clone());
        }
        Document::new(&self.bodies, &mut Vec::new()).tests(&self.sources, meter)
    }
}

fn parsed(files: Vec<(String, Arc<[u8]>)>, meter: &Meter) -> (Sources, Vec<Body>, Diagnostics) {
    let mut sources = Sources::new();
    let (mut bodies, mut problems) = (Vec::new(), Vec::new());
    for (path, bytes) in files {
        meter.charge_text(bytes.len());
        let id = sources.add(path, Arc::clone(&bytes));
        let (body, found) = parse_body(id, &bytes);
        problems.extend(found.into_iter().map(|mut it| {
            it.rule = (&diagnostics::lints::INVALID_CONFIGURATION).into();
            it
        }));
        bodies.push(body);
    }
    (sources, bodies, problems)
}

/// The blocks of all files.
#[derive(Default)]
struct Document<'a> {
    rules: Vec<&'a Block>,
    contexts: Vec<&'a Block>,
    tests: Vec<&'a Block>,
    locals: BTreeMap<SmolStr, &'a Attribute>,
}

const KINDS: [&str; 4] = ["rule", "context", "locals", "test"];

impl<'a> Document<'a> {
    fn new(bodies: &'a [Body], problems: &mut Diagnostics) -> Document<'a> {
        let mut document = Document::default();
        for item in bodies.iter().flat_map(|it| &it.items) {
            match item {
                Item::Attribute(it) => {
                    let detail = "A rules file can contain only rule, context, locals and test \
                        blocks.";
                    problems.push(problem("Argument outside of a block", detail, it.name.span));
                }
                Item::Block(it) => document.add(it, problems),
            }
        }
        document
    }

    fn add(&mut self, block: &'a Block, problems: &mut Diagnostics) {
        match block.kind.name.as_str() {
            "rule" => self.rules.push(block),
            "context" => self.contexts.push(block),
            "test" => self.tests.push(block),
            "locals" => self.add_locals(block, problems),
            kind => {
                let hint = diagnostics::did_you_mean(kind, KINDS);
                let detail = match kind {
                    "variable" => "Write context \"NAME\" { … }.".to_owned(),
                    "resource" | "data" | "forbid" | "needs" | "module" => {
                        format!("Write it inside of a rule: rule \"ID\" {{ {kind} … }}.")
                    }
                    _ => {
                        format!(
                            "A rules file can contain only rule, context, locals and test \
                            blocks.{hint}"
                        )
                    }
                };
                let summary = format!("Unknown block {kind:?}");
                problems.push(problem(summary, detail, block.kind.span));
            }
        }
    }

    fn tests(&self, sources: &Sources, meter: &Meter) -> (Vec<RuleTest>, Diagnostics) {
        let ids = self.rules.iter().filter_map(|it| it.labels.first());
        let rules = ids.map(|it| it.text.as_str()).collect();
        tests::read(&self.tests, &tests::Declared { rules, sources, meter })
    }

    fn add_locals(&mut self, block: &'a Block, problems: &mut Diagnostics) {
        if let Some(label) = block.labels.first() {
            problems.push(problem("locals cannot have a label", "", label.span));
        }
        for item in &block.body.items {
            match item {
                Item::Block(it) => {
                    problems.push(problem("locals can contain only arguments", "", it.header));
                }
                Item::Attribute(it) => {
                    if self.locals.insert(it.name.name.clone(), it).is_some() {
                        let summary = format!("Duplicate local {:?}", it.name.name);
                        problems.push(problem(summary, "", it.name.span));
                    }
                }
            }
        }
    }
}

/// The only label of a block.
fn label<'b>(block: &'b Block, what: &str, problems: &mut Diagnostics) -> Option<(&'b str, Span)> {
    if let [label] = block.labels.as_slice() {
        return Some((&label.text, label.span));
    }
    let detail = format!("Write {} \"{what}\" {{ … }}.", block.kind.name);
    let summary = format!("{} must have one label", block.kind.name);
    problems.push(problem(summary, detail, block.header));
    None
}
