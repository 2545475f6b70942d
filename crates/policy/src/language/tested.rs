//! The model of `test` blocks.

use smol_str::SmolStr;

use diagnostics::{Decision, Span};
use tf_value::Value;

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
