//! A change of a contract, before it becomes a finding.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use diagnostics::{Lint, Role, Span};
use report::Bump;
use tf_value::{Value, typeexpr::value_source};

/// One of the two states that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Base,
    Head,
}

/// A place of a change.
#[derive(Clone, Debug)]
pub struct ChangePlace {
    pub state: State,
    pub role: Role,
    pub span: Span,
    pub text: &'static str,
}

/// Something in a contract that changed.
#[derive(Clone, Debug)]
pub struct Change {
    pub rule: &'static Lint,
    /// The version that it requires. It does not depend on the level of its finding.
    pub bump: Bump,
    pub summary: String,
    pub detail: String,
    /// The release before which it is major, if only older ones are concerned: `1.9`.
    pub major_before: Option<String>,
    pub variable: Option<SmolStr>,
    pub output: Option<SmolStr>,
    /// The first is the primary one.
    pub places: Vec<ChangePlace>,
    pub witness: Option<Witness>,
}

/// Arguments that show what a change does.
#[derive(Clone, Debug)]
pub struct Witness {
    pub arguments: BTreeMap<SmolStr, Value>,
    /// Variables whose values are not shown.
    pub hidden: BTreeSet<SmolStr>,
    /// Whether the call has `count`.
    pub count: bool,
    /// What the new contract does with them, in words.
    pub outcome: String,
}

impl Witness {
    /// The arguments as a `module` block.
    pub fn block(&self, source: &str) -> String {
        let width = self.arguments.keys().map(SmolStr::len).max().unwrap_or(0).max(6);
        let mut out = "module \"example\" {\n".to_owned();
        out += &format!("  {:width$} = {}\n", "source", value_source(&Value::string(source)));
        if self.count {
            out += &format!("  {:width$} = 1\n", "count");
        }
        for (name, value) in &self.arguments {
            if self.hidden.contains(name) {
                out += &format!("  # {name} is hidden: its value is not shown\n");
            } else {
                out += &format!("  {name:width$} = {}\n", value_source(value));
            }
        }
        out + "}"
    }
}

impl Change {
    pub fn new(rule: &'static Lint, bump: Bump, summary: impl Into<String>) -> Change {
        Change {
            rule,
            bump,
            summary: summary.into(),
            detail: String::new(),
            major_before: None,
            variable: None,
            output: None,
            places: Vec::new(),
            witness: None,
        }
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Change {
        self.detail = detail.into();
        self
    }

    pub fn variable(mut self, name: &SmolStr) -> Change {
        self.variable = Some(name.clone());
        self
    }

    pub fn output(mut self, name: &SmolStr) -> Change {
        self.output = Some(name.clone());
        self
    }

    /// Adds a place.
    pub fn at(self, state: State, span: Span) -> Change {
        self.at_with(state, span, "")
    }

    pub fn at_with(mut self, state: State, span: Span, text: &'static str) -> Change {
        self.places.push(ChangePlace { state, role: Role::Declaration, span, text });
        self
    }

    pub fn witness(mut self, witness: impl Into<Option<Witness>>) -> Change {
        self.witness = witness.into();
        self
    }
}
